package parse

import (
	"bytes"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// A structured log record is one line in one of the forms below. The reader
// finds the part that decides a record's bucket (its head) without decoding the
// rest; the other fields are decoded only for records that are kept.
//
//	hclog-json  {"@level":"error","@message":"…","@module":"agent.server","@timestamp":"…","k":v}
//	hclog       2026-04-23T17:13:21.011Z [ERROR] agent.server: message: k=v k="v w"
//	logutils    2017/03/10 00:13:34 [DEBUG] http: message           (HashiCorp before hclog)
//	zap         {"level":"error","ts":1.6e9,"logger":"…","caller":"a/b.go:12","msg":"…"}
//	            2006-01-02T15:04:05.000Z<TAB>ERROR<TAB>logger<TAB>a/b.go:12<TAB>message<TAB>{json}
//	logrus      time="…" level=error msg="…" k=v · {"level":"error","msg":"…","time":"…"} · ERRO[0012] message  k=v
//	slog        time=… level=ERROR msg="…" k=v · {"time":"…","level":"ERROR","msg":"…"} · 2006/01/02 15:04:05 INFO message k=v
//	zerolog     {"level":"error","time":"…","message":"…"} · 10:21AM ERR message k=v
//	klog        E0102 15:04:05.678901    1234 file.go:123] message · … file.go:123] "message" k="v"
//	logfmt      level=info ts=… caller=… msg="…" k=v               (go-kit)
//	log         2006/01/02 15:04:05 message                          (package log: no level)
//	text        2006-01-02 15:04:05.000 [INFO] message, 2006-01-02 15:04:05 INFO message, …
//	json        any other object with a level or time and a message
//
// The forms are those that the loggers' own sources write.

// head is the part of a record that is always read. Its slices alias the line
// or the parser's buffers and are valid until the next call.
type head struct {
	format  string
	level   string // normalised, a constant
	clock   []byte
	time    time.Time
	module  []byte
	message []byte
	err     []byte
	caller  []byte
	tail    []byte // text forms: the k=v part, or zap console's JSON object
	pairs   bool   // the tail is the whole record, head keys included
	object  []byte // JSON forms: the object
}

// recordParser reads heads; it owns the buffers that unescaped values live in.
type recordParser struct {
	buf []byte
}

// parse reads the record that b holds, if it is a whole one.
func (p *recordParser) parse(b []byte) (h head, ok bool) {
	p.buf = p.buf[:0]
	b = trimSpace(b)
	if len(b) < 8 {
		return h, false
	}
	if b[0] == '{' {
		h, end, state := p.json(b)
		return h, state == jsonWhole && end > 0 && h.isRecord()
	}
	if h, ok = p.text(b); ok {
		return h, true
	}
	// A record behind a prefix that nobody knows: "2022-04-13_07:10:52.90068 {json}".
	if last := b[len(b)-1]; last == '}' {
		if i := bytes.Index(b[:min(len(b), 200)], []byte(`{"`)); i > 0 {
			h, end, state := p.json(b[i:])
			return h, state == jsonWhole && end == len(b)-i && h.isRecord()
		}
	}
	return head{}, false
}

// isRecord tells a log record from any other object: it speaks, and says how loud or when.
func (h *head) isRecord() bool {
	switch {
	case h.format == "hclog-json":
		return true
	case h.message != nil:
		return h.level != "" || h.clock != nil
	}
	return h.level != "" && h.err != nil
}

// fields decodes what the head left out.
func (h *head) fields() map[string]string {
	m := make(map[string]string)
	if h.object != nil {
		jsonFields(h.object, h.format == "hclog-json", m)
	} else {
		if len(h.tail) > 0 && h.tail[0] == '{' {
			jsonFields(h.tail, false, m)
		} else {
			textFields(h.tail, m)
		}
		if h.pairs {
			for key := range m {
				if isHeadKey(key, false) {
					delete(m, key)
				}
			}
		}
		if len(h.caller) > 0 {
			m["caller"] = string(h.caller)
		}
	}
	delete(m, "")
	if len(m) == 0 {
		return nil
	}
	return m
}

// Levels, from the most severe; "" is unknown.
var levels = []string{"panic", "fatal", "critical", "error", "warn", "notice", "info", "debug", "trace"}

// levelRank orders levels, the most severe first.
func levelRank(level string) int {
	for i, l := range levels {
		if l == level {
			return i
		}
	}
	return len(levels)
}

// levelOf normalises a level word of any logger; "" if it is none. Only whole
// words count: this also decides whether "[…]" is a level.
func levelOf(b []byte) string {
	// slog prints distances: "INFO+2", "ERROR-4".
	if n := len(b); n > 5 && isDigit(b[n-1]) {
		if i := bytes.IndexAny(b, "+-"); i > 0 {
			b = b[:i]
		}
	}
	if len(b) < 3 || len(b) > 11 {
		return ""
	}
	var low [11]byte
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[i] = c
	}
	switch string(low[:len(b)]) {
	case "error", "err", "erro", "eror":
		return "error"
	case "warn", "warning", "wrn":
		return "warn"
	case "info", "inf", "information":
		return "info"
	case "debug", "dbg", "debu", "debg":
		return "debug"
	case "trace", "trc", "trac":
		return "trace"
	case "notice":
		return "notice"
	case "fatal", "ftl", "fata":
		return "fatal"
	case "panic", "dpanic", "pnc", "pani":
		return "panic"
	case "critical", "crit", "crt", "alert", "emergency", "emerg":
		return "critical"
	}
	return ""
}

// letterLevel is levelOf for loggers that print one letter.
func letterLevel(c byte) string {
	switch c {
	case 'I':
		return "info"
	case 'W':
		return "warn"
	case 'E':
		return "error"
	case 'F':
		return "fatal"
	case 'C':
		return "critical"
	case 'D':
		return "debug"
	case 'N':
		return "notice"
	case 'T':
		return "trace"
	}
	return ""
}

// unquote decodes a JSON value to text: a string's content, anything else as it
// stands. The result aliases val where nothing is escaped.
func (p *recordParser) unquote(val []byte) []byte {
	if len(val) == 0 || val[0] != '"' {
		return val
	}
	inner := val[1:]
	if n := len(inner); n > 0 && inner[n-1] == '"' {
		inner = inner[:n-1]
	}
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	at := len(p.buf)
	p.buf = appendUnescaped(p.buf, inner)
	return p.buf[at:len(p.buf):len(p.buf)]
}

// appendUnescaped decodes the inside of a JSON string. The escapes that Go's
// encoder writes into text are decoded here; a surrogate pair or anything odd is
// left to gjson.
func appendUnescaped(dst, inner []byte) []byte {
	at := len(dst)
	for rest := inner; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 || i+1 == len(rest) {
			return append(dst, rest...)
		}
		dst = append(dst, rest[:i]...)
		c := rest[i+1]
		n := 2
		switch c {
		case '"', '\\', '/':
			dst = append(dst, c)
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'u':
			r, ok := hex4(rest[i+2:])
			if !ok || utf16.IsSurrogate(r) {
				return append(dst[:at], jsonText(inner)...)
			}
			dst = utf8.AppendRune(dst, r)
			n = 6
		default:
			return append(dst[:at], jsonText(inner)...)
		}
		rest = rest[i+n:]
	}
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		r <<= 4
		switch {
		case isDigit(c):
			r |= rune(c - '0')
		case c >= 'a' && c <= 'f':
			r |= rune(c-'a') + 10
		case c >= 'A' && c <= 'F':
			r |= rune(c-'A') + 10
		default:
			return 0, false
		}
	}
	return r, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
