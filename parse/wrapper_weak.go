package parse

import "bytes"

// Weak layers: prefixes that could be a log format as well. Only what stands
// behind them, on the same line or on the next ones, makes them wrappers.

// warmLines is for how many lines without crash text the states of weak layers are kept.
const warmLines = 256

// cold reports whether nothing that was learned from crash text counts any more.
// It is asked once a line.
func (u *unwrapper) cold() bool {
	s := &u.prose
	if u.warm > 0 {
		if u.warm--; u.warm == 0 {
			u.hot = u.hot[:0]
			s.json, s.pretty, s.csv, s.html, s.suffixed, s.indented, s.value = 0, 0, 0, 0, 0, 0, false
		}
		return false
	}
	return s.printable <= 0 && !s.cell && s.scalar <= 0 && s.block <= 0
}

// evidence reports whether b, or what follows it soon, can be crash text in a weak wrapper or in a
// field: cheap, and true too often rather than too seldom. Everything else in logs
// need not be looked at twice.
func (u *unwrapper) evidence(b []byte) bool {
	u.trapped = false
	if u.header.near(b, u.ahead, goroutinePrefix, 8<<10) || u.signal.near(b, u.ahead, signalPrefix, 1<<10) || u.profile.near(b, u.ahead, profilePrefix, 1<<10) {
		return true
	}
	if !(len(b) > 0 && b[0] == '{') && (bytes.Contains(b, []byte("panic: ")) || bytes.Contains(b, []byte("fatal error: ")) || bytes.Contains(b, []byte("Exception 0x"))) {
		return true
	}
	if bytes.IndexByte(b, '\\') >= 0 && (bytes.Contains(b, goroutinePrefix) || bytes.Contains(b, []byte("WARNING: DATA RACE")) || bytes.Contains(b, []byte(`\n\t`)) || bytes.Contains(b, []byte(`\n\\t`))) {
		u.trapped = true
		return true // a trace in a field
	}
	t := trimRight(b)
	for n := len(t); n > 0 && (t[n-1] == '"' || t[n-1] == ',' || t[n-1] == '}' || t[n-1] == '\''); n-- {
		t = t[:n-1]
	}
	n := len(t)
	if n < 8 {
		return false
	}
	switch c := t[n-1]; {
	case c == ')': // a call: its arguments are numbers
		return endsWith(t, "...)") || endsWith(t, "()") || bytes.Contains(t, []byte("(0x")) || bytes.Contains(t, []byte("({0x"))
	case c == '>':
		return true
	case hexDigit(c):
		e := n - 1
		for e > 0 && hexDigit(t[e]) {
			e--
		}
		switch t[e] {
		case 'x': // +0x1d, pc=0x4321
			return e > 2 && (t[e-2] == '+' || t[e-2] == '=')
		case ':': // x.go:12, wasm_exec.js:22:3
			return sourceExt(t[:e]) || digit(t[e-1]) && bytes.Contains(t[max(0, e-24):e], []byte(".js:"))
		}
	}
	return false
}

// headerAhead remembers where the next header or signal line in the reader's buffer may be,
// so that the buffer is searched once and not for every line.
type headerAhead struct {
	end  *byte // last byte of the buffer
	left int   // bytes from the header to the end of the buffer; 0 when there is none
}

// near reports whether a header stands in the line or within the next n bytes; it
// is true when nothing can be seen ahead.
func (h *headerAhead) near(line, ahead, prefix []byte, n int) bool {
	if len(ahead) == 0 {
		return true
	}
	end := &ahead[len(ahead)-1]
	switch {
	case end != h.end:
		h.end = end
		h.left = headerBefore(ahead, prefix)
		if h.left == 0 || len(ahead)-h.left >= n {
			return bytes.Contains(line, prefix)
		}
	case h.left > len(ahead): // behind us
		here := h.left <= len(ahead)+len(line)+2
		h.left = headerBefore(ahead, prefix)
		if here {
			return true
		}
	}
	return h.left > 0 && len(ahead)-h.left < n
}

// headerBefore returns how many bytes before the end of b the first header with that
// prefix begins; 0 when there is none.
func headerBefore(b, prefix []byte) int {
	for at := 0; ; {
		i := bytes.Index(b[at:], prefix)
		if i < 0 {
			return 0
		}
		at += i + len(prefix)
		if at >= len(b) || prefix[0] == 'g' && !digit(b[at]) {
			continue // prose
		}
		r := b[at:min(len(b), at+160)]
		if k := bytes.IndexByte(r, ']'); k >= 0 && k+2 < len(r) && (r[k+1] == '\\' || r[k+2] == '\\') {
			continue // a trace inside a field
		}
		return len(b) - at + len(prefix)
	}
}

var (
	signalPrefix  = []byte("[signal ")
	profilePrefix = []byte("profile: total ")
)

// recordBody reports whether a whole log record stands behind a weak layer.
func recordBody(b []byte, l *layer) bool {
	if l.body != nil {
		return false
	}
	body := b[l.skip : len(b)-l.cut]
	return len(body) > 1 && body[0] == '{' && body[1] == '"' || startsWith(body, `time="`) || recordBehind(l.id) && recordText(body)
}

// hotTail is the fixed part of a weak prefix that stood before crash text.
type hotTail struct {
	id     wrapperID
	tail   []byte
	suffix []byte
	left   int // lines that it stays trusted for
}

// match returns how many bytes of b the tail takes. The last blank of a prefix is often
// lost on empty lines.
func (h *hotTail) match(b []byte) (n int, ok bool) {
	if bytes.HasPrefix(b, h.tail) {
		return len(h.tail), true
	}
	if t := trimRight(h.tail); len(b) < len(h.tail) && bytes.Equal(b, t) && len(t) > 0 {
		return len(t), true
	}
	return 0, false
}

// accept decides whether a weak layer comes off, and where an open one ends.
func (u *unwrapper) accept(b []byte, l *layer, p *peeling) bool {
	depth := p.depth
	for i := range u.hot {
		h := &u.hot[i]
		if h.id != l.id && !(h.id == wCloudWatch && l.id == wKubectlTimestamps) {
			continue
		}
		n, ok := h.match(b[l.fix:])
		if !ok {
			continue
		}
		l.id = h.id
		l.skip = l.fix + n
		body := b[l.skip:]
		if k := sameTail(body, h.suffix); k > 0 {
			l.cut = k
			body = body[:len(body)-l.cut]
		} else if len(h.suffix) == 0 && l.open {
			k := u.pairs(body)
			if k == 0 && !crashText(body) {
				k = crashSuffix(body)
			}
			if k > 0 {
				h.suffix = append(h.suffix, body[len(body)-k:]...)
				l.cut = k
				body = body[:len(body)-k]
			}
		}
		if crashText(body) {
			h.left = hotLines
		} else if h.left--; h.left <= 0 {
			u.hot = append(u.hot[:i], u.hot[i+1:]...)
		}
		return true
	}
	// Some prefixes stand on the first line only: what follows them has none.
	u.once = l.id == wK8sStatus || l.id == wJUnit || l.id == wTLog || l.id == wCSV || l.id == wHTML
	skip := l.skip
	soon := !p.rewritten && u.soon()
	for try := 0; try < 8; try++ {
		body := b[skip : len(b)-l.cut]
		ok, cut := u.carries(body, depth, l.open)
		if ok && l.open && goroutineHeader(trimRight(body)) {
			if _, said := weakHead(b[:skip]); said { // a handler's own words, not a prefix: "recovered from panic: x. [stack]: goroutine 1 [running]:"
				return false
			}
		}
		if !ok && try == 0 && recordBehind(l.id) {
			ok = recordText(body) && !(l.id == wKubetail && len(u.ahead) > 0 && u.ahead[0] != '[') // each of its lines has one
		}
		if !ok && soon && skip > 2 {
			ok = u.repeats(p.line[:p.n+skip], 6) // what a handler says before it prints a stack
		}
		if ok {
			l.skip = skip
			l.cut += cut
			u.heat(l.id, b[l.fix:skip], b[len(b)-l.cut:])
			return true
		}
		if !l.open {
			return false
		}
		n := nextBoundary(body)
		if n == 0 {
			return false
		}
		skip += n
	}
	return false
}

// soon reports whether a goroutine header may stand on one of the next lines.
func (u *unwrapper) soon() bool {
	return bytes.Contains(u.ahead[:min(len(u.ahead), 1<<10)], goroutinePrefix)
}

// soonBehind reports whether a goroutine header stands on one of the next lines as
// the value of the member with that key.
func (u *unwrapper) soonBehind(key []byte) bool {
	next := u.ahead[:min(len(u.ahead), 1<<10)]
	i := bytes.Index(next, goroutinePrefix)
	if i < len(key)+3 || next[i-1] != '"' {
		return false
	}
	b := trimRight(next[:i-1])
	if len(b) == 0 || b[len(b)-1] != ':' {
		return false
	}
	b = trimRight(b[:len(b)-1])
	return endsWith(b, `"`) && bytes.HasSuffix(b[:len(b)-1], key)
}

// recordBehind reports whether a weak layer is of a kind that is put in front of whole log records.
func recordBehind(id wrapperID) bool {
	switch id {
	case wKubetail, wStern, wKubectlTimestamps, wCompose, wPM2, wLineNumbers, wSyslogTime:
		return true
	}
	return false
}

// recordText reports whether b begins like a log record: klog, package log, hclog, logfmt.
func recordText(b []byte) bool {
	if len(b) < 20 {
		return false
	}
	switch c := b[0]; {
	case c == 'I' || c == 'W' || c == 'E' || c == 'F':
		return digitsAt(b, 1, 4) && b[5] == ' ' && scanClock(b[6:]) > 0
	case digit(c):
		return scanSlashed(b) > 0 || scanISO(b).n > 0
	case c == 't' || c == 'l':
		return startsWith(b, `time="`) || startsWith(b, "level=") || startsWith(b, "ts=") || startsWith(b, "time=2")
	}
	return false
}

// nextBoundary returns the length of b up to and including the next place where a log prefix may end.
func nextBoundary(b []byte) int {
	for i := 1; i < len(b) && i < 256; i++ {
		if b[i] != ' ' {
			continue
		}
		if c := b[i-1]; c == ':' || c == ']' || c == '>' || c == '|' || c == ')' {
			for i+1 < len(b) && b[i+1] == ' ' && c != ':' {
				i++
			}
			return i + 1
		}
	}
	return 0
}

// heat trusts a weak prefix for the next lines.
func (u *unwrapper) heat(id wrapperID, tail, suffix []byte) {
	if len(tail) > 256 || len(suffix) > 512 {
		return
	}
	for i := range u.hot {
		if h := &u.hot[i]; h.id == id && bytes.Equal(h.tail, tail) {
			h.left = hotLines
			h.suffix = append(h.suffix[:0], suffix...)
			return
		}
	}
	h := hotTail{id: id, tail: bytes.Clone(tail), suffix: bytes.Clone(suffix), left: hotLines}
	if len(u.hot) >= 8 {
		copy(u.hot, u.hot[1:])
		u.hot[len(u.hot)-1] = h
		return
	}
	u.hot = append(u.hot, h)
}

// carries reports whether a body behind a weak prefix proves the prefix: crash
// text, a structured record, or a strong wrapper inside; a weak one too unless the prefix is open. cut is a suffix to be taken off.
func (u *unwrapper) carries(body []byte, depth int, open bool) (ok bool, cut int) {
	if len(body) < 4 {
		return false, 0
	}
	if body[0] == '{' && body[1] == '"' || body[0] == 't' && startsWith(body, `time="`) {
		return true, 0 // a structured record
	}
	if crashText(body) {
		if headText(body) || digit(body[0]) {
			if open {
				cut = u.pairs(body)
			}
			if headText(body) && deathLine(body) {
				return u.confirmed(), cut
			}
		}
		// These could be anything behind an unknown prefix; the head of a profile is needed.
		return !startsWith(body, "exit status ") && !profileText(body), cut
	}
	if n := crashSuffix(body); n > 0 {
		return true, n
	}
	if escapedTab(body) > 0 {
		return true, 0
	}
	if depth+1 >= maxLayers {
		return false, 0
	}
	l, found := u.peel(body)
	if !found || l.id == wNone {
		return false, 0
	}
	if !l.weak {
		return true, 0
	}
	if open {
		return false, 0
	}
	inner := l.body
	if inner == nil {
		inner = body[l.skip : len(body)-l.cut]
	}
	ok, _ = u.carries(inner, depth+1, l.open)
	return ok, 0
}

// pairs returns the length of the k=v pairs that a relaying logger put behind a headline:
// the next line ends with the same ones.
func (u *unwrapper) pairs(body []byte) int {
	at := pairsAt(body)
	if at <= 0 {
		return 0
	}
	if nl := trimRight(firstLine(u.ahead)); sameTail(nl, body[at:]) > 0 {
		return len(body) - at
	}
	return 0
}

// sameTail returns how many bytes at the end of b are like tail, the values of numbers aside (times
// go on from line to line); 0 if it ends in another way.
func sameTail(b, tail []byte) int {
	i, j := len(b), len(tail)
	for j > 0 {
		if i == 0 {
			return 0
		}
		if digit(tail[j-1]) && digit(b[i-1]) {
			for j > 0 && digit(tail[j-1]) {
				j--
			}
			for i > 0 && digit(b[i-1]) {
				i--
			}
			continue
		}
		if tail[j-1] != b[i-1] {
			return 0
		}
		i, j = i-1, j-1
	}
	return len(b) - i
}

// confirmed reports whether what follows makes a headline behind a doubtful prefix a
// death: a header or a signal line behind a prefix soon after it. Without a view ahead the benefit of
// the doubt goes to the crash.
func (u *unwrapper) confirmed() bool {
	if len(u.ahead) == 0 {
		return true
	}
	from := 1
	if u.once {
		from = 0
	}
	rest := u.ahead[:min(len(u.ahead), 8<<10)]
	for n := 0; n < 48 && len(rest) > 0; n++ {
		nl := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			nl, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if i := bytes.Index(nl, goroutinePrefix); i >= from && bytes.Contains(nl[i:], []byte("]:")) && digitsAt(nl, i+10, 1) {
			return true
		}
		if i := bytes.Index(nl, []byte("[signal ")); i >= from {
			return true
		}
		for _, s := range []string{"runtime stack:", "PC=0x"} {
			if i := bytes.Index(nl, []byte(s)); i >= from && i < 256 {
				return true
			}
		}
	}
	return false
}
