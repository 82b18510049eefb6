package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// NDJSON writes one JSON object a line, each to be understood alone: an incident or, of type
// "finding", a documented bug that the logs show without a crash; the strongest first. Nothing
// found is no line at all, as line readers expect.
//
// Its own fields stand first (type, schema, tool, verdict, input, facts), then those that the JSON
// document has for an incident or a match. Characters are escaped as JSON does.
func NDJSON(w io.Writer, d *Document, _ Options) error {
	bw := bufio.NewWriterSize(w, 1<<16)
	enc := json.NewEncoder(&quiet{w: bw})
	enc.SetEscapeHTML(false)
	for _, it := range ranked(d) {
		if err := enc.Encode(ndjsonLine(d, it)); err != nil {
			return fmt.Errorf("writing NDJSON: %w", err)
		}
	}
	return bw.Flush()
}

// lineHead is what every line begins with.
type lineHead struct {
	Type    string  `json:"type"` // "incident" or "finding"
	Schema  int     `json:"schema"`
	Tool    Tool    `json:"tool"`
	Verdict string  `json:"verdict"` // on this line alone
	Input   *Source `json:"input"`   // where it was found; null when that is not known
	Facts   Facts   `json:"facts"`   // those of the same file or archive
}

type incidentLine struct {
	lineHead
	*Incident
}

type findingLine struct {
	lineHead
	*Match
}

func ndjsonLine(d *Document, it item) any {
	head := lineHead{Type: "finding", Schema: d.Schema, Tool: d.Tool, Verdict: VerdictNone}
	if it.inc != nil {
		head.Type, head.Verdict = "incident", it.inc.Verdict()
	} else if it.finding.proven() {
		head.Verdict = VerdictKnown
	}
	source, _ := it.at()
	for _, s := range d.Sources {
		if s.Name == source {
			head.Input = s
			break
		}
	}
	head.Facts = factsOf(d, source)
	if it.inc != nil {
		return incidentLine{head, it.inc}
	}
	return findingLine{head, it.finding}
}

// factsOf are the facts that may speak about what stands in source: those of the same file, or of
// the same archive. Another file may be of another machine.
func factsOf(d *Document, source string) Facts {
	f := d.Facts
	if len(d.Sources) <= 1 {
		return f
	}
	near := func(other string) bool { return archiveOf(other) == archiveOf(source) }
	f.Products = keep(f.Products, func(p Product) bool { return near(p.Source) })
	f.Modules = keep(f.Modules, func(m Module) bool { return near(m.Source) })
	f.Exits = keep(f.Exits, func(e Exit) bool { return near(e.Source) })
	f.Goroutines = keep(f.Goroutines, func(g Fact) bool { return near(g.Source) })
	f.Exit = nil
	if len(f.Exits) > 0 {
		f.Exit = &f.Exits[0]
	}
	if f.Product != nil && !near(f.Product.Source) {
		f.Product = nil
		if i := runningProduct(f.Products, nil); i >= 0 {
			f.Product = &f.Products[i]
		}
	}
	if f.GoVersion == nil || !near(f.GoVersion.Source) {
		// The document keeps no source of the platform: it is told with the Go version.
		f.GoVersion, f.OS, f.Arch = nil, "", ""
	}
	return f
}

// archiveOf is the file that holds a source: the archive of a member, else the source itself.
func archiveOf(source string) string {
	name, _, _ := strings.Cut(source, "!/")
	return name
}

// keep is the part of a list that ok holds for; never nil.
func keep[A any](in []A, ok func(A) bool) []A {
	out := make([]A, 0, len(in))
	for _, a := range in {
		if ok(a) {
			out = append(out, a)
		}
	}
	return out
}
