package parse

import "bytes"

// peel finds the wrapper at the beginning of b, which is not empty. The first byte says which can be meant.
func (u *unwrapper) peel(b []byte) (layer, bool) {
	var l layer
	var ok bool
	if u.prose.pretty > 0 && len(b) <= 2 && bytes.IndexByte([]byte("{}[]"), b[0]) >= 0 {
		return layer{noise: true}, true
	}
	switch c := b[0]; {
	case digit(c):
		if l, ok = u.peelDigits(b); !ok {
			n := countDigits(b, 0, 20)
			if s := scanISO(b); s.n > 0 {
				n = s.n
			}
			if n < len(b) && b[n] == ',' {
				l, ok = u.peelCSV(b)
			}
		}
	case c == '{':
		return u.peelJSON(b)
	case c == '[':
		l, ok = u.peelBracket(b)
	case c == '<':
		l, ok = u.peelAngle(b)
	case c == '>':
		l, ok = peelQuote(b)
	case c == ' ' || c == '\t':
		l, ok = u.peelIndent(b)
	case isLetter(c) || c >= 0x80 || c == '_' || c == '/' || c == '(':
		l, ok = u.peelWord(b)
	default:
		l, ok = u.peelMark(b)
	}
	return l, ok
}

// peelDigits takes what begins with a number: timestamps, process ids, line numbers.
func (u *unwrapper) peelDigits(b []byte) (layer, bool) {
	if s := scanISO(b); s.n > 0 {
		return peelStamp(b, s)
	}
	if n := scanSlashed(b); n > 0 && n < len(b) && b[n] == ' ' {
		return weakClock(wGoPlugin, b, n, n+1, true), true
	}
	if n := scanClock(b); n > 0 {
		return peelClock(b, n)
	}
	if n := scanUS(b); n > 0 && n < len(b) && b[n] == ' ' {
		return weakClock(wClock, b, n, n+1, true), true
	}
	if n := scanMonth(b); n > 0 { // "3月 19 10:26:45"
		return peelSyslog(b, n)
	}
	if l, ok := peelThreadtime(b); ok {
		return l, true
	}
	n := countDigits(b, 0, 20)
	if n == len(b) {
		return layer{}, false
	}
	switch b[n] {
	case '.':
		return peelEpoch(b, n)
	case '|':
		if l, ok := peelBar(b, n+1); ok { // pm2: ID|NAME␣␣|␣TEXT
			l.id, l.weak = wPM2, true
			return l, true
		}
		return layer{id: wLineNumbers, skip: n + 1, fix: n, weak: true}, true
	case ' ':
		if b[n+1:] != nil && n+1 < len(b) && b[n+1] == '<' { // octet count of RFC 6587
			if l, ok := peelRFC5424(b[n+1:]); ok {
				shift(&l, n+1)
				return l, true
			}
		}
		if l, ok := u.peelStrace(b, spaces(b, n)); ok {
			return l, true
		}
		fallthrough
	case ':', '\t', '-':
		m := n + 1
		if b[n] == ':' && m < len(b) && b[m] == ' ' {
			m++
		}
		return layer{id: wLineNumbers, skip: m, fix: n, weak: true, open: false}, true
	}
	return layer{}, false
}

// shift moves what a layer says about b[n:] to b.
func shift(l *layer, n int) {
	l.skip += n
	l.fix += n
	if l.clockEnd > 0 {
		l.clockAt += n
		l.clockEnd += n
	}
}

// weakClock is a layer that consists of a timestamp of n bytes and what follows it up to skip.
func weakClock(id wrapperID, b []byte, n, skip int, open bool) layer {
	return layer{id: id, skip: min(skip, len(b)), fix: n, clockEnd: n, weak: true, open: open}
}

// strongClock is a layer whose prefix ends at skip and begins with a timestamp of n bytes.
func strongClock(id wrapperID, n, skip int) layer {
	return layer{id: id, skip: skip, fix: n, clockEnd: n}
}

// token returns the length of the run without blanks at i.
func token(b []byte, i int) int {
	n := i
	for n < len(b) && b[n] != ' ' && b[n] != '\t' {
		n++
	}
	return n - i
}

// spaces returns the index of the first byte at or behind i that is no space.
func spaces(b []byte, i int) int {
	for i < len(b) && b[i] == ' ' {
		i++
	}
	return i
}

// peelStamp takes what begins with an ISO 8601 timestamp.
func peelStamp(b []byte, s stamp) (layer, bool) {
	n := s.n
	if n == len(b) { // the blank behind it was lost on an empty line
		return layer{id: stampID(s), skip: n, fix: n, clockEnd: n, weak: s.frac < 7}, true
	}
	switch b[n] {
	case '\t':
		if l, ok := peelFluentFile(b, n); ok {
			return l, true
		}
		return layer{}, false
	case ':': // pm2 with time
		if n+1 < len(b) && b[n+1] == ' ' {
			return weakClock(wPM2, b, n, n+2, false), true
		}
		return layer{}, false
	case ' ':
	default:
		if b[n] == '[' && s.sep == 'T' { // fly.io without the blank
			return weakClock(wFly, b, n, n, true), true
		}
		return layer{}, false
	}
	r := b[n+1:]
	if s.sep == '_' {
		return strongClock(wRunit, n, n+1), true
	}
	if s.sep == 'T' && s.zone != 0 {
		if l, ok := peelCRI(b, n); ok {
			return l, true
		}
		if l, ok := peelGitLab(b, n); ok {
			return l, true
		}
	}
	if len(r) == 0 {
		return layer{id: stampID(s), skip: n + 1, fix: n, clockEnd: n, weak: s.frac < 7 || s.sep != 'T'}, true
	}
	if l, ok := peelCloud(b, n, s); ok {
		return l, true
	}
	if l, ok := peelAppStamp(b, n, s); ok {
		return l, true
	}
	if r[0] != '[' && (s.sep == 'T' || s.zone != 0) {
		if l, ok := scanTag(r); ok && (l.glue != nil || s.frac == 6 && !levelWord(r)) {
			l.id = wJournald
			if s.frac > 0 {
				l.id = wSyslog
			}
			shift(&l, n+1)
			l.clockAt, l.clockEnd = 0, n
			return l, true
		}
	}
	if s.sep == 'T' && s.frac >= 7 && s.zone != 0 {
		return layer{id: stampID(s), skip: n + 1, fix: n, clockEnd: n, weak: levelWord(r)}, true
	}
	if r[0] == '[' {
		return weakClock(wHclogRelay, b, n, n+1, true), true
	}
	if s.sep == 'T' && s.zone != 0 && !levelWord(r) {
		// aws logs tail: RFC3339␣STREAM␣TEXT
		if k := token(r, 0); k > 2 && k+1 < len(r) && crashText(r[k+1:]) && !crashText(r) {
			return weakClock(wCloudWatch, b, n, n+1+k+1, false), true
		}
	}
	return weakClock(stampID(s), b, n, n+1, true), true
}

// stampID names a bare timestamp: GitHub and Azure print exactly seven digits of a second and Z.
func stampID(s stamp) wrapperID {
	switch {
	case s.frac == 7 && s.zone == 'Z' && s.sep == 'T':
		return wGitHubActions
	case s.sep == 'T' && s.zone != 0:
		return wKubectlTimestamps
	case s.sep == '_':
		return wRunit
	}
	return wClock
}

// levelWord reports whether b begins with the level that a logger prints behind its time.
func levelWord(b []byte) bool {
	if len(b) > 0 && (b[0] == '[' || b[0] == '|') {
		b = b[1:]
	}
	if len(b) == 0 || bytes.IndexByte([]byte("iIwWeEdDtTfFpPcCnNl"), b[0]) < 0 {
		return false
	}
	for _, w := range []string{"INFO", "WARN", "ERRO", "ERR ", "ERR]", "DEBU", "DBG", "TRAC", "FATA", "PANI", "DPAN", "CRIT", "NOTI", "INF", "WRN", "FTL", "info", "warn", "erro", "debu", "trac", "fata", "pani", "level="} {
		if startsWith(b, w) && !startsWith(b, "panic: ") {
			return true
		}
	}
	return false
}

// peelClock takes what begins with HH:MM:SS.
func peelClock(b []byte, n int) (layer, bool) {
	f := scanFraction(b[n:])
	if n+f >= len(b) {
		return weakClock(wClock, b, n+f, n+f, false), f > 0
	}
	if f == 0 && b[n] == ' ' {
		// foreman: HH:MM:SS␣NAME␣*|␣TEXT
		if l, ok := peelBar(b, n+1); ok {
			l.id = wForeman
			l.fix, l.clockAt, l.clockEnd, l.weak = n, 0, n, false
			return l, true
		}
	}
	n += f
	if b[n] != ' ' {
		return layer{}, false
	}
	if k := spaces(b, n); k < len(b) {
		// browser console: TIME␣FILE.js:LINE␣TEXT
		if m := token(b, k); m > 4 && bytes.Contains(b[k:k+m], []byte(".js:")) {
			l := strongClock(wBrowser, n, min(k+m+1, len(b)))
			return l, true
		}
		// Kodi: HH:MM:SS␣MS␣T:TID␣␣LEVEL:␣TEXT
		if m := token(b, k); m > 0 && digit(b[k]) && startsWith(b[min(spaces(b, k+m), len(b)):], "T:") {
			e := spaces(b, k+m)
			return layer{id: wKodi, skip: e, fix: e, clockEnd: k + m, weak: true, open: true}, true
		}
		return weakClock(wClock, b, n, min(k, n+2), true), true
	}
	return weakClock(wClock, b, n, n+1, true), true
}

// peelBar takes NAME␣*|␣TEXT, where the name begins at i.
func peelBar(b []byte, i int) (layer, bool) {
	e := i
	for e < len(b) && e < i+128 && nameByte(b[e]) {
		e++
	}
	if e == i || !isLetter(b[i]) && !digit(b[i]) {
		return layer{}, false
	}
	k := spaces(b, e)
	if k >= len(b) || b[k] != '|' || k > i+160 {
		return layer{}, false
	}
	k++
	if k < len(b) {
		if b[k] != ' ' {
			return layer{}, false
		}
		k++
	}
	return layer{id: wCompose, skip: k, fix: i, stream: b[i:e]}, true
}

func nameByte(c byte) bool {
	return isLetter(c) || digit(c) || c == '-' || c == '_' || c == '.' || c == '@' || c == '/' || c == '#'
}

// peelMark takes what begins with a sign of its own.
func (u *unwrapper) peelMark(b []byte) (layer, bool) {
	switch b[0] {
	case 0x16: // ^V: test2json's marker
		return layer{id: wTest2JSON, skip: 1}, true
	case '@': // tai64n
		if len(b) > 26 && b[25] == ' ' && startsWith(b, "@4") {
			for _, c := range b[1:25] {
				if !hexDigit(c) {
					return layer{}, false
				}
			}
			return layer{id: wRunit, skip: 26, fix: 25, clockEnd: 25}, true
		}
	case '+', '-':
		if u.prose.yaml > 0 && string(b) == "---" {
			return layer{noise: true}, true
		}
		return layer{id: wDiff, skip: 1, fix: 0, weak: true}, true
	case '"':
		return u.peelCSV(b)
	case '#':
		return u.peelService(b)
	}
	return layer{}, false
}
