package parse

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// scouts read and scan a file's segments in front of the scanner, each with its
// own copy of what is known.
type scouts struct {
	f    *os.File
	snap *atomic.Pointer[snapshot]

	claim sync.Mutex // held to take the next segment, so that queue has the file's order
	next  int64
	end   bool // a scout has met the end of the file

	free  chan *segment // not in use
	queue chan *segment // taken, perhaps still being scanned
	quit  chan struct{}
}

// segment is a part of the file that a scout reads and scans.
type segment struct {
	off   int64
	buf   []byte
	n     int
	err   error
	ahead ahead
	done  chan struct{} // holds one when the segment is scanned
}

// maxScouts is as many as the scanner can follow: putting their findings in order is its work alone.
const maxScouts = 8

// send starts the scouts at the next segment.
func (fb *fileBlocks) send() *scouts {
	n := min(runtime.GOMAXPROCS(0), maxScouts)
	s := &scouts{
		f: fb.f, snap: &fb.snap, next: fb.off, quit: make(chan struct{}),
		free: make(chan *segment, n+2), queue: make(chan *segment, n+2),
	}
	for range n + 2 {
		s.free <- &segment{done: make(chan struct{}, 1)}
	}
	for range n {
		go s.run(fb.size)
	}
	return s
}

// take returns the next segment when it is scanned, and takes back the one before.
func (s *scouts) take(back *segment) *segment {
	if back != nil {
		s.free <- back
	}
	seg := <-s.queue
	<-seg.done
	return seg
}

func (s *scouts) run(size int) {
	var from, own *snapshot
	for {
		var seg *segment
		select {
		case seg = <-s.free:
		case <-s.quit:
			return
		}
		if !s.claimNext(seg, size) {
			return
		}
		if seg.buf == nil {
			seg.buf = make([]byte, size)
		}
		seg.n, seg.err = readAt(s.f, seg.buf, seg.off)
		if snap := s.snap.Load(); snap != from {
			from, own = snap, snap.clone()
		}
		seg.ahead.reset()
		seg.ahead.lookAhead(own, seg.buf[:seg.n])
		if seg.err != nil {
			s.claim.Lock()
			s.end = true
			s.claim.Unlock()
		}
		seg.done <- struct{}{}
	}
}

// claimNext gives the segment the next part of the file, unless the end was met.
func (s *scouts) claimNext(seg *segment, size int) bool {
	s.claim.Lock()
	defer s.claim.Unlock()
	if s.end {
		return false
	}
	seg.off = s.next
	s.next += int64(size)
	s.queue <- seg // has room for all segments
	return true
}
