package parse

import "strings"

// moduleOf tells a frame's module and version from its file and function.
// Either may be "": a path that names no version has none, and a file below a
// checkout does not say where its module begins.
//
// Forms of the file path:
//
//	/root/go/pkg/mod/github.com/hashicorp/go-memdb@v1.3.4/watch.go   module cache; "!x" stands for "X"
//	github.com/hashicorp/go-memdb@v1.3.4/watch.go                    the same, built with -trimpath
//	/src/app/vendor/github.com/hashicorp/go-memdb/watch.go           vendored: no version
//	github.com/acme/app/store/store.go                               main module, built with -trimpath: no version
//
// Some caches hold another host in front of, or in place of, the module's own
// (a proxy's mirror). The function carries the import path that the compiler
// saw, so where both tell, it wins.
func moduleOf(function, file string) (module, version string) {
	module, version = splitModule(file)
	pkg := strings.ReplaceAll(PackagePath(function), "%2e", ".")
	if module == "" || pkg == "" || pkg == "main" || within(pkg, module) {
		return module, version
	}
	// Without its first one or two elements the cache path may be the import path, or its tail.
	if rest, ok := dropElements(module, 1); ok {
		if within(pkg, rest) && strings.Contains(rest, "/") { // host/github.com/x/y
			return rest, version
		}
		host, tail, _ := strings.Cut(pkg, "/")
		if within(tail, rest) { // mirror.example/x/y for github.com/x/y
			return host + "/" + rest, version
		}
	}
	if rest, ok := dropElements(module, 2); ok && strings.Contains(rest, "/") && within(pkg, rest) { // host/prefix/github.com/x/y
		return rest, version
	}
	return module, version
}

// splitModule is moduleOf by the file alone.
func splitModule(file string) (module, version string) {
	file = strings.ReplaceAll(file, `\`, "/")
	rest, cached := file, false
	if i := strings.LastIndex(file, "/pkg/mod/"); i >= 0 {
		rest, cached = file[i+len("/pkg/mod/"):], true
	}
	if i := strings.LastIndex(rest, "/vendor/"); i >= 0 && !strings.Contains(rest[i:], "@v") {
		return repository(rest[i+len("/vendor/"):]), ""
	}
	at := strings.Index(rest, "@v")
	if at > 0 {
		end := strings.IndexByte(rest[at:], '/')
		if end < 0 {
			return "", ""
		}
		path, v := rest[:at], rest[at+1:at+end]
		if !cached {
			// Another cache folder (GOMODCACHE, Bazel): the path begins at the last element that looks like a host.
			path = fromHost(path)
		}
		if path == "" || !isModuleVersion(v) || path == "golang.org/toolchain" {
			return "", ""
		}
		return unescapePath(path), unescapePath(v)
	}
	if !cached && isHost(firstElement(rest)) {
		return repository(rest), ""
	}
	return "", ""
}

// within tells whether pkg is path or lies below it. gopkg.in paths and
// major versions are part of both.
func within(pkg, path string) bool {
	return strings.HasPrefix(pkg, path) && (len(pkg) == len(path) || pkg[len(path)] == '/')
}

func dropElements(path string, n int) (string, bool) {
	for range n {
		_, rest, ok := strings.Cut(path, "/")
		if !ok {
			return "", false
		}
		path = rest
	}
	return path, true
}

func firstElement(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// isHost tells whether a path element looks like a host name: it has a dot, and
// is no hidden folder and no file.
func isHost(s string) bool {
	dot := strings.IndexByte(s, '.')
	if dot <= 0 || dot == len(s)-1 || strings.HasSuffix(s, ".go") || strings.HasSuffix(s, ".s") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && !isDigit(c) && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// fromHost cuts what stands before the module path: "/cache/x/github.com/a/b" is "github.com/a/b".
func fromHost(path string) string {
	for p := path; p != ""; {
		first, rest, ok := strings.Cut(p, "/")
		if ok && isHost(first) {
			return p
		}
		p = rest
	}
	return ""
}

// isModuleVersion accepts "v1.2.3" with pre-release, pseudo-version and "+incompatible".
func isModuleVersion(v string) bool {
	if len(v) < 2 || v[0] != 'v' || !isDigit(v[1]) {
		return false
	}
	for i := 1; i < len(v); i++ {
		c := v[i]
		if !isLetter(c) && !isDigit(c) && c != '.' && c != '-' && c != '+' && c != '!' {
			return false
		}
	}
	return strings.Count(v, ".") >= 2
}

// unescapePath undoes the module cache's escape of capitals: "!burnt!sushi" is "BurntSushi".
func unescapePath(s string) string {
	if strings.IndexByte(s, '!') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '!' && i+1 < len(s) && s[i+1] >= 'a' && s[i+1] <= 'z' {
			i++
			b = append(b, s[i]-'a'+'A')
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// repository returns the root of a vendored or trimmed import path, for hosts
// whose layout is known; "" for others. A module may begin below the root (a
// nested module): that can't be seen in such a path.
func repository(path string) string {
	path = unescapePath(path)
	elems := strings.Split(path, "/")
	n := 0
	switch elems[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "golang.org", "gitea.com", "code.gitea.io":
		n = 3
	case "k8s.io", "sigs.k8s.io", "go.uber.org", "google.golang.org", "go.etcd.io", "istio.io", "go.opentelemetry.io", "go.mongodb.org", "cloud.google.com":
		n = 2
	case "gopkg.in":
		n = 2
		if len(elems) > 2 && !strings.Contains(elems[1], ".v") {
			n = 3
		}
	default:
		return ""
	}
	if len(elems) <= n { // the last element is the file
		return ""
	}
	if len(elems) > n+1 && isMajor(elems[n]) {
		n++
	}
	return strings.Join(elems[:n], "/")
}

// isMajor accepts "v2", "v17".
func isMajor(s string) bool {
	if len(s) < 2 || len(s) > 4 || s[0] != 'v' || s == "v1" || s == "v0" {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}
