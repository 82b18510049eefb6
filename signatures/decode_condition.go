package signatures

import (
	"strconv"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

var incidentKinds = []string{
	string(parse.KindPanic), string(parse.KindFatal), string(parse.KindThrow), string(parse.KindSignal),
	string(parse.KindRace), string(parse.KindTestTimeout), string(parse.KindRecoveredPanic), string(parse.KindLogFatal),
	string(parse.KindGoroutineDump), string(parse.KindGoroutineProfile),
}

// condition reads a mapping of conditions; several keys of one mapping have to hold together.
func (d *decoder) condition(n *node) *condition {
	var list []*condition
	add := func(c condition) { list = append(list, &c) }
	ok := d.mapping(n, "a condition", keys{
		"all": func(n *node) {
			if parts := d.conditions(n, "all"); len(parts) > 0 {
				add(condition{All: parts})
			}
		},
		"any": func(n *node) {
			if parts := d.conditions(n, "any"); len(parts) > 0 {
				add(condition{Any: parts})
			}
		},
		"not": func(n *node) {
			if c := d.condition(n); c != nil {
				add(condition{Not: c})
			}
		},
		"kind": func(n *node) {
			var kinds []parse.Kind
			for _, w := range d.words(n, "kind", incidentKinds) {
				kinds = append(kinds, parse.Kind(w))
			}
			if kinds != nil {
				add(condition{Kinds: kinds})
			}
		},
		"message": func(n *node) { add(condition{Message: d.text(n, "message", isText)}) },
		"signal":  func(n *node) { add(condition{Signal: d.text(n, "signal", containsText)}) },
		"context": func(n *node) { add(condition{Context: d.text(n, "context", containsText)}) },
		"frames": func(n *node) {
			f := &frames{}
			d.framesOf(n, "frames", &f.Want, keys{"in_order": d.symbols(&f.Want, "in_order"), "goroutine": d.anyGoroutine(&f.AnyGoroutine)})
			add(condition{Frames: f})
		},
		"any_frame": func(n *node) {
			f := &anyFrame{}
			d.framesOf(n, "any_frame", &f.Want, keys{
				"of": d.symbols(&f.Want, "of"), "at_least": d.count(&f.AtLeast, "at_least", 1),
				"goroutine": d.anyGoroutine(&f.AnyGoroutine),
			})
			add(condition{AnyFrame: f})
		},
		"top": func(n *node) {
			var s []string
			d.symbols(&s, "top")(n)
			add(condition{Top: s})
		},
		"creator": func(n *node) {
			var s []string
			d.symbols(&s, "creator")(n)
			add(condition{Creator: s})
		},
		"goroutines": func(n *node) { add(condition{Goroutines: d.goroutines(n)}) },
		"log":        func(n *node) { add(condition{Log: d.logs(n, "log")}) },
		"burst": func(n *node) {
			l := d.logs(n, "burst")
			if l.Within == 0 || l.AtLeast < 2 {
				d.add(n.line, n.column, "a burst needs at_least (2 or more) and within")
			}
			add(condition{Log: l})
		},
		"sequence": func(n *node) { add(condition{Sequence: d.sequence(n)}) },
		"growth": func(n *node) {
			g := &growth{}
			if d.mapping(n, "growth", keys{"frames": d.symbols(&g.Frames, "frames"), "by": d.count(&g.By, "by", 1)}) && (g.By == 0 || len(g.Frames) == 0) {
				d.add(n.line, n.column, "growth needs frames and by")
			}
			add(condition{Growth: g})
		},
		"series": func(n *node) {
			s := &series{Keeps: 0.5}
			if d.mapping(n, "series", keys{
				"name": d.into(&s.Name, "name"), "rises_by": d.number(&s.RisesBy, "rises_by"), "keeps": d.number(&s.Keeps, "keeps"),
			}) && (s.Name == "" || s.RisesBy == 0) {
				d.add(n.line, n.column, "series needs name and rises_by")
			}
			add(condition{Series: s})
		},
		"product": func(n *node) { add(condition{Product: d.versionOf(n, "product", "name")}) },
		"module":  func(n *node) { add(condition{Module: d.versionOf(n, "module", "path")}) },
		"go":      func(n *node) { add(condition{Go: d.versionOf(n, "go", "")}) },
		"exit": func(n *node) {
			x := &exit{}
			code := -1
			if d.mapping(n, "exit", keys{"code": d.count(&code, "code", 0), "oom_killed": d.boolean(&x.OOMKilled, "oom_killed")}) && code < 0 && !x.OOMKilled {
				d.add(n.line, n.column, "exit needs code or oom_killed")
			}
			if code >= 0 {
				x.Code = &code
			}
			add(condition{Exit: x})
		},
	})
	switch {
	case !ok:
		return nil
	case len(list) == 0:
		d.add(n.line, n.column, "a condition needs at least one key")
		return nil
	case len(list) == 1:
		return list[0]
	}
	return &condition{All: list}
}

func (d *decoder) conditions(n *node, what string) []*condition {
	if n.kind != sequenceNode {
		d.wrongKind(n, what, "a list of conditions")
		return nil
	}
	if len(n.items) == 0 {
		d.add(n.line, n.column, "%s is an empty list", what)
	}
	var list []*condition
	for _, item := range n.items {
		if c := d.condition(item); c != nil {
			list = append(list, c)
		}
	}
	return list
}

// How a pattern compares when it is a bare text.
const (
	isText = iota
	containsText
)

// text reads a pattern: a bare text, or one of is, starts_with, contains, regexp.
func (d *decoder) text(n *node, what string, bare int) *text {
	t := &text{}
	if n.kind == scalarNode {
		if bare == containsText {
			t.Contains = d.scalar(n, what)
		} else {
			t.Is = d.scalar(n, what)
		}
		return t
	}
	var at *node
	ok := d.mapping(n, what, keys{
		"is": d.into(&t.Is, "is"), "starts_with": d.into(&t.Prefix, "starts_with"), "contains": d.into(&t.Contains, "contains"),
		"regexp": func(n *node) { at, t.Regexp = n, d.scalar(n, "regexp") },
	})
	if !ok {
		return t
	}
	if len(n.pairs) != 1 {
		d.add(n.line, n.column, "%s needs exactly one of is, starts_with, contains and regexp", what)
		return t
	}
	if t.Regexp == "" {
		return t
	}
	if err := t.compile(); err != nil {
		d.add(at.line, at.column, "%s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		t.Regexp = ""
	} else if shortest(t.Literals) < minLiteral {
		d.add(at.line, at.column, "the expression needs a literal of at least %d bytes that every match contains", minLiteral)
	}
	return t
}

// framesOf reads a list of functions, or a mapping with more to say about them.
func (d *decoder) framesOf(n *node, what string, dst *[]string, more keys) {
	if n.kind == mappingNode {
		d.mapping(n, what, more)
	} else {
		d.symbols(dst, what)(n)
	}
	if len(*dst) == 0 && n.kind != nullNode {
		d.add(n.line, n.column, "%s names no function", what)
	}
}

// symbols reads functions as Go prints them, without arguments.
func (d *decoder) symbols(dst *[]string, what string) func(*node) {
	return func(n *node) {
		items := []*node{n}
		if n.kind == sequenceNode {
			items = n.items
		}
		for _, item := range items {
			s := d.scalar(item, what)
			if s == "" {
				continue
			}
			if fault := symbolFault(s); fault != "" {
				d.add(item.line, item.column, "%q %s", cutText(s, 80), fault)
				continue
			}
			*dst = append(*dst, s)
		}
	}
}

// symbolFault says what is wrong with a function's name, "" for nothing.
func symbolFault(s string) string {
	sym := parse.Symbol(s)
	pkg, name := parse.SplitSymbol(sym)
	switch {
	case strings.ContainsAny(s, " \t"):
		return "is no function: it holds a blank"
	case strings.Contains(s, "/vendor/"):
		return "has a vendored path: name the module as it is imported"
	case strings.Contains(sym, "..."), strings.HasSuffix(sym, "*"), strings.HasSuffix(sym, "()"):
		return "is no function's name: leave arguments and wildcards out"
	case strings.HasSuffix(sym, ")"):
		return "names a type, not a function"
	case name == "", pkg == "" && strings.ContainsAny(s, "/."):
		return "names a package, not a function"
	case pkg == "" && strings.ToLower(s) != s:
		return "has no import path"
	}
	return ""
}

func (d *decoder) anyGoroutine(dst *bool) func(*node) {
	return func(n *node) {
		var w string
		d.word(&w, "goroutine", "crashing", "any")(n)
		*dst = w == "any"
	}
}

func (d *decoder) words(n *node, what string, words []string) []string {
	items := []*node{n}
	if n.kind == sequenceNode {
		items = n.items
	}
	var list []string
	for _, item := range items {
		var w string
		if d.word(&w, what, words...)(item); w != "" {
			list = append(list, w)
		}
	}
	return list
}

func (d *decoder) goroutines(n *node) *goroutines {
	g := &goroutines{AtLeast: 1}
	d.mapping(n, "goroutines", keys{
		"frames": d.symbols(&g.Frames, "frames"), "any_of": d.symbols(&g.AnyOf, "any_of"), "top": d.symbols(&g.Top, "top"),
		"creator": d.symbols(&g.Creator, "creator"), "state": d.listInto(&g.States, "state"), "wait": d.duration(&g.Wait, "wait"),
		"at_least": d.count(&g.AtLeast, "at_least", 1), "same_lock": d.boolean(&g.SameLock, "same_lock"),
	})
	if len(g.Frames)+len(g.AnyOf)+len(g.Top)+len(g.Creator)+len(g.States) == 0 {
		d.add(n.line, n.column, "goroutines needs frames, any_of, top, creator or state")
	}
	return g
}

// recordKeys are the keys that select records, wherever records are selected.
func (d *decoder) recordKeys(r *record) keys {
	return keys{
		"level":   d.word(&r.Level, "level", "trace", "debug", "info", "warn", "error", "fatal", "panic"),
		"module":  func(n *node) { r.Module = d.text(n, "module", isText) },
		"message": func(n *node) { r.Message = d.text(n, "message", isText) },
		"error":   func(n *node) { r.Error = d.text(n, "error", containsText) },
		"fields": func(n *node) {
			if n.kind != mappingNode {
				d.wrongKind(n, "fields", "a mapping")
				return
			}
			r.Fields = map[string]*text{}
			for _, p := range n.pairs {
				r.Fields[p.key] = d.text(p.value, p.key, isText)
			}
		},
	}
}

func (d *decoder) needsText(n *node, r *record) {
	if r.Message == nil && r.Error == nil {
		d.add(n.line, n.column, "a record needs a message or an error")
	}
}

func (d *decoder) record(n *node, what string) record {
	var r record
	if d.mapping(n, what, d.recordKeys(&r)) {
		d.needsText(n, &r)
	}
	return r
}

func (d *decoder) recordList(dst *[]record, what string) func(*node) {
	return func(n *node) {
		if n.kind == mappingNode {
			*dst = append(*dst, d.record(n, what))
			return
		}
		if n.kind != sequenceNode {
			d.wrongKind(n, what, "a record or a list of them")
		}
		for _, item := range n.items {
			*dst = append(*dst, d.record(item, what))
		}
	}
}

func (d *decoder) logs(n *node, what string) *logs {
	l := &logs{AtLeast: 1}
	want := d.recordKeys(&l.Record)
	want["at_least"] = d.count(&l.AtLeast, "at_least", 1)
	want["within"] = d.duration(&l.Within, "within")
	want["spans"] = d.duration(&l.Spans, "spans")
	want["same"] = d.listInto(&l.Same, "same")
	want["distinct"] = d.into(&l.Distinct, "distinct")
	want["without"] = d.recordList(&l.Without, "without")
	if d.mapping(n, what, want) {
		d.needsText(n, &l.Record)
	}
	return l
}

func (d *decoder) sequence(n *node) *sequence {
	s := &sequence{AtLeast: 1}
	want := keys{
		"record": func(n *node) { s.Record = d.record(n, "record") },
		"rises":  d.listInto(&s.Rises, "rises"), "falls": d.listInto(&s.Falls, "falls"),
		"differs": d.listInto(&s.Differs, "differs"), "same": d.listInto(&s.Same, "same"),
		"within": d.duration(&s.Within, "within"), "without": d.recordList(&s.Without, "without"),
		"at_least": d.count(&s.AtLeast, "at_least", 1),
	}
	if d.mapping(n, "sequence", want) && (!n.has("record") || len(s.Rises)+len(s.Falls) == 0) {
		d.add(n.line, n.column, "a sequence needs record, and rises or falls")
	}
	return s
}

// versionOf reads a name, or a mapping of a name and versions; Go needs no name.
func (d *decoder) versionOf(n *node, what, nameKey string) *versionOf {
	v := &versionOf{}
	if n.kind == scalarNode {
		s := d.scalar(n, what)
		if nameKey == "" {
			v.Name = "go"
			d.ranges(n, s, v)
		} else {
			v.Name = s
		}
		return v
	}
	want := keys{"versions": func(n *node) { d.ranges(n, d.scalar(n, "versions"), v) }}
	if nameKey != "" {
		want[nameKey] = d.into(&v.Name, nameKey)
	} else {
		v.Name = "go"
	}
	if d.mapping(n, what, want) && v.Name == "" {
		d.add(n.line, n.column, "%s needs %s", what, strconv.Quote(nameKey))
	}
	return v
}

func (d *decoder) ranges(n *node, s string, v *versionOf) {
	if _, err := parseRanges(s); err != nil {
		d.add(n.line, n.column, "%s", err)
		return
	}
	v.Versions = s
}
