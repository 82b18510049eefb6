package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// xsd is a schema of global elements, as Jenkins' JUnit schema is one. It knows the part of XML
// Schema that this schema uses and refuses a schema with anything else, so that nothing in it can
// be passed over in silence.
type xsd map[string]*xsdElement

type xsdElement struct {
	text     bool            // may hold text
	attrs    map[string]bool // whether it is required
	children []xsdParticle   // in this order; none means none may be there
}

type xsdParticle struct {
	name     string
	min, max int
}

type xmlNode struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []xmlNode  `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (n *xmlNode) attr(name, otherwise string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return otherwise
}

func loadXSD(t *testing.T, path string) xsd {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var root xmlNode
	if err := xml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	schema := xsd{}
	for _, n := range root.Nodes {
		if n.XMLName.Local != "element" {
			t.Fatalf("%s: xs:%s is not known to this test", path, n.XMLName.Local)
		}
		e := &xsdElement{attrs: map[string]bool{}}
		schema[n.attr("name", "")] = e
		switch typ := n.attr("type", ""); typ {
		case "xs:string":
			e.text = true
			continue
		case "":
		default:
			t.Fatalf("%s: the type %s is not known to this test", path, typ)
		}
		complexType := n.Nodes[0]
		e.text = complexType.attr("mixed", "false") == "true"
		for _, part := range complexType.Nodes {
			switch part.XMLName.Local {
			case "attribute":
				if typ := part.attr("type", ""); typ != "xs:string" {
					t.Fatalf("%s: the type %s is not known to this test", path, typ)
				}
				e.attrs[part.attr("name", "")] = part.attr("use", "optional") == "required"
			case "sequence":
				for _, p := range part.Nodes {
					e.children = append(e.children, xsdParticle{p.attr("ref", ""), occurs(t, p.attr("minOccurs", "1")), occurs(t, p.attr("maxOccurs", "1"))})
				}
			default:
				t.Fatalf("%s: xs:%s is not known to this test", path, part.XMLName.Local)
			}
		}
	}
	return schema
}

func occurs(t *testing.T, s string) int {
	if s == "unbounded" {
		return 1 << 30
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// validate reads a document strictly and holds it against the schema.
func (s xsd) validate(doc []byte) error {
	dec := xml.NewDecoder(bytes.NewReader(doc))
	dec.Strict = true
	var root xmlNode
	if err := dec.Decode(&root); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		if tok, err := dec.Token(); err != io.EOF {
			return fmt.Errorf("something stands behind the root: %v %v", tok, err)
		}
	}
	return s.check(&root)
}

func (s xsd) check(n *xmlNode) error {
	name := n.XMLName.Local
	e := s[name]
	if e == nil || n.XMLName.Space != "" {
		return fmt.Errorf("<%s> is no element of the schema", name)
	}
	have := map[string]bool{}
	for _, a := range n.Attrs {
		if _, ok := e.attrs[a.Name.Local]; !ok {
			return fmt.Errorf("<%s> has no attribute %s", name, a.Name.Local)
		}
		have[a.Name.Local] = true
	}
	for a, required := range e.attrs {
		if required && !have[a] {
			return fmt.Errorf("<%s> lacks the attribute %s", name, a)
		}
	}
	if !e.text && strings.TrimSpace(n.Text) != "" {
		return fmt.Errorf("<%s> holds text: %q", name, n.Text)
	}
	rest := n.Nodes
	for _, p := range e.children {
		count := 0
		for len(rest) > 0 && rest[0].XMLName.Local == p.name && count < p.max {
			if err := s.check(&rest[0]); err != nil {
				return err
			}
			rest, count = rest[1:], count+1
		}
		if count < p.min {
			return fmt.Errorf("<%s> has %d <%s>, want at least %d", name, count, p.name, p.min)
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("<%s> may not stand here in <%s>", rest[0].XMLName.Local, name)
	}
	return nil
}

// The schema test must be able to fail.
func TestXSDRefuses(t *testing.T) {
	s := loadXSD(t, "testdata/schemas/jenkins-junit.xsd")
	for doc, wrong := range map[string]string{
		`<testsuites><testsuite name="a"/></testsuites>`:                                                                        "lacks the attribute tests",
		`<testsuites><testsuite name="a" tests="1"><testcase name="x"><failure/><skipped/></testcase></testsuite></testsuites>`: "<skipped> may not stand here",
		`<testsuites skipped="1"/>`:                     "has no attribute skipped",
		`<testsuites>text</testsuites>`:                 "holds text",
		`<testsuites><testcase name="x"/></testsuites>`: "<testcase> may not stand here",
		`<suites/>`:                   "no element of the schema",
		`<testsuites/><testsuites/>`:  "behind the root",
		"<testsuites name=\"\x01\"/>": "illegal character",
	} {
		if err := s.validate([]byte(doc)); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v, want %q", doc, err, wrong)
		}
	}
	if err := s.validate([]byte(`<testsuites><testsuite name="a" tests="1"><testcase name="x"><failure message="m">text</failure></testcase></testsuite></testsuites>`)); err != nil {
		t.Error(err)
	}
}
