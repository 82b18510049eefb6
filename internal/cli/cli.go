// Package cli is the command: flags in, one call into the packages below, an exit status out.
//
// The manners: results go to stdout, everything else to stderr. A line on stderr begins with
// "crashtriage:", is lower case and has no full stop; what to do about an error follows as a hint
// on a line of its own.
package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/report"
)

// The exit statuses of every command.
const (
	exitOK       = 0
	exitFindings = 1 // check: at or above --fail-on; signatures lint, test: findings
	exitError    = 2 // the arguments, a file or a pack could not be used
)

// errFindings ends a command with exitFindings. Nothing is printed for it.
var errFindings = errors.New("findings")

// errReported ends a command with exitError after the reason has been printed.
var errReported = errors.New("already reported")

// hinted is an error with what to do about it.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

func withHint(err error, format string, args ...any) error {
	return hinted{err, fmt.Sprintf(format, args...)}
}

// streams are the world around a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
}

// silent is the same world for a completion, which has no place for messages.
func (s *streams) silent() *streams {
	return &streams{in: s.in, out: io.Discard, err: io.Discard, env: s.env}
}

// errorf prints one error line. Names in it may come from an archive, so it is escaped.
func (s *streams) errorf(format string, args ...any) { s.line("error", fmt.Sprintf(format, args...)) }

func (s *streams) hintf(format string, args ...any) { s.line("hint", fmt.Sprintf(format, args...)) }

func (s *streams) notef(format string, args ...any) { s.line("note", fmt.Sprintf(format, args...)) }

func (s *streams) line(level, text string) {
	for i, l := range strings.Split(text, "\n") {
		if i == 0 {
			fmt.Fprintf(s.err, "crashtriage: %s: %s\n", level, report.Escape(l))
		} else {
			fmt.Fprintf(s.err, "  %s\n", report.Escape(l))
		}
	}
}

// Run runs the command with args, which do not include the program's name, and returns its exit
// status. It touches nothing but its arguments, the files they name and the user's own packs.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	if env == nil {
		env = func(string) string { return "" }
	}
	s := &streams{in: stdin, out: stdout, err: stderr, env: env}
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var h hinted
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, errReported):
		return exitError
	}
	s.errorf("%v", err)
	if errors.As(err, &h) {
		s.hintf("%s", h.hint)
	}
	return exitError
}

// usage marks an error of the arguments of cmd.
func usage(cmd *cobra.Command, err error) error {
	var h hinted
	if errors.As(err, &h) {
		return err
	}
	return withHint(err, "%s --help lists the flags", cmd.CommandPath())
}
