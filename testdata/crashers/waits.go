package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync"
	"time"
)

func init() {
	register(map[string]func(){
		"wait-many":       func() { inWaits(scale(), ready) },
		"wait-two":        waitTwo,
		"wait-stages":     waitStages,
		"dump-all":        func() { inWaits(scale(), dumpAll) },
		"labels":          labels,
		"locked":          locked,
		"profile-debug-1": func() { inWaits(scale(), func() { profile(1) }) },
		"profile-debug-2": func() { inWaits(scale(), func() { profile(2) }) },
	})
}

// scale multiplies the goroutines of inWaits: WAITS=10 makes several hundred.
func scale() int {
	n, err := strconv.Atoi(os.Getenv("WAITS"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// server holds what the goroutines of inWaits wait for. Nothing of it ever happens.
type server struct {
	mu      sync.Mutex
	rw      sync.RWMutex
	cond    *sync.Cond
	group   sync.WaitGroup
	jobs    chan int
	results chan int
	quit    chan struct{}
}

// inWaits starts goroutines in every common wait, n times the numbers below, and runs f when all wait.
func inWaits(n int, f func()) {
	s := &server{jobs: make(chan int), results: make(chan int), quit: make(chan struct{})}
	s.cond = sync.NewCond(&sync.Mutex{})
	s.group.Add(1)
	s.mu.Lock()
	s.rw.Lock()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	for _, g := range []struct {
		count int
		run   func()
	}{
		{9, s.watch}, {6, s.receive}, {4, s.send}, {5, s.lock}, {3, s.readLock}, {2, s.writeLock},
		{2, s.waitGroup}, {3, s.waitCond}, {2, sleep}, {2, forever}, {1, nilReceive}, {1, nilSend},
		{2, func() { accept(ln) }}, {1, func() { read(r) }},
	} {
		for range g.count * n {
			go g.run()
		}
	}
	time.Sleep(200 * time.Millisecond)
	f()
	runtime.KeepAlive(w)
	runtime.KeepAlive(s)
}

//go:noinline
func (s *server) watch() {
	select {
	case <-s.quit:
	case j := <-s.jobs:
		s.results <- j
	}
}

//go:noinline
func (s *server) receive() { <-s.quit }

//go:noinline
func (s *server) send() { s.results <- 1 }

//go:noinline
func (s *server) lock() { s.mu.Lock() }

//go:noinline
func (s *server) readLock() { s.rw.RLock() }

//go:noinline
func (s *server) writeLock() { s.rw.Lock() }

//go:noinline
func (s *server) waitGroup() { s.group.Wait() }

//go:noinline
func (s *server) waitCond() { s.cond.L.Lock(); s.cond.Wait() }

//go:noinline
func sleep() { time.Sleep(time.Hour) }

//go:noinline
func forever() { select {} }

//go:noinline
func nilReceive() { <-(chan int)(nil) }

//go:noinline
func nilSend() { (chan int)(nil) <- 1 }

//go:noinline
func accept(ln net.Listener) { ln.Accept() }

//go:noinline
func read(f *os.File) { f.Read(make([]byte, 1)) }

// ready says that the program waits for a signal from outside; it gives up after ten minutes.
//
//go:noinline
func ready() {
	fmt.Fprintln(os.Stderr, "ready")
	time.Sleep(10 * time.Minute)
}

func waitTwo() {
	s := &server{quit: make(chan struct{})}
	go s.receive()
	time.Sleep(100 * time.Millisecond)
	ready()
}

// waitStages starts goroutines a minute apart, so that a dump tells their ages. The runtime knows
// since when a goroutine waits only from the first garbage collection after, so it needs one. It is
// too slow for a test: the committed sigquit-minutes dump was made by hand.
func waitStages() {
	s := &server{quit: make(chan struct{}), jobs: make(chan int), results: make(chan int)}
	for range 3 {
		for range 4 {
			go s.watch()
		}
		go s.send()
		time.Sleep(100 * time.Millisecond)
		runtime.GC()
		time.Sleep(65 * time.Second)
	}
	ready()
}

func dumpAll() {
	buf := make([]byte, 1<<20)
	fmt.Fprintln(os.Stderr, "=== goroutines on request ===")
	os.Stderr.Write(buf[:runtime.Stack(buf, true)])
}

func profile(debug int) { pprof.Lookup("goroutine").WriteTo(os.Stderr, debug) }

// labels dies with labelled goroutines around; they are printed with GODEBUG=tracebacklabels=1.
func labels() {
	s := &server{quit: make(chan struct{})}
	for i := range 4 {
		set := pprof.Labels("path", "/v1/items", "tenant", fmt.Sprintf("acme %d", i%2), "odd", "]: {x}")
		go pprof.Do(context.Background(), set, func(context.Context) { s.receive() })
	}
	time.Sleep(100 * time.Millisecond)
	panic("with labels")
}

// locked dies with goroutines around that hold their thread.
func locked() {
	s := &server{quit: make(chan struct{})}
	for range 2 {
		go func() {
			runtime.LockOSThread()
			s.receive()
		}()
	}
	time.Sleep(100 * time.Millisecond)
	panic("with locked threads")
}
