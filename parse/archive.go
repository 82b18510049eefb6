package parse

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

const (
	unpackBuffer  = 256 << 10
	maxZstdWindow = 128 << 20 // what "zstd --long" writes and the zstd command reads without being asked
	// zipEntry is a generous size of one entry in a zip's directory: 46 bytes, a name, times.
	zipEntry = 160
)

// expand opens an input, looks at its first bytes, and calls visit once for
// every file in it: the input itself when it is plain, what is inside when it is
// gzip, zstd, tar or zip, down to Limits.MaxDepth.
//
// Members are named "bundle.tar.gz!/dir/consul.log"; a compressed file keeps its
// name. The reader given to visit is good until visit returns; its reads are as
// large as the buffer given to it. A damaged or cut member simply ends early: the
// problem says so. Nothing is written to disk.
//
// The problems have no line; they name the member. The error is that of opening
// or reading the input, or visit's own.
func expand(in Input, lim Limits, visit func(name string, r io.Reader) error) (problems []Problem, err error) {
	f, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x := &expander{guard: guard{lim: lim.withDefaults()}, visit: visit}
	p := peek(&rawReader{r: f, g: &x.guard})
	if sniffContainer(p.head) == containerNone {
		if name, command := unreadable(p.head); name != "" {
			x.problems.add("archive-unsupported", fmt.Sprintf("%s: %s is not unpacked here; do it first: %s %s | crashtriage -", in.Name, name, command, shellQuote(in.Name)))
			return x.problems.all(), nil
		}
		if what := binaryName(p.head); in.found && what != "" && !looksLikeProfile(p.head) {
			x.problems.add("binary-skipped", in.Name+": not read: "+what)
			return x.problems.all(), nil
		}
		return nil, x.leaf(in.Name, p, true)
	}
	err = x.walk(place{name: in.Name, file: f}, p)
	x.sayWhatWasSkipped(in.Name)
	if len(x.names) == 0 && len(x.problems.list) == 0 {
		x.problems.add("archive-empty", in.Name+": there is no file in it")
	}
	return x.problems.all(), err
}

type expander struct {
	guard
	visit func(name string, r io.Reader) error
	names map[string]int // member names given to visit
}

// place is where in the nesting a stream stands.
type place struct {
	name   string
	depth  int       // archives entered
	layers int       // compressions since the last archive
	above  *stream   // what the bytes come through; nil for the input itself
	file   io.Reader // the opened input, when the stream is all of it
}

// walk reads one stream: unpacks it, or gives it to visit.
func (x *expander) walk(at place, p *peeked) error {
	if x.stopped && len(p.head) == 0 {
		return nil
	}
	kind := sniffContainer(p.head)
	switch kind {
	case containerGzip, containerZstd:
		if at.layers >= x.lim.MaxDepth {
			x.tooDeep(at.name)
			return nil
		}
		return x.unpack(at, p, kind)
	case containerTar, containerZip:
		if at.depth >= x.lim.MaxDepth {
			x.tooDeep(at.name)
			return nil
		}
		if kind == containerTar {
			return x.tar(at, p)
		}
		return x.zip(at, p)
	}
	if at.depth > 0 && !looksLikeProfile(p.head) {
		if name, _ := unreadable(p.head); name != "" {
			x.problems.add("archive-unsupported", fmt.Sprintf("%s: %s is not unpacked here", at.name, name))
			return nil
		}
		if what := binaryName(p.head); what != "" {
			x.skip(what)
			return nil
		}
	}
	return x.leaf(x.unique(at.name), p, false)
}

// leaf gives one file to visit.
func (x *expander) leaf(name string, p *peeked, plain bool) error {
	l := &leaf{r: p, head: p.head, plain: plain}
	err := x.visit(name, l)
	l.close()
	return err
}

// unpack reads a compressed stream.
func (x *expander) unpack(at place, p *peeked, kind container) error {
	s := &stream{g: &x.guard, name: at.name, what: "gzip", above: at.above}
	in := bufio.NewReaderSize(p, unpackBuffer)
	switch kind {
	case containerGzip:
		r, err := gzip.NewReader(in)
		if err != nil {
			s.fail(err)
			return nil
		}
		s.r = r
	case containerZstd:
		s.what = "zstd"
		r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			s.fail(err)
			return nil
		}
		defer r.Close()
		s.r = r
	}
	return x.walk(place{name: at.name, depth: at.depth, layers: at.layers + 1, above: s}, peek(s))
}

// tar reads an archive in the order of its members.
func (x *expander) tar(at place, p *peeked) error {
	r := tar.NewReader(p)
	for seen := 0; ; seen++ {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			if !at.above.broken() && !x.stopped {
				x.problems.add("archive-damaged", fmt.Sprintf("%s: the tar cannot be read beyond its member %d: %s", at.name, seen, cause(err)))
			}
			return nil
		case !x.member(at.name):
			return nil
		case h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse && h.Typeflag != 0:
			continue // folders, links, devices: nothing to read
		}
		// Sparse members may be far larger than what is stored of them, so they are counted too.
		s := &stream{r: r, g: &x.guard, name: memberName(at.name, h.Name), what: "tar", above: at.above, member: true}
		if err := x.walk(place{name: s.name, depth: at.depth + 1, above: s}, peek(s)); err != nil || x.stopped || s.bad {
			return err
		}
	}
}

// zip reads an archive in the order of its directory, which stands at its end.
func (x *expander) zip(at place, p *peeked) error {
	ra, size, err := x.random(at, p)
	if err != nil || ra == nil {
		return err
	}
	dir := &dirReader{r: ra, left: int64(x.lim.MaxMembers)*zipEntry + 1<<20}
	z, err := zip.NewReader(dir, size)
	switch {
	case dir.left < 0:
		x.tooMany(at.name)
		return nil
	case errors.Is(err, zip.ErrFormat) || errors.Is(err, io.ErrUnexpectedEOF):
		x.problems.add("archive-damaged", at.name+": the zip has no directory at its end: the file is not whole")
		return nil
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		x.problems.add("archive-damaged", fmt.Sprintf("%s: the zip's directory cannot be read: %s", at.name, cause(err)))
		return nil
	}
	dir.left = 1 << 62
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow)))
	for _, f := range z.File {
		if !x.member(at.name) {
			return nil
		}
		if !f.Mode().IsRegular() {
			continue
		}
		name := memberName(at.name, f.Name)
		if f.Flags&1 != 0 {
			x.problems.add("archive-unsupported", name+": the member is encrypted")
			continue
		}
		r, err := f.Open()
		if errors.Is(err, zip.ErrAlgorithm) {
			x.problems.add("archive-unsupported", fmt.Sprintf("%s: compression method %d is not read", name, f.Method))
			continue
		}
		if err != nil {
			x.problems.add("archive-damaged", fmt.Sprintf("%s: %s", name, cause(err)))
			continue
		}
		s := &stream{r: r, g: &x.guard, name: name, what: "zip"}
		err = x.walk(place{name: name, depth: at.depth + 1, above: s}, peek(s))
		r.Close()
		if err != nil || x.stopped {
			return err
		}
	}
	return nil
}

// random gives random access to a zip: the file itself, or a copy in memory of
// bounded size. ra is nil when the zip is too large for that, which is then said.
func (x *expander) random(at place, p *peeked) (ra io.ReaderAt, size int64, err error) {
	if f, ok := at.file.(interface {
		io.ReaderAt
		Stat() (os.FileInfo, error)
	}); ok {
		// A redirected file whose beginning was read by somebody else does not start at offset 0.
		var head [4]byte
		info, err := f.Stat()
		if err == nil && info.Mode().IsRegular() {
			if _, err = f.ReadAt(head[:], 0); err == nil && bytes.Equal(head[:], p.head[:4]) {
				x.raw = max(x.raw, info.Size())
				return f, info.Size(), nil
			}
		}
	}
	data, err := io.ReadAll(io.LimitReader(p, x.lim.MaxHeld+1))
	if x.stopped || at.above.broken() {
		return nil, 0, nil // said already
	}
	if int64(len(data)) > x.lim.MaxHeld {
		x.problems.add("archive-too-large", fmt.Sprintf("%s: a zip is read from its end; from a stream it must fit in %s: save it to a file first", at.name, byteSize(x.lim.MaxHeld)))
		return nil, 0, nil
	}
	return bytes.NewReader(data), int64(len(data)), err
}

// dirReader bounds what reading a zip's directory may cost: the directory's own count cannot be trusted.
type dirReader struct {
	r    io.ReaderAt
	left int64
}

func (d *dirReader) ReadAt(p []byte, off int64) (int, error) {
	if d.left < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := d.r.ReadAt(p, off)
	if d.left < 1<<61 {
		d.left -= int64(n)
	}
	return n, err
}
