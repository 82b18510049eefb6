package report

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// logsView is what the log records amount to.
type logsView struct {
	Sum      string
	Levels   []levelView
	Timeline *timeline
	Restarts []lineView
	Rows     []logRow
	Unshown  string
	HasTimes bool
}

type levelView struct{ Level, Class, Count string }

type logRow struct {
	Class, Level, Module, Message, Example string
	Count, First, Last, Place              string
}

func (p *htmlPage) logs(*Incident) *htmlPart {
	l := &p.d.Logs
	if l.Records == 0 {
		return nil
	}
	v := &logsView{Sum: strings.Join(logsWords(l), " · ")}
	var names []string
	for level := range l.ByLevel {
		names = append(names, level)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(severity(a), severity(b)), strings.Compare(a, b))
	})
	for _, level := range names {
		v.Levels = append(v.Levels, levelView{cmp.Or(level, "no level"), levelClass(level), number(l.ByLevel[level])})
	}
	const restartsShown = 50
	for n, r := range l.Restarts {
		if n == restartsShown && !p.verbose {
			v.Restarts = append(v.Restarts, lineView{Text: "… " + number(len(l.Restarts)-n) + " more, -v for all", Class: "faint"})
			break
		}
		v.Restarts = append(v.Restarts, lineView{Text: strings.Join(nonEmpty(r.Value, r.How), " · "), Place: p.place(r.Source, r.Line)})
	}
	v.Timeline = newTimeline(p.d)
	byWeight := slices.Clone(l.Buckets)
	slices.SortStableFunc(byWeight, func(a, b LogBucket) int {
		return cmp.Or(cmp.Compare(severity(a.Level), severity(b.Level)), cmp.Compare(b.Count, a.Count))
	})
	for n, b := range byWeight {
		if n == rowsShown && !p.verbose {
			v.Unshown = number(len(byWeight)-n) + " more messages are left out of this page; -v writes them all"
			break
		}
		row := logRow{
			Class: levelClass(b.Level), Level: strings.ToUpper(b.Level), Module: b.Module, Message: Cut(Escape(b.Message), 2000),
			Count: number(b.Count), First: moment(b.First), Last: moment(b.Last), Place: p.place(b.Source, b.Line),
		}
		if b.Example != b.Message {
			row.Example = Cut(Escape(b.Example), 2000)
		}
		v.HasTimes = v.HasTimes || row.First != ""
		v.Rows = append(v.Rows, row)
	}
	return &htmlPart{"logs", "", v}
}

// levelClass colours a level. Only known levels reach an attribute.
func levelClass(level string) string {
	switch severity(level) {
	case 0, 1, 2:
		return "l-error"
	case 3:
		return "l-warn"
	case 4:
		return "l-info"
	}
	return "l-other"
}

// moment is a time in the zone of the input.
func moment(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format("2006-01-02 15:04:05")
}

// factsView is what the input says about the program and its machine.
type factsView struct {
	Rows []factRow
}

type factRow struct {
	What, Value, How, Place, URL string
}

func (p *htmlPage) facts(*Incident) *htmlPart {
	f := &p.d.Facts
	v := &factsView{}
	add := func(what, value, how, source string, line int, link string) {
		if value != "" {
			v.Rows = append(v.Rows, factRow{what, value, how, p.place(source, line), link})
		}
	}
	for _, x := range f.Products {
		value := strings.Join(nonEmpty(x.Name, x.Version, x.Edition, x.Role), " ")
		if x.Revision != "" {
			value += ", revision " + x.Revision
		}
		add("program", value, x.How, x.Source, x.Line, "")
	}
	if f.GoVersion != nil {
		add("Go", f.GoVersion.Value, f.GoVersion.How, f.GoVersion.Source, f.GoVersion.Line, "")
	}
	add("platform", strings.Trim(f.OS+"/"+f.Arch, "/"), "", "", 0, "")
	for _, x := range f.Goroutines {
		add("goroutines", digits(x.Value), x.How, x.Source, x.Line, "")
	}
	for _, x := range foldExits(f.Exits) {
		add("exit", x.text(), Cut(Escape(x.Text), 300), x.Source, x.Line, "")
	}
	for n, x := range f.Modules {
		if n == rowsShown && !p.verbose {
			add("module", "… "+number(len(f.Modules)-n)+" more, -v for all", "", "", 0, "")
			break
		}
		add("module", x.Path+" "+x.Version, "from a frame path", x.Source, x.Line, moduleURL(x.Path, x.Version))
	}
	if len(v.Rows) == 0 {
		return nil
	}
	return &htmlPart{"facts", "what the input says, and where", v}
}

// sourcesView is what was read, and what could not be.
type sourcesView struct {
	Rows     []sourceRow
	Unshown  string
	Redacted string
}

type sourceRow struct {
	Name, Wrapper, Size, Lines, Error string
	Problems                          []lineView
}

func (p *htmlPage) sources(*Incident) *htmlPart {
	v := &sourcesView{}
	sorted := slices.Clone(p.d.Sources)
	trouble := func(s *Source) bool { return s.Error != "" || len(s.Problems) > 0 }
	slices.SortStableFunc(sorted, func(a, b *Source) int {
		switch {
		case trouble(a) == trouble(b):
			return 0
		case trouble(a):
			return -1
		}
		return 1
	})
	const problemsShown = 100
	for n, s := range sorted {
		if n == rowsShown && !p.verbose {
			v.Unshown = number(len(sorted)-n) + " more are left out of this page; -v writes them all"
			break
		}
		row := sourceRow{Name: s.Name, Wrapper: s.Wrapper, Size: bytesOf(s.Bytes), Lines: number(s.Lines), Error: s.Error}
		if s.Name == "-" {
			row.Name = "standard input"
		}
		if row.Wrapper == "plain" {
			row.Wrapper = ""
		}
		for k, pr := range s.Problems {
			if k == problemsShown && !p.verbose {
				row.Problems = append(row.Problems, lineView{Text: "… " + number(len(s.Problems)-k) + " more, -v for all"})
				break
			}
			row.Problems = append(row.Problems, lineView{Text: Cut(Escape(firstOf(pr.Message, pr.Code)), 1000), Place: p.place(s.Name, pr.Line)})
		}
		v.Rows = append(v.Rows, row)
	}
	if len(v.Rows) == 0 {
		return nil
	}
	var kinds []string
	for _, r := range p.d.Redactions {
		kinds = append(kinds, number(r.Count)+" × "+r.Kind)
	}
	if len(kinds) > 0 {
		v.Redacted = "taken out before this page was written: " + strings.Join(kinds, ", ")
	}
	return &htmlPart{"sources", "", v}
}
