package parse

import (
	"slices"
	"strings"
)

// A headline with nothing behind it may be a crash whose stack was not printed or not copied
// (GOTRACEBACK=none), and it may be an error message, a changelog, a compiler's "fatal error: x.h".

// doubtful tells whether a headline's wrapper could as well be the beginning of a sentence:
// one that is known only by what stands behind it.
func doubtful(ids []wrapperID) (d doubt) {
	for _, id := range ids {
		switch id {
		case wPrefix, wHclogRelay, wGoPlugin, wCapnslog, wTLog, wLogfmt, wTag, wLineNumbers, wDiff, wEscaped:
			return doubtPrefix
		case wJSON, wCSV, wIndent, wHTML, wSuffix:
			d = doubtShape
		}
	}
	return d
}

// doubt says how little the wrapper of a headline proves.
type doubt uint8

const (
	doubtNone   doubt = iota
	doubtShape        // a member, a cell, blanks: the headline must be the runtime's own words
	doubtPrefix       // "error: rpc error: " and the like: a stack is needed
)

// quoted tells whether an incident is nothing but a headline that is more likely quoted than printed
// by a dying process.
func (b *builder) quoted() bool {
	inc := b.inc
	if inc.Kind != KindPanic && inc.Kind != KindFatal && inc.Kind != KindThrow {
		return false
	}
	if slices.Contains(b.value, "goroutine …") {
		return false // a header came, though what followed it was no frame
	}
	if !b.pre() || b.again || inc.Signal != "" || b.registers || b.sections > 0 || len(b.chain) > 1 && b.doubt != doubtPrefix || len(inc.Details) > 0 || b.torn > 0 || !b.printedByRuntime() {
		return false
	}
	msg, mark := cutRecovered(inc.Headline)
	if mark != "" {
		return false
	}
	fatal, isFatal := strings.CutPrefix(msg, "fatal error: ")
	switch b.doubt {
	case doubtPrefix:
		return true
	case doubtShape:
		if isFatal {
			return !runtimeFatal(fatal)
		}
		return !runtimePanic(strings.TrimPrefix(msg, "panic: "))
	}
	// Compilers say "fatal error: x.h: No such file", and other runtimes their own. Go's messages are known.
	return isFatal && !runtimeFatal(fatal)
}

// runtimePanic tells whether a panic's text is, as a whole, one that the runtime makes.
func runtimePanic(s string) bool {
	for _, p := range runtimePanics {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return rest == "" || strings.HasSuffix(p, " ")
		}
	}
	return false
}

// runtimePanics are the runtime's own panics; after one that ends with a blank, more follows.
var runtimePanics = []string{
	"runtime error: invalid memory address or nil pointer dereference", "runtime error: index out of range", "runtime error: index out of range ",
	"runtime error: slice bounds out of range", "runtime error: slice bounds out of range ", "runtime error: cannot convert slice with length ",
	"runtime error: integer divide by zero", "runtime error: integer overflow", "runtime error: floating point error", "runtime error: negative shift amount",
	"runtime error: hash of unhashable type ", "runtime error: comparing uncomparable type ", "runtime error: makeslice: len out of range",
	"runtime error: makeslice: cap out of range", "runtime error: growslice: len out of range", "runtime error: unsafe.", "assignment to entry in nil map",
	"close of nil channel", "close of closed channel", "send on closed channel", "makechan: size out of range", "interface conversion: ",
	"sync: negative WaitGroup counter", "sync: WaitGroup misuse: Add called concurrently with Wait", "sync: WaitGroup is reused before previous Wait has returned",
	"test timed out after ",
}

// runtimeFatal tells whether the text behind "fatal error: " is the runtime's, or the beginning of it that a terminal left.
func runtimeFatal(s string) bool {
	for _, p := range fatalMessages {
		if full, ok := strings.CutSuffix(p, " "); ok {
			if strings.HasPrefix(s, p) && len(s) < 64 && !strings.Contains(s, " when ") || strings.HasPrefix(full, s) {
				return true
			}
		} else if strings.HasPrefix(s, p) || strings.HasPrefix(p, s) {
			return true
		}
	}
	for _, p := range throwMessages {
		if strings.HasPrefix(s, p) || strings.HasPrefix(p, s) {
			return true
		}
	}
	return false
}

// throwMessages are how the runtime's throws begin that can be the last line of what was
// copied: those seen in the wild, and the words that most others begin with. In runtime/*.go of Go 1.26 and 1.27.
var throwMessages = []string{
	"runtime", "out of memory", "stack overflow", "stack growth", "stackalloc", "split stack overflow", "morestack", "newosproc", "thread exhaustion", "fault",
	"unexpected signal", "unexpected return pc", "unknown pc", "unknown caller pc", "found bad pointer", "found pointer to free object", "marking free object",
	"invalid pointer", "checkptr", "misaligned stack", "self deadlock", "sync: ", "lock", "unlock", "double ", "malloc", "mallocgc", "panic ", "failed to ", "cannot ",
	"traceback", "bad ", "index out of range", "invalid ", "string concatenation too long", "gc", "sweep", "mark", "scan", "span", "heap", "arena", "mheap", "mcentral", "mspan",
	"cgo", "callback", "schedule", "stopm", "startm", "casgstatus", "systemstack", "semrelease", "notetsleep", "futex", "epoll", "netpoll", "signal", "sigaction", "timer", "pageAlloc",
	"bulkBarrierPreWrite", "write barrier", "workbuf", "missing ", "no module data", "reflect", "unreachable", "unsafe", "wirep", "releasep", "exitsyscall", "entersyscall",
	"all goroutines are asleep", "no goroutines", "concurrent map", "finalizer", "growslice", "memory ", "mmap", "munmap", "bypassed recovery failed", "recovery failed", "nil ", "go of nil", "runqput", "runqsteal", "acquirep", "allocfreetrace", "deferproc", "gopanic", "goexit",
}
