package signatures

import "github.com/crashtriage/crashtriage/parse"

// Status says what a match means for the version at hand.
type Status string

// The match statuses, as in the JSON document.
const (
	Affected       Status = "affected"        // running version known, within the evidence, without the fix
	FixedHere      Status = "fixed-here"      // the running version should have the fix: a regression or a wrong version
	BeyondEvidence Status = "beyond-evidence" // running version newer than anything the entry's evidence speaks about
	VersionUnknown Status = "version-unknown" // no version in the input
	Candidate      Status = "candidate"       // the message fits, the frames can't be checked
)

// Confidence follows the facts an entry rests on; matching never raises it.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// FixState is what is known about the fix.
type FixState string

// The fix states.
const (
	FixOpen      FixState = "open"
	FixMerged    FixState = "merged"
	FixClosed    FixState = "closed"
	FixNoneKnown FixState = "none-known"
)

// FixedIn is the first version of one release line of one module or product that has the fix.
type FixedIn struct {
	Module  string // "consul" for the product, or a module path
	Line    string // release line, "1.22"; "" for every later line
	Version string
}

// Fix is what is known about who fixed the bug and where.
type Fix struct {
	URL     string
	State   FixState
	FixedIn []FixedIn
	// NotFixed names release lines that lack the fix although a lower line has it.
	NotFixed []string
	// Release tells apart what an empty FixedIn means: "none" (no fix exists), "unreleased" (a fix
	// exists, no release is known to hold it), "unknown". It is "" when FixedIn is not empty.
	Release string
	AsOf    string // "2026-09": knowledge ages
	Note    string // a switch that is needed, another program that holds the fix
}

// Evidence is one condition that held, and where.
type Evidence struct {
	Source    string
	Line      int
	Text      string // the line's text, unescaped: renderers escape
	Condition string // the condition in words: "message: fatal error: …", "frame: pkg.F"
}

// Match is one signature that fits one incident, or the logs as a whole.
type Match struct {
	Signature  *Signature
	Status     Status
	Confidence Confidence
	// RunningVersion is the version that decided Status, as "consul 1.22.6" or
	// "github.com/hashicorp/go-memdb v1.3.4"; "" when unknown. How says where it comes from.
	RunningVersion string
	How            string
	Evidence       []Evidence
	Missing        []string // optional conditions that did not hold, or could not be checked, in words
	Collect        []string // what to collect to decide, when something could not be checked
}

// Result is what the knowledge base says of a capture.
type Result struct {
	ByIncident map[*parse.Incident][]Match // strongest first
	Families   map[*parse.Incident]*Family
	Findings   []Match                 // known bugs shown by logs, growth or metrics without a crash
	Considered map[*parse.Incident]int // how many signatures were looked at closely
}
