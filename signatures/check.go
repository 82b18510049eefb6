package signatures

import (
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// checkSignature refuses entries that could lie. The rules were learnt from a check of 722
// entries: nearly every false match came from one of these.
func (d *decoder) checkSignature(n *node, e *entry) {
	s := &e.Signature
	need := func(key string) {
		if !n.has(key) {
			d.add(n.line, n.column, "the signature %s needs %s", s.ID, key)
		}
	}
	for _, key := range []string{"id", "title", "kind", "fix", "confidence", "root_cause"} {
		need(key)
	}
	if s.Project == "" {
		need("project")
	}
	if s.Knowledge {
		if e.Match != nil {
			d.add(n.line, n.column, "knowledge never matches: leave match out")
		}
		return
	}
	if e.Match == nil {
		need("match")
		return
	}
	for _, p := range n.pairs {
		if p.key == "match" && len(d.faults.list) == 0 { // what was read in part only would look weaker than it is
			d.checkMatch(p.value, e)
		}
	}
}

// evidenceOf sums up what a match demands. Of alternatives it takes the weakest.
type evidenceOf struct {
	message   bool // any message
	distinct  bool // a message that not every program may print
	own       int  // functions that are not generic
	generics  int  // functions that are
	top       bool
	threshold bool // a count, a wait, a growth
	records   bool
	product   bool
}

func demands(c *condition, module string) evidenceOf {
	var x evidenceOf
	functions := func(list []string) {
		for _, f := range list {
			if pkg := newSymbolPackage(f); provesNothing(pkg, module) {
				x.generics++
			} else {
				x.own++
			}
		}
	}
	switch {
	case c.All != nil:
		for _, part := range c.All {
			p := demands(part, module)
			x.message = x.message || p.message
			x.distinct = x.distinct || p.distinct
			x.own += p.own
			x.generics += p.generics
			x.top = x.top || p.top
			x.threshold = x.threshold || p.threshold
			x.records = x.records || p.records
			x.product = x.product || p.product
		}
	case c.Any != nil:
		for i, part := range c.Any {
			p := demands(part, module)
			if i == 0 {
				x = p
				continue
			}
			x.message = x.message && p.message
			x.distinct = x.distinct && p.distinct
			x.own = min(x.own, p.own)
			x.generics = max(x.generics, p.generics)
			x.top = x.top && p.top
			// A record, a growth and a count are worth the same: either will do.
			either := (x.threshold || x.records) && (p.threshold || p.records)
			x.threshold, x.records = x.threshold && p.threshold || either, x.records && p.records || either
			x.product = x.product && p.product
		}
	case c.Message != nil:
		x.message = true
		x.distinct = !genericMessage(strings.Join(c.Message.needles(), "")) && !genericMessage(c.Message.needles()[0])
	case c.Context != nil:
		x.records = true
	case c.Frames != nil:
		functions(c.Frames.Want)
	case c.AnyFrame != nil:
		functions(c.AnyFrame.Want)
		if c.AnyFrame.AtLeast > 0 {
			x.own = min(x.own, c.AnyFrame.AtLeast)
		} else {
			x.own = min(x.own, 1)
		}
	case c.Top != nil:
		functions(c.Top[:1])
		x.top = true
	case c.Creator != nil:
		functions(c.Creator[:1])
	case c.Goroutines != nil:
		g := c.Goroutines
		functions(g.Frames)
		if len(g.AnyOf) > 0 {
			functions(g.AnyOf[:1])
		}
		if len(g.Top) > 0 {
			functions(g.Top[:1])
		}
		if len(g.Creator) > 0 {
			functions(g.Creator[:1])
		}
		x.threshold = g.AtLeast > 1 || g.Wait > 0
	case c.Log != nil:
		x.records = true
		x.threshold = c.Log.AtLeast > 1 || c.Log.Spans > 0
	case c.Sequence != nil:
		x.records, x.threshold = true, true
	case c.Growth != nil:
		functions(c.Growth.Frames)
		x.threshold = true
	case c.Product != nil:
		x.product = true
	}
	return x
}

func newSymbolPackage(f string) string {
	pkg, _ := parse.SplitSymbol(canonical(parse.Symbol(f)))
	return pkg
}

func (d *decoder) checkMatch(n *node, e *entry) {
	x := demands(e.Match, e.Module)
	fault := func(format string) { d.add(n.line, n.column, "%s", e.ID+": "+format) }
	if x.own == 0 && x.generics > 0 && !x.records && !x.distinct {
		fault("frames of the runtime and of packages below every program prove nothing: name a function of the owner")
	}
	switch e.Kind {
	case "panic", "fatal", "throw", "signal", "recovered":
		switch {
		case x.own == 0 && !x.records && !x.message:
			fault("a crash needs a message, frames or log records")
		case x.own == 0 && !x.records && !x.distinct && !x.product:
			fault("a message that every program may print needs frames, or product to be a candidate at all")
		case !x.message && !x.records && x.own < 2 && !x.top:
			fault("a crash without a message needs two functions that are not generic, or top")
		case x.own == 1 && !x.distinct && !x.top && !x.records:
			fault("one function and a message that every program may print: say top, or name a second function")
		}
	case "deadlock", "leak":
		if !x.threshold && !x.records {
			fault("a deadlock or leak needs goroutines with wait or at_least, growth, or log records: healthy programs show the same frames")
		}
	case "log":
		if !x.records {
			fault("a log entry needs log, burst or sequence")
		}
	case "race":
		if x.own == 0 {
			fault("a race needs a function that is not generic")
		}
	case "oom":
		if x.own == 0 && !x.records && !x.threshold && !x.distinct {
			fault("out of memory needs frames, records or growth")
		}
	}
	if e.Kind == "log" {
		d.checkThresholds(n, e)
	}
	main, own, under := false, 0, 0
	e.Match.walk(func(c *condition) {
		for _, f := range c.functions() {
			main = main || strings.HasPrefix(f, "main.")
			if !provesNothing(newSymbolPackage(f), e.Module) {
				own++
				if underEverything(f) {
					under++
				}
			}
		}
	})
	if own > 0 && under == own && !x.top && !x.distinct && !x.records && !x.threshold {
		fault("each of these functions stands under everything that the program does: name one that only this bug goes through")
	}
	if main && !x.product {
		fault("a function of main is the same in every program: ask for the product too")
	}
}

// functions are all that a condition names itself.
func (c *condition) functions() []string {
	list := slices.Concat(c.Top, c.Creator)
	if c.Frames != nil {
		list = append(list, c.Frames.Want...)
	}
	if c.AnyFrame != nil {
		list = append(list, c.AnyFrame.Want...)
	}
	if g := c.Goroutines; g != nil {
		list = slices.Concat(list, g.Frames, g.AnyOf, g.Top, g.Creator)
	}
	if c.Growth != nil {
		list = append(list, c.Growth.Frames...)
	}
	return list
}

// underEverything names functions that a program goes through whatever it does: main loops, handlers of every
// request, and what recovers from their panics.
func underEverything(f string) bool {
	_, name := parse.SplitSymbol(parse.Symbol(f))
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Run", "Main", "Start", "Serve", "ServeHTTP", "ListenAndServe", "leaderLoop", "handleCancelableRequest", "HandleCrash", "PanicHandler", "recoverPanic":
		return true
	}
	return false
}

// checkThresholds wants every log condition of a log entry to say how many records it takes.
func (d *decoder) checkThresholds(n *node, e *entry) {
	var visit func(*node)
	visit = func(n *node) {
		for _, p := range n.pairs {
			if (p.key == "log" || p.key == "burst") && p.value.kind == mappingNode && !p.value.has("at_least") {
				d.add(p.line, p.column, "%s: say at_least, even if one record is enough", e.ID)
			}
			visit(p.value)
		}
		for _, item := range n.items {
			visit(item)
		}
	}
	visit(n)
}
