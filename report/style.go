package report

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// styles are the few ways in which text stands out. They use the 16 basic colours alone, which
// follow the user's theme, and nothing is said by a colour that the words do not say.
type styles struct {
	alarm  style // a process died, a known bug applies
	warn   style // unsure, damaged, should not be so
	good   style // nothing found, a fix exists
	strong style // what to read first
	own    style // frames of the program and its modules
	label  style // the left column
	faint  style // what only completes the picture
}

type style struct{ s lipgloss.Style }

// on renders text that has been escaped before.
func (s style) on(text string) string {
	if text == "" {
		return ""
	}
	return s.s.Render(text)
}

// newStyles binds the styles to one writer. The profile is set here and never asked of the
// terminal, so that the same document gives the same bytes everywhere.
func newStyles(w io.Writer, color bool) styles {
	r := lipgloss.NewRenderer(w)
	r.SetColorProfile(termenv.Ascii)
	if color {
		r.SetColorProfile(termenv.ANSI)
	}
	r.SetHasDarkBackground(true) // never ask the terminal; no style depends on it
	fg := func(c string) lipgloss.Style {
		return r.NewStyle().Foreground(lipgloss.Color(c)).TabWidth(lipgloss.NoTabConversion)
	}
	plain := r.NewStyle()
	return styles{
		alarm:  style{fg("1").Bold(true)},
		warn:   style{fg("3").Bold(true)},
		good:   style{fg("2").Bold(true)},
		strong: style{plain.Bold(true)},
		own:    style{fg("6").Bold(true)},
		label:  style{fg("4")},
		faint:  style{plain.Faint(true)},
	}
}

// cells is the number of terminal columns that text takes; escape sequences take none.
func cells(text string) int { return lipgloss.Width(text) }
