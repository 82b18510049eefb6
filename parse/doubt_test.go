package parse

import (
	"strings"
	"testing"
)

// A headline without a stack is a crash only where a dying process may have printed it.
func TestQuotedHeadlines(t *testing.T) {
	tests := []struct {
		name, in string
		want     string // the incidents' headlines
	}{
		{"runtime's own words", "panic: assignment to entry in nil map\n", "panic: assignment to entry in nil map"},
		{"a program's own", "panic: listen tcp :80: address already in use\n", "panic: listen tcp :80: address already in use"},
		{"fatal", "fatal error: concurrent map writes\n", "fatal error: concurrent map writes"},
		{"cut by a terminal", "fatal error: concurr\n", "fatal error: concurr"},
		{"behind a container's prefix", "2026-11-03T04:10:12.123456789Z stderr F panic: no config\n", "panic: no config"},
		{"set in, the runtime's", "    fatal error: concurrent map writes\n", "fatal error: concurrent map writes"},
		{"the last line of a log", "2026-11-03T04:10:12.000Z [ERROR] agent: rpc error: panic: peer said so\n", ""},
		{"compiler", "fatal error: 'till.h' file not found\n1 error generated.\n", ""},
		{"changelog", "## 1.2\n\n* fix: panic: assignment to entry in nil map in the loader (#12)\n* fix: fatal error: concurrent map writes when reloading (#13)\n", ""},
		{"commit message", "commit 0a1b2c3\n\n    store: fix panic\n\n    panic: assignment to entry in nil map when Put comes first.\n", ""},
		{"a linter's JSON", `{"message":"panic: this call may panic","rule":"P1"}` + "\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := readString(t, tt.in)
			var got []string
			for _, inc := range c.Incidents {
				got = append(got, inc.Headline)
			}
			if g := strings.Join(got, "\n"); g != tt.want {
				t.Errorf("got %q, want %q", g, tt.want)
			}
		})
	}
}
