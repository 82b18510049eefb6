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

// fence writes lines of the input, escaped, within a fence that none of them can close. What does
// not fit room, in runes, is counted and left out.
func (w *issueDoc) fence(lines []string, room int) {
	var shown []string
	ticks, used := 3, 0
	for _, l := range lines {
		l = issueCut(l, 400)
		if used += utf8.RuneCountInString(l) + 1; used > room {
			break
		}
		ticks = max(ticks, longestRun(l, '`')+1)
		shown = append(shown, l)
	}
	mark := strings.Repeat("`", ticks)
	w.line(mark + "text")
	for _, l := range shown {
		w.line(l)
	}
	if left := len(lines) - len(shown); left > 0 {
		w.line(fmt.Sprintf("… %s cut here", count(left, "more line,", "more lines,")))
	}
	w.line(mark)
}

// issueCut is text escaped and, where it is long, cut to so many runes; it says how long it was.
func issueCut(text string, runes int) string {
	whole := utf8.RuneCountInString(text)
	out := Escape(firstRunes(text, runes))
	if whole <= runes && utf8.RuneCountInString(out) <= runes {
		return out
	}
	return fmt.Sprintf("%s… (%s in all)", strings.TrimRight(firstRunes(out, runes), " "), count(whole, "character", "characters"))
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
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
func issueCode(text string) string { return issueCodeCut(text, 300) }

func issueCodeCut(text string, runes int) string {
	text = strings.TrimSpace(issueCut(text, runes))
	if text == "" {
		return ""
	}
	text = strings.ReplaceAll(text, "|", `\x7c`)
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
	text = strings.TrimSpace(issueCut(text, 600))
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
