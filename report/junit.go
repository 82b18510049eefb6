package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The elements are those of Jenkins' schema, which Jenkins, GitLab, CircleCI, Buildkite and Azure
// all read: report/testdata/schemas/jenkins-junit.xsd.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

// junitCase has at most one of Skipped, Error and Failure: Jenkins keeps one.
type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *string       `xml:"skipped"`
	Error   *junitProblem `xml:"error"`
	Failure *junitProblem `xml:"failure"`
	Out     *junitLines   `xml:"system-out"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",innerxml"`
}

// junitLines is text whose line breaks stay line breaks; xml.Encoder would write "&#xA;".
type junitLines struct {
	Text string `xml:",innerxml"`
}

// xmlText is escaped text as XML.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return strings.ReplaceAll(b.String(), "&#xA;", "\n")
}

// junitFrames is how many frames of a stack a failure shows.
const junitFrames = 30

// JUnit writes a test report: a suite for each source, in it a case for each fingerprint. What
// reaches o.FailOn is a failure, an unreadable source an error, what is accepted and a source
// without a crash are skipped; everything else passes and is told in system-out. Names hold no
// line and no number that changes between runs.
func JUnit(w io.Writer, d *Document, o Options) error {
	out := junitSuites{Name: "crashtriage"}
	at := map[string]int{} // suite of a source
	suite := func(source string) *junitSuite {
		i, ok := at[source]
		if !ok {
			i = len(out.Suites)
			at[source] = i
			out.Suites = append(out.Suites, junitSuite{Name: junitName(source, o), Time: "0"})
		}
		return &out.Suites[i]
	}
	for _, s := range d.Sources {
		suite(s.Name)
	}
	index := map[[2]string]int{} // case of a source and name
	for _, it := range ranked(d) {
		source, _ := it.at()
		s := suite(source)
		key := [2]string{source, it.junitCaseName()}
		if n, again := index[key]; again {
			s.Cases[n].add(it, o)
			continue
		}
		index[key] = len(s.Cases)
		s.Cases = append(s.Cases, it.junitCase(s.Name, o))
	}
	for _, src := range d.Sources {
		s := suite(src.Name)
		read := junitCase{Class: s.Name, Name: "read", Time: "0"}
		switch {
		case src.Error != "":
			read.Error = &junitProblem{Message: Cut(Escape(src.Error), 400), Type: "not-read", Text: xmlText(Escape(src.Name + ": " + src.Error))}
		case len(s.Cases) == 0:
			text := Escape(fmt.Sprintf("no Go crash in %s (%s, %s read)", s.Name, bytesOf(src.Bytes), count(src.Lines, "line", "lines")))
			read.Skipped = &text
		default:
			continue
		}
		s.Cases = append(s.Cases, read)
	}
	for i := range out.Suites {
		s := &out.Suites[i]
		for _, c := range s.Cases {
			s.Tests++
			switch {
			case c.Failure != nil:
				s.Failures++
			case c.Error != nil:
				s.Errors++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		out.Tests, out.Failures, out.Errors = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitName(source string, o Options) string {
	return Escape(firstOf(relative(source, o), "unknown"))
}

// junitCaseName is the same for the same crash in every run.
func (it item) junitCaseName() string {
	if it.inc == nil {
		return Escape("logs " + it.finding.ID)
	}
	return Escape(strings.Join(nonEmpty(it.inc.Kind, it.inc.Fingerprint), " "))
}

func (it item) junitCase(class string, o Options) junitCase {
	c := junitCase{Class: class, Name: it.junitCaseName(), Time: "0"}
	text := it.junitText()
	switch {
	case it.accepted() != "":
		short := Cut(Escape(acceptedWords[it.accepted()]+": "+it.title()+": "+it.headline()), 400)
		c.Skipped, c.Out = &short, &junitLines{text}
	case it.fails(o.FailOn):
		c.Failure = &junitProblem{Message: Cut(Escape(it.title()+": "+it.headline()), 400), Type: Escape(it.rule()), Text: text}
	default:
		c.Out = &junitLines{text}
	}
	return c
}

// add counts another incident of the same fingerprint in the same source into its case.
func (c *junitCase) add(it item, o Options) {
	line := xmlText(Escape("again at "+it.place()) + "\n")
	switch {
	case c.Failure != nil:
		c.Failure.Text += line
	case it.fails(o.FailOn):
		*c = it.junitCase(c.Class, o)
	default:
		c.Out.Text += line
	}
}

// junitText is all that a case tells, as XML.
func (it item) junitText() string {
	var b strings.Builder
	put := func(text string) { b.WriteString(Escape(text) + "\n") }
	put(it.title())
	for _, l := range it.story() {
		put(l)
	}
	if place := it.place(); place != "" {
		put("at " + place)
	}
	if stack := it.stackLines(junitFrames); len(stack) > 0 {
		put(goroutineTitle(it.inc))
		for _, l := range stack {
			put(l)
		}
	}
	return xmlText(b.String())
}
