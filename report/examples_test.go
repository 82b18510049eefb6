package report

import (
	"errors"
	"fmt"
	"time"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
)

// The example documents stand for what a user can meet. All names in them are invented.

var exampleTool = Tool{Name: "crashtriage", Version: "0.1.0", Signatures: SignaturesRef{Count: 512, Version: "2026-09+0badcafe"}}

type example struct {
	name    string
	capture *parse.Capture
	result  *signatures.Result
}

func (e example) doc() *Document { return Build(e.capture, e.result, exampleTool) }

func examples() []example {
	return []example{
		knownExample(), unknownExample(), candidatesExample(), logsExample(), noneExample(),
		severalExample(), dumpExample(), hostileExample(), fixedHereExample(),
	}
}

const quartzMod = "/build/gopath/pkg/mod/github.com/quartzdb/ringmap@v1.2.0/"

func std(function, file string, line, at int) parse.Frame {
	return parse.Frame{Function: function, File: "/usr/local/go/src/" + file, Line: line, Std: true, SourceLine: at}
}

func own(function, file string, line, at int) parse.Frame {
	return parse.Frame{Function: function, File: file, Line: line, SourceLine: at}
}

func at(clock string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, clock)
	if err != nil {
		panic(err)
	}
	return t
}

func quartzStack() []parse.Frame {
	f := []parse.Frame{
		std("internal/runtime/maps.fatal", "runtime/panic.go", 1046, 112),
		std("internal/runtime/maps.(*Iter).Next", "internal/runtime/maps/table.go", 792, 114),
		own("github.com/quartzdb/ringmap.Set.Each", quartzMod+"set.go", 71, 116),
		own("github.com/quartzdb/quartz/server/route.(*reconciler).publish.func2", "/src/quartz/server/route/reconciler.go", 328, 118),
		own("golang.org/x/sync/errgroup.(*Group).Go.func1", "/build/gopath/pkg/mod/golang.org/x/sync@v0.19.0/errgroup/errgroup.go", 93, 120),
	}
	f[2].Module, f[2].Version, f[2].Args = "github.com/quartzdb/ringmap", "v1.2.0", "0xc0008a4540, {0x5227088, 0xc0220ef450}"
	f[4].Module, f[4].Version = "golang.org/x/sync", "v0.19.0"
	return f
}

func quartzSignature() *signatures.Signature {
	return &signatures.Signature{
		ID: "quartz-route-publish-race", Project: "quartz", Product: "quartz", Module: "github.com/quartzdb/quartz",
		Title:     "Route reconcile keeps filling a watch set that the publisher is already iterating",
		RootCause: "publish hands its set to an asynchronous publisher after the first backend and then goes on adding later backends to the same set.",
		Owner:     "quartzdb/quartz server/route/reconciler.go publish",
		Issue:     "https://github.com/quartzdb/quartz/issues/790",
		Fix: signatures.Fix{
			URL: "https://github.com/quartzdb/quartz/pull/812", State: signatures.FixOpen, Release: "unreleased", AsOf: "2026-09",
		},
		Affected:   signatures.AffectedVersions{Text: "reported on 2.4.0 and 2.4.1"},
		Workaround: "none published; inferred from the cause: one backend a route avoids it",
		Sources:    []string{"https://github.com/quartzdb/quartz/issues/790"},
	}
}

func quartzIncident() *parse.Incident {
	stack := quartzStack()
	created := own("golang.org/x/sync/errgroup.(*Group).Go", "/build/gopath/pkg/mod/golang.org/x/sync@v0.19.0/errgroup/errgroup.go", 78, 122)
	created.Module, created.Version, created.Goroutine = "golang.org/x/sync", "v0.19.0", 662403
	inc := &parse.Incident{
		Kind: parse.KindFatal, Headline: "fatal error: concurrent map iteration and map write",
		Reason: "concurrent map iteration and map write", Died: parse.Yes,
		Source: "crash.log", Line: 110, EndLine: 9312, HeadlineLine: 110, Fingerprint: "ct1:3fa9c1d2", Count: 1,
		Goroutine: 1009884, HasGoroutine: true, Goroutines: 41217, Stack: stack, Blame: &stack[2], CreatedBy: &created,
		Context: []parse.ContextLine{
			{Line: 107, Text: "{…}", Record: &parse.Record{Clock: "2026-04-23T17:13:20.504Z", Level: "info", Module: "quartz.raft", Message: "entering leader state"}},
			{Line: 108, Text: "quartz: 2 routes changed"},
			{Line: 109, Text: "{…}", Record: &parse.Record{Clock: "2026-04-23T17:13:21.011Z", Level: "error", Module: "quartz.route", Message: "error while publishing, adding the route again", Error: "context canceled"}},
		},
	}
	inc.Buckets = []*parse.Bucket{
		{ID: "b1", Count: 38802, State: "select", HasWait: true, MinWait: 0, MaxWait: 184, IDs: []int64{17, 18}, Frames: []parse.Frame{std("runtime.gopark", "runtime/proc.go", 424, 130), own("github.com/quartzdb/quartz/view.(*materializer).query", "/src/quartz/view/materializer.go", 90, 132)}},
		{ID: "b2", Count: 2114, State: "IO wait", HasWait: true, MinWait: 2, MaxWait: 37, Frames: []parse.Frame{std("internal/poll.runtime_pollWait", "runtime/netpoll.go", 351, 150), std("bufio.(*Reader).Read", "bufio/bufio.go", 241, 158), own("github.com/quartzdb/mux.(*Session).recvLoop", "/build/gopath/pkg/mod/github.com/quartzdb/mux@v0.3.1/session.go", 501, 160)}},
		{ID: "b3", Count: 300, State: "sync.Mutex.Lock", HasWait: true, MinWait: 41, MaxWait: 41, Locked: 1, Frames: []parse.Frame{std("internal/sync.(*Mutex).lockSlow", "internal/sync/mutex.go", 149, 180), own("github.com/quartzdb/quartz/server.(*Server).leaderLoop", "/src/quartz/server/leader.go", 41, 184)}},
		{ID: "b4", Count: 1, State: "running", Crashed: true, IDs: []int64{1009884}, Frames: stack, CreatedBy: &created, Line: 111},
	}
	return inc
}

func quartzFacts() parse.Facts {
	return parse.Facts{
		Products: []parse.Product{{Name: "quartz", Version: "2.4.1", Role: "server", How: "agent banner", Source: "crash.log", Line: 18}},
		Go:       []parse.Fact{{Value: "go1.25.8", How: "agent banner", Source: "crash.log", Line: 19}},
		OS:       []parse.Fact{{Value: "linux", How: "agent banner", Source: "crash.log", Line: 20}},
		Arch:     []parse.Fact{{Value: "amd64", How: "agent banner", Source: "crash.log", Line: 20}},
		Modules: []parse.Module{
			{Path: "golang.org/x/sync", Version: "v0.19.0", Source: "crash.log", Line: 121},
			{Path: "github.com/quartzdb/ringmap", Version: "v1.2.0", Source: "crash.log", Line: 117},
		},
	}
}

// knownExample is a big crash with a documented bug whose fix is open.
func knownExample() example {
	inc := quartzIncident()
	return example{
		name: "known",
		capture: &parse.Capture{
			Sources:   []*parse.Source{{Name: "crash.log", Wrapper: "plain", Bytes: 4_200_000, Lines: 91_312}},
			Incidents: []*parse.Incident{inc}, Facts: quartzFacts(),
		},
		result: &signatures.Result{
			ByIncident: map[*parse.Incident][]signatures.Match{inc: {{
				Signature: quartzSignature(), Status: signatures.Affected, Confidence: signatures.High,
				RunningVersion: "quartz 2.4.1", How: "agent banner",
				Evidence: []signatures.Evidence{
					{Source: "crash.log", Line: 110, Text: inc.Headline, Condition: "message: concurrent map iteration and map write"},
					{Source: "crash.log", Line: 118, Condition: "frame: github.com/quartzdb/quartz/server/route.(*reconciler).publish.func2"},
				},
				Missing: []string{"log: quartz.route publishing the same route twice"},
			}}},
			Families:   map[*parse.Incident]*signatures.Family{inc: mapFamily()},
			Considered: map[*parse.Incident]int{inc: 3},
		},
	}
}

func mapFamily() *signatures.Family {
	return &signatures.Family{
		ID: "concurrent-map-iteration-write", Owner: "your-code",
		Meaning:  "A range loop, an encoder or a logger walked a map while another goroutine changed it.",
		NextStep: "Find the map in the first own frame, then every writer. Copy it before sharing, or lock around both.",
	}
}

// unknownExample is a nil dereference that nobody has documented.
func unknownExample() example {
	stack := []parse.Frame{
		own("github.com/acme/orders/store.(*Cache).Get", "/home/ci/src/orders/store/cache.go", 88, 5),
		own("github.com/acme/orders/api.(*Handler).lookup", "/home/ci/src/orders/api/handler.go", 41, 7),
		std("net/http.HandlerFunc.ServeHTTP", "net/http/server.go", 2294, 9),
		std("net/http.(*ServeMux).ServeHTTP", "net/http/server.go", 2822, 11),
		std("net/http.serverHandler.ServeHTTP", "net/http/server.go", 3301, 13),
		own("main.main", "/home/ci/src/orders/main.go", 30, 15),
	}
	stack[0].Args = "0x0, {0xc00001c0a8, 0x5}"
	inc := &parse.Incident{
		Kind: parse.KindPanic, Headline: "panic: runtime error: invalid memory address or nil pointer dereference",
		Reason: "runtime error: invalid memory address or nil pointer dereference", Died: parse.Yes,
		Signal: "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6f2c1a]",
		Source: "orders.log", Line: 1, EndLine: 16, HeadlineLine: 1, Fingerprint: "ct1:8c1f04d2", Count: 1,
		Goroutine: 34, HasGoroutine: true, Goroutines: 1, Stack: stack, Blame: &stack[0],
		Truncated: "the last goroutine ends in the middle of a line",
	}
	inc.Buckets = []*parse.Bucket{{ID: "b1", Count: 1, State: "running", Crashed: true, IDs: []int64{34}, Frames: stack}}
	return example{
		name: "unknown",
		capture: &parse.Capture{
			Sources:   []*parse.Source{{Name: "orders.log", Wrapper: "journald", Bytes: 1890, Lines: 16, Problems: []parse.Problem{{Line: 16, Code: "truncated-goroutine", Message: "goroutine 34 ends in the middle of a line"}}}},
			Incidents: []*parse.Incident{inc},
		},
		result: &signatures.Result{
			Families: map[*parse.Incident]*signatures.Family{inc: {
				ID: "nil-pointer", Owner: "your-code", Meaning: "A nil pointer, nil interface or nil function was used.",
				NextStep: "Take the first frame that is not runtime; look for a receiver printed as 0x0.",
			}},
			Considered: map[*parse.Incident]int{inc: 3},
		},
	}
}

// candidatesExample has a message and no stack: the documented bugs can only be named.
func candidatesExample() example {
	inc := &parse.Incident{
		Kind: parse.KindFatal, Headline: "fatal error: concurrent map iteration and map write",
		Reason: "concurrent map iteration and map write", Died: parse.Yes,
		Source: "-", Line: 1, EndLine: 1, HeadlineLine: 1, Fingerprint: "ct1:77aa0001", Count: 1,
		Truncated: "no goroutine follows the headline",
	}
	second := quartzSignature()
	second.ID, second.Title = "quartz-leader-map-race", "The leader's session table is written while it is being listed"
	second.Fix = signatures.Fix{URL: "https://github.com/quartzdb/quartz/pull/655", State: signatures.FixMerged, AsOf: "2026-09", FixedIn: []signatures.FixedIn{{Module: "quartz", Line: "2.3", Version: "2.3.9"}, {Module: "quartz", Line: "", Version: "2.4.0"}}}
	collect := []string{"the stderr of the dead process: its journal, or kubectl logs -p"}
	return example{
		name: "candidates",
		capture: &parse.Capture{
			Sources:   []*parse.Source{{Name: "-", Wrapper: "plain", Bytes: 1400, Lines: 71}},
			Incidents: []*parse.Incident{inc},
			Facts:     parse.Facts{Products: []parse.Product{{Name: "quartz", Version: "2.4.1", How: "consul info", Source: "-", Line: 12}}},
		},
		result: &signatures.Result{
			ByIncident: map[*parse.Incident][]signatures.Match{inc: {
				{Signature: quartzSignature(), Status: signatures.Candidate, Confidence: signatures.High, RunningVersion: "quartz 2.4.1", Evidence: []signatures.Evidence{{Source: "-", Line: 1, Condition: "message: concurrent map iteration and map write"}}, Collect: collect},
				{Signature: second, Status: signatures.Candidate, Confidence: signatures.Medium, RunningVersion: "quartz 2.4.1", Evidence: []signatures.Evidence{{Source: "-", Line: 1, Condition: "message: concurrent map iteration and map write"}}, Collect: collect},
			}},
			Families: map[*parse.Incident]*signatures.Family{inc: mapFamily()},
		},
	}
}

// logsExample shows a documented bug in the logs of a program that did not die.
func logsExample() example {
	s := &signatures.Signature{
		ID: "lantern-stale-snapshot", Project: "lantern", Product: "gateway",
		Title:     "The controller publishes an older snapshot under a newer version, so routes vanish",
		RootCause: "Two updates read the store at the same time without a lock; the slower one wins with old state.",
		Owner:     "lantern/gateway controller/snapshot.go (*Manager).Update",
		Issue:     "https://github.com/lantern/gateway/issues/239",
		Fix: signatures.Fix{
			URL: "https://github.com/lantern/gateway/pull/247", State: signatures.FixMerged, AsOf: "2026-09",
			FixedIn: []signatures.FixedIn{{Module: "gateway", Version: "1.2.0"}},
		},
		Workaround: "none stated; inferred from the cause: deploy any change once more to rebuild the snapshot",
	}
	return example{
		name: "logs",
		capture: &parse.Capture{
			Sources: []*parse.Source{{Name: "bundle.tar.gz!/lantern-debug/server-2/controller.log", Wrapper: "cri", Bytes: 52_000_000, Lines: 240_113}},
			Logs: parse.Logs{
				Records: 240_113, ByLevel: map[string]int{"info": 240_101, "error": 12},
				First: at("2026-07-01T10:00:00+02:00"), Last: at("2026-07-01T13:37:04+02:00"),
				Buckets: []parse.LogBucket{
					{Level: "error", Module: "controller", Message: "route <*> not found", Count: 12, First: at("2026-07-01T10:01:00+02:00"), Last: at("2026-07-01T13:00:00+02:00"), Line: 511, Example: "route /orders not found"},
					{Level: "info", Module: "controller", Message: "updated snapshot", Count: 240_101, Line: 1},
				},
			},
		},
		result: &signatures.Result{Findings: []signatures.Match{{
			Signature: s, Status: signatures.VersionUnknown, Confidence: signatures.Medium,
			Evidence: []signatures.Evidence{
				{Source: "bundle.tar.gz!/lantern-debug/server-2/controller.log", Line: 402, Text: "updated snapshot version=42 num_configs=6", Condition: "version rises from 41 to 42 while num_configs falls from 7 to 6"},
			},
			Collect: []string{"the controller's version: lantern version"},
		}}},
	}
}

// noneExample has nothing to report, and one file that could not be read.
func noneExample() example {
	return example{
		name: "none",
		capture: &parse.Capture{
			Sources: []*parse.Source{
				{Name: "a.log", Wrapper: "plain", Bytes: 600_000_000, Lines: 3_100_000},
				{Name: "b.log", Wrapper: "plain", Bytes: 212_000_000, Lines: 1_000_000, Problems: []parse.Problem{{Line: 2041, Code: "line-too-long", Message: "a line of 51 MB was read to 8 MB"}}},
				{Name: "c.log", Err: errors.New("open c.log: permission denied")},
			},
			Logs:  parse.Logs{Records: 4_100_000, ByLevel: map[string]int{"error": 812, "info": 4_099_188}, Restarts: []parse.Fact{{Value: "quartz 2.4.1", How: "agent banner", Source: "b.log", Line: 900}}},
			Facts: parse.Facts{Exits: []parse.Exit{{Code: 137, OOMKilled: true, Text: "Last State: Terminated, Reason: OOMKilled, Exit Code: 137", Source: "b.log", Line: 899}}},
		},
	}
}

// severalExample holds one incident of nearly every kind.
func severalExample() example {
	loop := quartzIncident()
	loop.Count, loop.FirstTime, loop.LastTime = 14, at("2026-04-23T17:13:21Z"), at("2026-04-23T19:40:02Z")
	stack := []parse.Frame{
		std("runtime.gopanic", "runtime/panic.go", 783, 42),
		own("github.com/acme/orders/api.(*Handler).pay", "/home/ci/src/orders/api/pay.go", 17, 44),
	}
	recovered := &parse.Incident{
		Kind: parse.KindRecoveredPanic, Headline: "http: panic serving 192.0.2.7:5123: runtime error: index out of range [3] with length 3",
		Reason: "runtime error: index out of range [3] with length 3", Died: parse.No, Source: "b.log", Line: 40, EndLine: 60, HeadlineLine: 40,
		Fingerprint: "ct1:00000002", Count: 3, Goroutine: 9, HasGoroutine: true, Goroutines: 1, Stack: stack, Blame: &stack[1],
	}
	race := &parse.Incident{
		Kind: parse.KindRace, Headline: "WARNING: DATA RACE", Reason: "data race", Died: parse.No, Source: "test.log", Line: 4, EndLine: 30, HeadlineLine: 4,
		Fingerprint: "ct1:00000003", Count: 1,
		Races: []parse.RaceAccess{
			{Title: "Write at 0x00c000060080 by goroutine 9:", Line: 5, Stack: []parse.Frame{own("github.com/acme/orders/store.(*Cache).put", "/home/ci/src/orders/store/cache.go", 61, 6)}},
			{Title: "Previous read at 0x00c000060080 by goroutine 7:", Line: 8, Stack: []parse.Frame{own("github.com/acme/orders/store.(*Cache).Get", "/home/ci/src/orders/store/cache.go", 80, 9)}},
		},
	}
	timeout := &parse.Incident{
		Kind: parse.KindTestTimeout, Headline: "panic: test timed out after 10m0s", Reason: "test timed out after 10m0s", Died: parse.Yes,
		Source: "test.log", Line: 50, EndLine: 90, HeadlineLine: 50, Fingerprint: "ct1:00000004", Count: 1, Goroutines: 12,
		RunningTests: []string{"TestReplay (9m58s)", "TestReplay/slow (9m41s)"},
	}
	return example{
		name: "several",
		capture: &parse.Capture{
			Sources: []*parse.Source{
				{Name: "crash.log", Wrapper: "plain", Bytes: 4_200_000, Lines: 91_312}, {Name: "b.log", Wrapper: "docker", Bytes: 20_000, Lines: 120},
				{Name: "test.log", Wrapper: "plain", Bytes: 9_000, Lines: 90},
			},
			Incidents: []*parse.Incident{race, recovered, loop, timeout}, Facts: quartzFacts(),
		},
		result: &signatures.Result{
			ByIncident: map[*parse.Incident][]signatures.Match{loop: knownExample().matchOf()},
			Families: map[*parse.Incident]*signatures.Family{
				race:    {ID: "data-race", Owner: "your-code", Meaning: "Two goroutines used one address without a lock, and one of them wrote.", NextStep: "Put both accesses under one lock."},
				timeout: {ID: "test-timeout", Owner: "your-code", Meaning: "A test ran longer than go test -timeout allows.", NextStep: "Read the goroutine of the running test first."},
			},
		},
	}
}

func (e example) matchOf() []signatures.Match {
	for _, m := range e.result.ByIncident {
		return m
	}
	return nil
}

// dumpExample is a dump that somebody asked for: no crash.
func dumpExample() example {
	inc := quartzIncident()
	inc.Kind, inc.Headline, inc.Reason, inc.Died = parse.KindGoroutineDump, "", "", parse.No
	inc.HasGoroutine, inc.Goroutine, inc.Stack, inc.Blame, inc.CreatedBy, inc.Context = false, 0, nil, nil, nil, nil
	inc.Buckets[3].Crashed = false
	for i := range 14 {
		inc.Buckets = append(inc.Buckets, &parse.Bucket{ID: fmt.Sprint("x", i), Count: 1, State: "chan receive", HasWait: true, MinWait: i * 700, MaxWait: i * 700, Frames: []parse.Frame{own(fmt.Sprintf("github.com/quartzdb/quartz/server.(*Server).worker%d", i), "/src/quartz/server/worker.go", i, i)}})
	}
	return example{
		name: "dump",
		capture: &parse.Capture{
			Sources:   []*parse.Source{{Name: "goroutines.txt", Wrapper: "plain", Bytes: 31_000_000, Lines: 700_100}},
			Incidents: []*parse.Incident{inc},
		},
	}
}

// evilText holds what each place that a report goes to would obey.
const evilText = "\x1b]0;owned\a\x1b[31m<!channel> ::error::x ##vso[x] </script>]]> \u202eevil\u2066 \x00 \u009b2J \xff\xfe a\r\nb\u200bc"

// hostileExample has what an attacker would put in every place that the input controls.
func hostileExample() example { return hostileWith(evilText) }

// hostileWith has one text wherever a log can put text.
func hostileWith(evil string) example {
	stack := []parse.Frame{own("evil"+evil+".F", "/x/"+evil+".go", -1, 3)}
	inc := &parse.Incident{
		Kind: parse.KindPanic, Headline: "panic: " + evil, Reason: evil, Value: evil + "\n" + evil, Chain: []string{evil, evil},
		Died: parse.Yes, Signal: evil, Source: evil, Line: 1, EndLine: 9, HeadlineLine: 1, Fingerprint: "ct1:00000005", Count: 1,
		Goroutine: 1, HasGoroutine: true, Goroutines: 1, Stack: stack, Blame: &stack[0], CreatedBy: &stack[0],
		Truncated: evil, RunningTests: []string{evil}, Races: []parse.RaceAccess{{Title: evil, Stack: stack}},
		Buckets: []*parse.Bucket{{ID: "b", Count: 1, State: evil, Frames: stack, CreatedBy: &stack[0], Labels: []string{evil}, Crashed: true}},
		Context: []parse.ContextLine{{Line: 1, Text: evil}, {Line: 2, Text: evil, Record: &parse.Record{Clock: evil, Level: evil, Module: evil, Message: evil, Error: evil}}},
	}
	f := parse.Fact{Value: evil, How: evil, Source: evil, Line: 1}
	return example{
		name: "hostile",
		capture: &parse.Capture{
			Sources:   []*parse.Source{{Name: evil, Wrapper: evil, Err: errors.New(evil), Problems: []parse.Problem{{Line: 1, Code: "x", Message: evil}}}},
			Incidents: []*parse.Incident{inc},
			Facts: parse.Facts{
				Products: []parse.Product{{Name: evil, Version: evil, Edition: evil, How: evil, Source: evil}},
				Go:       []parse.Fact{f}, OS: []parse.Fact{f}, Arch: []parse.Fact{f}, Goroutines: []parse.Fact{f},
				Modules: []parse.Module{{Path: evil, Version: evil, Source: evil}}, Exits: []parse.Exit{{Code: -1, Signal: evil, Text: evil, Source: evil}},
			},
			Logs: parse.Logs{
				Records: 1, ByLevel: map[string]int{evil: 1}, Restarts: []parse.Fact{f},
				First:   time.Date(12026, 1, 1, 0, 0, 0, 0, time.FixedZone(evil, 25*3600)),
				Buckets: []parse.LogBucket{{Level: evil, Module: evil, Message: evil, Source: evil, Example: evil, Count: 1}},
			},
		},
		result: &signatures.Result{
			ByIncident: map[*parse.Incident][]signatures.Match{inc: {{
				Signature: quartzSignature(), Status: signatures.VersionUnknown, Confidence: signatures.Low, RunningVersion: evil, How: evil,
				Evidence: []signatures.Evidence{{Source: evil, Line: 1, Text: evil, Condition: "message: " + evil}}, Missing: []string{evil}, Collect: []string{evil},
			}}},
		},
	}
}

// fixedHereExample is a documented bug on a version that should have the fix.
func fixedHereExample() example {
	e := knownExample()
	e.name = "fixed-here"
	s := quartzSignature()
	s.Fix = signatures.Fix{
		URL: "https://github.com/quartzdb/quartz/pull/812", State: signatures.FixMerged, AsOf: "2026-09",
		FixedIn: []signatures.FixedIn{{Module: "quartz", Line: "2.3", Version: "2.3.9"}, {Module: "quartz", Line: "2.4", Version: "2.4.1"}, {Module: "quartz", Version: "2.5.0"}},
	}
	for inc, m := range e.result.ByIncident {
		m[0].Signature, m[0].Status = s, signatures.FixedHere
		e.result.ByIncident[inc] = m
	}
	return e
}
