package report

import (
	"fmt"
	"strings"
)

// known is the verdict on a documented bug.
func (p *page) known(d *Document, it item, m *Match) {
	p.head(p.st.alarm, it.title()+" · "+m.Confidence+" confidence", m.ID)
	p.text(p.st.strong, m.Title)
	if w := warning(m); w != "" {
		p.text(p.st.warn, w)
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
	p.head(st, incidentTitle(i, nil), i.Fingerprint)
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
	if owner := blamedOwner(i); owner != "" {
		p.row("owner", style{}, owner, "")
	}
	p.running(d, nil, i.Blame)
	p.damage(i)
	if nearest := nearestWords(d, i); nearest != "" {
		p.row("nearest", style{}, nearest, "")
	}
	if words := reportWords(i); words != "" {
		p.row("report", style{}, words, "")
	}
	p.candidates(i)
}

// died says what was printed, where, how often, and what goes with it.
func (p *page) died(i *Incident) {
	label, text := headlineWords(i)
	p.row(label, p.st.strong, text, p.place(i.Source, firstLine(i.HeadlineLine, i.Line)))
	if on := wentOn(i); on != "" {
		p.row("", style{}, on, "")
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
	if seen := seenWords(i); seen != "" {
		p.row("seen", p.st.warn, seen, "")
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
	p.parts("running", runningWords(d, m, blame, p.place))
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
		p.item(label, "–", p.st.faint, missingWords(missing), "")
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
			p.row(label, style{}, fitsWords(m), "")
			label = ""
		}
	}
}

// damage says what is known to be missing from the dump.
func (p *page) damage(i *Incident) {
	if i.Truncated != "" {
		p.row("damaged", p.st.warn, i.Truncated, "")
	}
	if dropped := droppedWords(i); dropped != "" {
		p.row("", p.st.faint, dropped, "")
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
