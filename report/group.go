package report

import "fmt"

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
