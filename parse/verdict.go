package parse

import (
	"sort"
	"strings"
)

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
	inc.Count = 1 + b.sightings
	return inc
}

func (b *builder) finishHeadline() {
	inc := b.inc
	if len(b.chain) > 1 {
		inc.Chain = b.chain
	}
	for len(b.value) > 0 && b.value[len(b.value)-1] == "" {
		b.value = b.value[:len(b.value)-1]
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
	switch {
	case b.crash != nil && b.isCrasher():
		b.markCrashed()
		b.setStack(b.crash)
	case b.orphan != nil:
		b.setStack(b.orphan)
	case b.rtStack != nil && b.crash == nil:
		b.setStack(b.rtStack)
	case b.crash != nil && isDeadlock(inc.Headline):
		b.setStack(b.crash) // nobody crashed; the first one listed is who waits
	case b.crash != nil && inc.Kind == KindGoroutineDump && inc.Headline == "" && (inc.Goroutines == 1 || b.firstState == "running"):
		// One goroutine, or the one that printed the dump: what the paste is about.
		b.setStack(b.crash)
		inc.Goroutine, inc.HasGoroutine = b.crashHead.id, true
		inc.Headless = b.firstState == "running"
	}
	if inc.Blame != nil || inc.Kind != KindThrow || b.rtStack == nil {
		return
	}
	// A throw on the system stack, or in the collector: the first goroutine with own frames says what the program was doing.
	for _, s := range b.shapes.order {
		if k := blame(s.stack.frames, false); k >= 0 && s.state != "idle" {
			f := s.stack.frames[k]
			inc.Blame = &f
			return
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
		return inc.Headline != "" && b.crashHead.id > 0 && (b.firstState == "running" || b.firstState == "syscall")
	}
	return !isDeadlock(inc.Headline)
}

func isDeadlock(headline string) bool {
	return strings.HasSuffix(headline, "all goroutines are asleep - deadlock!") || strings.HasSuffix(headline, "no goroutines (main called runtime.Goexit) - deadlock!")
}

// finishKind settles what only the stack can tell of a block without a headline
// of its own: it is a panic if its stack shows one, else a dump.
func (b *builder) finishKind() {
	inc := b.inc
	if inc.Kind == KindGoroutineDump {
		b.judgeHeadless()
	}
	if inc.Kind == KindPanic && b.printedByRuntime() && inc.Signal == "" && len(b.chain) <= 1 && !b.again && len(inc.Stack) > 1 && printsStack(inc.Stack[0].Function) {
		// The runtime's own report begins with what panicked: this one was printed by a handler, in the runtime's words.
		inc.Kind = KindRecoveredPanic
	}
	if inc.Died != Unknown {
		return
	}
	if inc.Kind == KindPanic && strings.HasPrefix(inc.Headline, "panic: ") && len(inc.Stack) > 0 && strings.HasPrefix(inc.Stack[0].Function, "runtime/debug.") {
		inc.Kind = KindRecoveredPanic // the runtime's own report begins where the panic does
	}
	switch inc.Kind {
	case KindPanic, KindFatal, KindThrow, KindSignal, KindTestTimeout, KindLogFatal:
		// The runtime ends its own reports with the process; without a headline a handler may have printed it.
		if inc.Headline != "" || inc.Signal != "" || inc.Kind == KindSignal || len(inc.Stack) > 0 && (isPanicOrigin(inc.Stack[0].Function) || fatalShim(inc.Stack[0].Function) != "") {
			inc.Died = Yes
		}
	case KindRecoveredPanic:
		if strings.Contains(inc.Headline, ": panic serving ") || observedPanic(inc.Headline) || survives(inc.Stack) {
			inc.Died = No
		}
	case KindGoroutineDump, KindGoroutineProfile, KindRace:
		// One running goroutine may be all that was copied of a crash, or what a program prints of itself.
		alone := inc.Headless && inc.Goroutines == 1 || b.orphan != nil && inc.Goroutines == 0
		if alone && inc.Kind == KindGoroutineDump && len(inc.Stack) > 0 && !printsStack(inc.Stack[0].Function) && !b.field {
			break
		}
		inc.Died = No
	}
}

func (b *builder) judgeHeadless() {
	inc := b.inc
	caught := inc.Headline // what a record that holds the trace says
	inc.Headline, inc.Reason, inc.HeadlineLine = "", "", 0
	main := b.orphan
	if main == nil && b.firstState == "running" {
		main = b.crash
	}
	if main == nil {
		return
	}
	st := main.stack.frames
	if len(st) > 0 && caught == "" && fatalShim(st[0].Function) != "" {
		inc.Headless, inc.Kind = false, fatalShim(st[0].Function)
		b.setStack(main)
		if b.orphan == nil {
			b.markCrashed()
		}
		return
	}
	k := panicDepth(st)
	if k < 0 {
		return
	}
	inc.Headless = false
	inc.Kind = KindPanic
	if caught != "" || k > 0 && b.orphan == nil && showsHandler(st[:k]) || servesRequests(st) {
		inc.Kind = KindRecoveredPanic
	}
	b.setStack(main)
	if b.orphan == nil {
		b.markCrashed()
	}
	switch {
	case caught != "":
		inc.HeadlineLine = inc.Line
	case inc.Kind == KindRecoveredPanic:
		caught = strings.TrimSpace(b.prevText)
	}
	inc.Headline, inc.Reason = caught, caught
}

// fatalShim returns the kind of death that a goroutine's innermost frame shows: the
// functions through which packages reach runtime.fatal and runtime.throw are printed. "" if it is none.
func fatalShim(function string) Kind {
	switch function {
	case "internal/runtime/maps.fatal", "internal/sync.fatal", "sync.fatal", "runtime.fatal":
		return KindFatal
	case "runtime.throw", "runtime.fatalthrow", "internal/sync.throw", "sync.throw":
		return KindThrow
	}
	return ""
}

// printsStack tells whether a function is what handlers print the running goroutine's stack with.
func printsStack(function string) bool {
	return function == "runtime/debug.Stack" || function == "runtime/debug.PrintStack"
}

// setStack makes a block's stack the incident's.
func (b *builder) setStack(main *shape) {
	inc := b.inc
	inc.Stack, inc.CreatedBy, inc.Blame = main.stack.frames, main.stack.created, nil
	k := blame(inc.Stack, inc.Kind == KindFatal || inc.Kind == KindThrow)
	if k >= 0 {
		inc.Blame = &inc.Stack[k]
	}
}

// markCrashed says that the first block is the goroutine that crashed.
func (b *builder) markCrashed() {
	b.inc.Goroutine, b.inc.HasGoroutine = b.crashHead.id, true
	for _, bk := range b.inc.Buckets {
		bk.Crashed = b.crashIn != nil && bk.Line == b.crashIn.line
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

// survives tells whether the stack shows a handler that is known to let the process go on.
func survives(st []Frame) bool {
	if servesRequests(st) {
		return true
	}
	for i := range st {
		if isPanicOrigin(st[i].Function) {
			break
		}
		if strings.Contains(strings.ToLower(st[i].Function), "recover") {
			return true
		}
	}
	return false
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
	case b.orphan != nil && inc.Goroutines == 0 && b.bare: // its writer prints no header
	case b.orphan != nil && inc.Goroutines == 0:
		inc.Truncated = "the goroutine header is missing: the beginning was lost or filtered out"
	case inc.Headline == "" && inc.Kind != KindGoroutineDump && inc.Kind != KindGoroutineProfile:
		inc.Truncated = "the headline is missing"
	case b.pre() && strings.HasSuffix(inc.Headline, "no goroutines (main called runtime.Goexit) - deadlock!"):
		// None is left that could be printed.
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
