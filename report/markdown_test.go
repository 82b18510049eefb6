package report

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
)

func init() { harmless["markdown"] = requireComment }

var (
	mdTags  = regexp.MustCompile(`</?(details|summary|code|sub)>|<br>`)
	mdCodes = regexp.MustCompile(`<code>[^<]*</code>`)
	mdLinks = regexp.MustCompile(`\[[^\]\[]*\]\((https?://[^()\s]+)\)`)
	// mdCalls are what GitHub looks for in the finished text.
	mdCalls = regexp.MustCompile(`(?i)@[\pL\pN_]|#\d|\bgh-\d|:[a-z+-][a-z0-9_+-]*:`)
)

// requireComment fails unless out is a comment that GitHub takes, whose markup is our own: what is
// no fence has only our tags, and text that neither Markdown nor GitHub acts on.
func requireComment(t *testing.T, out []byte) {
	t.Helper()
	text := string(out)
	requireSafe(t, text)
	if len(out) > markdownLimit {
		t.Errorf("%d bytes", len(out))
	}
	if !strings.HasPrefix(text, "### ") {
		t.Errorf("it begins with no heading of the third level: %q", text[:min(len(text), 80)])
	}
	fence, open := "", 0
	for _, line := range strings.Split(text, "\n") {
		if fence != "" {
			if line == fence {
				fence = ""
			} else if strings.Contains(line, fence) {
				t.Errorf("%q could close the fence", line)
			}
			continue
		}
		if strings.HasPrefix(line, "```") {
			if fence = line; strings.Trim(line, "`") != "" {
				t.Errorf("a fence opens with %q", line)
			}
			continue
		}
		open += strings.Count(line, "<details>") - strings.Count(line, "</details>")
		rest := mdTags.ReplaceAllString(mdLinks.ReplaceAllString(line, ""), "")
		if strings.ContainsAny(rest, "<>`[]~\\$") || strings.Contains(rest, "://") || strings.Contains(strings.ReplaceAll(rest, "**", ""), "*") {
			t.Errorf("markup that is not ours in %q", line)
		}
		if strings.HasPrefix(line, "|") != strings.HasSuffix(line, "|") || strings.HasPrefix(line, "|") && strings.Count(line, "|") != 3 {
			t.Errorf("a row has not two cells: %q", line)
		}
		// In code and in links GitHub looks for nothing.
		seen := html.UnescapeString(mdTags.ReplaceAllString(mdCodes.ReplaceAllString(mdLinks.ReplaceAllString(line, ""), ""), ""))
		if s := mdCalls.FindString(seen); s != "" {
			t.Errorf("GitHub would act on %q in %q", s, line)
		}
	}
	if fence != "" || open != 0 {
		t.Errorf("fence %q and %d details are left open", fence, open)
	}
}

func TestMarkdownIsOneComment(t *testing.T) {
	docs := map[string]*Document{"many": manyExample(500).doc(), "empty": Build(nil, nil, exampleTool)}
	for _, e := range examples() {
		docs[e.name] = e.doc()
	}
	// Each of these grows when it is escaped.
	for mark := range strings.SplitSeq("` @x & < | \u200b 数 #1", " ") {
		docs["full of "+mark] = hostileWith(strings.Repeat(mark, 6000)).doc()
	}
	for name, d := range docs {
		t.Run(name, func(t *testing.T) {
			for _, o := range []Options{{}, {Verbose: true}, {Quiet: true}} {
				requireComment(t, rendered(t, formatOf(t, "markdown"), d, o))
			}
		})
	}
}

// What finds no room is counted.
func TestMarkdownSaysWhatIsCut(t *testing.T) {
	text := string(rendered(t, formatOf(t, "markdown"), manyExample(500).doc(), Options{}))
	told := strings.Count(text, "<details><summary>KNOWN BUG") + strings.Count(text, "<details><summary>UNKNOWN CRASH")
	cut := regexp.MustCompile(`(\d+) parts do not fit in here: a comment has room for 60,000 characters`).FindStringSubmatch(text)
	if cut == nil || told == 0 || told >= 499 {
		t.Fatalf("%d of 499 further crashes are told, and the note is %q", told, cut)
	}
	if want := number(499 - told); cut[1] != want {
		t.Errorf("%s parts are said to be cut, %s are", cut[1], want)
	}
	if small := string(rendered(t, formatOf(t, "markdown"), severalExample().doc(), Options{})); strings.Contains(small, "fit in here") {
		t.Error("something is cut from a small document")
	}
}

func TestMarkdownProse(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"mention", "ask @anna", "ask @&#8203;anna"},
		{"reference", "see quartzdb/quartz#12", "see quartzdb/quartz&#35;&#8203;12"},
		{"short reference", "GH-12", "GH-&#8203;12"},
		{"markup", "*a* _b_ ~c~ `d` [e](f) ![g](h)", "&#42;a&#42; &#95;b&#95; &#126;c&#126; &#96;d&#96; &#91;e&#93;(f) &#33;&#91;g&#93;(h)"},
		{"HTML", "<img src=x> &lt;", "&lt;img src=x&gt; &amp;lt;"},
		{"table", `a|b\|c`, "a&#124;b&#92;&#124;c"},
		{"address", "https://x.example www.x.example", "https&#58;//x.example www&#46;x.example"},
		{"heading", "# x", "&#35; x"},
		{"list", "- x", "&#45; x"},
		{"numbered list", "12. x", "12&#46; x"},
		{"emoji", "a :bug: at 12:34:56", "a :&#8203;bug: at 12:34:56"},
		{"emoji in a row", ":a:b:c:", ":&#8203;a:&#8203;b:&#8203;c:"},
		{"words stay", "store.Cache.Get: nil map (again)", "store.Cache.Get: nil map (again)"},
		{"a NUL is no separator", "a\x00b", `a&#92;x00b`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mdProse(tt.in); got != tt.want {
				t.Errorf("mdProse(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestMarkdownFenceIsLonger(t *testing.T) {
	for in, mark := range map[string]string{"a": "```", "a ``` b": "````", "`````": "``````", "``": "```"} {
		if want := mark + "\n" + in + "\n" + mark + "\n"; mdFence([]string{in}) != want {
			t.Errorf("mdFence(%q) = %q, want %q", in, mdFence([]string{in}), want)
		}
	}
}

// Threads are links where a pack names them, and only then.
func TestMarkdownThreads(t *testing.T) {
	const url = "https://github.com/quartzdb/quartz/pull/812"
	tests := []struct{ text, url, want string }{
		{"follow quartzdb/quartz#812 now", url, "follow [quartzdb/quartz&#35;812](" + url + ") now"},
		{"report it at " + url, url, "report it at [quartzdb/quartz&#35;812](" + url + ")"},
		{"follow quartzdb/quartz#9", url, "follow quartzdb/quartz&#35;&#8203;9"},
		{"x", "javascript:alert(1)", "x"},
		{"x", "https://quartz.example/a)b", "x"},
	}
	for _, tt := range tests {
		if got := mdWithThread(tt.text, tt.url); got != tt.want {
			t.Errorf("mdWithThread(%q, %q) = %q, want %q", tt.text, tt.url, got, tt.want)
		}
	}
}

// An incident without any name of its own is told all the same.
func TestMarkdownWithoutNames(t *testing.T) {
	d := Build(&parse.Capture{Incidents: []*parse.Incident{{Kind: parse.KindPanic}, {Kind: parse.KindRace}}}, nil, exampleTool)
	for _, f := range []string{"markdown", "slack", "slack-json", "ndjson"} {
		harmless[f](t, rendered(t, formatOf(t, f), d, Options{}))
	}
}
