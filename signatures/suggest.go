package signatures

import (
	"slices"
	"sort"
	"strings"
)

// maxSuggested bounds what is offered in place of a name that does not exist.
const maxSuggested = 3

// Suggest returns the known names that somebody who typed word probably meant, nearest first: those that
// are a few letters away, then those that hold it, then those that hold all of its parts.
func Suggest(word string, known []string) []string {
	type near struct {
		name string
		far  int
	}
	var list []near
	want := strings.ToLower(word)
	parts := strings.FieldsFunc(want, func(r rune) bool { return r == '-' || r == '_' || r == ' ' || r == '.' })
	slack := min(max(len(want)/4, 1), 6)
	for _, k := range known {
		have := strings.ToLower(k)
		far := -1
		switch n := distance(want, have); {
		case n <= slack:
			far = n
		case len(want) >= 3 && strings.Contains(have, want):
			far = 100 + len(have) - len(want)
		case len(have) >= 3 && strings.Contains(want, have):
			far = 200 + len(want) - len(have)
		case len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(have, p) }):
			far = 300 + len(have)
		}
		if far >= 0 {
			list = append(list, near{k, far})
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].far != list[j].far {
			return list[i].far < list[j].far
		}
		return list[i].name < list[j].name
	})
	if len(list) > 0 && list[0].far < 100 { // a slip of the finger has one answer, or a few that are as near
		list = slices.DeleteFunc(list, func(n near) bool { return n.far > list[0].far+1 })
	}
	var out []string
	for _, n := range list[:min(len(list), maxSuggested)] {
		out = append(out, n.name)
	}
	return out
}

// Names returns every id and alias, sorted.
func (db *DB) Names() []string {
	list := make([]string, 0, len(db.byID))
	for id := range db.byID {
		list = append(list, id)
	}
	sort.Strings(list)
	return list
}

// Projects returns the projects that the signatures are about, sorted.
func (db *DB) Projects() []string {
	var list []string
	for _, s := range db.Signatures() {
		list = append(list, s.Project)
	}
	sort.Strings(list)
	return slices.Compact(list)
}

// Kinds are how a bug can show itself.
func Kinds() []string { return slices.Clone(signatureKinds) }

// FixStates are what can be known about a fix.
func FixStates() []string { return slices.Clone(fixStates) }
