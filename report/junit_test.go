package report

import (
	"bytes"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func init() {
	harmless["junit"] = func(t *testing.T, out []byte) {
		requireSafe(t, string(out))
		if err := loadXSD(t, "testdata/schemas/jenkins-junit.xsd").validate(out); err != nil {
			t.Errorf("%v in\n%s", err, out)
		}
		var s junitSuites
		if err := xml.Unmarshal(out, &s); err != nil {
			t.Fatal(err)
		}
	}
}

func junitOf(t *testing.T, d *Document, o Options) (junitSuites, []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := JUnit(&b, d, o); err != nil {
		t.Fatal(err)
	}
	harmless["junit"](t, b.Bytes())
	var s junitSuites
	if err := xml.Unmarshal(b.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s, b.Bytes()
}

func TestJUnitFollowsSchema(t *testing.T) {
	for _, e := range append(examples(), manyExample(300)) {
		t.Run(e.name, func(t *testing.T) {
			for _, threshold := range FailOn {
				s, _ := junitOf(t, e.doc(), Options{FailOn: threshold})
				tests, failures, errs := 0, 0, 0
				for _, suite := range s.Suites {
					names := map[string]bool{}
					for _, c := range suite.Cases {
						if names[c.Name] {
							t.Errorf("%s: two cases are called %q", suite.Name, c.Name)
						}
						names[c.Name] = true
					}
					if suite.Tests != len(suite.Cases) {
						t.Errorf("%s: tests=%d, %d cases", suite.Name, suite.Tests, len(suite.Cases))
					}
					tests, failures, errs = tests+suite.Tests, failures+suite.Failures, errs+suite.Errors
				}
				if tests != s.Tests || failures != s.Failures || errs != s.Errors {
					t.Errorf("sums: %d %d %d, stated %d %d %d", tests, failures, errs, s.Tests, s.Failures, s.Errors)
				}
			}
		})
	}
}

// xmllint knows all of XML Schema; it is asked where it is installed.
func TestJUnitByXmllint(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed (Debian: libxml2-utils)")
	}
	for _, e := range examples() {
		_, out := junitOf(t, e.doc(), Options{})
		file := filepath.Join(t.TempDir(), "junit.xml")
		if err := os.WriteFile(file, out, 0o600); err != nil {
			t.Fatal(err)
		}
		if msg, err := exec.Command(xmllint, "--nonet", "--noout", "--schema", "testdata/schemas/jenkins-junit.xsd", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", e.name, err, msg)
		}
	}
}

func TestJUnitCases(t *testing.T) {
	accept := func(d *Document) *Document { d.Incidents[0].Accepted = AcceptedKnown; return d }
	for _, tt := range []struct {
		name string
		doc  *Document
		o    Options
		want string // suite/case: outcome
	}{
		{"a crash fails", knownExample().doc(), Options{}, "crash.log/fatal ct1:3fa9c1d2: failure"},
		{"below the threshold it passes", knownExample().doc(), Options{FailOn: "unknown"}, "crash.log/fatal ct1:3fa9c1d2: passed"},
		{"an accepted crash is skipped", accept(knownExample().doc()), Options{}, "crash.log/fatal ct1:3fa9c1d2: skipped"},
		{"a bug in the logs fails for any", logsExample().doc(), Options{FailOn: "any"}, "bundle.tar.gz!/lantern-debug/server-2/controller.log/logs lantern-stale-snapshot: failure"},
		{"no dump, and not readable", noneExample().doc(), Options{}, "a.log/read: skipped; b.log/read: skipped; c.log/read: error"},
		{"a dump that was asked for passes", dumpExample().doc(), Options{FailOn: "any"}, "goroutines.txt/read: skipped; crash.log/goroutine-dump ct1:3fa9c1d2: passed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := junitOf(t, tt.doc, tt.o)
			var got []string
			for _, suite := range s.Suites {
				for _, c := range suite.Cases {
					outcome := "passed"
					switch {
					case c.Failure != nil:
						outcome = "failure"
					case c.Error != nil:
						outcome = "error"
					case c.Skipped != nil:
						outcome = "skipped"
					}
					got = append(got, suite.Name+"/"+c.Name+": "+outcome)
				}
			}
			if g := strings.Join(got, "; "); g != tt.want {
				t.Errorf("got  %s\nwant %s", g, tt.want)
			}
		})
	}
}

// A crash that moved down in its log keeps its name.
func TestJUnitNamesAreStable(t *testing.T) {
	was, _ := junitOf(t, knownExample().doc(), Options{})
	e := knownExample()
	e.capture.Incidents[0].HeadlineLine, e.capture.Incidents[0].Line = 7000, 7000
	e.capture.Incidents[0].Goroutine = 5
	now, _ := junitOf(t, e.doc(), Options{})
	a, b := was.Suites[0].Cases[0], now.Suites[0].Cases[0]
	if a.Name != b.Name || a.Class != b.Class {
		t.Errorf("%s/%s became %s/%s", a.Class, a.Name, b.Class, b.Name)
	}
}
