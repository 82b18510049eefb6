package report

import (
	"regexp"
	"strings"
)

// nothing stands for a zero-width space until a text is written: Escape leaves no NUL behind. GitHub
// looks for mentions and references in the finished page, where a character reference for "@" is an
// "@" again; only something between the characters keeps them apart.
const nothing = "\x00"

var (
	// markdownNames are what GitHub makes a link of, or a notification: @user, #12, GH-12, :emoji:.
	markdownNames = strings.NewReplacer("@", "@"+nothing)
	issueNumber   = regexp.MustCompile(`#(\d)`)
	issueWord     = regexp.MustCompile(`(?i)\b(gh-)(\d)`)
	// markdownLead is what begins a list, a heading or a rule at the beginning of a line.
	markdownLead = regexp.MustCompile(`^(\s*)([-+=]|\d+[.)])`)

	markdownMarks = strings.NewReplacer(
		"&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "~", "&#126;",
		"[", "&#91;", "]", "&#93;", "|", "&#124;", `\`, "&#92;", "$", "&#36;", "#", "&#35;", "!", "&#33;",
		"://", "&#58;//", "www.", "www&#46;", "WWW.", "WWW&#46;",
	)
)

// mdProse is text on one line in which Markdown, HTML and GitHub find nothing to act on.
func mdProse(s string) string {
	s = markdownNames.Replace(Escape(s))
	s = issueNumber.ReplaceAllString(s, "#"+nothing+"$1")
	s = issueWord.ReplaceAllString(s, "$1"+nothing+"$2")
	s = unpaired(s, nothing)
	lead := ""
	if m := markdownLead.FindStringSubmatchIndex(s); m != nil {
		lead, s = s[:m[5]-1]+mdCharacter(s[m[5]-1]), s[m[5]:]
	}
	return lead + strings.ReplaceAll(markdownMarks.Replace(s), nothing, "&#8203;")
}

// mdCharacter is a character reference to one of the marks that can begin a line.
func mdCharacter(c byte) string {
	return map[byte]string{'-': "&#45;", '+': "&#43;", '=': "&#61;", '.': "&#46;", ')': "&#41;"}[c]
}

// mdPrinted is what a program printed, as code; GitHub looks for no names in code. "" stays "".
func mdPrinted(s string) string {
	if s = Escape(s); strings.TrimSpace(s) == "" {
		return ""
	}
	return "<code>" + markdownMarks.Replace(s) + "</code>"
}

// mdThread is a link to an address of the web; the text alone for any other.
func mdThread(text, url string) string {
	if !webLink(url) {
		return mdProse(text)
	}
	return "[" + markdownMarks.Replace(Escape(text)) + "](" + url + ")"
}

// mdWithThread is prose in which the thread it names is a link.
func mdWithThread(text, url string) string {
	if !webLink(url) {
		return mdProse(text)
	}
	for _, name := range []string{url, shortURL(url)} {
		if before, after, ok := strings.Cut(text, name); ok {
			return mdProse(before) + mdThread(shortURL(url), url) + mdProse(after)
		}
	}
	return mdProse(text)
}

// mdFence is lines in a fence that none of them can close.
func mdFence(lines []string) string {
	text := strings.Join(lines, "\n")
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "\n" + text + "\n" + mark + "\n"
}
