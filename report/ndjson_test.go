package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crashtriage/crashtriage/parse"
)

func init() {
	harmless["ndjson"] = func(t *testing.T, out []byte) {
		requireSafe(t, string(out))
		for _, line := range bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n")) {
			if !json.Valid(line) {
				t.Errorf("not a JSON object: %q", line)
			}
		}
	}
}

// Each line is made of parts that the schema of the document describes.
func TestNDJSONFollowsSchema(t *testing.T) {
	c := compiler(t)
	def := func(name string) *jsonschema.Schema {
		s, err := c.Compile("crashtriage-1.schema.json#" + name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	parts := map[string]*jsonschema.Schema{
		"tool": def("/properties/tool"), "verdict": def("/properties/verdict"), "input": def("/$defs/source"), "facts": def("/$defs/facts"),
	}
	rest := map[string]*jsonschema.Schema{"incident": def("/$defs/incident"), "finding": def("/$defs/match")}
	for _, e := range examples() {
		d := e.doc()
		out := rendered(t, formatOf(t, "ndjson"), d, Options{})
		if got, want := bytes.Count(out, []byte("\n")), len(d.Incidents)+len(d.Findings); got != want {
			t.Errorf("%s: %d lines, want %d", e.name, got, want)
		}
		for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
			if line == "" {
				continue
			}
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err != nil {
				t.Fatal(err)
			}
			object := v.(map[string]any)
			kind, _ := object["type"].(string)
			if rest[kind] == nil || object["schema"] != json.Number("1") {
				t.Fatalf("%s: type %q, schema %v", e.name, kind, object["schema"])
			}
			for name, schema := range parts {
				if name == "input" && object[name] == nil {
					delete(object, name)
					continue // a signature of all sources together
				}
				if err := schema.Validate(object[name]); err != nil {
					t.Errorf("%s: %s: %v", e.name, name, err)
				}
				delete(object, name)
			}
			delete(object, "type")
			delete(object, "schema")
			if err := rest[kind].Validate(object); err != nil {
				t.Errorf("%s: %v", e.name, err)
			}
		}
	}
}

func TestNDJSONIsRanked(t *testing.T) {
	out := string(rendered(t, formatOf(t, "ndjson"), severalExample().doc(), Options{}))
	if first, _, _ := strings.Cut(out, "\n"); !strings.Contains(first, `"id":"quartz-route-publish-race"`) {
		t.Errorf("the documented bug is not the first line:\n%s", out)
	}
}

// What another file says may be of another machine; members of one archive belong together.
func TestNDJSONFactsAreNear(t *testing.T) {
	crash := func(source string) *parse.Incident {
		return &parse.Incident{Kind: parse.KindPanic, Headline: "panic: boom", Source: source, Fingerprint: source}
	}
	product := func(version, source string) parse.Product {
		return parse.Product{Name: "quartz", Version: version, Source: source, Line: 1}
	}
	d := Build(&parse.Capture{
		Sources: []*parse.Source{{Name: "a.log"}, {Name: "b.log"}, {Name: "c.tgz!/crash.log"}, {Name: "c.tgz!/agent.json"}},
		Incidents: []*parse.Incident{
			crash("a.log"), crash("b.log"), crash("c.tgz!/crash.log"),
		},
		Facts: parse.Facts{
			Products: []parse.Product{product("1.0.0", "a.log"), product("3.0.0", "c.tgz!/agent.json")},
			Go:       []parse.Fact{{Value: "go1.25.8", Source: "a.log", Line: 2}}, OS: []parse.Fact{{Value: "linux", Source: "a.log", Line: 2}},
		},
	}, nil, exampleTool)
	want := map[string][3]string{
		"a.log": {"1.0.0", "go1.25.8", "linux"}, "b.log": {}, "c.tgz!/crash.log": {"3.0.0", "", ""},
	}
	for _, i := range d.Incidents {
		f := factsOf(d, i.Source)
		got := [3]string{"", "", f.OS}
		if f.Product != nil {
			got[0] = f.Product.Version
		}
		if f.GoVersion != nil {
			got[1] = f.GoVersion.Value
		}
		if got != want[i.Source] {
			t.Errorf("%s: product, Go and system are %q, want %q", i.Source, got, want[i.Source])
		}
	}
}

func formatOf(t *testing.T, name string) Format {
	t.Helper()
	for _, f := range Formats() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no format is called %s", name)
	return Format{}
}
