package signatures

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one fault of a pack, and where it is.
type Problem struct {
	File    string
	Line    int // from 1; 0 for the file as a whole
	Column  int // from 1
	Message string
	Excerpt string // the line itself
}

// Error is file:line:column: message, then the line with a mark under the column.
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": " + p.Message)
	if p.Excerpt != "" {
		fmt.Fprintf(&b, "\n%6d | %s\n       | %s^", p.Line, p.Excerpt, strings.Repeat(" ", max(p.Column-1, 0)))
	}
	return b.String()
}

// Errors are all faults that were found in one run, in order of file and line.
type Errors []Problem

func (e Errors) Error() string {
	words := make([]string, len(e))
	for i, p := range e {
		words[i] = p.Error()
	}
	return strings.Join(words, "\n")
}

// Unwrap lets errors.As find a Problem.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, p := range e {
		list[i] = p
	}
	return list
}

func (e Errors) sorted() Errors {
	sort.SliceStable(e, func(i, j int) bool {
		a, b := e[i], e[j]
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	return e
}

// maxProblems bounds what one pack can say about itself.
const maxProblems = 200

// faults collects the problems of one pack.
type faults struct {
	file  string
	lines []string
	list  Errors
}

func (f *faults) add(line, column int, format string, args ...any) {
	if len(f.list) >= maxProblems {
		return
	}
	p := Problem{File: f.file, Line: line, Column: max(column, 1), Message: fmt.Sprintf(format, args...)}
	if 0 < line && line <= len(f.lines) {
		p.Excerpt = excerpt(f.lines[line-1])
		if p.Column > len(p.Excerpt)+1 {
			p.Column = len(p.Excerpt) + 1
		}
	}
	f.list = append(f.list, p)
}

// excerpt makes a line of a stranger's pack fit for a terminal.
func excerpt(line string) string {
	const width = 160
	line = strings.TrimRight(line, "\r\n")
	if len(line) > width {
		line = line[:width]
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0xfffd {
			return '.'
		}
		return r
	}, line)
}
