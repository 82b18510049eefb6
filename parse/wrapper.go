package parse

import (
	"bytes"
	"encoding/binary"
	"sort"
	"strings"
)

// wrapped is one line with its wrappers taken off.
type wrapped struct {
	body    []byte // sub-slice of the line, or of the unwrapper's scratch (valid until the next call of line)
	stream  string // which stream it belongs to: container, pod, CRI stdout/stderr, go test package, pid…; "" for the only one. Interned.
	partial bool   // goes on in the next record of the same stream: the caller joins
	// embedded marks a line that stood in a field of a structured record; the record itself comes first.
	embedded bool
	doubt    doubt  // how little the wrapper proves
	clock    []byte // the wrapper's own timestamp as printed, or nil
}

const (
	maxLayers  = 4   // wrappers around one line
	maxStreams = 512 // stream names kept; more share one
	hotLines   = 64  // lines that a prefix stays trusted for after the last crash text behind it
	memoCount  = 8
)

// noBreak is a blank at which no line may be broken, in UTF-8.
var noBreak = []byte("\u00a0")

// noiseStream is the stream of lines that are a wrapper's own scaffolding: the
// other fields of a journal export record, the braces of pretty-printed JSON.
const noiseStream = "~"

// unwrapper takes wrappers off lines: what journald, Kubernetes, CI systems,
// relaying programs and prose put around the text of a crash. It finds out by
// itself which they are, line by line, so they may change inside one input.
//
// There are two kinds of layers. A strong one cannot be mistaken for the
// program's own text ("2026-01-02T03:04:05.123456789Z stderr F …") and always
// comes off. A weak one could be a log format as well ("2026-01-02 03:04:05 …");
// it comes off only before crash text, and for a while after it before other
// lines too, so that blank lines and values of several lines come out whole.
//
// Lines behind the prefix that was seen last take a short cut: the prefix is
// compared word by word with its digits masked (see memo).
type unwrapper struct {
	// ahead is what follows the line in the reader's buffer, as far as it is
	// there. It may be nil; with it a headline behind a doubtful prefix can be told from
	// an error message that merely quotes one.
	ahead []byte

	memos [memoCount]memo
	last  int // index of the memo that matched last
	next  int // index of the memo to be replaced next
	hot   []hotTail

	docker   dockerMemo
	arena    []byte // unescaped text of the current line
	joined   []byte // stream name being put together
	interned map[string]string
	fields   []jsonField

	counts [wrapperCount]int64 // lines that each wrapper was taken off
	proven [wrapperCount]bool  // crash text was seen behind it

	prose                   proseState
	pending                 []string // streams whose last record was partial
	started                 bool     // a line was read
	warm                    int      // lines for which what was learned from crash text still counts
	quick                   bool     // the current line can hold nothing but a strong wrapper
	trapped                 bool     // a trace stands in a field of the current line
	header, signal, profile headerAhead
	hashed                  bool // octal escapes of a system logger were seen
	once                    bool // for confirmed: the prefix in question stands on the first line only
}

func newUnwrapper() *unwrapper {
	return &unwrapper{interned: make(map[string]string), arena: make([]byte, 0, 256)}
}

// reset forgets everything that was learned from earlier lines.
func (u *unwrapper) reset() {
	*u = unwrapper{interned: u.interned, arena: u.arena[:0], joined: u.joined[:0], fields: u.fields[:0], hot: u.hot[:0]}
	if len(u.interned) >= maxStreams {
		u.interned = make(map[string]string)
	}
}

// name says which wrappers were seen, most frequent first, joined by "+";
// "plain" when there was none. One that came off a few lines only, and never off
// crash text, is not named.
func (u *unwrapper) name() string {
	counts := u.counts
	for i := range u.memos {
		m := &u.memos[i]
		for _, id := range m.ids[:m.nids] {
			counts[id] += m.hits
		}
	}
	counts[wDockerJSON] += u.docker.hits
	var ids []wrapperID
	var most int64
	for id := wNone + 1; id < wrapperCount; id++ {
		if counts[id] > 0 {
			ids = append(ids, id)
			most = max(most, counts[id])
		}
	}
	sort.SliceStable(ids, func(i, j int) bool { return counts[ids[i]] > counts[ids[j]] })
	var names []string
	for _, id := range ids {
		if u.proven[id] || counts[id] >= 3 && counts[id]*50 >= most {
			names = append(names, wrapperNames[id])
		}
	}
	if len(names) == 0 {
		return "plain"
	}
	return strings.Join(names, "+")
}

// line appends what a physical line holds to out: one or more lines without
// their wrappers. A line without a wrapper gives itself.
func (u *unwrapper) line(line []byte, out []wrapped) []wrapped {
	if len(u.pending) > 0 {
		return u.other(line, out)
	}
	if u.prose.block > 0 {
		return u.other(line, out)
	}
	if m := &u.memos[u.last]; m.left > 0 && m.match(line) {
		if body := line[m.n:]; m.clean(body) && !(u.hashed && hashed(body)) {
			return append(out, m.take(line, body))
		}
	}
	if u.docker.left > 0 && len(line) > 0 && line[0] == '{' {
		u.arena = u.arena[:0]
		if w, ok := u.docker.fast(u, line); ok {
			return append(out, w)
		}
	}
	for i := range u.memos {
		if m := &u.memos[i]; m.left > 0 && i != u.last && m.match(line) {
			if body := line[m.n:]; m.clean(body) && !(u.hashed && hashed(body)) {
				u.last = i
				return append(out, m.take(line, body))
			}
		}
	}
	return u.other(line, out)
}

// again takes the wrappers off a record that the caller put together from partial
// ones; w is the last of them. Container runtimes split long lines, JSON records for one. What line
// returned before stays valid.
func (u *unwrapper) again(record []byte, w *wrapped, out []wrapped) []wrapped {
	u.joined = append(u.joined[:0], w.stream...)
	u.quick, u.trapped = false, false
	return u.unwrap(record, peeling{line: record, rewritten: true, clock: w.clock, stream: len(u.joined), depth: 1}, out)
}

// other reads a line that takes no short cut.
func (u *unwrapper) other(line []byte, out []wrapped) []wrapped {
	if cap(u.arena) > 4<<20 {
		u.arena = make([]byte, 0, 256) // never nil: an empty body is a slice of it
	}
	u.arena = u.arena[:0]
	u.quick, u.trapped = false, false
	if len(line) == 0 {
		return u.emit(line, &peeling{noise: u.prose.export > 0}, out)
	}
	if t := trimLeft(line); startsWith(t, "-> ") && (isChiFrame(t) || crashText(trimLeft(t[3:]))) {
		return append(out, wrapped{body: line}) // chi's mark is its own: see recoveryScanner
	}
	p := peeling{line: line}
	b := line
	if i := bytes.IndexByte(line, 0x1b); i >= 0 {
		at := len(u.arena)
		u.arena = appendPlain(u.arena, line)
		b = u.arena[at:len(u.arena):len(u.arena)]
		p.rewritten = true
	}
	if bytes.Contains(b, noBreak) { // a browser's or a chat's blanks
		at := len(u.arena)
		u.arena = append(u.arena, bytes.ReplaceAll(b, noBreak, []byte{' '})...)
		b = u.arena[at:len(u.arena):len(u.arena)]
		p.rewritten = true
	}
	if n := u.lineBreak(b); n > 0 {
		p.add(u, b, &layer{id: wHTML, cut: n})
		b = b[:len(b)-n]
	}
	if k := bytes.LastIndexByte(b, '\r'); k > 0 && deathLine(b[k+1:]) && !deathLine(b) { // a progress bar stands on the line
		out = u.unwrap(b[:k], p, out)
		b = b[k+1:]
		p = peeling{line: line, rewritten: true}
	}
	if !u.prose.cell && u.prose.scalar <= 0 && u.prose.block <= 0 && !u.broken(b) && crashText(b) && !compound(b) {
		return u.crash(b, &p, out)
	}
	if len(b) == 0 {
		return u.emit(b, &p, out)
	}
	first := !u.started
	u.started = true
	if u.quick = u.cold() && !u.evidence(b); u.quick {
		if b[0] == '{' && leveled(b) {
			return append(out, wrapped{body: b})
		}
		return u.unwrap(b, p, out)
	}
	for len(b) > 0 && (isLetter(b[0]) || b[0] >= 0x80) {
		// A line may hold several records when what copied it lost newlines.
		l, ok := u.peel(b)
		at := -1
		if ok && len(l.glue) > 0 {
			if at = u.secondRecord(b[l.skip:], l.glue); at > 0 {
				at += l.skip
			}
		} else if !ok && !crashText(b) {
			if first {
				if n := u.cutPrefix(b); n > 0 {
					p.add(u, b, &layer{id: wPrefix, skip: n})
					p.rewritten = true
					b = b[n:]
				}
			}
			at = u.midLine(b)
		}
		if at <= 0 {
			break
		}
		out = u.unwrap(trimRight(b[:at]), p, out)
		b = b[at:]
		p = peeling{line: line, rewritten: true}
	}
	return u.unwrap(b, p, out)
}

// take is the short cut's result. Whether crash text is still coming is only
// looked at from time to time: it costs as much as everything else.
func (m *memo) take(line, body []byte) wrapped {
	m.hits++
	m.left--
	if m.left < hotLines/2 && crashText(body) {
		m.left = hotLines
	}
	w := wrapped{body: body, stream: m.stream, doubt: m.doubt}
	if m.clockEnd > 0 {
		w.clock = line[m.clockAt:m.clockEnd]
	}
	return w
}

// memo is a prefix that stood before crash text, kept so that the next line
// with it costs a few comparisons. Its digits inside timestamps may change.
type memo struct {
	n                 int
	prefix            []byte
	masks             []uint64 // one for each whole word, and one for the last eight bytes
	stream            string
	clockAt, clockEnd int
	ids               [maxLayers]wrapperID
	nids              int
	doubt             doubt
	glue              []byte // "[123]: " or "NAME | ": where a second record may begin on the same line
	hits              int64
	left              int
}

// match reports whether line begins with the memo's prefix, digits of its
// timestamps aside. A masked digit also equals the six characters behind "9",
// which is good enough behind a prefix of this length.
func (m *memo) match(line []byte) bool {
	n := m.n
	if len(line) < n {
		return false
	}
	if n < 8 {
		return string(line[:n]) == string(m.prefix)
	}
	p := m.prefix
	k := 0
	for i := 0; i+8 <= n; i += 8 {
		if (binary.LittleEndian.Uint64(line[i:])^binary.LittleEndian.Uint64(p[i:]))&m.masks[k] != 0 {
			return false
		}
		k++
	}
	return (binary.LittleEndian.Uint64(line[n-8:])^binary.LittleEndian.Uint64(p[n-8:]))&m.masks[k] == 0
}

// clean reports whether nothing is left to do with a body behind the memo's prefix.
func (m *memo) clean(body []byte) bool {
	if len(body) == 0 {
		return true
	}
	if !plainStart[body[0]] || body[0] == 'm' && startsWith(body, "message repeated ") {
		return false
	}
	if len(m.glue) > 0 && m.glue[0] != '[' && bytes.IndexByte(body, '|') >= 0 {
		return false
	}
	// One search finds both colour, which begins with "ESC [", and a second record's "[pid]".
	for at := 0; ; {
		i := bytes.IndexByte(body[at:], '[')
		if i < 0 {
			return true
		}
		i += at
		if i > 0 && body[i-1] == 0x1b || len(m.glue) > 0 && bytes.HasPrefix(body[i:], m.glue) {
			return false
		}
		at = i + 1
	}
}

// plainStart are the bytes with which a body behind a known prefix needs no second look.
var plainStart = func() (t [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = true, true
	}
	t['\t'], t['_'], t[' '] = true, true, true
	return t
}()

func (m *memo) set(p *peeling, n int, stream string) {
	hits := m.hits
	*m = memo{n: n, prefix: append(m.prefix[:0], p.line[:n]...), masks: m.masks[:0], stream: stream,
		ids: p.ids, nids: p.nids, doubt: doubtful(p.ids[:p.nids]), glue: append(m.glue[:0], p.glue...), left: hotLines, hits: hits}
	if p.clockEnd > 0 && p.clockEnd <= n {
		m.clockAt, m.clockEnd = p.clockAt, p.clockEnd
	}
	mask := bytes.Repeat([]byte{0xff}, n)
	for _, r := range p.vary[:p.nvary] {
		for i := r[0]; i < r[1] && i < n; i++ {
			if digit(m.prefix[i]) {
				mask[i] = 0xf0
			}
		}
	}
	if n >= 8 {
		for i := 0; i+8 <= n; i += 8 {
			m.masks = append(m.masks, binary.LittleEndian.Uint64(mask[i:]))
		}
		m.masks = append(m.masks, binary.LittleEndian.Uint64(mask[n-8:]))
	}
}

// remember keeps a prefix for the short cut. The counts of the memo that gives way are not lost.
func (u *unwrapper) remember(p *peeling, n int, stream string) {
	if n > 512 || n == 0 || p.partial {
		return
	}
	slot := -1
	for i := range u.memos {
		if m := &u.memos[i]; m.n == n && m.stream == stream && m.match(p.line) {
			slot = i
			break
		}
	}
	if slot < 0 {
		slot = u.next
		u.next = (u.next + 1) % memoCount
		m := &u.memos[slot]
		for _, id := range m.ids[:m.nids] {
			u.counts[id] += m.hits
		}
		m.hits = 0
	}
	u.memos[slot].set(p, n, stream)
	u.last = slot
}

// intern returns b as a string without allocating for one seen before.
func (u *unwrapper) intern(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := u.interned[string(b)]; ok {
		return s
	}
	if len(u.interned) >= maxStreams || len(b) > 512 {
		return "…"
	}
	s := string(b)
	u.interned[s] = s
	return s
}
