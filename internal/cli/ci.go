package cli

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/crashtriage/crashtriage/report"
)

// The CI servers that are told apart. All others get the same text as a terminal.
const (
	ciNone      = "off"
	ciGitHub    = "github"
	ciGitLab    = "gitlab"
	ciJenkins   = "jenkins"
	ciBuildkite = "buildkite"
	ciCircle    = "circleci"
)

func ciNames() []string {
	return []string{"auto", ciNone, ciGitHub, ciGitLab, ciJenkins, ciBuildkite, ciCircle}
}

// ci is the CI server that the command runs in, by the variables that each sets in every job.
func (s *streams) ci(flag string) string {
	if flag != "auto" && flag != "" {
		return flag
	}
	switch {
	case s.env("GITHUB_ACTIONS") == "true":
		return ciGitHub
	case s.env("GITLAB_CI") != "":
		return ciGitLab
	case s.env("BUILDKITE") == "true":
		return ciBuildkite
	case s.env("CIRCLECI") == "true":
		return ciCircle
	case s.env("JENKINS_URL") != "", s.env("BUILD_ID") != "" && s.env("JENKINS_HOME") != "":
		return ciJenkins
	}
	return ciNone
}

// checkout is the folder that the CI server takes paths to be relative to; "" where there is none.
func (s *streams) checkout(ci string) string {
	dir := s.env(map[string]string{
		ciGitHub: "GITHUB_WORKSPACE", ciGitLab: "CI_PROJECT_DIR", ciJenkins: "WORKSPACE",
		ciBuildkite: "BUILDKITE_BUILD_CHECKOUT_PATH", ciCircle: "CIRCLE_WORKING_DIRECTORY",
	}[ci])
	if rest, ok := strings.CutPrefix(dir, "~/"); ok { // as CircleCI writes it
		dir = s.env("HOME") + "/" + rest
	}
	return dir
}

// withCI adds what the CI server of check shows beside its log: under GitHub, annotations after
// the text and the job summary. Annotations would spoil any other format on stdout.
func (o *checkOptions) withCI(s *streams, outs []output, r *reading) []output {
	if o.place != ciGitHub {
		return outs
	}
	text, explicit := false, false
	for _, out := range outs {
		text = text || out.path == "" && out.format.Name == "text"
		explicit = explicit || out.format.Name == "github"
	}
	found := report.TallyOf(r.doc, report.Options{}).Found > 0 || r.broken
	if f, ok := formatNamed("github"); ok && text && !explicit && found {
		outs = append(outs, output{format: f})
	}
	outs = append(outs, s.stepSummary()...)
	if path := s.env("GITHUB_OUTPUT"); path != "" {
		outs = append(outs, output{format: report.Format{Name: "step outputs", Write: stepOutputs}, path: path, add: true})
	}
	return outs
}

// stepSummary is the job summary, where GitHub wants it.
func (s *streams) stepSummary() []output {
	path := s.env("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	write := func(w io.Writer, d *report.Document, o report.Options) error {
		var b bytes.Buffer
		if err := report.GitHubSummary(&b, d, o); err != nil {
			return err
		}
		if f, err := os.Stat(path); err == nil && f.Size()+int64(b.Len()) > stepSummaryMax {
			s.notef("the job summary is left out: the step has written %d bytes of one, and GitHub drops it above 1 MiB", f.Size())
			return nil
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	return []output{{format: report.Format{Name: "job summary", Publish: true, Write: write}, path: path, add: true}}
}

// stepSummaryMax is the size above which GitHub drops the summary of a step as a whole.
const stepSummaryMax = 1 << 20

// stepOutputs writes what later steps of a GitHub job can ask: steps.ID.outputs.NAME.
func stepOutputs(w io.Writer, d *report.Document, o report.Options) error {
	t := report.TallyOf(d, o)
	var b strings.Builder
	for _, v := range []struct {
		name  string
		value any
	}{{"verdict", d.Verdict}, {"found", t.Found}, {"crashes", t.Crashes}, {"failing", t.Failing}, {"accepted", t.Accepted}} {
		fmt.Fprintf(&b, "%s=%v\n", v.name, v.value)
	}
	for _, v := range []struct {
		name  string
		lines []string
	}{{"fingerprints", t.Fingerprints}, {"matched", t.Matched}} {
		// Whoever knew the delimiter could end the value early and set outputs of his own.
		end := "end_" + rand.Text()
		fmt.Fprintf(&b, "%s<<%s\n", v.name, end)
		for _, l := range v.lines {
			fmt.Fprintln(&b, report.Escape(l))
		}
		fmt.Fprintln(&b, end)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// foldAfter is how many lines GitLab's log shows before the rest is folded.
const foldAfter = 20

// foldedSummary is report.Summary for GitLab's log, whose sections fold: what comes after the
// first lines is in one.
func foldedSummary(w io.Writer, d *report.Document, o report.Options) error {
	var b bytes.Buffer
	if err := report.Summary(&b, d, o); err != nil {
		return err
	}
	lines := strings.SplitAfter(b.String(), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) <= foldAfter+5 {
		_, err := w.Write(b.Bytes())
		return err
	}
	_, err := fmt.Fprintf(w, "%s\x1b[0Ksection_start:%d:crashtriage[collapsed=true]\r\x1b[0K%d more\n%s\x1b[0Ksection_end:%d:crashtriage\r\x1b[0K\n",
		strings.Join(lines[:foldAfter], ""), time.Now().Unix(), len(lines)-foldAfter, strings.Join(lines[foldAfter:], ""), time.Now().Unix())
	return err
}

// workingDir is the folder that relative names start from; "" when it is not known.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
