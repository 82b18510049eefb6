package parse

import (
	"strings"
	"testing"
)

func TestGinRecovery(t *testing.T) {
	const in = "[GIN-debug] Listening on :8080\n\n" +
		"2026/11/03 04:10:12 [Recovery] 2026/11/03 - 04:10:12 panic recovered:\nGET /cart HTTP/1.1\r\nHost: shop.example\r\n\r\n\n" +
		"no such cart\n/usr/local/go/src/runtime/panic.go:262 (0x44f1f7)\n\tpanicmem: panic(memoryError)\n" +
		"/src/till/cart/apply.go:88 (0x8b1e0e)\n\t(*Service).Apply: return s.store.Get(id)\n" +
		"/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go:174 (0x8a3a7a)\n\t(*Context).Next: c.handlers[c.index](c)\n\n" +
		"[GIN] 2026/11/03 - 04:10:12 | 500 | 1.2ms | GET /cart\n"
	for _, prefix := range []string{"", "till-1  | ", "2026-11-03T04:10:12.123456789Z stderr F "} {
		text := in
		if prefix != "" {
			text = prefix + strings.ReplaceAll(strings.TrimSuffix(in, "\n"), "\n", "\n"+prefix) + "\n"
		}
		inc := one(t, readString(t, text))
		if inc.Kind != KindRecoveredPanic || inc.Died != No || inc.Headline != "panic recovered: no such cart" || inc.Line != 3 || inc.Truncated != "" {
			t.Errorf("%q: %s, died %v, %q, line %d, %q", prefix, inc.Kind, inc.Died, inc.Headline, inc.Line, inc.Truncated)
		}
		if inc.Blame == nil || inc.Blame.Function != "(*Service).Apply" || inc.Blame.Line != 88 {
			t.Errorf("%q: blame %+v", prefix, inc.Blame)
		}
		if n := len(inc.Stack); n != 3 || inc.Stack[0].Function != "runtime.panicmem" || inc.Stack[2].Function != "github.com/gin-gonic/gin.(*Context).Next" {
			t.Errorf("%q: stack %+v", prefix, inc.Stack)
		}
	}
}
