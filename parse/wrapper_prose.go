package parse

import "bytes"

// proseState is what the layers of prose and of loosely marked formats have to
// know of the lines before. Counters say for how many more lines something stays trusted.
type proseState struct {
	bar, bars int    // column of the last "NAME | TEXT", and how often it was the same
	export    int    // KEY=VALUE is a journal export
	json      int    // a JSON member held crash text
	module    []byte // its record's logger
	pretty    int    // pretty-printed JSON members are a log store's
	yaml      int    // YAML documents of a log store
	indent    int    // blanks in front of the last header or headline
	indented  int    // the indentation
	race      int    // inside a race report, which indents by itself
	value     bool   // inside a panic value: what is indented belongs to it
	column    int    // CSV column that held crash text
	csv       int    // the column
	cell      bool   // inside a quoted CSV cell of several lines
	html      int    // character references are the page's, not the program's
	printable int    // quoted-printable; from a mail's head on it stays
	suffix    []byte
	suffixed  int  // the suffix
	scalar    int  // inside a quoted YAML scalar that goes over lines
	tight     bool // its line break was escaped
	block     int  // inside a klog value of several lines, k=<
}

// note follows what the layers of prose must know about text without its wrapper.
func (s *proseState) note(b []byte, indent bool) {
	if len(b) == 0 {
		return
	}
	switch b[0] {
	case 'W':
		if startsWith(b, "WARNING: DATA RACE") {
			s.race = 400
			if !indent {
				s.indented = 0
			}
		}
	case '=':
		if s.race > 0 && startsWith(b, "==================") {
			s.race = 0
		}
	case 'p', 'f':
		if deathLine(b) {
			s.value = true
		}
	case 'g':
		if goroutineHeader(trimRight(b)) {
			s.value = false
		}
	case 'C':
		if startsWith(b, "Content-Transfer-Encoding: quoted-printable") {
			s.printable = 1 << 20
		}
	}
	if s.race > 0 {
		s.race--
	}
	if b[len(b)-1] == '<' && endsWith(b, "=<") {
		s.block = 400
	}
	if !indent && b[0] != ' ' {
		s.indented = 0
	}
}

// peelQuote takes a quote mark: >␣TEXT, >>␣TEXT, >.
func peelQuote(b []byte) (layer, bool) {
	n := 1
	if n < len(b) && b[n] == ' ' {
		n++
	}
	return layer{id: wQuote, skip: n}, true
}

// peelIndent takes what stands before text that something else set in:
// blanks in front of what a runtime prints at column 0, numbers in front of lines,
// members of pretty-printed JSON. Tabs are left alone, unless markup follows: the
// runtime itself indents the lines of a panic value with one.
func (u *unwrapper) peelIndent(b []byte) (layer, bool) {
	n, tabs := 0, false
	for n < len(b) {
		if b[n] == '\t' {
			tabs = true
		} else if b[n] == 0xC2 && n+1 < len(b) && b[n+1] == 0xA0 {
			n++
		} else if b[n] != ' ' {
			break
		}
		n++
	}
	if u.prose.export > 0 && n == 4 && !tabs { // journalctl -o verbose
		if l, ok := u.peelExport(b[n:]); ok {
			shift(&l, n)
			return l, true
		}
	}
	if s := &u.prose; s.block > 0 { // klog sets every line in by a tab, and ends with " >"
		s.block--
		if string(b) == " >" {
			s.block = 0
		}
	}
	if n >= len(b) {
		if s := &u.prose; s.indented > 0 && !tabs {
			return layer{id: wIndent, skip: n}, true
		}
		return layer{}, false
	}
	r := b[n:]
	var l layer
	var ok bool
	switch c := r[0]; {
	case c == '"':
		l, ok = u.peelMember(r)
	case c == '<':
		l, ok = u.peelAngle(r)
	case c == '{' || c == '}' || c == ']':
		if l, ok = u.peelMember(r); !ok && c == '{' {
			if l, ok = u.peelJSON(r); !ok && n <= 8 && r[len(r)-1] == '}' {
				return layer{skip: n}, true // a record that was pasted with its text
			}
		}
	case tabs:
	case digit(c):
		l, ok = u.peelDigits(r)
	case c == '[':
		if !startsWith(r, "[signal ") {
			l, ok = u.peelBracket(r)
		}
	case c == '|' && len(r) > 1 && r[1] == ' ': // a value of several lines, as hclog prints it
		l, ok = layer{skip: 2, weak: true}, true
	case c == 'M' && startsWith(r, "Message: "): // kubectl describe
		l, ok = layer{id: wK8sStatus, skip: spaces(r, 8), weak: true}, true
	default:
		l, ok = peelTLog(r)
	}
	if ok {
		if l.body == nil {
			shift(&l, n)
		}
		return l, true
	}
	if tabs { // the runtime's own tab behind the blanks of the indentation
		s := &u.prose
		if s.indented > 0 && s.indent < n && spaces(b, 0) >= s.indent {
			s.indented--
			return layer{id: wIndent, skip: s.indent}, true
		}
		return layer{}, false
	}
	return u.outdent(b, n)
}

// outdent takes off blanks: those before the last header or headline, and all of them before a call.
func (u *unwrapper) outdent(b []byte, n int) (layer, bool) {
	r := b[n:]
	s := &u.prose
	l := layer{id: wIndent, skip: n}
	head := headText(r)
	if s.indented > 0 && n >= s.indent && !(head && !s.value && s.race == 0) {
		s.indented--
		l.skip = s.indent
		return l, true
	}
	if s.race > 0 || s.value && head {
		return l, false
	}
	if head && (deathLine(r) || goroutineHeader(trimRight(r)) || startsWith(r, "runtime stack:") || startsWith(r, "WARNING: DATA RACE")) {
		s.indent, s.indented = n, hotLines
		return l, true
	}
	return l, head && !startsWith(r, "exit status") || callLine(trimRight(r))
}

// peelTLog takes FILE_test.go:N:␣TEXT, as testing prints what a test logs.
func peelTLog(r []byte) (layer, bool) {
	if startsWith(r, "message: ") && len(r) > 10 && r[9] != '"' { // YAML, as kubectl get -o yaml prints it
		return layer{id: wK8sStatus, skip: 9, weak: true}, true
	}
	k := token(r, 0)
	if k < 8 || k+1 >= len(r) || r[k-1] != ':' || !bytes.Contains(r[:k], []byte(".go:")) || !digit(r[k-2]) {
		return layer{}, false
	}
	return layer{id: wTLog, skip: k + 1, weak: true}, true
}

// peelScalar takes the next line of a quoted YAML scalar. Its line breaks are blanks,
// which a backslash in front keeps where the text has one more.
func (u *unwrapper) peelScalar(b []byte) (layer, bool) {
	s := &u.prose
	s.scalar--
	t := trimLeft(b)
	e, _ := quotedEnd(t, 0)
	if e >= 0 {
		t = t[:e]
		s.scalar = 0
	}
	at := len(u.arena)
	if startsWith(t, `\ `) {
		t = t[1:]
	} else if !s.tight {
		u.arena = append(u.arena, ' ')
	}
	s.tight = len(t) > 0 && backslashes(t, len(t))%2 == 1
	if s.tight {
		t = t[:len(t)-1]
	}
	u.arena = appendUnquoted(u.arena, t)
	body := u.arena[at:len(u.arena):len(u.arena)]
	l := layer{id: wK8sStatus, body: body, partial: e < 0, lines: true}
	if !l.partial {
		l.body = bytes.TrimRight(body, "\n")
	}
	return l, true
}

// peelMember takes a line of pretty-printed JSON, "KEY":␣"TEXT"[,], whose key is
// one under which log stores keep text, before crash text. Other members and
// braces near it are scaffolding.
func (u *unwrapper) peelMember(r []byte) (layer, bool) {
	s := &u.prose
	if r[0] != '"' {
		if s.pretty > 0 && len(r) <= 3 {
			return layer{noise: true}, true
		}
		return layer{}, false
	}
	e, _ := quotedEnd(r, 1)
	if e < 0 || e > 64 {
		return layer{}, false
	}
	i := jsonBlank(r, e+1)
	if i >= len(r) || r[i] != ':' {
		return layer{}, false
	}
	i = jsonBlank(r, i+1)
	if i >= len(r) {
		return layer{}, false
	}
	switch string(r[1:e]) {
	case "message", "textPayload", "log", "_raw", "line", "content", "msg", "text", "MESSAGE", "@message":
	default:
		return layer{noise: true}, s.pretty > 0
	}
	var m jsonField
	m.read(r, i)
	if m.kind != '"' {
		return layer{}, false
	}
	l := layer{id: wJSON, body: bytes.TrimRight(u.text(&m), "\r\n")}
	if l.body == nil {
		l.body = r[:0]
	}
	if bytes.IndexByte(l.body, '\n') >= 0 {
		if !manyLines(l.body) {
			return layer{}, false
		}
		l.id, l.lines = wK8sStatus, true
		return l, true
	}
	if crashText(l.body) || u.soonBehind(r[1:e]) {
		s.pretty = hotLines
	} else if s.pretty--; s.pretty < 0 {
		s.pretty = 0
		return layer{}, false
	}
	return l, true
}

// escapedTab returns the length of a tab that something spelled out in front of a file line.
func escapedTab(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	n := 0
	switch b[0] {
	case '#':
		if startsWith(b, "#011") {
			n = 4
		}
	case '\\':
		if b[1] == 't' {
			n = 2
		} else if startsWith(b, `\u0009`) {
			n = 6
		}
	case '^':
		if b[1] == 'I' {
			n = 2
		}
	case '&':
		for _, s := range []string{"&#9;", "&#x9;", "&#x09;", "&#09;", "&Tab;"} {
			if startsWith(b, s) {
				n = len(s)
			}
		}
	case 0xC2:
		for n+1 < len(b) && b[n] == 0xC2 && b[n+1] == 0xA0 {
			n += 2
		}
	}
	if n > 0 && crashText(trimLeft(b[n:])) {
		return n
	}
	return 0
}

// detab puts a tab where something spelled one out, and undoes syslog's octal escapes.
func (u *unwrapper) detab(b []byte) []byte {
	if len(b) == 0 || plainStart[b[0]] {
		return b
	}
	if b[0] == '#' && isHashed(b) {
		at := len(u.arena)
		u.arena = appendUnhashed(u.arena, b)
		return bytes.TrimRight(u.arena[at:len(u.arena):len(u.arena)], "\n")
	}
	n := escapedTab(b)
	if n == 0 {
		return b
	}
	at := len(u.arena)
	u.arena = append(append(u.arena, '\t'), trimLeft(b[n:])...)
	return u.arena[at:len(u.arena):len(u.arena)]
}
