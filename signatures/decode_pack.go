package signatures

import (
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// entry is a signature as a pack says it: what is documented, and the conditions. It is
// also the form in which the built-in packs are compiled into the program, as JSON.
type entry struct {
	Signature
	Match    *condition   `json:",omitempty"`
	Optional []*condition `json:",omitempty"`

	ref *ref
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
	if n := parseYAML(f, head, 1); n != nil && len(f.list) == 0 {
		d.head(n, p)
	}
	results := make([]part, len(chunks))
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(chunks)) {
		wg.Go(func() {
			quick := &plainReader{}
			for i := next.Add(1) - 1; i < int64(len(chunks)); i = next.Add(1) - 1 {
				results[i] = readChunk(f, p, chunks[i], quick)
			}
		})
	}
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
	// lines are those of the pack: the text is only put together for the parser that needs it.
	lines []string
}

// split cuts a pack into its head and the items of its two lists, by indentation alone. Each item
// is parsed by itself: a fault in one stays there, several can be reported, and the work
// spreads over the processors. The lines of the lists are empty in the head, so that lines
// keep their numbers. A list that is not written in block style stays in the head.
func split(lines []string) (head string, chunks []chunk) {
	var b strings.Builder
	written := 0 // lines
	keep := func(i int) {
		for ; written < i; written++ {
			b.WriteByte('\n')
		}
		b.WriteString(lines[i])
	}
	list, indent, start := "", -1, -1
	flush := func(end int) {
		if start >= 0 {
			chunks = append(chunks, chunk{list, start + 1, lines[start:end]})
		}
		start = -1
	}
	for i, line := range lines {
		column := indentOf(line)
		trimmed := line[column:]
		if trimmed == "" || trimmed[0] == '#' {
			if trimmed != "" && (list == "" || start < 0) {
				keep(i)
			}
			continue
		}
		if list != "" {
			item := trimmed == "-" || strings.HasPrefix(trimmed, "- ")
			switch {
			case indent < 0 && item:
				indent = column
				fallthrough
			case item && column == indent:
				flush(i)
				start = i
				continue
			case indent >= 0 && column > indent:
				continue
			}
			flush(i)
			list, indent = "", -1
		}
		keep(i)
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
	return b.String(), chunks
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
func readChunk(f *faults, p *pack, c chunk, quick *plainReader) (r part) {
	own := &faults{file: f.file, lines: f.lines}
	defer func() {
		if rec := recover(); rec != nil {
			own.add(c.line, 1, "the entry could not be read: %v", rec)
			r = part{errs: own.list}
		}
	}()
	n := quick.read(c.lines, c.line)
	if n == nil {
		n = parseYAML(own, strings.Join(c.lines, "\n"), c.line)
	}
	if n == nil || len(own.list) > 0 {
		return part{errs: own.list}
	}
	d := &decoder{own}
	for _, item := range n.items {
		switch c.list {
		case "signatures":
			if e := d.signature(item, p); e != nil && len(own.list) == 0 {
				e.Pack = f.file
				e.ref = newRef(e)
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

// sortedByID is used wherever a list leaves the package.
func sortedByID[T any](list []T, id func(T) string) []T {
	sort.SliceStable(list, func(i, j int) bool { return id(list[i]) < id(list[j]) })
	return list
}
