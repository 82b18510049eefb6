package parse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMask(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text stays", "plain text stays"},
		{"took 35 ms, 1,204 left", "took <n> ms, <n>,<n> left"},
		{"node-12 and node-7", "node-<n> and node-<n>"},
		{"http2: x509 on dc1 by sha256", "http2: x509 on dc1 by sha256"},
		{"worker17 is up", "worker<n> is up"},
		{"id 5f0c8a3e-1d2b-4c5d-8e9f-001122334455.", "id <uuid>."},
		{"at 0xc000123456", "at <hex>"},
		{"commit deadbeef01 of decade", "commit <hex> of decade"},
		{"accede to defaced facade", "accede to defaced facade"},
		{"from 192.0.2.7:8300 to 192.0.2.8", "from <ip>:<n> to <ip>"},
		{"on [2001:db8::1]:8300", "on [<ip>]:<n>"},
		{"after 1m30.5s or 250µs", "after <dur> or <dur>"},
		{"since 2026-02-03T04:05:06.070Z until now", "since <time> until now"},
		{"since 2026-02-03 04:05:06 until now", "since <time> until now"},
		{`service "web-1" isn't 'ok'`, `service "…" isn't '…'`},
		{"version 1.22.6 beats 1.9", "version <n> beats <n>"},
		{"token a8f5f167f44f4964e6c998dee827110c", "token <hex>"},
		{"token x8K2p9Qz4Lm7Rt5w", "token <id>"},
		{"a\nb\tc", "a b c"},
		{`open "`, `open "`},
		{"50% of 10GB", "<n>% of <n>GB"},
	}
	for _, tt := range tests {
		if got := string(appendMasked(nil, []byte(tt.in))); got != tt.want {
			t.Errorf("mask(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := appendMasked(nil, []byte(strings.Repeat("word ", 10_000))); len(got) > maxMasked+64 {
		t.Errorf("masked text of %d bytes", len(got))
	}
}

func TestLogs(t *testing.T) {
	text := strings.Join([]string{
		`{"@level":"info","@message":"took 3s for node-1","@module":"a","@timestamp":"2026-02-03T04:05:08Z"}`,
		`{"@level":"error","@message":"failed","@module":"a","@timestamp":"2026-02-03T04:05:06Z"}`,
		`no record`,
		`{"@level":"info","@message":"took 5s for node-2","@module":"a","@timestamp":"2026-02-03T04:05:07Z"}`,
		`{"@level":"info","@message":"took 5s for node-2","@module":"b"}`,
		`2026/02/03 04:05:05 without a level`,
	}, "\n")
	_, got := scanLog(t, text, Options{})
	day := func(s int) time.Time { return time.Date(2026, 2, 3, 4, 5, s, 0, time.UTC) }
	line := func(n int) string { return strings.Split(text, "\n")[n-1] }
	want := Logs{
		Records: 5, ByLevel: map[string]int{"info": 3, "error": 1}, First: day(5), Last: day(8),
		Buckets: []LogBucket{
			{Level: "error", Module: "a", Message: "failed", Count: 1, First: day(6), Last: day(6), Source: "log", Line: 2, Example: line(2)},
			{Level: "info", Module: "a", Message: "took <dur> for node-<n>", Count: 2, First: day(7), Last: day(8), Source: "log", Line: 1, Example: line(1)},
			{Level: "info", Module: "b", Message: "took <dur> for node-<n>", Count: 1, Source: "log", Line: 5, Example: line(5)},
			{Message: "without a level", Count: 1, First: day(5), Last: day(5), Source: "log", Line: 6, Example: line(6)},
		},
	}
	got.Kept = nil
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("logs (-want +got):\n%s", d)
	}
}

// Bounded: messages beyond the bound are counted in one bucket a level, kept
// records beyond theirs as a number.
func TestLogsBounds(t *testing.T) {
	word := func(i int) string { // masking takes digits out of a message, so spell them
		return strings.Map(func(r rune) rune { return 'a' + r - '0' }, fmt.Sprint(i))
	}
	s := newLogScanner("log", Options{MaxKept: 10, KeepRecord: func(r *Record) bool { return r.Level == "warn" }})
	const n = maxLogBuckets + 500
	for i := range n {
		s.line(fmt.Appendf(nil, `{"@level":"warn","@message":"say %s"}`, word(i)), i+1)
	}
	l := s.logs()
	if l.Records != n || len(l.Kept) != 10 || l.KeptDropped != n-10 {
		t.Errorf("%d records, %d kept, %d dropped", l.Records, len(l.Kept), l.KeptDropped)
	}
	if len(l.Buckets) != maxLogBuckets+1 || l.Buckets[0].Message != overflowMessage || l.Buckets[0].Count != 500 {
		t.Errorf("%d buckets, first %+v", len(l.Buckets), l.Buckets[0])
	}
	if len(s.messages) > maxMessages {
		t.Errorf("%d messages remembered", len(s.messages))
	}
}

func TestKeepRecordSeesHead(t *testing.T) {
	var seen []string
	s := newLogScanner("log", Options{KeepRecord: func(r *Record) bool {
		seen = append(seen, fmt.Sprint(r.Level, r.Module, r.Message, r.Error, len(r.Fields)))
		return r.Message == "b"
	}})
	s.line([]byte(`{"@level":"info","@message":"a","@module":"m","error":"e","k":"v"}`), 1)
	s.line([]byte(`{"@level":"info","@message":"b","@module":"m","k":"v"}`), 2)
	if d := cmp.Diff([]string{"infomae0", "infomb0"}, seen); d != "" {
		t.Error(d)
	}
	kept := s.logs().Kept
	if len(kept) != 1 || kept[0].Fields["k"] != "v" || kept[0].Raw == "" {
		t.Errorf("kept %+v", kept)
	}
}

func TestRestarts(t *testing.T) {
	const rec = `2026-02-03T04:05:06.070Z [INFO]  agent: up`
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"one start, two banners", []string{"==> Starting Consul agent...", "==> Consul agent running!", rec}, nil},
		{"a start after records", []string{rec, "==> Starting Consul agent...", "==> Consul agent running!", rec}, []string{"2 consul start banner after log records"}},
		{"two starts", []string{"==> Starting Consul agent...", rec, "==> Consul agent running!", rec, "==> Starting Consul agent...", "==> Consul agent running!"}, []string{"5 consul start banner again"}},
		{"old banner only", []string{"==> Consul agent running!", rec, "==> Consul agent running!"}, []string{"3 consul start banner again"}},
		{"systemd and the banner of the same start", []string{rec, "vault.service: Scheduled restart job, restart counter is at 4.", "==> Vault server configuration:", "==> Vault server started! Log data will stream in below:"}, []string{"2 vault systemd restart"}},
		{"start records", []string{
			`level=info ts=2026-02-03T04:05:06.070Z msg="Starting Prometheus Server" version="(version=2.45.0)"`, rec,
			`level=info ts=2026-02-03T04:06:06.070Z msg="Starting Prometheus Server" version="(version=2.45.0)"`}, []string{"3 prometheus start banner again"}},
		{"two programs", []string{"==> Starting Consul agent...", "==> Starting Nomad agent...", "==> Nomad agent started! Log data will stream in below:"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, l := scanLog(t, strings.Join(tt.lines, "\n"), Options{})
			var got []string
			for _, f := range l.Restarts {
				got = append(got, fmt.Sprintf("%d %s %s", f.Line, f.Value, f.How))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("restarts (-want +got):\n%s", d)
			}
		})
	}
}

// Two streams of one source come back in line order; two sources stay in theirs;
// what is merged counts as what is read at once.
func TestMergeLogs(t *testing.T) {
	text := func(msg string, n int) string {
		return fmt.Sprintf(`{"@level":"info","@message":"%s","@timestamp":"2026-02-03T04:05:%02dZ"}`, msg, n)
	}
	scan := func(source string, lines map[int]string) Logs {
		s := newLogScanner(source, Options{KeepRecord: func(*Record) bool { return true }})
		for no := 1; no < 10; no++ {
			if l, ok := lines[no]; ok {
				s.line([]byte(l), no)
			}
		}
		return s.logs()
	}
	a := scan("b.log", map[int]string{1: text("x", 1), 4: text("y", 4)})
	b := scan("b.log", map[int]string{2: text("x", 2), 3: text("z", 3)})
	c := scan("a.log", map[int]string{1: text("x", 9)})
	got := mergeLogs(mergeLogs(Logs{}, mergeLogs(a, b, Options{}), Options{}), c, Options{})
	var kept []string
	for _, r := range got.Kept {
		kept = append(kept, fmt.Sprint(r.Source, r.Line, r.Message))
	}
	if d := cmp.Diff([]string{"b.log1x", "b.log2x", "b.log3z", "b.log4y", "a.log1x"}, kept); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
	if got.Records != 5 || got.ByLevel["info"] != 5 || len(got.Buckets) != 3 || got.Buckets[0].Message != "x" || got.Buckets[0].Count != 3 || got.Buckets[0].Line != 1 {
		t.Errorf("merged: %+v", got)
	}
	if got.First.Second() != 1 || got.Last.Second() != 9 {
		t.Errorf("from %v to %v", got.First, got.Last)
	}
	if got := mergeLogs(a, b, Options{MaxKept: 3}); len(got.Kept) != 3 || got.KeptDropped != 1 {
		t.Errorf("kept %d, dropped %d", len(got.Kept), got.KeptDropped)
	}
}
