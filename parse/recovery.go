package parse

import (
	"bytes"
	"path"
	"strings"
)

// Two web frameworks print the stack of a panic that they recovered in a form of
// their own, without a goroutine header.
//
// gin, Recovery (recovery.go, v1.3 to v1.12), perhaps behind a dump of the request:
//
//	2006/01/02 15:04:05 [Recovery] 2006/01/02 - 15:04:05 panic recovered:
//	VALUE
//	/src/store/store.go:21 (0xba8d5e)
//		(*store).get: return s.m[k]
//
// chi, middleware.Recoverer (recoverer.go, v5), the frame that panicked first:
//
//	 panic: VALUE
//
//	 -> main.(*store).get
//	 ->   /src/store/store.go:21
//
//	    main.crash
//	      /src/store/handler.go:23
//	    created by net/http.(*Server).Serve in goroutine 21
//	      /usr/local/go/src/net/http/server.go:3464

const ginRecovered = " panic recovered:"

// isGinRecovery tells whether a line announces a stack of gin's.
func isGinRecovery(b []byte) bool {
	return bytes.HasSuffix(b, []byte(ginRecovered)) && bytes.Contains(b, []byte("[Recovery] "))
}

// isChiFrame tells whether a line is the first frame of a stack of chi's.
func isChiFrame(t []byte) bool {
	name, ok := bytes.CutPrefix(t, []byte("-> "))
	return ok && len(name) > 2 && name[0] != ' ' && bytes.IndexByte(name, ' ') < 0 && bytes.IndexByte(name, '.') > 0
}

// recoveryScanner reads one such stack.
type recoveryScanner struct {
	inc   *Incident
	gin   bool
	last  []byte // gin: the newest line before the first frame, which is the value
	seen  int
	ended bool // chi: the creator's file came
	named bool // chi: a function came, its file not yet
}

// maxRecoveryLines bounds one stack, with the request before it.
const maxRecoveryLines = 1024

func newGinScanner(source string, b []byte, no int, context []ContextLine) *recoveryScanner {
	return &recoveryScanner{gin: true, inc: recovered(source, clip(b[len(b)-len(ginRecovered)+1:]), no, context)}
}

// newChiScanner begins at the first frame below a headline that was taken for a panic's.
func newChiScanner(head *Incident) *recoveryScanner {
	inc := recovered(head.Source, head.Headline, head.HeadlineLine, head.Context)
	inc.Line, inc.Reason = head.Line, strings.TrimPrefix(head.Headline, "panic: ")
	return &recoveryScanner{inc: inc}
}

func recovered(source, headline string, no int, context []ContextLine) *Incident {
	return &Incident{
		Kind: KindRecoveredPanic, Headline: headline, Died: No, Count: 1,
		Source: source, Line: no, EndLine: no, HeadlineLine: no, Context: context,
	}
}

// line takes a line; false: the stack is over, and the line is not its own.
func (r *recoveryScanner) line(b []byte, no int) bool {
	if r.seen++; r.seen > maxRecoveryLines {
		return false
	}
	if _, ok := strongHead(b); ok {
		return false
	}
	if _, ok := parseHeader(b); ok {
		return false
	}
	if r.gin {
		return r.ginLine(b, no)
	}
	return r.chiLine(b, no)
}

func (r *recoveryScanner) ginLine(b []byte, no int) bool {
	stack := r.inc.Stack
	if b = trimRight(b); len(b) == 0 {
		return len(stack) == 0 // the request's headers end in an empty line
	}
	if place, ok := ginPlace(b); ok {
		file, line, _ := splitPlace(place)
		if len(stack) == 0 {
			r.inc.Reason = clip(r.last)
			r.inc.Headline += " " + r.inc.Reason
		}
		r.inc.Stack = append(stack, Frame{File: string(file), Line: line, SourceLine: no})
		r.inc.EndLine = no
		return true
	}
	if n := len(stack); n > 0 {
		name, _, ok := bytes.Cut(b, []byte(": "))
		if b[0] != '\t' || !ok || stack[n-1].Function != "" {
			return false
		}
		stack[n-1].Function = string(trimSpace(name))
		r.inc.EndLine = no
		return true
	}
	r.last = append(r.last[:0], b...)
	return true
}

// ginPlace takes FILE:LINE (0xPC).
func ginPlace(b []byte) (place []byte, ok bool) {
	at := bytes.LastIndex(b, []byte(" (0x"))
	if at <= 0 || b[len(b)-1] != ')' || b[0] == '\t' {
		return nil, false
	}
	for _, c := range b[at+len(" (0x") : len(b)-1] {
		if !hexDigit(c) {
			return nil, false
		}
	}
	_, _, ok = splitPlace(b[:at])
	return b[:at], ok
}

func (r *recoveryScanner) chiLine(b []byte, no int) bool {
	t := trimSpace(b)
	if len(t) == 0 {
		return !r.ended
	}
	if rest, ok := bytes.CutPrefix(t, []byte("-> ")); ok {
		t = trimLeft(rest)
	} else if b[0] != ' ' || r.ended {
		return false
	}
	if r.named {
		cut, ok := isPlace(t, true)
		if !ok {
			return false
		}
		file, line, _ := splitPlace(t[:cut])
		f := r.inc.CreatedBy
		if f == nil {
			f = &r.inc.Stack[len(r.inc.Stack)-1]
		} else {
			r.ended = true
		}
		f.File, f.Line = string(file), line
		r.named = false
	} else if name, id, ok := parseCreated(t); ok {
		r.inc.CreatedBy = &Frame{Function: string(name), Goroutine: id, SourceLine: no}
		r.named = true
	} else {
		if bytes.IndexByte(t, ' ') >= 0 || bytes.IndexByte(t, '.') < 0 {
			return false
		}
		r.inc.Stack = append(r.inc.Stack, Frame{Function: string(t), SourceLine: no})
		r.named = true
	}
	r.inc.EndLine = no
	return true
}

// finish returns the incident, its frames annotated; nil if no stack came.
func (r *recoveryScanner) finish() *Incident {
	inc := r.inc
	if len(inc.Stack) == 0 {
		return nil
	}
	for i := range inc.Stack {
		f := &inc.Stack[i]
		std := false
		if r.gin {
			std = ginPackage(f)
		}
		annotate(f)
		if r.gin && PackagePath(f.Function) == "" {
			f.Std = std
		}
	}
	if inc.CreatedBy != nil {
		annotate(inc.CreatedBy)
	}
	if k := blame(inc.Stack, false); k >= 0 {
		inc.Blame = &inc.Stack[k]
	}
	return inc
}

// ginPackage puts the import path back that gin leaves out of a function's name, where the file's
// path tells it: in the standard library and in the module cache. It also says whether the file is
// the standard library's.
func ginPackage(f *Frame) (std bool) {
	dir := path.Dir(strings.ReplaceAll(f.File, `\`, "/"))
	if i := strings.Index(dir, "/pkg/mod/"); i >= 0 {
		if at := strings.Index(dir[i:], "@"); at > 0 {
			module, rest := dir[i+len("/pkg/mod/"):i+at], dir[i+at:]
			_, sub, _ := strings.Cut(rest, "/")
			f.Function = path.Join(module, sub) + "." + f.Function
		}
		return false
	}
	if i := strings.LastIndex(dir, "/go/src/"); i >= 0 {
		if pkg := dir[i+len("/go/src/"):]; IsStd(pkg + ".F") {
			f.Function = pkg + "." + f.Function
			return true
		}
	}
	return false
}
