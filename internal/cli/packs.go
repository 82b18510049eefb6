package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// maxPack is more than any pack may have; the loader has a limit of its own and says so.
const maxPack = 32 << 20

// load returns the built-in packs and those of --signatures and $CRASHTRIAGE_SIGNATURES (a list like
// $PATH). Packs that cannot be used are named on stderr, and the second result is false.
func (o *readOptions) load(s *streams) (*signatures.DB, bool) {
	ok := true
	paths := o.packs
	if list := s.env("CRASHTRIAGE_SIGNATURES"); list != "" {
		paths = append(filepath.SplitList(list), paths...)
	}
	var sources []signatures.Source
	for _, p := range paths {
		got, err := packSources(p)
		if err != nil {
			s.errorf("signatures: %v", err)
			ok = false
		}
		sources = append(sources, got...)
	}
	db, err := signatures.Load(sources...)
	if err != nil {
		s.faults(err)
		ok = false
	}
	return db, ok
}

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
		err = fmt.Errorf("%s: no .yaml file in this folder", path)
	}
	return out, errors.Join(append(errs, err)...)
}

func packSource(path string) (signatures.Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return signatures.Source{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPack+1))
	if err != nil {
		return signatures.Source{}, err
	}
	if len(data) > maxPack {
		return signatures.Source{}, fmt.Errorf("%s: larger than 32 MiB, so no pack", path)
	}
	return signatures.Source{Name: path, Data: data}, nil
}
