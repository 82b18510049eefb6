package signatures

import (
	"strings"
)

// A knowledge base of thousands of signatures is looked through for every crash, and has to be ready
// in milliseconds. So each signature has gates: a set of words of which one has to occur in the
// input, or the signature cannot hold. Only those that pass are decoded and evaluated.
//
//	p<import path>   a frame or a growing stack of this package
//	l<text>          a log record with exactly this message
//	L<text>          a log record whose message contains this
//	m<text>          an incident whose message contains this
//	r                any log record;  s  any metric;  a  anything
//
// The order is from the most to the least telling one.
const gateOrder = "plLmrsa"

// gates returns the words of a condition.
func gates(c *condition) []string {
	if g := gatesOf(c); g != nil {
		return g
	}
	return []string{"a"}
}

// gatesOf is gates, with nil for a condition that may hold for any input.
func gatesOf(c *condition) []string {
	switch {
	case c.All != nil:
		var best []string
		for _, part := range c.All {
			if g := gatesOf(part); g != nil && (best == nil || better(g, best)) {
				best = g
			}
		}
		return best
	case c.Any != nil:
		var all []string
		for _, part := range c.Any {
			g := gatesOf(part)
			if g == nil {
				return nil
			}
			all = append(all, g...)
		}
		return unique(all)
	case c.Message != nil:
		return prefixed("m", messageNeedles(c.Message))
	case c.Frames != nil:
		return oneGate(c.Frames.Want)
	case c.AnyFrame != nil:
		return allGates(c.AnyFrame.Want)
	case c.Top != nil:
		return allGates(c.Top)
	case c.Creator != nil:
		return allGates(c.Creator)
	case c.Goroutines != nil:
		g := c.Goroutines
		switch {
		case len(g.Frames) > 0:
			return oneGate(g.Frames)
		case len(g.AnyOf) > 0:
			return allGates(g.AnyOf)
		case len(g.Top) > 0:
			return allGates(g.Top)
		case len(g.Creator) > 0:
			return allGates(g.Creator)
		}
	case c.Log != nil:
		return recordGates(&c.Log.Record)
	case c.Sequence != nil:
		return recordGates(&c.Sequence.Record)
	case c.Growth != nil:
		return oneGate(c.Growth.Frames)
	case c.Series != nil:
		return []string{"s"}
	}
	return nil
}

// better compares by the weakest word of each.
func better(a, b []string) bool {
	rank := func(list []string) int {
		worst := 0
		for _, g := range list {
			worst = max(worst, strings.IndexByte(gateOrder, g[0]))
		}
		return worst
	}
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra < rb
	}
	return len(a) < len(b)
}

// oneGate takes the most telling package of functions that all have to be there.
func oneGate(functions []string) []string {
	best := ""
	for _, f := range functions {
		pkg := newSymbolPackage(f)
		if best == "" || generic(best) && !generic(pkg) || generic(best) == generic(pkg) && len(pkg) > len(best) {
			best = pkg
		}
	}
	return []string{"p" + best}
}

func allGates(functions []string) []string {
	var list []string
	for _, f := range functions {
		list = append(list, "p"+newSymbolPackage(f))
	}
	return unique(list)
}

func recordGates(r *record) []string {
	switch {
	case r.Message == nil:
		return []string{"r"}
	case r.Message.Is != "":
		return []string{"l" + r.Message.Is}
	}
	return prefixed("L", r.Message.needles())
}

// messageNeedles are what a headline contains, whoever printed it: a recover handler
// leaves "panic: " out.
func messageNeedles(t *text) []string {
	list := t.needles()
	if t.Is == "" {
		return list
	}
	core := strings.TrimPrefix(strings.TrimPrefix(t.Is, "panic: "), "fatal error: ")
	if core == "" {
		return list
	}
	return []string{core}
}

func prefixed(p string, list []string) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = p + s
	}
	return unique(out)
}

func unique(list []string) []string {
	seen := make(map[string]bool, len(list))
	out := list[:0:0]
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// wanted returns what the reader has to keep for a signature: "l" and a message, "L" and a part of a
// message, or "e" and a part of an error, for every record that a condition speaks of.
func wanted(e *entry) []string {
	var list []string
	record := func(r *record) {
		switch {
		case r.Message == nil && r.Error != nil:
			list = append(list, prefixed("e", r.Error.needles())...)
		default:
			list = append(list, recordGates(r)...)
		}
	}
	visit := func(c *condition) {
		if l := c.Log; l != nil {
			record(&l.Record)
			for i := range l.Without {
				record(&l.Without[i])
			}
		}
		if s := c.Sequence; s != nil {
			record(&s.Record)
			for i := range s.Without {
				record(&s.Without[i])
			}
		}
	}
	e.Match.walk(visit)
	for _, c := range e.Optional {
		c.walk(visit)
	}
	return unique(list)
}

// worded returns what the headline of an incident has to contain for the signature to be a
// candidate when there is no stack.
func worded(e *entry) []string {
	var list []string
	e.Match.walk(func(c *condition) {
		if c.Message != nil {
			list = append(list, messageNeedles(c.Message)...)
		}
	})
	return unique(list)
}
