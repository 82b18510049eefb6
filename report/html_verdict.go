package report

import (
	"strings"
)

// verdictView is the answer on one incident or finding.
type verdictView struct {
	ID    string
	Level int
	// Class colours it: known, family, unknown, none, maybe.
	Class   string
	Pills   []string
	Name    string // the signature, or the fingerprint
	Text    string // the bug's title, or what was printed
	Printed bool   // Text is what was printed
	Place   string
	Warning string
	Rows    []*rowView
	Steps   []string
	More    []*rowView
	// Candidates print the same message, which proves nothing.
	CandidatesTitle string
	Candidates      []*candidateView
	Also            []string
	AlsoTitle       string
}

type candidateView struct {
	ID, Title, Fix, URL string
}

// rowView is a label with one or several lines beside it.
type rowView struct {
	Label  string
	Lines  []lineView
	Inline bool // short enough to stand beside each other
}

// lineView is a text with what stands beside it.
type lineView struct {
	Mark, Text, Place string
	Class             string
	URL               string // where the text links to
}

func (v *verdictView) row(label string, lines ...lineView) {
	v.Rows = appendRow(v.Rows, label, lines)
}

func (v *verdictView) more(label string, lines ...lineView) {
	v.More = appendRow(v.More, label, lines)
}

// appendRow leaves out lines without text and place, and rows without lines.
func appendRow(rows []*rowView, label string, lines []lineView) []*rowView {
	var kept []lineView
	for _, l := range lines {
		if l.Text != "" || l.Place != "" {
			kept = append(kept, l)
		}
	}
	if len(kept) == 0 {
		return rows
	}
	return append(rows, &rowView{Label: label, Lines: kept})
}

// nothing is the verdict on an input without a crash.
func (p *htmlPage) nothing() *verdictView {
	v := &verdictView{ID: "i1", Level: 1, Class: VerdictNone, Pills: []string{"NO CRASH"}, Text: noCrash(p.d)}
	if n := len(p.d.Logs.Restarts); n > 0 {
		r := p.d.Logs.Restarts[n-1]
		v.row("restart", lineView{Text: restartWords, Class: "warn", Place: p.place(r.Source, r.Line)})
	}
	p.exits(v)
	p.unread(v)
	return v
}

// verdict is the answer on one group; the views below it show what the answer rests on.
func (p *htmlPage) verdict(g *group, id string, level int) *verdictView {
	it, m := g.it, g.it.best()
	v := &verdictView{ID: id, Level: level, Class: verdictWord(it), Pills: strings.Split(it.title(), " · ")}
	if it.inc != nil {
		v.Name = it.inc.Fingerprint
		v.Place = p.place(it.inc.Source, firstLine(it.inc.HeadlineLine, it.inc.Line))
	} else if e := it.finding.Evidence; len(e) > 0 {
		v.Place = p.place(e[0].Source, e[0].Line)
	}
	switch {
	case m != nil:
		p.known(v, it, m)
	case it.inc != nil:
		p.unknown(v, it.inc)
	default:
		p.candidateFinding(v, it.finding)
	}
	if it.inc != nil {
		p.damage(v, it.inc)
	}
	p.sameElsewhere(v, g)
	if level == 1 {
		p.exits(v)
		p.unread(v)
	}
	return v
}

func (p *htmlPage) known(v *verdictView, it item, m *Match) {
	v.Pills = append(v.Pills, m.Confidence+" confidence")
	v.Name, v.Text, v.Warning = m.ID, m.Title, warning(m)
	headline := ""
	var blame *Frame
	if it.inc != nil {
		headline, blame = it.inc.Headline, it.inc.Blame
		label, text := headlineWords(it.inc)
		p.died(v, it.inc, label, lineView{Text: text, Class: "mono strong", Place: v.Place})
	}
	p.running(v, m, blame)
	p.fix(v, m)
	v.Steps = doNow(m)
	v.more("owner", lineView{Text: firstOf(m.Owner, m.Project)})
	v.more("because", p.because(m, headline)...)
	v.more("cause", lineView{Text: m.RootCause})
	if it.inc != nil {
		var fits []lineView
		for _, other := range it.inc.Matches {
			if other != m {
				fits = append(fits, lineView{Text: fitsWords(other)})
			}
		}
		v.more("also fits", fits...)
		v.more("fingerprint", lineView{Text: it.inc.Fingerprint, Class: "mono"})
	}
	var read []lineView
	for _, s := range append([]string{m.Issue}, m.Sources...) {
		if url := safeURL(s); url != "" && url != m.Fix.URL && (len(read) == 0 || read[0].URL != url) {
			read = append(read, lineView{Text: shortURL(url), URL: url})
		}
	}
	v.more("sources", read...)
	if len(read) > 0 {
		v.More[len(v.More)-1].Inline = true
	}
}

func (p *htmlPage) unknown(v *verdictView, i *Incident) {
	label, text := headlineWords(i)
	v.Text, v.Printed = text, i.Headline != ""
	p.died(v, i, label, lineView{Place: v.Place})
	if b := i.Blame; b != nil {
		v.row("blame", lineView{Text: shortFunction(b.Function), Class: "mono own", Place: fileLine(b)})
	}
	v.row("likely", lineView{Text: likely(i)})
	if i.Family != nil {
		v.row("means", lineView{Text: i.Family.Meaning})
	}
	v.Steps = unknownSteps(i)
	v.row("owner", lineView{Text: blamedOwner(i)})
	p.running(v, nil, i.Blame)
	v.more("nearest", lineView{Text: nearestWords(p.d, i)})
	if len(i.Matches) == 0 {
		return
	}
	v.CandidatesTitle = candidatesTitle(i)
	for _, m := range i.Matches {
		v.Candidates = append(v.Candidates, &candidateView{m.ID, m.Title, "fix: " + fixWords(m), safeURL(m.Fix.URL)})
	}
}

func (p *htmlPage) candidateFinding(v *verdictView, m *Match) {
	v.Name, v.Text = m.ID, m.Title
	p.running(v, m, nil)
	p.fix(v, m)
	v.Steps = candidateSteps(m)
	v.more("because", p.because(m, "")...)
}

// died is the row on what was printed, with everything that goes with it.
func (p *htmlPage) died(v *verdictView, i *Incident, label string, first lineView) {
	lines := []lineView{first, {Text: wentOn(i)}}
	if i.Value != "" {
		lines = append(lines, p.texts(strings.Split(i.Value, "\n"), 12, "mono")...)
	}
	lines = append(lines, lineView{Text: i.Signal, Class: "mono faint"})
	v.row(label, lines...)
	if len(i.Chain) > 1 {
		v.row("panics", p.texts(i.Chain, 12, "mono")...)
	}
	v.row("seen", lineView{Text: seenWords(i), Class: "warn"})
	v.row("tests", p.texts(i.RunningTests, 20, "mono")...)
}

// texts are lines of one look, capped unless everything is wanted.
func (p *htmlPage) texts(all []string, limit int, class string) []lineView {
	var out []lineView
	for n, text := range all {
		if n == limit && !p.verbose {
			return append(out, lineView{Text: "… " + number(len(all)-n) + " more lines, -v for all", Class: "faint"})
		}
		out = append(out, lineView{Text: text, Class: class})
	}
	return out
}

func (p *htmlPage) running(v *verdictView, m *Match, blame *Frame) {
	v.row("running", lineView{Text: strings.Join(runningWords(p.d, m, blame, p.place), " · ")})
}

func (p *htmlPage) fix(v *verdictView, m *Match) {
	lines := []lineView{{Text: fixWords(m), Class: "strong"}}
	if url := safeURL(m.Fix.URL); url != "" {
		lines = append(lines, lineView{Text: url, URL: url})
	}
	v.row("fix", append(lines, lineView{Text: m.Fix.Note, Class: "faint"})...)
}

// because lists the conditions that held, each with its line, and those that did not.
func (p *htmlPage) because(m *Match, headline string) []lineView {
	var out []lineView
	for _, e := range m.Evidence {
		out = append(out, lineView{Mark: "✓", Text: conditionWords(e.Condition, headline), Place: p.place(e.Source, e.Line)})
	}
	for _, missing := range m.Missing {
		out = append(out, lineView{Mark: "–", Text: missingWords(missing), Class: "faint"})
	}
	return out
}

func (p *htmlPage) damage(v *verdictView, i *Incident) {
	v.more("damaged", lineView{Text: i.Truncated, Class: "warn"}, lineView{Text: droppedWords(i), Class: "faint"})
}

// sameElsewhere names the other places of one crash.
func (p *htmlPage) sameElsewhere(v *verdictView, g *group) {
	if len(g.also()) == 0 {
		return
	}
	v.AlsoTitle = "the same crash in " + count(len(g.also()), "other place", "other places") + "; what is below is of the first"
	for _, i := range g.also() {
		text := p.place(i.Source, firstLine(i.HeadlineLine, i.Line))
		if i.Count > 1 {
			text += ", " + number(i.Count) + " times"
		}
		v.Also = append(v.Also, text)
	}
}

// exits says how processes ended, where something outside of them told.
func (p *htmlPage) exits(v *verdictView) {
	var lines []lineView
	exits := foldExits(p.d.Facts.Exits)
	for n, e := range exits {
		if n == 3 {
			lines = append(lines, lineView{Text: "… " + number(len(exits)-n) + " more, see the facts", Class: "faint"})
			break
		}
		lines = append(lines, lineView{Text: e.text(), Class: "warn", Place: p.place(e.Source, e.Line)})
	}
	v.row("exit", lines...)
}

// unread names what could not be read, which an answer must not hide.
func (p *htmlPage) unread(v *verdictView) {
	var lines []lineView
	for _, s := range p.d.Sources {
		if s.Error != "" {
			lines = append(lines, lineView{Text: errorWords(s), Class: "warn"})
		}
	}
	if len(lines) > 5 {
		lines = append(lines[:5:5], lineView{Text: "… " + number(len(lines)-5) + " more, see the sources", Class: "faint"})
	}
	v.row("not read", lines...)
}
