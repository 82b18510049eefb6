package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

const (
	// shown counts the shapes that are not filtered away.
	shown  = `[...document.querySelectorAll(".shapes > details")].filter(e => e.checkVisibility()).length`
	counts = `document.querySelector("form.filter output").value`
	search = `form.filter [data-filter="text"]`
)

// set gives a control a value as typing or choosing does.
func set(tb *tab, filter, value string) {
	tb.t.Helper()
	do(tb, `const f = document.querySelector('form.filter [data-filter="`+filter+`"]');
		if (f.type === "checkbox") f.click(); else { f.value = "`+value+`"; f.dispatchEvent(new Event("input", {bubbles: true})); }`)
}

// 300 shapes, two goroutines each on average, and the one that crashed.
func TestSearchNarrows(t *testing.T) {
	tb := open(t, reportOn(t, dump(300)))
	want(tb, shown, 301)
	want(tb, counts, "301 of 301 shapes, 601 of 601 goroutines")

	tb.run(chromedp.SendKeys(chromedp.CSS(search), "part17."))
	want(tb, shown, 1)
	want(tb, counts, "1 of 301 shapes, 3 of 601 goroutines")

	tb.run(chromedp.SendKeys(chromedp.CSS(search), kb.Escape))
	want(tb, counts, "301 of 301 shapes, 601 of 601 goroutines")

	tb.run(chromedp.SendKeys(chromedp.CSS(search), "START4 part4")) // a creator and a package, in any case and order
	want(tb, counts, "10 of 301 shapes, 20 of 601 goroutines")      // 4 and 40 to 48: 49 has no own package
	set(tb, "text", "no such function")
	want(tb, shown, 0)
	want(tb, `document.querySelector(".nothing").checkVisibility()`, true)
	tb.run(chromedp.Click(chromedp.CSS(`.nothing button`)))
	want(tb, shown, 301)

	set(tb, "state", "IO wait")
	want(tb, counts, "100 of 301 shapes, 200 of 601 goroutines")
	set(tb, "wait", "290")
	want(tb, counts, "3 of 301 shapes, 6 of 601 goroutines") // 292, 295 and 298
	set(tb, "state", "")
	want(tb, counts, "10 of 301 shapes, 21 of 601 goroutines")
	set(tb, "own", "")
	want(tb, counts, "9 of 301 shapes, 18 of 601 goroutines") // 299 has only frames of the standard library
	do(tb, `document.querySelector(".shapes > details:not([hidden])").open = true`)
	want(tb, `[...document.querySelectorAll(".shapes > details[open] .fr li")].filter(e => e.checkVisibility()).length`, 1)
	set(tb, "wait", "")
	set(tb, "text", "runtime_pollWait")
	want(tb, shown, 0) // a function of the standard library
}

func TestFoldsOpen(t *testing.T) {
	tb := open(t, reportOn(t, dump(30)))
	const open = `document.querySelectorAll(".shapes > details[open]").length`
	const frames = `[...document.querySelectorAll(".fr li")].filter(e => e.checkVisibility()).length`
	want(tb, open, 0)
	want(tb, frames, 0)
	tb.run(chromedp.Click(chromedp.CSS(`.shapes > details:nth-child(2) > summary`)))
	want(tb, open, 1)
	want(tb, frames, 2)
	tb.run(chromedp.Click(chromedp.CSS(`.shapes > details:nth-child(2) > summary`)))
	want(tb, frames, 0)

	focused := `[...document.querySelectorAll(".shapes > details > summary")].indexOf(document.activeElement)`
	do(tb, `document.querySelector(".shapes summary").focus()`)
	tb.keys("jj")
	want(tb, focused, 2)
	tb.keys("k")
	want(tb, focused, 1)
	tb.keys("o")
	want(tb, `document.activeElement.parentElement.open`, true)
	tb.keys(kb.Enter) // as the browser itself does
	want(tb, `document.activeElement.parentElement.open`, false)
	tb.keys("e")
	want(tb, open, 31)
	tb.run(chromedp.Click(chromedp.CSS(`[data-act="all"]`)))
	want(tb, open, 0)

	tb.keys("/")
	want(tb, `document.activeElement.matches('[data-filter="text"]')`, true)
	tb.keys("jo?t") // letters in a field are letters
	want(tb, `document.activeElement.value`, "jo?t")
	tb.keys(kb.Escape)
	tb.keys("?")
	want(tb, `document.getElementById("help").open`, true)
	tb.keys(kb.Escape)
	want(tb, `document.getElementById("help").open`, false)
}

func TestLinkOpensWhatItLeadsTo(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"first", "second", "third"} {
		b.WriteString("panic: " + name + "\n\ngoroutine 1 [running]:\nmain." + name + "()\n\t/src/shop/main.go:7 +0x1d\n\n")
	}
	tb := open(t, reportOn(t, b.String()))
	want(tb, `document.querySelectorAll(".others > details").length`, 2)
	want(tb, `document.querySelectorAll(".others > details[open]").length`, 0)
	do(tb, `location.hash = "i3-stack"`)
	tb.run(chromedp.WaitVisible(chromedp.CSS(`#i3-stack`)))
	want(tb, `document.getElementById("i3").open`, true)
}

func TestTheme(t *testing.T) {
	const ground = `getComputedStyle(document.body).backgroundColor`
	path := reportOn(t, dump(3))
	for _, system := range []string{"light", "dark"} {
		tb := open(t, path, theme(system))
		do(tb, `localStorage.clear(); delete document.documentElement.dataset.theme`)
		before := eval[string](tb, ground)
		tb.run(chromedp.Click(chromedp.CSS(`#theme`)))
		after := eval[string](tb, ground)
		if before == after {
			t.Errorf("%s: the ground is %s before and after", system, before)
		}
		tb.run(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("footer")))
		want(tb, ground, after)
		tb.keys("t")
		want(tb, ground, before)
	}
}

// The page asks a server for nothing but itself.
func TestNoRequestLeavesThePage(t *testing.T) {
	text, err := os.ReadFile(reportOn(t, dump(20)))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Path)
		w.Header().Set("Content-Type", "text/html")
		w.Write(text)
	}))
	defer server.Close()
	tb := open(t, server.URL+"/report")
	want(tb, `window.violations.join()`, "")
	// The policy is in force: what the page does not do by itself, it may not do either.
	refused := eval[string](tb, `new Promise(done => { const i = new Image(); i.onload = () => done("loaded"); i.onerror = () => done("refused"); i.src = "/other"; })`)
	if refused != "" && refused != "refused" {
		t.Errorf("an image was %s", refused)
	}
	want(tb, `window.violations.length`, 1)
	tb.mu.Lock()
	tb.trouble = nil // this violation was meant
	if n := len(tb.asked); tb.asked[n-1] == server.URL+"/other" {
		tb.asked = tb.asked[:n-1] // and refused, as the server's list shows
	}
	tb.mu.Unlock()
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(asked, " "); got != "/report" {
		t.Errorf("the server was asked for %s", got)
	}
}

// hostilePage has hostile text in every place that an input or a signature fills.
func hostilePage(t *testing.T) string {
	t.Helper()
	var capture parse.Capture
	fill(reflect.ValueOf(&capture).Elem(), 0)
	capture.Incidents[1].Fingerprint, capture.Incidents[1].Races = "another", nil
	third := *capture.Incidents[1]
	third.Fingerprint, third.Kind = "a third", parse.KindPanic
	capture.Incidents = append(capture.Incidents, &third)
	for range 10 { // enough for a filter
		capture.Incidents[0].Buckets = append(capture.Incidents[0].Buckets, capture.Incidents[0].Buckets[0])
	}
	var result signatures.Result
	fill(reflect.ValueOf(&result.Findings).Elem(), 0)
	candidate := result.Findings[0]
	candidate.Status = signatures.Candidate
	result.ByIncident = map[*parse.Incident][]signatures.Match{capture.Incidents[0]: result.Findings, capture.Incidents[1]: {candidate}}
	result.Families = map[*parse.Incident]*signatures.Family{&third: {ID: evil, Meaning: evil, Owner: evil, NextStep: evil}}
	path := filepath.Join(t.TempDir(), "hostile.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := report.Build(&capture, &result, report.Tool{Name: evil, Version: evil})
	if err := report.HTML(f, d, report.Options{Verbose: true}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHostileTextStaysText(t *testing.T) {
	for _, path := range []string{
		hostilePage(t),
		reportOn(t, "panic: "+evil+"\n\ngoroutine 1 [running]:\nmain."+strings.ReplaceAll(evil, "\n", "")+"()\n\t/src/"+evil+".go:7 +0x1d\n"),
	} {
		tb := open(t, path)
		do(tb, `document.querySelectorAll("details").forEach(e => { e.open = true; })`)
		want(tb, `document.documentElement.textContent.includes("<img src=x onerror=")`, true)
		want(tb, `document.querySelectorAll("img, iframe, base, object, embed, textarea, [onload], [onerror], [onmouseover], [onfocus], [style], [autofocus]").length`, 0)
		want(tb, `document.querySelectorAll("script").length + " " + document.querySelectorAll("style").length + " " + document.querySelectorAll("title").length`,
			eval[string](tb, `"1 1 " + (1 + document.querySelectorAll("svg title").length)`))
		want(tb, `[...document.links].filter(a => !/^https?:$|^file:$/.test(a.protocol)).length`, 0)
		// Hover and focus run nothing either.
		do(tb, `document.querySelectorAll("*").forEach(e => { e.dispatchEvent(new MouseEvent("mouseover", {bubbles: true})); if (e.focus) e.focus(); })`)
		want(tb, `typeof window.pwned`, "undefined")
		want(tb, `window.violations.join()`, "") // there was nothing for the policy to stop
		want(tb, `/[\u0000-\u0008\u200b\u202a-\u202e\u2066-\u2069\u001b]/.test(document.body.innerText)`, false)
	}
}

func TestPaper(t *testing.T) {
	few, many := open(t, reportOn(t, dump(12)), onPaper()), open(t, reportOn(t, dump(300)), onPaper())
	const controls = `[...document.querySelectorAll("form.filter label, form.filter button, .top, dialog")].filter(e => e.checkVisibility()).length`
	want(few, controls, 0)
	want(few, shown, 13)
	// Their frames are there though nobody opened them, those of the standard library left out.
	want(few, `[...document.querySelectorAll(".fr li")].filter(e => e.checkVisibility()).length`,
		eval[int](few, `document.querySelectorAll(".fr li:not(.s)").length`))
	want(many, controls, 0)
	want(many, shown, 301)
	for _, tb := range []*tab{few, many} {
		pdf, err := chromedp.Run(tb.ctx, chromedp.PrintToPDF())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(pdf), "%PDF-") {
			t.Error("no PDF")
		}
	}
	want(few, `document.querySelectorAll("details[open]").length`, 0) // as it was before
}

// Without script all can be read, and nothing is shown that would not work.
func TestWithoutScript(t *testing.T) {
	tb := open(t, reportOn(t, dump(30)), noScript())
	want(tb, `document.documentElement.classList.contains("js")`, false)
	want(tb, `[...document.querySelectorAll("input, select, button, dialog")].filter(e => e.checkVisibility()).length`, 0)
	want(tb, shown, 31)
	tb.run(chromedp.Click(chromedp.CSS(`.shapes > details:nth-child(2) > summary`)))
	want(tb, `document.querySelectorAll(".shapes > details[open]").length`, 1)
}

func TestPhone(t *testing.T) {
	for _, path := range []string{reportOn(t, dump(30)), hostilePage(t), reportOn(t, strings.Repeat("just a line\n", 9))} {
		tb := open(t, path, phone())
		if wide := eval[int](tb, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %d wide, want at most 390", path, wide)
		}
	}
}

func TestIncidentsAreNarrowed(t *testing.T) {
	var b strings.Builder
	for k := range 30 {
		fmt.Fprintf(&b, "panic: order %d is lost\n\ngoroutine 1 [running]:\nexample.com/shop/part%d.Lose()\n\t/src/shop/part%d/lose.go:7 +0x1d\n\n", k, k, k)
	}
	tb := open(t, reportOn(t, b.String()))
	const rows = `[...document.querySelectorAll(".others > details")].filter(e => e.checkVisibility()).length`
	want(tb, rows, 29)
	want(tb, counts, "29 of 29")
	tb.run(chromedp.SendKeys(chromedp.CSS(search), "part2"))
	want(tb, counts, "11 of 29") // 2 and 20 to 29
	want(tb, rows, 11)
}
