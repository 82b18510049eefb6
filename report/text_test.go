package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the goldens under testdata")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, diff)
	}
}

func render(t *testing.T, d *Document, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, d, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextGoldens(t *testing.T) {
	for _, e := range examples() {
		for _, width := range []int{80, 120} {
			name := fmt.Sprintf("%s.%d.txt", e.name, width)
			t.Run(name, func(t *testing.T) { golden(t, name, render(t, e.doc(), Options{Width: width})) })
		}
	}
	t.Run("verbose", func(t *testing.T) {
		golden(t, "several.verbose.txt", render(t, severalExample().doc(), Options{Width: 80, Verbose: true}))
	})
	t.Run("colour", func(t *testing.T) {
		golden(t, "known.colour.txt", render(t, knownExample().doc(), Options{Width: 80, Color: true}))
	})
	t.Run("quiet", func(t *testing.T) {
		golden(t, "several.quiet.txt", render(t, severalExample().doc(), Options{Width: 80, Quiet: true}))
	})
}

// No line is wider than asked for, whatever the width and whatever the input holds.
func TestTextKeepsItsWidth(t *testing.T) {
	for _, e := range examples() {
		for width := minWidth; width <= 130; width += 9 {
			for _, verbose := range []bool{false, true} {
				for n, line := range strings.Split(render(t, e.doc(), Options{Width: width, Verbose: verbose}), "\n") {
					if got := cells(line); got > width {
						t.Errorf("%s at %d (verbose %v): line %d has %d columns: %q", e.name, width, verbose, n+1, got, line)
					}
				}
			}
		}
	}
}

// Colour adds nothing: without its escape sequences the text is the same.
func TestTextIsHonestWithoutColour(t *testing.T) {
	for _, e := range examples() {
		plain := render(t, e.doc(), Options{})
		coloured := render(t, e.doc(), Options{Color: true})
		if diff := cmp.Diff(plain, stripSGR(coloured)); diff != "" {
			t.Errorf("%s (-plain +coloured):\n%s", e.name, diff)
		}
	}
}

// stripSGR removes "ESC [ … m", the only sequence that a style writes.
func stripSGR(s string) string {
	var b strings.Builder
	for {
		head, tail, ok := strings.Cut(s, "\x1b[")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		_, s, _ = strings.Cut(tail, "m")
	}
}

func TestTextIsSafeToPrint(t *testing.T) {
	for _, o := range []Options{{}, {Verbose: true}, {Quiet: true}, {Width: 40}} {
		requireSafe(t, render(t, hostileExample().doc(), o))
	}
	requireSafe(t, stripSGR(render(t, hostileExample().doc(), Options{Color: true, Verbose: true})))
}
