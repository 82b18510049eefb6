package signatures

import (
	"sort"
	"strconv"
	"strings"
	"time"
)

// keys is the shape of a mapping: what each key's value is given to.
type keys map[string]func(*node)

// decoder turns nodes into values and collects what is wrong with them.
type decoder struct {
	*faults
}

// mapping hands the values of a mapping to their functions. Unknown keys are errors, with the
// nearest known key as a hint.
func (d *decoder) mapping(n *node, what string, want keys) bool {
	if n.kind != mappingNode {
		d.wrongKind(n, what, "a mapping")
		return false
	}
	for _, p := range n.pairs {
		if f := want[p.key]; f != nil {
			f(p.value)
			continue
		}
		hint := ""
		if near := nearest(p.key, want); near != "" {
			hint = ", did you mean " + strconv.Quote(near) + "?"
		}
		d.add(p.line, p.column, "unknown key %q in %s%s", cutText(p.key, 40), what, hint)
	}
	return true
}

func (d *decoder) wrongKind(n *node, what, want string) {
	d.add(n.line, n.column, "%s has to be %s, not %s", what, want, n.kind)
}

// has says whether the mapping has a key, so that its absence can be told from an empty value.
func (n *node) has(key string) bool {
	for _, p := range n.pairs {
		if p.key == key {
			return true
		}
	}
	return false
}

// scalar reads a text. An empty one is an error: leaving the key out says "nothing".
func (d *decoder) scalar(n *node, what string) string {
	if n.kind != scalarNode {
		d.wrongKind(n, what, "a text")
		return ""
	}
	s := strings.TrimSpace(n.text)
	if s == "" {
		d.add(n.line, n.column, "%s is empty: leave the key out", what)
	}
	return s
}

func (d *decoder) into(dst *string, what string) func(*node) {
	return func(n *node) { *dst = d.scalar(n, what) }
}

// list reads a list of texts; a single text is a list of one.
func (d *decoder) list(n *node, what string) []string {
	switch n.kind {
	case scalarNode:
		if s := d.scalar(n, what); s != "" {
			return []string{s}
		}
		return nil
	case sequenceNode:
		if len(n.items) == 0 {
			d.add(n.line, n.column, "%s is an empty list", what)
		}
		var list []string
		for _, item := range n.items {
			if s := d.scalar(item, what); s != "" {
				list = append(list, s)
			}
		}
		return list
	}
	d.wrongKind(n, what, "a list")
	return nil
}

func (d *decoder) listInto(dst *[]string, what string) func(*node) {
	return func(n *node) { *dst = d.list(n, what) }
}

func (d *decoder) boolean(dst *bool, what string) func(*node) {
	return func(n *node) {
		switch n.text {
		case "true":
			*dst = true
		case "false":
			*dst = false
		default:
			d.add(n.line, n.column, "%s has to be true or false", what)
		}
	}
}

// count reads a whole number of at least min.
func (d *decoder) count(dst *int, what string, least int) func(*node) {
	return func(n *node) {
		v, err := strconv.Atoi(n.text)
		if n.kind != scalarNode || err != nil || v < least || v > 1_000_000 {
			d.add(n.line, n.column, "%s has to be a whole number of at least %d", what, least)
			return
		}
		*dst = v
	}
}

func (d *decoder) number(dst *float64, what string) func(*node) {
	return func(n *node) {
		v, err := strconv.ParseFloat(n.text, 64)
		if n.kind != scalarNode || err != nil || v < 0 || v > 1e15 {
			d.add(n.line, n.column, "%s has to be a number", what)
			return
		}
		*dst = v
	}
}

func (d *decoder) duration(dst *time.Duration, what string) func(*node) {
	return func(n *node) {
		v, err := time.ParseDuration(n.text)
		if n.kind != scalarNode || err != nil || v <= 0 {
			d.add(n.line, n.column, "%s has to be a time such as 500ms, 1s, 5m or 2h", what)
			return
		}
		*dst = v
	}
}

// word reads one of a set of words.
func (d *decoder) word(dst *string, what string, words ...string) func(*node) {
	return func(n *node) {
		s := d.scalar(n, what)
		for _, w := range words {
			if s == w {
				*dst = s
				return
			}
		}
		if s != "" {
			d.add(n.line, n.column, "%s %q is none of %s", what, cutText(s, 40), strings.Join(words, ", "))
		}
	}
}

// month reads "2026-09".
func (d *decoder) month(dst *string, what string) func(*node) {
	return func(n *node) {
		s := d.scalar(n, what)
		if _, err := time.Parse("2006-01", s); err != nil && s != "" {
			d.add(n.line, n.column, "%s has to be a month such as 2026-09", what)
			return
		}
		*dst = s
	}
}

func (d *decoder) version(n *node, what string) string {
	s := d.scalar(n, what)
	if s == "" || numericVersion(s) {
		return s
	}
	if _, err := parseVersion(s); err != nil {
		d.add(n.line, n.column, "%s %q is no version; words belong into a note", what, cutText(s, 60))
		return ""
	}
	return s
}

func (d *decoder) versionList(dst *[]string, what string) func(*node) {
	return func(n *node) {
		items := n.items
		if n.kind == scalarNode {
			items = []*node{n}
		} else if n.kind != sequenceNode {
			d.wrongKind(n, what, "a list of versions")
		}
		for _, item := range items {
			if s := d.version(item, what); s != "" {
				*dst = append(*dst, s)
			}
		}
	}
}

// nearest returns the known key that the author probably meant.
func nearest(key string, want keys) string {
	known := make([]string, 0, len(want))
	for k := range want {
		known = append(known, k)
	}
	sort.Strings(known)
	best, at := "", 3
	for _, k := range known {
		if n := distance(key, k); n < at {
			best, at = k, n
		}
	}
	return best
}

// distance is the number of letters to change, add, drop or swap with their neighbour; words too
// long to be keys or ids are far apart.
func distance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return len(a) + len(b)
	}
	var before, last, row []int
	for i := range len(a) + 1 {
		before, last, row = last, row, make([]int, len(b)+1)
		for j := range row {
			switch {
			case i == 0 || j == 0:
				row[j] = i + j
			case a[i-1] == b[j-1]:
				row[j] = last[j-1]
			default:
				row[j] = 1 + min(last[j], row[j-1], last[j-1])
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					row[j] = min(row[j], 1+before[j-2])
				}
			}
		}
	}
	return row[len(b)]
}

func cutText(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}
