package report

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	// namedAll are the mentions that reach everybody in a channel.
	namedAll = regexp.MustCompile(`(?i)@(here|channel|everyone|group)`)
	// mention is an "@" that begins a name; "user@host" and "module@v1.2.3" are none.
	mention = regexp.MustCompile(`(^|[^A-Za-z0-9])@([\pL\pN_])`)
	// angle is what the angle brackets of Slack can hold: <!channel>, <@U012>, <#C012>, <https://…>.
	angle = regexp.MustCompile(`<([!@#]|[A-Za-z][A-Za-z0-9+.-]*:)`)
	// shortcode is the name of an emoji between colons.
	shortcode = regexp.MustCompile(`:([A-Za-z+-][A-Za-z0-9_+-]*):`)
)

// chatText makes text of an input safe to paste into a chat, on one line: Escape, no backtick, which
// could close a fence, and mentions broken by a blank, since pasted text shows entities as they are.
func chatText(s string) string { return angle.ReplaceAllString(unmentioned(s), "< $1") }

// unmentioned is text on one line without backticks and without a name that a chat would call.
func unmentioned(s string) string {
	s = strings.ReplaceAll(Escape(s), "`", "'")
	s = namedAll.ReplaceAllString(s, "@ $1")
	return mention.ReplaceAllString(s, "$1@ $2")
}

// mute keeps text outside of a fence from turning into emoji.
func mute(s string) string { return unpaired(s, " ") }

// unpaired puts something behind the first colon of every name of an emoji. Two of them can share
// a colon, so it looks twice.
func unpaired(s, between string) string {
	for range 2 {
		s = shortcode.ReplaceAllString(s, ":"+between+"$1:")
	}
	return s
}

// bounded cuts a line that is short in columns and long in characters, as combining marks make one.
func bounded(line string) string { return cutRunes(line, chatColumns+30) }

// cutRunes shortens text to n characters; "…" marks what is gone.
func cutRunes(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}
