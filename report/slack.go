package report

import (
	"io"
	"strings"
	"unicode/utf8"
)

// The bounds of a message to paste: what a channel shows without folding it, and what Slack keeps
// as one message.
const (
	slackLines = 30
	slackRunes = 3500
)

// Slack writes one message to paste into a chat: the verdict in a line, below it one fenced block
// with what died, the bug, its fix and what to do, and the thread as a link. It has at most 30
// lines of at most 78 columns and 3,500 characters, whatever the document: the strongest entry is
// told whole, others in a line each as far as there is room. With o.Quiet it is the verdict alone.
//
// Pasted text shows entities as they are, so nothing is entity-escaped.
func Slack(w io.Writer, d *Document, o Options) error {
	m := newMessage(d)
	if o.Quiet {
		m = &message{answer: m.answer, link: m.link}
	}
	text := m.paste()
	for strings.Count(text, "\n") > slackLines || utf8.RuneCountInString(text) > slackRunes {
		if !m.shorten() {
			break
		}
		text = m.paste()
	}
	_, err := io.WriteString(w, text)
	return err
}

// paste is the message as it stands.
func (m *message) paste() string {
	var b strings.Builder
	b.WriteString(m.answer + "\n")
	if body := m.body(); len(body) > 0 {
		b.WriteString("```\n")
		for _, l := range body {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
		b.WriteString("```\n")
	}
	if m.link != "" {
		b.WriteString(m.link + "\n")
	}
	return b.String()
}

// body is the inside of the fence.
func (m *message) body() []string {
	var out []string
	for _, s := range m.sections() {
		if s.head != "" && len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, s.lines()...)
	}
	if m.id != "" {
		if len(m.facts) < len(m.sections()) {
			out = append(out, "")
		}
		out = append(out, bounded("id: "+m.id))
	}
	return out
}
