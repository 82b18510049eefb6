package parse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the quick reader takes, the thorough one reads alike.
func TestQuickHeader(t *testing.T) {
	for _, tc := range []struct {
		line  string
		quick bool
	}{
		{"goroutine 1 [running]:                  ", true},
		{"goroutine 1009884 [chan receive, 12 minutes]:", true},
		{"goroutine 7 gp=0xc000006380 m=nil [IO wait, 3 minutes]:", true},
		{"goroutine 7 gp=0xc000006380 m=5 mp=0xc000100008 [sync.Mutex.Lock]:", true},
		{"goroutine 7 [select (no cases), 3 minutes]:", false},
		{"goroutine 7 [select, 3 minutes, locked to thread]:", false},
		{"goroutine 7 [chan receive (durable), synctest bubble 3]:", false},
		{"goroutine 7 [select labels:{\"a\": \"b\"}]:       ", false},
		{"goroutine 7 [running]{\"a\": \"b\"}:              ", false},
		{"goroutine 99999999999999999999999 [running]:", false},
		{"goroutine  [running]:                      ", false},
		{"goroutine 1 [running", false},
		{"goroutine 1 gp=0x1", false},
	} {
		got, end, ok := quickHeader([]byte(tc.line))
		if ok != tc.quick {
			t.Errorf("%q: read quickly %v, want %v", tc.line, ok, tc.quick)
		}
		if !ok {
			continue
		}
		want, ok := parseHeader([]byte(tc.line[:end]))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(header{}), cmp.Transformer("text", func(b []byte) string { return string(b) })); diff != "" || !ok {
			t.Errorf("%q (-thorough %v +quick):\n%s", tc.line, ok, diff)
		}
	}
}

// A print takes what differs from it in what the mask leaves out, and says which line it is that
// differs in more.
func TestPrint(t *testing.T) {
	if !canPrint {
		t.Skip("this processor compares line by line")
	}
	k := known{}
	s := shapeOf(t, "goroutine 1 [select]:\n"+
		"example.com/a.(*T).Wait(0xc000123456, 0x1)\n\t/src/a/t.go:12 +0x1d fp=0xc000a sp=0xc000b pc=0x47\n"+
		"example.com/a.loop()\n\t/src/a/loop.go:99 +0x2a\n"+
		"created by example.com/a.Start in goroutine 7\n\t/src/a/start.go:3 +0x11\n")
	k.learn(s)
	read := func(text string) (int, int) {
		sh, size, lines, _ := k.match([]byte("select"), []byte(text), &plainWrapping)
		if sh == nil {
			return -1, -1
		}
		return size, lines
	}
	pad := strings.Repeat("x", 4096) // what follows in a file
	block := func(arg, offset, creator string) string {
		return "example.com/a.(*T).Wait(" + arg + ", 0x1)\n\t/src/a/t.go:12 " + offset + "\n" +
			"example.com/a.loop()\n\t/src/a/loop.go:99 +0x2a\n" +
			"created by example.com/a.Start in goroutine " + creator + "\n\t/src/a/start.go:3 +0x11\n\n"
	}
	const offset = "+0x1d fp=0xc000a sp=0xc000b pc=0x47"
	for range 20 { // the first ones teach the print, the others are read by it
		for _, tc := range []struct {
			name, text string
			known      bool
		}{
			{"the same", block("0xc000123456", offset, "7"), true},
			{"other digits", block("0xc000ffffff", "+0x2f fp=0xc111a sp=0xc111b pc=0x99", "8"), true},
			{"a shorter argument", block("0x0", offset, "7"), true},
			{"longer lines", block("0xc000123456, {0x1, 0x2}", offset, "123456"), true},
			{"another line number", strings.Replace(block("0xc000123456", offset, "7"), "loop.go:99", "loop.go:98", 1), false},
			{"another function", strings.Replace(block("0xc000123456", offset, "7"), "a.loop(", "a.lop2(", 1), false},
			{"another creator", strings.Replace(block("0xc000123456", offset, "7"), "a.Start", "a.Stort", 1), false},
			{"a newline in an argument", block("0xc0001\n3456", offset, "7"), false},
			{"a newline in an offset", block("0xc000123456", "+0x1d fp=0xc000a\nsp=0xc000b pc=0x47", "7"), false},
			{"a frame fewer", strings.Replace(block("0xc000123456", offset, "7"), "example.com/a.loop()\n\t/src/a/loop.go:99 +0x2a\n", "", 1), false},
		} {
			size, lines := read(tc.text + pad)
			switch {
			case tc.known && (size != len(tc.text) || lines != strings.Count(tc.text, "\n")):
				t.Fatalf("%s: %d bytes, %d lines, want %d and %d", tc.name, size, lines, len(tc.text), strings.Count(tc.text, "\n"))
			case !tc.known && size >= 0:
				t.Fatalf("%s: taken", tc.name)
			}
		}
	}
}

// shapeOf reads one goroutine block line by line.
func shapeOf(t *testing.T, text string) *shape {
	t.Helper()
	c := &shapes{limit: 10}
	r := &reader{src: &Source{}, opt: Options{}.withDefaults(), un: newUnwrapper(), streams: map[string]*lineStream{}, facts: newFactScanner("x"), growth: newGrowthScanner("x"), stacks: newStackReader()}
	s := r.stream("")
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		s.line([]byte(l), i+1)
	}
	sh, _ := c.fold(&s.g)
	if sh == nil {
		t.Fatal("no goroutine was read")
	}
	return sh
}
