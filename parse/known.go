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
// line that ends it. It returns the stack, the bytes and lines taken, and the
// argument list of the first frame, "(" first; nil if the block is not exactly a known one.
func (k *known) match(state, data []byte) (s *shape, size, lines int, args []byte) {
	n := k.roots[string(state)]
	if n == nil {
		return nil, 0, 0, nil
	}
	at := 0
next:
	for {
		rest := data[at:]
		if len(rest) == 0 {
			return nil, 0, 0, nil
		}
		if rest[0] == '\n' {
			return n.end, at + 1, lines + 1, args
		}
		for i, c := range n.kids {
			t := c.text
			l := rest
			if c.kind == partFile {
				if l[0] != '\t' {
					continue
				}
				l = l[1:]
			}
			if len(l) <= len(t) || string(l[:len(t)]) != string(t) {
				continue
			}
			tail := l[len(t):]
			nl := bytes.IndexByte(tail, '\n')
			if nl < 0 || nl > 0 && !c.ends(tail[:nl]) {
				continue
			}
			if nl == 0 && c.kind == partFunction {
				continue
			}
			if lines == 0 {
				args = tail[:nl]
			}
			if i > 0 {
				n.kids[i], n.kids[i-1] = n.kids[i-1], c
			}
			at += len(rest) - len(tail) + nl + 1
			lines++
			n = c
			continue next
		}
		return nil, 0, 0, nil
	}
}

// ends tells whether what stands behind the masked text, which is not empty, is
// what the mask leaves out: an argument list, an offset, the creator's goroutine.
func (n *knownLine) ends(tail []byte) bool {
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
func (s *lineStream) takeKnown(data []byte, no int) (size, lines int) {
	inc := s.inc
	if inc == nil || inc.inc.Goroutines == 0 || inc.ended || inc.known.roots == nil || s.g.open && !s.g.blank || inc.inc.Kind == KindRecoveredPanic {
		return 0, 0
	}
	nl := bytes.IndexByte(data, '\n')
	if nl < 0 {
		return 0, 0
	}
	h, ok := parseHeader(data[:nl])
	if !ok || len(h.rest) > 0 {
		return 0, 0
	}
	shape, size, lines, args := inc.known.match(h.state, data[nl+1:])
	if shape == nil || s.startsAnew(h) {
		return 0, 0
	}
	s.closeBlock()
	shape.add(&h, lockPointer(h.state, args), keptPointers)
	inc.inc.Goroutines++
	inc.inc.EndLine = no + lines - 1
	inc.after, inc.blank = 0, true
	return nl + 1 + size, lines + 1
}
