package report

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// The words of the text format for places that have no columns: CI annotations, test reports, code
// scanning. None of them is escaped yet, as each place escapes in its own way.

// headline is what was printed, or which bug the logs show.
func (it item) headline() string {
	if it.inc == nil {
		return it.finding.Title
	}
	return firstOf(it.inc.Headline, strings.ReplaceAll(it.inc.Kind, "-", " "))
}

// rule is the stable name of what was found: a signature, a family, or that nothing is known.
func (it item) rule() string {
	switch m := it.best(); {
	case m != nil:
		return m.ID
	case it.inc.Family != nil:
		return it.inc.Family.ID
	}
	return "unknown-crash"
}

// steps is what to do now.
func (it item) steps() []string {
	switch m := it.best(); {
	case m != nil && it.finding != nil && !m.proven():
		return candidateSteps(m)
	case m != nil:
		return doNow(m)
	}
	return unknownSteps(it.inc)
}

// story is the item in a few labelled lines: what died, what it is, the fix, what to do, whose it is.
func (it item) story() []string {
	var lines []string
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, label+text)
		}
	}
	m := it.best()
	if it.inc != nil {
		add("", it.headline())
	}
	if a := it.accepted(); a != "" {
		add("", acceptedWords[a]+": does not fail the check")
	}
	if m != nil {
		add("", m.ID+": "+m.Title)
		if w := warning(m); w != "" {
			add("", w)
		} else {
			add("running: ", m.RunningVersion)
		}
		add("fix: ", fixWords(m))
	} else {
		if b := it.inc.Blame; b != nil {
			add("blame: ", strings.TrimSpace(shortFunction(b.Function)+" "+fileLine(b)))
		}
		add("likely: ", likely(it.inc))
		if f := it.inc.Family; f != nil {
			add("means: ", f.Meaning)
		}
	}
	steps := it.steps()
	for n, s := range steps {
		label := "do now: "
		if len(steps) > 1 {
			label = fmt.Sprintf("do now %d: ", n+1)
		}
		add(label, s)
	}
	if m != nil {
		add("owner: ", firstOf(m.Owner, m.Project))
	} else if b := it.inc.Blame; b != nil {
		if repo := repository(packagePath(b.Function)); repo != "" {
			add("owner: ", repo+" (from the blamed frame's import path)")
		}
	}
	if it.inc != nil {
		if it.inc.Count > 1 {
			add("seen: ", number(it.inc.Count)+" times")
		}
		if len(it.inc.RunningTests) > 0 {
			add("running tests: ", strings.Join(it.inc.RunningTests, ", "))
		}
		if len(it.inc.Races) > 0 {
			add("between ", strings.Join(raceNames(it.inc), " and "))
		}
		add("damaged: ", it.inc.Truncated)
	}
	return lines
}

// stackLines is the goroutine that died, one frame a line, the blamed one marked; at most limit.
func (it item) stackLines(limit int) []string {
	if it.inc == nil || len(it.inc.Stack) == 0 {
		return nil
	}
	var lines []string
	marked := false
	for n := range it.inc.Stack {
		f := &it.inc.Stack[n]
		if n == limit {
			return append(lines, fmt.Sprintf("  … %s more", count(len(it.inc.Stack)-n, "frame", "frames")))
		}
		mark := "  "
		if b := it.inc.Blame; b != nil && !marked && *f == *b {
			mark, marked = "> ", true
		}
		lines = append(lines, mark+strings.TrimSpace(shortFunction(f.Function)+"  "+fileLine(f)))
	}
	return lines
}

// relative is a source's name as a path below o.Root, with forward slashes and nothing in front; a
// name outside of it stays what it is.
func relative(name string, o Options) string {
	if name == "-" {
		return "stdin"
	}
	slashes := func(s string) string { return strings.ReplaceAll(s, `\`, "/") }
	name, root := slashes(name), strings.TrimRight(slashes(o.Root), "/")
	full := name
	if dir := slashes(o.Dir); dir != "" && !absolute(name) {
		full = path.Join(dir, name)
	}
	if rest, ok := strings.CutPrefix(full, root+"/"); ok && root != "" {
		return rest
	}
	for strings.HasPrefix(name, "./") {
		name = strings.TrimLeft(name[2:], "/")
	}
	return name
}

var driveLetter = regexp.MustCompile(`^[A-Za-z]:/`)

// absolute says whether a path with forward slashes begins at a root.
func absolute(path string) bool { return strings.HasPrefix(path, "/") || driveLetter.MatchString(path) }
