package signatures

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// Truth is a three-valued answer.
type Truth int8

// The truth values, worst first.
const (
	DoesNotHold Truth = iota
	CannotTell
	Holds
)

func (t Truth) String() string {
	switch t {
	case Holds:
		return "holds"
	case CannotTell:
		return "cannot be told"
	}
	return "does not hold"
}

// outcome is what became of one condition.
type outcome struct {
	truth    Truth
	evidence []Evidence
	why      string   // why it does not hold, or what is missing, in words
	collect  []string // what to collect, when it cannot be told

	weight int  // how specific the evidence is
	strong bool // it is more than a message: frames, goroutines, records
	worded bool // the message held
	// soft: it cannot be told, but only because a version or a product is unknown, or the headline is lost.
	soft bool
	// headless: the headline is lost, and the stack is all there is.
	headless bool
	// excerpt: the records are there, but the log is too short to say how often they come.
	excerpt bool
}

// evaluation evaluates one signature against one incident, or, without an incident,
// against the logs, growth and metrics.
type evaluation struct {
	*input
	sig *Signature
	inc *parse.Incident

	trace *[]ConditionResult // nil when nobody asked
	depth int
}

// eval evaluates a condition. All and Any evaluate every part, even when the answer is
// known, because a report shows everything that held.
func (e *evaluation) eval(c *condition) outcome {
	at := -1
	if e.trace != nil {
		at = len(*e.trace)
		*e.trace = append(*e.trace, ConditionResult{Depth: e.depth, Condition: c.String(), Group: c.All != nil || c.Any != nil || c.Not != nil})
	}
	e.depth++
	o := e.node(c)
	e.depth--
	if at >= 0 {
		r := &(*e.trace)[at]
		r.Truth, r.Why, r.Collect = o.truth, o.why, strings.Join(o.collect, "; ")
		if !r.Group {
			r.Evidence = o.evidence
		}
	}
	return o
}

func (e *evaluation) node(c *condition) outcome {
	switch {
	case c.All != nil:
		return e.all(c.All)
	case c.Any != nil:
		return e.any(c.Any)
	case c.Not != nil:
		return e.not(c.Not)
	case c.Product != nil:
		return e.product(c.Product)
	case c.Module != nil:
		return e.module(c.Module)
	case c.Go != nil:
		return e.goVersion(c.Go)
	case c.Exit != nil:
		return e.exit(c.Exit)
	case c.Log != nil:
		return e.logs(c.Log)
	case c.Sequence != nil:
		return e.sequence(c.Sequence)
	case c.Growth != nil:
		return e.growth(c.Growth)
	case c.Series != nil:
		return e.series(c.Series)
	}
	if e.inc == nil {
		return outcome{why: "there is no incident"}
	}
	switch {
	case c.Kinds != nil:
		return e.kinds(c.Kinds)
	case c.Message != nil:
		return e.message(c.Message)
	case c.Signal != nil:
		return e.signal(c.Signal)
	case c.Context != nil:
		return e.context(c.Context)
	case c.Frames != nil:
		return e.frames(c.Frames)
	case c.AnyFrame != nil:
		return e.anyFrame(c.AnyFrame)
	case c.Top != nil:
		return e.top(c.symbols)
	case c.Creator != nil:
		return e.creator(c.symbols)
	case c.Goroutines != nil:
		return e.goroutines(c.Goroutines)
	}
	return outcome{why: "the condition is empty"}
}

// all holds if every part holds; it is as true as its least true part.
func (e *evaluation) all(list []*condition) outcome {
	sum := outcome{truth: Holds}
	soft := true
	for _, c := range list {
		o := e.eval(c)
		sum.add(o)
		if o.truth < sum.truth {
			sum.truth, sum.why = o.truth, o.why
		}
		if o.truth == CannotTell && !o.soft {
			soft = false
		}
	}
	sum.soft = sum.truth == CannotTell && soft
	if sum.truth == DoesNotHold {
		sum.collect = nil
	}
	sum.excerpt = sum.excerpt && sum.truth == CannotTell
	return sum
}

// any holds if a part holds.
func (e *evaluation) any(list []*condition) outcome {
	var sum outcome
	var why []string
	soft := false
	for _, c := range list {
		o := e.eval(c)
		if o.truth > sum.truth {
			sum.truth = o.truth
		}
		switch o.truth {
		case Holds:
			sum.add(o)
		case CannotTell:
			sum.collect = append(sum.collect, o.collect...)
			sum.headless = sum.headless || o.headless
			if o.excerpt && !sum.excerpt {
				sum.excerpt, sum.evidence = true, o.evidence
			}
			sum.worded = sum.worded || o.worded
			soft = soft || o.soft
		}
		if o.truth != Holds && o.why != "" {
			why = append(why, o.why)
		}
	}
	if sum.truth != Holds {
		sum.why = strings.Join(why, "; ")
		sum.soft = sum.truth == CannotTell && soft
	} else {
		sum.collect = nil
	}
	return sum
}

func (e *evaluation) not(c *condition) outcome {
	o := e.eval(c)
	switch o.truth {
	case Holds:
		return outcome{why: "it should not hold: " + c.String()}
	case CannotTell:
		return outcome{truth: CannotTell, why: o.why, collect: o.collect, soft: o.soft}
	}
	return outcome{truth: Holds}
}

// add takes over what a part of an all or any showed.
func (o *outcome) add(part outcome) {
	if part.truth == Holds {
		o.evidence = append(o.evidence, part.evidence...)
		o.weight += part.weight
	} else if part.excerpt {
		o.evidence = append(o.evidence, part.evidence...)
	}
	o.headless = o.headless || part.headless
	o.excerpt = o.excerpt || part.excerpt
	o.strong = o.strong || part.strong && part.truth == Holds
	o.worded = o.worded || part.worded
	o.collect = append(o.collect, part.collect...)
}

func (e *evaluation) kinds(kinds []parse.Kind) outcome {
	for _, k := range kinds {
		if e.inc.Kind == k {
			return outcome{truth: Holds}
		}
	}
	return outcome{why: fmt.Sprintf("the incident is a %s", e.inc.Kind)}
}

// message compares with the headline, the whole value and every panic of a chain, oldest
// first: a value that was raised again is still the cause.
func (e *evaluation) message(t *text) outcome {
	if e.inc.Headline == "" {
		lost := headless(e.inc)
		return outcome{
			truth: CannotTell, why: "the headline is missing", soft: lost, headless: lost,
			collect: []string{collectHeadline},
		}
	}
	if !messageMatches(t, e.inc) {
		return outcome{why: "the message is " + oneLine(e.inc.Headline)}
	}
	line := e.inc.HeadlineLine
	if line == 0 {
		line = e.inc.Line
	}
	weight := 10
	if genericMessage(e.inc.Reason) {
		weight = 3
	}
	return outcome{
		truth: Holds, weight: weight, worded: true,
		evidence: []Evidence{{Source: e.inc.Source, Line: line, Text: oneLine(e.inc.Headline), Condition: "message: " + t.String()}},
	}
}

func (e *evaluation) signal(t *text) outcome {
	if e.inc.Signal == "" || !t.match(e.inc.Signal) {
		return outcome{why: "the signal line does not fit"}
	}
	return outcome{
		truth: Holds, weight: 2,
		evidence: []Evidence{{Source: e.inc.Source, Line: e.inc.HeadlineLine, Text: e.inc.Signal, Condition: "signal: " + t.String()}},
	}
}

// context looks at the lines just before an incident, structured or not, and at the lines that
// the runtime itself prints before its headline.
func (e *evaluation) context(t *text) outcome {
	lines := slices.Concat(e.inc.Context, e.inc.Details)
	for _, l := range slices.Backward(lines) {
		if t.match(l.Text) || l.Record != nil && t.match(l.Record.Message) {
			return outcome{
				truth: Holds, weight: 8, strong: true,
				evidence: []Evidence{{Source: e.inc.Source, Line: l.Line, Text: l.Text, Condition: "line before: " + t.String()}},
			}
		}
	}
	return outcome{why: "no line before the incident " + t.String()}
}

func oneLine(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i] + " …"
	}
	return s
}
