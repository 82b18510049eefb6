package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// listOptions are the flags of "signatures list".
type listOptions struct {
	readOptions
	project   string
	kind      string
	fix       string
	knowledge string
	unfixedIn string
}

const listLong = `list prints one line a signature: id, kind, state of the fix, title.

--unfixed-in asks which of the known bugs of a project threaten one of its versions. Bugs
whose fix that version should have, and those that came later, are left out and counted.
Where the version is newer than anything the sources speak of (beyond-evidence), and where
no source tells (version-unknown), the line says so.`

func newList(s *streams) *cobra.Command {
	o := &listOptions{}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the signatures, one a line",
		Long:    listLong,
		Example: "  crashtriage signatures list --project consul --unfixed-in 1.22.6",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, ok := o.load(s)
			if err := o.check(db); err != nil {
				return usage(cmd, err)
			}
			rows, left := o.rows(db)
			w := bufio.NewWriter(s.out)
			var err error
			if o.json {
				err = writeEntries(w, rows)
			} else {
				width := 0
				if isTerminal(s.out) {
					width = s.columns(0, s.out)
				}
				table(w, rows, width)
			}
			err = errors.Join(err, w.Flush(), failedUnless(ok))
			fmt.Fprintf(s.err, "crashtriage: %s\n", o.count(rows, left, db.Len()))
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.project, "project", "", "only those of `NAME`")
	f.StringVar(&o.kind, "kind", "", "only those of `KIND`: "+strings.Join(signatures.Kinds(), ", "))
	f.StringVar(&o.fix, "fix", "", "only those whose fix is in `STATE`: "+strings.Join(signatures.FixStates(), ", "))
	f.StringVar(&o.knowledge, "knowledge", "", "`WHICH` of the entries that are documented and never match: only or without")
	f.StringVar(&o.unfixedIn, "unfixed-in", "", "only those that threaten `VERSION` of the project")
	f.BoolVar(&o.json, "json", false, "as a JSON object, with all that is known")
	packFlag(cmd, &o.readOptions)
	complete := func(flag string, words []string) {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	complete("kind", signatures.Kinds())
	complete("fix", signatures.FixStates())
	complete("knowledge", knowledgeWords)
	complete("unfixed-in", nil)
	_ = cmd.RegisterFlagCompletionFunc("project", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		db, _ := o.load(s.silent())
		return db.Projects(), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

var knowledgeWords = []string{"only", "without"}

// check refuses values that no signature can have.
func (o *listOptions) check(db *signatures.DB) error {
	for _, c := range []struct {
		flag, value string
		known       []string
	}{
		{"--kind", o.kind, signatures.Kinds()}, {"--fix", o.fix, signatures.FixStates()}, {"--knowledge", o.knowledge, knowledgeWords},
	} {
		if c.value == "" || slices.Contains(c.known, c.value) {
			continue
		}
		err := fmt.Errorf("%s %q: want one of %s", c.flag, c.value, strings.Join(c.known, ", "))
		if near := signatures.Suggest(c.value, c.known); len(near) > 0 {
			return withHint(err, "did you mean %s?", quoted(near))
		}
		return err
	}
	if projects := db.Projects(); o.project != "" && !slices.ContainsFunc(projects, o.isProject) {
		err := fmt.Errorf("no signature is about a project %q", o.project)
		if near := signatures.Suggest(o.project, projects); len(near) > 0 {
			return withHint(err, "did you mean %s?", quoted(near))
		}
		return withHint(err, "the projects are %s", strings.Join(projects, ", "))
	}
	if o.unfixedIn != "" {
		if o.project == "" {
			return withHint(errors.New("--unfixed-in asks about a version of a project: which one?"), "crashtriage signatures list --project NAME --unfixed-in %s", o.unfixedIn)
		}
		if _, err := db.StatusOn(&signatures.Signature{}, o.project, o.version()); err != nil {
			return fmt.Errorf("--unfixed-in: %w", err)
		}
	}
	return nil
}

func (o *listOptions) isProject(name string) bool { return strings.EqualFold(name, o.project) }

func (o *listOptions) version() string {
	return strings.TrimPrefix(strings.TrimSpace(o.unfixedIn), "v")
}

// row is one signature to list, with its meaning for a version when one was asked about.
type row struct {
	sig    *signatures.Signature
	status signatures.VersionStatus
}

// threats are the statuses that are listed for a version, the certain ones first.
var threats = []signatures.Status{signatures.Affected, signatures.BeyondEvidence, signatures.VersionUnknown}

// leftOut counts the signatures that do not threaten a version.
type leftOut struct{ fixed, later int }

// rows are sorted by status, then id.
func (o *listOptions) rows(db *signatures.DB) (rows []row, left leftOut) {
	for _, sig := range db.Signatures() {
		switch {
		case o.project != "" && !o.isProject(sig.Project),
			o.kind != "" && sig.Kind != o.kind,
			o.fix != "" && string(sig.Fix.State) != o.fix,
			o.knowledge == "only" && !sig.Knowledge,
			o.knowledge == "without" && sig.Knowledge:
			continue
		}
		r := row{sig: sig}
		if o.unfixedIn != "" {
			r.status, _ = db.StatusOn(sig, o.project, o.version())
			switch {
			case r.status.Status == signatures.FixedHere:
				left.fixed++
				continue
			case r.status.Later:
				left.later++
				continue
			}
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return slices.Index(threats, a.status.Status) - slices.Index(threats, b.status.Status)
	})
	return rows, left
}

// count is the line for stderr.
func (o *listOptions) count(rows []row, left leftOut, all int) string {
	if o.unfixedIn == "" {
		return fmt.Sprintf("%d of %d signatures", len(rows), all)
	}
	by := map[signatures.Status]int{}
	for _, r := range rows {
		by[r.status.Status]++
	}
	return fmt.Sprintf("%s %s: %d affected, %d beyond the evidence, %d cannot be told; left out: %d fixed, %d of later versions",
		o.project, o.version(), by[signatures.Affected], by[signatures.BeyondEvidence], by[signatures.VersionUnknown], left.fixed, left.later)
}

// threatTitles head the groups on a terminal.
var threatTitles = map[signatures.Status]string{
	signatures.Affected:       "affected: no fix in this version",
	signatures.BeyondEvidence: "beyond-evidence: newer than anything the sources speak of",
	signatures.VersionUnknown: "version-unknown: the sources do not tell",
}

// oneLineTitle is the room that a title needs to stand in the line of its signature.
const oneLineTitle = 40

// table writes the rows: for a program (width 0) one line each, whole, with the status in front where there is
// one; for a terminal within its width, in groups, the titles on lines of their own where they need it.
func table(w io.Writer, rows []row, width int) {
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(r.sig.ID))
	}
	group := signatures.Status("")
	for _, r := range rows {
		kind := r.sig.Kind
		if r.sig.Knowledge {
			kind = "knowledge"
		}
		id, title := report.Escape(r.sig.ID), report.Escape(r.sig.Title)
		if width == 0 {
			if r.status.Status != "" {
				fmt.Fprintf(w, "%-15s  ", r.status.Status)
			}
			fmt.Fprintf(w, "%-*s  %-9s  %-10s  %s\n", wide, id, kind, r.sig.Fix.State, title)
			continue
		}
		if r.status.Status != group {
			if group != "" {
				fmt.Fprintln(w)
			}
			group = r.status.Status
			fmt.Fprintf(w, "%s\n\n", report.Cut(threatTitles[group], width))
		}
		line := fmt.Sprintf("%-*s  %-9s  %-10s", wide, id, kind, r.sig.Fix.State)
		if len(line)+2+oneLineTitle <= width {
			fmt.Fprintln(w, line+"  "+report.Cut(title, width-len(line)-2))
			continue
		}
		fmt.Fprintln(w, report.Cut(strings.TrimRight(line, " "), width))
		fmt.Fprintln(w, "  "+report.Cut(title, width-2))
	}
}

func quoted(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(list, " or ")
}
