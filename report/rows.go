package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/signatures"
)

// row is one labelled fact of an entry, before any place's escaping.
type row struct {
	label string
	texts []string // several are a list, numbered where they are steps
	code  bool     // what a program printed
	link  string   // the thread that the text names
	chat  int      // lines that a chat message has for each text; 0 leaves the row out
}

// rowText is how many characters of a text any place can have room for; laying out more is slow.
const rowText = 2000

// steps says whether the texts are things to do, in this order.
func (r row) steps() bool { return r.label == "do now" }

// rows are what is known about the entry, in the order of the questions: what died, which bug, the
// fix, what to do now, whose it is, how that is known.
func (g *group) rows(d *Document, place placeFunc) []row {
	var rows []row
	add := func(r row) {
		for n := range r.texts {
			r.texts[n] = cutRunes(r.texts[n], rowText)
		}
		if r.texts = nonEmpty(r.texts...); len(r.texts) > 0 {
			rows = append(rows, r)
		}
	}
	one := func(label, text string, chat int) { add(row{label: label, texts: []string{text}, chat: chat}) }
	it, m := g.it, g.it.best()
	if i := it.inc; i != nil {
		label, text := headlineWords(i)
		add(row{label: label, texts: []string{text}, code: i.Headline != "", chat: 3})
		one("", wentOn(i), 1)
		if i.Value != "" {
			add(row{texts: strings.Split(i.Value, "\n"), code: true})
		}
		if len(i.Chain) > 1 {
			add(row{label: "panics", texts: slices.Clone(i.Chain), code: true})
		}
		add(row{texts: []string{i.Signal}, code: true, chat: 1})
		one("seen", g.seen(), 1)
		if len(i.RunningTests) > 0 {
			add(row{label: "tests", texts: []string{strings.Join(i.RunningTests, ", ")}, code: true, chat: 2})
		}
		if names := raceNames(i); len(names) > 0 {
			add(row{label: "between", texts: []string{strings.Join(names, " and ")}, code: true, chat: 2})
		}
	}
	if m != nil || it.inc == nil {
		g.knownRows(d, place, add)
	} else {
		g.unknownRows(d, place, add)
	}
	if i := it.inc; i != nil {
		one("damaged", i.Truncated, 1)
		one("", droppedWords(i), 0)
	}
	return rows
}

// knownRows tell of a documented bug, or of one that the logs only hint at.
func (g *group) knownRows(d *Document, place placeFunc, add func(row)) {
	m, it := g.it.best(), g.it
	add(row{label: "bug", texts: []string{m.Title}, chat: 2})
	add(row{texts: []string{warning(m)}, chat: 2})
	add(row{label: "fix", texts: []string{fixWords(m)}, link: m.Fix.URL, chat: 2})
	add(row{texts: []string{m.Fix.Note}, chat: 2})
	steps := doNow(m)
	if !m.proven() {
		steps = candidateSteps(m)
	}
	add(row{label: "do now", texts: steps, link: firstOf(m.Fix.URL, m.Issue), chat: 5})
	add(row{label: "owner", texts: []string{firstOf(m.Owner, m.Project)}, chat: 2})
	var blame *Frame
	if it.inc != nil {
		blame = it.inc.Blame
	}
	add(row{label: "running", texts: []string{strings.Join(runningWords(d, m, blame, place), " · ")}, chat: 2})
	add(row{label: "because", texts: []string{weightWords(m)}, chat: 1})
	add(row{label: "cause", texts: []string{m.RootCause}})
	if it.inc != nil {
		var also []string
		for _, o := range it.inc.Matches {
			if o != m && o.proven() {
				also = append(also, fitsWords(o))
			}
		}
		add(row{label: "also fits", texts: also, chat: 1})
	}
}

// unknownRows tell of what no signature decides.
func (g *group) unknownRows(d *Document, place placeFunc, add func(row)) {
	i := g.it.inc
	if b := i.Blame; b != nil {
		add(row{label: "blame", texts: []string{strings.TrimSpace(shortFunction(b.Function) + "  " + fileLine(b))}, code: true, chat: 2})
	}
	add(row{label: "likely", texts: []string{likely(i)}, chat: 1})
	if i.Family != nil {
		add(row{label: "means", texts: []string{i.Family.Meaning}, chat: 2})
	}
	add(row{label: "do now", texts: unknownSteps(i), chat: 5})
	add(row{label: "owner", texts: []string{blamedOwner(i)}, chat: 1})
	add(row{label: "running", texts: []string{strings.Join(runningWords(d, nil, i.Blame, place), " · ")}, chat: 2})
	add(row{label: "nearest", texts: []string{nearestWords(d, i)}})
}

// seen says how often and when, over all places of the entry.
func (g *group) seen() string {
	if len(g.places) > 1 {
		return g.times()
	}
	return seenWords(g.it.inc)
}

// weightWords say how much the match rests on.
func weightWords(m *Match) string {
	s := m.Confidence + " confidence: " + count(len(m.Evidence), "condition holds", "conditions hold")
	if n := len(m.Missing); n > 0 {
		s += ", " + count(n, "is", "are") + " not seen"
	}
	return s
}

// link is the one thread that the entry points at; "" when there is none on the web.
func (g *group) link() string {
	m := g.it.best()
	if m == nil {
		return ""
	}
	first, second := m.Fix.URL, m.Issue
	if m.Status == string(signatures.FixedHere) {
		first, second = second, first // report that it is back
	}
	for _, url := range []string{first, second} {
		if webLink(url) {
			return url
		}
	}
	return ""
}

// webLink says whether an address is one of the web that needs no escaping in any format.
func webLink(url string) bool {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(url, "http://"); !ok {
			return false
		}
	}
	return rest != "" && len(url) <= 2000 && plain(url) && !strings.ContainsAny(url, " \"'<>[](){}|\\`^*")
}

// ids identify the entry: its fingerprint and the bug.
func (g *group) ids() []string {
	var words []string
	if g.it.inc != nil {
		words = append(words, g.it.inc.Fingerprint)
	}
	if m := firstMatch(g.it.best(), g.it.finding); m != nil {
		words = append(words, m.ID)
	}
	return nonEmpty(words...)
}

// shortPlace is where the entry was found, without folders.
func (g *group) shortPlace() string {
	source, line := g.it.at()
	at := grepPlace(source[strings.LastIndexAny(source, `/\`)+1:], line)
	if len(g.places) > 1 {
		at += fmt.Sprintf(" and %s more", number(len(g.places)-1))
	}
	return at
}

func firstMatch(all ...*Match) *Match {
	for _, m := range all {
		if m != nil {
			return m
		}
	}
	return nil
}

// sourceRows are what stands outside of the entry and must not be overlooked. How processes ended
// is told of the entry's own file or archive; without an entry, of all.
func sourceRows(d *Document, e *group) []row {
	var rows []row
	var exits, unread []string
	near := func(string) bool { return true }
	if e != nil {
		source, _ := e.it.at()
		near = func(other string) bool { return archiveOf(other) == archiveOf(source) }
	}
	for _, x := range foldExits(keep(d.Facts.Exits, func(x Exit) bool { return near(x.Source) })) {
		exits = append(exits, x.text())
	}
	for _, s := range d.Sources {
		if s.Error != "" {
			unread = append(unread, Cut(errorWords(s), 400))
		}
	}
	if len(exits) > 0 {
		rows = append(rows, row{label: "exit", texts: exits, chat: 1})
	}
	if len(d.Logs.Restarts) > 0 && e == nil {
		rows = append(rows, row{label: "restart", texts: []string{restartWords}, chat: 3})
	}
	if len(unread) > 0 {
		rows = append(rows, row{label: "not read", texts: unread, chat: 1})
	}
	return rows
}
