package report

import (
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// missing is what whoever takes the issue will ask for.
func (w *issueDoc) missing(d *Document, it item) {
	asks := issueAsks(d, it)
	w.head("Still to be added")
	for n, a := range asks {
		if n == issueRows {
			break
		}
		w.todo(a)
	}
}

// issueAsks lists what the input lacks, most useful first.
func issueAsks(d *Document, it item) []string {
	var asks []string
	add := func(text string) {
		if text != "" && !slices.Contains(asks, text) {
			asks = append(asks, text)
		}
	}
	matches := []*Match{it.finding}
	if it.inc != nil {
		matches = it.inc.Matches
	}
	for _, m := range matches[:min(len(matches), issueOthers)] {
		for _, c := range m.Collect[:min(len(m.Collect), issueOthers)] {
			add(issueText(c))
		}
	}
	if i := it.inc; i != nil {
		if len(i.Stack) == 0 && len(i.Races) == 0 && crashKind(i) {
			add("the whole stderr of the process that died (its journal, `kubectl logs -p`): no stack is in this input")
		} else if i.Truncated != "" {
			add("the rest of the dump: it is not whole")
		}
	}
	said := func(how string) bool {
		return slices.ContainsFunc(d.Facts.Products, func(p Product) bool { return p.How == how })
	}
	name := issueProduct(d, it)
	switch {
	case name == "consul":
		if !said("consul version") {
			add("the output of `consul version`")
		}
		if !said("consul info") {
			add("the output of `consul info`, of the client and of the server")
		}
	case name == "nomad" || name == "vault":
		if d.Facts.Product == nil || d.Facts.Product.Version == "" {
			add("the output of `" + name + " version`")
		}
	case d.Facts.Product == nil || d.Facts.Product.Version == "":
		add("the version of the program")
	}
	if d.Facts.GoVersion == nil {
		add("the Go version and the modules of the binary: `go version -m BINARY`")
	}
	if d.Facts.OS == "" {
		add("the operating system and architecture")
	}
	if it.inc == nil || it.inc.Kind != string(parse.KindGoroutineProfile) {
		add("the steps that lead to it, if they are known")
	}
	return asks
}

// issueProduct is the program that ran, by what the input says of it or by whose code died.
func issueProduct(d *Document, it item) string {
	if p := d.Facts.Product; p != nil {
		return p.Name
	}
	if it.inc != nil && it.inc.Blame != nil {
		if owner, ok := strings.CutPrefix(repository(packagePath(it.inc.Blame.Function)), "github.com/hashicorp/"); ok {
			return owner
		}
	}
	return ""
}
