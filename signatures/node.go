package signatures

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// node is a piece of YAML with its place. Scalars stay text as written, so that the
// version 1.10 is not the number 1.1.
type node struct {
	kind   nodeKind
	line   int
	column int
	text   string
	pairs  []pair
	items  []*node
}

type pair struct {
	key          string
	line, column int
	value        *node
}

type nodeKind uint8

const (
	nullNode nodeKind = iota
	scalarNode
	mappingNode
	sequenceNode
)

func (k nodeKind) String() string {
	return [...]string{"nothing", "a text", "a mapping", "a list"}[k]
}

// Packs come from strangers, and a YAML parser recurses, and takes time by the square of the keys of
// a mapping: what is deeper or longer than any pack has reason to be is refused before it is parsed.
const (
	maxPack   = 16 << 20
	maxDepth  = 64
	maxTokens = 5000 // of one entry
	maxText   = 64 << 10
)

// parseYAML parses a part of a pack that begins at the given line. Errors go to f, and the
// result is nil when there was one in the syntax.
func parseYAML(f *faults, text string, firstLine int) (n *node) {
	defer func() {
		if r := recover(); r != nil {
			f.add(firstLine, 1, "the YAML parser gave up: %v", r)
			n = nil
		}
	}()
	tokens := lexer.Tokenize(text)
	if !harmless(f, tokens, firstLine) {
		return nil
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		line, column, message := syntaxError(err)
		f.add(firstLine+line-1, column, "%s", message)
		return nil
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			f.add(firstLine+d.Body.GetToken().Position.Line-1, 1, "a pack is one YAML document")
			return nil
		}
		body = d.Body
	}
	if body == nil {
		return &node{line: firstLine, column: 1}
	}
	return convert(f, body, firstLine-1, 0)
}

// harmless refuses anchors, aliases, tags and depth, which no pack needs.
func harmless(f *faults, tokens token.Tokens, firstLine int) bool {
	if len(tokens) > maxTokens {
		f.add(firstLine, 1, "this is longer than any entry has reason to be: %d words", len(tokens))
		return false
	}
	depth, entries, line := 0, 0, 0
	for _, t := range tokens {
		at := t.Position
		if at == nil {
			continue
		}
		refuse := ""
		switch t.Type {
		case token.AnchorType, token.AliasType:
			refuse = "anchors and aliases are not allowed in a pack"
		case token.TagType, token.DirectiveType:
			refuse = "tags and directives are not allowed in a pack"
		case token.MergeKeyType:
			refuse = "merge keys are not allowed in a pack"
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if at.Line != line {
				line, entries = at.Line, 0
			}
			entries++
			if depth <= 0 && at.Column > 4*maxDepth && t.Type == token.SequenceEntryType {
				refuse = "the nesting is too deep"
			}
		}
		if depth > maxDepth || depth <= 0 && entries > maxDepth {
			refuse = "the nesting is too deep"
		}
		if len(t.Value) > maxText {
			refuse = fmt.Sprintf("the text is longer than %d KiB", maxText>>10)
		}
		if refuse != "" {
			f.add(firstLine+at.Line-1, at.Column, "%s", refuse)
			return false
		}
	}
	return true
}

// syntaxError takes place and message out of the library's error.
func syntaxError(err error) (line, column int, message string) {
	type positioned interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if e, ok := err.(positioned); ok {
		line, column = 1, 1
		if t := e.GetToken(); t != nil && t.Position != nil {
			line, column = t.Position.Line, t.Position.Column
		}
		return line, column, e.GetMessage()
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return 1, 1, first
}

func convert(f *faults, a ast.Node, lines, depth int) *node {
	n := &node{}
	if t := a.GetToken(); t != nil && t.Position != nil {
		n.line, n.column = lines+t.Position.Line, t.Position.Column
	}
	if depth > maxDepth {
		f.add(n.line, n.column, "the nesting is too deep")
		return n
	}
	switch a := a.(type) {
	case *ast.NullNode:
	case *ast.StringNode:
		n.kind, n.text = scalarNode, a.Value
	case *ast.LiteralNode:
		n.kind = scalarNode
		if a.Value != nil {
			n.text = a.Value.Value
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		n.kind, n.text = scalarNode, a.GetToken().Value
	case *ast.MappingNode:
		n.kind = mappingNode
		for _, v := range a.Values {
			n.pairs = append(n.pairs, convertPair(f, v, lines, depth))
		}
		if len(n.pairs) > 0 && !a.IsFlowStyle {
			n.line, n.column = n.pairs[0].line, n.pairs[0].column
		}
	case *ast.MappingValueNode:
		n.kind = mappingNode
		n.pairs = []pair{convertPair(f, a, lines, depth)}
		n.line, n.column = n.pairs[0].line, n.pairs[0].column
	case *ast.SequenceNode:
		n.kind = sequenceNode
		for _, v := range a.Values {
			n.items = append(n.items, convert(f, v, lines, depth+1))
		}
	default:
		f.add(n.line, n.column, "this kind of YAML is not allowed in a pack")
	}
	return n
}

func convertPair(f *faults, v *ast.MappingValueNode, lines, depth int) pair {
	p := pair{value: &node{}}
	if t := v.Key.GetToken(); t != nil {
		p.key = t.Value
		p.line, p.column = lines+t.Position.Line, t.Position.Column
	}
	if s, ok := v.Key.(*ast.StringNode); ok {
		p.key = s.Value
	} else if _, ok := v.Key.(*ast.MappingKeyNode); ok {
		f.add(p.line, p.column, "a key has to be a plain word")
	}
	if v.Value != nil {
		p.value = convert(f, v.Value, lines, depth+1)
	}
	if p.value.line == 0 {
		p.value.line, p.value.column = p.line, p.column
	}
	return p
}
