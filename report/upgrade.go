package report

import (
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/crashtriage/crashtriage/signatures"
)

// upgradeTo is the version to upgrade to: the one that fixes the running release line, else the
// lowest fixed version above the running one. It is null unless the running version is affected
// and the fix is stated for that very program or module. A pre-release is named only where no
// release has the fix, a release of the enterprise edition only to those who run it.
func upgradeTo(m *signatures.Match) *FixedIn {
	name, text, running := splitRunning(m.RunningVersion)
	if m.Status != signatures.Affected || running == nil {
		return nil
	}
	var list []FixedIn
	for _, f := range m.Signature.Fix.FixedIn {
		list = append(list, FixedIn{Module: f.Module, Line: f.Line, Version: f.Version})
	}
	var best *FixedIn
	var lowest *version.Version
	for _, f := range releases(list) {
		v := above(f, name, running)
		if v == nil {
			continue
		}
		if f.Line != "" && onLine(text, f.Line) {
			return &f
		}
		if lowest == nil || v.LessThan(lowest) {
			best, lowest = &f, v
		}
	}
	return best
}

// splitRunning takes "consul 1.22.6+ent" apart; the version is nil where it is none.
func splitRunning(s string) (name, text string, v *version.Version) {
	name, text, _ = strings.Cut(s, " ")
	v, _ = version.NewVersion(text)
	return name, text, v
}

// above is the version of f, if the running one can be upgraded to it, else nil.
func above(f FixedIn, name string, running *version.Version) *version.Version {
	v, err := version.NewVersion(f.Version)
	if f.Module != name || err != nil || !v.GreaterThan(running) {
		return nil
	}
	if enterprise(v) && !enterprise(running) {
		return nil
	}
	return v
}

func enterprise(v *version.Version) bool { return strings.HasPrefix(v.Metadata(), "ent") }

// onLine says whether a version belongs to a release line: 1.22.6 to 1.22.
func onLine(v, line string) bool {
	v, line = strings.TrimPrefix(v, "v"), strings.TrimSuffix(strings.TrimPrefix(line, "v"), ".x")
	return v == line || strings.HasPrefix(v, line+".")
}

// noWayUp says that all versions with the fix can be compared with the running one, and that it can
// be upgraded to none of them: they are older, or of another edition.
func noWayUp(m *Match) bool {
	name, _, running := splitRunning(m.RunningVersion)
	if running == nil {
		return false
	}
	for _, f := range m.Fix.FixedIn {
		if _, err := version.NewVersion(f.Version); f.Module != name || err != nil || above(f, name, running) != nil {
			return false
		}
	}
	return true
}
