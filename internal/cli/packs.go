package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// maxPack is more than any pack may have; the loader has a limit of its own and says so.
const maxPack = 32 << 20

// load returns the built-in packs together with the user's: those in the configuration folder, of
// $CRASHTRIAGE_SIGNATURES (a list like $PATH) and of --signatures. A file that is named twice is read once.
// Packs that cannot be used are named on stderr, and the second result is false.
func (o *readOptions) load(s *streams) (*signatures.DB, bool) {
	ok := true
	var sources []signatures.Source
	seen := map[string]bool{}
	add := func(got []signatures.Source, err error) {
		if err != nil {
			s.errorf("signatures: %v", err)
			ok = false
		}
		for _, src := range got {
			if at := realPath(src.Name); !seen[at] {
				seen[at] = true
				sources = append(sources, src)
			}
		}
	}
	for _, folder := range s.packFolders(runtime.GOOS) {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		got, err := packSources(folder)
		if errors.Is(err, errNoPack) {
			err = nil // nobody has put one there yet
		}
		add(got, err)
	}
	for _, p := range append(filepath.SplitList(s.env("CRASHTRIAGE_SIGNATURES")), o.packs...) {
		if p != "" {
			add(packSources(p))
		}
	}
	defer collectLess(sources)()
	db, err := signatures.Load(sources...)
	if err != nil {
		s.faults(err)
		ok = false
	}
	return db, ok
}

// collectLess makes room for packs of a size that nobody waits for gladly: what they become stays in memory
// anyway, and to look for garbage meanwhile takes a quarter of the time. The result undoes it.
func collectLess(sources []signatures.Source) func() {
	size := 0
	for _, src := range sources {
		size += len(src.Data)
	}
	if size < 1<<20 {
		return func() {}
	}
	old := debug.SetGCPercent(400)
	return func() { debug.SetGCPercent(old) }
}

// packFolders are where a user's own packs are found without being named: crashtriage/signatures below the
// folder for configuration. On a Mac that is either of two.
func (s *streams) packFolders(goos string) (list []string) {
	add := func(elements ...string) {
		if filepath.IsAbs(elements[0]) { // an unset variable, or one that its standard says to ignore
			list = append(list, filepath.Join(append(elements, "crashtriage", "signatures")...))
		}
	}
	home := s.env("HOME")
	xdg := s.env("XDG_CONFIG_HOME")
	switch {
	case goos == "windows":
		add(s.env("AppData"))
	case goos == "darwin":
		add(home, "Library", "Application Support")
	}
	switch {
	case filepath.IsAbs(xdg):
		add(xdg)
	case goos != "windows":
		add(home, ".config")
	}
	return list
}

func realPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path
}

// errNoPack says that a folder holds no pack.
var errNoPack = errors.New("no .yaml file in this folder")

// faultsShown is how many faults of packs are told by a command that is there for something else.
const faultsShown = 3

// faults prints what is wrong with the packs, each with its place.
func (s *streams) faults(err error) {
	var list signatures.Errors
	if !errors.As(err, &list) {
		s.errorf("signatures: %v", err)
		return
	}
	for i, p := range list {
		if i == faultsShown {
			s.hintf("%d more faults: crashtriage signatures lint %s shows them all", len(list)-i, p.File)
			return
		}
		s.errorf("%v", p)
	}
}

// printFaults writes the faults as compilers do, so that editors find their places.
func printFaults(w io.Writer, err error) {
	for _, l := range strings.Split(err.Error(), "\n") {
		fmt.Fprintln(w, report.Escape(l))
	}
}

// packSources reads a pack, or all packs below a folder in lexical order.
func packSources(path string) ([]signatures.Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		src, err := packSource(path)
		if err != nil {
			return nil, err
		}
		return []signatures.Source{src}, nil
	}
	var out []signatures.Source
	var errs []error
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		ext := strings.ToLower(filepath.Ext(p))
		if !d.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml"}, ext) {
			return nil
		}
		src, err := packSource(p)
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		out = append(out, src)
		return nil
	})
	if err == nil && len(out) == 0 && len(errs) == 0 {
		err = fmt.Errorf("%s: %w", path, errNoPack)
	}
	return out, errors.Join(append(errs, err)...)
}

func packSource(path string) (signatures.Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return signatures.Source{}, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(min(info.Size(), maxPack) + bytes.MinRead))
	}
	if _, err := b.ReadFrom(io.LimitReader(f, maxPack+1)); err != nil {
		return signatures.Source{}, err
	}
	data := b.Bytes()
	if len(data) > maxPack {
		return signatures.Source{}, fmt.Errorf("%s: larger than 32 MiB, so no pack", path)
	}
	return signatures.Source{Name: path, Data: data}, nil
}
