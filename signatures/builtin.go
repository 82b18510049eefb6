package signatures

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// The packs as they are written, and the same knowledge compiled: reading YAML takes a
// millisecond for every ten entries, which is too slow for every run. A test holds the two together;
// after a change of a pack: go generate ./signatures

//go:generate go test -run ^TestCompiledPacks$ -args -update

//go:embed packs/*.yaml
var packFiles embed.FS

//go:embed compiled.txt
var compiled string

// BuiltIn returns the built-in packs as they are written, sorted by name.
func BuiltIn() []Source {
	entries, err := packFiles.ReadDir("packs")
	if err != nil {
		panic(err)
	}
	var list []Source
	for _, e := range entries {
		data, err := packFiles.ReadFile("packs/" + e.Name())
		if err != nil {
			panic(err)
		}
		list = append(list, Source{Name: "packs/" + e.Name(), Data: data})
	}
	return list
}

// compiledHeader begins the compiled knowledge. Each further line is one signature or family, its
// fields separated by tabs, the last one JSON; lists are separated by a unit separator.
//
//	S id aliases kind product gates words wanted json
//	F id fallback needles json
const (
	compiledHeader = "crashtriage-knowledge 1 "
	listSeparator  = "\x1f"
)

// compile turns packs into the compiled form.
func compile(packs []Source) (string, error) {
	var (
		lines []string
		errs  Errors
		asOf  string
	)
	for _, src := range packs {
		p, faults := readPack(src)
		errs = append(errs, faults...)
		asOf = max(asOf, p.asOf)
		for _, e := range p.signatures {
			r := e.ref
			e.Examples = nil
			body, err := json.Marshal(e)
			if err != nil {
				return "", err
			}
			lines = append(lines, strings.Join([]string{
				"S", r.id, joinList(r.aliases), r.kind, r.product, joinList(r.gates), joinList(r.words), joinList(r.wanted), string(body),
			}, "\t"))
		}
		for _, e := range p.families {
			r := newFamilyRef(e)
			body, err := json.Marshal(e)
			if err != nil {
				return "", err
			}
			lines = append(lines, strings.Join([]string{"F", r.id, strconv.Itoa(r.fallback), joinList(r.needles), string(body)}, "\t"))
		}
	}
	if len(errs) > 0 {
		return "", errs.sorted()
	}
	sort.SliceStable(lines, func(i, j int) bool { // families keep their order: it decides which is asked first
		return lines[i][0] == 'S' && (lines[j][0] == 'F' || lines[i] < lines[j])
	})
	for _, l := range lines {
		if want := map[byte]int{'S': 8, 'F': 4}[l[0]]; strings.Count(l, "\t") != want || strings.Contains(l, "\n") {
			return "", fmt.Errorf("a tab or a line break in a message cannot be compiled: %.80s", l)
		}
	}
	text := strings.Join(lines, "\n") + "\n"
	sum := sha256.Sum256([]byte(text))
	return compiledHeader + asOf + "+" + hex.EncodeToString(sum[:4]) + "\n" + text, nil
}

func joinList(list []string) string { return strings.Join(list, listSeparator) }

func splitList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, listSeparator)
}

// builtIn fills a knowledge base from the compiled form.
func builtIn(db *DB) {
	head, rest, _ := strings.Cut(compiled, "\n")
	db.version = strings.TrimPrefix(head, compiledHeader)
	for len(rest) > 0 {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		switch {
		case strings.HasPrefix(line, "S\t"):
			f := strings.SplitN(line, "\t", 9)
			if len(f) == 9 {
				db.add(&ref{
					id: f[1], aliases: splitList(f[2]), kind: f[3], product: f[4],
					gates: splitList(f[5]), words: splitList(f[6]), wanted: splitList(f[7]), body: f[8],
				})
			}
		case strings.HasPrefix(line, "F\t"):
			f := strings.SplitN(line, "\t", 5)
			if len(f) == 5 {
				n, _ := strconv.Atoi(f[2])
				db.families = append(db.families, &familyRef{id: f[1], fallback: n, needles: splitList(f[3]), body: f[4]})
			}
		}
	}
}

// decodeBody reads a signature in its compiled form. It cannot fail on what compile wrote,
// which a test sees to.
func decodeBody(body string) *Signature {
	var e entry
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		panic(err)
	}
	s := e.Signature
	s.match, s.optional = e.Match, e.Optional
	return &s
}

func decodeFamilyBody(body string) *Family {
	var e familyEntry
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		panic(err)
	}
	f := e.Family
	f.messages, f.kinds, f.fallback = e.Messages, e.Kinds, e.Fallback
	return &f
}
