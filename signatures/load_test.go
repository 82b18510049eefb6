package signatures

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
)

const packHead = "pack: p\nas_of: 2026-09\nproject: acme\nmodule: example.com/acme\n"

// entryText is a faultless entry with one line changed or added; with stands for its conditions.
func entryText(replace, with string) string {
	text := `signatures:
- id: acme-store-nil
  title: Get on a closed cache
  kind: panic
  match:
    message: 'panic: runtime error: invalid memory address or nil pointer dereference'
    top: example.com/acme/store.(*Cache).Get
  root_cause: the cache is closed
  fix:
    state: merged
    fixed_in:
    - {line: "1.4", version: 1.4.2}
  confidence: high
`
	if replace != "" && !strings.Contains(text, replace) {
		panic("no line " + replace)
	}
	return packHead + strings.Replace(text, replace, with, 1)
}

// Each fault is reported with its line and column.
func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct{ name, pack, want string }{
		{"nothing is wrong", entryText("", ""), ""},
		{"unknown key", entryText("  confidence: high", "  confidance: high"), `p.yaml:17:3: unknown key "confidance" in a signature, did you mean "confidence"?`},
		{"a key that nothing is like", entryText("  confidence: high", "  confidence: high\n  colour: red"), `p.yaml:18:3: unknown key "colour" in a signature`},
		{"unknown key in a condition", entryText("    top:", "    tpo:"), `p.yaml:11:5: unknown key "tpo" in a condition, did you mean "top"?`},
		{"unknown key of the pack", "pcak: x\n" + entryText("", ""), `p.yaml:1:1: unknown key "pcak" in a pack, did you mean "pack"?`},
		{"key twice", entryText("  confidence: high", "  confidence: high\n  confidence: low"), `p.yaml:18:3: mapping key "confidence" already defined`},
		{"a word that is none", entryText("  kind: panic", "  kind: crash"), `p.yaml:8:9: kind "crash" is none of panic, fatal`},
		{"syntax", entryText("  title: Get on a closed cache", "  title: [Get, on"), "p.yaml:8:3: "},
		{"anchor", entryText("  title: Get", "  title: &a Get"), "p.yaml:7:10: anchors and aliases are not allowed"},
		{"alias", entryText("  title: Get on a closed cache", "  title: *a"), "p.yaml:7:10: anchors and aliases are not allowed"},
		{"merge key", entryText("  title: Get on a closed cache", "  <<: {title: x}"), "merge keys are not allowed"},
		{"tag", entryText("  title: Get on a closed cache", "  title: !!binary aGk="), "tags and directives are not allowed"},
		{"two documents", "a: 1\n---\n" + entryText("", ""), "a pack is one YAML document"},
		{"nothing at all", "", "the pack is empty"},
		{"a list that is none", packHead + "signatures: {a: b}\n", "p.yaml:5:13: signatures has to be a list, one entry a block"},
		{"an entry that is none", packHead + "signatures:\n- acme\n", "p.yaml:6:3: a signature has to be a mapping, not a text"},
		{"an empty text", entryText("title: Get on a closed cache", "title: ''"), "p.yaml:7:10: title is empty: leave the key out"},
		{"a list for a text", entryText("title: Get on a closed cache", "title: [a]"), "p.yaml:7:10: title has to be a text, not a list"},
		{"an id with blanks", entryText("acme-store-nil", "Acme Store"), "p.yaml:6:7: id has to consist of letters, digits and -"},
		{"no root cause", entryText("  root_cause: the cache is closed\n", ""), "p.yaml:6:3: the signature acme-store-nil needs root_cause"},
		{"no match", entryText("  match:\n    message: 'panic: runtime error: invalid memory address or nil pointer dereference'\n    top: example.com/acme/store.(*Cache).Get\n", ""), "needs match"},
		{"knowledge that matches", entryText("  confidence: high", "  confidence: high\n  knowledge: true"), "knowledge never matches"},

		{"an expression that is none", entryText("message: 'panic: runtime error: invalid memory address or nil pointer dereference'", "message: {regexp: 'cache (gone'}"), "p.yaml:10:23: missing closing ): `cache (gone`"},
		{"an expression for anything", entryText("message: 'panic: runtime error: invalid memory address or nil pointer dereference'", "message: {regexp: '^p.*: '}"), "p.yaml:10:23: the expression needs a literal of at least 4 bytes"},
		{"two patterns", entryText("message: 'panic: runtime error: invalid memory address or nil pointer dereference'", "message: {is: a, contains: b}"), "message needs exactly one of is, starts_with, contains and regexp"},

		{"a version in words", entryText("version: 1.4.2", "version: 1.4.x after March"), `p.yaml:16:30: version "1.4.x after March" is no version; words belong into a note`},
		{"a version beside its line", entryText("version: 1.4.2", "version: 1.5.0"), "p.yaml:16:7: 1.5.0 is not on the line 1.4"},
		{"a line that is none", entryText(`line: "1.4"`, "line: next"), `"next" is no release line: write it as 1.22`},
		{"versions and a reason for none", entryText("    state: merged", "    state: merged\n    release: unreleased"), "fix has both fixed_in and release"},
		{"no versions and no reason", entryText("    fixed_in:\n    - {line: \"1.4\", version: 1.4.2}\n", ""), "fix needs fixed_in, or release: none, unreleased or unknown"},
		{"merged, but none", entryText("    fixed_in:\n    - {line: \"1.4\", version: 1.4.2}\n", "    release: none\n"), "a merged fix is not none"},
		{"when was it true", strings.Replace(entryText("", ""), "as_of: 2026-09\n", "", 1), "fix needs as_of, or the pack does"},
		{"a month that is none", entryText("    state: merged", "    state: merged\n    as_of: last year"), "as_of has to be a month such as 2026-09"},
		{"a bad comparison", entryText("    top:", "    product: {name: acme, versions: ~> 1.2}\n    top:"), `"~>" is no comparison of versions`},

		{"a package is no function", entryText("store.(*Cache).Get", "store"), `p.yaml:11:10: "example.com/acme/store" names a package, not a function`},
		{"a type is no function", entryText("store.(*Cache).Get", "store.(*Cache)"), "names a type, not a function"},
		{"arguments", entryText("store.(*Cache).Get", "store.(*Cache).Get(...)"), "is no function's name: leave arguments and wildcards out"},
		{"a vendored path", entryText("top: example.com", "top: k8s.io/x/vendor/example.com"), "has a vendored path"},
		{"a wildcard", entryText("store.(*Cache).Get", "store.*"), "is no function's name"},

		{"a message that any program prints, alone", entryText("    top: example.com/acme/store.(*Cache).Get\n", ""), "a message that every program may print needs frames"},
		{"one function that need not be on top", entryText("top: example.com", "frames: example.com"), "one function and a message that every program may print: say top"},
		{"frames below every program", entryText("top: example.com/acme/store.(*Cache).Get", "frames: [runtime.mapassign, sync.(*Mutex).Lock]"), "prove nothing: name a function of the owner"},
		{"one function and no message", entryText("    message: 'panic: runtime error: invalid memory address or nil pointer dereference'\n    top:", "    frames:"), "a crash without a message needs two functions"},
		{"main is everywhere", entryText("top: example.com/acme/store.(*Cache).Get", "top: main.run"), "a function of main is the same in every program"},
		{"a leak that every healthy server shows", entryText("  kind: panic\n  match:\n    message: 'panic: runtime error: invalid memory address or nil pointer dereference'\n    top:", "  kind: leak\n  match:\n    frames:"), "needs goroutines with wait or at_least, growth, or log records"},
		{"a log line without a number", entryText("  kind: panic\n  match:\n    message: 'panic: runtime error: invalid memory address or nil pointer dereference'\n    top: example.com/acme/store.(*Cache).Get\n", "  kind: log\n  match:\n    log: {message: no leader}\n"), "p.yaml:10:5: acme-store-nil: say at_least, even if one record is enough"},
		{"a burst without a window", entryText("    top:", "    burst: {message: x, at_least: 3}\n    top:"), "a burst needs at_least (2 or more) and within"},
		{"an any that is weaker than it looks", entryText("    top: example.com/acme/store.(*Cache).Get\n", "    any:\n    - top: example.com/acme/store.(*Cache).Get\n    - frames: [sync.(*Mutex).Lock]\n"), "prove nothing"},

		{"an example of both kinds", entryText("  confidence: high", "  confidence: high\n  examples:\n  - {match: a, near_miss: b}"), "an example is either a match or a near_miss"},
		{"superseding nothing", entryText("  confidence: high", "  confidence: high\n  supersedes: acme-other"), "acme-store-nil supersedes acme-other, which is unknown"},
		{"superseding itself", entryText("  confidence: high", "  confidence: high\n  supersedes: acme-store-nil"), "p.yaml:6:1: acme-store-nil supersedes itself"},
		{"superseding each other", entryText("  confidence: high", "  confidence: high\n  supersedes: acme-b") +
			strings.Replace(strings.TrimPrefix(entryText("  confidence: high", "  confidence: high\n  supersedes: acme-store-nil"), packHead+"signatures:\n"), "acme-store-nil", "acme-b", 1),
			"acme-b and acme-store-nil supersede each other"},
		{"an alias that is another's id", entryText("  confidence: high", "  confidence: high\n  aliases: acme-b") +
			strings.Replace(strings.TrimPrefix(entryText("", ""), packHead+"signatures:\n"), "acme-store-nil", "acme-b", 1), "p.yaml:6:1: acme-store-nil has the alias acme-b, which names acme-b"},
		{"main in any_frame", entryText("top: example.com/acme/store.(*Cache).Get", "any_frame: [main.run, main.serve]"), "a function of main is the same in every program"},
		{"frames under every request", entryText("    top: example.com/acme/store.(*Cache).Get", "    frames: [example.com/acme/http.(*Server).ServeHTTP, example.com/acme/cmd.Run]"), "stands under everything that the program does"},
		{"one id twice", entryText("", "") + strings.TrimPrefix(entryText("", ""), packHead+"signatures:\n"), "the id acme-store-nil is taken, see p.yaml:6"},
		{"a family without a message", "pack: p\nfamilies:\n- {id: x, meaning: m, owner: your-code, owner_confidence: low, next_step: n}\n", "needs messages, or knowledge: true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := LoadOnly(Source{"p.yaml", []byte(tt.pack)})
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("unexpected: %v", err)
			case tt.want != "" && err == nil:
				t.Errorf("no error, want %q", tt.want)
			case tt.want != "" && !strings.Contains(err.Error(), tt.want):
				t.Errorf("got\n%v\nwant %q", err, tt.want)
			}
			var list Errors
			if err != nil && !errors.As(err, &list) {
				t.Errorf("%T is no Errors", err)
			}
		})
	}
}

// A fault comes with the line and a mark; the entries beside it still work.
func TestLoadErrorsAreLocal(t *testing.T) {
	second := strings.Replace(strings.TrimPrefix(entryText("", ""), packHead+"signatures:\n"), "acme-store-nil", "acme-second", 1)
	third := strings.Replace(second, "acme-second", "acme-third", 1)
	pack := entryText("  kind: panic", "  kind: crash") + strings.Replace(second, "title: Get on a closed cache", "title: [Get, on", 1) + third
	db, err := LoadOnly(Source{"p.yaml", []byte(pack)}, Source{"q.yaml", []byte("pack: [\n")})
	want := "p.yaml:8:9: kind \"crash\" is none of panic, fatal, throw, signal, race, recovered, deadlock, leak, oom, log\n" +
		"     8 |   kind: crash\n" +
		"       |         ^\n" +
		"p.yaml:20:3: "
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "\nq.yaml:1:") {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if db.Lookup("acme-third") == nil || db.Lookup("acme-second") != nil || db.Len() != 1 {
		t.Error("only the faultless entry should be there")
	}
}

// What a user adds goes before what is built in.
func TestUserPacks(t *testing.T) {
	own := strings.Replace(entryText("", ""), "acme-store-nil", "consul-apigw-route-watchset-race", 1)
	db, err := Load(Source{"own.yaml", []byte(own)})
	if err != nil {
		t.Fatal(err)
	}
	if s := db.Lookup("consul-apigw-route-watchset-race"); s == nil || s.Pack != "own.yaml" {
		t.Errorf("%+v", s)
	}
	plain, _ := Load()
	if db.Len() != plain.Len() || db.Version() != plain.Version() {
		t.Error("a replaced entry is one entry, and the version is that of the built-in knowledge")
	}
	c := seedCaptures()["consul-apigw-route-watchset-race"]
	if ids, _ := matches(c, db.Match(c, MatchOptions{})); len(ids) > 0 {
		t.Errorf("the replaced entry still matches: %v", ids)
	}
}

func TestLookup(t *testing.T) {
	db, err := LoadOnly(Source{"p.yaml", []byte(entryText("  confidence: high", "  confidence: high\n  aliases: [acme-1, acme-2]"))})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"acme-store-nil", "acme-1", "acme-2"} {
		if s := db.Lookup(id); s == nil || s.ID != "acme-store-nil" {
			t.Errorf("Lookup(%q) = %v", id, s)
		}
	}
	if db.Lookup("acme") != nil {
		t.Error("there is no acme")
	}
	s := db.Lookup("acme-1")
	want := FixedIn{Line: "1.4", Version: "1.4.2"}
	if s.Product != "acme" || s.Fix.AsOf != "2026-09" || len(s.Fix.FixedIn) != 1 || s.Fix.FixedIn[0] != want {
		t.Errorf("%+v", s)
	}
}

// A version stays text: 1.10 is not 1.1.
func TestScalarsStayText(t *testing.T) {
	db, err := LoadOnly(Source{"p.yaml", []byte(entryText(`{line: "1.4", version: 1.4.2}`, `{line: 1.10, version: 1.10}`))})
	if err != nil {
		t.Fatal(err)
	}
	if f := db.Lookup("acme-store-nil").Fix.FixedIn[0]; f.Line != "1.10" || f.Version != "1.10" {
		t.Errorf("%+v", f)
	}
}

func TestLimits(t *testing.T) {
	deep := packHead + "signatures:\n- id: x\n  match: " + strings.Repeat("[", 5000) + "\n"
	long := entryText("title: Get on a closed cache", "title: "+strings.Repeat("x", maxText+1))
	steps := packHead + "signatures:\n" + strings.Repeat("- ", 2000) + "x\n"
	many := packHead + "signatures:\n" + strings.Repeat("- 1\n", 1000)
	for name, pack := range map[string]string{
		"deep": deep, "long": long, "steps": steps, "many": many, "large": strings.Repeat("#\n", maxPack/2+1),
	} {
		_, err := LoadOnly(Source{"p.yaml", []byte(pack)})
		var list Errors
		if !errors.As(err, &list) || len(list) == 0 || len(list) > maxProblems {
			t.Errorf("%s: %d problems", name, len(list))
		}
	}
}

// Errors show the pack's own text: it must not reach a terminal as it is.
func TestExcerptsAreHarmless(t *testing.T) {
	_, err := LoadOnly(Source{"p.yaml", []byte(packHead + "colour: \"\x1b[31mred\u009b\"\n")})
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\u009b") {
		t.Errorf("%q", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(entryText("", ""))
	for _, src := range BuiltIn() {
		if len(src.Data) < 20_000 {
			f.Add(string(src.Data))
		}
	}
	for _, s := range []string{"", "signatures:\n-", "- a", "signatures:\n  - {id: [}\n", "a: &b *b", "signatures:\n- match: {all: [{any: [{not: {}}]}]}", "pack: |\n  x\nfamilies:\n- messages: [{regexp: '('}]"} {
		f.Add(s)
	}
	inc := seedCaptures()["consul-apigw-route-watchset-race"]
	f.Fuzz(func(t *testing.T, s string) {
		db, err := LoadOnly(Source{"p.yaml", []byte(s)})
		var list Errors
		if err != nil && !errors.As(err, &list) {
			t.Fatalf("%T", err)
		}
		for _, p := range list {
			if p.File != "p.yaml" || p.Line < 0 || p.Line > strings.Count(s, "\n")+strings.Count(s, "\r")+1 || p.Message == "" {
				t.Errorf("%+v", p)
			}
			_ = p.Error()
		}
		for _, s := range db.Signatures() {
			if s.ID == "" || s.match == nil && !s.Knowledge {
				t.Errorf("%+v", s)
			}
		}
		db.Match(inc, MatchOptions{})
		db.KeepRecord(&parse.Record{Message: "x", Error: "y"})
	})
}

// The text of many signatures is read; the same knowledge compiled is not even decoded.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{0, 100, 1000, 10_000} {
		var text strings.Builder
		text.WriteString(packHead + "signatures:\n")
		entry := strings.TrimPrefix(entryText("", ""), packHead+"signatures:\n")
		for i := range n {
			text.WriteString(strings.Replace(entry, "acme-store-nil", fmt.Sprint("acme-", i), 1))
		}
		b.Run(fmt.Sprint("user=", n), func(b *testing.B) {
			for b.Loop() {
				if n == 0 {
					if _, err := Load(); err != nil {
						b.Fatal(err)
					}
				} else if _, err := Load(Source{"p.yaml", []byte(text.String())}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
