package report

import (
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/signatures"
)

// A fix that only older release lines have is no way up.
func TestDoNowNeverAdvisesADowngrade(t *testing.T) {
	for _, tc := range []struct {
		running string
		fixed   []FixedIn
		want    string
	}{
		{"quartz 3.3.6", []FixedIn{{Module: "quartz", Line: "2.11", Version: "2.11.25"}}, "no version above quartz 3.3.6 is known to have the fix"},
		{"quartz 3.3.6", []FixedIn{{Module: "quartz", Line: "2.11", Version: "2.11.25"}, {Module: "quartz", Line: "3.4", Version: "3.4.1"}}, "upgrade to a version with the fix"},
		{"quartz 3.3.6", []FixedIn{{Module: "github.com/quartzdb/ringmap", Version: "v1.2.1"}}, "upgrade to a version with the fix"},
		{"quartz 3.4.0-alpha2", []FixedIn{{Module: "quartz", Line: "3.4", Version: "3.4.0-beta"}, {Module: "quartz", Line: "3.4", Version: "3.4.0"}}, "upgrade to a version with the fix: quartz 3.4.0"},
		{"quartz 3.4.0-dev", []FixedIn{{Module: "quartz", Line: "3.4", Version: "3.4.0"}}, "upgrade to a version with the fix: quartz 3.4.0"},
		{"quartz 3.3.6", []FixedIn{{Module: "quartz", Line: "3.3", Version: "3.3.7+ent"}}, "no version above quartz 3.3.6 is known to have the fix"},
		{"quartz 3.3.6+ent", []FixedIn{{Module: "quartz", Line: "3.3", Version: "3.3.7+ent"}}, "upgrade to a version with the fix"},
		{"", []FixedIn{{Module: "quartz", Version: "2.11.25"}}, "upgrade to a version with the fix"},
	} {
		m := &Match{Status: "affected", RunningVersion: tc.running, Fix: Fix{URL: "https://github.com/quartzdb/quartz/pull/812", State: "merged", FixedIn: tc.fixed}}
		steps := doNow(m)
		if len(steps) == 0 || !strings.HasPrefix(steps[0], tc.want) {
			t.Errorf("%q with %v: %q, want %q first", tc.running, tc.fixed, steps, tc.want)
		}
	}
}

func TestUpgradeTo(t *testing.T) {
	lines := []string{"3.2", "3.2.9", "3.3", "3.3.8+ent", "3.4", "3.4.0-beta", "3.4", "3.4.0"}
	for _, tc := range []struct{ running, want string }{
		{"quartz 3.2.4", "3.2.9"},
		{"quartz 3.1.7", "3.2.9"},
		{"quartz 3.3.6+ent", "3.3.8+ent"},
		{"quartz 3.3.6", "3.4.0"},
		{"quartz 3.4.0-alpha2", "3.4.0"},
		{"quartz 3.4.0-rc1", "3.4.0"},
		{"quartz 3.5.0", ""},
		{"pebble 3.2.4", ""},
		{"quartz trunk", ""},
		{"", ""},
	} {
		m := &signatures.Match{Status: signatures.Affected, RunningVersion: tc.running, Signature: &signatures.Signature{}}
		for i := 0; i < len(lines); i += 2 {
			m.Signature.Fix.FixedIn = append(m.Signature.Fix.FixedIn, signatures.FixedIn{Module: "quartz", Line: lines[i], Version: lines[i+1]})
		}
		got := ""
		if f := upgradeTo(m); f != nil {
			got = f.Version
		}
		if got != tc.want {
			t.Errorf("%q: upgrade to %q, want %q", tc.running, got, tc.want)
		}
	}
}

func TestUpgradeToAPreReleaseWhereNothingElseHasTheFix(t *testing.T) {
	m := &signatures.Match{Status: signatures.Affected, RunningVersion: "quartz 3.2.4", Signature: &signatures.Signature{}}
	m.Signature.Fix.FixedIn = []signatures.FixedIn{{Module: "quartz", Version: "3.4.0-beta"}}
	if f := upgradeTo(m); f == nil || f.Version != "3.4.0-beta" {
		t.Errorf("%+v", f)
	}
}

func TestAdvice(t *testing.T) {
	for workaround, want := range map[string]string{
		"": "", "none known": "", "None stated.": "",
		"upgrade": "",
		"upgrade; no configuration workaround seen":                              "",
		"upgrade; reject or limit untrusted input":                               "reject or limit untrusted input",
		"upgrade the agents before the servers":                                  "upgrade the agents before the servers",
		"set a limit":                                                            "set a limit",
		"none published; inferred from the cause: one backend a route avoids it": "one backend a route avoids it (inferred from the cause, not published)",
	} {
		if got := advice(workaround); got != want {
			t.Errorf("%q: %q, want %q", workaround, got, want)
		}
	}
}
