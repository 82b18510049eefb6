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

func newExplain(s *streams) *cobra.Command {
	o := &readOptions{}
	cmd := &cobra.Command{
		Use:   "explain FILE...",
		Short: "Show why each signature matched or nearly matched",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && s.interactive() {
				return usage(cmd, errors.New("nothing to explain: no file and no pipe"))
			}
			r, err := o.read(cmd, s, args)
			if err != nil {
				return err
			}
			b := bufio.NewWriter(s.out)
			explain(b, r, o.verbose)
			return errors.Join(b.Flush(), r.failed())
		},
	}
	o.register(cmd)
	return cmd
}

// explain writes one section an incident, and one for the logs.
func explain(w io.Writer, r *reading, all bool) {
	n := 0
	for _, inc := range r.capture.Incidents {
		head := inc.Headline
		if head == "" {
			head = string(inc.Kind)
		}
		n += section(w, fmt.Sprintf("%s:%d  %s", inc.Source, inc.Line, head), r.db.Explain(r.capture, inc, r.match), all)
	}
	n += section(w, "logs, growth and metrics", r.db.Explain(r.capture, nil, r.match), all)
	if n == 0 {
		fmt.Fprintln(w, "no signature comes near to anything in this input")
	}
}

var truthMarks = map[signatures.Truth]string{signatures.Holds: "✓", signatures.CannotTell: "?", signatures.DoesNotHold: "✗"}

// nearest is how many signatures are shown of one incident unless all are asked for.
const nearest = 5

func section(w io.Writer, title string, list []signatures.Explanation, all bool) int {
	if len(list) == 0 {
		return 0
	}
	fmt.Fprintln(w, report.Escape(title))
	for i, e := range list {
		if i == nearest && !all {
			fmt.Fprintf(w, "  … %d more, -v for all\n", len(list)-i)
			break
		}
		verdict := e.Verdict.String()
		if e.Status != "" {
			verdict = "matches: " + string(e.Status)
		}
		fmt.Fprintf(w, "\n  %s  %s\n    %s\n", report.Escape(e.Signature.ID), verdict, report.Escape(e.Signature.Title))
		for _, c := range e.Conditions {
			condition(w, c)
		}
	}
	fmt.Fprintln(w)
	return len(list)
}

func condition(w io.Writer, c signatures.ConditionResult) {
	indent := strings.Repeat("  ", min(c.Depth, 20)+3)
	optional := ""
	if c.Optional {
		optional = " (optional)"
	}
	fmt.Fprintf(w, "%s%s %s%s\n", indent, truthMarks[c.Truth], report.Escape(c.Condition), optional)
	for i, e := range c.Evidence {
		if i == 3 {
			fmt.Fprintf(w, "%s    … %d more lines\n", indent, len(c.Evidence)-i)
			break
		}
		fmt.Fprintf(w, "%s    %s:%d  %s\n", indent, report.Escape(e.Source), e.Line, report.Cut(report.Escape(e.Text), 120))
	}
	if c.Why != "" {
		fmt.Fprintf(w, "%s    %s\n", indent, report.Escape(c.Why))
	}
	if c.Collect != "" {
		fmt.Fprintf(w, "%s    to decide: %s\n", indent, report.Escape(c.Collect))
	}
}
