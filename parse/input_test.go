package parse

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tree makes files in a new folder and goes there. A name that ends in / is a folder, "a -> b" a link.
func tree(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, n := range names {
		if from, to, ok := strings.Cut(n, " -> "); ok {
			if err := os.Symlink(to, from); err != nil {
				t.Skipf("no symlinks here: %v", err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(n), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(n, "/") {
			continue
		}
		if err := os.WriteFile(n, []byte(n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func inputNames(inputs []Input) []string {
	var names []string
	for _, in := range inputs {
		names = append(names, filepath.ToSlash(in.Name))
	}
	return names
}

func TestInputs(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		args  []string
		want  []string
	}{
		{"a file", []string{"crash.log"}, []string{"crash.log"}, []string{"crash.log"}},
		{"files keep their order", []string{"a", "b"}, []string{"b", "a"}, []string{"b", "a"}},
		{"a file named twice is read once", []string{"a"}, []string{"a", "./a"}, []string{"a"}},
		{"a folder, sorted", []string{"logs/z", "logs/a", "logs/m/x"}, []string{"logs"}, []string{"logs/a", "logs/m/x", "logs/z"}},
		{"a folder with a slash", []string{"logs/a"}, []string{"logs/"}, []string{"logs/a"}},
		{"the current folder", []string{"b/c", "a"}, []string{"."}, []string{"a", "b/c"}},
		{"a folder without its repository", []string{"r/.git/HEAD", "r/.github/x", "r/a"}, []string{"r"}, []string{"r/.github/x", "r/a"}},
		{"an empty folder", []string{"logs/"}, []string{"logs"}, nil},
		{"a glob", []string{"a.log", "b.log", "c.txt"}, []string{"*.log"}, []string{"a.log", "b.log"}},
		{"a glob with a class", []string{"a1", "a2", "ax"}, []string{"a[0-9]"}, []string{"a1", "a2"}},
		{"a glob in a folder", []string{"l/a.log", "l/d/b.log"}, []string{"l/*.log"}, []string{"l/a.log"}},
		{"a glob over folders", []string{"l/1/a.log", "l/2/a.log"}, []string{"l/*/a.log"}, []string{"l/1/a.log", "l/2/a.log"}},
		{"a glob that finds a folder", []string{"l/1/a", "l/1/b", "l/c"}, []string{"l/*"}, []string{"l/1/a", "l/1/b", "l/c"}},
		{"any depth, none included", []string{"l/a.log", "l/d/e/b.log", "l/d/c.txt"}, []string{"l/**/*.log"}, []string{"l/a.log", "l/d/e/b.log"}},
		{"any depth from here", []string{"a.log", "d/b.log"}, []string{"**/*.log"}, []string{"a.log", "d/b.log"}},
		{"everything below", []string{"l/a", "l/d/b"}, []string{"l/**"}, []string{"l/a", "l/d/b"}},
		{"doubled stars", []string{"l/d/a"}, []string{"l/**/**/a"}, []string{"l/d/a"}},
		{"any depth, not the repository", []string{".git/x.log", "x.log"}, []string{"**/*.log"}, []string{"x.log"}},
		{"a name that looks like a glob", []string{"a[1].log", "a1.log"}, []string{"a[1].log"}, []string{"a[1].log"}},
		{"a link to a file", []string{"logs/", "x", "logs/l -> ../x"}, []string{"logs"}, []string{"logs/l"}},
		{"a link to a file that is read anyway", []string{"logs/x", "logs/l -> x"}, []string{"logs"}, []string{"logs/x"}},
		{"a link to a folder elsewhere", []string{"logs/", "o/x", "logs/l -> ../o"}, []string{"logs"}, []string{"logs/l/x"}},
		{"two links to one folder", []string{"logs/", "o/x", "logs/l -> ../o", "logs/m -> ../o"}, []string{"logs"}, []string{"logs/l/x"}},
		{"a loop of links", []string{"logs/a", "logs/up -> ..", "logs/self -> ."}, []string{"logs"}, []string{"logs/a"}},
		{"a link to nothing", []string{"logs/a", "logs/l -> gone"}, []string{"logs"}, []string{"logs/a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.ContainsAny(strings.Join(tt.files, ""), "*?") {
				t.Skip("not a file name here")
			}
			tree(t, tt.files...)
			inputs, errs := Inputs(tt.args, nil)
			if len(errs) > 0 {
				t.Fatalf("errors: %v", errs)
			}
			if got := inputNames(inputs); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			for _, in := range inputs {
				r, err := in.Open()
				if err != nil {
					t.Fatal(err)
				}
				r.Close()
			}
		})
	}
}

func TestInputErrors(t *testing.T) {
	tests := []struct {
		name         string
		files        []string
		arg          string
		reason, hint string // contained
	}{
		{"no such file", nil, "crash.log", "no such file", ""},
		{"another case", []string{"Crash.log"}, "crash.LOG", "no such file", "Crash.log?"},
		{"an ending forgotten", []string{"crash.log.gz"}, "crash.log", "no such file", "did you mean crash.log.gz?"},
		{"a folder that is not there", nil, "gone/crash.log", "no such file", "no folder gone"},
		{"a glob without a match", []string{"a.txt"}, "*.gz", "matches no file", "**"},
		{"a glob in a folder that is not there", nil, "gone/*.log", "matches no file", ""},
		{"a bracket left open", nil, "a[b", "bracket", "[[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "another case" && (runtime.GOOS == "windows" || runtime.GOOS == "darwin") {
				t.Skip("names have no case here")
			}
			tree(t, append(tt.files, "good.log")...)
			inputs, errs := Inputs([]string{tt.arg, "good.log"}, nil)
			if got := inputNames(inputs); !slices.Equal(got, []string{"good.log"}) {
				t.Errorf("the others must still be there: %q", got)
			}
			if len(errs) != 1 {
				t.Fatalf("errors: %v", errs)
			}
			var e *InputError
			if !errors.As(errs[0], &e) {
				t.Fatalf("%T is no *InputError", errs[0])
			}
			if e.Path != tt.arg || !strings.Contains(e.Reason, tt.reason) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("path %q, reason %q, hint %q", e.Path, e.Reason, e.Hint)
			}
		})
	}
}

func TestInputPermission(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("everything can be read")
	}
	tree(t, "logs/secret", "logs/open", "logs/d/x")
	for _, p := range []string{"logs/secret", "logs/d"} {
		if err := os.Chmod(p, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(p, 0o755) })
	}
	inputs, errs := Inputs([]string{"logs/secret", "logs"}, nil)
	if got := inputNames(inputs); !slices.Contains(got, "logs/open") {
		t.Errorf("got %q", got)
	}
	if len(errs) != 2 {
		t.Fatalf("errors: %v", errs)
	}
	for _, err := range errs {
		if !errors.Is(err, fs.ErrPermission) || !strings.HasSuffix(err.Error(), ": permission denied") {
			t.Error(err)
		}
	}
}

func TestInputStdin(t *testing.T) {
	tree(t, "a")
	inputs, errs := Inputs([]string{"-", "a", "-"}, strings.NewReader("piped"))
	if len(errs) > 0 || !slices.Equal(inputNames(inputs), []string{"-", "a"}) {
		t.Fatalf("%q, %v", inputNames(inputs), errs)
	}
	r, err := inputs[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := io.ReadAll(r); string(b) != "piped" {
		t.Errorf("read %q", b)
	}
	inputs, _ = Inputs([]string{"-"}, nil)
	if _, err := inputs[0].Open(); err == nil {
		t.Error("no standard input must be an error")
	}
}
