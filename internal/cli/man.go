package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newMan writes the manual pages that packages ship. It is hidden: users have them installed.
func newMan(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:    "man [DIR]",
		Short:  "Print the manual page, or write the pages of all commands to DIR",
		Hidden: true,
		Args:   cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date := manDate(s.env("SOURCE_DATE_EPOCH"))
			if len(args) == 0 {
				_, err := io.WriteString(s.out, manPage(cmd.Root(), date))
				return err
			}
			return writePages(cmd.Root(), args[0], date)
		},
	}
}

// manDate is the date in the pages: that of the sources when the build says it, so that the same
// sources give the same bytes, else none.
func manDate(epoch string) string {
	n, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return ""
	}
	return time.Unix(n, 0).UTC().Format(time.DateOnly)
}

func writePages(cmd *cobra.Command, dir, date string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var errs []error
	if err := os.WriteFile(filepath.Join(dir, manName(cmd)+".1"), []byte(manPage(cmd, date)), 0o644); err != nil {
		errs = append(errs, err)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" && sub.Name() != "completion" {
			errs = append(errs, writePages(sub, dir, date))
		}
	}
	return errors.Join(errs...)
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is one page in the man macros of roff.
func manPage(cmd *cobra.Command, date string) string {
	var b bytes.Buffer
	section := func(name string) { fmt.Fprintf(&b, ".SH %s\n", name) }
	fmt.Fprintf(&b, ".TH %s 1 %q %q\n", strings.ToUpper(manName(cmd)), date, "crashtriage "+buildVersion())
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	section("SYNOPSIS")
	fmt.Fprintf(&b, ".B %s\n", roff(cmd.UseLine()))
	if cmd.Long != "" {
		section("DESCRIPTION")
		preformatted(&b, cmd.Long)
	}
	section("OPTIONS")
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, about := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", roff(name), roff(value), roff(about))
	})
	if cmd.Example != "" {
		section("EXAMPLES")
		preformatted(&b, cmd.Example)
	}
	section("EXIT STATUS")
	b.WriteString(".TP\n.B 0\ndone; for check: nothing at or above \\-\\-fail\\-on\n" +
		".TP\n.B 1\ncheck: something at or above \\-\\-fail\\-on; signatures lint and test: findings\n" +
		".TP\n.B 2\nthe arguments, a file or a pack could not be used; what could be read is still reported\n")
	return b.String()
}

func preformatted(b *bytes.Buffer, text string) {
	b.WriteString(".nf\n")
	for _, l := range strings.Split(strings.Trim(text, "\n"), "\n") {
		b.WriteString(roff(l) + "\n")
	}
	b.WriteString(".fi\n")
}

// roff escapes what the formatter would read as a request, an escape or a typographic hyphen.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
