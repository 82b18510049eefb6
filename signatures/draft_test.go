package signatures

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

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
		if others := db.Claims(sig, ex); len(others) > 0 {
			t.Errorf("%v claim %s too\n%s", others, ex.Name, d.YAML)
		}
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
	if !testing.Short() && drafted < 400 {
		t.Errorf("only %d drafts", drafted)
	}
}

// What varies between two sightings is no part of the condition, and no value of the crash's own stands
// in the example.
func TestDraftMessage(t *testing.T) {
	for _, tt := range []struct {
		kind             parse.Kind
		reason           string
		pattern, example string // the first pattern; "" for none
	}{
		{parse.KindPanic, "runtime error: index out of range [7] with length 2", "panic: runtime error: index out of range", "panic: runtime error: index out of range [7] with length 2"},
		{parse.KindPanic, "runtime error: slice bounds out of range [:5] with capacity 3", "panic: runtime error: slice bounds out of range", "panic: runtime error: slice bounds out of range [:5] with capacity 3"},
		{parse.KindPanic, "interface conversion: interface {} is string, not main.T", "panic: interface conversion: interface {} is string, not main.T", "panic: interface conversion: interface {} is string, not main.T"},
		{parse.KindFatal, "concurrent map writes", "fatal error: concurrent map writes", "fatal error: concurrent map writes"},
		{parse.KindPanic, "page 4711 already freed", `/^panic: page \d+ already freed/`, "panic: page 7 already freed"},
		{parse.KindPanic, `store: no row 17 in "invoices of Jane"`, "panic: store: no row", `panic: store: no row 7 in "x"`},
		{parse.KindPanic, "dial tcp 10.1.2.3:8300: lookup db1.corp.example: no such host", `/^panic: dial tcp [0-9.]+:\d+: lookup \S+: no such host/`, "panic: dial tcp 192.0.2.1:7: lookup x: no such host"},
		{parse.KindPanic, "login of jane@corp.example failed: token=hunter2secret", `/^panic: login of \S+ failed: \S+/`, "panic: login of x failed: x"},
		{parse.KindPanic, "open /home/jane/orders.db: permission denied", `/^panic: open \S+: permission denied/`, "panic: open x: permission denied"},
		{parse.KindPanic, `bad key="ab\"cd" here`, `/^panic: bad \S+".*" here/`, `panic: bad x"x" here`},
		{parse.KindPanic, "(*errors.errorString) 0xc000012345", "", "panic: x 0xc000012345"},
		{parse.KindPanic, "42", "", "panic: 7"},
		{parse.KindRecoveredPanic, "http: panic serving 127.0.0.1:37680: runtime error: index out of range [3] with length 2", "panic: runtime error: index out of range", "http: panic serving 192.0.2.1:50000: runtime error: index out of range [3] with length 2"},
		{parse.KindRecoveredPanic, "recovered from panic: page 9 already freed", `/page \d+ already freed/`, "panic: page 7 already freed"},
		{parse.KindRecoveredPanic, "panic serving grpc request", "panic serving grpc request", "panic serving grpc request"},
	} {
		inc := &parse.Incident{Kind: tt.kind, Reason: tt.reason}
		s := sayingOf(inc)
		got := ""
		if p := s.patterns()[0]; p != nil {
			got = p.String()
		}
		if got != tt.pattern {
			t.Errorf("%s: pattern %s, want %s", tt.reason, got, tt.pattern)
		}
		if got := s.example(); got != tt.example {
			t.Errorf("%s: example %s, want %s", tt.reason, got, tt.example)
		}
	}
}

// A condition goes through the same hands as the example: what Clean takes out of a message is not
// left in its pattern.
func TestDraftClean(t *testing.T) {
	db, _ := Load()
	c := read(t, db, "input", "panic: customer acmecorp is unknown\n\ngoroutine 1 [running]:\nexample.com/acme/orders/store.(*Cache).Get(0x1)\n\t/home/jane/orders/store/cache.go:88 +0x31\n")
	d, err := db.Draft(c, c.Incidents[0], DraftOptions{AsOf: "2026-09", Clean: func(s string) string { return strings.ReplaceAll(s, "acmecorp", "CUSTOMER") }})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"acmecorp", "jane"} {
		if strings.Contains(d.YAML, secret) {
			t.Errorf("%s is still there:\n%s", secret, d.YAML)
		}
	}
	checkDraft(t, d, c, c.Incidents[0])
}

// Whatever the input, a draft is either refused with a reason or holds.
func FuzzDraft(f *testing.F) {
	for _, name := range []string{"watchset-many", "race", "custom-error", "repanic", "http-recovered", "generic", "sigabrt"} {
		data, err := os.ReadFile("../testdata/dumps/" + name + ".txt")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("panic: it's 'so\n\ngoroutine 1 [running]:\nexample.com/a b/c'd.(*T[...]).M-range1(0x1)\n\t/x y:z/c.go:1 +0x1\nexample.com/\x1b[31mx.F()\n\t/a.go:2\n")
	db, _ := Load()
	f.Fuzz(func(t *testing.T, text string) {
		c := read(t, db, "input", text)
		for i, inc := range c.Incidents {
			if i == 1 {
				break
			}
			d, err := db.Draft(c, inc, DraftOptions{AsOf: "2026-09"})
			if err != nil {
				continue
			}
			if i := strings.IndexFunc(d.YAML, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("a draft that is not fit for a terminal: %q", d.YAML)
			}
			checkDraft(t, d, c, inc)
		}
	})
}
