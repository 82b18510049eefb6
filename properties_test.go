package main_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
)

// TestParseAgain: reading again from an incident's first line finds the same incident first.
func TestParseAgain(t *testing.T) {
	for _, name := range dumps(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c := read(text)
		for _, inc := range c.Incidents {
			if inc.Line == 0 || inc.Count > 1 {
				continue // a protobuf has no lines; a loop's first sighting alone counts less
			}
			again := read(fromLine(text, inc.Line))
			if len(again.Incidents) == 0 {
				t.Errorf("%s:%d: nothing is found from here", name, inc.Line)
				continue
			}
			got, want := identity(again.Incidents[0]), identity(inc)
			if got != want {
				t.Errorf("%s:%d:\n got %s\nwant %s", name, inc.Line, got, want)
			}
		}
	}
}

func identity(inc *parse.Incident) string {
	return fmt.Sprintf("%s %q goroutine %d of %d in %d buckets, %s, died %d, %d lines", inc.Kind, inc.Headline, inc.Goroutine, inc.Goroutines, len(inc.Buckets), inc.Fingerprint, inc.Died, inc.EndLine-inc.Line)
}

func fromLine(text []byte, line int) []byte {
	for ; line > 1; line-- {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	return text
}

// TestPacked: packing a dump changes nothing.
func TestPacked(t *testing.T) {
	for _, name := range dumps(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(text)
		w.Close()
		if got, want := describe(read(packed.Bytes()), nil), describe(read(text), nil); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

// TestCut: a dump that is cut anywhere, at its beginning or its end, is never taken for a bug that
// the whole dump is not, but as a candidate.
func TestCut(t *testing.T) {
	db, err := signatures.Load()
	if err != nil {
		t.Fatal(err)
	}
	ids := func(text []byte) map[string]signatures.Status {
		c := readWith(text, parse.Options{KeepRecord: db.KeepRecord})
		r := db.Match(c, signatures.MatchOptions{})
		out := make(map[string]signatures.Status)
		for _, inc := range c.Incidents {
			for _, m := range r.ByIncident[inc] {
				out[m.Signature.ID] = m.Status
			}
		}
		for _, m := range r.Findings {
			out[m.Signature.ID] = m.Status
		}
		return out
	}
	files := dumps(t)
	seeds, _ := filepath.Glob("testdata/seeds/*")
	for _, name := range append(files, seeds...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := ids(text)
		step := 1 + len(text)/40
		for at := 0; at < len(text); at += step {
			for side, part := range map[string][]byte{"head": text[:at], "tail": text[at:]} {
				for id, status := range ids(part) {
					if _, ok := whole[id]; !ok && status != signatures.Candidate {
						t.Errorf("%s, %s cut at %d: %s (%s)", name, side, at, id, status)
					}
				}
			}
		}
	}
}

// TestInterleaved: two processes that write by turns, each line behind its own prefix, are two incidents.
func TestInterleaved(t *testing.T) {
	a, err := os.ReadFile("testdata/dumps/nil-receiver.txt")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("testdata/dumps/closed-send.txt")
	if err != nil {
		t.Fatal(err)
	}
	la, lb := strings.SplitAfter(string(a), "\n"), strings.SplitAfter(string(b), "\n")
	var mixed strings.Builder
	for i := range max(len(la), len(lb)) {
		if i < len(la) && la[i] != "" {
			mixed.WriteString("orders-1   | " + la[i])
		}
		if i < len(lb) && lb[i] != "" {
			mixed.WriteString("billing-1  | " + lb[i])
		}
	}
	c := read([]byte(mixed.String()))
	if len(c.Incidents) != 2 {
		t.Fatalf("%d incidents", len(c.Incidents))
	}
	want := []string{read(a).Incidents[0].Fingerprint, read(b).Incidents[0].Fingerprint}
	for i, inc := range c.Incidents {
		if inc.Fingerprint != want[i] {
			t.Errorf("incident %d: %s, want %s", i, inc.Fingerprint, want[i])
		}
	}
}
