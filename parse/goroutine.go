package parse

import "bytes"

// maxParts bounds the lines kept of one goroutine. The runtime prints at most
// 100 frames and the creator; ancestors are left out.
const maxParts = 512

// goroutine is the block being read: a header and its lines so far. Bodies are
// slices into the current block of input until spill copies them.
type goroutine struct {
	open  bool
	head  header
	line  int // of the header
	last  int // last line that belongs to it
	hash  uint64
	parts []part
	// pending says that the last part is a function line whose file line has not come yet.
	pending      bool
	blank        bool // an empty line came after the last part: the block may be over
	ancestors    bool // inside "[originating from goroutine N]:" sections
	foreign      int  // lines left out between parts
	run          int  // foreign lines since the last part
	bare         bool // function lines carry no argument list: zap prints stacks so
	orphan       bool // frames without a header: it was lost
	done         bool // the creator's file line came: no more parts are expected
	lost         int  // parts over maxParts
	spaced       bool // the header came after an empty line
	gin          bool // a stack in the form of gin's Recovery
	runtimeStack bool // the "runtime stack:" section: frames without a goroutine

	half     []byte // the beginning of a line that was broken in two
	stateBuf []byte
	spilled  int // parts[:spilled] lie in own memory
}

func (g *goroutine) start(h header, no int, spaced bool) {
	g.open, g.head, g.line, g.last = true, h, no, no
	g.stateBuf = append(g.stateBuf[:0], h.state...)
	g.head.state = nil // g.state() has it
	if len(h.labels) > 0 {
		g.head.labels = bytes.Clone(h.labels)
	}
	g.head.rest = nil
	g.hash = hashSeed
	g.parts = g.parts[:0]
	g.pending, g.blank, g.ancestors, g.runtimeStack, g.orphan, g.done, g.bare, g.gin = false, false, false, false, false, false, false, false
	g.foreign, g.run, g.lost, g.spilled = 0, 0, 0, 0
	g.spaced = spaced
	g.half = g.half[:0]
}

func (g *goroutine) state() []byte { return g.stateBuf }

// hot takes the commonest lines of a plain block: a function line, and the
// tabbed file line behind it. It reports false, with nothing changed, for
// every other line.
func (g *goroutine) hot(b []byte, no int) bool {
	if len(b) < 3 || g.blank || g.ancestors || g.done || g.run > 0 || len(g.parts) >= maxParts {
		return false
	}
	if b[0] == '\t' {
		if !g.pending {
			return false
		}
		b = b[1:]
		if isBlank(b[0]) {
			return false
		}
		cut := placeEnd(b)
		if d := b[cut-1]; d < '0' || d > '9' || cut == len(b) && bytes.IndexByte(b, ' ') >= 0 {
			return false
		}
		g.hash = mix(g.hash, b[:cut])
		g.parts = append(g.parts, part{b, int32(cut), int32(no), partFile})
		g.done = g.parts[len(g.parts)-2].kind == partCreated
		g.pending = false
		g.last = no
		return true
	}
	if c := b[0]; g.pending || b[len(b)-1] != ')' || !isLetter(c) {
		return false
	}
	cut := argsAt(b)
	if cut <= 0 || bytes.IndexByte(b[:cut], ' ') >= 0 {
		return false
	}
	g.hash = mix(g.hash, b[:cut])
	g.parts = append(g.parts, part{b, int32(cut), int32(no), partFunction})
	g.pending = true
	g.last = no
	return true
}

// breaks tells whether a line is the beginning of a function or file line whose
// rest stands on the next line: terminals, viewers and mail break long lines.
func (g *goroutine) breaks(t []byte) bool {
	last := t[len(t)-1]
	if g.pending {
		// A path without its line number.
		if (t[0] == '/' || len(t) > 2 && t[1] == ':') && bytes.IndexByte(t, ' ') < 0 && len(t) > 20 {
			_, ok := isPlace(t, true)
			return !ok
		}
		return false
	}
	if last == ')' || g.done {
		return false
	}
	k := argsAt(t)
	return k > 0 && isFunctionName(t[:k]) && isArgs(t[k+1:])
}

// add appends a part; body carries no indentation.
func (g *goroutine) add(body []byte, cut, no int, kind partKind) {
	g.foreign += g.run
	g.last, g.run, g.blank = no, 0, false
	if len(g.parts) >= maxParts {
		g.lost++
		return
	}
	g.hash = mix(g.hash, body[:cut])
	g.parts = append(g.parts, part{body, int32(cut), int32(no), kind})
}

// addCut adds a function line whose argument list is cut off: the name is whole.
func (g *goroutine) addCut(half []byte) {
	if k := argsAt(half); k > 0 && !g.pending {
		g.add(append(half, "...)"...), k, g.last, partFunction)
		g.pending = true
	}
}

// dropPending takes back a function line that no file line followed and that is
// no plain function line by itself.
func (g *goroutine) dropPending() {
	if len(g.half) > 0 {
		half := bytes.Clone(g.half)
		g.half = g.half[:0]
		g.addCut(half)
	}
	if !g.pending {
		return
	}
	g.pending = false
	p := g.parts[len(g.parts)-1]
	if p.kind == partCreated {
		return
	}
	if _, ok := isFunction(p.body, true); ok {
		return
	}
	g.parts = g.parts[:len(g.parts)-1]
	g.spilled = min(g.spilled, len(g.parts))
	g.foreign++
	g.rehash()
}

func (g *goroutine) rehash() {
	g.hash = hashSeed
	for i := range g.parts {
		g.hash = mix(g.hash, g.parts[i].body[:g.parts[i].cut])
	}
}

// spill copies what lies in the block of input that is about to be reused.
func (g *goroutine) spill() {
	if !g.open {
		return
	}
	for i := g.spilled; i < len(g.parts); i++ {
		p := &g.parts[i]
		p.body = bytes.Clone(p.body)
	}
	g.spilled = len(g.parts)
}

// keepLast copies the newest part: its body lies in memory that the next line overwrites.
func (g *goroutine) keepLast() {
	if n := len(g.parts); n > 0 {
		g.parts[n-1].body = bytes.Clone(g.parts[n-1].body)
	}
}

// exemplar renders the block in the form that the runtime prints, cleaned:
// one tab before file lines, no foreign lines, no labels, no offsets.
func (g *goroutine) exemplar() (raw []byte, nos []int32) {
	n := 64
	for i := range g.parts {
		n += len(g.parts[i].body) + 2
	}
	raw = make([]byte, 0, n)
	nos = make([]int32, len(g.parts))
	for i := range g.parts {
		p := &g.parts[i]
		if p.kind == partFile { // offsets and registers tell nothing, and cost the most to read
			raw = append(raw, '\t')
			raw = append(raw, p.body[:p.cut]...)
		} else {
			raw = append(raw, p.body...)
		}
		raw = append(raw, '\n')
		nos[i] = p.no
	}
	return raw, nos
}

// frames counts the function lines.
func (g *goroutine) frames() int {
	n := 0
	for i := range g.parts {
		if g.parts[i].kind == partFunction {
			n++
		}
	}
	return n
}
