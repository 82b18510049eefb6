package signatures

import (
	"strings"
	"sync"

	"github.com/crashtriage/crashtriage/parse"
)

// familyRef is a family that may not be decoded yet.
type familyRef struct {
	id       string
	fallback int
	needles  []string // an incident shows one of them

	body string
	once sync.Once
	fam  *Family
}

func newFamilyRef(e *familyEntry) *familyRef {
	r := &familyRef{id: e.ID, fallback: e.Fallback, fam: &e.Family}
	r.fam.messages, r.fam.kinds, r.fam.fallback = e.Messages, e.Kinds, e.Fallback
	for _, t := range e.Messages {
		r.needles = append(r.needles, messageNeedles(t)...)
	}
	r.needles = unique(r.needles)
	return r
}

func (r *familyRef) family() *Family {
	r.once.Do(func() {
		if r.fam == nil {
			r.fam = decodeFamilyBody(r.body)
		}
		for _, t := range r.fam.messages {
			if err := t.compile(); err != nil {
				panic("family " + r.id + ": " + err.Error())
			}
		}
	})
	return r.fam
}

func (db *DB) addFamily(r *familyRef) {
	for i := range db.families {
		if db.families[i].id == r.id {
			db.families[i] = r
			return
		}
	}
	db.families = append(db.families, r)
}

// family reads one entry of "families:".
func (d *decoder) family(n *node) *familyEntry {
	e := &familyEntry{}
	f := &e.Family
	f.Line = n.line
	confidence := ""
	ok := d.mapping(n, "a family", keys{
		"id": d.id(&f.ID, "id"), "meaning": d.into(&f.Meaning, "meaning"),
		"owner":            d.word(&f.Owner, "owner", "your-code", "dependency", "resource-limit", "environment", "go-runtime", "kernel-or-hardware", "unknown"),
		"owner_confidence": d.word(&confidence, "owner_confidence", "high", "medium", "low"),
		"next_step":        d.into(&f.NextStep, "next_step"), "source": d.into(&f.Source, "source"), "note": d.into(&f.Note, "note"),
		"kind":      func(n *node) { e.Kinds = d.words(n, "kind", incidentKinds) },
		"knowledge": d.boolean(&f.Knowledge, "knowledge"), "fallback": d.count(&e.Fallback, "fallback", 1),
		"messages": func(n *node) {
			if n.kind != sequenceNode {
				d.wrongKind(n, "messages", "a list")
				return
			}
			for _, item := range n.items {
				e.Messages = append(e.Messages, d.text(item, "messages", isText))
			}
		},
	})
	if !ok {
		return nil
	}
	f.OwnerConfidence = Confidence(confidence)
	for _, key := range []string{"id", "meaning", "owner", "owner_confidence", "next_step"} {
		if !n.has(key) {
			d.add(n.line, n.column, "the family %s needs %s", f.ID, key)
		}
	}
	if f.Knowledge == (len(e.Messages) > 0) {
		d.add(n.line, n.column, "the family %s needs messages, or knowledge: true", f.ID)
	}
	return e
}

// familyOf says what the incident's message means in general. Families of the cause come before
// those of the form ("recovered and raised again"), and "a panic with a text of its own" comes last.
// Some causes stand in a line before the headline, which then only says "SIGABRT: abort".
func (db *DB) familyOf(inc *parse.Incident) *Family {
	head := inc.Headline + "\npanic: " + inc.Reason + "\n" + inc.Value + "\n" + strings.Join(inc.Chain, "\n") + "\n" + inc.Signal
	if inc.Headline == "" && inc.Reason == "" {
		return nil
	}
	for _, r := range db.families {
		if !containsOne(head, r.needles) || len(r.needles) == 0 {
			continue
		}
		f := r.family()
		if f.fitsKind(inc.Kind) && f.fits(inc) {
			// The line before may name the cause better than a signal does.
			if r.fallback > 0 {
				if g := db.familyBefore(inc); g != nil {
					return g
				}
			}
			return f
		}
	}
	return db.familyBefore(inc)
}

func (db *DB) familyBefore(inc *parse.Incident) *Family {
	for _, l := range inc.Details {
		line := l.Text
		for _, r := range db.families {
			if r.fallback > 0 || len(r.needles) == 0 || !containsOne(line, r.needles) {
				continue
			}
			f := r.family()
			for _, t := range f.messages {
				if t.Regexp != "" && t.match(line) {
					return f
				}
			}
		}
	}
	return nil
}

func (f *Family) fitsKind(k parse.Kind) bool {
	for _, want := range f.kinds {
		if string(k) == want {
			return true
		}
	}
	return len(f.kinds) == 0
}

func (f *Family) fits(inc *parse.Incident) bool {
	for _, t := range f.messages {
		if messageMatches(t, inc) || inc.Signal != "" && t.match(inc.Signal) {
			return true
		}
	}
	return false
}
