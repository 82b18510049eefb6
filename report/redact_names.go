package report

import "strings"

// identityKinds are the kinds that only the level "all" replaces, with their words.
var identityKinds = map[string]string{
	"user": "user name", "host": "host", "ip": "IP address", "email": "e-mail address", "node": "node", "service": "service",
}

// isPlaceholder says whether s is a name that a redactor gave: "redacted-jwt-2", "host-1".
func isPlaceholder(s string) bool {
	rest, secret := strings.CutPrefix(s, "redacted-")
	kind, ok := cutNumber(rest)
	if !ok {
		return false
	}
	if secret {
		for i := 0; i < len(kind); i++ {
			if c := kind[i]; c != '-' && (c < 'a' || c > 'z') {
				return false
			}
		}
		return kind != ""
	}
	_, known := identityKinds[kind]
	return known
}

// cutNumber takes "-12" off the end of a name.
func cutNumber(s string) (string, bool) {
	i := len(s)
	for i > 0 && '0' <= s[i-1] && s[i-1] <= '9' {
		i--
	}
	if i == len(s) || i == 0 || s[i-1] != '-' || s[i] == '0' || len(s)-i > 6 {
		return "", false
	}
	return s[:i-1], true
}

// prepare notes what must not be given as a name, and what looks like a host or an address and is none.
func (r *redactor) prepare(d *Document, further []*string) {
	note := func(s string) string { r.note(s); return s }
	r.each(d, further, note, note)
	if !r.all {
		return
	}
	version := func(v string) {
		if strings.Count(v, ".") >= 3 {
			r.versions[v] = true
		}
	}
	for i := range d.Facts.Products {
		version(d.Facts.Products[i].Version)
	}
	for i := range d.Facts.Modules {
		r.path(d.Facts.Modules[i].Path)
	}
	frames := func(list []Frame) {
		for i := range list {
			r.path(list[i].Function)
		}
	}
	for _, inc := range d.Incidents {
		frames(inc.Stack)
		for i := range inc.Races {
			frames(inc.Races[i].Stack)
		}
		for _, b := range inc.Buckets {
			frames(b.Frames)
			if b.CreatedBy != nil {
				r.path(b.CreatedBy.Function)
			}
		}
	}
}

// path notes the first element of an import path, which may look like a host.
func (r *redactor) path(function string) {
	if i := strings.IndexByte(function, '/'); i > 0 && strings.IndexByte(function[:i], '.') > 0 && !r.paths[function[:i]] {
		r.paths[function[:i]] = true
	}
}

// note keeps the names that the input has already.
func (r *redactor) note(s string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '-' || i == 0 || !lowerByte(s[i-1]) || i+1 == len(s) || s[i+1] < '1' || s[i+1] > '9' {
			continue
		}
		start, end := i, i+1
		for start > 0 && (lowerByte(s[start-1]) || s[start-1] == '-') {
			start--
		}
		for end < len(s) && '0' <= s[end] && s[end] <= '9' {
			end++
		}
		for name := s[start:end]; ; {
			if isPlaceholder(name) {
				r.taken[name] = true
			}
			// "\nhost-1" and "x-host-1" hold a name as well.
			cut := strings.IndexByte(name, '-')
			if cut < 0 || !strings.Contains(name[cut+1:], "-") {
				break
			}
			name = name[cut+1:]
		}
	}
}

func lowerByte(c byte) bool { return 'a' <= c && c <= 'z' }

// identities replaces who and where.
func (r *redactor) identities(s string) string {
	s = r.users(s)
	s = r.urlUsers(s)
	s = r.emails(s)
	s = r.namedPlaces(s)
	s = r.syslogHost(s)
	s = r.members(s)
	s = r.addresses(s)
	return r.domains(s)
}

// homes are where the folders of users are, each with the separator before the name.
var homes = []string{"/home/", "/Users/", `\Users\`, `\\Users\\`, `\Documents and Settings\`}

// noUsers are folders there that belong to nobody.
var noUsers = map[string]bool{"Shared": true, "Public": true, "Default": true, "All Users": true}

// users replaces the names of users in paths.
func (r *redactor) users(s string) string {
	for _, home := range homes {
		if !strings.Contains(s, home) {
			continue
		}
		for from := 0; ; {
			i := strings.Index(s[from:], home)
			if i < 0 {
				break
			}
			start := from + i + len(home)
			end := start
			for end < len(s) && (nameByte(s[end]) || s[end] >= 0x80 || s[end] == '@' || s[end] == '+') {
				end++
			}
			from = end
			if value := strings.TrimRight(s[start:end], "."); value != "" && !noUsers[value] {
				name := r.name("user", value)
				s = s[:start] + name + s[start+len(value):]
				from = start + len(name)
			}
		}
	}
	return s
}

// urlUsers replaces the users in the userinfo of URLs.
func (r *redactor) urlUsers(s string) string {
	for from := 0; ; {
		i := strings.Index(s[from:], "://")
		if i < 0 {
			return s
		}
		start := from + i + len("://")
		from = start
		at := authorityAt(s, start, false)
		if at < 0 {
			continue
		}
		user, _, _ := strings.Cut(s[start:at], ":")
		if user == "" || user == "git" || isPlaceholder(user) {
			continue
		}
		name := r.name("user", user)
		s = s[:start] + name + s[start+len(user):]
		from = start + len(name)
	}
}

// noDomains are the ends of what looks like an e-mail address: systemd units, files.
var noDomains = []string{".service", ".socket", ".slice", ".scope", ".mount", ".timer", ".target", ".go", ".git", ".log", ".txt", ".json"}

// emails replaces e-mail addresses. "git@" is no one, and "module@v1.2.3" is a version.
func (r *redactor) emails(s string) string {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '@')
		if i < 0 {
			return s
		}
		at := from + i
		from = at + 1
		start, end := at, at+1
		for start > 0 && (nameByte(s[start-1]) || s[start-1] == '+') && !escapedLetter(s, start-1) {
			start--
		}
		for end < len(s) && nameByte(s[end]) {
			end++
		}
		domain := strings.TrimRight(s[at+1:end], ".-")
		end = at + 1 + len(domain)
		dot := strings.LastIndexByte(domain, '.')
		if start == at || dot < 1 || s[start:at] == "git" || start > 0 && strings.IndexByte(":/", s[start-1]) >= 0 || strings.Trim(domain[dot+1:], "0123456789") != domain[dot+1:] || hasSuffixOf(domain, noDomains) || moduleVersion(domain) {
			continue
		}
		name := r.name("email", s[start:end])
		s = s[:start] + name + s[end:]
		from = start + len(name)
	}
}

func moduleVersion(domain string) bool {
	return len(domain) > 1 && domain[0] == 'v' && '0' <= domain[1] && domain[1] <= '9'
}

func hasSuffixOf(s string, ends []string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}
