package signatures

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
)

// TestOtherSources: a version that another file tells decides nothing, unless all files agree or
// stand in one archive with the crash.
func TestOtherSources(t *testing.T) {
	const crash = `fatal error: concurrent map iteration and map write

goroutine 311 [running]:
github.com/hashicorp/go-memdb.WatchSet.WatchCtx(0xc0117a6f08?, {0x5227088?, 0xc0110ef450?})
	/src/go-memdb/watch.go:82 +0xb0
github.com/hashicorp/consul/agent/consul/controller.(*controller).AddTrigger.func1()
	/src/consul/agent/consul/controller/controller.go:328 +0x3e
`
	banner := func(version string) string {
		return "==> Starting Consul agent...\n              Version: '" + version + "'\n"
	}
	db, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		files   map[string]string // in the order of their names
		running string
	}{
		{"its own", map[string]string{"a": banner("1.22.6") + crash, "b": banner("1.18.0")}, "consul 1.22.6"},
		{"another's", map[string]string{"a": crash, "b": banner("1.22.6")}, "consul 1.22.6"},
		{"two that differ", map[string]string{"a": crash, "b": banner("1.22.6"), "c": banner("1.18.0")}, ""},
		{"one archive", map[string]string{"x.tar!/a": crash, "x.tar!/b": banner("1.22.6"), "y.tar!/c": banner("1.18.0")}, "consul 1.22.6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in []parse.Input
			for _, name := range []string{"a", "b", "c", "x.tar!/a", "x.tar!/b", "y.tar!/c"} {
				if text, ok := tt.files[name]; ok {
					in = append(in, parse.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }})
				}
			}
			c := parse.Read(context.Background(), in, parse.Options{KeepRecord: db.KeepRecord})
			r := db.Match(c, MatchOptions{})
			ms := r.ByIncident[c.Incidents[0]]
			if len(ms) == 0 || ms[0].RunningVersion != tt.running {
				t.Errorf("got %+v, want it to run %q", ms, tt.running)
			}
		})
	}
}
