package report

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RedactLevel says what is replaced in a document before it is written.
type RedactLevel string

// The levels of --redact.
const (
	RedactOff     RedactLevel = "off"
	RedactSecrets RedactLevel = "secrets" // what opens a door: tokens, keys, passwords, cookies
	RedactAll     RedactLevel = "all"     // also who and where: hosts, addresses, users, nodes, services
)

// RedactLevels are all levels, the mildest first.
func RedactLevels() []string {
	return []string{string(RedactOff), string(RedactSecrets), string(RedactAll)}
}

// Redact returns a copy of d in which secrets, and names at level "all", are replaced. d stays as it
// is. A secret becomes "redacted-KIND-N", a name "host-N", "ip-N", "user-N" and so on: words without
// blanks or marks, which no format has to escape. Equal values get equal names throughout the
// document and different ones different names. Function names, files (but for the user in their
// path), modules, versions, addresses, fingerprints and all that comes from a signature stay.
//
// What was replaced is added to Redactions, one entry a kind with the number of different values.
// further are texts outside of the document that came from the same input: they are replaced in
// place, with the same names.
func Redact(d *Document, level RedactLevel, further ...*string) *Document {
	out := deepCopy(reflect.ValueOf(d)).Interface().(*Document)
	if level != RedactSecrets && level != RedactAll {
		return out
	}
	r := newRedactor(level)
	r.prepare(out, further)
	r.keyBlocks(out)
	r.each(out, further, r.text, r.file)
	if len(r.literals)+len(r.hosts)+len(r.shorts) > 0 {
		again := func(s string) string { return r.knownHosts(r.knownSecrets(s)) }
		r.each(out, further, again, func(s string) string { return s })
	}
	out.Redactions = r.redactions(d.Redactions)
	return out
}

// redactor holds what was replaced so far, by what.
type redactor struct {
	all     bool
	secrets map[string]string    // value to name
	names   map[[2]string]string // kind and value to name
	next    map[string]int       // kind to the last number given
	taken   map[string]bool      // names that the input itself has
	counts  map[string]int

	literals []string          // pairs for the replacer: secrets to look for without their context
	replacer *strings.Replacer // of literals, made at first use
	hosts    map[string]string // host names to look for without their context
	shorts   map[string]bool   // first labels of hosts, to look for too
	paths    map[string]bool   // first elements of import paths, which are no hosts
	versions map[string]bool   // versions that look like addresses
}

func newRedactor(level RedactLevel) *redactor {
	return &redactor{
		all: level == RedactAll, secrets: map[string]string{}, names: map[[2]string]string{}, next: map[string]int{},
		taken: map[string]bool{}, counts: map[string]int{}, hosts: map[string]string{}, shorts: map[string]bool{}, paths: map[string]bool{}, versions: map[string]bool{},
	}
}

// each applies text to every text of the document and of further, and file to the files of frames.
func (r *redactor) each(d *Document, further []*string, text, file func(string) string) {
	walkStrings(reflect.ValueOf(d), func(s string, c class) string {
		switch c {
		case classText:
			return text(s)
		case classFile:
			return file(s)
		}
		return s
	})
	for _, s := range further {
		*s = text(*s)
	}
}

// text replaces what is found in one text from the input.
func (r *redactor) text(s string) string {
	if len(s) < 4 || onlyArguments(s) {
		return s
	}
	s = r.keyBlock(s)
	s = r.serviceTokens(s)
	s = r.userinfo(s)
	s = r.uuids(s)
	s = r.fields(s)
	s = r.schemes(s)
	s = r.gossipKeys(s)
	if r.all {
		s = r.identities(s)
	}
	return s
}

// file replaces the user in the path of a frame.
func (r *redactor) file(s string) string {
	if r.all {
		return r.users(s)
	}
	return s
}

// onlyArguments says whether s is nothing but the printed arguments of a call, as most texts are.
func onlyArguments(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', c == 'x', c == ' ', c == ',', c == '{', c == '}', c == '?', c == '_':
		case c == '.' && strings.HasPrefix(s[i:], "..."):
			i += 2
		default:
			return false
		}
	}
	return true
}

// secret is the name of a secret. What has been redacted already, here or by others, stays.
func (r *redactor) secret(kind, value string) string {
	if isPlaceholder(value) {
		return value
	}
	if name, ok := r.secrets[value]; ok {
		return name
	}
	name := r.number("redacted-"+kind, kind)
	r.secrets[value] = name
	if recognisable(value) {
		r.literals = append(r.literals, value, name)
	}
	return name
}

// name is the new name of a host, an address, a user and so on.
func (r *redactor) name(kind, value string) string {
	if isPlaceholder(value) {
		return value
	}
	key := [2]string{kind, value}
	if name, ok := r.names[key]; ok {
		return name
	}
	name := r.number(kind, kind)
	r.names[key] = name
	return name
}

// number gives the next free number of a kind.
func (r *redactor) number(prefix, kind string) string {
	r.counts[kind]++
	for {
		r.next[prefix]++
		if name := prefix + "-" + strconv.Itoa(r.next[prefix]); !r.taken[name] {
			return name
		}
	}
}

// recognisable says whether a secret may be looked for everywhere: a short or plain word could be
// any word.
func recognisable(value string) bool {
	if len(value) < 8 {
		return false
	}
	letters := 0
	for i := 0; i < len(value); i++ {
		if 'a' <= value[i] && value[i] <= 'z' {
			letters++
		}
	}
	return letters < len(value)
}

// knownSecrets replaces the secrets that were found elsewhere, wherever they stand.
func (r *redactor) knownSecrets(s string) string {
	if len(r.literals) == 0 {
		return s
	}
	if r.replacer == nil {
		// A secret that begins like another must not hide it.
		pairs := make([][2]string, 0, len(r.literals)/2)
		for i := 0; i < len(r.literals); i += 2 {
			pairs = append(pairs, [2]string{r.literals[i], r.literals[i+1]})
		}
		slices.SortFunc(pairs, func(a, b [2]string) int {
			return cmp.Or(cmp.Compare(len(b[0]), len(a[0])), strings.Compare(a[0], b[0]))
		})
		var flat []string
		for _, p := range pairs {
			flat = append(flat, p[0], p[1])
		}
		r.replacer = strings.NewReplacer(flat...)
	}
	return r.replacer.Replace(s)
}

// redactions adds what was replaced to what had been replaced before, sorted by kind.
func (r *redactor) redactions(before []Redaction) []Redaction {
	for _, b := range before {
		r.counts[b.Kind] += b.Count
	}
	out := make([]Redaction, 0, len(r.counts))
	for kind, n := range r.counts {
		out = append(out, Redaction{Kind: kind, Count: n})
	}
	slices.SortFunc(out, func(a, b Redaction) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// RedactionWords says in one line what was replaced: "3 secrets replaced (1 consul token, 2
// passwords); --redact off keeps them". It is "" when nothing was.
func RedactionWords(d *Document) string {
	var secrets, names []string
	nSecrets, nNames := 0, 0
	for _, x := range d.Redactions {
		words := kindWords(x)
		if _, ok := identityKinds[x.Kind]; ok {
			names, nNames = append(names, words), nNames+x.Count
			continue
		}
		secrets, nSecrets = append(secrets, words), nSecrets+x.Count
	}
	var parts []string
	if nSecrets > 0 {
		parts = append(parts, fmt.Sprintf("%s replaced (%s)", count(nSecrets, "secret", "secrets"), strings.Join(secrets, ", ")))
	}
	if nNames > 0 {
		parts = append(parts, fmt.Sprintf("%s changed (%s)", count(nNames, "name", "names"), strings.Join(names, ", ")))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + "; --redact off keeps them"
}

func kindWords(x Redaction) string {
	one := strings.ReplaceAll(x.Kind, "-", " ")
	if word, ok := identityKinds[x.Kind]; ok {
		one = word
	}
	many := one + "s"
	switch {
	case strings.HasSuffix(one, "ss"):
		many = one + "es"
	case strings.HasSuffix(one, "header"), strings.HasSuffix(one, "key"):
	case one == "authorization":
		one, many = "authorization header", "authorization headers"
	}
	return count(x.Count, one, many)
}

// deepCopy copies v and everything that it refers to. Times are values and are shared.
func deepCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem() == timeType {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(deepCopy(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if f := v.Field(i); refers(f.Type()) {
				out.Field(i).Set(deepCopy(f))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		if refers(v.Type().Elem()) {
			for i := range v.Len() {
				out.Index(i).Set(deepCopy(v.Index(i)))
			}
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), deepCopy(it.Value()))
		}
		return out
	}
	return v
}

var timeType = reflect.TypeFor[time.Time]()

// refers says whether a value of the type shares memory when it is assigned.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		if t == timeType {
			return false
		}
		for i := range t.NumField() {
			if refers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
