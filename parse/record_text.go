package parse

import (
	"bytes"
)

// text reads the head of a record that is no JSON object.
func (p *recordParser) text(b []byte) (head, bool) {
	switch c := b[0]; {
	case isDigit(c):
		if h, ok := p.timed(b); ok {
			return h, true
		}
		return p.console(b)
	case c == '[':
		return p.bracketed(b)
	case c == 'l' && bytes.HasPrefix(b, []byte("logging before flag.Parse: ")):
		return p.klog(b[len("logging before flag.Parse: "):])
	case c >= 'A' && c <= 'Z':
		if h, ok := p.klog(b); ok {
			return h, true
		}
		return p.upper(b)
	case isLetter(c) || c == '@' || c == '_':
		return p.logfmt(b)
	}
	return head{}, false
}

// timed reads what begins with a date and time.
func (p *recordParser) timed(b []byte) (h head, ok bool) {
	t, n, ok := timestamp(b)
	if !ok || n == len(b) || n < len("2006-01-02T15:04:05") {
		return h, false
	}
	h.time, h.clock = t, b[:n]
	iso, slash := b[10] == 'T', b[4] == '/'
	tabbed := b[n] == '\t'
	rest := b[n:]
	if rest[0] != ' ' && rest[0] != '\t' {
		return h, false
	}
	rest = trimLeft(rest)
	// "[INFO]", "[INFO ]", and calico's "[INFO][1234]"; other brackets may stand in front.
	for i := 0; i < 3 && len(rest) > 2 && rest[0] == '['; i++ {
		end := bytes.IndexByte(rest[:min(len(rest), 16)], ']')
		if end < 0 {
			break
		}
		word := trimSpace(rest[1:end])
		level := levelOf(word)
		if level == "" && len(word) == 1 {
			level = letterLevel(word[0])
		}
		unknown := bytes.Equal(word, []byte("?????")) // hclog's name for a level it doesn't know
		if level == "" && !unknown {
			if _, isID := atoi(word); !isID {
				break
			}
			rest = trimLeft(rest[end+1:])
			continue
		}
		h.level = level
		rest = rest[end+1:]
		switch {
		case iso || unknown:
			h.format = "hclog"
			p.named(&h, rest, true)
		case slash:
			h.format = "logutils"
			p.named(&h, rest, false)
		default:
			h.format = "text"
			if len(rest) > 1 && rest[0] == '[' { // calico's pid
				if end := bytes.IndexByte(rest[:min(len(rest), 16)], ']'); end > 0 {
					rest = rest[end+1:]
				}
			}
			h.message = trimSpace(rest)
			p.splitTail(&h, false)
		}
		return h, true
	}
	word, after := firstWord(rest)
	if level := levelOf(word); level != "" {
		h.level = level
		switch {
		case slash:
			h.format = "slog" // the default handler
			h.message = trimSpace(after)
			p.splitTail(&h, false)
		case tabbed || iso:
			h.format = "text"
			if tabbed || isBlank2(after) {
				h.format = "zap"
			}
			p.zapConsole(&h, after)
		default:
			h.format = "text"
			h.message = trimSpace(after)
			p.splitTail(&h, false)
		}
		return h, len(h.message) > 0
	}
	// etcd's old log: "2019-10-01 12:00:00.000000 I | etcdmain: message".
	if len(word) == 1 && bytes.HasPrefix(after, []byte(" | ")) {
		if h.level = letterLevel(word[0]); h.level != "" {
			h.format = "capnslog"
			p.named(&h, after[2:], false)
			return h, true
		}
	}
	if slash {
		h.format, h.message = "log", trimSpace(rest)
		return h, len(h.message) > 0
	}
	return head{}, false
}

// named reads what hclog and its ancestors print behind the level:
// "file.go:12: module: message: k=v".
func (p *recordParser) named(h *head, b []byte, hclog bool) {
	b = trimSpace(b)
	if hclog {
		if i := bytes.Index(b[:min(len(b), 120)], []byte(": ")); i > 0 && isCaller(b[:i]) {
			h.caller, b = b[:i], trimLeft(b[i+2:])
		}
	}
	if i := bytes.IndexByte(b[:min(len(b), 160)], ':'); i > 0 && isModuleName(b[:i]) {
		if i+1 == len(b) {
			h.module, b = b[:i], nil
		} else if b[i+1] == ' ' || b[i+1] == '\t' {
			h.module, b = b[:i], trimLeft(b[i+1:])
		}
	}
	h.message = b
	if hclog {
		p.splitTail(h, true)
	}
}

// isModuleName accepts "agent.server.raft", "http", "client.alloc_runner/x".
func isModuleName(b []byte) bool {
	for _, c := range b {
		if !isLetter(c) && !isDigit(c) && c != '.' && c != '_' && c != '-' && c != '/' {
			return false
		}
	}
	return len(b) > 0 && isLetter(b[0])
}

// isCaller accepts "agent/agent.go:123".
func isCaller(b []byte) bool {
	i := bytes.LastIndex(b, []byte(".go:"))
	if i <= 0 || bytes.IndexByte(b, ' ') >= 0 {
		return false
	}
	_, ok := atoi(b[i+4:])
	return ok
}

// bracketed reads "[ERROR] agent: message" (hclog without its time),
// "[1] 2021/06/23 08:03:10.123456 [INF] message" (nats-server) and
// "[2006-01-02T15:04:05Z] INFO message".
func (p *recordParser) bracketed(b []byte) (h head, ok bool) {
	end := bytes.IndexByte(b[:min(len(b), 48)], ']')
	if end < 0 || end+1 >= len(b) {
		return h, false
	}
	word := trimSpace(b[1:end])
	if level := levelOf(word); level != "" && b[end+1] == ' ' {
		h.format, h.level = "hclog", level
		p.named(&h, b[end+1:], true)
		return h, len(h.message) > 0
	}
	rest := trimLeft(b[end+1:])
	if _, isID := atoi(word); isID {
		if len(rest) > 20 && isDigit(rest[0]) {
			return p.timed(rest)
		}
		return h, false
	}
	if t, n, ok := timestamp(word); ok && n == len(word) {
		lw, after := firstWord(rest)
		if l := levelOf(bytes.Trim(lw, "[]:")); l != "" {
			h.format, h.level, h.time, h.clock, h.message = "text", l, t, word, trimSpace(after)
			return h, len(h.message) > 0
		}
	}
	return head{}, false
}

// klog reads glog's header: "Lmmdd hh:mm:ss.uuuuuu threadid file:line] message".
// It holds no year, so the record has a clock and no time.
func (p *recordParser) klog(b []byte) (h head, ok bool) {
	if len(b) < 25 || b[5] != ' ' || b[8] != ':' || b[11] != ':' {
		return h, false
	}
	switch b[0] {
	case 'I', 'W', 'E', 'F':
	default:
		return h, false
	}
	if _, ok := atoi(b[1:5]); !ok {
		return h, false
	}
	end := bytes.IndexByte(b[:min(len(b), 300)], ']')
	if end < 0 {
		return h, false
	}
	sp := bytes.LastIndexByte(b[:end], ' ')
	colon := bytes.LastIndexByte(b[:end], ':')
	if sp < 14 || colon < sp {
		return h, false
	}
	h.format, h.level = "klog", letterLevel(b[0])
	clock := b[1:]
	if i := bytes.IndexByte(b[6:], ' '); i > 0 {
		clock = b[1 : 6+i]
	}
	h.clock, h.caller = clock, b[sp+1:end]
	msg := trimSpace(b[end+1:])
	if len(msg) > 1 && msg[0] == '"' { // structured: "message" k="v"
		if q := stringEnd(msg, 0); q > 0 && (q+1 == len(msg) || msg[q+1] == ' ') {
			h.message = p.unquote(msg[:q+1])
			h.tail = trimSpace(msg[q+1:])
			h.err = p.tailError(h.tail)
			return h, true
		}
	}
	h.message = msg
	return h, true
}

// upper reads logrus on a terminal, "ERRO[0012] message  k=v", and
// "INFO: 2020/07/28 09:58:33.806418 message".
func (p *recordParser) upper(b []byte) (h head, ok bool) {
	if len(b) > 8 && b[4] == '[' {
		switch string(b[:4]) {
		case "PANI", "FATA", "ERRO", "WARN", "INFO", "DEBU", "TRAC":
			end := bytes.IndexByte(b[:min(len(b), 48)], ']')
			if end < 6 || end+1 == len(b) || !isDigit(b[5]) {
				return h, false
			}
			h.format, h.level = "logrus", levelOf(b[:4])
			h.setClock(b[5:end]) // often seconds since the start: no time
			h.message = trimSpace(b[end+1:])
			p.splitTail(&h, false)
			return h, len(h.message) > 0
		}
	}
	if i := bytes.IndexByte(b[:min(len(b), 12)], ':'); i > 2 && i+2 < len(b) && b[i+1] == ' ' {
		if level := levelOf(b[:i]); level != "" {
			if t, n, ok := timestamp(b[i+2:]); ok && n+i+2 < len(b) {
				h.format, h.level, h.time, h.clock = "text", level, t, b[i+2:i+2+n]
				h.message = trimSpace(b[i+2+n:])
				return h, len(h.message) > 0
			}
		}
	}
	return h, false
}

// console reads zerolog on a terminal: "10:21AM ERR message k=v".
func (p *recordParser) console(b []byte) (h head, ok bool) {
	clock, rest := firstWord(b)
	if n := len(clock); n < 6 || n > 7 || clock[n-1] != 'M' || clock[n-5] != ':' || clock[n-2] != 'A' && clock[n-2] != 'P' {
		return h, false
	}
	word, after := firstWord(trimLeft(rest))
	if len(word) != 3 {
		return h, false
	}
	if h.level = levelOf(word); h.level == "" {
		return h, false
	}
	h.format, h.clock, h.message = "zerolog", clock, trimSpace(after)
	if bytes.HasPrefix(h.message, []byte("> ")) {
		h.message = h.message[2:]
	}
	p.splitTail(&h, false)
	return h, len(h.message) > 0
}

// zapConsole reads the columns behind the level: [logger] [caller] message [{json}].
// Pastes turn the tabs into blanks, so the columns are told apart by their content.
func (p *recordParser) zapConsole(h *head, b []byte) {
	b = trimSpace(b)
	if n := len(b); n > 1 && b[n-1] == '}' {
		for i, tries := 0, 0; tries < 8; i++ {
			k := bytes.IndexByte(b[i:], '{')
			if k < 0 {
				break
			}
			i += k
			if i > 0 && !isBlank(b[i-1]) || i+1 == n || b[i+1] != '"' && b[i+1] != '}' {
				continue
			}
			tries++
			if nestedEnd(b, i) == n {
				h.tail, b = b[i:], trimRight(b[:i])
				break
			}
		}
	}
	for range 2 {
		word, rest := firstWord(b)
		tab := len(rest) > 0 && rest[0] == '\t'
		if isCaller(word) {
			h.caller, b = word, trimLeft(rest)
			break
		}
		next, _ := firstWord(trimLeft(rest))
		if h.module == nil && isModuleName(word) && len(rest) > 0 && (isCaller(next) || tab || bytes.HasPrefix(rest, []byte("  ")) || len(h.tail) > 0 && bytes.IndexByte(word, '.') > 0) {
			h.module, b = word, trimLeft(rest)
			continue
		}
		break
	}
	h.message = b
	if len(h.tail) == 0 {
		p.splitTail(h, false)
		return
	}
	if i := bytes.Index(h.tail, []byte(`"error"`)); i >= 0 {
		m := newMembers(h.tail)
		for m.next() {
			if string(m.key) == "error" {
				h.err = p.unquote(m.val)
				break
			}
		}
	}
}

// firstWord cuts at the first blank.
func firstWord(b []byte) (word, rest []byte) {
	for i, c := range b {
		if c == ' ' || c == '\t' {
			return b[:i], b[i:]
		}
	}
	return b, nil
}

// splitTail moves the k=v pairs at the message's end to the tail. hclog puts a
// colon in front of them. A message that only looks so ("x=1 was seen") stays whole:
// the pairs must reach the end of the line.
func (p *recordParser) splitTail(h *head, colon bool) {
	b := h.message
	if len(b) > 64<<10 || bytes.IndexByte(b, '=') < 0 {
		return
	}
	tries := 0
	for i := 0; i < len(b) && tries < 12; i++ {
		if b[i] != ' ' || colon && (i == 0 || b[i-1] != ':') {
			continue
		}
		start := skipSpace(b, i)
		if k := keyEnd(b[start:]); k <= 0 {
			continue
		}
		tries++
		if pairsReachEnd(b[start:]) {
			h.tail = b[start:]
			h.message = trimRight(b[:i])
			if colon {
				h.message = h.message[:len(h.message)-1]
			}
			h.err = p.tailError(h.tail)
			return
		}
	}
}

// isBlank2 tells whether b begins with a tab, or with what is left of one.
func isBlank2(b []byte) bool { return len(b) > 1 && (b[0] == '\t' || b[0] == ' ' && b[1] == ' ') }
