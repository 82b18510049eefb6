package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// gitlabIssue is one entry of a code quality report. GitLab reads these fields and no others:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes a code quality report: one entry an incident or finding, strongest first, and one
// a source that could not be read. Entries keep their fingerprint as long as the same crash is
// found in the same file, whatever its line.
func GitLab(w io.Writer, d *Document, o Options) error {
	issues := []gitlabIssue{}
	seen := map[string]int{}
	add := func(what, check, severity, source string, line int, description ...string) {
		path := gitlabPath(source, o)
		key := what + "\x00" + path
		seen[key]++
		issues = append(issues, gitlabIssue{
			Description: strings.Join(description, "; "), CheckName: Escape(check), Severity: severity,
			Fingerprint: shortHash(key, seen[key]),
			Location:    gitlabLocation{Path: path, Lines: gitlabLines{Begin: max(line, 1)}},
		})
	}
	for _, it := range ranked(d) {
		if it.quietDump() {
			continue
		}
		what := it.rule()
		if it.inc != nil {
			what = firstOf(it.inc.Fingerprint, what)
		}
		source, line := it.at()
		text := []string{Escape(it.title())}
		for _, l := range it.story() {
			text = append(text, Cut(Escape(l), 400))
		}
		add(what, it.rule(), it.severity(), source, line, text...)
	}
	for _, s := range d.Sources {
		if s.Error != "" {
			add("not-read", "not-read", "minor", s.Name, 1, "not read: "+Cut(Escape(s.Error), 400))
		}
	}
	return writeJSON(w, issues)
}

// severity is the item in GitLab's words.
func (it item) severity() string {
	switch {
	case it.level() == levelError:
		return "critical"
	case it.level() == levelNote && it.accepted() != "":
		return "info"
	case it.level() == levelNote:
		return "minor"
	case it.best() != nil:
		return "major" // a documented bug that did not kill
	}
	return "minor"
}

// gitlabPath is a relative path without "./" in front, as GitLab wants it.
func gitlabPath(source string, o Options) string {
	path := strings.TrimLeft(relative(source, o), "/")
	return Escape(firstOf(path, "unknown"))
}

// shortHash identifies the nth of several equal things.
func shortHash(key string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, n))
	return hex.EncodeToString(sum[:16])
}

// writeJSON writes v indented, with what nobody can see as \uXXXX, as JSON does.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(&quiet{w: w})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
