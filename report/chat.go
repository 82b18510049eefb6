package report

import "strings"

// What the formats for chat share: the parts of a message, each of which can lose lines until the
// whole fits. Text of an input is made harmless by chatText before it is laid out.

const (
	chatColumns = 78
	chatFrames  = 5
	chatShapes  = 5
	chatOthers  = 8
	chatList    = 3   // entries of a list that is not frames, shapes or others
	chatLink    = 200 // characters of an address
)

// section is a part of a message: a head, and rows of which the last can be left out.
type section struct {
	head  string
	rows  []string
	shown int    // how many of rows are written
	label string // of a row's section
	total int    // what "… N more" counts; 0 when rows are the lines of one text
	one   string // what is missing: "more frame"
	many  string
}

func (s *section) lines() []string {
	var out []string
	if s.head != "" {
		out = append(out, s.head)
	}
	out = append(out, s.rows[:s.shown]...)
	switch n := s.total - s.shown; {
	case n > 0:
		out = append(out, "  … "+count(n, s.one, s.many))
	case s.shown > 0 && s.shown < len(s.rows):
		last := &out[len(out)-1]
		*last = strings.TrimSuffix(Cut(*last, chatColumns-1), "…") + "…"
	}
	return out
}

// listed is a section that shows at most limit of total rows and says how many are missing; nil
// without rows.
func listed(head string, rows []string, total, limit int, one, many string) *section {
	if len(rows) == 0 {
		return nil
	}
	s := &section{head: bounded(Cut(head, chatColumns)), rows: rows, total: total, one: one, many: many}
	// "… 1 more" would take the room of what it leaves out.
	if s.shown = min(len(rows), limit); total == limit+1 {
		s.shown = len(rows)
	}
	return s
}

// cut takes one row away, down to least, and says whether it could.
func (s *section) cut(least int) bool {
	if s == nil || s.shown <= least || s.total == least+1 && s.shown == s.total {
		return false
	}
	s.shown--
	return true
}

// message is everything that a chat message says about a document.
type message struct {
	answer     string
	link       string
	id         string
	rows       []row      // what is known about the strongest entry
	facts      []*section // and that laid out to paste
	stack      *section
	shapes     *section
	candidates *section
	others     *section
}

func newMessage(d *Document) *message {
	m := &message{}
	all := grouped(d)
	if len(all) == 0 {
		m.answer = bounded(Cut(mute(chatText(noCrash(shortSource(d)))), chatColumns))
		m.rows = sourceRows(d, nil)
		m.facts = chatRows(m.rows)
		return m
	}
	first := all[0]
	place := chatPlace(d)
	m.answer = bounded(Cut(mute(chatText(first.answer(chatColumns))), chatColumns))
	if url := first.link(); len(url) <= chatLink {
		m.link = url
	}
	m.id = chatID(d, first)
	m.rows = append(first.rows(d, place), sourceRows(d, first)...)
	m.facts = chatRows(m.rows)
	if i := first.it.inc; i != nil {
		m.stack = chatStack(i)
		m.shapes = chatShapesOf(i)
		m.candidates = chatCandidates(i)
	} else {
		m.stack = chatEvidence(first.it.finding, place)
	}
	var rows []string
	for _, e := range all[1:min(len(all), chatOthers+2)] {
		rows = append(rows, bounded(Cut("  "+chatText(e.brief(chatColumns-2)), chatColumns)))
	}
	m.others = listed("also found", rows, len(all)-1, chatOthers, "more", "more")
	return m
}

// shortSource is d with the name of its only source cut from the front, so that a line has room for it.
func shortSource(d *Document) *Document {
	if len(d.Sources) != 1 || d.Sources[0].Name == "-" {
		return d
	}
	s := *d.Sources[0]
	s.Name = cutFront(Escape(s.Name), 32)
	short := *d
	short.Sources = []*Source{&s}
	return &short
}

// chatID is what to quote: the ids, and the tool that gave them where there is room.
func chatID(d *Document, e *group) string {
	room := chatColumns - len("id: ")
	id := ""
	for _, word := range append(e.ids(), e.shortPlace(), strings.TrimSpace(d.Tool.Name+" "+d.Tool.Version)) {
		word = chatText(word)
		longer := strings.Join(nonEmpty(id, word), " · ")
		if cells(longer) > room {
			if id == "" {
				id = Cut(word, room)
			}
			break
		}
		id = longer
	}
	return bounded(id)
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
	facts := func(least int, of func(label string) bool) bool {
		for n := len(m.facts) - 1; n >= 0; n-- {
			if of(m.facts[n].label) && m.facts[n].cut(least) {
				return true
			}
		}
		return false
	}
	drop := func(part **section) bool {
		found := *part != nil
		*part = nil
		return found
	}
	aside := func(label string) bool { return label == "because" || label == "also fits" }
	minor := func(label string) bool { return label != "fix" && label != "do now" && label != "" }
	all := func(string) bool { return true }
	switch {
	case m.others.cut(4), facts(0, aside), m.shapes.cut(2), m.others.cut(1), m.stack.cut(3), m.candidates.cut(4):
	case facts(1, minor), m.shapes.cut(1), drop(&m.shapes), m.stack.cut(1), m.candidates.cut(2), facts(3, all), facts(1, all):
	case drop(&m.candidates), drop(&m.stack), facts(0, minor), drop(&m.others), facts(0, all):
	default:
		return false
	}
	return true
}
