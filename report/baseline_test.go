package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadBaseline(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		has      []string
		foreign  []string
		err      string
	}{
		{name: "empty", in: ""},
		{name: "only a comment", in: "# nothing yet\n\n"},
		{name: "a list", in: "\ufeff# ours\nct1:3fa9c1d2  # a race\r\n\n  ct1:00000002\nlantern-stale-snapshot", has: []string{"ct1:3fa9c1d2", "ct1:00000002", "lantern-stale-snapshot"}},
		{name: "another algorithm", in: "ct0:3fa9c1d2\nct1:00000002\nct12:00000001", has: []string{"ct1:00000002"}, foreign: []string{"ct0:3fa9c1d2", "ct12:00000001"}},
		{name: "a document", in: `{"schema":1,"incidents":[{"kind":"panic","fingerprint":"ct1:00000001"}],"findings":[{"id":"x-y"}]}`, has: []string{"ct1:00000001", "x-y"}},
		{name: "a document without incidents", in: `{"schema":1,"incidents":[]}`},
		{name: "an incident a line", in: "{\"kind\":\"panic\",\"fingerprint\":\"ct1:00000001\"}\n{\"fingerprint\":\"ct1:00000002\"}\n", has: []string{"ct1:00000001", "ct1:00000002"}},
		{name: "no fingerprint", in: "ct1:3fa9c1d2\npanic: boom", err: "line 2: \"panic: boom\" is no fingerprint"},
		{name: "hostile", in: "\x1b[2J", err: `\x1b`},
		{name: "cut JSON", in: `{"schema":1,"incidents":[{"fing`, err: "object 1: unexpected EOF"},
		{name: "some other JSON", in: `{"version":"2.1.0","runs":[]}`, err: "object 1 holds no incidents and no fingerprint"},
		{name: "a newer document", in: `{"schema":2,"incidents":[]}`, err: "newer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := ReadBaseline(strings.NewReader(tt.in))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range tt.has {
				if !b.Has(key) {
					t.Errorf("lacks %s", key)
				}
			}
			if b.Len() != len(tt.has) {
				t.Errorf("%d entries, want %d", b.Len(), len(tt.has))
			}
			if diff := cmp.Diff(tt.foreign, b.Foreign); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is written and what every JSON document says are baselines that accept the whole document.
func TestBaselineRoundTrip(t *testing.T) {
	for _, e := range examples() {
		for name, write := range map[string]func(*bytes.Buffer, *Document) error{
			"list": func(b *bytes.Buffer, d *Document) error { _, err := WriteBaseline(b, d); return err },
			"json": func(b *bytes.Buffer, d *Document) error { return JSON(b, d, Options{}) },
		} {
			t.Run(e.name+"/"+name, func(t *testing.T) {
				var out bytes.Buffer
				if err := write(&out, e.doc()); err != nil {
					t.Fatal(err)
				}
				b, err := ReadBaseline(&out)
				if err != nil {
					t.Fatal(err)
				}
				d := e.doc()
				if unused := d.Accept(nil, b); len(unused) != 0 || d.Fails("any") {
					t.Errorf("unused %v, fails: %v", unused, d.Fails("any"))
				}
				if missing := b.Missing(d); len(missing) != 0 {
					t.Errorf("missing: %v", missing)
				}
			})
		}
	}
}

func TestBaselineHoldsNoLogText(t *testing.T) {
	e := unknownExample()
	e.capture.Incidents[0].Headline = "panic: token hvs.CAESIJ"
	var out bytes.Buffer
	if n, err := WriteBaseline(&out, e.doc()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if strings.Contains(out.String(), "hvs.") {
		t.Errorf("a secret of the log is in the baseline:\n%s", out.String())
	}
}

func TestAccept(t *testing.T) {
	d := knownExample().doc()
	if unused := d.Accept([]string{"quartz-route-publish-race", "other", "other"}, nil); !cmp.Equal(unused, []string{"other"}) {
		t.Errorf("unused %v", unused)
	}
	if d.Incidents[0].Accepted != AcceptedKnown || d.Fails("any") {
		t.Error("an accepted bug fails the check")
	}
	// A message alone proves nothing, so it accepts nothing.
	d = candidatesExample().doc()
	if unused := d.Accept([]string{"quartz-route-publish-race"}, nil); len(unused) != 1 || !d.Fails("crash") {
		t.Errorf("a candidate accepted a crash; unused %v", unused)
	}
}

func TestFails(t *testing.T) {
	for name, want := range map[string]string{ // the thresholds that fail
		"known": "known crash any", "unknown": "unknown crash any", "candidates": "unknown crash any", "logs": "any",
		"none": "", "several": "known unknown crash any", "dump": "", "fixed-here": "known crash any",
	} {
		for _, e := range examples() {
			if e.name != name {
				continue
			}
			var got []string
			for _, threshold := range FailOn {
				if e.doc().Fails(threshold) {
					got = append(got, threshold)
				}
			}
			if g := strings.Join(got, " "); g != want {
				t.Errorf("%s fails %q, want %q", name, g, want)
			}
		}
	}
}

func FuzzReadBaseline(f *testing.F) {
	f.Add("ct1:3fa9c1d2 # x")
	f.Add(`{"incidents":[{"fingerprint":"ct1:00000001"}]}`)
	f.Fuzz(func(t *testing.T, s string) { _, _ = ReadBaseline(strings.NewReader(s)) })
}
