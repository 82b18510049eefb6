package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

const checkLong = `check reads the same inputs and prints one line a crash, grouped by fingerprint over
all files. Its exit status is 1 when something is found that --fail-on names:

  none     nothing fails
  known    a crash with a documented bug
  unknown  a crash without one
  crash    any death of a process (the default)
  any      recovered panics, races, leaks and known bugs in the logs too

What --known-ok and --baseline accept stays visible and does not fail.

It finds the CI that it runs in by its environment. In GitHub Actions it adds
annotations, the job summary and the step's outputs; in GitLab it folds long output.`

const checkExample = `  crashtriage check artifacts/                        every file below a folder
  crashtriage check 'logs/**/*.log' debug.tar.gz      globs and archives
  crashtriage check --known-ok some-bug-id logs/      this documented bug may happen
  crashtriage check --write-baseline crashes.txt logs/
  crashtriage check --baseline crashes.txt logs/      only new crashes fail
  crashtriage check -f text -f junit=crashes.xml logs/`

// checkOptions are the flags of check alone.
type checkOptions struct {
	readOptions
	knownOK  []string
	baseline string
	write    string // where to write a baseline
	ci       string
}

func newCheck(s *streams) *cobra.Command {
	o := &checkOptions{ci: "auto"}
	o.failOn = "crash"
	cmd := &cobra.Command{
		Use:     "check [PATH]...",
		Short:   "Print one line a crash and fail on what --fail-on names",
		Long:    checkLong,
		Example: checkExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, s, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false // what only check has comes first
	f.StringVar(&o.failOn, "fail-on", o.failOn, "`WHAT` makes the exit status 1: "+strings.Join(report.FailOn, ", "))
	f.StringSliceVar(&o.knownOK, "known-ok", nil, "accept documented bugs, `ID,...`; may repeat")
	f.StringVar(&o.baseline, "baseline", "", "fail only on what is not in `FILE`: a JSON document of an earlier run, or a list")
	f.StringVar(&o.write, "write-baseline", "", "write what is found to `FILE`, and do not fail on it")
	f.StringVar(&o.ci, "ci", o.ci, "say which CI this is, `NAME`: "+strings.Join(ciNames(), ", "))
	o.register(cmd)
	complete := func(flag string, words []string) {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	complete("fail-on", report.FailOn)
	complete("ci", ciNames())
	_ = cmd.RegisterFlagCompletionFunc("known-ok", signatureIDs)
	return cmd
}

func (o *checkOptions) run(cmd *cobra.Command, s *streams, args []string) error {
	if len(args) == 0 && s.interactive() {
		return usage(cmd, errors.New("nothing to check: no path and no pipe"))
	}
	if !slices.Contains(report.FailOn, o.failOn) {
		return usage(cmd, fmt.Errorf("--fail-on %q: want one of %s", o.failOn, strings.Join(report.FailOn, ", ")))
	}
	if !slices.Contains(ciNames(), o.ci) {
		return usage(cmd, fmt.Errorf("--ci %q: want one of %s", o.ci, strings.Join(ciNames(), ", ")))
	}
	where := s.ci(o.ci)
	o.place = where
	outs, err := o.outputs(s)
	if err != nil {
		return usage(cmd, err)
	}
	for i := range outs {
		if outs[i].format.Name == "text" {
			outs[i].format.Write = report.Summary
			if where == ciGitLab && outs[i].path == "" {
				outs[i].format.Write = foldedSummary
			}
		}
	}
	var baseline *report.Baseline
	if o.baseline != "" {
		if baseline, err = readBaseline(o.baseline); err != nil {
			return err
		}
	}
	var accepted []string
	o.prepare = func(db *signatures.DB) (err error) {
		accepted, err = knownIDs(db, o.knownOK)
		return err
	}
	r, err := o.read(cmd, s, args)
	if err != nil {
		return err
	}
	unused := r.doc.Accept(accepted, baseline)
	err = errors.Join(o.writeBaseline(s, r), o.readOptions.write(s, o.withCI(s, outs, r), r), r.failed())
	o.remarks(s, r, unused, baseline)
	if err != nil {
		return err
	}
	if o.write == "" && r.doc.Fails(o.failOn) {
		return errFindings
	}
	return nil
}

// remarks says on stderr what a user of --known-ok and --baseline should know, and that nothing
// was read.
func (o *checkOptions) remarks(s *streams, r *reading, unused []string, b *report.Baseline) {
	if len(r.doc.Sources) == 0 {
		s.hintf("no file was found there; look whether the path of the artefacts is right")
	}
	for _, id := range unused {
		s.notef("--known-ok %s: no crash here is this bug; it need not be accepted any more", id)
	}
	if b == nil {
		return
	}
	if n := len(b.Foreign); n > 0 {
		algorithm, _, _ := strings.Cut(b.Foreign[0], ":")
		s.notef("%s: %d of its fingerprints, such as %s, are of the algorithm %s and match nothing: write it anew with --write-baseline", o.baseline, n, b.Foreign[0], algorithm)
	}
	if missing := b.Missing(r.doc); len(missing) > 0 {
		s.notef("%s: %d of %d entries do not occur any more: %s", o.baseline, len(missing), b.Len(), some(missing))
	}
}

// some are the first of many.
func some(all []string) string {
	const shown = 5
	if len(all) > shown {
		return strings.Join(all[:shown], ", ") + fmt.Sprintf(" and %d more", len(all)-shown)
	}
	return strings.Join(all, ", ")
}
