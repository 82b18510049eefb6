package parse

import (
	"bytes"
	"encoding/binary"
)

// A dump of 70,000 goroutines has some 300 stacks. known remembers the stacks
// read so far as a tree of masked lines, so that a goroutine that is like an
// earlier one is recognised by comparing memory: no line is cut, hashed or
// looked at byte by byte, only the arguments are skipped. Whatever is not
// exactly like an earlier stack, in the runtime's own layout, is left to the
// line by line reader, which then adds it here.
type known struct {
	roots map[string]*run // by state word
}

// run is a part of the tree without a branch: consecutive lines of one shape,
// which lie side by side in memory.
type run struct {
	text  []byte // the shape's
	lines []knownLine
	kids  []*run
	end   *shape // the stack that ends behind the lines

	print print // the lines as one goroutine printed them

	hints  *[64]*run // the kid met last where a line began like this; see hint
	prefix int       // how much of its first line every kid has at least
}

// hint returns the place that notes which kid the beginning of data led to the last time; nil where
// there is little to choose from. It looks at two words of the first line, so lines share notes.
func (n *run) hint(data []byte, w *wrapping) **run {
	if len(n.kids) < 4 {
		return nil
	}
	off := w.skip(data)
	if off < 0 || len(data)-off < n.prefix {
		return nil
	}
	if n.hints == nil {
		n.hints = new([64]*run)
	}
	at, le := n.prefix-8, binary.LittleEndian
	h := le.Uint64(data[off+at:])*hashPrime ^ le.Uint64(data[off+at/2:])*hashSecond
	return &n.hints[h>>58]
}

const hashSecond = 0xC2B2AE3D27D4EB4F

type knownLine struct {
	from, to int32 // of the masked line in the run's text
	tail     int32 // length of what stood behind it the last time: a guess
	kind     partKind
}

// maxKids bounds the comparisons at one branch; beyond it the line reader is as fast.
const maxKids = 64

// learn adds a shape whose block was read line by line and had nothing foreign in it.
func (k *known) learn(s *shape) {
	if k.roots == nil {
		k.roots = make(map[string]*run)
	}
	lines := make([]knownLine, len(s.kinds))
	from := int32(0)
	for i, kind := range s.kinds {
		lines[i] = knownLine{from: from, to: s.ends[i], kind: kind}
		from = s.ends[i] + 1
	}
	n := k.roots[s.state]
	if n == nil {
		n = &run{}
		k.roots[s.state] = n
	}
	for len(lines) > 0 {
		kid, same := n.kid(s.text, lines)
		if kid == nil {
			if len(n.kids) < maxKids {
				n.add(&run{text: s.text, lines: lines, end: s})
			}
			return
		}
		if same < len(kid.lines) { // they part ways inside the run
			rest := &run{text: kid.text, lines: kid.lines[same:], kids: kid.kids, end: kid.end}
			kid.print = print{}
			kid.lines, kid.kids, kid.end = kid.lines[:same], nil, nil
			kid.hints = nil
			kid.add(rest)
		}
		n, lines = kid, lines[same:]
	}
	n.end = s
}

func (n *run) add(kid *run) {
	l := &kid.lines[0]
	if size := max(8, int(l.to-l.from)); len(n.kids) == 0 || size < n.prefix {
		n.prefix, n.hints = size, nil
	}
	n.kids = append(n.kids, kid)
}

// kid returns the kid that begins with the first of some lines, and how many they have in common.
func (n *run) kid(text []byte, lines []knownLine) (kid *run, same int) {
	for _, c := range n.kids {
		for same = 0; same < min(len(c.lines), len(lines)); same++ {
			a, b := &c.lines[same], &lines[same]
			if a.kind != b.kind || !bytes.Equal(c.text[a.from:a.to], text[b.from:b.to]) {
				break
			}
		}
		if same > 0 {
			return c, same
		}
	}
	return nil, 0
}

// clone copies a tree, but for its text.
func (k *known) clone() known {
	c := known{roots: make(map[string]*run, len(k.roots))}
	for state, n := range k.roots {
		c.roots[state] = n.clone()
	}
	return c
}

func (n *run) clone() *run {
	c := *n
	c.print, c.hints = print{}, nil // learnt anew: each goroutine has its own
	c.lines = append([]knownLine(nil), n.lines...)
	c.kids = make([]*run, len(n.kids))
	for i, kid := range n.kids {
		c.kids[i] = kid.clone()
	}
	return &c
}

// match reads a block whose header line is behind it, up to and with the empty
// line that ends it, or up to the next header where empty lines were dropped.
// It returns the stack, the bytes and lines taken, and the argument list of the
// first frame, "(" first; nil if the block is not exactly a known one.
func (k *known) match(state, data []byte, w *wrapping) (s *shape, size, lines int, args []byte) {
	n := k.roots[string(state)]
	if n == nil {
		return nil, 0, 0, nil
	}
	at := 0
	guessed := false
next:
	for {
		if next, ok := n.ends(data[at:], w); ok {
			if next > 0 {
				lines++
			}
			at += next
			break
		}
		hint := n.hint(data[at:], w)
		var likely *run
		if hint != nil {
			likely = *hint
		}
		for i := -1; i < len(n.kids); i++ {
			c := likely
			if i >= 0 {
				c = n.kids[i]
			}
			if c == nil {
				continue
			}
			t := c.take(data, at, w)
			if !t.begins {
				continue
			}
			if t.size == 0 {
				return nil, 0, 0, nil
			}
			if hint != nil {
				*hint = c
			}
			if lines == 0 {
				args = t.args
			}
			guessed = guessed || t.guessed
			at += t.size
			lines += len(c.lines)
			n = c
			continue next
		}
		return nil, 0, 0, nil
	}
	// A guess where a line ends may step over a newline: there must be as many as lines.
	if guessed && bytes.Count(data[:at], []byte{'\n'}) != lines {
		return nil, 0, 0, nil
	}
	return n.end, at, lines, args
}

// ends tells whether the stack that ends behind the run ends here: before an
// empty line, which is taken, or before a header, where empty lines were dropped.
func (n *run) ends(data []byte, w *wrapping) (next int, ok bool) {
	if n.end == nil || len(data) == 0 {
		return 0, false
	}
	if len(w.head) == 0 {
		if data[0] == '\n' {
			return 1, true
		}
		return 0, data[0] == 'g' && bytes.HasPrefix(data, goroutinePrefix)
	}
	if off := w.skip(data); off >= 0 && bytes.HasPrefix(data[off:], goroutinePrefix) {
		return 0, true
	}
	return w.blank(data)
}

// match compares a line with the beginning of data. It returns what stands
// behind the masked text, and where the next line begins.
func (l *knownLine) match(text, data []byte, w *wrapping) (tail []byte, next int, ok bool) {
	at := 0
	if len(w.head) > 0 {
		if at = w.skip(data); at < 0 {
			return nil, 0, false
		}
	}
	if l.kind == partFile {
		if n := len(w.indent); n == 1 {
			if at >= len(data) || data[at] != w.indent[0] {
				return nil, 0, false
			}
			at++
		} else {
			if len(data)-at < n || string(data[at:at+n]) != string(w.indent) {
				return nil, 0, false
			}
			at += n
		}
	}
	t := text[l.from:l.to]
	if len(data)-at <= len(t) || string(data[at:at+len(t)]) != string(t) {
		return nil, 0, false
	}
	at += len(t)
	tail = data[at:]
	end := int(l.tail)
	if w.suffix != nil {
		if next, ok = w.endsAt(tail, end); !ok {
			if end, next, ok = w.end(tail); !ok {
				return nil, 0, false
			}
			l.tail = int32(end)
		}
	} else {
		if end >= len(tail) || tail[end] != '\n' {
			if end = bytes.IndexByte(tail, '\n'); end < 0 {
				return nil, 0, false
			}
			l.tail = int32(end)
		}
		next = end + 1
	}
	tail = tail[:end]
	return tail, at + next, l.leaves(tail)
}

// leaves tells whether what stands behind the masked text is what the mask
// leaves out: an argument list, an offset, the creator's goroutine.
func (l *knownLine) leaves(tail []byte) bool {
	if len(tail) == 0 {
		return l.kind != partFunction
	}
	switch l.kind {
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
	if off < 0 {
		return h, 0, false
	}
	data = data[off:]
	if h, end, ok := quickHeader(data); ok {
		if w.suffix != nil {
			if next, ok := w.endsAt(data, end); ok {
				return h, off + next, true
			}
		} else if end < len(data) && data[end] == '\n' {
			return h, off + end + 1, true
		}
	}
	if !bytes.HasPrefix(data, goroutinePrefix) {
		return h, 0, false
	}
	end, next, ok := w.end(data)
	if !ok {
		return h, 0, false
	}
	h, ok = parseHeader(data[:end])
	return h, off + next, ok && len(h.rest) == 0
}
