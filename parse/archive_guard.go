package parse

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// Limits bound what an archive may cost. They are about one input, a file or
// stream as it was named. Zero means the default.
type Limits struct {
	// MaxBytes is how much is unpacked of one input. Default 4 GiB. A plain file is read to its end.
	MaxBytes int64
	// MaxMembers is how many members of one input's archives are looked at. Default 50,000.
	MaxMembers int
	// MaxDepth is how many archives may stand inside each other, and how often one file may be
	// compressed. Default 2: a tar.gz in a zip is read, an archive inside that tar is not.
	MaxDepth int
	// MaxRatio is how many times larger than the input its content may be. It counts from 256 MiB of
	// content on, since small dumps of many equal goroutines shrink a thousandfold. Default 400.
	MaxRatio int
	// MaxHeld is how large a zip may be that has to be held in memory: from a pipe, or inside another archive. Default 128 MiB.
	MaxHeld int64

	ratioFrom int64 // content from which on MaxRatio counts; tests lower it
}

func (l Limits) withDefaults() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = 4 << 30
	}
	if l.MaxMembers <= 0 {
		l.MaxMembers = 50_000
	}
	if l.MaxDepth <= 0 {
		l.MaxDepth = 2
	}
	if l.MaxRatio <= 0 {
		l.MaxRatio = 400
	}
	if l.MaxHeld <= 0 {
		l.MaxHeld = 128 << 20
	}
	if l.ratioFrom <= 0 {
		l.ratioFrom = 256 << 20
	}
	return l
}

// errStopped ends all reading of an input after a limit was reached.
var errStopped = errors.New("a limit was reached")

// guard keeps the account of one input.
type guard struct {
	lim      Limits
	problems problemList
	raw      int64 // bytes taken from the input
	unpacked int64 // bytes that decompressors gave
	inside   int64 // bytes of tar members
	members  int
	stopped  bool // a limit was reached: nothing more is read
	skipped  map[string]int
}

func (g *guard) tooDeep(name string) {
	g.problems.add("archive-too-deep", fmt.Sprintf("%s: not read: an archive at depth %d, and %d is the limit", name, g.lim.MaxDepth+1, g.lim.MaxDepth))
}

func (g *guard) tooMany(name string) {
	g.problems.add("archive-too-many-members", fmt.Sprintf("%s: only the first %d members were looked at", name, g.lim.MaxMembers))
	g.stopped = true
}

// member counts one more member; false when the limit is reached.
func (g *guard) member(archive string) bool {
	if g.stopped {
		return false
	}
	if g.members >= g.lim.MaxMembers {
		g.tooMany(archive)
		return false
	}
	g.members++
	return true
}

// grown checks the account after n more bytes came through a stream.
func (g *guard) grown(s *stream, n int) {
	sum := &g.unpacked
	if s.member {
		sum = &g.inside
	}
	*sum += int64(n)
	switch {
	case g.stopped:
	case *sum > g.lim.MaxBytes:
		g.problems.add("archive-too-large", fmt.Sprintf("%s: reading stopped here, after %s of content: that is the limit for one input", s.name, byteSize(g.lim.MaxBytes)))
		g.stopped = true
	case *sum > g.lim.ratioFrom && *sum/int64(g.lim.MaxRatio) > max(g.raw, 1):
		g.problems.add("archive-ratio", fmt.Sprintf("%s: reading stopped here: %s of content from %s is more than %d times: no log shrinks so much", s.name, byteSize(*sum), byteSize(g.raw), g.lim.MaxRatio))
		g.stopped = true
	}
}

func (g *guard) skip(what string) {
	if g.skipped == nil {
		g.skipped = make(map[string]int)
	}
	g.skipped[what]++
}

// sayWhatWasSkipped adds one problem for all members that are no text.
func (g *guard) sayWhatWasSkipped(name string) {
	total := 0
	var kinds []string
	for k, n := range g.skipped {
		total += n
		kinds = append(kinds, fmt.Sprintf("%d × %s", n, k))
	}
	if total == 0 {
		return
	}
	slices.Sort(kinds)
	g.problems.add("binary-skipped", fmt.Sprintf("%s: %d of %d members are no text and were not read: %s", name, total, g.members, strings.Join(kinds, ", ")))
}

// rawReader counts what is taken from the input.
type rawReader struct {
	r io.Reader
	g *guard
}

func (r *rawReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.g.raw += int64(n)
	return n, err
}

// stream is one layer of unpacking. It reports its own damage, once, and only
// when the layers that it reads from are sound.
type stream struct {
	r      io.Reader
	g      *guard
	name   string
	what   string // "gzip", "zstd", "tar", "zip"
	above  *stream
	member bool // a member as it is stored: nothing is decompressed here
	n      int64
	bad    bool
}

func (s *stream) Read(p []byte) (int, error) {
	if s.g.stopped {
		return 0, errStopped
	}
	n, err := s.r.Read(p)
	s.n += int64(n)
	s.g.grown(s, n)
	if err != nil && err != io.EOF {
		s.fail(err)
	}
	return n, err
}

func (s *stream) broken() bool {
	for ; s != nil; s = s.above {
		if s.bad {
			return true
		}
	}
	return false
}

func (s *stream) fail(err error) {
	if s.broken() || s.g.stopped {
		s.bad = true
		return
	}
	s.bad = true
	code, why := "archive-damaged", ""
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		why = "the data end too early"
	case errors.Is(err, gzip.ErrHeader) && s.n > 0:
		why = "what stands behind the end of the compressed data was left out"
	case errors.Is(err, gzip.ErrChecksum) || errors.Is(err, zstd.ErrCRCMismatch):
		why = "the checksum does not agree"
	case errors.As(err, &corrupt):
		why = "the data are corrupt"
	case errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		code, why = "archive-unsupported", fmt.Sprintf("the frame needs a window over %s", byteSize(maxZstdWindow))
	default:
		why = cause(err)
	}
	s.g.problems.add(code, fmt.Sprintf("%s: %s: %s; %s could be read", s.name, s.what, why, byteSize(s.n)))
}

// leaf is the reader that visit gets. visit may leave a goroutine behind that
// still reads; after close it finds the end.
type leaf struct {
	mu    sync.Mutex
	r     io.Reader
	head  []byte
	plain bool // errors are the input's own
	done  bool
}

func (l *leaf) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return 0, io.EOF
	}
	n, err := l.r.Read(p)
	if err != nil && !l.plain {
		err = io.EOF // what is wrong is a problem already
	}
	return n, err
}

// file returns the regular file behind a plain leaf and where the leaf's text
// begins in it; nil for everything else. Whoever takes it reads it with ReadAt,
// and not the leaf.
func (l *leaf) file() (f *os.File, off int64) {
	p, ok := l.r.(*peeked)
	if !ok || !l.plain {
		return nil, 0
	}
	raw, ok := p.r.(*rawReader)
	if !ok {
		return nil, 0
	}
	f, ok = raw.r.(*os.File)
	if !ok {
		return nil, 0
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, 0
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || at < int64(len(p.head)) {
		return nil, 0
	}
	return f, at - int64(len(p.head))
}

func (l *leaf) close() {
	l.mu.Lock()
	l.done = true
	l.mu.Unlock()
}

// maxProblems is how many problems of one code are told one by one.
const maxProblems = 5

// problemList collects problems without a flood: an archive may hold thousands of bad members.
type problemList struct {
	list  []Problem
	count map[string]int
}

func (l *problemList) add(code, message string) {
	if l.count == nil {
		l.count = make(map[string]int)
	}
	l.count[code]++
	if l.count[code] <= maxProblems {
		l.list = append(l.list, Problem{Code: code, Message: message})
	}
}

func (l *problemList) all() []Problem {
	var codes []string
	for c, n := range l.count {
		if n > maxProblems {
			codes = append(codes, c)
		}
	}
	slices.Sort(codes)
	for _, c := range codes {
		l.list = append(l.list, Problem{Code: c, Message: fmt.Sprintf("and %d more of this kind", l.count[c]-maxProblems)})
		l.count[c] = maxProblems
	}
	return l.list
}

// maxMemberName is the longest part of a member's name that is shown.
const maxMemberName = 512

// memberName names a member of an archive. The name is a stranger's: absolute
// paths, "..", backslashes and control characters are made harmless, since
// reports may hand it on as a path.
func memberName(archive, inner string) string {
	inner = strings.ToValidUTF8(strings.ReplaceAll(inner, `\`, "/"), "\uFFFD")
	inner = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, inner)
	inner = path.Clean("/" + inner)
	if len(inner) > maxMemberName {
		inner = "/…" + strings.ToValidUTF8(inner[len(inner)-maxMemberName:], "")
	}
	return archive + "!" + inner
}

// unique tells members of one name apart: the second is "a.log#2".
func (x *expander) unique(name string) string {
	if x.names == nil {
		x.names = make(map[string]int)
	}
	x.names[name]++
	if n := x.names[name]; n > 1 {
		return fmt.Sprintf("%s#%d", name, n)
	}
	return name
}

// cause is an error's own words, without the library's name in front.
func cause(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	s := err.Error()
	for _, p := range []string{"archive/tar: ", "archive/zip: ", "zip: ", "gzip: ", "flate: "} {
		s = strings.TrimPrefix(s, p)
	}
	return s
}

// byteSize writes a size as people say it.
func byteSize(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
