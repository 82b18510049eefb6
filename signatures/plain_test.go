package signatures

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chunksOf cuts a pack as readPack does.
func chunksOf(text string) []chunk {
	_, chunks := split(strings.Split(text, "\n"))
	return chunks
}

// quickly is used again and again, as by readPack: nothing of one chunk may be left in the next.
var quickly plainReader

// samePlain holds the two parsers together: what plainReader reads, parseYAML reads alike and without a fault.
func samePlain(t *testing.T, lines []string, firstLine int) (read bool) {
	t.Helper()
	quick := quickly.read(lines, firstLine)
	if quick == nil {
		return false
	}
	f := &faults{lines: lines}
	whole := parseYAML(f, strings.Join(lines, "\n"), firstLine)
	if whole == nil || len(f.list) > 0 {
		t.Errorf("plainReader reads what is wrong: %v\n%s", f.list, strings.Join(lines, "\n"))
		return true
	}
	if diff := cmp.Diff(tree(whole), tree(quick)); diff != "" {
		t.Errorf("-parseYAML +plainReader\n%s\nof\n%q", diff, strings.Join(lines, "\n"))
	}
	return true
}

func tree(n *node) string {
	var b strings.Builder
	var write func(n *node, depth int)
	write = func(n *node, depth int) {
		fmt.Fprintf(&b, "%*s%v %d:%d %q\n", depth*2, "", n.kind, n.line, n.column, n.text)
		for _, p := range n.pairs {
			fmt.Fprintf(&b, "%*s%q %d:%d\n", depth*2+1, "", p.key, p.line, p.column)
			write(p.value, depth+1)
		}
		for _, item := range n.items {
			write(item, depth+1)
		}
	}
	write(n, 0)
	return b.String()
}

// Nearly all that people write is read by the quick parser, and alike.
func TestPlainYAML(t *testing.T) {
	all, read := 0, 0
	for _, src := range BuiltIn() {
		for _, c := range chunksOf(string(src.Data)) {
			all++
			if samePlain(t, c.lines, c.line) {
				read++
			}
		}
	}
	if all < 500 || read < all*9/10 {
		t.Errorf("%d of %d entries are read quickly", read, all)
	}
}

// One place after another of an entry is broken: the two parsers never disagree.
func TestPlainYAMLDamage(t *testing.T) {
	text := "- id: a-b\n  title: 'It''s'  # why\n  kind: panic # note\n  match:\n    message: {regexp: 'x \\d+ yyyy'} # note\n    frames:\n    - a.com/b.(*T).F\n    - c.d\n" +
		"  fix: {state: open, fixed_in: [{line: \"1.4\", version: 1.4.2}]}\n  # note\n  notes: >-\n    one\n    two\n\n  examples:\n  - name: n\n    match: |\n      p\n\n      \tq\n"
	for i := range text {
		for _, put := range []string{"", " ", "\n", "\t", ":", "-", "'", "\"", "#", "|", "{", "]", ",", "&", "é", "null", "- ", ": ", "\n  ", "  "} {
			for _, cut := range []int{0, 1} {
				samePlain(t, strings.Split(text[:i]+put+text[i+cut:], "\n"), 7)
			}
		}
	}
}

func FuzzPlainYAML(f *testing.F) {
	for _, src := range BuiltIn()[:12] {
		if chunks := chunksOf(string(src.Data)); len(chunks) > 0 {
			f.Add(strings.Join(chunks[0].lines, "\n"))
		}
	}
	doc, err := os.ReadFile("../docs/signatures.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, part := range strings.Split(string(doc), "```")[1:] {
		if _, text, ok := strings.Cut(part, "\n"); ok && strings.HasPrefix(part, "yaml") {
			f.Add(text)
		}
	}
	for _, s := range []string{"- a: b", "- a: [b, c]\n  d: {e: f}", "- a: |\n    b\n  c: >-\n    d\n    e", "- a: 1_0\n- 0x1: 2", "a: b\nc:\n- d\n- e", "- a: b # c\n  d: 'e'  # f\n  g: [h, i] # j\n  # k\n  l: m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 || strings.Contains(text, "\r") {
			return // readPack has taken carriage returns out
		}
		samePlain(t, strings.Split(text, "\n"), 3)
	})
}
