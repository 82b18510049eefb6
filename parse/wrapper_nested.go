package parse

import "bytes"

// What log stores answer with: the program's line lies deeper in an object, or
// many lines lie in one.

// messageKeys name the member that holds a program's line, in records of log stores.
func messageKey(key []byte) bool {
	switch string(key) {
	case "message", "textPayload", "_raw", "@message", "line", "msg", "log", "MESSAGE", "stringValue":
		return true
	}
	return false
}

// nestedMessage finds a program's line in an object inside the object: _source of Elasticsearch,
// result of Splunk, content of Datadog.
func nestedMessage(f []jsonField, depth int) *jsonField {
	for i := range f {
		m := &f[i]
		if m.kind != '{' || m.cut {
			continue
		}
		switch string(m.key) {
		case "_source", "result", "content", "attributes", "event", "data", "record", "fields":
		default:
			continue
		}
		in := scanJSON(m.val, make([]jsonField, 0, 16))
		for _, key := range []string{"message", "_raw", "@message", "msg", "line", "log", "text"} {
			if t := field(in, key); t != nil && t.kind == '"' {
				return t
			}
		}
		if depth > 1 {
			if t := nestedMessage(in, depth-1); t != nil {
				return t
			}
		}
	}
	return nil
}

// otlpMessage finds the line in an export of OTLP logs that holds one record:
// … "logRecords":[{… "body":{"stringValue":TEXT} …
func otlpMessage(b []byte, f []jsonField) *jsonField {
	if m := field(f, "resourceLogs"); m == nil || m.kind != '[' || bytes.Count(b, []byte(`"body"`)) != 1 {
		return nil
	}
	body := jsonField{key: []byte("body")}
	i := bytes.Index(b, []byte(`"body"`)) + len(`"body"`)
	if i = jsonBlank(b, i); i >= len(b) || b[i] != ':' {
		return nil
	}
	if i = jsonBlank(b, i+1); i >= len(b) {
		return nil
	}
	if body.read(b, i); body.kind != '{' {
		return nil
	}
	m := field(scanJSON(body.val, make([]jsonField, 0, 2)), "stringValue")
	if m == nil || m.kind != '"' {
		return nil
	}
	return m
}

// peelRecords takes a line that is the answer of a log store, with an array of records in it: the
// hits of Elasticsearch, the events of CloudWatch, the streams of Loki, the log records of OTLP.
// The records' lines come in the order of the answer.
func (u *unwrapper) peelRecords(b []byte) (layer, bool) {
	if len(b) > 64<<20 || !u.trapped && !bytes.Contains(b, goroutinePrefix) && !bytes.Contains(b, []byte(".go:")) {
		return layer{}, false
	}
	at := len(u.arena)
	n := 0
	var last []byte // the string before
	key := false    // it was the key of the value that comes
	open := false   // nothing stands between the string and the bracket before it
	pair := false   // the string before was the first of an array
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			e, escaped := quotedEnd(b, i+1)
			if e < 0 {
				e = len(b)
			}
			val := b[i+1 : e]
			// A member of a record, or the second of Loki's pair of nanoseconds and line.
			if key && messageKey(last) || pair && len(last) >= 16 && countDigits(last, 0, 32) == len(last) {
				if escaped {
					u.arena = appendUnquoted(u.arena, val)
				} else {
					u.arena = append(u.arena, val...)
				}
				u.arena = append(bytes.TrimRight(u.arena, "\r\n"), '\n')
				n++
			}
			last, key, open, pair = val, false, false, open
			i = e
		case ':':
			key = true
		case '{', '[', '}', ']':
			last, key, open, pair = nil, false, b[i] == '[', false
		}
	}
	body := u.arena[at:len(u.arena):len(u.arena)]
	if n == 0 || !manyLines(body) {
		u.arena = u.arena[:at]
		return layer{}, false
	}
	return layer{id: wJSON, body: body[:len(body)-1], lines: true}, true
}
