package signatures

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/crashtriage/crashtriage/parse"
)

// DraftOptions are what the author of a signature knows better than the crash tells.
type DraftOptions struct {
	ID, Project, Module string // "" leaves them to the draft
	AsOf                string // the month of today, "2026-09": what is unknown is unknown as of then
	// Clean takes secrets out of a text that came from the input; nil leaves it. The draft itself keeps
	// nothing of a crash but its headline with invented values, its functions and their lines.
	Clean func(string) string
	Match MatchOptions
}

// Draft is a pack with one signature, made from a crash.
type Draft struct {
	ID   string
	YAML string
	// Supersedes names the signatures that already match the crash.
	Supersedes []string
}

// DraftError says why an incident makes no signature, and what to do about it.
type DraftError struct {
	Why  string
	Hint string // "" when there is nothing to do
}

func (e *DraftError) Error() string { return e.Why }

const (
	onlyCrashes = "only crashes can be drafted: "
	howLeaks    = "write one by hand: which goroutines are too many, or wait too long, is a number that one dump cannot tell (docs/signatures.md, goroutines)"
)

// undraftable says why an incident makes no signature; nil when it can be tried.
func undraftable(inc *parse.Incident) error {
	switch inc.Kind {
	case parse.KindTestTimeout:
		return &DraftError{onlyCrashes + "a test that timed out shows goroutines that wait, and not which of them is the fault", howLeaks}
	case parse.KindGoroutineDump, parse.KindGoroutineProfile:
		return &DraftError{onlyCrashes + "this is a list of goroutines, of which nothing died", howLeaks}
	case parse.KindSignal:
		if name, _, _ := strings.Cut(inc.Headline, ":"); slices.Contains(askedFor, name) {
			return &DraftError{onlyCrashes + "somebody asked for this dump by " + name, howLeaks}
		}
	}
	switch {
	case inc.Headline == "":
		return &DraftError{"the line above the first goroutine is missing, and with it the kind and the message of the crash", "collect " + collectHeadline}
	case len(inc.Stack) == 0 && len(inc.Races) == 0:
		return &DraftError{"the crash has no stack, and a message alone never decides", "collect " + collectStack}
	}
	return nil
}

// askedFor are signals that people and supervisors send.
var askedFor = []string{"SIGQUIT", "SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGKILL"}

// Drafting says why no signature can be drafted from an incident; nil when it can be tried.
func Drafting(inc *parse.Incident) error {
	d := &draft{inc: inc}
	if err := undraftable(inc); err != nil {
		return err
	}
	return d.functions()
}

// draft is a signature on its way.
type draft struct {
	inc  *parse.Incident
	c    *parse.Capture
	opts DraftOptions
	say  *saying

	id, title, kind          string
	project, module, product string
	guessed                  string // how project and module were found, when nothing says so
	version                  string // of the product
	seen                     []string

	lists   [][]string // functions in order, a list for each stack that has to show them
	blame   string     // the first of the first list
	creator string
	inMain  bool // a function of main is evidence, so the product is, too

	message    *text
	top        bool
	supersedes []string
}

// Draft makes a signature of an incident. It is complete: what it demands, this crash fulfils; what
// nobody told it is marked unknown. It has been read again as a pack, its examples have been run, and it comes
// first of all signatures for the incident. The error says what the incident lacks.
func (db *DB) Draft(c *parse.Capture, inc *parse.Incident, o DraftOptions) (*Draft, error) {
	if o.Clean == nil {
		o.Clean = func(s string) string { return s }
	}
	d := &draft{inc: inc, c: c, opts: o}
	if err := undraftable(inc); err != nil {
		return nil, err
	}
	if err := d.functions(); err != nil {
		return nil, err
	}
	d.say = sayingOf(inc)
	d.kind = d.kindOf()
	if err := d.name(db); err != nil {
		return nil, err
	}
	var last error
	for _, d.message = range d.say.patterns() {
		if m := d.message; m != nil && o.Clean(m.Is+m.Regexp) != m.Is+m.Regexp {
			continue // a condition is to be shown as much as the example
		}
		for _, d.top = range []bool{d.message == nil || genericMessage(d.say.text), true} {
			d.supersedes = nil
			for range 3 { // once for what matches the crash already, once for what matches the example
				text := d.pack()
				before, err := d.try(text)
				if err == nil && len(before) == 0 {
					return &Draft{ID: d.id, YAML: text, Supersedes: d.supersedes}, nil
				}
				last = err
				if len(before) == 0 {
					break
				}
				d.supersedes = unique(append(d.supersedes, before...))
			}
		}
	}
	return nil, fmt.Errorf("nothing that can be said of this crash finds it again: %w", last)
}

// try reads the pack as lint does, runs its examples and asks for the crash. It returns the
// signatures that the knowledge base would name first.
func (d *draft) try(text string) (before []string, _ error) {
	db, err := Load(Source{Name: "draft.yaml", Data: []byte(text)})
	if err != nil {
		return nil, err
	}
	sig := db.Lookup(d.id)
	if sig == nil || len(sig.Examples) != 2 {
		return nil, errors.New("the draft was not read")
	}
	matches := db.Match(d.c, d.opts.Match).ByIncident[d.inc]
	i := slices.IndexFunc(matches, func(m Match) bool { return m.Signature == sig })
	for _, m := range matches {
		if m.Signature == sig {
			break
		}
		before = append(before, m.Signature.ID)
	}
	switch {
	case i < 0: // another may have said all that it says, and more
		return before, errors.New("the draft does not match the crash")
	case i > 0:
		return before, errors.New("others match it better")
	}
	for _, ex := range sig.Examples {
		if others := db.Claims(sig, ex); len(others) > 0 {
			return others, errors.New("others claim the example")
		}
		if why := db.Try(sig, ex); why != "" {
			return nil, fmt.Errorf("the example %q %s", ex.Name, why)
		}
	}
	return nil, nil
}

func (d *draft) kindOf() string {
	switch d.inc.Kind {
	case parse.KindFatal, parse.KindThrow:
		if strings.Contains(d.inc.Reason, "out of memory") || strings.Contains(d.inc.Reason, "cannot allocate memory") {
			return "oom"
		}
		return string(d.inc.Kind)
	case parse.KindSignal, parse.KindRace:
		return string(d.inc.Kind)
	}
	if d.say.foreign {
		return "recovered"
	}
	return "panic"
}

// maxOwn is how many functions a draft asks for: the one that did it and its callers. More would tie it to
// one way of many through the program.
const maxOwn = 3

// functions finds the evidence: functions of the program's own, innermost first.
func (d *draft) functions() error {
	inc := d.inc
	if len(inc.Races) > 0 {
		for _, r := range inc.Races {
			if len(d.lists) < 2 && accesses(r.Title) {
				if list := d.own(r.Stack, 2); len(list) > 0 && !slices.ContainsFunc(d.lists, func(l []string) bool { return slices.Equal(l, list) }) {
					d.lists = append(d.lists, list)
				}
			}
		}
	} else if inc.Blame != nil {
		for i := range inc.Stack {
			if &inc.Stack[i] == inc.Blame || inc.Stack[i].SourceLine == inc.Blame.SourceLine && inc.Stack[i].Function == inc.Blame.Function {
				d.lists = [][]string{d.own(inc.Stack[i:], maxOwn)}
				break
			}
		}
	}
	if len(d.lists) == 0 || len(d.lists[0]) == 0 {
		d.lists = nil
		return &DraftError{
			"no function of the stack is the program's own: all belong to the runtime, to the standard library or to what stands in every program",
			"collect all goroutines (GOTRACEBACK=all): the function that called these, or started them, may be in another one",
		}
	}
	d.blame = d.lists[0][0]
	d.inMain = strings.HasPrefix(d.blame, "main.")
	for _, list := range d.lists {
		d.inMain = d.inMain || strings.HasPrefix(list[0], "main.")
	}
	if f := inc.CreatedBy; f != nil && len(d.lists[0]) < maxOwn && len(inc.Races) == 0 {
		name := packName(f.Function)
		if telling(f, name, "") && name != "main.main" && (d.inMain || !strings.HasPrefix(name, "main.")) {
			d.creator = name
		}
	}
	return nil
}

// accesses tells the two sides of a race from the places where their goroutines were started.
func accesses(title string) bool {
	title = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(title), "[failed to restore the stack]"))
	for _, word := range []string{"read at", "write at", "previous ", "atomic read", "atomic write"} {
		if strings.HasPrefix(title, word) {
			return true
		}
	}
	return false
}

// own returns up to n different functions of the program, innermost first. Those of main, which are the
// same in every program, are taken only where the innermost is one.
func (d *draft) own(stack []parse.Frame, n int) (list []string) {
	module := ""
	for i := range stack {
		f := &stack[i]
		name := packName(f.Function)
		if module == "" && !f.Std {
			module = moduleOf(f)
		}
		if !telling(f, name, module) || slices.Contains(list, name) {
			continue
		}
		if len(list) > 0 && (name == "main.main" || strings.HasPrefix(name, "main.") && !strings.HasPrefix(list[0], "main.")) {
			continue
		}
		if list = append(list, name); len(list) == n {
			break
		}
	}
	return list
}

// telling says whether a function proves anything, and can be written into a pack.
func telling(f *parse.Frame, name, module string) bool {
	pkg := newSymbolPackage(name)
	return !f.Std && pkg != "" && !provesNothing(pkg, module) && symbolFault(name) == "" && printable(name)
}

// packName is a function as packs name it: a closure by its function and ".func1".
func packName(function string) string {
	name := parse.Symbol(function)
	if parse.IsClosure(function) {
		name += ".func1"
	}
	return name
}

func printable(s string) bool {
	return len(s) <= 300 && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) < 0
}
