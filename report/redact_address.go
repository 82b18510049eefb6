package report

import (
	"net/netip"
	"strings"
)

// addresses replaces IP addresses but for loopback and unspecified ones.
func (r *redactor) addresses(s string) string {
	if strings.Count(s, ".") < 3 && strings.Count(s, ":") < 2 {
		return s
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !hexByte(c) && c != ':' || i > 0 && (wordByte(s[i-1]) && !begins(s, i) || strings.IndexByte(".:", s[i-1]) >= 0 && s[i] != ':') {
			continue
		}
		end := i
		for end < len(s) && (hexByte(s[end]) || s[end] == ':' || s[end] == '.') {
			end++
		}
		whole := s[i:end]
		if end < len(s) && (wordByte(s[end]) && s[end] != '_') {
			i = end
			continue
		}
		value := addressIn(whole)
		if value == "" || r.versions[value] || versionBefore(s[:i]) || versionAfter(s[i+len(value):]) {
			i = max(end-1, i)
			continue
		}
		name := r.name("ip", value)
		s = s[:i] + name + s[i+len(value):]
		i += len(name) - 1
	}
	return s
}

// addressIn is the address that text begins with, without a port; "" for none that says where.
func addressIn(text string) string {
	text = strings.TrimRight(text, ".")
	tries := []string{text, strings.TrimRight(text, ":")}
	if i := strings.IndexByte(text, ':'); i > 0 && strings.Count(text[:i], ".") == 3 {
		tries = append(tries, text[:i])
	}
	for _, t := range tries {
		if strings.Count(t, ".") != 3 && strings.Count(t, ":") < 2 {
			continue
		}
		a, err := netip.ParseAddr(t)
		if err != nil {
			continue
		}
		if a = a.Unmap(); a.IsLoopback() || a.IsUnspecified() {
			return ""
		}
		return t
	}
	return ""
}

// versionBefore says whether the words before an address make it a version.
func versionBefore(before string) bool {
	trimmed := strings.ToLower(strings.TrimRight(before[max(0, len(before)-16):], " :='\"\\"))
	for _, word := range [...]string{"version", "release", "build", "ver", " v", "@v", "/v", "upgrade to"} {
		if strings.HasSuffix(trimmed, word) {
			return true
		}
	}
	return strings.HasSuffix(before, "v") || strings.HasSuffix(before, "-") && !strings.HasSuffix(before, " -")
}

// versionAfter says whether what follows an address makes it a version: "1.22.6.1-rc1", "1.2.3.4+ent".
func versionAfter(after string) bool {
	return strings.HasPrefix(after, "+") || len(after) > 1 && (after[0] == '-' || after[0] == '_') && wordByte(after[1])
}
