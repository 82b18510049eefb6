package report

import (
	"net/netip"
	"strings"
)

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
		for start > 0 && (nameByte(s[start-1]) || s[start-1] == '+') {
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

// placeNames are the names of fields whose values say who or where, without "_", "-" and ".".
var placeNames = map[string]string{
	"host": "host", "hostname": "host", "fqdn": "host", "server": "host", "servername": "host", "serverid": "host", "member": "host", "machine": "host", "instance": "host",
	"pod": "host", "podname": "host", "peername": "host", "addr": "host", "address": "host", "remoteaddr": "host", "localaddr": "host", "peeraddr": "host", "clientaddr": "host",
	"node": "node", "nodename": "node", "nodeid": "node", "nodemeta": "node",
	"service": "service", "serviceid": "service", "servicename": "service", "proxyid": "service", "destinationservice": "service",
	"user": "user", "username": "user", "login": "user", "email": "email", "uname": "user",
}

// namedPlaces replaces the values of fields such as host=, node_name: and "service_id".
func (r *redactor) namedPlaces(s string) string {
	var b strings.Builder
	last := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '=' && s[i] != ':' || strings.HasPrefix(s[i:], "://") || i+1 == len(s) {
			continue
		}
		start, end := nameBefore(s, i)
		start = max(start, last)
		if start >= end || end-start > 24 {
			continue
		}
		kind := placeNames[plainName(s[start:end])]
		if kind == "" {
			continue
		}
		f := field{s: s, kind: kind, name: s[start:end], colon: s[i] == ':'}
		for _, v := range f.values(i+1, nil) {
			value, from, to := s[v[0]:v[1]], v[0], v[1]
			if host, _, ok := strings.Cut(value, ":"); ok && kind == "host" && strings.Count(value, ":") == 1 {
				value, to = host, from+len(host)
			}
			// Behind a colon only a name that cannot be a word of a sentence is certain.
			if from < last || !placeValue(value) || f.colon && !f.quoted && !distinct(value) {
				continue
			}
			b.WriteString(s[last:from])
			b.WriteString(r.place(kind, value))
			last, i = to, to-1
		}
	}
	if last == 0 {
		return s
	}
	return b.String() + s[last:]
}

// place names a host or node and has it looked for elsewhere too; one machine has one name.
func (r *redactor) place(kind, value string) string {
	if kind == "node" && !strings.ContainsAny(value, ".") || kind == "host" {
		if name, ok := r.hosts[value]; ok {
			return name
		}
	}
	name := r.name(kind, value)
	if kind == "host" || kind == "node" {
		if distinct(value) {
			r.hosts[value] = name
		}
		if short, _, ok := strings.Cut(value, "."); ok && distinct(short) {
			r.shorts[short] = true
		}
	}
	return name
}

// plainName is a name in lower case without marks.
func plainName(s string) string {
	if strings.IndexAny(s, "_-.") < 0 && strings.ToLower(s) == s {
		return s
	}
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(s))
}

// placeValue says whether a value can be a name: no address, number, path or stand-in.
func placeValue(v string) bool {
	if blankValue(v) || isPlaceholder(v) || len(v) < 2 || len(v) > 253 || v == "localhost" || strings.ContainsAny(v, " \t\n()<>{}[]=\"\\") {
		return false
	}
	if strings.Trim(v, "0123456789.:-_/*") == "" || strings.HasPrefix(v, "0x") || strings.HasPrefix(v, "/") {
		return false
	}
	_, err := netip.ParseAddr(v)
	return err != nil
}

// distinct says whether a name can be told from a word: it has a digit or a hyphen in it.
func distinct(v string) bool {
	return len(v) >= 4 && strings.ContainsAny(v, "0123456789-") && strings.Trim(v, "0123456789-.") != ""
}

// syslogHost replaces the host in a prefix that no wrapper took off: "Mar  3 10:11:12 web-7 app[12]: ".
func (r *redactor) syslogHost(s string) string {
	const stamp = "Jan _2 15:04:05 "
	i := 0
	if strings.HasPrefix(s, "<") {
		i = strings.IndexByte(s[:min(len(s), 6)], '>') + 1
	}
	if len(s) < i+len(stamp)+4 {
		return s
	}
	t := s[i : i+len(stamp)]
	if !strings.Contains("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", t[:3]) || t[3] != ' ' || t[6] != ' ' || t[9] != ':' || t[12] != ':' || t[15] != ' ' {
		return s
	}
	start := i + len(stamp)
	host, rest, ok := strings.Cut(s[start:], " ")
	if !ok || !placeValue(host) || !strings.Contains(rest, ": ") && !strings.HasSuffix(rest, ":") {
		return s
	}
	return s[:start] + r.place("host", host) + " " + rest
}

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

// topDomains are the ends of host names that are no ends of files, fields or methods.
var topDomains = map[string]bool{
	"com": true, "org": true, "net": true, "edu": true, "gov": true, "io": true, "dev": true, "cloud": true, "app": true, "tech": true, "internal": true, "local": true,
	"lan": true, "corp": true, "intra": true, "intranet": true, "private": true, "localdomain": true, "home": true, "consul": true, "arpa": true, "example": true, "invalid": true,
	"de": true, "uk": true, "fr": true, "nl": true, "eu": true, "ch": true, "jp": true, "br": true, "ru": true, "cn": true, "au": true, "kr": true, "pl": true, "cz": true, "dk": true, "fi": true, "il": true,
	"svc": true, "biz": true,
}

// noHosts are domains that everybody knows, most of them the front of import paths.
var noHosts = map[string]bool{
	"github.com": true, "gitlab.com": true, "bitbucket.org": true, "codeberg.org": true, "golang.org": true, "go.dev": true, "pkg.go.dev": true, "google.golang.org": true, "gopkg.in": true,
	"go.uber.org": true, "go.etcd.io": true, "go.opentelemetry.io": true, "k8s.io": true, "sigs.k8s.io": true, "cloud.google.com": true, "example.com": false, "proxy.golang.org": true, "docs.docker.com": true,
	"www.hashicorp.com": true, "developer.hashicorp.com": true, "www.consul.io": true, "kubernetes.io": true, "docker.io": true, "quay.io": true, "gcr.io": true, "ghcr.io": true,
}

// domains replaces fully qualified host names, host names in URLs, and AWS's ip-10-0-0-1.
func (r *redactor) domains(s string) string {
	if strings.IndexByte(s, '.') < 0 && !strings.Contains(s, "ip-") && !strings.Contains(s, "://") {
		return s
	}
	for i := 0; i < len(s); i++ {
		if !wordByte(s[i]) || i > 0 && (nameByte(s[i-1]) && !begins(s, i) || s[i-1] == '.' || s[i-1] == '-') {
			continue
		}
		end := i
		for end < len(s) && nameByte(s[end]) {
			end++
		}
		word := strings.TrimRight(s[i:end], ".-_")
		url := i >= 3 && s[i-3:i] == "://" || i >= 1 && s[i-1] == '@' && strings.Contains(s[max(0, i-80):i], "://")
		if !r.host(word, url, s[i+len(word):]) {
			i = max(end-1, i)
			continue
		}
		host := word
		for _, ext := range [...]string{".log", ".txt", ".json", ".gz", ".tar"} {
			host = strings.TrimSuffix(host, ext)
		}
		name := r.place("host", host)
		s = s[:i] + name + s[i+len(host):]
		i += len(name) - 1 + len(word) - len(host)
	}
	return s
}

// host says whether a word names a machine. In a URL everything does that is no public forge.
func (r *redactor) host(word string, url bool, after string) bool {
	lower := strings.ToLower(word)
	if isPlaceholder(lower) || noHosts[lower] || r.paths[word] || lower == "localhost" {
		return false
	}
	if _, err := netip.ParseAddr(word); err == nil {
		return false
	}
	if url {
		return word != "" && !strings.HasPrefix(lower, "redacted-")
	}
	if rest, ok := strings.CutPrefix(lower, "ip-"); ok {
		first, _, _ := strings.Cut(rest, ".")
		if strings.Count(first, "-") == 3 && strings.Trim(first, "0123456789-") == "" {
			return true
		}
	}
	for _, ext := range [...]string{".log", ".txt", ".json", ".gz", ".tar"} {
		lower = strings.TrimSuffix(lower, ext)
	}
	dot := strings.LastIndexByte(lower, '.')
	if dot <= 0 || !topDomains[lower[dot+1:]] || strings.Contains(lower, "_") || strings.Contains(lower, "..") || strings.HasPrefix(after, "(") || strings.HasPrefix(after, "=") {
		return false
	}
	// "agent.server.consul" could be a logger; a host there has a digit, a hyphen or a known end.
	switch lower[dot+1:] {
	case "consul", "local", "svc", "home", "private", "internal", "example", "app", "io", "net":
		return strings.ContainsAny(lower, "0123456789-") || strings.Count(lower, ".") == 1 && lower[dot+1:] != "svc" && lower[dot+1:] != "home" && lower[dot+1:] != "private" && len(lower[:dot]) > 3 && strings.ContainsAny(after[:min(len(after), 1)], ":/ ") ||
			strings.Contains(lower, ".service.") || strings.Contains(lower, ".node.") || strings.Contains(lower, ".svc.")
	}
	return true
}

// knownHosts replaces the hosts that were found elsewhere, wherever they stand as a word.
func (r *redactor) knownHosts(s string) string {
	if len(r.hosts)+len(r.shorts) == 0 {
		return s
	}
	for i := 0; i < len(s); i++ {
		if !wordByte(s[i]) {
			continue
		}
		end := i
		for end < len(s) && nameByte(s[end]) {
			end++
		}
		for word := strings.TrimRight(s[i:end], ".-_"); word != ""; {
			name, ok := r.hosts[word]
			if !ok && r.shorts[word] {
				name, ok = r.name("host", word), true
			}
			if ok {
				s = s[:i] + name + s[i+len(word):]
				end += len(name) - len(word)
				break
			}
			dot := strings.LastIndexByte(word, '.')
			word = word[:max(dot, 0)]
		}
		i = end
	}
	return s
}
