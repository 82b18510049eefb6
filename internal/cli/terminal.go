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

// links decides whether w shows hyperlinks (OSC 8). Terminals do not say so, hence the list: those
// that are known to, by the variables that they set. FORCE_HYPERLINK decides by itself.
func (s *streams) links(w io.Writer) bool {
	if v := s.env("FORCE_HYPERLINK"); v != "" {
		return v != "0"
	}
	if !isTerminal(w) || s.env("TERM") == "dumb" || s.env("CI") != "" {
		return false
	}
	if vte, err := strconv.Atoi(s.env("VTE_VERSION")); err == nil && vte >= 5000 {
		return true
	}
	for _, name := range []string{"KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM", "GHOSTTY_RESOURCES_DIR"} {
		if s.env(name) != "" {
			return true
		}
	}
	switch s.env("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby":
		return true
	}
	switch s.env("TERM") {
	case "xterm-kitty", "alacritty", "foot", "foot-extra", "xterm-ghostty", "wezterm", "contour":
		return true
	}
	return false
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
