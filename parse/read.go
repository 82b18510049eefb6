package parse

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"sort"
	"strings"
	"sync"
)

// Read reads all inputs and returns what they say, in the order of the inputs.
// Files are read in parallel on the cores at hand. It never fails as a whole: an
// input that can't be opened or read carries its error in Source.Err, and what
// can't be understood is a Problem with its line.
//
// When ctx ends, reading stops, and the sources not read to their end carry ctx's error.
func Read(ctx context.Context, inputs []Input, opt Options) *Capture {
	opt = opt.withDefaults()
	parts := make([][]*Capture, len(inputs))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, in := range inputs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			parts[i] = readInput(ctx, in, opt)
		})
	}
	wg.Wait()
	c := &Capture{}
	for _, part := range parts {
		for _, p := range part {
			c.add(p, opt)
		}
	}
	return c
}

// readInput reads one input, or each member of an archive.
func readInput(ctx context.Context, in Input, opt Options) []*Capture {
	var out []*Capture
	problems, err := expand(in, opt.Limits, func(name string, r io.Reader) error {
		out = append(out, readOne(ctx, name, r, opt))
		return ctx.Err()
	})
	if len(out) == 0 || err != nil && out[len(out)-1].Sources[0].Err == nil && len(out) > 1 {
		out = append(out, &Capture{Sources: []*Source{{Name: in.Name, Wrapper: "plain"}}})
	}
	src := out[len(out)-1].Sources[0]
	if src.Err == nil {
		src.Err = err
	}
	src.Problems = append(src.Problems, problems...)
	return out
}

// readOne reads one file's content: a profile, or text.
func readOne(ctx context.Context, name string, in io.Reader, opt Options) *Capture {
	text, enc, inc, problems := readContent(name, in)
	if text == nil {
		c := &Capture{Sources: []*Source{{Name: name, Wrapper: "plain", Problems: problems}}}
		if inc != nil {
			r := &reader{src: c.Sources[0], opt: opt, facts: newFactScanner(name)}
			r.add(inc)
			c.Incidents = r.ready
			for _, b := range inc.Buckets {
				r.annotateAll(b.Frames)
			}
			r.facts.finish()
			c.Facts = r.facts.facts()
		}
		return c
	}
	c := readText(ctx, name, text, opt)
	if e := enc.String(); strings.HasPrefix(e, "utf-16") {
		c.Sources[0].Wrapper = e + "+" + c.Sources[0].Wrapper
	}
	c.Sources[0].Problems = append(problems, c.Sources[0].Problems...)
	return c
}

// annotateAll fills in what frames' paths tell, and notes their modules.
func (r *reader) annotateAll(frames []Frame) {
	for i := range frames {
		annotate(&frames[i])
		r.facts.frame(&frames[i])
	}
}

// add appends what another source says.
func (c *Capture) add(p *Capture, opt Options) {
	c.Sources = append(c.Sources, p.Sources...)
	c.Incidents = append(c.Incidents, p.Incidents...)
	c.Growth = append(c.Growth, p.Growth...)
	c.Series = append(c.Series, p.Series...)
	c.Facts = mergeFacts(c.Facts, p.Facts)
	c.Logs = mergeLogs(c.Logs, p.Logs, opt)
}

// reader reads one source.
type reader struct {
	src      *Source
	opt      Options
	un       *unwrapper
	streams  map[string]*lineStream
	order    []*lineStream
	facts    *factScanner
	growth   *growthScanner
	stacks   *stackReader
	seen     map[string]*builder // by builder.key: the first sighting
	done     []*builder          // closed, their stacks perhaps still being read
	ready    []*Incident         // finished as they are: races, profiles
	overflow int
}

// readText reads one text stream.
func readText(ctx context.Context, name string, in io.Reader, opt Options) *Capture {
	r := &reader{
		src: &Source{Name: name}, opt: opt, un: newUnwrapper(),
		streams: make(map[string]*lineStream), facts: newFactScanner(name), growth: newGrowthScanner(name), stacks: newStackReader(),
	}
	br := newBlocks(in, opt.MaxLine)
	defer br.close()
	main := r.stream("") // the stream of the newest line, and how that line was wrapped
	wrap := &plainWrapping
	var ws []wrapped
	no := 0
	for {
		blk, ok := br.next()
		if !ok {
			break
		}
		r.src.Bytes += int64(len(blk.data)) + blk.skipped
		if opt.Progress != nil {
			opt.Progress.Add(int64(len(blk.data)) + blk.skipped)
		}
		data := blk.data
		found := blk.ahead
		for len(data) > 0 {
			if found != nil && len(blk.data)-len(data) >= found.start {
				here := len(blk.data)-len(data) == found.start
				end := found.end
				if lines, ok := main.take(found, here, no+1); ok {
					data = blk.data[end:]
					no += lines
					found = nil
					continue
				}
				found = nil
			}
			if wrap != nil && (data[0] == 'g' || wrap != &plainWrapping) {
				if size, lines := main.takeKnown(data, no+1, wrap); size > 0 {
					data = data[size:]
					no += lines
					continue
				}
			}
			var l []byte
			if k := bytes.IndexByte(data, '\n'); k >= 0 {
				l, data = data[:k], data[k+1:]
			} else {
				l, data = data, nil
			}
			no++
			if len(l) > opt.MaxLine {
				r.problem(no, "line-too-long", "the line is longer than %d bytes: its end, %d bytes, is left out", opt.MaxLine, len(l)-opt.MaxLine)
				l = l[:opt.MaxLine]
			}
			// The hot path: a plain goroutine block.
			if wrap == &plainWrapping && main.g.open && main.g.hot(l, no) {
				continue
			}
			if n := len(l); n > 0 && l[n-1] == '\r' {
				l = l[:n-1]
			}
			r.un.ahead = data
			ws = r.un.line(l, ws[:0])
			if len(ws) == 1 && !ws[0].partial {
				main = r.stream(ws[0].stream)
				wrap = r.wrapping(wrap, l, ws[0].body, main)
			}
			for i := 0; i < len(ws); i++ {
				if !ws[i].embedded {
					r.wrapped(&ws[i], indentation(l, ws[i].body), no)
					continue
				}
				n := i
				for n < len(ws) && ws[n].embedded {
					n++
				}
				r.embedded(ws[i:n], no)
				i = n - 1
			}
		}
		if blk.skipped > 0 {
			r.problem(no, "line-too-long", "the line is longer than %d bytes: its end, %d bytes, is left out", opt.MaxLine, blk.skipped)
		}
		for _, s := range r.order {
			s.g.spill()
		}
		br.renew(main.inc, wrap)
		last, err := blk.last, blk.err
		br.release(blk)
		if err != nil {
			r.src.Err = err
		}
		if err := ctx.Err(); err != nil {
			r.src.Err = err
			break
		}
		if last {
			break
		}
	}
	r.src.Lines = no
	return r.finish()
}

// indentation returns how many blanks were taken off a line, if that is all that was.
func indentation(line, body []byte) int {
	n := len(line) - len(body)
	if n <= 0 || len(trimLeft(line[:n])) > 0 {
		return 0
	}
	return n
}

// wrapping returns how a line was wrapped: the newest wrapping if it still fits,
// nil if it is not worth knowing or more than a prefix.
func (r *reader) wrapping(newest *wrapping, line, body []byte, s *lineStream) *wrapping {
	switch {
	case len(body) == len(line):
		return &plainWrapping
	case s.inc == nil || s.inc.inc.Goroutines == 0:
		return nil
	case newest != nil && newest != &plainWrapping && newest.skip(line) >= 0 && (newest.suffix == nil || bytes.Contains(line, newest.suffix)):
		return newest
	}
	return learnWrapping(line, body)
}

// wrapped gives a line to its stream.
func (r *reader) wrapped(w *wrapped, indent, no int) {
	s := r.stream(w.stream)
	s.indent, s.doubt, s.clock = indent, w.doubt, w.clock
	b := w.body
	if w.partial || len(s.join) > 0 {
		if len(s.join) == 0 {
			s.joinNo = no
		}
		if len(s.join)+len(b) <= r.opt.MaxLine {
			s.join = append(s.join, b...)
		}
		if w.partial {
			return
		}
		b = s.join
		no = s.joinNo
	}
	n := len(s.g.parts)
	s.line(b, no)
	if len(s.g.parts) > n || len(s.g.parts) > 0 && n == 0 {
		s.g.keepLast()
	}
	s.join = s.join[:0]
}

// embedded reads a trace that a structured record holds in a field. It is an
// incident of its own: the record says what was caught.
func (r *reader) embedded(ws []wrapped, no int) {
	of := r.stream(ws[0].stream)
	s := &lineStream{r: r, key: of.key, logs: newLogScanner(r.src.Name, r.opt), field: true, weakAge: 1 << 20}
	rec := of.record
	if rec == nil || of.prevNo != no { // torn: its closing brace, or its opening one, is missing
		rec = of.logs.peek(of.raw())
	}
	if rec != nil {
		s.weak = opening{kind: KindGoroutineDump, text: of.caught(rec), no: no, at: rec.Time}
		s.weak.kind = caughtBy(rec)
		s.weakAge = 0
	}
	closed := len(r.done)
	for i := range ws {
		n := len(s.g.parts)
		s.line(ws[i].body, no)
		if len(s.g.parts) != n {
			s.g.keepLast()
		}
	}
	s.end()
	for _, b := range r.done[min(closed, len(r.done)):] {
		b.inc.Context = of.context(0, no)
		b.caughtBy = s.weak.kind
		if rec != nil {
			b.caughtBy, b.said = caughtBy(rec), "\n"+rec.Message
		}
		of.handled = b // the runtime may report it next
	}
}

// caughtBy tells a record of a logger's Panic and Fatal methods from others.
func caughtBy(rec *Record) Kind {
	switch rec.Level {
	case "fatal", "panic", "dpanic", "critical":
		return KindLogFatal
	}
	return KindGoroutineDump
}

// panicKeys are the fields in which recover handlers put the value that they caught.
var panicKeys = []string{"panic", "panicValue", "panic_value", "panic.value", "recovered", "recover", "err", "reason", "cause"}

// panicValue returns what a record says was caught, beside its message.
func panicValue(rec *Record) string {
	if rec.Error != "" {
		return rec.Error
	}
	for _, k := range panicKeys {
		if v := rec.Fields[k]; v != "" && len(v) < 400 && !strings.Contains(v, "\n") && v[0] != '{' && v[0] != '[' && v != "true" {
			return v
		}
	}
	return ""
}

// caught is what a record says of the trace that it holds. Where the trace is its
// message, the record before says it.
func (s *lineStream) caught(rec *Record) string {
	rec = s.logs.full(rec)
	msg := rec.Message
	if k := strings.Index(msg, "goroutine "); k >= 0 && strings.Contains(msg[k:], "]:") {
		if msg = strings.TrimRight(msg[:k], " \n"); len(msg) < 16 && s.before != nil && s.before.Line >= rec.Line-weakReach {
			msg = s.before.Message
		}
	}
	value := panicValue(rec)
	switch {
	case value == "" || strings.Contains(msg, value):
		return msg
	case msg == "":
		return value
	}
	return msg + ": " + value
}

// maxSourceStreams bounds the streams of one source; the lines of further ones share one.
const maxSourceStreams = 512

func (r *reader) stream(key string) *lineStream {
	if s := r.streams[key]; s != nil {
		return s
	}
	if len(r.order) >= maxSourceStreams {
		key = "\x00rest"
		if s := r.streams[key]; s != nil {
			return s
		}
	}
	s := &lineStream{r: r, key: key, logs: newLogScanner(r.src.Name, r.opt), weakAge: 1 << 20}
	r.streams[key] = s
	r.order = append(r.order, s)
	return s
}

// maxSourceProblems bounds the problems of one source; the last one says how many were left out.
const maxSourceProblems = 100

func (r *reader) problem(line int, code, format string, args ...any) {
	if len(r.src.Problems) < maxSourceProblems {
		r.src.Problems = append(r.src.Problems, problem(line, code, format, args...))
		return
	}
	r.overflow++
}

// closed takes an incident whose last line was read.
func (r *reader) closed(_ *lineStream, b *builder) {
	if b.carried() {
		return
	}
	// The same one again costs no memory: handlers recover one panic thousands of times.
	k := b.key()
	if first := r.seen[k]; k != "" && first != nil && first != b && first.key() == k {
		first.sawAgain(b)
		return
	}
	if len(r.done)+len(r.ready) >= r.opt.MaxIncidents {
		r.overflow++
		return
	}
	if k != "" {
		if r.seen == nil {
			r.seen = make(map[string]*builder)
		}
		r.seen[k] = b
	}
	b.release()
	r.done = append(r.done, b)
}

// reopen takes a closed incident back, if nothing was closed since.
func (r *reader) reopen(b *builder) bool {
	if n := len(r.done); n > 0 && r.done[n-1] == b {
		r.done = r.done[:n-1]
		return true
	}
	return false
}

// add takes an incident that is finished.
func (r *reader) add(inc *Incident) {
	if len(r.done)+len(r.ready) >= r.opt.MaxIncidents {
		r.overflow++
		return
	}
	inc.Count = max(inc.Count, 1)
	if inc.Fingerprint == "" {
		inc.Fingerprint = fingerprint(inc)
	}
	r.ready = append(r.ready, inc)
}

func (r *reader) finish() *Capture {
	for _, s := range r.order {
		s.end()
	}
	r.growth.finish()
	r.stacks.wait()
	c := &Capture{Sources: []*Source{r.src}}
	for _, b := range r.done {
		inc := b.finish()
		if inc == nil {
			continue
		}
		if b.unread > 0 {
			r.problem(inc.Line, "stack-unread", "%d of %d distinct stacks could not be read in full: their arguments are as printed", b.unread, len(b.shapes.order))
		}
		if b.shapes.over > 0 {
			r.problem(inc.Line, "too-many-shapes", "%d goroutines are counted without their stacks: more than %d distinct stacks", b.shapes.over, r.opt.MaxShapes)
		}
		c.Incidents = append(c.Incidents, inc)
	}
	for _, inc := range r.ready {
		for _, bk := range inc.Buckets {
			r.annotateAll(bk.Frames)
		}
		c.Incidents = append(c.Incidents, inc)
	}
	sort.SliceStable(c.Incidents, func(i, j int) bool { return c.Incidents[i].Line < c.Incidents[j].Line })
	c.Incidents = mergeIncidents(c.Incidents)
	for _, inc := range c.Incidents {
		for _, b := range inc.Buckets {
			for i := range b.Frames {
				r.facts.frame(&b.Frames[i])
			}
		}
		for i := range inc.Stack {
			r.facts.frame(&inc.Stack[i])
		}
		for _, a := range inc.Races {
			for i := range a.Stack {
				r.facts.frame(&a.Stack[i])
			}
		}
	}
	r.facts.finish()
	c.Facts = r.facts.facts()
	for _, s := range r.order {
		c.Logs = mergeLogs(c.Logs, s.logs.logs(), r.opt)
	}
	c.Growth, c.Series = r.growth.results()
	r.src.Wrapper = r.un.name()
	if r.overflow > 0 {
		r.src.Problems = append(r.src.Problems, problem(0, "more", "%d further problems or incidents of this source are left out", r.overflow))
	}
	return c
}

// mergeIncidents joins what is one incident: the same failure seen again (a
// crash loop, a handler that recovers it again and again).
func mergeIncidents(in []*Incident) []*Incident {
	type key struct{ kind, print, value string }
	seen := make(map[key]*Incident)
	out := in[:0]
	for _, inc := range in {
		if inc.Kind == KindGoroutineDump || inc.Kind == KindGoroutineProfile {
			out = append(out, inc)
			continue
		}
		k := key{string(inc.Kind), inc.Fingerprint, normalHeadline(inc)}
		if first := seen[k]; first != nil {
			first.merge(inc)
			continue
		}
		seen[k] = inc
		out = append(out, inc)
	}
	return out
}
