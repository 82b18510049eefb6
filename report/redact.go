package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// RedactLevel says what Redact takes out of a document.
type RedactLevel string

// The levels, weakest first.
const (
	RedactOff     RedactLevel = "off"
	RedactSecrets RedactLevel = "secrets" // what gives access: tokens, keys, passwords, headers that carry them
	RedactAll     RedactLevel = "all"     // also who and where: hosts, addresses, users, ids of services
)

// RedactLevels returns all levels, weakest first.
func RedactLevels() []RedactLevel { return []RedactLevel{RedactOff, RedactSecrets, RedactAll} }

// Redact returns the document with what the level names replaced, and counts in Redactions what
// that was. The document itself stays as it is; it is returned where nothing is to be done.
//
// A secret becomes "[redacted KIND N]", a host "host-N", an address "ip-N" and so on; N tells the
// values of a kind apart, so that what was equal stays equal. Function names, files, versions, ids
// of goroutines and addresses of the dump stay, and so does everything that comes from a pack: each
// field of the Document says by its tag what it holds,
//
//	redact:"keep"   nothing of the input, or nothing that could be secret
//	redact:"text"   text of the input
//	redact:"path"   a file's name: only a user's name in it is replaced
func Redact(d *Document, level RedactLevel) *Document {
	if level == RedactOff || level == "" {
		return d
	}
	out := clone(reflect.ValueOf(d)).Interface().(*Document)
	r := newRedactor(out, level)
	r.walk(reflect.ValueOf(out).Elem())
	for kind, n := range r.next {
		i := slices.IndexFunc(out.Redactions, func(x Redaction) bool { return x.Kind == kind })
		if i >= 0 {
			out.Redactions[i].Count += n
			continue
		}
		out.Redactions = append(out.Redactions, Redaction{Kind: kind, Count: n})
	}
	slices.SortFunc(out.Redactions, func(a, b Redaction) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// RedactText returns a function that does to single texts of the document's input what Redact does
// to the document.
func RedactText(d *Document, level RedactLevel) func(string) string {
	if level == RedactOff || level == "" {
		return func(s string) string { return s }
	}
	r := newRedactor(d, level)
	return func(s string) string { return r.value("text", s) }
}

func newRedactor(d *Document, level RedactLevel) *redactor {
	r := &redactor{all: level == RedactAll, numbers: map[[2]string]int{}, next: map[string]int{}}
	if r.all {
		// A name that one line gives away by its key stands alone on others.
		r.learning = true
		r.walk(reflect.ValueOf(d).Elem())
		r.learning = false
		r.settle()
	}
	return r
}

// redactor replaces values, and remembers which number each has.
type redactor struct {
	all      bool
	learning bool // only look for names
	numbers  map[[2]string]int
	next     map[string]int // how many values of a kind there are so far
	names    []string       // hosts, users and ids that keys gave away, longest first
	kinds    map[string]string
	lines    bool // the texts are lines of one log
	inKey    bool // inside a private key that goes on in the next line
}

// walk redacts every string below v that its tag says is the input's.
func (r *redactor) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			r.walk(v.Elem())
		}
	case reflect.Slice:
		r.lines = v.Type().Elem() == reflect.TypeFor[Context]()
		for i := range v.Len() {
			r.walk(v.Index(i))
		}
		r.lines, r.inKey = false, false
	case reflect.Struct:
		for i := range v.NumField() {
			r.field(v.Type().Field(i).Tag.Get("redact"), v.Field(i))
		}
	}
}

func (r *redactor) field(class string, v reflect.Value) {
	switch {
	case class == "keep":
	case v.Kind() == reflect.String:
		r.set(class, v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String:
		for i := range v.Len() {
			r.set(class, v.Index(i))
		}
	case v.Kind() == reflect.Map:
	default:
		r.walk(v)
	}
}

// set leaves alone what does not change: learning is done on a document that others read.
func (r *redactor) set(class string, v reflect.Value) {
	if now := r.value(class, v.String()); now != v.String() {
		v.SetString(now)
	}
}

func (r *redactor) value(class, s string) string {
	switch class {
	case "text":
		if !r.learning {
			s = r.secrets(s)
		}
		if r.all {
			s = r.people(s)
		}
	case "path":
		if r.all {
			s = r.people(r.paths(s))
		}
	}
	return s
}

// replacement is what stands for a value of a kind from now on.
func (r *redactor) replacement(kind, value, format string) string {
	k := [2]string{kind, value}
	n, ok := r.numbers[k]
	if !ok {
		r.next[kind]++
		n = r.next[kind]
		r.numbers[k] = n
	}
	return fmt.Sprintf(format, n)
}

func (r *redactor) secret(kind, value string) string {
	if value == "" || strings.HasPrefix(value, redactedPrefix) {
		return value
	}
	return r.replacement(kind, value, redactedPrefix+kind+" %d]")
}

const redactedPrefix = "[redacted "

// RedactedWords says what was replaced: "2 passwords, 1 Vault token"; "" if nothing was.
func RedactedWords(d *Document) string {
	var parts []string
	for _, x := range d.Redactions {
		many := x.Kind + "s"
		switch {
		case strings.HasSuffix(x.Kind, "ss"):
			many = x.Kind + "es"
		case strings.HasSuffix(x.Kind, "s"):
			many = x.Kind
		}
		parts = append(parts, count(x.Count, x.Kind, many))
	}
	return strings.Join(parts, ", ")
}

// clone copies everything below v.
func clone(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(clone(v.Elem()))
		return p
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(clone(v.Index(i)))
		}
		return s
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		m := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), clone(it.Value()))
		}
		return m
	case reflect.Struct:
		if v.Type().PkgPath() == "time" {
			return v
		}
		s := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			s.Field(i).Set(clone(v.Field(i)))
		}
		return s
	}
	return v
}
