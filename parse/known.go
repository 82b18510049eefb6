package parse

import "bytes"

// A dump of 70,000 goroutines has some 300 stacks. known remembers the stacks
// read so far as a tree of masked lines, so that a goroutine that is like an
// earlier one is recognised by comparing memory: no line is cut, hashed or
// looked at byte by byte, only the arguments are skipped. Whatever is not
// exactly like an earlier stack, in the runtime's own layout, is left to the
// line by line reader, which then adds it here.
type known struct {
	roots map[string]*knownLine // by state word
}

type knownLine struct {
	text []byte // the masked line: a slice of a shape's text
	kind partKind
	kids []*knownLine // most recently met first
	end  *shape       // the stack that ends here
	tail int          // length of what stood behind the text the last time: a guess
}

// maxKids bounds the comparisons at one branch; beyond it the line reader is as fast.
const maxKids = 64

// learn adds a shape whose block was read line by line and had nothing foreign in it.
func (k *known) learn(s *shape) {
	if k.roots == nil {
		k.roots = make(map[string]*knownLine)
	}
	n := k.roots[s.state]
	if n == nil {
		n = &knownLine{}
		k.roots[s.state] = n
	}
	from := int32(0)
	for i, kind := range s.kinds {
		text := s.text[from:s.ends[i]]
		from = s.ends[i] + 1
		n = n.child(text, kind)
		if n == nil {
			return
		}
	}
	n.end = s
}

func (n *knownLine) child(text []byte, kind partKind) *knownLine {
	for _, c := range n.kids {
		if c.kind == kind && bytes.Equal(c.text, text) {
			return c
		}
	}
	if len(n.kids) >= maxKids {
		return nil
	}
	c := &knownLine{text: text, kind: kind}
	n.kids = append(n.kids, c)
	return c
}

// match reads a block whose header line is behind it, up to and with the empty
// line that ends it, or up to the next header where empty lines were dropped.
// It returns the stack, the bytes and lines taken, and the argument list of the
// first frame, "(" first; nil if the block is not exactly a known one.
func (k *known) match(state, data []byte, w *wrapping) (s *shape, size, lines int, args []byte) {
	s, size, lines, args = k.walk(state, data, w)
	// A line's end is guessed to be where it was the last time. A guess may step over a newline:
	// there must be as many as lines.
	if s != nil && bytes.Count(data[:size], []byte{'\n'}) != lines {
		return nil, 0, 0, nil
	}
	return s, size, lines, args
}

func (k *known) walk(state, data []byte, w *wrapping) (s *shape, size, lines int, args []byte) {
	n := k.roots[string(state)]
	if n == nil {
		return nil, 0, 0, nil
	}
	plain := len(w.head) == 0
	at := 0
next:
	for {
		rest := data[at:]
		if !plain {
			off := w.skip(rest)
			if off < 0 {
				if next, ok := w.blank(rest); ok {
					return n.end, at + next, lines + 1, args
				}
				return nil, 0, 0, nil
			}
			rest = rest[off:]
		}
		if len(rest) == 0 {
			return nil, 0, 0, nil
		}
		if n.end != nil {
			switch {
			case rest[0] == '\n':
				return n.end, len(data) - len(rest) + 1, lines + 1, args
			case rest[0] == 'g' && bytes.HasPrefix(rest, goroutinePrefix):
				return n.end, at, lines, args
			case rest[0] == '\\' && w.suffix != nil:
				if next, ok := w.blank(data[at:]); ok {
					return n.end, at + next, lines + 1, args
				}
			}
		}
		for i, c := range n.kids {
			t := c.text
			l := rest
			if c.kind == partFile {
				if len(l) < len(w.indent) || string(l[:len(w.indent)]) != string(w.indent) {
					continue
				}
				l = l[len(w.indent):]
			}
			if len(l) <= len(t) || string(l[:len(t)]) != string(t) {
				continue
			}
			tail := l[len(t):]
			end, next, ok := 0, 0, false
			if w.suffix == nil {
				if end = c.tail; end >= len(tail) || tail[end] != '\n' {
					if end = bytes.IndexByte(tail, '\n'); end < 0 {
						continue
					}
					c.tail = end
				}
				next, ok = end+1, true
			} else {
				end, next, ok = w.end(tail)
			}
			if !ok || !c.ends(tail[:end]) {
				continue
			}
			if lines == 0 {
				args = tail[:end]
			}
			if i > 0 {
				n.kids[i], n.kids[i-1] = n.kids[i-1], c
			}
			at = len(data) - len(tail) + next
			lines++
			n = c
			continue next
		}
		return nil, 0, 0, nil
	}
}

// ends tells whether what stands behind the masked text is what the mask leaves
// out: an argument list, an offset, the creator's goroutine.
func (n *knownLine) ends(tail []byte) bool {
	if len(tail) == 0 {
		return n.kind != partFunction
	}
	switch n.kind {
	case partFunction:
		return tail[0] == '(' && tail[len(tail)-1] == ')'
	case partFile:
		return len(tail) > 3 && tail[0] == ' ' && (tail[1] == '+' || tail[1] == 'f') && (tail[2] == '0' || tail[2] == 'p')
	case partCreated:
		return bytes.HasPrefix(tail, inGoroutine)
	}
	return false
}

// takeKnown takes a whole goroutine block, header and closing empty line
// included, from the beginning of data, if it belongs to the open incident and
// is like an earlier one. It returns how many bytes and lines it took; 0 for
// everything else, with nothing changed.
func (s *lineStream) takeKnown(data []byte, no int, w *wrapping) (size, lines int) {
	inc := s.inc
	if inc == nil || inc.inc.Goroutines == 0 || inc.ended || inc.known.roots == nil || inc.inc.Kind == KindRecoveredPanic {
		return 0, 0
	}
	h, at, ok := w.header(data)
	if !ok {
		return 0, 0
	}
	shape, size, lines, args := inc.known.match(h.state, data[at:], w)
	if shape == nil || s.startsAnew(h) {
		return 0, 0
	}
	s.closeBlock()
	shape.add(&h, lockPointer(h.state, args), keptPointers)
	inc.inc.Goroutines++
	inc.inc.EndLine = no + lines - 1
	inc.after, inc.blank = 0, true
	return at + size, lines + 1
}

// header reads a wrapped header line at the beginning of data; next is where the following line begins.
func (w *wrapping) header(data []byte) (h header, next int, ok bool) {
	off := w.skip(data)
	if off < 0 || !bytes.HasPrefix(data[off:], goroutinePrefix) {
		return h, 0, false
	}
	end, next, ok := w.end(data[off:])
	if !ok {
		return h, 0, false
	}
	h, ok = parseHeader(data[off : off+end])
	return h, off + next, ok && len(h.rest) == 0
}
