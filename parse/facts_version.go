package parse

import (
	"bytes"
	"strings"
)

// readVersion reads a version that b begins with: "1.22.6", "v1.18.0-rc1",
// "1.15.3+ent.fips1402", "'1.2.0'". It needs two dots, or one where short is
// set; n is how much of b it took, quotes included.
func readVersion(b []byte, short bool) (v string, n int) {
	start := 0
	for start < len(b) && (b[start] == '\'' || b[start] == '"' || b[start] == '`') {
		start++
	}
	quotes := start
	if start < len(b) && (b[start] == 'v' || b[start] == 'V') {
		start++
	}
	i, dots := start, 0
	for i < len(b) {
		if isDigit(b[i]) {
			i++
			continue
		}
		if b[i] == '.' && i > start && isDigit(b[i-1]) && i+1 < len(b) && isDigit(b[i+1]) {
			dots++
			i++
			continue
		}
		break
	}
	if i == start || dots > 2 || dots < 1 || dots == 1 && !short {
		return "", 0
	}
	// Pre-release and metadata. "1.2.3." ends a sentence, "1.2.3-" is cut.
	for i < len(b) && (b[i] == '-' || b[i] == '+' || b[i] == '~') && i+1 < len(b) && (isLetter(b[i+1]) || isDigit(b[i+1])) {
		for i++; i < len(b) && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '.' && i+1 < len(b) && (isLetter(b[i+1]) || isDigit(b[i+1]))); i++ {
		}
	}
	if i < len(b) && (isLetter(b[i]) || b[i] == '_' || b[i] == '/' || b[i] == ':' && i+1 < len(b) && isDigit(b[i+1])) {
		return "", 0 // part of a name, a path, an address
	}
	v = string(b[start:i])
	for ; quotes > 0 && i < len(b) && (b[i] == '\'' || b[i] == '"' || b[i] == '`'); quotes-- {
		i++
	}
	return v, i
}

// setVersion splits a version as printed into the product's fields: Version
// keeps the pre-release and loses the metadata, whose first word is the edition
// where it is "ent" or "pro".
func (p *Product) setVersion(v string) {
	v, meta, _ := strings.Cut(v, "+")
	p.Version = v
	if _, pre, ok := strings.Cut(v, "-"); ok {
		p.Prerelease = pre
	}
	p.setMetadata(meta)
}

func (p *Product) setMetadata(meta string) {
	if meta == "" {
		return
	}
	p.Metadata = meta
	switch first, _, _ := strings.Cut(meta, "."); first {
	case "ent", "prem", "pro", "enterprise":
		p.Edition = "ent"
	}
}

// readGoVersion reads "go1.25.8", "go1.22rc1", "devel go1.27-abcdef" at b's begin.
// What Go prints behind it (" X:boringcrypto", " linux/amd64") is no part.
func readGoVersion(b []byte) (v string, n int) {
	i := 0
	if hasPrefix(b, "devel ") {
		i = len("devel ")
	}
	if !hasPrefix(b[i:], "go1") {
		return "", 0
	}
	j := i + 2
	for j < len(b) && (isDigit(b[j]) || b[j] == '.' || isLetter(b[j]) || b[j] == '-' || b[j] == '+') {
		j++
	}
	for j > 0 && (b[j-1] == '.' || b[j-1] == '-') {
		j--
	}
	rest := b[i+2 : j]
	// "go1" must be followed by ".N"; "go1x" is a name.
	if len(rest) < 3 || rest[1] != '.' || !isDigit(rest[2]) {
		return "", 0
	}
	if j-i > 40 {
		return "", 0
	}
	return string(b[:j]), j
}

// findGoVersion finds a Go version as a word of its own.
func findGoVersion(b []byte) string {
	for i := 0; i < len(b); {
		k := bytes.Index(b[i:], []byte("go1."))
		if k < 0 {
			return ""
		}
		i += k
		if i == 0 || !isLetter(b[i-1]) && !isDigit(b[i-1]) && b[i-1] != '/' && b[i-1] != '-' && b[i-1] != '_' {
			if v, n := readGoVersion(b[i:]); n > 0 && (i+n == len(b) || b[i+n] != '/') {
				return v
			}
		}
		i++
	}
	return ""
}

// goosList and goarchList are what "go tool dist list" names, and what
// programs and uname call the same.
var goosList = set("linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos aix android ios plan9 js wasip1")
var goarchList = set("amd64 386 arm arm64 ppc64 ppc64le mips mipsle mips64 mips64le riscv64 s390x loong64 wasm")

// platform finds "linux/amd64" in b.
func platform(b []byte) (os, arch string) {
	for i := 1; i < len(b); i++ {
		if b[i] != '/' {
			continue
		}
		s := i
		for s > 0 && (isLetter(b[s-1]) || isDigit(b[s-1])) {
			s--
		}
		e := i + 1
		for e < len(b) && (isLetter(b[e]) || isDigit(b[e])) {
			e++
		}
		if goosList[string(b[s:i])] && goarchList[string(b[i+1:e])] && (s == 0 || b[s-1] != '/') {
			return string(b[s:i]), string(b[i+1 : e])
		}
	}
	return "", ""
}
