package report

import (
	"strings"

	"github.com/crashtriage/crashtriage/signatures"
)

// noSignature is how every chat message says that nothing documented fits, so that a search in a
// channel finds them all.
const noSignature = "no known signature"

// answer is the verdict in one line of at most width columns that stands alone: what it is, which
// version, which bug, and the release with the fix. What there is no room for stands below it too.
func (g *group) answer(width int) string {
	it, m := g.it, g.it.best()
	must := []string{it.title()}
	var more [][]string // of each list the first that fits
	switch {
	case m != nil:
		must = append(must, versionWords(m.RunningVersion))
		more = [][]string{{m.ID}, releaseAnswers(m)}
	case it.inc == nil:
		more = [][]string{{it.finding.ID}}
	case it.inc.Verdict() == VerdictNone:
		more = [][]string{{shapesTitle(it.inc)}}
	default:
		must = append(must, noSignature)
		if n := len(it.inc.Matches); n > 0 {
			must[1] += ", " + count(n, "candidate", "candidates")
		}
		more = [][]string{{blameWords(it.inc)}, {it.inc.Fingerprint}}
	}
	line := Escape(strings.Join(nonEmpty(must...), " · "))
	if len(must) > 1 && cells(line) > width {
		rest := Cut(" · "+Escape(must[1]), width*2/3)
		line = Cut(Escape(must[0]), width-cells(rest)) + rest
	}
	for _, texts := range more {
		for _, text := range texts {
			if longer := line + " · " + Escape(text); text != "" && cells(longer) <= width {
				line = longer
				break
			}
		}
	}
	return Cut(line, width)
}

// releaseAnswers say where the fix is, the most telling first.
func releaseAnswers(m *Match) []string {
	f := &m.Fix
	switch {
	case m.Status == string(signatures.FixedHere):
		return nil // the title says that the version should have it
	case len(f.FixedIn) > 0 && m.UpgradeTo != nil:
		return []string{fixRelease(m), "fixed in " + fixedIn([]FixedIn{*m.UpgradeTo})}
	case len(f.FixedIn) > 0:
		return []string{fixRelease(m)}
	case !m.hasFix():
		return []string{"fix: " + fixWords(m), "fix: none known"}
	}
	return []string{"fix: " + fixWords(m), "fix " + fixRelease(m), "fix " + f.State}
}

// brief is a further entry in one line.
func (g *group) brief(width int) string {
	it, m := g.it, g.it.best()
	what := ""
	switch {
	case m != nil:
		what = m.ID
	case it.inc == nil:
		what = it.finding.ID
	case blameWords(it.inc) != "":
		what = blameWords(it.inc)
	case len(it.inc.RunningTests) > 0:
		what = it.inc.RunningTests[0]
	case len(it.inc.Races) > 0:
		what = strings.Join(raceNames(it.inc), " and ")
	default:
		what = it.inc.Headline
	}
	text := Escape(strings.Join(nonEmpty(it.title(), g.times(), what), " · "))
	place := Escape(it.place())
	if room := width - cells(text) - 2; place != "" && room >= min(cells(place), 12) {
		text += "  " + cutFront(place, room)
	}
	return Cut(text, width)
}

// blameWords is the blamed function as people say it.
func blameWords(i *Incident) string {
	if i.Blame == nil {
		return ""
	}
	return shortFunction(i.Blame.Function)
}

// versionWords is a program or module and its version, without the module's path.
func versionWords(running string) string {
	name, v, ok := strings.Cut(running, " ")
	if !ok {
		return running
	}
	return lastElement(name) + " " + v
}
