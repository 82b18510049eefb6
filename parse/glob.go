package parse

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func isGlob(path string) bool { return strings.ContainsAny(path, "*?[") }

// glob expands a pattern. Its path elements are those of filepath.Match, and **
// stands for any number of folders, none included. As a shell does, it finds
// files and folders; a folder that a pattern without ** finds is read with all
// that is below it.
func (f *finder) glob(pattern string) {
	vol := filepath.VolumeName(pattern)
	rest := filepath.ToSlash(pattern[len(vol):])
	dir := vol
	if strings.HasPrefix(rest, "/") {
		dir = vol + string(filepath.Separator)
	}
	var parts []string
	deep := false
	for p := range strings.SplitSeq(rest, "/") {
		if _, err := filepath.Match(p, ""); err != nil {
			f.errs = append(f.errs, &InputError{Path: pattern, Reason: "a pattern with a bracket that is not closed", Err: err,
				Hint: "[ begins a class of characters: write [[] for the character itself"})
			return
		}
		switch {
		case p == "":
		case p == "**" && len(parts) > 0 && parts[len(parts)-1] == "**": // the second adds nothing
		default:
			deep = deep || p == "**"
			parts = append(parts, p)
		}
	}
	g := globWalk{finder: f, deep: deep}
	g.expand(dir, parts)
	if !g.any {
		f.errs = append(f.errs, &InputError{Path: pattern, Reason: "the pattern matches no file", Err: fs.ErrNotExist,
			Hint: "** stands for any number of folders: 'logs/**/*.log'"})
	}
}

type globWalk struct {
	*finder
	deep bool // the pattern has **: it says itself which files of a folder it means
	any  bool
}

// expand matches the remaining elements below dir, in the order of the names.
func (g *globWalk) expand(dir string, parts []string) {
	if len(parts) == 0 {
		return
	}
	p, rest := parts[0], parts[1:]
	if p == "**" {
		if len(rest) == 0 { // logs/** means every file below
			rest = []string{"*"}
		}
		g.expand(dir, rest)
		for _, e := range g.list(dir) {
			// Links to folders are not followed: they are what makes loops.
			if e.IsDir() && e.Name() != ".git" {
				g.expand(filepath.Join(dir, e.Name()), parts)
			}
		}
		return
	}
	if !isGlob(p) {
		path := filepath.Join(dir, p)
		if info, err := os.Stat(path); err == nil {
			g.hit(path, info, rest)
		}
		return
	}
	for _, e := range g.list(dir) {
		if ok, _ := filepath.Match(p, e.Name()); !ok || e.Name() == ".git" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err == nil {
			g.hit(path, info, rest)
		} else if e.Type()&fs.ModeSymlink == 0 && len(rest) == 0 {
			g.any = true
			g.fail(path, err)
		}
	}
}

func (g *globWalk) hit(path string, info fs.FileInfo, rest []string) {
	switch {
	case len(rest) > 0:
		if info.IsDir() {
			g.expand(path, rest)
		}
	case info.IsDir():
		if !g.deep {
			g.any = true
			g.folder(path)
		}
	case info.Mode().IsRegular():
		g.any = true
		g.file(path, info.Mode(), true)
	}
}

func (g *globWalk) list(dir string) []fs.DirEntry {
	read := dir
	if read == "" {
		read = "."
	}
	entries, err := os.ReadDir(read)
	if err != nil && !os.IsNotExist(err) {
		g.fail(read, err)
	}
	return entries
}
