package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// JSON writes the document as one indented object, UTF-8, with a final line break. Its schema is
// report/schema/crashtriage-1.schema.json.
//
// JSON escapes the C0 controls by itself; everything else that Escape would show as an escape is
// written as \uXXXX too, which means the same to a JSON reader and is obeyed by no terminal and no
// CI server.
func JSON(w io.Writer, d *Document, _ Options) error { return Object(w, d) }

// Object writes any value as JSON writes the document.
func Object(w io.Writer, v any) error {
	bw := bufio.NewWriterSize(w, 1<<16)
	enc := json.NewEncoder(&quiet{w: bw})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return bw.Flush()
}

// quiet writes the runes that nobody can see as JSON escapes. The encoder hands over its whole
// output at once, so no rune is ever split over two writes.
type quiet struct{ w io.Writer }

func (q *quiet) Write(p []byte) (int, error) {
	rest := p
	if bytes.Contains(rest, []byte("##")) {
		for _, command := range ciCommands {
			rest = bytes.ReplaceAll(rest, []byte(command), []byte(`\u0023`+command[1:]))
		}
	}
	for {
		i := 0
		var r rune
		var n int
		for i < len(rest) {
			if rest[i] < 0x7f {
				i++
				continue
			}
			if r, n = utf8.DecodeRune(rest[i:]); !visible(r) {
				break
			}
			i += n
		}
		if _, err := q.w.Write(rest[:i]); err != nil {
			return 0, err
		}
		if i == len(rest) {
			return len(p), nil
		}
		var b bytes.Buffer
		if r >= 0x10000 {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		if _, err := q.w.Write(b.Bytes()); err != nil {
			return 0, err
		}
		rest = rest[i+n:]
	}
}
