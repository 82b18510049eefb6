package report

import "strings"

const (
	blockBegin = "-----BEGIN "
	blockEnd   = "-----END "
	blockDash  = "-----"
)

// privateHead finds the first head of a private key in s.
func privateHead(s string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], blockBegin)
		if i < 0 {
			return -1
		}
		i += from
		rest := s[i+len(blockBegin):]
		line, _, _ := strings.Cut(rest[:min(len(rest), 60)], blockDash)
		if strings.Contains(line, "PRIVATE KEY") {
			return i
		}
		from = i + len(blockBegin)
	}
}

// keyBlock replaces whole private keys, whatever its lines are joined by. A key without an end
// takes the rest of the text with it.
func (r *redactor) keyBlock(s string) string {
	for {
		i := privateHead(s)
		if i < 0 {
			return s
		}
		end := len(s)
		if j := strings.Index(s[i:], blockEnd); j >= 0 {
			end = i + j + len(blockEnd)
			if k := strings.Index(s[end:], blockDash); k >= 0 {
				end += k + len(blockDash)
			} else {
				end = len(s)
			}
		}
		s = s[:i] + r.secret("private-key", keyBody(s[i:end])) + s[end:]
	}
}

// keyBody is a key without what its lines were joined by, so that equal keys are equal.
func keyBody(s string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\r", "", "\t", "", `\n`, "", `\r`, "").Replace(s)
}

// keyBlocks replaces private keys whose lines are texts of their own, as in the log lines before a
// crash, where often only the head, the middle or the end of the key is left.
func (r *redactor) keyBlocks(d *Document) {
	for _, inc := range d.Incidents {
		lines := make([]*string, 0, len(inc.Context))
		for i := range inc.Context {
			lines = append(lines, &inc.Context[i].Text)
		}
		r.keyLines(lines)
		lines = lines[:0]
		for i := range inc.Chain {
			lines = append(lines, &inc.Chain[i])
		}
		r.keyLines(lines)
	}
}

func (r *redactor) keyLines(lines []*string) {
	for n := 0; n < len(lines); n++ {
		// A block is a run of lines of key material with a head before it, an end behind it, or both.
		first, end := n, n
		head := privateHead(*lines[n])
		switch {
		case head >= 0 && !strings.Contains((*lines[n])[head:], blockEnd):
			end = n + 1
		case keyLine(*lines[n]):
		default:
			continue
		}
		for end < len(lines) && keyLine(*lines[end]) {
			end++
		}
		if end < len(lines) && strings.Contains(*lines[end], blockEnd) && strings.Contains(*lines[end], "PRIVATE KEY") {
			end++
		} else if head < 0 && (end < len(lines) && strings.Contains(*lines[end], blockEnd) || !fullKeyLine(*lines[first])) {
			continue // a certificate, or a word that only looks like a line of a key
		}
		body := ""
		for _, l := range lines[first:end] {
			body += strings.TrimSpace(*l)
		}
		if head > 0 {
			body = body[min(head, len(body)):]
		}
		name := r.secret("private-key", keyBody(body))
		for k := first; k < end; k++ {
			if k == first && head >= 0 {
				*lines[k] = (*lines[k])[:head] + name
			} else {
				*lines[k] = name
			}
		}
		n = end - 1
	}
}

// keyLine says whether a line is nothing but base64, or a header of an encrypted key.
func keyLine(s string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "Proc-Type: ") || strings.HasPrefix(s, "DEK-Info: ") {
		return true
	}
	body := strings.TrimRight(s, "=")
	if len(s) < 4 || len(s) > 80 || len(s)-len(body) > 2 {
		return false
	}
	for i := 0; i < len(body); i++ {
		if !base64Byte(body[i]) {
			return false
		}
	}
	return true
}

// fullKeyLine says whether a line is as long as a line of a key, and as mixed.
func fullKeyLine(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 60 && mixed(s)
}
