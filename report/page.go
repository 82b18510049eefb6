package report

import (
	"fmt"
	"io"
	"strings"
)

// page lays out text in columns. Everything that comes from an input goes through Escape before
// it is measured, styled or written.
type page struct {
	b       strings.Builder
	st      styles
	width   int
	verbose bool
	// single is the name of the only source, which places need not repeat in full.
	single string
}

const (
	minWidth = 40
	maxWidth = 120 // longer lines are hard to follow, however wide the window
	labelAt  = 2
	textAt   = 13
	maxName  = 14 // a longer name of the only file says less than the room it takes
)

func newPage(w io.Writer, o Options) *page {
	width := o.Width
	if width == 0 {
		width = 80
	}
	return &page{st: newStyles(w, o.Color), width: min(max(width, minWidth), maxWidth), verbose: o.Verbose}
}

func (p *page) line(text string) {
	p.b.WriteString(strings.TrimRight(text, " "))
	p.b.WriteByte('\n')
}

func (p *page) blank() { p.b.WriteByte('\n') }

// pair writes left and, against the right edge, right; on a line of its own where both don't fit.
// Both may be styled, and must fit the width.
func (p *page) pair(left, right string) {
	gap := p.width - cells(left) - cells(right)
	switch {
	case right == "":
		p.line(left)
	case gap >= 2:
		p.line(left + strings.Repeat(" ", gap) + right)
	default:
		p.line(left)
		p.line(strings.Repeat(" ", max(p.width-cells(right), 0)) + right)
	}
}

// head writes the line that is read first, with an id against the right edge.
func (p *page) head(st style, title, id string) {
	lines := p.capped(Wrap(Escape(title), p.width))
	for _, l := range lines[:len(lines)-1] {
		p.line(st.on(l))
	}
	p.pair(st.on(lines[len(lines)-1]), p.st.faint.on(Cut(Escape(id), p.width)))
}

// text writes wrapped text over the whole width.
func (p *page) text(st style, text string) {
	for _, l := range p.capped(Wrap(Escape(text), p.width)) {
		p.line(st.on(l))
	}
}

// row writes a label and wrapped text beside it, with a place against the right edge of its first line.
func (p *page) row(label string, st style, text, place string) {
	place = shorten(place, text, p.width-textAt)
	lines := Wrap(Escape(text), p.beside(text, place, p.width-textAt))
	label = fmt.Sprintf("%*s%-*s", labelAt, "", textAt-labelAt, label)
	for i, l := range p.capped(lines) {
		left := p.st.label.on(label) + st.on(l)
		if i == 0 && place != "" {
			p.pair(left, p.st.faint.on(place))
		} else {
			p.line(left)
		}
		label = strings.Repeat(" ", textAt)
	}
}

// capped keeps one text from filling the screen; "…" marks what is gone.
func (p *page) capped(lines []string) []string {
	limit := 8
	if p.verbose {
		limit = 200
	}
	if len(lines) <= limit {
		return lines
	}
	last := lines[limit-1]
	return append(lines[:limit-1:limit-1], strings.TrimSuffix(Cut(last, max(cells(last)-1, 1)), "…")+"…")
}

// beside is the room for text that has a place at its right. Text that fits one line alone gets
// the whole room: its place then stands below.
func (p *page) beside(text, place string, room int) int {
	taken := cells(place) + 2
	if place == "" || room-taken < 24 || cells(Escape(text)) <= room {
		return room
	}
	return room - taken
}

// parts writes facts that belong together, broken only between them.
func (p *page) parts(label string, parts []string) {
	line := ""
	for _, part := range parts {
		longer := strings.Join(nonEmpty(line, part), " · ")
		if line != "" && cells(Escape(longer)) > p.width-textAt {
			p.row(label, style{}, line, "")
			label, longer = "", part
		}
		line = longer
	}
	if line != "" {
		p.row(label, style{}, line, "")
	}
}

// shorten takes the front off a place when that lets it stand on one line with its text.
func shorten(place, text string, room int) string {
	left := room - cells(Escape(text)) - 2
	if cells(place) <= left || left < 14 {
		return place
	}
	return cutFront(place, left)
}

// steps writes what to do, numbered when there is more than one thing.
func (p *page) steps(label string, steps []string) {
	for i, s := range steps {
		if i > 0 {
			label = ""
		}
		n := ""
		if len(steps) > 1 {
			n = fmt.Sprintf("%d. ", i+1)
		}
		head := fmt.Sprintf("%*s%-*s", labelAt, "", textAt-labelAt, label)
		for j, l := range p.capped(Wrap(Escape(s), p.width-textAt-len(n))) {
			if j > 0 {
				head, n = strings.Repeat(" ", textAt), strings.Repeat(" ", len(n))
			}
			p.line(p.st.strong.on(head) + n + l)
		}
	}
}

// item writes a wrapped entry behind a mark, as in a list of evidence.
func (p *page) item(label, mark string, st style, text, place string) {
	head := fmt.Sprintf("%*s%-*s", labelAt, "", textAt-labelAt, label)
	place = shorten(place, text, p.width-textAt-2)
	for i, l := range p.capped(Wrap(Escape(text), p.beside(text, place, p.width-textAt-2))) {
		left := p.st.label.on(head) + mark + " " + st.on(l)
		if i == 0 && place != "" {
			p.pair(left, p.st.faint.on(place))
		} else {
			p.line(left)
		}
		head, mark = strings.Repeat(" ", textAt), " "
	}
}

// section writes the heading of a part below the verdict, with a remark on the right.
func (p *page) section(title, remark string) {
	p.blank()
	p.pair(p.st.strong.on(Cut(Escape(title), p.width)), p.st.faint.on(Cut(Escape(remark), p.width)))
}

// place names a line of a source: "crash.log:110". Long names lose their front.
func (p *page) place(source string, line int) string {
	if source == "" {
		return ""
	}
	if source == "-" {
		source = "stdin"
	}
	if source == p.single {
		source = source[strings.LastIndexAny(source, `/\`)+1:]
		if line > 0 && cells(Escape(source)) > maxName {
			return fmt.Sprintf("line %d", line)
		}
	}
	at := ""
	if line > 0 {
		at = fmt.Sprintf(":%d", line)
	}
	return cutFront(Escape(source), max(p.width*2/5-len(at), 8)) + at
}
