package parse

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
)

const (
	maxValueLines = 256
	maxValueBytes = 64 << 10
)

// builder gathers one incident while its lines are read.
type builder struct {
	inc    *Incident
	shapes shapes
	known  known
	stacks *stackReader

	value  []string // lines of the newest panic value or fatal message, after the first
	valueN int      // bytes in value
	chain  []string // panic lines, oldest first, without indentation
	glued  bool

	crash      *shape // the first block's own exemplar, with its own arguments
	crashHead  header
	crashIn    *shape // the bucket that holds it
	firstState string
	spacedNext bool   // an empty line stands before the next header
	rtStack    *shape // frames of "runtime stack:"
	orphan     *shape // frames whose header was lost

	firstID   int64
	ended     bool // nothing more can belong to it
	after     int  // foreign lines since the last line that belongs to it
	blank     bool // the last line was empty
	sections  int  // "-----" sections of GOTRACEBACK=crash
	registers bool
	tests     bool // inside "running tests:"
	unread    int  // blocks that panicparse refused
	torn      int
	meta      bool   // headers carry gp=, that is level 2
	bare      bool   // the frames carry no arguments
	prevText  string // the text line just before the first block
}

// newline appends a line of the panic value.
func (b *builder) addValue(l []byte) {
	if len(b.value) >= maxValueLines || b.valueN > maxValueBytes {
		return
	}
	t := clip(l)
	b.valueN += len(t)
	b.value = append(b.value, t)
}

// pre tells whether no block has been read yet.
func (b *builder) pre() bool {
	return b.inc.Goroutines == 0 && b.rtStack == nil && b.orphan == nil
}

// addGoroutine folds a finished block in.
func (b *builder) addGoroutine(g *goroutine) {
	inc := b.inc
	inc.EndLine = max(inc.EndLine, g.last)
	inc.Dropped += g.foreign
	b.after, b.blank = 0, g.blank
	switch {
	case g.runtimeStack:
		if b.rtStack == nil && g.frames() > 0 {
			b.rtStack = b.read(g)
		}
		return
	case g.orphan:
		if b.orphan == nil && g.frames() > 0 {
			b.orphan = b.read(g)
			b.bare = g.bare
		}
		return
	}
	inc.Goroutines++
	s, isNew := b.shapes.fold(g)
	if isNew {
		b.stacks.add(s)
		if g.foreign == 0 && !g.ancestors && g.lost == 0 {
			b.known.learn(s)
		}
	}
	if b.crash == nil {
		b.setCrash(g, s)
	}
}

func (b *builder) setCrash(g *goroutine, s *shape) {
	b.firstID = g.head.id
	b.crashHead = g.head
	b.crashHead.labels = nil
	b.firstState = string(g.state())
	b.crash = b.read(g)
	b.crashIn = s
}

// read hands a block of its own to the stack reader.
func (b *builder) read(g *goroutine) *shape {
	s := newShape(g)
	b.stacks.add(s)
	return s
}

// finish turns what was gathered into the incident; the stacks are read by then.
// It returns nil for what turned out to be none.
func (b *builder) finish() *Incident {
	inc := b.inc
	b.finishHeadline()
	for _, s := range b.shapes.order {
		inc.Buckets = append(inc.Buckets, s.bucket())
		if s.stack.bad {
			b.unread++
		}
	}
	if b.shapes.over > 0 {
		inc.Buckets = append(inc.Buckets, &Bucket{ID: "other", Count: b.shapes.over})
	}
	b.finishCrash()
	sort.SliceStable(inc.Buckets, func(i, j int) bool {
		a, c := inc.Buckets[i], inc.Buckets[j]
		if a.Crashed != c.Crashed {
			return a.Crashed
		}
		if a.Count != c.Count {
			return a.Count > c.Count
		}
		return a.Line < c.Line
	})
	b.finishKind()
	if b.bare && inc.Kind == KindGoroutineDump {
		return nil // an error that carries the stack where it was made
	}
	b.finishTruncated()
	inc.Fingerprint = fingerprint(inc)
	inc.Count = 1
	return inc
}

func (b *builder) finishHeadline() {
	inc := b.inc
	if len(b.chain) > 1 {
		inc.Chain = b.chain
	}
	if len(b.value) > 0 {
		first := inc.Headline
		for _, p := range []string{"panic: ", "fatal error: "} {
			first = strings.TrimPrefix(first, p)
		}
		// "[recovered]" stands behind the value's last line.
		last := len(b.value) - 1
		v, mark := cutRecovered(b.value[last])
		b.value[last] = v
		if mark != "" {
			inc.Headline += " " + mark
		}
		inc.Value = first + "\n" + strings.Join(b.value, "\n")
	}
	r := inc.Headline
	for _, p := range []string{"panic: ", "fatal error: "} {
		r = strings.TrimPrefix(r, p)
	}
	inc.Reason, _ = cutRecovered(r)
}

// cutRecovered cuts " [recovered]" and " [recovered, repanicked]" off.
func cutRecovered(s string) (text, mark string) {
	for _, m := range []string{"[recovered, repanicked]", "[recovered]"} {
		if t, ok := strings.CutSuffix(s, m); ok {
			return strings.TrimRight(t, " "), m
		}
	}
	return s, ""
}

// finishCrash decides which goroutine crashed, and whom to blame.
func (b *builder) finishCrash() {
	inc := b.inc
	var main *shape
	switch {
	case b.crash != nil && b.isCrasher():
		inc.Goroutine, inc.HasGoroutine = b.crashHead.id, true
		main = b.crash
		if b.crashIn != nil {
			b.crashIn.crashed = true
		}
		for _, bk := range inc.Buckets {
			bk.Crashed = b.crashIn != nil && bk.Line == b.crashIn.line
		}
	case b.orphan != nil:
		main = b.orphan
	case b.rtStack != nil && b.crash == nil:
		main = b.rtStack
	case b.crash != nil && isDeadlock(inc.Headline):
		main = b.crash // nobody crashed; the first one listed is who waits
	case b.crash != nil && inc.Kind == KindGoroutineDump && inc.Headline == "" && (inc.Goroutines == 1 || b.firstState == "running"):
		// One goroutine, or the one that printed the dump: what the paste is about.
		main = b.crash
		inc.Goroutine, inc.HasGoroutine = b.crashHead.id, true
		inc.Headless = b.firstState == "running"
	}
	if main == nil {
		return
	}
	inc.Stack = main.stack.frames
	inc.CreatedBy = main.stack.created
	k := blame(inc.Stack, strings.Contains(inc.Headline, "panic while printing panic value"))
	if k >= 0 {
		inc.Blame = &inc.Stack[k]
		return
	}
	// A throw on the system stack, or in the collector: the first goroutine with own frames says what the program was doing.
	if inc.Kind == KindThrow && b.rtStack != nil {
		for _, s := range b.shapes.order {
			if k := blame(s.stack.frames, false); k >= 0 && s.state != "idle" {
				f := s.stack.frames[k]
				inc.Blame = &f
				return
			}
		}
	}
}

// isCrasher tells whether the first block is the goroutine that crashed.
func (b *builder) isCrasher() bool {
	inc := b.inc
	switch inc.Kind {
	case KindGoroutineDump, KindGoroutineProfile:
		return false
	case KindSignal:
		// The first block is what ran on the thread that took the signal: for a signal sent
		// from outside it means nothing, and goroutine 0 is a scheduler's stack.
		for _, p := range []string{"SIGQUIT", "SIGABRT", "SIGTERM", "SIGHUP", "SIGINT", "SIGTRAP: trace trap"} {
			if strings.HasPrefix(inc.Headline, p) {
				return false
			}
		}
		return b.crashHead.id > 0 && (b.firstState == "running" || b.firstState == "syscall")
	}
	return !isDeadlock(inc.Headline)
}

func isDeadlock(headline string) bool {
	return strings.HasSuffix(headline, "all goroutines are asleep - deadlock!") || strings.HasSuffix(headline, "no goroutines (main called runtime.Goexit) - deadlock!")
}

// finishKind settles what only the stack can tell: a block without a headline is
// a recovered panic if its stack shows one, else a dump.
func (b *builder) finishKind() {
	inc := b.inc
	if inc.Kind == KindGoroutineDump {
		caught := inc.Headline // of a record that holds the trace
		inc.Headline, inc.HeadlineLine = "", 0
		st := []Frame(nil)
		switch {
		case b.orphan != nil:
			st = b.orphan.stack.frames
		case b.crash != nil && b.firstState == "running":
			st = b.crash.stack.frames
		}
		if k := panicDepth(st); k >= 0 {
			inc.Kind = KindRecoveredPanic
			if b.orphan != nil || k == 0 || !showsHandler(st[:k]) {
				inc.Kind = KindPanic
			}
			inc.Stack = st
			if b.orphan != nil {
				inc.CreatedBy = b.orphan.stack.created
			} else {
				inc.CreatedBy = b.crash.stack.created
				inc.Goroutine, inc.HasGoroutine = b.crashHead.id, true
				for _, bk := range inc.Buckets {
					bk.Crashed = b.crashIn != nil && bk.Line == b.crashIn.line
				}
			}
			if k := blame(st, false); k >= 0 {
				inc.Blame = &inc.Stack[k]
			}
			if servesRequests(st) {
				inc.Kind = KindRecoveredPanic
			}
			if caught != "" {
				inc.Kind = KindRecoveredPanic
				inc.HeadlineLine = inc.Line
			} else {
				caught = strings.TrimSpace(b.prevText)
			}
			inc.Headline, inc.Reason = caught, caught
		}
	}
	switch inc.Kind {
	case KindPanic, KindFatal, KindThrow, KindSignal, KindTestTimeout, KindLogFatal:
		inc.Died = Yes
		if inc.Headline == "" {
			inc.Died = Unknown
		}
	case KindRecoveredPanic, KindGoroutineDump, KindGoroutineProfile, KindRace:
		inc.Died = No
	}
}

// panicDepth returns the index of the last panic origin in a stack, or -1.
func panicDepth(st []Frame) int {
	for i := len(st) - 1; i >= 0; i-- {
		if isPanicOrigin(st[i].Function) {
			return i
		}
	}
	return -1
}

// showsHandler tells whether frames above a panic print stacks: then a handler recovered.
func showsHandler(above []Frame) bool {
	for i := range above {
		switch {
		case strings.HasPrefix(above[i].Function, "runtime/debug."), isRecoveryHelper(above[i].Function):
			return true
		}
	}
	return servesRequests(above)
}

func servesRequests(st []Frame) bool {
	for i := range st {
		if st[i].Function == "net/http.(*conn).serve.func1" {
			return true
		}
	}
	return false
}

func (b *builder) finishTruncated() {
	inc := b.inc
	if inc.Truncated != "" {
		return
	}
	switch {
	case b.orphan != nil && inc.Goroutines == 0:
		inc.Truncated = "the goroutine header is missing: the beginning was lost or filtered out"
	case inc.Headline == "" && inc.Kind != KindGoroutineDump && inc.Kind != KindGoroutineProfile:
		inc.Truncated = "the headline is missing"
	case b.pre() && inc.Kind != KindRace && inc.Kind != KindGoroutineProfile:
		inc.Truncated = "no goroutine follows the headline: GOTRACEBACK=none, or the rest was not copied"
	}
}

// bucket renders a shape.
func (s *shape) bucket() *Bucket {
	b := &Bucket{
		ID: s.id(), Count: s.count, State: s.state, MinWait: s.minWait, MaxWait: s.maxWait, HasWait: s.hasWait,
		Locked: s.locked, Leaked: s.leaked, Durable: s.durable, Frames: s.stack.frames, Elided: s.stack.elided,
		CreatedBy: s.stack.created, IDs: s.ids, Labels: s.labels, Crashed: s.crashed, Line: s.line, Pointers: s.pointers,
	}
	sort.SliceStable(b.Pointers, func(i, j int) bool { return b.Pointers[i].Count > b.Pointers[j].Count })
	return b
}

// merge adds a later sighting of the same incident: a crash loop, or a handler that recovers the same panic again and again.
func (inc *Incident) merge(o *Incident) {
	inc.Count += o.Count
	inc.Goroutines += o.Goroutines
	inc.Dropped += o.Dropped
	if !o.FirstTime.IsZero() && (inc.FirstTime.IsZero() || o.FirstTime.Before(inc.FirstTime)) {
		inc.FirstTime = o.FirstTime
	}
	if o.LastTime.After(inc.LastTime) {
		inc.LastTime = o.LastTime
	}
	byID := make(map[string]*Bucket, len(inc.Buckets))
	for _, b := range inc.Buckets {
		byID[b.ID] = b
	}
	for _, b := range o.Buckets {
		if have := byID[b.ID]; have != nil {
			have.Count += b.Count
			have.Locked += b.Locked
			if len(have.IDs) < keptIDs {
				have.IDs = append(have.IDs, b.IDs[:min(len(b.IDs), keptIDs-len(have.IDs))]...)
			}
			if b.HasWait {
				if !have.HasWait || b.MinWait < have.MinWait {
					have.MinWait = b.MinWait
				}
				have.MaxWait = max(have.MaxWait, b.MaxWait)
				have.HasWait = true
			}
		} else {
			inc.Buckets = append(inc.Buckets, b)
			byID[b.ID] = b
		}
	}
}

// problem formats a note on a part of the input that could not be read as what it seems to be.
func problem(line int, code, format string, args ...any) Problem {
	return Problem{Line: line, Code: code, Message: fmt.Sprintf(format, args...)}
}

func firstLine(b []byte) []byte {
	if k := bytes.IndexByte(b, '\n'); k >= 0 {
		return b[:k]
	}
	return b
}
