package parse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

func readString(t testing.TB, text string) *Capture {
	t.Helper()
	return readBytes([]byte(text), Options{})
}

func readBytes(text []byte, opt Options) *Capture {
	return Read(context.Background(), []Input{{Name: "in", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}}, opt)
}

const crash = `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x4a1c2d]

goroutine 41 [running]:
github.com/acme/orders/store.(*Cache).Get(0x0, {0x4b2f10, 0x5})
	/src/orders/store/cache.go:88 +0x1d
main.handle(0xc000012345)
	/src/orders/main.go:31 +0x5a
created by main.main in goroutine 1
	/src/orders/main.go:19 +0x8c

goroutine 1 [chan receive, 3 minutes]:
main.main()
	/src/orders/main.go:22 +0xb1
exit status 2
`

func one(t testing.TB, c *Capture) *Incident {
	t.Helper()
	if len(c.Incidents) != 1 {
		t.Fatalf("%d incidents, want 1: %+v", len(c.Incidents), c.Incidents)
	}
	return c.Incidents[0]
}

func TestReadCrash(t *testing.T) {
	inc := one(t, readString(t, crash))
	got := fmt.Sprintf("%s %d-%d g%d n%d b%d died%d blame=%s:%d by=%s/%d trunc=%q", inc.Kind, inc.Line, inc.EndLine, inc.Goroutine, inc.Goroutines,
		len(inc.Buckets), inc.Died, inc.Blame.Function, inc.Blame.SourceLine, inc.CreatedBy.Function, inc.CreatedBy.Goroutine, inc.Truncated)
	want := `panic 1-14 g41 n2 b2 died2 blame=github.com/acme/orders/store.(*Cache).Get:5 by=main.main/1 trunc=""`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if a := inc.Stack[0].Args; a != "0x0, {0x4b2f10, 0x5}" {
		t.Errorf("arguments %q", a)
	}
}

// TestDamage: what a paste, a viewer or a second writer does to a dump costs at most the line it hits.
func TestDamage(t *testing.T) {
	for _, tt := range []struct {
		name    string
		text    string
		goro    int64
		n       int
		blame   string
		dropped int
		problem string
		trunc   string
	}{
		{name: "a log line between frame and file", text: strings.Replace(crash, "\t/src/orders/store", "2026/01/02 03:04:05 ready\n\t/src/orders/store", 1), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get", dropped: 1},
		{name: "a log line between frames", text: strings.Replace(crash, "main.handle(", "{\"level\":\"info\"}\nmain.handle(", 1), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get", dropped: 1},
		{name: "no empty lines", text: strings.ReplaceAll(crash, "\n\n", "\n"), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get"},
		{name: "an empty line after every line", text: strings.ReplaceAll(crash, "\n", "\n\n"), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get"},
		{name: "no indentation", text: strings.ReplaceAll(crash, "\t", ""), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get"},
		{name: "a header torn in two", text: strings.Replace(crash, "goroutine 1 [chan", "goroutine 1 SCHED 9ms: gomaxprocs=2\n[chan", 1), goro: 41, n: 1, blame: "github.com/acme/orders/store.(*Cache).Get", problem: "torn-header"},
		{name: "cut inside a frame", text: crash[:strings.Index(crash, "cache.go")], goro: 41, n: 1, blame: "github.com/acme/orders/store.(*Cache).Get", trunc: "inside"},
		{name: "arguments broken to the next line", text: strings.Replace(crash, "(0x0, {", "(0x0,\n{", 1), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get"},
		{name: "a value that holds a header", text: strings.Replace(crash, "dereference\n", "dereference\n\tgoroutine 99 [running]:\n\tmain.fake()\n", 1), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get"},
		{name: "a raw value that holds a header", text: strings.Replace(crash, "dereference\n", "dereference\ngoroutine 99 [running]:\nis what it said\n", 1), goro: 41, n: 2, blame: "github.com/acme/orders/store.(*Cache).Get"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := readString(t, tt.text)
			inc := one(t, c)
			if inc.Goroutine != tt.goro || inc.Goroutines != tt.n || inc.Blame == nil || inc.Blame.Function != tt.blame || inc.Dropped != tt.dropped {
				t.Errorf("goroutine %d of %d, blame %v, dropped %d", inc.Goroutine, inc.Goroutines, inc.Blame, inc.Dropped)
			}
			if tt.problem != "" && (len(c.Sources[0].Problems) == 0 || c.Sources[0].Problems[0].Code != tt.problem) {
				t.Errorf("problems %v", c.Sources[0].Problems)
			}
			if !strings.Contains(inc.Truncated, tt.trunc) {
				t.Errorf("truncated %q", inc.Truncated)
			}
		})
	}
}

func TestLongLine(t *testing.T) {
	text := "before\n" + strings.Repeat("x", 50<<20) + "\n" + crash
	c := readString(t, text)
	inc := one(t, c)
	if inc.Line != 3 || inc.Goroutines != 2 {
		t.Errorf("line %d, %d goroutines", inc.Line, inc.Goroutines)
	}
	if p := c.Sources[0].Problems; len(p) != 1 || p[0].Code != "line-too-long" || p[0].Line != 2 {
		t.Errorf("problems %v", p)
	}
	if c.Sources[0].Bytes != int64(len(text)) {
		t.Errorf("%d bytes, want %d", c.Sources[0].Bytes, len(text))
	}
}

// TestHugeValue: a panic value of megabytes does not hide the goroutine behind it.
func TestHugeValue(t *testing.T) {
	text := "panic: " + strings.Repeat("y", 3<<20) + "\n\n" + crash[strings.Index(crash, "goroutine 41"):]
	inc := one(t, readString(t, text))
	if inc.Goroutine != 41 || len(inc.Headline) > 5000 {
		t.Errorf("goroutine %d, headline of %d bytes", inc.Goroutine, len(inc.Headline))
	}
}

// manyGoroutines writes a dump of n goroutines with the given number of stacks, in the form of SIGQUIT.
func manyGoroutines(n, shapes int) string {
	var b strings.Builder
	b.WriteString("SIGQUIT: quit\nPC=0x47f2c1 m=0 sigcode=0\n\n")
	for i := range n {
		s := i * 7 % shapes
		fmt.Fprintf(&b, "goroutine %d gp=0x%x m=nil [%s, %d minutes]:\n", i+1, 0xc000000000+i*448, []string{"select", "sync.Mutex.Lock", "IO wait"}[s%3], 1+i%90)
		fmt.Fprintf(&b, "sync.runtime_SemacquireMutex(0x%x, 0x1)\n\t/go/src/runtime/sema.go:95 +0x25 fp=0x%x sp=0x1 pc=0x2\n", 0xc000100000+i%11*64, i)
		fmt.Fprintf(&b, "example.com/app.(*T).run%d(0x%x, ...)\n\t/src/app/run.go:%d +0x%x fp=0x%x sp=0x1 pc=0x2\n", s, i, s, s+1, i)
		fmt.Fprintf(&b, "created by example.com/app.start in goroutine %d\n\t/src/app/start.go:9 +0x8c\n\n", 1+i%3)
	}
	b.WriteString("rax    0x0\nrip    0x47f2c1\n")
	return b.String()
}

// TestFold: what is counted does not depend on whether a goroutine was read line by line, recognised
// as known, or counted ahead on another core.
func TestFold(t *testing.T) {
	const n, shapes = 40_000, 90
	text := manyGoroutines(n, shapes)
	for _, tt := range []struct{ name, text string }{
		{"ahead", text},
		{"line by line", strings.ReplaceAll(text, "\n", "\r\n")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := readString(t, tt.text)
			inc := one(t, c)
			if inc.Goroutines != n || len(inc.Buckets) != shapes || inc.Blame != nil || inc.HasGoroutine {
				t.Fatalf("%d goroutines, %d buckets, blame %v", inc.Goroutines, len(inc.Buckets), inc.Blame)
			}
			if want := strings.Count(text, "\n"); c.Sources[0].Lines != want || inc.EndLine != want {
				t.Errorf("%d lines, last %d, want %d", c.Sources[0].Lines, inc.EndLine, want)
			}
			sum := 0
			for _, b := range inc.Buckets {
				sum += b.Count
				first := b.IDs[0]
				for i := 1; i < len(b.IDs); i++ {
					if b.IDs[i] <= b.IDs[i-1] {
						t.Errorf("ids out of order: %v", b.IDs)
					}
				}
				if first > shapes {
					t.Errorf("first id %d", first)
				}
				if len(b.Frames) != 2 || b.CreatedBy == nil || b.CreatedBy.Function != "example.com/app.start" {
					t.Errorf("frames %v, creator %v", b.Frames, b.CreatedBy)
				}
				if b.State == "sync.Mutex.Lock" && len(b.Pointers) != 11 {
					t.Errorf("waits for %v", b.Pointers)
				}
			}
			if sum != n {
				t.Errorf("the buckets hold %d goroutines", sum)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	c := readBytes([]byte(manyGoroutines(500, 90)), Options{MaxShapes: 10})
	inc := one(t, c)
	if inc.Goroutines != 500 || len(inc.Buckets) != 11 {
		t.Errorf("%d goroutines in %d buckets", inc.Goroutines, len(inc.Buckets))
	}
	if p := c.Sources[0].Problems; len(p) != 1 || p[0].Code != "too-many-shapes" {
		t.Errorf("problems %v", p)
	}
}

func TestCrashLoop(t *testing.T) {
	other := strings.ReplaceAll(crash, "Cache).Get", "Cache).Put")
	c := readString(t, crash+"starting orders 1.4\n"+crash+"starting orders 1.4\n"+other+"starting orders 1.4\n"+crash)
	if len(c.Incidents) != 2 || c.Incidents[0].Count != 3 || c.Incidents[1].Count != 1 {
		t.Fatalf("%d incidents: %+v", len(c.Incidents), c.Incidents)
	}
	if n := c.Incidents[0].Goroutines; n != 6 {
		t.Errorf("%d goroutines over all sightings", n)
	}
}

func TestUnreadable(t *testing.T) {
	c := Read(context.Background(), []Input{
		{Name: "gone", Open: func() (io.ReadCloser, error) { return nil, fmt.Errorf("no such file") }},
		{Name: "ok", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(crash)), nil }},
	}, Options{})
	if len(c.Sources) != 2 || c.Sources[0].Err == nil || c.Sources[1].Err != nil || len(c.Incidents) != 1 {
		t.Errorf("sources %+v, %d incidents", c.Sources, len(c.Incidents))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(crash))
	f.Add([]byte(strings.ReplaceAll(crash, "\n", "\r\n")))
	f.Add([]byte(manyGoroutines(30, 4)))
	f.Add([]byte("fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select (no cases)]:\nmain.main()\n\t/a.go:1 +0x1\n"))
	f.Add([]byte("==================\nWARNING: DATA RACE\nWrite at 0x00c000060080 by goroutine 9:\n  main.f()\n      /a.go:1 +0x1\n\n==================\n"))
	f.Add([]byte("2026/01/02 03:04:05 http: panic serving 10.0.0.1:9: boom\ngoroutine 5 [running]:\nnet/http.(*conn).serve.func1()\n\t/s.go:1 +0xbd\npanic({0x1, 0x2})\n\t/p.go:2 +0x1\nmain.h(0x1)\n\t/m.go:3 +0x2\n"))
	f.Add([]byte("runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\nruntime stack:\nruntime.throw({0x1, 0x2})\n\t/p.go:1 +0x1\n\ngoroutine 1 gp=0x1 m=0 mp=0x2 [running]:\nmain.f()\n\t/a.go:1 +0x1\n...37 frames elided...\nmain.main()\n\t/a.go:2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := readBytes(text, Options{MaxLine: 1 << 16})
		lines := bytes.Count(text, []byte{'\n'}) + 1
		for _, inc := range c.Incidents {
			if inc.Line < 1 || inc.EndLine < inc.Line || inc.EndLine > lines {
				t.Errorf("lines %d to %d of %d", inc.Line, inc.EndLine, lines)
			}
			sum := 0
			for _, b := range inc.Buckets {
				sum += b.Count
			}
			if inc.Kind != KindGoroutineProfile && sum != inc.Goroutines {
				t.Errorf("%d goroutines in buckets, %d in all", sum, inc.Goroutines)
			}
			if inc.Fingerprint == "" || inc.Kind == "" || inc.Count < 1 {
				t.Errorf("incomplete: %+v", inc)
			}
		}
	})
}
