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
			sections := explanations(r)
			doc := report.Redact(r.doc, report.RedactLevel(o.redact.level), textsOf(sections)...)
			b := bufio.NewWriter(s.out)
			explain(b, sections, o.verbose, s.columns(o.width, s.out))
			if err := b.Flush(); err != nil {
				return err
			}
			o.redact.tell(s.err, doc)
			return r.failed()
		},
	}
	o.registerReading(cmd)
	return cmd
}

// explained is what the signatures say about one incident, or about the logs.
type explained struct {
	title string
	list  []signatures.Explanation
}

func explanations(r *reading) []explained {
	var out []explained
	for _, inc := range r.capture.Incidents {
		head := inc.Headline
		if head == "" {
			head = string(inc.Kind)
		}
		out = append(out, explained{fmt.Sprintf("%s:%d  %s", inc.Source, inc.Line, head), r.db.Explain(r.capture, inc, r.match)})
	}
	return append(out, explained{"logs, growth and metrics", r.db.Explain(r.capture, nil, r.match)})
}

// textsOf are the texts in the explanations that come from the input.
func textsOf(sections []explained) []*string {
	var out []*string
	for i := range sections {
		out = append(out, &sections[i].title)
		for _, e := range sections[i].list {
			for c := range e.Conditions {
				cond := &e.Conditions[c]
				cond.Evidence = slices.Clone(cond.Evidence) // may be shared
				out = append(out, &cond.Why)
				for n := range cond.Evidence {
					out = append(out, &cond.Evidence[n].Source, &cond.Evidence[n].Text)
				}
			}
		}
	}
	return out
}

// explain writes one section an incident, and one for the logs.
func explain(w io.Writer, sections []explained, all bool, width int) {
	n := 0
	for _, s := range sections {
		n += section(w, s.title, s.list, all, width)
	}
	if n == 0 {
		fmt.Fprintln(w, "no signature comes near to anything in this input")
	}
}

var truthMarks = map[signatures.Truth]string{signatures.Holds: "✓", signatures.CannotTell: "?", signatures.DoesNotHold: "✗"}

// nearest is how many signatures are shown of one incident unless all are asked for.
const nearest = 5

func section(w io.Writer, title string, list []signatures.Explanation, all bool, width int) int {
	if len(list) == 0 {
		return 0
	}
	put(w, "", "", title, width)
	for i, e := range list {
		if i == nearest && !all {
			fmt.Fprintf(w, "  … %d more, -v for all\n", len(list)-i)
			break
		}
		verdict := e.Verdict.String()
		if e.Status != "" {
			verdict = "matches: " + string(e.Status)
		}
		fmt.Fprintf(w, "\n  %s  %s\n", report.Escape(e.Signature.ID), verdict)
		put(w, "    ", "    ", e.Signature.Title, width)
		for _, c := range e.Conditions {
			condition(w, c, width)
		}
	}
	fmt.Fprintln(w)
	return len(list)
}

func condition(w io.Writer, c signatures.ConditionResult, width int) {
	indent := strings.Repeat("  ", min(c.Depth, 10)+3)
	below := indent + "    "
	optional := ""
	if c.Optional {
		optional = " (optional)"
	}
	put(w, indent+truthMarks[c.Truth]+" ", indent+"  ", c.Condition+optional, width)
	for i, e := range c.Evidence {
		if i == 3 {
			fmt.Fprintf(w, "%s… %d more lines\n", below, len(c.Evidence)-i)
			break
		}
		put(w, below, below+"  ", fmt.Sprintf("%s:%d  %s", e.Source, e.Line, report.Cut(report.Escape(e.Text), 160)), width)
	}
	if c.Why != "" && c.Truth != signatures.Holds {
		put(w, below, below, c.Why, width)
	}
	if c.Collect != "" {
		put(w, below, below, "to decide: "+c.Collect, width)
	}
}

// put writes wrapped text with one indentation for its first line and one for the others.
func put(w io.Writer, first, rest, text string, width int) {
	for _, l := range report.Wrap(report.Escape(text), max(width-len([]rune(rest)), 20)) {
		fmt.Fprintln(w, first+l)
		first = rest
	}
}
