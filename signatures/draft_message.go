package signatures

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crashtriage/crashtriage/parse"
)

// saying is what a crash says of itself, on its way to a condition and an example.
type saying struct {
	prefix string // "panic: " or "fatal error: "; "" where the line has neither
	text   string // behind the prefix, one line
	// line is how the example tells it: "http: panic serving 192.0.2.1:50000: " or prefix.
	line string
	// loose: the text stands behind words of a recover handler, so an expression cannot begin at the line's start.
	loose bool
	// foreign: the handler says that there was a panic, not which. An entry has to speak of the handler's line.
	foreign bool
	trusted bool // the runtime made the text: it names types and lengths, nothing else
}

func sayingOf(inc *parse.Incident) *saying {
	s := &saying{text: inc.Reason}
	if s.text == "" {
		s.text = inc.Headline
	}
	s.text, _, _ = strings.Cut(s.text, "\n")
	s.text = strings.TrimSpace(s.text)
	switch inc.Kind {
	case parse.KindPanic:
		s.prefix = "panic: "
	case parse.KindFatal, parse.KindThrow:
		s.prefix = "fatal error: "
	case parse.KindRecoveredPanic, parse.KindLogFatal:
		s.behindHandler()
	}
	if s.line == "" {
		s.line = s.prefix
	}
	s.trusted = runtimeText(s.text)
	return s
}

// behindHandler cuts what a recover handler says before the panic's text.
func (s *saying) behindHandler() {
	if _, rest, ok := strings.Cut(s.text, ": panic serving "); ok {
		if _, text, ok := strings.Cut(rest, ": "); ok {
			s.line, s.text, s.prefix, s.loose = "http: panic serving 192.0.2.1:50000: ", text, "panic: ", true
			return
		}
	}
	for _, g := range genericReasons {
		if i := strings.Index(s.text, g); i > 0 && len(g) >= 2*minLiteral && !wordByte(s.text[i-1]) {
			s.text, s.prefix, s.loose = s.text[i:], "panic: ", true
			return
		}
	}
	if i := strings.LastIndex(s.text, "panic: "); i >= 0 {
		s.text, s.prefix, s.loose = s.text[i+len("panic: "):], "panic: ", true
		return
	}
	s.foreign = true
}

// runtimeText says whether the runtime, or a package of the standard library in its words, made a text:
// such a text holds no value of the program's but lengths and indexes.
func runtimeText(text string) bool {
	for _, g := range []string{"runtime error: ", "interface conversion: ", "concurrent map ", "reflect: ", "reflect.", "sync: "} {
		if strings.HasPrefix(text, g) {
			return true
		}
	}
	for _, g := range genericReasons {
		if text == g {
			return true
		}
	}
	return false
}

// piece is one part of a message: fixed text, or something that varies, as an expression and as an
// invented value for the example.
type piece struct {
	text    string
	pattern string // "" for fixed text
}

// maxMessage is how much of a message a draft looks at.
const maxMessage = 200

// pieces takes a message apart. Quoted text, numbers and addresses vary, and so does every word that
// may be a path, a host, an address or a token: of a text that a program made up, a word is fixed only
// when it is nothing but letters.
func (s *saying) pieces() []piece {
	var list []piece
	add := func(text, pattern string) {
		if n := len(list); n > 0 && pattern == "" && list[n-1].pattern == "" {
			list[n-1].text += text
		} else if text != "" {
			list = append(list, piece{text, pattern})
		}
	}
	rest := s.text
	if len(rest) > maxMessage {
		rest = rest[:maxMessage]
		rest = rest[:max(strings.LastIndexByte(rest, ' '), 0)]
	}
	for rest != "" {
		if q := rest[:1]; strings.Contains("\"`'", q) {
			if i := strings.LastIndex(rest, q); i > 0 { // to the last one: the value may hold the quote itself
				add(q+"x"+q, q+".*"+q)
				rest = rest[i+1:]
				continue
			}
		}
		if strings.HasPrefix(rest, " ") {
			add(" ", "")
			rest = rest[1:]
			continue
		}
		word, _, _ := strings.Cut(rest, " ")
		if i := strings.IndexAny(word, "\"`"); i > 0 { // key="value"
			word = word[:i]
		}
		rest = rest[len(word):]
		s.word(word, add)
	}
	return list
}

var (
	numberPattern = regexp.MustCompile(`0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)*`)
	// plainWord is a word of prose with its punctuation, and perhaps numbers that stand apart from letters.
	plainWord = regexp.MustCompile(`^[\[({<#*&:+-]*(?:\p{L}[\p{L}'’_-]*|[0-9]+|0x[0-9a-fA-F]+)?(?:[\])}>,;:.!?%+-]+(?:[0-9]+|0x[0-9a-fA-F]+)?)*$`)
)

func (s *saying) word(word string, add func(text, pattern string)) {
	if !s.trusted && !plainWord.MatchString(word) {
		core := strings.TrimRight(word, ",;:.!?)]}")
		if core == "" || strings.ContainsAny(core, "([{") {
			core = word
		}
		add("x", `\S+`)
		add(word[len(core):], "")
		return
	}
	at := 0
	for _, m := range numberPattern.FindAllStringIndex(word, -1) {
		if r, _ := utf8.DecodeLastRuneInString(word[:m[0]]); unicode.IsLetter(r) || r == '_' {
			continue // int64: a name
		}
		add(word[at:m[0]], "")
		switch number := word[m[0]:m[1]]; {
		case strings.HasPrefix(number, "0x"):
			add("0xc000012345", `0x[0-9a-f]+`)
		case strings.Contains(number, "."):
			add("192.0.2.1", `[0-9.]+`)
		default:
			add("7", `\d+`)
		}
		at = m[1]
	}
	add(word[at:], "")
}

// example is the line that tells the message, with invented values for what varies.
func (s *saying) example() string {
	if s.trusted {
		return s.line + cutText(s.text, maxMessage)
	}
	var b strings.Builder
	for _, p := range s.pieces() {
		b.WriteString(p.text)
	}
	return s.line + strings.TrimSpace(b.String())
}

// title is the message for people: "…" stands for what varies.
func (s *saying) title() string {
	var b strings.Builder
	for _, p := range s.pieces() {
		if p.pattern != "" {
			p.text = "…"
		}
		b.WriteString(p.text)
	}
	return strings.TrimPrefix(strings.TrimSpace(b.String()), "runtime error: ")
}

// patterns are conditions that the message fulfils, the most telling first. The last is always nil: no
// condition about the message.
func (s *saying) patterns() []*text {
	list := s.pieces()
	if len(list) == 0 {
		return []*text{nil}
	}
	head, letters := "", 0 // the fixed text before everything that varies; letters of the fixed text behind
	var expression strings.Builder
	for i, p := range list {
		switch {
		case p.pattern != "":
			expression.WriteString(p.pattern)
			continue
		case i == 0:
			head = strings.TrimSpace(p.text)
			if len(list) > 1 {
				head = strings.TrimRight(head, " ([{<:=#-+")
			}
		default:
			letters += countLetters(p.text)
		}
		expression.WriteString(regexp.QuoteMeta(p.text))
	}
	begin := "^" + s.prefix
	if s.loose {
		begin = ""
	}
	re := &text{Regexp: begin + strings.TrimSpace(expression.String())}
	literal := &text{Is: s.prefix + head}
	enough := len(head) >= 2*minLiteral
	var out []*text
	switch {
	case len(list) == 1 && len(head) >= minLiteral:
		out = append(out, literal)
	case enough && (s.trusted || letters < minLiteral):
		out = append(out, literal)
	case len(head) >= minLiteral || letters >= minLiteral:
		out = append(out, re)
		if enough {
			out = append(out, literal)
		}
	}
	return append(out, nil)
}

func countLetters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
