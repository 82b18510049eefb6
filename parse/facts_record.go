package parse

import (
	"strings"
)

// record reads versions from start records:
//
//	msg="Starting Prometheus Server" version="(version=2.45.0, branch=HEAD, revision=…)"
//	msg="Build context" build_context="(go=go1.20.5, platform=linux/amd64, …)"
//	{"msg":"starting an etcd server","etcd-version":"3.5.9","git-sha":"…","go-version":"go1.19.9","go-os":"linux","go-arch":"amd64"}
//	msg="Starting Grafana" version=10.0.1 commit=… · msg="starting containerd" revision=… version=v1.7.2
//	"Kubelet version" kubeletVersion="v1.27.3"
//	Traefik version 2.8.1 built on 2022-06-29T15:43:58Z · etcd Version: 3.3.10 · Starting k3s v1.20.2+k3s1 (1d4adb03)
func (s *factScanner) record(r *Record) {
	msg := r.Message
	if r.Format == "log" { // "cmd/web.go:111:f() [I] Gitea version: 1.22.6 built with GNU Make 4.4.1, go1.24.1"
		if i := strings.Index(msg, "] Gitea version: "); i > 0 && i < 100 {
			msg = msg[i+2:]
		}
	}
	if !isStartMessage(msg) {
		return
	}
	name, version, revision := startName(msg), "", ""
	if v := r.Fields["version"]; v != "" {
		version = v
	}
	if strings.HasPrefix(version, "(version=") || strings.Contains(msg, "(version=") {
		text := version + msg
		version = cutAt(text, "version=", ",)")
		revision = cutAt(text, "revision=", ",)")
	}
	for _, key := range [...]string{"etcd-version", "kubeletVersion", "vault version"} {
		if v := r.Fields[key]; v != "" {
			version = v
			name = map[string]string{"etcd-version": "etcd", "kubeletVersion": "kubernetes", "vault version": "vault"}[key]
		}
	}
	if version == "" { // in the message, behind the name
		version = messageVersion(msg)
	}
	for _, key := range [...]string{"revision", "git-sha", "commit"} {
		if revision == "" {
			revision = r.Fields[key]
		}
	}
	if v, n := readVersion([]byte(version), false); n > 0 && name != "" {
		p := Product{Name: name, How: howStart, Line: r.Line, Revision: cutText(revision, 64)}
		p.setVersion(v)
		s.product(p)
	}
	s.goAndPlatform([]byte(msg), howStart, r.Line)
	for _, key := range [...]string{"go-version", "goversion", "goVersion", "build_context", "context", "version"} {
		if v := r.Fields[key]; v != "" {
			s.goAndPlatform([]byte(v), howStart, r.Line)
		}
	}
	if os := r.Fields["go-os"]; goosList[os] {
		s.fact(&s.f.OS, os, howStart, r.Line)
	}
	if arch := r.Fields["go-arch"]; goarchList[arch] {
		s.fact(&s.f.Arch, arch, howStart, r.Line)
	}
}

// startName finds the program in a start message: the word behind "Starting", or the first one.
func startName(msg string) string {
	for _, p := range [...]string{"Starting ", "starting ", "started ", "an ", "the ", "Recorded ", "Running "} {
		msg = strings.TrimPrefix(msg, p)
	}
	word, _, _ := strings.Cut(msg, " ")
	low := strings.ToLower(strings.Trim(word, `"'.,:`))
	if name := products[low]; name != "" {
		return name
	}
	// Whoever follows Prometheus' form is believed under its own name: "Starting stackdriver_exporter (version=…".
	if strings.Contains(msg, "(version=") || strings.HasSuffix(low, "_exporter") {
		return low
	}
	return ""
}

// messageVersion finds the version behind a program's name.
func messageVersion(msg string) string {
	for i, w := range strings.Fields(msg) {
		if i > 5 {
			break
		}
		if v, n := readVersion([]byte(w), false); n > 0 && i > 0 {
			return v
		}
	}
	return ""
}

// cutAt returns what follows from, up to one of the stop bytes.
func cutAt(s, from, stops string) string {
	_, s, ok := strings.Cut(s, from)
	if !ok {
		return ""
	}
	s = strings.TrimPrefix(s, from)
	if i := strings.IndexAny(s, stops); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// frame reads what a frame's path and name tell: module versions, the Go
// release, the platform. It is called for the frames of buckets.
func (s *factScanner) frame(f *Frame) {
	if f.Version != "" {
		s.module(f.Module, f.Version, f.SourceLine)
		return
	}
	if !f.Std || f.File == "" {
		return
	}
	path := strings.ReplaceAll(f.File, `\`, "/")
	if i := strings.LastIndex(path, "/src/"); i > 0 {
		if v, how := gorootVersion(path[:i]); v != "" {
			s.fact(&s.f.Go, v, how, f.SourceLine)
		}
	}
	if os, arch := filePlatform(path); os != "" || arch != "" {
		s.platform(os, arch, "frame path", f.SourceLine)
	}
	if s.atLeast == "" && len(s.f.Go) == 0 {
		// Packages that appeared in a release; see the release notes of Go 1.24.
		for _, p := range [...]string{"internal/runtime/maps.", "internal/sync."} {
			if strings.HasPrefix(f.Function, p) {
				s.atLeast, s.atWhy, s.atLine = "1.24", "guess from frames of "+strings.TrimSuffix(p, "."), f.SourceLine
			}
		}
	}
}

// gorootVersion finds the release in the path of a Go tree:
//
//	/usr/local/go1.22.3   /root/sdk/go1.22.3   /opt/hostedtoolcache/go/1.22.3/x64
//	/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.22.3.linux-amd64
//	/usr/lib/go-1.22      /nix/store/…-go-1.22.3/share/go   ~/.asdf/installs/golang/1.22.3/go
//
// A path that names only the release line gives no more than that.
func gorootVersion(root string) (v, how string) {
	if _, rest, ok := strings.Cut(root, "golang.org/toolchain@v0.0.1-"); ok {
		rest, _, _ = strings.Cut(rest, "/")
		if v, n := readGoVersion([]byte(trimPlatform(rest))); n > 0 {
			return v, "toolchain module path"
		}
		return "", ""
	}
	prev := ""
	for elem := range strings.SplitSeq(root, "/") {
		num := ""
		switch {
		case strings.HasPrefix(elem, "go1."):
			num = elem[2:]
		case strings.HasPrefix(elem, "go-1."):
			num = elem[3:]
		case (prev == "go" || prev == "golang") && strings.HasPrefix(elem, "1."):
			num = elem
		default:
			if i := strings.LastIndex(elem, "-go-1."); i > 0 {
				num = elem[i+4:]
			}
		}
		prev = elem
		if num == "" {
			continue
		}
		full := "go" + trimPlatform(num)
		if got, n := readGoVersion([]byte(full)); n == len(full) {
			if strings.Count(got, ".") == 1 && !strings.Contains(got, "rc") && !strings.Contains(got, "beta") {
				return got, "GOROOT path, release line only"
			}
			return got, "GOROOT path"
		}
	}
	return "", ""
}

// trimPlatform cuts ".linux-amd64" and what distributions add: "1.22.3-r0", "1.22.3_1".
func trimPlatform(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] == '.' && i+1 < len(s) && isLetter(s[i+1]) || s[i] == '_' || s[i] == '-' {
			return s[:i]
		}
	}
	return s
}

// filePlatform reads the suffixes of a standard library file: "sys_linux_amd64.s".
func filePlatform(path string) (os, arch string) {
	base := path[strings.LastIndexByte(path, '/')+1:]
	name, _, ok := strings.Cut(base, ".")
	if !ok {
		return "", ""
	}
	if i := strings.LastIndexByte(name, '_'); i > 0 && goarchList[name[i+1:]] {
		arch = name[i+1:]
		name = name[:i]
	}
	if i := strings.LastIndexByte(name, '_'); i > 0 && goosList[name[i+1:]] {
		os = name[i+1:]
	}
	return os, arch
}
