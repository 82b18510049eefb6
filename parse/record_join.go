package parse

import "bytes"

// Bounds of a record that a paste broke over lines.
const (
	maxJoinLines = 64
	maxJoinBytes = 256 << 10
)

// joiner puts a record together again that was broken over lines: JSON by a
// mail client, a terminal or a pretty-printer, hclog text by hand. It gives up
// at its bounds, at a line that begins another record, and at crash text; what
// it has then is read as far as it goes.
type joiner struct {
	text  []byte
	first int // line that began it; 0 when inactive
	lines int
	hand  bool // text: the following indented lines belong to it
	width int  // length of the first line, as pasted

	// state of the JSON text so far
	depth  int
	str    bool   // inside a string
	esc    bool   // behind a backslash
	arrays uint64 // one bit a level: it is an array
	value  bool   // a value may begin: behind ':', or in an array
	closed bool
}

func (j *joiner) active() bool { return j.first > 0 }

// start begins with a line that may be the first of a broken object.
func (j *joiner) start(b []byte, no int) {
	if len(b) == 0 || b[0] != '{' {
		return
	}
	if rest := trimLeft(b[1:]); len(rest) > 0 && rest[0] != '"' {
		return // a Go value, a shell function, …
	}
	j.reset()
	j.first, j.lines, j.width = no, 1, len(b)
	j.feed(b)
	if j.closed { // whole, and no record
		j.reset()
	}
}

// startText begins with a text record whose message stands on the next lines.
func (j *joiner) startText(b []byte, no int) {
	j.reset()
	j.first, j.lines, j.hand = no, 1, true
	j.text = append(j.text, b...)
}

func (j *joiner) reset() { *j = joiner{text: j.text[:0]} }

// give returns what there is and becomes inactive. The text is valid until the next start.
func (j *joiner) give() (text []byte, first int) {
	text, first = j.text, j.first
	j.reset()
	return text, first
}

// add takes the next line: as it stands, and without the blanks around it. done
// says that the text is complete, or given up if the line was not used.
func (j *joiner) add(line, b []byte) (text []byte, first int, done, used bool) {
	if j.hand {
		if len(b) == 0 || !isBlank(line[0]) || j.lines >= 16 || len(j.text)+len(b) > maxJoinBytes {
			text, first = j.give()
			return text, first, true, false
		}
		j.lines++
		j.text = append(append(j.text, ' '), b...)
		return nil, 0, false, true
	}
	if j.lines >= maxJoinLines || len(j.text)+len(b) > maxJoinBytes || j.ends(b) {
		text, first = j.give()
		return text, first, true, false
	}
	j.lines++
	if len(b) == 0 {
		return nil, 0, false, true
	}
	if j.str && j.blankAt(line) {
		j.feed([]byte{' '})
	}
	j.feed(b)
	if j.closed {
		text, first = j.give()
		return text, first, true, true
	}
	return nil, 0, false, true
}

// blankAt decides whether a break inside a string swallowed a blank. Terminals
// break at a fixed column, in the middle of words; everything else breaks at a blank.
func (j *joiner) blankAt(line []byte) bool {
	if len(line) > 0 && isBlank(line[0]) {
		return true
	}
	return j.width%10 != 0 && j.width%8 != 0
}

// feed appends text and follows its structure.
func (j *joiner) feed(b []byte) {
	j.text = append(j.text, b...)
	for i := 0; i < len(b); i++ {
		c := b[i]
		if j.str {
			switch {
			case j.esc:
				j.esc = false
			case c == '\\':
				j.esc = true
			case c == '"':
				j.str, j.value = false, false
			}
			continue
		}
		switch c {
		case '"':
			j.str = true
		case '{', '[':
			j.depth++
			j.value = c == '['
			j.arrays <<= 1
			if j.value {
				j.arrays |= 1
			}
		case '}', ']':
			if j.depth--; j.depth <= 0 {
				j.closed = true
				j.text = j.text[:len(j.text)-(len(b)-i-1)]
				return
			}
			j.value = false
			j.arrays >>= 1
		case ':':
			j.value = true
		case ',':
			j.value = j.arrays&1 == 1
		case ' ', '\t', '\n', '\r':
		default:
			j.value = false
		}
	}
}

// ends tells whether a line can't belong to the object.
func (j *joiner) ends(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch b[0] {
	case '{':
		// A nested object stands where a value may; inside a string a record's first key decides.
		return !j.value || bytes.HasPrefix(b, []byte(`{"@`))
	case '`':
		return bytes.HasPrefix(b, []byte("```"))
	case 'g':
		_, ok := parseHeader(b)
		return ok
	case 'p':
		return bytes.HasPrefix(b, []byte("panic: "))
	case 'f':
		return bytes.HasPrefix(b, []byte("fatal error: "))
	case 'S':
		return bytes.HasPrefix(b, []byte("SIGQUIT: "))
	case '=':
		return bytes.HasPrefix(b, []byte("==> ")) || bytes.HasPrefix(b, []byte("====="))
	case '"', '}', ',', ':', ']':
		return false
	}
	if j.str {
		var p recordParser
		h, ok := p.text(b)
		return ok && h.level != "" && h.clock != nil
	}
	// Between members only members may follow, or what people leave out.
	return !j.value && !bytes.HasPrefix(b, []byte("...")) && !bytes.HasPrefix(b, []byte("…"))
}
