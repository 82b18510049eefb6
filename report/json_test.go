package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crashtriage/crashtriage/parse"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := compiler(t).Compile("crashtriage-1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compiler(t *testing.T) *jsonschema.Compiler {
	t.Helper()
	f, err := os.Open("schema/crashtriage-1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("crashtriage-1.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestJSONFollowsSchema(t *testing.T) {
	schema := compileSchema(t)
	docs := map[string]*Document{
		"zero capture": Build(&parse.Capture{}, nil, exampleTool),
		"nil capture":  Build(nil, nil, Tool{}),
	}
	for _, e := range examples() {
		docs[e.name] = e.doc()
	}
	for name, d := range docs {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := JSON(&b, d, Options{}); err != nil {
				t.Fatal(err)
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Error(err)
			}
			var back Document
			if err := json.Unmarshal(b.Bytes(), &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(d, &back); diff != "" {
				t.Errorf("the document does not survive its own JSON (-wrote +read):\n%s", diff)
			}
		})
	}
}

// A field added to the Document without the schema, or the other way round, is an error here.
func TestSchemaNamesEveryField(t *testing.T) {
	data, err := os.ReadFile("schema/crashtriage-1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	defs := schema["$defs"].(map[string]any)
	var walk func(typ reflect.Type, node map[string]any, path string)
	walk = func(typ reflect.Type, node map[string]any, path string) {
		if r, ok := node["$ref"].(string); ok {
			node = defs[strings.TrimPrefix(r, "#/$defs/")].(map[string]any)
		}
		switch typ.Kind() {
		case reflect.Pointer:
			if one, ok := node["oneOf"].([]any); ok {
				node = one[0].(map[string]any)
			}
			walk(typ.Elem(), node, path)
		case reflect.Slice:
			items, ok := node["items"].(map[string]any)
			if !ok {
				t.Errorf("%s is a list in Go only", path)
				return
			}
			walk(typ.Elem(), items, path+"[]")
		case reflect.Struct:
			if typ.String() == "time.Time" {
				return
			}
			props, _ := node["properties"].(map[string]any)
			if node["additionalProperties"] != false {
				t.Errorf("%s is open to unknown properties", path)
			}
			if got, want := len(props), typ.NumField(); got != want {
				t.Errorf("%s has %d properties in the schema and %d fields in Go", path, got, want)
			}
			for i := range typ.NumField() {
				name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
				p, ok := props[name].(map[string]any)
				if !ok {
					t.Errorf("the schema lacks %s.%s", path, name)
					continue
				}
				walk(typ.Field(i).Type, p, path+"."+name)
			}
		}
	}
	walk(reflect.TypeFor[Document](), schema, "document")
}

func TestListsAreNeverNull(t *testing.T) {
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), path)
			}
		case reflect.Slice, reflect.Map:
			if v.IsNil() {
				t.Errorf("%s is nil", path)
			}
			if v.Kind() == reflect.Slice {
				for i := range v.Len() {
					walk(v.Index(i), path+"[]")
				}
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i), path+"."+v.Type().Field(i).Name)
				}
			}
		}
	}
	for _, e := range examples() {
		walk(reflect.ValueOf(e.doc()), e.name)
	}
}

func TestVerdict(t *testing.T) {
	want := map[string]string{
		"known": VerdictKnown, "unknown": VerdictFamily, "candidates": VerdictFamily, "logs": VerdictKnown,
		"none": VerdictNone, "several": VerdictKnown, "dump": VerdictNone, "hostile": VerdictKnown, "fixed-here": VerdictKnown,
	}
	for _, e := range examples() {
		if got := e.doc().Verdict; got != want[e.name] {
			t.Errorf("%s: verdict %q, want %q", e.name, got, want[e.name])
		}
	}
	crash := &parse.Capture{Incidents: []*parse.Incident{{Kind: parse.KindPanic, Headline: "panic: boom"}}}
	if got := Build(crash, nil, exampleTool).Verdict; got != VerdictUnknown {
		t.Errorf("a crash that nothing explains: verdict %q, want %q", got, VerdictUnknown)
	}
}

// The product that is shown is the one that decided, and the Go version the one of its block.
func TestRunningProduct(t *testing.T) {
	c := knownExample().capture
	c.Facts.Products = append([]parse.Product{
		{Name: "sidecar", Version: "9.9.9", Source: "crash.log", Line: 1},
		{Name: "quartz", Version: "2.0.0", Role: "client", Source: "crash.log", Line: 2},
	}, c.Facts.Products...)
	c.Facts.Go = append([]parse.Fact{{Value: "go1.20", Source: "crash.log", Line: 3}}, c.Facts.Go...)
	e := knownExample()
	e.capture.Facts = c.Facts
	f := e.doc().Facts
	if f.Product.Version != "2.4.1" || f.GoVersion.Value != "go1.25.8" {
		t.Errorf("got %s %s on %s, want quartz 2.4.1 on go1.25.8", f.Product.Name, f.Product.Version, f.GoVersion.Value)
	}
}

func TestJSONIsSafeToPrint(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, hostileExample().doc(), Options{}); err != nil {
		t.Fatal(err)
	}
	requireSafe(t, b.String())
}

// requireSafe fails if out holds anything that a terminal or a CI server would obey or a reader
// would not see.
func requireSafe(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Error("the output is not UTF-8")
	}
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("a CI server would obey %q", line)
		}
	}
	for i, r := range out {
		if r == '\n' || unicode.IsPrint(r) {
			continue
		}
		t.Errorf("unsafe rune %U at byte %d: %q", r, i, out[max(0, i-20):min(len(out), i+20)])
		return
	}
}
