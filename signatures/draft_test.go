package signatures

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
)

// checkDraft reads a draft again, as its author will: lint is silent, the examples hold, and the
// crash is found by it first.
func checkDraft(t *testing.T, d *Draft, c *parse.Capture, inc *parse.Incident) {
	t.Helper()
	db, err := Load(Source{"draft.yaml", []byte(d.YAML)})
	if err != nil {
		t.Fatalf("lint: %v\n%s", err, d.YAML)
	}
	sig := db.Lookup(d.ID)
	if sig == nil {
		t.Fatalf("no %s in\n%s", d.ID, d.YAML)
	}
	if sig.Fix.State != "unknown" || sig.Fix.Release != "unknown" || sig.Issue != "" || sig.RootCause != "unknown" || sig.Confidence != Low {
		t.Errorf("something was made up:\n%s", d.YAML)
	}
	var hit, miss bool
	for _, ex := range sig.Examples {
		hit, miss = hit || ex.Match, miss || !ex.Match
		if why := db.Try(sig, ex); why != "" {
			t.Errorf("%s: %s\n%s", ex.Name, why, d.YAML)
		}
	}
	if !hit || !miss {
		t.Errorf("an example is missing:\n%s", d.YAML)
	}
	if list := db.Match(c, MatchOptions{}).ByIncident[inc]; len(list) == 0 || list[0].Signature != sig || list[0].Status == Candidate {
		t.Errorf("the crash is not found by its draft first:\n%s", d.YAML)
	}
}

// Every recorded crash can be drafted, or lacks what its .want file says is not there.
func TestDraftDumps(t *testing.T) {
	db, _ := Load()
	paths, err := filepath.Glob("../testdata/dumps/*.txt")
	if err != nil || len(paths) < 50 {
		t.Fatal(paths, err)
	}
	drafted := 0
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		c := read(t, db, "input", string(data))
		for _, inc := range c.Incidents {
			t.Run(filepath.Base(p), func(t *testing.T) {
				d, err := db.Draft(c, inc, DraftOptions{AsOf: "2026-09"})
				if Drafting(inc) != nil {
					if err == nil {
						t.Errorf("drafted, although %v", Drafting(inc))
					}
					crash := !slices.Contains([]parse.Kind{parse.KindGoroutineDump, parse.KindGoroutineProfile, parse.KindTestTimeout, parse.KindSignal}, inc.Kind)
					if crash && inc.Blame != nil {
						t.Errorf("a crash with a function to blame: %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				drafted++
				checkDraft(t, d, c, inc)
			})
		}
	}
	if drafted < 40 {
		t.Errorf("only %d drafts", drafted)
	}
}

// So can the crashes of all built-in signatures' examples.
func TestDraftExamples(t *testing.T) {
	db, _ := Load()
	drafted, refused := 0, map[string]int{}
	for _, src := range BuiltIn() {
		p, _ := readPack(src)
		for _, e := range p.signatures {
			for _, ex := range e.Examples {
				if !ex.Match || testing.Short() && len(ex.Name)%4 != 0 {
					continue
				}
				c := read(t, db, "example", ex.Text)
				for _, inc := range c.Incidents {
					d, err := db.Draft(c, inc, DraftOptions{AsOf: "2026-09"})
					if err != nil {
						if Drafting(inc) == nil {
							t.Errorf("%s/%s: %v", e.ID, ex.Name, err)
						}
						refused[err.Error()]++
						continue
					}
					drafted++
					t.Run(e.ID+"/"+ex.Name, func(t *testing.T) { checkDraft(t, d, c, inc) })
				}
			}
		}
	}
	for why, n := range refused {
		t.Logf("%d × %s", n, why)
	}
	t.Logf("%d drafts", drafted)
}
