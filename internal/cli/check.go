package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/report"
)

// failOn are the thresholds of check, as in its help.
var failOn = []string{"none", "known", "unknown", "crash", "any"}

const checkLong = `check reads the same inputs and prints one line a crash, grouped by fingerprint over
all files. Its exit status is 1 when something is found that --fail-on names:

  none     nothing fails
  known    a crash with a documented bug
  unknown  a crash without one
  crash    any death of a process (the default)
  any      recovered panics, races, leaks and known bugs in the logs too`

func newCheck(s *streams) *cobra.Command {
	o := &readOptions{}
	threshold := "crash"
	cmd := &cobra.Command{
		Use:   "check [PATH]...",
		Short: "Print one line a crash and fail on what --fail-on names",
		Long:  checkLong,
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && s.interactive() {
				return usage(cmd, errors.New("nothing to check: no path and no pipe"))
			}
			if !slices.Contains(failOn, threshold) {
				return usage(cmd, fmt.Errorf("--fail-on %q: want one of %s", threshold, strings.Join(failOn, ", ")))
			}
			outs, err := o.outputs(s)
			if err != nil {
				return usage(cmd, err)
			}
			for i := range outs {
				if outs[i].format.Name == "text" {
					outs[i].format.Write = report.Summary
				}
			}
			r, err := o.read(cmd, s, args)
			if err != nil {
				return err
			}
			if err := errors.Join(o.write(s, outs, r), r.failed()); err != nil {
				return err
			}
			if reached(r.doc, threshold) {
				return errFindings
			}
			return nil
		},
	}
	o.register(cmd)
	cmd.Flags().StringVar(&threshold, "fail-on", threshold, "`WHAT` makes the exit status 1: "+strings.Join(failOn, ", "))
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(failOn, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// reached says whether the document holds something at the threshold. A dump that somebody asked
// for is no finding at any threshold.
func reached(d *report.Document, threshold string) bool {
	if threshold == "any" && len(d.Findings) > 0 {
		return true
	}
	return slices.ContainsFunc(d.Incidents, func(i *report.Incident) bool {
		known := i.Verdict() == report.VerdictKnown
		switch threshold {
		case "known":
			return i.MayHaveDied() && known
		case "unknown":
			return i.MayHaveDied() && !known
		case "crash":
			return i.MayHaveDied()
		case "any":
			return i.MayHaveDied() || i.Verdict() != report.VerdictNone
		}
		return false
	})
}
