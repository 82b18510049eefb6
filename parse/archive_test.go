package parse

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// member is a file in an archive that a test makes.
type member struct {
	name string
	data string
}

func gz(data string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, data)
	w.Close()
	return b.String()
}

func zst(data string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(data), nil))
}

func tarOf(members ...member) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Typeflag: tar.TypeReg, Size: int64(len(m.data)), Mode: 0o644}
		switch {
		case strings.HasSuffix(m.name, "/"):
			h.Typeflag = tar.TypeDir
		case strings.HasPrefix(m.data, "-> "):
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, m.data[3:], 0
		}
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		if h.Typeflag == tar.TypeReg {
			io.WriteString(w, m.data)
		}
	}
	w.Close()
	return b.String()
}

func zipOf(members ...member) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.Create(m.name)
		if err != nil {
			panic(err)
		}
		io.WriteString(f, m.data)
	}
	w.Close()
	return b.String()
}

func streamInput(name, data string) Input {
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }}
}

func fileInput(t *testing.T, name, data string) Input {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

// expandAll returns "name=content" of everything visited, and the problems' codes.
func expandAll(t *testing.T, in Input, lim Limits) (got, codes []string, problems []Problem) {
	t.Helper()
	problems, err := expand(in, lim, func(name string, r io.Reader) error {
		b, err := io.ReadAll(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got = append(got, name+"="+string(b))
		return nil
	})
	if err != nil {
		t.Errorf("expand: %v", err)
	}
	for _, p := range problems {
		codes = append(codes, p.Code)
		if p.Message == "" || p.Line != 0 {
			t.Errorf("problem %+v", p)
		}
	}
	return got, codes, problems
}

func TestExpand(t *testing.T) {
	const log = "panic: boom\n\ngoroutine 1 [running]:\n"
	two := []member{{"a.log", "A"}, {"d/", ""}, {"d/b.log", "B"}, {"l", "-> a.log"}}
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01", 50)
	elf := "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 60)
	tests := []struct {
		name string
		data string
		want []string
		code []string
	}{
		{"plain", log, []string{"x=" + log}, nil},
		{"empty", "", []string{"x="}, nil},
		{"plain, one byte", "a", []string{"x=a"}, nil},
		{"gzip", gz(log), []string{"x=" + log}, nil},
		{"gzip of nothing", gz(""), []string{"x="}, nil},
		{"gzip, two runs of it", gz("one\n") + gz("two\n"), []string{"x=one\ntwo\n"}, nil},
		{"zstd", zst(log), []string{"x=" + log}, nil},
		{"zstd behind a skippable frame", "\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + zst(log), []string{"x=" + log}, nil},
		{"gzip in gzip", gz(gz(log)), []string{"x=" + log}, nil},
		{"gzip three deep", gz(gz(gz(log))), nil, []string{"archive-too-deep"}},
		{"tar", tarOf(two...), []string{"x!/a.log=A", "x!/d/b.log=B"}, nil},
		{"tar.gz", gz(tarOf(two...)), []string{"x!/a.log=A", "x!/d/b.log=B"}, nil},
		{"tar.zst", zst(tarOf(two...)), []string{"x!/a.log=A", "x!/d/b.log=B"}, nil},
		{"zip", zipOf(two[0], two[1], two[2]), []string{"x!/a.log=A", "x!/d/b.log=B"}, nil},
		{"a gz in a tar.gz", gz(tarOf(member{"c.log.gz", gz(log)})), []string{"x!/c.log.gz=" + log}, nil},
		{"a tar.gz in a zip", zipOf(member{"b.tar.gz", gz(tarOf(two...))}), []string{"x!/b.tar.gz!/a.log=A", "x!/b.tar.gz!/d/b.log=B"}, nil},
		{"a gz in a tar.gz in a zip", zipOf(member{"b.tgz", gz(tarOf(member{"c.gz", gz(log)}))}), []string{"x!/b.tgz!/c.gz=" + log}, nil},
		{"a zip in a tar", tarOf(member{"b.zip", zipOf(two[0])}), []string{"x!/b.zip!/a.log=A"}, nil},
		{"tars three deep", tarOf(member{"1.tar", tarOf(member{"2.tar", tarOf(two...)}, member{"y", "Y"})}), []string{"x!/1.tar!/y=Y"}, []string{"archive-too-deep"}},
		{"zips three deep", zipOf(member{"1.zip", zipOf(member{"2.zip", zipOf(two[0])})}), nil, []string{"archive-too-deep"}},
		{"what is no text", tarOf(member{"a.png", png}, member{"bin/server", elf}, member{"a.log", log}, member{"b.png", png}), []string{"x!/a.log=" + log}, []string{"binary-skipped"}},
		{"an image, named", png, []string{"x=" + png}, nil},
		{"an absolute name", tarOf(member{"/etc/passwd", "P"}), []string{"x!/etc/passwd=P"}, nil},
		{"names that climb", tarOf(member{"../../etc/shadow", "S"}, member{"a/../../b", "B"}), []string{"x!/etc/shadow=S", "x!/b=B"}, nil},
		{"names that climb in a zip", zipOf(member{"../up", "U"}, member{`..\..\up2`, "V"}), []string{"x!/up=U", "x!/up2=V"}, nil},
		{"one name twice", tarOf(member{"a", "1"}, member{"a", "2"}, member{"./a", "3"}), []string{"x!/a=1", "x!/a#2=2", "x!/a#3=3"}, nil},
		{"control characters in a name", tarOf(member{"a\x1b[31m\nb", "1"}), []string{"x!/a\uFFFD[31m\uFFFDb=1"}, nil},
		{"an empty tar", tarOf(), []string{"x=" + tarOf()}, nil},
		{"an empty zip", zipOf(), nil, []string{"archive-empty"}},
		{"folders alone", zipOf(member{"b.tar", tarOf(member{"d/", ""})}), nil, []string{"archive-empty"}},
		{"xz", "\xfd7zXZ\x00\x00\x04", nil, []string{"archive-unsupported"}},
		{"xz in a tar", tarOf(member{"a.xz", "\xfd7zXZ\x00\x00\x04"}, member{"b", "B"}), []string{"x!/b=B"}, []string{"archive-unsupported"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []Input{streamInput("x", tt.data), fileInput(t, "x", tt.data)} {
				got, codes, problems := expandAll(t, in, Limits{})
				if !slices.Equal(got, tt.want) {
					t.Errorf("got  %q\nwant %q", got, tt.want)
				}
				if !slices.Equal(codes, tt.code) {
					t.Errorf("problems %v", problems)
				}
			}
		})
	}
}

func TestExpandDamage(t *testing.T) {
	lines := make([]string, 20_000) // several blocks of zstd
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d %x\n", i, i*i*i)
	}
	log := strings.Join(lines, "")
	cut := func(s string, n int) string { return s[:len(s)-n] }
	spoil := func(s string, at int) string { return s[:at] + "\xff\xff\xff\xff" + s[at+4:] }
	tests := []struct {
		name  string
		data  string
		names []string // each with a prefix of log as its content
		whole bool     // all of log is there
		code  string
		says  string
	}{
		{"gzip cut", cut(gz(log), 3000), []string{"x"}, false, "archive-damaged", "gzip: the data end too early"},
		{"gzip without its last byte", cut(gz(log), 1), []string{"x"}, true, "archive-damaged", "too early"},
		{"gzip with a wrong checksum", spoil(gz(log), len(gz(log))-8), []string{"x"}, true, "archive-damaged", "checksum"},
		{"gzip spoilt", spoil(gz(log), len(gz(log))/2), []string{"x"}, false, "archive-damaged", "gzip: "},
		{"gzip head alone", gz(log)[:6], nil, false, "archive-damaged", "too early; 0 bytes"},
		{"gzip with a tail", gz(log) + "garbage behind it", []string{"x"}, true, "archive-damaged", "left out"},
		{"zstd cut", cut(zst(log), 1000), []string{"x"}, false, "archive-damaged", "zstd: the data end too early"},
		{"tar cut in a member", tarOf(member{"a", log}, member{"b", log})[:512+len(log)/2], []string{"x!/a"}, false, "archive-damaged", "x!/a: tar: the data end too early"},
		{"tar cut in a header", tarOf(member{"a", log})[:len(tarOf(member{"a", log}))-1024] + strings.Repeat("x", 512), []string{"x!/a"}, true, "archive-damaged", "beyond its member 1"},
		{"tar.gz cut", cut(gz(tarOf(member{"a", log})), 3000), []string{"x!/a"}, false, "archive-damaged", "x: gzip: the data end too early"},
		{"a cut gz in a tar", tarOf(member{"a.gz", cut(gz(log), 3000)}, member{"b", log}), []string{"x!/a.gz", "x!/b"}, false, "archive-damaged", "x!/a.gz: gzip"},
		{"zip cut", cut(zipOf(member{"a", log}), 30), nil, false, "archive-damaged", "no directory"},
		{"zip with a spoilt member", spoil(zipOf(member{"a", log}, member{"b", log}), 50_000), []string{"x!/a", "x!/b"}, false, "archive-damaged", "x!/a: zip: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, codes, problems := expandAll(t, streamInput("x", tt.data), Limits{})
			var names []string
			for _, g := range got {
				name, content, _ := strings.Cut(g, "=")
				names = append(names, name)
				if !strings.HasPrefix(log, content) && tt.name != "gzip spoilt" && name != "x!/a" {
					t.Errorf("%s does not begin like the original", name)
				}
				if tt.whole && content != log {
					t.Errorf("%s: %d bytes of %d", name, len(content), len(log))
				}
				if content == "" {
					t.Errorf("%s: what can be read must be read", name)
				}
			}
			if !slices.Equal(names, tt.names) {
				t.Errorf("visited %q, want %q", names, tt.names)
			}
			if !slices.Equal(codes, []string{tt.code}) || !strings.Contains(problems[0].Message, tt.says) {
				t.Errorf("problems %v", problems)
			}
		})
	}
}

// zeros gives gzip data of n zero bytes, compressed to a thousandth.
func zeros(n int64) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.CopyN(w, zeroReader{}, n)
	w.Close()
	return b.String()
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestExpandLimits(t *testing.T) {
	var many strings.Builder
	header := tarOf(member{"empty", ""})[:512]
	for range 20_000 {
		many.WriteString(header)
	}
	var files []member
	for i := range 300 {
		files = append(files, member{fmt.Sprint("f", i), "x"})
	}
	big := strings.Repeat("0123456789abcdef", 64<<10)
	bomb := zeros(10 << 20)
	tests := []struct {
		name  string
		data  string
		lim   Limits
		most  int64 // bytes that may reach visit
		calls int
		code  string
	}{
		{"plain files have no limit", big, Limits{MaxBytes: 1000}, 1 << 20, 1, ""},
		{"bytes of a gzip", gz(big), Limits{MaxBytes: 100_000}, 600_000, 1, "archive-too-large"},
		{"bytes over several members", tarOf(member{"a", big}, member{"b", big}, member{"c", big}), Limits{MaxBytes: 3 << 19}, 5 << 19, 2, "archive-too-large"},
		{"bytes over a zip's members", zipOf(member{"a", big}, member{"b", big}, member{"c", big}), Limits{MaxBytes: 3 << 19}, 5 << 19, 2, "archive-too-large"},
		{"members of a tar", many.String(), Limits{MaxMembers: 1000}, 0, 1000, "archive-too-many-members"},
		{"members of a zip", zipOf(files...), Limits{MaxMembers: 100}, 100, 100, "archive-too-many-members"},
		{"members over nested archives", tarOf(member{"1.tar", tarOf(files...)}, member{"2.tar", tarOf(files...)}), Limits{MaxMembers: 400}, 400, 398, "archive-too-many-members"},
		{"a bomb", bomb, Limits{ratioFrom: 1 << 20}, 6 << 20, 1, "archive-ratio"},
		{"a bomb in a zip", zipOf(member{"a.gz", bomb}), Limits{ratioFrom: 1 << 20}, 6 << 20, 1, "archive-ratio"},
		{"a bomb in layers", gz(bomb), Limits{ratioFrom: 1 << 20}, 2 << 20, 1, "archive-ratio"},
		{"a small bomb is only small", bomb, Limits{}, 10 << 20, 1, ""},
		{"a zip that does not fit in memory", zipOf(member{"a", big}), Limits{MaxHeld: 500}, 0, 0, "archive-too-large"},
		{"depth", tarOf(member{"1.tar", tarOf(member{"a", "A"})}, member{"b", "B"}), Limits{MaxDepth: 1}, 1, 1, "archive-too-deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var read int64
			calls := 0
			problems, err := expand(streamInput("x", tt.data), tt.lim, func(name string, r io.Reader) error {
				calls++
				n, err := io.Copy(io.Discard, r)
				read += n
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if read > tt.most || calls != tt.calls {
				t.Errorf("%d bytes in %d calls, want at most %d in %d", read, calls, tt.most, tt.calls)
			}
			var codes []string
			for _, p := range problems {
				codes = append(codes, p.Code)
			}
			if want := strings.Fields(tt.code); !slices.Equal(codes, want) {
				t.Errorf("problems %v", problems)
			}
		})
	}
}

// A zip's directory may claim anything: reading it must not cost more than the limit allows.
func TestExpandZipDirectoryBounded(t *testing.T) {
	entry := make([]byte, 46+1)
	copy(entry, "PK\x01\x02")
	binary.LittleEndian.PutUint16(entry[28:], 1)
	entry[46] = 'a'
	const n = 100_000
	data := []byte("PK\x03\x04")
	start := len(data)
	data = append(data, bytes.Repeat(entry, n)...)
	end := make([]byte, 22)
	copy(end, "PK\x05\x06")
	binary.LittleEndian.PutUint16(end[8:], n&0xffff)
	binary.LittleEndian.PutUint16(end[10:], n&0xffff)
	binary.LittleEndian.PutUint32(end[12:], uint32(len(data)-start))
	binary.LittleEndian.PutUint32(end[16:], uint32(start))
	data = append(data, end...)
	got, codes, _ := expandAll(t, fileInput(t, "x", string(data)), Limits{MaxMembers: 100})
	if len(got) != 0 || !slices.Equal(codes, []string{"archive-too-many-members"}) {
		t.Errorf("visited %d, problems %v", len(got), codes)
	}
}

// Thousands of bad members give a handful of problems.
func TestExpandProblemsBounded(t *testing.T) {
	var files []member
	for i := range 1000 {
		files = append(files, member{fmt.Sprint(i), "\xfd7zXZ\x00\x00\x04"})
	}
	_, codes, problems := expandAll(t, streamInput("x", tarOf(files...)), Limits{})
	if len(codes) != maxProblems+1 || problems[maxProblems].Message != "and 995 more of this kind" {
		t.Errorf("problems %v", problems)
	}
}

func TestExpandErrors(t *testing.T) {
	failed := errors.New("no more")
	if _, err := expand(streamInput("x", gz("a")), Limits{}, func(string, io.Reader) error { return failed }); err != failed {
		t.Errorf("visit's error: got %v", err)
	}
	in := Input{Name: "x", Open: func() (io.ReadCloser, error) { return nil, failed }}
	if _, err := expand(in, Limits{}, func(string, io.Reader) error { return nil }); err != failed {
		t.Errorf("Open's error: got %v", err)
	}
	// An input that breaks while it is read is the reader's to report.
	in.Open = func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("some text"), brokenReader{failed})), nil
	}
	_, err := expand(in, Limits{}, func(_ string, r io.Reader) error {
		b, err := io.ReadAll(r)
		if string(b) != "some text" {
			t.Errorf("read %q", b)
		}
		return err
	})
	if err != failed {
		t.Errorf("read error: got %v", err)
	}
}

type brokenReader struct{ err error }

func (b brokenReader) Read([]byte) (int, error) { return 0, b.err }

// Reads of a plain file go into the caller's buffer, as large as it is.
func TestExpandLargeReads(t *testing.T) {
	in := fileInput(t, "x", strings.Repeat("x", 8<<20))
	_, err := expand(in, Limits{}, func(_ string, r io.Reader) error {
		buf := make([]byte, 1<<20)
		for i := range 8 {
			if n, err := r.Read(buf); n != len(buf) || err != nil {
				t.Errorf("read %d: %d bytes, %v", i, n, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A visitor may read ahead in a goroutine that outlives its visit.
func TestExpandReadAfterVisit(t *testing.T) {
	var wg sync.WaitGroup
	stop := make(chan struct{})
	_, err := expand(streamInput("x", gz(tarOf(member{"a", "1"}, member{"b", "2"}))), Limits{}, func(_ string, r io.Reader) error {
		wg.Go(func() {
			buf := make([]byte, 1)
			for {
				r.Read(buf)
				select {
				case <-stop:
					return
				default:
				}
			}
		})
		return nil
	})
	close(stop)
	wg.Wait()
	if err != nil {
		t.Error(err)
	}
}

func FuzzExpand(f *testing.F) {
	f.Add([]byte(gz(tarOf(member{"a", "x"}))))
	f.Add([]byte(zst("text")))
	f.Add([]byte(zipOf(member{"a", gz("x")})))
	f.Add([]byte(tarOf(member{"a.zip", zipOf(member{"b", "x"})})))
	f.Add([]byte("\x5a\x04\x08\x01\x10\x02\x60\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lim := Limits{MaxBytes: 1 << 20, MaxMembers: 100}
		total := 0
		problems, err := expand(streamInput("x", string(data)), lim, func(name string, r io.Reader) error {
			if !strings.HasPrefix(name, "x") || strings.Contains(name, "..") && strings.Contains(name, "/../") {
				t.Errorf("name %q", name)
			}
			n, err := io.Copy(io.Discard, r)
			total += int(n)
			return err
		})
		if err != nil {
			t.Errorf("no input may be an error: %v", err)
		}
		if total > len(data)+4<<20 {
			t.Errorf("%d bytes", total)
		}
		if len(problems) > 50 {
			t.Errorf("%d problems", len(problems))
		}
	})
}
