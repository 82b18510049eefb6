package signatures

import (
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// messageMatches says whether the incident says what a message pattern asks for.
//
// A literal is the beginning of the runtime's line and ends at the end of a word, so that
// "panic: runtime error: index out of range" fits with and without the numbers behind
// it. A pattern that begins with "panic: " also fits the text of a recovered panic,
// which stands behind somebody else's words: "http: panic serving 192.0.2.1:80: …".
// A regular expression looks into every text.
func messageMatches(t *text, inc *parse.Incident) bool {
	if textMatches(t, inc.Headline) {
		return true
	}
	if inc.Value != "" && textMatches(t, "panic: "+inc.Value) {
		return true
	}
	for _, link := range inc.Chain {
		if !strings.HasPrefix(link, "panic: ") && !strings.HasPrefix(link, "fatal error: ") {
			link = "panic: " + link
		}
		if textMatches(t, link) {
			return true
		}
	}
	switch inc.Kind {
	case parse.KindRecoveredPanic, parse.KindLogFatal, parse.KindTestTimeout, parse.KindPanic:
		return inc.Reason != "" && (textMatches(t, "panic: "+inc.Reason) || endsWith(t, inc.Headline))
	case parse.KindFatal, parse.KindThrow:
		return inc.Reason != "" && textMatches(t, "fatal error: "+inc.Reason)
	}
	return false
}

func textMatches(t *text, s string) bool {
	if t.Is == "" {
		return t.match(s)
	}
	rest, ok := strings.CutPrefix(s, t.Is)
	return ok && (rest == "" || !wordByte(rest[0]) || !wordByte(t.Is[len(t.Is)-1]))
}

// endsWith looks for the panic's text behind the words of a recover handler.
func endsWith(t *text, headline string) bool {
	core, ok := strings.CutPrefix(t.Is, "panic: ")
	if !ok || core == "" {
		return false
	}
	i := strings.Index(headline, core)
	if i <= 0 || wordByte(headline[i-1]) {
		return false
	}
	rest := headline[i+len(core):]
	return rest == "" || !wordByte(rest[0])
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// genericReasons begin the messages of the runtime: any program can print them, so they
// never tell one bug from another.
var genericReasons = []string{
	"runtime error: ", "concurrent map ", "assignment to entry in nil map", "send on closed channel",
	"close of closed channel", "close of nil channel", "interface conversion: ", "all goroutines are asleep",
	"no goroutines (main called", "stack overflow", "sync: ", "reflect: ", "reflect.", "makechan: ", "out of memory",
	"runtime: out of memory", "runtime: cannot allocate memory", "cannot allocate memory", "unexpected signal during",
	"fault", "found bad pointer", "found pointer to free", "invalid pointer found", "unknown caller pc", "EOF",
	"small map with no empty slot", "test timed out after", "quit", "abort", "DATA RACE", "thread exhaustion",
	"newosproc", "runtime.newosproc", "context canceled", "context deadline exceeded", "value method ", "panic holding locks",
	"fatal error: ", "checkptr: ", "not implemented", "unreachable", "nil", "sweep increased allocation",
	"SIGSEGV: ", "SIGBUS: ", "SIGABRT: ", "SIGILL: ", "SIGFPE: ", "SIGTRAP: ", "SIGSYS: ", "SIGQUIT: ", "Exception 0x",
}

// genericMessage says whether any Go program may say this when it dies.
func genericMessage(reason string) bool {
	reason = strings.TrimPrefix(strings.TrimPrefix(reason, "panic: "), "fatal error: ")
	for _, g := range genericReasons {
		if strings.HasPrefix(reason, g) || strings.HasPrefix(g, reason) {
			return true
		}
	}
	return false
}
