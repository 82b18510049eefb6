package parse

import (
	"bytes"
	"strings"
)

// gin's Recovery prints stacks of its own:
//
//	[Recovery] 2006/01/02 - 15:04:05 panic recovered:
//	GET / HTTP/1.1 …
//	VALUE
//	/src/x.go:12 (0x4f5a)
//	⇥(*T).Method: source line
//
// The place comes first, the function has no package, and there is no goroutine. Packages of the standard
// library and of the module cache stand in the path; others stay unknown.

// ginReach is how many lines may stand between gin's headline and the stack: the request.
const ginReach = 80

// ginPlace returns the length of "FILE:LINE" in "FILE:LINE (0xPC)".
func ginPlace(t []byte) int {
	if len(t) < 12 || t[len(t)-1] != ')' {
		return 0
	}
	k := bytes.LastIndex(t, []byte(" (0x"))
	if k < 4 || !isHex(t[k+4:len(t)-1]) {
		return 0
	}
	if _, ok := isPlace(t[:k], true); !ok {
		return 0
	}
	return k
}

// ginFunction returns the name in "⇥NAME: CODE".
func ginFunction(b, t []byte) []byte {
	if len(t) == len(b) {
		return nil
	}
	k := bytes.Index(t, []byte(": "))
	if k < 0 && t[len(t)-1] == ':' {
		k = len(t) - 1
	}
	if k <= 0 || bytes.IndexByte(t[:k], ' ') >= 0 {
		return nil
	}
	return t[:k]
}

// ginLine takes a line of such a stack outside of any block: a place, and the function behind it.
func (s *lineStream) ginLine(b, t []byte, no int) bool {
	if len(s.place) > 0 && s.placeNo == no-1 {
		if name := ginFunction(b, t); name != nil {
			s.openGin()
			s.ginFrame(name, no)
			return true
		}
	}
	s.place = s.place[:0]
	k := ginPlace(t)
	if k == 0 {
		return false
	}
	s.place, s.placeNo = append(s.place, t[:k]...), no
	s.ginValue = s.newest()
	return true
}

// openGin opens the incident: a recover handler that lets the process live.
func (s *lineStream) openGin() {
	h := opening{kind: KindRecoveredPanic, no: s.placeNo}
	if s.recovery > 0 && s.placeNo-s.recovery <= ginReach {
		h.no, h.text = s.recovery, "panic recovered:"
		if s.prevNo > s.recovery {
			h.text += " " + s.ginValue
		}
	}
	s.weak, s.recovery = opening{}, 0
	s.open(h)
	s.inc.gin, s.inc.inc.Died = true, No
	s.g.start(header{}, s.placeNo, false)
	s.g.orphan, s.g.bare, s.g.gin = true, true, true
}

// ginFrame adds the place that came last, and its function.
func (s *lineStream) ginFrame(name []byte, no int) {
	fn := qualify(name, s.place)
	s.g.add(fn, len(fn), no, partFunction)
	s.g.add(bytes.Clone(s.place), len(s.place), s.placeNo, partFile)
	s.g.last = no
	s.place = s.place[:0]
}

// ginBlock takes a line inside such a stack.
func (s *lineStream) ginBlock(b []byte, no int) bool {
	b = trimRight(b)
	t := trimLeft(b)
	if len(t) > 0 && !s.g.blank {
		if len(s.place) > 0 {
			if name := ginFunction(b, t); name != nil {
				s.ginFrame(name, no)
				return true
			}
		} else if k := ginPlace(t); k > 0 {
			s.place, s.placeNo = append(s.place[:0], t[:k]...), no
			return true
		}
	} else if len(t) == 0 {
		s.g.blank = true
		return true
	}
	s.place = s.place[:0]
	s.closeIncident()
	return false
}

// qualify puts the package in front of a function's name where the file's path tells it.
func qualify(name, file []byte) []byte {
	pkg := ""
	path := string(file[:max(bytes.LastIndexByte(file, '/'), 0)])
	if _, mod, ok := strings.Cut(path, "/pkg/mod/"); ok {
		path = mod
	}
	if at := strings.IndexByte(path, '@'); at > 0 && path[0] != '/' {
		pkg = path[:at]
		if k := strings.IndexByte(path[at:], '/'); k > 0 {
			pkg += path[at+k:]
		}
	} else if k := strings.LastIndex(path, "/src/"); k >= 0 && strings.Contains(path[:k], "/go") {
		pkg = path[k+len("/src/"):]
		if !IsStd(pkg + ".f") {
			pkg = ""
		}
	} else if path != "" && path[0] != '/' && IsStd(path+".f") {
		pkg = path
	}
	if pkg == "" || strings.Contains(pkg, "!") {
		return bytes.Clone(name)
	}
	return append([]byte(pkg+"."), name...)
}

// blameUnnamed is blame for stacks whose functions have no package: those are the program's own.
func blameUnnamed(st []Frame) int {
	from := panicDepth(st) + 1
	for i := from; i < len(st); i++ {
		if PackagePath(st[i].Function) == "" || !IsStd(st[i].Function) {
			st[i].Std = false
			return i
		}
	}
	return -1
}
