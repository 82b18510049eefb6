package report

import (
	"regexp"
	"strings"
)

// pattern is one form of secret. Its expression is only tried where one of the literals occurs, in
// lower case: nearly every text has none.
type pattern struct {
	kind     string
	literals []string
	expr     *regexp.Regexp // group 1 is the secret, or the whole match where there is none
	accept   func(secret string) bool
}

// patterns are tried in this order: whole blocks, tokens that are known by their form, then what a
// key says is secret.
var patterns = []pattern{
	{kind: "private key", literals: []string{"private key"}, expr: regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)`)},
	{kind: "cookie", literals: []string{"cookie"}, expr: regexp.MustCompile(`(?i)\b(?:set-)?cookie["']?\s*[:=]\s*\[?["']?([^"'\]\r\n]+)`)},
	{kind: "authorization header", literals: []string{"authorization"}, expr: regexp.MustCompile(`(?i)\b(?:proxy-)?authorization\\?["']?\s*[:=]\s*\[?\\?["']?([^"'\]\\\r\n,]+)`)},
	{kind: "authorization header", literals: []string{"bearer ", "basic "}, expr: regexp.MustCompile(`(?i)\b(?:bearer|basic) ([A-Za-z0-9._~+/=-]{16,})`)},
	{kind: "JWT", literals: []string{"eyj"}, expr: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`)},
	{kind: "Vault token", literals: []string{"hvs.", "hvb.", "hvr."}, expr: regexp.MustCompile(`\bhv[sbr]\.[A-Za-z0-9_-]{16,}`)},
	{kind: "Vault token", literals: []string{"s.", "b.", "r."}, expr: regexp.MustCompile(`\b([sbr]\.[A-Za-z0-9]{24})(?:$|[^A-Za-z0-9_.])`), accept: mixed},
	{kind: "cloud key", literals: []string{"akia", "asia", "agpa", "aroa", "aida"}, expr: regexp.MustCompile(`\b(?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{16}\b`)},
	{kind: "cloud key", literals: []string{"aiza", "ya29."}, expr: regexp.MustCompile(`\b(?:AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,})`)},
	{kind: "cloud key", literals: []string{"accountkey=", "sharedaccesskey=", "sig="}, expr: regexp.MustCompile(`(?i)\b(?:AccountKey|SharedAccessKey|sig)=([A-Za-z0-9+/%=_-]{16,})`)},
	{kind: "API token", literals: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_", "dop_v1_", "xox", "sk-", "sk_live", "sk_test", "rk_live", "rk_test", "sg.", "atlasv1.", "hooks.slack.com/services/"},
		expr: regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|dop_v1_[a-f0-9]{40,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|sk-[A-Za-z0-9_-]{20,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{10,}\.atlasv1\.[A-Za-z0-9]{20,}|hooks\.slack\.com/services/[A-Za-z0-9/]+)`)},
	{kind: "password", literals: []string{"://"}, expr: regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:"']*:([^\s/"']+)@`)},
	{kind: "password", literals: []string{"@tcp(", "@unix("}, expr: regexp.MustCompile(`\b[A-Za-z0-9_.-]+:([^\s:/]+)@(?:tcp|unix)\(`)},
	{kind: "gossip key", literals: []string{"encrypt", "gossip", "keyring", "serf"}, expr: regexp.MustCompile(`(?i)(?:encrypt|gossip|keyring|serf)[^\n]{0,60}?(?:^|[\s"'=:\[])([A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{32}|[A-Za-z0-9+/]{43}=)(?:$|[\s"',;\])}])`), accept: mixed},
	{kind: "ACL token", literals: []string{"token", "secretid", "secret_id", "secret-id"}, expr: regexp.MustCompile(`(?i)(?:token|secret[_-]?id)[^\n]{0,24}?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})`)},
	{kind: "password", literals: []string{"passw", "pwd", "passphrase"}, expr: keyed(`[A-Za-z0-9_.-]*(?:passw(?:or)?d|passwd|pwd|passphrase)`)},
	{kind: "secret", literals: []string{"token", "secret", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key", "private_key", "privatekey", "private-key", "credential", "encryption_key", "signature", "session"},
		expr: keyed(`[A-Za-z0-9_.-]*(?:token|secret|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|encryption[_-]?key|signature|session(?:[_-]?id)?)`), accept: looksSecret},
}

// keyed matches a key, what stands between, and the value: quoted, with its quotes perhaps escaped,
// or up to the next delimiter.
func keyed(key string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b` + key + `(?:_file)?\\{0,3}["']?\s*(?:=>|[:=])\s*(?:\\{0,3}"([^"\\]+)|'([^']+)|([^\s"'\\,;&(){}\[\]|<>]+))`)
}

// mixed says that a text is no word: capitals or digits stand among its letters.
func mixed(s string) bool {
	digit := strings.ContainsAny(s, "0123456789")
	return digit && strings.ToLower(s) != s || strings.ContainsAny(s, "+/") && digit
}

// looksSecret says that a value is not just what a sentence says of a token: "token: expired".
func looksSecret(s string) bool {
	if len(s) < 6 {
		return false
	}
	return strings.ContainsAny(s, "0123456789") || len(s) >= 20 || mixed(s)
}

// secrets replaces what gives access.
func (r *redactor) secrets(s string) string {
	if r.inKey {
		if line, ok := r.keyGoesOn(s); ok {
			return line
		}
	}
	if len(s) < 8 || !strings.ContainsAny(s, "=: .-_/@") {
		return s
	}
	lower := strings.ToLower(s)
	for i := range patterns {
		p := &patterns[i]
		if !containsAny(lower, p.literals) {
			continue
		}
		s = r.replace(s, p)
		lower = strings.ToLower(s)
		if r.lines && p.kind == "private key" && strings.Contains(lower, redactedPrefix+p.kind) && !strings.Contains(lower, "-----end ") {
			r.inKey = true
		}
	}
	return s
}

// keyGoesOn replaces the lines of a private key whose first line stood in the text before; ok is
// false for a line that is none of them.
func (r *redactor) keyGoesOn(s string) (line string, ok bool) {
	t := strings.TrimSpace(s)
	switch {
	case t == "":
		return s, true
	case strings.Contains(t, "-----END "):
		r.inKey = false
	case strings.Contains(t, " ") && !strings.Contains(t, ": "): // "Proc-Type: 4,ENCRYPTED"
		r.inKey = false
		return s, false
	}
	return r.secret("private key", t), true
}

func containsAny(s string, literals []string) bool {
	for _, l := range literals {
		if strings.Contains(s, l) {
			return true
		}
	}
	return false
}

// replace puts the replacement where the expression's first group, or all of it, stands.
func (r *redactor) replace(s string, p *pattern) string {
	var b strings.Builder
	last := 0
	for _, m := range p.expr.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[0], m[1]
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 {
				from, to = m[g], m[g+1]
				break
			}
		}
		value := s[from:to]
		if from > 0 && s[from-1] == '[' && strings.HasPrefix(value, redactedPrefix[1:]) {
			continue
		}
		if value == "" || strings.Contains(value, redactedPrefix) || p.accept != nil && !p.accept(value) {
			continue
		}
		if p.kind == "authorization header" {
			if scheme, rest, ok := strings.Cut(value, " "); ok && rest != "" { // the scheme tells something, and nothing secret
				from += len(scheme) + 1
				value = rest
			}
		}
		b.WriteString(s[last:from])
		b.WriteString(r.secret(p.kind, value))
		last = to
	}
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}
