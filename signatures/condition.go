package signatures

import (
	"time"

	"github.com/crashtriage/crashtriage/parse"
)

// condition is one node of the tree under "match:"; exactly one field is set. The
// language is described in docs/signatures.md, the evaluation in eval.go.
type condition struct {
	All []*condition `json:",omitempty"`
	Any []*condition `json:",omitempty"`
	Not *condition   `json:",omitempty"`

	// about one incident
	Kinds    []parse.Kind `json:",omitempty"`
	Message  *text        `json:",omitempty"`
	Signal   *text        `json:",omitempty"`
	Context  *text        `json:",omitempty"`
	Frames   *frames      `json:",omitempty"`
	AnyFrame *anyFrame    `json:",omitempty"`
	Top      []string     `json:",omitempty"`
	Creator  []string     `json:",omitempty"`

	// about goroutines of one shape
	Goroutines *goroutines `json:",omitempty"`

	// about the logs
	Log      *logs     `json:",omitempty"`
	Sequence *sequence `json:",omitempty"`

	// about growth and metrics that somebody wrote down
	Growth *growth `json:",omitempty"`
	Series *series `json:",omitempty"`

	// about the program
	Product *versionOf `json:",omitempty"`
	Module  *versionOf `json:",omitempty"`
	Go      *versionOf `json:",omitempty"`
	Exit    *exit      `json:",omitempty"`

	symbols []symbol // Top, Creator
}

// frames is a list of functions that have to stand in this order, innermost first, in one
// goroutine; others may stand between them.
type frames struct {
	Want         []string
	AnyGoroutine bool `json:",omitempty"` // not only the crashing one

	symbols []symbol
}

// anyFrame is a list of functions of which AtLeast have to stand in one goroutine.
type anyFrame struct {
	Want         []string
	AtLeast      int  // 0: two, or one of the owner's module
	AnyGoroutine bool `json:",omitempty"`

	symbols []symbol
}

// goroutines asks for shapes whose every property holds, and for how many goroutines have them.
type goroutines struct {
	Frames   []string      `json:",omitempty"` // in order
	AnyOf    []string      `json:",omitempty"` // one of these
	Top      []string      `json:",omitempty"` // the innermost frame that is not generic
	Creator  []string      `json:",omitempty"`
	States   []string      `json:",omitempty"`
	Wait     time.Duration `json:",omitempty"` // of the longest waiter of a shape
	AtLeast  int           // goroutines of all such shapes together
	SameLock bool          `json:",omitempty"` // at least AtLeast of them carry one first pointer

	frames, anyOf, top, creator []symbol
}

// record selects log records.
type record struct {
	Level   string           `json:",omitempty"`
	Module  *text            `json:",omitempty"`
	Message *text            `json:",omitempty"`
	Error   *text            `json:",omitempty"`
	Fields  map[string]*text `json:",omitempty"`
}

// logs asks for a number of records; with Within it is a burst.
type logs struct {
	Record  record
	AtLeast int
	Within  time.Duration `json:",omitempty"`
	Spans   time.Duration `json:",omitempty"` // from the first to the last of the counted, at least
	Same    []string      `json:",omitempty"` // fields that have to be equal among the counted
	// Distinct counts the values of a field instead of records.
	Distinct string   `json:",omitempty"`
	Without  []record `json:",omitempty"` // must not stand between the counted
}

// sequence asks for two records that follow one another among those selected.
type sequence struct {
	Record  record
	Rises   []string      `json:",omitempty"` // numeric fields that rise from the first to the second
	Falls   []string      `json:",omitempty"`
	Differs []string      `json:",omitempty"`
	Same    []string      `json:",omitempty"`
	Within  time.Duration `json:",omitempty"`
	Without []record      `json:",omitempty"` // must not stand between the two
	AtLeast int           // pairs
}

// growth asks for a stack whose count grew between two captures.
type growth struct {
	Frames []string
	By     int

	symbols []symbol
}

// series asks for a metric that rose and stayed up.
type series struct {
	Name    string
	RisesBy float64
	Keeps   float64 // share of the rise that is left at the end
}

// versionOf asks for a program or module, and for a version of it.
type versionOf struct {
	Name     string
	Versions string `json:",omitempty"` // ">= 1.9.0, < 1.9.2"

	ranges []versionRange
}

// exit asks how the process ended.
type exit struct {
	Code      *int `json:",omitempty"`
	OOMKilled bool `json:",omitempty"`
}

// walk visits the tree, parents first.
func (c *condition) walk(visit func(*condition)) {
	if c == nil {
		return
	}
	visit(c)
	for _, sub := range c.All {
		sub.walk(visit)
	}
	for _, sub := range c.Any {
		sub.walk(visit)
	}
	c.Not.walk(visit)
}

// compile prepares symbols, expressions and version ranges. What it returns was found
// when the pack was read already, with its position.
func (c *condition) compile() error {
	var first error
	note := func(err error) {
		if err != nil && first == nil {
			first = err
		}
	}
	texts := func(list ...*text) {
		for _, t := range list {
			if t != nil {
				note(t.compile())
			}
		}
	}
	records := func(list ...*record) {
		for _, r := range list {
			texts(r.Module, r.Message, r.Error)
			for _, t := range r.Fields {
				texts(t)
			}
		}
	}
	c.walk(func(c *condition) {
		texts(c.Message, c.Signal, c.Context)
		c.symbols = newSymbols(append(c.Top[:len(c.Top):len(c.Top)], c.Creator...))
		if f := c.Frames; f != nil {
			f.symbols = newSymbols(f.Want)
		}
		if f := c.AnyFrame; f != nil {
			f.symbols = newSymbols(f.Want)
		}
		if g := c.Goroutines; g != nil {
			g.frames, g.anyOf = newSymbols(g.Frames), newSymbols(g.AnyOf)
			g.top, g.creator = newSymbols(g.Top), newSymbols(g.Creator)
		}
		if g := c.Growth; g != nil {
			g.symbols = newSymbols(g.Frames)
		}
		if l := c.Log; l != nil {
			records(&l.Record)
			for i := range l.Without {
				records(&l.Without[i])
			}
		}
		if s := c.Sequence; s != nil {
			records(&s.Record)
			for i := range s.Without {
				records(&s.Without[i])
			}
		}
		for _, v := range []*versionOf{c.Product, c.Module, c.Go} {
			if v != nil {
				var err error
				v.ranges, err = parseRanges(v.Versions)
				note(err)
			}
		}
	})
	return first
}

func newSymbols(texts []string) []symbol {
	if len(texts) == 0 {
		return nil
	}
	list := make([]symbol, len(texts))
	for i, t := range texts {
		list[i] = newSymbol(t)
	}
	return list
}
