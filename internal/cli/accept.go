package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// knownIDs are the ids that --known-ok names, by themselves or by an alias.
func knownIDs(db *signatures.DB, names []string) ([]string, error) {
	var ids []string
	for _, name := range names {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		sig := db.Lookup(name)
		if sig == nil {
			err := fmt.Errorf("--known-ok %s: no signature is called that", name)
			if strings.HasPrefix(name, "ct") && strings.Contains(name, ":") {
				return nil, withHint(err, "it is a fingerprint: put it into a file and name that with --baseline")
			}
			if near := nearestIDs(db, name); len(near) > 0 {
				return nil, withHint(err, "did you mean %s?", strings.Join(near, " or "))
			}
			return nil, withHint(err, "crashtriage signatures list names them all")
		}
		ids = append(ids, sig.ID)
	}
	return ids, nil
}

// nearestIDs are up to three ids that name may have meant: those that hold it, else those a few
// letters away.
func nearestIDs(db *signatures.DB, name string) []string {
	name = strings.ToLower(name)
	type near struct {
		id   string
		away int
	}
	var all []near
	for _, sig := range db.Signatures() {
		away := distance(name, strings.ToLower(sig.ID))
		if len(name) >= 4 && strings.Contains(strings.ToLower(sig.ID), name) {
			away = 1
		}
		if away <= max(2, len(name)/4) {
			all = append(all, near{sig.ID, away})
		}
	}
	slices.SortFunc(all, func(a, b near) int {
		if a.away != b.away {
			return a.away - b.away
		}
		return strings.Compare(a.id, b.id)
	})
	var ids []string
	for _, n := range all[:min(len(all), 3)] {
		ids = append(ids, n.id)
	}
	return ids
}

// distance is the number of letters to change, add or take away to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

func readBaseline(path string) (*report.Baseline, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, withHint(fmt.Errorf("--baseline %s: there is no such file", path), "write it first: crashtriage check --write-baseline %s PATH...", path)
	}
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	defer f.Close()
	b, err := report.ReadBaseline(f)
	if err != nil {
		return nil, withHint(fmt.Errorf("--baseline %s: %w", path, err), "a baseline is a JSON document of an earlier run, or a list with one fingerprint a line")
	}
	return b, nil
}

// writeBaseline writes what was found where --write-baseline wants it.
func (o *checkOptions) writeBaseline(s *streams, r *reading) error {
	if o.write == "" {
		return nil
	}
	var b bytes.Buffer
	n, err := report.WriteBaseline(&b, r.doc)
	if err == nil {
		err = notAnInput(o.write, r)
	}
	if err == nil {
		err = os.WriteFile(o.write, b.Bytes(), 0o666)
	}
	if err != nil {
		s.errorf("--write-baseline: %v", err)
		return errReported
	}
	s.notef("%s holds %s now", o.write, map[bool]string{true: "1 entry", false: fmt.Sprint(n, " entries")}[n == 1])
	return nil
}
