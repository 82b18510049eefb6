package parse

import (
	"bytes"
	"sync/atomic"
)

// Looking ahead: while the scanner is in one segment of a big dump, others take
// the known stacks out of the next ones. They only count; whether a run begins
// where they thought, and whether it may count at all, is for the scanner to say,
// which goes through the segments in order. The result is the same with and
// without them.

// aheadFrom is how many goroutines an incident has before looking ahead pays.
const aheadFrom = 500

// snapshot is a copy of what is known of an incident's stacks. Nobody changes it: who looks ahead
// has a copy of his own, since the tree remembers how the newest lines were laid out.
type snapshot struct {
	of     *builder
	known  known
	shapes int
	from   *wrapping // the scanner's
	wrap   *wrapping // a copy of it
}

func (s *snapshot) clone() *snapshot {
	c := *s
	c.known, c.wrap = s.known.clone(), s.wrap.clone()
	return &c
}

// ahead is what looking ahead found in one block.
type ahead struct {
	of         *builder
	start, end int // bytes of the block: from a header to behind an empty line
	lines      int
	goroutines int
	tallies    []tally // by the shape's index
	touched    []int   // indices of tallies that count something
}

// reset makes a ready for another segment; its memory is used again.
func (a *ahead) reset() {
	for _, i := range a.touched {
		t := &a.tallies[i]
		*t = tally{ids: t.ids[:0], labels: t.labels[:0], pointers: t.pointers[:0]}
	}
	*a = ahead{tallies: a.tallies, touched: a.touched[:0]}
}

// lookAhead takes the first run of known goroutine blocks.
func (a *ahead) lookAhead(snap *snapshot, data []byte) {
	if snap == nil {
		return
	}
	a.of = snap.of
	w := snap.wrap
	at := 0
	// The block may begin inside a goroutine: find the first header.
	for at < len(data) {
		if _, _, ok := w.header(data[at:]); ok {
			break
		}
		nl := bytes.IndexByte(data[at:], '\n')
		if nl < 0 {
			return
		}
		at += nl + 1
	}
	if n := snap.shapes - len(a.tallies); n > 0 {
		a.tallies = append(a.tallies, make([]tally, n)...)
	}
	a.start = at
	for at < len(data) {
		h, next, ok := w.header(data[at:])
		if !ok || h.id == snap.of.firstID {
			break
		}
		s, size, lines, args := snap.known.match(h.state, data[at+next:], w)
		if s == nil {
			break
		}
		t := &a.tallies[s.index]
		if t.count == 0 {
			a.touched = append(a.touched, s.index)
		}
		t.add(&h, lockPointer(h.state, args), len(data))
		at += next + size
		a.lines += 1 + lines
		a.goroutines++
	}
	a.end = at
}

// take adds what looking ahead counted, if the scanner has come to the beginning
// of the run (here) in the state that was assumed. It returns the lines taken.
func (s *lineStream) take(a *ahead, here bool, no int) (lines int, ok bool) {
	inc := s.inc
	if !here || inc == nil || inc != a.of || inc.ended || inc.after > 0 || a.goroutines == 0 {
		return 0, false
	}
	s.closeBlock()
	for _, i := range a.touched {
		inc.shapes.order[i].merge(&a.tallies[i])
	}
	inc.inc.Goroutines += a.goroutines
	inc.inc.EndLine = no + a.lines - 1
	inc.after, inc.blank = 0, true
	return a.lines, true
}

// renew publishes a new snapshot when enough was learnt since the last one.
func renewSnapshot(snap *atomic.Pointer[snapshot], b *builder, w *wrapping) {
	if b == nil || w == nil || b.inc.Goroutines < aheadFrom || b.inc.Kind == KindRecoveredPanic {
		return
	}
	n := len(b.shapes.order)
	if old := snap.Load(); old != nil && old.of == b && old.from == w && n < old.shapes+old.shapes/8+1 {
		return
	}
	snap.Store(&snapshot{of: b, known: b.known.clone(), shapes: n, from: w, wrap: w.clone()})
}
