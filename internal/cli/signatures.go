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

func newSignatures(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "signatures",
		Short: "List, show, lint, test and draft the known bugs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage(cmd, errors.New("want a subcommand: list, show, lint, test, new"))
		},
	}
	cmd.AddCommand(newList(s), newShow(s), newLint(s), newTest(s), newNew(s))
	return cmd
}

func packFlag(cmd *cobra.Command, o *readOptions) {
	cmd.Flags().StringArrayVar(&o.packs, "signatures", nil, "read further signatures from `PACK`, a file or folder; may repeat")
}

func newList(s *streams) *cobra.Command {
	o := &readOptions{}
	project := ""
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the signatures, one a line",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, ok := o.load(s)
			w := bufio.NewWriter(s.out)
			for _, sig := range db.Signatures() {
				if project != "" && sig.Project != project {
					continue
				}
				kind := sig.Kind
				if sig.Knowledge {
					kind = "knowledge"
				}
				fmt.Fprintf(w, "%-44s  %-9s  %-10s  %s\n", report.Escape(sig.ID), report.Escape(kind), sig.Fix.State, report.Escape(sig.Title))
			}
			return errors.Join(w.Flush(), failedUnless(ok))
		},
	}
	packFlag(cmd, o)
	cmd.Flags().StringVar(&project, "project", "", "only those of `NAME`")
	return cmd
}

func failedUnless(ok bool) error {
	if ok {
		return nil
	}
	return errReported
}

func newShow(s *streams) *cobra.Command {
	o := &readOptions{}
	cmd := &cobra.Command{
		Use:   "show ID...",
		Short: "Show all that is known about a signature",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, ids []string) error {
			db, ok := o.load(s)
			w := bufio.NewWriter(s.out)
			for i, id := range ids {
				sig := db.Lookup(id)
				if sig == nil {
					s.errorf("no signature is called %q", id)
					s.hintf("crashtriage signatures list names them all")
					ok = false
					continue
				}
				if i > 0 {
					fmt.Fprintln(w)
				}
				show(w, sig, s.columns(0, s.out))
			}
			return errors.Join(w.Flush(), failedUnless(ok))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			if db, _ := signatures.Load(); db != nil {
				for _, sig := range db.Signatures() {
					ids = append(ids, sig.ID+"\t"+sig.Title)
				}
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
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
	row("cause", s.RootCause)
	row("owner", s.Owner)
	row("issue", s.Issue)
	row("fix", strings.TrimSpace(s.Fix.URL+"  "+string(s.Fix.State)))
	for _, f := range s.Fix.FixedIn {
		line := ""
		if f.Line != "" {
			line = " (line " + f.Line + ")"
		}
		row("fixed in", strings.TrimSpace(f.Module+" "+f.Version)+line)
	}
	row("release", s.Fix.Release)
	row("note", s.Fix.Note)
	row("as of", s.Fix.AsOf)
	row("affected", s.Affected.Text)
	row("workaround", s.Workaround)
	row("confidence", string(s.Confidence))
	for _, src := range s.Sources {
		row("source", src)
	}
	row("notes", s.Notes)
	row("pack", fmt.Sprintf("%s:%d", s.Pack, s.Line))
}

func newLint(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [PACK]...",
		Short: "Check packs: syntax, references, evidence that could lie",
		Long:  "lint checks the packs named, or the built-in ones, and prints every fault with its place.",
		RunE: func(cmd *cobra.Command, args []string) error {
			db, mine, err := s.workbench(args)
			if err != nil {
				return err
			}
			signatures, families := 0, 0
			for _, sig := range db.Signatures() {
				if mine(sig.Pack) {
					signatures++
				}
			}
			for _, f := range db.Families() {
				if mine(f.Pack) {
					families++
				}
			}
			_, err = fmt.Fprintf(s.out, "%d signatures and %d families are sound\n", signatures, families)
			return err
		},
	}
}

// workbench loads the packs in paths beside the built-in ones, or the built-in ones as they are
// written when there are no paths. mine tells the packs that were asked for. Faults are printed,
// and are findings.
func (s *streams) workbench(paths []string) (db *signatures.DB, mine func(pack string) bool, err error) {
	if len(paths) == 0 {
		db, err = signatures.LoadOnly(signatures.BuiltIn()...)
		mine = func(string) bool { return true }
	} else {
		sources, unread := allSources(paths)
		if unread != nil {
			return nil, nil, unread
		}
		names := map[string]bool{}
		for _, src := range sources {
			names[src.Name] = true
		}
		db, err = signatures.Load(sources...)
		mine = func(pack string) bool { return names[pack] }
	}
	if err != nil {
		printFaults(s.out, err)
		return nil, nil, errFindings
	}
	return db, mine, nil
}

func allSources(paths []string) ([]signatures.Source, error) {
	var out []signatures.Source
	var errs []error
	for _, p := range paths {
		got, err := packSources(p)
		out, errs = append(out, got...), append(errs, err)
	}
	return out, errors.Join(errs...)
}

func newTest(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "test [PACK]...",
		Short: "Run the examples of packs: each must match its own signature, a near miss must not",
		RunE: func(cmd *cobra.Command, args []string) error {
			db, mine, err := s.workbench(args)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(s.out)
			ran, failed := 0, 0
			for _, sig := range db.Signatures() {
				if !mine(sig.Pack) {
					continue
				}
				for _, ex := range sig.Examples {
					ran++
					if why := db.Try(sig, ex); why != "" {
						failed++
						fmt.Fprintf(w, "%s:%d: %s, example %q: %s\n", report.Escape(sig.Pack), ex.Line, report.Escape(sig.ID), ex.Name, report.Escape(why))
					}
				}
			}
			fmt.Fprintf(w, "%d examples, %d failed\n", ran, failed)
			if err := w.Flush(); err != nil {
				return err
			}
			if failed > 0 {
				return errFindings
			}
			return nil
		},
	}
}
