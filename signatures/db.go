package signatures

import "github.com/crashtriage/crashtriage/parse"

// Source is one pack to load: its name, as errors show it, and its YAML text.
type Source struct {
	Name string
	Data []byte
}

// MatchOptions are what the user knows better than the input.
type MatchOptions struct {
	// ProductVersions overrides the versions found in the input: "consul" → "1.22.6".
	ProductVersions map[string]string
}

// DB is the knowledge base: the built-in packs and those of the user. It is safe for concurrent use.
type DB struct{}

// Load returns the built-in packs together with the packs in user, which may supersede
// built-in entries by id. The DB is usable even when err is not nil: packs and entries that could
// not be read are left out, and err (an Errors) names each with file:line:column.
func Load(user ...Source) (*DB, error) { return &DB{}, nil }

// Signatures returns every signature, knowledge included, sorted by id.
func (db *DB) Signatures() []*Signature { return nil }

// Families returns every family, sorted by id.
func (db *DB) Families() []*Family { return nil }

// Lookup finds a signature by its id or an alias; nil when there is none.
func (db *DB) Lookup(id string) *Signature { return nil }

// Version identifies the knowledge: the date it speaks for and a hash of the packs, "2026-09+3fa9c1d2".
func (db *DB) Version() string { return "" }

// KeepRecord tells which log records the conditions want to see; it is made for parse.Options.KeepRecord.
func (db *DB) KeepRecord(r *parse.Record) bool { return false }

// Match says which known bugs the capture shows, and what its runtime messages mean.
func (db *DB) Match(c *parse.Capture, o MatchOptions) *Result {
	return &Result{
		ByIncident: map[*parse.Incident][]Match{},
		Families:   map[*parse.Incident]*Family{},
		Considered: map[*parse.Incident]int{},
	}
}

// Explanation is how one signature fared against one incident, or, for a nil incident, against
// the logs, growth and metrics.
type Explanation struct {
	Signature  *Signature
	Verdict    Truth
	Status     Status // "" unless it matched
	Conditions []ConditionResult
}

// ConditionResult is one condition of the tree, with its place in it.
type ConditionResult struct {
	Depth     int    // 0 for the top
	Condition string // in words
	Optional  bool
	Truth     Truth
	Evidence  []Evidence
	Why       string // why it did not hold, or what is missing
	Collect   string // what to collect when it cannot be told
}

// Truth is a three-valued answer.
type Truth int8

// The truth values, worst first.
const (
	DoesNotHold Truth = iota
	CannotTell
	Holds
)

func (t Truth) String() string {
	switch t {
	case Holds:
		return "holds"
	case CannotTell:
		return "cannot be told"
	}
	return "does not hold"
}

// Explain returns the signatures nearest to the incident, best first, each with every
// condition. A nil incident asks about the logs, growth and metrics.
func (db *DB) Explain(c *parse.Capture, inc *parse.Incident, o MatchOptions) []Explanation {
	return nil
}
