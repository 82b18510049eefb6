package report

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes text from an input safe to show: what a terminal would obey or a reader would not
// see is written as the escape that a Go string literal has for it ("\x1b", "\u202e"). That covers
// the C0 and C1 controls, DEL, bidirectional and zero-width marks, line separators, tags, bytes that
// are no UTF-8, and everything that has no glyph. A tab becomes two spaces, any other space one, a
// line break "\n": the result is one line. Piles of combining marks are cut down to four.
//
// A CI server obeys some text as a terminal obeys controls: "::" at the beginning of a line, blanks
// aside, and "##[" and "##vso[" anywhere. Their first character is escaped too, the colons at the
// beginning of a word, since any word may come to begin a line.
func Escape(s string) string {
	if plain(s) {
		return disarm(s)
	}
	return disarm(escape(s))
}

// disarm escapes what a CI server would obey.
func disarm(s string) string {
	if strings.Contains(s, "##") {
		for _, command := range ciCommands {
			s = strings.ReplaceAll(s, command, `\x23`+command[1:])
		}
	}
	if !strings.Contains(s, "::") {
		return s
	}
	if strings.HasPrefix(s, "::") {
		s = `\x3a` + s[1:]
	}
	return strings.ReplaceAll(s, " ::", ` \x3a:`)
}

// ciCommands are obeyed wherever they stand in a line.
var ciCommands = []string{"##[", "##vso[", "##teamcity["}

func escape(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\t':
			b.WriteString("  ")
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			if marks++; marks <= 4 {
				b.WriteRune(r)
			} else {
				writeEscaped(&b, r)
			}
			i += n
			continue
		case visible(r):
			b.WriteRune(r)
		default:
			writeEscaped(&b, r)
		}
		marks = 0
		i += n
	}
	return b.String()
}

// plain says whether s is printable ASCII throughout, as nearly all text is.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// visible says whether r has a glyph and changes nothing around it. Hangul fillers and the Braille
// blank are letters and symbols by category, yet nobody can see them.
func visible(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800:
		return false
	}
	return unicode.IsPrint(r)
}

func writeEscaped(b *strings.Builder, r rune) {
	switch {
	case r < 0x80:
		fmt.Fprintf(b, `\x%02x`, r)
	case r < 0x10000:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// makeValid rewrites every string below v to valid UTF-8: a byte that is none becomes a visible
// "\xff", since JSON could only lose it.
func makeValid(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			makeValid(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				makeValid(f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			makeValid(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if k := it.Key().String(); !utf8.ValidString(k) {
				n := it.Value()
				v.SetMapIndex(it.Key(), reflect.Value{})
				v.SetMapIndex(reflect.ValueOf(valid(k)), n)
			}
		}
	case reflect.String:
		if s := v.String(); !utf8.ValidString(s) {
			v.SetString(valid(s))
		}
	}
}

func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
