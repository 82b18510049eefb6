package report

import (
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/crashtriage/crashtriage/signatures"
)

// upgradeTo is the version to upgrade to: the one that fixes the running release line, else the
// lowest fixed version above the running one. It is null unless the running version is affected
// and the fix is stated for that very program or module.
func upgradeTo(m *signatures.Match) *FixedIn {
	name, text, _ := strings.Cut(m.RunningVersion, " ")
	running, err := version.NewVersion(text)
	if m.Status != signatures.Affected || err != nil {
		return nil
	}
	var best *FixedIn
	var lowest *version.Version
	for _, f := range m.Signature.Fix.FixedIn {
		v, err := version.NewVersion(f.Version)
		if f.Module != name || err != nil || !v.GreaterThan(running.Core()) {
			continue
		}
		out := &FixedIn{Module: f.Module, Line: f.Line, Version: f.Version}
		if f.Line != "" && onLine(text, f.Line) {
			return out
		}
		if lowest == nil || v.LessThan(lowest) {
			best, lowest = out, v
		}
	}
	return best
}

// onLine says whether a version belongs to a release line: 1.22.6 to 1.22.
func onLine(v, line string) bool {
	v, line = strings.TrimPrefix(v, "v"), strings.TrimSuffix(strings.TrimPrefix(line, "v"), ".x")
	return v == line || strings.HasPrefix(v, line+".")
}

// onlyBelow says that the versions with the fix which can be compared with the running one are all
// older: fixes of older release lines, which are no way up.
func onlyBelow(m *Match) bool {
	name, text, _ := strings.Cut(m.RunningVersion, " ")
	running, err := version.NewVersion(text)
	if err != nil {
		return false
	}
	for _, f := range m.Fix.FixedIn {
		v, err := version.NewVersion(f.Version)
		if f.Module != name || err != nil || v.GreaterThan(running.Core()) {
			return false
		}
	}
	return true
}
