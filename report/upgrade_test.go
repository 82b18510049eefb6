package report

import (
	"strings"
	"testing"
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
		{"", []FixedIn{{Module: "quartz", Version: "2.11.25"}}, "upgrade to a version with the fix"},
	} {
		m := &Match{Status: "affected", RunningVersion: tc.running, Fix: Fix{URL: "https://github.com/quartzdb/quartz/pull/812", State: "merged", FixedIn: tc.fixed}}
		steps := doNow(m)
		if len(steps) == 0 || !strings.HasPrefix(steps[0], tc.want) {
			t.Errorf("%q with %v: %q, want %q first", tc.running, tc.fixed, steps, tc.want)
		}
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
