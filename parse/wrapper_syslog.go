package parse

import "bytes"

// peelSyslog takes what begins with a BSD syslog time of n bytes:
//
//	Mmm␣DD␣HH:MM:SS[.uuuuuu]␣[HOST␣]TAG[PID]:␣TEXT
//	Mmm␣_D␣HH:MM:SS␣HOST␣TAG:␣TEXT
//	Mmm␣_D␣HH:MM:SS␣TEXT
func peelSyslog(b []byte, n int) (layer, bool) {
	if n == len(b) {
		return weakClock(wSyslogTime, b, n, n, false), true
	}
	if b[n] != ' ' {
		return layer{}, false
	}
	r := b[n+1:]
	if crashText(r[:min(len(r), 4<<10)]) { // a line may hold many records
		return weakClock(wSyslogTime, b, n, n+1, false), true
	}
	if l, ok := scanTag(r); ok {
		l.id = wSyslog
		if l.glue != nil && b[n-1] != ' ' {
			l.id = wJournald
			if s := bytes.IndexByte(b[:n], ' '); s+1 < n && b[s+1] == ' ' {
				l.id = wSyslog // a day padded with a blank is rsyslog's
			}
		}
		shift(&l, n+1)
		l.clockAt, l.clockEnd = 0, n
		return l, true
	}
	return weakClock(wSyslogTime, b, n, n+1, true), true
}

// scanTag reads [HOST␣]TAG[PID]:␣ or HOST␣TAG:␣ at the beginning of b.
func scanTag(b []byte) (layer, bool) {
	k := token(b, 0)
	if l, ok := tagAt(b, 0, k); ok && l.glue != nil {
		return l, true
	}
	if k == 0 || k > 128 || k+1 >= len(b) || b[k] != ' ' || !hostName(b[:k]) {
		return layer{}, false
	}
	m := token(b, k+1)
	if l, ok := tagAt(b, k+1, m); ok {
		if l.glue == nil {
			l.stream = b[:k+1+len(l.stream)]
		}
		return l, true
	}
	// Tags with blanks: "com.apple.xpc.launchd[1] (com.example.agent[123]): TEXT"
	if e := k + 1 + m; e+2 < len(b) && m > 2 && b[e-1] == ']' && b[e+1] == '(' {
		if i := bytes.Index(b[e:], []byte("): ")); i > 0 && i < 128 {
			return layer{skip: e + i + 3, stream: b[k+1 : e]}, true
		}
	}
	return layer{}, false
}

// tagAt reads TAG[PID]: or TAG: as the token of m bytes at i.
func tagAt(b []byte, i, m int) (layer, bool) {
	t := b[i : i+m]
	if m < 2 || m > 160 || t[m-1] != ':' || t[0] == '[' || t[0] == '"' || t[0] == '{' {
		return layer{}, false
	}
	skip := i + m
	if skip < len(b) {
		skip++
	}
	t = t[:m-1]
	if t[len(t)-1] == ']' {
		o := bytes.LastIndexByte(t, '[')
		if o <= 0 || o+2 > len(t)-1 || countDigits(t, o+1, 12) != len(t)-o-2 {
			return layer{}, false
		}
		return layer{skip: skip, stream: t, glue: b[i+o : skip]}, true
	}
	if bytes.IndexByte(t, ':') >= 0 && !isLetter(t[0]) {
		return layer{}, false
	}
	switch string(t) {
	case "panic", "error", "fatal", "http", "http2", "runtime":
		return layer{}, false
	}
	return layer{skip: skip, stream: t}, true
}

func hostName(b []byte) bool {
	for _, c := range b {
		if !isLetter(c) && !digit(c) && c != '-' && c != '.' && c != '_' && c != ':' && c < 0x80 {
			return false
		}
	}
	return b[len(b)-1] != ':' && !levelWord(b)
}

// peelRFC5424 takes <PRI>1␣TS␣HOST␣APP␣PROCID␣MSGID␣SD␣TEXT, or <PRI> before a BSD syslog line.
func peelRFC5424(b []byte) (layer, bool) {
	n := countDigits(b, 1, 3)
	if n == 0 || n+1 >= len(b) || b[n+1] != '>' {
		return layer{}, false
	}
	i := n + 2
	if i < len(b) && b[i] != '1' {
		if m := scanMonth(b[i:]); m > 0 {
			l, ok := peelSyslog(b[i:], m)
			shift(&l, i)
			return l, ok
		}
		return layer{}, false
	}
	if i+1 >= len(b) || b[i+1] != ' ' {
		return layer{}, false
	}
	i += 2
	l := layer{id: wSyslog}
	l.clockAt = i
	k := token(b, i)
	if s := scanISO(b[i:]); s.n != k && !(k == 1 && b[i] == '-') {
		return layer{}, false
	}
	l.clockEnd = i + k
	if k == 1 {
		l.clockAt, l.clockEnd = 0, 0
	}
	i += k
	var at [4]int
	for f := range at { // HOST APP PROCID MSGID
		if i >= len(b) || b[i] != ' ' {
			return layer{}, false
		}
		at[f] = i + 1
		i = at[f] + token(b, at[f])
	}
	if i >= len(b) || b[i] != ' ' || i+1 >= len(b) {
		return layer{}, false
	}
	l.stream = b[at[1] : at[3]-1] // APP␣PROCID
	l.fix = at[0]
	i++
	if b[i] == '-' {
		i++
	} else {
		for i < len(b) && b[i] == '[' { // [id k="v"]…, with \] \" \\ in values
			quoted := false
			for i++; i < len(b); i++ {
				if c := b[i]; c == '\\' {
					i++
				} else if c == '"' {
					quoted = !quoted
				} else if c == ']' && !quoted {
					break
				}
			}
			i++
		}
	}
	if i < len(b) {
		if b[i] != ' ' {
			return layer{}, false
		}
		i++
	}
	i = min(i, len(b))
	if startsWith(b[i:], "\xef\xbb\xbf") {
		i += 3
	}
	l.skip = i
	return l, true
}

// peelEpoch takes SECONDS.uuuuuu␣HOST␣TAG[PID]:␣TEXT (journalctl -o short-unix); n digits stand before the dot.
func peelEpoch(b []byte, n int) (layer, bool) {
	f := countDigits(b, n+1, 12)
	e := n + 1 + f
	if f == 0 || e >= len(b) {
		return layer{}, false
	}
	if n <= 2 && b[e] == 'Z' && e+1 < len(b) && b[e+1] == ' ' { // a timestamp whose beginning was not copied
		return weakClock(wClock, b, e+1, e+2, false), true
	}
	if b[e] != ' ' || n < 9 {
		return layer{}, false
	}
	l, ok := scanTag(b[e+1:])
	if !ok {
		return layer{}, false
	}
	l.id = wJournald
	shift(&l, e+1)
	l.clockAt, l.clockEnd = 0, e
	return l, true
}

// peelKernelTime takes [␣sssss.uuuuuu]␣TEXT, where TEXT may be HOST␣TAG[PID]:␣TEXT
// (journalctl -o short-monotonic), and fuchsia's [sssss.mmm]␣PID.TID>␣TEXT.
func peelKernelTime(b []byte) (layer, bool) {
	i := spaces(b, 1)
	n := countDigits(b, i, 10)
	if n == 0 || i+n >= len(b) || b[i+n] != '.' {
		return layer{}, false
	}
	f := countDigits(b, i+n+1, 9)
	e := i + n + 1 + f
	if f < 3 || e >= len(b) || b[e] != ']' {
		return layer{}, false
	}
	l := layer{id: wKernel, clockAt: i, clockEnd: e, fix: e + 1, skip: e + 1}
	if e+1 == len(b) {
		return l, true
	}
	if b[e+1] != ' ' {
		return layer{}, false
	}
	l.skip = e + 2
	r := b[l.skip:]
	p := countDigits(r, 0, 10)
	if p > 0 && p < len(r) && r[p] == '.' {
		if t := countDigits(r, p+1, 10); t > 0 && p+1+t < len(r) && r[p+1+t] == '>' {
			l.id = wFuchsia
			l.stream = r[:p+1+t]
			l.skip += min(p+1+t+2, len(r))
			return l, true
		}
	}
	if t, ok := scanTag(r); ok && t.glue != nil {
		shift(&t, l.skip)
		t.id, t.clockAt, t.clockEnd = wJournald, l.clockAt, l.clockEnd
		return t, true
	}
	return l, true
}

// peelFullTime takes Www␣YYYY-MM-DD␣HH:MM:SS␣TZ␣HOST␣TAG[PID]:␣TEXT (journalctl -o short-full).
func peelFullTime(b []byte) (layer, bool) {
	i := bytes.IndexByte(b[:min(len(b), 12)], ' ')
	if i < 2 || i+1 >= len(b) || !digit(b[i+1]) {
		return layer{}, false
	}
	s := scanISO(b[i+1:])
	if s.n == 0 || s.sep != ' ' {
		return layer{}, false
	}
	e := i + 1 + s.n
	if e >= len(b) || b[e] != ' ' {
		return layer{}, false
	}
	z := token(b, e+1)
	e += 1 + z
	if z == 0 || z > 6 || e >= len(b) {
		return layer{}, false
	}
	l, ok := scanTag(b[e+1:])
	if !ok {
		return layer{}, false
	}
	l.id = wJournald
	shift(&l, e+1)
	l.clockAt, l.clockEnd = 0, e
	return l, true
}

// peelRepeated takes message␣repeated␣N␣times:␣[␣TEXT], with which rsyslog stands for equal messages.
func peelRepeated(b []byte) (layer, bool) {
	const head, mid = "message repeated ", " times: ["
	if !startsWith(b, head) || b[len(b)-1] != ']' {
		return layer{}, false
	}
	n := countDigits(b, len(head), 9)
	i := len(head) + n
	if n == 0 || !startsWith(b[i:], mid) {
		return layer{}, false
	}
	return layer{id: wSyslog, skip: min(spaces(b, i+len(mid)), len(b)-1), cut: 1}, true
}
