package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// What the formats for chat share: the parts of a message, each of which can lose lines until the
// whole fits. Text of an input is made harmless by chatText before it is laid out.

const (
	chatColumns = 78
	chatFrames  = 5
	chatShapes  = 5
	chatOthers  = 8
	chatList    = 3   // entries of a list that is not frames, shapes or others
	chatLink    = 200 // characters of an address
)

// section is a part of a message: a head, and rows of which the last can be left out.
type section struct {
	head  string
	rows  []string
	shown int    // how many of rows are written
	label string // of a row's section
	total int    // what "… N more" counts; 0 when rows are the lines of one text
	one   string // what is missing: "more frame"
	many  string
}

func (s *section) lines() []string {
	var out []string
	if s.head != "" {
		out = append(out, s.head)
	}
	out = append(out, s.rows[:s.shown]...)
	switch n := s.total - s.shown; {
	case n > 0:
		out = append(out, "  … "+count(n, s.one, s.many))
	case s.shown > 0 && s.shown < len(s.rows):
		last := &out[len(out)-1]
		*last = strings.TrimSuffix(Cut(*last, chatColumns-1), "…") + "…"
	}
	return out
}

// listed is a section that shows at most limit of total rows and says how many are missing; nil
// without rows.
func listed(head string, rows []string, total, limit int, one, many string) *section {
	if len(rows) == 0 {
		return nil
	}
	s := &section{head: bounded(Cut(head, chatColumns)), rows: rows, total: total, one: one, many: many}
	// "… 1 more" would take the room of what it leaves out.
	if s.shown = min(len(rows), limit); total == limit+1 {
		s.shown = len(rows)
	}
	return s
}

// cut takes one row away, down to least, and says whether it could.
func (s *section) cut(least int) bool {
	if s == nil || s.shown <= least || s.total == least+1 && s.shown == s.total {
		return false
	}
	s.shown--
	return true
}

// message is everything that a chat message says about a document.
type message struct {
	answer     string
	link       string
	id         string
	rows       []row      // what is known about the strongest entry
	facts      []*section // and that laid out to paste
	stack      *section
	shapes     *section
	candidates *section
	others     *section
}

func newMessage(d *Document) *message {
	m := &message{}
	all := entries(d)
	if len(all) == 0 {
		m.answer = bounded(Cut(mute(chatText(noCrash(shortSource(d)))), chatColumns))
		m.rows = sourceRows(d, nil)
		m.facts = chatRows(m.rows)
		return m
	}
	first := all[0]
	place := chatPlace(d)
	m.answer = bounded(Cut(mute(chatText(first.answer(chatColumns))), chatColumns))
	if url := first.link(); len(url) <= chatLink {
		m.link = url
	}
	m.id = chatID(d, first)
	m.rows = append(first.rows(d, place), sourceRows(d, first)...)
	m.facts = chatRows(m.rows)
	if i := first.it.inc; i != nil {
		m.stack = chatStack(i)
		m.shapes = chatShapesOf(i)
		m.candidates = chatCandidates(i)
	} else {
		m.stack = chatEvidence(first.it.finding, place)
	}
	var rows []string
	for _, e := range all[1:min(len(all), chatOthers+2)] {
		rows = append(rows, bounded(Cut("  "+chatText(e.brief(chatColumns-2)), chatColumns)))
	}
	m.others = listed("also found", rows, len(all)-1, chatOthers, "more", "more")
	return m
}

// shortSource is d with the name of its only source cut from the front, so that a line has room for it.
func shortSource(d *Document) *Document {
	if len(d.Sources) != 1 || d.Sources[0].Name == "-" {
		return d
	}
	s := *d.Sources[0]
	s.Name = cutFront(Escape(s.Name), 32)
	short := *d
	short.Sources = []*Source{&s}
	return &short
}

// chatID is what to quote: the ids, and the tool that gave them where there is room.
func chatID(d *Document, e *entry) string {
	room := chatColumns - len("id: ")
	id := ""
	for _, word := range append(e.ids(), e.shortPlace(), strings.TrimSpace(d.Tool.Name+" "+d.Tool.Version)) {
		word = chatText(word)
		longer := strings.Join(nonEmpty(id, word), " · ")
		if cells(longer) > room {
			if id == "" {
				id = Cut(word, room)
			}
			break
		}
		id = longer
	}
	return bounded(id)
}

// chatPlace names lines as the text format does, with room for one line.
func chatPlace(d *Document) placeFunc {
	p := newPage(nil, Options{Width: chatColumns})
	if len(d.Sources) == 1 {
		p.single = d.Sources[0].Name
	}
	return p.place
}

// sections are all parts in their order.
func (m *message) sections() []*section {
	var out []*section
	for _, s := range append(m.facts[:len(m.facts):len(m.facts)], m.candidates, m.stack, m.shapes, m.others) {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

// shorten takes one line out where it is missed least, and says whether it could.
func (m *message) shorten() bool {
	facts := func(least int, of func(label string) bool) bool {
		for n := len(m.facts) - 1; n >= 0; n-- {
			if of(m.facts[n].label) && m.facts[n].cut(least) {
				return true
			}
		}
		return false
	}
	drop := func(part **section) bool {
		found := *part != nil
		*part = nil
		return found
	}
	aside := func(label string) bool { return label == "because" || label == "also fits" }
	minor := func(label string) bool { return label != "fix" && label != "do now" && label != "" }
	all := func(string) bool { return true }
	switch {
	case m.others.cut(4), facts(0, aside), m.shapes.cut(2), m.others.cut(1), m.stack.cut(3), m.candidates.cut(4):
	case facts(1, minor), m.shapes.cut(1), drop(&m.shapes), m.stack.cut(1), m.candidates.cut(2), facts(3, all), facts(1, all):
	case drop(&m.candidates), drop(&m.stack), facts(0, minor), drop(&m.others), facts(0, all):
	default:
		return false
	}
	return true
}

// chatRows lays labelled facts out, a section each. A narrow screen wraps every line once more, so
// what is continued stands two columns in and not below its beginning.
func chatRows(rows []row) []*section {
	var out []*section
	for _, r := range rows {
		if r.chat == 0 {
			continue
		}
		s := &section{label: r.label}
		head := "  "
		if r.label != "" {
			head = r.label + ": "
		}
		if r.steps() && len(r.texts) > 1 {
			s.rows = append(s.rows, r.label+":")
		}
		for n, text := range r.texts {
			if n == chatList {
				s.rows = append(s.rows, fmt.Sprintf("  … %s more", number(len(r.texts)-n)))
				break
			}
			if r.steps() && len(r.texts) > 1 {
				head = fmt.Sprintf("%d. ", n+1)
			}
			s.rows = append(s.rows, hanging(head, chatText(text), r.chat)...)
			head = "  "
		}
		s.shown = len(s.rows)
		out = append(out, s)
	}
	return out
}

// hanging wraps text behind a head, at most limit lines; "…" marks what is gone.
func hanging(head, text string, limit int) []string {
	const indent = "  "
	lines := Wrap(text, chatColumns-cells(head))
	if len(lines) > 1 {
		rest := strings.TrimLeft(strings.TrimPrefix(text, lines[0]), " ")
		lines = append(lines[:1], Wrap(rest, chatColumns-len(indent))...)
	}
	cut := len(lines) > limit
	lines = lines[:min(limit, len(lines))]
	for n := range lines {
		if n == 0 {
			lines[n] = head + lines[n]
		} else {
			lines[n] = indent + lines[n]
		}
	}
	if cut {
		last := &lines[len(lines)-1]
		*last = strings.TrimSuffix(Cut(*last, chatColumns-1), "…") + "…"
	}
	for n := range lines {
		lines[n] = bounded(lines[n])
	}
	return lines
}

// bounded cuts a line that is short in columns and long in characters, as combining marks make one.
func bounded(line string) string { return cutRunes(line, chatColumns+30) }

// cutRunes shortens text to n characters; "…" marks what is gone.
func cutRunes(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// chatStack is the crashing goroutine: the program's own frames, the blamed one marked.
func chatStack(i *Incident) *section {
	if len(i.Races) > 0 {
		return nil // both accesses are named above
	}
	title, creator := stackTitle(i)
	var rows []string
	own, marked := 0, false
	for n := 0; n < len(i.Stack); n++ {
		f, times := &i.Stack[n], 1
		if f.Std {
			continue
		}
		for ; n+1 < len(i.Stack) && sameCall(f, &i.Stack[n+1]); n++ {
			times++ // a recursion
		}
		if own++; own > chatFrames+1 {
			continue
		}
		mark := "  "
		if i.Blame != nil && !marked && *f == *i.Blame {
			mark, marked = "> ", true
		}
		rows = append(rows, chatFrame(mark, f, times))
	}
	head := chatText(title)
	if creator = chatText(creator); creator != "" && cells(head)+cells(creator)+2 <= chatColumns {
		head += ", " + creator
	}
	return listed(head, rows, own, chatFrames, "more of its own", "more of its own")
}

func sameCall(a, b *Frame) bool {
	return a.Function == b.Function && a.File == b.File && a.Line == b.Line
}

// chatFrame is a frame in one line: columns would tear on a narrow screen.
func chatFrame(mark string, f *Frame, times int) string {
	name, file := chatText(shortFunction(f.Function)), chatText(fileLine(f))
	if times > 1 {
		file = strings.TrimSpace(file + " " + number(times) + " times")
	}
	line := Cut(mark+name, chatColumns)
	if room := chatColumns - cells(line) - 2; file != "" && room >= min(cells(file), 12) {
		line += "  " + cutFront(file, room)
	}
	return bounded(line)
}

// chatShapesOf counts the goroutines by shape.
func chatShapesOf(i *Incident) *section {
	if !worthShapes(i) {
		return nil
	}
	shown := i.Buckets[:min(len(i.Buckets), chatShapes+1)]
	wide := 0
	for _, b := range shown {
		wide = max(wide, len(number(b.Count)))
	}
	var rows []string
	for _, b := range shown {
		mark := "  "
		if b.Crashed {
			mark = "> "
		}
		state := strings.Join(nonEmpty(Cut(chatText(stateWords(b)), 26), waits(b.WaitMinutes)), ", ")
		left := fmt.Sprintf("%s%*s  %s", mark, wide, number(b.Count), state)
		rows = append(rows, bounded(left+"  "+cutFront(chatText(shapeName(b)), max(chatColumns-cells(left)-2, 10))))
	}
	return listed(chatText(shapesTitle(i)), rows, len(i.Buckets), chatShapes, "more shape", "more shapes")
}

// chatEvidence is what the logs show of a bug without a crash.
func chatEvidence(m *Match, place placeFunc) *section {
	var rows []string
	for _, e := range m.Evidence {
		at := chatText(place(e.Source, e.Line))
		what := Cut(chatText(conditionWords(e.Condition, "")), chatColumns-4-min(cells(at), 30))
		rows = append(rows, bounded(Cut("  "+strings.Join(nonEmpty(what, at), "  "), chatColumns)))
		if len(rows) == chatFrames+1 {
			break
		}
	}
	return listed("what the logs show", rows, len(m.Evidence), chatFrames, "more", "more")
}

// chatCandidates names the documented bugs that print the same message.
func chatCandidates(i *Incident) *section {
	if len(i.Matches) == 0 || i.Verdict() == VerdictKnown {
		return nil
	}
	var rows []string
	for n, m := range i.Matches {
		if n == chatList {
			rows = append(rows, fmt.Sprintf("  … %s more", number(len(i.Matches)-n)))
			break
		}
		rows = append(rows, bounded(Cut("  "+chatText(m.ID), chatColumns)), bounded(Cut("    fix: "+chatText(fixWords(m)), chatColumns)))
	}
	return listed(chatText(candidatesTitle(i)), rows, 0, len(rows), "", "")
}

var (
	// namedAll are the mentions that reach everybody in a channel.
	namedAll = regexp.MustCompile(`(?i)@(here|channel|everyone|group)`)
	// mention is an "@" that begins a name; "user@host" and "module@v1.2.3" are none.
	mention = regexp.MustCompile(`(^|[^A-Za-z0-9])@([\pL\pN_])`)
	// angle is what the angle brackets of Slack can hold: <!channel>, <@U012>, <#C012>, <https://…>.
	angle = regexp.MustCompile(`<([!@#]|[A-Za-z][A-Za-z0-9+.-]*:)`)
	// shortcode is the name of an emoji between colons.
	shortcode = regexp.MustCompile(`:([A-Za-z+-][A-Za-z0-9_+-]*):`)
)

// chatText makes text of an input safe to paste into a chat, on one line: Escape, no backtick, which
// could close a fence, and mentions broken by a blank, since pasted text shows entities as they are.
func chatText(s string) string { return angle.ReplaceAllString(unmentioned(s), "< $1") }

// unmentioned is text on one line without backticks and without a name that a chat would call.
func unmentioned(s string) string {
	s = strings.ReplaceAll(Escape(s), "`", "'")
	s = namedAll.ReplaceAllString(s, "@ $1")
	return mention.ReplaceAllString(s, "$1@ $2")
}

// mute keeps text outside of a fence from turning into emoji.
func mute(s string) string { return unpaired(s, " ") }

// unpaired puts something behind the first colon of every name of an emoji. Two of them can share
// a colon, so it looks twice.
func unpaired(s, between string) string {
	for range 2 {
		s = shortcode.ReplaceAllString(s, ":"+between+"$1:")
	}
	return s
}
