package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"example.com/crashers/store"
)

func init() {
	register(map[string]func(){
		"nil-receiver":      func() { nilReceiver(nil) },
		"nil-func":          func() { callHook(nil) },
		"index":             func() { store.New().Row("orders", 7) },
		"nil-map":           func() { new(store.Cache).Put("orders", nil) },
		"custom-error":      func() { store.New().MustRow("invoices", 4711) },
		"wrapped-error":     wrappedError,
		"struct-value":      structValue,
		"nil-panic":         nilPanic,
		"multiline":         multiline,
		"repanic":           repanic,
		"repanic-same":      repanicSame,
		"nested-defer":      nestedDefer,
		"closed-send":       closedSend,
		"close-twice":       closeTwice,
		"type-assertion":    typeAssertion,
		"goroutine-panic":   goroutinePanic,
		"closure":           closure,
		"generic":           generic,
		"method-value":      methodValue,
		"deferred-cleanup":  deferredCleanup,
		"once":              oncePanics,
		"goexit-main":       goexitMain,
		"print-stack":       printStack,
		"recovered-printed": recoveredPrinted,
	})
}

//go:noinline
func nilReceiver(c *store.Cache) { fmt.Println(c.Len()) }

//go:noinline
func callHook(hook func(string)) { hook("start") }

var errBase = errors.New("connection refused")

func wrappedError() { panic(fmt.Errorf("loading orders: %w", errBase)) }

func structValue() { panic(struct{ Code int }{7}) }

func nilPanic() { panic(nil) }

// multiline panics with a text that looks like a goroutine of its own. Go puts a tab behind every
// newline of a value, so it must not be counted.
func multiline() {
	panic("worker failed:\ngoroutine 99 [running]:\nmain.fake(0x1)\n\t/srv/fake.go:1 +0x1\n\nend of report")
}

// repanic wraps the value on its way up: two lines, the first [recovered].
func repanic() {
	defer func() {
		if r := recover(); r != nil {
			panic(fmt.Sprintf("handler: %v", r))
		}
	}()
	store.New().Row("orders", 7)
}

// repanicSame raises the very value again: one line, [recovered, repanicked].
func repanicSame() {
	defer func() {
		if r := recover(); r != nil {
			panic(r)
		}
	}()
	store.New().MustRow("invoices", 4711)
}

// nestedDefer panics in a deferred call while another panic is on its way, twice.
func nestedDefer() {
	defer func() { panic("third: flush") }()
	defer func() { panic(errors.New("second: close")) }()
	panic("first: write")
}

func closedSend() {
	ch := make(chan int, 1)
	close(ch)
	send(ch, 1)
}

//go:noinline
func send(ch chan<- int, v int) { ch <- v }

func closeTwice() {
	ch := make(chan int)
	close(ch)
	shut(ch)
}

//go:noinline
func shut(ch chan int) { close(ch) }

func typeAssertion() { asCache("a string") }

//go:noinline
func asCache(v any) *store.Cache { return v.(*store.Cache) }

// goroutinePanic dies in a goroutine that another function started, with others waiting.
func goroutinePanic() {
	for range 3 {
		go func() { select {} }()
	}
	time.Sleep(100 * time.Millisecond)
	done := make(chan struct{})
	startWorker(done)
	<-done
}

//go:noinline
func startWorker(done chan struct{}) {
	go worker(done, store.New())
}

//go:noinline
func worker(done chan struct{}, c *store.Cache) {
	time.Sleep(100 * time.Millisecond) // until main waits
	c.Row("orders", -len(os.Args))
	close(done)
}

func closure() {
	total := func(rows []int) (n int) {
		add := func(i int) { n += rows[i] }
		for i := range len(rows) + 1 {
			add(i)
		}
		return n
	}
	fmt.Println(apply(total, []int{1, 2, 3}))
}

//go:noinline
func apply(f func([]int) int, rows []int) int { return f(rows) }

func generic() {
	names := store.Map([]string{"a", ""}, func(s string) byte { return s[0] })
	store.Leaf("k", names).Walk(func(string, []byte) {})
}

// methodValue calls a bound method: its -fm wrapper is hidden.
func methodValue() {
	var c *store.Cache
	length := c.Len
	call(length)
}

//go:noinline
func call(f func() int) int { return f() }

// deferredCleanup faults in a deferred method, with no panic before.
func deferredCleanup() {
	var c *store.Cache
	defer c.Put("orders", nil)
	_ = store.New().Len()
}

// oncePanics is wrapped by the standard library: sync.OnceFunc recovers and raises the value again.
func oncePanics() {
	f := sync.OnceFunc(func() { store.New().MustRow("invoices", 1) })
	f()
}

func goexitMain() { runtime.Goexit() }

func printStack() {
	fmt.Fprintln(os.Stderr, "starting dump on request")
	debug.PrintStack()
	fmt.Fprintln(os.Stderr, "still running")
}

// recoveredPrinted is the recover handler that many programs write by hand.
func recoveredPrinted() {
	func() {
		defer func() {
			if r := recover(); r != nil {
				fmt.Fprintf(os.Stderr, "recovered from panic: %v\n%s", r, debug.Stack())
			}
		}()
		store.New().Row("orders", 9)
	}()
	fmt.Fprintln(os.Stderr, "next job")
}
