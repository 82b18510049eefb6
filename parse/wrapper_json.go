package parse

import "bytes"

// jsonField is one member of an object; both parts are as written, strings without their quotes.
type jsonField struct {
	key, val []byte
	kind     byte // '"' string, '{' object, '[' array, 'n' anything else
	escaped  bool // a string with a backslash
	cut      bool // the input ends inside the value
}

// scanJSON reads the members of the object at the beginning of b, without
// looking into nested values. It reads what it can of a torn one.
func scanJSON(b []byte, f []jsonField) []jsonField {
	i := 1
	for len(f) < 64 {
		i = jsonBlank(b, i)
		if i < len(b) && b[i] == ',' {
			i = jsonBlank(b, i+1)
		}
		if i >= len(b) || b[i] != '"' {
			return f
		}
		e, _ := quotedEnd(b, i+1)
		if e < 0 {
			return f
		}
		m := jsonField{key: b[i+1 : e]}
		i = jsonBlank(b, e+1)
		if i >= len(b) || b[i] != ':' {
			return f
		}
		i = jsonBlank(b, i+1)
		if i >= len(b) {
			return f
		}
		i = m.read(b, i)
		f = append(f, m)
	}
	return f
}

// read takes the value at i and returns the index behind it.
func (m *jsonField) read(b []byte, i int) int {
	switch m.kind = b[i]; m.kind {
	case '"':
		e, escaped := quotedEnd(b, i+1)
		m.escaped = escaped
		if e < 0 {
			m.val, m.cut = b[i+1:], true
			return len(b)
		}
		m.val = b[i+1 : e]
		return e + 1
	case '{', '[':
		depth := 0
		for j := i; j < len(b); j++ {
			switch b[j] {
			case '"':
				e, _ := quotedEnd(b, j+1)
				if e < 0 {
					m.val, m.cut = b[i:], true
					return len(b)
				}
				j = e
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					m.val = b[i : j+1]
					return j + 1
				}
			}
		}
		m.val, m.cut = b[i:], true
		return len(b)
	}
	m.kind = 'n'
	j := i
	for j < len(b) && b[j] != ',' && b[j] != '}' && b[j] != ']' {
		j++
	}
	m.val = trimRight(b[i:j])
	return j
}

func jsonBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// quotedEnd returns the index of the quote that ends the string whose text begins at i; -1 if none does.
func quotedEnd(b []byte, i int) (end int, escaped bool) {
	q := -1 // the next quote; looked for again only behind it, lest many escapes cost many searches
	for {
		if q < i {
			k := bytes.IndexByte(b[i:], '"')
			if k < 0 {
				return -1, escaped || bytes.IndexByte(b[i:], '\\') >= 0
			}
			q = i + k
		}
		k := bytes.IndexByte(b[i:q], '\\')
		if k < 0 {
			return q, escaped
		}
		escaped = true
		i += k + 2 // what follows a backslash ends nothing
		if i > len(b) {
			return -1, true
		}
	}
}

// field returns the member with the given key, or nil.
func field(f []jsonField, key string) *jsonField {
	for i := range f {
		if string(f[i].key) == key {
			return &f[i]
		}
	}
	return nil
}

// text returns a string member's text, unescaped into the arena where needed.
func (u *unwrapper) text(m *jsonField) []byte {
	if !m.escaped {
		return m.val
	}
	at := len(u.arena)
	u.arena = appendUnquoted(u.arena, m.val)
	return u.arena[at:len(u.arena):len(u.arena)]
}

// peelJSON takes a line that is a JSON object in which a log store, a container
// runtime or a test runner put the program's own line.
func (u *unwrapper) peelJSON(b []byte) (layer, bool) {
	if len(b) < 8 || u.quick && leveled(b) {
		return layer{}, false
	}
	u.fields = scanJSON(b, u.fields[:0])
	f := u.fields
	if len(f) == 0 {
		return layer{}, false
	}
	msg, l := jsonMessage(f)
	if msg == nil {
		if msg = nestedMessage(f, 3); msg == nil {
			msg = otlpMessage(b, f)
		}
		if msg == nil {
			return u.peelRecords(b)
		}
		l = layer{id: wJSON, weak: true}
	}
	if l.clockEnd == 0 {
		for _, key := range []string{"time", "Time", "timestamp", "@timestamp", "__REALTIME_TIMESTAMP", "ts", "receiveTimestamp"} {
			if t := field(f, key); t != nil && len(t.val) > 0 && len(t.val) < 64 {
				l.clockAt = cap(b) - cap(t.val)
				l.clockEnd = l.clockAt + len(t.val)
				break
			}
		}
	}
	if msg.kind == '[' { // journald: bytes that are not UTF-8
		at := len(u.arena)
		u.arena = appendNumbers(u.arena, msg.val)
		nl := len(u.arena)
		u.arena = appendPlain(u.arena, u.arena[at:nl])
		l.body = u.arena[nl:len(u.arena):len(u.arena)]
	} else {
		l.body = u.text(msg)
	}
	if l.body == nil {
		l.body = b[:0]
	}
	switch l.id {
	case wDockerJSON, wGoTestJSON, wFluent:
		if n := len(l.body); n > 0 && l.body[n-1] == '\n' {
			l.body = trimCR(l.body[:n-1])
		} else {
			l.partial = l.id != wFluent && !msg.cut
		}
	default:
		l.body = bytes.TrimRight(l.body, "\r\n")
	}
	l.lines = bytes.IndexByte(l.body, '\n') >= 0
	if l.weak {
		// A logger that prints one record a line of a crash, or a shipper that is not known.
		one := l.body
		if l.lines {
			return layer{}, false // a record with a trace in a field: see embedded
		}
		leveled := field(f, "level") != nil || field(f, "@level") != nil || field(f, "severity") != nil || field(f, "lvl") != nil
		switch {
		case crashText(one):
			if !u.firm(one) {
				return layer{}, false
			}
			u.prose.json = hotLines
			u.prose.module = append(u.prose.module[:0], module(f)...)
		case !leveled && (field(f, "@timestamp") != nil || field(f, "_time") != nil || field(f, "_raw") != nil || startsWith(one, `{"`)):
			// nothing that a record reader would miss
		case u.soonBehind(msg.key): // what a handler says before it prints a stack
		case u.prose.json > 0 && (len(one) == 0 || one[0] == '\t' || one[0] == ' ' || !leveled || len(u.prose.module) > 0 && bytes.Equal(u.prose.module, module(f))):
			u.prose.json--
		default:
			return layer{}, false
		}
		l.weak = false
	}
	return l, true
}

// leveled reports whether an object begins like the record of a structured logger.
func leveled(b []byte) bool {
	if startsWith(b, `{"@`) || startsWith(b, `{"level":`) || startsWith(b, `{"severity":`) {
		return true
	}
	if startsWith(b, `{"time":`) || startsWith(b, `{"ts":`) || startsWith(b, `{"timestamp":`) {
		i := bytes.Index(b[:min(len(b), 80)], []byte(`,"`))
		return i > 0 && (startsWith(b[i+1:], `"level":`) || startsWith(b[i+1:], `"severity":`) || startsWith(b[i+1:], `"lvl":`))
	}
	return false
}

// module returns the name of the logger, if the record has one.
func module(f []jsonField) []byte {
	for _, key := range []string{"@module", "logger", "module"} {
		if m := field(f, key); m != nil && m.kind == '"' {
			return m.val
		}
	}
	return nil
}

// jsonMessage finds the member that holds the program's line, and who wrote the object.
func jsonMessage(f []jsonField) (msg *jsonField, l layer) {
	stream := func(keys ...string) []byte {
		for _, k := range keys {
			if m := field(f, k); m != nil && m.kind == '"' {
				return m.val
			}
		}
		return nil
	}
	if m := field(f, "log"); m != nil && m.kind == '"' {
		l.id = wFluent
		l.stream = stream("stream", "source", "container_name")
		if field(f, "stream") != nil && field(f, "time") != nil && len(f) <= 4 {
			l.id = wDockerJSON
		}
		return m, l
	}
	if m := field(f, "Output"); m != nil && field(f, "Action") != nil && m.kind == '"' {
		return m, layer{id: wGoTestJSON, stream: stream("Package", "ImportPath")}
	}
	if m := field(f, "MESSAGE"); m != nil && (m.kind == '"' || m.kind == '[') {
		return m, layer{id: wJournaldJSON, stream: stream("_PID", "SYSLOG_PID", "SYSLOG_IDENTIFIER")}
	}
	if m := field(f, "textPayload"); m != nil && m.kind == '"' {
		return m, layer{id: wGCP, stream: gcpStream(f)}
	}
	if m := field(f, "jsonPayload"); m != nil && m.kind == '{' {
		in := scanJSON(m.val, make([]jsonField, 0, 8))
		if t := field(in, "message"); t != nil && t.kind == '"' {
			return t, layer{id: wGCP, stream: gcpStream(f)}
		}
	}
	if m := field(f, "line"); m != nil && m.kind == '"' && field(f, "labels") != nil {
		return m, layer{id: wLoki}
	}
	m := field(f, "message")
	if m != nil && m.kind == '"' {
		switch {
		case field(f, "podName") != nil:
			return m, layer{id: wStern, stream: stream("podName", "containerName")}
		case field(f, "ingestionTime") != nil || field(f, "eventId") != nil || field(f, "logStreamName") != nil:
			return m, layer{id: wCloudWatch, stream: stream("logStreamName")}
		case field(f, "kubernetes") != nil || field(f, "container_name") != nil || field(f, "docker") != nil || field(f, "agent") != nil && field(f, "ecs") != nil:
			return m, layer{id: wFluent, stream: stream("stream", "container_name")}
		}
	}
	for _, key := range []string{"message", "_raw", "@message", "msg", "text", "content", "line"} {
		if m := field(f, key); m != nil && m.kind == '"' {
			return m, layer{id: wJSON, weak: true}
		}
	}
	return nil, l
}

// gcpStream returns what wrote a log entry of Cloud Logging: the pod or the instance in its resource's labels.
func gcpStream(f []jsonField) []byte {
	m := field(f, "resource")
	if m == nil || m.kind != '{' {
		return nil
	}
	for _, key := range []string{`"pod_name"`, `"instance_id"`, `"revision_name"`} {
		i := bytes.Index(m.val, []byte(key))
		if i < 0 {
			continue
		}
		i = jsonBlank(m.val, i+len(key))
		if i >= len(m.val) || m.val[i] != ':' {
			continue
		}
		i = jsonBlank(m.val, i+1)
		if i < len(m.val) && m.val[i] == '"' {
			if e, _ := quotedEnd(m.val, i+1); e > 0 {
				return m.val[i+1 : e]
			}
		}
	}
	return nil
}

// dockerMemo is the short cut for docker's json-file records:
//
//	{"log":"TEXT\n","stream":"stderr","time":"2026-01-02T03:04:05.123456789Z"}
type dockerMemo struct {
	tail   []byte // \n","stream":"stderr","time":"
	clock  int    // length of the last timestamp
	stream string
	left   int
	hits   int64
}

// fast reads a record that is like the last one, of a program that is dying.
func (d *dockerMemo) fast(u *unwrapper, line []byte) (w wrapped, ok bool) {
	const head = `{"log":"`
	if d.left <= 0 || !startsWith(line, head) || !endsWith(line, `"}`) {
		return w, false
	}
	// The timestamp's zeros are trimmed, so its length changes by a few bytes.
	at := len(line) - 2 - d.clock - len(d.tail)
	if at < len(head) || !bytes.Equal(line[at:at+len(d.tail)], d.tail) {
		q := bytes.LastIndexByte(line[:len(line)-2], '"')
		at = q + 1 - len(d.tail)
		if at < len(head) || !bytes.Equal(line[at:q+1], d.tail) {
			return w, false
		}
		d.clock = len(line) - 2 - q - 1
	}
	raw := line[len(head):at]
	body := raw
	if n := len(raw); n > 0 && raw[n-1] == '\\' { // an escaped backslash before an n
		return w, false
	}
	if i := bytes.IndexByte(raw, '\\'); i >= 0 {
		if i == 0 && raw[1] == 't' && bytes.IndexByte(raw[2:], '\\') < 0 {
			u.arena = append(append(u.arena, '\t'), raw[2:]...)
		} else {
			u.arena = appendUnquoted(u.arena, raw)
			if bytes.IndexByte(u.arena, '\n') >= 0 || bytes.IndexByte(u.arena, 0x1b) >= 0 {
				u.arena = u.arena[:0]
				return w, false
			}
		}
		body = u.arena
	}
	if len(body) > 0 && !plainStart[body[0]] {
		u.arena = u.arena[:0]
		return w, false
	}
	d.hits++
	if d.left--; d.left < hotLines/2 && crashText(body) {
		d.left = hotLines
	}
	return wrapped{body: trimCR(body), stream: d.stream, clock: line[at+len(d.tail) : len(line)-2]}, true
}

// learn keeps the shape of a record that held crash text.
func (d *dockerMemo) learn(line []byte, stream string) {
	i := bytes.LastIndex(line, []byte(`\n","stream":"`))
	if !startsWith(line, `{"log":"`) || i < 0 || !endsWith(line, `"}`) {
		return
	}
	const key = `,"time":"`
	j := bytes.Index(line[i:], []byte(key))
	if j < 0 {
		return
	}
	j += i + len(key)
	if j > len(line)-2 {
		return
	}
	clock := line[j : len(line)-2]
	if len(clock) > 40 || bytes.IndexByte(clock, '"') >= 0 {
		return
	}
	d.tail = append(d.tail[:0], line[i:j]...)
	d.clock, d.stream, d.left = len(clock), stream, hotLines
}
