package parse

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/maphash"
)

// A shape is what the goroutines of one bucket have in common: state word,
// function names up to the argument list, "file:line", creator. Folding costs
// one hash over those bytes a goroutine; a goroutine whose hash is known is
// still compared with the shape's own text, so equal hashes never merge two
// stacks.

// part is one line of a goroutine block that belongs to its shape.
type part struct {
	body []byte // without indentation; its first cut bytes are the shape's
	cut  int32
	no   int32 // line in the source
	kind partKind
}

type partKind uint8

const (
	partFunction partKind = iota
	partFile
	partCreated
	partElided
	partUnavailable // "goroutine running on other thread; stack unavailable"
)

// hashSeed differs from run to run, so that nobody can write a dump whose stacks all collide.
var hashSeed = maphash.Bytes(maphash.MakeSeed(), []byte("shape"))

const hashPrime = 0x9E3779B97F4A7C15

// mix adds a line's bytes to a running hash, eight at a time.
func mix(h uint64, p []byte) uint64 {
	n := uint64(len(p))
	for len(p) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(p)) * hashPrime
		h ^= h >> 32
		p = p[8:]
	}
	var t uint64
	for i := len(p) - 1; i >= 0; i-- {
		t = t<<8 | uint64(p[i])
	}
	h = (h ^ t ^ n<<56) * hashPrime
	return h ^ h>>29
}

// shape is one distinct stack of an incident, with what only a pass over all its goroutines can tell.
type shape struct {
	next  *shape // another shape of the same hash
	index int    // in the order of first sightings
	state string
	text  []byte  // the masked lines, each followed by '\n'
	ends  []int32 // end of each masked line in text, without its '\n'
	kinds []partKind

	raw  []byte  // the first goroutine's block, cleaned for panicparse
	nos  []int32 // source line of each part of raw
	line int     // header line of the first goroutine
	args bool    // what its arguments mean is of interest: a crash

	tally
	crashed bool

	stack stack // filled by the stack reader
}

// same tells whether a goroutine's parts are the shape's text.
func (s *shape) same(state []byte, parts []part) bool {
	if len(parts) != len(s.ends) || string(state) != s.state {
		return false
	}
	from := int32(0)
	for i := range parts {
		p := &parts[i]
		if !bytes.Equal(s.text[from:s.ends[i]], p.body[:p.cut]) {
			return false
		}
		from = s.ends[i] + 1
	}
	return true
}

func newShape(g *goroutine) *shape {
	n := 0
	for i := range g.parts {
		n += int(g.parts[i].cut) + 1
	}
	s := &shape{state: string(g.state()), line: g.line, text: make([]byte, 0, n), ends: make([]int32, len(g.parts)), kinds: make([]partKind, len(g.parts))}
	for i := range g.parts {
		p := &g.parts[i]
		s.text = append(s.text, p.body[:p.cut]...)
		s.ends[i] = int32(len(s.text))
		s.text = append(s.text, '\n')
		s.kinds[i] = p.kind
	}
	s.raw, s.nos = g.exemplar()
	return s
}

// id is the bucket's name: stable over runs and machines.
func (s *shape) id() string {
	h := sha256.New()
	h.Write([]byte(s.state))
	h.Write([]byte{'\n'})
	h.Write(s.text)
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// shapes folds the goroutines of one incident.
type shapes struct {
	byHash map[uint64]*shape
	order  []*shape
	limit  int
	over   int // goroutines whose shape was not kept, since the limit was reached
}

// fold adds a goroutine and returns its shape, and whether it is a new one; nil over the limit.
func (t *shapes) fold(g *goroutine) (s *shape, isNew bool) {
	if t.byHash == nil {
		t.byHash = make(map[uint64]*shape)
	}
	h := mix(g.hash, g.state())
	for s = t.byHash[h]; s != nil; s = s.next {
		if s.same(g.state(), g.parts) {
			s.tally.add(&g.head, g.pointer(), keptPointers)
			return s, false
		}
	}
	if len(t.order) >= t.limit {
		t.over++
		return nil, false
	}
	s = newShape(g)
	s.next, s.index = t.byHash[h], len(t.order)
	t.byHash[h] = s
	t.order = append(t.order, s)
	s.tally.add(&g.head, g.pointer(), keptPointers)
	return s, true
}
