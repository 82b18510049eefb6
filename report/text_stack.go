package report

import (
	"fmt"
	"strings"
)

const (
	framesShown  = 14
	bucketsShown = 12
	contextShown = 5
	frameAt      = 4
)

// stack writes the crashing goroutine. Frames of the runtime and the standard library are folded
// into one line each time, so that what remains is the program's own.
func (p *page) stack(i *Incident) {
	if len(i.Stack) == 0 || len(i.Races) > 0 {
		return // a race has told its stacks
	}
	title, by := stackTitle(i)
	p.section(title, by)
	p.frames(i.Stack, i.Blame, framesShown)
}

// frames writes a stack in two columns.
func (p *page) frames(stack []Frame, blame *Frame, limit int) {
	groups := fold(stack, p.verbose)
	names, files := 0, 0
	for _, g := range groups {
		if len(g) == 1 {
			names = max(names, cells(Escape(shortFunction(g[0].Function))))
			files = max(files, cells(Escape(fileLine(&g[0]))))
		}
	}
	room := p.width - frameAt - 2
	column := min(names, room-2-min(files, 28))
	marked := false
	for n, g := range groups {
		if n == limit && !p.verbose {
			p.line(p.st.faint.on(fmt.Sprintf("%*s  … %s more, -v for all", frameAt, "", count(len(groups)-n, "frame", "frames"))))
			return
		}
		if g[0].Std && !p.verbose {
			p.line(p.st.faint.on(fmt.Sprintf("%*s  (%s)", frameAt, "", stdNames(g, p.width-frameAt-4))))
			continue
		}
		mark := "  "
		if blame != nil && !marked && g[0] == *blame {
			mark, marked = "▸ ", true
		}
		st := p.st.own
		if g[0].Std {
			st = p.st.faint
		}
		p.frame(mark, st, &g[0], column)
	}
}

func (p *page) frame(mark string, st style, f *Frame, column int) {
	head := strings.Repeat(" ", frameAt) + mark
	name, file := Escape(shortFunction(f.Function)), Escape(fileLine(f))
	if n := cells(name); n <= column {
		p.line(head + st.on(name) + strings.Repeat(" ", column-n+2) + p.st.faint.on(cutFront(file, p.width-cells(head)-column-2)))
		return
	}
	for _, l := range Wrap(name, p.width-cells(head)) {
		p.line(head + st.on(l))
		head = strings.Repeat(" ", frameAt+2)
	}
	if file != "" {
		p.line(head + "  " + p.st.faint.on(cutFront(file, p.width-frameAt-4)))
	}
}

// fold puts neighbouring frames of the standard library into one group; every other frame is a
// group of its own, and so is each when all are wanted.
func fold(stack []Frame, all bool) [][]Frame {
	var groups [][]Frame
	for n := 0; n < len(stack); {
		end := n + 1
		for !all && stack[n].Std && end < len(stack) && stack[end].Std {
			end++
		}
		groups = append(groups, stack[n:end])
		n = end
	}
	return groups
}

// stdNames names folded frames, as many as there is room for: "standard library:
// http.HandlerFunc.ServeHTTP, 2 more".
func stdNames(group []Frame, room int) string {
	where := "standard library"
	if p := packagePath(group[0].Function); p == "runtime" || strings.HasPrefix(p, "runtime/") || strings.HasPrefix(p, "internal/runtime/") || p == "panic" {
		where = "runtime"
	}
	text := where + ": "
	for n := range group {
		name := Escape(shortFunction(group[n].Function))
		if n > 0 {
			name = ", " + name
		}
		more := ""
		if left := len(group) - n; left > 1 {
			more = fmt.Sprintf(", %d more", left-1)
		}
		if cells(text+name+more) > room {
			if n == 0 {
				return Cut(text+name, room-cells(more)) + more
			}
			return text + fmt.Sprintf(", %d more", len(group)-n)
		}
		text += name
	}
	return text
}

// races writes the accesses of a race report.
func (p *page) races(i *Incident) {
	for n, r := range i.Races {
		if n == 4 && !p.verbose {
			p.line(p.st.faint.on(fmt.Sprintf("  … %s more, -v for all", count(len(i.Races)-n, "section", "sections"))))
			return
		}
		p.section(strings.TrimSuffix(r.Title, ":"), p.place(i.Source, r.Line))
		p.frames(r.Stack, nil, 6)
	}
}

// buckets writes the goroutines by shape.
func (p *page) buckets(d *Document, i *Incident) {
	if !worthShapes(i) {
		return
	}
	shown := i.Buckets
	remark := ""
	if len(shown) > bucketsShown && !p.verbose {
		shown = shown[:bucketsShown]
		remark = fmt.Sprintf("%d shown, -v for all", bucketsShown)
	}
	p.section(shapesTitle(i), remark)
	if counted := counted(d, i, p.place); counted != "" {
		p.line(p.st.faint.on(Cut(Escape("  "+counted), p.width)))
	}
	stateRoom := min(26, p.width/4)
	rows := make([][4]string, len(shown))
	var wide [3]int
	for n, b := range shown {
		rows[n] = [4]string{number(b.Count), Cut(Escape(stateWords(b)), stateRoom), waits(b.WaitMinutes), Escape(shapeName(b))}
		if p.width < 60 {
			rows[n][2] = "" // the function tells more
		}
		for c := range wide {
			wide[c] = max(wide[c], cells(rows[n][c]))
		}
	}
	for n, r := range rows {
		mark := "  "
		if shown[n].Crashed {
			mark = "▸ "
		}
		left := fmt.Sprintf("%*s%s%s%s", frameAt-2, "", mark, strings.Repeat(" ", max(wide[0]-cells(r[0]), 0)), r[0])
		for c := 1; c <= 2; c++ {
			if wide[c] > 0 {
				left += "  " + r[c] + strings.Repeat(" ", wide[c]-cells(r[c]))
			}
		}
		p.line(left + "  " + cutFront(r[3], max(p.width-cells(left)-2, 10)))
		if p.verbose {
			for f := range shown[n].Frames {
				p.frame("  ", p.st.faint, &shown[n].Frames[f], (p.width-frameAt-2)*11/20)
			}
		}
	}
}

// shapeName is the frame that tells most about a bucket: the first of the program's own, else the
// own creator, else the outermost.
func shapeName(b *Bucket) string {
	for n := range b.Frames {
		if !b.Frames[n].Std {
			return shortFunction(b.Frames[n].Function)
		}
	}
	switch {
	case len(b.Frames) == 0:
		return "(no frames)"
	case b.CreatedBy != nil && !b.CreatedBy.Std:
		return shortFunction(b.Frames[0].Function) + ", created by " + shortFunction(b.CreatedBy.Function)
	}
	for n := len(b.Frames) - 1; n > 0; n-- {
		if b.Frames[n].Function != "runtime.goexit" {
			return shortFunction(b.Frames[n].Function)
		}
	}
	return shortFunction(b.Frames[0].Function)
}

// context writes the log lines before an incident.
func (p *page) context(i *Incident) {
	lines := unfenced(i.Context)
	if len(lines) == 0 {
		return
	}
	if len(lines) > contextShown && !p.verbose {
		lines = lines[len(lines)-contextShown:]
	}
	p.section(contextTitle(i), p.place(i.Source, lines[0].Line))
	for _, c := range lines {
		text, failure := contextWords(c)
		st := style{}
		if failure {
			st = p.st.strong
		}
		text = Escape(text)
		if !p.verbose {
			text = Cut(text, 2*(p.width-frameAt))
		}
		indent := frameAt
		for _, l := range Wrap(text, p.width-frameAt-2) {
			p.line(strings.Repeat(" ", indent) + st.on(l))
			indent = frameAt + 2
		}
	}
}

// unfenced leaves out what stands before a Markdown fence, since it belongs to the issue that the log
// was pasted into, and rules that only set something apart.
func unfenced(lines []Context) []Context {
	var out []Context
	for _, c := range lines {
		switch text := strings.TrimSpace(c.Text); {
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			out = nil
		case strings.Trim(text, "=-*_#") == "":
		default:
			out = append(out, c)
		}
	}
	return out
}

func nonEmpty(all ...string) []string {
	var out []string
	for _, s := range all {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// timeOfDay is the part of a printed time that differs within a minute: its clock, to the millisecond.
func timeOfDay(printed string) string {
	t := printed
	if i := strings.IndexByte(t, 'T'); i == len("2006-01-02") {
		t = t[i+1:]
	}
	whole, fraction, ok := strings.Cut(t, ".")
	if len(whole) != len("15:04:05") || strings.Count(whole, ":") != 2 {
		return printed
	}
	digits := fraction[:len(fraction)-len(strings.TrimLeft(fraction, "0123456789"))]
	if !ok || digits == "" {
		return whole
	}
	return whole + "." + digits[:min(len(digits), 3)]
}
