package report

import (
	"strings"
)

// secretNames are the ends of the names whose values are secrets, in lower case and without "_",
// "-" and ".". The first that fits gives the kind.
var secretNames = []struct{ end, kind string }{
	{"consultoken", "consul-token"}, {"consulhttptoken", "consul-token"}, {"consulacltoken", "consul-token"},
	{"nomadtoken", "nomad-token"}, {"vaulttoken", "vault-token"}, {"unwraptoken", "vault-token"},
	{"githubtoken", "github-token"}, {"slacktoken", "slack-token"},
	{"proxyauthorization", "authorization"}, {"authorization", "authorization"},
	{"cookie", "cookie"}, {"jsessionid", "cookie"}, {"phpsessid", "cookie"},
	{"accountkey", "azure-key"}, {"sharedaccesskey", "azure-key"},
	{"secretaccesskey", "aws-key"}, {"accesskeyid", "aws-key"},
	{"password", "password"}, {"passwd", "password"}, {"passphrase", "password"}, {"passwort", "password"}, {"pwd", "password"}, {"requirepass", "password"}, {"masterauth", "password"},
	{"secretid", "acl-token"}, {"accessorid", "accessor-id"}, {"accessor", "accessor-id"},
	{"securitytoken", "token"}, {"token", "token"}, {"jwt", "jwt"},
	{"encryptkey", "gossip-key"}, {"gossipkey", "gossip-key"},
	{"apikey", "api-key"}, {"accesskey", "api-key"}, {"authkey", "api-key"}, {"licensekey", "api-key"},
	{"privatekey", "key"}, {"secretkey", "key"}, {"signingkey", "key"}, {"encryptionkey", "key"}, {"sessionkey", "key"},
	{"masterkey", "key"}, {"sharedkey", "key"}, {"psk", "key"}, {"hmackey", "key"}, {"rootkey", "key"}, {"unsealkey", "key"},
	{"secret", "secret"}, {"credential", "secret"}, {"credentials", "secret"},
	{"xamzsignature", "signature"}, {"xgoogsignature", "signature"},
}

// wholeNames are too short to be the end of a name.
var wholeNames = map[string]string{
	"pass": "password", "pw": "password", "otp": "password", "encrypt": "gossip-key", "sig": "signature", "signature": "signature", "key": "key",
}

const longestName = 64

// secretKind is the kind of secret that a name announces; "" for an ordinary name.
func secretKind(name string) string {
	if len(name) > longestName {
		name = name[len(name)-longestName:]
	}
	var buf [longestName]byte
	n := 0
	last := 0 // where the last part of the name begins
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == '.':
			last = n
			continue
		case 'A' <= c && c <= 'Z':
			buf[n] = c + 'a' - 'A'
		default:
			buf[n] = c
		}
		n++
	}
	for i := range secretNames {
		s := &secretNames[i]
		if n >= len(s.end) && string(buf[n-len(s.end):n]) == s.end {
			return s.kind
		}
	}
	if kind, ok := wholeNames[string(buf[:n])]; ok {
		return kind
	}
	if string(buf[last:n]) == "pass" {
		return "password"
	}
	return ""
}

func nameByte(c byte) bool { return wordByte(c) || c == '-' || c == '.' }

// quotes are what a value can be quoted by, in the text of a log as well as within another quotation.
var quotes = []string{`"`, `'`, "`", `&quot;`, `&#34;`, `&#39;`, `\u0022`, `%22`}

// quoteAt is the quotation mark at i, with the backslashes before it.
func quoteAt(s string, i int) string {
	n := i
	for n < len(s) && s[n] == '\\' {
		n++
	}
	if n < len(s) && (s[n] == '"' || s[n] == '\'' && n == i || s[n] == '`' && n == i) {
		return s[i : n+1]
	}
	for _, q := range quotes[3:] {
		if strings.HasPrefix(s[i:], q) {
			return q
		}
	}
	return ""
}

// closing is where the value within the quotation mark q ends that begins at i, and whether there is
// an end at all.
func closing(s string, i int, q string) (int, bool) {
	if !strings.HasSuffix(q, `"`) {
		if n := strings.Index(s[i:], q); n >= 0 {
			return i + n, true
		}
		return len(s), false
	}
	depth := len(q) - 1
	for n := i; n < len(s); n++ {
		if s[n] != '"' {
			continue
		}
		slashes := 0
		for n-slashes > i && s[n-slashes-1] == '\\' {
			slashes++
		}
		if slashes <= depth {
			return n - slashes, true
		}
	}
	return len(s), false
}

// nameBefore is the name that stands before the separator at i.
func nameBefore(s string, i int) (start, end int) {
	for end = i; end > 0 && i-end < 3 && s[end-1] == ' '; end-- {
	}
	for trimmed := true; trimmed; {
		trimmed = false
		for _, q := range quotes {
			if strings.HasSuffix(s[:end], q) {
				end -= len(q)
				trimmed = true
			}
		}
	}
	for end > 0 && s[end-1] == '\\' {
		end--
	}
	start = end
	for start > 0 && nameByte(s[start-1]) && end-start < longestName {
		start--
	}
	return start, end
}

// fields replaces the values of names that announce a secret: key=value, "key": "value", key: value,
// key => value, map[Key:[value]], -flag value, ?key=value.
func (r *redactor) fields(s string) string {
	var b strings.Builder
	var buf [4][2]int
	last := 0
	for i := 0; i < len(s); i++ {
		sep := 1
		switch c := s[i]; {
		case c == '=':
		case c == ':':
			if strings.HasPrefix(s[i:], "://") {
				continue
			}
		case c == '%' && (strings.HasPrefix(s[i:], "%3D") || strings.HasPrefix(s[i:], "%3d")):
			sep = 3
		case (c == ' ' || c == '"' || c == ',') && i > 0 && nameByte(s[i-1]):
		default:
			continue
		}
		start, end := nameBefore(s, i)
		if start < last {
			start = last
		}
		if start >= end {
			continue
		}
		flag := s[i] == ' ' || s[i] == '"' || s[i] == ','
		if flag && s[start] != '-' {
			continue
		}
		kind := secretKind(s[start:end])
		if kind == "" {
			continue
		}
		from := i + sep
		if flag {
			if s[i] == '"' && !strings.HasPrefix(s[from:], ",") {
				continue // a name in quotation marks; a colon behind it has its turn
			}
			for from < len(s) && (s[from] == ' ' || s[from] == ',') {
				from++
			}
			if word, _, _ := strings.Cut(s[from:], " "); flagProse[word] {
				continue
			}
		}
		f := field{s: s, kind: kind, name: s[start:end], colon: s[i] == ':', query: start > 0 && (s[start-1] == '?' || s[start-1] == '&' || strings.HasPrefix(s[start:], "u0026"))}
		f.prose = f.colon && start >= 2 && s[start-1] == ' ' && wordByte(s[start-2])
		for _, v := range f.values(from, buf[:0]) {
			if v[0] < last || v[0] >= v[1] || !f.secret(v[0], v[1]) {
				continue
			}
			b.WriteString(s[last:v[0]])
			b.WriteString(r.secret(kind, s[v[0]:v[1]]))
			last = v[1]
			i = v[1] - 1
		}
	}
	if last == 0 {
		return s
	}
	return b.String() + s[last:]
}

// flagProse are words that follow the name of a flag in a sentence.
var flagProse = map[string]bool{
	"to": true, "is": true, "or": true, "and": true, "the": true, "with": true, "for": true, "was": true, "flag": true, "option": true, "not": true, "must": true, "may": true, "in": true,
}

// field is a name with a separator in a text.
type field struct {
	s, kind, name string
	colon         bool
	query         bool // of a URL
	prose         bool // the name follows another word: "invalid token: expired"
	quoted        bool // the value was
}

// values adds the places of the values that begin at i to out: one, or those of a list.
func (f *field) values(i int, out [][2]int) [][2]int {
	s := f.s
	for i < len(s) && (s[i] == ' ' || s[i] == '=' || s[i] == '>' || s[i] == ':') {
		i++
	}
	list := false
	if i < len(s) && s[i] == '[' {
		list = true
		i++
	}
	if i >= len(s) || s[i] == '{' {
		return out
	}
	q := quoteAt(s, i)
	if q == "" {
		if list {
			end := strings.IndexByte(s[i:], ']')
			if end < 0 {
				end = len(s) - i
			}
			return append(out, f.withoutScheme(i, i+end))
		}
		return append(out, f.bare(i))
	}
	f.quoted = true
	for {
		start := i + len(q)
		end, closed := closing(s, start, q)
		if !closed && q == "'" {
			return append(out, f.bare(start))
		}
		out = append(out, f.withoutScheme(start, end))
		rest := s[min(end+len(q), len(s)):]
		next := strings.TrimLeft(rest, ", ")
		if !list || !closed || len(next) == len(rest) || !strings.HasPrefix(next, q) {
			return out
		}
		i = len(s) - len(next)
	}
}

// schemeNames are kept: which scheme was used is no secret.
var schemeNames = []string{"Bearer", "Basic", "Digest", "Negotiate", "Token", "ApiKey", "AWS4-HMAC-SHA256"}

// withoutScheme leaves the scheme of an authorization header out.
func (f *field) withoutScheme(start, end int) [2]int {
	if f.kind == "authorization" {
		for _, scheme := range schemeNames {
			if n := len(scheme); end-start > n && strings.EqualFold(f.s[start:start+n], scheme) && f.s[start+n] == ' ' {
				return [2]int{start + n + 1, end}
			}
		}
	}
	return [2]int{start, end}
}

// bare is the place of a value without quotation marks.
func (f *field) bare(i int) [2]int {
	if f.kind == "cookie" && f.colon {
		end := i
		for end < len(f.s) && !lineEnd(f.s, end) && strings.IndexByte("\"'`]", f.s[end]) < 0 {
			end++
		}
		return [2]int{i, end}
	}
	if f.kind == "authorization" {
		if p := f.withoutScheme(i, len(f.s)); p[0] != i {
			i = p[0]
			if strings.HasPrefix(f.s[:i], "AWS4") || strings.HasSuffix(f.s[:i], "Digest ") || strings.HasSuffix(f.s[:i], "AWS4-HMAC-SHA256 ") {
				end := i
				for end < len(f.s) && !lineEnd(f.s, end) {
					end++
				}
				return [2]int{i, end}
			}
		}
	}
	end := i
	for end < len(f.s) && !f.ends(end) {
		end++
	}
	return [2]int{i, end}
}

// ends says whether a bare value ends before i. A comma or bracket may belong to a password, and
// ends it only where something else plainly follows.
func (f *field) ends(i int) bool {
	s := f.s
	switch c := s[i]; c {
	case ' ', '\t', '"', '\'', '`':
		return true
	case '&':
		return f.query || f.sideways(i+1)
	case '#':
		return f.query
	case ',', ';', '|':
		return f.sideways(i + 1)
	case ')', '}', ']':
		return i+1 == len(s) || strings.IndexByte(" \t\n,;:.)}]>\"'", s[i+1]) >= 0
	}
	return lineEnd(s, i)
}

// sideways says whether another field, a blank or nothing follows.
func (f *field) sideways(i int) bool {
	s := f.s
	if i >= len(s) || s[i] == ' ' || s[i] == '\n' || s[i] == '"' || s[i] == '\'' {
		return true
	}
	n := i
	for n < len(s) && (nameByte(s[n]) || s[n] == ' ') && n-i < longestName {
		n++
	}
	return n > i && n < len(s) && (s[n] == '=' || s[n] == ':')
}

// lineEnd says whether a line ends at i, as a byte or as an escape, or an escaped mark follows.
func lineEnd(s string, i int) bool {
	if s[i] == '\n' || s[i] == '\r' {
		return true
	}
	return s[i] == '\\' && i+1 < len(s) && (strings.IndexByte("nrt\"", s[i+1]) >= 0 || strings.HasPrefix(s[i:], `\u00`))
}

// secret says whether what stands at a place can be the secret that its name announces.
func (f *field) secret(start, end int) bool {
	v := f.s[start:end]
	switch {
	case isPlaceholder(v), blankValue(v), strings.HasPrefix(v, "0x") && onlyArguments(v):
		return false
	case f.kind == "gossip-key":
		return gossipKey(v)
	case f.kind == "accessor-id" && !(len(v) == 36 && uuidAt(v, 0)):
		return false
	case strings.HasPrefix(v, "00000000-0000-0000-0000-"):
		return false // the anonymous token, and the first management policy
	case f.kind == "password" && strings.HasPrefix(v, "/") && hasSuffixFold(f.name, "pwd"):
		return false // the working directory
	case f.kind != "password" && f.kind != "authorization" && len(v) < 6 && strings.Trim(v, "0123456789") == "":
		return false // "token:12" is a place in a file
	case strings.EqualFold(f.name, "key"):
		return f.query && len(v) >= 8 || len(v) >= 20 && drawn(v) && !strings.ContainsAny(v, "/.: ")
	case strings.EqualFold(f.name, "pass") && f.colon && !f.quoted && f.s[start-1] == ' ':
		return false // "--- PASS: TestOne"
	case f.kind == "signature" && f.colon:
		return len(v) >= 20 && drawn(v)
	}
	if f.quoted || !f.colon {
		return true
	}
	// Behind a colon prose is as likely as a value: "invalid token: unexpected end".
	followed := end < len(f.s)-1 && f.s[end] == ' ' && wordByte(f.s[end+1])
	if f.prose || followed && strings.Trim(v[1:], "abcdefghijklmnopqrstuvwxyz") == "" || proseEnds[v] {
		return len(v) >= 6 && drawn(v)
	}
	return true
}

// proseEnds are whole answers behind a colon: "token: expired".
var proseEnds = map[string]bool{
	"expired": true, "invalid": true, "revoked": true, "required": true, "unknown": true, "denied": true, "forbidden": true, "rejected": true, "disabled": true, "enabled": true, "incorrect": true, "wrong": true,
}

// drawn says whether a value has digits beside letters, or capitals within, as words have not.
func drawn(v string) bool {
	letters, digits, inner := false, false, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case '0' <= c && c <= '9':
			digits = true
		case 'A' <= c && c <= 'Z':
			letters = true
			inner = inner || i > 0 && 'a' <= v[i-1] && v[i-1] <= 'z'
		case 'a' <= c && c <= 'z':
			letters = true
		}
	}
	return letters && digits || inner && len(v) >= 20
}

// blankValue says whether a value stands for one that is not there or has been taken out already.
func blankValue(v string) bool {
	if v == "" || strings.Trim(v, "*xX.") == "" || strings.HasPrefix(v, "<*>") || strings.HasPrefix(v, "%") && len(v) <= 3 {
		return true
	}
	if len(v) > 24 {
		return false
	}
	if v[0] == '<' && v[len(v)-1] == '>' || v[0] == '(' && v[len(v)-1] == ')' || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "{{") {
		return true
	}
	v = strings.Trim(v, "[](){}<>")
	for _, word := range blankWords {
		if strings.EqualFold(v, word) {
			return true
		}
	}
	return v == ""
}

var blankWords = []string{"nil", "null", "none", "true", "false", "redacted", "hidden", "masked", "removed", "filtered", "sensitive", "secret", "anonymous", "undefined", "empty", "unset", "missing"}
