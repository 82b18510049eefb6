package parse

import "strings"

// Symbol returns the normalised form of a function name as Go prints it, without
// its argument list. Two frames with one symbol are the same code as far as builds, Go
// releases, vendoring and closures can differ:
//
//	k8s.io/kubernetes/vendor/k8s.io/client-go/rest.(*Request).Do      k8s.io/client-go/rest.(*Request).Do
//	github.com/nats-io/nats-server/v2/server.(*client).readLoop.func1 github.com/nats-io/nats-server/server.(*client).readLoop
//	gopkg.in/yaml%2ev3.Unmarshal                                      gopkg.in/yaml.v3.Unmarshal
//	main.(*Tree[...]).Walk[go.shape.int]-range1                       main.(*Tree).Walk
//	main.glob..func1, main.init.func1                                 main.init
//
// What is cut: everything up to a vendor folder; a path element that is a major
// version ("v2" and above); type arguments; "-fm", ".gowrapN", ".deferwrapN",
// "·dwrap·N", ".abi0" and everything from the first ".funcN" or "-rangeN". The
// numbers of closures move with unrelated edits, so they tell nothing.
//
// Up to Go 1.26 a closure of an inlined function carries its caller's name
// ("main.main.OnceFunc.func4"), from 1.27 on its own ("sync.OnceFunc.func1"). The first
// form does not tell the package, so only SymbolMatches can see that both are one.
func Symbol(function string) string {
	s, _ := SymbolOf(function)
	return s
}

// SymbolOf is Symbol and IsClosure at once.
func SymbolOf(s string) (symbol string, closure bool) {
	s = cutVendor(s)
	s = cutBrackets(s)
	slash := lastSlash(s)
	s, closure = cutSuffixes(s, slash)
	s = cutMajor(s)
	if strings.IndexByte(s, '%') >= 0 {
		s = unescape(s)
	}
	// Closures of package-level variables: "glob." before Go 1.21, "init" since.
	if closure && strings.HasSuffix(s, ".glob.") {
		s = s[:len(s)-len("glob.")] + "init"
	}
	return s, closure
}

// SymbolMatches says whether the printed function is the one that want names. Both
// are normalised, and they compare by whole path elements. Closures of want match, with two
// refinements: a want that is itself a closure ("pkg.F.func1") asks for some closure of
// pkg.F, whatever its number; and a closure of an inlined function in the spelling of
// Go 1.26 ("main.main.OnceFunc.func4") matches the function it was inlined from
// ("sync.OnceFunc").
func SymbolMatches(function, want string) bool {
	return CompileSymbol(want).Matches(function)
}

// SymbolPattern is a name to compare printed functions with, normalised once.
type SymbolPattern struct {
	Symbol  string // as Symbol returns it
	Closure bool   // only closures of Symbol match

	pkg, short string // import path; what a spliced closure name ends with
}

// CompileSymbol prepares want for many comparisons.
func CompileSymbol(want string) SymbolPattern {
	s, closure := SymbolOf(want)
	p := SymbolPattern{Symbol: s, Closure: closure}
	pkg, name := SplitSymbol(s)
	p.pkg = pkg
	switch {
	case pkg == "" || name == "":
	case strings.HasPrefix(name, "(") || strings.Contains(name, "."):
		p.short = "." + pkg[lastSlash(pkg)+1:] + "." + name // methods keep their package's name
	default:
		p.short = "." + name
	}
	return p
}

// Matches says whether the printed function is the one that the pattern names.
func (p SymbolPattern) Matches(function string) bool {
	s, closure := SymbolOf(function)
	return p.MatchesSymbol(s, closure)
}

// MatchesSymbol is Matches for a name that was normalised before; closure says
// whether it was the name of a closure (see IsClosure).
func (p SymbolPattern) MatchesSymbol(s string, closure bool) bool {
	if s == p.Symbol {
		return closure || !p.Closure
	}
	if !closure || p.short == "" || !strings.HasSuffix(s, p.short) {
		return false
	}
	// A function that is not exported can only be inlined within its package, or by way of
	// an exported one: ask for the same package, so that a short name decides nothing.
	pkg, name := SplitSymbol(s)
	if len(name) <= len(p.short) {
		return false // nothing is spliced in front of it
	}
	return pkg == p.pkg || exported(p.short)
}

// IsClosure says whether the printed function is a closure.
func IsClosure(function string) bool {
	_, closure := SymbolOf(function)
	return closure
}

// SplitSymbol cuts a symbol into import path and name: "a/b.(*T).M" is "a/b" and
// "(*T).M". The import path of a package with a dot in its last element
// ("gopkg.in/yaml.v3") is cut short there, alike in every spelling.
func SplitSymbol(s string) (pkg, name string) {
	slash := lastSlash(s)
	dot := strings.IndexByte(s[slash+1:], '.')
	if dot < 0 {
		return "", s
	}
	return s[:slash+1+dot], s[slash+dot+2:]
}

func exported(short string) bool {
	c := short[strings.LastIndexByte(short, '.')+1]
	return 'A' <= c && c <= 'Z'
}

func cutVendor(s string) string {
	if rest, ok := strings.CutPrefix(s, "vendor/"); ok {
		s = rest
	}
	if !strings.Contains(s, "/vendor/") && !strings.Contains(s, "/_workspace/") {
		return s // as nearly all
	}
	if i := strings.LastIndex(s, "/vendor/"); i >= 0 && !inBrackets(s, i) {
		s = s[i+len("/vendor/"):]
	}
	if i := strings.LastIndex(s, "/_workspace/src/"); i >= 0 && !inBrackets(s, i) {
		s = s[i+len("/_workspace/src/"):]
	}
	return s
}

func inBrackets(s string, at int) bool { return strings.IndexByte(s[:at], '[') >= 0 }

// cutBrackets leaves out type arguments, nested ones included. An opening bracket that
// is never closed belongs to a torn line; what follows it is cut.
func cutBrackets(s string) string {
	open := strings.IndexByte(s, '[')
	if open < 0 {
		return s
	}
	b := make([]byte, open, len(s))
	copy(b, s)
	depth := 0
	for i := open; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			b = append(b, c)
		}
	}
	return string(b)
}

// lastSlash returns the index of the slash before the last path element, or -1. A
// slash behind a parenthesis is no part of the path.
func lastSlash(s string) int {
	if p := strings.IndexByte(s, '('); p >= 0 {
		s = s[:p]
	}
	return strings.LastIndexByte(s, '/')
}

// cutSuffixes cuts what the compiler appended to the name of a function that somebody wrote.
func cutSuffixes(s string, slash int) (_ string, closure bool) {
	dot := strings.IndexByte(s[slash+1:], '.')
	if dot < 0 {
		return s, false
	}
	name := slash + 1 + dot + 1 // after "pkg."
	for i := name; i < len(s); i++ {
		switch s[i] {
		case '.':
			// A user may call a function or method "func1": something has to stand before the dot.
			if i == name || s[i-1] == ')' {
				continue
			}
			if digitsAfter(s[i:], ".func") {
				return s[:i], true
			}
			if digitsAfter(s[i:], ".gowrap") || digitsAfter(s[i:], ".deferwrap") || s[i:] == ".abi0" {
				return s[:i], false
			}
		case '-':
			if digitsAfter(s[i:], "-range") {
				return s[:i], true
			}
			if s[i:] == "-fm" {
				return s[:i], false
			}
		case 0xc2: // U+00B7, the middle dot
			if strings.HasPrefix(s[i:], "·dwrap·") {
				return strings.TrimSuffix(s[:i], "."), false
			}
		}
	}
	return s, false
}

// digitsAfter says whether s begins with prefix and a digit.
func digitsAfter(s, prefix string) bool {
	return len(s) > len(prefix) && s[:len(prefix)] == prefix && '0' <= s[len(prefix)] && s[len(prefix)] <= '9'
}

// cutMajor leaves out path elements that are a major version from v2 on.
func cutMajor(s string) string {
	for from := 0; ; {
		i := strings.Index(s[from:], "/v")
		if i < 0 {
			return s
		}
		i += from
		j := i + 2
		for j < len(s) && '0' <= s[j] && s[j] <= '9' {
			j++
		}
		whole := j > i+2 && s[i+2:j] != "0" && s[i+2:j] != "1"
		if whole && (j == len(s) || s[j] == '/' || s[j] == '.') {
			s = s[:i] + s[j:]
			from = i
			continue
		}
		from = i + 2
	}
}

// unescape decodes %xx, which the linker writes for dots and odd bytes of the last path element.
func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
