package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

func newShow(s *streams) *cobra.Command {
	o := &readOptions{}
	cmd := &cobra.Command{
		Use:   "show ID...",
		Short: "Show all that is known about a signature",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, ids []string) error {
			db, ok := o.load(s)
			var rows []row
			for _, id := range ids {
				sig := db.Lookup(id)
				if sig == nil {
					s.errorf("no signature is called %q", id)
					if near := signatures.Suggest(id, db.Names()); len(near) > 0 {
						s.hintf("did you mean %s?", quoted(near))
					} else {
						s.hintf("crashtriage signatures list names them all")
					}
					ok = false
					continue
				}
				if sig.ID != id {
					s.line("note", fmt.Sprintf("%s is now called %s", id, sig.ID))
				}
				rows = append(rows, row{sig: sig})
			}
			w := bufio.NewWriter(s.out)
			var err error
			if o.json {
				err = writeEntries(w, rows)
			} else {
				for i, r := range rows {
					if i > 0 {
						fmt.Fprintln(w)
					}
					show(w, r.sig, s.columns(0, s.out))
				}
			}
			return errors.Join(err, w.Flush(), failedUnless(ok))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			db, _ := o.load(s.silent())
			for _, sig := range db.Signatures() {
				ids = append(ids, sig.ID+"\t"+report.Escape(sig.Title))
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "as a JSON object")
	packFlag(cmd, o)
	return cmd
}

// show writes the knowledge itself, worded as the pack words it.
func show(w io.Writer, s *signatures.Signature, width int) {
	row := func(label, text string) {
		if text == "" {
			return
		}
		for i, line := range report.Wrap(report.Escape(text), max(width-13, 20)) {
			if i > 0 {
				label = ""
			}
			fmt.Fprintf(w, "  %-11s%s\n", label, line)
		}
	}
	fmt.Fprintln(w, report.Escape(s.ID))
	row("title", s.Title)
	row("aliases", strings.Join(s.Aliases, ", "))
	row("project", s.Project)
	row("module", s.Module)
	kind := s.Kind
	if s.Knowledge {
		kind += " (documented knowledge, never matched: its evidence is too thin)"
	}
	row("kind", kind)
	for _, c := range s.Conditions() {
		row("looks for", c)
	}
	row("cause", s.RootCause)
	row("owner", s.Owner)
	row("issue", s.Issue)
	row("fix", strings.TrimSpace(s.Fix.URL+"  "+string(s.Fix.State)))
	for _, f := range s.Fix.FixedIn {
		row("fixed in", versionOn(f))
	}
	row("not fixed", strings.Join(s.Fix.NotFixed, ", "))
	row("release", s.Fix.Release)
	row("note", s.Fix.Note)
	row("as of", s.Fix.AsOf)
	row("affected", s.Affected.Text)
	for _, f := range s.Affected.IntroducedIn {
		row("since", versionOn(f))
	}
	row("seen on", strings.Join(s.Affected.ReportedOn, ", "))
	row("workaround", s.Workaround)
	row("confidence", string(s.Confidence))
	for _, src := range s.Sources {
		row("source", src)
	}
	row("notes", s.Notes)
	row("supersedes", strings.Join(s.Supersedes, ", "))
	row("pack", fmt.Sprintf("%s:%d", s.Pack, s.Line))
}

func versionOn(f signatures.FixedIn) string {
	line := ""
	if f.Line != "" {
		line = " (line " + f.Line + ")"
	}
	return strings.TrimSpace(f.Module+" "+f.Version) + line
}

// entry is a signature as "list" and "show" write it as JSON. Its names are those of a match in the
// document of a crash.
type entry struct {
	ID         string   `json:"id"`
	Aliases    []string `json:"aliases"`
	Title      string   `json:"title"`
	Project    string   `json:"project"`
	Module     string   `json:"module"`
	Product    string   `json:"product"`
	Kind       string   `json:"kind"`
	Knowledge  bool     `json:"knowledge"`
	Conditions []string `json:"conditions"` // in words
	RootCause  string   `json:"root_cause"`
	Owner      string   `json:"owner"`
	Issue      string   `json:"issue"`
	Fix        fix      `json:"fix"`
	Affected   affected `json:"affected"`
	Workaround string   `json:"workaround"`
	Confidence string   `json:"confidence"`
	Sources    []string `json:"sources"`
	Notes      string   `json:"notes"`
	Supersedes []string `json:"supersedes"`
	Pack       string   `json:"pack"`
	Line       int      `json:"line"`
	// Of --unfixed-in: what the signature means for that version.
	Status    string `json:"status,omitempty"`
	StatusWhy string `json:"status_why,omitempty"`
}

type fix struct {
	URL      string    `json:"url"`
	State    string    `json:"state"`
	FixedIn  []release `json:"fixed_in"`
	NotFixed []string  `json:"not_fixed"`
	Release  string    `json:"release"`
	Note     string    `json:"note"`
	AsOf     string    `json:"as_of"`
}

type affected struct {
	Text          string    `json:"text"`
	IntroducedIn  []release `json:"introduced_in"`
	ReportedOn    []string  `json:"reported_on"`
	EvidenceUntil string    `json:"evidence_until"`
}

type release struct {
	Module  string `json:"module"`
	Line    string `json:"line"`
	Version string `json:"version"`
}

func newEntry(r row) entry {
	s := r.sig
	list := func(l []string) []string { return append([]string{}, l...) }
	releases := func(l []signatures.FixedIn) []release {
		out := make([]release, len(l))
		for i, f := range l {
			out[i] = release(f)
		}
		return out
	}
	return entry{
		ID: s.ID, Aliases: list(s.Aliases), Title: s.Title, Project: s.Project, Module: s.Module, Product: s.Product,
		Kind: s.Kind, Knowledge: s.Knowledge, Conditions: list(s.Conditions()), RootCause: s.RootCause, Owner: s.Owner, Issue: s.Issue,
		Fix: fix{
			URL: s.Fix.URL, State: string(s.Fix.State), FixedIn: releases(s.Fix.FixedIn), NotFixed: list(s.Fix.NotFixed),
			Release: s.Fix.Release, Note: s.Fix.Note, AsOf: s.Fix.AsOf,
		},
		Affected: affected{
			Text: s.Affected.Text, IntroducedIn: releases(s.Affected.IntroducedIn),
			ReportedOn: list(s.Affected.ReportedOn), EvidenceUntil: s.Affected.EvidenceUntil,
		},
		Workaround: s.Workaround, Confidence: string(s.Confidence), Sources: list(s.Sources), Notes: s.Notes,
		Supersedes: list(s.Supersedes), Pack: s.Pack, Line: s.Line,
		Status: string(r.status.Status), StatusWhy: r.status.Why,
	}
}

// writeEntries writes {"schema": 1, "signatures": […]}.
func writeEntries(w io.Writer, rows []row) error {
	doc := struct {
		Schema     int     `json:"schema"`
		Signatures []entry `json:"signatures"`
	}{Schema: 1, Signatures: []entry{}}
	for _, r := range rows {
		doc.Signatures = append(doc.Signatures, newEntry(r))
	}
	return report.Object(w, doc)
}
