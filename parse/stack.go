package parse

import (
	"bytes"
	"io"

	pp "github.com/maruel/panicparse/v2/stack"
)

// stack is a goroutine's stack, read once a shape.
type stack struct {
	frames  []Frame
	created *Frame
	elided  int  // frames that the runtime left out of the middle
	cut     bool // the runtime left out frames, but not how many
	bad     bool // panicparse did not understand the block; frames come from the line grammar alone
}

// readStack turns one cleaned goroutine block into frames. The names, files,
// lines and printed arguments are the scanner's, exactly as Go prints them; what
// the arguments mean, where args asks for it, is panicparse's. The block is handed over alone, with bare options: its defaults
// read source files that a stranger's dump names, and one bad block would end
// its reading of all that follow.
func readStack(raw []byte, kinds []partKind, nos []int32, args bool) stack {
	var s stack
	lines := bytes.Split(bytes.TrimSuffix(raw, []byte{'\n'}), []byte{'\n'})
	if len(raw) == 0 {
		lines = nil
	}
	for i, l := range lines {
		if i >= len(kinds) {
			break
		}
		switch kinds[i] {
		case partFunction:
			f := Frame{Function: string(l), SourceLine: int(nos[i])}
			if k := argsAt(l); k > 0 {
				f.Function = string(l[:k])
				f.Args = string(bytes.TrimSuffix(l[k+1:], []byte{')'}))
			}
			s.frames = append(s.frames, f)
		case partFile:
			l = trimLeft(l)
			file, line, _ := splitPlace(trimRight(l[:placeEnd(l)]))
			switch {
			case i > 0 && kinds[i-1] == partFunction:
				f := &s.frames[len(s.frames)-1]
				f.File, f.Line = string(file), line
			case i > 0 && kinds[i-1] == partCreated && s.created != nil:
				s.created.File, s.created.Line = string(file), line
			}
		case partCreated:
			if name, id, ok := parseCreated(l); ok {
				s.created = &Frame{Function: string(name), Goroutine: id, SourceLine: int(nos[i])}
			}
		case partElided:
			n, _ := parseElided(l)
			s.elided += n
			s.cut = s.cut || n == 0
		}
	}
	s.bad = args && !readArgs(raw, s.frames)
	for i := range s.frames {
		annotate(&s.frames[i])
	}
	if s.created != nil {
		annotate(s.created)
	}
	return s
}

// readArgs reads a block with panicparse and notes what the arguments say: which
// calls got a certain nil first. That explains a crash; of the 300 other stacks
// of a big dump it tells nothing and would take a third of the time. It reports
// false when panicparse refuses the block or sees another number of calls; the
// scanner's own reading then stands alone.
func readArgs(raw []byte, frames []Frame) (ok bool) {
	if len(frames) == 0 || !bytes.Contains(raw, []byte("(0x0")) {
		return true
	}
	defer func() {
		// A stranger's text must not end the program by a fault of the library.
		if recover() != nil {
			ok = false
		}
	}()
	in := make([]byte, 0, len(raw)+32)
	in = append(in, "goroutine 1 [running]:\n"...)
	for l := range bytes.Lines(raw) {
		if l[0] == '\t' { // the scanner has the place; a short one is read in half the time
			l = []byte("\tx.go:1\n")
		}
		in = append(in, l...)
	}
	in = append(in, '\n')
	snap, _, err := pp.ScanSnapshot(bytes.NewReader(in), io.Discard, &pp.Opts{})
	if err != nil && err != io.EOF || snap == nil || len(snap.Goroutines) != 1 {
		return false
	}
	calls := snap.Goroutines[0].Stack.Calls
	if len(calls) != len(frames) {
		return false
	}
	for i := range calls {
		if v := calls[i].Args.Values; len(v) > 0 {
			frames[i].NilFirst = v[0].Value == 0 && !v[0].IsInaccurate && !v[0].IsAggregate && !v[0].IsOffsetTooLarge
		}
	}
	return true
}

// stackReader reads the exemplars of new shapes on a second core while the
// scanner goes on.
type stackReader struct {
	work chan *shape
	done chan struct{}
}

func newStackReader() *stackReader {
	r := &stackReader{work: make(chan *shape, 256), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		for s := range r.work {
			s.stack = readStack(s.raw, s.kinds, s.nos, s.args)
			s.raw, s.nos = nil, nil
		}
	}()
	return r
}

func (r *stackReader) add(s *shape) { r.work <- s }

// wait returns when all exemplars are read; none can be added afterwards.
func (r *stackReader) wait() {
	close(r.work)
	<-r.done
}
