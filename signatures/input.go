package signatures

import (
	"github.com/crashtriage/crashtriage/parse"
)

// input is a capture made ready for questions. It belongs to one call of Match or
// Explain, and so does everything that it remembers.
type input struct {
	c    *parse.Capture
	opts MatchOptions

	names   map[string]name
	stacks  map[*parse.Frame][]name // of whole stacks, by their first frame
	records []*parse.Record
	byText  map[string][]int // positions in records by exact message
	loaded  bool

	// What a crash loop of thousands of incidents asks again and again.
	found  map[*record][]int // positions in records by selector
	byLogs []*ref            // signatures of which the logs, growth or metrics hold a word
	picked bool
}

// name is a printed function, normalised.
type name struct {
	symbol  string
	pkg     string
	closure bool
}

func newInput(c *parse.Capture, o MatchOptions) *input {
	return &input{c: c, opts: o, names: map[string]name{}, stacks: map[*parse.Frame][]name{}, found: map[*record][]int{}}
}

// maxNames bounds the memory for normalised names; beyond it they are normalised each time.
const maxNames = 200_000

func (in *input) name(f *parse.Frame) name {
	if n, ok := in.names[f.Function]; ok {
		return n
	}
	s, closure := parse.SymbolOf(f.Function)
	n := name{symbol: canonical(s), closure: closure}
	n.pkg, _ = parse.SplitSymbol(n.symbol)
	if len(in.names) < maxNames {
		in.names[f.Function] = n
	}
	return n
}

// stack is name for all frames of a stack, which many signatures ask for.
func (in *input) stack(frames []parse.Frame) []name {
	if len(frames) == 0 {
		return nil
	}
	list := in.stacks[&frames[0]]
	if len(list) < len(frames) {
		list = make([]name, len(frames))
		for i := range frames {
			list[i] = in.name(&frames[i])
		}
		in.stacks[&frames[0]] = list
	}
	return list[:len(frames)]
}

// is says whether the frame is a call of the function that a pack names.
func (in *input) is(f *parse.Frame, s *symbol) bool {
	return s.names(in.name(f))
}

func (s *symbol) names(n name) bool { return s.pattern.MatchesSymbol(n.symbol, n.closure) }

// load collects the records: those that the reader kept, and those just before an incident.
func (in *input) load() {
	if in.loaded {
		return
	}
	in.loaded = true
	in.byText = map[string][]int{}
	type place struct {
		source string
		line   int
	}
	seen := map[place]bool{}
	add := func(r *parse.Record) {
		p := place{r.Source, r.Line}
		if r == nil || r.Line > 0 && seen[p] {
			return
		}
		seen[p] = true
		in.byText[r.Message] = append(in.byText[r.Message], len(in.records))
		in.records = append(in.records, r)
	}
	for _, r := range in.c.Logs.Kept {
		if r != nil {
			add(r)
		}
	}
	for _, inc := range in.c.Incidents {
		for _, l := range inc.Context {
			if l.Record != nil {
				r := *l.Record
				if r.Source == "" {
					r.Source = inc.Source
				}
				if r.Line == 0 {
					r.Line = l.Line
				}
				add(&r)
			}
		}
	}
}
