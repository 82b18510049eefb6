package parse

import (
	"bytes"
	"strconv"
)

// The lines of text profiles; profile.go has the grammar as a whole.

type profileKind uint8

const (
	profileUnknown    profileKind = iota // the head is missing
	profileGoroutine                     // goroutine profile: total N
	profileLeak                          // goroutineleak profile: total N
	profileThreads                       // threadcreate profile: total N
	profileContention                    // --- mutex: and --- contention:
	profileHeap                          // heap profile: N: B [N: B] @ heap/RATE
)

var profileHeads = []struct {
	prefix string
	kind   profileKind
	counts bool // a number must follow
}{
	{"goroutine profile: total ", profileGoroutine, true},
	{"goroutineleak profile: total ", profileLeak, true},
	{"threadcreate profile: total ", profileThreads, true},
	{"heap profile: ", profileHeap, true},
	{"--- mutex:", profileContention, false},
	{"--- contention:", profileContention, false},
}

// parseProfileHead reads a head line; total is -1 where none is printed.
func parseProfileHead(b []byte) (kind profileKind, total int, ok bool) {
	if len(b) == 0 || b[0] != 'g' && b[0] != 't' && b[0] != 'h' && b[0] != '-' {
		return 0, 0, false
	}
	for _, h := range profileHeads {
		if !hasBytes(b, h.prefix) {
			continue
		}
		rest := b[len(h.prefix):]
		if !h.counts {
			return h.kind, -1, len(trimSpace(rest)) == 0
		}
		digits := 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			digits++
		}
		if h.kind == profileHeap {
			return h.kind, -1, digits > 0 && digits < len(rest) && rest[digits] == ':'
		}
		n, ok := atoi(rest[:digits])
		return h.kind, n, ok && len(trimSpace(rest[digits:])) == 0
	}
	return 0, 0, false
}

// isProfileHead tells whether a line begins a text profile: its head, or the
// first group of one whose head is lost.
func isProfileHead(line []byte) bool {
	line = trimSpace(line)
	if _, _, ok := parseProfileHead(line); ok {
		return true
	}
	_, pcs, ok := parseGroup(line)
	return ok && len(pcs) > 0
}

// parseGroup reads "N @ 0xPC 0xPC …". pcs is what follows the @, trimmed.
func parseGroup(b []byte) (count int, pcs []byte, ok bool) {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i == 0 || i > 12 {
		return 0, nil, false
	}
	rest := trimLeft(b[i:])
	if len(rest) == len(b[i:]) || len(rest) == 0 || rest[0] != '@' {
		return 0, nil, false
	}
	pcs = trimSpace(rest[1:])
	if !isAddresses(pcs) {
		return 0, nil, false
	}
	count, ok = atoi(b[:i])
	return count, pcs, ok
}

// isAddresses accepts blank-separated 0x words, none included. The last may be torn.
func isAddresses(b []byte) bool {
	for len(b) > 0 {
		var w []byte
		w, b = cutBlank(b)
		switch {
		case len(w) > 2 && w[0] == '0' && w[1] == 'x' && len(w) <= 18 && isHex(w[2:]):
		case len(b) == 0 && (string(w) == "0" || string(w) == "0x"):
		default:
			return false
		}
	}
	return true
}

// cutBlank cuts the first word off.
func cutBlank(b []byte) (word, rest []byte) {
	for i, c := range b {
		if isBlank(c) {
			return b[:i], trimLeft(b[i:])
		}
	}
	return b, nil
}

// parseAddress reads 0xH; 0 when it is not one.
func parseAddress(w []byte) uint64 {
	if len(w) < 3 || len(w) > 18 || w[0] != '0' || w[1] != 'x' {
		return 0
	}
	v, err := strconv.ParseUint(string(w[2:]), 16, 64)
	if err != nil {
		return 0
	}
	return v
}

// splitProfileFrame splits "name+0xOFF <tabs> file:line" and cuts the offset
// off. A paste may have turned the tabs into blanks; names hold blanks only in
// types without a name, and paths may.
func splitProfileFrame(b []byte) (name, place []byte) {
	if k := bytes.IndexByte(b, '\t'); k >= 0 {
		name, place = trimRight(b[:k]), trimLeft(b[k:])
		if o := bytes.LastIndex(name, []byte("+0x")); o > 0 && isHex(name[o+3:]) {
			name = name[:o]
		}
		return name, place
	}
	for at := 0; ; {
		k := bytes.Index(b[at:], []byte("+0x"))
		if k < 0 {
			return b, nil // torn
		}
		k += at
		e := k + 3
		for e < len(b) && isHex(b[e:e+1]) {
			e++
		}
		if e > k+3 && (e == len(b) || isBlank(b[e])) {
			return b[:k], trimLeft(b[e:])
		}
		at = k + 3
	}
}
