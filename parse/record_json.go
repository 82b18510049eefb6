package parse

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// jsonState says how far an object could be read.
type jsonState uint8

const (
	jsonWhole jsonState = iota // its closing brace was found
	jsonOpen                   // the text ends inside it
	jsonBad                    // it is no object
)

// members walks the members of one JSON object. It is lenient where people
// shorten what they paste: "..." or "…" in place of members, trailing commas,
// missing values and line breaks inside strings are passed over.
type members struct {
	b        []byte
	i        int // next byte to read
	state    jsonState
	key, val []byte // val raw, with quotes
	torn     bool   // val ends with the text, not with its own end
	junk     int    // bytes passed over that were no JSON
}

func newMembers(b []byte) members { return members{b: b, i: 1, state: jsonOpen} }

// next advances to the next member; false at the object's end, the text's end or nonsense.
func (m *members) next() bool {
	b := m.b
	for m.i < len(b) {
		switch c := b[m.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',':
			m.i++
		case c == '}':
			m.i++
			m.state = jsonWhole
			return false
		case c == '"':
			return m.member()
		default: // "...", "…", "[snip]"
			m.i++
			if m.junk++; m.junk > 64 {
				m.state = jsonBad
				return false
			}
		}
	}
	return false
}

func (m *members) member() bool {
	b := m.b
	end := stringEnd(b, m.i)
	if end < 0 {
		m.i = len(b)
		return false
	}
	m.key = b[m.i+1 : end]
	i := skipSpace(b, end+1)
	if i >= len(b) {
		m.i = len(b)
		return false
	}
	if b[i] != ':' { // a bare string: no member, and in valid JSON impossible
		m.junk += 8
		m.i = end + 1
		if m.junk > 64 {
			m.state = jsonBad
			return false
		}
		return m.next()
	}
	i = skipSpace(b, i+1)
	m.torn = false
	switch {
	case i >= len(b):
		m.val, m.torn = nil, true
	case b[i] == '"':
		if end = stringEnd(b, i); end < 0 {
			m.val, m.torn, i = b[i:], true, len(b)
		} else {
			m.val = b[i : end+1]
			i = end + 1
		}
	case b[i] == '{' || b[i] == '[':
		end = nestedEnd(b, i)
		if end < 0 {
			m.val, m.torn, i = b[i:], true, len(b)
		} else {
			m.val = b[i:end]
			i = end
		}
	default:
		start := i
		for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != '\n' {
			i++
		}
		m.val = trimRight(b[start:i])
	}
	m.i = i
	return true
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the index of the quote that closes the string opened at b[i], or -1.
func stringEnd(b []byte, i int) int {
	for j := i + 1; ; {
		k := bytes.IndexByte(b[j:], '"')
		if k < 0 {
			return -1
		}
		j += k
		n := 0
		for b[j-1-n] == '\\' { // b[i] is a quote: this ends
			n++
		}
		if n%2 == 0 {
			return j
		}
		j++
	}
}

// nestedEnd returns the index behind the object or array opened at b[i], or -1.
func nestedEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			end := stringEnd(b, i)
			if end < 0 {
				return -1
			}
			i = end
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// json reads the head of the object at b[0], and where the object ends.
func (p *recordParser) json(b []byte) (h head, end int, state jsonState) {
	var (
		at, plain        head
		atTime, ptime    []byte
		errVal           []byte
		name, source     []byte
		hclog, ts, upper bool
		severity         bool
		zapKeys          bool
		msgKey           byte
	)
	m := newMembers(b)
	for m.next() {
		key := m.key
		if len(key) == 0 || len(key) > 13 {
			continue
		}
		if key[0] == '@' {
			switch string(key) {
			case "@level":
				at.level, hclog = levelOf(p.unquote(m.val)), true
			case "@message":
				at.message, hclog = p.unquote(m.val), true
			case "@module":
				at.module, hclog = p.unquote(m.val), true
			case "@timestamp":
				atTime = m.val
			case "@caller":
				at.caller, hclog = p.unquote(m.val), true
			}
			continue
		}
		switch string(key) {
		case "error", "err", "Error", "error.message":
			if errVal == nil {
				errVal = m.val
			}
		case "level", "lvl", "severity", "Level", "LEVEL", "log.level", "levelname":
			if plain.level == "" {
				v := p.unquote(m.val)
				plain.level, severity = levelOf(v), key[0] == 's'
				upper = len(v) > 0 && v[0] >= 'A' && v[0] <= 'Z'
				if plain.level == "" {
					plain.level = numberLevel(v)
				}
			}
		case "msg", "message", "Message", "MESSAGE", "Msg":
			if plain.message == nil {
				plain.message, msgKey = p.unquote(m.val), key[len(key)-1]
			}
		case "logger", "module", "component":
			if plain.module == nil {
				plain.module = p.unquote(m.val)
				zapKeys = zapKeys || key[0] == 'l'
			}
		case "name":
			name = m.val
		case "source":
			source = m.val
		case "caller":
			plain.caller, zapKeys = p.unquote(m.val), true
		case "stacktrace":
			zapKeys = true
		case "time", "timestamp", "Time", "Timestamp", "datetime", "t":
			if ptime == nil {
				ptime = m.val
			}
		case "ts":
			if ptime == nil {
				ptime, ts = m.val, true
			}
		}
	}
	if m.state == jsonBad {
		return h, 0, jsonBad
	}
	if hclog {
		h = at
		h.format = "hclog-json"
		h.setClock(p.unquote(atTime))
	} else {
		h = plain
		if ptime == nil {
			ptime = atTime // logstash encoders
		}
		h.setClock(p.unquote(ptime))
		if h.module == nil && len(source) > 0 && source[0] == '"' {
			h.module = p.unquote(source)
		}
		if h.module == nil && len(name) > 0 && name[0] == '"' {
			h.module = p.unquote(name)
		}
		switch {
		case severity:
			h.format = "json" // zap and others, set up for a cloud's log
		case ts || zapKeys && msgKey == 'g':
			h.format = "zap"
		case msgKey == 'g' && h.clock != nil && upper:
			h.format = "slog"
		case msgKey == 'g' && h.clock != nil && h.level != "":
			h.format = "logrus"
		case msgKey == 'e' && h.clock != nil && h.level != "" && !upper:
			h.format = "zerolog"
		default:
			h.format = "json"
		}
	}
	if len(errVal) > 0 && !bytes.Equal(errVal, []byte("null")) {
		h.err = p.unquote(errVal)
	}
	h.object = b[:m.i]
	return h, m.i, m.state
}

// numberLevel reads the levels of loggers that print numbers (pino, bunyan).
func numberLevel(v []byte) string {
	switch string(v) {
	case "10":
		return "trace"
	case "20":
		return "debug"
	case "30":
		return "info"
	case "40":
		return "warn"
	case "50":
		return "error"
	case "60":
		return "fatal"
	}
	return ""
}

// setClock keeps the time as printed, and as a time where it is whole. What was
// cut ("...342943Z") stays a clock without a time.
func (h *head) setClock(b []byte) {
	if len(b) == 0 {
		return
	}
	h.clock = b
	if t, n, ok := timestamp(b); ok && len(trimSpace(b[n:])) == 0 {
		h.time = t
		return
	}
	if isDigit(b[0]) && len(b) <= 24 {
		h.time = epoch(b)
	}
}

// epoch reads seconds, milliseconds, microseconds or nanoseconds since 1970, told
// apart by their size; years outside of 2000–2100 are not believed.
func epoch(b []byte) time.Time {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(f) {
		return time.Time{}
	}
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		if s := f / unit; s > 946684800 && s < 4102444800 {
			if n, err := strconv.ParseInt(string(b), 10, 64); err == nil { // exact
				u := int64(unit)
				return time.Unix(n/u, n%u*(1e9/u)).UTC()
			}
			sec, frac := math.Modf(s)
			return time.Unix(int64(sec), int64(math.Round(frac*1e6))*1000).UTC()
		}
	}
	return time.Time{}
}

// Bounds of one record's fields: a record may be megabytes long.
const (
	maxFields     = 256
	maxFieldValue = 4 << 10
)

// jsonFields decodes the members that the head does not hold.
func jsonFields(object []byte, hclog bool, out map[string]string) {
	m := newMembers(object)
	for m.next() && len(out) < maxFields {
		key := jsonText(m.key)
		if isHeadKey(key, hclog) {
			continue
		}
		if _, dup := out[key]; dup {
			continue
		}
		val := m.val
		if len(val) > 0 && val[0] == '"' {
			inner := val[1:]
			if n := len(inner); !m.torn && n > 0 {
				inner = inner[:n-1]
			}
			out[key] = cutText(jsonText(inner), maxFieldValue)
			continue
		}
		out[key] = cutText(string(val), maxFieldValue)
	}
}

// isHeadKey tells the keys whose values stand in Record's own fields. "source",
// "name", "module" and "caller" may mean other things: they stay fields too.
func isHeadKey(key string, hclog bool) bool {
	switch key {
	case "@level", "@message", "@module", "@timestamp", "error":
		return true
	case "err", "level", "lvl", "severity", "Level", "LEVEL", "log.level", "levelname", "msg", "message", "Message", "MESSAGE", "Msg",
		"logger", "time", "timestamp", "Time", "Timestamp", "datetime", "t", "ts":
		return !hclog
	}
	return false
}

// jsonText decodes the inside of a JSON string.
func jsonText(inner []byte) string {
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	quoted := make([]byte, 0, len(inner)+2)
	quoted = append(append(append(quoted, '"'), inner...), '"')
	return gjson.ParseBytes(quoted).Str
}

// cutText bounds a text, not inside a rune.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
