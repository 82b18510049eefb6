package parse

import (
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is how a text's characters are stored.
type encoding uint8

const (
	encodingUTF8 encoding = iota // or anything else that has ASCII bytes for ASCII characters
	encodingUTF8BOM
	encodingUTF16LE
	encodingUTF16BE
	encodingUTF16LENoBOM
)

// String returns the name that a wrapper list shows; "" for plain UTF-8.
func (e encoding) String() string {
	switch e {
	case encodingUTF16LE, encodingUTF16LENoBOM:
		return "utf-16le"
	case encodingUTF16BE:
		return "utf-16be"
	}
	return ""
}

// bomSize returns the number of bytes before the text.
func (e encoding) bomSize() int {
	switch e {
	case encodingUTF8BOM:
		return 3
	case encodingUTF16LE, encodingUTF16BE:
		return 2
	}
	return 0
}

// detectEncoding looks at the first bytes of a text. Windows PowerShell up to
// 5.1 writes UTF-16LE with a byte order mark for ">" and Out-File; the mark is
// lost where such a file was cut, and then the zero bytes of ASCII characters
// tell.
func detectEncoding(head []byte) encoding {
	switch {
	case len(head) >= 3 && head[0] == 0xEF && head[1] == 0xBB && head[2] == 0xBF:
		return encodingUTF8BOM
	case len(head) >= 2 && head[0] == 0xFF && head[1] == 0xFE:
		return encodingUTF16LE
	case len(head) >= 2 && head[0] == 0xFE && head[1] == 0xFF:
		return encodingUTF16BE
	}
	// "Plainly": nine of ten units are printable ASCII. Eight units are the least that can show it.
	head = head[:min(len(head), 1024)&^1]
	if len(head) < 16 || head[1] != 0 {
		return encodingUTF8
	}
	ascii := 0
	for i := 0; i < len(head); i += 2 {
		if c := head[i]; head[i+1] == 0 && (c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' || c == 0x1b) {
			ascii++
		}
	}
	if ascii*10 >= len(head)/2*9 {
		return encodingUTF16LENoBOM
	}
	return encodingUTF8
}

// decode returns a reader of UTF-8 without a byte order mark. Plain text is
// handed back as it is.
func (e encoding) decode(r io.Reader) io.Reader {
	switch e {
	case encodingUTF8:
		return r
	case encodingUTF8BOM:
		return &skipReader{r: r, skip: e.bomSize()}
	}
	return &utf16Reader{r: &skipReader{r: r, skip: e.bomSize()}, big: e == encodingUTF16BE}
}

// skipReader leaves out the first bytes of a stream.
type skipReader struct {
	r    io.Reader
	skip int
}

func (s *skipReader) Read(p []byte) (int, error) {
	for s.skip > 0 {
		var b [4]byte
		n, err := s.r.Read(b[:s.skip])
		s.skip -= n
		if err != nil {
			return 0, err
		}
	}
	return s.r.Read(p)
}

// utf16Reader decodes UTF-16 on the fly. A lone surrogate and an odd byte at the
// end become U+FFFD, as everywhere in Go.
type utf16Reader struct {
	r   io.Reader
	big bool
	err error

	raw  [32 << 10]byte
	from int // raw[from:to] is not decoded yet
	to   int

	out  []byte // decoded, not handed out yet: only where p was too small
	over [8]byte
}

func (d *utf16Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n := 0
	for n < len(p) {
		if len(d.out) > 0 {
			k := copy(p[n:], d.out)
			d.out = d.out[k:]
			n += k
			continue
		}
		if d.to-d.from < 4 && d.err == nil {
			if n > 0 && d.to-d.from < 2 {
				break // hand out what there is before waiting for more
			}
			d.fill()
			continue
		}
		if d.from == d.to {
			break
		}
		if len(p)-n >= utf8.UTFMax {
			n += utf8.EncodeRune(p[n:], d.next())
		} else {
			d.out = utf8.AppendRune(d.over[:0], d.next())
		}
	}
	if n == 0 && d.from == d.to && d.err != nil {
		return 0, d.err
	}
	return n, nil
}

func (d *utf16Reader) fill() {
	if d.from > 0 {
		d.to = copy(d.raw[:], d.raw[d.from:d.to])
		d.from = 0
	}
	n, err := d.r.Read(d.raw[d.to:])
	d.to += n
	d.err = err
}

// next decodes one character. At least one byte is left; four, or all there are.
func (d *utf16Reader) next() rune {
	if d.to-d.from == 1 {
		d.from++
		return utf8.RuneError
	}
	u := d.unit(d.from)
	d.from += 2
	if !utf16.IsSurrogate(u) {
		return u
	}
	if d.to-d.from >= 2 {
		if r := utf16.DecodeRune(u, d.unit(d.from)); r != utf8.RuneError {
			d.from += 2
			return r
		}
	}
	return utf8.RuneError
}

func (d *utf16Reader) unit(i int) rune {
	if d.big {
		return rune(d.raw[i])<<8 | rune(d.raw[i+1])
	}
	return rune(d.raw[i]) | rune(d.raw[i+1])<<8
}
