package report

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// What tells who and where: redact all.

var (
	userPath  = regexp.MustCompile(`(?i)(/home/|/users/|\\users\\)([^/\\\s:"']+)`)
	mail      = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`)
	ipv4      = regexp.MustCompile(`\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b`)
	ipv6      = regexp.MustCompile(`[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*`)
	hostName  = regexp.MustCompile(`\b(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}\b`)
	hostKey   = regexp.MustCompile(`(?i)\b(?:host(?:[_-]?name)?|node(?:[_-]?(?:name|id))?|server|member|pod(?:[_-]?name)?|machine|instance(?:[_-]?id)?)\\?["']?\s*[:=]\s*\\?["']?([^\s"'\\,;&(){}\[\]|<>=]+)`)
	serviceID = regexp.MustCompile(`(?i)\b(?:service(?:[_-]?(?:id|name))?|proxy[_-]?id|alloc(?:[_-]?id)?|peer(?:[_-]?(?:name|id))?|check[_-]?id)\\?["']?\s*[:=]\s*\\?["']?([^\s"'\\,;&(){}\[\]|<>=]+)`)
	userKey   = regexp.MustCompile(`(?i)\b(?:user(?:[_-]?name)?|login|account|owner)\\?["']?\s*[:=]\s*\\?["']?([^\s"'\\,;&(){}\[\]|<>=]+)`)
	renamed   = regexp.MustCompile(`^(?:host|ip|user|mail|id)-\d+$`)
)

// topLevels are the last elements of host names. Other words with dots are names of loggers, files
// and functions.
var topLevels = map[string]bool{
	"com": true, "net": true, "org": true, "edu": true, "gov": true, "io": true, "dev": true, "cloud": true, "app": true, "co": true, "de": true, "uk": true, "eu": true, "us": true, "fr": true, "nl": true, "jp": true, "cn": true, "ru": true, "info": true, "biz": true,
	"internal": true, "local": true, "lan": true, "corp": true, "home": true, "intranet": true, "consul": true, "svc": true, "example": true, "test": true, "localdomain": true, "arpa": true,
}

// codeHosts are host names that begin import paths.
var codeHosts = map[string]bool{
	"github.com": true, "gitlab.com": true, "bitbucket.org": true, "golang.org": true, "google.golang.org": true, "cloud.google.com": true, "k8s.io": true, "sigs.k8s.io": true,
	"go.uber.org": true, "go.etcd.io": true, "gopkg.in": true, "pkg.go.dev": true, "go.dev": true, "go.opentelemetry.io": true, "istio.io": true, "gocloud.dev": true, "honnef.co": true, "go.opencensus.io": true,
}

// paths replaces the user's name in a file's name.
func (r *redactor) paths(s string) string {
	return r.each(s, userPath, 2, func(v string) string { return r.name("user name", v, "user-%d") })
}

// people replaces addresses, hosts, users and ids of services.
func (r *redactor) people(s string) string {
	if len(s) < 3 {
		return s
	}
	if r.learning {
		r.learn(s, hostKey, "host name")
		r.learn(s, serviceID, "service id")
		r.learn(s, userKey, "user name")
		return s
	}
	s = r.paths(s)
	if strings.Contains(s, "@") {
		s = r.each(s, mail, 0, func(v string) string { return r.name("e-mail address", v, "mail-%d") })
	}
	if strings.Contains(s, ".") {
		s = r.each(s, ipv4, 0, r.address)
		s = r.each(s, hostName, 0, r.host)
	}
	if strings.Contains(s, ":") {
		s = r.each(s, ipv6, 0, r.address)
	}
	for _, n := range r.names {
		s = r.word(s, n)
	}
	return s
}

// learn notes the values of keys that name somebody.
func (r *redactor) learn(s string, expr *regexp.Regexp, kind string) {
	if !strings.ContainsAny(s, "=:") {
		return
	}
	for _, m := range expr.FindAllStringSubmatch(s, -1) {
		v := strings.Trim(m[1], ".-_/")
		if len(v) < 3 || renamed.MatchString(v) || strings.HasPrefix(v, "[redacted") || plainWordOf(v) {
			continue
		}
		if _, err := netip.ParseAddr(v); err == nil || strings.ContainsAny(v, "/") {
			continue
		}
		if r.kinds == nil {
			r.kinds = map[string]string{}
		}
		if r.kinds[v] == "" {
			r.kinds[v] = kind
			r.names = append(r.names, v)
		}
	}
}

// plainWordOf says that a value is a word of the language rather than a name: "node: not found".
func plainWordOf(v string) bool {
	switch strings.ToLower(v) {
	case "not", "none", "null", "nil", "true", "false", "unknown", "the", "and", "local", "localhost", "error", "failed", "default", "server", "client", "agent", "node", "consul", "vault", "nomad", "http", "https", "grpc", "tcp":
		return true
	}
	return false
}

// settle puts longer names first: one may be the beginning of another.
func (r *redactor) settle() {
	slices.SortStableFunc(r.names, func(a, b string) int { return len(b) - len(a) })
}

var nameFormats = map[string]string{"host name": "host-%d", "service id": "id-%d", "user name": "user-%d"}

// word replaces a name where it stands as a whole word.
func (r *redactor) word(s, name string) string {
	var b strings.Builder
	last, at := 0, 0
	for {
		i := strings.Index(s[at:], name)
		if i < 0 {
			break
		}
		i += at
		at = i + len(name)
		if i > 0 && nameRune(s[i-1]) || at < len(s) && nameRune(s[at]) {
			continue
		}
		b.WriteString(s[last:i])
		b.WriteString(r.name(r.kinds[name], name, nameFormats[r.kinds[name]]))
		last = at
	}
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}

func nameRune(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (r *redactor) name(kind, v, format string) string {
	if renamed.MatchString(v) {
		return v
	}
	return r.replacement(kind, v, format)
}

// address renames an IP address; what only looks like one, and what is the same on every machine, stays.
func (r *redactor) address(v string) string {
	text := strings.TrimRight(v, ".:")
	if strings.HasSuffix(v, "::") {
		text = v
	}
	a, err := netip.ParseAddr(text)
	if err != nil || a.IsLoopback() || a.IsUnspecified() || a.Is6() && strings.Count(text, ":") < 2 || a.Is4() && a.As4()[0] == 255 {
		return v
	}
	if a.Is4() && a.As4()[0] == 0 {
		return v
	}
	return r.name("IP address", text, "ip-%d") + v[len(text):]
}

func (r *redactor) host(v string) string {
	lower := strings.ToLower(v)
	top := lower[strings.LastIndexByte(lower, '.')+1:]
	if !topLevels[top] || codeHosts[lower] || strings.HasSuffix(lower, ".go") {
		return v
	}
	return r.name("host name", v, "host-%d")
}

// each replaces what a group of the expression matches.
func (r *redactor) each(s string, expr *regexp.Regexp, group int, f func(string) string) string {
	var b strings.Builder
	last := 0
	for _, m := range expr.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[2*group], m[2*group+1]
		value := s[from:to]
		got := f(value)
		if got == value {
			continue
		}
		b.WriteString(s[last:from])
		b.WriteString(got)
		last = to
	}
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}
