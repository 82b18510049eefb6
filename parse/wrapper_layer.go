package parse

import (
	"bytes"
)

// wrapperID names a kind of wrapper.
type wrapperID uint8

const (
	wNone wrapperID = iota // nothing that deserves a name: a byte order mark, a marker byte
	wJournald
	wJournaldJSON
	wJournaldExport
	wSyslog
	wSyslogTime
	wTag
	wKernel
	wFuchsia
	wDockerJSON
	wCRI
	wCompose
	wServiceLogs
	wKubectlTimestamps
	wKubectlPrefix
	wKubetail
	wStern
	wK8sStatus
	wHeroku
	wFly
	wCloudFoundry
	wCloudWatch
	wGCP
	wFluent
	wLoki
	wForeman
	wPM2
	wJSON
	wLogfmt
	wCSV
	wGitHubActions
	wGitLab
	wJenkins
	wTeamCity
	wGoTestJSON
	wTest2JSON
	wJUnit
	wTLog
	wLineNumbers
	wGoPlugin
	wHclogRelay
	wCapnslog
	wGlogEarly
	wRunit
	wLogcat
	wAppleLog
	wKodi
	wBrowser
	wClock
	wStrace
	wQuote
	wIndent
	wHTML
	wQuotedPrintable
	wDiff
	wSuffix
	wPrefix
	wEscaped
	wrapperCount
)

var wrapperNames = [wrapperCount]string{
	wNone: "", wJournald: "journald", wJournaldJSON: "journald-json", wJournaldExport: "journald-export", wSyslog: "syslog", wSyslogTime: "syslog-time",
	wTag: "tag", wKernel: "kernel", wFuchsia: "fuchsia", wDockerJSON: "docker-json", wCRI: "cri", wCompose: "compose", wServiceLogs: "docker-service",
	wKubectlTimestamps: "kubectl-timestamps", wKubectlPrefix: "kubectl-prefix", wKubetail: "kubetail", wStern: "stern", wK8sStatus: "k8s-status",
	wHeroku: "heroku", wFly: "fly", wCloudFoundry: "cloud-foundry", wCloudWatch: "cloudwatch", wGCP: "gcp", wFluent: "fluent", wLoki: "loki",
	wForeman: "foreman", wPM2: "pm2", wJSON: "json", wLogfmt: "logfmt", wCSV: "csv", wGitHubActions: "github-actions", wGitLab: "gitlab", wJenkins: "jenkins",
	wTeamCity: "teamcity", wGoTestJSON: "go-test-json", wTest2JSON: "test2json", wJUnit: "junit", wTLog: "t.log", wLineNumbers: "line-numbers",
	wGoPlugin: "go-plugin", wHclogRelay: "hclog-relay", wCapnslog: "capnslog", wGlogEarly: "glog-early", wRunit: "runit", wLogcat: "logcat",
	wAppleLog: "apple-log", wKodi: "kodi", wBrowser: "browser-console", wClock: "clock", wStrace: "strace", wQuote: "markdown-quote",
	wIndent: "indent", wHTML: "html", wQuotedPrintable: "quoted-printable", wDiff: "diff", wSuffix: "suffix", wPrefix: "prefix", wEscaped: "escaped",
}

// layer is one wrapper found at the beginning of b.
type layer struct {
	id   wrapperID
	skip int // bytes in front of the body
	cut  int // bytes behind the body
	// body is set when the text had to be unescaped; then skip and cut mean nothing.
	body []byte
	// fix is where the part of the prefix begins that is the same on every line: behind the timestamp.
	fix               int
	clockAt, clockEnd int
	stream            []byte
	glue              []byte
	partial           bool
	weak              bool // see unwrapper
	open              bool // weak: the prefix may go on to a later ": " or "] "
	lines             bool // the body holds several lines
	noise             bool // no text of the program at all
}

// peeling is what was found out about a line so far.
type peeling struct {
	line              []byte
	n                 int  // bytes of line taken off in front
	rewritten         bool // the text is no sub-slice of line any more
	cut               bool // something was taken off behind
	vary              [maxLayers][2]int
	nvary             int
	ids               [maxLayers]wrapperID
	nids              int
	clock             []byte
	clockAt, clockEnd int
	stream            int // bytes of unwrapper.joined in use
	glue              []byte
	partial           bool
	noise             bool
	embedded          bool
	inset             bool // the tab in front of a line of a klog value came off
	syslog            bool // a system logger may have escaped control characters
	crash             bool // what is left is known to be crash text
	depth             int
}

func (p *peeling) add(u *unwrapper, b []byte, l *layer) {
	if l.body != nil {
		p.rewritten = true
	} else if l.cut > 0 {
		p.cut = true
	}
	if l.clockEnd > l.clockAt {
		if p.clock == nil {
			p.clock = b[l.clockAt:l.clockEnd]
			p.clockAt, p.clockEnd = p.n+l.clockAt, p.n+l.clockEnd
		}
		if p.nvary < maxLayers {
			p.vary[p.nvary] = [2]int{p.n + l.clockAt, p.n + l.clockEnd}
			p.nvary++
		}
	}
	p.n += l.skip
	switch l.id {
	case wJournald, wSyslog, wSyslogTime, wTag:
		p.syslog = true
	}
	if l.id != wNone && p.nids < maxLayers {
		p.ids[p.nids] = l.id
		p.nids++
	}
	if len(l.stream) > 0 {
		u.joined = u.joined[:p.stream]
		if p.stream > 0 {
			u.joined = append(u.joined, '/')
		}
		u.joined = append(u.joined, l.stream...)
		p.stream = len(u.joined)
	}
	if l.glue != nil {
		p.glue = l.glue
	}
	p.partial = p.partial || l.partial
	p.noise = p.noise || l.noise
	p.depth++
}

// unwrap takes layer after layer off b.
func (u *unwrapper) unwrap(b []byte, p peeling, out []wrapped) []wrapped {
	for p.depth < maxLayers+2 && p.nids < maxLayers && len(b) > 0 && !p.noise {
		if s := &u.prose; s.block > 0 && b[0] == '\t' && !p.inset { // klog sets every line of a value in by a tab
			s.block--
			p.inset = true
			p.add(u, b, &layer{skip: 1})
			b = b[1:]
			continue
		}
		if p.syslog && hashed(b) { // may stand anywhere, also in what is crash text already
			u.hashed = true
			at := len(u.arena)
			u.arena = appendUnhashed(u.arena, b)
			l := layer{body: u.arena[at:len(u.arena):len(u.arena)]}
			p.add(u, b, &l)
			b = l.body
			if bytes.IndexByte(b, '\n') >= 0 {
				return u.split(bytes.TrimRight(b, "\n"), p, out)
			}
			continue
		}
		broken := u.broken(b) && !p.has(wQuotedPrintable)
		if !broken && crashText(b) && !compound(b) && !(p.depth == 0 && (u.prose.cell || u.prose.scalar > 0)) {
			return u.crash(b, &p, out)
		}
		if b[0] == '{' && !u.quick && leveled(b) {
			if o, found := u.embedded(b, &p, out); found {
				return o
			}
		}
		l, ok := layer{}, false
		if broken {
			l, ok = u.peelPrintable(b)
		} else {
			l, ok = u.layer(b, &p)
		}
		if !ok {
			break
		}
		body := l.body
		if body == nil {
			body = b[l.skip : len(b)-l.cut]
		}
		p.add(u, b, &l)
		if l.lines {
			return u.split(body, p, out)
		}
		b = body
		if u.quick && l.body != nil {
			u.quick = u.cold() && !u.evidence(b)
		}
		if p.partial || len(u.pending) > 0 && u.goesOn(u.joined[:p.stream]) {
			return u.emit(b, &p, out) // a piece: what it holds shows when it is whole
		}
	}
	if !u.quick && p.nids < maxLayers && len(b) > 0 && !p.noise && (!crashText(b) || compound(b)) {
		var found bool
		if out, found = u.embedded(b, &p, out); found {
			return out
		}
		if at := u.glued(b); at > 0 {
			out = u.emit(b[:at], &p, out)
			if b = b[at:]; crashText(b) {
				return u.crash(b, &p, out)
			}
		}
	}
	return u.emit(b, &p, out)
}

// crash appends a line of crash text.
func (u *unwrapper) crash(b []byte, p *peeling, out []wrapped) []wrapped {
	if bytes.IndexByte(b, '&') >= 0 {
		if l, ok := u.peelReferences(b); ok {
			p.add(u, b, &l)
			b = l.body
		}
	}
	if n := u.headSuffix(b); n > 0 {
		p.add(u, b, &layer{id: wSuffix, cut: n})
		b = b[:len(b)-n]
	}
	p.crash = true
	return u.emit(b, p, out)
}

// layer finds the outermost layer of b and decides whether it comes off.
func (u *unwrapper) layer(b []byte, p *peeling) (layer, bool) {
	if u.prose.scalar > 0 && p.depth == 0 {
		return u.peelScalar(b)
	}
	if u.prose.cell && p.depth == 0 {
		if l, ok := u.inCell(b); ok {
			return l, true
		}
	}
	if u.quick || u.trapped {
		l, ok := u.peel(b)
		if l.id == wGitLab {
			l.partial, p.cut = continued(u.ahead), true
		}
		return l, ok && (!l.weak || recordBody(b, &l))
	}
	if l, ok := u.peel(b); ok && (!l.weak || u.accept(b, &l, p)) {
		switch l.id {
		case wGitLab:
			l.partial, p.cut = continued(u.ahead), true
		case wTLog: // what follows is set in by four more
			u.prose.indent, u.prose.indented = spaces(b, 0)+4, hotLines
		}
		return l, true
	}
	if l, ok := u.peelSuffix(b); ok {
		return l, true
	}
	if bytes.IndexByte(b, '&') >= 0 || bytes.IndexByte(b, '<') >= 0 {
		if l, ok := u.peelBreaks(b); ok {
			return l, true
		}
		if l, ok := u.peelReferences(b); ok {
			return l, true
		}
	}
	if !p.has(wQuotedPrintable) {
		if l, ok := u.peelPrintable(b); ok {
			return l, true
		}
	}
	if !p.has(wPrefix) {
		return u.unknown(b)
	}
	return layer{}, false
}

func (p *peeling) has(id wrapperID) bool {
	for _, i := range p.ids[:p.nids] {
		if i == id {
			return true
		}
	}
	return false
}

// split unwraps every line of a body that holds several.
func (u *unwrapper) split(body []byte, p peeling, out []wrapped) []wrapped {
	partial := p.partial
	for {
		i := bytes.IndexByte(body, '\n')
		q := p
		q.partial = partial && i < 0
		if i < 0 {
			return u.unwrap(trimCR(body), q, out)
		}
		out = u.unwrap(trimCR(body[:i]), q, out)
		body = body[i+1:]
		if len(body) == 0 && !partial {
			return out
		}
	}
}

func trimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}

// emit appends a line that has no wrapper left.
func (u *unwrapper) emit(b []byte, p *peeling, out []wrapped) []wrapped {
	w := wrapped{partial: p.partial, clock: p.clock, embedded: p.embedded}
	for _, id := range p.ids[:p.nids] {
		u.counts[id]++
	}
	w.doubt = doubtful(p.ids[:p.nids])
	if p.noise {
		w.body, w.stream = b, noiseStream
		return append(out, w)
	}
	w.stream = u.intern(u.joined[:p.stream])
	if p.partial || len(u.pending) > 0 {
		if u.piece(w.stream, p.partial) {
			w.body = b
			return append(out, w)
		}
	}
	w.body = u.detab(b)
	crash := p.crash || crashText(w.body)
	if !p.embedded {
		u.prose.note(w.body, p.has(wIndent) || p.has(wTLog))
	}
	if crash {
		if !p.embedded {
			u.warm = warmLines
		}
		for _, id := range p.ids[:p.nids] {
			u.proven[id] = true
		}
		if p.nids > 0 && !p.rewritten && !p.cut && p.n > 0 {
			u.remember(p, p.n, w.stream)
		}
		if p.nids == 1 && p.ids[0] == wDockerJSON && !p.partial && !p.embedded {
			u.docker.learn(p.line, w.stream)
		}
	}
	return append(out, w)
}

// goesOn reports whether the last record of a stream was partial.
func (u *unwrapper) goesOn(stream []byte) bool {
	for _, s := range u.pending {
		if s == string(stream) {
			return true
		}
	}
	return false
}

// piece notes whether a stream's record goes on, and reports whether this one is part of a longer one.
func (u *unwrapper) piece(stream string, partial bool) bool {
	for i, s := range u.pending {
		if s == stream {
			if !partial {
				u.pending = append(u.pending[:i], u.pending[i+1:]...)
			}
			return true
		}
	}
	if partial && len(u.pending) < 64 {
		u.pending = append(u.pending, stream)
	}
	return partial
}
