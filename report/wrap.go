package report

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text at its blanks into lines of at most width columns. A word that is longer is
// broken where it must be; nothing but blanks is dropped, and two blanks that set columns apart
// stay. There is always one line.
func Wrap(text string, width int) []string {
	width = max(width, 1)
	var lines []string
	line, n := "", 0
	flush := func() { lines = append(lines, line); line, n = "", 0 }
	for rest := text; rest != ""; {
		trimmed := strings.TrimLeft(rest, " ")
		gap := min(len(rest)-len(trimmed), 2)
		word, _, _ := strings.Cut(trimmed, " ")
		rest = trimmed[len(word):]
		if word == "" {
			break
		}
		w := cells(word)
		switch {
		case line == "":
		case n+gap+w <= width:
			line, n = line+strings.Repeat(" ", gap)+word, n+gap+w
			continue
		default:
			flush()
		}
		for w > width {
			head, tail := split(word, width)
			lines = append(lines, head)
			word = tail
			w = cells(word)
		}
		line, n = word, w
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// split cuts text after at most width columns, and after at least one rune. A cut behind a slash,
// dot or comma near the end reads better than one within a name.
func split(text string, width int) (head, tail string) {
	end, n := 0, 0
	for i, r := range text {
		w := cells(string(r))
		if n+w > width && i > 0 {
			break
		}
		n += w
		end = i + utf8.RuneLen(r)
	}
	if i := strings.LastIndexAny(text[:end], "/.,="); i >= end*2/3 && end < len(text) {
		end = i + 1
	}
	if strings.HasPrefix(text[end:], "::") {
		if _, n := utf8.DecodeLastRuneInString(text[:end]); n < end {
			end -= n // a line must not begin like a CI command
		}
	}
	return text[:end], text[end:]
}

// Cut shortens text to width columns; "…" marks what is gone.
func Cut(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	n := 0
	for i, r := range text {
		w := cells(string(r))
		if n+w > width-1 {
			return strings.TrimRight(text[:i], " ") + "…"
		}
		n += w
	}
	return text
}

// cutFront shortens a path to width columns from its front, at a slash if there is one.
func cutFront(path string, width int) string {
	if cells(path) <= width {
		return path
	}
	runes := []rune(path)
	start, n := len(runes), 0
	for start > 0 {
		w := cells(string(runes[start-1]))
		if n+w > width-1 {
			break
		}
		n += w
		start--
	}
	tail := string(runes[start:])
	if i := strings.IndexByte(tail, '/'); i >= 0 && i < len(tail)*2/3 {
		tail = tail[i:]
	}
	return "…" + tail
}
