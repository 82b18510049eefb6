package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// What Slack takes: https://docs.slack.dev/reference/block-kit/blocks, all in characters. The
// ceiling of a whole message is not documented; somewhat above 13,000 it answers
// msg_blocks_too_long.
const (
	slackHeader  = 150
	slackSection = 3000
	slackBlocks  = 12000
	slackText    = 1000 // of the fallback; Slack allows 4,000
)

// slackPayload is the body of an incoming webhook.
type slackPayload struct {
	Text   string       `json:"text"` // what notifications show
	Blocks []slackBlock `json:"blocks"`
}

type slackBlock struct {
	Type     string        `json:"type"`
	Text     *slackObject  `json:"text,omitempty"`
	Elements []slackObject `json:"elements,omitempty"`
}

// slackObject is a text object. Verbatim keeps Slack from making links and mentions by itself.
type slackObject struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Emoji    *bool  `json:"emoji,omitempty"`
	Verbatim bool   `json:"verbatim,omitempty"`
}

// SlackJSON writes the payload for an incoming webhook of Slack: the verdict as header and fallback,
// what is known and what to do, the stack and the shapes in one preformatted section, and the ids.
// It stays within Slack's limits whatever the document.
func SlackJSON(w io.Writer, d *Document, o Options) error {
	m := newMessage(d)
	if o.Quiet {
		m = &message{answer: m.answer, link: m.link}
	}
	// JSON may double what is counted, so the parts shrink until the whole fits.
	for limit := slackSection; ; limit = limit * 3 / 4 {
		p := m.payload(limit)
		blocks, err := slackEncode(p.Blocks)
		if err != nil {
			return err
		}
		if utf8.RuneCount(blocks) > slackBlocks && limit > 200 {
			continue
		}
		body, err := slackEncode(p)
		if err != nil {
			return err
		}
		_, err = w.Write(body)
		return err
	}
}

func slackEncode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&quiet{w: &b})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("writing the Slack payload: %w", err)
	}
	return b.Bytes(), nil
}

// payload has sections of at most limit characters.
func (m *message) payload(limit int) *slackPayload {
	plain := false
	answer := slackCut(m.answer, slackHeader)
	facts := slackFacts(m.rows, limit/4)
	p := &slackPayload{Text: answer}
	p.Blocks = append(p.Blocks, slackBlock{Type: "header", Text: &slackObject{Type: "plain_text", Text: answer, Emoji: &plain}})
	if len(facts) > 0 {
		p.Text = joined(append([]string{answer}, facts[0]), slackText)
	}
	section := func(text string) {
		if text != "" {
			p.Blocks = append(p.Blocks, slackBlock{Type: "section", Text: &slackObject{Type: "mrkdwn", Text: text, Verbatim: true}})
		}
	}
	section(joined(facts, limit))
	section(joined(slackLinesOf(m.candidates), limit/2))
	fence := slackLinesOf(m.stack)
	if shapes := slackLinesOf(m.shapes); len(shapes) > 0 {
		if len(fence) > 0 {
			fence = append(fence, "")
		}
		fence = append(fence, shapes...)
	}
	if len(fence) > 0 {
		section("```\n" + joined(fence, limit-10) + "\n```")
	}
	section(joined(slackLinesOf(m.others), limit/2))
	var ids []slackObject
	for _, text := range nonEmpty(slackLink(m.link, shortURL(m.link)), slackCut(m.id, limit/4)) {
		ids = append(ids, slackObject{Type: "mrkdwn", Text: text, Verbatim: true})
	}
	if len(ids) > 0 {
		p.Blocks = append(p.Blocks, slackBlock{Type: "context", Elements: ids})
	}
	return p
}

// slackFacts are labelled facts as lines of mrkdwn, each text of at most limit characters.
func slackFacts(rows []row, limit int) []string {
	var lines []string
	for _, r := range rows {
		if r.chat == 0 {
			continue
		}
		head := ""
		if r.label != "" {
			head = "*" + r.label + ":* "
		}
		numbered := r.steps() && len(r.texts) > 1
		if numbered {
			lines = append(lines, strings.TrimSpace(head))
		}
		for n, text := range r.texts {
			if n == chatList {
				lines = append(lines, fmt.Sprintf("… %s more", number(len(r.texts)-n)))
				break
			}
			if numbered {
				head = fmt.Sprintf("%d. ", n+1)
			}
			if text = unmentioned(text); !r.code {
				text = mute(text)
			}
			text = slackCut(text, min(r.chat*chatColumns, limit))
			switch {
			case r.code:
				text = "`" + text + "`"
			case webLink(r.link) && len(r.link) <= chatLink:
				short := slackEntities(shortURL(r.link))
				text = strings.Replace(text, short, slackLink(r.link, shortURL(r.link)), 1)
			}
			lines = append(lines, head+text)
			head = ""
		}
	}
	return lines
}

// slackLinesOf are the lines of a section made for pasting, escaped for a payload.
func slackLinesOf(s *section) []string {
	if s == nil {
		return nil
	}
	var out []string
	for _, l := range s.lines() {
		out = append(out, slackEntities(strings.TrimRight(l, " ")))
	}
	return out
}

// joined are lines of at most limit characters together; "…" stands for what is gone.
func joined(lines []string, limit int) string {
	var b strings.Builder
	n := 0
	for i, l := range lines {
		size := utf8.RuneCountInString(l) + 1
		if n+size > limit-2 {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString("…")
			break
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(l)
		n += size
	}
	return b.String()
}

// slackCut escapes text and keeps it below limit characters, without cutting an entity in two.
func slackCut(text string, limit int) string {
	for n := limit; ; n = n * 3 / 4 {
		if s := slackEntities(cutRunes(text, max(n, 1))); utf8.RuneCountInString(s) <= limit || n <= 1 {
			return s
		}
	}
}

// slackLink is a link of mrkdwn; "" for what is no address of the web.
func slackLink(url, text string) string {
	if !webLink(url) {
		return ""
	}
	return "<" + slackEntities(url) + "|" + slackEntities(text) + ">"
}

// slackEntities escapes what Slack gives a meaning in every text of a payload, and nothing else.
func slackEntities(s string) string { return slackReplacer.Replace(s) }

var slackReplacer = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
