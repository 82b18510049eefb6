package cli

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	progressFrom  = time.Second // shorter work shows nothing
	progressEvery = 200 * time.Millisecond
)

// progress says on w how much is read, once that takes more than a second, and
// erases it in the end. The caller sees to it that w is a terminal.
type progress struct {
	bytes atomic.Int64
	w     io.Writer
	stop  chan struct{}
	done  sync.WaitGroup
}

func startProgress(w io.Writer, from, every time.Duration) *progress {
	p := &progress{w: w, stop: make(chan struct{})}
	start := time.Now()
	p.done.Go(func() {
		wait := time.NewTimer(from)
		defer wait.Stop()
		shown := false
		for {
			select {
			case <-p.stop:
				if shown {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			case <-wait.C:
			}
			shown = true
			n, s := p.bytes.Load(), time.Since(start).Seconds()
			fmt.Fprintf(w, "\r\x1b[Kread %s, %s/s", readSize(n), readSize(int64(float64(n)/s)))
			wait.Reset(every)
		}
	})
	return p
}

func (p *progress) end() {
	close(p.stop)
	p.done.Wait()
}

// readSize writes bytes as the report does: MB of 10^6 bytes.
func readSize(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%d MB", n/1e6)
	}
	return fmt.Sprintf("%d kB", n/1e3)
}
