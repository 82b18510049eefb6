package report

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
