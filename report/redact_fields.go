package report

import (
	"reflect"
	"sort"
	"sync"
)

// class says where the text of a field comes from, and so what may be replaced in it.
type class uint8

const (
	classText class = iota // from the input: everything is looked for
	classFile              // the file of a frame: only the user in its path
	classKeep              // ours, a signature's, or what must stay to be of use
)

// fieldClasses has every field of the document that holds text. A test fails when one is missing;
// until then it counts as text from the input.
var fieldClasses = map[string]class{
	"Document.Verdict": classKeep,

	"Redaction.Kind": classKeep,

	"Tool.Name":             classKeep,
	"Tool.Version":          classKeep,
	"SignaturesRef.Version": classKeep,

	"Source.Name":     classText,
	"Source.Wrapper":  classKeep, // our word
	"Source.Error":    classText,
	"Problem.Code":    classKeep, // our word
	"Problem.Message": classText,

	"Facts.OS":   classText,
	"Facts.Arch": classText,

	"Product.Name":     classKeep,
	"Product.Version":  classKeep,
	"Product.Edition":  classKeep,
	"Product.Metadata": classKeep,
	"Product.Revision": classKeep,
	"Product.Role":     classText,
	"Product.How":      classText,
	"Product.Source":   classText,

	"Fact.Value":  classText,
	"Fact.How":    classText,
	"Fact.Source": classText,

	"Module.Path":    classKeep,
	"Module.Version": classKeep,
	"Module.Source":  classText,

	"Exit.Signal": classText,
	"Exit.Text":   classText,
	"Exit.Source": classText,

	"Incident.Kind":         classKeep, // our word
	"Incident.Headline":     classText,
	"Incident.Reason":       classText,
	"Incident.Value":        classText,
	"Incident.Chain":        classText,
	"Incident.Signal":       classText,
	"Incident.Source":       classText,
	"Incident.Truncated":    classText,
	"Incident.Fingerprint":  classKeep,
	"Incident.RunningTests": classText,

	"Frame.Function": classKeep,
	"Frame.Args":     classText,
	"Frame.File":     classFile,
	"Frame.Module":   classKeep,
	"Frame.Version":  classKeep,

	"Family.ID":       classKeep,
	"Family.Meaning":  classKeep,
	"Family.Owner":    classKeep,
	"Family.NextStep": classKeep,

	"Match.ID":             classKeep,
	"Match.Aliases":        classKeep,
	"Match.Title":          classKeep,
	"Match.Status":         classKeep,
	"Match.Confidence":     classKeep,
	"Match.Project":        classKeep,
	"Match.Product":        classKeep,
	"Match.Owner":          classKeep,
	"Match.RootCause":      classKeep,
	"Match.Workaround":     classKeep,
	"Match.Issue":          classKeep,
	"Match.RunningVersion": classKeep,
	"Match.How":            classText,
	"Match.Affected":       classKeep,
	"Match.Missing":        classKeep,
	"Match.Collect":        classKeep,
	"Match.Sources":        classKeep,

	"Fix.URL":     classKeep,
	"Fix.State":   classKeep,
	"Fix.Release": classKeep,
	"Fix.AsOf":    classKeep,
	"Fix.Note":    classKeep,

	"FixedIn.Module":  classKeep,
	"FixedIn.Line":    classKeep,
	"FixedIn.Version": classKeep,

	"Evidence.Source":    classText,
	"Evidence.Text":      classText,
	"Evidence.Condition": classKeep, // the signature's

	"Race.Title": classText,

	"Bucket.ID":     classKeep,
	"Bucket.State":  classText,
	"Bucket.Labels": classText,

	"Context.Text":    classText,
	"Context.Clock":   classText,
	"Context.Level":   classText,
	"Context.Module":  classText,
	"Context.Message": classText,
	"Context.Error":   classText,

	"Logs.ByLevel":      classText,
	"LogBucket.Level":   classText,
	"LogBucket.Module":  classText,
	"LogBucket.Message": classText,
	"LogBucket.Source":  classText,
	"LogBucket.Example": classText,
}

// walkStrings replaces every string below v by what f makes of it.
func walkStrings(v reflect.Value, f func(string, class) string) { walkClass(v, classText, f) }

func walkClass(v reflect.Value, c class, f func(string, class) string) {
	switch v.Kind() {
	case reflect.String:
		if old := v.String(); old != "" {
			if s := f(old, c); s != old {
				v.SetString(s)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walkClass(v.Elem(), c, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkClass(v.Index(i), c, f)
		}
	case reflect.Map:
		walkKeys(v, c, f)
	case reflect.Struct:
		for _, field := range planOf(v.Type()) {
			walkClass(v.Field(field.index), field.class, f)
		}
	}
}

// walkKeys renames keys; entries whose keys become one are added up.
func walkKeys(v reflect.Value, c class, f func(string, class) string) {
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	for _, k := range keys {
		s := f(k.String(), c)
		if s == k.String() {
			continue
		}
		n := v.MapIndex(k)
		v.SetMapIndex(k, reflect.Value{})
		to := reflect.ValueOf(s)
		if there := v.MapIndex(to); there.IsValid() {
			n = reflect.ValueOf(int(there.Int() + n.Int()))
		}
		v.SetMapIndex(to, n)
	}
}

// plannedField is a field of a struct that holds text, or leads to some.
type plannedField struct {
	index int
	class class
}

var plans sync.Map // reflect.Type to []plannedField

func planOf(t reflect.Type) []plannedField {
	if p, ok := plans.Load(t); ok {
		return p.([]plannedField)
	}
	var plan []plannedField
	for i := range t.NumField() {
		field := t.Field(i)
		if c := fieldClasses[t.Name()+"."+field.Name]; c != classKeep && holdsText(field.Type) {
			plan = append(plan, plannedField{i, c})
		}
	}
	plans.Store(t, plan)
	return plan
}

// holdsText says whether a string can be reached from the type.
func holdsText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String:
		return true
	case reflect.Pointer, reflect.Slice:
		return holdsText(t.Elem())
	case reflect.Map:
		return holdsText(t.Key())
	case reflect.Struct:
		if t == timeType {
			return false
		}
		for i := range t.NumField() {
			if holdsText(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
