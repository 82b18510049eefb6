package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func init() { harmless["sarif"] = func(t *testing.T, out []byte) { checkSARIF(t, out) } }

// schemaFrom compiles one of testdata/schemas.
func schemaFrom(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("testdata/schemas/" + name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	// The schema is compiled under its own id, so that nothing is looked up.
	id := name
	if m, ok := doc.(map[string]any); ok {
		if own, ok := m["id"].(string); ok {
			id = own
		}
	}
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func followsSchema(t *testing.T, s *jsonschema.Schema, out []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if err := s.Validate(v); err != nil {
		t.Error(err)
	}
}

// checkSARIF holds a log against what GitHub wants beyond the schema.
func checkSARIF(t *testing.T, out []byte) sarifLog {
	t.Helper()
	requireSafe(t, string(out))
	var log sarifLog
	if err := json.Unmarshal(out, &log); err != nil {
		t.Fatal(err)
	}
	if log.Schema == "" || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("schema %q, version %q, %d runs", log.Schema, log.Version, len(log.Runs))
	}
	run := log.Runs[0]
	rules := run.Tool.Driver.Rules
	if run.Tool.Driver.Name == "" || run.Results == nil || rules == nil || len(run.Results) > 5000 {
		t.Errorf("a required part is missing, or there are too many results (%d)", len(run.Results))
	}
	for _, r := range rules {
		for what, text := range map[string]string{"short": r.Short.Text, "full": r.Full.Text, "help": r.Help.Text} {
			if text == "" {
				t.Errorf("rule %s: no %s description", r.ID, what)
			}
			if n := len([]rune(text)); what != "help" && n > 1024 {
				t.Errorf("rule %s: %d characters of %s description", r.ID, n, what)
			}
		}
	}
	for n, r := range run.Results {
		if r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID || r.RuleID == "" {
			t.Fatalf("result %d: rule %q is not number %d", n, r.RuleID, r.RuleIndex)
		}
		if r.Message.Text == "" || r.PartialFingerprints["primaryLocationLineHash"] == "" || len(r.Locations) != 1 {
			t.Fatalf("result %d: no message, no fingerprint or no location: %+v", n, r)
		}
		p := r.Locations[0].Physical
		if g := p.Region; g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine || g.EndColumn <= g.StartColumn {
			t.Errorf("result %d: region %+v", n, g)
		}
		checkURI(t, p.Artifact.URI)
		for _, s := range r.Stacks {
			for _, f := range s.Frames {
				if f.Location.Physical != nil {
					checkURI(t, f.Location.Physical.Artifact.URI)
				}
			}
		}
	}
	return log
}

// checkURI wants a URI reference that is relative or names a file: no host, no query, no other scheme.
func checkURI(t *testing.T, uri string) {
	t.Helper()
	u, err := url.Parse(uri)
	if err != nil || uri == "" {
		t.Fatalf("%q is no URI: %v", uri, err)
	}
	if u.Host != "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "" && u.Scheme != "file" || strings.HasPrefix(uri, "/") {
		t.Errorf("%q leads elsewhere", uri)
	}
}

func TestSARIFFollowsSchema(t *testing.T) {
	schema := schemaFrom(t, "sarif-2.1.0.schema.json")
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := SARIF(&b, e.doc(), Options{}); err != nil {
				t.Fatal(err)
			}
			followsSchema(t, schema, b.Bytes())
			checkSARIF(t, b.Bytes())
		})
	}
	t.Run("nothing read", func(t *testing.T) {
		var b bytes.Buffer
		if err := SARIF(&b, Build(nil, nil, Tool{}), Options{}); err != nil {
			t.Fatal(err)
		}
		followsSchema(t, schema, b.Bytes())
		checkSARIF(t, b.Bytes())
	})
	// A schema that takes everything would prove nothing.
	if err := schema.Validate(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{"results": []any{}}}}); err == nil {
		t.Error("the schema takes a run without a tool")
	}
}

func TestSARIFKeepsTheLimits(t *testing.T) {
	var b bytes.Buffer
	if err := SARIF(&b, manyExample(sarifResults+7).doc(), Options{}); err != nil {
		t.Fatal(err)
	}
	run := checkSARIF(t, b.Bytes()).Runs[0]
	frames := 0
	for _, r := range run.Results {
		for _, s := range r.Stacks {
			frames += len(s.Frames)
		}
	}
	if len(run.Results) != sarifResults || frames > sarifBudget {
		t.Errorf("%d results with %d frames", len(run.Results), frames)
	}
	if run.Results[0].RuleID != "quartz-route-publish-race" {
		t.Errorf("the first result is %s, want a documented bug", run.Results[0].RuleID)
	}
	if n := run.Invocations[0].Notifications; len(n) == 0 || !strings.Contains(n[0].Message.Text, "7 results were left out") {
		t.Errorf("not said what was left out: %v", n)
	}
}

// Two crashes of one fingerprint in one log are two results; the same in another log keeps its number.
func TestSARIFFingerprints(t *testing.T) {
	e := manyExample(4)
	for i, inc := range e.capture.Incidents {
		inc.Fingerprint = "ct1:0000000a"
		inc.Source = fmt.Sprintf("logs/%d.log", i/2)
	}
	var b bytes.Buffer
	if err := SARIF(&b, e.doc(), Options{}); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, r := range checkSARIF(t, b.Bytes()).Runs[0].Results {
		got[r.Locations[0].Physical.Artifact.URI+" "+r.PartialFingerprints["primaryLocationLineHash"]]++
	}
	for _, want := range []string{"logs/0.log ct1:0000000a:1", "logs/0.log ct1:0000000a:2", "logs/1.log ct1:0000000a:1", "logs/1.log ct1:0000000a:2"} {
		if got[want] != 1 {
			t.Errorf("%q: %d times in %v", want, got[want], got)
		}
	}
}

func TestFileURI(t *testing.T) {
	for path, want := range map[string]string{
		"logs/crash.log":               "logs/crash.log",
		"a b%c#d?e.log":                "a%20b%25c%23d%3Fe.log",
		"/var/log/x.log":               "file:///var/log/x.log",
		`C:\logs\x.log`:                "file:///C%3A/logs/x.log",
		"//host/share":                 "file:///host/share",
		"bundle.tar.gz!/a/b.log":       "bundle.tar.gz!/a/b.log",
		"javascript:alert(1)":          "javascript%3Aalert%281%29",
		"größe.log":                    "gr%C3%B6%C3%9Fe.log",
		"mod/github.com/a@v1.0.0/f.go": "mod/github.com/a@v1.0.0/f.go",
	} {
		if got := fileURI(path); got != want {
			t.Errorf("fileURI(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestSARIFMessages(t *testing.T) {
	for in, want := range map[string]string{
		"index out of range [3] with length 3":  "index out of range [3] with length 3",
		"[x](javascript:alert(1))":              "[x] (javascript:alert(1))",
		"want {0}, got {12}, {} and {0x1, nil}": "want {{0}}, got {{12}}, {} and {0x1, nil}",
	} {
		if got := sarifMessageOf(in).Text; got != want {
			t.Errorf("sarifMessageOf(%q) = %q, want %q", in, got, want)
		}
	}
}
