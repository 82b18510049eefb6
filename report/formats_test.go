package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
)

func rendered(t *testing.T, f Format, d *Document, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, d, o); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return b.Bytes()
}

// fiveExamples are the documents that every format has goldens of.
func fiveExamples() []example {
	return []example{knownExample(), unknownExample(), logsExample(), noneExample(), severalExample()}
}

func TestFormatGoldens(t *testing.T) {
	for _, f := range Formats() {
		for _, e := range fiveExamples() {
			if f.Name == "text" || f.Name == "html" {
				continue // TestTextGoldens has it at two widths, TestHTMLGoldens without its style
			}
			name := f.Name + "/" + e.name + f.Ext
			t.Run(name, func(t *testing.T) { golden(t, name, string(rendered(t, f, e.doc(), Options{}))) })
		}
	}
}

// manyExample is a document with n crashes of different fingerprints, a quarter of them known.
func manyExample(n int) example {
	e := example{name: "many", capture: &parse.Capture{}, result: &signatures.Result{ByIncident: map[*parse.Incident][]signatures.Match{}}}
	for i := range n {
		one := unknownExample()
		if i%4 == 0 {
			one = knownExample()
		}
		inc := one.capture.Incidents[0]
		inc.Source = fmt.Sprintf("artefacts/job-%d/crash.log", i)
		inc.Fingerprint = fmt.Sprintf("ct1:%08x", i)
		one.capture.Sources[0].Name = inc.Source
		e.capture.Sources = append(e.capture.Sources, one.capture.Sources...)
		e.capture.Incidents = append(e.capture.Incidents, inc)
		if m := one.result.ByIncident[inc]; m != nil {
			e.result.ByIncident[inc] = m
		}
	}
	return e
}

// harmless holds, for each format, a test that its output keeps hostile text in its place. The
// file that tests a format adds its own.
var harmless = map[string]func(t *testing.T, out []byte){
	"text": func(t *testing.T, out []byte) { requireSafe(t, string(out)) },
	"json": func(t *testing.T, out []byte) {
		requireSafe(t, string(out))
		if !json.Valid(out) {
			t.Error("not valid JSON")
		}
	},
}

func TestHostileTextStaysText(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			check := harmless[f.Name]
			if check == nil {
				t.Fatal("no test in harmless")
			}
			for _, o := range []Options{{}, {Verbose: true}, {Quiet: true}, {Width: 40}} {
				check(t, rendered(t, f, hostileExample().doc(), o))
			}
		})
	}
}

// FuzzHostileText puts one text wherever a log can put text.
func FuzzHostileText(f *testing.F) {
	for _, s := range []string{
		evilText, "<!channel> <@U012> <https://x|y>", "::error::x", "%0A::error::x", "</script><img src=x onerror=alert(1)>", "]]>",
		"\x1b[2J\x00\u202e", "```\n# x\n```", "''' \"\"\" `", "</details>", "[x](javascript:alert(1))", "@everyone", "&lt;b&gt;", "|a|b|", "~~~", "##vso[task.x]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := hostileWith(text).doc()
		for _, format := range Formats() {
			if check := harmless[format.Name]; check != nil {
				check(t, rendered(t, format, d, Options{}))
			}
		}
	})
}

func TestManyIncidents(t *testing.T) {
	d := manyExample(500).doc()
	for _, f := range Formats() {
		if out := rendered(t, f, d, Options{}); len(out) == 0 {
			t.Errorf("%s wrote nothing", f.Name)
		}
	}
}
