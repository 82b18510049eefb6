package report

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/crashtriage/crashtriage/parse"
)

func init() { harmless["html"] = harmlessHTML }

// ownMarkup takes out the style, the script, the policy with their hashes, and the icon: what is left was
// made from a document.
func ownMarkup(page string) string {
	page = strings.ReplaceAll(page, htmlStyle, "…")
	page = strings.ReplaceAll(page, htmlScript, "…")
	return regexp.MustCompile(`content="default-src[^"]*"|href="data:image/svg[^"]*"`).ReplaceAllString(page, `content="…"`)
}

// The goldens leave out style and script, so that a change of colour changes no golden.
func TestHTMLGoldens(t *testing.T) {
	f := htmlFormat(t)
	for _, e := range append(fiveExamples(), timelineExample(), hostileExample()) {
		name := "html/" + e.name + f.Ext
		t.Run(name, func(t *testing.T) { golden(t, name, ownMarkup(string(rendered(t, f, e.doc(), Options{})))) })
	}
}

func htmlFormat(t *testing.T) Format {
	t.Helper()
	for _, f := range Formats() {
		if f.Name == "html" {
			return f
		}
	}
	t.Fatal("html is no format")
	return Format{}
}

var (
	htmlTag       = regexp.MustCompile(`<(/?)([a-zA-Z!][a-zA-Z0-9]*)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*(/?)>`)
	htmlAttribute = regexp.MustCompile(`([a-zA-Z:-]+)(?:="([^"<>]*)")?`)
)

// The elements and attributes that the templates write. A document adds none.
var (
	knownTags = wordSet(`!DOCTYPE html head meta title link style script body a header div p svg rect path circle line g text title
		nav button main article h1 h2 h3 h4 dl dt dd span b i ol ul li small code section form label input select option output details
		summary figure figcaption table thead tbody tr th td footer dialog kbd`)
	knownAttributes = wordSet(`html lang charset http-equiv content name rel href class viewBox aria-hidden width height rx d cx cy r x y x1 x2 y1 y2
		dy text-anchor stroke-width preserveAspectRatio role aria-label aria-labelledby aria-live type id title autocomplete spellcheck
		placeholder min step inputmode value hidden data-act data-filter data-for data-n data-s data-w data-total tabindex scope method fill`)
)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// harmlessHTML holds a page to the markup of its templates: every "<" begins an element that they
// write, with attributes that they write, all quoted, no handler and no style among them; every link
// leads within the page or to the web; and nothing is there that a browser would reorder or hide.
func harmlessHTML(t *testing.T, out []byte) {
	t.Helper()
	page := ownMarkup(string(out))
	requireSafe(t, page)
	if !strings.Contains(string(out), `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;`) {
		t.Error("the page has no policy")
	}
	rest := htmlTag.ReplaceAllStringFunc(page, func(element string) string {
		m := htmlTag.FindStringSubmatch(element)
		if !knownTags[m[2]] {
			t.Errorf("element <%s>", m[2])
		}
		for _, a := range htmlAttribute.FindAllStringSubmatch(m[3], -1) {
			name, value := a[1], a[2]
			if !knownAttributes[name] {
				t.Errorf("attribute %s in %s", name, element)
			}
			if name == "href" && !strings.HasPrefix(value, "#") {
				if u, err := url.Parse(value); err != nil || u.Scheme != "https" && u.Scheme != "http" {
					t.Errorf("link in %s", element)
				}
			}
		}
		return ""
	})
	if i := strings.IndexAny(rest, "<>"); i >= 0 {
		t.Errorf("markup that no template writes: %.80q", rest[i:])
	}
}

// timelineExample is a log with restarts, errors and a crash whose time is known by the last record.
func timelineExample() example {
	clock := func(minute int) time.Time {
		return at("2026-04-23T14:02:11+02:00").Add(time.Duration(minute) * time.Minute)
	}
	inc := quartzIncident()
	inc.Context[2].Record.Clock = "2026-04-23T17:13:21.011+0200"
	return example{
		name: "timeline",
		capture: &parse.Capture{
			Sources: []*parse.Source{{Name: "quartz.log", Wrapper: "plain", Bytes: 812_000, Lines: 4032}}, Incidents: []*parse.Incident{inc},
			Logs: parse.Logs{
				Records: 4000, ByLevel: map[string]int{"info": 3700, "warn": 248, "error": 52}, First: clock(0), Last: clock(191),
				Restarts: []parse.Fact{{Value: "quartz 2.4.1", How: "agent banner", Source: "quartz.log", Line: 900}, {Value: "quartz 2.4.1", How: "agent banner", Source: "quartz.log", Line: 2000}},
				Buckets: []parse.LogBucket{
					{Level: "info", Module: "quartz.http", Message: "request finished in <dur>", Count: 3698, First: clock(0), Last: clock(191), Source: "quartz.log", Line: 1, Example: "request finished in 12ms"},
					{Level: "info", Module: "quartz", Message: "starting quartz", Count: 1, First: clock(58), Last: clock(58), Source: "quartz.log", Line: 900},
					{Level: "warn", Module: "quartz.raft", Message: "heartbeat timeout reached", Count: 248, First: clock(57), Last: clock(188), Source: "quartz.log", Line: 880},
					{Level: "error", Module: "quartz.route", Message: "error while publishing, adding the route again", Count: 51, First: clock(150), Last: clock(191), Source: "quartz.log", Line: 3100},
					{Level: "error", Module: "quartz.disk", Message: "no time is printed here", Count: 1, Source: "quartz.log", Line: 3300},
				},
			},
		},
	}
}

// What is drawn is what is known: a crash after the last record before it, one restart whose line is
// a record with a time, and none for the other.
func TestTimelineIsHonest(t *testing.T) {
	line := newTimeline(timelineExample().doc())
	var marks []string
	for _, m := range line.Marks {
		marks = append(marks, m.Class+": "+m.Text)
	}
	want := "crash after: died after 17:13:21; restart: restart 15:00:11"
	if got := strings.Join(marks, "; "); got != want {
		t.Errorf("marks %q, want %q", got, want)
	}
	if len(line.Rows) != 4 || line.Unplaced == "" {
		t.Errorf("%d rows and %q, want the 4 messages with a time and a word on the other restart", len(line.Rows), line.Unplaced)
	}
	for _, r := range line.Rows {
		if r.X1 < line.Left || r.X2 > line.Right || r.X2 < r.X1 {
			t.Errorf("%s is drawn from %d to %d, outside of %d to %d", r.Label, r.X1, r.X2, line.Left, line.Right)
		}
	}
	if got := newTimeline(noneExample().doc()); got != nil {
		t.Errorf("no message has a time, yet a picture is drawn: %+v", got)
	}
}

// wideExample is a dump of 70,000 goroutines in 301 shapes of 14 frames.
func wideExample() example {
	e := dumpExample()
	inc := e.capture.Incidents[0]
	inc.Buckets, inc.Goroutines = nil, 0
	for i := range 301 {
		b := &parse.Bucket{ID: fmt.Sprint(i), Count: 70_000/(i+2) + 1, State: []string{"select", "IO wait", "chan receive"}[i%3], HasWait: i%4 != 0, MinWait: i, MaxWait: i * 7, IDs: []int64{int64(i)}, Line: i*30 + 1}
		for k := range 14 {
			f := own(fmt.Sprintf("github.com/quartzdb/quartz/part%d.(*Worker).step%d", i, k), fmt.Sprintf("/src/quartz/part%d/worker.go", i), k, 0)
			if k < 4 {
				f = std("runtime.gopark", "runtime/proc.go", k, 0)
			}
			b.Frames = append(b.Frames, f)
		}
		inc.Buckets = append(inc.Buckets, b)
		inc.Goroutines += b.Count
	}
	return e
}

func TestHTMLStaysSmall(t *testing.T) {
	f := htmlFormat(t)
	for _, tt := range []struct {
		name  string
		d     *Document
		limit int // bytes
	}{
		{"70,000 goroutines", wideExample().doc(), 900_000},
		{"500 incidents", manyExample(500).doc(), 4_000_000},
	} {
		if out := rendered(t, f, tt.d, Options{}); len(out) > tt.limit {
			t.Errorf("%s: %d bytes, want at most %d", tt.name, len(out), tt.limit)
		}
	}
}

// What is left out of a page is said, and -v leaves out nothing.
func TestHTMLSaysWhatItLeavesOut(t *testing.T) {
	f := htmlFormat(t)
	e := wideExample()
	inc := e.capture.Incidents[0]
	for len(inc.Buckets) <= shapesOnPage {
		inc.Buckets = append(inc.Buckets, inc.Buckets...)
	}
	n := len(inc.Buckets)
	short := string(rendered(t, f, e.doc(), Options{}))
	if got := strings.Count(short, `<details class="b`); got != shapesOnPage {
		t.Errorf("%d shapes, want %d", got, shapesOnPage)
	}
	for _, words := range []string{fmt.Sprintf("%s shapes with", number(n-shapesOnPage)), "more are left out of this page; -v writes them all", "frames more; -v writes them all"} {
		if !strings.Contains(short, words) {
			t.Errorf("nothing says %q", words)
		}
	}
	if got := strings.Count(string(rendered(t, f, e.doc(), Options{Verbose: true})), `<details class="b`); got != n {
		t.Errorf("-v: %d shapes, want %d", got, n)
	}
}

func TestLinksOnlyToTheWeb(t *testing.T) {
	for link, want := range map[string]bool{
		"https://github.com/quartzdb/quartz/pull/812": true, "http://example.com/x": true,
		"javascript:alert(1)": false, "data:text/html,x": false, "//example.com": false, "https:example.com": false, "ftp://example.com/x": false,
		"https://user:secret@example.com/": false, "quartzdb/quartz#812": false, "": false, "https://exa mple.com/": false,
	} {
		if got := safeURL(link) != ""; got != want {
			t.Errorf("safeURL(%q): a link is %v, want %v", link, got, want)
		}
	}
}

func TestModuleURL(t *testing.T) {
	for _, tt := range []struct{ path, version, want string }{
		{"github.com/hashicorp/go-memdb", "v1.3.4", "https://pkg.go.dev/github.com/hashicorp/go-memdb@v1.3.4"},
		{"golang.org/x/sync", "v0.0.0-20220722155255-886fb9371eb4", "https://pkg.go.dev/golang.org/x/sync@v0.0.0-20220722155255-886fb9371eb4"},
		{"github.com/docker/docker", "v20.10.7+incompatible", "https://pkg.go.dev/github.com/docker/docker@v20.10.7+incompatible"},
		{"github.com/quartzdb/quartz", "", ""},
		{"github.com/quartzdb/quartz", "(devel)", ""},
		{"github.com/quartzdb/quartz", "v1", ""},
		{"quartz/server", "v1.2.3", ""},
		{"example.com/a\"onclick=", "v1.2.3", ""},
	} {
		if got := moduleURL(tt.path, tt.version); got != tt.want {
			t.Errorf("moduleURL(%q, %q) = %q, want %q", tt.path, tt.version, got, tt.want)
		}
	}
}

// Headings go down one level at a time, there is one h1, and every id is there once.
func TestHTMLOutline(t *testing.T) {
	f := htmlFormat(t)
	for _, e := range append(examples(), manyExample(12), wideExample()) {
		page := ownMarkup(string(rendered(t, f, e.doc(), Options{})))
		level, tops := 0, 0
		for _, m := range regexp.MustCompile(`<h([1-6])[ >]`).FindAllStringSubmatch(page, -1) {
			now := int(m[1][0] - '0')
			if now > level+1 {
				t.Errorf("%s: a heading of level %d follows one of level %d", e.name, now, level)
			}
			if now == 1 {
				tops++
			}
			level = now
		}
		if tops != 1 {
			t.Errorf("%s: %d headings of level 1", e.name, tops)
		}
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("%s: the id %q is there twice", e.name, m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`(?:href="#|aria-labelledby="|data-for=")([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if !ids[m[1]] {
				t.Errorf("%s: nothing has the id %q", e.name, m[1])
			}
		}
	}
}
