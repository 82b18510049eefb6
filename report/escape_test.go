package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crashtriage/crashtriage/parse"
)

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "panic: boom [recovered]", "panic: boom [recovered]"},
		{"terminal title", "\x1b]0;owned\a", `\x1b]0;owned\x07`},
		{"colour", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"NUL and DEL", "a\x00b\x7fc", `a\x00b\x7fc`},
		{"C1 control sequence introducer", "\u009b2J", `\u009b2J`},
		{"the same as a raw byte", "\x9b2J", `\x9b2J`},
		{"no UTF-8", "caf\xe9", `caf\xe9`},
		{"cut rune", "\xe2\x82", `\xe2\x82`},
		{"line breaks", "a\r\nb", `a\r\nb`},
		{"line separators", "a\u2028b\u2029c", `a\u2028b\u2029c`},
		{"tab", "a\tb", "a  b"},
		{"no-break space", "a\u00a0b", "a b"},
		{"bidirectional override", "\u202egpj.exe\u202c", `\u202egpj.exe\u202c`},
		{"bidirectional isolate", "\u2066x\u2069", `\u2066x\u2069`},
		{"zero width", "a\u200bb\ufeffc", `a\u200bb\ufeffc`},
		{"tag characters", "a\U000e0041", `a\U000e0041`},
		{"private use", "\ue000", `\ue000`},
		{"invisible letters", "\u3164\u2800", `\u3164\u2800`},
		{"other scripts stay", "größe 数 שלום ✓ …", "größe 数 שלום ✓ …"},
		{"accents by combining marks stay", "e\u0301", "e\u0301"},
		{"piles of marks do not", "e" + strings.Repeat("\u0301", 6), "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`},
		{"GitHub command", "::error file=x::boom", `\x3a:error file=x::boom`},
		{"GitHub command behind a blank", "a ::set-output name=x::y", `a \x3a:set-output name=x::y`},
		{"C++ names stay", "in std::terminate()", "in std::terminate()"},
		{"old GitHub command", "x##[error]y", `x\x23#[error]y`},
		{"Azure command", "x##vso[task.complete]", `x\x23#vso[task.complete]`},
		{"a replacement character is what it is", "\ufffd", "\ufffd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.in); got != tt.want {
				t.Errorf("Escape(%+q) = %+q, want %+q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b[2J", "\u202e\u200b", "\xff\xfe\x00", "e\u0301\u0301\u0301\u0301\u0301", "\r\n\t\v"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Escape(s)
		requireSafe(t, out)
		if strings.Contains(out, "\n") {
			t.Errorf("Escape(%q) has a line break", s)
		}
		if again := Escape(out); again != out {
			t.Errorf("escaped twice: %q, then %q", out, again)
		}
	})
}

// Whatever an input puts wherever it can, every format stays within its bounds.
func FuzzFormats(f *testing.F) {
	f.Add("github.com/a/b/c.(*T).M", "/x/c@v1/f.go", "a message", 80)
	f.Add("\x1b[31m(", "@", "```", 41)
	f.Add("a.b[go.shape.int]/c.(*", "C:\\x\\y.go", "\u202e\xff\n\n", 120)
	f.Add("", "", "", 0)
	f.Fuzz(func(t *testing.T, function, file, text string, width int) {
		if len(function)+len(file)+len(text) > 4000 {
			t.Skip("long enough to be slow")
		}
		stack := []parse.Frame{{Function: function, File: file, Line: width, Args: "0x0"}, {Function: text, File: text, Std: true}, {Function: file, File: function}}
		inc := &parse.Incident{
			Kind: parse.Kind(text), Headline: text, Reason: text + "nil pointer dereference", Value: text + "\n" + text, Chain: []string{text, file},
			Source: file, Line: width, Stack: stack, Blame: &stack[0], CreatedBy: &stack[2], Count: width, Goroutines: width, Truncated: text,
			Buckets: []*parse.Bucket{{Count: width, State: text, Frames: stack, HasWait: true, MaxWait: width}, {Count: 1, Frames: nil}},
			Context: []parse.ContextLine{{Text: text}, {Text: text, Record: &parse.Record{Clock: text, Level: function, Message: file}}},
			Races:   []parse.RaceAccess{{Title: text, Stack: stack}}, RunningTests: []string{text},
		}
		d := Build(&parse.Capture{Sources: []*parse.Source{{Name: file}}, Incidents: []*parse.Incident{inc}}, nil, exampleTool)
		for _, o := range []Options{{Width: width}, {Width: width, Verbose: true}, {Width: width, Quiet: true}} {
			out := render(t, d, o)
			requireSafe(t, out)
			if o.Quiet {
				continue
			}
			limit := newPage(nil, o).width
			for _, line := range strings.Split(out, "\n") {
				if cells(line) > limit {
					t.Errorf("%d columns, want at most %d: %q", cells(line), limit, line)
				}
			}
		}
		var b strings.Builder
		if err := JSON(&b, d, Options{}); err != nil {
			t.Fatal(err)
		}
		requireSafe(t, b.String())
	})
}

func TestWrapAndCut(t *testing.T) {
	for width := 1; width < 40; width++ {
		for _, s := range []string{"", "a", "one two  three", "https://github.com/quartzdb/quartz/pull/812", "数数数数 数数", strings.Repeat("x", 90)} {
			joined := ""
			for _, l := range Wrap(s, width) {
				joined += strings.ReplaceAll(l, " ", "")
				if n := cells(l); n > max(width, 2) {
					t.Errorf("Wrap(%q, %d) has a line of %d columns", s, width, n)
				}
			}
			if want := strings.ReplaceAll(s, " ", ""); joined != want {
				t.Errorf("Wrap(%q, %d) lost text: %q", s, width, joined)
			}
			for _, cut := range []string{Cut(s, width), cutFront(s, width)} {
				if cells(cut) > max(width, 1) || !utf8.ValidString(cut) {
					t.Errorf("cut of %q to %d is %q", s, width, cut)
				}
			}
		}
	}
}
