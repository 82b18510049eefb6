package parse

import (
	"bytes"
	"strings"
	"time"
)

// opening is a line that may open an incident.
type opening struct {
	kind Kind
	text string // the headline, without what stands before it on the line
	// strong heads open an incident by themselves; the others only if a goroutine block follows soon.
	strong bool
	glued  bool // something else stands before it on the line
	no     int
	at     time.Time // when it was printed, as its line or wrapper says; zero if unknown
}

var (
	panicPrefix = []byte("panic: ")
	fatalPrefix = []byte("fatal error: ")
)

// strongHead accepts what the runtime prints at the beginning of a line when the
// process dies. indented chain lines are the incident's own business.
func strongHead(b []byte) (k Kind, ok bool) {
	if len(b) < 6 {
		return "", false
	}
	switch b[0] {
	case 'p':
		if bytes.HasPrefix(b, panicPrefix) || bytes.Equal(b, panicPrefix[:6]) {
			if bytes.HasPrefix(b, []byte("panic: test timed out after ")) {
				return KindTestTimeout, true
			}
			return KindPanic, true
		}
		if bytes.Equal(b, []byte("panic during panic")) {
			return KindThrow, true
		}
	case 'f':
		if bytes.Equal(b, fatalPrefix[:len(fatalPrefix)-1]) { // the message was broken off to the next line
			return KindThrow, true
		}
		if bytes.HasPrefix(b, fatalPrefix) {
			return fatalKind(b[len(fatalPrefix):]), true
		}
		if bytes.HasPrefix(b, []byte("fatal: morestack on g")) || bytes.HasPrefix(b, []byte("fatal: systemstack called from unexpected goroutine")) || bytes.HasPrefix(b, []byte("fatal: bad g in signal handler")) || bytes.HasPrefix(b, []byte("fatal: recursive switchToCrashStack")) {
			return KindThrow, true
		}
	case 'S', 'E':
		if isSignalHead(b) {
			return KindSignal, true
		}
	}
	return "", false
}

// fatalKind tells the user's faults, which runtime.fatal prints, from throws.
func fatalKind(msg []byte) Kind {
	for _, p := range fatalMessages {
		if bytes.HasPrefix(msg, []byte(p)) {
			return KindFatal
		}
	}
	return KindThrow
}

// fatalMessages are the messages of runtime.fatal in Go 1.19 to 1.27; each is a prefix.
var fatalMessages = []string{
	"concurrent map ", "small map with no empty slot", "sync: unlock of unlocked mutex", "sync: Unlock of unlocked RWMutex",
	"sync: RUnlock of unlocked RWMutex", "all goroutines are asleep - deadlock!", "no goroutines (main called runtime.Goexit) - deadlock!",
	"go of nil func value", "send on synctest channel", "receive on synctest channel", "close of synctest channel", "select on synctest channel",
	"stop of synctest timer", "reset of synctest timer", "synctest timer accessed", "semaphore wake of synctest", "sync: WaitGroup.Add called from",
	"removed GODEBUG ", "AllThreadsSyscall6 results differ", "maps: global variables for AES hashing", "Unexpected multiple text sections",
}

// weakHead accepts lines that recover handlers, loggers and compilers print
// before a goroutine block. The headline begins where their own words begin.
func weakHead(b []byte) (h opening, ok bool) {
	lower := bytes.Contains(b, []byte("panic"))
	if !lower && !bytes.Contains(b, []byte("PANIC")) && !bytes.Contains(b, []byte("Panic")) {
		switch {
		case bytes.Contains(b, []byte("internal compiler error: ")):
			return opening{kind: KindPanic, text: clip(b)}, true
		case isKlogFatal(b):
			return opening{kind: KindLogFatal, text: clip(b)}, true
		case bytes.Contains(b, []byte("runtime error: ")):
			return opening{kind: KindRecoveredPanic, text: clip(b[bytes.Index(b, []byte("runtime error: ")):])}, true
		case bytes.Contains(b, []byte("fatal error: ")):
			k := bytes.Index(b, fatalPrefix)
			if knownRuntime(b[k+len(fatalPrefix):]) {
				return opening{kind: fatalKind(b[k+len(fatalPrefix):]), text: clip(b[k:]), glued: true}, true
			}
		}
		return h, false
	}
	if isKlogFatal(b) {
		return opening{kind: KindLogFatal, text: clip(b)}, true
	}
	if k := bytes.Index(b, []byte(": panic serving ")); k >= 0 {
		from := k
		for from > 0 && !isBlank(b[from-1]) {
			from--
		}
		text := b[from:]
		if bytes.Contains(text, []byte(`\ngoroutine `)) {
			return h, false // in a field of a record, whose lines follow one by one
		}
		if end, _ := quotedEnd(text, 0); end >= 0 && b[0] == '{' {
			text = text[:end]
		}
		return opening{kind: KindRecoveredPanic, text: clip(text), strong: true}, true
	}
	if k := bytes.Index(b, []byte("Observed a panic")); k >= 0 {
		// k8s.io/apimachinery prints it through klog; the same words in a JSON record need the block behind them.
		strong := b[0] != '{' && bytes.Contains(b[:k], []byte(".go:"))
		if strong && b[k-1] == '"' { // klog's structured form quotes the message
			k--
		}
		return opening{kind: KindRecoveredPanic, text: clip(b[k:]), strong: strong}, true
	}
	if bytes.Contains(b, []byte("internal compiler error: ")) {
		return opening{kind: KindPanic, text: clip(b)}, true
	}
	for _, w := range recoverWords {
		if k := indexFold(b, w); k >= 0 {
			return opening{kind: KindRecoveredPanic, text: clip(b[k:])}, true
		}
	}
	if k := indexFold(b, "panic: "); k >= 0 {
		if k > 0 && b[k] == 'p' && knownRuntime(b[k+len(panicPrefix):]) {
			kind, _ := strongHead([]byte("panic: " + string(b[k+len(panicPrefix):])))
			return opening{kind: kind, text: clip(b[k:]), glued: true}, true
		}
		return opening{kind: KindRecoveredPanic, text: clip(b[k:])}, true
	}
	return h, false
}

// observedPanic tells whether a headline is the one of k8s.io/apimachinery's HandleCrash.
func observedPanic(headline string) bool {
	return strings.HasPrefix(strings.TrimPrefix(headline, `"`), "Observed a panic")
}

// recoverWords are how recover handlers announce what they caught.
var recoverWords = []string{
	"[panic recover]", "panic recovered", "recovered from panic", "recovered panic", "recovering from panic", "recovered from a panic",
	"caught panic", "caught a panic", "panic caught", "panic in ", "panic while ", "panic occurred", "handler panicked", "goroutine panicked", "panic handler",
}

// knownRuntime tells whether a panic or fatal message is one of the runtime's own.
func knownRuntime(msg []byte) bool {
	for _, p := range []string{"runtime error: ", "assignment to entry in nil map", "close of ", "send on closed channel", "interface conversion: ", "sync: ", "reflect: ", "concurrent map ", "all goroutines are asleep", "out of memory", "stack overflow", "unexpected signal", "fault", "test timed out after "} {
		if bytes.HasPrefix(msg, []byte(p)) {
			return true
		}
	}
	return false
}

// isKlogFatal accepts a klog or glog header of severity F: Fmmdd hh:mm:ss.uuuuuu PID FILE:LINE] text.
func isKlogFatal(b []byte) bool {
	return len(b) > 22 && b[0] == 'F' && isDigits(b[1:5]) && b[5] == ' ' && b[8] == ':' && b[11] == ':' && bytes.IndexByte(b, ']') > 0
}

func isDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// maxHeadline bounds a headline; values can be megabytes.
const maxHeadline = 4096

func clip(b []byte) string {
	b = trimRight(b)
	if len(b) > maxHeadline {
		b = b[:maxHeadline]
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// indexFold finds an ASCII lower-case word in b, ignoring case.
func indexFold(b []byte, word string) int {
	n := len(word)
outer:
	for i := 0; i+n <= len(b); i++ {
		for j := 0; j < n; j++ {
			c := b[i+j]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			if c != word[j] {
				continue outer
			}
		}
		return i
	}
	return -1
}

// isEndMark accepts lines that only follow a process or test that is over.
func isEndMark(b []byte) bool {
	switch {
	case len(b) < 4:
		return false
	case b[0] == 'e':
		return bytes.HasPrefix(b, []byte("exit status ")) || bytes.HasPrefix(b, []byte("exit code: "))
	case b[0] == 'F':
		return bytes.Equal(b, []byte("FAIL")) || bytes.HasPrefix(b, []byte("FAIL\t")) || bytes.HasPrefix(b, []byte("FAIL "))
	case b[0] == 's':
		return bytes.HasPrefix(b, []byte("signal: "))
	case b[0] == 'o':
		return bytes.HasPrefix(b, []byte("ok  \t"))
	}
	return false
}
