package parse

import "time"

// Capture is everything that was read, and where it was read. It knows nothing
// of signatures, colours or flags: it only says what the input says.
//
// Lines are counted from 1 in the source as it was handed in, before any
// wrapper was stripped. A Line of 0 means that the place is unknown.
type Capture struct {
	Sources   []*Source
	Incidents []*Incident // in order of source, then line
	Facts     Facts
	Logs      Logs
	Growth    []Growth // goroutine growth between two captures, written down as text
	Series    []Series // metric samples written down as text
}

// Source is one file, archive member or stream.
type Source struct {
	Name     string // as shown: "crash.log", "-", "bundle.tar.gz!/consul.log"
	Wrapper  string // "plain", "journald", "cri", …; several are joined by "+"
	Bytes    int64
	Lines    int
	Problems []Problem
	Err      error // the source could not be opened or read to its end
}

// Problem is something in the input that could not be read as what it seems to be.
// It is data, not an error: reading goes on.
type Problem struct {
	Line    int
	Code    string // stable, kebab-case: "line-too-long", "truncated-goroutine", …
	Message string
}

// Kind says what printed an incident.
type Kind string

// The kinds of incident, as in the JSON document.
const (
	KindPanic            Kind = "panic"             // panic: V, uncaught
	KindFatal            Kind = "fatal"             // fatal error: M by the user's fault (runtime.fatal)
	KindThrow            Kind = "throw"             // fatal error: M by the runtime's own fault (runtime.throw)
	KindSignal           Kind = "signal"            // SIGQUIT: quit, SIGSEGV: … without a panic line, Exception 0x…
	KindRace             Kind = "race"              // WARNING: DATA RACE
	KindTestTimeout      Kind = "test-timeout"      // panic: test timed out after …
	KindRecoveredPanic   Kind = "recovered-panic"   // a recover handler printed it; the process goes on
	KindLogFatal         Kind = "log-fatal"         // a logger ended the process (klog F, zap fatal/panic)
	KindGoroutineDump    Kind = "goroutine-dump"    // goroutines without a reason: debug=2, runtime.Stack
	KindGoroutineProfile Kind = "goroutine-profile" // pprof debug=1 or protobuf
)

// Tri is a truth value that may be unknown.
type Tri int8

// The truth values.
const (
	Unknown Tri = iota
	No
	Yes
)

// Incident is one thing that a Go runtime, a race detector, a profiler or a
// recover handler printed.
type Incident struct {
	Kind     Kind
	Headline string   // the runtime's own line without its wrapper
	Reason   string   // the headline without "panic: " or "fatal error: " and without "[recovered…]", first line
	Value    string   // the whole panic value when it has several lines; else ""
	Chain    []string // all panic lines, oldest first, when there are several
	Signal   string   // the "[signal SIGSEGV: …]" line, if any
	Died     Tri

	Source       string // Source.Name
	Line         int    // first line of the incident
	EndLine      int    // last line of the incident
	HeadlineLine int    // the line that holds Headline; 0 when there is none

	// Fingerprint is the identity of the incident over builds, machines and Go releases, with its
	// algorithm's version in front: "ct1:3fa9c1d2". See fingerprint.go.
	Fingerprint string

	Count int // how often the same incident was seen (a crash loop); at least 1
	// FirstTime and LastTime are when it was seen, as its lines or their wrapper say; zero where they don't.
	FirstTime time.Time
	LastTime  time.Time

	Goroutine    int64 // the crashing goroutine; 0 when there is none (HasGoroutine)
	HasGoroutine bool  // tells goroutine 0 from no goroutine
	Goroutines   int   // goroutine header lines of the incident; a profile's total

	// Truncated says why the incident is known not to be whole; "" when nothing shows that.
	Truncated string
	// Headless says that the first block is [running] and nothing tells why it was printed: a crash
	// whose headline was lost, or a dump.
	Headless bool
	// Dropped counts foreign lines inside goroutine blocks that were left out of their stacks.
	Dropped int

	Stack        []Frame      // the crashing goroutine, innermost first
	Blame        *Frame       // first own frame below the last panic origin; points into Stack
	CreatedBy    *Frame       // creator of the crashing goroutine
	RunningTests []string     // of a test timeout: "TestX (9m59s)"
	Races        []RaceAccess // of a race report, in the order printed

	Buckets []*Bucket     // most goroutines first
	Context []ContextLine // log lines just before the incident, oldest first
	// Details are the runtime's own lines from the incident's first line to its headline, the last few:
	// "runtime: failed to create new OS thread (have 5 already; errno=11)".
	Details []ContextLine
}

// ContextLine is one log line near an incident.
type ContextLine struct {
	Line   int
	Text   string  // without its wrapper
	Record *Record // when the line is a structured record
}

// Frame is one call. Function is exactly what Go prints, without the argument list.
type Frame struct {
	Function string
	Args     string // as printed between the parentheses; "..." for an inlined call
	// NilFirst says that the first argument is printed as a certain 0x0: of a method with a pointer
	// receiver, that the receiver was nil.
	NilFirst   bool
	File       string
	Line       int
	Module     string // module path, if the file path tells it
	Version    string // module version, if the file path tells it
	Std        bool   // part of the standard library or the runtime
	SourceLine int    // line in the source where the function is printed
	Goroutine  int64  // of a "created by" frame: the creator's id; 0 when not printed
}

// Bucket is the set of an incident's goroutines that share one shape: state
// word, functions and lines, creator. Arguments, ids and minutes are no part of it.
type Bucket struct {
	ID               string // stable over runs: hash of the shape's text
	Count            int
	State            string // "select", "chan receive", "running"; "" in a profile
	MinWait, MaxWait int    // minutes; meaningful if HasWait
	HasWait          bool
	Locked           int // goroutines locked to their thread
	Leaked           int // goroutines marked (leaked)
	Durable          int // goroutines marked (durable)
	Frames           []Frame
	Elided           int // frames that the runtime left out of the middle of the stack
	CreatedBy        *Frame
	IDs              []int64        // the first few
	Labels           []string       // label sets as printed, distinct, the first few
	Crashed          bool           // holds the crashing goroutine
	Line             int            // header line of the first goroutine
	Pointers         []PointerCount // first pointer argument of lock and channel frames, most frequent first
}

// PointerCount says how many goroutines of a bucket wait on one address.
type PointerCount struct {
	Address uint64
	Count   int
}

// RaceAccess is one section of a race report.
type RaceAccess struct {
	Title string // "Write at 0x00c000060080 by goroutine 9:"
	Stack []Frame
	Line  int
}

// Facts are what the text around the incidents says about the program.
type Facts struct {
	Products   []Product // one per product and version named, in order of appearance
	Go         []Fact    // Go versions
	OS, Arch   []Fact
	Modules    []Module // from frame paths, deduplicated, sorted by path
	Goroutines []Fact   // counts that the program reported of itself (consul info)
	Exits      []Exit
}

// Fact is one value and where it was said.
type Fact struct {
	Value  string
	How    string // "consul info", "agent banner", "consul version", "frame path", "go version output", …
	Source string
	Line   int
}

// Product is a program and its version.
type Product struct {
	Name       string // "consul", "vault", "nomad", …
	Version    string // "1.22.6", without metadata
	Edition    string // "ent", "" for community or unknown
	Metadata   string // build metadata as printed
	Prerelease string
	Revision   string
	Role       string // "server", "client", "" unknown
	How        string
	Source     string
	Line       int
}

// Module is a module version that a frame path names.
type Module struct {
	Path, Version string
	Source        string
	Line          int
}

// Exit is how a process ended, as something outside of it said.
type Exit struct {
	Code      int // -1 unknown
	Signal    string
	OOMKilled bool
	Text      string
	Source    string
	Line      int
}

// Logs summarises the log records.
type Logs struct {
	Records     int
	ByLevel     map[string]int // "error", "warn", "info", "debug", "trace", …
	First, Last time.Time
	Restarts    []Fact      // process starts after the first, by banner
	Buckets     []LogBucket // most severe, then most frequent first
	Kept        []*Record   // records that Options.KeepRecord asked for, in input order
	KeptDropped int         // asked for, but over the limit
}

// LogBucket is all records of one level, module and message.
type LogBucket struct {
	Level, Module, Message string // Message with its variable parts masked
	Count                  int
	First, Last            time.Time
	Source                 string
	Line                   int    // of the first record
	Example                string // the first record's line, without its wrapper, cut to a bounded length
}

// Record is one structured log record.
type Record struct {
	Source  string
	Line    int
	Format  string    // "hclog-json", "hclog", "zap", "logrus", "slog", "klog", "json", …
	Time    time.Time // zero when absent or unreadable
	Clock   string    // the time as printed
	Level   string    // lower case
	Module  string    // @module, logger, source
	Message string
	Error   string
	Fields  map[string]string // the other fields; numbers and nested values as their JSON text
	Raw     string            // the record's text, cut to a bounded length
}

// Growth is one stack's count at two moments, as somebody wrote it down:
//
//	+115  (1467 -> 1582)
//	    pkg.(*T).Method+0x185
//
// Functions is empty for a total ("total: 2504 -> 2616").
type Growth struct {
	Before, After int
	Functions     []string // innermost first
	Source        string
	Line          int
}

// Series is a metric sampled over time, as somebody wrote it down.
type Series struct {
	Name   string // the metric, if a line before names it
	Values []float64
	Source string
	Line   int
}
