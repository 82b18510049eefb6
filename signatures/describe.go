package signatures

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// String says the condition in words, for reports and for "explain".
func (c *condition) String() string {
	switch {
	case c.All != nil:
		return "all of these"
	case c.Any != nil:
		return "any of these"
	case c.Not != nil:
		return "not: " + c.Not.String()
	case c.Kinds != nil:
		words := make([]string, len(c.Kinds))
		for i, k := range c.Kinds {
			words[i] = string(k)
		}
		return "kind: " + strings.Join(words, " or ")
	case c.Message != nil:
		return "message: " + c.Message.String()
	case c.Signal != nil:
		return "signal: " + c.Signal.String()
	case c.Context != nil:
		return "line before: " + c.Context.String()
	case c.Frames != nil:
		return "frames: " + strings.Join(c.Frames.Want, " above ")
	case c.AnyFrame != nil:
		return "some of the frames: " + strings.Join(c.AnyFrame.Want, ", ")
	case c.Top != nil:
		return "on top: " + strings.Join(c.Top, " or ")
	case c.Creator != nil:
		return "created by: " + strings.Join(c.Creator, " or ")
	case c.Goroutines != nil:
		return c.Goroutines.String()
	case c.Log != nil:
		return c.Log.String()
	case c.Sequence != nil:
		return c.Sequence.String()
	case c.Growth != nil:
		return c.Growth.String()
	case c.Series != nil:
		return c.Series.String()
	case c.Product != nil:
		return strings.TrimSpace("product: " + c.Product.Name + " " + c.Product.Versions)
	case c.Module != nil:
		return strings.TrimSpace("module: " + c.Module.Name + " " + c.Module.Versions)
	case c.Go != nil:
		return "go " + c.Go.Versions
	case c.Exit != nil:
		return c.Exit.String()
	}
	return "nothing"
}

func (g *goroutines) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "at least %d goroutines", g.AtLeast)
	if len(g.States) > 0 {
		b.WriteString(" in " + strings.Join(g.States, " or "))
	}
	if g.Wait > 0 {
		b.WriteString(" for " + minutes(g.Wait))
	}
	if g.SameLock {
		b.WriteString(" on one lock")
	}
	for _, part := range []struct {
		word string
		list []string
		glue string
	}{{"with", g.Frames, " above "}, {"with one of", g.AnyOf, ", "}, {"with on top", g.Top, " or "}, {"created by", g.Creator, " or "}} {
		if len(part.list) > 0 {
			b.WriteString(" " + part.word + " " + strings.Join(part.list, part.glue))
		}
	}
	return b.String()
}

func minutes(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}

// span is how long something took, as people say it.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d h", d/time.Hour)
}

func (r *record) String() string {
	var parts []string
	if r.Message != nil {
		parts = append(parts, strconv.Quote(r.Message.String()))
	}
	if r.Module != nil {
		parts = append(parts, "of "+r.Module.String())
	}
	var with []string
	if r.Level != "" {
		with = append(with, "level "+r.Level)
	}
	if r.Error != nil {
		with = append(with, "error "+r.Error.String())
	}
	keys := make([]string, 0, len(r.Fields))
	for k := range r.Fields {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		with = append(with, k+" "+r.Fields[k].String())
	}
	if len(with) > 0 {
		parts = append(parts, "with "+strings.Join(with, ", "))
	}
	return strings.Join(parts, " ")
}

func (l *logs) String() string {
	s := "log: " + l.Record.String()
	if l.AtLeast > 1 {
		s = fmt.Sprintf("log: %d or more × %s", l.AtLeast, l.Record.String())
	}
	if l.Distinct != "" {
		s += ", different " + l.Distinct
	}
	return s + l.relation() + without(l.Without)
}

// relation says how the counted records belong together.
func (l *logs) relation() string {
	s := ""
	if len(l.Same) > 0 {
		s += ", same " + strings.Join(l.Same, " and ")
	}
	if l.Within > 0 {
		s += ", within " + l.Within.String()
	}
	if l.Spans > 0 {
		s += ", over " + l.Spans.String() + " or more"
	}
	return s
}

func without(list []record) string {
	if len(list) == 0 {
		return ""
	}
	return ", without " + list[0].String() + " between"
}

func (q *sequence) String() string {
	return "sequence: " + q.moves() + " between two of " + q.Record.String() + without(q.Without)
}

// moves says what happens from the first record to the second.
func (q *sequence) moves() string {
	var moves []string
	for _, k := range q.Rises {
		moves = append(moves, k+" rises")
	}
	for _, k := range q.Falls {
		moves = append(moves, k+" falls")
	}
	s := strings.Join(moves, " while ")
	if len(q.Differs) > 0 {
		s += " with different " + strings.Join(q.Differs, " and ")
	}
	if q.Within > 0 {
		s += " within " + q.Within.String()
	}
	return s
}

func (g *growth) String() string {
	return fmt.Sprintf("growth: by %d or more, %s", g.By, strings.Join(g.Frames, " above "))
}

func (s *series) String() string {
	return fmt.Sprintf("metric: %s rises by %g or more and stays up", s.Name, s.RisesBy)
}

func (x *exit) String() string {
	if x.Code != nil {
		return fmt.Sprintf("exit: code %d", *x.Code)
	}
	return "exit: killed for lack of memory"
}

// Conditions says in words what a signature looks for: each line is a condition, the parts of a group follow it
// with a blank more in front, and what never decides ends in "(optional)". Knowledge looks for nothing.
func (s *Signature) Conditions() (list []string) {
	var visit func(c *condition, depth int, optional string)
	visit = func(c *condition, depth int, optional string) {
		if c == nil {
			return
		}
		if c.All != nil && depth == 0 && optional == "" { // several keys of one mapping: needs no line
			depth--
		} else {
			list = append(list, strings.Repeat("  ", depth)+c.String()+optional)
		}
		for _, part := range append(c.All[:len(c.All):len(c.All)], c.Any...) {
			visit(part, depth+1, optional)
		}
	}
	visit(s.match, 0, "")
	for _, c := range s.optional {
		visit(c, 0, " (optional)")
	}
	return list
}
