package report

import (
	"time"
)

// Schema is the version of the Document. Fields may be added under the same number; none changes
// its meaning.
const Schema = 1

// The verdicts, strongest first.
const (
	VerdictKnown   = "known"   // a documented bug, with more evidence than its message
	VerdictFamily  = "family"  // no documented bug; the runtime's message is understood
	VerdictUnknown = "unknown" // a crash that nothing explains
	VerdictNone    = "none"    // no crash, and no known bug in the logs
)

// Why an incident or a finding does not fail a check although it reaches the threshold. It is ""
// for everything else, and in every document that no check has judged.
const (
	AcceptedKnown    = "known-ok" // the user accepts this documented bug
	AcceptedBaseline = "baseline" // an earlier run had it
)

// Document is everything that is reported. Lists are never nil, so that they appear in JSON; what
// is unknown is null or "".
type Document struct {
	Schema    int         `json:"schema"`
	Tool      Tool        `json:"tool"`
	Verdict   string      `json:"verdict"`
	Sources   []*Source   `json:"sources"`
	Facts     Facts       `json:"facts"`
	Incidents []*Incident `json:"incidents"`
	Findings  []*Match    `json:"findings"`
	Logs      Logs        `json:"logs"`
	// Redactions are what was replaced in the texts above before the document was written.
	Redactions []Redaction `json:"redactions"`
}

// Redaction is how many different values of one kind were replaced.
type Redaction struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Tool is the program that wrote the document.
type Tool struct {
	Name       string        `json:"name"`
	Version    string        `json:"version"`
	Signatures SignaturesRef `json:"signatures"`
}

// SignaturesRef identifies the knowledge that was asked.
type SignaturesRef struct {
	Count   int    `json:"count"`
	Version string `json:"version"`
}

// Source is one file, archive member or stream that was read.
type Source struct {
	Name    string `json:"name"`
	Wrapper string `json:"wrapper"`
	Bytes   int64  `json:"bytes"`
	Lines   int    `json:"lines"`
	// Error says why the source could not be opened or not be read to its end; "" when it was.
	Error    string    `json:"error"`
	Problems []Problem `json:"problems"`
}

// Problem is something in a source that could not be read as what it seems to be.
type Problem struct {
	Line    int    `json:"line"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Facts are what the input says about the program that ran.
type Facts struct {
	Product   *Product  `json:"product"`    // the one that the verdict speaks about
	Products  []Product `json:"products"`   // all that were named
	GoVersion *Fact     `json:"go_version"` // the one printed with Product, else the first
	OS        string    `json:"os"`
	Arch      string    `json:"arch"`
	Modules   []Module  `json:"modules"`
	Exit      *Exit     `json:"exit"`  // the first of Exits
	Exits     []Exit    `json:"exits"` // how processes ended, as something outside of them said
	// Goroutines are counts that the program reported of itself.
	Goroutines []Fact `json:"goroutines"`
}

// Product is a program and its version.
type Product struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Edition  string `json:"edition"`
	Metadata string `json:"metadata"`
	Revision string `json:"revision"`
	Role     string `json:"role"`
	How      string `json:"how"`
	Source   string `json:"source"`
	Line     int    `json:"line"`
}

// Fact is a value, how it was learned and where it stands.
type Fact struct {
	Value  string `json:"value"`
	How    string `json:"how"`
	Source string `json:"source"`
	Line   int    `json:"line"`
}

// Module is a module version named by a frame's path.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Source  string `json:"source"`
	Line    int    `json:"line"`
}

// Exit is how a process ended.
type Exit struct {
	Code      *int   `json:"code"`
	Signal    string `json:"signal"`
	OOMKilled bool   `json:"oom_killed"`
	Text      string `json:"text"`
	Source    string `json:"source"`
	Line      int    `json:"line"`
}

// Incident is one thing that a Go runtime, a race detector, a profiler or a recover handler printed.
type Incident struct {
	Kind         string     `json:"kind"`
	Headline     string     `json:"headline"`
	HeadlineLine int        `json:"headline_line"`
	Reason       string     `json:"reason"`
	Value        string     `json:"value"`
	Chain        []string   `json:"chain"`
	Signal       string     `json:"signal"`
	Died         *bool      `json:"died"`
	Source       string     `json:"source"`
	Line         int        `json:"line"`
	EndLine      int        `json:"end_line"`
	Count        int        `json:"count"`
	FirstTime    *time.Time `json:"first_time"`
	LastTime     *time.Time `json:"last_time"`
	Goroutine    *int64     `json:"goroutine"`
	Goroutines   int        `json:"goroutines"`
	Truncated    string     `json:"truncated"`
	Dropped      int        `json:"dropped"`
	Fingerprint  string     `json:"fingerprint"`
	Accepted     string     `json:"accepted"` // why it does not fail a check: see AcceptedKnown
	Blame        *Frame     `json:"blame"`
	CreatedBy    *Frame     `json:"created_by"`
	Stack        []Frame    `json:"stack"`
	Family       *Family    `json:"family"`
	Matches      []*Match   `json:"matches"`
	Considered   int        `json:"considered"` // signatures that were looked at closely
	RunningTests []string   `json:"running_tests"`
	Races        []Race     `json:"races"`
	Buckets      []*Bucket  `json:"buckets"`
	Context      []Context  `json:"context"`
}

// Frame is one call.
type Frame struct {
	Function string `json:"function"`
	Args     string `json:"args"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Module   string `json:"module"`
	Version  string `json:"version"`
	Std      bool   `json:"std"`
	// SourceLine is the line of the incident's source that prints the function.
	SourceLine int `json:"source_line"`
	// Goroutine is the creator's id in a created_by frame; 0 when not printed.
	Goroutine int64 `json:"goroutine"`
}

// Family is what a runtime message means in general.
type Family struct {
	ID       string `json:"id"`
	Meaning  string `json:"meaning"`
	Owner    string `json:"owner"`
	NextStep string `json:"next_step"`
}

// Match is a documented bug that fits an incident, or the logs as a whole.
type Match struct {
	ID             string     `json:"id"`
	Aliases        []string   `json:"aliases"`
	Title          string     `json:"title"`
	Status         string     `json:"status"`
	Accepted       string     `json:"accepted"` // why a finding does not fail a check: see AcceptedKnown
	Confidence     string     `json:"confidence"`
	Project        string     `json:"project"`
	Product        string     `json:"product"` // the name that --product-version knows
	Owner          string     `json:"owner"`
	RootCause      string     `json:"root_cause"`
	Workaround     string     `json:"workaround"`
	Issue          string     `json:"issue"`
	Fix            Fix        `json:"fix"`
	UpgradeTo      *FixedIn   `json:"upgrade_to"` // what an affected version can be upgraded to
	RunningVersion string     `json:"running_version"`
	How            string     `json:"how"` // where the running version comes from
	Affected       string     `json:"affected"`
	Evidence       []Evidence `json:"evidence"`
	Missing        []string   `json:"missing"`
	Collect        []string   `json:"collect"` // what to collect to decide
	Sources        []string   `json:"sources"`
}

// Fix is what is known about the fix of a bug.
type Fix struct {
	URL     string    `json:"url"`
	State   string    `json:"state"`
	FixedIn []FixedIn `json:"fixed_in"`
	Release string    `json:"release"` // what an empty FixedIn means: "none", "unreleased", "unknown"
	AsOf    string    `json:"as_of"`
	Note    string    `json:"note"`
}

// FixedIn is the first version of a release line that has the fix.
type FixedIn struct {
	Module  string `json:"module"`
	Line    string `json:"line"`
	Version string `json:"version"`
}

// Evidence is a condition that held, and where.
type Evidence struct {
	Source    string `json:"source"`
	Line      int    `json:"line"`
	Text      string `json:"text"`
	Condition string `json:"condition"`
}

// Race is one section of a race report.
type Race struct {
	Title string  `json:"title"`
	Line  int     `json:"line"`
	Stack []Frame `json:"stack"`
}

// Bucket is the set of goroutines that share one shape.
type Bucket struct {
	ID           string   `json:"id"`
	Count        int      `json:"count"`
	State        string   `json:"state"`
	WaitMinutes  *Wait    `json:"wait_minutes"` // null when no header gives a wait
	Locked       int      `json:"locked"`
	Leaked       int      `json:"leaked"`
	Durable      int      `json:"durable"`
	Frames       []Frame  `json:"frames"`
	Elided       int      `json:"elided"` // frames that the runtime left out of the middle
	CreatedBy    *Frame   `json:"created_by"`
	GoroutineIDs []int64  `json:"goroutine_ids"`
	Labels       []string `json:"labels"`
	Crashed      bool     `json:"crashed"`
	Line         int      `json:"line"`
}

// Wait is a range of minutes.
type Wait struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// Context is a log line near an incident. The parts of a structured record are "" in a plain line.
type Context struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Clock   string `json:"clock"` // the time as printed
	Level   string `json:"level"`
	Module  string `json:"module"`
	Message string `json:"message"`
	Error   string `json:"error"`
}

// Logs summarises the log records of all sources.
type Logs struct {
	Records   int            `json:"records"`
	ByLevel   map[string]int `json:"by_level"`
	FirstTime *time.Time     `json:"first_time"`
	LastTime  *time.Time     `json:"last_time"`
	Restarts  []Fact         `json:"restarts"`
	Buckets   []LogBucket    `json:"buckets"`
}

// LogBucket is all records of one level, module and message.
type LogBucket struct {
	Level   string     `json:"level"`
	Module  string     `json:"module"`
	Message string     `json:"message"`
	Count   int        `json:"count"`
	First   *time.Time `json:"first"`
	Last    *time.Time `json:"last"`
	Source  string     `json:"source"`
	Line    int        `json:"line"`
	Example string     `json:"example"`
}
