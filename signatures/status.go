package signatures

import (
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/crashtriage/crashtriage/parse"
)

// running is a program or module that was running, and its version.
type running struct {
	name    string
	text    string // as printed
	v       *version.Version
	edition string
	how     string
	source  string
	line    int
}

func (r *running) String() string {
	s := r.name + " " + r.text
	if r.edition != "" && !strings.Contains(r.text, "+") {
		s += "+" + r.edition
	}
	return s
}

// running returns the version of a product. named says whether the input names any product
// at all. The user's word wins; then the last one said above the incident in its own source,
// because a log may hold several versions of a program that was upgraded.
func (e *evaluation) running(product string) (_ *running, named bool) {
	names := []string{product}
	if product == e.sig.Product {
		names = append(names, e.sig.Project)
	}
	if name, text, ok := e.told(names...); ok {
		return newRunning(name, text, "", "--product-version", "", 0), true
	}
	var best *parse.Product
	for i := range e.c.Facts.Products {
		p := &e.c.Facts.Products[i]
		named = true
		if !strings.EqualFold(p.Name, product) || p.Version == "" && best != nil {
			continue
		}
		if best == nil || e.nearer(p.Source, p.Line, best.Source, best.Line) || best.Version == "" {
			best = p
		}
	}
	if best == nil || !e.speaksOf(best.Source) && !e.agreed(best) {
		return nil, named || len(e.opts.ProductVersions) > 0
	}
	text := best.Version
	if best.Prerelease != "" && !strings.Contains(text, "-") {
		text += "-" + best.Prerelease
	}
	return newRunning(best.Name, text, best.Edition, best.How, best.Source, best.Line), true
}

// speaksOf says whether what a source tells of the program is told of the program that
// crashed: the incident's own source does, and the files of one archive do of each other. Two
// logs in one folder may be of two machines.
func (e *evaluation) speaksOf(source string) bool {
	if e.inc == nil || source == e.inc.Source || len(e.c.Sources) <= 1 || source == "" {
		return true
	}
	archive, _, ok := strings.Cut(source, "!/")
	own, _, ownOK := strings.Cut(e.inc.Source, "!/")
	return ok && ownOK && archive == own
}

// agreed says whether all sources that name the product name one version of it.
func (e *evaluation) agreed(p *parse.Product) bool {
	for i := range e.c.Facts.Products {
		if q := &e.c.Facts.Products[i]; q.Name == p.Name && q.Version != "" && (q.Version != p.Version || q.Edition != p.Edition) {
			return false
		}
	}
	return true
}

// nearer says whether the first place tells more about the incident than the second: the same
// source before others, then the nearest line above it, then the first below.
func (e *evaluation) nearer(source string, line int, thanSource string, thanLine int) bool {
	if e.inc == nil {
		return false // the first one named
	}
	own, thanOwn := source == e.inc.Source, thanSource == e.inc.Source
	if own != thanOwn {
		return own
	}
	if !own {
		return false
	}
	above, thanAbove := line <= e.inc.Line, thanLine <= e.inc.Line
	if above != thanAbove {
		return above
	}
	if above {
		return line > thanLine
	}
	return line < thanLine
}

func (e *evaluation) runningModule(path string) *running {
	want := canonicalModule(path)
	if _, text, ok := e.told(path); ok {
		return newRunning(path, text, "", "--product-version", "", 0)
	}
	if e.inc != nil { // the crash's own frames say it best
		if f := moduleFrame(e.inc, want); f != nil {
			return newRunning(f.Module, f.Version, "", "frame path", e.inc.Source, f.SourceLine)
		}
	}
	for i := range e.c.Facts.Modules {
		m := &e.c.Facts.Modules[i]
		if !e.speaksOf(m.Source) {
			continue
		}
		if m.Version != "" && canonicalModule(m.Path) == want {
			return newRunning(m.Path, m.Version, "", "frame path", m.Source, m.Line)
		}
	}
	return nil
}

// moduleFrame returns a frame of the incident that names the module's version.
func moduleFrame(inc *parse.Incident, module string) *parse.Frame {
	find := func(frames []parse.Frame) *parse.Frame {
		for i := range frames {
			if f := &frames[i]; f.Version != "" && canonicalModule(f.Module) == module {
				return f
			}
		}
		return nil
	}
	if f := find(inc.Stack); f != nil {
		return f
	}
	for _, b := range inc.Buckets {
		if f := find(b.Frames); f != nil {
			return f
		}
	}
	return nil
}

func (e *evaluation) runningGo() *running {
	if _, text, ok := e.told("go"); ok {
		return newRunning("go", text, "", "--product-version", "", 0)
	}
	if len(e.c.Facts.Go) == 0 {
		return nil
	}
	f := &e.c.Facts.Go[0]
	for i := range e.c.Facts.Go {
		if g := &e.c.Facts.Go[i]; e.nearer(g.Source, g.Line, f.Source, f.Line) {
			f = g
		}
	}
	if !e.speaksOf(f.Source) {
		return nil
	}
	return newRunning("go", strings.TrimPrefix(f.Value, "go"), "", f.How, f.Source, f.Line)
}

func newRunning(name, text, edition, how, source string, line int) *running {
	r := &running{name: name, text: text, edition: edition, how: how, source: source, line: line}
	r.v, _ = parseVersion(text)
	if r.v != nil && edition == "" && strings.HasPrefix(r.v.Metadata(), "ent") {
		r.edition = "ent"
	}
	return r
}

// told returns what the user said about a program, under its name or its project's.
func (in *input) told(names ...string) (name, text string, ok bool) {
	for _, want := range names {
		if text, ok := in.opts.ProductVersions[want]; ok {
			return want, text, true
		}
		for name, text := range in.opts.ProductVersions {
			if strings.EqualFold(name, want) {
				return name, text, true
			}
		}
	}
	return "", "", false
}

// subject returns the running version that a fixed_in list or the affected versions speak of.
// "go" is the toolchain, a name with a slash a module, everything else a product.
func (e *evaluation) subject(name string) *running {
	switch {
	case name == "go":
		return e.runningGo()
	case strings.Contains(name, "/"):
		return e.runningModule(name)
	}
	run, _ := e.running(name)
	return run
}

// verdict is what the versions say of a match.
type verdict struct {
	status  Status
	running *running
	missing []string
	// before says that the running version is older than the first that has the bug.
	before bool
}

// status compares the running versions with what is known of the fix. A module's version comes
// from the very frames of the crash, so it goes before the product's: a Consul built with a
// newer go-memdb has that library's fix whatever its own version is.
func (e *evaluation) status() verdict {
	s := e.sig
	var (
		modules []string
		byName  = map[string][]FixedIn{}
	)
	for _, f := range s.Fix.FixedIn {
		name := f.Module
		if name == "" {
			name = s.Product
		}
		if byName[name] == nil {
			modules = append(modules, name)
		}
		byName[name] = append(byName[name], f)
	}
	var known *verdict
	for _, wantModule := range []bool{true, false} {
		for _, name := range modules {
			if strings.Contains(name, "/") != wantModule {
				continue
			}
			run := e.subject(name)
			if run == nil || run.v == nil {
				continue
			}
			v := e.judge(run, byName[name])
			if v.status == FixedHere {
				return v
			}
			if known == nil || known.status == VersionUnknown {
				known = &v
			}
		}
	}
	if known != nil {
		return *known
	}
	run := e.subject(s.Product)
	if run == nil && s.Module != "" && s.Module != s.Product {
		run = e.runningModule(s.Module)
	}
	if run == nil || run.v == nil {
		return verdict{status: VersionUnknown, running: run}
	}
	if len(s.Fix.FixedIn) > 0 {
		// The list speaks of other programs only, and none of them is named in the input.
		return verdict{status: VersionUnknown, running: run, missing: []string{"the version of " + strings.Join(modules, ", ") + " decides, and is unknown"}}
	}
	return e.judge(run, nil)
}

func (e *evaluation) judge(run *running, fixed []FixedIn) verdict {
	s := e.sig
	v := verdict{status: Affected, running: run}
	if len(fixed) > 0 {
		switch has, known := hasFix(run.v, run.edition, fixed, s.Fix.NotFixed); {
		case !known:
			v.status = VersionUnknown
			v.missing = append(v.missing, run.String()+" is a build from the way to the release that has the fix")
			return v
		case has:
			v.status = FixedHere
			return v
		}
	}
	v.before = before(run, s.Affected.IntroducedIn)
	if v.before {
		v.missing = append(v.missing, "the sources know the bug only from "+s.Affected.IntroducedIn[0].Version+" on")
	}
	until := e.evidenceUntil()
	switch {
	case run.name != s.Product && !strings.EqualFold(run.name, s.Product):
	case until == nil && len(fixed) == 0:
		v.status = VersionUnknown
		v.missing = append(v.missing, "the sources name no versions to compare "+run.String()+" with")
	case until != nil && run.v.GreaterThan(until) && (len(fixed) == 0 || aboveAll(run.v, fixed)):
		v.status = BeyondEvidence
	}
	return v
}

// evidenceUntil is the newest version that the sources speak about.
func (e *evaluation) evidenceUntil() *version.Version {
	var newest *version.Version
	for _, s := range append([]string{e.sig.Affected.EvidenceUntil}, e.sig.Affected.ReportedOn...) {
		if s == "" {
			continue
		}
		if v, err := parseVersion(s); err == nil && (newest == nil || v.GreaterThan(newest)) {
			newest = v
		}
	}
	return newest
}

func aboveAll(v *version.Version, fixed []FixedIn) bool {
	for _, f := range fixed {
		if fv, err := parseVersion(f.Version); err == nil && !v.GreaterThan(fv) {
			return false
		}
	}
	return true
}

// before says whether a version is older than the first of its line, or of all, that has the bug.
func before(run *running, introduced []FixedIn) bool {
	var lowest *version.Version
	for _, f := range introduced {
		if f.Module != "" && !strings.EqualFold(f.Module, run.name) {
			continue
		}
		fv, err := parseVersion(f.Version)
		if err != nil {
			continue
		}
		if line, err := parseLine(f.Line); err == nil && onLine(run.v, line) {
			return run.v.LessThan(fv)
		}
		if lowest == nil || fv.LessThan(lowest) {
			lowest = fv
		}
	}
	return lowest != nil && run.v.LessThan(lowest)
}
