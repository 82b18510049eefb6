package parse

import "bytes"

// crashText reports whether b, a line without its wrapper, is certainly text
// that a Go runtime prints when it dies or dumps goroutines: a headline, a
// header, a call, a file line, "created by", "[signal …". It is what decides
// whether a mere log prefix is a wrapper, so it must not be true for prose.
//
// A blank line is not crash text: it proves nothing by itself.
func crashText(b []byte) bool {
	b = trimRight(b)
	if len(b) < 4 {
		return false
	}
	switch b[0] {
	case '\t', ' ':
		t := trimLeft(b)
		if len(t) < 4 {
			return false
		}
		if b[0] == '\t' && t[0] == 'p' && startsWith(t, "panic: ") {
			return true
		}
		if t[0] == '.' && isElided(t) {
			return true
		}
		return fileLine(t, true)
	case '/':
		return fileLine(b, false)
	case '#', '-':
		return profileText(b)
	case '.':
		return isElided(b)
	}
	if digit(b[0]) {
		return profileText(b) || servingText(b)
	}
	return headText(b) || callLine(b) || fileLine(b, false)
}

// servingText reports whether b is the line that net/http logs for a recovered
// panic. Its time stays on: it is the log record's own.
func servingText(b []byte) bool {
	n := scanSlashed(b)
	return n > 0 && bytes.Contains(b[n:min(len(b), n+32)], []byte(": panic serving "))
}

// profileText reports whether b is a line of a pprof profile in text form: "N @ 0x1 0x2",
// "#\t0x1\tF+0x2\tFILE:LINE", "# labels: {…}".
func profileText(b []byte) bool {
	switch b[0] {
	case '#':
		return startsWith(b, "#\t0x") || startsWith(b, "# labels: {")
	case '-': // block and mutex profiles
		return startsWith(b, "--- contention:") || startsWith(b, "--- mutex:")
	}
	n := countDigits(b, 0, 10)
	return n < len(b) && startsWith(b[n:], " @ 0x")
}

// headText is the part of crashText that stands at column 0 and is neither a
// call nor a file line.
func headText(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	switch b[0] {
	case 'g':
		return goroutineHeader(b) || startsWith(b, "goroutine profile: total ") || startsWith(b, "goroutineleak profile: total ") || startsWith(b, "goroutine running on other thread; stack unavailable")
	case 'p', 'f', 'S', 'u', 'E':
		return deathLine(b)
	case 'c':
		return startsWith(b, "created by ") && bytes.IndexByte(b, '.') > 0
	case '[':
		return startsWith(b, "[signal ") || startsWith(b, "[originating from goroutine ")
	case 'r':
		return startsWith(b, "runtime stack:") || startsWith(b, "runtime: ")
	case 'P':
		return startsWith(b, "PC=0x")
	case 'W':
		return startsWith(b, "WARNING: DATA RACE")
	case 'h':
		return startsWith(b, "heap profile: ")
	case 't':
		return startsWith(b, "threadcreate profile: total ")
	case 'e':
		return startsWith(b, "exit status ") && len(b) <= len("exit status 255")
	}
	return false
}

// deathLine reports whether b is the line with which the runtime says why the program dies.
func deathLine(b []byte) bool {
	if len(b) < 5 {
		return false
	}
	switch b[0] {
	case 'p':
		return startsWith(b, "panic: ") || startsWith(b, "panic during panic")
	case 'f':
		return startsWith(b, "fatal error: ") || startsWith(b, "fatal: morestack on g")
	case 'u':
		return startsWith(b, "unexpected fault address 0x")
	case 'E':
		return startsWith(b, "Exception 0x")
	case 'S':
		// "SIGQUIT: quit": three to nine capitals after SIG.
		if !startsWith(b, "SIG") {
			return false
		}
		i := 3
		for i < len(b) && i < 12 && 'A' <= b[i] && b[i] <= 'Z' {
			i++
		}
		return i > 5 && i+2 < len(b) && b[i] == ':' && b[i+1] == ' ' && !startsWith(b, "SIGNAL")
	}
	return false
}

// goroutineHeader reports whether b is "goroutine N [state]:", with gp=, m= and
// mp= before the bracket or labels after it.
func goroutineHeader(b []byte) bool {
	const word = "goroutine "
	if !startsWith(b, word) {
		return false
	}
	i := len(word)
	for i < len(b) && digit(b[i]) {
		i++
	}
	if i == len(word) || i+2 >= len(b) || b[i] != ' ' {
		return false
	}
	i++
	if b[i] != '[' {
		if !startsWith(b[i:], "gp=0x") && !startsWith(b[i:], "m=") {
			return false
		}
		j := bytes.IndexByte(b[i:], '[')
		if j < 0 || j > 120 {
			return false
		}
		i += j
	}
	j := bytes.IndexByte(b[i:], ']')
	if j < 2 {
		return false
	}
	last := b[len(b)-1]
	return last == ':' || last == '}'
}

func isElided(t []byte) bool {
	return startsWith(t, "...") && bytes.HasSuffix(t, []byte("frames elided..."))
}

// callLine reports whether b is "pkg.F(…)" or "panic(…)".
func callLine(b []byte) bool {
	if len(b) < 4 || b[len(b)-1] != ')' {
		return false
	}
	c := b[0]
	if !isLetter(c) && c != '_' && c < 0x80 {
		return false
	}
	dot := false
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '(':
			if b[i-1] == '.' { // pkg.(*T).M(
				j := bytes.IndexByte(b[i:], ')')
				if j < 2 {
					return false
				}
				i += j
				if i+1 >= len(b) || b[i+1] != '.' {
					return false
				}
				continue
			}
			if dot {
				return true
			}
			return i == 5 && startsWith(b, "panic(") || i == 7 && startsWith(b, "runfinq(")
		case c == '.' || c == 0xB7: // the middle dot of Go before 1.5
			dot = true
		case c == '[': // pkg.F[...](
			j := bytes.IndexByte(b[i:], ']')
			if j < 0 {
				return false
			}
			i += j
		case c <= ' ' || c == ':' || c == ',' || c == '"' || c == '=' || c == ';' || c == '\'' || c == ')' || c == '|' || c == '\\':
			return false
		}
	}
	return false
}

// fileLine reports whether t, without leading white space, is "FILE:LINE" with
// an optional " +0xOFF" and more behind it. Without leading white space
// (indented is false) a path must look like one.
func fileLine(t []byte, indented bool) bool {
	if len(t) < 4 || !hexDigit(t[len(t)-1]) {
		return false
	}
	end := len(t)
	offset := false
	if i := bytes.IndexByte(t, '+'); i > 0 {
		for i >= 0 && i < len(t) { // paths hold plus signs too
			if t[i-1] == ' ' && startsWith(t[i:], "+0x") {
				e := i + 3
				for e < len(t) && hexDigit(t[e]) {
					e++
				}
				if e < len(t) && !startsWith(t[e:], " fp=") && !startsWith(t[e:], " sp=") && !startsWith(t[e:], " pc=") {
					return false // something else stands behind it
				}
				end, offset = i-1, true
				break
			}
			j := bytes.IndexByte(t[i+1:], '+')
			if j < 0 {
				break
			}
			i += 1 + j
		}
	}
	if !offset {
		if i := bytes.Index(t, []byte(" fp=0x")); i > 0 {
			end, offset = i, true
		}
	}
	if !digit(t[end-1]) {
		return false
	}
	p := end
	for p > 0 && digit(t[p-1]) {
		p--
	}
	if p == end || p < 3 || t[p-1] != ':' {
		return false
	}
	p--
	if !sourceExt(t[:p]) {
		return false
	}
	rooted := t[0] == '/' || p > 3 && t[1] == ':' && (t[2] == '/' || t[2] == '\\') && isLetter(t[0])
	if !rooted && bytes.ContainsAny(t[:p], " :=|") || bytes.IndexByte(t[:p], '"') >= 0 || bytes.IndexByte(t[:p], '\t') >= 0 {
		return false // only a path with a root may hold blanks
	}
	if offset {
		return true
	}
	if !indented && !rooted {
		return bytes.IndexByte(t[:p], '/') > 0
	}
	return !bytes.Contains(t[:p], []byte(": "))
}

// sourceExt reports whether p ends like a source file that a Go stack can name.
func sourceExt(p []byte) bool {
	n := len(p)
	if n < 2 {
		return false
	}
	switch p[n-1] {
	case 'o':
		return n > 3 && p[n-2] == 'g' && p[n-3] == '.'
	case 's', 'c', 'h', 'm', 'S':
		return p[n-2] == '.' || n > 4 && (endsWith(p, ".goc") || endsWith(p, ".cc"))
	case 'p':
		return endsWith(p, ".cpp") || endsWith(p, ".hpp")
	case 'y':
		return endsWith(p, ".y")
	case '>':
		return endsWith(p, "<autogenerated>")
	}
	return false
}

func startsWith(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

func endsWith(b []byte, s string) bool { return len(b) >= len(s) && string(b[len(b)-len(s):]) == s }

func digit(c byte) bool { return '0' <= c && c <= '9' }

func hexDigit(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// compound reports whether a headline goes on with further lines whose newlines are spelled out.
func compound(b []byte) bool {
	if digit(b[0]) && servingText(b) || startsWith(b, "runtime: ") {
		return bytes.Contains(b, []byte(`\ngoroutine `))
	}
	return deathLine(b) && (bytes.Contains(b, goroutinePrefix) || bytes.Contains(b[:tagsAt(b)], []byte("<br")) || bytes.Contains(b, []byte(".go:")))
}
