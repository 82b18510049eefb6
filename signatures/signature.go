package signatures

// Signature is one documented known bug: how it shows itself, who owns it, what
// fixed it and what to do meanwhile.
type Signature struct {
	ID      string
	Aliases []string // former or merged ids
	Title   string
	Project string // "consul"
	Module  string // "github.com/hashicorp/consul"
	// Product is the name under which Facts and --product-version know the running program; it is
	// Project unless the pack says otherwise.
	Product string
	// Kind is how the bug shows itself: "panic", "fatal", "throw", "signal", "race", "deadlock",
	// "leak", "oom", "log".
	Kind      string
	RootCause string
	Owner     string
	Issue     string
	Fix       Fix
	Affected  AffectedVersions
	// Workaround is "" when none is known.
	Workaround string
	Confidence Confidence
	Sources    []string
	Notes      string
	// Supersedes names signatures that are not reported where this one holds.
	Supersedes []string
	// Examples are only there when the signature was read from a pack's text: the built-in ones are
	// compiled in without them (see BuiltIn).
	Examples []Example `json:",omitempty"`
	// Knowledge marks an entry that is documented and never matches: its evidence is too thin.
	Knowledge bool

	Pack string // file name of the pack
	Line int    // line of the entry in the pack

	match    *condition
	optional []*condition
}

// AffectedVersions is what is known about the versions that have the bug.
type AffectedVersions struct {
	Text         string    // as the sources word it
	IntroducedIn []FixedIn // first version of a release line that has the bug
	ReportedOn   []string  // versions on which it was seen
	// EvidenceUntil is the newest version that the sources speak about; a newer running version
	// without a known fix is BeyondEvidence.
	EvidenceUntil string
}

// Example is a small input that shows the signature, or a near miss that must not match it.
type Example struct {
	Name  string
	Text  string
	Match bool // false: a near miss
	// Status is the status expected of a match; "" means any.
	Status Status
	Line   int
}

// Family is what a runtime message means in general, whoever printed it.
type Family struct {
	ID              string
	Meaning         string
	Owner           string // "your-code", "dependency", "resource-limit", "environment", "go-runtime", "kernel-or-hardware", "unknown"
	OwnerConfidence Confidence
	NextStep        string
	Source          string
	Note            string
	// Knowledge marks a family that has no message of its own and never matches.
	Knowledge bool

	Pack string
	Line int

	messages []*text
	kinds    []string
	fallback int
}
