package parse

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Goroutine profiles as text (runtime/pprof/pprof.go, printCountProfile and
// printStackRecord; debug=1):
//
//	profile = head { group }
//	head    = NAME " profile: total " N
//	group   = N " @" { " 0x" PC } [ "# labels: {" K ":" V { ", " K ":" V } "}" ] { frame } ""
//	frame   = "#" TAB "0x" PC [ TAB FUNCTION "+0x" OFFSET TAB { TAB } FILE ":" LINE ]
//
// NAME is goroutine or goroutineleak (Go 1.26 by experiment, 1.27 always). The
// PCs behind the @ are return addresses, those of the frames one less.
// Groups stand by falling count; those that differ only in labels or in
// addresses are one bucket here. Leading runtime functions and runtime.goexit
// are not printed unless there is nothing else.
//
// The other profiles begin with "threadcreate profile: total N", "--- mutex:",
// "--- contention:" or "heap profile: …". They are read over, so that their
// stacks are taken for nothing else, and are no incidents.

const (
	maxProfileStacks = 20_000
	maxProfileText   = 64 << 20 // bytes kept of all stacks together
	maxProfileFrames = 1_024    // frames kept of one group; the runtime prints 128 at most, plus inlined ones
	maxProfileLine   = 64 << 10
	// maxProfileGap is how many foreign lines may stand inside a profile: other
	// writers share the descriptor.
	maxProfileGap = 64
)

// profileScanner reads one text profile, line by line, without the wrapper.
type profileScanner struct {
	source    string
	kind      profileKind
	head      string
	total     int // -1: not printed
	first     int // first and last line that belong to it
	last      int
	maxStacks int

	sum    int // goroutines of the groups so far
	stacks map[string]*profileStack
	order  []*profileStack
	kept   int // bytes of text in stacks
	over   int // goroutines whose stack was not kept

	group    profileGroup
	closed   bool   // an empty line ended the last group
	odd      int    // groups whose last frame is not their last address; see closeGroup
	lastOdd  bool   // the last group is one of them
	goexit   uint64 // the address of runtime.goexit, once a group showed it
	torn     bool   // the last frame line is not whole
	nameless bool   // the last frame line is an address alone
	foreign  int    // lines since the last one that belongs
	dropped  int
}

// profileGroup is the group being read.
type profileGroup struct {
	open   bool
	line   int
	count  int
	zero   bool // all addresses are 0x0
	pcs    [2]uint64
	lastPC uint64
	text   []byte // "function\nfile:line\n" a frame: the shape, as in shape.go
	frames []profileFrame
	labels []byte
}

type profileFrame struct {
	name, end int // text[:name] ends with the function, text[:end] with file:line
	file      int // length of the file in file:line
	line, no  int
}

// profileStack is one distinct stack.
type profileStack struct {
	text   string
	frames []profileFrame
	count  int
	line   int
	labels []string
}

// newProfileScanner begins a profile with the line that isProfileHead accepted.
func newProfileScanner(source string, first []byte, no int) *profileScanner {
	s := &profileScanner{source: source, total: -1, first: no, last: no, maxStacks: maxProfileStacks, stacks: make(map[string]*profileStack)}
	first = trimSpace(first)
	if kind, total, ok := parseProfileHead(first); ok {
		s.kind, s.total, s.head = kind, total, string(first)
		return s
	}
	s.line(first, no)
	return s
}

// incident tells whether the profile is one of goroutines.
func (s *profileScanner) incident() bool { return s.kind <= profileLeak }

// line takes one more line; false means that it does not belong to the profile.
// After that the profile is over if done says so: else a line of another writer
// stood in it, and the next lines may be offered again.
func (s *profileScanner) line(body []byte, no int) bool {
	b := trimSpace(body)
	if len(b) == 0 {
		if s.foreign > 0 { // whose it is cannot be told
			return false
		}
		s.closeGroup()
		s.closed = true
		return true
	}
	if len(b) > maxProfileLine || !s.take(b, no) {
		s.foreign++
		return false
	}
	s.dropped += s.foreign
	s.foreign = 0
	s.last = no
	s.closed = false
	return true
}

// done tells whether nothing more can belong to the profile.
func (s *profileScanner) done() bool {
	return s.foreign > maxProfileGap || s.foreign > 0 && (!s.incident() || s.total < 0 || s.complete())
}

// complete tells whether all goroutines that the head counts were read.
func (s *profileScanner) complete() bool {
	return s.total >= 0 && s.sum >= s.total && (s.closed || len(s.group.frames) > 0 || !s.group.open)
}

func (s *profileScanner) take(b []byte, no int) bool {
	switch c := b[0]; {
	case c == '#':
		return s.comment(b, no)
	case c == '0' && len(b) > 2 && b[1] == 'x':
		// A terminal or a paste broke the line of addresses.
		if g := &s.group; g.open && len(g.frames) == 0 && isAddresses(b) {
			g.addresses(b)
			return true
		}
		return !s.incident() && isAddresses(b)
	case c >= '0' && c <= '9':
		if !s.incident() && s.kind != profileThreads {
			// "CYCLES COUNT @ PCs" and "OBJECTS: BYTES [OBJECTS: BYTES] @ PCs"
			k := bytes.IndexByte(b, '@')
			return k > 0 && isAddresses(trimSpace(b[k+1:]))
		}
		count, pcs, ok := parseGroup(b)
		if !ok {
			return false
		}
		s.closeGroup()
		s.sum = min(s.sum+count, 1<<50)
		g := &s.group
		g.open, g.line, g.count, g.zero = true, no, count, true
		g.pcs, g.lastPC, g.text, g.frames, g.labels = [2]uint64{}, 0, g.text[:0], g.frames[:0], nil
		g.addresses(pcs)
		s.torn, s.nameless = false, false
		return true
	case s.kind == profileContention:
		return hasBytes(b, "cycles/second=") || hasBytes(b, "sampling period=") || hasBytes(b, "ms since reset=") || hasBytes(b, "discarded samples=")
	}
	return false
}

// addresses notes the last two PCs of the group.
func (g *profileGroup) addresses(b []byte) {
	for len(b) > 0 {
		var w []byte
		w, b = cutBlank(b)
		pc := parseAddress(w)
		if pc != 0 {
			g.zero = false
		}
		g.pcs[0], g.pcs[1] = g.pcs[1], pc
	}
}

// comment reads a line that begins with #: labels or a frame.
func (s *profileScanner) comment(b []byte, no int) bool {
	b = trimSpace(b[1:])
	if hasBytes(b, "labels: {") {
		if s.group.open && s.group.labels == nil {
			s.group.labels = bytes.Clone(b[len("labels: "):])
		}
		return s.group.open || !s.incident()
	}
	word, rest := cutBlank(b)
	if !hasBytes(word, "0x") || len(word) > 2 && !isHex(word[2:]) {
		return s.kind == profileHeap // "# Alloc = 1536": runtime.MemStats
	}
	g := &s.group
	if !s.incident() {
		return true
	}
	if !g.open {
		return s.dropped+s.foreign > 0 || s.closed // the group's first line was lost
	}
	g.lastPC = parseAddress(word)
	if len(g.frames) >= maxProfileFrames {
		return true
	}
	name, place := splitProfileFrame(rest)
	file, n, ok := splitPlace(place)
	s.torn = len(rest) > 0 && !ok
	s.nameless = len(name) == 0
	if s.nameless {
		name = []byte("??") // the runtime found no function at this address
	}
	f := profileFrame{line: n, no: no}
	g.text = append(g.text, name...)
	f.name = len(g.text)
	g.text = append(g.text, '\n')
	if ok {
		g.text = append(g.text, place...)
		f.file = len(file)
	}
	f.end = len(g.text)
	g.text = append(g.text, '\n')
	g.frames = append(g.frames, f)
	return true
}

// closeGroup folds the group that was read into the stacks.
func (s *profileScanner) closeGroup() {
	g := &s.group
	if !g.open {
		return
	}
	g.open = false
	if s.kind == profileUnknown && g.zero && s.sum == g.count {
		s.kind = profileThreads // threadcreate records most threads without a stack
	}
	if !s.incident() {
		return
	}
	// The last frame printed belongs to the last address, or to the one before it
	// when that is runtime.goexit: else lines are missing at the end of the group.
	// A goroutine that has not run yet has runtime.goexit alone and no frame.
	end := func(pc uint64) bool { return pc != 0 && (g.lastPC == pc || g.lastPC == pc-1) }
	fresh := g.pcs[0] == 0 && len(g.frames) == 0 && (s.goexit == 0 || s.goexit == g.pcs[1])
	s.lastOdd = !end(g.pcs[0]) && !end(g.pcs[1]) && !fresh
	switch {
	case s.lastOdd:
		s.odd++
	case end(g.pcs[0]):
		s.goexit = g.pcs[1]
	}
	st := s.stacks[string(g.text)]
	if st == nil {
		if len(s.order) >= s.maxStacks || s.kept+len(g.text) > maxProfileText {
			s.over += g.count
			return
		}
		st = &profileStack{text: string(g.text), frames: slices.Clone(g.frames), line: g.line}
		s.stacks[st.text] = st
		s.order = append(s.order, st)
		s.kept += len(st.text)
	}
	st.count += g.count
	if len(g.labels) > 0 && len(st.labels) < keptLabels && !slices.Contains(st.labels, string(g.labels)) {
		st.labels = append(st.labels, string(g.labels))
	}
}

// finish ends the profile. It returns nil when the profile is none of goroutines.
func (s *profileScanner) finish() *Incident {
	if s.group.open && s.nameless { // no empty line behind it: the name is cut off
		s.torn = true
	}
	s.closeGroup()
	if s.kind == profileUnknown && len(s.order) > 0 && hasBytes([]byte(s.order[0].text), "runtime.allocm\n") {
		s.kind = profileThreads
	}
	if !s.incident() {
		return nil
	}
	in := &Incident{
		Kind: KindGoroutineProfile, Headline: s.head, Reason: s.head, Died: No, Count: 1,
		Source: s.source, Line: s.first, EndLine: s.last,
		Goroutines: s.sum, Truncated: s.truncated(), Dropped: s.dropped,
	}
	if s.head != "" {
		in.HeadlineLine = s.first
	}
	if s.total >= 0 {
		in.Goroutines = s.total
	}
	for _, st := range s.order {
		in.Buckets = append(in.Buckets, st.bucket(s.kind == profileLeak))
	}
	slices.SortStableFunc(in.Buckets, func(a, b *Bucket) int { return cmp.Compare(b.Count, a.Count) })
	if s.over > 0 {
		in.Buckets = append(in.Buckets, &Bucket{ID: stackID(""), Count: s.over})
	}
	return in
}

// truncated says why the profile is known not to be whole.
func (s *profileScanner) truncated() string {
	switch {
	case s.total < 0:
		return "the head of the profile is missing"
	case s.sum < s.total:
		return fmt.Sprintf("the profile counts %d goroutines, %d of them are here", s.total, s.sum)
	case s.sum > s.total:
		return fmt.Sprintf("the profile counts %d goroutines, its groups add up to %d", s.total, s.sum)
	case s.torn || s.lastOdd && s.odd == 1:
		return "the last stack is cut off"
	case s.over > 0:
		return fmt.Sprintf("over %d distinct stacks: %d goroutines are counted without their frames", len(s.order), s.over)
	}
	return ""
}

func (st *profileStack) bucket(leaked bool) *Bucket {
	b := &Bucket{ID: stackID(st.text), Count: st.count, Line: st.line, Labels: st.labels}
	if leaked {
		b.Leaked = st.count
	}
	from := 0
	for _, f := range st.frames {
		fr := Frame{Function: st.text[from:f.name], Line: f.line, SourceLine: f.no}
		if f.end > f.name+1 {
			fr.File = st.text[f.name+1 : f.name+1+f.file]
		}
		annotate(&fr)
		b.Frames = append(b.Frames, fr)
		from = f.end + 1
	}
	return b
}

// stackID names a bucket without a state, as shape.id does.
func stackID(text string) string {
	h := sha256.Sum256([]byte("\n" + text))
	return hex.EncodeToString(h[:6])
}
