package parse

import (
	"bytes"
	"io"
)

// sniffSize is how much of a file is looked at before it is read: enough for a
// tar header (512 bytes) and for a fair look at the text.
const sniffSize = 4 << 10

// container is what a file's first bytes say it is made of.
type container uint8

const (
	containerNone container = iota
	containerGzip           // RFC 1952
	containerZstd           // RFC 8878
	containerTar            // POSIX.1-1988 and later, and the form before it
	containerZip            // APPNOTE.TXT, PKWARE
)

func sniffContainer(head []byte) container {
	switch {
	case hasBytes(head, "\x1f\x8b\x08"):
		return containerGzip
	case hasBytes(head, "\x28\xb5\x2f\xfd"):
		return containerZstd
	case len(head) > 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18":
		return containerZstd // a skippable frame, as pzstd writes first
	case hasBytes(head, "PK\x03\x04"), hasBytes(head, "PK\x05\x06"):
		return containerZip
	case isTar(head):
		return containerTar
	}
	return containerNone
}

// isTar checks a header block's checksum: the sum of its bytes, with blanks in
// the place of the sum itself. The forms before 1988 have no magic word.
func isTar(head []byte) bool {
	if len(head) < 512 || head[0] == 0 {
		return false
	}
	want, digits := int64(0), 0
	for _, c := range head[148:156] {
		switch {
		case c >= '0' && c <= '7':
			want = want<<3 | int64(c-'0')
			digits++
		case c == ' ' || c == 0:
		default:
			return false
		}
	}
	var sum, signed int64
	for i, c := range head[:512] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
		signed += int64(int8(c))
	}
	return digits > 0 && (want == sum || want == signed) // some old tars summed signed bytes
}

// unreadable names packings that are recognised and not unpacked, with the command that does it.
func unreadable(head []byte) (name, command string) {
	switch {
	case hasBytes(head, "\xfd7zXZ\x00"):
		return "xz", "xz -dc"
	case len(head) > 10 && hasBytes(head, "BZh") && (string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90"):
		return "bzip2", "bzip2 -dc"
	case hasBytes(head, "\x04\x22\x4d\x18"):
		return "lz4", "lz4 -dc"
	case hasBytes(head, "7z\xbc\xaf\x27\x1c"):
		return "7z", "7z x -so"
	case hasBytes(head, "Rar!\x1a\x07"):
		return "rar", "unrar p -inul"
	}
	return "", ""
}

// magics are first bytes of files that are no text, as found beside logs in bundles and artefact folders.
var magics = []struct{ magic, name string }{
	{"\x7fELF", "ELF file"},
	{"MZ", "Windows program"},
	{"\xfe\xed\xfa\xce", "Mach-O file"}, {"\xfe\xed\xfa\xcf", "Mach-O file"}, {"\xce\xfa\xed\xfe", "Mach-O file"}, {"\xcf\xfa\xed\xfe", "Mach-O file"},
	{"\xca\xfe\xba\xbe", "Java class or Mach-O file"},
	{"\x00asm", "WebAssembly module"},
	{"!<arch>\n", "ar archive"},
	{"\x89PNG\r\n", "image"}, {"\xff\xd8\xff", "image"}, {"GIF87a", "image"}, {"GIF89a", "image"},
	{"%PDF-", "PDF document"},
	{"SQLite format 3\x00", "SQLite database"},
	{"LPKSHHRH", "journald binary log"},
	{"\xd4\xc3\xb2\xa1", "packet capture"}, {"\xa1\xb2\xc3\xd4", "packet capture"}, {"\x0a\x0d\x0d\x0a", "packet capture"},
	{"go 1.", "Go execution trace"}, // checked further below
	{"wOFF", "font"}, {"wOF2", "font"}, {"OTTO", "font"}, {"\x00\x01\x00\x00", "font"},
	{"ID3", "sound"}, {"OggS", "sound"}, {"RIFF", "media file"},
}

// binaryName says what a file is when it is plainly no text; "" for text, also
// for a log with a run of zero bytes in it, as a power loss leaves behind.
func binaryName(head []byte) string {
	for _, m := range magics {
		if !hasBytes(head, m.magic) {
			continue
		}
		switch m.name {
		case "Go execution trace": // "go 1.22 trace\x00\x00\x00"
			if k := bytes.Index(head[:min(len(head), 16)], []byte(" trace\x00")); k < 0 {
				continue
			}
		case "Windows program", "sound", "media file", "font": // words may begin like these
			if bytes.IndexByte(head[:min(len(head), 64)], 0) < 0 {
				continue
			}
		}
		return m.name
	}
	switch detectEncoding(head) {
	case encodingUTF16LE, encodingUTF16BE, encodingUTF16LENoBOM:
		return ""
	}
	// Compressed and encrypted data have one control character in ten bytes. Bytes
	// from 0x80 say nothing: a text may be UTF-8, Latin-1 or GBK.
	control, zeroRuns := 0, 0
	for i, c := range head {
		switch {
		case c == 0:
			if i == 0 || head[i-1] != 0 {
				zeroRuns++
			}
		case c >= ' ' && c != 0x7f, c >= '\b' && c <= '\r', c == 0x1b:
		default:
			control++
		}
	}
	if zeroRuns > 16 || control*20 > len(head) {
		return "binary file"
	}
	return ""
}

func hasBytes(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// peeked is a stream whose first bytes were looked at. Its reads go straight
// into the reader's buffer, so looking costs one small copy.
type peeked struct {
	head []byte // all that was looked at
	from int    // head[from:] is not handed out yet
	r    io.Reader
	err  error
}

func peek(r io.Reader) *peeked {
	p := &peeked{r: r, head: make([]byte, sniffSize)}
	n, err := io.ReadAtLeast(r, p.head, 512)
	p.head = p.head[:n]
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	p.err = err
	return p
}

func (p *peeked) Read(b []byte) (int, error) {
	n := copy(b, p.head[p.from:])
	p.from += n
	if n == len(b) && n > 0 {
		return n, nil
	}
	if p.err != nil {
		if n > 0 {
			return n, nil
		}
		return 0, p.err
	}
	m, err := p.r.Read(b[n:])
	p.err = err // an error stays: a reader need not repeat it
	if n+m > 0 {
		return n + m, nil
	}
	return 0, err
}
