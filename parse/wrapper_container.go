package parse

import "bytes"

// peelCRI takes RFC3339Nano␣stdout|stderr␣F|P[:TAG]␣TEXT (Kubernetes' container runtime
// interface); the timestamp has n bytes. P means that the next record of the same stream goes on.
func peelCRI(b []byte, n int) (layer, bool) {
	r := b[n+1:]
	if len(r) < 8 || r[0] != 's' || r[6] != ' ' || r[7] != 'F' && r[7] != 'P' || !startsWith(r, "stdout") && !startsWith(r, "stderr") {
		return layer{}, false
	}
	k := token(r, 7)
	if k > 1 && r[8] != ':' {
		return layer{}, false
	}
	return layer{id: wCRI, skip: min(n+1+7+k+1, len(b)), fix: n, clockEnd: n, stream: r[:6], partial: r[7] == 'P'}, true
}

// peelGitLab takes TS␣NNO|NNE[+]TEXT: the runner's timestamps, a stream number, out or err.
// A plus sign instead of the blank means that the line before goes on.
func peelGitLab(b []byte, n int) (layer, bool) {
	r := b[n+1:]
	if len(r) < 3 || !hexDigit(r[0]) || !hexDigit(r[1]) || r[2] != 'O' && r[2] != 'E' || len(r) > 3 && r[3] != ' ' && r[3] != '+' {
		return layer{}, false
	}
	return layer{id: wGitLab, skip: min(n+5, len(b)), fix: n, clockEnd: n}, true
}

// peelCloud takes the log lines of hosting platforms behind a timestamp of n bytes and a blank:
//
//	TS␣app[web.1]:␣TEXT                        Heroku
//	TS␣app[ID]␣REGION␣[LEVEL]␣TEXT             fly.io
//	TS␣[APP/PROC/WEB/0]␣OUT|ERR␣TEXT           Cloud Foundry
//	TS␣{label="value",␣…}␣TEXT                 logcli
func peelCloud(b []byte, n int, s stamp) (layer, bool) {
	i := n + 1
	r := b[i:]
	switch {
	case r[0] == '[':
		for _, kind := range []string{"[APP/", "[APP]", "[CELL/", "[RTR/", "[API/", "[STG/", "[LGR/", "[SSH/"} {
			if !startsWith(r, kind) {
				continue
			}
			e := bytes.IndexByte(r, ']')
			if e < 0 || e > 64 {
				return layer{}, false
			}
			k := spaces(r, e+1)
			if !startsWith(r[k:], "OUT") && !startsWith(r[k:], "ERR") {
				return layer{}, false
			}
			k += 3
			if k < len(r) && r[k] == ' ' {
				k++
			}
			return layer{id: wCloudFoundry, skip: i + k, fix: n, clockEnd: n, stream: r[1:e]}, true
		}
	case r[0] == '{' && len(r) > 3 && isLetter(r[1]):
		eq := bytes.Index(r[:min(len(r), 80)], []byte(`="`))
		if eq < 0 {
			return layer{}, false
		}
		quoted := false
		for j := 1; j < len(r); j++ {
			switch c := r[j]; {
			case quoted && c == '\\':
				j++
			case c == '"':
				quoted = !quoted
			case c == '}' && !quoted:
				return layer{id: wLoki, skip: min(i+j+2, len(b)), fix: n, clockEnd: n, stream: r[1:j]}, true
			}
		}
	case isLetter(r[0]):
		k := token(r, 0)
		o := bytes.IndexByte(r[:k], '[')
		if o <= 0 {
			return layer{}, false
		}
		if r[k-1] == ':' && k > 2 && r[k-2] == ']' && !digitsAt(r, o+1, k-3-o) {
			return layer{id: wHeroku, skip: min(i+k+1, len(b)), fix: n, clockEnd: n, stream: r[:k-1]}, true
		}
		if r[k-1] != ']' || k >= len(r) {
			return layer{}, false
		}
		m := token(r, k+1) // the region: three letters
		e := k + 1 + m
		if m < 2 || m > 5 || e+1 >= len(r) || r[e+1] != '[' {
			return layer{}, false
		}
		c := bytes.IndexByte(r[e+1:], ']')
		if c < 0 || c > 16 {
			return layer{}, false
		}
		e += 1 + c + 1
		if e < len(r) && r[e] == ' ' {
			e++
		}
		return layer{id: wFly, skip: i + e, fix: n, clockEnd: n, stream: r[:k]}, true
	}
	return layer{}, false
}

// peelFluentFile takes TS⇥TAG⇥{"log":…}, Fluentd's file output; the record itself is the next layer.
func peelFluentFile(b []byte, n int) (layer, bool) {
	k := token(b, n+1)
	e := n + 1 + k
	if k == 0 || e+1 >= len(b) || b[e] != '\t' || b[e+1] != '{' {
		return layer{}, false
	}
	return layer{id: wFluent, skip: e + 1, fix: n, clockEnd: n, stream: b[n+1 : e]}, true
}

// peelPod takes what kubectl and its kin put in brackets in front of a line:
//
//	[pod/NAME/CONTAINER]␣TEXT     kubectl logs --prefix
//	[NAME]␣TEXT, [POD CONTAINER]␣TEXT   kubetail, Jenkins branches
func peelPod(b []byte) (layer, bool) {
	e := bytes.IndexByte(b, ']')
	if e < 2 || e > 200 || e+1 < len(b) && b[e+1] != ' ' {
		return layer{}, false
	}
	name := b[1:e]
	fix := 0
	if i := bytes.LastIndexByte(name, ':'); i > 0 && isDigits(name[i+1:]) {
		name, fix = name[:i], e // Drone: [STEP:LINE]
	}
	l := layer{id: wKubetail, skip: min(e+2, len(b)), fix: fix, stream: name, weak: true}
	if startsWith(name, "pod/") && bytes.Count(name, []byte("/")) == 2 {
		l.id, l.weak = wKubectlPrefix, false
		l.stream = name[4:]
		return l, true
	}
	blanks := 0
	for _, c := range name {
		if c == ' ' {
			blanks++
		} else if !nameByte(c) && c != ':' && c != '(' && c != ')' {
			return layer{}, false
		}
	}
	return l, blanks <= 1 && !levelWord(b)
}

// peelStern takes POD␣CONTAINER␣TEXT; only crash text behind it tells it from prose.
func peelStern(b []byte) (layer, bool) {
	k := token(b, 0)
	if k < 3 || k > 253 || k+1 >= len(b) {
		return layer{}, false
	}
	m := token(b, k+1)
	if m == 0 || m > 63 || b[k] != ' ' || bytes.IndexByte(b[:k], '-') < 0 && bytes.IndexByte(b[:k], '.') < 0 {
		return layer{}, false
	}
	for _, c := range b[:k+1+m] {
		if c != ' ' && !nameByte(c) {
			return layer{}, false
		}
	}
	return layer{id: wStern, skip: min(k+1+m+1, len(b)), stream: b[:k+1+m], weak: true}, true
}
