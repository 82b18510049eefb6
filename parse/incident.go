package parse

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	maxValueLines = 256
	maxValueBytes = 64 << 10
)

// builder gathers one incident while its lines are read.
type builder struct {
	inc    *Incident
	shapes shapes
	known  known
	stacks *stackReader

	value  []string // lines of the newest panic value or fatal message, after the first
	valueN int      // bytes in value
	chain  []string // panic lines, oldest first, without indentation
	glued  bool

	crash      *shape // the first block's own exemplar, with its own arguments
	crashHead  header
	crashIn    *shape // the bucket that holds it
	firstState string
	rtStack    *shape // frames of "runtime stack:"
	orphan     *shape // frames whose header was lost

	firstID   int64
	ended     bool // nothing more can belong to it
	after     int  // foreign lines since the last line that belongs to it
	blank     bool // the last line was empty
	ruled     bool // the last line that belongs to it was "-----"
	sections  int  // "-----" sections of GOTRACEBACK=crash
	registers bool
	tests     bool // inside "running tests:"
	unread    int  // blocks that panicparse refused
	torn      int
	indent    int      // blanks before the headline
	doubt     doubt    // what the wrapper of the headline leaves open
	again     bool     // a handler printed the panic before the runtime did
	said      string   // what the record that holds it says, beside the headline
	caughtBy  Kind     // what the record that holds it is
	field     bool     // it stood in a field of a record
	held      []*shape // stacks not handed to the stack reader yet
	sightings int      // later sightings of the same incident
	meta      bool     // headers carry gp=, that is level 2
	bare      bool     // the frames carry no arguments
	prevText  string   // the text line just before the first block
}

// newline appends a line of the panic value.
func (b *builder) addValue(l []byte) {
	if len(b.value) >= maxValueLines || b.valueN > maxValueBytes {
		return
	}
	t := clip(l)
	b.valueN += len(t)
	b.value = append(b.value, t)
}

// pre tells whether no block has been read yet.
func (b *builder) pre() bool {
	if b.again {
		return b.crash == nil
	}
	return b.inc.Goroutines == 0 && b.rtStack == nil && b.orphan == nil
}

// printedByRuntime tells whether the headline is a panic's or a fatal error's own.
func (b *builder) printedByRuntime() bool {
	return strings.HasPrefix(b.inc.Headline, "panic: ") || strings.HasPrefix(b.inc.Headline, "fatal error: ")
}

// addGoroutine folds a finished block in.
func (b *builder) addGoroutine(g *goroutine) {
	inc := b.inc
	inc.EndLine = max(inc.EndLine, g.last)
	inc.Dropped += g.foreign
	b.after, b.blank = 0, g.blank
	switch {
	case g.runtimeStack:
		if b.rtStack == nil && g.frames() > 0 {
			b.rtStack = b.read(g)
		}
		return
	case g.orphan:
		if b.orphan == nil && g.frames() > 0 {
			b.orphan = b.read(g)
			b.bare = g.bare
		}
		return
	}
	inc.Goroutines++
	s, isNew := b.shapes.fold(g)
	if isNew {
		b.send(s)
		if g.foreign == 0 && !g.ancestors && g.lost == 0 {
			b.known.learn(s)
		}
	}
	if b.crash == nil {
		b.setCrash(g, s)
	}
}

func (b *builder) setCrash(g *goroutine, s *shape) {
	b.firstID = g.head.id
	b.crashHead = g.head
	b.crashHead.labels = nil
	b.firstState = string(g.state())
	b.crash = b.read(g)
	b.crashIn = s
}

// read keeps a block of its own, and has it read.
func (b *builder) read(g *goroutine) *shape {
	s := newShape(g)
	s.args = true
	b.send(s)
	return s
}

// send hands a stack to the stack reader. An incident of one goroutine keeps its
// stack until it is closed: it may turn out to be one that was read already.
func (b *builder) send(s *shape) {
	b.held = append(b.held, s)
	if b.inc.Goroutines > 1 {
		b.release()
	}
}

func (b *builder) release() {
	for _, s := range b.held {
		b.stacks.add(s)
	}
	b.held = nil
}

// key identifies an incident of one goroutine before its stack is read; "" for any other.
func (b *builder) key() string {
	main := b.crash
	switch {
	case b.inc.Goroutines == 0 && b.rtStack == nil && b.orphan != nil:
		main = b.orphan
	case b.inc.Goroutines != 1 || b.rtStack != nil || b.orphan != nil || main == nil:
		return ""
	}
	return string(b.inc.Kind) + "\n" + mask(b.inc.Headline) + "\n" + strings.Join(b.chain, "\n") + "\n" + main.state + "\n" + string(main.text)
}

// carried tells whether it is only the stack that an error in a record carries:
// it shows no panic. The record itself is counted with the logs.
func (b *builder) carried() bool {
	if !b.field || b.inc.Kind != KindGoroutineDump || b.inc.Goroutines > 1 {
		return false
	}
	main := b.crash
	if main == nil {
		main = b.orphan
	}
	if main == nil {
		return true
	}
	for l := range bytes.Lines(main.text) {
		if isPanicOrigin(string(bytes.TrimSuffix(l, []byte{'\n'}))) {
			return false
		}
	}
	return true
}

// sawAgain counts a later sighting of the same incident.
func (b *builder) sawAgain(o *builder) {
	b.sightings += 1 + o.sightings
	b.inc.Goroutines += o.inc.Goroutines
	b.inc.Dropped += o.inc.Dropped
	b.inc.span(o.inc)
	if b.crashIn != nil && o.crashIn != nil {
		b.crashIn.merge(&o.crashIn.tally)
	}
}

// merge adds a later sighting of the same incident: a crash loop, or a handler that recovers the same panic again and again.
func (inc *Incident) merge(o *Incident) {
	inc.Count += o.Count
	inc.Goroutines += o.Goroutines
	inc.Dropped += o.Dropped
	inc.span(o)
	byID := make(map[string]*Bucket, len(inc.Buckets))
	for _, b := range inc.Buckets {
		byID[b.ID] = b
	}
	for _, b := range o.Buckets {
		if have := byID[b.ID]; have != nil {
			have.Count += b.Count
			have.Locked += b.Locked
			if len(have.IDs) < keptIDs {
				have.IDs = append(have.IDs, b.IDs[:min(len(b.IDs), keptIDs-len(have.IDs))]...)
			}
			if b.HasWait {
				if !have.HasWait || b.MinWait < have.MinWait {
					have.MinWait = b.MinWait
				}
				have.MaxWait = max(have.MaxWait, b.MaxWait)
				have.HasWait = true
			}
		} else {
			inc.Buckets = append(inc.Buckets, b)
			byID[b.ID] = b
		}
	}
}

// span widens the time between the first and the last sighting.
func (inc *Incident) span(o *Incident) {
	if !o.FirstTime.IsZero() && (inc.FirstTime.IsZero() || o.FirstTime.Before(inc.FirstTime)) {
		inc.FirstTime = o.FirstTime
	}
	if o.LastTime.After(inc.LastTime) {
		inc.LastTime = o.LastTime
	}
}

// problem formats a note on a part of the input that could not be read as what it seems to be.
func problem(line int, code, format string, args ...any) Problem {
	return Problem{Line: line, Code: code, Message: fmt.Sprintf(format, args...)}
}
