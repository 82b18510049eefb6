package report

import (
	"net/netip"
	"strings"
)

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
	program, _, _ := strings.Cut(rest, " ")
	if !ok || !placeValue(host) || !strings.HasSuffix(program, ":") {
		return s
	}
	return s[:start] + r.place("host", host) + " " + rest
}

// memberWords stand before the name of a node in what serf and Consul log.
var memberWords = []string{
	"EventMemberJoin: ", "EventMemberLeave: ", "EventMemberFailed: ", "EventMemberUpdate: ", "EventMemberReap: ", " LAN server ", " WAN server ", "eader elected: ", "known node: ",
}

// members replaces the names of nodes in those lines. "name.dc1" is name in a datacenter.
func (r *redactor) members(s string) string {
	for _, word := range memberWords {
		i := strings.Index(s, word)
		if i < 0 {
			continue
		}
		start := i + len(word)
		end := start
		for end < len(s) && wordByte(s[end]) || end < len(s) && s[end] == '-' {
			end++
		}
		if value := s[start:end]; placeValue(value) && distinct(value) {
			s = s[:start] + r.place("host", value) + s[end:]
		}
	}
	return s
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
		if !wordByte(s[i]) || escapedLetter(s, i) || i > 0 && (nameByte(s[i-1]) && !begins(s, i) || s[i-1] == '.' || s[i-1] == '-') {
			continue
		}
		end := i
		for end < len(s) && nameByte(s[end]) {
			end++
		}
		word := strings.TrimRight(s[i:end], ".-_")
		url := i >= 3 && s[i-3:i] == "://" || i >= 1 && s[i-1] == '@' && strings.Contains(s[max(0, i-80):i], "://")
		if i > 0 && s[i-1] == '/' && !url || !r.host(word, url, s[i+len(word):]) { // an element of a path is no host
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
	case "consul", "lan", "local", "svc", "home", "private", "internal", "example", "app", "io", "net":
		return strings.ContainsAny(lower, "0123456789-") || strings.Count(lower, ".") == 1 && lower[dot+1:] != "svc" && lower[dot+1:] != "lan" && lower[dot+1:] != "home" && lower[dot+1:] != "private" && len(lower[:dot]) > 3 && strings.ContainsAny(after[:min(len(after), 1)], ":/ ") ||
			strings.Contains(lower, ".service.") || strings.Contains(lower, ".node.") || strings.Contains(lower, ".svc.")
	}
	return true
}

// escapedLetter says whether the letter at i belongs to an escape: the n of "\n" in the text of a log.
func escapedLetter(s string, i int) bool {
	return i > 0 && s[i-1] == '\\' && strings.IndexByte("ntr", s[i]) >= 0
}

// knownHosts replaces the hosts that were found elsewhere, wherever they stand as a word.
func (r *redactor) knownHosts(s string) string {
	if len(r.hosts)+len(r.shorts) == 0 {
		return s
	}
	for i := 0; i < len(s); i++ {
		if !wordByte(s[i]) || escapedLetter(s, i) {
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
