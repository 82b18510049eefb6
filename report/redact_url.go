package report

import "strings"

// userinfo replaces passwords in URLs and in the DSNs of MySQL.
func (r *redactor) userinfo(s string) string {
	for from := 0; ; {
		i := strings.Index(s[from:], "://")
		if i < 0 {
			break
		}
		start := from + i + len("://")
		from = start
		at := authorityAt(s, start, dataScheme(s[:start-len("://")]))
		if at < 0 {
			continue
		}
		colon := strings.IndexByte(s[start:at], ':')
		if colon >= 0 {
			start += colon + 1
		} else if at-start < 16 {
			continue // a user alone
		}
		if value := s[start:at]; !blankValue(value) && !isPlaceholder(value) {
			name := r.secret("password", value)
			s = s[:start] + name + s[at:]
			at = start + len(name)
		}
		from = at
	}
	for _, mark := range [...]string{"@tcp(", "@unix("} {
		at := strings.Index(s, mark)
		if at < 0 {
			continue
		}
		start := strings.LastIndexAny(s[:at], " \t\n\"'`=") + 1
		colon := strings.IndexByte(s[start:at], ':')
		if colon < 0 {
			continue
		}
		start += colon + 1
		if value := s[start:at]; !blankValue(value) && !isPlaceholder(value) {
			s = s[:start] + r.secret("password", value) + s[at:]
		}
	}
	return s
}

// authorityAt is the "@" behind the userinfo of a URL whose authority begins at i; -1 without one.
// A password may hold what should have been escaped: in the URL of a database the last "@" counts.
func authorityAt(s string, i int, data bool) int {
	stop := "/?#"
	end := i
	for end < len(s) && strings.IndexByte(" \t\n\r\"`<>\\", s[end]) < 0 && strings.IndexByte(stop, s[end]) < 0 {
		end++
	}
	if at := strings.LastIndexByte(s[i:end], '@'); at >= 0 || !data {
		if at < 0 {
			return -1
		}
		return i + at
	}
	for end < len(s) && strings.IndexByte(" \t\n\r\"`<>\\", s[end]) < 0 {
		end++
	}
	if at := strings.LastIndexByte(s[i:end], '@'); at >= 0 && strings.Contains(s[i:i+at], ":") {
		return i + at
	}
	return -1
}

// dataScheme says whether a URL's scheme is that of a database or a queue.
func dataScheme(before string) bool {
	for _, scheme := range [...]string{"postgres", "postgresql", "mysql", "mongodb", "mongodb+srv", "redis", "rediss", "amqp", "amqps", "sqlserver", "nats", "clickhouse", "cockroachdb"} {
		if strings.HasSuffix(before, scheme) {
			return true
		}
	}
	return false
}
