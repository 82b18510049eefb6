package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/report"
)

// redaction is the flag --redact and what came of it.
type redaction struct {
	level string // "" when not given
	docs  map[report.RedactLevel]*report.Document
	told  map[string]bool
}

func (x *redaction) register(cmd *cobra.Command) {
	levels := report.RedactLevels()
	cmd.Flags().StringVar(&x.level, "redact", "", "replace `LEVEL` in the output: "+strings.Join(levels, ", ")+" (default secrets where it is published, off elsewhere)")
	_ = cmd.RegisterFlagCompletionFunc("redact", cobra.FixedCompletions([]string{
		"off\tkeep everything", "secrets\treplace tokens, keys and passwords", "all\treplace hosts, addresses and users too",
	}, cobra.ShellCompDirectiveNoFileComp))
}

func (x *redaction) valid() error {
	if levels := report.RedactLevels(); x.level != "" && !slices.Contains(levels, x.level) {
		return withHint(fmt.Errorf("--redact %q: no such level", x.level), "the levels are %s", strings.Join(levels, ", "))
	}
	return nil
}

// levelFor is the level of one output: what the user said, else secrets where it is meant to be
// published.
func (x *redaction) levelFor(f report.Format) report.RedactLevel {
	switch {
	case x.level != "":
		return report.RedactLevel(x.level)
	case f.Publish:
		return report.RedactSecrets
	}
	return report.RedactOff
}

// document is d at a level, made once.
func (x *redaction) document(d *report.Document, level report.RedactLevel) *report.Document {
	if level == report.RedactOff {
		return d
	}
	if x.docs == nil {
		x.docs = map[report.RedactLevel]*report.Document{}
	}
	if x.docs[level] == nil {
		x.docs[level] = report.Redact(d, level)
	}
	return x.docs[level]
}

// tell says once on stderr what was replaced.
func (x *redaction) tell(w io.Writer, d *report.Document) {
	words := report.RedactionWords(d)
	if words == "" || x.told[words] {
		return
	}
	if x.told == nil {
		x.told = map[string]bool{}
	}
	x.told[words] = true
	fmt.Fprintf(w, "crashtriage: %s\n", words)
}
