package parse

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Where a fact was read, strongest first. Product.How and Fact.How are one of
// these, or name a frame ("GOROOT path", "frame path", "guess from …").
const (
	howInfo     = "consul info"
	howBanner   = "agent banner"
	howVersion  = "version output" // of products it is "consul version", "vault version", …
	howStart    = "start record"
	howImage    = "image tag"
	howStated   = "stated in text"          // "Consul version: 1.18.1" alone on its line
	howSentence = "mentioned in a sentence" // "we upgraded to Consul 1.18.1"
)

// Bounds of one source's facts.
const (
	maxProducts = 200
	maxFacts    = 100 // of one kind
	maxModules  = 5000
	maxExits    = 200
)

// factScanner gathers what the text around the incidents says about the
// program: line sees every line that is no part of one, record every structured
// record, frame the frames of the buckets.
type factScanner struct {
	source   string
	f        Facts
	info     infoBlock
	banner   banner
	modules  map[[2]string]bool
	atLeast  string // lowest Go release that the frames allow, "1.24"
	atWhy    string
	atLine   int
	ansi     []byte
	exitPrev int // line of the last exit
}

func newFactScanner(source string) *factScanner {
	return &factScanner{source: source, modules: make(map[[2]string]bool)}
}

// line reads one line without its wrapper.
func (s *factScanner) line(body []byte, no int) {
	if len(body) > 2 && body[0] == '{' && body[2] == '@' { // an hclog record: record sees it
		return
	}
	if bytes.IndexByte(body, 0x1b) >= 0 {
		s.ansi = stripANSI(s.ansi[:0], body)
		body = s.ansi
	}
	b := trimSpace(body)
	if len(b) > 4096 { // facts stand in short lines
		b = b[:4096]
	}
	for len(b) > 0 && (b[0] == '>' || b[0] == '`') { // quoted, inline code
		b = trimLeft(b[1:])
	}
	for len(b) > 0 && (b[len(b)-1] == '`' || b[len(b)-1] == ',') {
		b = trimRight(b[:len(b)-1])
	}
	if len(b) == 0 {
		return
	}
	if b[0] == '{' { // a record, or compact JSON of a pod's state
		if len(b) > 8 && b[1] == '"' && b[2] != '@' {
			s.exits(b, no)
		}
		return
	}
	if s.info.line(b, no) {
		return
	}
	s.endInfo()
	if isDigit(b[0]) { // a log line, or a number
		if _, _, ok := timestamp(b); ok {
			if !bytes.Contains(b[:min(len(b), 48)], []byte("[")) {
				s.exits(b, no)
			}
			return
		}
	}
	if s.bannerLine(b, no) || s.versionOutput(b, no) || s.moduleLine(b, no) {
		return
	}
	s.exits(b, no)
	if keyEnd(b) == 0 { // pairs are a record: record sees it
		s.mentions(b, no)
	}
}

// finish ends the source.
func (s *factScanner) finish() { s.endInfo() }

// facts returns what was found, in order of appearance.
func (s *factScanner) facts() Facts {
	f := s.f
	f.Products = slices.Clone(s.f.Products)
	f.Go = slices.Clone(s.f.Go)
	if len(f.Go) == 0 && s.atLeast != "" {
		f.Go = []Fact{{Value: "go" + s.atLeast + " or newer", How: s.atWhy, Source: s.source, Line: s.atLine}}
	}
	return normalFacts(f)
}

// mergeFacts joins the facts of two sources, a's before b's.
func mergeFacts(a, b Facts) Facts {
	f := Facts{
		Products: slices.Concat(a.Products, b.Products), Go: slices.Concat(a.Go, b.Go),
		OS: slices.Concat(a.OS, b.OS), Arch: slices.Concat(a.Arch, b.Arch),
		Modules: slices.Concat(a.Modules, b.Modules), Goroutines: slices.Concat(a.Goroutines, b.Goroutines),
		Exits: slices.Concat(a.Exits, b.Exits),
	}
	return normalFacts(f)
}

// normalFacts drops doubles and what something stronger makes worthless, and orders
// the rest: by source as handed in, then line.
func normalFacts(f Facts) Facts {
	order := make(map[string]int) // sources in order of appearance over all lists
	rank := func(source string) int {
		if _, ok := order[source]; !ok {
			order[source] = len(order)
		}
		return order[source]
	}
	for i := range f.Products {
		rank(f.Products[i].Source)
	}
	slices.SortStableFunc(f.Products, func(x, y Product) int {
		return cmp.Or(cmp.Compare(rank(x.Source), rank(y.Source)), cmp.Compare(x.Line, y.Line))
	})
	// A version that prose mentions may be any ("fixed in 1.20.0"): it stands only
	// where the program itself, or its image, says nothing.
	best := make(map[string]int)
	for _, p := range f.Products {
		best[p.Name] = max(best[p.Name], p.strength())
	}
	type key struct{ source, name, version, metadata, role string }
	index := make(map[key]int)
	products := f.Products[:0:0]
	for _, p := range f.Products {
		if p.strength() <= 1 && best[p.Name] > 1 {
			continue
		}
		k := key{p.Source, p.Name, p.Version, p.Metadata, p.Role}
		if i, ok := index[k]; ok {
			// The same again: the stronger saying stays, with its own line.
			if p.strength() > products[i].strength() {
				products[i] = p
			}
			continue
		}
		index[k] = len(products)
		products = append(products, p)
	}
	f.Products = products
	f.Go = normalList(f.Go)
	f.OS = normalList(f.OS)
	f.Arch = normalList(f.Arch)
	// What is guessed from a frame, or mentioned in prose, is worth nothing beside a version that was printed.
	if slices.ContainsFunc(f.Go, func(x Fact) bool { return !isGuess(x) && x.How != howSentence }) {
		f.Go = slices.DeleteFunc(f.Go, func(x Fact) bool { return isGuess(x) || x.How == howSentence })
	}
	f.Modules = slices.Clone(f.Modules)
	slices.SortStableFunc(f.Modules, func(x, y Module) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), strings.Compare(x.Version, y.Version))
	})
	f.Modules = slices.CompactFunc(f.Modules, func(x, y Module) bool { return x.Path == y.Path && x.Version == y.Version })
	return f
}

func isGuess(f Fact) bool { return strings.HasPrefix(f.How, "guess") }

// normalList drops a value that the same source said before in the same way.
func normalList(list []Fact) []Fact {
	seen := make(map[[3]string]bool, len(list))
	out := list[:0:0]
	for _, f := range list {
		k := [3]string{f.Source, f.Value, f.How}
		if !seen[k] {
			seen[k] = true
			out = append(out, f)
		}
	}
	return out
}

// strength ranks how a product's version is known: 3 the program's own output,
// 2 an image tag or a line that states it, 1 a mention in a sentence.
func (p *Product) strength() int {
	switch p.How {
	case howSentence:
		return 1
	case howImage, howStated:
		return 2
	}
	return 3
}

// Product returns the best known version of a product: the program's own output
// before an image tag or a statement, these before a mention; among equals the
// last one said, because a log that shows an upgrade ends with the newer. ok is
// false if the text names none.
func (f *Facts) Product(name string) (p Product, ok bool) {
	for _, x := range f.Products {
		if x.Name == name && (!ok || x.strength() >= p.strength()) {
			p, ok = x, true
		}
	}
	return p, ok
}

func (s *factScanner) product(p Product) *Product {
	if len(s.f.Products) >= maxProducts {
		return nil
	}
	for i := range s.f.Products { // a line said again a thousand times is one fact
		q := &s.f.Products[i]
		if q.Name == p.Name && q.Version == p.Version && q.Metadata == p.Metadata && q.How == p.How && (q.Role == p.Role || p.Role == "") {
			return q
		}
	}
	p.Source = s.source
	s.f.Products = append(s.f.Products, p)
	return &s.f.Products[len(s.f.Products)-1]
}

func (s *factScanner) fact(list *[]Fact, value, how string, no int) {
	if value == "" || len(*list) >= maxFacts {
		return
	}
	for i := range *list {
		if (*list)[i].Value == value && (*list)[i].How == how {
			return
		}
	}
	*list = append(*list, Fact{Value: value, How: how, Source: s.source, Line: no})
}

func (s *factScanner) platform(os, arch, how string, no int) {
	s.fact(&s.f.OS, os, how, no)
	s.fact(&s.f.Arch, arch, how, no)
}

func (s *factScanner) module(path, version string, no int) {
	k := [2]string{path, version}
	if s.modules[k] || len(s.f.Modules) >= maxModules {
		return
	}
	s.modules[k] = true
	s.f.Modules = append(s.f.Modules, Module{Path: path, Version: version, Source: s.source, Line: no})
}

// moduleLine reads "github.com/hashicorp/go-memdb v1.3.4" as go.mod, go.sum, "go list -m"
// and "go version -m" print it.
func (s *factScanner) moduleLine(b []byte, no int) bool {
	b = bytes.TrimPrefix(b, []byte("require "))
	for _, p := range []string{"dep\t", "dep ", "mod\t", "mod ", "=>\t"} {
		if hasPrefix(b, p) {
			b = trimLeft(b[len(p):])
		}
	}
	path, rest := firstWord(b)
	if len(rest) == 0 || bytes.IndexByte(path, '/') < 0 || bytes.IndexByte(path, ':') >= 0 {
		return false
	}
	host, _ := cutByte(path, '/')
	if !isHost(string(host)) || host[0] == '.' {
		return false
	}
	version, after := firstWord(trimLeft(rest))
	v := strings.TrimSuffix(string(version), "/go.mod")
	if !isModuleVersion(v) {
		return false
	}
	after = trimLeft(after)
	if len(after) > 0 && !hasPrefix(after, "//") && !hasPrefix(after, "h1:") && !hasPrefix(after, "=>") {
		return false
	}
	s.module(string(path), v, no)
	return true
}
