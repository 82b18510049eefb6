package parse

import (
	"bytes"
	"math/bits"
)

// print is a run of lines as one goroutine printed them. Most goroutines of a
// shape differ from it in the digits of their pointers alone, so a run is
// compared as a whole under a mask that leaves out the arguments, offsets and
// clocks: without a branch a line that the processor mispredicts. Where a
// goroutine's line is longer or shorter than the print's, that one line is
// matched by itself.
type print struct {
	of     *wrapping // how the lines were wrapped
	raw    []byte    // the lines, filled up to whole chunks
	masks  []mask64  // one a chunk
	starts []int32   // where each line begins, and the last one ends
	times  []int32   // docker json-file: where each line's time begins
	args   span      // the first line's argument list, its parentheses included
	apart  int       // goroutines in a row of which many lines were laid out in another way
}

// span is a part of a text.
type span struct{ from, to int32 }

// mask64 says what counts in a chunk of 64 bytes, the lowest bit for the first one.
type mask64 struct {
	free uint64 // bytes that need not be alike
	line uint64 // bytes that must be no newline
}

const chunk = 64

// maxApart is how many goroutines in a row may be laid out in another way before the newest is the
// model. One with a nil where the others have a pointer is a stranger, not a change.
const maxApart = 8

// taken is what a run takes from the input.
type taken struct {
	size    int    // in bytes; 0 if not all lines are there
	begins  bool   // the first line is there
	guessed bool   // where a line ends was guessed; see knownLine.match
	args    []byte // the first line's argument list, its parentheses included
}

// take matches the run's lines with the beginning of data[at:].
func (r *run) take(data []byte, at int, w *wrapping) (t taken) {
	p := &r.print
	first, printed, apart := at, p.of == w, 0
	for i := 0; i < len(r.lines); {
		if printed {
			if m, d, ok := p.same(data, at, i); ok {
				if i == 0 && m > 0 {
					t.args = data[at+int(p.args.from) : at+int(p.args.to)]
				}
				at += int(p.starts[m] - p.starts[i])
				if i = m; i == len(r.lines) {
					break
				}
				if next := p.otherTime(data, at, i, d); next > 0 {
					if i == 0 {
						t.args = data[at+int(p.args.from) : at+int(p.args.to)]
					}
					at += next
					i++
					continue
				}
			}
		}
		tail, next, ok := r.lines[i].match(r.text, data[at:], w)
		if !ok {
			return taken{begins: i > 0}
		}
		t.guessed = true
		if i == 0 {
			t.args = tail
		}
		apart++
		at += next
		i++
	}
	if 4*apart <= len(r.lines) {
		p.apart = 0
	} else if p.apart++; canPrint && (p.apart > maxApart || !printed) {
		p.learn(r, data[first:at], w)
	}
	t.size, t.begins = at-first, true
	return t
}

// otherTime returns the length of line i if all that differs, from d on, is the length of the time
// at its end: docker leaves out trailing zeros.
func (p *print) otherTime(data []byte, at, i int, d int32) (next int) {
	if p.times == nil || d < p.times[i] {
		return 0
	}
	from := at + int(p.times[i]-p.starts[i])
	n := bytes.IndexByte(data[from:min(len(data), from+48)], '\n')
	if n < 1 || data[from+n-1] != '}' {
		return 0
	}
	return from + n + 1 - at
}

// same compares data[at:] with the print from line i on. It returns the line that
// differs, and where in the print; ok is false where data ends too early to compare.
func (p *print) same(data []byte, at, i int) (line int, d int32, ok bool) {
	k := int(p.starts[i]) / chunk
	skip := int(p.starts[i]) % chunk
	raw := p.raw[k*chunk:]
	if at < skip || len(data)-at+skip < len(raw) {
		return 0, 0, false
	}
	n, b := alike(&data[at-skip], &raw[0], &p.masks[k], len(raw)/chunk, 1<<skip-1)
	if b == 0 {
		return len(p.starts) - 1, 0, true
	}
	d = int32((k+n)*chunk + bits.TrailingZeros64(b))
	for line = i; p.starts[line+1] <= d; {
		line++
	}
	return line, d, true
}

// learn takes the run's lines as they have just been matched.
func (p *print) learn(r *run, lines []byte, w *wrapping) {
	size := (len(lines) + chunk - 1) / chunk * chunk
	*p = print{
		of: w, raw: append(append(make([]byte, 0, size), lines...), make([]byte, size-len(lines))...),
		masks: make([]mask64, size/chunk), starts: append(make([]int32, 0, len(r.lines)+1), 0),
	}
	if rest := len(lines) % chunk; rest > 0 {
		p.masks[len(lines)/chunk].free = ^uint64(0) << rest
	}
	at := 0
	for i := range r.lines {
		l := &r.lines[i]
		line := lines[at:]
		tail, next, ok := l.match(r.text, line, w)
		if !ok {
			*p = print{}
			return
		}
		w.free(w.skip(line), func(from, to int) { p.free(at+from, at+to) })
		from := at + cap(line) - cap(tail)
		to := from + len(tail)
		if i == 0 && l.kind == partFunction {
			p.args = span{int32(from), int32(to)}
		}
		if len(w.suffix) > 0 { // what follows it ends in "}" and a newline
			p.free(to+len(w.suffix), at+next-2)
			p.times = append(p.times, int32(to+len(w.suffix)))
		}
		switch {
		case len(tail) == 0:
		case l.kind == partFunction:
			p.free(from+1, to-1)
		case l.kind == partFile:
			p.free(from+len(" +0x"), to)
		case l.kind == partCreated:
			p.free(from+len(inGoroutine), to)
		}
		at += next
		p.starts = append(p.starts, int32(at))
	}
}

// free leaves bytes of a line out of the comparison.
func (p *print) free(from, to int) {
	for from < to {
		c := from / chunk
		end := min(to, (c+1)*chunk)
		bits := ^uint64(0) >> (chunk - (end - from)) << (from % chunk)
		p.masks[c].free |= bits
		p.masks[c].line |= bits
		from = end
	}
}
