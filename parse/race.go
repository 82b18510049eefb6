package parse

import "bytes"

// Race reports are printed by the race detector's C++ runtime
// (compiler-rt/lib/tsan/go), not by the Go runtime:
//
//	==================
//	WARNING: DATA RACE
//	Write at 0x00c000060080 by goroutine 9:
//	  main.f()
//	      /src/main.go:11 +0x5a
//
//	Previous read at 0x00c000060080 by main goroutine:
//	  [failed to restore the stack]
//
//	Goroutine 9 (running) created at:
//	  …
//	==================
//
// Its goroutine numbers are the detector's own and never join with a traceback.

func isRaceHead(t []byte) bool { return bytes.HasPrefix(t, []byte("WARNING: DATA RACE")) }

// maxRaceLines bounds one report.
const maxRaceLines = 4096

// raceScanner reads one report, from its WARNING line to its closing rule.
type raceScanner struct {
	inc     *Incident
	pending bool // a function line came, its file line not yet
	seen    int
	foreign int
	closed  bool
}

func newRaceScanner(source string, no int, context []ContextLine) *raceScanner {
	return &raceScanner{inc: &Incident{
		Kind: KindRace, Headline: "WARNING: DATA RACE", Reason: "DATA RACE", Died: No, Count: 1,
		Source: source, Line: no, EndLine: no, HeadlineLine: no, Context: context,
	}}
}

// line takes a line; false: the report is over and the line is not its own.
func (r *raceScanner) line(b []byte, no int) bool {
	t := trimSpace(b)
	r.seen++
	switch {
	case r.closed:
		return false
	case len(t) == 0:
		r.pending = false
		return true
	case bytes.HasPrefix(t, []byte("==================")):
		r.closed = true
		r.inc.EndLine = no
		return true
	case r.seen >= maxRaceLines:
		return false
	case isRaceTitle(t):
		r.inc.Races = append(r.inc.Races, RaceAccess{Title: string(bytes.TrimSuffix(t, []byte{':'})), Line: no})
		r.pending, r.foreign = false, 0
		r.inc.EndLine = no
		return true
	}
	if len(r.inc.Races) == 0 {
		return r.skip(b)
	}
	a := &r.inc.Races[len(r.inc.Races)-1]
	if r.pending {
		if cut, ok := isPlace(t, true); ok {
			file, line, _ := splitPlace(t[:cut])
			f := &a.Stack[len(a.Stack)-1]
			f.File, f.Line = string(file), line
			r.pending, r.foreign = false, 0
			r.inc.EndLine = no
			return true
		}
	}
	if bytes.HasSuffix(t, []byte("()")) && len(t) > 2 && len(t) < 2048 {
		a.Stack = append(a.Stack, Frame{Function: string(t[:len(t)-2]), SourceLine: no})
		r.pending, r.foreign = true, 0
		r.inc.EndLine = no
		return true
	}
	if bytes.Equal(t, []byte("[failed to restore the stack]")) {
		r.inc.EndLine = no
		return true
	}
	return r.skip(b)
}

// skip leaves a foreign line out, unless a new incident or too much other text shows that the report is over.
func (r *raceScanner) skip(b []byte) bool {
	if _, ok := strongHead(b); ok || isEndMark(b) || isRaceHead(trimLeft(b)) {
		return false
	}
	if _, ok := parseHeader(b); ok {
		return false
	}
	r.foreign++
	r.inc.Dropped++
	return r.foreign <= 8
}

func isRaceTitle(t []byte) bool {
	if t[len(t)-1] != ':' {
		return false
	}
	for _, p := range []string{"Read at 0x", "Write at 0x", "Previous read at 0x", "Previous write at 0x", "Atomic read at 0x", "Atomic write at 0x", "Previous atomic read at 0x", "Previous atomic write at 0x"} {
		if bytes.HasPrefix(t, []byte(p)) {
			return true
		}
	}
	return (bytes.HasPrefix(t, []byte("Goroutine ")) || bytes.HasPrefix(t, []byte("Mutex M"))) && bytes.HasSuffix(t, []byte("created at:")) ||
		bytes.HasPrefix(t, []byte("Heap block of size ")) && bytes.Contains(t, []byte("allocated by"))
}

// finish returns the report.
func (r *raceScanner) finish() *Incident {
	inc := r.inc
	for i := range inc.Races {
		for j := range inc.Races[i].Stack {
			annotate(&inc.Races[i].Stack[j])
		}
	}
	if len(inc.Races) > 0 {
		inc.Stack = inc.Races[0].Stack
	}
	// The stack of one side may be lost: the first access with an own frame is to blame.
	for i := range inc.Races {
		st := inc.Races[i].Stack
		if k := blame(st, false); k >= 0 {
			inc.Stack, inc.Blame = st, &st[k]
			break
		}
	}
	if !r.closed {
		inc.Truncated = "the report's closing rule is missing"
	}
	inc.Fingerprint = fingerprint(inc)
	return inc
}
