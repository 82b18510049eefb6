package parse_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

const crash = `2026-11-02T10:15:00Z web-1 orders[812]: starting orders 1.4.0
panic: runtime error: index out of range [3] with length 3

goroutine 41 [running]:
example.com/orders/store.(*Cache).At(0xc000122000, 0x3)
	/src/orders/store/cache.go:88 +0x1d
example.com/orders/api.(*Server).serve(0xc000180000)
	/src/orders/api/server.go:120 +0x2a5
created by example.com/orders/api.(*Server).Start in goroutine 1
	/src/orders/api/server.go:71 +0x99

goroutine 7 [select, 4 minutes]:
example.com/orders/api.(*Server).watch(0xc000180000)
	/src/orders/api/watch.go:19 +0x77

goroutine 8 [select, 9 minutes]:
example.com/orders/api.(*Server).watch(0xc000180040)
	/src/orders/api/watch.go:19 +0x77
exit status 2
`

// What a program printed before it died, from memory.
func ExampleRead() {
	in := parse.Input{Name: "crash.log", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(crash)), nil
	}}
	c := parse.Read(context.Background(), []parse.Input{in}, parse.Options{})
	for _, inc := range c.Incidents {
		fmt.Printf("%s:%d %s\n", inc.Source, inc.Line, inc.Headline)
		fmt.Printf("goroutine %d died in %s\n", inc.Goroutine, inc.Blame.Function)
		for _, b := range inc.Buckets {
			fmt.Printf("%d %s, up to %d minutes: %s\n", b.Count, b.State, b.MaxWait, b.Frames[0].Function)
		}
	}
	// Output:
	// crash.log:2 panic: runtime error: index out of range [3] with length 3
	// goroutine 41 died in example.com/orders/store.(*Cache).At
	// 1 running, up to 0 minutes: example.com/orders/store.(*Cache).At
	// 2 select, up to 9 minutes: example.com/orders/api.(*Server).watch
}

// Files, folders, archives and globs, as the command takes them.
func ExampleInputs() {
	inputs, errs := parse.Inputs([]string{"../testdata/dumps/index.txt", "no/such.log"}, nil)
	for _, err := range errs {
		fmt.Println("not read:", err)
	}
	c := parse.Read(context.Background(), inputs, parse.Options{Limits: parse.Limits{MaxMembers: 100}})
	for _, src := range c.Sources {
		fmt.Printf("%s: %d lines, %d problems, error %v\n", src.Name, src.Lines, len(src.Problems), src.Err)
	}
	// Output:
	// not read: no/such.log: no such file or folder
	// ../testdata/dumps/index.txt: 9 lines, 0 problems, error <nil>
}

// One code has one symbol, however it was built.
func ExampleSymbol() {
	fmt.Println(parse.Symbol("k8s.io/kubernetes/vendor/k8s.io/client-go/rest.(*Request).Do.func1"))
	fmt.Println(parse.Symbol("main.(*Tree[...]).Walk[go.shape.int]-range1"))
	// Output:
	// k8s.io/client-go/rest.(*Request).Do
	// main.(*Tree).Walk
}
