package report

import (
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
)

// A program that was started again and again is not to push the answer off the screen.
func TestEqualExitsAreToldOnce(t *testing.T) {
	capture := &parse.Capture{Sources: []*parse.Source{{Name: "app.log"}}}
	for n := range 40 {
		capture.Facts.Exits = append(capture.Facts.Exits, parse.Exit{Code: 2, Text: "exit status 2", Source: "app.log", Line: 10 * n})
	}
	capture.Incidents = []*parse.Incident{{Kind: parse.KindPanic, Headline: "panic: boom", Source: "app.log", Line: 1, Fingerprint: "ct1:00000001"}}
	d := Build(capture, nil, exampleTool)
	if len(d.Facts.Exits) != 40 {
		t.Fatalf("the document holds %d exits, want 40", len(d.Facts.Exits))
	}
	for _, name := range []string{"text", "slack", "slack-json", "markdown", "html"} {
		got := string(rendered(t, formatOf(t, name), d, Options{}))
		want := 1
		if name == "html" {
			want = 3 // in the verdict and in the facts, with the line as it was printed
		}
		if n := strings.Count(got, "exit status 2"); n != want || !strings.Contains(got, "exit status 2 (40 times)") {
			t.Errorf("%s says %d times how it ended, want %d, and that it is 40 times", name, n, want)
		}
	}
}
