package report

import (
	"os"
	"strings"
	"testing"
)

// The message that docs/formats.md shows is the one of the example.
func TestSlackInTheDocs(t *testing.T) {
	doc, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for line := range strings.Lines(string(rendered(t, formatOf(t, "slack"), knownExample().doc(), Options{}))) {
		if line != "\n" {
			line = "    " + line
		}
		want.WriteString(line)
	}
	if !strings.Contains(string(doc), want.String()) {
		t.Errorf("docs/formats.md shows another message than\n%s", want.String())
	}
}
