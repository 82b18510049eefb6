package signatures

import (
	"testing"

	"github.com/crashtriage/crashtriage/parse"
)

func TestHasFix(t *testing.T) {
	fixed := func(list ...string) (out []FixedIn) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, FixedIn{Line: list[i], Version: list[i+1]})
		}
		return out
	}
	three := fixed("1.11", "1.11.10", "1.12", "1.12.2", "1.13", "1.13.0")
	ent := append(fixed("1.19", "1.19.0"), FixedIn{Line: "1.18", Version: "1.18.1+ent"})
	for _, tt := range []struct {
		name     string
		fixed    []FixedIn
		notFixed []string
		version  string
		edition  string
		has      bool
		unknown  bool
	}{
		{"before, on a patched line", three, nil, "1.11.9", "", false, false},
		{"at, on a patched line", three, nil, "1.11.10", "", true, false},
		{"after, on a patched line", three, nil, "1.11.11", "", true, false},
		{"before, on the next line", three, nil, "1.12.1", "", false, false},
		{"at, on the next line", three, nil, "1.12.2", "", true, false},
		{"a later line", three, nil, "1.14.0", "", true, false},
		{"a later major line", three, nil, "2.0.0", "", true, false},
		{"an older line was never patched", three, nil, "1.10.12", "", false, false},
		{"a pre-release comes before its release", three, nil, "1.13.0-beta1", "", false, false},
		{"a pre-release of a later one has it", three, nil, "1.13.1-rc1", "", true, false},
		{"a pre-release of a later line has it", three, nil, "1.14.0-alpha1", "", true, false},
		{"the edition does not count", three, nil, "1.12.2+ent", "", true, false},
		{"nor does it before", three, nil, "1.12.1+ent", "", false, false},
		{"nor the patched enterprise build", three, nil, "1.12.2+ent.hsm.fips1402", "ent", true, false},
		{"a line in between", fixed("1.4", "1.4.11", "1.6", "1.6.0"), nil, "1.5.7", "", false, false},
		{"a later line that lacks it", three, []string{"1.14"}, "1.14.3", "", false, false},
		{"and one after that", three, []string{"1.14"}, "1.15.0", "", true, false},
		{"a development build of the release with the fix", three, nil, "1.13.0-dev", "", false, true},
		{"a development build of a later one", three, nil, "1.14.0-dev", "", true, false},
		{"a development build of an earlier one", three, nil, "1.11.9-dev", "", false, false},
		{"an enterprise release, running the community edition", ent, nil, "1.18.2", "", false, false},
		{"an enterprise release, running it", ent, nil, "1.18.2", "ent", true, false},
		{"community and enterprise agree on the next line", ent, nil, "1.19.0", "", true, false},
		{"no line: every later version", fixed("", "1.3.5"), nil, "1.4.0", "", true, false},
		{"no line: every earlier version", fixed("", "1.3.5"), nil, "1.3.4", "", false, false},
		{"a line beside it", fixed("1.9", "1.9.5", "", "1.10.0"), nil, "1.9.6", "", true, false},
		{"older than both", fixed("1.9", "1.9.5", "", "1.10.0"), nil, "1.8.7", "", false, false},
		{"a pseudo-version before the tag", fixed("", "1.3.5"), nil, "v1.3.5-0.20250101120000-abcdef123456", "", false, false},
		{"the Go release, patched line", fixed("1.24", "go1.24.8", "1.25", "go1.25.2"), nil, "go1.24.9", "", true, false},
		{"the Go release candidate", fixed("1.25", "go1.25.0"), nil, "go1.25rc1", "", false, false},
		{"the first pre-release with it is listed", fixed("1.2", "1.2.0", "1.2", "1.2.0-beta"), nil, "1.2.0-beta", "", true, false},
		{"and the one before", fixed("1.2", "1.2.0", "1.2", "1.2.0-beta"), nil, "1.2.0-alpha2", "", false, false},
	} {
		v, err := parseVersion(tt.version)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		has, known := hasFix(v, tt.edition, tt.fixed, tt.notFixed)
		if has != tt.has || known == tt.unknown {
			t.Errorf("%s: %s has the fix: %v, known: %v", tt.name, tt.version, has, known)
		}
	}
}

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		ranges, version string
		in              bool
	}{
		{"", "1.0.0", true},
		{">= 1.9.0, < 1.9.2", "1.9.1", true},
		{">= 1.9.0, < 1.9.2", "1.9.2", false},
		{">= 1.9.0, < 1.9.2", "1.9.2-rc1", true}, // unlike in go-version
		{">= 1.9.0", "1.9.0-beta1", false},
		{"1.2.2", "1.2.2+ent", true},
		{"!= 1.2.2", "1.2.2", false},
		{">1.22", "go1.22.1", true},
	} {
		list, err := parseRanges(tt.ranges)
		if err != nil {
			t.Fatal(err)
		}
		v, err := parseVersion(tt.version)
		if err != nil {
			t.Fatal(err)
		}
		if got := inRanges(list, v); got != tt.in {
			t.Errorf("%s in %q: %v", tt.version, tt.ranges, got)
		}
	}
	for _, bad := range []string{"~> 1.2", ">= ", "1.2, soon", "=> 1.2", ">= 1.2 < 1.3"} {
		if _, err := parseRanges(bad); err == nil {
			t.Errorf("%q should be refused", bad)
		}
	}
}

// What the founding bugs say for versions before, at and after the fix, for pre-releases,
// editions, development builds and for no version at all.
func TestSeedVersions(t *testing.T) {
	db, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		id, product, version string
		want                 Status
	}{
		{"consul-apigw-route-watchset-race", "consul", "1.22.5", Affected},
		{"consul-apigw-route-watchset-race", "consul", "1.22.6", Affected},
		{"consul-apigw-route-watchset-race", "consul", "1.22.6+ent", Affected},
		{"consul-apigw-route-watchset-race", "consul", "v1.22.7", Affected},
		{"consul-apigw-route-watchset-race", "consul", "1.22.7-rc1", Affected},
		{"consul-apigw-route-watchset-race", "consul", "2.0.4", Affected},
		{"consul-apigw-route-watchset-race", "consul", "2.0.5", BeyondEvidence},
		{"consul-apigw-route-watchset-race", "consul", "2.1.0", BeyondEvidence},
		{"consul-apigw-route-watchset-race", "consul", "2.1.0+ent", BeyondEvidence},
		{"consul-apigw-route-watchset-race", "consul", "2.1.0-dev", BeyondEvidence},
		{"consul-apigw-route-watchset-race", "consul", "unknown", VersionUnknown},
		{"consul-apigw-route-watchset-race", "", "", VersionUnknown},

		{"consul-proxycfg-peered-upstream-watch-leak", "consul", "1.21.0-rc2", Affected},
		{"consul-proxycfg-peered-upstream-watch-leak", "consul", "1.22.3+ent", Affected},
		{"consul-proxycfg-peered-upstream-watch-leak", "consul", "2.0.3", Affected},
		{"consul-proxycfg-peered-upstream-watch-leak", "consul", "2.0.4", Affected},
		{"consul-proxycfg-peered-upstream-watch-leak", "consul", "2.1.0", BeyondEvidence},
		{"consul-proxycfg-peered-upstream-watch-leak", "", "", VersionUnknown},

		{"wso2-xds-snapshot-stale-overwrite", "wso2-gateway", "1.0.0", Affected},
		{"wso2-xds-snapshot-stale-overwrite", "wso2-gateway", "1.1.0", Affected},
		{"wso2-xds-snapshot-stale-overwrite", "wso2-gateway", "v1.2.0-alpha2", Affected},
		{"wso2-xds-snapshot-stale-overwrite", "wso2-gateway", "1.2.0-beta", FixedHere},
		{"wso2-xds-snapshot-stale-overwrite", "wso2-gateway", "1.2.0", FixedHere},
		{"wso2-xds-snapshot-stale-overwrite", "wso2-gateway", "1.3.0", FixedHere},
		{"wso2-xds-snapshot-stale-overwrite", "wso2-api-platform", "1.1.0", Affected},
		{"wso2-xds-snapshot-stale-overwrite", "", "", VersionUnknown},

		{"consul-leader-concurrent-map-21288", "consul", "1.18.1", Candidate},
		{"consul-leader-concurrent-map-21288", "consul", "1.18.1+ent", Candidate},
		{"consul-leader-concurrent-map-21288", "consul", "2.1.0", Candidate},
	} {
		var o MatchOptions
		if tt.product != "" {
			o.ProductVersions = map[string]string{tt.product: tt.version}
		}
		c := seedCaptures()[tt.id]
		res := db.Match(c, o)
		var got Status = "no match"
		var all []Match
		for _, inc := range c.Incidents {
			all = append(all, res.ByIncident[inc]...)
		}
		for _, m := range append(all, res.Findings...) {
			if m.Signature.ID == tt.id {
				got = m.Status
			}
		}
		if got != tt.want {
			t.Errorf("%s on %s %s: %s, want %s", tt.id, tt.product, tt.version, got, tt.want)
		}
	}
}

// A version that the frames themselves carry goes before the product's.
func TestModuleVersions(t *testing.T) {
	db, err := LoadOnly(Source{"p.yaml", []byte(`
pack: p
as_of: 2026-09
project: acme
module: example.com/acme
signatures:
- id: acme-lib-race
  title: The library hands out its own map
  kind: fatal
  match:
    message: 'fatal error: concurrent map writes'
    frames: [example.com/lib.(*Set).Add, example.com/acme/store.(*Store).Put]
  root_cause: the map is shared
  fix:
    state: merged
    url: https://example.com/lib/pull/7
    fixed_in:
    - {module: example.com/lib, line: "1.3", version: 1.3.5}
    - {module: example.com/lib, line: "1.4", version: 1.4.0}
    - {module: acme, line: "2.1", version: 2.1.0}
  confidence: high
`)})
	if err != nil {
		t.Fatal(err)
	}
	inc := &parse.Incident{
		Kind: parse.KindFatal, Headline: "fatal error: concurrent map writes", Reason: "concurrent map writes", Source: "a", Line: 9, HeadlineLine: 9,
		Stack: []parse.Frame{{Function: "example.com/lib.(*Set).Add", SourceLine: 11}, {Function: "example.com/acme/store.(*Store).Put", SourceLine: 13}},
	}
	for _, tt := range []struct {
		module, product string
		want            Status
		running         string
	}{
		{"v1.3.4", "2.0.0", Affected, "example.com/lib v1.3.4"},
		{"v1.3.5", "2.0.0", FixedHere, "example.com/lib v1.3.5"},     // a build with a newer library
		{"v1.4.0", "2.0.0", FixedHere, "example.com/lib v1.4.0"},     //
		{"v1.3.4", "2.1.0", FixedHere, "acme 2.1.0"},                 // the product's own fix
		{"", "2.0.0", Affected, "acme 2.0.0"},                        // no path tells the library's version
		{"", "2.1.0+ent", FixedHere, "acme 2.1.0+ent"},               //
		{"v1.3.4", "", Affected, "example.com/lib v1.3.4"},           //
		{"(devel)", "2.0.0", Affected, "acme 2.0.0"},                 // a replaced module
		{"", "", VersionUnknown, ""},                                 //
		{"v1.4.0-rc.1", "", Affected, "example.com/lib v1.4.0-rc.1"}, //
	} {
		c := &parse.Capture{Incidents: []*parse.Incident{inc}}
		if tt.module != "" {
			c.Facts.Modules = []parse.Module{{Path: "example.com/lib", Version: tt.module}}
		}
		if tt.product != "" {
			c.Facts.Products = []parse.Product{{Name: "acme", Version: tt.product, How: "banner", Line: 1}}
		}
		list := db.Match(c, MatchOptions{}).ByIncident[inc]
		if len(list) != 1 || list[0].Status != tt.want || list[0].RunningVersion != tt.running {
			t.Errorf("library %q, product %q: %+v, want %s by %q", tt.module, tt.product, list, tt.want, tt.running)
		}
	}
}

// Of several versions of one program the one said just above the crash counts.
func TestNearestVersion(t *testing.T) {
	db, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	c := seedCaptures()["consul-apigw-route-watchset-race"]
	c.Facts.Products = []parse.Product{
		{Name: "consul", Version: "2.1.0", Source: "other.log", Line: 1},
		{Name: "consul", Version: "1.22.6", Source: "crash.log", Line: 1},
		{Name: "consul", Version: "2.1.1", Source: "crash.log", Line: 900},
		{Name: "nomad", Version: "9.9.9", Source: "crash.log", Line: 5},
	}
	m := db.Match(c, MatchOptions{}).ByIncident[c.Incidents[0]]
	if len(m) == 0 || m[0].RunningVersion != "consul 1.22.6" || m[0].Status != Affected {
		t.Errorf("%+v", m)
	}
	m = db.Match(c, MatchOptions{ProductVersions: map[string]string{"Consul": "2.1.0"}}).ByIncident[c.Incidents[0]]
	if len(m) == 0 || m[0].RunningVersion != "Consul 2.1.0" || m[0].How != "--product-version" || m[0].Status != BeyondEvidence {
		t.Errorf("%+v", m)
	}
}
