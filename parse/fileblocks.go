package parse

import (
	"bytes"
	"io"
	"os"
	"sync/atomic"
)

// fileBlocks cuts a regular file into blocks of whole lines. In a big dump other
// goroutines read and scan the segments in front of the scanner (see ahead), so
// that a segment's bytes are looked at while they lie in that core's cache. What
// is left for the scanner are the torn goroutines at their ends, and the order.
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

	snap  atomic.Pointer[snapshot]
	scout *scouts
	lent  *segment // of a scout; its bytes are in the queue
}

const segmentSize = 1 << 20

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
	if fb.scout != nil {
		close(fb.scout.quit)
		fb.scout, fb.lent = nil, nil
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
	if fb.scout == nil && fb.snap.Load() != nil {
		fb.scout = fb.send()
	}
	var data []byte
	var err error
	var found *ahead
	if fb.scout != nil {
		s := fb.scout.take(fb.lent)
		data, err, found, fb.lent = s.buf[:s.n], s.err, &s.ahead, s
	} else {
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
	fb.close() // the scouts' segments begin elsewhere
	fb.queue = append(fb.queue, b)
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
