package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/signatures"
)

// fix says which change fixes the bug and where it is released.
func (p *page) fix(m *Match) {
	p.row("fix", p.st.strong, fixWords(m), "")
	if m.Fix.URL != "" && shortURL(m.Fix.URL) != m.Fix.URL {
		p.row("", p.st.faint, m.Fix.URL, "")
	}
	if m.Fix.Note != "" {
		p.row("", style{}, m.Fix.Note, "")
	}
}

// fixWords is the fix in one sentence: what, its state, its release, as of when.
func fixWords(m *Match) string {
	release := fixRelease(m)
	if m.Fix.URL == "" && len(m.Fix.FixedIn) > 0 {
		return release
	}
	if asOf, ok := strings.CutPrefix(release, "as of "); ok {
		return fixChange(m) + " as of " + asOf
	}
	return strings.Join(nonEmpty(fixChange(m), release), "; ")
}

// fixChange is the change that fixes the bug, and its state.
func fixChange(m *Match) string {
	f := &m.Fix
	if m.hasFix() {
		return shortURL(f.URL) + ", " + f.State
	}
	if f.URL != "" {
		return "none known, see " + shortURL(f.URL)
	}
	return "none known"
}

// hasFix says whether a change is known that fixes the bug, released or not.
func (m *Match) hasFix() bool {
	return m.Fix.URL != "" && m.Fix.State != string(signatures.FixNoneKnown)
}

// fixRelease is the release that has the fix, and as of when that is known.
func fixRelease(m *Match) string {
	f := &m.Fix
	asOf := ""
	if f.AsOf != "" {
		asOf = " as of " + f.AsOf
	}
	switch {
	case len(f.FixedIn) > 0:
		return "fixed in " + fixedIn(releases(f.FixedIn))
	case f.Release == "unreleased":
		return "not known to be released" + asOf
	case f.Release == "unknown":
		return "which release has it is not known" + asOf
	case f.State == string(signatures.FixNoneKnown):
		return strings.TrimPrefix(asOf, " ")
	}
	return "not known to be fixed" + asOf
}

// releases leaves out the pre-releases of versions that are listed as well.
func releases(list []FixedIn) []FixedIn {
	var out []FixedIn
	for _, f := range list {
		core, _, pre := strings.Cut(f.Version, "-")
		if pre && slices.ContainsFunc(list, func(o FixedIn) bool { return o.Module == f.Module && o.Version == core }) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// fixedIn lists versions by module: "consul 1.21.8, 1.22.3; go-memdb v1.3.5".
func fixedIn(list []FixedIn) string {
	var b strings.Builder
	module := ""
	for i, f := range list {
		switch {
		case i == 0 || f.Module != module:
			if i > 0 {
				b.WriteString("; ")
			}
			module = f.Module
			if module != "" {
				b.WriteString(lastElement(module) + " ")
			}
		default:
			b.WriteString(", ")
		}
		b.WriteString(f.Version)
	}
	return b.String()
}

// doNow is what to do about a documented bug, most useful first.
func doNow(m *Match) []string {
	var s []string
	add := func(text string) {
		if text != "" {
			s = append(s, text)
		}
	}
	follow := firstOf(m.Fix.URL, m.Issue)
	switch m.Status {
	case string(signatures.FixedHere):
		add(fmt.Sprintf("check which version really ran: this bug should be gone in %s", firstOf(m.RunningVersion, "it")))
		if follow = firstOf(m.Issue, m.Fix.URL); follow != "" {
			add("if it is the right one, the bug is back: report it at " + follow)
		}
		return s
	case string(signatures.BeyondEvidence):
		if follow = firstOf(m.Issue, m.Fix.URL); follow != "" {
			add(fmt.Sprintf("look whether %s has news for %s", shortURL(follow), firstOf(m.RunningVersion, "this version")))
		}
		add(advice(m.Workaround))
		return s
	case string(signatures.VersionUnknown):
		if len(m.Collect) > 0 {
			for _, c := range m.Collect {
				add("collect " + c)
			}
		} else if len(m.Fix.FixedIn) > 0 {
			add("find out which version ran")
		}
	}
	switch {
	case m.UpgradeTo != nil:
		add("upgrade " + m.UpgradeTo.Module + " to " + m.UpgradeTo.Version + " or later")
		add(prefixed("until then: ", advice(m.Workaround)))
	case len(m.Fix.FixedIn) > 0 && noWayUp(m):
		add(fmt.Sprintf("no version above %s is known to have the fix; follow %s", m.RunningVersion, shortURL(follow)))
		add(advice(m.Workaround))
	case len(m.Fix.FixedIn) > 0:
		add("upgrade to a version with the fix: " + fixedIn(releases(m.Fix.FixedIn)))
		add(prefixed("until then: ", advice(m.Workaround)))
	default:
		add(advice(m.Workaround))
		if follow != "" {
			add("follow " + shortURL(follow))
		}
	}
	return s
}

// advice is a workaround as an instruction. Packs say of many that nobody published them: what was
// inferred comes first then, and where it comes from behind it. "" when there is nothing to do.
func advice(workaround string) string {
	text := strings.TrimSpace(workaround)
	lower := strings.ToLower(text)
	if rest, ok := strings.CutPrefix(lower, "upgrade"); ok && (rest == "" || rest[0] == ';') {
		text = strings.TrimSpace(strings.TrimPrefix(text[len("upgrade"):], ";")) // that is said with the version
		if lower = strings.ToLower(text); strings.HasPrefix(lower, "no configuration workaround") {
			return ""
		}
	}
	if !strings.HasPrefix(lower, "none") && !strings.HasPrefix(lower, "unknown") {
		return text
	}
	at := strings.Index(lower, "inferred")
	if at < 0 {
		if len(strings.Fields(text)) <= 4 {
			return "" // "none known", "none stated"
		}
		return text
	}
	colon := strings.Index(text[at:], ":")
	if colon < 0 {
		return text
	}
	return strings.TrimSuffix(strings.TrimSpace(text[at+colon+1:]), ".") + " (inferred from the cause, not published)"
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
