package report

import (
	"fmt"
	"strings"
)

// group is what a report says once: an incident with all others of its fingerprint, or a finding.
type group struct {
	it     item // the first in the order of ranked
	items  []item
	count  int // sightings
	places []string
}

// grouped puts incidents of one fingerprint together over all sources, strongest first. What is
// accepted stands apart from what is not.
func grouped(d *Document) []*group {
	var groups []*group
	byPrint := map[string]*group{}
	for _, it := range ranked(d) {
		place, n := it.place(), 1
		key := ""
		if it.inc != nil {
			n = it.inc.Count
			if it.inc.Fingerprint != "" {
				key = it.inc.Fingerprint + " " + it.inc.Accepted
			}
			if len(it.inc.Stack) == 0 && len(it.inc.Races) == 0 && len(it.inc.Buckets) > 1 {
				key += " " + it.inc.Source // a dump of all goroutines: nothing says that two are the same
			}
		}
		g := byPrint[key]
		if key == "" || g == nil {
			g = &group{it: it}
			groups = append(groups, g)
			if key != "" {
				byPrint[key] = g
			}
		}
		g.items = append(g.items, it)
		g.count += n
		g.places = append(g.places, place)
	}
	return groups
}

// also are the incidents behind the first.
func (g *group) also() []*Incident {
	var list []*Incident
	for _, it := range g.items[1:] {
		list = append(list, it.inc)
	}
	return list
}

// times says how often and in how many places; "" for once.
func (g *group) times() string {
	if g.count <= 1 {
		return ""
	}
	s := number(g.count) + " times"
	if n := len(g.places); n > 1 {
		s += fmt.Sprintf(" in %s places", number(n))
	}
	return s
}

// kindsOf counts groups by their titles: "2 × UNKNOWN CRASH · nil pointer, DATA RACE".
func kindsOf(groups []*group) string {
	var titles []string
	n := map[string]int{}
	for _, g := range groups {
		title := g.it.title()
		if n[title] == 0 {
			titles = append(titles, title)
		}
		n[title]++
	}
	const shown = 4
	var parts []string
	for k, title := range titles {
		if k == shown {
			parts = append(parts, fmt.Sprintf("%d more kinds", len(titles)-k))
			break
		}
		if n[title] > 1 {
			title = number(n[title]) + " × " + title
		}
		parts = append(parts, title)
	}
	return strings.Join(parts, ", ")
}

// place is where the item stands, as editors and grep's readers know it.
func (it item) place() string { return grepPlace(it.at()) }

// at is the source and the line of the item; the line is 0 where it is not known.
func (it item) at() (source string, line int) {
	if i := it.inc; i != nil {
		return i.Source, firstLine(i.HeadlineLine, i.Line)
	}
	if len(it.finding.Evidence) > 0 {
		return it.finding.Evidence[0].Source, it.finding.Evidence[0].Line
	}
	return "", 0
}

// accepted says why the item fails no check; "" when it may fail one.
func (it item) accepted() string {
	if it.inc != nil {
		return it.inc.Accepted
	}
	return it.finding.Accepted
}

// acceptedWords are the reasons as people read them.
var acceptedWords = map[string]string{
	AcceptedKnown:    "accepted",
	AcceptedBaseline: "in the baseline",
}

// quietDump says that the item is only a dump that somebody asked for, which is no finding.
func (it item) quietDump() bool { return it.inc != nil && it.inc.Verdict() == VerdictNone }
