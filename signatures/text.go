package signatures

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// text is a pattern for one string. Exactly one of its fields is set.
//
// A regular expression is RE2, unanchored, and has to demand a literal of at least four bytes:
// the literal is looked for first, so that a thousand patterns cost a thousand searches,
// not a thousand matches.
type text struct {
	Is       string `json:",omitempty"`
	Prefix   string `json:",omitempty"`
	Contains string `json:",omitempty"`
	Regexp   string `json:",omitempty"`

	// Literals are strings of which every match of Regexp contains one; read from the expression.
	Literals []string `json:",omitempty"`

	re *regexp.Regexp
}

const minLiteral = 4

// compile prepares a regular expression; that it has a literal is checked when a pack is
// read, not here.
func (t *text) compile() (err error) {
	if t.Regexp == "" || t.re != nil {
		return nil
	}
	if t.Literals == nil {
		parsed, err := syntax.Parse(t.Regexp, syntax.Perl)
		if err != nil {
			return err
		}
		t.Literals = requiredLiterals(parsed)
	}
	t.re, err = regexp.Compile(t.Regexp)
	return err
}

func (t *text) match(s string) bool {
	switch {
	case t.Regexp != "":
		return containsOne(s, t.Literals) && t.re.MatchString(s)
	case t.Contains != "":
		return strings.Contains(s, t.Contains)
	case t.Prefix != "":
		return strings.HasPrefix(s, t.Prefix)
	}
	return s == t.Is
}

// String is the pattern as a report shows it: "…" stands for anything.
func (t *text) String() string {
	switch {
	case t.Regexp != "":
		return "/" + t.Regexp + "/"
	case t.Contains != "":
		return "…" + t.Contains + "…"
	case t.Prefix != "":
		return t.Prefix + "…"
	}
	return t.Is
}

// needles are strings of which everything the pattern matches contains at least one.
func (t *text) needles() []string {
	switch {
	case t.Regexp != "":
		return t.Literals
	case t.Contains != "":
		return []string{t.Contains}
	case t.Prefix != "":
		return []string{t.Prefix}
	}
	return []string{t.Is}
}

func containsOne(s string, list []string) bool {
	for _, l := range list {
		if strings.Contains(s, l) {
			return true
		}
	}
	return len(list) == 0
}

// requiredLiterals returns strings of which every match of the expression contains at
// least one; nil when nothing is required. Of the choices it takes the one whose shortest string is longest.
func requiredLiterals(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiterals(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredLiterals(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			l := requiredLiterals(sub)
			if l == nil {
				return nil
			}
			all = append(all, l...)
		}
		if len(all) <= 32 {
			return all
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if l := requiredLiterals(sub); shortest(l) > shortest(best) {
				best = l
			}
		}
		return best
	}
	return nil
}

func shortest(list []string) int {
	if len(list) == 0 {
		return 0
	}
	n := len(list[0])
	for _, s := range list[1:] {
		n = min(n, len(s))
	}
	return n
}
