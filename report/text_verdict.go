package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// title names an incident in a few words: the verdict, or what kind of thing it is.
func (p *page) title(i *Incident, m *Match) string {
	if m != nil {
		return "KNOWN BUG · " + m.Status
	}
	family := ""
	if i.Family != nil {
		family = " · " + strings.ReplaceAll(i.Family.ID, "-", " ")
	}
	switch parse.Kind(i.Kind) {
	case parse.KindRace:
		return "DATA RACE"
	case parse.KindTestTimeout:
		return "TEST TIMEOUT"
	case parse.KindRecoveredPanic:
		return "RECOVERED PANIC" + family
	case parse.KindGoroutineDump:
		return "GOROUTINE DUMP · no crash"
	case parse.KindGoroutineProfile:
		return "GOROUTINE PROFILE · no crash"
	case parse.KindLogFatal:
		return "FATAL LOG LINE" + family
	case parse.KindSignal:
		if strings.HasPrefix(i.Headline, "SIGQUIT") {
			return "SIGQUIT DUMP"
		}
	}
	return "UNKNOWN CRASH" + family
}

func findingTitle(m *Match) string {
	if !m.proven() {
		return "CANDIDATE IN THE LOGS"
	}
	return "KNOWN BUG IN THE LOGS · " + m.Status
}

// known is the verdict on a documented bug.
func (p *page) known(d *Document, it item, m *Match) {
	title := ""
	if it.inc != nil {
		title = p.title(it.inc, m)
	} else {
		title = findingTitle(m)
	}
	p.head(p.st.alarm, title+" · "+m.Confidence+" confidence", m.ID)
	p.text(p.st.strong, m.Title)
	if words, ok := statusWords[m.Status]; ok {
		p.text(p.st.warn, fmt.Sprintf(words, firstOf(m.RunningVersion, "This version")))
	}
	p.blank()
	if it.inc != nil {
		p.died(it.inc)
	}
	var blame *Frame
	if it.inc != nil {
		blame = it.inc.Blame
	}
	p.running(d, m, blame)
	p.fix(m)
	p.steps("do now", doNow(m))
	p.row("owner", style{}, firstOf(m.Owner, m.Project), "")
	headline := ""
	if it.inc != nil {
		headline = it.inc.Headline
	}
	p.because(m, headline)
	p.row("cause", p.st.faint, m.RootCause, "")
	if it.inc != nil {
		p.damage(it.inc)
	}
}

// unknown is the verdict on a crash without a documented bug, and on what is no crash.
func (p *page) unknown(d *Document, i *Incident) {
	st := p.st.warn
	if i.Verdict() == VerdictNone {
		st = p.st.strong
	}
	p.head(st, p.title(i, nil), i.Fingerprint)
	p.blank()
	p.died(i)
	if b := i.Blame; b != nil {
		p.row("blame", p.st.own, shortFunction(b.Function), Escape(fileLine(b)))
	}
	if likely := likely(i); likely != "" {
		p.row("likely", style{}, likely, "")
	}
	if f := i.Family; f != nil {
		p.row("means", style{}, f.Meaning, "")
	}
	p.steps("do now", unknownSteps(i))
	if b := i.Blame; b != nil {
		if repo := repository(packagePath(b.Function)); repo != "" {
			p.row("owner", style{}, repo+" (from the blamed frame's import path)", "")
		} else if i.Family != nil {
			p.row("owner", style{}, ownerWords[i.Family.Owner], "")
		}
	}
	p.running(d, nil, i.Blame)
	p.damage(i)
	p.nearest(d, i)
	p.report(i)
	p.candidates(i)
}

// died says what was printed, where, how often, and what goes with it.
func (p *page) died(i *Incident) {
	label, st := "died", p.st.strong
	switch {
	case i.Kind == string(parse.KindRecoveredPanic) && !i.MayHaveDied():
		label = "recovered"
	case !i.MayHaveDied():
		label = "printed"
	}
	place := p.place(i.Source, firstLine(i.HeadlineLine, i.Line))
	switch {
	case i.Headline != "":
		p.row(label, st, i.Headline, place)
	case i.Died != nil && *i.Died:
		p.row(label, st, "a "+strings.ReplaceAll(i.Kind, "-", " ")+" whose headline is not in this input", place)
	case i.Goroutines > 0:
		p.row("printed", st, "goroutines without a reason: somebody asked for them, or the headline is not in this input", place)
	default:
		p.row("printed", st, strings.ReplaceAll(i.Kind, "-", " "), place)
	}
	if i.Kind == string(parse.KindRecoveredPanic) && i.Died != nil && !*i.Died {
		p.row("", style{}, "the process went on", "")
	}
	if i.Value != "" {
		p.lines("", strings.Split(i.Value, "\n"), 6)
	}
	if len(i.Chain) > 1 {
		p.lines("panics", i.Chain, 6)
	}
	if i.Signal != "" {
		p.row("", p.st.faint, i.Signal, "")
	}
	if i.Count > 1 {
		p.row("seen", p.st.warn, strings.TrimSuffix(fmt.Sprintf("%s times, %s", number(i.Count), between(i.FirstTime, i.LastTime)), ", "), "")
	}
	if len(i.RunningTests) > 0 {
		p.lines("tests", i.RunningTests, 8)
	}
}

// lines writes several lines beside one label, each cut to the width, capped unless all is wanted.
func (p *page) lines(label string, lines []string, limit int) {
	for n, l := range lines {
		if n == limit && !p.verbose {
			p.row(label, p.st.faint, fmt.Sprintf("… %s more lines, -v for all", number(len(lines)-n)), "")
			return
		}
		p.row(label, style{}, Cut(Escape(l), p.width-textAt), "")
		label = ""
	}
}

// running says what ran, and how that is known.
func (p *page) running(d *Document, m *Match, blame *Frame) {
	var parts []string
	f := d.Facts
	if len(d.Sources) > 1 && (f.Product == nil || m == nil || !strings.HasPrefix(m.RunningVersion, f.Product.Name+" ")) {
		// What another file says may be of another machine.
		f.Product, f.GoVersion, f.OS, f.Arch = nil, nil, "", ""
	}
	if f.Product != nil && f.Product.Version != "" {
		v := f.Product.Name + " " + f.Product.Version
		if f.Product.Edition != "" && !strings.Contains(v, "+") {
			v += "+" + f.Product.Edition
		}
		from := p.place(f.Product.Source, f.Product.Line)
		if from == "" {
			from = f.Product.How
		}
		parts = append(parts, v+" ("+from+")")
	} else if m != nil && m.RunningVersion != "" {
		parts = append(parts, m.RunningVersion+" ("+firstOf(m.How, "from the input")+")")
	} else if m != nil {
		parts = append(parts, fmt.Sprintf("no version in this input; --product-version %s=VERSION decides", firstOf(m.Product, m.Project)))
	}
	if f.GoVersion != nil {
		parts = append(parts, f.GoVersion.Value)
	}
	if f.OS != "" || f.Arch != "" {
		parts = append(parts, strings.Trim(f.OS+"/"+f.Arch, "/"))
	}
	if m != nil && f.Product != nil && m.RunningVersion != "" && !strings.HasPrefix(m.RunningVersion, f.Product.Name+" ") {
		name, v, _ := strings.Cut(m.RunningVersion, " ")
		parts = append(parts, lastElement(name)+" "+v)
	}
	if module := moduleWords(blame); module != "" && !slices.Contains(parts, module) {
		parts = append(parts, module)
	}
	p.parts("running", parts)
}

// moduleWords is the blamed frame's module as people name it: "go-memdb v1.3.4".
func moduleWords(f *Frame) string {
	if f == nil || f.Version == "" || f.Module == "" {
		return ""
	}
	return lastElement(f.Module) + " " + f.Version
}

// lastElement is the last element of a module path that is no major version.
func lastElement(path string) string {
	elems := strings.Split(path, "/")
	if n := len(elems); n > 1 && isMajor(elems[n-1]) {
		return elems[n-2]
	}
	return elems[len(elems)-1]
}

// evidenceShown is how many conditions are listed without -v.
const evidenceShown = 6

// because lists the conditions that held, each with its line, and those that did not.
func (p *page) because(m *Match, headline string) {
	label := "because"
	for n, e := range m.Evidence {
		if n == evidenceShown && !p.verbose {
			p.item(label, "…", p.st.faint, fmt.Sprintf("%s more, -v for all", number(len(m.Evidence)-n)), "")
			break
		}
		p.item(label, p.st.good.on("✓"), style{}, conditionWords(e.Condition, headline), p.place(e.Source, e.Line))
		if p.verbose && e.Text != "" {
			p.item("", " ", p.st.faint, Cut(Escape(e.Text), 4*p.width), "")
		}
		label = ""
	}
	for n, missing := range m.Missing {
		if n == 3 && !p.verbose {
			break
		}
		p.item(label, "–", p.st.faint, "not seen: "+shortNames(missing), "")
		label = ""
	}
}

// alsoFits names the weaker matches beside the one that decided.
func (p *page) alsoFits(it item) {
	best := it.best()
	if best == nil {
		return
	}
	label := "also fits"
	for _, m := range it.inc.Matches {
		if m != best && (m.proven() || p.verbose) {
			p.row(label, style{}, fmt.Sprintf("%s (%s): %s", m.ID, m.Status, m.Title), "")
			label = ""
		}
	}
}

// damage says what is known to be missing from the dump.
func (p *page) damage(i *Incident) {
	if i.Truncated != "" {
		p.row("damaged", p.st.warn, i.Truncated, "")
	}
	if i.Dropped > 0 {
		p.row("", p.st.faint, count(i.Dropped, "foreign line was", "foreign lines were")+" left out of the stacks", "")
	}
}

// conditionWords is a condition without what stands above already, with short function names.
func conditionWords(condition, headline string) string {
	if text, ok := strings.CutPrefix(condition, "message: "); ok && headline != "" && strings.Contains(headline, text) {
		return "the message"
	}
	return shortNames(condition)
}

func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

func firstLine(a, b int) int {
	if a > 0 {
		return a
	}
	return b
}
