package report

import (
	"encoding/base64"
	"regexp"
	"strings"
	"sync"
)

// tokenForm is a secret that tells by its own form what it is. A text that has none of the literals
// is never held against the expression.
type tokenForm struct {
	kind     string
	literals []string
	form     string
	check    func(string) bool // nil: the form alone decides

	once sync.Once
	re   *regexp.Regexp
}

func (t *tokenForm) regexp() *regexp.Regexp {
	t.once.Do(func() { t.re = regexp.MustCompile(t.form) })
	return t.re
}

// tokenForms are the forms that services give their tokens, as their documentation or the rules of
// secret scanners have them.
var tokenForms = []*tokenForm{
	{kind: "vault-token", literals: []string{"hvs.", "hvb.", "hvr."}, form: `hv[sbr]\.[A-Za-z0-9_-]{20,}`},
	{kind: "vault-token", literals: []string{"s.", "b.", "r."}, form: `[sbr]\.[A-Za-z0-9]{24,26}(?:\.[A-Za-z0-9]{5})?`, check: mixed},
	{kind: "jwt", literals: []string{"eyJ"}, form: `eyJ[A-Za-z0-9_-]{13,}(?:\.[A-Za-z0-9_-]+){0,4}`},
	{kind: "aws-key", literals: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, form: `A(?:KI|SI|BI|CC)A[A-Z0-9]{16}`},
	{kind: "gcp-key", literals: []string{"AIza"}, form: `AIza[0-9A-Za-z_-]{35}`},
	{kind: "gcp-key", literals: []string{"ya29."}, form: `ya29\.[0-9A-Za-z_.-]{20,}`},
	{kind: "gcp-key", literals: []string{"GOCSPX-"}, form: `GOCSPX-[0-9A-Za-z_-]{20,}`},
	{kind: "azure-key", literals: []string{"7Q~", "8Q~"}, form: `[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}`},
	{kind: "github-token", literals: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, form: `gh[pousr]_[A-Za-z0-9]{30,}`},
	{kind: "github-token", literals: []string{"github_pat_"}, form: `github_pat_[A-Za-z0-9_]{22,}`},
	{kind: "gitlab-token", literals: []string{"glpat-", "gldt-", "glrt-", "glcbt-"}, form: `gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_.-]{20,}`},
	{kind: "slack-token", literals: []string{"xoxa-", "xoxb-", "xoxe", "xoxp-", "xoxr-", "xoxs-", "xapp-"}, form: `(?:xox[abeprs][-.]|xapp-)[A-Za-z0-9.-]{10,}`},
	{kind: "slack-token", literals: []string{"hooks.slack.com/"}, form: `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{10,}`},
	{kind: "stripe-key", literals: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, form: `(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{10,}`},
	{kind: "terraform-token", literals: []string{".atlasv1."}, form: `[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}`},
	{kind: "npm-token", literals: []string{"npm_"}, form: `npm_[A-Za-z0-9]{36}`},
	{kind: "api-key", literals: []string{"pypi-AgE"}, form: `pypi-AgE[A-Za-z0-9_-]{20,}`},
	{kind: "api-key", literals: []string{"SG."}, form: `SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}`},
	{kind: "api-key", literals: []string{"sk-ant-", "sk-proj-", "sk-svcacct-"}, form: `sk-(?:ant|proj|svcacct)-[A-Za-z0-9_-]{20,}`},
	{kind: "api-key", literals: []string{"glsa_", "glc_"}, form: `gl(?:sa|c)_[A-Za-z0-9_+/=]{20,}`},
	{kind: "api-key", literals: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, form: `do[por]_v1_[a-f0-9]{40,}`},
	{kind: "private-key", literals: []string{"AGE-SECRET-KEY-1"}, form: `AGE-SECRET-KEY-1[0-9A-Z]{20,}`},
}

// shortestToken is less than any form asks for.
const shortestToken = 13

// serviceTokens replaces the tokens that are known by their form.
func (r *redactor) serviceTokens(s string) string {
	if len(s) < shortestToken {
		return s
	}
	for _, t := range tokenForms {
		if containsAny(s, t.literals) {
			s = r.matches(s, t)
		}
	}
	return s
}

func (r *redactor) matches(s string, t *tokenForm) string {
	if t.check != nil && !longWordAfter(s, t.literals) {
		return s
	}
	var b strings.Builder
	last := 0
	for _, m := range t.regexp().FindAllStringIndex(s, -1) {
		value := s[m[0]:m[1]]
		if !begins(s, m[0]) || t.check != nil && (!t.check(value) || m[1] < len(s) && wordByte(s[m[1]])) {
			continue
		}
		b.WriteString(s[last:m[0]])
		if prefix := "hooks.slack.com/"; strings.HasPrefix(value, prefix) {
			b.WriteString(prefix)
			value = value[len(prefix):]
		}
		b.WriteString(r.secret(t.kind, value))
		last = m[1]
	}
	if last == 0 {
		return s
	}
	return b.String() + s[last:]
}

// longWordAfter says whether one of the two-byte literals begins a word and is followed by 24
// letters or digits, which keeps "errors.New" from the expression.
func longWordAfter(s string, literals []string) bool {
	for i := 1; i+24 < len(s); i++ {
		if s[i] != '.' || !begins(s, i-1) || !strings.Contains("sbr", s[i-1:i]) {
			continue
		}
		n := 0
		for n < 24 && wordByte(s[i+1+n]) {
			n++
		}
		if n == 24 {
			return true
		}
	}
	return false
}

// begins says whether a word begins at i: nothing, a mark, or an escaped line break is before it.
func begins(s string, i int) bool {
	if i == 0 || !wordByte(s[i-1]) {
		return true
	}
	return i >= 2 && s[i-2] == '\\' && strings.IndexByte("ntr", s[i-1]) >= 0 ||
		i >= 6 && s[i-6] == '\\' && s[i-5] == 'u' || i >= 3 && s[i-3] == '%'
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// mixed says whether a word looks drawn by lot: small letters, capitals and digits.
func mixed(s string) bool {
	lower, upper, digit := false, false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			lower = true
		case 'A' <= c && c <= 'Z':
			upper = true
		case '0' <= c && c <= '9':
			digit = true
		}
	}
	return lower && upper && digit
}

func containsAny(s string, literals []string) bool {
	for _, l := range literals {
		if strings.Contains(s, l) {
			return true
		}
	}
	return false
}

// uuids replaces UUIDs that are said to be a token, secret or accessor: "token 1f2e…",
// "SecretID: 1f2e…". The ids of the anonymous and the management token are no secrets.
func (r *redactor) uuids(s string) string {
	for i := 8; i+28 <= len(s); i++ {
		if s[i] != '-' || !uuidAt(s, i-8) || !begins(s, i-8) {
			continue
		}
		value := s[i-8 : i+28]
		if strings.HasPrefix(value, "00000000-0000-0000-0000-") {
			continue
		}
		kind := announced(s[:i-8])
		if kind == "" {
			continue
		}
		name := r.secret(kind, value)
		s = s[:i-8] + name + s[i+28:]
		i = i - 8 + len(name)
	}
	return s
}

// announced is the kind of secret that the end of a text names: "token ", "Secret ID: ".
func announced(before string) string {
	before = strings.TrimRight(before, " \t:='\"[(\\{")
	if rest, ok := cutSuffixFold(before, "id"); ok {
		before = strings.TrimRight(rest, " _-")
		switch {
		case hasSuffixFold(before, "accessor"):
			return "accessor-id"
		case hasSuffixFold(before, "secret"):
			return "acl-token"
		}
		return ""
	}
	switch {
	case hasSuffixFold(before, "accessor"):
		return "accessor-id"
	case hasSuffixFold(before, "secret"):
		return "acl-token"
	case !hasSuffixFold(before, "token"):
		return ""
	}
	for _, product := range [...][2]string{{"consul", "consul-token"}, {"consul_http", "consul-token"}, {"nomad", "nomad-token"}} {
		if hasSuffixFold(strings.TrimRight(before[:len(before)-len("token")], " _-"), product[0]) {
			return product[1]
		}
	}
	return "acl-token"
}

func hasSuffixFold(s, end string) bool {
	return len(s) >= len(end) && strings.EqualFold(s[len(s)-len(end):], end)
}

func cutSuffixFold(s, end string) (string, bool) {
	if !hasSuffixFold(s, end) {
		return s, false
	}
	return s[:len(s)-len(end)], true
}

func uuidAt(s string, i int) bool {
	for n := range 36 {
		c := s[i+n]
		if n == 8 || n == 13 || n == 18 || n == 23 {
			if c != '-' {
				return false
			}
		} else if !hexByte(c) {
			return false
		}
	}
	return i+36 == len(s) || !wordByte(s[i+36])
}

func hexByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// schemes replaces what follows "Bearer " and "Basic " outside of a header.
func (r *redactor) schemes(s string) string {
	for _, scheme := range [...]string{"Bearer ", "bearer ", "Basic "} {
		for from := 0; ; {
			i := strings.Index(s[from:], scheme)
			if i < 0 {
				break
			}
			start := from + i + len(scheme)
			end := start
			for end < len(s) && (wordByte(s[end]) || strings.IndexByte("-._~+/=", s[end]) >= 0) {
				end++
			}
			from = end
			value := s[start:end]
			if len(value) < 8 || isPlaceholder(value) || !begins(s, start-len(scheme)) {
				continue
			}
			if scheme == "Basic " {
				if pair, err := base64.StdEncoding.DecodeString(value); err != nil || !strings.Contains(string(pair), ":") {
					continue
				}
			} else if strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") == "" {
				continue // "bearer authentication"
			}
			name := r.secret("authorization", value)
			s = s[:start] + name + s[end:]
			from = start + len(name)
		}
	}
	return s
}

// gossipKeys replaces the keys in what "consul keyring" prints and in a keyring file, where they
// stand without a name of their own.
func (r *redactor) gossipKeys(s string) string {
	if !strings.Contains(s, "=") || !strings.Contains(s, "keyring") && !strings.Contains(s, "Keyring") && !strings.Contains(s, "gossip") {
		return s
	}
	for i := 0; i < len(s); i++ {
		if !base64Byte(s[i]) || i > 0 && base64Byte(s[i-1]) {
			continue
		}
		end := i
		for end < len(s) && base64Byte(s[end]) {
			end++
		}
		for end < len(s) && s[end] == '=' {
			end++
		}
		if strings.HasSuffix(s[i:end], "=") && gossipKey(s[i:end]) {
			name := r.secret("gossip-key", s[i:end])
			s = s[:i] + name + s[end:]
			end = i + len(name)
		}
		i = end
	}
	return s
}

func base64Byte(c byte) bool { return wordByte(c) && c != '_' || c == '+' || c == '/' }

// gossipKey says whether s is 16, 24 or 32 bytes in base64, as "consul keygen" and its like print.
func gossipKey(s string) bool {
	if len(s) != 24 && len(s) != 32 && len(s) != 44 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(s)
	return err == nil && (len(key) == 16 || len(key) == 24 || len(key) == 32)
}
