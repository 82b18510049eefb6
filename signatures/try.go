package signatures

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// Try reads one example of a signature and says what is wrong with it; "" when it does what it
// should: a match comes first of all that is known, and with the status asked for; a near miss does not match.
func (db *DB) Try(sig *Signature, ex Example) string {
	c := readText("example", ex.Text, db.KeepRecord)
	result := db.Match(c, MatchOptions{})
	lists := [][]Match{result.Findings}
	for _, inc := range c.Incidents {
		lists = append(lists, result.ByIncident[inc])
	}
	isSig := func(m Match) bool { return m.Signature == sig }
	for _, l := range lists {
		i := slices.IndexFunc(l, isSig)
		switch {
		case i < 0:
			continue
		case !ex.Match:
			return "matches, and should not"
		case i > 0:
			return "matches after " + l[0].Signature.ID
		case ex.Status != "" && l[0].Status != ex.Status:
			return fmt.Sprintf("status %s, want %s", l[0].Status, ex.Status)
		}
		return ""
	}
	if ex.Match {
		return "does not match"
	}
	return ""
}

// Claims returns what else is reported for an example of a signature that matches: two
// entries that explain one crash are one bug written down twice, or conditions that are too wide, unless
// one supersedes the other.
func (db *DB) Claims(sig *Signature, ex Example) (others []string) {
	if !ex.Match {
		return nil
	}
	c := readText("example", ex.Text, db.KeepRecord)
	result := db.Match(c, MatchOptions{})
	lists := [][]Match{result.Findings}
	for _, inc := range c.Incidents {
		lists = append(lists, result.ByIncident[inc])
	}
	for _, l := range lists {
		i := slices.IndexFunc(l, func(m Match) bool { return m.Signature == sig })
		if i < 0 || l[i].Status == Candidate {
			continue
		}
		for _, m := range l {
			if m.Signature != sig && m.Status != Candidate {
				others = append(others, m.Signature.ID)
			}
		}
	}
	return unique(others)
}

// readText reads a text as if it were a file.
func readText(name, text string, keep func(*parse.Record) bool) *parse.Capture {
	in := parse.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	return parse.Read(context.Background(), []parse.Input{in}, parse.Options{KeepRecord: keep})
}
