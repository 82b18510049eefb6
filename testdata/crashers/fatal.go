package main

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

func init() {
	register(map[string]func(){
		"map-writes":      mapWrites,
		"map-read-write":  mapReadWrite,
		"map-iteration":   mapIteration,
		"map-clone":       mapClone,
		"deadlock-chan":   deadlockChan,
		"deadlock-mutex":  deadlockMutex,
		"deadlock-group":  deadlockGroup,
		"unlock":          func() { unlock(new(sync.Mutex)) },
		"runlock":         func() { runlock(new(sync.RWMutex)) },
		"unlock-in-panic": unlockInPanic,
		"stack-overflow":  stackOverflow,
		"nil-go":          func() { startNil(nil) },
	})
}

// contend runs both for as long as it takes the runtime to notice; it gives up after a minute.
func contend(a, b func()) {
	runtime.GOMAXPROCS(max(4, runtime.NumCPU())) // on one core the kernel has to interrupt a write
	go func() {
		for {
			a()
		}
	}()
	go func() {
		for {
			b()
		}
	}()
	time.Sleep(time.Minute)
	fmt.Fprintln(os.Stderr, "crashers: still alive")
	os.Exit(65)
}

func filled() map[int]int {
	m := make(map[int]int)
	for i := range 1000 {
		m[i] = i
	}
	return m
}

//go:noinline
func put(m map[int]int) {
	for i := range 1000 {
		m[i]++
	}
}

//go:noinline
func get(m map[int]int) (n int) {
	for i := range 1000 {
		n += m[i]
	}
	return n
}

//go:noinline
func sum(m map[int]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}

func mapWrites() {
	m := filled()
	contend(func() { put(m) }, func() { put(m) })
}

func mapReadWrite() {
	m := filled()
	// The reader must be the one that notices, so the writer works elsewhere most of the time.
	contend(func() { get(m) }, func() { m[1] = 1; spin() })
}

func mapIteration() {
	m := filled()
	contend(func() { sum(m) }, func() { m[1] = 1; spin() })
}

func mapClone() {
	m := filled()
	contend(func() { snapshot(m) }, func() { m[1] = 1 })
}

//go:noinline
func snapshot(m map[int]int) map[int]int { return maps.Clone(m) }

//go:noinline
func spin() {
	for range 20 {
		runtime.KeepAlive(nil)
	}
}

func deadlockChan() {
	results := make(chan int)
	for i := range 4 {
		go func() { results <- i }()
	}
	for range 5 {
		collect(results)
	}
}

//go:noinline
func collect(ch <-chan int) int { return <-ch }

func deadlockMutex() {
	var a, b sync.Mutex
	a.Lock()
	b.Lock()
	go lockBoth(&a, &b)
	lockBoth(&b, &a)
}

//go:noinline
func lockBoth(first, second *sync.Mutex) {
	first.Lock()
	second.Lock()
}

func deadlockGroup() {
	var wg sync.WaitGroup
	var mu sync.RWMutex
	mu.Lock()
	wg.Add(3)
	for range 2 {
		go func() { mu.RLock(); wg.Done() }()
	}
	wg.Wait()
}

//go:noinline
func unlock(mu *sync.Mutex) { mu.Unlock() }

//go:noinline
func runlock(mu *sync.RWMutex) { mu.RUnlock() }

// unlockInPanic is both: a fatal error raised by a deferred call while a panic is on its way.
func unlockInPanic() {
	defer unlock(new(sync.Mutex))
	panic(fmt.Errorf("saving order %d", 12))
}

func stackOverflow() {
	debug.SetMaxStack(1 << 18)
	even(3)
}

//go:noinline
func even(n int) int { return odd(n+1) + 1 }

//go:noinline
func odd(n int) int { return even(n+1) - 1 }

//go:noinline
func startNil(f func()) { go f() }
