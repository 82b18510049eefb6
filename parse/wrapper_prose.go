package parse

import (
	"bytes"
)

// proseState is what the layers of prose and of loosely marked formats
// have to know of the lines before.
type proseState struct {
	bar, bars int // column of the last "NAME | TEXT", and how often it was the same
	export    int // lines for which KEY=VALUE is still a journal export
	json      int // lines for which a JSON member that held crash text stays trusted
	indent    int // blanks in front of the last header or headline
	indented  int // lines that the indentation stays trusted for
	race      bool
	value     bool // inside a panic value: what is indented belongs to it
}

// peelQuote takes a quote mark: >␣TEXT, >> TEXT, >.
func peelQuote(b []byte) (layer, bool) {
	n := 1
	if n < len(b) && b[n] == ' ' {
		n++
	}
	return layer{id: wQuote, skip: n}, true
}

// peelIndent takes blanks before text that a runtime prints at column 0. Tabs are
// left alone: the runtime itself indents the lines of a panic value with one.
func (u *unwrapper) peelIndent(b []byte) (layer, bool) {
	n := 0
	for n < len(b) && b[n] == ' ' {
		n++
	}
	if n == 0 {
		return layer{}, false
	}
	r := b[n:]
	if len(r) == 0 {
		return layer{}, false
	}
	s := &u.prose
	if headText(r) && !s.race {
		s.indent, s.indented = n, hotLines
		return layer{id: wIndent, skip: n}, true
	}
	if callLine(r) && !s.race {
		return layer{id: wIndent, skip: n}, true
	}
	if s.indented > 0 && n >= s.indent {
		s.indented--
		return layer{id: wIndent, skip: s.indent}, true
	}
	return layer{}, false
}

func (u *unwrapper) peelAngle(b []byte) (layer, bool) {
	if len(b) > 2 && digit(b[1]) {
		return peelRFC5424(b)
	}
	return layer{}, false
}

func (u *unwrapper) peelCSV(b []byte) (layer, bool) { return layer{}, false }

func (u *unwrapper) peelService(b []byte) (layer, bool) { return layer{}, false }

func (u *unwrapper) peelSuffix(b []byte) (layer, bool) {
	if n := crashSuffix(b); n > 0 {
		return layer{id: wSuffix, cut: n, weak: false}, true
	}
	return layer{}, false
}

// escapedTab returns the length of a tab that something spelled out in front of a file line.
func escapedTab(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	n := 0
	switch b[0] {
	case '#':
		if startsWith(b, "#011") {
			n = 4
		}
	case '\\':
		if b[1] == 't' {
			n = 2
		} else if startsWith(b, `\u0009`) {
			n = 6
		}
	case '^':
		if b[1] == 'I' {
			n = 2
		}
	case '&':
		for _, s := range []string{"&#9;", "&#x9;", "&#x09;", "&#09;", "&Tab;"} {
			if startsWith(b, s) {
				n = len(s)
			}
		}
	case 0xC2:
		for n+1 < len(b) && b[n] == 0xC2 && b[n+1] == 0xA0 {
			n += 2
		}
	}
	return n
}

// detab puts a tab where something spelled one out.
func (u *unwrapper) detab(b []byte) []byte {
	if len(b) == 0 || plainStart[b[0]] {
		return b
	}
	n := escapedTab(b)
	if n == 0 {
		return b
	}
	at := len(u.arena)
	if b[0] == '#' {
		u.arena = appendUnhashed(u.arena, b)
	} else {
		u.arena = append(append(u.arena, '\t'), trimLeft(b[n:])...)
	}
	return bytes.TrimRight(u.arena[at:len(u.arena):len(u.arena)], "\n")
}
