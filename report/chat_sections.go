package report

import (
	"fmt"
	"strings"
)

// chatRows lays labelled facts out, a section each. A narrow screen wraps every line once more, so
// what is continued stands two columns in and not below its beginning.
func chatRows(rows []row) []*section {
	var out []*section
	for _, r := range rows {
		if r.chat == 0 {
			continue
		}
		s := &section{label: r.label}
		head := "  "
		if r.label != "" {
			head = r.label + ": "
		}
		if r.steps() && len(r.texts) > 1 {
			s.rows = append(s.rows, r.label+":")
		}
		for n, text := range r.texts {
			if n == chatList {
				s.rows = append(s.rows, fmt.Sprintf("  … %s more", number(len(r.texts)-n)))
				break
			}
			if r.steps() && len(r.texts) > 1 {
				head = fmt.Sprintf("%d. ", n+1)
			}
			s.rows = append(s.rows, hanging(head, chatText(text), r.chat)...)
			head = "  "
		}
		s.shown = len(s.rows)
		out = append(out, s)
	}
	return out
}

// hanging wraps text behind a head, at most limit lines; "…" marks what is gone.
func hanging(head, text string, limit int) []string {
	const indent = "  "
	for text = strings.Trim(text, " "); strings.Contains(text, "   "); {
		text = strings.ReplaceAll(text, "   ", "  ") // as Wrap does, so that its first line begins text
	}
	lines := Wrap(text, chatColumns-cells(head))
	if len(lines) > 1 {
		rest := strings.TrimLeft(strings.TrimPrefix(text, lines[0]), " ")
		lines = append(lines[:1], Wrap(rest, chatColumns-len(indent))...)
	}
	cut := len(lines) > limit
	lines = lines[:min(limit, len(lines))]
	for n := range lines {
		if n == 0 {
			lines[n] = head + lines[n]
		} else {
			lines[n] = indent + lines[n]
		}
	}
	if cut {
		last := &lines[len(lines)-1]
		*last = strings.TrimSuffix(Cut(*last, chatColumns-1), "…") + "…"
	}
	for n := range lines {
		lines[n] = bounded(lines[n])
	}
	return lines
}

// chatStack is the crashing goroutine: the program's own frames, the blamed one marked.
func chatStack(i *Incident) *section {
	if len(i.Races) > 0 {
		return nil // both accesses are named above
	}
	title, creator := stackTitle(i)
	var rows []string
	own, marked := 0, false
	for n := 0; n < len(i.Stack); n++ {
		f, times := &i.Stack[n], 1
		if f.Std {
			continue
		}
		for ; n+1 < len(i.Stack) && sameCall(f, &i.Stack[n+1]); n++ {
			times++ // a recursion
		}
		if own++; own > chatFrames+1 {
			continue
		}
		mark := "  "
		if i.Blame != nil && !marked && *f == *i.Blame {
			mark, marked = "> ", true
		}
		rows = append(rows, chatFrame(mark, f, times))
	}
	head := chatText(title)
	if creator = chatText(creator); creator != "" && cells(head)+cells(creator)+2 <= chatColumns {
		head += ", " + creator
	}
	return listed(head, rows, own, chatFrames, "more of its own", "more of its own")
}

func sameCall(a, b *Frame) bool {
	return a.Function == b.Function && a.File == b.File && a.Line == b.Line
}

// chatFrame is a frame in one line: columns would tear on a narrow screen.
func chatFrame(mark string, f *Frame, times int) string {
	name, file := chatText(shortFunction(f.Function)), chatText(fileLine(f))
	if times > 1 {
		file = strings.TrimSpace(file + " " + number(times) + " times")
	}
	line := Cut(mark+name, chatColumns)
	if room := chatColumns - cells(line) - 2; file != "" && room >= min(cells(file), 12) {
		line += "  " + cutFront(file, room)
	}
	return bounded(line)
}

// chatShapesOf counts the goroutines by shape.
func chatShapesOf(i *Incident) *section {
	if !worthShapes(i) {
		return nil
	}
	shown := i.Buckets[:min(len(i.Buckets), chatShapes+1)]
	wide := 0
	for _, b := range shown {
		wide = max(wide, len(number(b.Count)))
	}
	var rows []string
	for _, b := range shown {
		mark := "  "
		if b.Crashed {
			mark = "> "
		}
		state := strings.Join(nonEmpty(Cut(chatText(stateWords(b)), 26), waits(b.WaitMinutes)), ", ")
		left := fmt.Sprintf("%s%*s  %s", mark, wide, number(b.Count), state)
		rows = append(rows, bounded(left+"  "+cutFront(chatText(shapeName(b)), max(chatColumns-cells(left)-2, 10))))
	}
	return listed(chatText(shapesTitle(i)), rows, len(i.Buckets), chatShapes, "more shape", "more shapes")
}

// chatEvidence is what the logs show of a bug without a crash.
func chatEvidence(m *Match, place placeFunc) *section {
	var rows []string
	for _, e := range m.Evidence {
		at := chatText(place(e.Source, e.Line))
		what := Cut(chatText(conditionWords(e.Condition, "")), chatColumns-4-min(cells(at), 30))
		rows = append(rows, bounded(Cut("  "+strings.Join(nonEmpty(what, at), "  "), chatColumns)))
		if len(rows) == chatFrames+1 {
			break
		}
	}
	return listed("what the logs show", rows, len(m.Evidence), chatFrames, "more", "more")
}

// chatCandidates names the documented bugs that print the same message.
func chatCandidates(i *Incident) *section {
	if len(i.Matches) == 0 || i.Verdict() == VerdictKnown {
		return nil
	}
	var rows []string
	for n, m := range i.Matches {
		if n == chatList {
			rows = append(rows, fmt.Sprintf("  … %s more", number(len(i.Matches)-n)))
			break
		}
		rows = append(rows, bounded(Cut("  "+chatText(m.ID), chatColumns)), bounded(Cut("    fix: "+chatText(fixWords(m)), chatColumns)))
	}
	return listed(chatText(candidatesTitle(i)), rows, 0, len(rows), "", "")
}
