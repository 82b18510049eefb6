package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
	"github.com/google/go-cmp/cmp"
)

// TestSeeds: the four bugs the project began with are found in inputs as a reporter would paste
// them and in the real dumps of the watchset crasher, and their healthy neighbours stay silent.
func TestSeeds(t *testing.T) {
	const (
		race  = "consul-apigw-route-watchset-race"
		leak  = "consul-proxycfg-peered-upstream-watch-leak"
		stale = "wso2-xds-snapshot-stale-overwrite"
	)
	tests := []struct {
		file     string
		family   string
		matches  []string // of incidents: id and status, the strongest first
		findings []string // of the logs
	}{
		{file: "seeds/apigw-watchset.md", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		{file: "seeds/apigw-watchset-quiet.md", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		{file: "seeds/apigw-watchset-few.md", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		{file: "dumps/watchset-many.txt", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		{file: "dumps/watchset-many-all.txt", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		{file: "dumps/watchset-quiet.txt", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		{file: "dumps/watchset-few.txt", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		{file: "dumps/watchset-torn-headline.txt", family: "concurrent-map-iteration-write", matches: []string{race + " affected"}},
		// the same message and the same library in another program
		{file: "seeds/other-map-iteration.txt", family: "concurrent-map-iteration-write"},
		// no stack: nothing can be more than a candidate
		{file: "seeds/leader-no-stack.md", family: "concurrent-map-iteration-write",
			matches: []string{"consul-leader-concurrent-map-21288 candidate", race + " candidate"}},
		{file: "seeds/proxycfg-leak.md", findings: []string{leak + " affected"}},
		{file: "seeds/proxycfg-healthy.log"}, // every watch id once
		{file: "seeds/xds-stale-snapshot.log", findings: []string{stale + " version-unknown"}},
		{file: "seeds/xds-snapshot-in-order.log"},
	}
	db, err := signatures.Load()
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		Family            string
		Matches, Findings []string
	}
	words := func(ms []signatures.Match) (out []string) {
		for _, m := range ms {
			out = append(out, m.Signature.ID+" "+string(m.Status))
		}
		return out
	}
	var tested []string
	for _, tt := range tests {
		tested = append(tested, filepath.Join("testdata", tt.file))
		t.Run(tt.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			c := readWith(text, parse.Options{KeepRecord: db.KeepRecord})
			r := db.Match(c, signatures.MatchOptions{})
			got := result{Findings: words(r.Findings)}
			for _, inc := range c.Incidents {
				got.Matches = append(got.Matches, words(r.ByIncident[inc])...)
				if f := r.Families[inc]; f != nil {
					got.Family = f.ID
				}
			}
			if diff := cmp.Diff(result{tt.family, tt.matches, tt.findings}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	seeds, _ := filepath.Glob("testdata/seeds/*")
	for _, f := range seeds {
		if !slices.Contains(tested, f) {
			t.Errorf("%s is tested by nothing", f)
		}
	}
}
