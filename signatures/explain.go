package signatures

import (
	"sort"

	"github.com/crashtriage/crashtriage/parse"
)

// Explanation is how one signature fared against one incident, or, for a nil incident,
// against the logs, growth and metrics.
type Explanation struct {
	Signature  *Signature
	Verdict    Truth  // of the conditions under match
	Status     Status // "" unless it is reported
	Held       int    // conditions that held, of Total
	Total      int
	Conditions []ConditionResult
}

// ConditionResult is one condition, with its place in the tree.
type ConditionResult struct {
	Depth     int    // 0 for the top
	Condition string // in words
	Optional  bool
	Group     bool // all, any or not: its parts follow with a greater depth
	Truth     Truth
	Evidence  []Evidence
	Why       string // why it does not hold, or what is missing
	Collect   string // what to collect when it cannot be told
}

// maxExplained bounds a list that is meant to be read.
const maxExplained = 10

// Explain returns the signatures nearest to the incident, best first, each with every
// condition. A nil incident asks about the logs, growth and metrics.
func (db *DB) Explain(c *parse.Capture, inc *parse.Incident, o MatchOptions) []Explanation {
	in := newInput(c, o)
	var refs []*ref
	if inc != nil {
		refs = db.near(in, inc)
	} else {
		for _, r := range db.byLogs(in) {
			if findable(r.kind) {
				refs = append(refs, r)
			}
		}
	}
	var list []Explanation
	for _, r := range refs {
		list = append(list, explain(in, r.signature(), inc))
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if (a.Status != "") != (b.Status != "") {
			return a.Status != ""
		}
		if a.Verdict != b.Verdict {
			return a.Verdict > b.Verdict
		}
		if x, y := a.Held*b.Total, b.Held*a.Total; x != y {
			return x > y
		}
		return a.Signature.ID < b.Signature.ID
	})
	if len(list) > maxExplained {
		list = list[:maxExplained]
	}
	return list
}

func explain(in *input, s *Signature, inc *parse.Incident) Explanation {
	x := Explanation{Signature: s}
	if inc != nil && !fits(s.Kind, inc) {
		x.Total = 1
		x.Conditions = []ConditionResult{{
			Condition: "kind: " + s.Kind, Why: "the incident is a " + string(inc.Kind),
		}}
		return x
	}
	e := &evaluation{input: in, sig: s, inc: inc, trace: &x.Conditions}
	x.Verdict = e.eval(s.match).truth
	required := len(x.Conditions)
	for _, c := range s.optional {
		e.eval(c)
	}
	for i := range x.Conditions {
		r := &x.Conditions[i]
		r.Optional = i >= required
		if r.Optional || r.Group {
			continue
		}
		x.Total++
		if r.Truth == Holds {
			x.Held++
		}
	}
	e.trace = nil
	if m, ok := e.match(); ok {
		x.Status = m.Status
	}
	return x
}
