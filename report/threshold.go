package report

import "slices"

// FailOn are the thresholds of check, weakest wish first.
var FailOn = []string{"none", "known", "unknown", "crash", "any"}

// Fails says whether the document holds something at the threshold that is not accepted. A dump
// that somebody asked for is no finding at any threshold. "" stands for "crash".
func (d *Document) Fails(threshold string) bool {
	return slices.ContainsFunc(ranked(d), func(it item) bool { return it.fails(threshold) })
}

func (it item) fails(threshold string) bool {
	if it.accepted() != "" {
		return false
	}
	if it.inc == nil {
		return threshold == "any"
	}
	died, known := it.inc.MayHaveDied(), it.inc.Verdict() == VerdictKnown
	switch threshold {
	case "known":
		return died && known
	case "unknown":
		return died && !known
	case "crash", "":
		return died
	case "any":
		return died || !it.quietDump()
	}
	return false
}

// level is how much an item matters, in the three steps that CI servers know.
type level int

const (
	levelNote    level = iota // accepted, a bug that the logs only hint at, a dump
	levelWarning              // the process lived, yet something is wrong
	levelError                // a process died
)

func (it item) level() level {
	if it.accepted() != "" {
		return levelNote
	}
	return it.ownLevel()
}

// ownLevel is the level without regard to what is accepted.
func (it item) ownLevel() level {
	switch {
	case it.quietDump():
		return levelNote
	case it.inc == nil && !it.finding.proven():
		return levelNote
	case it.inc != nil && it.inc.MayHaveDied():
		return levelError
	}
	return levelWarning
}
