package parse

import (
	"bytes"
	"strings"
)

// A process start shows in a log by the banner that the program prints. Some
// programs print two: one when they begin, one when they run. A start is
// counted when a banner comes that does not continue the last start.
//
//	==> Starting Consul agent...        begin
//	==> Consul agent running!           run
//	==> Vault server configuration:     begin
//	==> Vault server started! …         run
//	systemd: X: Scheduled restart job, restart counter is at 5.

// startBanner is one program's banner.
type startBanner struct {
	prefix  string
	program string
	run     bool // printed when it runs, not when it begins
}

// textBanners are lines that are no records. Each begins with "==> " or "Starting ".
var textBanners = []startBanner{
	{"==> Starting Consul agent", "consul", false},
	{"==> Consul agent running!", "consul", true},
	{"==> Starting Nomad agent", "nomad", false},
	{"==> Nomad agent started!", "nomad", true},
	{"==> Vault server configuration:", "vault", false},
	{"==> Vault server started!", "vault", true},
	{"==> Vault agent configuration:", "vault-agent", false},
	{"==> Vault agent started!", "vault-agent", true},
	{"==> Vault Agent configuration:", "vault-agent", false},
	{"==> Vault Agent started!", "vault-agent", true},
	{"==> OpenBao server configuration:", "openbao", false},
	{"==> OpenBao server started!", "openbao", true},
	{"==> Boundary server configuration:", "boundary", false},
	{"==> Boundary server started!", "boundary", true},
	{"==> Serf agent starting", "serf", false},
	{"==> Serf agent running!", "serf", true},
	{"CockroachDB node starting", "cockroach", true},
}

// recordBanners are messages of start records. A program that prints the same
// message twice a start must not be here.
var recordBanners = []startBanner{
	{"Starting Prometheus Server", "prometheus", false},
	{"Starting Prometheus", "prometheus", false},
	{"Starting Alertmanager", "alertmanager", false},
	{"Starting Loki", "loki", false},
	{"Starting Grafana", "grafana", false},
	{"Starting node_exporter", "node_exporter", false},
	{"starting an etcd server", "etcd", false},
	{"Traefik version ", "traefik", false},
	{"starting containerd", "containerd", false},
	{"Starting nats-server", "nats-server", false},
	{"Kubelet version", "kubelet", false},
	{"Starting k3s ", "k3s", false},
	{"InfluxDB starting", "influxdb", false},
	{"started consul-dataplane process", "consul-dataplane", false},
}

// restartScanner counts process starts of one stream.
type restartScanner struct {
	found   []Fact
	stage   map[string]int8 // by program: 1 began, 2 runs
	records int
	waiting bool // a supervisor said that it restarts something: the banner that follows is that start
}

// line looks at a line that may be a banner; it must be cheap, it sees every line.
func (s *restartScanner) line(b []byte, no int) {
	switch b[0] {
	case '{':
		return
	case '=', 'C':
		for i := range textBanners {
			if t := &textBanners[i]; hasPrefix(b, t.prefix) {
				s.banner(t, no, true)
				return
			}
		}
	}
	if last := b[len(b)-1]; last != '.' && !isDigit(last) {
		return
	}
	if i := bytes.Index(b, []byte(": Scheduled restart job, restart counter is at ")); i > 0 {
		unit := b[:i]
		if k := bytes.LastIndexByte(unit, ' '); k >= 0 {
			unit = unit[k+1:]
		}
		s.add(Fact{Value: strings.TrimSuffix(string(unit[:min(len(unit), 200)]), ".service"), How: "systemd restart", Line: no})
		s.waiting = true
	}
}

// record looks at a record; start says that its message is that of a start record.
func (s *restartScanner) record(r *Record, start bool) {
	if start {
		for i := range recordBanners {
			if t := &recordBanners[i]; strings.HasPrefix(r.Message, t.prefix) {
				s.banner(t, r.Line, false)
				break
			}
		}
	}
	s.records++
}

func (s *restartScanner) banner(t *startBanner, no int, text bool) {
	if s.stage == nil {
		s.stage = make(map[string]int8)
	}
	stage := int8(1)
	if t.run {
		stage = 2
	}
	last := s.stage[t.program]
	s.stage[t.program] = stage
	if last > 0 && stage > last { // goes on with the start that began
		return
	}
	if s.waiting {
		s.waiting = false
		return
	}
	switch {
	case last > 0:
		s.add(Fact{Value: t.program, How: "start banner again", Line: no})
	case text && !t.run && s.records > 0 && len(s.stage) == 1:
		// The log speaks before the first banner: a process ran before this one. Start records
		// say nothing of the kind, others of the same start stand in front of them.
		s.add(Fact{Value: t.program, How: "start banner after log records", Line: no})
	}
}

func (s *restartScanner) add(f Fact) {
	if len(s.found) < maxRestarts {
		s.found = append(s.found, f)
	}
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// isStartMessage tells records whose fields may name a program's version: they
// are rare, so their fields are decoded at once.
func isStartMessage[T string | []byte](msg T) bool {
	if len(msg) < 2 || len(msg) > 300 {
		return false
	}
	for _, p := range startMessages[msg[0]] {
		if len(msg) >= len(p) && string(msg[:len(p)]) == p {
			return true
		}
	}
	return false
}

// startMessages are the beginnings of messages that facts are read from, by their first byte.
var startMessages = func() (t [256][]string) {
	for _, p := range []string{
		"Starting ", "starting ", "started consul-dataplane", "Build context", "build_context", "build context", "Docker daemon", "Go runtime",
		"Golang settings", "Kubelet version", "Version", "version", "Running version", "Recorded vault version", "vault version",
		"Terraform version", "Traefik version", "etcd Version", "Go Version", "Go version", "Go OS/Arch", "Go build", "Git SHA",
		"Gitea version", "Gitea Version", "Server starting", "InfluxDB starting", "Nomad agent", "Vault agent", "Consul agent",
	} {
		t[p[0]] = append(t[p[0]], p)
	}
	return t
}()
