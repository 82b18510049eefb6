// Package signatures holds what is known about crashes, and finds it in what package
// parse has read: signatures (documented bugs with conditions, owner and fix) and
// families (what a message of the Go runtime means in general).
//
// Knowledge is data. Packs are YAML, described in docs/signatures.md; those of this
// program are compiled in, and a user may add others. Load checks everything and
// prepares nothing: a signature is decoded when an input has a word that it needs.
package signatures

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/crashtriage/crashtriage/parse"
)

// Source is one pack to load: its name, as errors show it, and its YAML text.
type Source struct {
	Name string
	Data []byte
}

// MatchOptions are what the user knows better than the input.
type MatchOptions struct {
	// ProductVersions overrides the versions found in the input: "consul" → "1.22.6". The name of a
	// module or "go" may stand for the product.
	ProductVersions map[string]string
}

// DB is the knowledge base: the built-in packs and those of the user. It is safe for
// concurrent use.
type DB struct {
	refs     []*ref // by id
	byID     map[string]*ref
	families []*familyRef // in the order in which they are asked
	index    map[string][]*ref
	contains []string // the "m" and "L" words of index
	keep     map[string]bool
	keepPart []string // "L" and "e" words
	version  string
}

// ref is a signature that may not be decoded yet.
type ref struct {
	id      string
	aliases []string
	kind    string
	product string
	gates   []string
	words   []string // of the message: what makes it a candidate
	wanted  []string // records to keep

	body string // JSON of the entry
	once sync.Once
	sig  *Signature
}

// signature decodes it.
func (r *ref) signature() *Signature {
	r.once.Do(func() {
		if r.sig == nil {
			r.sig = decodeBody(r.body)
		}
		if err := prepare(r.sig); err != nil {
			// It was checked when the pack was read.
			panic(fmt.Sprintf("signature %s: %v", r.id, err))
		}
	})
	return r.sig
}

func prepare(s *Signature) error {
	for _, c := range append([]*condition{s.match}, s.optional...) {
		if c == nil {
			continue
		}
		if err := c.compile(); err != nil {
			return err
		}
	}
	return nil
}

func newRef(e *entry) *ref {
	r := &ref{id: e.ID, aliases: e.Aliases, kind: e.Kind, product: e.Product}
	r.sig = &e.Signature
	r.sig.match, r.sig.optional = e.Match, e.Optional
	if e.Match != nil {
		r.gates, r.words, r.wanted = gates(e.Match), worded(e), wanted(e)
	}
	return r
}

// Load returns the built-in packs together with the packs in user, whose signatures and
// families replace built-in ones of the same id. The DB is usable even when err is not nil: what
// could not be read is left out, and err, an Errors, names each fault with file, line and column.
func Load(user ...Source) (*DB, error) {
	db := newDB()
	builtIn(db)
	return db, db.addAll(user)
}

// LoadOnly is Load without the built-in packs.
func LoadOnly(packs ...Source) (*DB, error) {
	db := newDB()
	db.version = "none"
	return db, db.addAll(packs)
}

func newDB() *DB {
	return &DB{byID: map[string]*ref{}, index: map[string][]*ref{}, keep: map[string]bool{}}
}

func (db *DB) addAll(packs []Source) error {
	var errs Errors
	own := map[string]string{} // id → pack, among the user's
	for _, src := range packs {
		p, faults := readPack(src)
		errs = append(errs, faults...)
		for _, e := range p.signatures {
			if other, ok := own[e.ID]; ok {
				errs = append(errs, Problem{File: src.Name, Line: e.Line, Column: 1, Message: fmt.Sprintf("the id %s is taken, see %s", e.ID, other)})
				continue
			}
			own[e.ID] = fmt.Sprintf("%s:%d", src.Name, e.Line)
			db.add(e.ref)
		}
		for _, f := range p.families {
			db.addFamily(newFamilyRef(f))
		}
	}
	db.finish()
	errs = append(errs, db.dangling(own)...)
	errs = append(errs, db.ambiguous(own)...)
	if len(errs) == 0 {
		return nil
	}
	return errs.sorted()
}

func (db *DB) add(r *ref) {
	if old := db.byID[r.id]; old != nil {
		for i := range db.refs {
			if db.refs[i] == old {
				db.refs[i] = r
			}
		}
	} else {
		db.refs = append(db.refs, r)
	}
	db.byID[r.id] = r
}

// finish builds what is looked things up in.
func (db *DB) finish() {
	slices.SortFunc(db.refs, func(a, b *ref) int { return strings.Compare(a.id, b.id) })
	parts := map[string]bool{}
	for _, r := range db.refs {
		for _, a := range r.aliases {
			if db.byID[a] == nil {
				db.byID[a] = r
			}
		}
		for _, g := range r.gates {
			if _, ok := db.index[g]; !ok && (g[0] == 'm' || g[0] == 'L') {
				db.contains = append(db.contains, g)
			}
			db.index[g] = append(db.index[g], r)
		}
		for _, w := range r.wanted {
			switch {
			case w[0] == 'l':
				db.keep[w[1:]] = true
			case !parts[w]:
				parts[w] = true
				db.keepPart = append(db.keepPart, w)
			}
		}
	}
	sort.SliceStable(db.families, func(i, j int) bool { return db.families[i].fallback < db.families[j].fallback })
}

// dangling reports what the user's signatures supersede that is not there, or that supersedes them, and
// puts ids in the place of former ones.
func (db *DB) dangling(own map[string]string) Errors {
	var errs Errors
	for id := range own {
		s := db.byID[id].sig // a user's: it is there, and need not be prepared
		fault := func(format string, args ...any) {
			errs = append(errs, Problem{File: s.Pack, Line: s.Line, Column: 1, Message: fmt.Sprintf(format, args...)})
		}
		for i, name := range s.Supersedes {
			other := db.byID[name]
			switch {
			case other == nil:
				fault("%s supersedes %s, which is unknown", id, name)
				continue
			case other.id == id:
				fault("%s supersedes itself", id)
			case id < other.id && slices.Contains(other.signature().Supersedes, id), id > other.id && own[other.id] == "" && slices.Contains(other.signature().Supersedes, id):
				fault("%s and %s supersede each other: neither would ever be reported", id, other.id)
			}
			s.Supersedes[i] = other.id
		}
	}
	return errs
}

// ambiguous reports aliases of the user's signatures that name another one.
func (db *DB) ambiguous(own map[string]string) Errors {
	var errs Errors
	for id := range own {
		r := db.byID[id]
		for _, a := range r.aliases {
			if other := db.byID[a]; other != r {
				errs = append(errs, Problem{File: r.sig.Pack, Line: r.sig.Line, Column: 1, Message: fmt.Sprintf("%s has the alias %s, which names %s", id, a, other.id)})
			}
		}
	}
	return errs
}

// Signatures returns every signature, knowledge included, sorted by id.
func (db *DB) Signatures() []*Signature {
	list := make([]*Signature, len(db.refs))
	for i, r := range db.refs {
		list[i] = r.signature()
	}
	return list
}

// Families returns every family, sorted by id.
func (db *DB) Families() []*Family {
	list := make([]*Family, len(db.families))
	for i, r := range db.families {
		list[i] = r.family()
	}
	return sortedByID(list, func(f *Family) string { return f.ID })
}

// Len returns how many signatures there are, knowledge included.
func (db *DB) Len() int { return len(db.refs) }

// Lookup finds a signature by its id or an alias; nil when there is none.
func (db *DB) Lookup(id string) *Signature {
	if r := db.byID[id]; r != nil {
		return r.signature()
	}
	return nil
}

// LookupFamily finds a family by its id; nil when there is none.
func (db *DB) LookupFamily(id string) *Family {
	for _, r := range db.families {
		if r.id == id {
			return r.family()
		}
	}
	return nil
}

// Version identifies the built-in knowledge: the month it speaks for and a hash of it,
// "2026-09+3fa9c1d2".
func (db *DB) Version() string { return db.version }

// KeepRecord says whether a condition wants to see the record; it is made for
// parse.Options.KeepRecord.
func (db *DB) KeepRecord(r *parse.Record) bool {
	if db.keep[r.Message] {
		return true
	}
	for _, w := range db.keepPart {
		s := r.Message
		switch w[0] {
		case 'r':
			return true
		case 'e':
			s = r.Error
		}
		if s != "" && strings.Contains(s, w[1:]) {
			return true
		}
	}
	return false
}
