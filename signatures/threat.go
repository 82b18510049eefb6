package signatures

import (
	"fmt"

	"github.com/crashtriage/crashtriage/parse"
)

// VersionStatus is what a signature means for a version of its program.
type VersionStatus struct {
	Status Status
	// Later says that the sources know the bug only from a newer version on.
	Later bool
	Why   string // what decides, where the status is unknown
}

// StatusOn says what a signature means for a version of a program, as if it were running: Affected lacks the
// fix, FixedHere should have it, BeyondEvidence is newer than all the sources speak of, and VersionUnknown
// means that no source tells.
func (db *DB) StatusOn(s *Signature, product, version string) (VersionStatus, error) {
	if _, err := parseVersion(version); err != nil {
		return VersionStatus{}, fmt.Errorf("%q is no version", version)
	}
	in := newInput(&parse.Capture{}, MatchOptions{ProductVersions: map[string]string{product: version}})
	v := (&evaluation{input: in, sig: s}).status()
	out := VersionStatus{Status: v.status, Later: v.before}
	if len(v.missing) > 0 {
		out.Why = v.missing[0]
	}
	return out, nil
}
