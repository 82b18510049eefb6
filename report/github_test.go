package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/crashtriage/crashtriage/parse"
)

func init() { harmless["github"] = checkCommands }

var commandLine = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]+,)?(line=[0-9]+,)?title=[^,:]*::(.*)$`)

// checkCommands wants nothing but annotations, one a line.
func checkCommands(t *testing.T, out []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) > annotationsShown+1 {
		t.Errorf("%d annotations: GitHub drops all after the tenth", len(lines))
	}
	for _, l := range lines {
		m := commandLine.FindStringSubmatch(l)
		if m == nil {
			t.Errorf("no annotation: %q", l)
			continue
		}
		if strings.Contains(m[4], "##[") || strings.Contains(m[4], "##vso[") {
			t.Errorf("a CI server would obey %q", l)
		}
	}
	for _, r := range string(out) {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("unsafe rune %U in %q", r, out)
		}
	}
}

func TestCommandEscapes(t *testing.T) {
	got := command("error", "a,b:c%.log", 7, "50%: x,y", "100% of\r\n::error::boom", "second")
	want := `::error file=a%2Cb%3Ac%25.log,line=7,title=50%25%3A x%2Cy::100%25 of\r\n::error\x3a:boom%0Asecond`
	want = strings.Replace(want, `\n::error\x3a:boom`, `\n::error::boom`, 1)
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// More than nine annotations become nine and one that counts the rest, the strongest first.
func TestGitHubAnnotationsAreFew(t *testing.T) {
	var b bytes.Buffer
	if err := GitHub(&b, manyExample(40).doc(), Options{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != annotationsShown+1 {
		t.Fatalf("%d annotations", len(lines))
	}
	if !strings.Contains(lines[0], "KNOWN BUG") || !strings.Contains(lines[9], "31 more") {
		t.Errorf("first %s\nlast %s", lines[0], lines[9])
	}
}

func TestGitHubSummaryGoldens(t *testing.T) {
	for _, e := range fiveExamples() {
		t.Run(e.name, func(t *testing.T) {
			golden(t, "github/"+e.name+".summary.md", summaryOf(t, e.doc()))
		})
	}
}

func TestGitHubSummaryKeepsTheLimit(t *testing.T) {
	long := strings.Repeat("a long name & more, ", 200)
	e := manyExample(2000)
	for _, inc := range e.capture.Incidents {
		inc.Headline = "panic: " + long
		inc.Source = long
		inc.Stack = append(inc.Stack, parse.Frame{Function: "x/" + long + ".F"})
	}
	out := summaryOf(t, e.doc())
	if len(out) > summaryLimit || !strings.Contains(out, "not fit in here") {
		t.Errorf("%d bytes, want at most %d and a word about the rest", len(out), summaryLimit)
	}
	if a, b := strings.Count(out, "<details>"), strings.Count(out, "</details>"); a != b || a == 0 {
		t.Errorf("%d details opened, %d closed", a, b)
	}
}

func summaryOf(t *testing.T, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := GitHubSummary(&b, d, Options{}); err != nil {
		t.Fatal(err)
	}
	checkSummary(t, b.String())
	return b.String()
}

var (
	summaryTags = regexp.MustCompile(`</?(?:details|summary|code|pre|sub|br)>`)
	summaryLink = regexp.MustCompile(`\[[^\[\]]*\]\(https://[^\s()<>]*\)`)
)

// checkSummary wants no markup but the writer's own: once its tags and links are taken out, no
// character is left that Markdown or HTML gives a meaning.
func checkSummary(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) || !strings.HasPrefix(out, "### ") {
		t.Errorf("no UTF-8, or no heading first: %q", out[:min(len(out), 40)])
	}
	for _, line := range strings.Split(out, "\n") {
		rest := summaryLink.ReplaceAllString(summaryTags.ReplaceAllString(line, ""), "")
		rest = strings.TrimPrefix(rest, "### ")
		if strings.HasPrefix(rest, "| ") || strings.HasPrefix(rest, "|-") {
			if n := strings.Count(rest, "|"); n != 7 {
				t.Errorf("a row of %d cells: %q", n-1, line)
			}
			rest = strings.ReplaceAll(rest, "|", "")
		}
		rest = regexp.MustCompile(`&#\d+;`).ReplaceAllString(rest, "")
		if strings.HasPrefix(rest, "---") {
			rest = strings.NewReplacer("-", "", ":", "").Replace(rest)
		}
		if strings.ContainsAny(rest, "<>&*_`[]\\@|~#!") || strings.Contains(rest, "://") || strings.Contains(rest, "www.") {
			t.Errorf("markup that is not the writer's: %q", rest)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Fatalf("unsafe rune %U in %q", r, line)
			}
		}
	}
}

func TestGitHubSummaryHoldsHostileText(t *testing.T) {
	summaryOf(t, hostileExample().doc())
	for _, s := range []string{"```\n# x\n```", "</details><script>", "|a|b|", "[x](javascript:alert(1))", "@everyone #1 owner/name#2", "https://evil.example www.evil.example", "\\|", "&lt;b&gt;", "~~~", "![x](https://evil.example/i.png)"} {
		summaryOf(t, hostileWith(s).doc())
	}
}

func FuzzGitHubSummary(f *testing.F) {
	f.Add(evilText)
	f.Add("|</code>`")
	f.Fuzz(func(t *testing.T, s string) { summaryOf(t, hostileWith(s).doc()) })
}

// Where one crash stands in many logs, it is one annotation and one row.
func TestGitHubGroupsByFingerprint(t *testing.T) {
	e := manyExample(6)
	for _, inc := range e.capture.Incidents {
		inc.Fingerprint = "ct1:0000000a"
	}
	d := e.doc()
	var b bytes.Buffer
	if err := GitHub(&b, d, Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 1 {
		t.Errorf("%d annotations, want 1", n)
	}
	if out := summaryOf(t, d); strings.Count(out, "<details>") != 1 || !strings.Contains(out, "and 5 more") {
		t.Error(out)
	}
}

func TestMdLink(t *testing.T) {
	for _, tt := range []struct{ text, url, want string }{
		{"a#1", "https://github.com/a/b/pull/1", "[a&#35;1](https://github.com/a/b/pull/1)"},
		{"x", "javascript:alert(1)", "x"},
		{"x", "http://plain.example", "x"},
		{"x", "https://a.example/(b)", "x"},
		{"x", "https://a.example/ b", "x"},
		{"x", "", "x"},
	} {
		if got := mdLink(tt.text, tt.url); got != tt.want {
			t.Errorf("mdLink(%q, %q) = %q, want %q", tt.text, tt.url, got, tt.want)
		}
	}
}
