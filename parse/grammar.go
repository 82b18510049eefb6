package parse

import (
	"bytes"
)

// The line grammar of runtime/traceback.go, runtime/panic.go and
// runtime/signal_unix.go, Go 1.26 and 1.27, with the older forms back to 1.5.
// Everything here looks at one line without its wrapper and allocates nothing.

// header is a goroutine header line:
//
//	goroutine N [ gp=0xH m=N|nil [ mp=0xH ] ] [STATE{, FIELD}] [{LABELS}]:
type header struct {
	id      int64
	state   []byte // without (leaked), (scan), (durable) and labels
	minutes int
	hasWait bool
	locked  bool
	leaked  bool
	durable bool
	labels  []byte
	rest    []byte // what stands on the line behind the colon: glued by a paste
}

var goroutinePrefix = []byte("goroutine ")

// parseHeader reads a goroutine header at the beginning of the line.
func parseHeader(b []byte) (h header, ok bool) {
	if !bytes.HasPrefix(b, goroutinePrefix) {
		return h, false
	}
	i := len(goroutinePrefix)
	start := i
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		if i-start > 18 {
			return h, false
		}
		h.id = h.id*10 + int64(b[i]-'0')
		i++
	}
	if i == start || i+1 >= len(b) || b[i] != ' ' {
		return h, false
	}
	i++
	if b[i] != '[' { // gp=0x… m=… mp=0x…
		k := bytes.IndexByte(b[i:], '[')
		if k < 0 || k > 64 || !bytes.HasPrefix(b[i:], []byte("gp=")) && !bytes.HasPrefix(b[i:], []byte("m=")) {
			return h, false
		}
		i += k
	}
	i++
	// The bracket ends at the first "]" outside quotes: labels of 1.26 stand inside and may hold one.
	end, quoted := -1, false
	for j := i; j < len(b); j++ {
		switch c := b[j]; {
		case quoted && c == '\\':
			j++
		case c == '"':
			quoted = !quoted
		case c == ']' && !quoted:
			end = j
		}
		if end >= 0 {
			break
		}
	}
	if end < 0 {
		return h, false
	}
	in := b[i:end]
	after := b[end+1:]
	if k := bytes.Index(in, []byte(" labels:{")); k >= 0 {
		h.labels = in[k+len(" labels:"):]
		in = in[:k]
	}
	h.state, in = cutByte(in, ',')
	for len(in) > 0 {
		var f []byte
		f, in = cutByte(trimLeft(in), ',')
		switch {
		case bytes.HasSuffix(f, []byte(" minutes")):
			if n, ok := atoi(f[:len(f)-len(" minutes")]); ok {
				h.minutes, h.hasWait = n, true
			}
		case bytes.Equal(f, []byte("locked to thread")):
			h.locked = true
		}
	}
	for {
		switch {
		case bytes.HasSuffix(h.state, []byte(" (leaked)")):
			h.leaked, h.state = true, h.state[:len(h.state)-len(" (leaked)")]
			continue
		case bytes.HasSuffix(h.state, []byte(" (scan)")):
			h.state = h.state[:len(h.state)-len(" (scan)")]
			continue
		case bytes.HasSuffix(h.state, []byte(" (durable)")):
			h.durable, h.state = true, h.state[:len(h.state)-len(" (durable)")]
			continue
		}
		break
	}
	after = trimLeft(after)
	if len(after) > 0 && after[0] == '{' { // labels of 1.27
		if k := labelsEnd(after); k > 0 {
			h.labels, after = after[:k], after[k:]
		}
	}
	if len(after) > 0 && after[0] == ':' {
		after = after[1:]
	} else if len(after) > 0 {
		return h, false
	}
	h.rest = trimSpace(after)
	return h, true
}

// quickHeader reads the commonest headers at the beginning of data: no labels,
// nothing but a wait of minutes behind the state. end is behind the colon. It
// reports false for every other line; parseHeader then has the word.
func quickHeader(b []byte) (h header, end int, ok bool) {
	if len(b) < 32 || string(b[:len("goroutine ")]) != "goroutine " {
		return h, 0, false
	}
	i := len("goroutine ")
	for ; i < 28 && isDigit(b[i]); i++ {
		h.id = h.id*10 + int64(b[i]-'0')
	}
	if i == len("goroutine ") || b[i] != ' ' {
		return h, 0, false
	}
	i++
	if b[i] == 'g' && b[i+1] == 'p' && b[i+2] == '=' {
		k := bytes.IndexByte(b[i:min(len(b), i+64)], '[')
		if k < 0 {
			return h, 0, false
		}
		i += k
	} else if b[i] != '[' {
		return h, 0, false
	}
	i++
	from := i
	for i < len(b) && (b[i] >= 'a' && b[i] <= 'z' || b[i] >= 'A' && b[i] <= 'Z' || b[i] == ' ' || b[i] == '.') {
		i++
	}
	h.state = b[from:i]
	if i+1 < len(b) && b[i] == ',' && b[i+1] == ' ' {
		i += 2
		from = i
		for ; i < len(b) && isDigit(b[i]) && i < from+9; i++ {
			h.minutes = h.minutes*10 + int(b[i]-'0')
		}
		if i == from || len(b)-i < len(" minutes") || string(b[i:i+len(" minutes")]) != " minutes" {
			return h, 0, false
		}
		h.hasWait = true
		i += len(" minutes")
	}
	if i+1 >= len(b) || b[i] != ']' || b[i+1] != ':' {
		return h, 0, false
	}
	return h, i + 2, true
}

// labelsEnd returns the index behind the brace that closes the labels.
func labelsEnd(b []byte) int {
	quoted := false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '}' && !quoted:
			return i + 1
		}
	}
	return -1
}

// argsAt returns the index of the parenthesis that opens the argument list of a
// function line, or -1. Names hold parentheses only around a pointer receiver,
// always behind a dot: pkg.(*T).Method(0x1).
func argsAt(b []byte) int {
	at := 0
	for {
		k := bytes.IndexByte(b[at:], '(')
		if k < 0 {
			return -1
		}
		k += at
		if k == 0 {
			return -1
		}
		if b[k-1] != '.' {
			return k
		}
		e := bytes.IndexByte(b[k:], ')')
		if e < 0 {
			return -1
		}
		at = k + e + 1
	}
}

// placeEnd returns where "file:line" ends in a file line whose indentation is
// off, that is before " +0x…" or " fp=0x…". Paths may hold blanks.
func placeEnd(b []byte) int {
	at := 0
	for {
		k := bytes.IndexByte(b[at:], ' ')
		if k < 0 {
			return len(b)
		}
		k += at
		if rest := b[k+1:]; len(rest) > 0 && (rest[0] == '+' && bytes.HasPrefix(rest, []byte("+0x")) || rest[0] == 'f' && bytes.HasPrefix(rest, []byte("fp=0x")) || rest[0] == 'p' && bytes.HasPrefix(rest, []byte("pc=0x"))) {
			return k
		}
		at = k + 1
	}
}

// splitPlace splits "file:line" at its last colon.
func splitPlace(b []byte) (file []byte, line int, ok bool) {
	k := bytes.LastIndexByte(b, ':')
	if k <= 0 || k == len(b)-1 {
		return nil, 0, false
	}
	n, ok := atoi(b[k+1:])
	return b[:k], n, ok
}

// isPlace tells whether a line, trimmed, is a file line. Without indentation it
// must say so more plainly.
func isPlace(b []byte, indented bool) (cut int, ok bool) {
	cut = placeEnd(b)
	p := trimRight(b[:cut])
	cut = len(p)
	file, _, ok := splitPlace(p)
	if !ok || len(file) > 1024 {
		return 0, false
	}
	rest := trimSpace(b[cut:])
	if len(rest) > 0 && rest[0] != '+' && !bytes.HasPrefix(rest, []byte("fp=")) && !bytes.HasPrefix(rest, []byte("pc=")) {
		return 0, false
	}
	base := file
	if k := bytes.LastIndexByte(file, '/'); k >= 0 {
		base = file[k+1:]
	}
	switch {
	case bytes.HasSuffix(base, []byte(".go")), bytes.HasSuffix(base, []byte(".s")), bytes.Equal(file, []byte("<autogenerated>")),
		bytes.Equal(file, []byte("??")), bytes.Equal(file, []byte("?")), bytes.Equal(file, []byte("(unknown)")), bytes.Equal(file, []byte("-")):
		return cut, indented || len(rest) > 0 || bytes.IndexByte(file, ' ') < 0
	case isSourceExt(base):
		return cut, indented || len(rest) > 0
	}
	// A //line directive may name anything; an obfuscated or C++ file too.
	if indented || len(rest) > 0 {
		return cut, len(rest) > 0 && bytes.IndexByte(base, ' ') < 0 && len(base) > 0
	}
	return 0, false
}

func isSourceExt(base []byte) bool {
	k := bytes.LastIndexByte(base, '.')
	if k < 0 {
		return false
	}
	switch string(base[k+1:]) {
	case "c", "cc", "cpp", "cxx", "h", "hpp", "m", "mm", "y", "goc", "rl", "S", "pb", "templ", "qtpl", "ts", "js":
		return true
	}
	return false
}

// isFunction tells whether a line is a function line, and where its name ends.
// strict demands a printed argument list too: needed where no file line follows.
func isFunction(b []byte, strict bool) (cut int, ok bool) {
	if len(b) < 3 || len(b) > 4096 || b[len(b)-1] != ')' {
		return 0, false
	}
	cut = argsAt(b)
	if cut <= 0 || !isFunctionName(b[:cut]) {
		return 0, false
	}
	if strict && !isArgs(b[cut+1:len(b)-1]) {
		return 0, false
	}
	return cut, true
}

// isFunctionName accepts what the runtime prints as a function's name: a package
// path, dots, receivers in parentheses, [...] for type arguments, any Unicode
// letter. Blanks stand only inside brackets (shapes).
func isFunctionName(b []byte) bool {
	if len(b) == 0 || len(b) > 1024 {
		return false
	}
	if c := b[0]; !isLetter(c) && c != '_' && c != '?' && c < 0x80 {
		return false
	}
	depth, dots := 0, 0
	for i, c := range b {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '.':
			dots++
		case c == ' ':
			if depth == 0 {
				return false
			}
		case c < ' ' || c == '"' || c == '\'' || c == '=' || c == '`' || c == '\\' || c == '|' || c == '<' || c == '>' || c == 0x7f:
			return false
		case c == ',' || c == ';' || c == '{' || c == '}':
			if depth == 0 {
				return false
			}
		case c == ':':
			// type:.eq.T, go:buildid, and nothing else: "12:30:45 f(x)" is a log line
			if depth == 0 && !(i == 4 && bytes.HasPrefix(b, []byte("type:")) || i == 2 && bytes.HasPrefix(b, []byte("go:"))) {
				return false
			}
		}
	}
	return dots > 0 || bytes.Equal(b, []byte("panic")) || bytes.Equal(b, []byte("??")) || bytes.HasPrefix(b, []byte("_cgo")) || bytes.HasPrefix(b, []byte("run"))
}

// isBareFunction accepts a function's name alone, as zap and pkg/errors print
// stacks. Only a file line behind it makes it one.
func isBareFunction(b []byte) bool {
	return len(b) > 3 && len(b) < 512 && bytes.IndexByte(b, ' ') < 0 && b[len(b)-1] != '.' && bytes.IndexByte(b, '.') > 0 && bytes.IndexByte(b, '/') != 0 && isFunctionName(b)
}

// isArgs accepts an argument list: hex words, braces, "...", "_" and "?".
func isArgs(b []byte) bool {
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c == 'x', c == ',', c == ' ', c == '{', c == '}', c == '.', c == '?', c == '_':
		default:
			return false
		}
	}
	return true
}

var (
	createdBy   = []byte("created by ")
	inGoroutine = []byte(" in goroutine ")
)

// parseCreated splits a "created by" line into the creator's name and goroutine.
func parseCreated(b []byte) (name []byte, id int64, ok bool) {
	if !bytes.HasPrefix(b, createdBy) {
		return nil, 0, false
	}
	name = trimSpace(b[len(createdBy):])
	if k := bytes.Index(name, inGoroutine); k >= 0 {
		n, _ := atoi64(trimSpace(name[k+len(inGoroutine):]))
		name, id = name[:k], n
	}
	return name, id, len(name) > 0
}

// parseElided reads "...N frames elided..." and "...additional frames elided...",
// and the bare "..." of whoever shortened a stack by hand; n is 0 when no number is printed.
func parseElided(b []byte) (n int, ok bool) {
	if string(b) == "..." || string(b) == "…" || string(b) == "[...]" {
		return 0, true
	}
	if len(b) < 3 || b[0] != '.' || b[1] != '.' || b[2] != '.' || !bytes.Contains(b, []byte(" frames elided")) {
		return 0, false
	}
	b = b[3:]
	for len(b) > 0 && b[0] >= '0' && b[0] <= '9' {
		if n < 1<<30 {
			n = n*10 + int(b[0]-'0')
		}
		b = b[1:]
	}
	return n, true
}

// isAncestor accepts "[originating from goroutine N]:".
func isAncestor(b []byte) bool { return bytes.HasPrefix(b, []byte("[originating from goroutine ")) }

// signals are the names that runtime/sigtab_*.go gives; a report begins with "NAME: text".
var signals = map[string]string{
	"SIGHUP": "terminal line hangup", "SIGINT": "interrupt", "SIGQUIT": "quit", "SIGILL": "illegal instruction",
	"SIGTRAP": "trace trap", "SIGABRT": "abort", "SIGBUS": "bus error", "SIGFPE": "floating-point exception",
	"SIGKILL": "kill", "SIGSEGV": "segmentation violation", "SIGSYS": "bad system call", "SIGEMT": "emulate instruction executed",
	"SIGSTKFLT": "stack fault", "SIGXCPU": "cpu limit exceeded", "SIGXFSZ": "file size limit exceeded", "SIGTERM": "termination",
	"SIGPIPE": "write to broken pipe", "SIGUSR1": "user-defined signal 1", "SIGUSR2": "user-defined signal 2", "SIGPWR": "power failure restart",
}

// isSignalHead accepts the first line of a fatal signal's report.
func isSignalHead(b []byte) bool {
	switch {
	case bytes.HasPrefix(b, []byte("SIG")):
		k := bytes.IndexByte(b, ':')
		if k < 0 || k > 12 {
			return false
		}
		text, ok := signals[string(b[:k])]
		return ok && bytes.HasPrefix(trimLeft(b[k+1:]), []byte(text))
	case bytes.HasPrefix(b, []byte("Exception 0x")):
		return bytes.Count(b, []byte(" 0x")) >= 3
	}
	return false
}

// isRegister accepts one line of the register table: a name of two to seven characters, blanks, a hex word.
func isRegister(b []byte) bool {
	k := bytes.IndexByte(b, ' ')
	if k < 1 || k > 7 {
		return false
	}
	for _, c := range b[:k] {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return false
		}
	}
	v := trimSpace(b[k:])
	return len(v) > 2 && len(v) <= 18 && v[0] == '0' && v[1] == 'x' && isHex(v[2:])
}

// firstRegister accepts the first line of the register table, of amd64, 386 or ARM.
func firstRegister(b []byte) bool {
	return bytes.HasPrefix(b, []byte("rax    0x")) || bytes.HasPrefix(b, []byte("eax    0x")) || bytes.HasPrefix(b, []byte("r0      0x")) || bytes.HasPrefix(b, []byte("trap    0x"))
}

// isRuntimeDetail accepts the lines that the runtime prints before or inside a
// report: "runtime: …", hex dumps of stacks and objects, and their heads.
func isRuntimeDetail(b []byte) bool {
	switch {
	case len(b) == 0:
		return false
	case b[0] == 'r':
		return bytes.HasPrefix(b, []byte("runtime: ")) || bytes.HasPrefix(b, []byte("runtime/cgo: "))
	case b[0] == '0':
		return len(b) > 18 && b[1] == 'x' && (bytes.Contains(b, []byte(":  0x")) || bytes.Contains(b, []byte(": <0x")) || bytes.Contains(b, []byte(" alloc ")) || bytes.Contains(b, []byte(" free ")) || bytes.Contains(b, []byte("zombie")))
	case b[0] == 's':
		return bytes.HasPrefix(b, []byte("stack: frame={")) || bytes.HasPrefix(b, []byte("stack=[0x"))
	case b[0] == ' ':
		return bytes.HasPrefix(b, []byte(" *(object+"))
	case b[0] == 'o':
		return bytes.HasPrefix(b, []byte("object=0x"))
	case b[0] == 'u':
		return bytes.HasPrefix(b, []byte("unexpected fault address 0x"))
	case b[0] == 'a':
		return bytes.HasPrefix(b, []byte("accessed data from freed user arena "))
	case b[0] == 'i':
		return bytes.HasPrefix(b, []byte("instruction bytes: 0x"))
	case b[0] == 'P':
		return bytes.HasPrefix(b, []byte("PC=0x"))
	case b[0] == 'G':
		return bytes.HasPrefix(b, []byte("GOMEMLIMIT="))
	case b[0] == 'p':
		return bytes.Equal(b, []byte("panic during panic"))
	}
	return false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isHex(b []byte) bool {
	for _, c := range b {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return len(b) > 0
}

func atoi(b []byte) (int, bool) {
	n, ok := atoi64(b)
	return int(n), ok
}

func atoi64(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

func cutByte(b []byte, c byte) (before, after []byte) {
	if k := bytes.IndexByte(b, c); k >= 0 {
		return b[:k], b[k+1:]
	}
	return b, nil
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

func trimLeft(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func trimSpace(b []byte) []byte { return trimLeft(trimRight(b)) }
