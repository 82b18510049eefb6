package parse

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// People write down what they saw grow, and reports hold it as text:
//
//	total: 2504 -> 2616  (+112)
//
//	  +115  (1467 -> 1582)
//	      github.com/hashicorp/consul/agent/submatview.(*materializer).query+0x185
//	      github.com/hashicorp/consul/agent/submatview.(*RPCMaterializer).Query+0x24
//
//	consul.runtime.num_goroutines sampled over the same period:
//	14:44:53  1449   -3
//	14:45:24  1564  +115
//	   ... flat ...
//
// and a unified diff of two goroutine profiles holds the same:
//
//	-1467 @ 0x43e5ce 0x44f4a5
//	+1582 @ 0x43e5ce 0x44f4a5
//	 #	0x43e5cd	runtime.gopark+0xcd	/usr/local/go/src/runtime/proc.go:398
//
// Metrics dumps of go-metrics are series too:
//
//	[2026-01-02 03:04:05 +0000 UTC][G] 'consul.host.runtime.num_goroutines': 1449.000
type growthScanner struct {
	source string
	grown  []Growth
	series []Series

	open    bool // the last of grown takes functions
	removed int  // "-1467 @ …" of a diff: the count,
	addrs   string
	remLine int

	samples    []float64 // of a table that is being read
	sampleLine int
	gap        int
	name       string // a metric's name in the prose above
	nameLine   int
	gauges     map[string]int // series of a metrics dump by name: index+1
}

// Bounds of one source.
const (
	maxGrowth     = 1000
	maxSeries     = 200
	maxSamples    = 10_000
	maxFunctions  = 200
	minSamples    = 3
	maxSampleGap  = 3 // lines between two samples: "... flat ..."
	nameReach     = 8 // lines between a metric's name and its samples
	maxMetricName = 120
)

func newGrowthScanner(source string) *growthScanner { return &growthScanner{source: source} }

// line reads one line without its wrapper.
func (s *growthScanner) line(body []byte, no int) {
	if len(body) > 0 && body[0] == '{' || len(body) > 1024 {
		return
	}
	b := trimSpace(body)
	for len(b) > 0 && b[0] == '>' {
		b = trimLeft(b[1:])
	}
	if len(b) == 0 {
		s.open = false
		if len(s.samples) > 0 {
			if s.gap++; s.gap > maxSampleGap {
				s.endSeries()
			}
		}
		return
	}
	if s.open {
		if f, ok := growthFunction(b); ok {
			g := &s.grown[len(s.grown)-1]
			if len(g.Functions) < maxFunctions {
				g.Functions = append(g.Functions, f)
			}
			return
		}
		s.open = false
	}
	switch c := b[0]; {
	case isDigit(c):
		if s.sample(b, no) || s.growth(b, no) {
			return
		}
	case c == '+' || c == '-':
		if s.diff(b, no) || s.growth(b, no) {
			return
		}
	case c == '[':
		if s.gauge(b, no) {
			return
		}
	case c == 't' || c == 'T' || c == 'g' || c == 'G':
		if s.total(b, no) {
			return
		}
	}
	if len(s.samples) > 0 {
		if s.gap++; s.gap > maxSampleGap {
			s.endSeries()
		}
	}
	if name := metricName(b); name != "" {
		s.name, s.nameLine = name, no
	}
}

func (s *growthScanner) finish() { s.endSeries() }

func (s *growthScanner) add(g Growth) {
	if len(s.grown) < maxGrowth {
		g.Source = s.source
		s.grown = append(s.grown, g)
	}
}

// growth reads "+115  (1467 -> 1582)" and "1467 -> 1582 (+115)". The difference
// must fit: else it says something else.
func (s *growthScanner) growth(b []byte, no int) bool {
	before, after, rest, front, ok := arrow(b)
	if !ok {
		return false
	}
	delta := trimSpace(bytes.Trim(front, "( \t"))
	if len(delta) == 0 {
		delta = trimSpace(bytes.Trim(rest, "() \t"))
	}
	if d, ok := signed(delta); !ok || d != after-before {
		return false
	}
	s.add(Growth{Before: before, After: after, Line: no})
	s.open = len(s.grown) < maxGrowth
	return true
}

// total reads "total: 2504 -> 2616  (+112)" and "goroutines: 2504 -> 2616".
func (s *growthScanner) total(b []byte, no int) bool {
	before, after, rest, front, ok := arrow(b)
	if !ok {
		return false
	}
	switch strings.ToLower(string(bytes.TrimRight(front, ": =\t"))) {
	case "total", "goroutines", "goroutine", "total goroutines", "goroutines total", "goroutine total", "goroutine count", "goroutine profile: total":
	default:
		return false
	}
	if rest = trimSpace(bytes.Trim(rest, "() \t")); len(rest) > 0 {
		if d, ok := signed(rest); ok && d != after-before {
			return false
		}
	}
	s.add(Growth{Before: before, After: after, Line: no})
	return true
}

// arrow finds "N -> M" and what stands in front of it and behind.
func arrow(b []byte) (before, after int, rest, front []byte, ok bool) {
	for _, a := range [...]string{"->", "→", "=>"} {
		i := bytes.Index(b, []byte(a))
		if i < 1 {
			continue
		}
		left := trimRight(bytes.TrimRight(b[:i], "-="))
		k := len(left)
		for k > 0 && (isDigit(left[k-1]) || left[k-1] == ',') {
			k--
		}
		right := trimLeft(b[i+len(a):])
		n := 0
		for n < len(right) && (isDigit(right[n]) || right[n] == ',') {
			n++
		}
		x, ok1 := count(left[k:])
		y, ok2 := count(right[:n])
		if ok1 && ok2 {
			return x, y, right[n:], left[:k], true
		}
	}
	return 0, 0, nil, nil, false
}

// count reads "1467" and "1,467".
func count(b []byte) (int, bool) {
	if bytes.IndexByte(b, ',') >= 0 {
		b = bytes.ReplaceAll(b, []byte{','}, nil)
	}
	if len(b) == 0 || len(b) > 12 {
		return 0, false
	}
	return atoi(b)
}

// signed reads "+115", "-4".
func signed(b []byte) (int, bool) {
	if len(b) < 2 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	n, ok := count(b[1:])
	if b[0] == '-' {
		n = -n
	}
	return n, ok
}

// growthFunction reads a line of a stack below a count: "pkg.(*T).M+0x185",
// "#	0x43e5cd	pkg.F+0x185	file:line", "pkg.F /path/file.go:12".
func growthFunction(b []byte) (string, bool) {
	for len(b) > 0 && (b[0] == '#' || b[0] == '+' || b[0] == '|') {
		b = trimLeft(b[1:])
	}
	if hasPrefix(b, "0x") {
		_, b = firstWord(b)
		b = trimLeft(b)
	}
	word, rest := firstWord(b)
	if i := bytes.LastIndex(word, []byte("+0x")); i > 0 && isHex(word[i+3:]) {
		word = word[:i]
	} else if len(rest) > 0 && !bytes.Contains(rest, []byte(".go:")) {
		return "", false
	}
	word = bytes.TrimSuffix(word, []byte("()"))
	if i := bytes.IndexByte(word, '.'); i <= 0 || i == len(word)-1 || len(word) > 1000 {
		return "", false
	}
	if isDigit(word[0]) || bytes.HasPrefix(word, []byte("...")) {
		return "", false
	}
	return string(word), true
}

// diff pairs the lines of a unified diff: "-1467 @ 0x43e5ce …" and "+1582 @ 0x43e5ce …".
func (s *growthScanner) diff(b []byte, no int) bool {
	n, addrs := cutByte(b[1:], ' ')
	c, ok := count(n)
	if !ok || !hasPrefix(addrs, "@ 0x") {
		return false
	}
	a := string(addrs)
	if b[0] == '-' {
		s.removed, s.addrs, s.remLine = c, a, no
		return true
	}
	g := Growth{After: c, Line: no}
	if s.addrs == a && no-s.remLine <= 2 {
		g.Before = s.removed
	} else if s.addrs != "" {
		s.addrs = ""
	}
	s.add(g)
	s.open = len(s.grown) < maxGrowth
	s.addrs = ""
	return true
}

// sample reads "14:45:24  1564  +115": a clock, a number, at most a difference.
func (s *growthScanner) sample(b []byte, no int) bool {
	n := 0
	if _, k, ok := timestamp(b); ok {
		n = k
	} else if k := clockLen(b); k > 0 {
		n = k
	} else {
		return false
	}
	rest := trimLeft(b[n:])
	if len(rest) == 0 || len(rest) > 64 || isLetter(rest[0]) || rest[0] == '[' { // a log line
		return false
	}
	fields := bytes.Fields(rest)
	if len(fields) > 0 && len(fields[0]) == 1 && (fields[0][0] == '|' || fields[0][0] == '-') {
		fields = fields[1:]
	}
	if len(fields) == 0 || len(fields) > 2 {
		return false
	}
	v, ok := number(fields[0])
	if !ok {
		return false
	}
	if len(fields) == 2 {
		d := bytes.Trim(fields[1], "()")
		if _, err := strconv.ParseFloat(string(d), 64); err != nil {
			return false
		}
	}
	if len(s.samples) == 0 {
		s.sampleLine = no
	}
	if len(s.samples) < maxSamples {
		s.samples = append(s.samples, v)
	}
	s.gap = 0
	return true
}

// clockLen returns the length of "14:45:24" or "14:45" with a fraction, 0 if b begins with none.
func clockLen(b []byte) int {
	if len(b) < 6 || b[2] != ':' {
		return 0
	}
	h, ok1 := digits(b[:2])
	m, ok2 := digits(b[3:5])
	if !ok1 || !ok2 || h > 23 || m > 59 {
		return 0
	}
	n := 5
	if n+3 <= len(b) && b[n] == ':' {
		if _, ok := digits(b[n+1 : n+3]); !ok {
			return 0
		}
		n += 3
		if n < len(b) && b[n] == '.' {
			for n++; n < len(b) && isDigit(b[n]); n++ {
			}
		}
	}
	if n >= len(b) || !isBlank(b[n]) {
		return 0
	}
	return n
}

func number(b []byte) (float64, bool) {
	if len(b) == 0 || !isDigit(b[0]) || len(b) > 24 {
		return 0, false
	}
	b = bytes.TrimSuffix(b, []byte{','})
	if n, ok := count(b); ok {
		return float64(n), true
	}
	f, err := strconv.ParseFloat(string(b), 64)
	return f, err == nil && f-f == 0
}

func (s *growthScanner) endSeries() {
	if len(s.samples) >= minSamples && len(s.series) < maxSeries {
		name := ""
		if s.nameLine > 0 && s.sampleLine-s.nameLine <= nameReach {
			name = s.name
		}
		s.series = append(s.series, Series{Name: name, Values: slices.Clone(s.samples), Source: s.source, Line: s.sampleLine})
	}
	s.samples, s.gap = s.samples[:0], 0
	s.name, s.nameLine = "", 0
}

// metricName finds a dotted metric name in a line: "consul.runtime.num_goroutines", "go_goroutines".
func metricName(b []byte) string {
	if len(b) > 400 {
		b = b[:400]
	}
	for len(b) > 0 {
		i := 0
		for i < len(b) && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '.' || b[i] == '_' || b[i] == '-') {
			i++
		}
		word := bytes.Trim(b[:i], ".-")
		b = b[min(i+1, len(b)):]
		if len(word) < 8 || len(word) > maxMetricName || !isLetter(word[0]) {
			continue
		}
		if bytes.Count(word, []byte{'.'}) >= 2 && bytes.IndexByte(word, '_') > 0 || bytes.HasPrefix(word, []byte("go_")) || bytes.HasPrefix(word, []byte("process_")) || bytes.Contains(word, []byte("num_goroutines")) {
			return string(word)
		}
	}
	return ""
}

// gauge reads one line of go-metrics' dump on a signal. Only runtime gauges are
// series of one process; the rest would be thousands.
func (s *growthScanner) gauge(b []byte, no int) bool {
	i := bytes.Index(b, []byte("][G] '"))
	if i < 20 {
		return false
	}
	name, value := cutByte(b[i+len("][G] '"):], '\'')
	value = trimLeft(bytes.TrimPrefix(value, []byte{':'}))
	if !bytes.Contains(name, []byte("runtime.")) || len(name) > maxMetricName {
		return true
	}
	word, _ := firstWord(value)
	v, ok := number(word)
	if !ok {
		return true
	}
	if s.gauges == nil {
		s.gauges = make(map[string]int)
	}
	k := s.gauges[string(name)]
	if k == 0 {
		if len(s.series) >= maxSeries {
			return true
		}
		s.series = append(s.series, Series{Name: string(name), Source: s.source, Line: no})
		k = len(s.series)
		s.gauges[string(name)] = k
	}
	if x := &s.series[k-1]; len(x.Values) < maxSamples {
		x.Values = append(x.Values, v)
	}
	return true
}

// results returns what was found, in order of appearance.
func (s *growthScanner) results() ([]Growth, []Series) {
	series := slices.Clone(s.series)
	slices.SortStableFunc(series, func(x, y Series) int { return x.Line - y.Line })
	return s.grown, series
}
