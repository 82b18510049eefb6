package parse

import (
	"fmt"
	"strings"
	"testing"
)

// What a recover handler printed, and what the runtime then printed of the same panic, is one incident.
func TestHandledPanics(t *testing.T) {
	const stack = `goroutine 812 [running]:
runtime/debug.Stack()
	/usr/local/go/src/runtime/debug/stack.go:26 +0x5e
example.com/till/mw.Recover.func1()
	/src/till/mw/recover.go:31 +0x3c
panic({0x8f2a20?, 0xd31f60?})
	/usr/local/go/src/runtime/panic.go:783 +0x132
example.com/till/cart.Apply(0xc00021a0c0)
	/src/till/cart/apply.go:88 +0x1a4
`
	quoted := strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(stack)
	again := strings.Replace(stack, "runtime/debug.Stack()", "sigs.k8s.io/controller-runtime/pkg/internal/controller.Reconcile.func1()", 1)
	tests := []struct {
		name, in string
		want     string // kind, died, goroutines, headline of each incident
	}{
		{"runtime's words from a handler", "panic: no such cart\n" + stack, "recovered-panic no 1 panic: no such cart"},
		{"the runtime's own", "panic: no such cart\n\n" + again, "panic yes 1 panic: no such cart"},
		{
			"a record, then the panic again",
			`{"level":"error","ts":"2026-11-03T04:10:12Z","msg":"Observed a panic","panic":"no such cart","stacktrace":"` + quoted + `"}` + "\n" +
				"panic: no such cart [recovered]\n\tpanic: no such cart\n\n" + again,
			"panic yes 2 panic: no such cart [recovered]",
		},
		{
			"a record, then another panic",
			`{"level":"error","ts":"2026-11-03T04:10:12Z","msg":"Observed a panic","panic":"no such cart","stacktrace":"` + quoted + `"}` + "\n" +
				"panic: out of paper [recovered]\n\tpanic: out of paper\n\n" + again,
			"recovered-panic no 1 Observed a panic: no such cart\npanic yes 1 panic: out of paper [recovered]",
		},
		{
			"a logger's Panic",
			`{"level":"panic","ts":1793679012.1,"msg":"no such cart","stacktrace":"main.main\n\t/src/till/main.go:12\nruntime.main\n\t/usr/local/go/src/runtime/proc.go:285"}` + "\n" +
				"panic: no such cart\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/till/main.go:12 +0xb4\n",
			"panic yes 1 panic: no such cart",
		},
		{
			"klog's structured record",
			"E1103 04:10:12.000001       1 runtime.go:142] \"Observed a panic\" panic=\"no such cart\" stacktrace=<\n\t" + strings.ReplaceAll(strings.TrimSpace(stack), "\n", "\n\t") + "\n >\n",
			`recovered-panic no 1 "Observed a panic" panic="no such cart" stacktrace=<`,
		},
		{"slog", `time=2026-11-03T04:10:12.000Z level=ERROR msg="panic in handler" panic="no such cart" stack="` + quoted + `"` + "\n", "recovered-panic no 1 panic in handler: no such cart"},
		{"chi", "\n panic: no such cart\n \n -> example.com/till/cart.Apply\n ->   /src/till/cart/apply.go:88\n\n    net/http.HandlerFunc.ServeHTTP\n      /usr/local/go/src/net/http/server.go:2322\n\n", "recovered-panic no 0 panic: no such cart"},
		{"words before the stack", "2026/11/03 04:10:12 recovered from panic \"no such cart\". [stack]: " + stack, `recovered-panic no 1 recovered from panic "no such cart". [stack]:`},
		{"negroni", "[negroni] 2026/11/03 04:10:12 PANIC: no such cart\n" + stack, "recovered-panic no 1 PANIC: no such cart"},
		{"trap behind morestack", "fatal: morestack on g0\nSIGTRAP: trace trap\nPC=0x46b3a2 m=0 sigcode=128\n\ngoroutine 0 gp=0x5f1c40 m=0 mp=0x5f2700 [idle]:\nruntime.abort()\n\t/usr/local/go/src/runtime/asm_amd64.s:1170 +0x2 fp=0x7ffe sp=0x7ffd pc=0x46b3a2\n\nrax    0x17\n", "throw yes 1 fatal: morestack on g0"},
		{"headline lost, a fatal error", "\ngoroutine 26 [running]:\ninternal/runtime/maps.fatal({0x4b2c1a?, 0x0?})\n\t/usr/local/go/src/runtime/panic.go:1181 +0x18\nmain.count()\n\t/src/till/main.go:12 +0xb4\n", "fatal yes 1 "},
		{"headline lost, a signal", "PC=0x46b3a2 m=0 sigcode=0\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/src/till/main.go:12 +0xb4\n", "signal yes 1 "},
		{"headline lost, registers", "goroutine 1 [chan receive]:\nmain.main()\n\t/src/till/main.go:12 +0xb4\n\nrax    0x17\nrbx    0x0\n", "signal yes 1 "},
		{"one running goroutine and no more", "goroutine 1 [running]:\nmain.main()\n\t/src/till/main.go:12 +0xb4\n", "goroutine-dump unknown 1 "},
	}
	died := map[Tri]string{Yes: "yes", No: "no", Unknown: "unknown"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, inc := range readString(t, tt.in).Incidents {
				got = append(got, fmt.Sprintf("%s %s %d %s", inc.Kind, died[inc.Died], inc.Goroutines, inc.Headline))
			}
			if g := strings.Join(got, "\n"); g != tt.want {
				t.Errorf("got\n%s\nwant\n%s", g, tt.want)
			}
		})
	}
}
