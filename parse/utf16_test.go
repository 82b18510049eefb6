package parse

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

func utf16Bytes(order binary.AppendByteOrder, s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestDecodeText(t *testing.T) {
	const text = "panic: Größe 𝄞\r\n\r\ngoroutine 1 [running]:\r\n"
	le, be := utf16Bytes(binary.LittleEndian, text), utf16Bytes(binary.BigEndian, text)
	long := strings.Repeat("goroutine 7 [select, 3 minutes]:\n", 5000)
	tests := []struct {
		name string
		in   []byte
		enc  encoding
		want string
	}{
		{"empty", nil, encodingUTF8, ""},
		{"plain", []byte(text), encodingUTF8, text},
		{"invalid UTF-8 stays", []byte("a\xffb\x00c"), encodingUTF8, "a\xffb\x00c"},
		{"UTF-8 with a mark", []byte("\xef\xbb\xbf" + text), encodingUTF8BOM, text},
		{"a mark alone", []byte("\xef\xbb\xbf"), encodingUTF8BOM, ""},
		{"UTF-16LE", append([]byte("\xff\xfe"), le...), encodingUTF16LE, text},
		{"UTF-16BE", append([]byte("\xfe\xff"), be...), encodingUTF16BE, text},
		{"UTF-16LE, mark lost", utf16Bytes(binary.LittleEndian, "goroutine 1 [running]:\r\nmain.größe()\r\n"), encodingUTF16LENoBOM, "goroutine 1 [running]:\r\nmain.größe()\r\n"},
		{"UTF-16LE, longer than the buffer", utf16Bytes(binary.LittleEndian, long), encodingUTF16LENoBOM, long},
		{"odd byte at the end", []byte("\xff\xfea\x00b\x00c"), encodingUTF16LE, "ab\uFFFD"},
		{"lone high surrogate", []byte("\xff\xfe\x34\xd8a\x00"), encodingUTF16LE, "\uFFFDa"},
		{"lone low surrogate", []byte("\xff\xfe\x1e\xdda\x00"), encodingUTF16LE, "\uFFFDa"},
		{"surrogate at the end", []byte("\xff\xfea\x00\x34\xd8"), encodingUTF16LE, "a\uFFFD"},
		{"zero bytes in a log are no UTF-16", []byte("ok\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), encodingUTF8, "ok\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
	}
	readers := []struct {
		name string
		wrap func(io.Reader) io.Reader
	}{
		{"whole", func(r io.Reader) io.Reader { return r }},
		{"byte by byte", iotest.OneByteReader},
		{"with the end", iotest.DataErrReader},
	}
	for _, tt := range tests {
		for _, rd := range readers {
			t.Run(tt.name+", "+rd.name, func(t *testing.T) {
				enc := detectEncoding(tt.in)
				if enc != tt.enc {
					t.Fatalf("encoding %d, want %d", enc, tt.enc)
				}
				got, err := io.ReadAll(enc.decode(rd.wrap(bytes.NewReader(tt.in))))
				if err != nil || string(got) != tt.want {
					t.Errorf("got %q, %v", got[:min(len(got), 80)], err)
				}
				got, err = io.ReadAll(iotest.OneByteReader(enc.decode(rd.wrap(bytes.NewReader(tt.in)))))
				if err != nil || string(got) != tt.want {
					t.Errorf("read byte by byte: got %q, %v", got[:min(len(got), 80)], err)
				}
			})
		}
	}
}

func TestDecodeTextReadError(t *testing.T) {
	r := encodingUTF16LE.decode(io.MultiReader(strings.NewReader("\xff\xfea\x00"), iotest.ErrReader(io.ErrClosedPipe)))
	got, err := io.ReadAll(r)
	if string(got) != "a" || err != io.ErrClosedPipe {
		t.Errorf("got %q, %v", got, err)
	}
}

func FuzzDecodeText(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00\x34\xd8\x1e\xdd"))
	f.Add([]byte("\xfe\xff\x00a\xd8"))
	f.Add([]byte("g\x00o\x00r\x00o\x00u\x00t\x00i\x00n\x00e\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		enc := detectEncoding(in)
		got, err := io.ReadAll(enc.decode(bytes.NewReader(in)))
		if err != nil {
			t.Fatal(err)
		}
		if enc.String() != "" && !utf8.Valid(got) {
			t.Errorf("%q is not UTF-8", got)
		}
		slow, _ := io.ReadAll(iotest.OneByteReader(enc.decode(iotest.OneByteReader(bytes.NewReader(in)))))
		if !bytes.Equal(got, slow) {
			t.Errorf("whole %q, byte by byte %q", got, slow)
		}
	})
}
