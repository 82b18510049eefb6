package parse

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What handlers print of a panic that they recovered: the process lives, and the blame lies below
// their own frames.
func TestRecoveredByFrameworks(t *testing.T) {
	type sight struct {
		Kind     Kind
		Headline string
		Died     Tri
		Blame    string
		Created  string
		Frames   int
		Lines    [2]int
	}
	for _, tc := range []struct {
		name, text string
		want       []sight
	}{
		{"gin, with the request", "" +
			"[GIN-debug] GET /orders --> main.orders (3 handlers)\n" +
			"\n\n\x1b[31m2026/03/01 10:11:12 [Recovery] 2026/03/01 - 10:11:12 panic recovered:\n" +
			"GET /orders HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: curl/8\r\n\r\n" +
			"runtime error: index out of range [3] with length 3\n" +
			"/usr/local/go/src/runtime/panic.go:115 (0x48dad7)\n\tgoPanicIndex: panic(boundsError{x: int64(x), signed: true, y: y, code: boundsIndex})\n" +
			"/src/shop/cart/cart.go:21 (0xba8d5e)\n\t(*Basket).At: return b.items[i]\n" +
			"/root/go/pkg/mod/github.com/gin-gonic/gin@v1.10.0/context.go:185 (0xacfc1e)\n\t(*Context).Next: c.handlers[c.index](c)\n" +
			"\x1b[0m\n[GIN] 2026/03/01 - 10:11:12 | 500 | 1.2ms | 127.0.0.1 | GET \"/orders\"\n",
			[]sight{{KindRecoveredPanic, "panic recovered: runtime error: index out of range [3] with length 3", No, "(*Basket).At", "", 3, [2]int{4, 15}}}},
		{"chi", "" +
			"\n panic: basket is closed\n \n -> shop/cart.(*Basket).At\n ->   /src/shop/cart/cart.go:21\n\n" +
			"    shop/web.orders\n      /src/shop/web/orders.go:40\n" +
			"    created by net/http.(*Server).Serve in goroutine 21\n      /usr/local/go/src/net/http/server.go:3464\n    \n" +
			"2026/03/01 10:11:12 \"GET /orders\" - 500\n",
			[]sight{{KindRecoveredPanic, "panic: basket is closed", No, "shop/cart.(*Basket).At", "net/http.(*Server).Serve", 2, [2]int{2, 10}}}},
		{"a stack that the handler took itself", "" +
			"panic: basket is closed\n\ngoroutine 21 [running]:\nruntime/debug.Stack()\n\t/usr/local/go/src/runtime/debug/stack.go:26 +0x5e\n" +
			"example.org/web/recover.New.func1.1()\n\t/src/web/recover/recover.go:31 +0x6e\n" +
			"panic({0xc8e5e0?, 0x14395c0?})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\n" +
			"shop/cart.(*Basket).At(...)\n\t/src/shop/cart/cart.go:21\n",
			[]sight{{KindRecoveredPanic, "panic: basket is closed", No, "shop/cart.(*Basket).At", "", 4, [2]int{1, 11}}}},
		{"zap logs the message, then panics with it", "" +
			`{"level":"panic","ts":1772359872.1,"caller":"shop/main.go:36","msg":"store is broken","error":"disk full","stacktrace":"shop/store.open\n\t/src/shop/store/open.go:36\nmain.main\n\t/src/shop/main.go:12"}` + "\n" +
			"panic: store is broken\n\ngoroutine 1 [running]:\nshop/store.open(0xc000012345)\n\t/src/shop/store/open.go:36 +0x1d\nmain.main()\n\t/src/shop/main.go:12 +0x2a\n",
			[]sight{{KindPanic, "panic: store is broken", Yes, "shop/store.open", "", 2, [2]int{1, 8}}}},
		{"the value stands in a field of its own", "" +
			`{"level":"error","time":"2026-03-01T10:11:12Z","panic":"basket is closed","stack":"goroutine 7 [running]:\nruntime/debug.Stack()\n\t/usr/local/go/src/runtime/debug/stack.go:26 +0x5e\nmain.run.func1()\n\t/src/shop/main.go:9 +0x2a\npanic({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\nshop/cart.(*Basket).At(...)\n\t/src/shop/cart/cart.go:21\n","message":"recovered"}` + "\n",
			[]sight{{KindRecoveredPanic, "recovered: basket is closed", Unknown, "shop/cart.(*Basket).At", "", 4, [2]int{1, 1}}}},
		{"echo prints the other goroutines as well", "" +
			`{"time":"2026-03-01T10:11:12Z","level":"-","prefix":"echo","file":"recover.go","line":"119","message":"[PANIC RECOVER] basket is closed goroutine 5 [running]:\nexample.org/echo.Recover.func1()\n\t/src/echo/recover.go:99 +0x2a\npanic({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\nshop/cart.(*Basket).At(...)\n\t/src/shop/cart/cart.go:21\n\ngoroutine 1 [sleep]:\nmain.main()\n\t/src/shop/main.go:12 +0x2a\n"}` + "\n",
			[]sight{{KindRecoveredPanic, "[PANIC RECOVER] basket is closed", No, "shop/cart.(*Basket).At", "", 3, [2]int{1, 1}}}},
		{"hclog prints a field over lines", "" +
			"2026-03-01T10:11:13.000Z [ERROR] shop.worker: order panicked the worker: order=7 error=\"basket is closed\"\n  stack_trace=\n" +
			"  | goroutine 12 [running]:\n  | runtime/debug.Stack()\n  | \t/usr/local/go/src/runtime/debug/stack.go:24 +0x65\n  | shop/worker.(*Worker).run.func1()\n  | \t/src/shop/worker.go:33 +0x6d\n" +
			"  | panic({0x1, 0x2})\n  | \t/usr/local/go/src/runtime/panic.go:884 +0x212\n  | shop/cart.(*Basket).At(0xc000123456)\n  | \t/src/shop/cart/cart.go:21 +0x1d\n  \n" +
			"2026-03-01T10:11:14.000Z [INFO]  shop.worker: next\n",
			[]sight{{KindRecoveredPanic, "order panicked the worker: basket is closed", Unknown, "shop/cart.(*Basket).At", "", 4, [2]int{3, 11}}}},
		{"a fenced message in the export of a chat", "" +
			`{"type":"message","user":"U1","text":"` + "```" + `panic: basket is closed\n\ngoroutine 7 [running]:\nshop/cart.(*Basket).At(0xc000123456)\n\t/src/shop/cart/cart.go:21 +0x1d\n` + "```" + `"}` + "\n",
			[]sight{{KindPanic, "panic: basket is closed", Yes, "shop/cart.(*Basket).At", "", 1, [2]int{1, 1}}}},
		{"net/http in a field is told once", "" +
			`{"level":"error","msg":"server","stderr":"2026/03/01 10:11:12 http: panic serving 127.0.0.1:9: basket is closed\ngoroutine 5 [running]:\nnet/http.(*conn).serve.func1()\n\t/usr/local/go/src/net/http/server.go:1897 +0xbd\npanic({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\nshop/cart.(*Basket).At(...)\n\t/src/shop/cart/cart.go:21"}` + "\n",
			[]sight{{KindRecoveredPanic, "http: panic serving 127.0.0.1:9: basket is closed", No, "shop/cart.(*Basket).At", "", 3, [2]int{1, 1}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []sight
			for _, inc := range readString(t, tc.text).Incidents {
				s := sight{Kind: inc.Kind, Headline: inc.Headline, Died: inc.Died, Frames: len(inc.Stack), Lines: [2]int{inc.Line, inc.EndLine}}
				if inc.Blame != nil {
					s.Blame = inc.Blame.Function
				}
				if inc.CreatedBy != nil {
					s.Created = inc.CreatedBy.Function
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A headline that looks quoted counts when a goroutine header follows it, whatever stands below that.
func TestHeadlineWithHeaderIsNoQuote(t *testing.T) {
	c := readString(t, "panic: <img src=x> is no route</script>\n\ngoroutine 1 [running]:\nmain.<img src=x>()\n\t/src/<img>.go:7 +0x1d\n")
	if inc := one(t, c); inc.Kind != KindPanic || inc.Headline != "panic: <img src=x> is no route</script>" {
		t.Errorf("%s %q", inc.Kind, inc.Headline)
	}
}
