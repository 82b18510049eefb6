package signatures

import (
	"runtime"
	"sort"
	"strings"
	"sync"
)

// entry is a signature as a pack says it: what is documented, and the conditions. It is
// also the form in which the built-in packs are compiled into the program, as JSON.
type entry struct {
	Signature
	Match    *condition   `json:",omitempty"`
	Optional []*condition `json:",omitempty"`
}

// familyEntry is a family as a pack says it.
type familyEntry struct {
	Family
	Messages []*text  `json:",omitempty"`
	Kinds    []string `json:",omitempty"` // incident kinds; empty means any that died or was recovered
	// Fallback families are asked after all others, in order of the number.
	Fallback int `json:",omitempty"`
}

// pack is one file of knowledge.
type pack struct {
	name       string
	asOf       string
	project    string
	module     string
	product    string
	signatures []*entry
	families   []*familyEntry
}

// readPack reads a pack. It never fails as a whole unless the file is no pack at all: what is
// wrong with one entry leaves the others alone.
func readPack(src Source) (p *pack, errs Errors) {
	text := string(src.Data)
	f := &faults{file: src.Name}
	p = &pack{name: src.Name}
	defer func() {
		if r := recover(); r != nil { // a bug here must not take the other packs along
			f.add(0, 0, "the pack could not be read: %v", r)
			errs = f.list
		}
	}()
	if len(src.Data) > maxPack {
		f.add(0, 0, "the pack is larger than %d MiB", maxPack>>20)
		return p, f.list
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.Contains(text, "\r") { // alone it is a line break too, in YAML
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	f.lines = strings.Split(text, "\n")
	head, chunks := split(f.lines)
	d := &decoder{f}
	if n := parseYAML(f, strings.Join(head, "\n"), 1); n != nil && len(f.list) == 0 {
		d.head(n, p)
	}
	results := make([]part, len(chunks))
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(chunks)) {
		wg.Go(func() {
			for i := range next {
				results[i] = readChunk(f, p, chunks[i])
			}
		})
	}
	for i := range chunks {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, r := range results {
		p.signatures = append(p.signatures, r.signatures...)
		p.families = append(p.families, r.families...)
		f.list = append(f.list, r.errs...)
	}
	if len(f.list) > maxProblems {
		f.list = f.list[:maxProblems]
	}
	return p, f.list.sorted()
}

// part is what came out of a chunk.
type part struct {
	signatures []*entry
	families   []*familyEntry
	errs       Errors
}

// chunk is one item of "signatures:" or "families:".
type chunk struct {
	list string
	line int // of the first line, from 1
	text string
}

// split cuts a pack into its head and the items of its two lists, by indentation alone. Each item
// is parsed by itself: a fault in one stays there, several can be reported, and the work
// spreads over the processors. The lines of the lists are empty in the head, so that lines
// keep their numbers. A list that is not written in block style stays in the head.
func split(lines []string) (head []string, chunks []chunk) {
	head = make([]string, len(lines))
	copy(head, lines)
	list, indent, start := "", -1, -1
	flush := func(end int) {
		if start >= 0 {
			chunks = append(chunks, chunk{list, start + 1, strings.Join(lines[start:end], "\n")})
		}
		start = -1
	}
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " ")
		column := len(line) - len(trimmed)
		if trimmed == "" || trimmed[0] == '#' {
			if list != "" && start >= 0 {
				head[i] = ""
			}
			continue
		}
		item := trimmed == "-" || strings.HasPrefix(trimmed, "- ")
		if list != "" {
			switch {
			case indent < 0 && item:
				indent = column
				fallthrough
			case item && column == indent:
				flush(i)
				start = i
				head[i] = ""
				continue
			case indent >= 0 && column > indent:
				head[i] = ""
				continue
			}
			flush(i)
			list, indent = "", -1
		}
		if column == 0 {
			key, rest, _ := strings.Cut(line, ":")
			if (key == "signatures" || key == "families") && (strings.TrimSpace(rest) == "" || strings.HasPrefix(strings.TrimSpace(rest), "#")) {
				list = key
			}
		}
	}
	if list != "" {
		flush(len(lines))
	}
	return head, chunks
}

// head reads what stands outside the lists.
func (d *decoder) head(n *node, p *pack) {
	if n.kind == nullNode {
		d.add(1, 1, "the pack is empty")
		return
	}
	nothing := func(what string) func(*node) {
		return func(n *node) {
			if n.kind != nullNode {
				d.add(n.line, n.column, "%s has to be a list, one entry a block", what)
			}
		}
	}
	d.mapping(n, "a pack", keys{
		"pack": d.into(&p.name, "pack"), "as_of": d.month(&p.asOf, "as_of"),
		"project": d.into(&p.project, "project"), "module": d.into(&p.module, "module"), "product": d.into(&p.product, "product"),
		"signatures": nothing("signatures"), "families": nothing("families"),
	})
}

// readChunk reads one entry. The pack's defaults are read-only here.
func readChunk(f *faults, p *pack, c chunk) (r part) {
	own := &faults{file: f.file, lines: f.lines}
	defer func() {
		if rec := recover(); rec != nil {
			own.add(c.line, 1, "the entry could not be read: %v", rec)
			r = part{errs: own.list}
		}
	}()
	n := parseYAML(own, c.text, c.line)
	if n == nil || len(own.list) > 0 {
		return part{errs: own.list}
	}
	d := &decoder{own}
	for _, item := range n.items {
		switch c.list {
		case "signatures":
			if e := d.signature(item, p); e != nil && len(own.list) == 0 {
				e.Pack = f.file
				r.signatures = append(r.signatures, e)
			}
		case "families":
			if e := d.family(item); e != nil && len(own.list) == 0 {
				e.Pack = f.file
				r.families = append(r.families, e)
			}
		}
	}
	r.errs = own.list
	return r
}

// signatureKinds are how a bug can show itself.
var signatureKinds = []string{"panic", "fatal", "throw", "signal", "race", "recovered", "deadlock", "leak", "oom", "log"}

// signature reads one entry and checks it.
func (d *decoder) signature(n *node, p *pack) *entry {
	e := &entry{}
	s := &e.Signature
	s.Project, s.Module, s.Product = p.project, p.module, p.product
	s.Line = n.line
	confidence := ""
	ok := d.mapping(n, "a signature", keys{
		"id": d.id(&s.ID, "id"), "aliases": d.ids(&s.Aliases, "aliases"), "title": d.into(&s.Title, "title"),
		"project": d.into(&s.Project, "project"), "module": d.into(&s.Module, "module"), "product": d.into(&s.Product, "product"),
		"kind":  d.word(&s.Kind, "kind", signatureKinds...),
		"match": func(n *node) { e.Match = d.condition(n) },
		"optional": func(n *node) {
			e.Optional = d.conditions(n, "optional")
		},
		"supersedes": d.ids(&s.Supersedes, "supersedes"),
		"root_cause": d.into(&s.RootCause, "root_cause"), "owner": d.into(&s.Owner, "owner"), "issue": d.into(&s.Issue, "issue"),
		"fix":        func(n *node) { d.fix(n, s, p) },
		"affected":   func(n *node) { d.affected(n, s) },
		"workaround": d.into(&s.Workaround, "workaround"), "confidence": d.word(&confidence, "confidence", "high", "medium", "low"),
		"sources": d.listInto(&s.Sources, "sources"), "notes": d.into(&s.Notes, "notes"),
		"knowledge": d.boolean(&s.Knowledge, "knowledge"),
		"examples":  func(n *node) { s.Examples = d.examples(n) },
	})
	if !ok {
		return nil
	}
	s.Confidence = Confidence(confidence)
	if s.Product == "" {
		s.Product = s.Project
	}
	d.checkSignature(n, e)
	return e
}

func (d *decoder) id(dst *string, what string) func(*node) {
	return func(n *node) {
		s := d.scalar(n, what)
		if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || len(s) > 100 {
			d.add(n.line, n.column, "%s has to consist of a-z, 0-9 and -", what)
			return
		}
		*dst = s
	}
}

func (d *decoder) ids(dst *[]string, what string) func(*node) {
	return func(n *node) {
		for _, item := range append([]*node{n}, n.items...) {
			if item == n && n.kind == sequenceNode {
				continue
			}
			var s string
			if d.id(&s, what)(item); s != "" {
				*dst = append(*dst, s)
			}
		}
	}
}

// fix reads what is known about the fix. Exactly one of fixed_in and release is given: a list of
// versions, or why there is none.
func (d *decoder) fix(n *node, s *Signature, p *pack) {
	x := &s.Fix
	state := ""
	x.AsOf = p.asOf
	ok := d.mapping(n, "fix", keys{
		"url": d.into(&x.URL, "url"), "state": d.word(&state, "state", "open", "merged", "closed", "none-known", "unknown"),
		"fixed_in": func(n *node) {
			if n.kind != sequenceNode {
				d.wrongKind(n, "fixed_in", "a list of {module, line, version}")
				return
			}
			for _, item := range n.items {
				x.FixedIn = append(x.FixedIn, d.fixedIn(item, "fixed_in"))
			}
		},
		"not_fixed": func(n *node) {
			x.NotFixed = d.list(n, "not_fixed")
			for _, line := range x.NotFixed {
				if _, err := parseLine(line); err != nil {
					d.add(n.line, n.column, "%s", err)
				}
			}
		},
		"release": d.word(&x.Release, "release", "none", "unreleased", "unknown"),
		"as_of":   d.month(&x.AsOf, "as_of"), "note": d.into(&x.Note, "note"),
	})
	if !ok {
		return
	}
	x.State = FixState(state)
	switch {
	case !n.has("state"):
		d.add(n.line, n.column, "fix needs a state")
	case len(x.FixedIn) > 0 && x.Release != "":
		d.add(n.line, n.column, "fix has both fixed_in and release: release says why there is no version")
	case len(x.FixedIn) == 0 && x.Release == "" && !n.has("fixed_in"):
		d.add(n.line, n.column, "fix needs fixed_in, or release: none, unreleased or unknown")
	case x.Release == "none" && x.State == FixMerged:
		d.add(n.line, n.column, "a merged fix is not none: say release: unreleased or unknown")
	case x.AsOf == "":
		d.add(n.line, n.column, "fix needs as_of, or the pack does: knowledge ages")
	}
}

func (d *decoder) fixedIn(n *node, what string) FixedIn {
	var f FixedIn
	ok := d.mapping(n, what, keys{
		"module": d.into(&f.Module, "module"),
		"line": func(n *node) {
			s := d.scalar(n, "line")
			if _, err := parseLine(s); err != nil {
				d.add(n.line, n.column, "%s", err)
				return
			}
			f.Line = s
		},
		"version": func(n *node) { f.Version = d.version(n, "version") },
	})
	if !ok {
		return f
	}
	if !n.has("version") {
		d.add(n.line, n.column, "%s needs a version", what)
	}
	if f.Line != "" && f.Version != "" {
		line, _ := parseLine(f.Line)
		if v, err := parseVersion(f.Version); err == nil && !onLine(v, line) {
			d.add(n.line, n.column, "%s is not on the line %s", f.Version, f.Line)
		}
	}
	return f
}

func (d *decoder) affected(n *node, s *Signature) {
	a := &s.Affected
	if n.kind == scalarNode {
		a.Text = d.scalar(n, "affected")
		return
	}
	d.mapping(n, "affected", keys{
		"text": d.into(&a.Text, "text"), "reported_on": d.versionList(&a.ReportedOn, "reported_on"),
		"evidence_until": func(n *node) { a.EvidenceUntil = d.version(n, "evidence_until") },
		"introduced_in": func(n *node) {
			if n.kind != sequenceNode {
				d.wrongKind(n, "introduced_in", "a list of {module, line, version}")
			}
			for _, item := range n.items {
				if item.kind == scalarNode {
					a.IntroducedIn = append(a.IntroducedIn, FixedIn{Version: d.version(item, "introduced_in")})
					continue
				}
				a.IntroducedIn = append(a.IntroducedIn, d.fixedIn(item, "introduced_in"))
			}
		},
	})
}

func (d *decoder) examples(n *node) []Example {
	if n.kind != sequenceNode {
		d.wrongKind(n, "examples", "a list")
		return nil
	}
	var list []Example
	for _, item := range n.items {
		x := Example{Line: item.line}
		status := ""
		ok := d.mapping(item, "an example", keys{
			"name":   d.into(&x.Name, "name"),
			"status": d.word(&status, "status", string(Affected), string(FixedHere), string(BeyondEvidence), string(VersionUnknown), string(Candidate)),
			"match": func(n *node) {
				x.Match = true
				x.Text = d.raw(n, "match")
			},
			"near_miss": func(n *node) { x.Text = d.raw(n, "near_miss") },
		})
		if ok && item.has("match") == item.has("near_miss") {
			d.add(item.line, item.column, "an example is either a match or a near_miss")
		}
		x.Status = Status(status)
		list = append(list, x)
	}
	return list
}

// raw reads a text as it stands, with its blanks.
func (d *decoder) raw(n *node, what string) string {
	if d.scalar(n, what) == "" {
		return ""
	}
	return n.text
}

// sortedByID is used wherever a list leaves the package.
func sortedByID[T any](list []T, id func(T) string) []T {
	sort.SliceStable(list, func(i, j int) bool { return id(list[i]) < id(list[j]) })
	return list
}
