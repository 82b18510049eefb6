package signatures

import (
	"slices"
	"testing"
)

const headlessPack = `pack: acme
as_of: 2026-09
project: acme
module: example.com/acme/store
signatures:
- id: acme-get-nil
  title: Get on a closed store
  kind: panic
  match:
    message: 'panic: runtime error: invalid memory address or nil pointer dereference'
    top: example.com/acme/store.(*Store).Get
  root_cause: closed
  fix: {state: none-known, release: none}
  confidence: high
- id: acme-put-conflict
  title: Put panics on a conflict
  kind: panic
  match:
    message: 'panic: store: conflicting write'
    frames: example.com/acme/store.(*Store).Put
  root_cause: conflict
  fix: {state: none-known, release: none}
  confidence: high
- id: acme-put-leak
  title: Put waits for ever
  kind: leak
  match:
    goroutines: {frames: example.com/acme/store.(*Store).Put, at_least: 1, wait: 1m}
  root_cause: leak
  fix: {state: none-known, release: none}
  confidence: high
`

// A stack that lost the line above it is matched by its own frames, with low confidence. One
// function that is not on top is too little, and a dump that somebody asked for is no crash.
func TestHeadless(t *testing.T) {
	const (
		get = "example.com/acme/store.(*Store).Get(0x0)\n\t/src/acme/store/store.go:40 +0x20\n"
		put = "example.com/acme/store.(*Store).Put(0xc000010000)\n\t/src/acme/store/store.go:61 +0x31\n"
		end = "main.main()\n\t/src/acme/main.go:12 +0x41\n"
	)
	tests := []struct {
		name, text string
		want       []string
	}{
		{"the headline is cut off", "goroutine 7 [running]:\n" + get + end, []string{"acme-get-nil"}},
		{"the header too", "\t/src/acme/store/read.go:9 +0x11\n" + get + end, []string{"acme-get-nil"}},
		{"another function on top", "goroutine 7 [running]:\n" + put + get + end, nil},
		{"one function proves too little", "goroutine 7 [running]:\n" + put + end, nil},
		{"a goroutine that waits", "goroutine 7 [select]:\n" + get + end, nil},
		{"a dump", "goroutine 7 [select]:\n" + get + end + "\ngoroutine 8 [select]:\n" + end, nil},
		{"another headline", "panic: something else\n\ngoroutine 7 [running]:\n" + get + end, nil},
	}
	db, err := LoadOnly(Source{"acme.yaml", []byte(headlessPack)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := read(t, db, "input", tt.text)
			res := db.Match(c, MatchOptions{})
			ids, _ := matches(c, res)
			if !slices.Equal(ids, tt.want) {
				t.Fatalf("matched %v, want %v", ids, tt.want)
			}
			for _, inc := range c.Incidents {
				for _, m := range res.ByIncident[inc] {
					if m.Confidence != Low || !slices.Contains(m.Missing, "the headline is missing") {
						t.Errorf("confidence %s, missing %q", m.Confidence, m.Missing)
					}
				}
			}
		})
	}
}
