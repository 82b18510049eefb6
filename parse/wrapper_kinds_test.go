package parse

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Wrappers that change from line to line, or that hold more than one line, give the same incident as the plain text.
func TestWrappedKinds(t *testing.T) {
	const plain = `panic: no such cart

goroutine 7 [running]:
example.com/till/cart.(*Cart).Total(0x1c8?, {0x7574f0?, 0x2d22?})
	/src/till/cart/cart.go:20 +0x2f
main.main()
	/src/till/main.go:23 +0x168
`
	// Since Go 1.23 a tab stands behind each newline of a value, so a header in it is none.
	const value = `panic: first line
	goroutine 99 [running]:
	evil.Frame(0x1)
		/evil/x.go:12 +0x1
	last

` + "goroutine 7 [running]:\nexample.com/till/cart.Raise({0x9a2ff8?, 0xa4fb60?})\n\t/src/till/cart/cart.go:35 +0x1d\nmain.main()\n\t/src/till/main.go:30 +0x3c5\n"
	const served = `2026/11/03 04:10:12 http: panic serving 127.0.0.1:46158: no such cart
goroutine 7 [running]:
net/http.(*conn).serve.func1()
	/usr/local/go/src/net/http/server.go:1897 +0xbd
panic({0x6f8d60?, 0x9ff300?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
example.com/till/cart.Put(0x11fe4a420170)
	/src/till/cart/cart.go:23 +0x4d
`
	const deep = "runtime: goroutine stack exceeds 1048576-byte limit\nruntime: sp=0x310 stack=[0x310, 0x320]\nfatal error: stack overflow\n\nruntime stack:\nruntime.throw({0x75a484?, 0x8?})\n\t/usr/local/go/src/runtime/panic.go:1101 +0x48\n\ngoroutine 7 [running]:\nexample.com/till/cart.Deep(0x1)\n\t/src/till/cart/cart.go:41 +0x3c\n"
	const chain = "panic: first\n\tpanic: second\n\n" + "goroutine 7 [running]:\nmain.main()\n\t/src/till/main.go:23 +0x168\n"

	const quit = "SIGQUIT: quit\nPC=0x4096ae m=0 sigcode=0\n\n" + "goroutine 7 [sleep]:\nmain.main()\n\t/src/till/main.go:23 +0x168\n\nrax    0x17\n"

	lines := func(f func(i int, l string) string) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for i, l := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
				b.WriteString(f(i, l) + "\n")
			}
			return b.String()
		}
	}
	quote := func(s string) string { q, _ := json.Marshal(s); return string(q) }
	journal := lines(func(i int, l string) string { return "Nov 03 04:10:12 host7 till[4211]: " + l })
	klog := func(s string) string {
		return "E1103 04:10:12.000001    4211 relay.go:12] \"child died\" output=<\n\t" + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n\t") + "\n >\n"
	}
	tlog := func(s string) string {
		return "--- FAIL: TestX (0.01s)\n    x_test.go:14: " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n        ") + "\nFAIL\n"
	}
	field := func(s string) string {
		return `{"level":"error","ts":1793679012.5,"msg":"child died","output":` + quote(s) + "}\n"
	}
	wraps := []struct {
		name  string
		wrap  func(string) string
		texts []string
	}{
		{"relay's pairs with a time", lines(func(i int, l string) string {
			return fmt.Sprintf("2026-11-03T04:10:12.%03dZ [DEBUG] client.driver_mgr.till: %s: driver=till timestamp=2026-11-03T04:10:12.%06dZ", i, l, 7*i)
		}), []string{plain}},
		{"a box", lines(func(i int, l string) string { return "│ " + l }), []string{plain, quit}},
		{"a builder's name", lines(func(i int, l string) string { return "==> till.example: " + l }), []string{plain, quit}},
		{"breaks at the ends", func(s string) string {
			return "<p>" + strings.ReplaceAll(strings.ReplaceAll(s, "\t", "&nbsp;&nbsp;"), "\n", "<br>\n") + "</p>\n"
		}, []string{plain}},
		{"cat -A", func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, "\t", "^I"), "\n", "$\n")
		}, []string{plain, value, chain}},
		{"spelled-out tabs", func(s string) string { return strings.ReplaceAll(s, "\t", "#011") }, []string{plain, value, chain}},
		{"TeamCity, set in", lines(func(i int, l string) string { return "[04:10:12]W:\t\t " + l }), []string{plain, value, chain}},
		{"what a test logs", tlog, []string{plain, value, chain}},
		{"klog's value", klog, []string{plain, value, chain}},
		{"klog's value behind a prefix", func(s string) string { return journal(klog(s)) }, []string{plain, value, chain}},
		{"a field", field, []string{plain, value, served, deep, chain}},
		{"a Go string", func(s string) string { return quote(s) + "\n" }, []string{plain, value, served, deep, chain}},
		{"newlines spelled out", func(s string) string {
			return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(s) + "\n"
		}, []string{plain, served, deep}},
		{"a progress bar", func(s string) string { return "loading 10%\rloading 100%\r" + s }, []string{plain, value, chain}},
		{"journalctl -o json-pretty", lines(func(i int, l string) string {
			return "{\n\t\"_PID\" : \"4211\",\n\t\"MESSAGE\" : " + quote(l) + ",\n\t\"_HOSTNAME\" : \"host7\"\n}"
		}), []string{plain, chain}},
		{"Cloud Logging, another pod between", lines(func(i int, l string) string {
			entry := func(pod, text string) string {
				return `{"insertId":"1","resource":{"type":"k8s_container","labels":{"pod_name":"` + pod + `"}},"textPayload":` + quote(text) + "}"
			}
			return entry("till-a", l) + "\n" + entry("till-b", "example.com/other.F(0x1)")
		}), []string{plain}},
	}
	brief := func(c *Capture) string {
		var b strings.Builder
		for _, inc := range c.Incidents {
			fmt.Fprintf(&b, "%s %v %q %v %d %d %q", inc.Kind, inc.Died, inc.Headline, inc.Chain, inc.Goroutine, inc.Goroutines, inc.Truncated)
			for _, f := range inc.Stack {
				fmt.Fprintf(&b, " %s %s:%d", f.Function, f.File, f.Line)
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	for _, w := range wraps {
		t.Run(w.name, func(t *testing.T) {
			for _, text := range w.texts {
				want, got := brief(readString(t, text)), brief(readString(t, w.wrap(text)))
				if got != want {
					t.Errorf("got  %swant %s", got, want)
				}
			}
		})
	}
}
