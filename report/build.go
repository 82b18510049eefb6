package report

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
)

// Build makes the document of a capture and of what the knowledge base says about it. A nil
// result is one that knows nothing.
func Build(capture *parse.Capture, result *signatures.Result, tool Tool) *Document {
	if capture == nil {
		capture = &parse.Capture{}
	}
	if result == nil {
		result = &signatures.Result{}
	}
	d := &Document{Schema: Schema, Tool: tool, Redactions: []Redaction{}}
	d.Sources = list(capture.Sources, source)
	d.Findings = list(result.Findings, match)
	d.Incidents = list(capture.Incidents, func(inc *parse.Incident) *Incident {
		i := incident(inc)
		i.Matches = list(result.ByIncident[inc], match)
		i.Considered = result.Considered[inc]
		if f := result.Families[inc]; f != nil {
			i.Family = &Family{ID: f.ID, Meaning: f.Meaning, Owner: f.Owner, NextStep: f.NextStep}
		}
		return i
	})
	d.Facts = facts(&capture.Facts, deciding(d))
	d.Logs = logs(&capture.Logs)
	d.Verdict = verdict(d)
	makeValid(reflect.ValueOf(d))
	return d
}

// verdict is the strongest of all incidents and findings.
func verdict(d *Document) string {
	v := VerdictNone
	if slices.ContainsFunc(d.Findings, (*Match).proven) {
		v = VerdictKnown
	}
	for _, i := range d.Incidents {
		v = stronger(v, i.Verdict())
	}
	return v
}

func stronger(a, b string) string {
	order := []string{VerdictKnown, VerdictFamily, VerdictUnknown, VerdictNone}
	if slices.Index(order, b) < slices.Index(order, a) {
		return b
	}
	return a
}

// Verdict is the verdict on one incident. Candidates alone decide nothing: their message fits
// many bugs.
func (i *Incident) Verdict() string {
	switch {
	case slices.ContainsFunc(i.Matches, (*Match).proven):
		return VerdictKnown
	case i.Family != nil:
		return VerdictFamily
	case i.Kind == string(parse.KindGoroutineDump), i.Kind == string(parse.KindGoroutineProfile):
		return VerdictNone // goroutines without a reason are no crash
	}
	return VerdictUnknown
}

func (m *Match) proven() bool { return m.Status != string(signatures.Candidate) }

// MayHaveDied says whether the process died of the incident. Where the input does not tell, the
// kind decides: what kills a process unless somebody steps in is taken for a death.
func (i *Incident) MayHaveDied() bool {
	if i.Died != nil {
		return *i.Died
	}
	switch parse.Kind(i.Kind) {
	case parse.KindRace, parse.KindRecoveredPanic, parse.KindGoroutineDump, parse.KindGoroutineProfile:
		return false
	}
	return true
}

// deciding is the match that the document's verdict rests on, or nil.
func deciding(d *Document) *Match {
	for _, i := range d.Incidents {
		for _, m := range i.Matches {
			if m.proven() {
				return m
			}
		}
	}
	for _, m := range d.Findings {
		if m.proven() {
			return m
		}
	}
	return nil
}

// list maps a slice to one that is never nil.
func list[A, B any](in []A, f func(A) B) []B {
	out := make([]B, 0, len(in))
	for _, a := range in {
		out = append(out, f(a))
	}
	return out
}

func same[A any](a A) A { return a }

func source(s *parse.Source) *Source {
	out := &Source{Name: s.Name, Wrapper: s.Wrapper, Bytes: s.Bytes, Lines: s.Lines}
	if s.Err != nil {
		out.Error = s.Err.Error()
	}
	out.Problems = list(s.Problems, func(p parse.Problem) Problem { return Problem(p) })
	return out
}

func incident(i *parse.Incident) *Incident {
	out := &Incident{
		Kind: string(i.Kind), Headline: i.Headline, HeadlineLine: i.HeadlineLine,
		Reason: i.Reason, Value: i.Value, Signal: i.Signal, Chain: list(i.Chain, same),
		Died: tri(i.Died), Source: i.Source, Line: i.Line, EndLine: i.EndLine,
		Count: max(i.Count, 1), FirstTime: clock(i.FirstTime), LastTime: clock(i.LastTime),
		Goroutines: i.Goroutines, Truncated: i.Truncated, Dropped: i.Dropped,
		Fingerprint: i.Fingerprint, Blame: framePtr(i.Blame), CreatedBy: framePtr(i.CreatedBy),
		Stack: list(i.Stack, frame), RunningTests: list(i.RunningTests, same),
		Buckets: list(i.Buckets, bucket),
	}
	if i.HasGoroutine {
		id := i.Goroutine
		out.Goroutine = &id
	}
	out.Races = list(i.Races, func(r parse.RaceAccess) Race {
		return Race{Title: r.Title, Line: r.Line, Stack: list(r.Stack, frame)}
	})
	out.Context = list(i.Context, func(c parse.ContextLine) Context {
		out := Context{Line: c.Line, Text: c.Text}
		if r := c.Record; r != nil {
			out.Clock, out.Level, out.Module, out.Message, out.Error = r.Clock, r.Level, r.Module, r.Message, r.Error
		}
		return out
	})
	return out
}

func frame(f parse.Frame) Frame {
	return Frame{
		Function: f.Function, Args: f.Args, File: f.File, Line: f.Line, Module: f.Module,
		Version: f.Version, Std: f.Std, SourceLine: f.SourceLine, Goroutine: f.Goroutine,
	}
}

func framePtr(f *parse.Frame) *Frame {
	if f == nil {
		return nil
	}
	out := frame(*f)
	return &out
}

func bucket(b *parse.Bucket) *Bucket {
	out := &Bucket{
		ID: b.ID, Count: b.Count, State: b.State, Locked: b.Locked, Leaked: b.Leaked, Durable: b.Durable,
		Frames: list(b.Frames, frame), Elided: b.Elided, CreatedBy: framePtr(b.CreatedBy),
		GoroutineIDs: list(b.IDs, same), Labels: list(b.Labels, same), Crashed: b.Crashed, Line: b.Line,
	}
	if b.HasWait {
		out.WaitMinutes = &Wait{Min: b.MinWait, Max: b.MaxWait}
	}
	return out
}

func match(m signatures.Match) *Match {
	s := m.Signature
	out := &Match{
		ID: s.ID, Aliases: list(s.Aliases, same), Title: s.Title, Status: string(m.Status),
		Confidence: string(m.Confidence), Project: s.Project, Product: s.Product, Owner: s.Owner, RootCause: s.RootCause,
		Workaround: s.Workaround, Issue: s.Issue, RunningVersion: m.RunningVersion, How: m.How,
		Affected: s.Affected.Text, Missing: list(m.Missing, same), Collect: list(m.Collect, same),
		Sources: list(s.Sources, same),
	}
	out.Fix = Fix{
		URL: s.Fix.URL, State: string(s.Fix.State), Release: s.Fix.Release, AsOf: s.Fix.AsOf, Note: s.Fix.Note,
		FixedIn: list(s.Fix.FixedIn, func(f signatures.FixedIn) FixedIn {
			return FixedIn{Module: f.Module, Line: f.Line, Version: f.Version}
		}),
	}
	out.UpgradeTo = upgradeTo(&m)
	out.Fix.State = cmp.Or(out.Fix.State, string(signatures.FixNoneKnown))
	out.Confidence = cmp.Or(out.Confidence, string(signatures.Low)) // unsaid is unsure
	out.Evidence = list(m.Evidence, func(e signatures.Evidence) Evidence { return Evidence(e) })
	return out
}

func facts(f *parse.Facts, by *Match) Facts {
	out := Facts{
		Products:   list(f.Products, product),
		Modules:    list(f.Modules, func(m parse.Module) Module { return Module(m) }),
		Exits:      list(f.Exits, exit),
		Goroutines: list(f.Goroutines, fact),
	}
	slices.SortStableFunc(out.Modules, func(a, b Module) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Version, b.Version))
	})
	if len(out.Exits) > 0 {
		out.Exit = &out.Exits[0]
	}
	if i := runningProduct(out.Products, by); i >= 0 {
		out.Product = &out.Products[i]
	}
	out.GoVersion = nearest(list(f.Go, fact), out.Product)
	if v := nearest(list(f.OS, fact), out.Product); v != nil {
		out.OS = v.Value
	}
	if v := nearest(list(f.Arch, fact), out.Product); v != nil {
		out.Arch = v.Value
	}
	return out
}

// runningProduct chooses the product to show: the one whose version decided the verdict, else
// the one that the decided bug belongs to, else the first that has a version.
func runningProduct(all []Product, by *Match) int {
	first := func(ok func(*Product) bool) int {
		for i := range all {
			if ok(&all[i]) {
				return i
			}
		}
		return -1
	}
	if by != nil {
		name, version, _ := strings.Cut(by.RunningVersion, " ")
		if i := first(func(p *Product) bool {
			return p.Name == name && p.Version != "" && strings.HasPrefix(version, p.Version)
		}); i >= 0 {
			return i
		}
		if i := first(func(p *Product) bool { return p.Name == by.Product && p.Version != "" }); i >= 0 {
			return i
		}
	}
	if i := first(func(p *Product) bool { return p.Version != "" }); i >= 0 {
		return i
	}
	return first(func(*Product) bool { return true })
}

// nearest is the fact that follows p in p's source most closely, as in one block of "consul
// info"; without such a fact it is the first of all.
func nearest(all []Fact, p *Product) *Fact {
	if len(all) == 0 {
		return nil
	}
	best := 0
	if p != nil {
		distance := -1
		for i, f := range all {
			if f.Source != p.Source || f.Line < p.Line {
				continue
			}
			if d := f.Line - p.Line; distance < 0 || d < distance {
				best, distance = i, d
			}
		}
	}
	return &all[best]
}

func fact(f parse.Fact) Fact { return Fact(f) }

func product(p parse.Product) Product {
	v := p.Version
	if p.Prerelease != "" && !strings.Contains(v, "-") {
		v += "-" + p.Prerelease
	}
	return Product{
		Name: p.Name, Version: v, Edition: p.Edition, Metadata: p.Metadata, Revision: p.Revision,
		Role: p.Role, How: p.How, Source: p.Source, Line: p.Line,
	}
}

func exit(e parse.Exit) Exit {
	out := Exit{Signal: e.Signal, OOMKilled: e.OOMKilled, Text: e.Text, Source: e.Source, Line: e.Line}
	if e.Code >= 0 {
		code := e.Code
		out.Code = &code
	}
	return out
}

func logs(l *parse.Logs) Logs {
	out := Logs{
		Records: l.Records, ByLevel: map[string]int{}, FirstTime: clock(l.First), LastTime: clock(l.Last),
		Restarts: list(l.Restarts, fact),
	}
	for level, n := range l.ByLevel {
		out.ByLevel[level] = n
	}
	out.Buckets = list(l.Buckets, func(b parse.LogBucket) LogBucket {
		return LogBucket{
			Level: b.Level, Module: b.Module, Message: b.Message, Count: b.Count,
			First: clock(b.First), Last: clock(b.Last), Source: b.Source, Line: b.Line, Example: b.Example,
		}
	})
	return out
}

func tri(t parse.Tri) *bool {
	switch t {
	case parse.Yes:
		yes := true
		return &yes
	case parse.No:
		no := false
		return &no
	}
	return nil
}

// clock keeps the zone that the input gave. A time that RFC 3339 cannot hold is no time.
func clock(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	if _, err := t.MarshalText(); err != nil {
		return nil
	}
	return &t
}
