package parse

import (
	"errors"
	"fmt"
	"io"
)

// readContent tells what a file holds, once its packing is off. A protobuf
// profile is read whole and gives an incident, or a problem that says why not;
// text is then nil. Anything else gives a reader of UTF-8 text.
func readContent(name string, r io.Reader) (text io.Reader, enc encoding, in *Incident, problems []Problem) {
	var head []byte
	switch l := r.(type) {
	case *leaf:
		head = l.head
	default:
		p := peek(r)
		head, r = p.head, p
	}
	if !looksLikeProfile(head) {
		enc = detectEncoding(head)
		return enc.decode(r), enc, nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	switch {
	case err != nil:
		problems = append(problems, Problem{Code: "read-error", Message: err.Error()})
	case len(data) > maxProfile:
		problems = append(problems, Problem{Code: "profile-too-large", Message: fmt.Sprintf("a protobuf profile over %s is not read", byteSize(maxProfile))})
	default:
		in, err = parseProto(name, data)
		var other errOtherProfile
		switch {
		case errors.As(err, &other):
			problems = append(problems, Problem{Code: "profile-of-something-else", Message: err.Error()})
		case err != nil:
			problems = append(problems, Problem{Code: "profile-damaged", Message: err.Error()})
		}
	}
	return nil, enc, in, problems
}
