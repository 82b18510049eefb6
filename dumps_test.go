package main_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the .want files; read the difference before you commit it")

// TestDumps holds what is parsed from every dump against the .want file beside it, which says what
// the program really did.
func TestDumps(t *testing.T) {
	for _, name := range dumps(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := describe(read(text), nil)
			wantFile := strings.TrimSuffix(name, ".txt") + ".want"
			if *update {
				if err := os.WriteFile(wantFile, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(wantFile)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestDumpsMangled: what a paste does to a dump changes nothing of what is read.
func TestDumpsMangled(t *testing.T) {
	each := func(prefix string) func(string) string {
		return func(s string) string {
			return prefix + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+prefix) + "\n"
		}
	}
	for _, m := range []struct {
		name   string
		mangle func(string) string
	}{
		{"CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
		{"tabs as spaces", func(s string) string { return strings.ReplaceAll(s, "\t", "        ") }},
		{"quoted", each("> ")},
		{"fenced", func(s string) string { return "It died tonight:\n\n```\n" + s + "```\n\nAny idea?\n" }},
		{"no newline at the end", func(s string) string { return strings.TrimSuffix(s, "\n") }},
	} {
		t.Run(m.name, func(t *testing.T) {
			for _, name := range dumps(t) {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				want := portable(text, false)
				got := portable([]byte(m.mangle(string(text))), false)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-as printed +mangled):\n%s", name, diff)
				}
			}
		})
	}
}

func dumps(t *testing.T) []string {
	names, err := filepath.Glob("testdata/dumps/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no dumps: %v", err)
	}
	return names
}

func read(text []byte) *parse.Capture { return readWith(text, parse.Options{}) }

func readWith(text []byte, o parse.Options) *parse.Capture {
	return parse.Read(context.Background(), []parse.Input{{
		Name: "dump",
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}}, o)
}

// portable describes what two runs of one program have in common: no ids, lines, addresses, ports
// or goroutines of the runtime. A loose description leaves out all goroutines but the crashing one.
func portable(text []byte, loose bool) string {
	return describe(read(text), &mask{loose: loose})
}

// mask tells describe to leave out what differs from run to run; nil shows everything.
type mask struct{ loose bool }

var varies = regexp.MustCompile(`0x[0-9a-f]+|goroutine \d+|127\.0\.0\.1:\d+|\(\d+(\.\d+)?s\)|^.*http: panic serving`)

func (m *mask) text(s string) string {
	if m == nil {
		return s
	}
	return varies.ReplaceAllString(s, "*")
}

// describe writes a capture's incidents in the form of the .want files: one "key: value" a line,
// keys without a value left out, an empty line between incidents.
func describe(c *parse.Capture, m *mask) string {
	var b strings.Builder
	put := func(key, format string, args ...any) {
		if v := fmt.Sprintf(format, args...); v != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, m.text(v))
		}
	}
	if len(c.Incidents) == 0 {
		put("kind", "none")
	}
	for i, inc := range c.Incidents {
		if i > 0 {
			b.WriteString("\n")
		}
		put("kind", "%s", inc.Kind)
		put("headline", "%s", inc.Headline)
		switch {
		case inc.Value == "":
		case m == nil:
			put("value", "%q", inc.Value)
		default: // a paste may change its white space
			put("value", "%s", strings.Join(strings.Fields(inc.Value), " "))
		}
		if len(inc.Chain) > 1 {
			for _, p := range inc.Chain {
				put("chain", "%s", p)
			}
		}
		put("signal", "%s", inc.Signal)
		put("died", "%s", map[parse.Tri]string{parse.Yes: "yes", parse.No: "no", parse.Unknown: "unknown"}[inc.Died])
		if m == nil {
			put("lines", "%d-%d", inc.Line, inc.EndLine)
			if inc.HasGoroutine {
				put("goroutine", "%d", inc.Goroutine)
			}
			put("goroutines", "%d", inc.Goroutines)
		}
		put("truncated", "%s", inc.Truncated)
		put("blame", "%s", function(inc.Blame))
		put("created_by", "%s", function(inc.CreatedBy))
		put("running", "%s", strings.Join(inc.RunningTests, ", "))
		for _, r := range inc.Races {
			put("access", "%s %s", r.Title, innermost(r.Stack, func(f parse.Frame) bool { return !f.Std }))
		}
		if m == nil {
			put("buckets", "%d", len(inc.Buckets))
		}
		for _, k := range inc.Buckets {
			own := innermost(k.Frames, func(f parse.Frame) bool { return !f.Std })
			if m != nil && (own == "" || m.loose && !k.Crashed) {
				continue
			}
			if own == "" {
				own = innermost(k.Frames, func(parse.Frame) bool { return true })
			}
			put("bucket", "%s", bucketLine(k, own))
		}
	}
	for _, s := range c.Sources {
		for _, p := range s.Problems {
			put("problem", "%s", p.Code)
		}
	}
	return b.String()
}

// bucketLine is "9 × select · main.(*server).watch · by main.inWaits" and what else is special.
func bucketLine(k *parse.Bucket, own string) string {
	parts := []string{strings.TrimSpace(fmt.Sprintf("%d × %s", k.Count, k.State))}
	if own != "" {
		parts = append(parts, own)
	}
	if k.CreatedBy != nil {
		parts = append(parts, "by "+k.CreatedBy.Function)
	}
	if k.HasWait {
		parts = append(parts, fmt.Sprintf("%d to %d min", k.MinWait, k.MaxWait))
	}
	for _, n := range []struct {
		word  string
		count int
	}{{"locked", k.Locked}, {"leaked", k.Leaked}, {"durable", k.Durable}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.word))
		}
	}
	if k.Elided > 0 {
		parts = append(parts, "frames elided")
	}
	if len(k.Labels) > 0 {
		parts = append(parts, fmt.Sprintf("labels %q", k.Labels))
	}
	if k.Crashed {
		parts = append(parts, "crashed")
	}
	return strings.Join(parts, " · ")
}

func function(f *parse.Frame) string {
	if f == nil {
		return ""
	}
	return f.Function
}

func innermost(stack []parse.Frame, ok func(parse.Frame) bool) string {
	for _, f := range stack {
		if ok(f) {
			return f.Function
		}
	}
	return ""
}
