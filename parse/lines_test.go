package parse

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lineOf is one line as a block source gives it.
type lineOf struct {
	text    string
	skipped int64
}

func linesOf(src blockSource) []lineOf {
	var out []lineOf
	for {
		b, ok := src.next()
		if !ok {
			return out
		}
		for l := range bytes.Lines(b.data) {
			out = append(out, lineOf{text: strings.TrimSuffix(string(l), "\n")})
		}
		if b.skipped > 0 {
			out[len(out)-1].skipped = b.skipped
		}
		src.release(b)
		if b.last {
			return out
		}
	}
}

func openLeaf(t *testing.T, path string) *leaf {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return &leaf{r: peek(&rawReader{r: f, g: &guard{}}), plain: true}
}

// TestBlocks: files and streams give the same lines, wherever segments end and however long lines are.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "in")
	for range 300 {
		var text []byte
		for range r.IntN(60) {
			n := r.IntN(30)
			if r.IntN(12) == 0 {
				n = r.IntN(400)
			}
			text = append(text, strings.Repeat(string(rune('a'+r.IntN(26))), n)...)
			text = append(text, '\n')
		}
		if len(text) > 0 && r.IntN(2) == 0 {
			text = text[:len(text)-1]
		}
		const maxLine = 150
		var want []lineOf
		for l := range bytes.Lines(text) {
			w := lineOf{text: strings.TrimSuffix(string(l), "\n")}
			if len(w.text) > maxLine {
				w = lineOf{text: w.text[:maxLine], skipped: int64(len(l) - maxLine)}
			}
			want = append(want, w)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got := map[string][]lineOf{"stream": linesOf(newBlockReader(bytes.NewReader(text), maxLine))}
		if len(text) > 0 {
			fb := newFileBlocks(openLeaf(t, path), maxLine, 1+r.IntN(100))
			if fb == nil {
				t.Fatal("not taken for a file")
			}
			got["file"] = linesOf(fb)
		}
		for name, lines := range got {
			for i, l := range lines { // a line that fits a buffer may come whole: the reader cuts it
				if n := len(l.text) - maxLine; n > 0 {
					newline := 1
					if i == len(lines)-1 && !bytes.HasSuffix(text, []byte{'\n'}) {
						newline = 0
					}
					lines[i] = lineOf{text: l.text[:maxLine], skipped: int64(n + newline)}
				}
			}
			if d := cmp.Diff(want, lines, cmp.AllowUnexported(lineOf{})); d != "" {
				t.Fatalf("%s of %d bytes: -want +got\n%s", name, len(text), d)
			}
		}
	}
}

// TestFileAsStream: a big dump reads the same from a file, where a second goroutine looks ahead, as from a stream.
func TestFileAsStream(t *testing.T) {
	text := manyGoroutines(30_000, 70)
	path := filepath.Join(t.TempDir(), "dump.txt")
	prefixed := "Jan  2 03:04:05 host-1 app[42]: " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\nJan  2 03:04:05 host-1 app[42]: ") + "\n"
	for _, tt := range []struct{ name, text string }{
		{"plain", text},
		{"journald", prefixed},
		{"a log line in between", strings.Replace(text, "goroutine 20000 ", "2026/01/02 03:04:05 still here\ngoroutine 20000 ", 1)},
		{"two dumps", text + "\nstarting app\n" + text},
		{"no empty lines", strings.ReplaceAll(text, "\n\n", "\n")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			file := Read(context.Background(), []Input{{Name: "in", Open: func() (io.ReadCloser, error) { return os.Open(path) }}}, Options{})
			stream := readString(t, tt.text)
			if d := cmp.Diff(stream, file); d != "" {
				t.Errorf("-stream +file\n%s", d[:min(len(d), 3000)])
			}
		})
	}
}
