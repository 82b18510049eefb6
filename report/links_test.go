package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var osc8 = regexp.MustCompile("\x1b\\]8;;([^\x1b]*)\x1b\\\\")

// Links add nothing to what is read, and lead only where a pack says.
func TestTextLinks(t *testing.T) {
	for _, e := range examples() {
		d := e.doc()
		with := render(t, d, Options{Links: true})
		if diff := cmp.Diff(render(t, d, Options{}), osc8.ReplaceAllString(with, "")); diff != "" {
			t.Errorf("%s: links change the text (-without +with):\n%s", e.name, diff)
		}
		for _, m := range osc8.FindAllStringSubmatch(with, -1) {
			if m[1] != "" && !strings.HasPrefix(m[1], "https://github.com/") {
				t.Errorf("%s: a link to %q", e.name, m[1])
			}
		}
	}
	text := render(t, knownExample().doc(), Options{Links: true})
	if want := "\x1b]8;;https://github.com/quartzdb/quartz/pull/812\x1b\\quartzdb/quartz#812\x1b]8;;\x1b\\"; !strings.Contains(text, want) {
		t.Errorf("the fix is no link:\n%q", text)
	}
}

func TestLinkable(t *testing.T) {
	for url, want := range map[string]bool{
		"https://github.com/quartzdb/quartz/pull/812": true,
		"http://example.com":                          true,
		"javascript:alert(1)":                         false,
		"":                                            false,
		"https://example.com/\x1b]8;;":                false,
		"https://example.com/a b":                     false,
		"https://example.com/\u202e":                  false,
	} {
		if got := linkable(url); got != want {
			t.Errorf("%q: %v, want %v", url, got, want)
		}
	}
}
