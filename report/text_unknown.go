package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// likely says what the printed arguments tell of a nil dereference. Only a plain "0x0" counts: a
// question mark behind a value means that it may be stale.
func likely(i *Incident) string {
	if i.Blame == nil || !strings.Contains(i.Reason, "nil pointer dereference") {
		return ""
	}
	receiver, ok := pointerReceiver(i.Blame.Function)
	first, _, _ := strings.Cut(i.Blame.Args, ",")
	if !ok || strings.TrimSpace(first) != "0x0" {
		return ""
	}
	return fmt.Sprintf("a nil *%s: the receiver is printed as 0x0", receiver)
}

// pointerReceiver is T of "pkg.(*T).Method"; closures have no receiver of their own.
func pointerReceiver(function string) (string, bool) {
	_, rest, ok := strings.Cut(function, ".(*")
	if !ok {
		return "", false
	}
	name, method, ok := strings.Cut(rest, ").")
	return name, ok && !strings.Contains(method, ".")
}

// unknownSteps is what to do about a crash that no signature explains.
func unknownSteps(i *Incident) []string {
	var s []string
	if i.Family != nil && i.Family.NextStep != "" {
		s = append(s, i.Family.NextStep)
	}
	for _, m := range i.Matches {
		for _, c := range m.Collect {
			if step := "to decide between the candidates, collect " + c; !slices.Contains(s, step) {
				s = append(s, step)
			}
		}
	}
	if len(i.Stack) == 0 && i.Goroutines == 0 && len(i.Matches) == 0 && crashKind(i) {
		s = append(s, "get the whole stderr of the process that died (its journal, kubectl logs -p): no stack is in this input")
	}
	return s
}

// crashKind says whether a stack is to be expected.
func crashKind(i *Incident) bool {
	switch parse.Kind(i.Kind) {
	case parse.KindPanic, parse.KindFatal, parse.KindThrow, parse.KindSignal:
		return true
	}
	return false
}

// nearest says how far the search for a documented bug went.
func (p *page) nearest(d *Document, i *Incident) {
	if i.Verdict() == VerdictNone || len(i.Matches) > 0 {
		return
	}
	file := inputName(i)
	switch {
	case i.Considered > 0:
		p.row("nearest", style{}, fmt.Sprintf("%s looked at, none fits: crashtriage explain %s", count(i.Considered, "signature", "signatures"), file), "")
	case len(i.Stack) > 0 && d.Tool.Signatures.Count > 0:
		p.row("nearest", style{}, fmt.Sprintf("none of %s speaks about these frames", count(d.Tool.Signatures.Count, "signature", "signatures")), "")
	}
}

// inputName is the incident's source as an argument of a command.
func inputName(i *Incident) string {
	if i.Source == "" || i.Source == "-" || strings.ContainsAny(i.Source, " !\"'`$&;|<>()\\*?[]{}~#\t\n") {
		return "FILE"
	}
	return i.Source
}

// report says how to get the text of an issue about a crash that no signature explains.
func (p *page) report(i *Incident) {
	if i.Verdict() == VerdictNone {
		return
	}
	p.row("report", style{}, "crashtriage -f issue "+inputName(i)+"  (an issue text, secrets out)", "")
}

// candidates names the documented bugs that print the same message, and says that it proves nothing.
func (p *page) candidates(i *Incident) {
	if len(i.Matches) == 0 {
		return
	}
	p.section(count(len(i.Matches), "candidate", "candidates")+": the message fits, the frames can't be checked", "")
	for n, m := range i.Matches {
		if n == 5 && !p.verbose {
			p.line(p.st.faint.on(fmt.Sprintf("  … %s more, -v for all", number(len(i.Matches)-n))))
			return
		}
		p.candidate(m)
	}
}

func (p *page) candidate(m *Match) {
	p.line("  " + p.st.strong.on(Cut(Escape(m.ID), p.width-2)))
	for _, text := range []string{m.Title, "fix: " + fixWords(m)} {
		for _, l := range Wrap(Escape(text), p.width-4) {
			p.line("    " + l)
		}
	}
}

// candidateFinding names a bug that the logs hint at without enough evidence.
func (p *page) candidateFinding(d *Document, m *Match) {
	p.head(p.st.warn, findingTitle(m), m.ID)
	p.text(style{}, m.Title)
	p.blank()
	p.running(d, m, nil)
	p.fix(m)
	var steps []string
	for _, c := range m.Collect {
		steps = append(steps, "to decide, collect "+c)
	}
	p.steps("do now", steps)
	p.because(m, "")
}
