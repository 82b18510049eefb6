package parse

import "bytes"

// wrapping is what stands around every line of a wrapped dump, learnt from one
// line that the unwrapper took apart: enough to recognise known stacks without
// unwrapping line by line. Whatever differs, a new second in a timestamp for
// one, goes back to the unwrapper and is learnt anew.
//
// A prefix is head, and tail behind a run of digits if there is a fraction of a
// second between them (CRI, kubectl, docker -t print a new one on every line).
type wrapping struct {
	head, tail []byte
	fraction   bool
	indent     []byte // before file lines: a tab, or what became of it
	suffix     []byte // docker json-file: what follows the text, up to the time: \n","stream":"stderr","time":"
}

var plainWrapping = wrapping{indent: []byte{'\t'}}

var dockerHead = []byte(`{"log":"`)

// learnWrapping finds what stands around body in line; nil if it is more than a prefix.
func learnWrapping(line, body []byte) *wrapping {
	w := &wrapping{indent: []byte{'\t'}}
	if bytes.HasPrefix(line, dockerHead) {
		k := bytes.Index(line, []byte(`\n","stream":"`))
		if k < 0 {
			return nil
		}
		e := bytes.Index(line[k:], []byte(`,"time":"`))
		if e < 0 {
			return nil
		}
		w.head = dockerHead
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
	return w
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
	if len(l) < n || string(l[:n]) != string(w.head) {
		return -1
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
		cut := wrapping{head: w.head, tail: w.tail, fraction: w.fraction}
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
