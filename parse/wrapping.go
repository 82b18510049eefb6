package parse

import "bytes"

// wrapping is what stands around every line of a wrapped dump, learnt from one
// line that the unwrapper took apart: enough to recognise known stacks without
// unwrapping line by line. Whatever differs, a new second in a timestamp for
// one, goes back to the unwrapper and is learnt anew.
//
// A prefix is head, and tail behind a run of digits if there is a fraction of a
// second between them (CRI, kubectl, docker -t print a new one on every line).
// Any hour, minute and second will do for the one in head, which is the newest
// one seen: a wrapping belongs to one goroutine.
type wrapping struct {
	head, tail []byte
	clock      int // where hh:mm:ss stands in head; -1 if nowhere
	fraction   bool
	indent     []byte // before file lines: a tab, or what became of it
	rest       int    // length of what followed suffix the last time
	suffix     []byte // docker json-file: what follows the text, up to the time: \n","stream":"stderr","time":"
}

var plainWrapping = wrapping{clock: -1, indent: []byte{'\t'}}

var dockerHead = []byte(`{"log":"`)

// learnWrapping finds what stands around body in line; nil if it is more than a prefix.
func learnWrapping(line, body []byte) *wrapping {
	w := &wrapping{clock: -1, indent: []byte{'\t'}}
	if bytes.HasPrefix(line, dockerHead) {
		k := bytes.Index(line, []byte(`\n","stream":"`))
		if k < 0 {
			return nil
		}
		e := bytes.Index(line[k:], []byte(`,"time":"`))
		if e < 0 {
			return nil
		}
		w.head = bytes.Clone(dockerHead)
		w.suffix = bytes.Clone(line[k : k+e+len(`,"time":"`)])
		w.indent = []byte(`\t`)
		return w
	}
	off := len(line) - len(body)
	if off <= 0 || off > 256 || !bytes.Equal(line[off:], body) {
		return nil
	}
	p := bytes.Clone(line[:off])
	w.head = p
	if k := bytes.LastIndexByte(p, '.'); k > 0 {
		e := digitsEnd(p, k+1)
		if e-k > 3 && e < len(p) {
			w.head, w.tail, w.fraction = p[:k+1], p[e:], true
		}
	}
	for i := 0; i+8 <= len(w.head); i++ {
		if isClock(w.head[i:]) {
			w.clock = i
			break
		}
	}
	return w
}

func (w *wrapping) clone() *wrapping {
	c := *w
	c.head = bytes.Clone(w.head)
	return &c
}

// isClock accepts hh:mm:ss at the beginning of b, which has at least eight bytes.
func isClock(b []byte) bool {
	_ = b[7]
	return b[2] == ':' && b[5] == ':' && isDigit(b[0]) && isDigit(b[1]) && isDigit(b[3]) && isDigit(b[4]) && isDigit(b[6]) && isDigit(b[7])
}

func digitsEnd(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

// skip returns how many bytes stand before a line's text; -1 if the line is wrapped in another way.
func (w *wrapping) skip(l []byte) int {
	n := len(w.head)
	if len(l) < n {
		return -1
	}
	if string(l[:n]) != string(w.head) {
		c := w.clock
		if c < 0 || string(l[:c]) != string(w.head[:c]) || !isClock(l[c:]) || string(l[c+8:n]) != string(w.head[c+8:]) {
			return -1
		}
		copy(w.head[c:], l[c:c+8]) // it will stand on the next lines too
	}
	if !w.fraction {
		return n
	}
	n = digitsEnd(l, n)
	if len(l)-n < len(w.tail) || string(l[n:n+len(w.tail)]) != string(w.tail) {
		return -1
	}
	return n + len(w.tail)
}

// free names the parts of a prefix of n bytes, which skip has measured, where any digits will do.
func (w *wrapping) free(n int, part func(from, to int)) {
	if c := w.clock; c >= 0 {
		part(c, c+2)
		part(c+3, c+5)
		part(c+6, c+8)
	}
	if w.fraction {
		part(len(w.head), n-len(w.tail))
	}
}

// endsAt is end where the text is thought to end at a place: it spares looking for it.
func (w *wrapping) endsAt(l []byte, text int) (next int, ok bool) {
	if text >= len(l) || !bytes.HasPrefix(l[text:], w.suffix) {
		return 0, false
	}
	rest := l[text+len(w.suffix):]
	nl := w.rest // a guess, as in known.match
	if nl < 0 || nl >= len(rest) || rest[nl] != '\n' {
		nl = bytes.IndexByte(rest[:min(len(rest), 48)], '\n')
		w.rest = nl
	}
	if nl < 1 || rest[nl-1] != '}' {
		return 0, false
	}
	return text + len(w.suffix) + nl + 1, true
}

// end returns where the text of a line that begins at l ends and where the next
// line begins; ok is false if it can't be told.
func (w *wrapping) end(l []byte) (text, next int, ok bool) {
	nl := bytes.IndexByte(l, '\n')
	if nl < 0 {
		return 0, 0, false
	}
	if w.suffix == nil {
		return nl, nl + 1, true
	}
	k := bytes.IndexByte(l[:nl], '\\')
	if k < 0 || !bytes.HasPrefix(l[k:nl], w.suffix) || nl-k > len(w.suffix)+48 || l[nl-1] != '}' {
		return 0, 0, false
	}
	return k, nl + 1, true
}

// blank tells whether a line holds no text: its prefix may have lost its last blanks.
func (w *wrapping) blank(l []byte) (next int, ok bool) {
	if w.suffix != nil {
		if off := w.skip(l); off > 0 {
			if text, next, ok := w.end(l[off:]); ok && text == 0 {
				return off + next, true
			}
		}
		return 0, false
	}
	nl := bytes.IndexByte(l, '\n')
	if nl < 0 || nl > 256 {
		return 0, false
	}
	if nl == 0 {
		return 1, true
	}
	if off := w.skip(l[:nl]); off == nl {
		return nl + 1, true
	}
	// "svc-1  |" for "svc-1  | "
	last := w.tail
	if !w.fraction {
		last = w.head
	}
	if n := len(last); n > 0 && last[n-1] == ' ' {
		cut := wrapping{head: w.head, tail: w.tail, clock: w.clock, fraction: w.fraction}
		if w.fraction {
			cut.tail = trimRight(w.tail)
		} else {
			cut.head = trimRight(w.head)
		}
		if off := cut.skip(l[:nl]); off == nl {
			return nl + 1, true
		}
	}
	return 0, false
}
