package parse

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Input is one thing to read.
type Input struct {
	Name string // as shown: the path as the user spelled it, or "-"
	Open func() (io.ReadCloser, error)

	found bool // met in a folder or by a glob, not named: may be anything at all
}

// InputError says why something that the user named could not be used.
type InputError struct {
	Path   string
	Reason string // lower case, no full stop
	Hint   string // what to try; may be empty
	Err    error  // the cause; may be nil
}

func (e *InputError) Error() string { return e.Path + ": " + e.Reason }

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// Inputs turns what a user named into inputs, in the order given, each file once:
//
//	FILE    as it is, also a device, fifo or socket
//	FOLDER  every regular file below it, sorted by path
//	GLOB    *, ?, [a-z], and ** for any number of folders; expanded here, since
//	        neither cmd.exe nor a quoted argument is expanded by a shell
//	-       standard input
//
// A name that exists is never taken for a glob. Folders are read without .git,
// devices, fifos and sockets; a symlink in a folder is followed unless it leads
// to something that is read anyway.
// The errors are of type *InputError. What could be found is returned beside them.
func Inputs(paths []string, stdin io.Reader) ([]Input, []error) {
	f := finder{seen: make(map[string]bool), stdin: stdin}
	for _, p := range paths {
		f.add(p)
	}
	return f.inputs, f.errs
}

type finder struct {
	inputs []Input
	errs   []error
	seen   map[string]bool // cleaned paths, so that nothing is counted twice
	stdin  io.Reader
}

func (f *finder) fail(path string, err error) {
	f.errs = append(f.errs, inputError(path, err))
}

func (f *finder) once(path string) bool {
	if f.seen[path] {
		return false
	}
	f.seen[path] = true
	return true
}

func (f *finder) add(path string) {
	if path == "-" {
		if f.once(path) {
			in := f.stdin
			f.inputs = append(f.inputs, Input{Name: "-", Open: func() (io.ReadCloser, error) { return openStdin(in) }})
		}
		return
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		f.folder(path)
	case err == nil:
		f.file(path, info.Mode(), false)
	case isGlob(path): // Windows refuses such a name with an error of its own
		f.glob(path)
	default:
		f.fail(path, err)
	}
}

// file adds one file. A file that was named is tried at once, so that its error
// stands beside the others; opening a fifo would wait for its writer.
func (f *finder) file(path string, mode fs.FileMode, found bool) {
	if !f.once(filepath.Clean(path)) {
		return
	}
	if !found && mode.IsRegular() {
		r, err := os.Open(path)
		if err != nil {
			f.fail(path, err)
			return
		}
		r.Close()
	}
	f.inputs = append(f.inputs, Input{Name: path, found: found, Open: func() (io.ReadCloser, error) {
		r, err := os.Open(path)
		if err != nil {
			return nil, inputError(path, err)
		}
		return r, nil
	}})
}

// folder adds all files below a folder.
func (f *finder) folder(root string) {
	real, err := filepath.EvalSymlinks(root)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		f.fail(root, err)
		return
	}
	w := folderWalk{finder: f, roots: []string{real}}
	w.walk(root)
}

type folderWalk struct {
	*finder
	roots []string // real paths of the folders that are read with all that is below them
}

// covered tells whether a real path is below a folder that is read anyway, or
// above one, which would be a loop.
func (w *folderWalk) covered(real string) bool {
	for _, r := range w.roots {
		if below(real, r) || below(r, real) {
			return true
		}
	}
	return false
}

func below(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

func (w *folderWalk) walk(dir string) {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		w.fail(dir, err) // what was read before the error is still used
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		mode := e.Type()
		if mode&fs.ModeSymlink != 0 {
			// A link that leads nowhere holds nothing to read.
			real, err := filepath.EvalSymlinks(path)
			if err != nil {
				continue
			}
			if real, err = filepath.Abs(real); err != nil || w.covered(real) {
				continue
			}
			info, err := os.Stat(real)
			if err != nil {
				w.fail(path, err)
				continue
			}
			if mode = info.Mode().Type(); mode.IsDir() {
				w.roots = append(w.roots, real)
			} else if !w.once(real) {
				continue
			}
		}
		switch {
		case mode.IsDir():
			if e.Name() != ".git" {
				w.walk(path)
			}
		case mode.IsRegular():
			w.file(path, mode, true)
		}
	}
}

// openStdin keeps a redirected file (crashtriage - < f) what it is: a zip can be read in place.
func openStdin(r io.Reader) (io.ReadCloser, error) {
	if r == nil {
		return nil, &InputError{Path: "-", Reason: "there is no standard input", Hint: "name a file, or pipe one in: crashtriage - < crash.log"}
	}
	if f, ok := r.(*os.File); ok {
		return keepOpen{f}, nil
	}
	return io.NopCloser(r), nil
}

type keepOpen struct{ *os.File }

func (keepOpen) Close() error { return nil }

// inputError explains an error of the file system.
func inputError(path string, err error) *InputError {
	e := &InputError{Path: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Reason = "no such file or folder"
		e.Hint = nearestName(path)
	case errors.Is(err, fs.ErrPermission):
		e.Reason = "permission denied"
		e.Hint = "it must be readable by the user who runs crashtriage; or pipe it in: sudo cat " + shellQuote(path) + " | crashtriage -"
	default:
		e.Reason = reason(err)
	}
	return e
}

// reason is an error's own words without the operation and the path, which are said already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}

// nearestName looks beside a missing file for what may have been meant: another
// case, or the same name with an ending more or less.
func nearestName(path string) string {
	dir, base := filepath.Split(path)
	look := dir
	if look == "" {
		look = "."
	}
	d, err := os.Open(look)
	if err != nil {
		return fmt.Sprintf("there is no folder %s either", filepath.Clean(look))
	}
	defer d.Close()
	names, _ := d.Readdirnames(10_000)
	slices.Sort(names)
	want := strings.ToLower(base)
	for _, n := range names {
		have := strings.ToLower(n)
		if len(want) >= 3 && (have == want || strings.HasPrefix(have, want) || len(have) >= 3 && strings.HasPrefix(want, have)) {
			return "did you mean " + dir + n + "?"
		}
	}
	return ""
}

// shellQuote makes a path safe to paste into a POSIX shell.
func shellQuote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,@%:=", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
