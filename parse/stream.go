package parse

import (
	"bytes"
	"strings"
)

const (
	weakReach     = 5  // lines between a recover handler's line and its goroutine block
	betweenLimit  = 40 // foreign lines after which an incident is over
	preambleLimit = 24 // the same before its first block
	foreignLimit  = 24 // foreign lines inside a block after which it is over
)

// lineStream is one sequence of lines that a process wrote: a source holds several
// where containers, pods or test packages are interleaved. It is a small state
// machine: outside of incidents (idle), inside one before its first goroutine
// block, inside a block, between blocks.
type lineStream struct {
	r   *reader
	key string

	g   goroutine
	inc *builder

	handled *builder // the newest recovered panic, closed: the runtime may report it too

	logs     *logScanner
	profile  *profileScanner
	race     *raceScanner
	recovery *recoveryScanner

	weak    opening // newest line that may announce a goroutine block
	weakAge int     // lines since
	details int     // line of the first of the runtime's detail lines just before, or 0
	prevNo  int     // line of the newest text line
	before  *Record // the record before record
	record  *Record // the newest text line's record, if it is one
	indent  int     // blanks that were taken off the newest line as its only wrapper
	clock   []byte  // the newest line's wrapper's timestamp; it lies in the line
	doubt   doubt   // what the newest line's wrapper leaves open
	field   bool    // the lines stand in a field of a record
	blank   bool    // the newest line was empty

	fn   []byte // a function line outside of any block, which may begin a stack whose header was lost
	fnNo int

	ring   []textLine // the newest text lines
	next   int
	join   []byte // beginning of a record that goes on
	joinNo int
}

// chiMark stands before the frame at which chi's Recoverer says that the panic began.

// maxContext bounds the bytes kept of a context line.
const maxContext = 400

// textLine is a line outside of incidents; its memory is used again.
type textLine struct {
	no     int
	text   []byte
	record *Record
}

// line takes one line without its wrapper.
func (s *lineStream) line(b []byte, no int) {
	switch {
	case s.profile != nil:
		if s.profile.line(b, no) {
			return
		}
		if s.profile.done() || isProfileHead(b) { // else another writer's line stands in it
			s.endProfile()
		}
	case s.race != nil:
		if s.race.line(b, no) {
			return
		}
		s.endRace()
	case s.recovery != nil:
		if s.recovery.line(b, no) {
			return
		}
		s.endRecovery()
	}
	if s.g.open {
		if s.blockLine(b, no) {
			return
		}
	}
	if s.inc != nil {
		if s.incidentLine(b, no) {
			return
		}
	}
	s.idleLine(b, no)
}

// blockLine takes a line inside a goroutine block. It reports false, with the
// block closed, for a line that ends it.
func (s *lineStream) blockLine(b []byte, no int) bool {
	g := &s.g
	b = trimRight(b)
	t := trimLeft(b)
	if len(t) == 0 {
		g.blank = true
		return true
	}
	indented := len(t) < len(b)
	if t[0] == 'g' {
		if h, ok := parseHeader(t); ok {
			s.closeBlock()
			s.header(h, b, no, g.blank)
			return true
		}
		if bytes.HasPrefix(t, goroutinePrefix) {
			if bytes.HasPrefix(t[len(goroutinePrefix):], []byte("running on other thread; stack unavailable")) {
				g.add(t, len(t), no, partUnavailable)
				return true
			}
			if len(t) > len(goroutinePrefix) && t[len(goroutinePrefix)] >= '0' && t[len(goroutinePrefix)] <= '9' {
				s.r.problem(no, "torn-header", "a goroutine header is torn: its frames are left out up to the next header")
				s.closeBlock()
				s.inc.torn++
				return true
			}
		}
	}
	if g.ancestors {
		switch {
		case g.blank, s.endsBlock(b, t):
			s.closeBlock()
			return false
		}
		g.last = no
		return true // ancestors' frames are no part of the stack
	}
	if len(g.half) > 0 { // a line that a terminal or viewer broke, or cut
		half := bytes.Clone(g.half)
		g.half = g.half[:0]
		if !g.blank && s.framePart(append(half[:len(half):len(half)], t...), true, no) {
			return true
		}
		g.addCut(half)
	}
	if !g.done || g.blank {
		if !g.blank && g.breaks(t) {
			g.half = append(g.half[:0], t...)
			g.last = no
			return true
		}
		if s.framePart(t, indented, no) {
			return true
		}
		if name, _, ok := parseCreated(t); ok && !g.done {
			g.dropPending()
			g.add(t, len(createdBy)+len(name), no, partCreated)
			g.pending = true
			return true
		}
		if _, ok := parseElided(t); ok {
			g.dropPending()
			g.add(t, len(t), no, partElided)
			return true
		}
		if bytes.HasPrefix(t, []byte("non-Go function")) {
			g.dropPending()
			g.add(t, len("non-Go function"), no, partFunction)
			g.pending = true
			return true
		}
	}
	if isAncestor(t) {
		g.ancestors = true
		g.last = no
		return true
	}
	if !g.blank && isRuntimeDetail(b) { // hex dumps of the unwinder stand between frames
		g.last = no
		return true
	}
	if g.blank || g.done || s.endsBlock(b, t) || g.run >= foreignLimit {
		s.closeBlock()
		return false
	}
	if len(g.parts) == 0 && !g.spaced && s.inc.pre() && len(s.inc.chain) > 0 && s.inc.inc.Signal == "" {
		// No frame behind it and no empty line before it: the header was a panic value's text,
		// which stood raw before Go 1.23.
		g.open = false
		s.inc.addValue([]byte("goroutine …"))
		return false
	}
	g.run++
	s.text(b, no)
	return true
}

// framePart adds a function or file line.
func (s *lineStream) framePart(t []byte, indented bool, no int) bool {
	g := &s.g
	if g.pending {
		if cut, ok := isPlace(t, indented); ok {
			g.done = g.parts[len(g.parts)-1].kind == partCreated
			g.add(t, cut, no, partFile)
			g.pending = false
			return true
		}
	}
	if cut, ok := isFunction(t, g.blank); ok && !g.done {
		g.dropPending()
		g.add(t, cut, no, partFunction)
		g.pending = true
		return true
	}
	if g.bare && !g.pending && isBareFunction(t) {
		g.add(t, len(t), no, partFunction)
		g.pending = true
		return true
	}
	return false
}

// endsBlock tells whether a line can only stand outside of a goroutine block.
func (s *lineStream) endsBlock(b, t []byte) bool {
	if _, ok := strongHead(b); ok {
		return true
	}
	if h, ok := weakHead(b); ok && (h.kind != KindRecoveredPanic || h.strong) {
		return true
	}
	return isEndMark(b) || bytes.HasPrefix(b, []byte("==================")) || bytes.Equal(t, []byte("-----")) || bytes.Equal(t, []byte("runtime stack:")) || bytes.HasPrefix(t, []byte("[signal "))
}

// header opens a goroutine block, in the open incident or in a new one.
func (s *lineStream) header(h header, b []byte, no int, spaced bool) {
	rest := h.rest
	if s.inc != nil && s.startsAnew(h) {
		s.closeIncident()
	}
	if s.inc == nil {
		s.openByHeader(no)
	}
	inc := s.inc
	if inc.pre() && inc.prevText == "" && s.prevNo >= no-3 {
		inc.prevText = s.newest()
	}
	if bytes.Contains(b, []byte(" gp=0x")) {
		inc.meta = true
	}
	s.g.start(h, no, spaced)
	s.fn = s.fn[:0]
	inc.inc.EndLine = no
	if len(rest) > 0 {
		s.blockLine(rest, no)
		if s.g.open {
			s.g.keepLast()
		}
	}
}

// startsAnew tells whether a header begins another incident than the open one.
func (s *lineStream) startsAnew(h header) bool {
	inc := s.inc
	switch {
	case inc.ended:
		return true
	case inc.pre():
		return false
	case inc.inc.Kind == KindRecoveredPanic && !s.field:
		return true // handlers print one block; in a record's field all are its own
	case s.weakAge <= weakReach && s.weak.no > inc.inc.EndLine:
		return true
	}
	// The same goroutine again behind other text: a second dump.
	return inc.after > 0 && inc.firstID == h.id && inc.inc.Goroutines > 0 && inc.sections == 0 && !inc.registers
}

func (s *lineStream) openByHeader(no int) {
	if s.weak.no > 0 && s.weakAge <= weakReach {
		s.open(s.weak)
		s.weak = opening{}
		return
	}
	s.open(opening{kind: KindGoroutineDump, no: no})
}

// open begins an incident.
func (s *lineStream) open(h opening) {
	line := h.no
	if s.details > 0 && s.details < line {
		line = s.details
	}
	s.details = 0
	inc := &Incident{Kind: h.kind, Headline: h.text, Source: s.r.src.Name, Line: line, EndLine: h.no}
	if h.at.IsZero() {
		h.at = clockTime(s.clock)
	}
	inc.FirstTime, inc.LastTime = h.at, h.at
	if h.text != "" {
		inc.HeadlineLine = h.no
	}
	indent := s.indent
	if s.doubt == doubtPrefix {
		indent = 1 << 20 // its further lines are set in by as much as the prefix's writer likes
	}
	s.inc = &builder{inc: inc, field: s.field, indent: indent, doubt: s.doubt, stacks: s.r.stacks, shapes: shapes{limit: s.r.opt.MaxShapes}, glued: h.glued}
	if h.strong && h.kind != KindSignal {
		s.inc.chain = []string{h.text}
	}
	inc.Context = s.context(0, line)
	inc.Details = s.context(line, h.no)
}

// context returns the newest lines from one line on and before another, oldest first.
func (s *lineStream) context(from, before int) []ContextLine {
	var out []ContextLine
	for i := range s.ring {
		c := &s.ring[(s.next+i)%len(s.ring)]
		if c.no > 0 && c.no >= from && c.no < before {
			out = append(out, ContextLine{Line: c.no, Text: clip(c.text), Record: s.logs.full(c.record)})
		}
	}
	return out
}

// newest returns the newest text line; where that only opens a field, what its record says.
func (s *lineStream) newest() string {
	t := trimSpace(s.raw())
	if n := len(t); n > 1 && t[n-1] == '=' && bytes.IndexByte(t, ' ') < 0 {
		for i := range s.ring { // the newest first
			c := &s.ring[(s.next+2*len(s.ring)-1-i)%len(s.ring)]
			if c.record != nil && c.no >= s.prevNo-weakReach {
				return s.caught(c.record)
			}
		}
	}
	return clip(s.raw())
}

func (s *lineStream) raw() []byte {
	if len(s.ring) == 0 {
		return nil
	}
	return s.ring[(s.next+len(s.ring)-1)%len(s.ring)].text
}

// closeBlock ends the goroutine block.
func (s *lineStream) closeBlock() {
	g := &s.g
	if !g.open {
		return
	}
	g.dropPending()
	g.open = false
	if s.inc == nil {
		return
	}
	if g.orphan || g.runtimeStack {
		s.inc.addGoroutine(g)
		return
	}
	// A panic value may hold a header, raw before Go 1.23: without frames behind it, it is text.
	if len(g.parts) == 0 && !g.blank && s.inc.pre() && len(s.inc.chain) > 0 {
		s.inc.addValue([]byte("goroutine …"))
		return
	}
	s.inc.addGoroutine(g)
}

func (s *lineStream) closeIncident() {
	s.closeBlock()
	if s.inc == nil {
		return
	}
	b := s.inc
	s.inc = nil
	if b.quoted() {
		s.text([]byte(b.inc.Headline), b.inc.HeadlineLine)
		return
	}
	if b.inc.Kind == KindRecoveredPanic {
		s.handled = b
	}
	s.r.closed(s, b)
}

// incidentLine takes a line of an open incident outside of its blocks. It reports
// false, with the incident closed, for a line that does not belong.
func (s *lineStream) incidentLine(b []byte, no int) bool {
	inc := s.inc
	if inc.pre() && inc.printedByRuntime() && (s.indent > inc.indent || len(b) > 0 && b[0] == '\t') {
		// A tab stands behind each newline of a value (Go 1.23); an unwrapper may have taken it, or
		// the spaces that it became, for indentation.
		if s.indent > inc.indent && (len(b) == 0 || b[0] != '\t') {
			b = append([]byte{'\t'}, b...)
		}
		if len(trimSpace(b)) == 0 && !inc.blank {
			inc.addValue(nil)
			return true
		}
	}
	b = trimRight(b)
	t := trimLeft(b)
	if len(t) == 0 {
		inc.blank = true
		inc.tests = false
		return true
	}
	if t[0] == 'g' && (len(t) == len(b) || !inc.pre() || inc.blank || b[0] != '\t' && !(inc.printedByRuntime() && inc.indent == 0)) {
		if h, ok := parseHeader(t); ok {
			spaced := inc.blank
			inc.blank = false
			s.header(h, b, no, spaced)
			return true
		}
	}
	switch {
	case bytes.Equal(t, []byte("runtime stack:")):
		s.g.start(header{}, no, inc.blank)
		s.g.runtimeStack = true
		inc.inc.EndLine = no
		return true
	case bytes.HasPrefix(t, []byte("[signal ")):
		inc.inc.Signal = clip(t)
		return s.took(no)
	case bytes.HasPrefix(t, []byte("PC=0x")), bytes.HasPrefix(t, []byte("signal arrived during ")), isRuntimeDetail(b):
		return s.took(no)
	case isRegister(t) && (inc.inc.Kind != KindGoroutineDump || firstRegister(t)):
		if inc.inc.Kind == KindGoroutineDump && inc.inc.Headline == "" { // only a signal's report ends with them
			inc.inc.Kind = KindSignal
		}
		inc.registers = true
		return s.took(no)
	case bytes.Equal(t, []byte("-----")):
		inc.sections++
		s.took(no)
		inc.ruled = true
		return true
	case isEndMark(b):
		inc.ended = true
		s.closeIncident()
		return false
	}
	if k, ok := strongHead(b); ok {
		return s.headAgain(k, b, no)
	}
	if inc.pre() {
		return s.preambleLine(b, t, no)
	}
	if h, ok := weakHead(b); ok && (h.kind != KindRecoveredPanic || h.strong || observedPanic(h.text)) {
		s.closeIncident()
		return false
	}
	if inc.inc.Kind == KindRecoveredPanic || isRaceHead(t) || isProfileHead(t) {
		s.closeIncident()
		return false
	}
	inc.after++
	if inc.after > betweenLimit {
		s.closeIncident()
		return false
	}
	// A header that a paste lost: frames go on behind an empty line.
	if cut, ok := isFunction(t, true); ok && inc.torn == 0 {
		_ = cut
		inc.after--
		return true
	}
	s.text(b, no)
	return true
}

// took notes that a line belongs to the incident.
func (s *lineStream) took(no int) bool {
	s.inc.inc.EndLine = no
	s.inc.after = 0
	s.inc.blank, s.inc.ruled = false, false
	return true
}

// headAgain takes a second headline inside an open incident: a link of a panic
// chain, a fatal error raised while panicking, one section a thread, the same
// failure seen by two threads; or the next incident.
func (s *lineStream) headAgain(k Kind, b []byte, no int) bool {
	inc := s.inc
	text := clip(b)
	last := inc.inc.Headline
	if n := len(inc.chain); n > 0 {
		last = inc.chain[n-1]
	}
	switch {
	case k == KindSignal && inc.ruled:
		return s.took(no) // the next thread's section: the runtime sends SIGQUIT to each
	case k == KindSignal && inc.pre() && (strings.HasPrefix(inc.inc.Headline, "runtime/cgo") || strings.HasPrefix(inc.inc.Headline, "fatal: ")):
		// "fatal: morestack on g0" raises the trap that the runtime reports next.
		return s.took(no)
	case inc.pre() && text == inc.inc.Headline && !inc.glued:
		return s.took(no)
	case inc.pre() && bytes.HasPrefix(b, panicPrefix) && (strings.HasSuffix(last, "[recovered]") || len(inc.chain) > 0 && !inc.blank && strings.HasPrefix(last, "panic: ")):
		inc.chain = append(inc.chain, text)
		return s.took(no)
	case inc.pre() && len(inc.chain) > 0 && strings.HasPrefix(inc.inc.Headline, "panic: ") && bytes.HasPrefix(b, fatalPrefix) && !inc.blank:
		s.fatalDuringPanic(text, no)
		return true
	}
	s.closeIncident()
	return false
}

// repanicked continues an incident whose panic a handler printed and then raised
// again: "Observed a panic" followed by the runtime's own report of the same
// value is one incident.
func (s *lineStream) repanicked(h opening) bool {
	b := s.handled
	s.handled = nil
	if b == nil || h.kind != KindPanic || h.no-b.inc.EndLine > weakReach {
		return false
	}
	// A logger's Panic method prints the record and then panics with its message; a handler
	// raises what it recovered.
	value, mark := cutRecovered(strings.TrimPrefix(h.text, "panic: "))
	if mark == "" && b.caughtBy != KindLogFatal {
		return false
	}
	said := b.inc.Headline + b.said
	if value == "" || said != "" && !strings.Contains(said, value) || !s.r.reopen(b) {
		return false
	}
	s.inc = b
	b.inc.Kind, b.inc.Headline, b.inc.HeadlineLine = KindPanic, h.text, h.no
	b.chain, b.value, b.ended = []string{h.text}, nil, false
	b.crash, b.crashIn, b.orphan, b.again, b.field = nil, nil, nil, true, false
	return s.took(h.no)
}

// fatalDuringPanic makes the fatal error the headline: it ended the process, the panic only triggered it.
func (s *lineStream) fatalDuringPanic(text string, no int) {
	inc := s.inc
	inc.chain = append(inc.chain, text)
	inc.inc.Headline, inc.inc.HeadlineLine = text, no
	inc.inc.Kind = fatalKind([]byte(strings.TrimPrefix(text, "fatal error: ")))
	inc.value, inc.valueN = nil, 0
	s.took(no)
}

// preambleLine takes a line between the headline and the first block.
func (s *lineStream) preambleLine(b, t []byte, no int) bool {
	inc := s.inc
	if b[0] == '\t' || b[0] == ' ' {
		switch {
		case bytes.HasPrefix(t, panicPrefix):
			inc.chain = append(inc.chain, clip(t))
			return s.took(no)
		case bytes.HasPrefix(t, fatalPrefix):
			s.fatalDuringPanic(clip(t), no)
			return true
		case bytes.Equal(t, []byte("running tests:")):
			inc.tests = true
			return s.took(no)
		case inc.tests:
			inc.inc.RunningTests = append(inc.inc.RunningTests, clip(t))
			return s.took(no)
		}
		if !inc.blank && len(inc.chain) > 0 {
			if b[0] == '\t' {
				b = b[1:]
			}
			inc.addValue(b)
			return s.took(no)
		}
	}
	if bytes.Equal(t, []byte("running tests:")) {
		inc.tests = true
		return s.took(no)
	}
	if bytes.HasPrefix(t, []byte("```")) { // the fence around a paste
		inc.blank = true
		return true
	}
	if isChiFrame(t) && inc.inc.Kind == KindPanic {
		s.recovery = newChiScanner(inc.inc)
		s.inc = nil
		return s.recovery.line(b, no)
	}
	// Frames whose header was filtered out or lost.
	if cut, ok := isFunction(t, true); ok {
		s.g.start(header{}, no, inc.blank)
		s.g.orphan = true
		s.g.add(t, cut, no, partFunction)
		s.g.pending = true
		return true
	}
	if isRaceHead(t) {
		s.closeIncident()
		return false
	}
	if h, ok := weakHead(b); ok && (h.kind != KindRecoveredPanic || h.strong) {
		s.closeIncident()
		return false
	}
	if inc.inc.Headline == "fatal error:" && !inc.blank {
		inc.inc.Headline = "fatal error: " + clip(t)
		inc.inc.Kind = fatalKind(t)
		inc.chain = []string{inc.inc.Headline}
		return s.took(no)
	}
	rec := s.text(b, no)
	inc.after++
	if rec == nil && !inc.blank && len(inc.chain) > 0 && inc.after <= maxValueLines && !inc.glued {
		// Before Go 1.23 the further lines of a value are not indented.
		inc.addValue(b)
	}
	if inc.after > preambleLimit && (inc.blank || rec != nil) || inc.after > maxValueLines {
		s.forgetValue()
		s.closeIncident()
	}
	return true
}

// forgetValue drops what was taken for a panic value but was other text: no block followed.
func (s *lineStream) forgetValue() {
	if s.inc != nil && s.inc.pre() {
		s.inc.value = nil
	}
}

// idleLine takes a line outside of incidents.
func (s *lineStream) idleLine(b []byte, no int) {
	b = trimRight(b)
	if len(b) == 0 {
		s.blank = true
		s.weakAge++
		return
	}
	s.weakAge++
	blank := s.blank
	s.blank = false
	if c := b[0]; c == '{' { // the commonest line of a JSON log
		if !bytes.Contains(b, []byte("panic")) {
			s.text(b, no)
			return
		}
	}
	t := trimLeft(b)
	switch t[0] {
	case 'g':
		if h, ok := parseHeader(t); ok && (len(t) == len(b) || b[0] != '\t') {
			s.header(h, b, no, blank)
			return
		}
		if isProfileHead(t) {
			s.profile = newProfileScanner(s.r.src.Name, t, no)
			return
		}
	case 't', '-', 'h', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if isProfileHead(t) {
			s.profile = newProfileScanner(s.r.src.Name, t, no)
			return
		}
	case 'W':
		if isRaceHead(t) {
			s.race = newRaceScanner(s.r.src.Name, no, s.context(0, no))
			return
		}
	case 'P':
		// The second line of a signal's report, whose first one was lost.
		if bytes.HasPrefix(t, []byte("PC=0x")) && bytes.Contains(t, []byte(" m=")) && bytes.Contains(t, []byte(" sigcode=")) {
			s.open(opening{kind: KindSignal, no: no})
			return
		}
	case 'r':
		if bytes.Equal(t, []byte("running tests:")) && s.weak.glued && s.weakAge <= 2 {
			s.openWeak(b, no)
			return
		}
		if bytes.Equal(t, []byte("runtime stack:")) {
			s.open(opening{kind: KindThrow, no: no})
			s.g.start(header{}, no, blank)
			s.g.runtimeStack = true
			return
		}
	case '[':
		if bytes.HasPrefix(t, []byte("[signal ")) && s.weak.glued && s.weakAge <= 2 {
			s.openWeak(b, no)
			return
		}
		if bytes.HasPrefix(t, []byte("[signal SIG")) { // the headline before it was lost
			s.open(opening{kind: KindPanic, no: no})
			s.incidentLine(b, no)
			return
		}
	}
	if k, ok := strongHead(b); ok {
		h := opening{kind: k, text: clip(b), strong: true, no: no}
		if rest, torn := bytes.CutPrefix(b, fatalPrefix); torn && rest[0] == '{' && s.text(rest, no) != nil {
			h.text = "fatal error:" // another writer's record landed behind it: the message follows
		}
		if !s.repanicked(h) {
			s.open(h)
		}
		return
	}
	if s.orphanLine(b, t, no) {
		return
	}
	if isRuntimeDetail(b) {
		if s.details == 0 {
			s.details = no
		}
	} else {
		s.details = 0
	}
	if isGinRecovery(b) {
		s.recovery = newGinScanner(s.r.src.Name, b, no, s.context(0, no))
		return
	}
	if h, ok := weakHead(b); ok {
		h.no = no
		if h.at = clockTime(s.clock); h.at.IsZero() {
			h.at = clockTime(t)
		}
		if h.strong {
			s.open(h)
			return
		}
		if s.weakAge > weakReach || s.weak.kind != KindPanic || h.kind != KindRecoveredPanic {
			s.weak = h // else it is the reason that a compiler's or test's headline goes on to give
		}
		s.weakAge = 0
	}
	s.text(b, no)
}

// openWeak opens the incident of a headline behind other text, which line b proves to be one.
func (s *lineStream) openWeak(b []byte, no int) {
	s.open(s.weak)
	s.inc.chain = []string{s.weak.text}
	s.weak = opening{}
	s.incidentLine(b, no)
}

// orphanLine looks for a stack whose header was lost: a function line and an
// indented file line behind it, outside of any block.
func (s *lineStream) orphanLine(b, t []byte, no int) bool {
	if len(s.fn) > 0 && s.fnNo >= no-2 {
		if cut, ok := isPlace(t, len(t) < len(b)); ok && (bytes.Contains(t[cut:], []byte("+0x")) || s.fn[len(s.fn)-1] != ')' && cut == len(t)) {
			fn := bytes.Clone(s.fn)
			fcut, ok := isFunction(fn, true)
			if !ok {
				fcut = len(fn)
			}
			s.openByHeader(s.fnNo)
			s.g.start(header{}, s.fnNo, false)
			s.g.orphan, s.g.bare = true, !ok
			s.g.add(fn, fcut, s.fnNo, partFunction)
			s.g.add(t, cut, no, partFile)
			s.fn = s.fn[:0]
			return true
		}
	}
	s.fn = s.fn[:0]
	if _, ok := isFunction(t, true); ok || isBareFunction(t) {
		s.fn = append(s.fn, t...)
		s.fnNo = no
	}
	return false
}

// text hands a line that is no part of an incident to the readers of logs and facts.
func (s *lineStream) text(b []byte, no int) *Record {
	rec := s.logs.line(b, no)
	s.r.facts.line(b, no)
	if rec != nil {
		s.r.facts.record(rec)
	}
	s.r.growth.line(b, no)
	if s.record != nil {
		s.before = s.record
	}
	s.prevNo, s.record = no, rec
	if len(s.ring) == 0 {
		s.ring = make([]textLine, s.r.opt.ContextLines)
	}
	c := &s.ring[s.next]
	c.no, c.record, c.text = no, rec, append(c.text[:0], b[:min(len(b), maxContext)]...)
	s.next = (s.next + 1) % len(s.ring)
	return rec
}

func (s *lineStream) endProfile() {
	if inc := s.profile.finish(); inc != nil {
		s.r.add(inc)
	}
	s.profile = nil
}

func (s *lineStream) endRace() {
	if inc := s.race.finish(); inc != nil {
		s.r.add(inc)
	}
	s.race = nil
}

func (s *lineStream) endRecovery() {
	if inc := s.recovery.finish(); inc != nil {
		for i := range inc.Stack {
			s.r.facts.frame(&inc.Stack[i])
		}
		s.r.add(inc)
	}
	s.recovery = nil
}

// end closes what is open at the end of the input. A missing last newline says
// nothing: pastes lose it.
func (s *lineStream) end() {
	if s.g.open && s.inc != nil && (s.g.pending || len(s.g.half) > 0) {
		s.inc.inc.Truncated = "the input ends inside a goroutine, before a frame's file line"
	}
	if s.profile != nil {
		s.endProfile()
	}
	if s.race != nil {
		s.endRace()
	}
	if s.recovery != nil {
		s.endRecovery()
	}
	s.closeIncident()
	if rec := s.logs.finish(); rec != nil {
		s.r.facts.record(rec)
	}
}
