package report

import (
	"fmt"
	"strings"
)

// shortFunction leaves out the front of the import path: "github.com/a/b/c.(*T).M" becomes
// "c.(*T).M". The receiver stays. A last element that is only a major version keeps the one
// before it. Type arguments may hold paths of their own and are left alone.
func shortFunction(f string) string { return unescapePath(f[shortAt(f):]) }

// shortAt is where the short name of a function begins.
func shortAt(f string) int {
	end := strings.IndexAny(f, "([")
	if end < 0 {
		end = len(f)
	}
	cut := strings.LastIndexByte(f[:end], '/')
	if cut < 0 {
		return 0
	}
	elem, _, _ := strings.Cut(f[cut+1:end], ".")
	if isMajor(elem) {
		if before := strings.LastIndexByte(f[:cut], '/'); before >= 0 {
			cut = before
		}
	}
	return cut + 1
}

// unescapePath undoes the linker's "%2e" for a dot in the last element of an import path.
func unescapePath(f string) string { return strings.ReplaceAll(f, "%2e", ".") }

// isMajor says whether a path element is a major version, "v2".
func isMajor(elem string) bool {
	if len(elem) < 2 || elem[0] != 'v' {
		return false
	}
	return strings.Trim(elem[1:], "0123456789") == ""
}

// packagePath is the import path of a function.
func packagePath(f string) string {
	end := strings.IndexAny(f, "([")
	if end < 0 {
		end = len(f)
	}
	slash := strings.LastIndexByte(f[:end], '/')
	dot := strings.IndexByte(f[slash+1:end], '.')
	if dot < 0 {
		return strings.TrimRight(f[:end], ".")
	}
	return unescapePath(f[:slash+1+dot])
}

// repository is the part of an import path that names who owns the code: host/owner/name on the
// forges that have owners, else the module's first two elements. "" for main and the standard
// library, whose paths name nobody.
func repository(pkg string) string {
	elems := strings.Split(pkg, "/")
	if !strings.Contains(elems[0], ".") {
		return ""
	}
	n := 2
	switch elems[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "golang.org", "sr.ht":
		n = 3
	}
	return strings.Join(elems[:min(n, len(elems))], "/")
}

// shortFile is a frame's file as far as it tells something: "name@v1.2.3/file.go" within a module,
// "runtime/panic.go" in the standard library, the path below the repository where the import path
// shows it, else its last three elements.
func shortFile(f *Frame) string {
	file := strings.ReplaceAll(f.File, `\`, "/")
	if f.Std {
		if i := strings.LastIndex(file, "/src/"); i >= 0 {
			return file[i+len("/src/"):]
		}
	}
	if i := strings.LastIndexByte(file, '@'); i > 0 {
		start := strings.LastIndexByte(file[:i], '/') + 1
		if isMajor(file[start:i]) && start > 1 {
			start = strings.LastIndexByte(file[:start-1], '/') + 1
		}
		return file[start:]
	}
	dir, base := "", file
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		dir, base = file[:i], file[i+1:]
	}
	pkg := packagePath(f.Function)
	if repo := repository(pkg); repo != "" {
		below := strings.Trim(strings.TrimPrefix(pkg, repo), "/")
		if below == "" || dir == below || strings.HasSuffix(dir, "/"+below) {
			return strings.TrimPrefix(below+"/"+base, "/")
		}
	}
	elems := strings.Split(file, "/")
	if len(elems) > 3 {
		elems = elems[len(elems)-3:]
	}
	return strings.TrimPrefix(strings.Join(elems, "/"), "/")
}

// fileLine is shortFile with the line; "" when the frame has no file.
func fileLine(f *Frame) string {
	if f.File == "" {
		return ""
	}
	if f.Line <= 0 {
		return shortFile(f)
	}
	return fmt.Sprintf("%s:%d", shortFile(f), f.Line)
}

// shortURL is what people write for a pull request, an issue or a commit: "owner/name#12".
func shortURL(url string) string {
	rest, ok := strings.CutPrefix(url, "https://github.com/")
	if !ok {
		return url
	}
	p := strings.Split(strings.TrimRight(rest, "/"), "/")
	if len(p) != 4 {
		return url
	}
	switch p[2] {
	case "pull", "issues":
		return p[0] + "/" + p[1] + "#" + p[3]
	case "commit":
		return p[0] + "/" + p[1] + "@" + p[3][:min(len(p[3]), 12)]
	}
	return url
}

// shortNames shortens every function name in a sentence.
func shortNames(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if strings.Contains(w, "/") && strings.Contains(w, ".") && !strings.Contains(w, "://") && !strings.Contains(w, ".go") {
			words[i] = shortFunction(w)
		}
	}
	return strings.Join(words, " ")
}
