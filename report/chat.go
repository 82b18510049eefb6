package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// What the formats for chat share: the parts of a message, each of which can lose lines until the
// whole fits. Text of an input is made harmless by chatText before it is laid out.

const (
	chatColumns = 78
	chatFrames  = 5
	chatShapes  = 5
	chatOthers  = 8
	chatList    = 3 // entries of a list that is not frames, shapes or others
	chatLabel   = 9
	chatLink    = 200 // characters of an address
)

// chatAsides are the rows that can be left out altogether.
var chatAsides = map[string]bool{"because": true, "also fits": true, "": true}

// section is a part of a message: a head, and rows of which the last can be left out.
type section struct {
	head  string
	rows  []string
	shown int    // how many of rows are written
	least int    // and how many at least
	total int    // what "… N more" counts; 0 when rows are the lines of one text
	more  string // what is missing: "more frames"
}

func (s *section) lines() []string {
	var out []string
	if s.head != "" {
		out = append(out, s.head)
	}
	out = append(out, s.rows[:s.shown]...)
	switch n := s.total - s.shown; {
	case n > 0:
		out = append(out, fmt.Sprintf("  … %s %s", number(n), s.more))
	case s.shown > 0 && s.shown < len(s.rows):
		last := &out[len(out)-1]
		*last = strings.TrimSuffix(Cut(*last, chatColumns-1), "…") + "…"
	}
	return out
}

// listed is a section of rows that says how many are missing; nil without rows.
func listed(head string, rows []string, total, limit, least int, more string) *section {
	if len(rows) == 0 {
		return nil
	}
	return &section{
		head: bounded(Cut(head, chatColumns)), rows: rows, total: total, more: more,
		shown: min(len(rows), limit), least: min(least, len(rows)),
	}
}

// message is everything that a chat message says about a document.
type message struct {
	answer     string
	link       string
	id         string
	facts      []*section // the rows of the strongest entry
	stack      *section
	shapes     *section
	candidates *section
	others     *section
}

func newMessage(d *Document) *message {
	m := &message{}
	all := entries(d)
	if len(all) == 0 {
		m.answer = Cut(chatText(noCrash(d)), chatColumns)
		m.facts = chatRows(sourceRows(d))
		return m
	}
	first := all[0]
	place := chatPlace(d)
	m.answer = bounded(Cut(mute(chatText(first.answer(chatColumns))), chatColumns))
	if url := first.link(); len(url) <= chatLink {
		m.link = url
	}
	m.id = chatID(d, first)
	m.facts = chatRows(append(first.rows(d, place), sourceRows(d)...))
	if i := first.it.inc; i != nil {
		m.stack = chatStack(i)
		m.shapes = chatShapesOf(i)
		m.candidates = chatCandidates(i)
	} else {
		m.stack = chatEvidence(first.it.finding, place)
	}
	var rows []string
	for _, e := range all[1:min(len(all), chatOthers+1)] {
		rows = append(rows, bounded(Cut("  "+chatText(e.brief(chatColumns-2)), chatColumns)))
	}
	m.others = listed("also found", rows, len(all)-1, chatOthers, 1, "more")
	return m
}

// chatID is what to quote: the ids, and the tool that gave them where there is room.
func chatID(d *Document, e *entry) string {
	room := chatColumns - chatLabel
	id := ""
	for _, word := range append(e.idWords(), strings.TrimSpace(d.Tool.Name+" "+d.Tool.Version)) {
		word = chatText(word)
		longer := strings.Join(nonEmpty(id, word), " · ")
		if cells(longer) <= room {
			id = longer
		} else if id == "" {
			id = Cut(word, room)
		}
	}
	return id
}

// chatPlace names lines as the text format does, with room for one line.
func chatPlace(d *Document) placeFunc {
	p := newPage(nil, Options{Width: chatColumns})
	if len(d.Sources) == 1 {
		p.single = d.Sources[0].Name
	}
	return p.place
}

// sections are all parts in their order.
func (m *message) sections() []*section {
	var out []*section
	for _, s := range append(m.facts[:len(m.facts):len(m.facts)], m.candidates, m.stack, m.shapes, m.others) {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

// shorten takes one line out where it is missed least, and says whether it could.
func (m *message) shorten() bool {
	order := []*section{m.others, m.shapes, m.stack, m.candidates}
	for n := len(m.facts) - 1; n >= 0; n-- {
		order = append(order, m.facts[n])
	}
	for _, s := range order {
		if s != nil && s.shown > s.least {
			s.shown--
			return true
		}
	}
	// Still too long: whole parts go, the first one in order last.
	for _, part := range []**section{&m.shapes, &m.candidates, &m.stack, &m.others} {
		if *part != nil {
			*part = nil
			return true
		}
	}
	if n := len(m.facts); n > 1 {
		m.facts = m.facts[:n-1]
		return true
	}
	return false
}

// chatRows lays labelled facts out in two columns, one section each.
func chatRows(rows []row) []*section {
	var out []*section
	for _, r := range rows {
		if r.chat == 0 {
			continue
		}
		label := fmt.Sprintf("%-*s", chatLabel, r.label)
		s := &section{least: 1}
		for n, text := range r.texts {
			if n == chatList {
				s.rows = append(s.rows, fmt.Sprintf("%*s… %s more", chatLabel, "", number(len(r.texts)-n)))
				break
			}
			mark := ""
			if r.steps() && len(r.texts) > 1 {
				mark = fmt.Sprintf("%d. ", n+1)
			}
			for _, l := range cappedAt(Wrap(chatText(text), chatColumns-chatLabel-len(mark)), r.chat) {
				s.rows = append(s.rows, bounded(label+mark+l))
				label, mark = strings.Repeat(" ", chatLabel), strings.Repeat(" ", len(mark))
			}
		}
		s.shown = len(s.rows)
		if chatAsides[r.label] {
			s.least = 0
		}
		out = append(out, s)
	}
	return out
}

// cappedAt is at most limit lines; "…" marks what is gone.
func cappedAt(lines []string, limit int) []string {
	if len(lines) <= limit {
		return lines
	}
	last := strings.TrimSuffix(Cut(lines[limit-1]+" …", chatColumns-chatLabel-3), " …")
	return append(lines[:limit-1:limit-1], strings.TrimSuffix(last, "…")+"…")
}

// bounded cuts a line that is short in columns and long in characters, as combining marks make one.
func bounded(line string) string {
	const most = chatColumns + 30
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	return string([]rune(line)[:most-1]) + "…"
}

// chatStack is the crashing goroutine: the program's own frames, the blamed one marked.
func chatStack(i *Incident) *section {
	if len(i.Races) > 0 {
		return nil // both accesses are named above
	}
	title, creator := stackTitle(i)
	var rows []string
	own, marked := 0, false
	for n := range i.Stack {
		f := &i.Stack[n]
		if f.Std {
			continue
		}
		if own++; own > chatFrames {
			continue
		}
		mark := "  "
		if i.Blame != nil && !marked && *f == *i.Blame {
			mark, marked = "> ", true
		}
		rows = append(rows, chatFrame(mark, f))
	}
	if own == 0 {
		return nil
	}
	head := chatText(title)
	if creator = chatText(creator); creator != "" && cells(head)+cells(creator)+2 <= chatColumns {
		head += ", " + creator
	}
	return listed(head, rows, own, chatFrames, 3, "more of its own")
}

// chatFrame is a frame in one line: columns would tear on a narrow screen.
func chatFrame(mark string, f *Frame) string {
	name, file := chatText(shortFunction(f.Function)), chatText(fileLine(f))
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
	shown := i.Buckets[:min(len(i.Buckets), chatShapes)]
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
	return listed(chatText(shapesTitle(i)), rows, len(i.Buckets), chatShapes, 2, "more shapes")
}

// chatEvidence is what the logs show of a bug without a crash.
func chatEvidence(m *Match, place placeFunc) *section {
	var rows []string
	for _, e := range m.Evidence {
		at := chatText(place(e.Source, e.Line))
		for _, l := range cappedAt(Wrap(chatText(conditionWords(e.Condition, "")), chatColumns-2-min(cells(at)+2, 30)), 1) {
			rows = append(rows, bounded(Cut("  "+strings.Join(nonEmpty(l, at), "  "), chatColumns)))
		}
		if len(rows) == chatFrames {
			break
		}
	}
	return listed("what the logs show", rows, len(m.Evidence), chatFrames, 1, "more")
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
	s := listed(chatText(candidatesTitle(i)), rows, 0, len(rows), 2, "")
	return s
}

var (
	// namedAll are the mentions that reach everybody in a channel.
	namedAll = regexp.MustCompile(`(?i)@(here|channel|everyone|group)`)
	// mention is an "@" that begins a name; "user@host" and "module@v1.2.3" are none.
	mention = regexp.MustCompile(`(^|[^A-Za-z0-9])@([\pL\pN_])`)
	// angle is what the angle brackets of Slack can hold: <!channel>, <@U012>, <#C012>, <https://…>.
	angle = regexp.MustCompile(`<([!@#]|[A-Za-z][A-Za-z0-9+.-]*:)`)
	// shortcode is the name of an emoji between colons.
	shortcode = regexp.MustCompile(`:([A-Za-z][A-Za-z0-9_+-]*):`)
)

// chatText makes text of an input safe to paste into a chat, on one line: Escape, no backtick, which
// could close a fence, and mentions broken by a blank, since pasted text shows entities as they are.
func chatText(s string) string {
	s = strings.ReplaceAll(Escape(s), "`", "'")
	s = angle.ReplaceAllString(s, "< $1")
	s = namedAll.ReplaceAllString(s, "@ $1")
	return mention.ReplaceAllString(s, "$1@ $2")
}

// mute keeps text outside of a fence from turning into emoji.
func mute(s string) string { return shortcode.ReplaceAllString(s, ": $1:") }
