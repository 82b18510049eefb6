package report

import (
	"fmt"
	"io"
	"strings"
)

// markdownLimit keeps below the 65,536 characters that GitHub takes for a comment. It counts bytes,
// of which there are never fewer.
const markdownLimit = 60000

const (
	mdTextMax  = 400 // characters of one text
	mdColumns  = 100 // of what stands in a fence
	mdFrames   = 40
	mdShapes   = 40
	mdContext  = 20
	mdList     = 12
	mdReserved = 1500 // for what is said at the end
)

// Markdown writes a comment for an issue or a pull request: verdict, facts and what to do in sight,
// stack, shapes, log and further crashes to unfold. It keeps to 60,000 bytes and says what that
// leaves out. Text of an input can make no markup, mention, reference or link.
func Markdown(w io.Writer, d *Document, o Options) error {
	p := &mdPage{verbose: o.Verbose}
	all := grouped(d)
	if len(all) == 0 {
		p.add("### " + mdProse(Cut(noCrash(d), mdTextMax)) + "\n\n")
		p.table(sourceRows(d, nil))
	} else {
		p.add("### " + mdProse(all[0].answer(mdColumns)) + "\n\n")
	}
	if len(all) > 0 && !o.Quiet {
		p.entry(d, all[0], true)
		p.others(d, all[1:])
	}
	p.end(d)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// mdPage takes whole parts, each markup of its own, as long as there is room.
type mdPage struct {
	b       strings.Builder
	left    int // parts that found no room
	verbose bool
}

func (p *mdPage) add(part string) bool {
	if p.b.Len()+len(part) > markdownLimit-mdReserved {
		p.left++
		return false
	}
	p.b.WriteString(part)
	return true
}

// limit is n, or everything where that is wanted.
func (p *mdPage) limit(n int) int {
	if p.verbose {
		return 1 << 20
	}
	return n
}

// entry tells one entry; the first of the document with everything.
func (p *mdPage) entry(d *Document, e *group, first bool) {
	rows := e.rows(d, grepPlace)
	if first {
		rows = append(rows, sourceRows(d, e)...)
	}
	p.table(append(rows, row{label: "id", texts: e.ids()}, row{label: "where", texts: []string{grepPlace(e.it.at())}, code: true}))
	for _, r := range rows {
		if r.steps() {
			p.steps(r)
		}
	}
	if m := firstMatch(e.it.best(), e.it.finding); m != nil {
		p.because(m, e.it)
	}
	i := e.it.inc
	if i == nil {
		return
	}
	p.candidates(i)
	if len(i.Races) == 0 && len(i.Stack) > 0 {
		title, creator := stackTitle(i)
		p.unfold(strings.Join(nonEmpty(title, creator), ", "), mdStack(i.Stack, i.Blame, p.limit(mdFrames)))
	}
	for n, r := range i.Races {
		if n == p.limit(4) {
			p.left += len(i.Races) - n
			break
		}
		p.unfold(strings.TrimSuffix(r.Title, ":"), mdStack(r.Stack, nil, p.limit(mdFrames)))
	}
	if !first {
		return
	}
	if worthShapes(i) {
		p.unfold(shapesTitle(i), mdShapesOf(i.Buckets, p.limit(mdShapes)))
	}
	if context := unfenced(i.Context); len(context) > 0 {
		var lines []string
		for _, c := range context[max(0, len(context)-p.limit(mdContext)):] {
			text, _ := contextWords(c)
			lines = append(lines, Cut(Escape(text), 2*mdColumns))
		}
		p.unfold(contextTitle(i)+", "+grepPlace(i.Source, context[max(0, len(context)-p.limit(mdContext))].Line), lines)
	}
}

// table has the facts in two columns. What is to be done stands below it.
func (p *mdPage) table(rows []row) {
	const head = "| | |\n|---|---|\n"
	begun := false
	for n := 0; n < len(rows); n++ {
		r := rows[n]
		texts := mdTexts(r)
		for n+1 < len(rows) && rows[n+1].label == "" {
			n++
			texts = append(texts, mdTexts(rows[n])...)
		}
		if texts = nonEmpty(texts...); r.steps() || r.label == "because" || len(texts) == 0 {
			continue
		}
		line := "| **" + mdProse(r.label) + "** | " + strings.Join(texts, "<br>") + " |\n"
		if !begun {
			line = head + line
		}
		if p.add(line) {
			begun = true
		}
	}
	if begun {
		p.add("\n")
	}
}

func mdTexts(r row) []string {
	var out []string
	for n, text := range r.texts {
		if n == mdList {
			return append(out, mdProse(fmt.Sprintf("… %s more", number(len(r.texts)-n))))
		}
		if text = Cut(text, mdTextMax); r.code {
			out = append(out, mdPrinted(text))
		} else {
			out = append(out, mdWithThread(text, r.link))
		}
	}
	return out
}

func (p *mdPage) steps(r row) {
	p.add("**Do now**\n\n")
	for n, text := range r.texts {
		if !p.add(fmt.Sprintf("%d. %s\n", n+1, mdWithThread(Cut(text, 2*mdTextMax), r.link))) {
			break
		}
	}
	p.add("\n")
}

// because lists the conditions that held, each with its line, and those that did not.
func (p *mdPage) because(m *Match, it item) {
	headline := ""
	if it.inc != nil {
		headline = it.inc.Headline
	}
	p.add("**Because** (" + mdProse(weightWords(m)) + ")\n\n")
	for n, e := range m.Evidence {
		if n == p.limit(mdList) {
			p.add(fmt.Sprintf("- … %s more\n", number(len(m.Evidence)-n)))
			break
		}
		line := "- ✓ " + mdProse(Cut(conditionWords(e.Condition, headline), mdTextMax))
		if place := grepPlace(e.Source, e.Line); place != "" {
			line += ", " + mdPrinted(cutFront(place, 120))
		}
		if e.Text != "" && e.Text != headline {
			line += "<br>" + mdPrinted(Cut(strings.TrimSpace(e.Text), 2*mdColumns))
		}
		p.add(line + "\n")
	}
	for n, missing := range m.Missing {
		if n == p.limit(mdList) {
			p.add(fmt.Sprintf("- … %s more not seen\n", number(len(m.Missing)-n)))
			break
		}
		p.add("- – " + mdProse(Cut(missingWords(missing), mdTextMax)) + "\n")
	}
	p.add("\n")
}

// candidates names the documented bugs that print the same message.
func (p *mdPage) candidates(i *Incident) {
	if len(i.Matches) == 0 || i.Verdict() == VerdictKnown {
		return
	}
	p.add("**" + mdProse(candidatesTitle(i)) + "**\n\n")
	for n, m := range i.Matches {
		if n == p.limit(mdList) {
			p.add(fmt.Sprintf("- … %s more\n", number(len(i.Matches)-n)))
			break
		}
		p.add("- " + mdThread(m.ID, firstOf(m.Issue, m.Fix.URL)) + ": " + mdProse(Cut(m.Title, mdTextMax)) + "; fix: " + mdWithThread(fixWords(m), m.Fix.URL) + "\n")
	}
	p.add("\n")
}

// unfold is a fence below a summary to click at.
func (p *mdPage) unfold(title string, lines []string) {
	if len(lines) > 0 {
		p.add("<details><summary>" + mdProse(Cut(title, 2*mdColumns)) + "</summary>\n\n" + mdFence(lines) + "\n</details>\n\n")
	}
}

// others are further entries, each to unfold.
func (p *mdPage) others(d *Document, all []*group) {
	if len(all) == 0 {
		return
	}
	p.add("#### " + number(len(all)) + " more\n\n")
	for n, e := range all {
		one := &mdPage{verbose: p.verbose}
		one.entry(d, e, false)
		part := "<details><summary>" + mdProse(e.brief(mdColumns)) + "</summary>\n\n" + strings.TrimRight(one.b.String(), "\n") + "\n\n</details>\n\n"
		if !p.add(part) {
			p.left += len(all) - n - 1
			break
		}
		p.left += one.left
	}
}

// end says what found no room, what was read, and by what.
func (p *mdPage) end(d *Document) {
	if p.left > 0 {
		fmt.Fprintf(&p.b, "%s in here: a comment has room for %s characters.\n\n", count(p.left, "part does not fit", "parts do not fit"), number(markdownLimit))
	}
	words := []string{
		fmt.Sprintf("%s %s, %s %s", d.Tool.Name, d.Tool.Version, count(d.Tool.Signatures.Count, "signature", "signatures"), d.Tool.Signatures.Version),
		"read " + sourceWords(d),
	}
	if d.Logs.Records > 0 {
		words = append(words, "logs: "+strings.Join(logsWords(&d.Logs), ", "))
	}
	for n := range words {
		words[n] = mdProse(Cut(words[n], 160))
	}
	if line := "<sub>" + strings.Join(words, " · ") + "</sub>\n"; p.b.Len()+len(line) <= markdownLimit {
		p.b.WriteString(line)
	}
}

// mdStack is a stack in two columns, frames of the standard library folded, the blamed one marked.
func mdStack(stack []Frame, blame *Frame, limit int) []string {
	groups := fold(stack, false)
	wide := 0
	for _, g := range groups {
		if !g[0].Std {
			wide = max(wide, min(cells(Escape(shortFunction(g[0].Function))), mdColumns*6/10))
		}
	}
	var lines []string
	marked := false
	for n, g := range groups {
		if n == limit {
			return append(lines, "  … "+count(len(groups)-n, "more frame", "more frames"))
		}
		if g[0].Std {
			lines = append(lines, "  ("+stdNames(g, mdColumns-4)+")")
			continue
		}
		mark := "  "
		if blame != nil && !marked && g[0] == *blame {
			mark, marked = "> ", true
		}
		name := Cut(Escape(shortFunction(g[0].Function)), 2*mdColumns)
		line := mark + name + strings.Repeat(" ", max(wide-cells(name), 0)) + "  " + cutFront(Escape(fileLine(&g[0])), mdColumns)
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// mdShapesOf has the goroutines by shape, in columns.
func mdShapesOf(buckets []*Bucket, limit int) []string {
	shown := buckets[:min(len(buckets), limit)]
	var cols [3][]string
	for _, b := range shown {
		for c, text := range []string{number(b.Count), Cut(Escape(stateWords(b)), 40), waits(b.WaitMinutes)} {
			cols[c] = append(cols[c], text)
		}
	}
	var wide [3]int
	for c := range cols {
		for _, text := range cols[c] {
			wide[c] = max(wide[c], cells(text))
		}
	}
	var lines []string
	for n, b := range shown {
		mark := "  "
		if b.Crashed {
			mark = "> "
		}
		line := mark + strings.Repeat(" ", wide[0]-cells(cols[0][n])) + cols[0][n]
		for c := 1; c < len(cols); c++ {
			if wide[c] > 0 {
				line += "  " + cols[c][n] + strings.Repeat(" ", wide[c]-cells(cols[c][n]))
			}
		}
		lines = append(lines, line+"  "+Cut(Escape(shapeName(b)), mdColumns))
	}
	if n := len(buckets) - len(shown); n > 0 {
		lines = append(lines, "  … "+count(n, "more shape", "more shapes"))
	}
	return lines
}
