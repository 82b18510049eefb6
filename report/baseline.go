package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// Baseline is what an earlier run found: fingerprints of incidents, and the ids of the signatures
// of findings, which have none.
type Baseline struct {
	known map[string]bool
	// Foreign are fingerprints of another version of the algorithm, which can match nothing.
	Foreign []string
}

// Has says whether the baseline holds a fingerprint or a signature's id.
func (b *Baseline) Has(key string) bool { return b != nil && key != "" && b.known[key] }

// Len is the number of fingerprints and ids that can match.
func (b *Baseline) Len() int {
	if b == nil {
		return 0
	}
	return len(b.known)
}

// Missing are the entries that do not occur in d.
func (b *Baseline) Missing(d *Document) []string {
	if b == nil {
		return nil
	}
	left := maps.Clone(b.known)
	for _, it := range ranked(d) {
		delete(left, it.key())
	}
	return slices.Sorted(maps.Keys(left))
}

// key is what a baseline calls the item.
func (it item) key() string {
	if it.inc != nil {
		return it.inc.Fingerprint
	}
	return it.finding.ID
}

var (
	fingerprintForm = regexp.MustCompile(`^ct[0-9]+:[0-9a-f]{4,64}$`)
	idForm          = regexp.MustCompile(`^[a-z0-9][A-Za-z0-9._-]*$`)
)

// ReadBaseline reads a baseline: a JSON document of this program, the same with one incident a
// line, or a list with one fingerprint or signature id a line, "#" beginning a comment.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	b := &Baseline{known: map[string]bool{}}
	br := bufio.NewReaderSize(r, 1<<16)
	if bom, _ := br.Peek(3); string(bom) == "\ufeff" {
		_, _ = br.Discard(3)
	}
	first, err := firstByte(br)
	switch {
	case errors.Is(err, io.EOF):
		return b, nil
	case err != nil:
		return nil, err
	case first == '{':
		err = b.readJSON(br)
	default:
		err = b.readList(br)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// firstByte is the first byte that is no space. It stays in r, as does a line break before it.
func firstByte(r *bufio.Reader) (byte, error) {
	for n := 1; ; n++ {
		p, err := r.Peek(n)
		if len(p) < n {
			if err == nil || errors.Is(err, bufio.ErrBufferFull) {
				err = errors.New("it begins with nothing but blanks")
			}
			return 0, err
		}
		if c := p[n-1]; !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c, nil
		}
	}
}

func (b *Baseline) add(key string) {
	if fingerprintForm.MatchString(key) && !strings.HasPrefix(key, parse.FingerprintAlgorithm+":") {
		b.Foreign = append(b.Foreign, key)
		return
	}
	b.known[key] = true
}

// readJSON reads documents, or objects that are an incident each.
func (b *Baseline) readJSON(r io.Reader) error {
	type incident struct {
		Kind        string `json:"kind"`
		Fingerprint string `json:"fingerprint"`
	}
	type finding struct {
		ID string `json:"id"`
	}
	dec := json.NewDecoder(r)
	for n := 1; ; n++ {
		var o struct {
			Schema      int         `json:"schema"`
			Fingerprint string      `json:"fingerprint"`
			Incident    *incident   `json:"incident"`
			Finding     *finding    `json:"finding"`
			Incidents   *[]incident `json:"incidents"`
			Findings    []finding   `json:"findings"`
		}
		switch err := dec.Decode(&o); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("object %d: %w", n, err)
		}
		if o.Schema > Schema {
			return fmt.Errorf("object %d: schema %d is newer than this program's %d", n, o.Schema, Schema)
		}
		all := []incident{{Fingerprint: o.Fingerprint}}
		if o.Incident != nil {
			all = append(all, *o.Incident)
		}
		if o.Incidents != nil {
			all = append(all, *o.Incidents...)
		}
		found := o.Incidents != nil || o.Schema > 0
		for _, i := range all {
			if fingerprintForm.MatchString(i.Fingerprint) {
				b.add(i.Fingerprint)
				found = true
			}
		}
		if o.Finding != nil {
			o.Findings = append(o.Findings, *o.Finding)
		}
		for _, f := range o.Findings {
			if f.ID != "" {
				b.add(f.ID)
				found = true
			}
		}
		if !found {
			return fmt.Errorf("object %d holds no incidents and no fingerprint", n)
		}
	}
}

func (b *Baseline) readList(r io.Reader) error {
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		text, _, _ := strings.Cut(sc.Text(), "#")
		switch text = strings.TrimSpace(text); {
		case text == "":
		case fingerprintForm.MatchString(text), idForm.MatchString(text):
			b.add(text)
		default:
			return fmt.Errorf("line %d: %q is no fingerprint, such as ct1:3fa9c1d2, and no signature's id", n, Cut(Escape(text), 60))
		}
	}
	return sc.Err()
}

// WriteBaseline writes what d holds as a list that ReadBaseline reads, sorted, each with a comment
// that names it. What the user accepts by name and dumps that somebody asked for are left out.
func WriteBaseline(w io.Writer, d *Document) (int, error) {
	lines := map[string]string{}
	for _, it := range ranked(d) {
		key := it.key()
		if key == "" || it.quietDump() || it.accepted() == AcceptedKnown || lines[key] != "" {
			continue
		}
		// No text of the log: a baseline is committed, and a message may hold a secret.
		about := it.rule()
		if it.inc != nil {
			about = it.inc.Kind + ", " + about
			if it.inc.Blame != nil {
				about += ", " + shortFunction(it.inc.Blame.Function)
			}
		} else {
			about = "a known bug in the logs"
		}
		lines[key] = fmt.Sprintf("%s  # %s\n", key, Cut(Escape(about), 160))
	}
	var b strings.Builder
	b.WriteString("# What crashtriage check --baseline does not fail on: fingerprints of crashes and ids of\n# known bugs in the logs, one a line.\n")
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		b.WriteString(lines[key])
	}
	_, err := io.WriteString(w, b.String())
	return len(lines), err
}

// Accept marks what does not fail a check: incidents whose deciding match is one of ids, and what
// the baseline holds. It returns the ids that decided nothing, sorted. A candidate decides nothing.
func (d *Document) Accept(ids []string, b *Baseline) (unused []string) {
	seen := map[string]bool{}
	for _, it := range ranked(d) {
		why := ""
		if m := it.best(); m != nil && m.proven() && slices.Contains(ids, m.ID) {
			why = AcceptedKnown
			seen[m.ID] = true
		} else if b.Has(it.key()) {
			why = AcceptedBaseline
		}
		if it.inc != nil {
			it.inc.Accepted = why
		} else {
			it.finding.Accepted = why
		}
	}
	for _, id := range ids {
		if !seen[id] && !slices.Contains(unused, id) {
			unused = append(unused, id)
		}
	}
	slices.Sort(unused)
	return unused
}
