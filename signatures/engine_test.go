package signatures

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crashtriage/crashtriage/parse"
)

// stack makes frames of functions, innermost first.
func stack(functions ...string) []parse.Frame {
	list := make([]parse.Frame, len(functions))
	for i, f := range functions {
		list[i] = parse.Frame{Function: f, SourceLine: 10 + 2*i}
	}
	return list
}

func crash(kind parse.Kind, headline string, frames []parse.Frame) *parse.Incident {
	inc := &parse.Incident{Kind: kind, Headline: headline, Source: "crash.log", Line: 8, HeadlineLine: 8, Count: 1, Stack: frames}
	inc.Reason = strings.TrimPrefix(strings.TrimPrefix(headline, "panic: "), "fatal error: ")
	if len(frames) > 0 {
		inc.Buckets = []*parse.Bucket{{ID: "b1", Count: 1, State: "running", Frames: frames, Crashed: true, Line: 9}}
		inc.Goroutines = 1
	}
	return inc
}

// seedCaptures are the founding bugs as the parser returns them, by id.
func seedCaptures() map[string]*parse.Capture {
	of := func(inc ...*parse.Incident) *parse.Capture { return &parse.Capture{Incidents: inc} }
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	leak, stale := &parse.Capture{}, &parse.Capture{}
	for i := range 4 {
		leak.Logs.Kept = append(leak.Logs.Kept, &parse.Record{
			Source: "agent.log", Line: i + 1, Time: at.Add(time.Duration(i) * 9 * time.Microsecond), Level: "error", Module: "agent.proxycfg",
			Message: "Failed to handle update from watch", Error: "error filling agent cache: rpc error",
			Fields: map[string]string{"id": "upstream-peer:a?peer=b", "kind": "connect-proxy", "service_id": "s"},
		})
	}
	for i, configs := range []string{"3", "2"} {
		stale.Logs.Kept = append(stale.Logs.Kept, &parse.Record{
			Source: "gw.log", Line: i + 1, Time: at.Add(time.Duration(i) * time.Millisecond), Level: "info", Message: "Updated xDS snapshot",
			Fields: map[string]string{"version": fmt.Sprint(4 + i), "num_configs": configs, "correlation_id": fmt.Sprint("c-", i)},
		})
	}
	return map[string]*parse.Capture{
		"consul-apigw-route-watchset-race": of(crash(parse.KindFatal, "fatal error: concurrent map iteration and map write", stack(
			"internal/runtime/maps.fatal", "internal/runtime/maps.(*Iter).Next",
			"github.com/hashicorp/go-memdb.WatchSet.watchMany", "github.com/hashicorp/go-memdb.WatchSet.WatchCtx",
			"github.com/hashicorp/consul/agent/consul/controller.(*controller).AddTrigger.func1", "golang.org/x/sync/errgroup.(*Group).Go.func1"))),
		"consul-leader-concurrent-map-21288":         of(crash(parse.KindFatal, "fatal error: concurrent map iteration and map write", nil)),
		"consul-proxycfg-peered-upstream-watch-leak": leak,
		"wso2-xds-snapshot-stale-overwrite":          stale,
	}
}

// one loads a pack of one signature: its kind, its fix stays unknown, and what the test gives.
func one(t *testing.T, kind, conditions string) *DB {
	t.Helper()
	text := "pack: t\nas_of: 2026-09\nproject: acme\nmodule: example.com/acme\nsignatures:\n- id: x\n  title: t\n  kind: " + kind +
		"\n  root_cause: r\n  confidence: high\n  fix: {state: none-known, release: none}\n" + indent(conditions, "  ")
	db, err := LoadOnly(Source{"t.yaml", []byte(text)})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return db
}

func indent(s, by string) string {
	return by + strings.ReplaceAll(strings.Trim(s, "\n"), "\n", "\n"+by) + "\n"
}

const nilDereference = "panic: runtime error: invalid memory address or nil pointer dereference"

// Conditions about one incident. The answer is the status of the match, or "" for none.
func TestIncidentConditions(t *testing.T) {
	getter := stack("panic", "example.com/acme/store.(*Cache).Get", "example.com/acme/http.Serve", "net/http.HandlerFunc.ServeHTTP")
	mapCrash := "fatal error: concurrent map writes"
	named := parse.Facts{Products: []parse.Product{{Name: "acme", Version: "1.2.0"}}}
	const own = `
match:
  message: 'panic: runtime error: invalid memory address or nil pointer dereference'
  top: example.com/acme/store.(*Cache).Get
`
	const ordered = `
match:
  message: 'fatal error: concurrent map writes'
  frames: [example.com/acme/store.(*Cache).Put, example.com/acme/job.Run]
`
	for _, tt := range []struct {
		name, kind, conditions string
		inc                    *parse.Incident
		facts                  parse.Facts
		want                   Status
	}{
		{"own frame on top", "panic", own, crash(parse.KindPanic, nilDereference, getter), parse.Facts{}, VersionUnknown},
		{"own frame, but another on top", "panic", own, crash(parse.KindPanic, nilDereference,
			stack("panic", "example.com/acme/store.(*Shard).load", "example.com/acme/store.(*Cache).Get")), parse.Facts{}, ""},
		{"above the last panic only", "panic", own, crash(parse.KindPanic, nilDereference,
			stack("example.com/acme/store.(*Cache).Get", "panic", "example.com/acme/other.F")), parse.Facts{}, ""},
		{"another message", "panic", own, crash(parse.KindPanic, "panic: assignment to entry in nil map", getter), parse.Facts{}, ""},
		{"recovered by net/http", "panic", own, crash(parse.KindRecoveredPanic,
			"http: panic serving 192.0.2.7:50122: runtime error: invalid memory address or nil pointer dereference", getter), parse.Facts{}, VersionUnknown},
		{"a crash never shows a leak", "leak", "match: {goroutines: {frames: [example.com/acme/store.(*Cache).Get], at_least: 2}}",
			crash(parse.KindPanic, nilDereference, getter), parse.Facts{}, ""},

		{"in order, with a gap", "fatal", ordered, crash(parse.KindFatal, mapCrash,
			stack("runtime.fatal", "example.com/acme/store.(*Cache).Put.func1", "example.com/acme/store.locked", "example.com/acme/job.Run")), parse.Facts{}, VersionUnknown},
		{"in the wrong order", "fatal", ordered, crash(parse.KindFatal, mapCrash,
			stack("runtime.fatal", "example.com/acme/job.Run", "example.com/acme/store.(*Cache).Put")), parse.Facts{}, ""},
		{"vendored, with a major version", "fatal", ordered, crash(parse.KindFatal, mapCrash,
			stack("runtime.fatal", "example.com/all/vendor/example.com/acme/v3/store.(*Cache[...]).Put", "example.com/acme/v3/job.Run-range1")), parse.Facts{}, VersionUnknown},
		{"no stack, the program is named", "fatal", ordered, crash(parse.KindFatal, mapCrash, nil), named, Candidate},
		{"no stack, another program is named", "fatal", ordered, crash(parse.KindFatal, mapCrash, nil),
			parse.Facts{Products: []parse.Product{{Name: "nomad", Version: "1.0.0"}}}, ""},
		{"no stack, no program is named", "fatal", ordered, crash(parse.KindFatal, mapCrash, nil), parse.Facts{}, ""},
		{"a stack that contradicts", "fatal", ordered, crash(parse.KindFatal, mapCrash, stack("runtime.fatal", "example.com/acme/other.F")), named, ""},
		{"cut off behind the first frame", "fatal", ordered, func() *parse.Incident {
			inc := crash(parse.KindFatal, mapCrash, stack("runtime.fatal", "example.com/acme/store.(*Cache).Put"))
			inc.Truncated = "the input ends inside a goroutine"
			return inc
		}(), named, Candidate},

		{"one frame of the owner is enough", "fatal", `
match:
  message: {regexp: 'cache shard \d+ is torn'}
  any_frame: [example.com/acme/store.(*Cache).Put, runtime.mapassign]
`, crash(parse.KindFatal, "fatal error: cache shard 7 is torn", stack("example.com/acme/store.(*Cache).Put")), parse.Facts{}, VersionUnknown},
		{"generic frames never count alone", "fatal", `
match:
  message: {regexp: 'cache shard \d+ is torn'}
  any_frame: [example.com/acme/store.(*Cache).Put, runtime.mapassign, sync.(*Mutex).Lock]
`, crash(parse.KindFatal, "fatal error: cache shard 7 is torn", stack("runtime.mapassign", "sync.(*Mutex).Lock")), parse.Facts{}, ""},
		{"two of another owner", "fatal", `
match:
  message: {regexp: 'cache shard \d+ is torn'}
  any_frame: [example.com/lib.A, example.com/lib.B]
`, crash(parse.KindFatal, "fatal error: cache shard 7 is torn", stack("example.com/lib.B", "example.com/lib.A")), parse.Facts{}, VersionUnknown},
		{"one of another owner", "fatal", `
match:
  message: {regexp: 'cache shard \d+ is torn'}
  any_frame: [example.com/lib.A, example.com/lib.B]
`, crash(parse.KindFatal, "fatal error: cache shard 7 is torn", stack("example.com/lib.B")), parse.Facts{}, ""},

		{"both sides of a race", "race", "match: {frames: [example.com/acme/store.(*Cache).Put, example.com/acme/job.Run]}",
			&parse.Incident{Kind: parse.KindRace, Headline: "WARNING: DATA RACE", Races: []parse.RaceAccess{
				{Title: "Read at", Stack: stack("example.com/acme/x.Y")},
				{Title: "Previous write at", Stack: stack("example.com/acme/store.(*Cache).Put", "example.com/acme/job.Run")},
			}}, parse.Facts{}, VersionUnknown},
		{"not: the version that prints the same for another reason", "panic", own + "  not: {product: {name: acme, versions: '< 1.1.0'}}",
			crash(parse.KindPanic, nilDereference, getter), parse.Facts{Products: []parse.Product{{Name: "acme", Version: "1.0.9"}}}, ""},
		{"a version that is unknown decides nothing", "panic", own + "  product: {name: acme, versions: '>= 1.1.0'}",
			crash(parse.KindPanic, nilDereference, getter), parse.Facts{}, VersionUnknown},
		{"a version that does not fit", "panic", own + "  product: {name: acme, versions: '>= 1.3.0'}",
			crash(parse.KindPanic, nilDereference, getter), named, ""},
		{"the Go release", "panic", own + "  go: '< 1.22'",
			crash(parse.KindPanic, nilDereference, getter), parse.Facts{Go: []parse.Fact{{Value: "go1.25.8 X:boringcrypto"}}}, ""},
		{"created by", "panic", own + "  creator: example.com/acme/job.Start",
			func() *parse.Incident {
				inc := crash(parse.KindPanic, nilDereference, getter)
				inc.CreatedBy = &parse.Frame{Function: "example.com/acme/job.Start.func2"}
				return inc
			}(), parse.Facts{}, VersionUnknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := one(t, tt.kind, tt.conditions)
			c := &parse.Capture{Incidents: []*parse.Incident{tt.inc}, Facts: tt.facts}
			var got Status
			res := db.Match(c, MatchOptions{})
			for _, m := range res.ByIncident[tt.inc] {
				got = m.Status
				if got == Candidate && (len(m.Collect) == 0 || m.Confidence != Low) {
					t.Errorf("a candidate says what decides: %+v", m)
				}
			}
			if got != tt.want {
				t.Errorf("%q, want %q; %+v", got, tt.want, db.Explain(c, tt.inc, MatchOptions{}))
			}
		})
	}
}

// Conditions about goroutines of one shape.
func TestGoroutineConditions(t *testing.T) {
	bucket := func(n int, state string, minutes int, functions ...string) *parse.Bucket {
		return &parse.Bucket{Count: n, State: state, HasWait: minutes > 0, MaxWait: minutes, Frames: stack(functions...), Line: 40}
	}
	const stuck = `
match:
  goroutines:
    frames: [sync.(*Mutex).Lock, example.com/acme/store.(*Cache).Put]
    state: [sync.Mutex.Lock, semacquire]
    wait: 5m
    at_least: 10
`
	lock := []string{"sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", "example.com/acme/store.(*Cache).Put"}
	pointers := bucket(12, "sync.Mutex.Lock", 9, lock...)
	pointers.Pointers = []parse.PointerCount{{Address: 0xc000100000, Count: 11}, {Address: 0xc000200000, Count: 1}}
	for _, tt := range []struct {
		name, conditions string
		kind             parse.Kind
		buckets          []*parse.Bucket
		want             Truth
	}{
		{"many wait for long", stuck, parse.KindSignal, []*parse.Bucket{bucket(12, "sync.Mutex.Lock", 9, lock...)}, Holds},
		{"several shapes add up", stuck, parse.KindSignal, []*parse.Bucket{bucket(5, "sync.Mutex.Lock", 9, lock...), bucket(5, "semacquire", 6, lock...)}, Holds},
		{"too few", stuck, parse.KindSignal, []*parse.Bucket{bucket(9, "sync.Mutex.Lock", 9, lock...)}, DoesNotHold},
		{"too short", stuck, parse.KindSignal, []*parse.Bucket{bucket(12, "sync.Mutex.Lock", 4, lock...)}, DoesNotHold},
		{"no minutes are printed below one", stuck, parse.KindSignal, []*parse.Bucket{bucket(12, "sync.Mutex.Lock", 0, lock...)}, DoesNotHold},
		{"another state", stuck, parse.KindSignal, []*parse.Bucket{bucket(12, "select", 9, lock...)}, DoesNotHold},
		{"a profile shows no states", stuck, parse.KindGoroutineProfile, []*parse.Bucket{bucket(12, "", 0, lock...)}, CannotTell},
		{"a crash is no hang", stuck, parse.KindPanic, []*parse.Bucket{bucket(12, "sync.Mutex.Lock", 9, lock...)}, DoesNotHold},
		{"on one lock", stuck + "    same_lock: true", parse.KindSignal, []*parse.Bucket{pointers}, Holds},
		{"on one lock, too few", strings.Replace(stuck, "10", "12", 1) + "    same_lock: true", parse.KindSignal, []*parse.Bucket{pointers}, DoesNotHold},
		{"a profile is enough for a count", "match: {goroutines: {frames: [example.com/acme/job.Run], at_least: 100}}", parse.KindGoroutineProfile,
			[]*parse.Bucket{bucket(512, "", 0, "runtime.gopark", "example.com/acme/job.Run.func1")}, Holds},
		{"the innermost own frame", "match: {goroutines: {top: example.com/acme/job.wait, at_least: 2}}", parse.KindSignal,
			[]*parse.Bucket{bucket(3, "select", 9, "runtime.gopark", "example.com/acme/job.wait", "example.com/acme/job.Run")}, Holds},
		{"not the innermost own frame", "match: {goroutines: {top: example.com/acme/job.Run, at_least: 2}}", parse.KindSignal,
			[]*parse.Bucket{bucket(3, "select", 9, "runtime.gopark", "example.com/acme/job.wait", "example.com/acme/job.Run")}, DoesNotHold},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := one(t, "deadlock", tt.conditions)
			inc := &parse.Incident{Kind: tt.kind, Headline: "SIGQUIT: quit", Buckets: tt.buckets}
			c := &parse.Capture{Incidents: []*parse.Incident{inc}}
			x := db.Explain(c, inc, MatchOptions{})
			if len(x) != 1 || x[0].Verdict != tt.want {
				t.Fatalf("%+v, want %s", x, tt.want)
			}
			if n := len(db.Match(c, MatchOptions{}).ByIncident[inc]); (n == 1) != (tt.want == Holds) {
				t.Errorf("%d matches", n)
			}
		})
	}
}

// Conditions about log records, growth and metrics: findings without an incident.
func TestLogConditions(t *testing.T) {
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	rec := func(line int, after time.Duration, message string, fields ...string) *parse.Record {
		r := &parse.Record{Source: "a.log", Line: line, Time: at.Add(after), Level: "warn", Module: "acme.store", Message: message, Fields: map[string]string{}}
		for i := 0; i+1 < len(fields); i += 2 {
			r.Fields[fields[i]] = fields[i+1]
		}
		return r
	}
	cutClock := func(line int, clock, raw string, fields ...string) *parse.Record {
		r := rec(line, 0, "shard lost", fields...)
		r.Time, r.Clock, r.Raw = time.Time{}, clock, raw
		return r
	}
	const burst = `
match:
  burst: {module: acme.store, message: shard lost, fields: {kind: hot}, same: [shard], at_least: 3, within: 1s}
`
	const sequence = `
match:
  sequence:
    record: {message: flushed}
    rises: version
    falls: items
    without: {message: {starts_with: 'deleting '}}
`
	for _, tt := range []struct {
		name, kind, conditions string
		records                []*parse.Record
		capture                parse.Capture
		want                   bool
	}{
		{"a burst", "log", burst, []*parse.Record{
			rec(1, 0, "shard lost", "kind", "hot", "shard", "7"), rec(2, 300*time.Millisecond, "shard lost", "kind", "hot", "shard", "7"),
			rec(3, 900*time.Millisecond, "shard lost", "kind", "hot", "shard", "7"),
		}, parse.Capture{}, true},
		{"each once", "log", burst, []*parse.Record{
			rec(1, 0, "shard lost", "kind", "hot", "shard", "7"), rec(2, 1, "shard lost", "kind", "hot", "shard", "8"), rec(3, 2, "shard lost", "kind", "hot", "shard", "9"),
		}, parse.Capture{}, false},
		{"spread over seconds", "log", burst, []*parse.Record{
			rec(1, 0, "shard lost", "kind", "hot", "shard", "7"), rec(2, time.Second, "shard lost", "kind", "hot", "shard", "7"),
			rec(3, 2*time.Second, "shard lost", "kind", "hot", "shard", "7"),
		}, parse.Capture{}, false},
		{"another field", "log", burst, []*parse.Record{
			rec(1, 0, "shard lost", "kind", "cold", "shard", "7"), rec(2, 1, "shard lost", "kind", "cold", "shard", "7"), rec(3, 2, "shard lost", "kind", "cold", "shard", "7"),
		}, parse.Capture{}, false},
		{"records without the field are not the same", "log", burst, []*parse.Record{
			rec(1, 0, "shard lost", "kind", "hot"), rec(2, 1, "shard lost", "kind", "hot"), rec(3, 2, "shard lost", "kind", "hot"),
		}, parse.Capture{}, false},
		{"shortened by whoever pasted it", "log", burst, []*parse.Record{
			cutClock(1, "...104110Z", `{"t":"...104110Z"}`, "kind", "hot", "shard", "7"),
			cutClock(2, "...104119Z", `{"t":"...104119Z", ...}`, "shard", "7"), cutClock(3, "...104128Z", `{"t":"...104128Z", ...}`, "shard", "..."),
		}, parse.Capture{}, true},
		{"cut clocks that do not follow one another", "log", burst, []*parse.Record{
			cutClock(1, "...904110Z", `{"t":"...904110Z"}`, "kind", "hot", "shard", "7"),
			cutClock(2, "...104119Z", `{"t":"...104119Z", ...}`, "shard", "7"), cutClock(3, "...104128Z", `{"t":"...104128Z", ...}`, "shard", "7"),
		}, parse.Capture{}, false},
		{"no times at all", "log", burst, []*parse.Record{
			cutClock(1, "", "", "kind", "hot", "shard", "7"), cutClock(2, "", "", "kind", "hot", "shard", "7"), cutClock(3, "", "", "kind", "hot", "shard", "7"),
		}, parse.Capture{}, false},
		{"different values", "log", "match: {log: {message: shard lost, at_least: 2, distinct: shard}}", []*parse.Record{
			rec(1, 0, "shard lost", "shard", "7"), rec(2, 1, "shard lost", "shard", "8"),
		}, parse.Capture{}, true},
		{"not different values", "log", "match: {log: {message: shard lost, at_least: 2, distinct: shard}}", []*parse.Record{
			rec(1, 0, "shard lost", "shard", "7"), rec(2, 1, "shard lost", "shard", "7"),
		}, parse.Capture{}, false},
		{"for three minutes", "log", "match: {log: {message: no leader, at_least: 2, spans: 3m}}", []*parse.Record{
			rec(1, 0, "no leader"), rec(2, 4*time.Minute, "no leader"),
		}, parse.Capture{}, true},
		{"for three minutes, interrupted", "log", "match: {log: {message: no leader, at_least: 2, spans: 3m, without: {message: elected}}}", []*parse.Record{
			rec(1, 0, "no leader"), rec(2, time.Minute, "elected"), rec(3, 4*time.Minute, "no leader"),
		}, parse.Capture{}, false},
		{"the error tells", "log", "match: {log: {message: shard lost, error: disk is full, at_least: 1}}", func() []*parse.Record {
			r := rec(1, 0, "shard lost")
			r.Error = "write: disk is full (28)"
			return []*parse.Record{r}
		}(), parse.Capture{}, true},

		{"a version rises while the items fall", "log", sequence, []*parse.Record{
			rec(1, 0, "flushed", "version", "9", "items", "5"), rec(2, 1, "flushed", "version", "10", "items", "4"),
		}, parse.Capture{}, true},
		{"both rise", "log", sequence, []*parse.Record{
			rec(1, 0, "flushed", "version", "9", "items", "5"), rec(2, 1, "flushed", "version", "10", "items", "6"),
		}, parse.Capture{}, false},
		{"numbers are no texts", "log", sequence, []*parse.Record{
			rec(1, 0, "flushed", "version", "10", "items", "5"), rec(2, 1, "flushed", "version", "9", "items", "4"),
		}, parse.Capture{}, false},
		{"something was deleted", "log", sequence, []*parse.Record{
			rec(1, 0, "flushed", "version", "9", "items", "5"), rec(2, 1, "deleting 7"), rec(3, 2, "flushed", "version", "10", "items", "4"),
		}, parse.Capture{}, false},
		{"the process started anew", "log", sequence, []*parse.Record{
			rec(1, 0, "flushed", "version", "1", "items", "5"), rec(9, 1, "flushed", "version", "2", "items", "1"),
		}, parse.Capture{Logs: parse.Logs{Restarts: []parse.Fact{{Source: "a.log", Line: 5}}}}, false},
		{"two files are two processes", "log", sequence, func() []*parse.Record {
			a, b := rec(1, 0, "flushed", "version", "9", "items", "5"), rec(1, 1, "flushed", "version", "10", "items", "4")
			b.Source = "b.log"
			return []*parse.Record{a, b}
		}(), parse.Capture{}, false},

		{"a stack grew", "leak", "match: {growth: {frames: [example.com/acme/job.wait, example.com/acme/job.Run], by: 50}}", nil,
			parse.Capture{Growth: []parse.Growth{{Before: 10, After: 90, Functions: []string{"runtime.gopark", "example.com/acme/job.wait+0x1f", "example.com/acme/job.Run.func1"}}}}, true},
		{"a stack grew a little", "leak", "match: {growth: {frames: [example.com/acme/job.wait, example.com/acme/job.Run], by: 50}}", nil,
			parse.Capture{Growth: []parse.Growth{{Before: 10, After: 40, Functions: []string{"example.com/acme/job.wait", "example.com/acme/job.Run"}}}}, false},
		{"a total proves nothing", "leak", "match: {growth: {frames: [example.com/acme/job.wait, example.com/acme/job.Run], by: 50}}", nil,
			parse.Capture{Growth: []parse.Growth{{Before: 10, After: 400}}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := one(t, tt.kind, tt.conditions)
			c := tt.capture
			c.Logs.Kept = tt.records
			for _, r := range tt.records {
				if !db.KeepRecord(r) {
					t.Errorf("the record is not kept: %+v", r)
				}
			}
			if db.KeepRecord(&parse.Record{Message: "something else"}) {
				t.Error("a record that nobody asked for is kept")
			}
			found := db.Match(&c, MatchOptions{}).Findings
			if (len(found) == 1) != tt.want {
				t.Errorf("%d findings; %+v", len(found), db.Explain(&c, nil, MatchOptions{}))
			}
			for _, m := range found {
				if len(m.Evidence) == 0 {
					t.Error("a finding without evidence")
				}
			}
		})
	}
}

// A metric is never enough by itself, but tells more where something else holds.
func TestSeriesIsSupport(t *testing.T) {
	db := one(t, "leak", `
match: {growth: {frames: [example.com/acme/job.wait], by: 50}}
optional: [{series: {name: num_goroutines, rises_by: 100, keeps: 0.8}}, {exit: {code: 137}}]
`)
	grown := []parse.Growth{{Before: 1, After: 99, Functions: []string{"example.com/acme/job.wait"}, Source: "a", Line: 3}}
	for _, tt := range []struct {
		name     string
		values   []float64
		evidence int
	}{
		{"a step that stays", []float64{100, 101, 220, 219}, 3},
		{"a peak that falls back", []float64{100, 101, 220, 105}, 2},
		{"flat", []float64{100, 101, 102, 101}, 2},
	} {
		c := &parse.Capture{Growth: grown, Series: []parse.Series{{Name: "acme.runtime.num_goroutines", Values: tt.values, Source: "a", Line: 9}}}
		c.Facts.Exits = []parse.Exit{{Code: 137, Text: "exit code 137", Source: "a", Line: 12}}
		found := db.Match(c, MatchOptions{}).Findings
		if len(found) != 1 || len(found[0].Evidence) != tt.evidence || len(found[0].Missing) != 3-tt.evidence {
			t.Errorf("%s: %+v", tt.name, found)
		}
	}
}

// The most specific signature wins, and what it supersedes is not reported.
func TestMostSpecificWins(t *testing.T) {
	const head = "pack: t\nas_of: 2026-09\nproject: acme\nmodule: example.com/acme\nsignatures:\n"
	entry := func(id, match, more string) string {
		return "- id: " + id + "\n  title: t\n  kind: panic\n  root_cause: r\n  confidence: high\n  fix: {state: none-known, release: none}\n" + more +
			"  match:\n    message: '" + nilDereference + "'\n    " + match + "\n"
	}
	inc := crash(parse.KindPanic, nilDereference, stack("panic", "example.com/acme/a.F", "example.com/acme/b.G", "example.com/acme/c.H"))
	for _, tt := range []struct{ name, pack, want string }{
		{"more frames", entry("short", "top: example.com/acme/a.F", "") + entry("long", "frames: [example.com/acme/a.F, example.com/acme/b.G, example.com/acme/c.H]", ""), "long"},
		{"other frames stay", entry("one", "frames: [example.com/acme/a.F, example.com/acme/b.G]", "") + entry("two", "frames: [example.com/acme/b.G, example.com/acme/c.H]", ""), "one two"},
		{"superseded", entry("one", "frames: [example.com/acme/a.F, example.com/acme/b.G]", "") +
			entry("two", "frames: [example.com/acme/b.G, example.com/acme/c.H]", "  supersedes: one\n"), "two"},
		{"superseded, and says all that the other says", entry("one", "frames: [example.com/acme/a.F, example.com/acme/b.G, example.com/acme/c.H]", "") +
			entry("two", "frames: [example.com/acme/b.G, example.com/acme/c.H]", "  supersedes: one\n"), "two"},
		{"superseded by a former id", entry("one", "frames: [example.com/acme/a.F, example.com/acme/b.G, example.com/acme/c.H]", "  aliases: [eins]\n") +
			entry("two", "frames: [example.com/acme/b.G, example.com/acme/c.H]", "  supersedes: eins\n"), "two"},
	} {
		db, err := LoadOnly(Source{"t.yaml", []byte(head + tt.pack)})
		if err != nil {
			t.Fatal(err)
		}
		c := &parse.Capture{Incidents: []*parse.Incident{inc}}
		ids, _ := matches(c, db.Match(c, MatchOptions{}))
		if got := strings.Join(ids, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A renamed module is one module, whichever path a pack or a dump carries.
func TestRenamedModules(t *testing.T) {
	for _, tt := range []struct{ pack, dump string }{
		{"github.com/moby/moby/daemon.(*Daemon).Start", "github.com/docker/docker/daemon.(*Daemon).Start"},
		{"github.com/docker/docker/daemon.(*Daemon).Start", "github.com/moby/moby/v2/daemon.(*Daemon).Start"},
		{"github.com/docker/libnetwork.(*Controller).Stop", "github.com/moby/moby/v2/daemon/libnetwork.(*Controller).Stop"},
		{"github.com/docker/libnetwork.(*Controller).Stop", "github.com/docker/docker/libnetwork.(*Controller).Stop"},
		{"github.com/containers/libpod/pkg/x.F", "github.com/containers/podman/v5/pkg/x.F.func1"},
		{"github.com/boltdb/bolt.(*Tx).Commit", "github.com/hashicorp/consul/vendor/github.com/boltdb/bolt.(*Tx).Commit"},
		{"go.etcd.io/bbolt.(*Tx).Commit", "github.com/coreos/bbolt.(*Tx).Commit"},
		{"github.com/Shopify/sarama.(*client).Close", "github.com/IBM/sarama.(*client).Close"},
		{"gopkg.in/yaml.v3.Unmarshal", "gopkg.in/yaml%2ev3.Unmarshal"},
	} {
		s := newSymbol(tt.pack)
		in := newInput(&parse.Capture{}, MatchOptions{})
		if !in.is(&parse.Frame{Function: tt.dump}, &s) {
			t.Errorf("%s is not %s", tt.dump, tt.pack)
		}
		if a, b := newSymbolPackage(tt.pack), in.name(&parse.Frame{Function: tt.dump}).pkg; a != b {
			t.Errorf("the gate %s does not open for %s", a, b)
		}
	}
}

// Nothing that an input holds makes the engine fail.
func TestEmptyCaptures(t *testing.T) {
	db, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*parse.Capture{
		{},
		{Incidents: []*parse.Incident{{}}},
		{Incidents: []*parse.Incident{{Kind: parse.KindFatal, Headline: "fatal error: concurrent map iteration and map write", Buckets: []*parse.Bucket{{}}}}},
		{Logs: parse.Logs{Kept: []*parse.Record{nil, {}, {Message: "Updated xDS snapshot"}, {Message: "Updated xDS snapshot"}}}},
		{Growth: []parse.Growth{{}}, Series: []parse.Series{{}}, Facts: parse.Facts{Products: []parse.Product{{}}, Modules: []parse.Module{{}}, Go: []parse.Fact{{}}}},
	} {
		if ids, _ := matches(c, db.Match(c, MatchOptions{})); len(ids) > 0 {
			t.Errorf("%v", ids)
		}
		for _, inc := range append(c.Incidents, nil) {
			db.Explain(c, inc, MatchOptions{})
		}
	}
}
