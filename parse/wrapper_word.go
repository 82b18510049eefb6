package parse

import "bytes"

// peelWord takes what begins with a letter: months, tags, service names, logcat priorities, file names.
func (u *unwrapper) peelWord(b []byte) (layer, bool) {
	if b[0] >= 0x80 {
		switch {
		case startsWith(b, "\xef\xbb\xbf"): // byte order mark
			return layer{skip: 3}, true
		case startsWith(b, "\xc2\xa0"):
			return u.peelIndent(b)
		}
	}
	if n := scanMonth(b); n > 0 {
		return peelSyslog(b, n)
	}
	if endsWith(b, "]") && bytes.Contains(b, []byte(" [s=")) && bytes.Contains(b, []byte(";i=")) { // journalctl -o verbose
		u.prose.export = hotLines
		return layer{noise: true}, true
	}
	if l, ok := peelFullTime(b); ok {
		return l, true
	}
	if l, ok := peelLogcat(b); ok {
		return l, true
	}
	if l, ok := u.peelBars(b); ok {
		return l, true
	}
	if l, ok := u.peelExport(b); ok {
		return l, true
	}
	if l, ok := u.peelYAML(b); ok {
		return l, true
	}
	if l, ok := tagOnly(b); ok {
		return l, true
	}
	if b[0] == 'l' || b[0] == 'E' || b[0] == 'W' {
		for _, s := range []string{"ERROR: logging before flag.Parse: ", "logging before flag.Parse: ", "WARNING: Logging before InitGoogleLogging() is written to STDERR"} {
			if startsWith(b, s) && len(b) > len(s) {
				return layer{id: wGlogEarly, skip: len(s)}, true
			}
		}
	}
	if l, ok := peelGHRun(b); ok {
		return l, true
	}
	if l, ok := peelRepeated(b); ok {
		return l, true
	}
	if l, ok := u.peelLogfmt(b); ok {
		return l, true
	}
	if l, ok := u.peelStrace(b, 0); ok {
		return l, true
	}
	k := token(b, 0)
	if k < len(b) && b[k] == ' ' && bytes.Contains(b[:k], []byte(".js:")) { // browser console
		return layer{id: wBrowser, skip: k + 1, weak: false}, true
	}
	if u.quick {
		return layer{}, false
	}
	if l, ok := u.peelFileLine(b, k); ok {
		return l, true
	}
	return peelStern(b)
}

// peelBars takes NAME␣*|␣TEXT of docker compose and NAME.SLOT.ID@NODE␣*|␣TEXT of
// docker service logs. Tables look the same, so a name that is not numbered as compose
// numbers them must stand in the same column as before, or before crash text.
func (u *unwrapper) peelBars(b []byte) (layer, bool) {
	l, ok := peelBar(b, 0)
	if !ok {
		return l, false
	}
	name := l.stream
	if bytes.IndexByte(name, '@') > 0 && bytes.Count(name, []byte(".")) >= 2 {
		l.id = wServiceLogs
		return l, true
	}
	bar := bytes.IndexByte(b, '|')
	if bar == u.prose.bar {
		u.prose.bars++
	} else {
		u.prose.bar, u.prose.bars = bar, 0
	}
	i := len(name)
	for i > 0 && digit(name[i-1]) {
		i--
	}
	numbered := i < len(name) && i > 1 && (name[i-1] == '-' || name[i-1] == '_')
	l.weak = !numbered && u.prose.bars < 5
	l.glue = b[:l.skip]
	return l, true
}

// tagOnly takes TAG[PID]:␣TEXT.
func tagOnly(b []byte) (layer, bool) {
	k := token(b, 0)
	l, ok := tagAt(b, 0, k)
	if !ok || l.glue == nil {
		return layer{}, false
	}
	l.id = wTag
	return l, true
}

// peelExport takes the lines of journalctl -o export: KEY=VALUE, where MESSAGE is the text.
func (u *unwrapper) peelExport(b []byte) (layer, bool) {
	if b[0] != '_' && (b[0] < 'A' || b[0] > 'Z') {
		return layer{}, false
	}
	i := 0
	for i < len(b) && (b[i] == '_' || 'A' <= b[i] && b[i] <= 'Z' || digit(b[i])) {
		i++
	}
	if i < 3 || i >= len(b) || b[i] != '=' {
		return layer{}, false
	}
	key := b[:i]
	if string(key) == "__CURSOR" || string(key) == "__REALTIME_TIMESTAMP" {
		u.prose.export = hotLines
	}
	if u.prose.export <= 0 {
		return layer{}, false
	}
	if string(key) == "MESSAGE" {
		return layer{id: wJournaldExport, skip: i + 1}, true
	}
	u.prose.export--
	return layer{noise: true, skip: 0}, true
}

// peelLogcat takes P/TAG␣*(␣PID):␣TEXT and P/TAG:␣TEXT (logcat -v brief and tag).
func peelLogcat(b []byte) (layer, bool) {
	if len(b) < 5 || b[1] != '/' || !priority(b[0]) {
		return layer{}, false
	}
	i := 2
	for i < len(b) && i < 48 && b[i] != ':' && b[i] != '(' {
		i++
	}
	if i >= len(b) || i == 2 {
		return layer{}, false
	}
	l := layer{id: wLogcat, stream: trimRight(b[2:i])}
	if b[i] == '(' {
		e := bytes.IndexByte(b[i:], ')')
		if e < 0 || e > 10 || i+e+1 >= len(b) || b[i+e+1] != ':' {
			return layer{}, false
		}
		l.stream = b[2 : i+e]
		i += e + 1
	}
	if i+1 < len(b) && b[i+1] != ' ' {
		return layer{}, false
	}
	l.skip = min(i+2, len(b))
	return l, true
}

func priority(c byte) bool { return bytes.IndexByte([]byte("VDIWEFSA"), c) >= 0 }

// peelThreadtime takes MM-DD␣HH:MM:SS.mmm␣␣PID␣␣TID␣P␣TAG␣*:␣TEXT (logcat -v threadtime) and
// MM-DD␣HH:MM:SS.mmm␣P/TAG(␣PID):␣TEXT (-v time).
func peelThreadtime(b []byte) (layer, bool) {
	if len(b) < 24 || b[2] != '-' || b[5] != ' ' || !digitsAt(b, 3, 2) || scanClock(b[6:]) == 0 {
		return layer{}, false
	}
	n := 14 + scanFraction(b[14:])
	if n >= len(b) || b[n] != ' ' {
		return layer{}, false
	}
	i := spaces(b, n)
	if l, ok := peelLogcat(b[i:]); ok {
		shift(&l, i)
		l.clockEnd = n
		return l, true
	}
	for range 2 {
		d := countDigits(b, i, 8)
		if d == 0 {
			return layer{}, false
		}
		i = spaces(b, i+d)
	}
	if i+2 >= len(b) || !priority(b[i]) || b[i+1] != ' ' {
		return layer{}, false
	}
	c := bytes.IndexByte(b[i:], ':')
	if c < 0 || c > 64 {
		return layer{}, false
	}
	return layer{id: wLogcat, skip: min(i+c+2, len(b)), fix: n, clockEnd: n, stream: trimRight(b[i+2 : i+c])}, true
}

// peelGHRun takes JOB⇥STEP⇥TS␣TEXT (gh run view --log); the timestamp is the next layer.
func peelGHRun(b []byte) (layer, bool) {
	t := bytes.IndexByte(b[:min(len(b), 256)], '\t')
	if t <= 0 {
		return layer{}, false
	}
	s := bytes.IndexByte(b[t+1:min(len(b), t+257)], '\t')
	if s <= 0 {
		return layer{}, false
	}
	e := t + 1 + s + 1
	r := b[e:]
	if startsWith(r, "\xef\xbb\xbf") {
		r = r[3:]
		e += 3
	}
	if st := scanISO(r); st.n == 0 || st.frac != 7 {
		return layer{}, false
	}
	return layer{skip: e, stream: b[:t]}, true
}

// peelFileLine takes FILE:N:TEXT (grep -n over several files), and FILE:TEXT, before crash text.
func (u *unwrapper) peelFileLine(b []byte, k int) (layer, bool) {
	c := bytes.IndexByte(b[:k], ':')
	if c < 3 || bytes.IndexByte(b[:c], '.') < 0 && bytes.IndexByte(b[:c], '/') < 0 {
		return layer{}, false
	}
	n := countDigits(b, c+1, 9)
	if n == 0 && c+1 < len(b) && b[c+1] == ' ' {
		return layer{}, false
	}
	l := layer{id: wLineNumbers, skip: c + 1, fix: 0, weak: true, stream: b[:c]}
	if n > 0 && c+1+n < len(b) && (b[c+1+n] == ':' || b[c+1+n] == '-') {
		l.skip = c + 1 + n + 1
		l.fix = c + 1 + n
	}
	return l, true
}

// peelBracket takes what begins with a bracket.
func (u *unwrapper) peelBracket(b []byte) (layer, bool) {
	if len(b) < 3 {
		return layer{}, false
	}
	if b[1] == ' ' || digit(b[1]) {
		if l, ok := peelKernelTime(b); ok {
			return l, true
		}
	}
	if startsWith(b, "[pid ") { // strace -f
		if e := bytes.IndexByte(b[:min(len(b), 24)], ']'); e > 0 && e+1 < len(b) {
			if l, ok := u.peelStrace(b, spaces(b, e+1)); ok {
				l.stream = b[1:e]
				return l, true
			}
		}
	}
	if b[1] == '{' { // the first object of an array
		return layer{skip: 1, weak: true}, true
	}
	i := 1
	n := 0
	id := wClock
	s := scanISO(b[1:])
	switch {
	case s.n > 0:
		n = s.n
		if s.sep == 'T' && s.zone == 'Z' && s.frac == 3 {
			id = wJenkins
		}
	case scanUS(b[1:]) > 0:
		n = scanUS(b[1:])
	case scanShortClock(b[1:]) > 0:
		n = scanShortClock(b[1:])
		n += scanFraction(b[1+n:])
	case scanSlashed(b[1:]) > 0:
		n = scanSlashed(b[1:])
	case ctime(b[1:]) > 0:
		n, id = ctime(b[1:]), wKernel
	}
	if n == 0 {
		if l, ok := u.peelFluentBit(b); ok {
			return l, true
		}
		return peelPod(b)
	}
	i += n
	if i >= len(b) || b[i] != ']' {
		return layer{}, false
	}
	i++
	l := layer{id: id, clockAt: 1, clockEnd: 1 + n, fix: i, weak: id == wClock, open: true}
	if i < len(b) && b[i] != ' ' { // TeamCity: [HH:MM:SS]W:␣TEXT
		if i+1 < len(b) && (isLetter(b[i]) || b[i] == ' ') && b[i+1] == ':' {
			i += 2
			l.id = wTeamCity
		} else if b[i] == ':' {
			i++
			l.id = wTeamCity
		} else {
			return layer{}, false
		}
	}
	if l.id == wTeamCity { // blocks are set in by tabs, before the blank
		k := i
		for k < len(b) && b[k] == '\t' {
			k++
		}
		if k < len(b) && b[k] == ' ' {
			i = k
		}
	}
	if i < len(b) {
		i++
	}
	l.skip = i
	return l, true
}

// ctime reads Www␣Mmm␣_D␣HH:MM:SS␣YYYY (dmesg -T).
func ctime(b []byte) int {
	if len(b) < 24 || b[3] != ' ' {
		return 0
	}
	n := scanMonth(b[4:])
	if n == 0 || !startsWith(b[4+n:], " ") || !digitsAt(b, 5+n, 4) {
		return 0
	}
	return 9 + n
}

// peelYAML takes textPayload:␣TEXT of gcloud's YAML output; the other keys of the documents are scaffolding.
func (u *unwrapper) peelYAML(b []byte) (layer, bool) {
	s := &u.prose
	const key = "textPayload: "
	if startsWith(b, key) {
		t := trimRight(b[len(key):])
		l := layer{id: wGCP, skip: len(key)}
		if n := len(t); n > 1 && (t[0] == '\'' || t[0] == '"') && t[n-1] == t[0] {
			at := len(u.arena)
			if t[0] == '"' {
				u.arena = appendUnquoted(u.arena, t[1:n-1])
			} else {
				u.arena = append(u.arena, bytes.ReplaceAll(t[1:n-1], []byte("''"), []byte("'"))...)
			}
			l.body = bytes.TrimRight(u.arena[at:len(u.arena):len(u.arena)], "\n")
			l.lines = bytes.IndexByte(l.body, '\n') >= 0
		}
		s.yaml = hotLines
		return l, true
	}
	if s.yaml > 0 {
		for _, k := range []string{"insertId:", "labels:", "logName:", "receiveTimestamp:", "resource:", "severity:", "timestamp:", "trace:", "spanId:", "operation:", "sourceLocation:"} {
			if startsWith(b, k) {
				s.yaml--
				return layer{noise: true}, true
			}
		}
	}
	return layer{}, false
}

// peelLogfmt takes the message of a logfmt record that relays one line of a crash:
// time="…"␣level=info␣msg="TEXT".
func (u *unwrapper) peelLogfmt(b []byte) (layer, bool) {
	if !startsWith(b, "time=") && !startsWith(b, "level=") && !startsWith(b, "ts=") && !startsWith(b, "t=") {
		return layer{}, false
	}
	i := bytes.Index(b[:min(len(b), 256)], []byte(` msg="`))
	if i < 0 {
		return layer{}, false
	}
	i += len(` msg="`)
	e, escaped := quotedEnd(b, i)
	if e < 0 {
		return layer{}, false
	}
	text := b[i:e]
	if escaped {
		at := len(u.arena)
		u.arena = appendUnquoted(u.arena, text)
		text = bytes.TrimRight(u.arena[at:len(u.arena):len(u.arena)], "\r\n")
		if bytes.IndexByte(text, '\n') >= 0 {
			return layer{}, false
		}
	}
	s := &u.prose
	if crashText(text) {
		if !u.firm(text) {
			return layer{}, false
		}
		s.json = hotLines
	} else if s.json <= 0 || len(text) > 0 && text[0] != '\t' && text[0] != ' ' {
		return layer{}, false
	}
	if !escaped {
		return layer{id: wLogfmt, skip: i, cut: len(b) - e}, true
	}
	return layer{id: wLogfmt, body: text}, true
}
