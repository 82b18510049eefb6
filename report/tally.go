package report

// Tally counts a document by fingerprint, for scripts.
type Tally struct {
	Found    int // crashes and findings, by fingerprint
	Crashes  int // those of them that killed a process
	Failing  int // those that reach Options.FailOn and are not accepted
	Accepted int // those that are accepted
	// Fingerprints are those of what was found and Matched the ids of documented bugs that fit,
	// both strongest first and without doubles.
	Fingerprints, Matched []string
}

// TallyOf counts d. Dumps that somebody asked for do not count.
func TallyOf(d *Document, o Options) Tally {
	var t Tally
	add := func(list []string, s string, seen map[string]bool) []string {
		if s == "" || seen[s] {
			return list
		}
		seen[s] = true
		return append(list, s)
	}
	prints, ids := map[string]bool{}, map[string]bool{}
	for _, g := range findingsOf(d) {
		t.Found++
		if g.it.inc != nil && g.it.inc.MayHaveDied() {
			t.Crashes++
		}
		if g.it.fails(o.FailOn) {
			t.Failing++
		}
		if g.it.accepted() != "" {
			t.Accepted++
		}
		if g.it.inc != nil {
			t.Fingerprints = add(t.Fingerprints, g.it.inc.Fingerprint, prints)
		}
		if m := g.it.best(); m != nil && m.proven() {
			t.Matched = add(t.Matched, m.ID, ids)
		}
	}
	return t
}
