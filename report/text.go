package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// Text writes the document for somebody at a terminal: what died, whether it is known, what to do
// now, and below that what the answer rests on. The strongest incident is told whole, the others
// in a few lines each unless o.Verbose.
func Text(w io.Writer, d *Document, o Options) error {
	if o.Quiet {
		return Summary(w, d, o)
	}
	p := newPage(w, o)
	if len(d.Sources) == 1 {
		p.single = d.Sources[0].Name
	}
	items := ranked(d)
	if len(items) == 0 {
		p.nothing(d)
	}
	for i, it := range items {
		if i > 0 && !o.Verbose {
			p.others(items[i:])
			break
		}
		if i > 0 {
			p.blank()
			p.line(p.st.faint.on(strings.Repeat("─", p.width)))
		}
		p.whole(d, it)
	}
	p.footer(d, len(items) == 0)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// item is one thing to report: an incident, or a bug that the logs show.
type item struct {
	inc     *Incident
	finding *Match
}

// best is the match that speaks for the item; nil when there is none but candidates.
func (it item) best() *Match {
	if it.finding != nil {
		return it.finding
	}
	if i := slices.IndexFunc(it.inc.Matches, (*Match).proven); i >= 0 {
		return it.inc.Matches[i]
	}
	return nil
}

// ranked orders what there is to report by how much it matters: documented bugs first, deaths
// before what a process survived, dumps that somebody asked for last.
func ranked(d *Document) []item {
	var items []item
	for _, i := range d.Incidents {
		items = append(items, item{inc: i})
	}
	for _, m := range d.Findings {
		items = append(items, item{finding: m})
	}
	rank := func(it item) int {
		switch {
		case it.inc == nil && it.finding.proven():
			return 1
		case it.inc == nil:
			return 4
		case it.best() != nil && it.inc.MayHaveDied():
			return 0
		case it.best() != nil:
			return 2
		case it.inc.Kind == string(parse.KindGoroutineDump), it.inc.Kind == string(parse.KindGoroutineProfile):
			return 6
		case it.inc.MayHaveDied():
			return 3
		}
		return 5
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(rank(a), rank(b)) })
	return items
}

// nothing says that nothing was found, and in how much.
func (p *page) nothing(d *Document) {
	p.text(p.st.good, noCrash(d))
}

// readWords says what was read: "3 files (812 MB, 4.1 M lines read)".
func readWords(d *Document, verb string) string {
	var bytes, lines int64
	for _, s := range d.Sources {
		bytes += s.Bytes
		lines += int64(s.Lines)
	}
	what := count(len(d.Sources), "file", "files")
	if len(d.Sources) == 1 {
		what = d.Sources[0].Name
		if what == "-" {
			what = "standard input"
		}
	}
	noun := "lines"
	if lines == 1 {
		noun = "line"
	}
	return fmt.Sprintf("%s (%s, %s %s%s)", what, bytesOf(bytes), roughly(lines), noun, verb)
}

// whole tells one item with everything that is known about it.
func (p *page) whole(d *Document, it item) {
	if m := it.best(); m != nil {
		p.known(d, it, m)
	} else if it.inc != nil {
		p.unknown(d, it.inc)
	} else {
		p.candidateFinding(d, it.finding)
		return
	}
	if it.inc == nil {
		return
	}
	p.alsoFits(it)
	p.races(it.inc)
	p.stack(it.inc)
	p.buckets(d, it.inc)
	p.context(it.inc)
}

// othersShown is how many further incidents are named without -v.
const othersShown = 8

// others tells further items in two lines each.
func (p *page) others(items []item) {
	title := fmt.Sprintf("%s more", number(len(items)))
	remark := "-v tells them whole"
	if len(items) > othersShown {
		remark = fmt.Sprintf("%d shown, -v for all", othersShown)
	}
	p.section(title, remark)
	for _, it := range items[:min(len(items), othersShown)] {
		p.brief(it)
	}
}

// brief is one item in two or three lines.
func (p *page) brief(it item) {
	indent := strings.Repeat(" ", labelAt)
	m := it.best()
	title, place := it.title(), ""
	if it.inc != nil {
		place = p.place(it.inc.Source, it.inc.Line)
		if it.inc.Count > 1 {
			title += fmt.Sprintf(" · %s times", number(it.inc.Count))
		}
	} else if len(it.finding.Evidence) > 0 {
		place = p.place(it.finding.Evidence[0].Source, it.finding.Evidence[0].Line)
	}
	p.pair(indent+p.st.strong.on(Cut(Escape(title), p.width-labelAt)), p.st.faint.on(place))
	put := func(text string) {
		if text != "" {
			p.line(indent + "  " + Cut(Escape(text), p.width-labelAt-2))
		}
	}
	if it.inc != nil {
		put(it.inc.Headline)
	}
	switch {
	case m != nil:
		put(m.ID + ": " + fixWords(m))
	case it.inc == nil:
		put(it.finding.ID + ": " + it.finding.Title)
	case it.inc.Blame != nil:
		blame := "blame " + Escape(shortFunction(it.inc.Blame.Function))
		if room := p.width - labelAt - 4 - cells(blame); it.inc.Blame.File != "" && room >= 12 {
			blame += "  " + cutFront(Escape(fileLine(it.inc.Blame)), room)
		}
		put(blame)
	case len(it.inc.RunningTests) > 0:
		put("running: " + strings.Join(it.inc.RunningTests, ", "))
	case len(it.inc.Races) > 0:
		put("between " + strings.Join(raceNames(it.inc), " and "))
	case len(it.inc.Buckets) > 0:
		put(count(it.inc.Goroutines, "goroutine", "goroutines") + " in " + count(len(it.inc.Buckets), "shape", "shapes"))
	}
}

// raceNames are the first own functions of the accesses of a race.
func raceNames(i *Incident) []string {
	var names []string
	for _, r := range i.Races {
		for n := range r.Stack {
			if !r.Stack[n].Std || n == len(r.Stack)-1 {
				names = append(names, shortFunction(r.Stack[n].Function))
				break
			}
		}
		if len(names) == 2 {
			break
		}
	}
	return names
}
