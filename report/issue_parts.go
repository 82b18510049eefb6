package report

import (
	"fmt"
	"slices"
	"strings"
)

func (w *issueDoc) versions(d *Document, it item) {
	w.head("Versions")
	w.table("what", "version", "from")
	f := &d.Facts
	from := func(how, source string, line int) string {
		return strings.Join(nonEmpty(issueCode(how), issueCode(grepPlace(source, line))), " ")
	}
	if f.Product != nil && f.Product.Version != "" {
		v := strings.Join(nonEmpty(f.Product.Version, f.Product.Edition, f.Product.Metadata), " ")
		w.cells(issueCode(strings.TrimSpace(f.Product.Name+" "+f.Product.Role)), issueCode(v), from(f.Product.How, f.Product.Source, f.Product.Line))
		if f.Product.Revision != "" {
			w.cells("revision", issueCode(f.Product.Revision), "")
		}
	} else {
		w.cells("program", "not in the input", "")
	}
	if f.GoVersion != nil {
		w.cells("Go", issueCode(f.GoVersion.Value), from(f.GoVersion.How, f.GoVersion.Source, f.GoVersion.Line))
	} else {
		w.cells("Go", "not in the input", "")
	}
	if f.OS != "" || f.Arch != "" {
		w.cells("platform", issueCode(strings.Trim(f.OS+"/"+f.Arch, "/")), "")
	} else {
		w.cells("platform", "not in the input", "")
	}
	for n, m := range stackModules(it.inc) {
		if n == issueRows {
			w.cells("…", "", "")
			break
		}
		w.cells(issueCode(m.Module), issueCode(m.Version), "a frame's path")
	}
}

// stackModules are the modules of the crashing stack with their versions, in its order.
func stackModules(i *Incident) []Frame {
	if i == nil {
		return nil
	}
	var out []Frame
	stack := i.Stack
	for _, r := range i.Races {
		stack = append(stack[:len(stack):len(stack)], r.Stack...)
	}
	for _, f := range stack {
		if f.Module != "" && f.Version != "" && !slices.ContainsFunc(out, func(o Frame) bool { return o.Module == f.Module && o.Version == f.Version }) {
			out = append(out, f)
		}
	}
	return out
}

// stacks writes the crashing goroutine, or the accesses of a race, as Go prints them.
func (w *issueDoc) stacks(i *Incident) {
	var lines []string
	switch {
	case len(i.Races) > 0:
		for _, r := range i.Races {
			lines = append(lines, r.Title)
			lines = append(append(lines, goFrames(r.Stack)...), "")
		}
		lines = lines[:len(lines)-1]
	case len(i.Stack) > 0:
		head := "goroutine"
		if i.Goroutine != nil {
			head = fmt.Sprintf("goroutine %d", *i.Goroutine)
		}
		for _, b := range i.Buckets {
			if b.Crashed && b.State != "" {
				head += " [" + b.State + "]"
				break
			}
		}
		lines = append([]string{head + ":"}, goFrames(i.Stack)...)
		if c := i.CreatedBy; c != nil {
			by := "created by " + c.Function
			if c.Goroutine > 0 {
				by += fmt.Sprintf(" in goroutine %d", c.Goroutine)
			}
			lines = append(lines, by)
			if c.File != "" {
				lines = append(lines, fmt.Sprintf("    %s:%d", c.File, c.Line))
			}
		}
	default:
		return
	}
	w.head("Stack")
	w.fence(lines, issueStackRoom)
}

func goFrames(stack []Frame) []string {
	var lines []string
	for n := range stack {
		if n == issueFrames {
			return append(lines, "… "+count(len(stack)-n, "more frame", "more frames"))
		}
		f := &stack[n]
		lines = append(lines, f.Function+"("+f.Args+")")
		if f.File != "" {
			lines = append(lines, fmt.Sprintf("    %s:%d", f.File, f.Line))
		}
	}
	return lines
}

func (w *issueDoc) buckets(i *Incident) {
	if len(i.Buckets) == 0 || len(i.Buckets) == 1 && i.Buckets[0].Crashed && i.Buckets[0].Count == 1 {
		return
	}
	w.head("Goroutines")
	w.paragraph(fmt.Sprintf("%s in %s.", count(i.Goroutines, "goroutine", "goroutines"), count(len(i.Buckets), "shape", "shapes")))
	w.table("count", "state", "waiting", "where")
	rest := 0
	for n, b := range i.Buckets {
		if n >= issueBuckets {
			rest += b.Count
			continue
		}
		name := issueCode(shapeName(b))
		if b.Crashed {
			name += " (the crash)"
		}
		w.cells(number(b.Count), issueCode(b.State), waits(b.WaitMinutes), name)
	}
	if more := len(i.Buckets) - issueBuckets; more > 0 {
		w.cells(number(rest), fmt.Sprintf("%s more", count(more, "shape", "shapes")), "", "")
	}
}

// before writes the log lines that led to the crash.
func (w *issueDoc) before(i *Incident) {
	lines := unfenced(i.Context)
	if len(lines) == 0 {
		return
	}
	texts := make([]string, len(lines))
	for n, c := range lines {
		texts[n] = c.Text
	}
	w.head("Log before it")
	w.fence(texts, issueLogRoom)
}

func (w *issueDoc) means(i *Incident) {
	if i.Family == nil || i.Family.Meaning == "" {
		return
	}
	w.head("What the message means")
	w.line(issueText(i.Family.Meaning))
	if owner := ownerWords[i.Family.Owner]; owner != "" {
		w.line("Who usually has to act: " + owner + ".")
	}
	if i.Family.NextStep != "" {
		w.line("")
		w.line("Next step: " + issueText(i.Family.NextStep))
	}
}
