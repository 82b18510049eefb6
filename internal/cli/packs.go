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
		s.errorf("signatures: %v", err)
		ok = false
	}
	return db, ok
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
