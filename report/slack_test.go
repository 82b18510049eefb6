package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
)

func init() { harmless["slack"] = requirePasteable }

var called = regexp.MustCompile(`(?i)@(here|channel|everyone|group)|(^|[^A-Za-z0-9])@[\pL\pN_]|<[!@#]|<[a-z][a-z0-9+.-]*:`)

// requirePasteable fails unless out is one message within its bounds: a line, one fence, a link.
func requirePasteable(t *testing.T, out []byte) {
	t.Helper()
	text := string(out)
	requireSafe(t, text)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if n := len(lines); n > slackLines {
		t.Errorf("%d lines", n)
	}
	if n := utf8.RuneCount(out); n > slackRunes {
		t.Errorf("%d characters", n)
	}
	if s := called.FindString(text); s != "" {
		t.Errorf("%q would call somebody or be a link: %q", s, text)
	}
	link := ""
	if last := lines[len(lines)-1]; webLink(last) {
		link, lines = last, lines[:len(lines)-1]
	}
	for n, l := range lines {
		if cells(l) > chatColumns {
			t.Errorf("line %d has %d columns: %q", n+1, cells(l), l)
		}
		if strings.ContainsAny(l, "`") && l != "```" {
			t.Errorf("line %d has a backtick: %q", n+1, l)
		}
	}
	if lines[0] == "" || lines[0] == "```" {
		t.Errorf("the verdict is %q", lines[0])
	}
	switch fences := strings.Count(text, "```"); {
	case fences == 0 && len(lines) == 1:
	case fences == 2 && lines[1] == "```" && lines[len(lines)-1] == "```":
	default:
		t.Errorf("not a line, a fence and a link (%q): %q", link, text)
	}
}

func TestSlackIsOneMessage(t *testing.T) {
	docs := map[string]*Document{"many": manyExample(500).doc(), "empty": Build(nil, nil, exampleTool)}
	for _, e := range examples() {
		docs[e.name] = e.doc()
	}
	for mark := range strings.SplitSeq("e\u0301\u0301\u0301\u0301 数 ` & < > @ : \n", " ") {
		docs["full of "+mark] = hostileWith(strings.Repeat(mark+"here ", 2000)).doc()
	}
	for name, d := range docs {
		t.Run(name, func(t *testing.T) {
			for _, o := range []Options{{}, {Verbose: true}, {Quiet: true}, {Width: 40}} {
				requirePasteable(t, rendered(t, formatOf(t, "slack"), d, o))
			}
		})
	}
}

// The first line is the answer, with no other to contradict it.
func TestSlackVerdict(t *testing.T) {
	want := map[string]string{
		"known":      "KNOWN BUG · affected · quartz 2.4.1 · quartz-route-publish-race · fix open",
		"fixed-here": "KNOWN BUG · fixed-here · quartz 2.4.1 · quartz-route-publish-race",
		"logs":       "KNOWN BUG IN THE LOGS · version-unknown · lantern-stale-snapshot",
		"unknown":    "UNKNOWN CRASH · nil pointer · no known signature · store.(*Cache).Get",
		"candidates": "UNKNOWN CRASH · concurrent map iteration w… · no known signature, 2 candidates",
		"dump":       "GOROUTINE DUMP · no crash · 41,217 goroutines in 18 shapes",
		"none":       "no Go crash in 3 files (812 MB, 4.1 M lines read)",
	}
	for _, e := range examples() {
		first, _, _ := strings.Cut(string(rendered(t, formatOf(t, "slack"), e.doc(), Options{})), "\n")
		if want[e.name] != "" && first != want[e.name] {
			t.Errorf("%s: %s\nwant %s", e.name, first, want[e.name])
		}
	}
}

// The verdict never says more of the fix than the fix's own words do.
func TestReleaseAnswers(t *testing.T) {
	version := func(v string) []signatures.FixedIn { return []signatures.FixedIn{{Module: "quartz", Version: v}} }
	const url = "https://github.com/quartzdb/quartz/pull/812"
	tests := []struct {
		name  string
		fix   signatures.Fix
		width int
		want  string
	}{
		{"released", signatures.Fix{URL: url, State: signatures.FixMerged, FixedIn: version("2.5.0")}, 90, "fixed in quartz 2.5.0"},
		{"open, wide", signatures.Fix{URL: url, State: signatures.FixOpen, Release: "unreleased"}, 200, "fix: quartzdb/quartz#812, open; not known to be released"},
		{"open", signatures.Fix{URL: url, State: signatures.FixOpen, Release: "unreleased"}, 78, "fix open"},
		{"no change known", signatures.Fix{State: signatures.FixOpen, Release: "unknown"}, 84, "fix: none known"},
		{"none known", signatures.Fix{State: signatures.FixNoneKnown}, 84, "fix: none known"},
		{"no room", signatures.Fix{URL: url, State: signatures.FixOpen}, 70, "quartz-route-publish-race"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := knownExample()
			for inc, m := range e.result.ByIncident {
				s := *m[0].Signature
				s.Fix = tt.fix
				m[0].Signature = &s
				e.result.ByIncident[inc] = m
			}
			got := grouped(e.doc())[0].answer(tt.width)
			if !strings.HasSuffix(got, " · "+tt.want) || cells(got) > tt.width {
				t.Errorf("%s, want it to end in %q within %d columns", got, tt.want, tt.width)
			}
		})
	}
}

func TestChatText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"everybody", "<!channel> <!here|here>", "< !channel> < !here|here>"},
		{"a user", "<@U012> and @anna", "< @ U012> and @ anna"},
		{"a channel", "<#C012|ops>", "< #C012|ops>"},
		{"a link", "<https://x.example|bank>", "< https://x.example|bank>"},
		{"here by any name", "x@here @Channel foo.@everyone", "x@ here @ Channel foo.@ everyone"},
		{"modules keep their version", "go-memdb@v1.3.4/watch.go", "go-memdb@v1.3.4/watch.go"},
		{"mail stays", "ops@quartz.example", "ops@quartz.example"},
		{"Go text stays", "<autogenerated> <-chan int &{nil}", "<autogenerated> <-chan int &{nil}"},
		{"backticks", "```\nx`", `'''\nx'`},
		{"entities are not made", "a & b < c", "a & b < c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := chatText(tt.in); got != tt.want {
				t.Errorf("chatText(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// A message that is too long loses what is missed least, and says that it did.
func TestSlackShortens(t *testing.T) {
	e := knownExample()
	inc := e.capture.Incidents[0]
	for n := range 300 {
		inc.Buckets = append(inc.Buckets, &parse.Bucket{ID: fmt.Sprint(n), Count: 1, State: "select", Frames: inc.Stack})
	}
	e.capture.Incidents = append(e.capture.Incidents, severalExample().capture.Incidents...)
	text := string(rendered(t, formatOf(t, "slack"), e.doc(), Options{}))
	for _, want := range []string{
		"fix: quartzdb/quartz#812, open; not known to be released as of 2026-09", "1. one backend a route avoids it", "2. follow quartzdb/quartz#812",
		"> ringmap.Set.Each", "38,802  select, up to 3 h 4 min  view.(*materializer).query", "more shapes", "also found\n", "id: ct1:3fa9c1d2",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestSlackFoldsRecursion(t *testing.T) {
	e := unknownExample()
	inc := e.capture.Incidents[0]
	deep := own("github.com/acme/orders/tree.(*Node).walk", "/home/ci/src/orders/tree/walk.go", 12, 5)
	inc.Stack = append(inc.Stack[:1:1], deep, deep, deep, inc.Stack[5])
	text := string(rendered(t, formatOf(t, "slack"), e.doc(), Options{}))
	if !strings.Contains(text, "tree.(*Node).walk  tree/walk.go:12 3 times\n  main.main") {
		t.Errorf("three equal frames are not one line:\n%s", text)
	}
}

// Nothing but blanks is lost or said twice where a text goes on in the next line.
func TestHanging(t *testing.T) {
	for _, text := range []string{
		"short", "", strings.Repeat("word ", 40), "  a" + strings.Repeat(" ", 50) + "b  " + strings.Repeat("c", 200), strings.Repeat("x::", 60), strings.Repeat("数", 90),
	} {
		for _, head := range []string{"  ", "1. ", "running: "} {
			got := ""
			for n, l := range hanging(head, text, 50) {
				if cells(l) > chatColumns {
					t.Errorf("%d columns: %q", cells(l), l)
				}
				if n == 0 {
					l = strings.TrimPrefix(l, head)
				}
				got += strings.ReplaceAll(l, " ", "")
			}
			if want := strings.ReplaceAll(text, " ", ""); got != want {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
	if got := hanging("a: ", strings.Repeat("word ", 99), 2); len(got) != 2 || !strings.HasSuffix(got[1], "word…") {
		t.Errorf("cut to two lines: %q", got)
	}
}
