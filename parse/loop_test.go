package parse

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A crash loop says when it was seen first and last, where its lines or their wrapper tell a whole date.
func TestCrashLoopTimes(t *testing.T) {
	const crash = "panic: no such cart\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/till/main.go:12 +0xb4\n"
	const served = "http: panic serving 127.0.0.1:46158: no such cart\ngoroutine 7 [running]:\nnet/http.(*conn).serve.func1()\n\t/usr/local/go/src/net/http/server.go:1897 +0xbd\n" +
		"panic({0x6f8d60?, 0x9ff300?})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\nmain.put()\n\t/src/till/main.go:23 +0x4d\n"
	each := func(text, format string, minute int) string {
		var b strings.Builder
		for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			fmt.Fprintf(&b, format+"\n", minute, l)
		}
		return b.String()
	}
	first, last := time.Date(2026, 11, 3, 4, 10, 12, 0, time.UTC), time.Date(2026, 11, 3, 4, 12, 12, 0, time.UTC)
	tests := []struct {
		name        string
		print       func(minute int) string
		first, last time.Time
	}{
		{"CRI", func(m int) string { return each(crash, "2026-11-03T04:%02d:12.000000000Z stderr F %s", m) }, first, last},
		{"kubectl --timestamps", func(m int) string { return each(crash, "2026-11-03T04:%02d:12.000000000Z %s", m) }, first, last},
		{"a handler's own time", func(m int) string { return fmt.Sprintf("2026/11/03 04:%02d:12 %s", m, served) }, first, last},
		{"syslog has no year", func(m int) string { return each(crash, "Nov 03 04:%02d:12 host7 till[4211]: %s", m) }, time.Time{}, time.Time{}},
		{"no time at all", func(int) string { return crash }, time.Time{}, time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inc := one(t, readString(t, tt.print(10)+tt.print(11)+tt.print(12)))
			if inc.Count != 3 || !inc.FirstTime.Equal(tt.first) || !inc.LastTime.Equal(tt.last) {
				t.Errorf("%d times, %v to %v", inc.Count, inc.FirstTime, inc.LastTime)
			}
		})
	}
}
