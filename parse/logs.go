package parse

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Bounds of a log summary. What goes over them is counted, never lost.
const (
	maxLogBuckets  = 2000     // distinct messages of one source; further ones share a bucket a level
	maxMessages    = 8192     // messages remembered as they stand, to spare masking them again
	maxMessageKey  = 1 << 10  // longer ones are masked every time
	maxMessageText = 4 << 10  // Record.Message, .Error
	maxRaw         = 4 << 10  // Record.Raw
	maxExample     = 512      // LogBucket.Example
	maxKeptBytes   = 64 << 20 // texts of all kept records
	maxRestarts    = 1000
)

// overflowMessage is the message of the bucket that holds what is over maxLogBuckets.
const overflowMessage = "(further messages)"

// logScanner folds the records of one stream into buckets. It allocates for a
// record what the record holds, and remembers nothing of it but its bucket,
// unless the record is kept.
type logScanner struct {
	source string
	opt    Options
	p      recordParser
	join   joiner
	ansi   []byte

	records  int
	byLevel  map[string]int
	first    time.Time
	last     time.Time
	messages map[string]message // by level, module and message as they stand
	buckets  map[string]*LogBucket
	key      []byte
	modules  map[string]string
	kept     []*Record
	dropped  int
	keptSize int
	restarts restartScanner

	ring []ringText // the last few records' texts, for full
	at   int
}

// message is what is remembered of one log statement.
type message struct {
	bucket *LogBucket
	text   string
	start  bool // a start record: its fields tell a version
}

// ringText is one recent record and its text.
type ringText struct {
	r    *Record
	text []byte
}

func newLogScanner(source string, opt Options) *logScanner {
	opt = opt.withDefaults()
	return &logScanner{
		source: source, opt: opt,
		byLevel:  make(map[string]int),
		messages: make(map[string]message),
		buckets:  make(map[string]*LogBucket),
		modules:  make(map[string]string),
		ring:     make([]ringText, min(opt.ContextLines, 1000)+2),
	}
}

// line reads one line that is no part of an incident. It returns the record
// that the line is or completes, else nil. The record's Fields and Raw are empty
// unless it is kept or begins a process; full fills them for a recent one.
func (s *logScanner) line(body []byte, no int) *Record {
	if bytes.IndexByte(body, 0x1b) >= 0 {
		s.ansi = stripANSI(s.ansi[:0], body)
		body = s.ansi
	}
	b := trimSpace(body)
	if s.join.active() {
		text, first, done, used := s.join.add(body, b)
		switch {
		case done && used:
			return s.joined(text, first)
		case used:
			return nil
		}
		// The line is no part of the broken record: what there is of that is read, then the line.
		r := s.joined(text, first)
		if own := s.fresh(b, no); own != nil {
			return own
		}
		return r
	}
	return s.fresh(b, no)
}

// fresh reads a line that nothing came before.
func (s *logScanner) fresh(b []byte, no int) *Record {
	b = bytes.Trim(b, "`") // inline code
	if len(b) == 0 {
		return nil
	}
	s.restarts.line(b, no)
	h, ok := s.p.parse(b)
	if !ok {
		s.join.start(b, no)
		return nil
	}
	if h.format == "hclog" && len(h.message) == 0 && h.module != nil {
		s.join.startText(b, no) // wrapped by hand behind the module
		return nil
	}
	r := s.record(&h, b, no)
	// Several objects glued to one line: each is a record.
	for b[0] == '{' && h.object != nil && len(h.object) < len(b) {
		b = trimLeft(b[len(h.object):])
		s.p.buf = s.p.buf[:0]
		if len(b) == 0 || b[0] != '{' {
			break
		}
		next, _, state := s.p.json(b)
		if state != jsonWhole || !next.isRecord() {
			break
		}
		h = next
		r = s.record(&h, h.object, no)
	}
	return r
}

// joined reads the text that the joiner put together.
func (s *logScanner) joined(text []byte, first int) *Record {
	s.p.buf = s.p.buf[:0]
	var h head
	ok := false
	if len(text) > 0 && text[0] == '{' {
		h, _, _ = s.p.json(text)
		ok = h.isRecord() && (h.message != nil || h.err != nil)
	} else {
		h, ok = s.p.text(text)
	}
	if !ok {
		return nil
	}
	return s.record(&h, text, first)
}

// record accounts for one record. text is its whole text.
func (s *logScanner) record(h *head, text []byte, no int) *Record {
	s.records++
	if h.level != "" {
		s.byLevel[h.level]++
	}
	if !h.time.IsZero() {
		if s.first.IsZero() || h.time.Before(s.first) {
			s.first = h.time
		}
		if h.time.After(s.last) {
			s.last = h.time
		}
	}
	m := s.message(h, text, no)
	r := &Record{
		Source: s.source, Line: no, Format: h.format,
		Time: h.time, Clock: string(h.clock),
		Level: h.level, Module: m.bucket.Module, Message: m.text,
	}
	if m.bucket.Message == overflowMessage {
		r.Module = string(h.module)
	}
	if len(h.err) > 0 {
		r.Error = cutText(string(h.err), maxMessageText)
	}
	s.restarts.record(r, m.start)
	slot := &s.ring[s.at]
	s.at = (s.at + 1) % len(s.ring)
	slot.r, slot.text = r, append(slot.text[:0], text[:min(len(text), 64<<10)]...)
	keep := s.opt.KeepRecord != nil && s.opt.KeepRecord(r)
	if keep || m.start {
		fill(r, h, text)
	}
	if keep {
		size := len(r.Raw) * 2
		if len(s.kept) >= s.opt.MaxKept || s.keptSize+size > maxKeptBytes {
			s.dropped++
		} else {
			s.kept = append(s.kept, r)
			s.keptSize += size
		}
	}
	return r
}

func fill(r *Record, h *head, text []byte) {
	r.Fields = h.fields()
	r.Raw = cutText(string(text[:min(len(text), maxRaw+4)]), maxRaw)
}

// full fills the Fields and Raw of one of the last records, at least of those
// that the last Options.ContextLines lines held. Older ones stay as they are.
func (s *logScanner) full(r *Record) *Record {
	if r == nil || r.Raw != "" {
		return r
	}
	for i := range s.ring {
		if s.ring[i].r == r {
			var p recordParser
			text := s.ring[i].text
			h, ok := p.parse(text)
			if !ok && len(text) > 0 && text[0] == '{' {
				h, _, _ = p.json(text)
			}
			fill(r, &h, text)
			break
		}
	}
	return r
}

// peek reads what it can of a record that is torn, without counting it; nil if that is nothing.
func (s *logScanner) peek(b []byte) *Record {
	var p recordParser
	h, ok := p.parse(b)
	if !ok && len(b) > 0 {
		if b[0] == '"' { // the opening brace is missing
			b = append([]byte{'{'}, b...)
		}
		if b[0] == '{' {
			h, _, _ = p.json(b)
		}
	}
	r := &Record{Source: s.source, Format: h.format, Time: h.time, Clock: string(h.clock), Level: h.level,
		Module: string(h.module), Message: cutText(string(h.message), maxMessageText), Error: string(h.err)}
	fill(r, &h, b)
	if r.Message == "" && r.Error == "" {
		return nil
	}
	return r
}

// message finds what is remembered of the record's log statement, and counts it.
func (s *logScanner) message(h *head, text []byte, no int) message {
	k := append(s.key[:0], h.level...)
	k = append(append(k, 0), h.module...)
	k = append(append(k, 0), h.message...)
	s.key = k
	m, ok := s.messages[string(k)]
	if !ok {
		m = s.newMessage(h, text, no, k)
	}
	b := m.bucket
	b.Count++
	if !h.time.IsZero() {
		if b.First.IsZero() || h.time.Before(b.First) {
			b.First = h.time
		}
		if h.time.After(b.Last) {
			b.Last = h.time
		}
	}
	return m
}

func (s *logScanner) newMessage(h *head, text []byte, no int, raw []byte) message {
	m := message{text: cutText(string(h.message), maxMessageText)}
	at := len(raw)
	k := append(raw, h.level...)
	k = append(append(k, 0), h.module[:min(len(h.module), 200)]...)
	k = append(k, 0)
	msgAt := len(k)
	k = appendMasked(k, h.message)
	s.key = k
	masked := k[msgAt:]
	m.start = isStartMessage(h.message)
	if m.bucket = s.buckets[string(k[at:])]; m.bucket == nil {
		if len(s.buckets) >= maxLogBuckets {
			m.bucket = s.overflow(h.level)
			return m
		}
		m.bucket = &LogBucket{
			Level: h.level, Module: s.module(h.module), Message: string(masked),
			Source: s.source, Line: no,
			Example: cutText(string(text[:min(len(text), maxExample+4)]), maxExample),
		}
		s.buckets[string(k[at:])] = m.bucket
	}
	// Only a message without variable parts is likely to come again as it stands.
	if at <= maxMessageKey && bytes.Equal(masked, h.message) {
		if len(s.messages) >= maxMessages {
			clear(s.messages)
		}
		s.messages[string(k[:at])] = m
	}
	return m
}

func (s *logScanner) overflow(level string) *LogBucket {
	key := level + "\x00\x00" + overflowMessage
	b := s.buckets[key]
	if b == nil {
		b = &LogBucket{Level: level, Message: overflowMessage, Source: s.source}
		s.buckets[key] = b
	}
	return b
}

func (s *logScanner) module(b []byte) string {
	if m, ok := s.modules[string(b)]; ok {
		return m
	}
	m := cutText(string(b), 200)
	if len(s.modules) < maxLogBuckets {
		s.modules[m] = m
	}
	return m
}

// finish ends the source: a record that was still being put together is read as far as it goes.
func (s *logScanner) finish() *Record {
	if !s.join.active() {
		return nil
	}
	text, first := s.join.give()
	return s.joined(text, first)
}

// logs returns the summary.
func (s *logScanner) logs() Logs {
	l := Logs{
		Records: s.records, ByLevel: maps.Clone(s.byLevel), First: s.first, Last: s.last,
		Kept: s.kept, KeptDropped: s.dropped,
	}
	for _, r := range s.restarts.found {
		r.Source = s.source
		l.Restarts = append(l.Restarts, r)
	}
	for _, b := range s.buckets {
		l.Buckets = append(l.Buckets, *b)
	}
	sortBuckets(l.Buckets)
	return l
}

// mergeLogs joins the summaries of two sources, a's before b's.
func mergeLogs(a, b Logs, opt Options) Logs {
	opt = opt.withDefaults()
	out := Logs{
		Records: a.Records + b.Records, ByLevel: make(map[string]int, len(a.ByLevel)),
		First: earlier(a.First, b.First), Last: later(a.Last, b.Last),
		Restarts:    slices.Concat(a.Restarts, b.Restarts),
		KeptDropped: a.KeptDropped + b.KeptDropped,
	}
	for _, m := range []map[string]int{a.ByLevel, b.ByLevel} {
		for level, n := range m {
			out.ByLevel[level] += n
		}
	}
	// Streams of one source are told apart by their wrapper, and their lines interleave.
	sortRuns(out.Restarts, func(f Fact) (string, int) { return f.Source, f.Line })
	if len(out.Restarts) > maxRestarts {
		out.Restarts = out.Restarts[:maxRestarts]
	}
	out.Kept = slices.Concat(a.Kept, b.Kept)
	sortRuns(out.Kept, func(r *Record) (string, int) { return r.Source, r.Line })
	if over := len(out.Kept) - opt.MaxKept; over > 0 {
		out.Kept = out.Kept[:opt.MaxKept]
		out.KeptDropped += over
	}
	type key struct{ level, module, message string }
	index := make(map[key]int, len(a.Buckets))
	for _, list := range [][]LogBucket{a.Buckets, b.Buckets} {
		for _, bk := range list {
			k := key{bk.Level, bk.Module, bk.Message}
			i, ok := index[k]
			if !ok {
				index[k] = len(out.Buckets)
				out.Buckets = append(out.Buckets, bk)
				continue
			}
			o := &out.Buckets[i]
			o.Count += bk.Count
			if bk.Source == o.Source && bk.Line < o.Line {
				o.Line, o.Example = bk.Line, bk.Example
			}
			o.First, o.Last = earlier(o.First, bk.First), later(o.Last, bk.Last)
		}
	}
	sortBuckets(out.Buckets)
	return out
}

// sortRuns orders what stands in one source by line, and leaves the order of
// sources as it is: all of one source are neighbours.
func sortRuns[T any](list []T, at func(T) (source string, line int)) {
	for len(list) > 1 {
		source, _ := at(list[0])
		n := 1
		for n < len(list) {
			if next, _ := at(list[n]); next != source {
				break
			}
			n++
		}
		slices.SortStableFunc(list[:n], func(x, y T) int {
			_, a := at(x)
			_, b := at(y)
			return cmp.Compare(a, b)
		})
		list = list[n:]
	}
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// sortBuckets puts the most severe first, then the most frequent; the rest only makes the order total.
func sortBuckets(b []LogBucket) {
	slices.SortFunc(b, func(x, y LogBucket) int {
		return cmp.Or(
			cmp.Compare(levelRank(x.Level), levelRank(y.Level)),
			cmp.Compare(y.Count, x.Count),
			strings.Compare(x.Source, y.Source),
			cmp.Compare(x.Line, y.Line),
			strings.Compare(x.Module, y.Module),
			strings.Compare(x.Message, y.Message),
		)
	})
}

// stripANSI appends b without its terminal colours and other CSI sequences.
func stripANSI(dst, b []byte) []byte {
	for len(b) > 0 {
		i := bytes.IndexByte(b, 0x1b)
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		b = b[i+1:]
		if len(b) > 0 && b[0] == '[' {
			for i = 1; i < len(b) && (b[i] < 0x40 || b[i] > 0x7e); i++ {
			}
			b = b[min(i+1, len(b)):]
		}
	}
	return dst
}
