package report

import (
	"fmt"
	"io"
)

// Summary writes one line an incident or finding, those with one fingerprint together: verdict,
// fingerprint, how often, where first, what is known, what was printed. The fields are separated
// by two blanks.
func Summary(w io.Writer, d *Document, o Options) error {
	p := newPage(w, o)
	groups := grouped(ranked(d))
	if len(groups) == 0 {
		p.nothing(d)
	}
	for _, g := range groups {
		fields := summaryFields(g.it)
		line := p.verdictStyle(g.it).on(fmt.Sprintf("%-7s", verdictWord(g.it)))
		for _, f := range nonEmpty(fields[0], fields[1], g.times(), fields[2], fields[3]) {
			line += "  " + Escape(f)
		}
		p.line(line)
	}
	for _, s := range d.Sources {
		if s.Error != "" {
			p.line("unread   " + Escape(s.Name) + ": " + Escape(s.Error))
		}
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// summaryFields are fingerprint, place, what was printed and what is known.
func summaryFields(it item) [4]string {
	m := it.best()
	if i := it.inc; i != nil {
		known := ""
		switch {
		case m != nil:
			known = m.ID + " " + m.Status + ", fix " + fixWords(m)
		case i.Blame != nil:
			known = "blame " + shortFunction(i.Blame.Function)
		case i.Family != nil:
			known = "family " + i.Family.ID
		}
		return [4]string{i.Fingerprint, grepPlace(i.Source, firstLine(i.HeadlineLine, i.Line)), Cut(Escape(firstOf(i.Headline, i.Kind)), 120), known}
	}
	f, place := it.finding, ""
	if len(f.Evidence) > 0 {
		place = grepPlace(f.Evidence[0].Source, f.Evidence[0].Line)
	}
	known := f.ID + " " + f.Status
	if m != nil {
		known += ", fix " + fixWords(m)
	}
	return [4]string{"", place, f.Title, known}
}

// grepPlace is a place that editors and grep's readers know: the whole name, a colon, the line.
func grepPlace(source string, line int) string {
	if source == "-" {
		source = "stdin"
	}
	if line <= 0 {
		return source
	}
	return fmt.Sprintf("%s:%d", source, line)
}

func verdictWord(it item) string {
	if it.inc == nil {
		if it.finding.proven() {
			return VerdictKnown
		}
		return "maybe"
	}
	return it.inc.Verdict()
}

func (p *page) verdictStyle(it item) style {
	switch verdictWord(it) {
	case VerdictKnown:
		return p.st.alarm
	case VerdictNone:
		return style{}
	}
	return p.st.warn
}
