package parse

import (
	"bytes"
	"strings"
)

// infoBlock reads "consul info": groups in alphabetical order, each "name:" and
// its "key = value" lines. Pastes lose the tabs. Nomad's agent-info has the same
// form, without a build group.
//
//	build:
//		prerelease =
//		revision = 97566680
//		version = 1.22.6
//		version_metadata =
//	consul:
//		server = true
//	runtime:
//		arch = amd64
//		goroutines = 69077
//		os = linux
//		version = go1.25.8 X:boringcrypto
type infoBlock struct {
	group  string
	active bool // a "key = value" line was seen
	groups map[string]bool
	values map[string]infoValue // "build.version"
	title  string               // role that a title above it names
}

type infoValue struct {
	text string
	line int
}

// line takes a line that belongs to a block.
func (in *infoBlock) line(b []byte, no int) bool {
	if b[len(b)-1] == ':' && isGroupName(b[:len(b)-1]) {
		name := string(b[:len(b)-1])
		if in.active && (in.groups[name] || name == "agent") { // the next block
			return false
		}
		if in.groups == nil {
			in.groups = make(map[string]bool)
			in.values = make(map[string]infoValue)
		}
		if len(in.groups) < 64 {
			in.groups[name] = true
		}
		in.group = name
		return true
	}
	if in.group == "" {
		return false
	}
	key, value, ok := infoPair(b)
	if !ok {
		return false
	}
	in.active = true
	if k := in.group + "." + string(key); isInfoKey(k) {
		in.values[k] = infoValue{string(value), no}
	}
	return true
}

func isGroupName(b []byte) bool {
	for _, c := range b {
		if !(c >= 'a' && c <= 'z') && c != '_' {
			return false
		}
	}
	return len(b) >= 2 && len(b) <= 24
}

func infoPair(b []byte) (key, value []byte, ok bool) {
	i := bytes.IndexByte(b, '=')
	if i < 2 || b[i-1] != ' ' || i+1 < len(b) && b[i+1] != ' ' {
		return nil, nil, false
	}
	key = trimRight(b[:i])
	for _, c := range key {
		if !(c >= 'a' && c <= 'z') && !isDigit(c) && c != '_' && c != '.' {
			return nil, nil, false
		}
	}
	return key, trimSpace(b[i+1:]), len(key) > 0
}

func isInfoKey(k string) bool {
	switch k {
	case "build.prerelease", "build.revision", "build.version", "build.version_metadata", "consul.server", "nomad.server",
		"runtime.arch", "runtime.goroutines", "runtime.os", "runtime.version", "runtime.kernel.name":
		return true
	}
	return false
}

// endInfo writes down the block that ended, if one did. A group's name alone is none.
func (s *factScanner) endInfo() {
	in := &s.info
	if in.group == "" {
		return
	}
	title := in.title
	if !in.active {
		*in = infoBlock{title: title}
		return
	}
	get := func(k string) infoValue { return in.values[k] }
	how := howInfo
	if in.groups["nomad"] || !in.groups["build"] && !in.groups["consul"] {
		how = "agent-info"
	}
	if v := get("build.version"); v.text != "" {
		if ver, n := readVersion([]byte(v.text), false); n > 0 {
			p := Product{Name: "consul", How: how, Line: v.line, Revision: get("build.revision").text}
			p.setVersion(ver)
			if pre := get("build.prerelease").text; pre != "" && p.Prerelease == "" {
				p.Prerelease = pre
				p.Version += "-" + pre
			}
			p.setMetadata(get("build.version_metadata").text)
			switch get("consul.server").text {
			case "true":
				p.Role = "server"
			case "false":
				p.Role = "client"
			default:
				p.Role = title
			}
			s.product(p)
		}
	}
	if v := get("runtime.version"); v.text != "" {
		if goVersion, n := readGoVersion([]byte(v.text)); n > 0 {
			s.fact(&s.f.Go, goVersion, how, v.line)
		}
	}
	if v := get("runtime.os"); goosList[v.text] {
		s.fact(&s.f.OS, v.text, how, v.line)
	} else if v := get("runtime.kernel.name"); goosList[strings.ToLower(v.text)] {
		s.fact(&s.f.OS, strings.ToLower(v.text), how, v.line)
	}
	if v := get("runtime.arch"); goarchList[v.text] {
		s.fact(&s.f.Arch, v.text, how, v.line)
	}
	if v := get("runtime.goroutines"); v.text != "" {
		if _, ok := atoi([]byte(v.text)); ok && len(s.f.Goroutines) < maxFacts {
			s.f.Goroutines = append(s.f.Goroutines, Fact{Value: v.text, How: how, Source: s.source, Line: v.line})
		}
	}
	*in = infoBlock{}
}

// infoTitle remembers "Client info", "### Server info" above a block.
func (s *factScanner) infoTitle(b []byte) {
	b = bytes.Trim(b, "#*_:<>/ \t")
	if len(b) > 40 {
		return
	}
	switch low := strings.ToLower(string(b)); {
	case low == "client info" || low == "client":
		s.info.title = "client"
	case low == "server info" || low == "server":
		s.info.title = "server"
	}
}
