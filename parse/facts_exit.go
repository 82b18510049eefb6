package parse

import (
	"bytes"
	"strings"
)

// exits reads how a process ended, as something outside of it said:
//
//	exit status 2 · exited with code 137 · Process exited with status 2 · Exit Code: 137 · "exitCode": 137
//	Main process exited, code=exited, status=2/INVALIDARGUMENT · code=killed, status=9/KILL
//	Reason: OOMKilled · "OOMKilled": true · OOM-killed
//	Out of memory: Killed process 4711 (consul) total-vm:…  · oom-kill:constraint=CONSTRAINT_MEMCG,…,task=consul,pid=4711
//	signal: killed · Aborted (core dumped)
//
// An exit status of 0 is no death and is left out.
func (s *factScanner) exits(b []byte, no int) {
	if len(b) > 1000 {
		b = b[:1000]
	}
	e := Exit{Code: -1}
	found := false
	switch {
	case bytes.Contains(b, []byte("xit")):
		found = exitCode(b, &e)
	case hasPrefix(b, "signal: "), bytes.Contains(b, []byte("core dumped)")), bytes.Contains(b, []byte("code=")), bytes.Equal(b, []byte("Killed")), bytes.Contains(b, []byte("terminated by signal ")):
		found = exitSignal(b, &e)
	}
	if isOOM(b) {
		e.OOMKilled, found = true, true
	}
	if !found || len(s.f.Exits) >= maxExits {
		return
	}
	e.Text, e.Source, e.Line = cutText(string(b), 300), s.source, no
	// "Reason: OOMKilled" and "Exit Code: 137" below it are one end.
	if n := len(s.f.Exits); n > 0 && no-s.exitPrev <= 60 {
		last := &s.f.Exits[n-1]
		near := no-s.exitPrev <= 4
		switch {
		case e.OOMKilled && last.OOMKilled && e.Code < 0 && last.Code < 0: // one report of the kernel
			if bytes.Contains(b, []byte("illed process")) {
				last.Text, last.Line = e.Text, e.Line
			}
			s.exitPrev = no
			return
		case !near:
		case last.OOMKilled && last.Code < 0 && !e.OOMKilled && (e.Code == 137 || e.Signal == "KILL"):
			last.Code, last.Signal = e.Code, e.Signal
			s.exitPrev = no
			return
		case e.OOMKilled && e.Code < 0 && last.Code == 137:
			last.OOMKilled = true
			s.exitPrev = no
			return
		}
	}
	s.exitPrev = no
	s.f.Exits = append(s.f.Exits, e)
}

// exitWords stand in front of an exit status. Case is as printed.
var exitWords = []string{
	"exit status ", "exited with code ", "xited with code ", "exited with status ", "exited with exit code ", "exited with exit status ", "with exit code ", "with code: ",
	"xit Code:", "xit code:", "xit code ", `"exitCode":`, `"ExitCode":`, "exitCode:", "ExitCode:", "exit_code=", "exitCode=", "ExitCode=",
}

func exitCode(b []byte, e *Exit) bool {
	if bytes.Contains(b, []byte("code=")) && exitSignal(b, e) {
		return true
	}
	for _, w := range exitWords {
		i := bytes.Index(b, []byte(w))
		if i < 0 {
			continue
		}
		rest := bytes.TrimLeft(b[i+len(w):], " \t=:")
		n := 0
		for n < len(rest) && n < 4 && isDigit(rest[n]) {
			n++
		}
		code, ok := atoi(rest[:n])
		if !ok || n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) || code == 0 || code > 255 {
			continue
		}
		e.Code = code
		return true
	}
	return false
}

// exitSignal reads systemd's "code=killed, status=9/KILL" and the shells' words.
func exitSignal(b []byte, e *Exit) bool {
	if i := bytes.Index(b, []byte("code=")); i >= 0 {
		how, rest := b[i+len("code="):], []byte(nil)
		if k := bytes.IndexAny(how, ", )"); k > 0 {
			how, rest = how[:k], how[k:]
		}
		k := bytes.Index(rest, []byte("status="))
		if k < 0 {
			return false
		}
		status := rest[k+len("status="):]
		n := 0
		for n < len(status) && isDigit(status[n]) {
			n++
		}
		num, ok := atoi(status[:n])
		if !ok {
			return false
		}
		name := ""
		if n < len(status) && status[n] == '/' {
			w := status[n+1:]
			end := 0
			for end < len(w) && (isLetter(w[end]) || isDigit(w[end])) {
				end++
			}
			name = string(w[:end])
		}
		switch string(how) {
		case "exited":
			if num == 0 {
				return false
			}
			e.Code = num
		case "killed", "dumped":
			e.Signal = name
			if name == "" {
				e.Signal = signalName(num)
			}
		default:
			return false
		}
		return true
	}
	text := string(b)
	switch {
	case text == "Killed", strings.HasPrefix(text, "signal: killed"), strings.Contains(text, "signal SIGKILL"):
		e.Signal = "KILL"
	case strings.HasPrefix(text, "signal: aborted"), strings.Contains(text, "Aborted (core dumped)"), strings.Contains(text, "signal SIGABRT"):
		e.Signal = "ABRT"
	case strings.HasPrefix(text, "signal: segmentation fault"), strings.Contains(text, "egmentation fault (core dumped)"), strings.Contains(text, "signal SIGSEGV"):
		e.Signal = "SEGV"
	case strings.HasPrefix(text, "signal: quit"), strings.Contains(text, "Quit (core dumped)"), strings.Contains(text, "signal SIGQUIT"):
		e.Signal = "QUIT"
	case strings.HasPrefix(text, "signal: terminated"), strings.Contains(text, "signal SIGTERM"):
		e.Signal = "TERM"
	default:
		return false
	}
	return true
}

// signalName names the signals that end Go programs; numbers as on Linux.
func signalName(n int) string {
	switch n {
	case 2:
		return "INT"
	case 3:
		return "QUIT"
	case 4:
		return "ILL"
	case 6:
		return "ABRT"
	case 7:
		return "BUS"
	case 8:
		return "FPE"
	case 9:
		return "KILL"
	case 11:
		return "SEGV"
	case 15:
		return "TERM"
	}
	return ""
}

// isOOM tells that something was killed for want of memory. The kernel's first
// line ("X invoked oom-killer") says that the killer ran, not whom it chose, and
// counts for want of better.
func isOOM(b []byte) bool {
	if !bytes.Contains(b, []byte("OOM")) && !bytes.Contains(b, []byte("oom")) && !bytes.Contains(b, []byte("of memory")) {
		return false
	}
	low := bytes.ToLower(b)
	for _, w := range []string{
		"oomkilled", "oom-killed", "oom killed", "oom-kill:constraint=", "invoked oom-killer", "oom_kill_process",
		"out of memory: kill", "memory cgroup out of memory", "killed as a result of limit of",
	} {
		if i := bytes.Index(low, []byte(w)); i >= 0 {
			rest := bytes.TrimLeft(low[i+len(w):], `": `)
			return !hasPrefix(rest, "false")
		}
	}
	return false
}
