package parse

import (
	"bytes"
	"strings"
)

// banner is the block of "Label: value" lines that an agent prints when it starts.
type banner struct {
	name    string // from "==> Starting Consul agent..."; "" when none was seen
	head    int    // its line
	role    string
	product int // index+1 of the product it gave

	version string // "Version:" without a program so far
	at      int
}

// A banner's labels stand close to its head.
const bannerLines = 60

// bannerLine reads what agents print at their start:
//
//	==> Starting Consul agent...
//	           Version: '1.22.6'
//	        Build Date: '2026-01-20 12:00:00 +0000 UTC'
//	           Node ID: '…'
//	            Server: true (Bootstrap: false)
//
//	==> Vault server configuration:
//	        Go Version: go1.21.3
//	           Version: Vault v1.15.2, built 2023-11-06T11:33:28Z
//	       Version Sha: cf1b5caf…
func (s *factScanner) bannerLine(b []byte, no int) bool {
	bn := &s.banner
	if hasPrefix(b, "==> ") {
		for i := range textBanners {
			if t := &textBanners[i]; hasPrefix(b, t.prefix) {
				if bn.name != t.program || !t.run || no-bn.head > bannerLines {
					*bn = banner{name: t.program}
				}
				bn.head = no
				return true
			}
		}
		return false
	}
	i := bytes.IndexByte(b, ':')
	if i < 2 || i > 24 || i+1 < len(b) && b[i+1] != ' ' && b[i+1] != '\t' {
		return false
	}
	label, value := string(b[:i]), trimSpace(b[i+1:])
	near := bn.name != "" && no-bn.head <= bannerLines
	switch label {
	case "Version":
		if len(value) == 0 {
			return false
		}
		if name, v := namedVersion(value); name != "" { // "Vault v1.15.2, built …"
			s.bannerProduct(name, v, no)
			return true
		}
		v, n := readVersion(value, false)
		if n == 0 {
			if hasPrefix(value, "RELEASE.") && len(value) < 80 { // MinIO
				word, rest := firstWord(value)
				s.product(Product{Name: "minio", Version: string(word), How: howBanner, Line: no})
				s.goAndPlatform(rest, howBanner, no)
				return true
			}
			return false
		}
		if near {
			s.bannerProduct(bn.name, v, no)
		} else {
			bn.version, bn.at = v, no
		}
		s.goAndPlatform(value[n:], howBanner, no)
		return true
	case "Node ID", "Node name", "Datacenter", "Build Date":
		// Consul's banner without its head.
		if !near && bn.version != "" && no-bn.at <= 4 {
			*bn = banner{name: "consul", head: no, version: bn.version, at: bn.at}
			s.bannerProduct("consul", bn.version, bn.at)
		}
		return near
	case "Codename": // "traefik version"
		if bn.version != "" && no-bn.at <= 2 {
			p := Product{Name: "traefik", How: "traefik version", Line: bn.at}
			p.setVersion(bn.version)
			s.product(p)
		}
		return false
	case "Server", "Client":
		if !near {
			return false
		}
		yes, no := hasPrefix(value, "true"), hasPrefix(value, "false")
		switch {
		case label == "Server" && yes:
			bn.role = "server"
		case label == "Server" && no && bn.name == "consul", label == "Client" && yes && bn.role == "":
			bn.role = "client"
		}
		s.bannerRole()
		return true
	case "Version Sha", "Revision":
		if bn.product > 0 && near && len(value) <= 64 {
			s.f.Products[bn.product-1].Revision = strings.Trim(string(value), "'")
			return true
		}
	case "Go Version", "Go version", "Go runtime version":
		if v, n := readGoVersion(value); n > 0 {
			how := howVersion
			if near {
				how = howBanner
			}
			s.fact(&s.f.Go, v, how, no)
			return true
		}
	case "OS/Arch", "Go OS/Arch", "Platform":
		if os, arch := platform(value); os != "" {
			s.platform(os, arch, howVersion, no)
			return true
		}
	}
	return false
}

func (s *factScanner) bannerProduct(name, v string, no int) {
	p := Product{Name: name, How: howBanner, Line: no}
	p.setVersion(v)
	if q := s.product(p); q != nil {
		for i := range s.f.Products {
			if q == &s.f.Products[i] {
				s.banner.product = i + 1
			}
		}
	}
	if s.banner.name == "" {
		s.banner.name, s.banner.head = name, no
	}
	s.bannerRole()
}

func (s *factScanner) bannerRole() {
	if bn := &s.banner; bn.product > 0 && bn.role != "" {
		if p := &s.f.Products[bn.product-1]; p.Role == "" && p.How == howBanner {
			p.Role = bn.role
		}
	}
}

// namedVersion reads "Vault v1.15.2, built …" of a known program.
func namedVersion(b []byte) (name, v string) {
	word, rest := firstWord(b)
	if len(rest) == 0 {
		return "", ""
	}
	name = products[strings.ToLower(string(word[:min(len(word), 32)]))]
	if name == "" {
		return "", ""
	}
	v, n := readVersion(trimLeft(rest), false)
	if n == 0 {
		return "", ""
	}
	return name, v
}

// goAndPlatform reads a Go version and a platform that stand behind a version.
func (s *factScanner) goAndPlatform(b []byte, how string, no int) {
	if len(b) == 0 {
		return
	}
	s.fact(&s.f.Go, findGoVersion(b), how, no)
	if os, arch := platform(b); os != "" {
		s.platform(os, arch, how, no)
	}
}
