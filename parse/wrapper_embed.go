package parse

import "bytes"

// Traces that stand inside one line, with their newlines spelled out: in a field
// of a structured record (JSON or logfmt), in the termination message of a pod's status, in a
// fragment that was cut out of either.

// trapped is a text of several lines found inside a line.
type trapped struct {
	from, to int // its place in the line, without quotes
	depth    int // how many times it was quoted: 1 "\n", 2 "\\n", 3 "\\\\n"
	sep      []byte
	key      []byte // name of the field, if there is one
	quote    bool   // a quote stands before it
}

// findTrapped looks for a goroutine header that a spelled-out newline follows, or
// for a frame pair (…\n\t…/x.go:12, as zap prints stacks).
func findTrapped(b []byte) (t trapped, ok bool) {
	at := -1
	for i := 0; ; {
		k := bytes.Index(b[i:], goroutinePrefix)
		if k < 0 {
			break
		}
		k += i
		i = k + len(goroutinePrefix)
		e := bytes.Index(b[i:min(len(b), i+160)], []byte("]:"))
		if e < 0 || !digitsAt(b, i, 1) || bytes.IndexByte(b[i:i+e], '[') < 0 {
			continue
		}
		if t.depth, t.sep = newlineAt(b[i+e+2:]); t.depth == 0 && t.sep == nil {
			continue
		}
		at = k
		break
	}
	if k := bytes.Index(b, raceWarning); at < 0 && k >= 0 {
		if t.depth, t.sep = newlineAt(b[k+len(raceWarning):]); t.depth > 0 || t.sep != nil {
			at = k
		}
	}
	if at < 0 {
		at = bytes.Index(b, []byte(`\n\t`))
		if at < 0 {
			if at = bytes.Index(b, []byte(`\n\\t`)); at < 0 {
				return t, false
			}
		}
		if !bytes.Contains(b[at:], []byte(".go:")) {
			return t, false
		}
		for at > 0 && b[at-1] == '\\' {
			at--
		}
		t.depth, _ = newlineAt(b[at:])
		if t.depth == 0 {
			return t, false
		}
	}
	slashes := 0 // before the quotes around the text
	if t.depth > 1 {
		slashes = 1<<(t.depth-1) - 1
	}
	for i := at - 1; i >= 0; i-- {
		if b[i] == '"' && backslashes(b, i) == slashes {
			t.from, t.quote = i+1, true
			t.key = fieldName(b[:i-slashes])
			break
		}
	}
	t.to = len(b)
	for i := at; i < len(b); {
		k := bytes.IndexByte(b[i:], '"')
		if k < 0 {
			break
		}
		i += k
		if backslashes(b, i) == slashes {
			t.to = i - slashes
			break
		}
		i++
	}
	return t, t.from < t.to
}

var raceWarning = []byte("WARNING: DATA RACE")

// newlineAt reads a spelled-out newline at the beginning of b: how often it is quoted, or what stands for it.
func newlineAt(b []byte) (depth int, sep []byte) {
	n := 0
	for n < len(b) && b[n] == '\\' {
		n++
	}
	if n > 0 && n < len(b) && (b[n] == 'n' || b[n] == 'r') {
		for d := 1; d <= 3; d++ {
			if n == 1<<(d-1) {
				return d, nil
			}
		}
		return 0, nil
	}
	for _, s := range []string{"|", "; ", "#012", "<br>", "<br/>", "<br />", "&#xA;", "&#10;"} {
		if startsWith(b, s) && len(b) > len(s) {
			return 1, b[:len(s)]
		}
	}
	return 0, nil
}

func backslashes(b []byte, i int) int {
	n := 0
	for i-n > 0 && b[i-n-1] == '\\' {
		n++
	}
	return n
}

// fieldName returns the name before a value: "NAME": or NAME=.
func fieldName(b []byte) []byte {
	b = trimRight(b)
	if len(b) < 2 {
		return nil
	}
	switch b[len(b)-1] {
	case ':':
		b = bytes.TrimRight(trimRight(b[:len(b)-1]), `\"`)
		i := len(b)
		for i > 0 && b[i-1] != '"' && b[i-1] != ' ' && b[i-1] != ',' && b[i-1] != '{' {
			i--
		}
		return b[i:]
	case '=':
		b = b[:len(b)-1]
		i := len(b)
		for i > 0 && nameByte(b[i-1]) {
			i--
		}
		return b[i:]
	}
	return nil
}

// release unescapes a trapped text into the arena.
func (u *unwrapper) release(b []byte, t trapped) []byte {
	text := b[t.from:t.to]
	for range t.depth {
		at := len(u.arena)
		u.arena = appendUnquoted(u.arena, text)
		text = u.arena[at:len(u.arena):len(u.arena)]
	}
	if t.sep != nil {
		at := len(u.arena)
		for {
			i := bytes.Index(text, t.sep)
			if i < 0 {
				break
			}
			u.arena = append(append(u.arena, text[:i]...), '\n')
			text = text[i+len(t.sep):]
		}
		u.arena = append(u.arena, text...)
		text = u.arena[at:len(u.arena):len(u.arena)]
		if t.sep[0] == '<' || t.sep[0] == '&' {
			at = len(u.arena)
			u.arena = appendHTML(u.arena, text)
			text = u.arena[at:len(u.arena):len(u.arena)]
		}
	}
	return bytes.TrimRight(text, "\r\n")
}

// embedded appends the lines of a trace that stands inside b, if one does. Behind
// a structured record, which b is then, they are marked; the message of a pod's
// status and bare fragments are the program's own output, and take b's place.
func (u *unwrapper) embedded(b []byte, p *peeling, out []wrapped) ([]wrapped, bool) {
	if p.embedded || len(b) < 24 {
		return out, false
	}
	if bytes.IndexByte(b, '\\') < 0 && !bytes.Contains(b, goroutinePrefix) {
		return out, false
	}
	t, ok := findTrapped(b)
	if !ok {
		return out, false
	}
	text := u.release(b, t)
	if !manyLines(text) {
		return out, false
	}
	q := *p
	q.rewritten = true
	yaml := startsWith(trimLeft(b), `message: "`)
	record := t.quote && len(t.key) > 0
	if record && string(t.key) == "message" && (bytes.Contains(b, []byte(`"terminated"`)) || bytes.Contains(b, []byte(`"exitCode"`))) {
		record = false
	}
	if yaml {
		record = false
		if t.to == len(b) { // goes on in the next lines
			u.prose.scalar = 200
		}
	}
	if record || t.sep != nil && t.sep[0] == '|' || startsWith(b, "time=") {
		w := wrapped{body: b, clock: p.clock, stream: u.intern(u.joined[:p.stream])}
		out = append(out, w)
		q.embedded = true
	} else {
		q.ids[min(q.nids, maxLayers-1)] = wK8sStatus
		if t.sep != nil {
			q.ids[min(q.nids, maxLayers-1)] = wHTML
		}
		q.nids = min(q.nids+1, maxLayers)
	}
	text = bytes.TrimPrefix(text, []byte("```")) // a chat's message is fenced
	for len(text) > 0 {
		l := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			l, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		l = trimCR(l)
		q.partial = text == nil && u.prose.scalar > 0
		if i := headerInside(l); i > 0 && len(trimLeft(l[:i])) > 0 { // "Stack: goroutine 1 [running]:"
			out = u.emit(trimRight(l[:i]), &q, out)
			l = l[i:]
		}
		out = u.emit(l, &q, out)
	}
	return out, true
}

// headerInside returns where a goroutine header stands that goes to the end of l; -1 if none does.
func headerInside(l []byte) int {
	t := trimRight(l)
	if !endsWith(t, "]:") && !endsWith(t, "}:") {
		return -1
	}
	i := bytes.LastIndex(t, goroutinePrefix)
	if i < 0 || !goroutineHeader(t[i:]) {
		return -1
	}
	return i
}

// manyLines reports whether text holds a header, or a call or file line among several lines.
func manyLines(text []byte) bool {
	n := 0
	prev := false
	for len(text) > 0 && n < 400 {
		l := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			l, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		n++
		l = trimRight(l)
		if len(l) == 0 {
			continue
		}
		if headerInside(l) >= 0 || startsWith(l, "WARNING: DATA RACE") {
			return true
		}
		file := fileLine(trimLeft(l), true) && len(l) > 6
		if file && prev && n > 1 {
			return true
		}
		prev = !file && len(l) > 3 && bytes.IndexByte(l, ' ') < 0 // a function, with or without arguments
		if callLine(l) {
			prev = true
		}
	}
	return false
}
