package parse

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// sampleProto is sampleProfile as protobuf, as the runtime writes it: with the
// leading runtime functions and all type arguments.
func sampleProto(edit func(*profile.Profile)) []byte {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "goroutine", Unit: "count"}},
		PeriodType: &profile.ValueType{Type: "goroutine", Unit: "count"},
		Period:     1,
		TimeNanos:  time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixNano(),
	}
	locs := make(map[string]*profile.Location)
	loc := func(key string, lines ...profile.Line) *profile.Location {
		l := locs[key]
		if l == nil {
			l = &profile.Location{ID: uint64(len(locs) + 1), Line: lines}
			locs[key] = l
			p.Location = append(p.Location, l)
		}
		return l
	}
	line := func(name, file string, n int64) profile.Line {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, SystemName: name, Filename: file}
		p.Function = append(p.Function, f)
		return profile.Line{Function: f, Line: n}
	}
	park := loc("park", line("runtime.gopark", "/go/src/runtime/proc.go", 474))
	recv := loc("recv", line("runtime.chanrecv", "/go/src/runtime/chan.go", 667))
	worker := loc("worker", line("main.worker", "/src/app/main.go", 23))
	goexit := loc("goexit", line("runtime.goexit", "/go/src/runtime/asm_amd64.s", 1700))
	sema := loc("sema", line("runtime.semacquire1", "/go/src/runtime/sema.go", 192))
	lock := loc("lock", line("internal/sync.runtime_SemacquireMutex", "/go/src/runtime/sema.go", 95))
	slow := loc("slow", line("internal/sync.(*Mutex).lockSlow", "/go/src/internal/sync/mutex.go", 149))
	put := loc("put", line("sync.(*Mutex).Lock", "/go/src/sync/mutex.go", 46),
		line("example.com/app/store.(*Box[go.shape.struct { A []uint8; B map[string]int }]).Put", "C:/src/my app/store.go", 31))
	sleep := loc("sleep", line("time.Sleep", "/go/src/runtime/time.go", 363))
	main := loc("main", line("main.main", "/src/app/main.go", 10))
	p.Sample = []*profile.Sample{
		{Value: []int64{40}, Location: []*profile.Location{park, recv, worker}, Label: map[string][]string{"tenant": {"x"}, "path": {"/v1/a"}}},
		{Value: []int64{12}, Location: []*profile.Location{park, recv, worker}},
		{Value: []int64{3}, Location: []*profile.Location{park, sema, lock, slow, put, goexit}},
		{Value: []int64{1}},
		{Value: []int64{1}, Location: []*profile.Location{park, sleep, main}},
	}
	if edit != nil {
		edit(p)
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestProfileProto(t *testing.T) {
	data := sampleProto(nil)
	if !looksLikeProfile(data) || !looksLikeProfile(data[:sniffLeast]) {
		t.Fatal("not recognised")
	}
	in, err := parseProto("goroutine.pb", data)
	if err != nil {
		t.Fatal(err)
	}
	if in.Kind != KindGoroutineProfile || in.Died != No || in.Goroutines != 57 || in.Headline != "" || in.Line != 0 || in.Truncated != "" {
		t.Errorf("%+v", in)
	}
	if !in.FirstTime.Equal(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)) || !in.LastTime.Equal(in.FirstTime) {
		t.Errorf("time %v", in.FirstTime)
	}
	// Both forms of one profile give the same buckets.
	text := scanProfiles(sampleProfile)[0]
	if got, want := bucketKeys(in), bucketKeys(text); !slices.Equal(got, want) {
		t.Errorf("protobuf %q\ntext     %q", got, want)
	}
}

const sniffLeast = 64 // the shortest head that must do

func bucketKeys(in *Incident) []string {
	var keys []string
	for _, b := range in.Buckets {
		var k strings.Builder
		k.WriteString(b.ID)
		for _, f := range b.Frames {
			k.WriteString(" " + f.Function + " " + f.File)
		}
		k.WriteString(strings.Join(b.Labels, " "))
		keys = append(keys, k.String())
	}
	slices.Sort(keys)
	return keys
}

// What the Go at hand writes: the text and the protobuf of the same goroutines.
func TestProfileOfThisProcess(t *testing.T) {
	stop := make(chan struct{})
	var started, ended sync.WaitGroup
	park := func() {
		started.Done()
		<-stop
		ended.Done()
	}
	var mu sync.Mutex
	mu.Lock()
	for i := range 30 {
		started.Add(1)
		ended.Add(1)
		switch {
		case i < 20:
			go park()
		case i < 25:
			go pprof.Do(context.Background(), pprof.Labels("kind", "a \"b\""), func(context.Context) { park() })
		default:
			go func() {
				started.Done()
				mu.Lock()
				ended.Done()
				mu.Unlock()
			}()
		}
	}
	started.Wait()
	defer ended.Wait()
	defer mu.Unlock()
	defer close(stop)
	// The goroutine that writes the profile is at another place in each form.
	own := func(in *Incident) []string {
		return slices.DeleteFunc(bucketKeys(in), func(k string) bool { return strings.Contains(k, "runtime/pprof.") })
	}
	var text, proto bytes.Buffer
	var a []*Incident
	var b *Incident
	for range 200 { // until nobody is on the way to where it waits
		text.Reset()
		proto.Reset()
		pprof.Lookup("goroutine").WriteTo(&text, 1)
		pprof.Lookup("goroutine").WriteTo(&proto, 0)
		a = scanProfiles(text.String())
		if len(a) != 1 || a[0].Truncated != "" || a[0].Goroutines < 31 {
			t.Fatalf("%d profiles, %+v\n%s", len(a), a, text.String())
		}
		_, err := expand(streamInput("goroutine.pb.gz", proto.String()), Limits{}, func(name string, r io.Reader) error {
			text, _, in, problems := readContent(name, r)
			if text != nil || len(problems) > 0 {
				t.Errorf("not read as a profile: %v", problems)
			}
			b = in
			return nil
		})
		if err != nil || b == nil {
			t.Fatal(err, b)
		}
		if slices.Equal(own(a[0]), own(b)) && a[0].Goroutines == b.Goroutines {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("text %d goroutines\n%s\nprotobuf %d\n%s", a[0].Goroutines, strings.Join(own(a[0]), "\n"), b.Goroutines, strings.Join(own(b), "\n"))
}

func TestProfileProtoOther(t *testing.T) {
	var heap bytes.Buffer
	pprof.Lookup("heap").WriteTo(&heap, 0)
	z, _ := gzip.NewReader(&heap)
	heapData, _ := io.ReadAll(z)
	many := bytes.Repeat([]byte{0x12, 0x00}, 2<<20) // empty samples: two bytes each, a hundred times that decoded
	tests := []struct {
		name  string
		data  []byte
		other bool
		says  string
	}{
		{"heap", heapData, true, "alloc_objects, alloc_space"},
		{"a difference of two", sampleProto(func(p *profile.Profile) { p.Sample[1].Value[0] = -4 }), true, "difference"},
		{"an absurd count", sampleProto(func(p *profile.Profile) { p.Sample[1].Value[0] = 1 << 60 }), false, "counts"},
		{"cut", sampleProto(nil)[:300], false, "cut off"},
		{"nothing", nil, false, "empty"},
		{"dear to decode", append(sampleProto(nil), many...), false, "too large"},
		{"a location that is not there", append(sampleProto(nil), 0x12, 4, 0x08, 99, 0x10, 1), false, "decoding"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, err := parseProto("x", tt.data)
			if in != nil || err == nil {
				t.Fatalf("%+v, %v", in, err)
			}
			var other errOtherProfile
			if errors.As(err, &other) != tt.other || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v", err)
			}
		})
	}
	if !looksLikeProfile(heapData) {
		t.Error("a heap profile is a profile")
	}
}

func TestProfileProtoLeak(t *testing.T) {
	in, err := parseProto("x", sampleProto(func(p *profile.Profile) { p.SampleType[0].Type = "goroutineleak" }))
	if err != nil || in.Goroutines != 57 || in.Buckets[0].Leaked != 52 {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestLooksLikeProfile(t *testing.T) {
	for _, no := range []string{"", "\n", "\n\n\n\n\n\n", "Z\x04text here", "\n2026-03-01 12:00:00 log", "ZZZZ", "\n\x04abcdefg", "goroutine 1 [running]:\n", "\x1f\x8b\x08", "\n\x04\x08\x01\x10\x02\xff"} {
		if looksLikeProfile([]byte(no)) {
			t.Errorf("%q is no profile", no)
		}
	}
}

func TestReadContent(t *testing.T) {
	proto := string(sampleProto(nil))
	tests := []struct {
		name string
		data string
		text string
		enc  encoding
		in   bool
		code string
	}{
		{"text", "panic: x\n", "panic: x\n", encodingUTF8, false, ""},
		{"nothing", "", "", encodingUTF8, false, ""},
		{"PowerShell's text", "\xff\xfep\x00a\x00", "pa", encodingUTF16LE, false, ""},
		{"a profile", proto, "", encodingUTF8, true, ""},
		{"a cut profile", proto[:len(proto)/2], "", encodingUTF8, false, "profile-damaged"},
		{"another profile", string(sampleProto(func(p *profile.Profile) { p.SampleType[0].Type = "cpu" })), "", encodingUTF8, false, "profile-of-something-else"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, data := range []string{tt.data, gz(tt.data)} {
				_, err := expand(streamInput("x", data), Limits{}, func(name string, r io.Reader) error {
					text, enc, in, problems := readContent(name, r)
					if text != nil {
						b, _ := io.ReadAll(text)
						if string(b) != tt.text || enc != tt.enc {
							t.Errorf("text %q, encoding %d", b, enc)
						}
					}
					if (in != nil) != tt.in || (text == nil) != (tt.in || tt.code != "") {
						t.Errorf("incident %v, text %v", in, text)
					}
					if tt.code == "" && len(problems) > 0 || tt.code != "" && (len(problems) != 1 || problems[0].Code != tt.code) {
						t.Errorf("problems %v", problems)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func FuzzProfileProto(f *testing.F) {
	f.Add(sampleProto(nil))
	f.Add(sampleProto(func(p *profile.Profile) { p.Sample = p.Sample[:1] }))
	f.Add([]byte("\x5a\x04\x08\x01\x10\x02\x60\x01\x0a\x04\x08\x01\x10\x02\x12\x02\x10\x05\x32\x00\x32\x09goroutine\x32\x05count"))
	f.Fuzz(func(t *testing.T, data []byte) {
		looksLikeProfile(data)
		in, err := parseProto("x", data)
		if (in == nil) == (err == nil) {
			t.Fatalf("%v, %v", in, err)
		}
		if in == nil {
			return
		}
		sum := 0
		for _, b := range in.Buckets {
			sum += b.Count
		}
		if sum != in.Goroutines {
			t.Errorf("%d in buckets, %d in all", sum, in.Goroutines)
		}
	})
}
