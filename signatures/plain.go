package signatures

import (
	"strings"
	"unicode/utf8"
)

// Somebody may have ten thousand signatures, and a YAML parser that knows all of YAML takes a
// third of a millisecond for each. Nearly every entry keeps to a small part of the language: block
// mappings and lists, texts on one line, literal blocks, small flow collections. plainReader reads just that
// part. It gives up wherever it is not sure, and its caller asks the real parser; where it does not, its tree is
// the very one that parseYAML returns, places included: a test and a fuzz target hold the two together.

// plainReader reads chunks, one after another. The nodes of one are used again for the next.
type plainReader struct {
	lines  []string
	first  int // number of lines[0]
	at     int // the line to read next
	tokens int
	nodes  []*node
	used   int
}

// Beyond these the real parser decides; they are below its own limits.
const (
	maxPlainText   = 16 << 10
	maxPlainTokens = 1500
	maxPlainDepth  = 16
	maxPlainLine   = 2000
)

// read returns the tree of a chunk, or nil when it is not sure. The tree is good until the next read.
func (p *plainReader) read(lines []string, firstLine int) *node {
	size := 0
	for _, l := range lines {
		if size += len(l) + 1; len(l) > maxPlainLine || size > maxPlainText {
			return nil
		}
	}
	p.lines, p.first, p.at, p.tokens, p.used = lines, firstLine, 0, 0, 0
	if !p.skip() {
		return nil
	}
	n := p.block(indentOf(lines[p.at]), 0)
	if n == nil || p.at < len(lines) && p.skip() {
		return nil // something is left
	}
	return n
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// skip moves to the next line that says something; false at the end.
func (p *plainReader) skip() bool {
	for ; p.at < len(p.lines); p.at++ {
		if l := strings.TrimLeft(p.lines[p.at], " "); l != "" && l[0] != '#' {
			return true
		}
	}
	return false
}

// node makes a node at a column of the current line, counted from 0.
func (p *plainReader) node(kind nodeKind, column int) *node {
	if p.used == len(p.nodes) {
		p.nodes = append(p.nodes, new(node))
	}
	n := p.nodes[p.used]
	p.used++
	*n = node{kind: kind, line: p.first + p.at, column: column + 1, pairs: n.pairs[:0], items: n.items[:0]}
	p.tokens++
	return n
}

// block reads a mapping or a list whose first line is the current one.
func (p *plainReader) block(indent, depth int) *node {
	if depth > maxPlainDepth || p.tokens > maxPlainTokens {
		return nil
	}
	if strings.HasPrefix(p.lines[p.at][indent:], "- ") {
		return p.sequence(indent, depth)
	}
	return p.mapping(indent, depth)
}

// under says whether the next line that says something is indented by no more than a column, so
// that nothing of it belongs to the value before.
func (p *plainReader) under(column int) bool {
	return !p.skip() || indentOf(p.lines[p.at]) <= column
}

func (p *plainReader) sequence(indent, depth int) *node {
	n := p.node(sequenceNode, indent)
	for {
		line := p.lines[p.at]
		column := indent + 2 + indentOf(line[indent+2:])
		var item *node
		if _, _, ok := plainKey(line, column); ok {
			item = p.mapping(column, depth+1)
		} else if item = p.inline(line, column); item != nil {
			p.at++
			if !p.under(indent) {
				return nil
			}
		}
		if item == nil {
			return nil
		}
		n.items = append(n.items, item)
		if !p.skip() {
			return n
		}
		switch in := indentOf(p.lines[p.at]); {
		case in < indent:
			return n
		case in > indent:
			return nil
		case !strings.HasPrefix(p.lines[p.at][indent:], "- "):
			return n // the next key of the mapping that this list is a value of
		}
	}
}

func (p *plainReader) mapping(column, depth int) *node {
	n := p.node(mappingNode, column)
	for {
		line := p.lines[p.at]
		key, value, ok := plainKey(line, column)
		if !ok {
			return nil
		}
		for i := range n.pairs {
			if n.pairs[i].key == key {
				return nil // twice: an error, and the real parser words it
			}
		}
		kv := pair{key: key, line: p.first + p.at, column: column + 1}
		p.tokens += 2
		switch {
		case value == len(line):
			p.at++
			if !p.skip() {
				return nil
			}
			in := indentOf(p.lines[p.at])
			list := strings.HasPrefix(p.lines[p.at][in:], "- ")
			if in < column || in == column && !list {
				return nil // no value
			}
			kv.value = p.block(in, depth+1)
		case line[value] == '|' || line[value] == '>':
			kv.value = p.literal(line[value:], value, column)
		default:
			if kv.value = p.inline(line, value); kv.value != nil {
				p.at++
				if !p.under(column) {
					return nil
				}
			}
		}
		if kv.value == nil {
			return nil
		}
		n.pairs = append(n.pairs, kv)
		if !p.skip() {
			return n
		}
		switch in := indentOf(p.lines[p.at]); {
		case in < column:
			return n
		case in > column || p.lines[p.at][in] == '-':
			return nil
		}
	}
}

// plainKey reads "key:" at a column and returns where its value begins: the end of the line when there is none
// on it.
func plainKey(line string, column int) (key string, value int, ok bool) {
	end := column
	for end < len(line) && keyByte(line[end]) {
		end++
	}
	if end == column || end >= len(line) || line[end] != ':' || line[column] < 'A' {
		return "", 0, false
	}
	key = line[column:end]
	value = end + 1
	if value == len(line) {
		return key, value, !nullWord(key)
	}
	if line[value] != ' ' {
		return "", 0, false
	}
	for value < len(line) && line[value] == ' ' {
		value++
	}
	return key, value, value < len(line) && !nullWord(key)
}

func keyByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || '0' <= c && c <= '9'
}

// nullWord says whether a bare word may be anything but a text.
func nullWord(s string) bool { return len(s) == 4 && strings.EqualFold(s, "null") }

// literal reads a block scalar whose header is the rest of the current line.
func (p *plainReader) literal(header string, at, column int) *node {
	n := p.node(scalarNode, at)
	folded := header[0] == '>'
	clip := header == "|" || header == ">"
	if !clip && header != "|-" && header != ">-" {
		return nil
	}
	p.at++
	if p.at == len(p.lines) || p.lines[p.at] == "" {
		return nil
	}
	indent := indentOf(p.lines[p.at])
	if indent <= column {
		return nil
	}
	var b strings.Builder
	empty := 0 // lines that are only written when another follows
	begin := p.at
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if line == "" {
			empty++
			continue
		}
		in := indentOf(line)
		if in < indent {
			if in > column || in == len(line) {
				return nil
			}
			break
		}
		if in == len(line) || !plainLine(line[indent:], true) || line[len(line)-1] == ' ' || line[len(line)-1] == '\t' {
			return nil
		}
		if p.at == begin && line[in] == '\t' {
			return nil
		}
		if folded && (in > indent || empty > 0 || line[in] == '\t') {
			return nil
		}
		if p.at > begin {
			if folded {
				b.WriteByte(' ')
			} else {
				for range empty + 1 {
					b.WriteByte('\n')
				}
			}
			empty = 0
		}
		b.WriteString(line[indent:])
	}
	if b.Len() == 0 || folded && p.at == len(p.lines) && empty == 0 {
		return nil // the real parser has its own mind about a text that ends with the input
	}
	if clip && (empty > 0 || p.at < len(p.lines)) {
		b.WriteByte('\n')
	}
	n.text = b.String()
	return n
}

// plainLine says whether a line holds nothing but printable ASCII and letters of other scripts, and
// tabs where they are welcome.
func plainLine(s string, tabs bool) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c < 0x80 {
			if c < ' ' && !(c == '\t' && tabs) || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError || r < 0xa0 || r == 0xfeff || r == 0x2028 || r == 0x2029 || r > 0xffff {
			return false
		}
		i += size
	}
	return true
}

// inline reads a value that takes up the rest of a line.
func (p *plainReader) inline(line string, at int) *node {
	if !plainLine(line, false) || line[len(line)-1] == ' ' {
		return nil
	}
	bare := strings.IndexByte("'\"[{", line[at]) < 0
	if i := strings.Index(line[at:], " #"); bare && i > 0 { // a note behind the value
		line = strings.TrimRight(line[:at+i], " ")
	}
	n, end := p.flow(line, at, 0)
	if end < 0 {
		return nil
	}
	if rest := line[end:]; rest != "" && !strings.HasPrefix(strings.TrimLeft(rest, " "), "#") || strings.HasPrefix(rest, "#") {
		return nil
	}
	return n
}

// flow reads a value at a place of a line and returns the place behind it; -1 when it is not sure. At depth 0 a
// bare text goes to the end of the line.
func (p *plainReader) flow(line string, at, depth int) (*node, int) {
	if at >= len(line) || depth > maxPlainDepth || p.tokens > maxPlainTokens {
		return nil, -1
	}
	switch line[at] {
	case '\'':
		return p.quoted(line, at)
	case '"':
		end := strings.IndexByte(line[at+1:], '"')
		if end < 0 || strings.IndexByte(line[at+1:at+1+end], '\\') >= 0 {
			return nil, -1
		}
		n := p.node(scalarNode, at)
		n.text = line[at+1 : at+1+end]
		return n, at + end + 2
	case '[', '{':
		return p.collection(line, at, depth)
	}
	end := at
	if depth == 0 {
		end = len(line)
		if !bareLine(line[at:]) {
			return nil, -1
		}
	} else {
		for end < len(line) && bareByte(line[end]) {
			end++
		}
		for end > at && line[end-1] == ' ' {
			end--
		}
		if end == at || !firstByte(line[at]) {
			return nil, -1
		}
	}
	n := p.node(scalarNode, at)
	if n.text = line[at:end]; nullWord(n.text) {
		return nil, -1
	}
	return n, end
}

func (p *plainReader) quoted(line string, at int) (*node, int) {
	i := at + 1
	for {
		j := strings.IndexByte(line[i:], '\'')
		if j < 0 {
			return nil, -1
		}
		if i += j; i+1 < len(line) && line[i+1] == '\'' {
			i += 2
			continue
		}
		break
	}
	n := p.node(scalarNode, at)
	n.text = line[at+1 : i]
	if strings.IndexByte(n.text, '\'') >= 0 {
		n.text = strings.ReplaceAll(n.text, "''", "'")
	}
	return n, i + 1
}

// collection reads [a, b] or {a: b, c: d}, not empty, on one line of ASCII.
func (p *plainReader) collection(line string, at, depth int) (*node, int) {
	for i := range len(line) {
		if line[i] >= 0x80 {
			return nil, -1 // columns count letters, not bytes
		}
	}
	kind, shut := sequenceNode, byte(']')
	if line[at] == '{' {
		kind, shut = mappingNode, '}'
	}
	n := p.node(kind, at)
	i := at + 1
	for {
		i += indentOf(line[min(i, len(line)):])
		if kind == mappingNode {
			key, value, ok := plainKey(line, i)
			if !ok || value == len(line) {
				return nil, -1
			}
			for j := range n.pairs {
				if n.pairs[j].key == key {
					return nil, -1
				}
			}
			kv := pair{key: key, line: p.first + p.at, column: i + 1}
			kv.value, i = p.flow(line, value, depth+1)
			n.pairs = append(n.pairs, kv)
		} else {
			var item *node
			item, i = p.flow(line, i, depth+1)
			n.items = append(n.items, item)
		}
		if i < 0 {
			return nil, -1
		}
		p.tokens += 3
		i += indentOf(line[i:])
		switch {
		case i >= len(line):
			return nil, -1
		case line[i] == shut:
			return n, i + 1
		case line[i] != ',' || i+1 >= len(line) || line[i+1] != ' ':
			return nil, -1
		}
		i++
	}
}

// firstByte begins a bare text that can be nothing else.
func firstByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '/' || c == '(' || c == '_'
}

// bareByte may stand in a bare text within a flow collection.
func bareByte(c byte) bool {
	return firstByte(c) || strings.IndexByte(" .-+)*$@;=<>", c) >= 0
}

// bareLine says whether a text that fills the rest of a line is a bare scalar and nothing else.
func bareLine(s string) bool {
	if !firstByte(s[0]) || s[len(s)-1] == ':' || s[len(s)-1] == ' ' {
		return false
	}
	return !strings.Contains(s, ": ") && !strings.Contains(s, " #")
}
