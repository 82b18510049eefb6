package parse

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strings"
)

// FingerprintAlgorithm is the version of the algorithm that stands before the colon of a fingerprint.
const FingerprintAlgorithm = "ct1"

// fingerprint identifies an incident over builds, machines and Go releases:
// kind, normalised headline, and the own frames by symbol from the blamed one
// outwards (at most eight). No lines, no addresses, no ids. "ct1" is the
// algorithm's version: it changes whenever the same crash would get another
// value.
func fingerprint(inc *Incident) string {
	h := sha256.New()
	kind := inc.Kind
	switch kind {
	case KindFatal, KindThrow:
		kind = KindFatal // which messages are throws moved between releases
	}
	h.Write([]byte(kind))
	h.Write([]byte{'\n'})
	h.Write([]byte(normalHeadline(inc)))
	h.Write([]byte{'\n'})
	n := 0
	last := ""
	below := inc.Blame == nil
	for i := range inc.Stack {
		f := &inc.Stack[i]
		if !below {
			below = f == inc.Blame
		}
		if !below || f.Std || isPanicOrigin(f.Function) {
			continue
		}
		s := Symbol(f.Function)
		if s == last { // recursion
			continue
		}
		last = s
		h.Write([]byte(s))
		h.Write([]byte{'\n'})
		if n++; n == 8 {
			break
		}
	}
	for _, t := range inc.RunningTests {
		name, _, _ := strings.Cut(t, " ")
		h.Write([]byte(name))
		h.Write([]byte{'\n'})
	}
	if kind == KindTestTimeout && len(inc.RunningTests) == 0 {
		for _, t := range stuckTests(inc) {
			h.Write([]byte(t))
			h.Write([]byte{'\n'})
		}
	}
	return FingerprintAlgorithm + ":" + hex.EncodeToString(h.Sum(nil)[:4])
}

// normalHeadline is the headline with what varies between sightings masked:
// numbers, hex words, quoted text, and the marks of recovery.
func normalHeadline(inc *Incident) string {
	r := inc.Reason
	if k := strings.Index(r, ": panic serving "); k >= 0 { // the client's address
		if _, v, ok := strings.Cut(r[k+len(": panic serving "):], ": "); ok {
			r = r[:k] + ": panic serving: " + v
		}
	}
	return mask(r)
}

// mask replaces the parts of a headline that vary: quoted text, numbers, hex words.
func mask(r string) string {
	var b strings.Builder
	for i := 0; i < len(r) && b.Len() < 256; {
		c := r[i]
		switch {
		case c == '"':
			if k := strings.IndexByte(r[i+1:], '"'); k >= 0 {
				b.WriteString(`"…"`)
				i += k + 2
				continue
			}
			b.WriteByte(c)
			i++
		case c >= '0' && c <= '9':
			j := i
			for j < len(r) && (r[j] >= '0' && r[j] <= '9' || r[j] >= 'a' && r[j] <= 'f' || r[j] == 'x' || r[j] == '.') {
				j++
			}
			b.WriteByte('#')
			i = j
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// stuckTests names the tests that still have a goroutine, sorted: before Go 1.20
// a timeout does not list them.
func stuckTests(inc *Incident) []string {
	var names []string
	for _, b := range inc.Buckets {
		for i := 1; i < len(b.Frames); i++ {
			if b.Frames[i].Function == "testing.tRunner" {
				names = append(names, Symbol(b.Frames[i-1].Function))
			}
		}
	}
	sort.Strings(names)
	return names
}
