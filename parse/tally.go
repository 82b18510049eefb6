package parse

import "bytes"

const (
	keptIDs      = 8
	keptLabels   = 8
	keptPointers = 16
)

// tally is what only a pass over all goroutines of a shape can tell.
type tally struct {
	count            int
	ids              []int64
	minWait, maxWait int // minutes
	hasWait          bool
	locked           int
	leaked, durable  int
	labels           []string
	pointers         []PointerCount
}

// add counts one goroutine. pointer is what it waits for, or 0; at most most of them are told apart.
func (t *tally) add(h *header, pointer uint64, most int) {
	t.count++
	if len(t.ids) < keptIDs {
		t.ids = append(t.ids, h.id)
	}
	if h.hasWait {
		t.waits(h.minutes, h.minutes)
	}
	if h.locked {
		t.locked++
	}
	if h.leaked {
		t.leaked++
	}
	if h.durable {
		t.durable++
	}
	if len(h.labels) > 0 {
		t.label(h.labels)
	}
	if pointer != 0 {
		t.waitsFor(pointer, 1, most)
	}
}

// merge adds what was counted further down in the input.
func (t *tally) merge(o *tally) {
	t.count += o.count
	t.ids = append(t.ids, o.ids[:min(len(o.ids), keptIDs-len(t.ids))]...)
	if o.hasWait {
		t.waits(o.minWait, o.maxWait)
	}
	t.locked += o.locked
	t.leaked += o.leaked
	t.durable += o.durable
	for _, l := range o.labels {
		t.label([]byte(l))
	}
	for _, p := range o.pointers {
		t.waitsFor(p.Address, p.Count, keptPointers)
	}
}

func (t *tally) waits(least, most int) {
	if !t.hasWait || least < t.minWait {
		t.minWait = least
	}
	if !t.hasWait || most > t.maxWait {
		t.maxWait = most
	}
	t.hasWait = true
}

func (t *tally) label(l []byte) {
	for _, have := range t.labels {
		if have == string(l) {
			return
		}
	}
	if len(t.labels) < keptLabels {
		t.labels = append(t.labels, string(l))
	}
}

func (t *tally) waitsFor(p uint64, n, most int) {
	for i := range t.pointers {
		if t.pointers[i].Address == p {
			t.pointers[i].Count += n
			return
		}
	}
	if len(t.pointers) < most {
		t.pointers = append(t.pointers, PointerCount{p, n})
	}
}

// pointer returns what the goroutine waits for; see lockPointer.
func (g *goroutine) pointer() uint64 {
	if len(g.parts) == 0 || g.parts[0].kind != partFunction {
		return 0
	}
	p := &g.parts[0]
	return lockPointer(g.state(), p.body[p.cut:])
}

// lockPointer returns the first argument of the innermost frame of a goroutine
// that waits for a lock or a channel, if it is a plausible address: it tells
// which of many waiters wait for the same thing. The innermost printed frame
// holds it for locks (sync.runtime_SemacquireMutex(0x…)); for channels only at
// level 2 (runtime.chanrecv(0x…)). args begins with its parenthesis.
func lockPointer(state, args []byte) uint64 {
	if len(state) < 8 || state[0] != 's' && state[0] != 'c' || len(args) < 4 || args[1] != '0' || args[2] != 'x' {
		return 0
	}
	if !bytes.HasPrefix(state, []byte("sync.")) && !bytes.HasPrefix(state, []byte("semacquire")) && !bytes.HasPrefix(state, []byte("chan ")) {
		return 0
	}
	var v uint64
	for i := 3; i < len(args) && i < 19; i++ {
		c := args[i]
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | uint64(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | uint64(c-'a'+10)
		default:
			i = len(args)
		}
	}
	if v < 512<<10 { // no heap address on any system
		return 0
	}
	return v
}
