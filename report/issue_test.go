package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crashtriage/crashtriage/parse"
)

func init() {
	harmless["issue"] = func(t *testing.T, out []byte) {
		requireSafe(t, string(out))
		requireInertMarkdown(t, string(out))
	}
}

var (
	fenceLine = regexp.MustCompile("^(`{3,})(text)?$")
	// ownLinks are the links that we write ourselves.
	ownLinks = regexp.MustCompile(`\[[A-Za-z0-9._~#@/:-]+\]\(https://[A-Za-z0-9._~%/?=#+-]+\)|<https://[A-Za-z0-9._/-]+/issues/new>`)
	// live is what GitHub reads as markup, a mention, a reference or HTML outside of code.
	live = regexp.MustCompile(`[<|@*~$&]|#[0-9]|!\[|\]\(`)
)

// requireInertMarkdown fails when something outside of code spans and fences could be read as
// markup that we did not write.
func requireInertMarkdown(t *testing.T, out string) {
	t.Helper()
	fence := ""
	for _, line := range strings.Split(out, "\n") {
		if m := fenceLine.FindStringSubmatch(line); m != nil && fence == "" && m[2] != "" {
			fence = m[1]
			continue
		}
		if fence != "" {
			if strings.TrimRight(line, " ") == fence {
				fence = ""
			} else if longestRun(line, '`') >= len(fence) {
				t.Errorf("%q could close the fence", line)
			}
			continue
		}
		line = ownLinks.ReplaceAllString(withoutCode(line), "")
		line = strings.TrimPrefix(line, "> ")
		if strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|") {
			line = strings.ReplaceAll(line, " | ", " ")
			line = strings.Trim(line, "|")
			if strings.Trim(line, " -|") == "" {
				continue
			}
		}
		line = strings.ReplaceAll(line, "**", "")
		if m := live.FindString(line); m != "" {
			t.Errorf("%q is live in %q", m, line)
		}
	}
	if fence != "" {
		t.Error("a fence is left open")
	}
}

// withoutCode takes the code spans out of a line as CommonMark pairs them: a run of backticks ends
// at the next run of the same length.
func withoutCode(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		if line[i] == '\\' && i+1 < len(line) {
			if c := line[i+1]; c == '@' || c == '#' {
				b.WriteByte(c) // GitHub looks for these after the backslash is gone
			}
			i += 2
			continue
		}
		if line[i] != '`' {
			b.WriteByte(line[i])
			i++
			continue
		}
		n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
		end := -1
		for j := i + n; j < len(line); {
			if line[j] != '`' {
				j++
				continue
			}
			k := len(line[j:]) - len(strings.TrimLeft(line[j:], "`"))
			if k == n {
				end = j + k
				break
			}
			j += k
		}
		if end < 0 {
			b.WriteString(line[i : i+n])
			i += n
			continue
		}
		i = end
	}
	return b.String()
}

func issueOf(t *testing.T, d *Document) string {
	t.Helper()
	return string(rendered(t, Format{Name: "issue", Write: Issue}, d, Options{}))
}

func TestIssueKeepsLogTextInCode(t *testing.T) {
	for _, evil := range []string{
		"@octocat look", "fixes #12", "owner/repo#7", "<img src=x onerror=alert(1)>", "```\n# head\n```", "`````", "` @octocat `", "a | b | c", `a \| @x |`, "</details>",
		"[x](javascript:alert(1))", "**bold** _it_", "~~~\nx", "- [x] done", "> quote", "\\`@x", "::error::x", "<!-- hidden -->", "&lt;script&gt;", "``", "`",
	} {
		t.Run(evil, func(t *testing.T) { harmless["issue"](t, []byte(issueOf(t, hostileWith(evil).doc()))) })
	}
}

// Somebody about to open a duplicate reads first that it is one.
func TestIssueOfAKnownBugSaysSoFirst(t *testing.T) {
	out := issueOf(t, knownExample().doc())
	lines := strings.SplitN(out, "\n", 4)
	if !strings.HasPrefix(lines[0], "# `fatal error: concurrent map iteration and map write` in `ringmap.Set.Each`") {
		t.Errorf("the title is %q", lines[0])
	}
	if want := "> **This bug is known: see [quartzdb/quartz#812](https://github.com/quartzdb/quartz/pull/812).** Another issue would be a duplicate"; !strings.HasPrefix(lines[2], want) {
		t.Errorf("the first paragraph is %q", lines[2])
	}
	if fixed := issueOf(t, fixedHereExample().doc()); !strings.Contains(fixed, "should have the fix") {
		t.Error("a fixed version is not told")
	}
	if unknown := issueOf(t, unknownExample().doc()); strings.Contains(unknown, "known:") || !strings.Contains(unknown, "<https://github.com/acme/orders/issues/new>") {
		t.Errorf("unknown crash:\n%s", unknown)
	}
}

func TestIssueAsksForWhatIsMissing(t *testing.T) {
	consul := &parse.Incident{Kind: parse.KindPanic, Headline: "panic: x", Died: parse.Yes, Stack: []parse.Frame{own("github.com/hashicorp/consul/agent.run", "/src/agent/a.go", 1, 1)}}
	consul.Blame = &consul.Stack[0]
	c := &parse.Capture{Incidents: []*parse.Incident{consul}}
	out := issueOf(t, Build(c, nil, exampleTool))
	for _, want := range []string{"- [ ] the output of `consul version`", "- [ ] the output of `consul info`", "- [ ] the Go version", "| program | not in the input |"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	c.Facts.Products = []parse.Product{{Name: "consul", Version: "1.22.6", How: "consul info", Line: 3}}
	if out := issueOf(t, Build(c, nil, exampleTool)); strings.Contains(out, "`consul info`, of") || !strings.Contains(out, "`consul version`") {
		t.Errorf("it asks for what is there:\n%s", out)
	}
}

// However much the input has, the issue stays within what GitHub takes.
func TestIssueFitsGitHub(t *testing.T) {
	long := strings.Repeat("wörd` | <b> ", 200)
	d := hostileWith(long).doc()
	inc := d.Incidents[0]
	for n := range 1_000 {
		f := Frame{Function: fmt.Sprintf("github.com/x/y%d.F", n), File: long, Module: fmt.Sprint("github.com/x/y", n), Version: long, Args: long}
		inc.Stack = append(inc.Stack, f)
		inc.Chain = append(inc.Chain, long)
		inc.Context = append(inc.Context, Context{Text: long, Line: n})
		inc.Buckets = append(inc.Buckets, &Bucket{Count: 1, State: long, Frames: []Frame{f}})
		inc.Matches[0].Evidence = append(inc.Matches[0].Evidence, Evidence{Source: long, Condition: long})
		inc.Matches[0].Collect = append(inc.Matches[0].Collect, fmt.Sprint(n, long))
	}
	inc.Matches[0].RootCause, inc.Matches[0].Workaround, inc.Matches[0].Title, inc.Matches[0].Fix.Note = long, long, long, long
	for range 50 {
		d.Incidents = append(d.Incidents, inc)
	}
	for _, known := range []bool{true, false} {
		if !known {
			inc.Matches[0].Status = "candidate"
			for range 30 {
				inc.Matches = append(inc.Matches, inc.Matches[0])
			}
			inc.Family = &Family{Meaning: long, NextStep: long}
		}
		out := issueOf(t, d)
		if n := utf8.RuneCountInString(out); n > 60_000 {
			t.Errorf("%d characters", n)
		}
		if !strings.Contains(out, "cut here") || !strings.HasSuffix(out, "\n") {
			t.Error("the cut is not told, or the end is missing")
		}
		harmless["issue"](t, []byte(out))
	}
}

func TestTracker(t *testing.T) {
	for _, c := range []struct{ function, module, repo, url string }{
		{"github.com/acme/orders/store.(*Cache).Get", "", "github.com/acme/orders", "https://github.com/acme/orders/issues/new"},
		{"github.com/acme/orders/v2.Run", "", "github.com/acme/orders", "https://github.com/acme/orders/issues/new"},
		{"k8s.io/client-go/tools/cache.(*Reflector).Run", "", "github.com/kubernetes/client-go", "https://github.com/kubernetes/client-go/issues/new"},
		{"sigs.k8s.io/controller-runtime/pkg/manager.New", "", "github.com/kubernetes-sigs/controller-runtime", "https://github.com/kubernetes-sigs/controller-runtime/issues/new"},
		{"golang.org/x/sync/errgroup.(*Group).Go.func1", "", "github.com/golang/go", "https://github.com/golang/go/issues/new"},
		{"google.golang.org/grpc/internal/transport.New", "", "github.com/grpc/grpc-go", "https://github.com/grpc/grpc-go/issues/new"},
		{"go.etcd.io/bbolt.(*DB).Update", "", "github.com/etcd-io/bbolt", "https://github.com/etcd-io/bbolt/issues/new"},
		{"gopkg.in/yaml%2ev3.Unmarshal", "", "github.com/go-yaml/yaml", "https://github.com/go-yaml/yaml/issues/new"},
		{"gopkg.in/acme/queue%2ev1.Run", "", "github.com/acme/queue", "https://github.com/acme/queue/issues/new"},
		{"gitlab.com/acme/orders/store.Get", "", "gitlab.com/acme/orders", ""},
		{"gitlab.com/acme/shop/orders/store.Get", "gitlab.com/acme/shop/orders", "gitlab.com/acme/shop/orders", "https://gitlab.com/acme/shop/orders/-/issues/new"},
		{"example.org/shop/store.Get", "", "example.org/shop", ""},
		{"main.main", "", "", ""},
		{"main.main", "github.com/acme/orders", "github.com/acme/orders", "https://github.com/acme/orders/issues/new"},
		{"github.com/a b/<c>.F", "", "", ""},
	} {
		repo, url := tracker(&Frame{Function: c.function, Module: c.module})
		if repo != c.repo || url != c.url {
			t.Errorf("%s: got %q, %q; want %q, %q", c.function, repo, url, c.repo, c.url)
		}
	}
}
