package signatures

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// block is one fenced block of a Markdown file.
type block struct {
	info string // "yaml kind=panic", "text no match"
	text string
	line int
}

func blocks(t *testing.T, path string) (list []block) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var open *block
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case open == nil && strings.HasPrefix(line, "```"):
			open = &block{info: strings.TrimPrefix(line, "```"), line: i + 1}
		case open != nil && line == "```":
			list = append(list, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: the block is never closed", path, open.line)
	}
	return list
}

// Every pattern of the documentation loads, and does what the inputs behind it are marked with.
func TestDocumentation(t *testing.T) {
	var (
		db      *DB
		failure error
		tried   int
	)
	for _, b := range blocks(t, "../docs/signatures.md") {
		words := strings.Fields(b.info)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("docs/signatures.md:%d: %s", b.line, fmt.Sprintf(format, args...))
		}
		switch {
		case b.info == "yaml pack" || b.info == "yaml pack error":
			db, failure = LoadOnly(Source{"orders.yaml", []byte(b.text)})
			if (failure != nil) != (b.info == "yaml pack error") {
				fail("loading: %v", failure)
			}
		case words[0] == "yaml":
			kind := strings.TrimPrefix(words[1], "kind=")
			pack := "pack: d\nas_of: 2026-09\nproject: orders\nmodule: example.com/acme/orders\nsignatures:\n- id: d\n  title: d\n  kind: " + kind +
				"\n  root_cause: d\n  confidence: high\n  fix: {state: none-known, release: none}\n" + indent(b.text, "  ")
			if db, failure = LoadOnly(Source{"d.yaml", []byte(pack)}); failure != nil {
				fail("loading: %v", failure)
			}
		case b.info == "text error":
			if failure == nil || strings.TrimSpace(b.text) != failure.Error() {
				fail("got\n%v", failure)
			}
		case words[0] == "text":
			tried++
			var o MatchOptions
			if last := words[len(words)-1]; strings.Contains(last, "=") {
				name, version, _ := strings.Cut(last, "=")
				o.ProductVersions = map[string]string{name: version}
				words = words[:len(words)-1]
			}
			c := read(t, db, "input", b.text)
			_, statuses := matches(c, db.Match(c, o))
			var got Status
			if len(statuses) > 0 {
				got = statuses[0]
			}
			ok := false
			switch strings.Join(words[1:], " ") {
			case "match":
				ok = got != "" && got != Candidate
			case "match affected":
				ok = got == Affected
			case "candidate":
				ok = got == Candidate
			case "no match":
				ok = got == ""
			}
			if !ok {
				fail("%q came out as %q; %+v", b.info, got, c.Facts)
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d inputs were tried", tried)
	}
}
