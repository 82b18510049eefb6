package parse

import (
	"bytes"
	"strings"
)

// products maps the names that programs go by, in lower case, to the name in
// Product.Name. Only these are believed in prose and image tags.
var products = map[string]string{
	"consul": "consul", "consul-enterprise": "consul", "vault": "vault", "vault-enterprise": "vault", "nomad": "nomad", "terraform": "terraform",
	"openbao": "openbao", "boundary": "boundary", "packer": "packer", "serf": "serf", "consul-template": "consul-template",
	"consul-k8s": "consul-k8s", "consul-k8s-control-plane": "consul-k8s", "consul-dataplane": "consul-dataplane", "envconsul": "envconsul",
	"etcd": "etcd", "kubernetes": "kubernetes", "kubelet": "kubernetes", "kube-apiserver": "kubernetes", "kube-controller-manager": "kubernetes",
	"kube-scheduler": "kubernetes", "kube-proxy": "kubernetes", "k3s": "k3s", "rke2": "rke2", "cri-o": "cri-o", "containerd": "containerd",
	"docker": "docker", "dockerd": "docker", "moby": "docker", "podman": "podman", "runc": "runc", "buildkit": "buildkit", "buildkitd": "buildkit",
	"prometheus": "prometheus", "alertmanager": "alertmanager", "thanos": "thanos", "mimir": "mimir", "cortex": "cortex", "loki": "loki",
	"promtail": "promtail", "tempo": "tempo", "grafana": "grafana", "node_exporter": "node_exporter", "telegraf": "telegraf", "influxdb": "influxdb",
	"victoriametrics": "victoriametrics", "traefik": "traefik", "caddy": "caddy", "cockroachdb": "cockroach", "cockroach": "cockroach",
	"minio": "minio", "nats-server": "nats-server", "nats": "nats-server", "gitea": "gitea", "forgejo": "forgejo", "gogs": "gogs", "geth": "geth", "coredns": "coredns",
	"istio": "istio", "pilot": "istio", "linkerd": "linkerd", "cilium": "cilium", "calico": "calico", "helm": "helm", "argocd": "argocd",
	"gitlab-runner": "gitlab-runner", "rclone": "rclone", "restic": "restic", "syncthing": "syncthing", "hugo": "hugo", "tailscale": "tailscale",
	"jaeger": "jaeger", "dgraph": "dgraph", "tidb": "tidb", "harbor": "harbor", "velero": "velero", "juicefs": "juicefs", "seaweedfs": "seaweedfs",
}

// versionOutput reads what "consul version" and its like print, alone on a line:
//
//	Consul v1.22.6+ent
//	Revision 97566680
//	Vault v1.15.2 (cf1b5caf…), built 2023-11-06T11:33:28Z
//	go version go1.22.3 linux/amd64
//	prometheus, version 2.45.0 (branch: HEAD, revision: 8ef767e)
//	etcd Version: 3.5.9
//	Docker version 24.0.5, build ced0996
func (s *factScanner) versionOutput(b []byte, no int) bool {
	if hasPrefix(b, "go version go") || hasPrefix(b, "go version devel ") {
		v, n := readGoVersion(b[len("go version "):])
		if n == 0 {
			return false
		}
		s.fact(&s.f.Go, v, "go version output", no)
		if os, arch := platform(b[len("go version ")+n:]); os != "" {
			s.platform(os, arch, "go version output", no)
		}
		return true
	}
	if hasPrefix(b, "Revision ") && s.banner.product > 0 && no-s.banner.head <= 2 {
		if rev, rest := firstWord(b[len("Revision "):]); len(rest) == 0 && len(rev) <= 64 {
			s.f.Products[s.banner.product-1].Revision = string(rev)
			return true
		}
	}
	if i := bytes.Index(b, []byte(`GitVersion:"`)); i >= 0 { // kubectl version, helm version
		if v, n := readVersion(b[i+len(`GitVersion:`):], false); n > 0 {
			s.output("kubernetes", "kubernetes version", v, no)
			s.goAndPlatform(b[i:], howVersion, no)
			return true
		}
	}
	word, rest := firstWord(b)
	if len(rest) < 2 || len(word) > 32 || len(word) < 2 {
		return s.goBuild(b, no)
	}
	low := strings.ToLower(string(word))
	if name, comma := strings.CutSuffix(low, ","); comma && hasPrefix(rest, " version ") { // Prometheus' family
		if v, n := readVersion(rest[len(" version "):], false); n > 0 && bytes.Contains(rest, []byte("(branch: ")) {
			if p := s.output(name, name+" version", v, no); p != nil {
				p.Revision = between(rest, "revision: ", ")")
			}
			return true
		}
	}
	name := products[strings.TrimSuffix(low, ":")]
	if name == "" {
		return s.goBuild(b, no)
	}
	rest = trimLeft(rest)
	for _, p := range []string{"version ", "Version: ", "version: ", "Server version: ", "CCL ", "OSS "} {
		if hasPrefix(rest, p) {
			rest = trimLeft(rest[len(p):])
			break
		}
	}
	if name == "containerd" || name == "buildkit" { // "containerd github.com/containerd/containerd v1.7.2 0cae528…"
		if path, after := firstWord(rest); bytes.IndexByte(path, '/') > 0 || hasPrefix(path, "containerd.io") {
			rest = trimLeft(after)
		}
	}
	v, n := readVersion(rest, false)
	if n == 0 {
		return false
	}
	after := trimSpace(rest[n:])
	if hasPrefix(rest, "'") || len(after) > 0 && !isOutputRest(after) {
		return false
	}
	// "Consul 1.18.1" without the v is what people write; programs print it so only with more behind it.
	if len(after) == 0 && rest[0] != 'v' && !bytes.Contains(b[:min(len(b), 40)], []byte("ersion")) {
		return false
	}
	if low != string(word) && bytes.Contains(b[:min(len(b), 40)], []byte("ersion:")) && name != "etcd" && name != "gitea" {
		return false // "Consul version: 1.18.1" is an issue form's line
	}
	if p := s.output(name, name+" version", v, no); p != nil && hasPrefix(after, "(") {
		if rev := between(after, "(", ")"); p.Revision == "" && len(rev) <= 64 && isHex([]byte(strings.Trim(rev, "'"))) {
			p.Revision = strings.Trim(rev, "'")
		}
	}
	s.goAndPlatform(after, howVersion, no)
	return true
}

// isOutputRest tells what programs print behind their version from a sentence.
func isOutputRest(b []byte) bool {
	for _, p := range []string{"(", "[", ", build ", "built ", ", built ", "compiled with ", "linux/", "windows/", "darwin/", "on linux", "go1.", ": ", "@ "} {
		if hasPrefix(b, p) {
			return true
		}
	}
	return len(b) >= 7 && isHex(b)
}

// output adds a product that its own version command named.
func (s *factScanner) output(name, how, v string, no int) *Product {
	p := Product{Name: name, How: how, Line: no}
	p.setVersion(v)
	q := s.product(p)
	for i := range s.f.Products {
		if q == &s.f.Products[i] { // "Revision …" follows
			s.banner = banner{name: name, head: no, product: i + 1}
		}
	}
	return q
}

// goBuild reads "go version -m" and "go env": "build	GOARCH=amd64", `GOOS="linux"`, "./consul: go1.22.3".
func (s *factScanner) goBuild(b []byte, no int) bool {
	b = bytes.TrimPrefix(b, []byte("build\t"))
	b = bytes.TrimPrefix(b, []byte("build "))
	if !hasPrefix(b, "GO") {
		return false
	}
	key, value := cutByte(b, '=')
	v := strings.Trim(string(value[:min(len(value), 40)]), `"'`)
	switch string(key) {
	case "GOOS":
		if goosList[v] {
			s.fact(&s.f.OS, v, "go env", no)
			return true
		}
	case "GOARCH":
		if goarchList[v] {
			s.fact(&s.f.Arch, v, "go env", no)
			return true
		}
	case "GOVERSION":
		if goVersion, n := readGoVersion([]byte(v)); n > 0 {
			s.fact(&s.f.Go, goVersion, "go env", no)
			return true
		}
	}
	return false
}

// between returns what stands between two texts, "" if one is missing.
func between(b []byte, from, to string) string {
	i := bytes.Index(b, []byte(from))
	if i < 0 {
		return ""
	}
	b = b[i+len(from):]
	j := bytes.Index(b, []byte(to))
	if j < 0 {
		return ""
	}
	return string(b[:j])
}

// mentions finds versions of known products in free text and image tags.
func (s *factScanner) mentions(b []byte, no int) {
	s.infoTitle(b)
	if len(b) > 1000 {
		b = b[:1000]
	}
	for i := 1; i+2 < len(b); i++ {
		if b[i] != '.' || !isDigit(b[i-1]) || !isDigit(b[i+1]) {
			continue
		}
		start := i
		for start > 0 && (isDigit(b[start-1]) || b[start-1] == '.') {
			start--
		}
		if start > 0 && (b[start-1] == 'v' || b[start-1] == 'V') {
			start--
		}
		v, n := readVersion(b[start:], false)
		if n == 0 {
			for i+1 < len(b) && (isDigit(b[i+1]) || b[i+1] == '.') {
				i++
			}
			continue
		}
		s.mention(b, start, n, v, no)
		i = start + n
	}
	if goVersion := findGoVersion(b); goVersion != "" && bytes.Contains(b[:min(len(b), 200)], []byte("go")) {
		how := howSentence
		if low := bytes.ToLower(b[:min(len(b), 40)]); bytes.Contains(low, []byte("go version")) || bytes.Contains(low, []byte("golang")) {
			how = howStated
		}
		s.fact(&s.f.Go, goVersion, how, no)
	}
}

// mention decides whose version stands at b[start:start+n].
func (s *factScanner) mention(b []byte, start, n int, v string, no int) {
	before := b[:start]
	if len(before) == 0 {
		return
	}
	if before[len(before)-1] == ':' && len(before) > 1 && !isBlank(before[len(before)-2]) { // an image's tag
		img := before[:len(before)-1]
		if k := bytes.LastIndexAny(img, " \t\"'=(`"); k >= 0 {
			img = img[k+1:]
		}
		if k := bytes.LastIndexByte(img, '/'); k >= 0 {
			img = img[k+1:]
		}
		if name := products[strings.ToLower(string(img[:min(len(img), 40)]))]; name != "" {
			p := Product{Name: name, How: howImage, Line: no}
			// Tags can't hold "+": enterprise images are tagged "1.15.2-ent".
			v = strings.Replace(v, "-ent", "+ent", 1)
			p.setVersion(v)
			s.product(p)
		}
		return
	}
	// The nearest words in front, within the sentence.
	words := 0
	for len(before) > 0 && words < 4 {
		before = bytes.TrimRight(before, " \t:=*`'\"(-_|")
		k := bytes.LastIndexAny(before, " \t:=*`'\"(|>")
		word := before[k+1:]
		before = before[:max(k, 0)]
		if k < 0 {
			before = nil
		}
		if len(word) == 0 {
			continue
		}
		words++
		low := strings.ToLower(string(word[:min(len(word), 40)]))
		switch low {
		case "version", "versions", "agent", "server", "client", "servers", "clients", "agents", "v", "ver", "enterprise", "oss", "ce", "is", "cluster", "release":
			continue
		}
		name := products[low]
		if name == "" {
			return
		}
		how := howSentence
		head := bytes.TrimLeft(before, " \t*-#>`|_+•[]x0123456789.)")
		tail := bytes.Trim(b[start+n:], " \t*`'\"|_.)")
		if len(head) == 0 && (len(tail) == 0 || tail[0] == '(') {
			how = howStated
		}
		p := Product{Name: name, How: how, Line: no}
		p.setVersion(v)
		s.product(p)
		return
	}
}
