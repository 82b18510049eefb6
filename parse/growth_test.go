package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func scanGrowth(text string) ([]Growth, []Series) {
	s := newGrowthScanner("in")
	for i, line := range strings.Split(text, "\n") {
		s.line([]byte(line), i+1)
	}
	s.finish()
	return s.results()
}

func TestGrowth(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"a total and two stacks", "total: 410 -> 523  (+113)\n\n  +98  (201 -> 299)\n      pkg/a.(*T).wait+0x185\n      pkg/a.Run.func1+0x24\n\n  -3  (9 -> 6)\n      main.main+0x10\nprose", []string{
			"1 410->523", "3 201->299 pkg/a.(*T).wait pkg/a.Run.func1", "7 9->6 main.main"}},
		{"counts first, thousands, another arrow", "201 → 1,299 (+1,098)\n  pkg/a.F", []string{"1 201->1299 pkg/a.F"}},
		{"a difference that doesn't fit is something else", "+5 (1 -> 2)\n  pkg/a.F", nil},
		{"no difference", "(1 -> 2)\nterm 3 -> 4\nversion 1.2 -> 1.3", nil},
		{"goroutines", "goroutines: 7 -> 90", []string{"1 7->90"}},
		{"quoted", "> total: 7 -> 90", []string{"1 7->90"}},
		{"a diff of two profiles", "-201 @ 0x43e5ce 0x44f4a5\n+299 @ 0x43e5ce 0x44f4a5\n #\t0x43e5cd\tpkg/a.(*T).wait+0x18d\t/src/a/a.go:12\n #\t0x44f4a4\tmain.main+0x10\t/src/main.go:9\n+4 @ 0x1\n #\t0x1\tpkg/b.G+0x1\t/src/b.go:1", []string{
			"2 201->299 pkg/a.(*T).wait main.main", "5 0->4 pkg/b.G"}},
		{"a bullet list is no diff", "+ 5 things\n- 3 things", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			growth, _ := scanGrowth(tt.in)
			var got []string
			for _, g := range growth {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%d %d->%d %s", g.Line, g.Before, g.After, strings.Join(g.Functions, " "))))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("growth (-want +got):\n%s", d)
			}
		})
	}
}

func TestSeries(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"clock, value, difference, a gap", "app.runtime.num_goroutines sampled, flat, then a step per\nwindow:\n\n14:44:53  1449   -3\n14:45:24  1564  +115\n   ... flat ...\n14:50:24  1694  +118\n", []string{"4 app.runtime.num_goroutines [1449 1564 1694]"}},
		{"dates, no name", "2026-02-03T04:05:06Z 10\n2026-02-03T04:06:06Z 20.5\n2026-02-03T04:07:06Z 1,030", []string{"1  [10 20.5 1030]"}},
		{"two are none", "14:44:53 1\n14:45:53 2\n\nprose", nil},
		{"log lines are none", "14:44:53 started 3\n14:44:54 GET / 200\n2026-02-03 04:05:06 INFO x\n2026-02-03 04:05:07 [INFO] x\n2026-02-03 04:05:08 7 8 9", nil},
		{"a wide gap ends it", "14:44:53 1\n14:44:54 2\n14:44:55 3\na\nb\nc\nd\n14:44:56 4", []string{"1  [1 2 3]"}},
		{"a metrics dump", "[2026-02-03 04:05:06 +0000 UTC][G] 'consul.h.runtime.num_goroutines': 1449.000\n[2026-02-03 04:05:06 +0000 UTC][G] 'consul.h.raft.peers': 3.000\n[2026-02-03 04:05:16 +0000 UTC][G] 'consul.h.runtime.num_goroutines': 1564.000", []string{"1 consul.h.runtime.num_goroutines [1449 1564]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, series := scanGrowth(tt.in)
			var got []string
			for _, s := range series {
				got = append(got, fmt.Sprintf("%d %s %v", s.Line, s.Name, s.Values))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("series (-want +got):\n%s", d)
			}
		})
	}
}
