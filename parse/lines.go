package parse

import (
	"bytes"
	"io"
	"sync/atomic"
)

const (
	blockSize = 1 << 20
	blocks    = 6 // one being scanned, one looked ahead into, one being filled, the others between
)

// block is a run of whole lines. The last line of the input may lack its newline.
type block struct {
	data []byte // sub-slice of buf
	buf  []byte
	// skipped is how many bytes of the block's last line, with its newline, were left out because the
	// line is longer than the limit.
	skipped int64
	last    bool
	ahead   *ahead // nil if nobody looks ahead into this block
	err     error  // of the reader; io.EOF is not reported
}

// blockReader cuts a stream into blocks of whole lines and reads ahead, so that
// copying from the kernel and scanning use two cores. A line is copied only where
// it straddles two reads.
type blockReader struct {
	r       io.Reader
	maxLine int
	out     chan block
	free    chan []byte
	stop    chan struct{}

	snap  atomic.Pointer[snapshot]
	look  chan block // for the one who looks ahead
	count int
}

func newBlockReader(r io.Reader, maxLine int) *blockReader {
	br := &blockReader{
		r: r, maxLine: maxLine,
		out:  make(chan block, blocks-2),
		free: make(chan []byte, blocks),
		stop: make(chan struct{}),
		look: make(chan block, 1),
	}
	for range blocks {
		br.free <- nil // allocated when first used: small inputs need one
	}
	go br.run()
	go br.lookAhead()
	return br
}

// next returns the next block; ok is false after the last one.
func (br *blockReader) next() (b block, ok bool) {
	b, ok = <-br.out
	return b, ok
}

// release gives a block's memory back. No slice into it may be used afterwards.
func (br *blockReader) release(b block) { br.free <- b.buf }

// close ends reading early; blocks that were not taken are dropped.
func (br *blockReader) close() { close(br.stop) }

func (br *blockReader) run() {
	defer close(br.out)
	defer close(br.look)
	var tail []byte // the beginning of a line whose end is not read yet
	for {
		var buf []byte
		select {
		case buf = <-br.free:
		case <-br.stop:
			return
		}
		if buf == nil {
			buf = make([]byte, blockSize)
		}
		if len(buf) <= len(tail) {
			buf = make([]byte, len(tail)+blockSize)
		}
		n := copy(buf, tail)
		var err error
		cut := -1 // end of the last whole line
		var skipped int64
		for {
			var k int
			k, err = io.ReadAtLeast(br.r, buf[n:], 1)
			if k > 0 {
				if i := bytes.LastIndexByte(buf[n:n+k], '\n'); i >= 0 {
					cut = n + i + 1
				}
				n += k
			}
			if err != nil {
				break
			}
			if n < len(buf) {
				continue
			}
			if cut >= 0 {
				break
			}
			if len(buf) < br.maxLine { // one line fills the buffer: grow up to the limit
				bigger := make([]byte, min(2*len(buf), br.maxLine))
				copy(bigger, buf)
				buf = bigger
				continue
			}
			// The line is longer than the limit: keep its beginning, skip to its end.
			var rest []byte
			rest, skipped, err = br.skipLine()
			b := block{data: buf[:n], buf: buf, skipped: skipped}
			if err != nil && len(rest) == 0 {
				b.last, b.err = true, notEOF(err)
			}
			if !br.send(b) || b.last {
				return
			}
			tail = rest
			buf = nil
			break
		}
		if buf == nil {
			continue
		}
		if err != nil {
			br.send(block{data: buf[:n], buf: buf, last: true, err: notEOF(err)})
			return
		}
		// What lies behind the last newline goes in front of the next block. The
		// block is handed on before that, so its bytes are saved first.
		rest := bytes.Clone(buf[cut:n])
		if !br.send(block{data: buf[:cut], buf: buf}) {
			return
		}
		tail = rest
	}
}

// skipLine reads to the end of the current line. It returns what it read beyond that.
func (br *blockReader) skipLine() (rest []byte, skipped int64, err error) {
	buf := make([]byte, 64<<10)
	for {
		n, err := br.r.Read(buf)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return buf[i+1 : n], skipped + int64(i) + 1, err
		}
		skipped += int64(n)
		if err != nil {
			return nil, skipped, err
		}
	}
}

// send hands a block on, every second one of a big dump also to the one who looks ahead.
func (br *blockReader) send(b block) bool {
	if br.count++; br.count%2 == 0 && br.snap.Load() != nil {
		b.ahead = &ahead{done: make(chan struct{})}
		select {
		case br.look <- b:
		default:
			b.ahead = nil
		}
	}
	select {
	case br.out <- b:
		return true
	case <-br.stop:
		return false
	}
}

func (br *blockReader) lookAhead() {
	for b := range br.look {
		if b.ahead.claim.CompareAndSwap(0, 1) {
			b.ahead.lookAhead(br.snap.Load(), b.data)
		}
	}
}

// found returns what was found ahead in a block, waiting for it if it is being
// looked for; nil if nobody began.
func (b *block) found() *ahead {
	if b.ahead == nil || b.ahead.claim.CompareAndSwap(0, 2) {
		return nil
	}
	<-b.ahead.done
	return b.ahead
}

func notEOF(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}
