package signatures

import (
	"fmt"
	"strings"

	"github.com/hashicorp/go-version"
)

// parseVersion reads a version as products, modules and Go itself print it: "1.22.6",
// "v1.3.4", "go1.25.8", "1.19.0+ent", "1.20.0-rc1", "1.26rc1", a pseudo-version.
func parseVersion(s string) (*version.Version, error) {
	s = strings.TrimSpace(s)
	s, _, _ = strings.Cut(s, " ") // "go1.25.8 X:boringcrypto"
	s = strings.TrimPrefix(s, "go")
	if len(s) > 128 {
		return nil, fmt.Errorf("version is longer than 128 bytes")
	}
	return version.NewVersion(s)
}

// numericVersion says that a text is a version of numbers alone, as nearly all are: parseVersion
// accepts it, and is spared.
func numericVersion(s string) bool {
	digits, segments := 0, 1
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == '.' && digits > 0:
			digits = 0
			segments++
		default:
			return false
		}
		if digits > 9 || segments > 4 {
			return false
		}
	}
	return digits > 0
}

// versionRange is one comparison; a list of them holds if all hold.
type versionRange struct {
	op string
	v  *version.Version
}

// parseRanges reads ">= 1.9.0, < 1.9.2". Unlike in go-version, a pre-release is a
// version like others and stands before its release.
func parseRanges(s string) ([]versionRange, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var list []versionRange
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		op := part[:len(part)-len(strings.TrimLeft(part, "<>=!~^"))]
		switch op {
		case "":
			op = "="
			part = "=" + part
		case "=", "!=", "<", "<=", ">", ">=":
		default:
			return nil, fmt.Errorf("%q is no comparison of versions: use =, !=, <, <=, > or >=", op)
		}
		text := strings.TrimSpace(part[len(op):])
		v, err := parseVersion(text)
		if err != nil || strings.Contains(text, " ") {
			return nil, fmt.Errorf("%q is no version; comparisons are separated by commas", text)
		}
		list = append(list, versionRange{op, v})
	}
	return list, nil
}

func inRanges(list []versionRange, v *version.Version) bool {
	for _, r := range list {
		c := v.Compare(r.v)
		ok := false
		switch r.op {
		case "=":
			ok = c == 0
		case "!=":
			ok = c != 0
		case "<":
			ok = c < 0
		case "<=":
			ok = c <= 0
		case ">":
			ok = c > 0
		case ">=":
			ok = c >= 0
		}
		if !ok {
			return false
		}
	}
	return true
}

// development says whether the version names a build from the way to a release, whose
// commit is unknown: "1.23.0-dev", "(devel)".
func development(v *version.Version) bool {
	pre := strings.ToLower(v.Prerelease())
	return pre == "dev" || strings.HasPrefix(pre, "dev.") || strings.HasPrefix(pre, "dev-") || pre == "devel" || pre == "snapshot" || pre == "nightly"
}

// onLine says whether the version belongs to a release line: "1.22" holds 1.22.6, "2" holds 2.1.0.
func onLine(v *version.Version, line []int64) bool {
	seg := v.Segments64()
	for i, n := range line {
		if i >= len(seg) || seg[i] != n {
			return false
		}
	}
	return len(line) > 0
}

// parseLine reads a release line: "1.22" is {1, 22}.
func parseLine(s string) ([]int64, error) {
	if s == "" {
		return nil, nil
	}
	var line []int64
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(s, "go"), "v"), ".") {
		var n int64
		if part == "" || len(part) > 9 {
			return nil, fmt.Errorf("%q is no release line: write it as 1.22", s)
		}
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return nil, fmt.Errorf("%q is no release line: write it as 1.22", s)
			}
			n = n*10 + int64(c-'0')
		}
		line = append(line, n)
	}
	return line, nil
}

// compareLine orders a version against a release line by the line's own elements.
func compareLine(v *version.Version, line []int64) int {
	seg := v.Segments64()
	for i, n := range line {
		var have int64
		if i < len(seg) {
			have = seg[i]
		}
		if have != n {
			if have < n {
				return -1
			}
			return 1
		}
	}
	return 0
}

// hasFix says whether a version has a fix, of which the first version of each fixed release line
// is known. The answer is unknown for a development build of the very release that
// brought the fix, and where the list cannot be read.
//
//	fixed in 1.11.10, 1.12.2, 1.13.0:  1.12.1 no, 1.12.2 yes, 1.13.0-beta1 no, 1.10.5 no, 1.14.0 yes
//
// A line between two listed ones that is not listed itself has no known fix. notFixed
// names later lines that lack the fix although a lower line has it.
func hasFix(v *version.Version, edition string, fixed []FixedIn, notFixed []string) (yes, known bool) {
	for _, s := range notFixed {
		if line, err := parseLine(s); err == nil && onLine(v, line) {
			return false, true
		}
	}
	var (
		own     *version.Version // the first fixed version of v's own line
		highest *version.Version // the lowest fixed version of the highest listed line
		high    []int64
		any     bool
	)
	for _, f := range fixed {
		fv, err := parseVersion(f.Version)
		if err != nil {
			continue
		}
		if ent := strings.HasPrefix(fv.Metadata(), "ent"); ent && edition != "ent" {
			continue // a release that only the enterprise edition had
		}
		line, err := parseLine(f.Line)
		if err != nil {
			continue
		}
		any = true
		if len(line) == 0 || onLine(v, line) {
			if own == nil || fv.LessThan(own) {
				own = fv
			}
		}
		if len(line) > 0 && (high == nil || compareLine(fv, high) > 0) {
			highest, high = fv, line
		} else if len(line) > 0 && compareLine(fv, high) == 0 && fv.LessThan(highest) {
			highest = fv
		}
	}
	switch {
	case !any:
		return false, len(fixed) > 0 // all of them are of the other edition
	case own != nil:
		if development(v) && v.Core().Equal(own.Core()) {
			return false, false
		}
		return v.GreaterThanOrEqual(own), true
	case compareLine(v, high) > 0:
		return true, true
	}
	return false, true
}
