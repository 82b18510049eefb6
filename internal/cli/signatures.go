package cli

import (
	"bufio"
	"errors"
	"fmt"
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

func failedUnless(ok bool) error {
	if ok {
		return nil
	}
	return errReported
}

// signatureIDs completes the id of a built-in signature, with its title.
func signatureIDs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if db, _ := signatures.Load(); db != nil {
		for _, sig := range db.Signatures() {
			ids = append(ids, sig.ID+"\t"+sig.Title)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func newLint(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [PACK]...",
		Short: "Check packs: syntax, references, evidence that could lie, crashes claimed twice",
		Long: "lint checks the packs named, or the built-in ones, and prints every fault with its place.\n" +
			"Once they can be read, it also asks whether another signature matches one of their examples.",
		RunE: func(cmd *cobra.Command, args []string) error {
			db, mine, err := s.workbench(args)
			if err != nil {
				return err
			}
			signatures, families, claimed := 0, 0, false
			for _, sig := range db.Signatures() {
				if !mine(sig.Pack) {
					continue
				}
				signatures++
				for _, ex := range sig.Examples {
					if others := db.Claims(sig, ex); len(others) > 0 {
						claimed = true
						fmt.Fprintf(s.out, "%s:%d: %s, example %q: %s matches it too; if it is another bug, tell them apart, or let one supersede the other\n",
							report.Escape(sig.Pack), ex.Line, report.Escape(sig.ID), ex.Name, strings.Join(others, ", "))
					}
				}
			}
			if claimed {
				return errFindings
			}
			for _, f := range db.Families() {
				if mine(f.Pack) {
					families++
				}
			}
			_, err = fmt.Fprintf(s.out, "%s and %s: sound\n", plural(signatures, "signature"), plural(families, "family"))
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
