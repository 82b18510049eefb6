package parse

import (
	"bytes"
	"unicode/utf8"
)

// Everything here appends the plain form of its input to dst and never fails:
// what cannot be an escape is copied as it is, since input may be cut anywhere.

// appendUnquoted undoes the escapes of a JSON or Go string, without its quotes.
// Surrogate halves without a partner become U+FFFD, as encoding/json does.
func appendUnquoted(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 || i+1 >= len(b) {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		c := b[i+1]
		b = b[i+2:]
		switch c {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'a':
			dst = append(dst, '\a')
		case 'v':
			dst = append(dst, '\v')
		case '"', '\\', '/', '\'':
			dst = append(dst, c)
		case 'u':
			r, ok := hexRune(b, 4)
			if !ok {
				dst = append(dst, '\\', 'u')
				continue
			}
			b = b[4:]
			if 0xD800 <= r && r < 0xE000 {
				low, ok := rune(0), false
				if r < 0xDC00 && startsWith(b, `\u`) {
					low, ok = hexRune(b[2:], 4)
				}
				if ok && 0xDC00 <= low && low < 0xE000 {
					b = b[6:]
					r = (r-0xD800)<<10 | (low - 0xDC00) + 0x10000
				} else {
					r = utf8.RuneError
				}
			}
			dst = utf8.AppendRune(dst, r)
		case 'U':
			if r, ok := hexRune(b, 8); ok {
				dst, b = utf8.AppendRune(dst, r), b[8:]
			} else {
				dst = append(dst, '\\', 'U')
			}
		case 'x':
			if r, ok := hexRune(b, 2); ok {
				dst, b = append(dst, byte(r)), b[2:]
			} else {
				dst = append(dst, '\\', 'x')
			}
		case '0', '1', '2', '3':
			if len(b) >= 2 && octal(b[0]) && octal(b[1]) {
				dst, b = append(dst, (c-'0')<<6|(b[0]-'0')<<3|(b[1]-'0')), b[2:]
			} else {
				dst = append(dst, '\\', c)
			}
		default:
			dst = append(dst, '\\', c)
		}
	}
}

func octal(c byte) bool { return '0' <= c && c <= '7' }

func hexRune(b []byte, n int) (rune, bool) {
	if len(b) < n {
		return 0, false
	}
	var r rune
	for _, c := range b[:n] {
		switch {
		case digit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// appendUnhashed undoes the control-character escapes of rsyslog and syslog-ng:
// #ooo with three octal digits, below #040 only (#011 tab, #012 newline, #033 escape).
func appendUnhashed(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '#')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		b = b[i:]
		if isHashed(b) {
			dst = append(dst, (b[2]-'0')<<3|(b[3]-'0'))
			b = b[4:]
		} else {
			dst = append(dst, '#')
			b = b[1:]
		}
	}
}

// hashed reports whether b holds such an escape.
func hashed(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '#')
		if i < 0 {
			return false
		}
		if b = b[i:]; isHashed(b) {
			return true
		}
		b = b[1:]
	}
}

func isHashed(b []byte) bool {
	return len(b) >= 4 && b[0] == '#' && b[1] == '0' && '0' <= b[2] && b[2] <= '3' && octal(b[3])
}

// appendPlain drops terminal control: CSI and OSC sequences, the APC sequences
// of Buildkite, other two-byte escapes, and what a carriage return overwrote
// (progress bars) when an escape follows it.
func appendPlain(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, 0x1b)
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		b = b[i+escapeLen(b[i:]):]
	}
}

// escapeLen returns the length of the escape sequence at the beginning of b; at least 1.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 1
	}
	switch b[1] {
	case '[': // CSI: parameters, intermediates, one final byte
		for i := 2; i < len(b); i++ {
			if c := b[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 {
				return i
			}
		}
		return len(b)
	case ']', '_', 'P', '^', 'X': // strings, ended by BEL or ST
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b { // ST, or another sequence: then this one is torn
				if i+1 < len(b) && b[i+1] == '\\' {
					return i + 2
				}
				break
			}
		}
		return 2 // not closed: keep the text
	case '(', ')', '#', '%':
		return min(3, len(b))
	}
	if b[1] >= 0x30 && b[1] <= 0x7e {
		return 2
	}
	return 1
}

// appendHTML decodes the character references that crash text can hold.
func appendHTML(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		b = b[i:]
		r, n := reference(b)
		if n == 0 {
			dst = append(dst, '&')
			b = b[1:]
			continue
		}
		if r == 0xA0 {
			r = ' '
		}
		dst = utf8.AppendRune(dst, r)
		b = b[n:]
	}
}

var htmlNames = []struct {
	name string
	r    rune
}{{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}, {"nbsp;", 0xA0}, {"Tab;", '\t'}, {"NewLine;", '\n'},
	{"lpar;", '('}, {"rpar;", ')'}, {"colon;", ':'}, {"sol;", '/'}, {"ast;", '*'}, {"plus;", '+'}, {"hellip;", '…'}, {"middot;", '·'}, {"shy;", 0xAD}, {"lowbar;", '_'}, {"commat;", '@'}, {"lbrack;", '['}, {"rbrack;", ']'}}

// reference reads one character reference: &name; &#N; &#xH;
func reference(b []byte) (rune, int) {
	if len(b) < 4 || b[0] != '&' {
		return 0, 0
	}
	if b[1] == '#' {
		i, base := 2, rune(10)
		if b[2]|0x20 == 'x' {
			i, base = 3, 16
		}
		var r rune
		for start := i; i < len(b) && i < start+8; i++ {
			c := b[i]
			switch {
			case c == ';' && i > start:
				if r == 0 || r > utf8.MaxRune {
					return utf8.RuneError, i + 1
				}
				return r, i + 1
			case digit(c):
				r = r*base + rune(c-'0')
			case base == 16 && hexDigit(c):
				r = r*16 + rune(c|0x20-'a'+10)
			default:
				return 0, 0
			}
		}
		return 0, 0
	}
	for _, h := range htmlNames {
		if startsWith(b[1:], h.name) {
			return h.r, 1 + len(h.name)
		}
	}
	return 0, 0
}

// appendPrintable undoes quoted-printable (RFC 2045, 6.7) inside one line: =XX.
func appendPrintable(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '=')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		b = b[i+1:]
		if r, ok := hexRune(b, 2); ok {
			dst = append(dst, byte(r))
			b = b[2:]
		} else {
			dst = append(dst, '=')
		}
	}
}

// appendTeamCity undoes the escapes of TeamCity service messages: |n |r |' || |[ |] |0xHHHH.
func appendTeamCity(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '|')
		if i < 0 || i+1 >= len(b) {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		c := b[i+1]
		b = b[i+2:]
		switch c {
		case 'n', 'l', 'p', 'x':
			dst = append(dst, '\n')
		case 'r':
		case '0':
			if r, ok := hexRune(b[min(1, len(b)):], 4); ok && b[0] == 'x' {
				dst, b = utf8.AppendRune(dst, r), b[5:]
			} else {
				dst = append(dst, '|', '0')
			}
		default:
			dst = append(dst, c)
		}
	}
}

// appendUndoubled turns the doubled quotes of a CSV cell into single ones.
func appendUndoubled(dst, b []byte) []byte {
	for {
		i := bytes.Index(b, []byte(`""`))
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i+1]...)
		b = b[i+2:]
	}
}

// appendNumbers reads a JSON array of byte values, as journald prints a message
// that is not UTF-8: [27,91,51,49,109].
func appendNumbers(dst, b []byte) []byte {
	v, seen := 0, false
	for _, c := range b {
		switch {
		case digit(c):
			v, seen = (v*10+int(c-'0'))&0xffff, true
		case seen:
			dst = append(dst, byte(v))
			v, seen = 0, false
		}
	}
	if seen {
		dst = append(dst, byte(v))
	}
	return dst
}
