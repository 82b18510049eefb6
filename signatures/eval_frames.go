package signatures

import (
	"fmt"
	"strings"
	"time"

	"github.com/crashtriage/crashtriage/parse"
)

// collectStack is what decides when a crash is known by its headline only.
const collectStack = "the goroutine blocks after the fatal line: the stderr of the dead process (journalctl -u NAME, kubectl logs -p POD, docker logs)"

// collectHeadline is what decides when the line above a stack is lost.
const collectHeadline = "the lines before the first goroutine: they name the cause"

// collectWhole is what decides when a stack was cut off.
const collectWhole = "the whole dump: this one ends inside the stack that decides"

// goroutine is one stack to look at.
type goroutine struct {
	frames  []parse.Frame
	creator *parse.Frame
	bucket  *parse.Bucket
	cut     bool // something of it is known to be missing
}

// stacks returns the stacks that conditions about "the goroutine" are evaluated on: the
// crashing one, both sides of a race, or, where nothing says which goroutine died, all.
func (e *evaluation) stacks(anyGoroutine bool) []goroutine {
	inc := e.inc
	var list []goroutine
	switch {
	case len(inc.Races) > 0:
		for _, r := range inc.Races {
			list = append(list, goroutine{frames: r.Stack})
		}
		return list
	case !anyGoroutine && len(inc.Stack) > 0:
		g := goroutine{frames: inc.Stack, creator: inc.CreatedBy}
		for _, b := range inc.Buckets {
			if b.Crashed {
				g.bucket = b
				g.cut = b.Elided > 0
			}
		}
		// Only the last goroutine of a torn dump is torn itself.
		g.cut = g.cut || inc.Truncated != "" && len(inc.Buckets) <= 1
		return []goroutine{g}
	}
	for _, b := range inc.Buckets {
		if len(b.Frames) > 0 {
			list = append(list, goroutine{frames: b.Frames, creator: b.CreatedBy, bucket: b, cut: b.Elided > 0})
		}
	}
	if len(list) == 0 && len(inc.Stack) > 0 {
		list = append(list, goroutine{frames: inc.Stack, creator: inc.CreatedBy, cut: inc.Truncated != ""})
	}
	return list
}

// frames asks for all symbols in order in one goroutine.
func (e *evaluation) frames(f *frames) outcome {
	list := e.stacks(f.AnyGoroutine)
	if len(list) == 0 {
		return noStack()
	}
	var best []int
	cut := false
	for _, g := range list {
		at := e.inOrder(g.frames, f.symbols)
		if len(at) == len(f.symbols) {
			return e.frameEvidence(g, at, "frame")
		}
		if len(at) > len(best) {
			best, cut = at, g.cut
		}
	}
	missing := f.symbols[len(best)].text
	if cut && len(best) > 0 {
		return outcome{truth: CannotTell, why: "the stack is cut off before " + missing, collect: []string{collectWhole}}
	}
	return outcome{why: "no frame " + missing + behind(f.symbols, len(best))}
}

func behind(symbols []symbol, n int) string {
	if n == 0 {
		return ""
	}
	return " below " + symbols[n-1].text
}

func noStack() outcome {
	return outcome{truth: CannotTell, why: "the input has no stack", collect: []string{collectStack}}
}

// inOrder returns the positions of as many of the symbols as stand in order.
func (e *evaluation) inOrder(frames []parse.Frame, symbols []symbol) []int {
	var at []int
	for i, n := range e.stack(frames) {
		if len(at) < len(symbols) && symbols[len(at)].names(n) {
			at = append(at, i)
		}
	}
	return at
}

func (e *evaluation) frameEvidence(g goroutine, at []int, word string) outcome {
	o := outcome{truth: Holds}
	for _, i := range at {
		f := &g.frames[i]
		w := 10
		if e.provesNothing(f) {
			w = 1
		} else {
			o.strong = true
		}
		o.weight += w
		o.evidence = append(o.evidence, e.frame(f, word+": "+f.Function))
	}
	return o
}

func (e *evaluation) provesNothing(f *parse.Frame) bool {
	return provesNothing(e.name(f).pkg, e.sig.Module)
}

func (e *evaluation) frame(f *parse.Frame, condition string) Evidence {
	text := f.Function
	if f.File != "" {
		text += fmt.Sprintf(" %s:%d", f.File, f.Line)
	}
	source := ""
	if e.inc != nil {
		source = e.inc.Source
	}
	return Evidence{Source: source, Line: f.SourceLine, Text: text, Condition: condition}
}

// anyFrame asks for some of the symbols in one goroutine. Generic frames never count
// alone, and one hit is enough only in the owner's module.
func (e *evaluation) anyFrame(f *anyFrame) outcome {
	list := e.stacks(f.AnyGoroutine)
	if len(list) == 0 {
		return noStack()
	}
	cut := false
	for _, g := range list {
		cut = cut || g.cut
		var at []int
		seen := make([]bool, len(f.symbols))
		own, specific := false, false
		for i, n := range e.stack(g.frames) {
			for j := range f.symbols {
				if !seen[j] && f.symbols[j].names(n) {
					seen[j] = true
					at = append(at, i)
					pkg := n.pkg
					specific = specific || !provesNothing(pkg, e.sig.Module)
					own = own || within(pkg, canonicalModule(e.sig.Module))
					break
				}
			}
		}
		need := f.AtLeast
		if need == 0 {
			need = 2
			if own {
				need = 1
			}
		}
		if specific && len(at) >= need {
			o := e.frameEvidence(g, at, "frame")
			o.weight = o.weight / 3 // in no order, some of many: weaker than the same frames in order
			return o
		}
	}
	if cut && e.inc.Truncated != "" {
		return outcome{truth: CannotTell, why: "the stack is cut off", collect: []string{collectWhole}}
	}
	return outcome{why: "too few of the frames stand in one goroutine"}
}

// top asks for the frame that did it: the first below the last panic origin. The blamed
// frame counts as well, because helpers that were inlined or belong to the standard library may
// stand in between.
func (e *evaluation) top(symbols []symbol) outcome {
	list := e.stacks(false)
	if len(list) == 0 {
		return noStack()
	}
	for _, g := range list {
		origin := belowOrigin(g.frames)
		for i := range g.frames {
			f := &g.frames[i]
			if i != origin && !(e.inc.Blame != nil && f.SourceLine == e.inc.Blame.SourceLine && f.Function == e.inc.Blame.Function) {
				continue
			}
			for j := range symbols {
				if e.is(f, &symbols[j]) {
					return outcome{
						truth: Holds, weight: 12, strong: !e.provesNothing(f),
						evidence: []Evidence{e.frame(f, "on top: "+f.Function)},
					}
				}
			}
		}
	}
	if b := e.inc.Blame; b != nil {
		return outcome{why: "on top is " + b.Function}
	}
	return outcome{why: "another frame is on top"}
}

// belowOrigin returns the index of the first frame below the last panic origin that the
// runtime did not put there.
func belowOrigin(frames []parse.Frame) int {
	at := 0
	for i := range frames {
		switch frames[i].Function {
		case "panic", "runtime.gopanic", "runtime.sigpanic", "runtime.throw", "runtime.fatal":
			at = i + 1
		}
	}
	for at < len(frames) {
		f := frames[at].Function
		if !strings.HasPrefix(f, "runtime.") && !strings.HasPrefix(f, "internal/runtime/") && !strings.HasPrefix(f, "internal/sync.") && f != "panic" {
			break
		}
		at++
	}
	return at
}

func (e *evaluation) creator(symbols []symbol) outcome {
	list := e.stacks(false)
	if len(list) == 0 {
		return noStack()
	}
	unknown := false
	for _, g := range list {
		if g.creator == nil {
			unknown = unknown || g.cut
			continue
		}
		for i := range symbols {
			if e.is(g.creator, &symbols[i]) {
				return outcome{
					truth: Holds, weight: 6, strong: !e.provesNothing(g.creator),
					evidence: []Evidence{e.frame(g.creator, "created by: "+g.creator.Function)},
				}
			}
		}
	}
	if unknown {
		return outcome{truth: CannotTell, why: "the stack ends before its creator", collect: []string{collectWhole}}
	}
	return outcome{why: "no goroutine was created by " + symbols[0].text}
}

// goroutines counts the goroutines of all shapes that have every property asked for.
func (e *evaluation) goroutines(g *goroutines) outcome {
	if len(e.inc.Buckets) == 0 {
		return outcome{
			truth: CannotTell, why: "the input has no goroutines",
			collect: []string{"all goroutines: kill -QUIT PID, or curl …/debug/pprof/goroutine?debug=2"},
		}
	}
	var (
		o       outcome
		count   int
		unknown int // goroutines of shapes that fit as far as can be told
		locks   = map[uint64]int{}
		longest int
	)
	for _, b := range e.inc.Buckets {
		truth, at := e.shape(b, g)
		switch truth {
		case CannotTell:
			unknown += b.Count
		case Holds:
			count += b.Count
			longest = max(longest, b.MaxWait)
			for _, p := range b.Pointers {
				locks[p.Address] += p.Count
			}
			if len(o.evidence) < 4 {
				text := fmt.Sprintf("%d × [%s]", b.Count, b.State)
				condition := fmt.Sprintf("%d goroutines", b.Count)
				if b.HasWait {
					condition += fmt.Sprintf(", waiting up to %d min", b.MaxWait)
				}
				if len(at) > 0 {
					text += " " + b.Frames[at[0]].Function
				}
				o.evidence = append(o.evidence, Evidence{Source: e.inc.Source, Line: b.Line, Text: text, Condition: condition})
			}
			for _, i := range at {
				if !e.provesNothing(&b.Frames[i]) {
					o.strong = true
				}
			}
		}
	}
	if g.SameLock {
		most := 0
		for _, n := range locks {
			most = max(most, n)
		}
		if len(locks) > 0 {
			count = most
		} else if count >= g.AtLeast {
			return outcome{truth: CannotTell, why: "the dump does not show on which lock they wait", collect: []string{"a dump with arguments: debug=2 or SIGQUIT, not debug=1"}}
		}
	}
	switch {
	case count >= g.AtLeast:
		o.truth = Holds
		o.weight = 10 + 5*len(g.frames) + 2*len(g.anyOf)
		return o
	case count+unknown >= g.AtLeast:
		return outcome{
			truth: CannotTell, why: "a profile does not show states and waiting times",
			collect: []string{"a dump with states: kill -QUIT PID, or curl …/debug/pprof/goroutine?debug=2"},
		}
	}
	return outcome{why: fmt.Sprintf("%d such goroutines, not %d", count, g.AtLeast)}
}

// shape says whether a bucket has every property, and where its frames are.
func (e *evaluation) shape(b *parse.Bucket, g *goroutines) (Truth, []int) {
	at := e.inOrder(b.Frames, g.frames)
	if len(at) < len(g.frames) {
		return DoesNotHold, nil
	}
	if len(g.anyOf) > 0 {
		i := e.firstOf(b.Frames, g.anyOf)
		if i < 0 {
			return DoesNotHold, nil
		}
		at = append(at, i)
	}
	if len(g.top) > 0 {
		i := 0
		for i < len(b.Frames) && generic(e.name(&b.Frames[i]).pkg) {
			i++
		}
		if i == len(b.Frames) || e.firstOf(b.Frames[i:i+1], g.top) < 0 {
			return DoesNotHold, nil
		}
		at = append(at, i)
	}
	if len(g.creator) > 0 {
		if b.CreatedBy == nil || e.firstOf([]parse.Frame{*b.CreatedBy}, g.creator) < 0 {
			return DoesNotHold, nil
		}
	}
	truth := Holds
	if len(g.States) > 0 {
		switch {
		case b.State == "":
			truth = CannotTell
		case !oneOf(b.State, g.States):
			return DoesNotHold, nil
		}
	}
	if g.Wait > 0 {
		switch {
		case b.State == "":
			truth = CannotTell
		case !b.HasWait || time.Duration(b.MaxWait)*time.Minute < g.Wait:
			return DoesNotHold, nil
		}
	}
	return truth, at
}

func (e *evaluation) firstOf(frames []parse.Frame, symbols []symbol) int {
	for i := range frames {
		for j := range symbols {
			if e.is(&frames[i], &symbols[j]) {
				return i
			}
		}
	}
	return -1
}

// oneOf compares a goroutine's state; "sync.Mutex.Lock" and the older "semacquire" are told apart
// on purpose: the older word also names a WaitGroup.
func oneOf(state string, list []string) bool {
	for _, s := range list {
		if state == s || strings.HasPrefix(state, s+" (") {
			return true
		}
	}
	return false
}
