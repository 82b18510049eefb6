package signatures

import (
	"context"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
)

var update = flag.Bool("update", false, "write compiled.txt from the packs")

// What is compiled into the program is what the packs say.
func TestCompiledPacks(t *testing.T) {
	text, err := compile(BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("compiled.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != compiled {
		t.Error("compiled.txt is not in step with packs/: go generate ./signatures")
	}
}

// read parses a text the way the command does.
func read(t *testing.T, db *DB, name, text string) *parse.Capture {
	t.Helper()
	in := parse.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	return parse.Read(context.Background(), []parse.Input{in}, parse.Options{KeepRecord: db.KeepRecord})
}

// matches returns the ids and statuses of all that was found, incidents first.
func matches(c *parse.Capture, res *Result) (ids []string, statuses []Status) {
	for _, inc := range c.Incidents {
		for _, m := range res.ByIncident[inc] {
			ids, statuses = append(ids, m.Signature.ID), append(statuses, m.Status)
		}
	}
	for _, m := range res.Findings {
		ids, statuses = append(ids, m.Signature.ID), append(statuses, m.Status)
	}
	return ids, statuses
}

// Every signature matches its own examples, first, and not its near misses; no other signature
// claims them. Examples are read with all packs loaded.
func TestExamples(t *testing.T) {
	db, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range BuiltIn() {
		p, errs := readPack(src)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		for _, e := range p.signatures {
			if e.Knowledge {
				continue
			}
			var hit, miss bool
			for _, x := range e.Examples {
				hit, miss = hit || x.Match, miss || !x.Match
				t.Run(e.ID+"/"+x.Name, func(t *testing.T) {
					c := read(t, db, "example", x.Text)
					ids, statuses := matches(c, db.Match(c, MatchOptions{}))
					own := -1
					for i, id := range ids {
						if id == e.ID {
							own = i
						}
					}
					switch {
					case x.Match && own != 0:
						t.Errorf("matched %v, want %s first", ids, e.ID)
					case x.Match && x.Status != "" && statuses[0] != x.Status:
						t.Errorf("status %s, want %s", statuses[0], x.Status)
					case x.Match && len(ids) > 1 && statuses[0] != Candidate:
						t.Errorf("others claim it too: %v", ids)
					case !x.Match && own >= 0:
						t.Errorf("it is a near miss, and matched as %s", statuses[own])
					}
				})
			}
			if !hit || !miss {
				t.Errorf("%s needs an example that matches and a near miss", e.ID)
			}
		}
	}
}
