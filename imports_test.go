package main_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports holds the one-way order of the rooms: parse imports none of ours, signatures only
// parse, report not the commands; and a library that a reader of the code should meet once has one
// package that imports it.
func TestImports(t *testing.T) {
	const own = "github.com/crashtriage/crashtriage/"
	allowed := map[string][]string{
		"parse":        nil,
		"signatures":   {"parse"},
		"report":       {"parse", "signatures"},
		"internal/cli": {"parse", "signatures", "report"},
		".":            {"internal/cli"},
	}
	only := map[string]string{
		"github.com/spf13/cobra":                "internal/cli",
		"github.com/charmbracelet/lipgloss":     "report",
		"github.com/maruel/panicparse/v2/stack": "parse",
		"github.com/google/pprof/profile":       "parse",
	}
	files := make(map[string][]string) // of each such library
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		room := filepath.ToSlash(filepath.Dir(path))
		may, known := allowed[room]
		if !known {
			t.Errorf("%s: no room of the house; see CONTRIBUTING.md", path)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if target, ours := strings.CutPrefix(name, own); ours && !slices.Contains(may, target) {
				t.Errorf("%s imports %s", path, target)
			}
			if want, special := only[name]; special {
				files[name] = append(files[name], path)
				if room != want {
					t.Errorf("%s imports %s, which belongs to %s", path, name, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"github.com/charmbracelet/lipgloss", "github.com/maruel/panicparse/v2/stack", "github.com/google/pprof/profile"} {
		if len(files[name]) != 1 {
			t.Errorf("%s is imported by %v, want one file", name, files[name])
		}
	}
}
