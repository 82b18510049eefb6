package parse

import (
	"bytes"
	"io"
)

const (
	blockSize = 1 << 20
	blocks    = 4 // one being scanned, one being filled, two between
)

// block is a run of whole lines. The last line of the input may lack its newline.
type block struct {
	data []byte // sub-slice of buf
	buf  []byte
	// skipped is how many bytes of the block's last line, with its newline, were left out because the
	// line is longer than the limit.
	skipped int64
	last    bool
	ahead   *ahead // what another goroutine found in it already; nil if none looked
	err     error  // of the reader; io.EOF is not reported
}

// blockSource gives a source's blocks in order. A block's memory is valid until
// it is released or the next one is asked for.
type blockSource interface {
	next() (b block, ok bool)
	release(block)
	close()
	// renew tells what is known of the open incident's stacks, for whoever looks ahead.
	renew(*builder, *wrapping)
}

// newBlocks returns the blocks of a regular file or of any other reader.
func newBlocks(in io.Reader, maxLine int) blockSource {
	if fb := newFileBlocks(in, maxLine, segmentSize); fb != nil {
		return fb
	}
	return newBlockReader(in, maxLine)
}

// blockReader cuts a stream into blocks of whole lines and reads ahead, so that
// unpacking or waiting for a pipe and scanning use two cores. A line is copied
// only where it straddles two reads.
type blockReader struct {
	r       io.Reader
	maxLine int
	out     chan block
	free    chan []byte
	stop    chan struct{}
}

func newBlockReader(r io.Reader, maxLine int) *blockReader {
	br := &blockReader{
		r: r, maxLine: maxLine,
		out:  make(chan block, blocks-2),
		free: make(chan []byte, blocks),
		stop: make(chan struct{}),
	}
	for range blocks {
		br.free <- nil // allocated when first used: small inputs need one
	}
	go br.run()
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

func (br *blockReader) send(b block) bool {
	select {
	case br.out <- b:
		return true
	case <-br.stop:
		return false
	}
}

func (br *blockReader) renew(*builder, *wrapping) {}

func notEOF(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}
