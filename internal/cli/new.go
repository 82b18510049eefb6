package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// draftOptions are the flags of "signatures new".
type draftOptions struct {
	readOptions
	out      string
	incident int
	draft    signatures.DraftOptions
}

const newLong = `new drafts a pack with one signature from a crash: what the crash said, the functions
of your own that it died in, the versions seen, an example and a near miss. The draft passes
"signatures lint" and "signatures test" as it is printed, and finds the crash. What the crash
does not tell (cause, owner, issue, fix) is marked unknown; you say it.

Where the input holds several crashes, the first that is not known yet is taken.`

const newExample = `  crashtriage signatures new crash.log -o orders.yaml
  crashtriage signatures lint orders.yaml
  crashtriage signatures test orders.yaml
  crashtriage --signatures orders.yaml crash.log`

func newNew(s *streams) *cobra.Command {
	o := &draftOptions{}
	cmd := &cobra.Command{
		Use:     "new [FILE]...",
		Short:   "Draft a signature from a crash",
		Long:    newLong,
		Example: newExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && s.interactive() {
				return usage(cmd, errors.New("nothing to draft from: no file and no pipe"))
			}
			if cmd.Flags().Changed("incident") && o.incident < 1 {
				return usage(cmd, fmt.Errorf("--incident %d: want a number from 1 on", o.incident))
			}
			if id := o.draft.ID; id != "" && !signatures.ValidID(id) {
				return usage(cmd, fmt.Errorf("--id %q: want letters, digits and -", id))
			}
			r, err := o.read(cmd, s, args)
			if err != nil {
				return err
			}
			return errors.Join(o.write(s, r), r.failed())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.out, "output", "o", "", "write the pack to `FILE`, which must not exist")
	f.IntVar(&o.incident, "incident", 0, "draft from the `N`th incident of the input")
	f.StringVar(&o.draft.ID, "id", "", "call the signature `ID`")
	f.StringVar(&o.draft.Project, "project", "", "the program is `NAME`")
	f.StringVar(&o.draft.Module, "module", "", "the module at fault is `PATH`")
	o.registerReading(cmd)
	return cmd
}

func (o *draftOptions) write(s *streams, r *reading) error {
	inc, err := o.choose(s, r)
	if err != nil {
		return err
	}
	o.draft.AsOf = s.today().Format("2006-01")
	o.draft.Match = r.match
	o.draft.Clean = withoutSecrets(r.doc)
	d, err := r.db.Draft(r.capture, inc, o.draft)
	if err != nil {
		return undrafted(inc, err)
	}
	for _, m := range r.result.ByIncident[inc] {
		if m.Status != signatures.Candidate {
			s.line("note", fmt.Sprintf("this crash is known already: %s (%s): %s", m.Signature.ID, m.Status, m.Signature.Title))
		}
	}
	if o.out == "" {
		_, err := fmt.Fprint(s.out, d.YAML)
		return err
	}
	return writeNew(o.out, d.YAML)
}

func undrafted(inc *parse.Incident, err error) error {
	var d *signatures.DraftError
	err = fmt.Errorf("%s: %w", at(inc), err)
	if errors.As(err, &d) && d.Hint != "" {
		return withHint(err, "%s", d.Hint)
	}
	return err
}

// withoutSecrets is what every text of the input goes through before it is written into a pack.
func withoutSecrets(d *report.Document) func(string) string {
	return func(text string) string {
		report.Redact(&report.Document{Facts: d.Facts}, report.RedactSecrets, &text)
		return text
	}
}

// today is now, or what SOURCE_DATE_EPOCH says, so that a run can be repeated.
func (s *streams) today() time.Time {
	if n, err := strconv.ParseInt(s.env("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(n, 0).UTC()
	}
	return time.Now().UTC()
}

// writeNew never overwrites: the file may be a draft that somebody has filled in since.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return withHint(fmt.Errorf("%s exists and is not overwritten", path), "write to another file, and move the entry")
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// choose picks the incident: the one asked for, else the strongest: a death before other crashes, an
// unknown one before known ones, the first before later ones.
func (o *draftOptions) choose(s *streams, r *reading) (*parse.Incident, error) {
	list := r.capture.Incidents
	switch {
	case len(list) == 0 && len(r.result.Findings) > 0:
		return nil, withHint(errors.New("only crashes can be drafted, and the input has none: its logs or metrics show a known bug"),
			"a log signature needs to say how many records it takes, which one log cannot tell; docs/signatures.md has log, burst and sequence")
	case len(list) == 0:
		return nil, withHint(errors.New("only crashes can be drafted, and the input has none"), "give it the stderr of the process that died")
	case o.incident > len(list):
		return nil, fmt.Errorf("--incident %d: the input has %s", o.incident, plural(len(list), "incident"))
	case o.incident > 0:
		return list[o.incident-1], nil
	}
	best, bestRank := -1, 0
	for i, inc := range list {
		if signatures.Drafting(inc) != nil {
			continue
		}
		rank := 1
		if inc.Died != parse.No {
			rank += 2
		}
		if m := r.result.ByIncident[inc]; len(m) == 0 || m[0].Status == signatures.Candidate {
			rank++
		}
		if rank > bestRank {
			best, bestRank = i, rank
		}
	}
	if best < 0 {
		return nil, undrafted(list[0], signatures.Drafting(list[0]))
	}
	if len(list) > 1 {
		s.line("note", fmt.Sprintf("%d incidents; this is number %d, %s; --incident N takes another", len(list), best+1, at(list[best])))
	}
	return list[best], nil
}

// at names an incident by its place and its first words.
func at(inc *parse.Incident) string {
	head := inc.Headline
	if head == "" {
		head = string(inc.Kind)
	}
	return fmt.Sprintf("%s:%d (%s)", inc.Source, inc.Line, report.Cut(head, 60))
}

func plural(n int, word string) string {
	stem, irregular := strings.CutSuffix(word, "y")
	switch {
	case n == 1:
	case irregular:
		word = stem + "ies"
	default:
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
