package report

import (
	"fmt"
	"strings"
)

// group is an item with all others of its fingerprint.
type group struct {
	it    item
	also  []*Incident
	count int
}

// grouped puts incidents of one fingerprint together, in the order of the first of each.
func grouped(items []item) []*group {
	var groups []*group
	byPrint := map[string]*group{}
	for _, it := range items {
		if it.inc == nil {
			groups = append(groups, &group{it: it, count: 1})
			continue
		}
		if g := byPrint[it.inc.Fingerprint]; g != nil && it.inc.Fingerprint != "" {
			g.also = append(g.also, it.inc)
			g.count += it.inc.Count
			continue
		}
		g := &group{it: it, count: it.inc.Count}
		groups = append(groups, g)
		byPrint[it.inc.Fingerprint] = g
	}
	return groups
}

// times says how often and in how many places; "" for once.
func (g *group) times() string {
	if g.count <= 1 {
		return ""
	}
	s := number(g.count) + " times"
	if n := len(g.also); n > 0 {
		s += fmt.Sprintf(" in %s places", number(n+1))
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
