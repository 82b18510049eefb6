package parse

import "bytes"

// peelAppStamp takes the log lines of programs that print their own time first and relay text
// behind it. The timestamp has n bytes.
//
//	YYYY-MM-DD␣HH:MM:SS.uuuuuu␣L␣|␣pkg:␣TEXT                              capnslog (etcd)
//	YYYY-MM-DD␣HH:MM:SS.uuuuuu±ZZZZ␣0xTID␣Default␣0x0␣PID␣0␣PROC:␣(LIB)␣TEXT  log stream (macOS, iOS)
//	YYYY-MM-DD␣HH:MM:SS.mmm␣T:TID␣␣LEVEL␣<general>:␣TEXT                  Kodi
//	YYYY-MM-DD␣HH:MM:SS.nnnnnnnnn␣±ZZZZ␣TAG:␣{"log":…}                    Fluentd's stdout
func peelAppStamp(b []byte, n int, s stamp) (layer, bool) {
	i := n + 1
	r := b[i:]
	switch {
	case len(r) > 4 && r[1] == ' ' && r[2] == '|' && r[3] == ' ' && r[0] >= 'A' && r[0] <= 'Z':
		return layer{id: wCapnslog, skip: i + 4, fix: n, clockEnd: n, weak: true, open: true}, true
	case s.sep == ' ' && s.zone != 0 && startsWith(r, "0x"):
		c := bytes.Index(r[:min(len(r), 160)], []byte(": "))
		if c < 0 {
			return layer{}, false
		}
		e := c + 2
		if e < len(r) && r[e] == '(' {
			if q := bytes.IndexByte(r[e:], ')'); q > 0 && q < 80 {
				e += q + 1
				if e < len(r) && r[e] == ' ' {
					e++
				}
			}
		}
		k := bytes.LastIndexByte(r[:c], ' ')
		return layer{id: wAppleLog, skip: i + e, fix: n, clockEnd: n, stream: r[k+1 : c]}, true
	case startsWith(r, "T:"):
		e := spaces(r, token(r, 0))
		return layer{id: wKodi, skip: i + e, fix: i + e, clockEnd: n, weak: true, open: true}, true
	case s.sep == ' ' && s.zone == 0 && (r[0] == '+' || r[0] == '-'):
		_, z := scanZone(r)
		if z == 0 || z+1 >= len(r) || r[z] != ' ' {
			return layer{}, false
		}
		k := token(r, z+1)
		e := z + 1 + k
		if k > 1 && r[e-1] == ':' && e+1 < len(r) && r[e+1] == '{' {
			return layer{id: wFluent, skip: i + e + 1, fix: n, clockEnd: n, stream: r[z+1 : e-1]}, true
		}
	}
	return layer{}, false
}

// peelFluentBit takes Fluent Bit's stdout: [N]␣TAG:␣[sec.nsec,␣{"log"=>"TEXT"}] and
// [N]␣TAG:␣[[sec.nsec,␣{}],␣{"log"=>"TEXT"}].
func (u *unwrapper) peelFluentBit(b []byte) (layer, bool) {
	d := countDigits(b, 1, 6)
	if d == 0 || !startsWith(b[1+d:], "] ") {
		return layer{}, false
	}
	k := token(b, 3+d)
	tag := b[3+d : 3+d+k]
	for _, key := range []string{`"log"=>"`, `"message"=>"`, `"msg"=>"`} {
		i := bytes.Index(b, []byte(key))
		if i < 0 || k < 2 {
			continue
		}
		i += len(key)
		e, _ := quotedEnd(b, i)
		if e < 0 {
			e = len(b)
		}
		at := len(u.arena)
		u.arena = appendUnquoted(u.arena, b[i:e])
		body := bytes.TrimRight(u.arena[at:len(u.arena):len(u.arena)], "\r\n")
		return layer{id: wFluent, body: body, stream: bytes.TrimSuffix(tag, []byte(":")), lines: bytes.IndexByte(body, '\n') >= 0}, true
	}
	return layer{}, false
}

// peelStrace takes [PID␣]write(2,␣"TEXT",␣LEN)␣=␣LEN at i. Every write is a piece of a line;
// strace cuts long strings and says so by dots behind the quote.
func (u *unwrapper) peelStrace(b []byte, i int) (layer, bool) {
	for _, call := range []string{`write(2, "`, `write(1, "`, `<... write resumed>"`} {
		if i >= len(b) || !startsWith(b[i:], call) {
			continue
		}
		at := i + len(call)
		e, _ := quotedEnd(b, at)
		if e < 0 {
			e = len(b)
		}
		from := len(u.arena)
		u.arena = appendUnquoted(u.arena, b[at:e])
		l := layer{id: wStrace, partial: true}
		l.body = u.arena[from:len(u.arena):len(u.arena)]
		if n := len(l.body); n > 0 && l.body[n-1] == '\n' {
			l.body, l.partial = l.body[:n-1], false
		}
		l.lines = bytes.IndexByte(l.body, '\n') >= 0
		return l, true
	}
	return layer{}, false
}

// peelSuffix takes what stands behind crash text on every line: see crashSuffix.
// Empty lines have nothing but the suffix.
func (u *unwrapper) peelSuffix(b []byte) (layer, bool) {
	s := &u.prose
	if n := crashSuffix(b); n > 0 {
		t := b[len(b)-n:]
		l := layer{id: wSuffix, cut: n}
		switch {
		case t[0] == ' ':
			l.id = wBrowser
		case t[0] == '<':
			l.id = wHTML
		case startsWith(t, "]]>"):
			l.id = wJUnit
		}
		if n == 1 && (t[0] == ',' || t[0] == '$') || t[0] == ' ' || t[0] == '<' {
			s.suffix, s.suffixed = append(s.suffix[:0], t...), hotLines
		}
		return l, true
	}
	if s.suffixed <= 0 {
		return layer{}, false
	}
	at := len(b)
	if bytes.HasSuffix(b, s.suffix) {
		at -= len(s.suffix)
	} else if k := linkAt(b); k >= 0 && s.suffix[0] == ' ' {
		at = k
	} else {
		return layer{}, false
	}
	s.suffixed--
	id := wSuffix
	if s.suffix[0] == ' ' {
		id = wBrowser
		if startsWith(b[:at], "<empty string>") {
			return layer{id: id, skip: len("<empty string>"), cut: len(b) - at}, true
		}
	}
	return layer{id: id, cut: len(b) - at}, true
}

// headSuffix returns the length of a suffix behind a headline or a signal line, which
// could be part of it: the next line has it too, or lines before had it.
func (u *unwrapper) headSuffix(b []byte) int {
	s := &u.prose
	if s.suffixed > 0 && bytes.HasSuffix(b, s.suffix) {
		return len(s.suffix)
	}
	if !headText(b) && !digit(b[0]) {
		return 0
	}
	nl := trimRight(firstLine(u.ahead))
	if len(nl) == 0 {
		return 0
	}
	at := -1
	if c := b[len(b)-1]; (c == ',' || c == '$') && nl[len(nl)-1] == c {
		at = len(b) - 1
	} else if c == '>' && nl[len(nl)-1] == '>' && tagsAt(nl) < len(nl) {
		if k := tagsAt(b); k > 0 && startsWith(b[k:], "<br") {
			at = k
		}
	}
	if k := linkAt(b); at < 0 && k > 0 && linkAt(nl) >= 0 {
		at = k
	}
	if at < 0 {
		return 0
	}
	s.suffix, s.suffixed = append(s.suffix[:0], b[at:]...), hotLines
	return len(b) - at
}

// crashSuffix returns how many bytes at the end of body keep it from being crash text:
// the k=v pairs that a relaying logger adds, a comma, a quote, a tag, a browser's source link.
func crashSuffix(body []byte) int {
	n := len(body)
	if n == 0 {
		return 0
	}
	try := func(at int) int {
		if at > 0 && at < n && (crashText(body[:at]) || body[n-1] == '$' && escapedTab(body[:at]) > 0) {
			return n - at
		}
		return 0
	}
	if at := pairsAt(body); at > 0 {
		if k := try(at); k > 0 {
			return k
		}
	}
	switch c := body[n-1]; c {
	case ',', '"', '`', '\'', '\\', '$': // the last one as "cat -A" marks a line's end
		at := n - 1
		for at > 0 && (body[at-1] == '"' || body[at-1] == ',') {
			at--
		}
		if k := try(at); k > 0 {
			return k
		}
	case '>':
		at := tagsAt(body)
		if k := try(at); k > 0 {
			return k
		}
	}
	if at := linkAt(body); at > 0 {
		return try(at)
	}
	return 0
}

// pairsAt returns where a logger's ":␣k=v␣k2="v w"" begins, or -1.
func pairsAt(b []byte) int {
	end := len(b)
	at := -1
	for range 32 {
		i := end
		if i > 0 && b[i-1] == '"' { // a quoted value
			i--
			for i > 0 && !(b[i-1] == '"' && (i < 2 || b[i-2] == '=')) {
				i--
			}
			i--
		} else {
			for i > 0 && b[i-1] != ' ' && b[i-1] != '=' {
				i--
			}
		}
		if i <= 0 || b[i-1] != '=' {
			return at
		}
		i--
		k := i
		for k > 0 && (nameByte(b[k-1])) {
			k--
		}
		if k == i || k < 2 || b[k-1] != ' ' {
			return at
		}
		if b[k-2] == ':' {
			return k - 2
		}
		end = k - 1
	}
	return at
}

// linkAt returns where the source link that browsers append begins: ␣FILE.js:LINE[:COLUMN].
func linkAt(b []byte) int {
	n := len(b)
	if n < 8 || !digit(b[n-1]) {
		return -1
	}
	i := bytes.LastIndexByte(b, ' ')
	if i < 0 || !bytes.Contains(b[i:], []byte(".js:")) {
		return -1
	}
	return i
}
