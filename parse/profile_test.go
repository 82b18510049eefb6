package parse

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// scanProfiles offers the lines of a text as the stream reader does.
func scanProfiles(text string) []*Incident {
	var out []*Incident
	var s *profileScanner
	end := func() {
		if s != nil {
			if in := s.finish(); in != nil {
				out = append(out, in)
			}
		}
		s = nil
	}
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		b := []byte(l)
		if s != nil {
			if s.line(b, i+1) {
				clear(b) // a line is good only until the next one
				continue
			}
			if !s.done() {
				continue
			}
			end()
		}
		if isProfileHead(b) {
			s = newProfileScanner("x", b, i+1)
		}
		clear(b)
	}
	end()
	return out
}

const sampleProfile = `goroutine profile: total 57
40 @ 0x47a0ce 0x41a5ae 0x41a0d2 0x6aef39 0x491841
# labels: {"path":"/v1/a", "tenant":"x"}
#	0x6aef38	main.worker+0x18	/src/app/main.go:23

12 @ 0x47a0ce 0x41a5ae 0x41a0d2 0x6aef39 0x491841
#	0x6aef38	main.worker+0x18	/src/app/main.go:23

3 @ 0x47a0ce 0x468132 0x48b625 0x495c3d 0x6ace1c 0x6acdea 0x491841
#	0x48b624	internal/sync.runtime_SemacquireMutex+0x24	/go/src/runtime/sema.go:95
#	0x495c3c	internal/sync.(*Mutex).lockSlow+0x15c		/go/src/internal/sync/mutex.go:149
#	0x6ace1b	sync.(*Mutex).Lock+0x5b				/go/src/sync/mutex.go:46
#	0x6acde9	example.com/app/store.(*Box[...]).Put+0x29	C:/src/my app/store.go:31

1 @ 0x491841

1 @ 0x47a0ce 0x48e045 0x6aef7a 0x491841
#	0x48e044	time.Sleep+0x164	/go/src/runtime/time.go:363
#	0x6aef79	main.main+0x19		/src/app/main.go:10
`

// describe writes an incident's buckets down: "COUNT@LINE function:line < …".
func describe(in *Incident) []string {
	var out []string
	for _, b := range in.Buckets {
		var fs []string
		for _, f := range b.Frames {
			fs = append(fs, fmt.Sprintf("%s:%d", f.Function, f.Line))
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%d@%d %s", b.Count, b.Line, strings.Join(fs, " < "))))
	}
	return out
}

var sampleBuckets = []string{
	"52@2 main.worker:23",
	"3@9 internal/sync.runtime_SemacquireMutex:95 < internal/sync.(*Mutex).lockSlow:149 < sync.(*Mutex).Lock:46 < example.com/app/store.(*Box[...]).Put:31",
	"1@15",
	"1@17 time.Sleep:363 < main.main:10",
}

func TestProfileText(t *testing.T) {
	in := scanProfiles(sampleProfile)
	if len(in) != 1 {
		t.Fatalf("%d incidents", len(in))
	}
	p := in[0]
	if p.Kind != KindGoroutineProfile || p.Died != No || p.Headline != "goroutine profile: total 57" || p.Goroutines != 57 || p.Truncated != "" {
		t.Errorf("%+v", p)
	}
	if p.Line != 1 || p.EndLine != 19 || p.HeadlineLine != 1 || p.Source != "x" || p.Count != 1 {
		t.Errorf("place: %+v", p)
	}
	if got := describe(p); !slices.Equal(got, sampleBuckets) {
		t.Errorf("got  %q\nwant %q", got, sampleBuckets)
	}
	if b := p.Buckets[0]; b.State != "" || b.Leaked != 0 || !slices.Equal(b.Labels, []string{`{"path":"/v1/a", "tenant":"x"}`}) {
		t.Errorf("%+v", b)
	}
	f := p.Buckets[1].Frames[3]
	if f.File != "C:/src/my app/store.go" || f.SourceLine != 13 || f.Std {
		t.Errorf("%+v", f)
	}
	if !p.Buckets[1].Frames[0].Std {
		t.Error("frames are annotated")
	}
}

func TestProfileTextShapes(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(sampleProfile) }
	cutAt := func(mark string) string { return sampleProfile[:strings.Index(sampleProfile, mark)] }
	tests := []struct {
		name      string
		text      string
		buckets   []string
		total     int
		truncated string
	}{
		{"CRLF", replace("\n", "\r\n"), sampleBuckets, 57, ""},
		{"blanks for tabs", replace("\t", "    "), sampleBuckets, 57, ""},
		{"one blank for tabs", replace("\t\t\t\t", " ", "\t\t", " ", "\t", " "), sampleBuckets, 57, ""},
		{"indented", replace("\n", "\n    "), sampleBuckets, 57, ""},
		{"no final newline", strings.TrimSpace(sampleProfile), sampleBuckets, 57, ""},
		{"in a log", "starting\n" + sampleProfile + "\ngoing on\n", []string{
			"52@3 main.worker:23", strings.Replace(sampleBuckets[1], "@9", "@10", 1), "1@16", "1@18 time.Sleep:363 < main.main:10"}, 57, ""},
		{"a leak profile", replace("goroutine profile", "goroutineleak profile"), sampleBuckets, 57, ""},
		{"cut between groups", cutAt("1 @ 0x491841\n"), sampleBuckets[:2], 57, "the profile counts 57 goroutines, 55 of them are here"},
		{"cut in the last stack", cutAt("#\t0x6aef79"), append(slices.Clone(sampleBuckets[:3]), "1@17 time.Sleep:363"), 57, "the last stack is cut off"},
		{"cut in the last addresses", cutAt("0x6aef7a"), []string{sampleBuckets[0], sampleBuckets[1], "2@15"}, 57, "the last stack is cut off"},
		{"cut in the last frame", cutAt("main+0x19"), append(slices.Clone(sampleBuckets[:3]), "1@17 time.Sleep:363 < main.:0"), 57, "the last stack is cut off"},
		{"only the head", cutAt("40 @"), nil, 57, "the profile counts 57 goroutines, 0 of them are here"},
		{"no head", sampleProfile[strings.Index(sampleProfile, "40 @"):], []string{
			"52@1 main.worker:23", strings.Replace(sampleBuckets[1], "@9", "@8", 1), "1@14", "1@16 time.Sleep:363 < main.main:10"}, 57, "the head of the profile is missing"},
		{"broken lines of addresses", replace(" 0x495c3d", "\n0x495c3d"), []string{
			sampleBuckets[0], sampleBuckets[1], "1@16", "1@18 time.Sleep:363 < main.main:10"}, 57, ""},
		{"a group pasted twice", sampleProfile + "\n1 @ 0x491841\n", []string{sampleBuckets[0], sampleBuckets[1], "2@15", sampleBuckets[3]}, 57, "the profile counts 57 goroutines, its groups add up to 58"},
		{"no function known", "goroutine profile: total 1\n1 @ 0x401000 0x491841\n#\t0x400fff\n\n", []string{"1@2 ??:0"}, 1, ""},
		{"nobody", "goroutine profile: total 0\n", nil, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := scanProfiles(tt.text)
			if len(in) != 1 {
				t.Fatalf("%d incidents", len(in))
			}
			if got := describe(in[0]); !slices.Equal(got, tt.buckets) {
				t.Errorf("got  %q\nwant %q", got, tt.buckets)
			}
			if in[0].Goroutines != tt.total || in[0].Truncated != tt.truncated {
				t.Errorf("total %d, truncated %q", in[0].Goroutines, in[0].Truncated)
			}
			leak := strings.HasPrefix(in[0].Headline, "goroutineleak")
			for _, b := range in[0].Buckets {
				if leak != (b.Leaked == b.Count) {
					t.Errorf("leaked %d of %d", b.Leaked, b.Count)
				}
			}
		})
	}
}

// A line of another writer between two groups leaves the rest readable.
func TestProfileTextForeignLines(t *testing.T) {
	text := strings.Replace(sampleProfile, "#\t0x495c3c", "2026-03-01T10:00:00.000Z [INFO]  agent: tick\n#\t0x495c3c", 1)
	in := scanProfiles(text)
	if len(in) != 1 || in[0].Dropped != 1 || in[0].Truncated != "" || in[0].Buckets[1].Count != 3 || len(in[0].Buckets[1].Frames) != 4 {
		t.Errorf("%d incidents, %+v", len(in), in[0])
	}
	// After the last goroutine the next foreign line ends the profile.
	s := newProfileScanner("x", []byte("goroutine profile: total 1"), 1)
	for i, l := range []string{"1 @ 0x491841", "", "a log line"} {
		if got, want := s.line([]byte(l), i+2), i < 2; got != want {
			t.Errorf("line(%q) = %v", l, got)
		}
	}
	if !s.done() {
		t.Error("a whole profile is over with the first line that is not its own")
	}
	// What never comes back is over after a while.
	s = newProfileScanner("x", []byte("goroutine profile: total 9"), 1)
	for i := range 1000 {
		s.line([]byte("a log line"), i+2)
	}
	if !s.done() {
		t.Error("a profile may not wait for ever")
	}
}

func TestOtherProfiles(t *testing.T) {
	tests := []struct{ name, text string }{
		{"threadcreate", "threadcreate profile: total 8\n7 @ 0x0 0x0 0x0\n#\t0x0\n\n1 @ 0x456bc5 0x493201 0x0\n#\t0x456bc4\truntime.allocm+0xc4\truntime/proc.go:2344\n\n"},
		{"threadcreate without its head", "7 @ 0x0 0x0 0x0\n#\t0x0\n\n1 @ 0x456bc5 0x493201 0x0\n#\t0x456bc4\truntime.allocm+0xc4\truntime/proc.go:2344\n\n"},
		{"mutex", "--- mutex:\ncycles/second=2095984513\nsampling period=1\n2968623 1 @ 0x45609f 0x45609e\n#\t0x45609e\truntime.unlock+0xde\truntime/lock_spinbit.go:270\n\n"},
		{"block", "--- contention:\ncycles/second=2095984513\n304284645 6 @ 0x4652f8 0x67a866\n#\t0x4652f7\truntime.selectgo+0x6f7\truntime/select.go:535\n\n"},
		{"heap", "heap profile: 3: 1536 [10: 5120] @ heap/1048576\n1: 512 [2: 1024] @ 0x4652f8 0x67a866\n#\t0x4652f7\tmain.f+0x7\tmain.go:5\n\n# runtime.MemStats\n# Alloc = 1536\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			first, rest, _ := strings.Cut(tt.text, "\n")
			if !isProfileHead([]byte(first)) {
				t.Fatalf("%q is a head", first)
			}
			s := newProfileScanner("x", []byte(first), 1)
			for i, l := range strings.Split(rest, "\n") {
				if !s.line([]byte(l), i+2) {
					t.Errorf("%q belongs to it", l)
				}
			}
			if s.line([]byte("2026/03/01 12:00:00 going on"), 99) || !s.done() {
				t.Error("a log line ends it")
			}
			if in := s.finish(); in != nil {
				t.Errorf("no incident: %+v", in)
			}
		})
	}
}

func TestIsProfileHead(t *testing.T) {
	for _, no := range []string{"", "goroutine 1 [running]:", "goroutine profile: total", "goroutine profile: total many", "goroutine profile: total 5 or so",
		"heap profile: big", "--- mutex: locked", "5 @ home", "12 @", "7 @ 0xzz", "--- FAIL: TestX (0.00s)", "# labels: {}", "400 @ 0x1 and more", "0x48a0ce 0x41a5ae"} {
		if isProfileHead([]byte(no)) {
			t.Errorf("%q is no head", no)
		}
	}
}

// Cutting a profile anywhere says so, and invents nothing.
func TestProfileTextCutAnywhere(t *testing.T) {
	whole := scanProfiles(sampleProfile)[0]
	known := make(map[string]bool)
	for _, b := range whole.Buckets {
		for _, f := range b.Frames {
			known[f.Function] = true
		}
	}
	// The last line cut behind its colon is a whole line with a smaller number.
	quiet := strings.LastIndex(sampleProfile, ":") + 1
	for n := range sampleProfile {
		in := scanProfiles(sampleProfile[:n])
		if len(in) == 0 {
			if n >= len("goroutine profile: total 5") {
				t.Fatalf("cut at %d: nothing", n)
			}
			continue
		}
		p := in[0]
		if len(in) > 1 || p.Truncated == "" && n <= quiet && n > len("goroutine profile: total 5") {
			t.Errorf("cut at %d: %d incidents, truncated %q", n, len(in), p.Truncated)
		}
		sum, torn := 0, 0
		for _, b := range p.Buckets {
			sum += b.Count
			for _, f := range b.Frames {
				if !known[f.Function] {
					torn++
				}
			}
		}
		if sum > whole.Goroutines || torn > 1 {
			t.Errorf("cut at %d: %d goroutines, %d unknown functions", n, sum, torn)
		}
	}
}

func TestProfileTextBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("goroutine profile: total 3000\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "1 @ 0x%x\n#\t0x%x\tmain.f%d+0x1\tmain.go:1\n\n", i+16, i+15, i)
	}
	s := newProfileScanner("x", []byte("goroutine profile: total 3000"), 1)
	s.maxStacks = 100
	for i, l := range strings.Split(b.String(), "\n")[1:] {
		s.line([]byte(l), i+2)
	}
	in := s.finish()
	last := in.Buckets[len(in.Buckets)-1]
	if len(in.Buckets) != 101 || last.Count != 2900 || last.Frames != nil || in.Truncated == "" {
		t.Errorf("%d buckets, the last %+v, truncated %q", len(in.Buckets), last, in.Truncated)
	}
	// One group with no end.
	s = newProfileScanner("x", []byte("goroutine profile: total 1"), 1)
	s.line([]byte("1 @ 0x10"), 2)
	for i := range 100_000 {
		s.line([]byte("#\t0x10\tmain.f+0x1\tmain.go:1"), i+3)
	}
	if in := s.finish(); len(in.Buckets[0].Frames) != maxProfileFrames {
		t.Errorf("%d frames", len(in.Buckets[0].Frames))
	}
}

func FuzzProfileText(f *testing.F) {
	f.Add(sampleProfile)
	f.Add("goroutineleak profile: total 1\n1 @ 0x1 0x2\n#\t0x1\n#\t0x1\tf+0x2\n# labels: {\"a\":\"b\"}\n")
	f.Add("12 @ 0x1\n0x2 0x3\n# 0x2 main.f+0x1 /a b/c.go:3\n\nnoise\n13 @ 0x9\n")
	f.Add("--- mutex:\ncycles/second=1\n1 2 @ 0x3\n#\t0x3\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, in := range scanProfiles(text) {
			if in.Line < 1 || in.EndLine < in.Line || in.EndLine > lines {
				t.Errorf("lines %d to %d of %d", in.Line, in.EndLine, lines)
			}
			sum := 0
			for _, b := range in.Buckets {
				sum += b.Count
				for _, f := range b.Frames {
					if f.SourceLine < in.Line || f.SourceLine > in.EndLine {
						t.Errorf("frame on line %d", f.SourceLine)
					}
				}
			}
			if in.Truncated == "" && sum != in.Goroutines {
				t.Errorf("%d goroutines in buckets, %d in all", sum, in.Goroutines)
			}
			// Read again from its first line it is the same.
			from := strings.Join(strings.Split(text, "\n")[in.Line-1:in.EndLine], "\n")
			again := scanProfiles(from)
			if len(again) == 0 || again[0].Goroutines != in.Goroutines || !slices.EqualFunc(again[0].Buckets, in.Buckets, func(a, b *Bucket) bool { return a.ID == b.ID && a.Count == b.Count }) {
				t.Errorf("read again: %+v", again)
			}
		}
		for l := range bytes.SplitSeq([]byte(text), []byte("\n")) {
			isProfileHead(l)
		}
	})
}
