package parse

import (
	"bytes"
	"io"
	"os"
	"sync/atomic"
)

// fileBlocks cuts a regular file into blocks of whole lines. Nothing reads
// ahead for it: who scans a segment has read it just before, so its bytes still
// lie in that core's cache. In a big dump a second goroutine reads and scans
// every other segment (see ahead); what is left of that segment for the scanner
// are the torn goroutines at its two ends.
type fileBlocks struct {
	f       *os.File
	off     int64 // where the next segment begins
	maxLine int
	size    int // of a segment

	carry []byte  // the beginning of a line whose end lies in the next segment
	queue []block // cut, not yet taken
	own   []byte
	eof   bool
	err   error

	snap   atomic.Pointer[snapshot]
	second *segment // read by the second goroutine, or being read; nil if it is taken
	spare  segment  // the memory of second
	work   chan *segment
	buf    []byte // the second goroutine's
}

// segment is a part of the file that the second goroutine reads and scans.
type segment struct {
	off   int64
	buf   []byte
	n     int
	err   error
	ahead ahead
}

const segmentSize = 512 << 10

// newFileBlocks returns nil unless in is a regular file, read from its beginning so far.
func newFileBlocks(in io.Reader, maxLine, size int) *fileBlocks {
	l, ok := in.(*leaf)
	if !ok {
		return nil
	}
	f, off := l.file()
	if f == nil {
		return nil
	}
	return &fileBlocks{f: f, off: off, maxLine: maxLine, size: size, own: make([]byte, size)}
}

func (fb *fileBlocks) close() {
	if fb.work != nil {
		close(fb.work)
		fb.work = nil
	}
}

func (fb *fileBlocks) release(block) {}

func (fb *fileBlocks) next() (block, bool) {
	for len(fb.queue) == 0 {
		if fb.eof {
			return block{}, false
		}
		fb.fill()
	}
	b := fb.queue[0]
	fb.queue = fb.queue[1:]
	return b, true
}

// fill reads the next segment and cuts it.
func (fb *fileBlocks) fill() {
	fb.queue = fb.queue[:0]
	var data []byte
	var err error
	var found *ahead
	if s := fb.second; s != nil && s.off == fb.off {
		<-s.ahead.done
		data, err, found = s.buf[:s.n], s.err, &s.ahead
		fb.second = nil
	} else {
		fb.lookAhead(fb.off + int64(fb.size))
		var n int
		n, err = readAt(fb.f, fb.own, fb.off)
		data = fb.own[:n]
	}
	fb.off += int64(len(data))
	if err != nil {
		fb.eof, fb.err = true, notEOF(err)
	}
	fb.cut(data, found)
}

// cut makes blocks of a segment. The line that straddles its beginning is one of its own.
func (fb *fileBlocks) cut(data []byte, found *ahead) {
	shift := 0
	if len(fb.carry) > 0 {
		nl := bytes.IndexByte(data, '\n')
		if nl < 0 {
			fb.carry = append(fb.carry, data...)
			if len(fb.carry) > fb.maxLine {
				fb.skipLine()
			}
			fb.finish()
			return
		}
		shift = nl + 1
		fb.queue = append(fb.queue, block{data: append(bytes.Clone(fb.carry), data[:shift]...)})
		fb.carry = fb.carry[:0]
	}
	rest := data[shift:]
	end := bytes.LastIndexByte(rest, '\n') + 1
	fb.carry = append(fb.carry[:0], rest[end:]...)
	if end > 0 {
		b := block{data: rest[:end]}
		if found != nil && found.start >= shift && found.goroutines > 0 {
			found.start -= shift
			found.end -= shift
			b.ahead = found
		}
		fb.queue = append(fb.queue, b)
	}
	fb.finish()
}

// finish hands out what is left at the end of the file.
func (fb *fileBlocks) finish() {
	if !fb.eof {
		return
	}
	if len(fb.carry) > 0 {
		fb.queue = append(fb.queue, block{data: fb.carry})
	}
	if n := len(fb.queue); n > 0 {
		fb.queue[n-1].last, fb.queue[n-1].err = true, fb.err
	} else if fb.err != nil {
		fb.queue = append(fb.queue, block{last: true, err: fb.err})
	}
}

// skipLine keeps the beginning of a line that is too long and finds its end.
func (fb *fileBlocks) skipLine() {
	b := block{data: bytes.Clone(fb.carry[:fb.maxLine]), skipped: int64(len(fb.carry) - fb.maxLine)}
	fb.carry = fb.carry[:0]
	for !fb.eof {
		n, err := readAt(fb.f, fb.own, fb.off)
		if nl := bytes.IndexByte(fb.own[:n], '\n'); nl >= 0 {
			fb.off += int64(nl) + 1
			b.skipped += int64(nl) + 1
			break
		}
		fb.off += int64(n)
		b.skipped += int64(n)
		if err != nil {
			fb.eof, fb.err = true, notEOF(err)
		}
	}
	if s := fb.second; s != nil { // it began elsewhere
		<-s.ahead.done
		fb.second = nil
	}
	fb.queue = append(fb.queue, b)
}

// lookAhead sets the second goroutine to the segment at off, if it can know anything there.
func (fb *fileBlocks) lookAhead(off int64) {
	if fb.snap.Load() == nil {
		return
	}
	if s := fb.second; s != nil { // left over: wait, since its buffer is used again
		<-s.ahead.done
	}
	if fb.work == nil {
		fb.buf = make([]byte, fb.size)
		fb.work = make(chan *segment, 1)
		go fb.scanAhead(fb.work)
	}
	fb.second = &fb.spare
	fb.second.off, fb.second.buf = off, fb.buf
	fb.second.ahead.reset()
	fb.work <- fb.second
}

func (fb *fileBlocks) scanAhead(work <-chan *segment) {
	for s := range work {
		s.n, s.err = readAt(fb.f, s.buf, s.off)
		s.ahead.lookAhead(fb.snap.Load(), s.buf[:s.n])
	}
}

func (fb *fileBlocks) renew(b *builder, w *wrapping) { renewSnapshot(&fb.snap, b, w) }

// readAt fills buf from a file at off; the error is io.EOF at its end.
func readAt(f *os.File, buf []byte, off int64) (int, error) {
	n, err := f.ReadAt(buf, off)
	if n == len(buf) {
		err = nil
	}
	return n, err
}
