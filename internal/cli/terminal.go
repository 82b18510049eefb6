package cli

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// interactive says whether somebody would have to type the input.
func (s *streams) interactive() bool { return s.in == nil || isTerminal(s.in) }

// colored decides whether w gets colour. In order: --color, NO_COLOR, CLICOLOR_FORCE or FORCE_COLOR,
// TERM=dumb, and whether w is a terminal. An empty NO_COLOR says nothing, as its standard has it.
func (s *streams) colored(flag string, w io.Writer) bool {
	on := func(name string) bool { v := s.env(name); return v != "" && v != "0" }
	switch {
	case flag == "always":
		return true
	case flag == "never", s.env("NO_COLOR") != "":
		return false
	case on("CLICOLOR_FORCE"), on("FORCE_COLOR"):
		return true
	case s.env("TERM") == "dumb":
		return false
	}
	return isTerminal(w)
}

// columns is the width to fill: the flag, else the terminal's, else $COLUMNS, else 80.
func (s *streams) columns(flag int, w io.Writer) int {
	if flag > 0 {
		return flag
	}
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	if n, err := strconv.Atoi(s.env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 80
}
