package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestProgress: what takes long is shown and erased, what is over sooner shows nothing.
func TestProgress(t *testing.T) {
	var quick bytes.Buffer
	startProgress(&quick, time.Hour, time.Hour).end()
	if quick.Len() > 0 {
		t.Errorf("short work printed %q", quick.String())
	}
	shown := &waiter{seen: make(chan struct{})}
	p := startProgress(shown, 0, time.Hour)
	p.bytes.Add(12_000_000)
	<-shown.seen
	p.end()
	if got := shown.String(); !strings.HasPrefix(got, "\r\x1b[Kread ") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("long work printed %q", got)
	}
	for n, want := range map[int64]string{900: "0 kB", 162_140_283: "162 MB", 2_500_000_000: "2.5 GB"} {
		if got := readSize(n); got != want {
			t.Errorf("readSize(%d) = %q, want %q", n, got, want)
		}
	}
}

// waiter tells when something is written.
type waiter struct {
	bytes.Buffer
	seen chan struct{}
}

func (w *waiter) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	select {
	case <-w.seen:
	default:
		close(w.seen)
	}
	return n, err
}
