package report

import (
	"fmt"
	"slices"
	"strings"
)

// footer says what was read, what could not be, and what the logs amount to.
func (p *page) footer(d *Document, empty bool) {
	p.exits(d)
	p.logs(d, empty)
	failed := slices.ContainsFunc(d.Sources, func(s *Source) bool { return s.Error != "" || len(s.Problems) > 0 })
	redacted := RedactionWords(d)
	if empty && !failed && redacted == "" {
		return
	}
	p.blank()
	if !empty {
		p.row("read", p.st.faint, sourceWords(d), "")
	}
	if redacted != "" {
		p.row("redacted", p.st.faint, redacted, "")
	}
	label := "not read"
	for _, s := range d.Sources {
		if s.Error != "" {
			p.row(label, p.st.warn, Cut(errorWords(s), 400), "")
			label = ""
		}
	}
	p.problems(d)
}

// sourceWords is what was read, with its wrapper where there was one.
func sourceWords(d *Document) string {
	s := readWords(d, "")
	if len(d.Sources) == 1 && d.Sources[0].Wrapper != "" && d.Sources[0].Wrapper != "plain" {
		s += ", wrapped by " + d.Sources[0].Wrapper
	}
	return s
}

// problems lists what could not be read as what it seems to be.
func (p *page) problems(d *Document) {
	const limit = 4
	label, n, total := "problems", 0, 0
	for _, s := range d.Sources {
		total += len(s.Problems)
	}
	for _, s := range d.Sources {
		for _, pr := range s.Problems {
			if n == limit && !p.verbose {
				p.row(label, p.st.faint, fmt.Sprintf("… %s more, -v for all", number(total-n)), "")
				return
			}
			p.row(label, style{}, Cut(firstOf(pr.Message, pr.Code), 300), p.place(s.Name, pr.Line))
			label = ""
			n++
		}
	}
}

// exits says how processes ended, where something outside of them told.
func (p *page) exits(d *Document) {
	if len(d.Facts.Exits) == 0 {
		return
	}
	p.blank()
	label := "exit"
	exits := foldExits(d.Facts.Exits)
	for n, e := range exits {
		if n == 3 && !p.verbose {
			p.row(label, p.st.faint, fmt.Sprintf("… %s more, -v for all", number(len(exits)-n)), "")
			return
		}
		p.row(label, p.st.warn, e.text(), p.place(e.Source, e.Line))
		label = ""
	}
}

// logs sums up the records. Their most frequent errors are worth the room only where no crash is.
func (p *page) logs(d *Document, empty bool) {
	l := &d.Logs
	if l.Records == 0 {
		return
	}
	p.blank()
	p.parts("logs", logsWords(l))
	if n := len(l.Restarts); n > 0 && empty {
		r := l.Restarts[n-1]
		p.row("restart", p.st.warn, restartWords, p.place(r.Source, r.Line))
	}
	shown := 0
	for _, b := range l.Buckets {
		if !slices.Contains([]string{"panic", "fatal", "error", "warn"}, b.Level) {
			continue
		}
		if limit := map[bool]int{true: 6, false: 0}[empty]; shown >= limit && !p.verbose {
			break
		}
		text := strings.Join(nonEmpty(roughly(int64(b.Count)), strings.ToUpper(b.Level), b.Module), " ") + "  " + b.Message
		p.row("", p.st.faint, Cut(Escape(text), 2*(p.width-textAt)), p.place(b.Source, b.Line))
		shown++
	}
}
