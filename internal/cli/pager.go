package cli

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// pagerCommand is the program that --pager pipes the report through: $CRASHTRIAGE_PAGER, else
// $PAGER, else less, which lets colours through and leaves at once where all fits on one screen.
func pagerCommand(env func(string) string) []string {
	for _, name := range []string{"CRASHTRIAGE_PAGER", "PAGER"} {
		if fields := strings.Fields(env(name)); len(fields) > 0 {
			return fields
		}
	}
	return []string{"less", "-FIRX"}
}

// throughPager gives write a pager to write to, and waits until the user leaves it. Leaving early
// is no error.
func throughPager(out, errs io.Writer, command []string, write func(io.Writer) error) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = out, errs
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return withHint(fmt.Errorf("--pager: %w", err), "set CRASHTRIAGE_PAGER, or leave --pager out")
	}
	left := &leftEarly{w: in}
	b := bufio.NewWriterSize(left, 1<<16)
	failed := write(b)
	if err := b.Flush(); failed == nil {
		failed = err
	}
	in.Close()
	_ = cmd.Wait()
	if left.gone {
		return nil
	}
	return failed
}

// leftEarly notes that its reader is gone.
type leftEarly struct {
	w    io.Writer
	gone bool
}

func (l *leftEarly) Write(p []byte) (int, error) {
	n, err := l.w.Write(p)
	l.gone = l.gone || err != nil
	return n, err
}
