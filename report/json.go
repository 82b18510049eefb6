package report

import (
	"bytes"
	"encoding/binary"
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
	var compact bytes.Buffer
	enc := json.NewEncoder(&quiet{w: &compact})
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err := w.Write(indented(compact.Bytes()))
	return err
}

// indented lays out one valid, compact JSON value as json.Indent would with two blanks. That reads
// every byte as if it could be wrong, and takes most of the time that a big dump's document takes.
func indented(src []byte) []byte {
	out := make([]byte, 0, len(src)*2)
	depth := 0
	line := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, "  "...)
		}
	}
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '"':
			end := i + 1
			for src[end] != '"' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, src[i:end+1]...)
			i = end
		case ':':
			out = append(out, ": "...)
		case ',':
			out = append(out, c)
			line()
		case '{', '[':
			out = append(out, c)
			if next := src[i+1]; next == '}' || next == ']' {
				out = append(out, next)
				i++
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
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
				if i += 1; i+8 <= len(rest) && plainWord(binary.LittleEndian.Uint64(rest[i:])) {
					i += 8
				}
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

// plainWord says whether eight bytes are all below DEL.
func plainWord(w uint64) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	return (w|(w+ones))&highs == 0
}
