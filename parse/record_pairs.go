package parse

import (
	"bytes"
	"strconv"
)

// Pairs are written by many loggers as
//
//	key=value key="quoted value" key=[a, b] key={x y}
//
// hclog allows blanks in a key ("backoff time=10ms").

// keyEnd returns the length of the key in front of "=", 0 if b does not begin with one.
func keyEnd(b []byte) int {
	for i, c := range b {
		switch {
		case c == '=':
			return i
		case isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || c == '@' || c == '/':
			if i > 64 {
				return 0
			}
		default:
			return 0
		}
	}
	return 0
}

// looseKeyEnd is keyEnd for a key of up to four words.
func looseKeyEnd(b []byte) int {
	blanks := 0
	for i, c := range b {
		switch {
		case c == '=':
			return i
		case c == ' ':
			if blanks++; blanks > 3 || i == 0 || b[i-1] == ' ' {
				return 0
			}
		case isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || c == '@' || c == '/':
			if i > 80 {
				return 0
			}
		default:
			return 0
		}
	}
	return 0
}

// valueEnd returns where the value that b begins with ends.
func valueEnd(b []byte) int {
	n, _ := valueSpan(b)
	return n
}

// valueSpan is valueEnd; whole is false for a bracket that is never closed.
func valueSpan(b []byte) (n int, whole bool) {
	if len(b) == 0 {
		return 0, true
	}
	whole = true
	switch b[0] {
	case '"':
		if end := stringEnd(b, 0); end > 0 {
			return end + 1, true
		}
		return len(b), true
	case '[', '{':
		// hclog prints slices and structs with blanks; "[::1]:8300" goes on behind its bracket.
		n = balanced(b)
		whole = n > 0
	}
	if i := bytes.IndexByte(b[n:], ' '); i >= 0 {
		return n + i, whole
	}
	return len(b), whole
}

// balanced returns the index behind the bracket that closes b[0], or 0.
func balanced(b []byte) int {
	b = b[:min(len(b), 64<<10)] // longer ones cost their length at every pair
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			if end := stringEnd(b, i); end > 0 {
				i = end
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// pairsReachEnd tells whether b is pairs and nothing else.
func pairsReachEnd(b []byte) bool {
	torn := 0
	for first := true; len(b) > 0; first = false {
		k := keyEnd(b)
		if k <= 0 && !first {
			k = looseKeyEnd(b)
		}
		if k <= 0 {
			return false
		}
		b = b[k+1:]
		n, whole := valueSpan(b)
		if !whole {
			if torn++; torn > 4 { // each cost a look at the whole rest
				return false
			}
		}
		if n < len(b) && b[n] != ' ' {
			return false
		}
		b = trimLeft(b[n:])
	}
	return true
}

// textFields decodes pairs; what is no pair is left out.
func textFields(b []byte, out map[string]string) {
	for n := 0; len(b) > 0 && n < maxFields; n++ {
		k := keyEnd(b)
		if k <= 0 {
			k = looseKeyEnd(b)
		}
		if k <= 0 { // pass over one word
			_, b = firstWord(b)
			b = trimLeft(b)
			continue
		}
		key := string(b[:k])
		b = b[k+1:]
		n := valueEnd(b)
		if _, dup := out[key]; !dup && key != "error" {
			out[key] = cutText(unquotePair(b[:n]), maxFieldValue)
		}
		b = trimLeft(b[n:])
	}
}

// unquotePair decodes a value: Go-quoted or bare.
func unquotePair(b []byte) string {
	if len(b) >= 2 && b[0] == '"' {
		if s, err := strconv.Unquote(string(b)); err == nil {
			return s
		}
		return jsonText(bytes.TrimSuffix(b[1:], []byte{'"'})) // cut off, or escapes that Go doesn't know
	}
	return string(b)
}

// pairValue finds the raw value of the first of the keys in pairs.
func pairValue(b []byte, keys ...string) []byte {
	for _, key := range keys {
		for i := 0; i < len(b); {
			k := bytes.Index(b[i:], []byte(key))
			if k < 0 {
				break
			}
			i += k
			end := i + len(key)
			if end < len(b) && b[end] == '=' && (i == 0 || b[i-1] == ' ') {
				v := b[end+1:]
				return v[:valueEnd(v)]
			}
			i = end
		}
	}
	return nil
}

// tailError reads error= or err= from pairs.
func (p *recordParser) tailError(tail []byte) []byte {
	v := pairValue(tail, "error", "err")
	if len(v) == 0 || v[0] != '"' || bytes.IndexByte(v, '\\') < 0 {
		return bytes.Trim(v, `"`)
	}
	at := len(p.buf)
	p.buf = append(p.buf, unquotePair(v)...)
	return p.buf[at:len(p.buf):len(p.buf)]
}

// logfmt reads lines that are pairs from their first byte: logrus and slog text,
// go-kit. A level or time must be among them, and a message.
func (p *recordParser) logfmt(b []byte) (h head, ok bool) {
	if keyEnd(b) <= 0 {
		return h, false
	}
	var raw []byte
	quotedTime, upperLevel, n := false, false, 0
	h.tail, h.pairs = b, true
	for rest := b; len(rest) > 0 && n < 64; n++ {
		k := keyEnd(rest)
		if k <= 0 { // go-kit prints what it is given: one bare word more does no harm
			_, rest = firstWord(rest)
			rest = trimLeft(rest)
			continue
		}
		key := rest[:k]
		rest = rest[k+1:]
		end := valueEnd(rest)
		val := rest[:end]
		rest = trimLeft(rest[end:])
		switch string(key) {
		case "level", "lvl", "severity":
			v := bytes.Trim(val, `"`)
			h.level = levelOf(v)
			upperLevel = len(v) > 0 && v[0] >= 'A' && v[0] <= 'Z'
		case "time", "ts", "t", "timestamp":
			quotedTime = len(val) > 0 && val[0] == '"'
			h.setClock(bytes.Trim(val, `"`))
		case "msg", "message":
			raw = val
		case "caller":
			h.caller = val
		case "logger", "component", "module":
			h.module = bytes.Trim(val, `"`)
		case "err", "error":
			h.err = p.pair(val)
		}
	}
	if h.level == "" && (h.clock == nil || raw == nil) || raw == nil && h.err == nil {
		return head{}, false
	}
	h.message = p.pair(raw)
	switch {
	case upperLevel:
		h.format = "slog"
	case quotedTime:
		h.format = "logrus"
	default:
		h.format = "logfmt"
	}
	return h, true
}

// pair decodes a pair's value into the parser's buffer if it must.
func (p *recordParser) pair(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return v
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return bytes.Trim(v, `"`)
	}
	at := len(p.buf)
	p.buf = append(p.buf, unquotePair(v)...)
	return p.buf[at:len(p.buf):len(p.buf)]
}
