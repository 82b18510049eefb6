package signatures

import (
	"slices"
	"sort"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// fittingKinds says which incidents can show a kind of bug. A crash never shows a leak or a
// deadlock, and the other way round: stacks that a bug has in common with healthy programs
// would say so of everything.
var fittingKinds = map[string][]parse.Kind{
	"panic":     {parse.KindPanic, parse.KindRecoveredPanic, parse.KindLogFatal},
	"fatal":     {parse.KindFatal, parse.KindThrow},
	"throw":     {parse.KindFatal, parse.KindThrow},
	"signal":    {parse.KindSignal},
	"race":      {parse.KindRace},
	"recovered": {parse.KindRecoveredPanic, parse.KindLogFatal},
	"deadlock":  {parse.KindSignal, parse.KindGoroutineDump, parse.KindGoroutineProfile, parse.KindTestTimeout, parse.KindFatal},
	"leak":      {parse.KindSignal, parse.KindGoroutineDump, parse.KindGoroutineProfile, parse.KindTestTimeout},
	"oom":       {parse.KindFatal, parse.KindThrow},
}

// fits also knows that of the fatal errors only the runtime's own deadlock report is one.
func fits(kind string, inc *parse.Incident) bool {
	if kind == "deadlock" && inc.Kind == parse.KindFatal {
		return strings.Contains(inc.Headline, "deadlock")
	}
	if inc.Kind == parse.KindGoroutineDump && headless(inc) && kind != "race" && slices.Contains(crashKinds, kind) {
		return true
	}
	return slices.Contains(fittingKinds[kind], inc.Kind)
}

var crashKinds = []string{"panic", "fatal", "throw", "signal", "recovered"}

// headless says whether an incident is the stack of one goroutine that lost the line above it: a
// crash, as far as can be told. Its frames still speak for themselves.
func headless(inc *parse.Incident) bool {
	if inc.Headline != "" || len(inc.Stack) == 0 {
		return false
	}
	return inc.Kind != parse.KindGoroutineDump || inc.Headless || !inc.HasGoroutine
}

// ownProof is the weight from which frames alone, without the message, make a match: one on top, or
// two in order.
const ownProof = 12

// findable says whether a kind of bug can be seen without an incident.
func findable(kind string) bool {
	switch kind {
	case "log", "leak", "deadlock", "oom", "recovered":
		return true
	}
	return false
}

// maxCandidates bounds a list that is meant to be read.
const maxCandidates = 5

// Match says which known bugs the capture shows, and what its runtime messages mean.
func (db *DB) Match(c *parse.Capture, o MatchOptions) *Result {
	res := &Result{
		ByIncident: map[*parse.Incident][]Match{},
		Families:   map[*parse.Incident]*Family{},
		Considered: map[*parse.Incident]int{},
	}
	in := newInput(c, o)
	found := map[string]bool{}
	res.Findings = db.findings(in)
	for _, m := range res.Findings {
		found[m.Signature.ID] = true
	}
	for _, inc := range c.Incidents {
		if f := db.familyOf(inc); f != nil {
			res.Families[inc] = f
		}
		matches, considered := db.incident(in, inc, found)
		res.Considered[inc] = considered
		if len(matches) > 0 {
			res.ByIncident[inc] = matches
		}
	}
	return res
}

// scored is a match on its way to its rank.
type scored struct {
	Match
	weight   int
	reported bool // seen on this very version
}

// incident evaluates what can hold for one incident.
func (db *DB) incident(in *input, inc *parse.Incident, found map[string]bool) (_ []Match, considered int) {
	var list, candidates []scored
	for _, r := range db.near(in, inc) {
		if !fits(r.kind, inc) || found[r.id] {
			continue
		}
		considered++
		e := &evaluation{input: in, sig: r.signature(), inc: inc}
		m, ok := e.match()
		switch {
		case !ok:
		case m.Status == Candidate:
			candidates = append(candidates, m)
		default:
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		list = candidates
	}
	list = rank(list)
	if len(list) > 0 && list[0].Status == Candidate && len(list) > maxCandidates {
		list = list[:maxCandidates]
	}
	out := make([]Match, len(list))
	for i := range list {
		out[i] = list[i].Match
	}
	return out, considered
}

// near returns the signatures of which a word occurs in the incident, in order of id.
func (db *DB) near(in *input, inc *parse.Incident) []*ref {
	picked := map[*ref]bool{}
	pick := func(gate string) {
		for _, r := range db.index[gate] {
			picked[r] = true
		}
	}
	for _, pkg := range in.packages(inc) {
		pick("p" + pkg)
	}
	stack := len(inc.Stack) > 0 || len(inc.Buckets) > 0 || len(inc.Races) > 0
	text := inc.Headline + "\n" + inc.Value + "\n" + strings.Join(inc.Chain, "\n")
	for _, w := range db.contains {
		if w[0] == 'm' && strings.Contains(text, w[1:]) {
			pick(w)
		}
	}
	for _, r := range db.byLogs(in) {
		picked[r] = true
	}
	pick("a")
	if !stack || inc.Truncated != "" {
		// The frames are missing: what fits by its words, of the programs that the input names.
		for _, r := range db.refs {
			if len(r.words) > 0 && in.namesProduct(r.product) && containsOne(text, r.words) {
				picked[r] = true
			}
		}
	}
	list := make([]*ref, 0, len(picked))
	for r := range picked {
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].id < list[j].id })
	return list
}

// byLogs returns the signatures of which the logs, the growth or the metrics hold a word.
func (db *DB) byLogs(in *input) []*ref {
	if in.picked {
		return in.byLogs
	}
	in.picked = true
	in.load()
	seen := map[*ref]bool{}
	pick := func(gate string) {
		for _, r := range db.index[gate] {
			if !seen[r] {
				seen[r] = true
				in.byLogs = append(in.byLogs, r)
			}
		}
	}
	if len(in.records) > 0 {
		pick("r")
		for message := range in.byText {
			pick("l" + message)
			for _, w := range db.contains {
				if w[0] == 'L' && strings.Contains(message, w[1:]) {
					pick(w)
				}
			}
		}
	}
	if len(in.c.Series) > 0 {
		pick("s")
	}
	for i := range in.c.Growth {
		for _, f := range in.c.Growth[i].Functions {
			if j := strings.LastIndex(f, "+0x"); j > 0 {
				f = f[:j]
			}
			pick("p" + in.name(&parse.Frame{Function: f}).pkg)
		}
	}
	sort.Slice(in.byLogs, func(i, j int) bool { return in.byLogs[i].id < in.byLogs[j].id })
	return in.byLogs
}

// findings evaluates what can hold without an incident.
func (db *DB) findings(in *input) []Match {
	var list, candidates []scored
	for _, r := range db.byLogs(in) {
		if !findable(r.kind) {
			continue
		}
		e := &evaluation{input: in, sig: r.signature()}
		m, ok := e.match()
		switch {
		case !ok:
		case m.Status == Candidate:
			candidates = append(candidates, m)
		default:
			list = append(list, m)
		}
	}
	if list = rank(list); len(list) == 0 {
		list = rank(candidates)
		list = list[:min(len(list), maxCandidates)]
	}
	out := make([]Match, 0, len(list))
	for i := range list {
		out = append(out, list[i].Match)
	}
	return out
}

// match evaluates the signature. A message alone, or one whose frames cannot be checked, makes a
// candidate, and only for the program that the input names.
func (e *evaluation) match() (scored, bool) {
	s := e.sig
	if s.match == nil {
		return scored{}, false
	}
	o := e.eval(s.match)
	if o.truth == DoesNotHold {
		return scored{}, false
	}
	m := scored{weight: o.weight, Match: Match{Signature: s, Confidence: s.Confidence, Evidence: o.evidence}}
	v := e.status()
	m.Status = v.status
	if v.running != nil && v.running.text != "" {
		m.RunningVersion, m.How = v.running.String(), v.running.how
		m.reported = slices.Contains(s.Affected.ReportedOn, v.running.text)
	}
	m.Missing = v.missing
	switch {
	case e.inc != nil && o.strong && headless(e.inc) && slices.Contains(crashKinds, s.Kind) && (o.truth == Holds || o.headless):
		if o.weight < ownProof {
			return scored{}, false
		}
		m.Confidence = Low
		m.Missing = append(m.Missing, "the headline is missing")
		m.Collect = unique(append(o.collect, collectHeadline))
	case o.truth == Holds && o.strong:
	case o.truth == CannotTell && o.soft && o.strong:
		m.Missing = append(m.Missing, o.why)
		m.Collect = o.collect
		if m.Status != FixedHere {
			m.Status = VersionUnknown
		}
	case e.inc == nil && o.truth == CannotTell && o.excerpt && v.status != FixedHere && !v.before:
		m.Status, m.Confidence = Candidate, Low
		m.Missing = append(m.Missing, o.why)
		m.Collect = unique(o.collect)
	case e.candidate(o, v):
		m.Status, m.Confidence = Candidate, Low
		m.Missing = append(m.Missing, "frames: "+orWord(o.why, "the entry knows none"))
		m.Collect = unique(o.collect)
		if len(m.Collect) == 0 {
			m.Collect = []string{collectStack}
		}
	default:
		return scored{}, false
	}
	if v.before && m.Confidence != Low {
		m.Confidence = Low
	}
	for _, c := range s.optional {
		x := e.eval(c)
		if x.truth == Holds {
			m.Evidence = append(m.Evidence, x.evidence...)
			m.weight++
			continue
		}
		m.Missing = append(m.Missing, c.String())
	}
	return m, true
}

// candidate says whether a signature whose frames could not be checked may be named at all.
func (e *evaluation) candidate(o outcome, v verdict) bool {
	if !o.worded || e.inc == nil || v.status == FixedHere || v.before {
		return false
	}
	stack := len(e.inc.Stack) > 0 || len(e.inc.Buckets) > 0 || len(e.inc.Races) > 0
	switch {
	case o.truth == Holds && !o.strong:
		// It knows no frames. A stack that is there was looked at by the entries that do.
		return !stack && e.namesProduct(e.sig.Product)
	case o.truth == CannotTell && !o.soft:
		return e.namesProduct(e.sig.Product) || stack && e.hasModule()
	}
	return false
}

func orWord(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// namesProduct says whether the input, or the user, names the product.
func (in *input) namesProduct(product string) bool {
	if _, _, ok := in.told(product); ok {
		return true
	}
	for i := range in.c.Facts.Products {
		if strings.EqualFold(in.c.Facts.Products[i].Name, product) {
			return true
		}
	}
	return false
}

// packages returns the import paths of an incident's frames.
func (in *input) packages(inc *parse.Incident) []string {
	seen := map[string]bool{}
	var list []string
	add := func(n name) {
		if !seen[n.pkg] {
			seen[n.pkg] = true
			list = append(list, n.pkg)
		}
	}
	stack := func(frames []parse.Frame, creator *parse.Frame) {
		for _, n := range in.stack(frames) {
			add(n)
		}
		if creator != nil {
			add(in.name(creator))
		}
	}
	stack(inc.Stack, inc.CreatedBy)
	for _, b := range inc.Buckets {
		stack(b.Frames, b.CreatedBy)
	}
	for _, r := range inc.Races {
		stack(r.Stack, nil)
	}
	return list
}

// rank drops what others supersede or say better, and sorts: the most specific first.
func rank(list []scored) []scored {
	gone := map[string]bool{}
	for _, m := range list {
		for _, id := range m.Signature.Supersedes {
			gone[id] = true
		}
	}
	// Those that are superseded go first: what they say better than others is not said any more.
	list = slices.DeleteFunc(list, func(m scored) bool { return gone[m.Signature.ID] })
	var kept []scored
	for i, m := range list {
		if m.Status != Candidate && less(list, i) {
			continue
		}
		kept = append(kept, m)
	}
	sort.SliceStable(kept, func(i, j int) bool {
		a, b := kept[i], kept[j]
		if (a.Status == Candidate) != (b.Status == Candidate) {
			return b.Status == Candidate
		}
		if a.reported != b.reported && a.Status == Candidate {
			return a.reported
		}
		if a.weight != b.weight {
			return a.weight > b.weight
		}
		if la, lb := citedLine(a), citedLine(b); a.Status == Candidate && la != lb {
			return la < lb // what the excerpt shows first
		}
		if ra, rb := statusRank(a.Status), statusRank(b.Status); ra != rb {
			return ra < rb
		}
		if a.Confidence != b.Confidence {
			return confidenceRank(a.Confidence) < confidenceRank(b.Confidence)
		}
		return a.Signature.ID < b.Signature.ID
	})
	return kept
}

// less says whether another match explains everything that this one does, and more.
func less(list []scored, i int) bool {
	for j := range list {
		if j == i || list[j].weight <= list[i].weight || list[j].Status == Candidate {
			continue
		}
		if covers(list[j].Evidence, list[i].Evidence) {
			return true
		}
	}
	return false
}

func covers(a, b []Evidence) bool {
	for _, x := range b {
		if !slices.ContainsFunc(a, func(y Evidence) bool { return x.Source == y.Source && x.Line == y.Line && x.Text == y.Text }) {
			return false
		}
	}
	return true
}

// citedLine is the line of the first evidence.
func citedLine(m scored) int {
	if len(m.Evidence) == 0 {
		return 0
	}
	return m.Evidence[0].Line
}

func statusRank(s Status) int {
	return slices.Index([]Status{Affected, FixedHere, VersionUnknown, BeyondEvidence, Candidate}, s)
}

func confidenceRank(c Confidence) int { return slices.Index([]Confidence{High, Medium, Low}, c) }
