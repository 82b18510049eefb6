package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// issueDoc collects the Markdown of an issue. What comes from the input stands in code spans and
// fences alone, where GitHub reads no markup, mention, reference or HTML.
type issueDoc struct{ b strings.Builder }

func (w *issueDoc) head(text string)      { w.b.WriteString("\n## " + text + "\n\n") }
func (w *issueDoc) line(text string)      { w.b.WriteString(text + "\n") }
func (w *issueDoc) paragraph(text string) { w.b.WriteString(text + "\n\n") }
func (w *issueDoc) bullet(text string)    { w.b.WriteString("- " + text + "\n") }
func (w *issueDoc) todo(text string)      { w.b.WriteString("- [ ] " + text + "\n") }

func (w *issueDoc) table(heads ...string) {
	w.line("| " + strings.Join(heads, " | ") + " |")
	w.line("|" + strings.Repeat(" --- |", len(heads)))
}

func (w *issueDoc) cells(cells ...string) { w.line("| " + strings.Join(cells, " | ") + " |") }

// fence writes lines of the input within a fence that none of them can close. What does not fit
// room, in runes, is counted and left out.
func (w *issueDoc) fence(lines []string, room int) {
	ticks, used, n := 3, 0, 0
	for ; n < len(lines); n++ {
		lines[n] = issueCut(lines[n], 400)
		if used += utf8.RuneCountInString(lines[n]) + 1; used > room {
			break
		}
		ticks = max(ticks, longestRun(lines[n], '`')+1)
	}
	mark := strings.Repeat("`", ticks)
	w.line(mark + "text")
	for _, l := range lines[:n] {
		w.line(l)
	}
	if left := len(lines) - n; left > 0 {
		w.line(fmt.Sprintf("… %s cut here", count(left, "more line,", "more lines,")))
	}
	w.line(mark)
}

// issueCut shortens text, and says by how much.
func issueCut(text string, runes int) string {
	n := utf8.RuneCountInString(text)
	if n <= runes {
		return text
	}
	cut := 0
	for range runes {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	return fmt.Sprintf("%s… (%s)", text[:cut], count(n-runes, "more character", "more characters"))
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// issueCode is text from the input as a code span. A bar would end the cell of a table even there.
func issueCode(text string) string {
	text = strings.TrimSpace(Escape(text))
	if text == "" {
		return ""
	}
	text = issueCut(strings.ReplaceAll(text, "|", `\x7c`), 300)
	mark := strings.Repeat("`", longestRun(text, '`')+1)
	pad := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		pad = " "
	}
	return mark + pad + text + pad + mark
}

// issueText is a sentence of a signature or of ours as plain text: no markup, and neither a
// mention nor a reference, which no backslash keeps GitHub from seeing.
func issueText(text string) string {
	text = issueCut(strings.TrimSpace(Escape(text)), 1000)
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '@' || c == '#':
			b.WriteString("`" + string(c) + "`")
		case strings.IndexByte("\\`*_[]<>|~$&", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// plainURL is a URL that cannot leave the link that it is written into.
var plainURL = regexp.MustCompile(`^https://[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~%/?=#+-]*)?$`)

// issueLink is a link that says what it leads to.
func issueLink(url string) string {
	if !plainURL.MatchString(url) {
		return issueCode(url)
	}
	return "[" + strings.NewReplacer("_", `\_`, "~", `\~`).Replace(shortURL(url)) + "](" + url + ")"
}
