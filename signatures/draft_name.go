package signatures

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// name finds out what the program is called and which of its versions was seen, and proposes an id.
func (d *draft) name(db *DB) error {
	d.module = d.opts.Module
	blamed := d.blamed()
	if d.module == "" && !strings.HasPrefix(d.blame, "main.") {
		d.module = d.moduleGuess(db, blamed)
	}
	d.project = d.opts.Project
	if d.project == "" && d.module != "" {
		d.project = db.projectOf(d.module)
	}
	product := d.ran()
	if d.project == "" && d.inMain {
		d.project = d.program(product)
	}
	if d.project == "" {
		return &DraftError{"the functions are all of main, which every program has, and nothing names the program", "say --project NAME"}
	}
	d.project = plain(d.project)
	d.product = d.project
	if product != nil {
		if d.inMain && d.opts.Project == "" {
			d.product = plain(strings.ToLower(product.Name))
		}
		if v := product.Version; v != "" {
			if product.Prerelease != "" && !strings.Contains(v, "-") {
				v += "-" + product.Prerelease
			}
			d.seen = append(d.seen, plain(product.Name+" "+v))
			if _, err := parseVersion(v); err == nil && printable(v) && strings.EqualFold(product.Name, d.product) {
				d.version = v
			}
		}
	}
	d.versionsSeen()
	d.title = shortSymbol(d.blame) + ": " + plain(d.opts.Clean(d.say.title()))
	d.id = d.opts.ID
	if d.id == "" {
		d.id = d.proposal()
		for n, base := 2, d.id; db.byID[d.id] != nil; n++ {
			d.id = fmt.Sprintf("%s-%d", base, n)
		}
	}
	return nil
}

// blamed is the frame of the first function of the evidence.
func (d *draft) blamed() *parse.Frame {
	for _, stack := range d.stacks() {
		for i := range stack {
			if packName(stack[i].Function) == d.blame {
				return &stack[i]
			}
		}
	}
	return &parse.Frame{Function: d.blame}
}

func (d *draft) stacks() [][]parse.Frame {
	list := [][]parse.Frame{d.inc.Stack}
	for _, r := range d.inc.Races {
		list = append(list, r.Stack)
	}
	return list
}

// moduleOf is the module of a frame, where its path tells it.
func moduleOf(f *parse.Frame) string {
	if printable(f.Module) {
		return f.Module
	}
	return ""
}

// moduleGuess takes the module of the frame's path, else the longest one that a pack knows, else what
// the import path looks like.
func (d *draft) moduleGuess(db *DB, f *parse.Frame) string {
	pkg := newSymbolPackage(packName(f.Function))
	if m := moduleOf(f); m != "" {
		return m
	}
	best := ""
	for _, m := range db.modules() {
		if len(m) > len(best) && within(pkg, canonicalModule(m)) {
			best = m
		}
	}
	if best != "" {
		return best
	}
	d.guessed = "from an import path alone"
	return d.root(pkg)
}

// root is where the module of a package seems to begin: at the folder of main, where a stack shows it; before
// internal, cmd or pkg; else behind host, owner and name, or one element less where the crash
// shows a neighbour of the third.
func (d *draft) root(pkg string) string {
	elements := strings.Split(pkg, "/")
	for i, e := range elements {
		if i > 1 && (e == "internal" || e == "cmd" || e == "pkg") {
			return strings.Join(elements[:i], "/")
		}
	}
	if len(elements) < 3 {
		return pkg
	}
	root := strings.Join(elements[:3], "/")
	owner := strings.Join(elements[:2], "/")
	stacks := d.stacks()
	for _, b := range d.inc.Buckets {
		stacks = append(stacks, b.Frames)
	}
	for _, stack := range stacks {
		for i := range stack {
			f := &stack[i]
			if dir := path.Dir(f.File); strings.HasPrefix(f.Function, "main.") && strings.HasPrefix(pkg, dir+"/") {
				return dir
			}
			known := elements[0] == "github.com" || elements[0] == "gitlab.com" || elements[0] == "bitbucket.org"
			if other := newSymbolPackage(packName(f.Function)); !known && within(other, owner) && !within(other, root) {
				root = owner
			}
		}
	}
	return root
}

// modules returns the modules that the packs speak of.
func (db *DB) modules() []string {
	var list []string
	for _, r := range db.refs {
		if m := r.signature().Module; m != "" {
			list = append(list, m)
		}
	}
	return unique(list)
}

// projectOf is the project under which the packs know a module, else the last part of its path.
func (db *DB) projectOf(module string) string {
	for _, r := range db.refs {
		if s := r.signature(); s.Module != "" && canonicalModule(s.Module) == canonicalModule(module) {
			return s.Project
		}
	}
	if base := path.Base(module); isMajor(strings.TrimPrefix(base, "v")) {
		module = path.Dir(module)
	}
	return path.Base(module)
}

// ran is the program that the input says was running, nearest to the crash.
func (d *draft) ran() *parse.Product {
	var best *parse.Product
	e := &evaluation{input: newInput(d.c, d.opts.Match), inc: d.inc}
	for i := range d.c.Facts.Products {
		p := &d.c.Facts.Products[i]
		if e.speaksOf(p.Source) && (best == nil || e.nearer(p.Source, p.Line, best.Source, best.Line)) {
			best = p
		}
	}
	return best
}

// program names a program whose functions are all of main: as the input does, else by the module that its
// other functions are of, else by the folder of its source.
func (d *draft) program(product *parse.Product) string {
	if product != nil {
		return strings.ToLower(product.Name)
	}
	for _, stack := range d.stacks() {
		for i := range stack {
			f := &stack[i]
			if !strings.HasPrefix(f.Function, "main.") || f.File == "" || !strings.Contains(f.File, "/") {
				continue
			}
			dir := path.Base(path.Dir(f.File))
			if slug(dir) == dir && dir != "src" && dir != "app" && dir != "build" && dir != "cmd" {
				d.guessed = "from the folder of main"
				return dir
			}
		}
	}
	return ""
}

// versionsSeen gathers the versions that the stacks name.
func (d *draft) versionsSeen() {
	for _, stack := range d.stacks() {
		for i := range stack {
			if f := &stack[i]; f.Module != "" && f.Version != "" && len(d.seen) < 6 && telling(f, packName(f.Function), "") {
				d.seen = append(d.seen, plain(f.Module+" "+f.Version))
			}
		}
	}
	e := &evaluation{input: newInput(d.c, d.opts.Match), inc: d.inc, sig: &Signature{}}
	if run := e.runningGo(); run != nil {
		d.seen = append(d.seen, plain("go "+run.text))
	}
	d.seen = unique(d.seen)
}

// plain makes a text of the input fit for one line of a pack.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if !printable(string(r)) {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(cutText(s, maxMessage))
}

// shortSymbol is a function with the last element of its import path: "store.(*Cache).Get".
func shortSymbol(name string) string {
	pkg, rest := parse.SplitSymbol(strings.TrimSuffix(name, ".func1"))
	return path.Base(pkg) + "." + rest
}

// knownWords name the runtime's messages in an id.
var knownWords = [][2]string{
	{"nil pointer dereference", "nil"}, {"index out of range", "index"}, {"slice bounds out of range", "bounds"},
	{"concurrent map", "concurrent-map"}, {"entry in nil map", "nil-map"}, {"send on closed channel", "closed-channel"},
	{"interface conversion", "conversion"}, {"all goroutines are asleep", "deadlock"}, {"DATA RACE", "race"},
	{"stack overflow", "stack-overflow"}, {"out of memory", "out-of-memory"},
}

// proposal is an id: project, function, and up to three words of the message.
func (d *draft) proposal() string {
	_, name := parse.SplitSymbol(strings.TrimSuffix(d.blame, ".func1"))
	what := ""
	for _, w := range knownWords {
		if strings.Contains(d.say.text, w[0]) {
			what = w[1]
			break
		}
	}
	if what == "" {
		words := slices.DeleteFunc(strings.Split(slug(d.title[strings.Index(d.title, ": ")+2:]), "-"), func(w string) bool {
			return slices.Contains([]string{"a", "an", "and", "at", "for", "in", "is", "of", "on", "or", "the", "to", "with"}, w)
		})
		what = strings.Join(words[:min(len(words), 3)], "-")
	}
	id := slug(d.project) + "-" + slug(name)
	if what != "" {
		id += "-" + what
	}
	if len(id) > 70 {
		id = strings.TrimRight(id[:70], "-")
	}
	return strings.Trim(id, "-")
}

// slug keeps letters and digits, in lower case, with a dash between words.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-") && r != '\'' && r != '’':
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}
