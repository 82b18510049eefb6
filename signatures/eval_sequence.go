package signatures

import (
	"strconv"

	"github.com/crashtriage/crashtriage/parse"
)

// sequence looks for two records in a row between which numbers move the way they should not.
func (e *evaluation) sequence(s *sequence) outcome {
	found := e.find(&s.Record)
	if len(found) < 2 {
		return outcome{why: "fewer than two records " + s.Record.String()}
	}
	breaks := e.breaks(s.Without)
	last := map[string]int{} // by source and the fields that have to be the same
	pairs := 0
	var o outcome
	for _, i := range found {
		rec := e.records[i]
		key := rec.Source
		for _, k := range s.Same {
			v, _ := field(rec, k)
			key += "\x00" + v
		}
		prev, ok := last[key]
		last[key] = i
		if !ok || broken(breaks, prev, i) || e.restarted(prev, i) || !e.moves(s, prev, i) {
			continue
		}
		pairs++
		if pairs > 2 {
			continue
		}
		for n, j := range []int{prev, i} {
			r := e.records[j]
			o.evidence = append(o.evidence, Evidence{
				Source: r.Source, Line: r.Line, Text: recordText(r),
				Condition: "sequence: " + [2]string{"before, " + s.moves(), "after"}[n],
			})
		}
	}
	if pairs < s.AtLeast {
		return outcome{why: "no such two records in a row: " + s.String()}
	}
	o.truth, o.strong = Holds, true
	o.weight = 10 + 5*(len(s.Rises)+len(s.Falls))
	return o
}

func (e *evaluation) moves(s *sequence, a, b int) bool {
	ra, rb := e.records[a], e.records[b]
	if s.Within > 0 {
		d, ok, _ := e.apart(a, b)
		if !ok || d > s.Within {
			return false
		}
	}
	for _, k := range s.Rises {
		if va, vb, ok := numbers(ra, rb, k); !ok || vb <= va {
			return false
		}
	}
	for _, k := range s.Falls {
		if va, vb, ok := numbers(ra, rb, k); !ok || vb >= va {
			return false
		}
	}
	for _, k := range s.Differs {
		va, oka := field(ra, k)
		vb, okb := field(rb, k)
		if oka && okb && va == vb {
			return false
		}
	}
	return true
}

func numbers(a, b *parse.Record, key string) (va, vb float64, ok bool) {
	sa, oka := field(a, key)
	sb, okb := field(b, key)
	if !oka || !okb {
		return 0, 0, false
	}
	va, erra := strconv.ParseFloat(sa, 64)
	vb, errb := strconv.ParseFloat(sb, 64)
	return va, vb, erra == nil && errb == nil
}
