package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

func init() {
	harmless["gitlab"] = func(t *testing.T, out []byte) {
		requireSafe(t, string(out))
		var issues []gitlabIssue
		if err := json.Unmarshal(out, &issues); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGitLabFollowsSchema(t *testing.T) {
	schema := schemaFrom(t, "gitlab-code-quality.schema.json")
	for _, e := range append(examples(), manyExample(500)) {
		t.Run(e.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := GitLab(&b, e.doc(), Options{}); err != nil {
				t.Fatal(err)
			}
			followsSchema(t, schema, b.Bytes())
			var issues []gitlabIssue
			if err := json.Unmarshal(b.Bytes(), &issues); err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, i := range issues {
				if seen[i.Fingerprint] {
					t.Errorf("two entries have the fingerprint %s: GitLab shows one", i.Fingerprint)
				}
				seen[i.Fingerprint] = true
			}
		})
	}
}

// A crash that moved down in its log is the same entry; in another log it is another one.
func TestGitLabFingerprintsAreStable(t *testing.T) {
	entry := func(change func(e example)) gitlabIssue {
		e := knownExample()
		change(e)
		var b bytes.Buffer
		if err := GitLab(&b, e.doc(), Options{Root: "/builds/acme", Dir: "/builds/acme"}); err != nil {
			t.Fatal(err)
		}
		var issues []gitlabIssue
		if err := json.Unmarshal(b.Bytes(), &issues); err != nil || len(issues) != 1 {
			t.Fatalf("%v in %s", err, b.Bytes())
		}
		return issues[0]
	}
	was := entry(func(example) {})
	moved := entry(func(e example) { e.capture.Incidents[0].HeadlineLine += 40; e.capture.Incidents[0].Line += 40 })
	if moved.Fingerprint != was.Fingerprint || moved.Location.Lines.Begin != was.Location.Lines.Begin+40 {
		t.Errorf("moved by 40 lines: %+v, before: %+v", moved, was)
	}
	for _, same := range []string{"./crash.log", "/builds/acme/crash.log"} {
		if got := entry(func(e example) { e.capture.Incidents[0].Source = same }); got.Fingerprint != was.Fingerprint || got.Location.Path != "crash.log" {
			t.Errorf("%s: %+v", same, got)
		}
	}
	if other := entry(func(e example) { e.capture.Incidents[0].Source = "other.log" }); other.Fingerprint == was.Fingerprint {
		t.Error("the same crash in another log has the same fingerprint")
	}
}

func TestSeverity(t *testing.T) {
	find := func(e example, accepted string) string {
		d := e.doc()
		for _, i := range d.Incidents {
			i.Accepted = accepted
		}
		return ranked(d)[0].severity()
	}
	for _, tt := range []struct {
		name string
		got  string
		want string
	}{
		{"a death of a documented bug", find(knownExample(), ""), "critical"},
		{"a death that nothing explains", find(unknownExample(), ""), "critical"},
		{"a documented bug in the logs", find(logsExample(), ""), "major"},
		{"an accepted death", find(knownExample(), AcceptedKnown), "info"},
		{"a death in the baseline", find(unknownExample(), AcceptedBaseline), "info"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s is %s, want %s", tt.name, tt.got, tt.want)
		}
	}
}
