package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/report"
)

func TestCIByEnvironment(t *testing.T) {
	for _, tt := range []struct {
		flag, env, want string
	}{
		{"auto", "", ciNone},
		{"auto", "CI=true", ciNone},
		{"auto", "GITHUB_ACTIONS=true", ciGitHub},
		{"auto", "GITHUB_ACTIONS=", ciNone},
		{"auto", "GITLAB_CI=true", ciGitLab},
		{"auto", "JENKINS_URL=https://ci.example.com/", ciJenkins},
		{"auto", "BUILD_ID=7 JENKINS_HOME=/var/jenkins", ciJenkins},
		{"auto", "BUILD_ID=7", ciNone}, // others set it too
		{"auto", "BUILDKITE=true", ciBuildkite},
		{"auto", "CIRCLECI=true", ciCircle},
		{"off", "GITHUB_ACTIONS=true", ciNone},
		{"gitlab", "GITHUB_ACTIONS=true", ciGitLab},
	} {
		if got := envOf(tt.env).ci(tt.flag); got != tt.want {
			t.Errorf("--ci %s with %q: %s, want %s", tt.flag, tt.env, got, tt.want)
		}
	}
}

func envOf(env string) *streams {
	vars := map[string]string{}
	for _, v := range strings.Fields(env) {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	return &streams{err: &bytes.Buffer{}, env: func(name string) string { return vars[name] }}
}

func TestCheckout(t *testing.T) {
	for _, tt := range []struct{ ci, env, want string }{
		{ciGitHub, "GITHUB_WORKSPACE=/w", "/w"},
		{ciCircle, "CIRCLE_WORKING_DIRECTORY=~/project HOME=/home/circleci", "/home/circleci/project"},
		{ciNone, "WORKSPACE=/w", ""},
	} {
		if got := envOf(tt.env).checkout(tt.ci); got != tt.want {
			t.Errorf("%s with %q: %q, want %q", tt.ci, tt.env, got, tt.want)
		}
	}
}

// No text of a log can end a value early and set an output of its own.
func TestStepOutputsCannotBeForged(t *testing.T) {
	d := &report.Document{Verdict: "unknown", Incidents: []*report.Incident{{Kind: "panic", Fingerprint: "ct1:1\nend_\nverdict=none\nx<<y"}}}
	var a, b bytes.Buffer
	for _, out := range []*bytes.Buffer{&a, &b} {
		if err := stepOutputs(out, d, report.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(a.String(), "\nverdict="); n != 0 || !strings.HasPrefix(a.String(), "verdict=unknown\n") {
		t.Errorf("forged:\n%s", a.String())
	}
	delimiter := regexp.MustCompile(`end_[A-Z2-7]{20,}`)
	if x, y := delimiter.FindString(a.String()), delimiter.FindString(b.String()); x == "" || x == y {
		t.Errorf("the delimiter can be known: %q and %q", x, y)
	}
}

// A summary that GitHub would drop, with what the step wrote before, is left out and that is said.
func TestStepSummaryLeavesRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.md")
	if err := os.WriteFile(path, make([]byte, stepSummaryMax-10), 0o600); err != nil {
		t.Fatal(err)
	}
	s := envOf("GITHUB_STEP_SUMMARY=" + path)
	var b bytes.Buffer
	if err := s.stepSummary()[0].format.Write(&b, &report.Document{}, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if b.Len() != 0 || !strings.Contains(s.err.(*bytes.Buffer).String(), "the job summary is left out") {
		t.Errorf("wrote %d bytes, said %q", b.Len(), s.err)
	}
}

func TestNearestIDsDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ac", 1}, {"", "abc", 3}, {"kitten", "sitting", 3}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
