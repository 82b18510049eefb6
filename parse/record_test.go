package parse

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// scanLog reads a text and returns the records with all their fields.
func scanLog(t testing.TB, text string, opt Options) ([]*Record, Logs) {
	t.Helper()
	opt.KeepRecord = func(*Record) bool { return true }
	s := newLogScanner("log", opt)
	for i, line := range strings.Split(text, "\n") {
		s.line([]byte(line), i+1)
	}
	s.finish()
	l := s.logs()
	return l.Kept, l
}

func TestRecord(t *testing.T) {
	at := func(s string) time.Time {
		x, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	type fields = map[string]string
	tests := []struct {
		name, in string
		want     Record
	}{
		{"hclog JSON", `{"@level":"error","@message":"poll failed","@module":"agent.poller","@timestamp":"2026-02-03T04:05:06.070809Z","attempt":3,"error":"dial tcp: refused","peer":"n-1"}`,
			Record{Format: "hclog-json", Level: "error", Module: "agent.poller", Message: "poll failed", Error: "dial tcp: refused",
				Time: at("2026-02-03T04:05:06.070809Z"), Clock: "2026-02-03T04:05:06.070809Z", Fields: fields{"attempt": "3", "peer": "n-1"}}},
		{"hclog JSON with caller, offset and escapes", `{"@caller":"a/b.go:12","@level":"warn","@message":"a \u003c b \"c\"","@timestamp":"2026-02-03T04:05:06.070809+05:30","time":7}`,
			Record{Format: "hclog-json", Level: "warn", Message: `a < b "c"`, Time: at("2026-02-03T04:05:06.070809+05:30"), Clock: "2026-02-03T04:05:06.070809+05:30",
				Fields: fields{"@caller": "a/b.go:12", "time": "7"}}},
		{"hclog JSON, time cut by hand, rest left out", `{"@level":"error","@message":"m","@module":"x","@timestamp":"...342943Z","error":"...","id":"up:<svc>", ...}`,
			Record{Format: "hclog-json", Level: "error", Module: "x", Message: "m", Error: "...", Clock: "...342943Z", Fields: fields{"id": "up:<svc>"}}},
		{"hclog text", `2026-02-03T04:05:06.070Z [ERROR] agent.server: poll failed: peer=n-1 error="dial tcp: refused" backoff time=10ms`,
			Record{Format: "hclog", Level: "error", Module: "agent.server", Message: "poll failed", Error: "dial tcp: refused",
				Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z", Fields: fields{"peer": "n-1", "backoff time": "10ms"}}},
		{"hclog text, indented, padded level, zone without colon", `    2026-02-03T04:05:06.070+0530 [INFO]  agent: (LAN) joining: lan_addresses=["192.0.2.7", "192.0.2.8"]`,
			Record{Format: "hclog", Level: "info", Module: "agent", Message: "(LAN) joining", Time: at("2026-02-03T04:05:06.070+05:30"), Clock: "2026-02-03T04:05:06.070+0530",
				Fields: fields{"lan_addresses": `["192.0.2.7", "192.0.2.8"]`}}},
		{"hclog text: no pairs at the end", `2026-02-03T04:05:06.070Z [WARN]  agent: bad config: x=1 was ignored`,
			Record{Format: "hclog", Level: "warn", Module: "agent", Message: "bad config: x=1 was ignored", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z"}},
		{"hclog text: an IPv6 value", `2026-02-03T04:05:06.070Z [INFO]  agent: listening: addr=[::1]:8300 n=2`,
			Record{Format: "hclog", Level: "info", Module: "agent", Message: "listening", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z",
				Fields: fields{"addr": "[::1]:8300", "n": "2"}}},
		{"hclog without time", `[ERROR] agent.auto_config: failed: addr=192.0.2.1`,
			Record{Format: "hclog", Level: "error", Module: "agent.auto_config", Message: "failed", Fields: fields{"addr": "192.0.2.1"}}},
		{"logutils", `    2017/03/10 00:13:34 [ERR] consul.rpc: accept: too many open files`,
			Record{Format: "logutils", Level: "error", Module: "consul.rpc", Message: "accept: too many open files", Time: at("2017-03-10T00:13:34Z"), Clock: "2017/03/10 00:13:34"}},
		{"zap JSON", `{"level":"error","ts":1700000000.25,"logger":"raft","caller":"raft/node.go:12","msg":"lost","error":"eof","stacktrace":"a.B\n\ta.go:1"}`,
			Record{Format: "zap", Level: "error", Module: "raft", Message: "lost", Error: "eof", Time: time.Unix(1700000000, 250000000).UTC(), Clock: "1700000000.25",
				Fields: fields{"caller": "raft/node.go:12", "stacktrace": "a.B\n\ta.go:1"}}},
		{"zap console", "2026-02-03T04:05:06.070Z\tERROR\traft\traft/node.go:12\tlost a peer\t{\"peer\": \"n-1\", \"error\": \"eof\"}",
			Record{Format: "zap", Level: "error", Module: "raft", Message: "lost a peer", Error: "eof", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z",
				Fields: fields{"caller": "raft/node.go:12", "peer": "n-1"}}},
		{"zap console, tabs lost", `2026-02-03T04:05:06.070Z        INFO    handler.connect received pod    {"name": "", "ns": "default"}`,
			Record{Format: "zap", Level: "info", Module: "handler.connect", Message: "received pod", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z",
				Fields: fields{"name": "", "ns": "default"}}},
		{"logrus text", `time="2026-02-03T04:05:06Z" level=error msg="a \"b\"\n\tc" error=eof k=v`,
			Record{Format: "logrus", Level: "error", Message: "a \"b\"\n\tc", Error: "eof", Time: at("2026-02-03T04:05:06Z"), Clock: "2026-02-03T04:05:06Z", Fields: fields{"k": "v"}}},
		{"logrus JSON", `{"error":"eof","level":"warning","msg":"m","time":"2026-02-03T04:05:06Z"}`,
			Record{Format: "logrus", Level: "warn", Message: "m", Error: "eof", Time: at("2026-02-03T04:05:06Z"), Clock: "2026-02-03T04:05:06Z"}},
		{"logrus on a terminal", `ERRO[0012] could not start  k=v`,
			Record{Format: "logrus", Level: "error", Message: "could not start", Clock: "0012", Fields: fields{"k": "v"}}},
		{"slog text", `time=2026-02-03T04:05:06.070Z level=WARN+1 msg="slow" took=3s`,
			Record{Format: "slog", Level: "warn", Message: "slow", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z", Fields: fields{"took": "3s"}}},
		{"slog JSON", `{"time":"2026-02-03T04:05:06.07Z","level":"INFO","source":"pkg/x.go:7","msg":"ready","version":3}`,
			Record{Format: "slog", Level: "info", Module: "pkg/x.go:7", Message: "ready", Time: at("2026-02-03T04:05:06.07Z"), Clock: "2026-02-03T04:05:06.07Z",
				Fields: fields{"source": "pkg/x.go:7", "version": "3"}}},
		{"slog's default handler", `2026/02/03 04:05:06 INFO ready port=8080`,
			Record{Format: "slog", Level: "info", Message: "ready", Time: at("2026-02-03T04:05:06Z"), Clock: "2026/02/03 04:05:06", Fields: fields{"port": "8080"}}},
		{"zerolog JSON", `{"level":"panic","error":"eof","time":1700000000,"message":"gone"}`,
			Record{Format: "zerolog", Level: "panic", Message: "gone", Error: "eof", Time: time.Unix(1700000000, 0).UTC(), Clock: "1700000000"}},
		{"zerolog on a terminal", `10:21AM ERR gone error="no peer" k=v`,
			Record{Format: "zerolog", Level: "error", Message: "gone", Error: "no peer", Clock: "10:21AM", Fields: fields{"k": "v"}}},
		{"klog", `E0203 04:05:06.070809   12 runtime.go:78] Observed a panic: "x"`,
			Record{Format: "klog", Level: "error", Message: `Observed a panic: "x"`, Clock: "0203 04:05:06.070809", Fields: fields{"caller": "runtime.go:78"}}},
		{"klog structured", `I0203 04:05:06.070809   12 server.go:9] "Kubelet version" kubeletVersion="v1.27.3" err="x y"`,
			Record{Format: "klog", Level: "info", Message: "Kubelet version", Error: "x y", Clock: "0203 04:05:06.070809",
				Fields: fields{"caller": "server.go:9", "kubeletVersion": "v1.27.3", "err": "x y"}}},
		{"klog before its flags", `logging before flag.Parse: W0203 04:05:06.070809   12 x.go:1] late`,
			Record{Format: "klog", Level: "warn", Message: "late", Clock: "0203 04:05:06.070809", Fields: fields{"caller": "x.go:1"}}},
		{"go-kit", `level=info ts=2026-02-03T04:05:06.070Z caller=main.go:1 msg="up" n=1`,
			Record{Format: "logfmt", Level: "info", Message: "up", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z", Fields: fields{"caller": "main.go:1", "n": "1"}}},
		{"package log", `2026/02/03 04:05:06 http: Server closed`,
			Record{Format: "log", Message: "http: Server closed", Time: at("2026-02-03T04:05:06Z"), Clock: "2026/02/03 04:05:06"}},
		{"capnslog", `2026-02-03 04:05:06.070809 W | mvcc: compacted`,
			Record{Format: "capnslog", Level: "warn", Module: "mvcc", Message: "compacted", Time: at("2026-02-03T04:05:06.070809Z"), Clock: "2026-02-03 04:05:06.070809"}},
		{"calico", `2026-02-03 04:05:06.070 [INFO][48] felix/a.go 19: gone node="n-1"`,
			Record{Format: "text", Level: "info", Message: "felix/a.go 19: gone", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03 04:05:06.070", Fields: fields{"node": "n-1"}}},
		{"nats-server", `[1] 2026/02/03 04:05:06.070809 [INF] Server is ready`,
			Record{Format: "logutils", Level: "info", Message: "Server is ready", Time: at("2026-02-03T04:05:06.070809Z"), Clock: "2026/02/03 04:05:06.070809"}},
		{"plain JSON", `{"severity":"ERROR","timestamp":"2026-02-03T04:05:06Z","message":"m","error":{"msg":"e"}}`,
			Record{Format: "json", Level: "error", Message: "m", Error: `{"msg":"e"}`, Time: at("2026-02-03T04:05:06Z"), Clock: "2026-02-03T04:05:06Z"}},
		{"JSON behind an unknown prefix", `2022-04-13_07:10:52.90068 {"@level":"info","@message":"m","@timestamp":"2026-02-03T04:05:06.000000Z"}`,
			Record{Format: "hclog-json", Level: "info", Message: "m", Time: at("2026-02-03T04:05:06Z"), Clock: "2026-02-03T04:05:06.000000Z"}},
		{"colours", "\x1b[36m2026-02-03T04:05:06.070Z\x1b[0m [INFO]  agent: up",
			Record{Format: "hclog", Level: "info", Module: "agent", Message: "up", Time: at("2026-02-03T04:05:06.070Z"), Clock: "2026-02-03T04:05:06.070Z"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := scanLog(t, tt.in, Options{})
			if len(got) != 1 {
				t.Fatalf("%d records, want 1", len(got))
			}
			tt.want.Source, tt.want.Line, tt.want.Raw = "log", 1, got[0].Raw
			if d := cmp.Diff(tt.want, *got[0]); d != "" {
				t.Errorf("record (-want +got):\n%s", d)
			}
			if got[0].Raw == "" {
				t.Error("no raw text")
			}
		})
	}
}

// What only looks like a record is none.
func TestNoRecord(t *testing.T) {
	for _, in := range []string{
		"", "{", "}", "{}", `{"a":1}`, `{"Time":"2026-02-03T04:05:06Z","Action":"run","Package":"p"}`,
		`{"type":"response","auth":{"policies":["root"]}}`, `{Suffrage:Voter ID:x Address:192.0.2.1:8300}`,
		"func main() {", "goroutine 1 [running]:", "main.main()", "\t/src/main.go:12 +0x1b", "panic: x", "FAIL\tpkg\t0.1s",
		"2026-02-03", "12 lines", "total: 2504 -> 2616", "14:44:53  1449   -3", "[signal SIGSEGV: segmentation violation]",
		"Level: error", "msg=hello", "a=b c=d", "2026-13-45T04:05:06Z [INFO] agent: x", "exit status 2", "version = 1.22.6",
	} {
		if got, _ := scanLog(t, in, Options{}); len(got) != 0 {
			t.Errorf("%q is read as a %s record: %+v", in, got[0].Format, got[0])
		}
	}
}

func TestBrokenRecord(t *testing.T) {
	const whole = `{"@level":"error","@message":"update failed","@module":"agent.proxycfg","@timestamp":"2026-02-03T04:05:06.070809Z","error":"stream closed by the server","id":"up:svc"}`
	tests := []struct {
		name  string
		lines []string
		want  []string // line, message, error, id
	}{
		{"between members", []string{`{"@level":"error","@message":"update failed",`, ` "@timestamp":"...70809Z","error":"stream closed",`, ` "id":"up:svc"}`}, []string{"1 update failed|stream closed|up:svc"}},
		{"pretty-printed", []string{`{`, `  "@level": "error",`, `  "@message": "update failed",`, `  "tags": [`, `    {"a": 1}`, `  ],`, `  "id": "up:svc"`, `}`}, []string{"1 update failed||up:svc"}},
		{"inside a string, at a blank", []string{`{"@level":"error","@message":"update`, `failed","id":"up:svc"}`}, []string{"1 update failed||up:svc"}},
		{"inside a string, by a terminal", []string{whole[:80], whole[80:160], whole[160:]}, []string{"1 update failed|stream closed by the server|up:svc"}},
		{"two in a row, second broken too", []string{`{"@level":"error","@message":"one",`, `"id":"1"}`, `{"@level":"error","@message":"two",`, `"id":"2"}`}, []string{"1 one||1", "3 two||2"}},
		{"cut, then a new record", []string{`{"@level":"error","@message":"one","id":"1","x`, whole}, []string{"1 one||1", "2 update failed|stream closed by the server|up:svc"}},
		{"cut, then crash text", []string{`{"@level":"error","@message":"one","id":"1",`, `fatal error: all goroutines are asleep`, whole}, []string{"1 one||1", "3 update failed|stream closed by the server|up:svc"}},
		{"cut, then prose", []string{`{"@level":"error","@message":"one","id":"1",`, `And then it died.`, `}`}, []string{"1 one||1"}},
		{"cut, then the end", []string{`{"@level":"error","@message":"one","id":"1","error":"str`}, []string{"1 one|str|1"}},
		{"cut before its message", []string{`{"@level":"error",`, `And then it died.`}, nil},
		{"several on one line", []string{whole + whole}, []string{"1 update failed|stream closed by the server|up:svc", "1 update failed|stream closed by the server|up:svc"}},
		{"a blank line inside", []string{`{"@level":"error","@message":"one",`, ``, `"id":"1"}`}, []string{"1 one||1"}},
		{"no record at all", []string{`{`, `  "name": "x",`, `  "list": [1, 2]`, `}`, `text`}, nil},
		{"hclog text wrapped by hand", []string{`2026-02-03T04:05:06.070Z [INFO] client.gc:`, `  marking allocation:`, `  id=up:svc`, ``, `  more`}, []string{"1 marking allocation||up:svc"}},
		{"hclog text wrapped, then a record", []string{`2026-02-03T04:05:06.070Z [INFO] client.gc:`, `  marking: id=7`, whole}, []string{"1 marking||7", "3 update failed|stream closed by the server|up:svc"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			records, _ := scanLog(t, strings.Join(tt.lines, "\n"), Options{})
			var got []string
			for _, r := range records {
				got = append(got, fmt.Sprintf("%d %s|%s|%s", r.Line, r.Message, r.Error, r.Fields["id"]))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("records (-want +got):\n%s", d)
			}
		})
	}
}

// A record that is broken at every place where it can be is still found, and
// nothing behind it is lost.
func TestBrokenAnywhere(t *testing.T) {
	const whole = `{"@level":"error","@message":"update failed","@module":"agent.proxycfg","@timestamp":"2026-02-03T04:05:06.070809Z","list":[1,{"a":"b"}],"id":"up:svc"}`
	for i := 1; i < len(whole); i++ {
		got, _ := scanLog(t, whole[:i]+"\n"+whole[i:]+"\n"+`{"@level":"info","@message":"after"}`, Options{})
		if len(got) == 0 || got[len(got)-1].Message != "after" {
			t.Fatalf("broken at %d: the record behind is lost: %+v", i, got)
		}
	}
}

// Bounds hold whatever comes.
func TestJoinBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"@level":"error","@message":"m",` + "\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "\"k%d\":\"%s\",\n", i, strings.Repeat("x", 50))
	}
	s := newLogScanner("log", Options{})
	for i, line := range strings.Split(b.String(), "\n") {
		s.line([]byte(line), i+1)
		if len(s.join.text) > maxJoinBytes+1024 || s.join.lines > maxJoinLines {
			t.Fatalf("line %d: %d lines, %d bytes are held", i, s.join.lines, len(s.join.text))
		}
	}
	s.finish()
	if got := s.logs().Records; got != 1 {
		t.Errorf("%d records, want the first one as far as it goes", got)
	}
}

func TestFull(t *testing.T) {
	s := newLogScanner("log", Options{ContextLines: 4})
	var last []*Record
	for i := range 20 {
		r := s.line(fmt.Appendf(nil, `{"@level":"info","@message":"m","n":%d}`, i), i+1)
		if r.Fields != nil || r.Raw != "" {
			t.Fatalf("record %d is filled before anybody asked", i)
		}
		last = append(last, r)
	}
	for i := 16; i < 20; i++ {
		if r := s.full(last[i]); r.Fields["n"] != fmt.Sprint(i) || r.Raw == "" {
			t.Errorf("record %d: %+v", i, r)
		}
	}
	if r := s.full(last[0]); r.Fields != nil {
		t.Errorf("record 0 has another record's fields: %v", r.Fields)
	}
	if s.full(nil) != nil {
		t.Error("full(nil) is not nil")
	}
}

func TestTimestamp(t *testing.T) {
	tests := []struct {
		in   string
		want string // RFC 3339; "" for none
		n    int
	}{
		{"2026-02-03T04:05:06Z", "2026-02-03T04:05:06Z", 20},
		{"2026-02-03T04:05:06.123456789Z x", "2026-02-03T04:05:06.123456789Z", 30},
		{"2026-02-03T04:05:06+0530", "2026-02-03T04:05:06+05:30", 24},
		{"2026-02-03T04:05:06-05:00", "2026-02-03T04:05:06-05:00", 25},
		{"2026-02-03 04:05:06,070 x", "2026-02-03T04:05:06.07Z", 23},
		{"2026-02-03 04:05:06 +0100 x", "2026-02-03T04:05:06+01:00", 25},
		{"2026-02-03 04:05:06 UTC", "2026-02-03T04:05:06Z", 23},
		{"2026/02/03 04:05:06.5 x", "2026-02-03T04:05:06.5Z", 21},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z", 20},
		{"2026-02-29T00:00:00Z", "", 0},
		{"2026-00-10T00:00:00Z", "", 0},
		{"2026-01-10T24:00:00Z", "", 0},
		{"2026-01-10T00:00", "", 0},
		{"2026-01/10 00:00:00", "", 0},
		{"20260110T000000Z.....", "", 0},
	}
	for _, tt := range tests {
		got, n, ok := timestamp([]byte(tt.in))
		if ok != (tt.want != "") || n != tt.n {
			t.Errorf("timestamp(%q) = %v, %d, %v; want %q, %d", tt.in, got, n, ok, tt.want, tt.n)
			continue
		}
		if ok && got.Format(time.RFC3339Nano) != tt.want {
			t.Errorf("timestamp(%q) = %s; want %s", tt.in, got.Format(time.RFC3339Nano), tt.want)
		}
	}
}

// Whatever encoding/json writes for a record is read back as it was.
func TestRecordRoundTrip(t *testing.T) {
	for _, text := range []string{"plain", `"quoted" \ back`, "line\nline\ttab", "a<b>&c", "é 漢 🚀", "\x00\x1f", "\u2028", strings.Repeat("x", 3000)} {
		b, err := json.Marshal(map[string]any{"@level": "error", "@message": text, "@module": text, "error": text, "k": text, text: 1.5})
		if err != nil {
			t.Fatal(err)
		}
		var p recordParser
		h, ok := p.parse(b)
		if !ok || string(h.message) != text || string(h.module) != text || string(h.err) != text {
			t.Errorf("%q: message %q, module %q, error %q", text, h.message, h.module, h.err)
		}
		f := h.fields()
		if f["k"] != text || f[text] != "1.5" {
			t.Errorf("%q: fields %q", text, f)
		}
	}
}

func FuzzRecord(f *testing.F) {
	for _, s := range []string{
		`{"@level":"error","@message":"m","@module":"a.b","@timestamp":"2026-02-03T04:05:06.070809Z","error":"e","k":{"a":[1,"}"]}}`,
		"{\"@level\":\"error\",\"@message\":\"m\",\n \"@timestamp\":\"...070809Z\", ...}",
		`2026-02-03T04:05:06.070Z [ERROR] agent.server: poll: a=[b c d e="f`, `2026-02-03T04:05:06.070Z [INFO] client.gc:` + "\n  x: y=1",
		`E0203 04:05:06.070809   12 runtime.go:78] "a" k="v"`, `time="2026-02-03T04:05:06Z" level=error msg="a\n" k=v`, `10:21AM ERR x k=v`,
		"2026-02-03T04:05:06.070Z\tERROR\tl\ta/b.go:1\tm\t{\"a\": {\"b\": 1}}", "{\"level\":\"info\",\"ts\":1e309,\"msg\":\"\\ud83d\\u0000\\", "ERRO[0012] x", "{\n\"a\":{\n{\n",
		`[1] 2026/02/03 04:05:06.070809 [INF] x`, "\x1b[31m\x1b[", `{"a":b c d}`, `{"msg":"x","level":"info"}{"msg":"y","level":"info"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		run := func() ([]*Record, Logs) { return scanLog(t, text, Options{}) }
		records, logs := run()
		if logs.Records != len(records) {
			t.Errorf("%d records counted, %d kept", logs.Records, len(records))
		}
		sum := 0
		for _, b := range logs.Buckets {
			sum += b.Count
		}
		if sum != logs.Records {
			t.Errorf("buckets hold %d of %d records", sum, logs.Records)
		}
		for _, r := range records {
			if r.Line < 1 || r.Line > len(lines) || r.Format == "" || len(r.Raw) > maxRaw+8 || len(r.Fields) > maxFields+1 {
				t.Errorf("record out of bounds: %+v", r)
			}
			if r.Level != "" && levelRank(r.Level) == len(levels) {
				t.Errorf("unknown level %q", r.Level)
			}
		}
		again, _ := run()
		if d := cmp.Diff(records, again); d != "" {
			t.Errorf("read twice, differs:\n%s", d)
		}
		fs, gs := newFactScanner("log"), newGrowthScanner("log")
		for i, line := range lines {
			fs.line([]byte(line), i+1)
			gs.line([]byte(line), i+1)
		}
		for _, r := range records {
			fs.record(r)
		}
		fs.finish()
		gs.finish()
		facts := fs.facts()
		if d := cmp.Diff(facts, mergeFacts(facts, facts)); d != "" && len(facts.Goroutines)+len(facts.Exits) == 0 {
			t.Errorf("facts merged with themselves differ:\n%s", d)
		}
		// A bare record is the same with its parser's own reading of it.
		for _, line := range lines {
			var p recordParser
			if h, ok := p.parse([]byte(line)); ok && h.object != nil && json.Valid(h.object) {
				var m map[string]any
				if json.Unmarshal(h.object, &m) == nil {
					if want, is := m["@message"].(string); is && string(h.message) != want && strings.Count(line, `"@message"`) == 1 {
						t.Errorf("message %q, encoding/json reads %q", h.message, want)
					}
				}
			}
		}
	})
}
