package parse

import "bytes"

// Wrappers that nobody listed: a prefix is one if it stands before a header or a
// headline and, numbers aside, before crash text on a following line too.

// unknown takes an unlisted prefix off b. A prefix that was proven before is taken off at once.
func (u *unwrapper) unknown(b []byte) (layer, bool) {
	for i := range u.hot {
		h := &u.hot[i]
		if h.id != wPrefix {
			continue
		}
		n, ok := maskedPrefix(h.tail, b)
		if !ok {
			continue
		}
		body := b[n:]
		if crashText(body) {
			h.left = hotLines
		} else if h.left--; h.left <= 0 {
			u.hot = append(u.hot[:i], u.hot[i+1:]...)
		}
		return layer{id: wPrefix, skip: n}, true
	}
	if c := b[0]; (c == '#' || c == '\\' || c == '^') && escapedTab(b) > 0 {
		return layer{}, false // a tab that was spelled out is no prefix: see detab
	}
	at := anchor(b)
	if at <= 0 || at > 200 || b[0] == '{' {
		return layer{}, false
	}
	prefix := b[:at]
	if len(trimLeft(prefix)) == 0 {
		return layer{}, false // indentation is not a prefix: see peelIndent
	}
	if len(u.ahead) == 0 || !u.repeats(prefix, 12) {
		return layer{}, false
	}
	u.heat(wPrefix, prefix, nil)
	return layer{id: wPrefix, skip: at}, true
}

// anchor returns where in b a header that ends the line, or a headline, begins; -1 if none does.
func anchor(b []byte) int {
	if i := headerInside(b); i >= 0 {
		return i
	}
	if i := bytes.Index(b, []byte("panic: ")); i >= 0 {
		return i
	}
	if i := bytes.Index(b, []byte("fatal error: ")); i >= 0 {
		return i
	}
	if i := bytes.Index(b, []byte("SIG")); i >= 0 && isSignalHead(b[i:]) {
		return i
	}
	return -1
}

// repeats reports whether one of the next lines has the same prefix, numbers aside, before crash text.
func (u *unwrapper) repeats(prefix []byte, lines int) bool {
	rest := u.ahead[:min(len(u.ahead), 8<<10)]
	for n := 0; n < lines && len(rest) > 0; n++ {
		nl := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			nl, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if k, ok := maskedPrefix(prefix, trimCR(nl)); ok {
			if t := trimLeft(nl[k:]); len(t) > 3 && (crashText(t) || escapedTab(t) > 0) {
				return true
			}
		}
	}
	return false
}

// cutPrefix returns the length of the rest of a prefix with which the first line
// begins, when the selection that was copied began inside it: the next lines have the
// same in front of crash text, and more before it.
func (u *unwrapper) cutPrefix(b []byte) int {
	at := anchor(b)
	if at < 3 || at > 120 {
		return 0
	}
	rest := u.ahead[:min(len(u.ahead), 4<<10)]
	for n := 0; n < 3 && len(rest) > 0; n++ {
		nl := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			nl, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		for j := 1; j < len(nl) && j < 160; j++ {
			if k, ok := maskedPrefix(b[:at], nl[j:]); ok && (j+k >= len(nl) || crashText(trimLeft(nl[j+k:]))) {
				return at
			}
		}
	}
	return 0
}

// continued reports whether the next line of a GitLab trace continues the current one.
func continued(next []byte) bool {
	s := scanISO(next)
	return s.n > 0 && len(next) > s.n+4 && next[s.n] == ' ' && (next[s.n+3] == 'O' || next[s.n+3] == 'E') && next[s.n+4] == '+'
}

// maskedPrefix returns how many bytes of b are like prefix, where runs of digits equal each
// other whatever they are. On an empty line the prefix may lack its last blanks.
func maskedPrefix(prefix, b []byte) (n int, ok bool) {
	i, j := 0, 0
	for i < len(prefix) {
		if j >= len(b) {
			return j, j > 0 && len(trimRight(prefix[i:])) == 0
		}
		if digit(prefix[i]) {
			if !digit(b[j]) {
				return 0, false
			}
			for i < len(prefix) && digit(prefix[i]) {
				i++
			}
			for j < len(b) && digit(b[j]) {
				j++
			}
			continue
		}
		if prefix[i] != b[j] {
			return 0, false
		}
		i++
		j++
	}
	return j, true
}

// glued returns where a headline or header begins that stands behind unfinished
// output on the same line; -1 if there is none. Only what follows can tell it from
// a message that mentions a panic.
func (u *unwrapper) glued(b []byte) int {
	at := anchor(b)
	if at <= 0 || b[0] == '{' || len(u.ahead) == 0 {
		return -1
	}
	rest := u.ahead[:min(len(u.ahead), 4<<10)]
	for n := 0; n < 3 && len(rest) > 0; n++ {
		nl := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			nl, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		nl = trimRight(nl)
		if len(nl) == 0 {
			continue
		}
		if startsWith(b[at:], "goroutine ") {
			if callLine(nl) {
				return at
			}
		} else if startsWith(nl, "[signal ") || n > 0 && goroutineHeader(nl) || startsWith(nl, "\tpanic: ") {
			return at
		}
		return -1
	}
	return -1
}

// secondRecord returns where on the line a second record of the same source
// begins, because newlines between records were lost: the same "TAG[PID]: " with
// a time and perhaps a host before it, or the same "NAME | ". -1 if none does.
func (u *unwrapper) secondRecord(b, glue []byte) int {
	for i := 1; i < len(b); {
		k := bytes.Index(b[i:], glue)
		if k < 0 {
			return -1
		}
		k += i
		i = k + len(glue)
		if glue[0] != '[' { // NAME␣␣|␣
			if b[k-1] == ' ' {
				return k
			}
			continue
		}
		if s := stampBefore(b, k); s > 0 {
			return s
		}
	}
	return -1
}

// stampBefore returns where the record begins whose "[PID]: " stands at k; -1 if no time is there.
func stampBefore(b []byte, k int) int {
	for s := k - 1; s >= max(0, k-120); s-- {
		if b[s] < 'A' || digit(b[s]) {
			continue
		}
		// The longest match wins by beginning at the month's first letter.
		if n := scanMonth(b[s:min(len(b), s+40)]); n > 0 && s+n < k && b[s+n] == ' ' {
			if s >= 3 && isLetter(b[s-1]) && s+3 < len(b) && b[s+3] != ' ' {
				continue
			}
			// Months have three letters when they are not localised.
			if isLetter(b[s]) && s+3 < len(b) && (b[s+3] == ' ' || b[s+3] == '.') {
				return s
			}
		}
	}
	return -1
}

// midLine returns where in an unwrapped line a record begins whose tag was seen before.
func (u *unwrapper) midLine(b []byte) int {
	for i := range u.memos {
		m := &u.memos[i]
		if m.left <= 0 || len(m.glue) == 0 || m.glue[0] != '[' {
			continue
		}
		if k := bytes.Index(b, m.glue); k > 0 {
			if s := stampBefore(b, k); s > 0 {
				return s
			}
		}
	}
	return -1
}
