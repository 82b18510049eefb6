package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scanFacts reads a text as the reader does: records through record, every line through line.
func scanFacts(text string) Facts {
	ls, fs := newLogScanner("in", Options{}), newFactScanner("in")
	for i, line := range strings.Split(text, "\n") {
		r := ls.line([]byte(line), i+1)
		fs.line([]byte(line), i+1)
		if r != nil {
			fs.record(r)
		}
	}
	fs.finish()
	return fs.facts()
}

// factLines writes facts down, one a line, for tables.
func factLines(f Facts) []string {
	var out []string
	for _, p := range f.Products {
		s := fmt.Sprintf("%d %s %s", p.Line, p.Name, p.Version)
		for _, x := range []string{p.Edition, p.Metadata, p.Revision, p.Role} {
			if x != "" {
				s += " " + x
			}
		}
		out = append(out, s+" ("+p.How+")")
	}
	for _, list := range [][]Fact{f.Go, f.OS, f.Arch, f.Goroutines} {
		for _, x := range list {
			out = append(out, fmt.Sprintf("%d %s (%s)", x.Line, x.Value, x.How))
		}
	}
	for _, m := range f.Modules {
		out = append(out, fmt.Sprintf("%d %s@%s", m.Line, m.Path, m.Version))
	}
	for _, e := range f.Exits {
		out = append(out, fmt.Sprintf("%d exit %d %s oom=%v", e.Line, e.Code, e.Signal, e.OOMKilled))
	}
	return out
}

const serverInfo = `agent:
	check_monitors = 0
	services = 9
build:
	prerelease = %s
	revision = 5c1d02e7
	version = 1.21.4
	version_metadata = %s
consul:
	acl = enabled
	server = %s
runtime:
	arch = arm64
	goroutines = 23518
	os = linux
	version = go1.24.9 X:boringcrypto
serf_lan:
	members = 58`

func TestFacts(t *testing.T) {
	info := func(pre, meta, server string) string { return fmt.Sprintf(serverInfo, pre, meta, server) }
	tests := []struct {
		name, in string
		want     []string
	}{
		{"consul info of a server", "### Server info\n\n```\n" + info("", "", "true") + "\n```\nprose", []string{
			"10 consul 1.21.4 5c1d02e7 server (consul info)", "19 go1.24.9 (consul info)", "18 linux (consul info)", "16 arm64 (consul info)", "17 23518 (consul info)"}},
		{"consul info without indentation, enterprise, release candidate", strings.ReplaceAll(info("rc2", "ent", "false"), "\t", ""), []string{
			"7 consul 1.21.4-rc2 ent ent 5c1d02e7 client (consul info)", "16 go1.24.9 (consul info)", "15 linux (consul info)", "13 arm64 (consul info)", "14 23518 (consul info)"}},
		{"client and server in one text", info("", "", "false") + "\n\n\n" + strings.Replace(info("", "", "true"), "1.21.4", "1.20.9", 1), []string{
			"7 consul 1.21.4 5c1d02e7 client (consul info)", "27 consul 1.20.9 5c1d02e7 server (consul info)",
			"16 go1.24.9 (consul info)", "15 linux (consul info)", "13 arm64 (consul info)", "14 23518 (consul info)", "34 23518 (consul info)"}},
		{"consul info cut before its role, below a title", "Client info\n\nagent:\n  services = 1\nbuild:\n  version = 1.9.0\n", []string{"6 consul 1.9.0 client (consul info)"}},
		{"nomad agent-info", "$ nomad agent-info\nclient\nnomad:\n  server = true\nruntime:\n  arch = amd64\n  kernel.name = linux\n  goroutines = 87\n  version = go1.20.5", []string{
			"9 go1.20.5 (agent-info)", "7 linux (agent-info)", "6 amd64 (agent-info)", "8 87 (agent-info)"}},
		{"consul's banner", "==> Starting Consul agent...\n              Version: '1.21.4+ent'\n           Build Date: '2026-01-02 03:04:05 +0000 UTC'\n              Node ID: 'x'\n               Server: false (Bootstrap: false)", []string{
			"2 consul 1.21.4 ent ent client (agent banner)"}},
		{"consul's old banner, commas of a list", "==> Consul agent running!,\n  Version: 'v1.2.0',\n  Server: true (Bootstrap: true),", []string{"2 consul 1.2.0 server (agent banner)"}},
		{"consul's banner without its head", "Version: '1.21.4'\nBuild Date: '2026-01-02'\nServer: true (Bootstrap: false)", []string{"1 consul 1.21.4 server (agent banner)"}},
		{"vault's banner", "==> Vault server configuration:\n\n  Go Version: go1.21.3\n  Storage: raft\n  Version: Vault v1.15.2, built 2023-11-06T11:33:28Z\n  Version Sha: cf1b5caf", []string{
			"5 vault 1.15.2 cf1b5caf (agent banner)", "3 go1.21.3 (agent banner)"}},
		{"nomad's banner", "==> Starting Nomad agent...\n==> Nomad agent configuration:\n\n  Client: true\n  Server: false\n  Version: 1.7.2\n\n==> Nomad agent started! Log data will stream in below:", []string{
			"6 nomad 1.7.2 client (agent banner)"}},
		{"consul version", "$ consul version\nConsul v1.21.4+ent.fips1402\nRevision 5c1d02e7\nBuild Date 2026-01-02T03:04:05Z", []string{"2 consul 1.21.4 ent ent.fips1402 5c1d02e7 (consul version)"}},
		{"vault version", "Vault v1.15.2 (cf1b5cafa047), built 2023-11-06T11:33:28Z", []string{"1 vault 1.15.2 cf1b5cafa047 (vault version)"}},
		{"terraform version", "Terraform v1.5.0\non linux_amd64", []string{"1 terraform 1.5.0 (terraform version)"}},
		{"go version", "go version go1.22.3 linux/amd64", []string{"1 go1.22.3 (go version output)", "1 linux (go version output)", "1 amd64 (go version output)"}},
		{"go version of a development tree", "go version devel go1.27-3a2b1c0 Mon Jan 5 darwin/arm64", []string{
			"1 devel go1.27-3a2b1c0 (go version output)", "1 darwin (go version output)", "1 arm64 (go version output)"}},
		{"the family of prometheus", "prometheus, version 2.45.0 (branch: HEAD, revision: 8ef767e396)\n  go version: go1.20.5\n  platform:   linux/amd64", []string{
			"1 prometheus 2.45.0 8ef767e396 (prometheus version)", "2 go1.20.5 (stated in text)"}},
		{"traefik version", "Version:      2.8.1\nCodename:     vacherin\nGo version:   go1.17.11\nOS/Arch:      linux/amd64", []string{
			"1 traefik 2.8.1 (traefik version)", "3 go1.17.11 (version output)", "4 linux (version output)", "4 amd64 (version output)"}},
		{"kubectl version", `Server Version: version.Info{Major:"1", Minor:"27", GitVersion:"v1.27.3", GitCommit:"25b4e43", GoVersion:"go1.20.5", Platform:"linux/amd64"}`, []string{
			"1 kubernetes 1.27.3 (kubernetes version)", "1 go1.20.5 (version output)", "1 linux (version output)", "1 amd64 (version output)"}},
		{"docker version", "Docker version 24.0.5, build ced0996", []string{"1 docker 24.0.5 (docker version)"}},
		{"prometheus starts", `ts=2026-02-03T04:05:06.070Z caller=main.go:1 level=info msg="Starting Prometheus Server" mode=server version="(version=2.45.0, branch=HEAD, revision=8ef767e)"` + "\n" +
			`ts=2026-02-03T04:05:06.070Z caller=main.go:2 level=info build_context="(go=go1.20.5, platform=linux/amd64, user=root)" msg="Build context"`, []string{
			"1 prometheus 2.45.0 8ef767e (start record)", "2 go1.20.5 (start record)", "2 linux (start record)", "2 amd64 (start record)"}},
		{"an exporter starts", `time="2026-02-03T04:05:06Z" level=info msg="Starting disk_exporter (version=0.3.1, branch=main, revision=77aa12)" source="m.go:1"`, []string{"1 disk_exporter 0.3.1 77aa12 (start record)"}},
		{"etcd starts", `{"level":"info","ts":"2026-02-03T04:05:06.070Z","caller":"embed/etcd.go:306","msg":"starting an etcd server","etcd-version":"3.5.9","git-sha":"bdbbde998","go-version":"go1.19.9","go-os":"linux","go-arch":"amd64"}`, []string{
			"1 etcd 3.5.9 bdbbde998 (start record)", "1 go1.19.9 (start record)", "1 linux (start record)", "1 amd64 (start record)"}},
		{"kubelet starts", `I0203 04:05:06.070809   12 server.go:9] "Kubelet version" kubeletVersion="v1.27.3"`, []string{"1 kubernetes 1.27.3 (start record)"}},
		{"containerd starts", `time="2026-02-03T04:05:06Z" level=info msg="starting containerd" revision=0cae528d version=v1.7.2`, []string{"1 containerd 1.7.2 0cae528d (start record)"}},
		{"gitea starts", "2026/02/03 04:05:06 cmd/web.go:111:showWebStartupMessage() [I] Gitea version: 1.22.6 built with GNU Make 4.4.1, go1.24.1 : bindata", []string{
			"1 gitea 1.22.6 (start record)", "1 go1.24.1 (start record)"}},
		{"image tags", "image: hashicorp/consul:1.18.1\n  \"image\": \"registry.example:5000/hashicorp/vault-enterprise:1.15.2-ent\"", []string{
			"1 consul 1.18.1 (image tag)", "2 vault 1.15.2 ent ent (image tag)"}},
		{"an issue form", "- Consul version: 1.18.1\n- Go version: go1.22.3", []string{"1 consul 1.18.1 (stated in text)", "2 go1.22.3 (stated in text)"}},
		{"a sentence alone is weak", "We upgraded to Consul v1.20.0 yesterday.", []string{"1 consul 1.20.0 (mentioned in a sentence)"}},
		{"a sentence is nothing beside a banner", "Fixed in Consul 1.22.0, we hear.\nConsul v1.21.4", []string{"2 consul 1.21.4 (consul version)"}},
		{"go.mod and go version -m", "require github.com/hashicorp/go-memdb v1.3.4\n\tgithub.com/acme/x/v2 v2.0.1 // indirect\ndep\tgolang.org/x/sync\tv0.19.0\th1:abc=\nbuild\tGOARCH=arm64\nbuild\tGOOS=linux", []string{
			"5 linux (go env)", "4 arm64 (go env)", "2 github.com/acme/x/v2@v2.0.1", "1 github.com/hashicorp/go-memdb@v1.3.4", "3 golang.org/x/sync@v0.19.0"}},
		{"a module in prose is none", "github.com/acme/x v1.2.3 panics", nil},
		{"addresses and paths are no versions", "consul 192.0.2.7 at /opt/consul-1.2.3/bin\nconsul 1.2.3.4\nvault:8200/v1", nil},
		{"exit lines", "exit status 2\nsvc_1 exited with code 137\n##[error]Process completed with exit code 2.\nsystemd[1]: a.service: Main process exited, code=exited, status=2/INVALIDARGUMENT\nb.service: Main process exited, code=killed, status=9/KILL\nMain PID: 7 (code=dumped, status=6/ABRT)\n\"exitCode\": 255,\nsignal: killed", []string{
			"1 exit 2  oom=false", "2 exit 137  oom=false", "3 exit 2  oom=false", "4 exit 2  oom=false", "5 exit -1 KILL oom=false", "6 exit -1 ABRT oom=false", "7 exit 255  oom=false", "8 exit -1 KILL oom=false"}},
		{"no exits", "exit status 0\nExit Code: 0\nexit codes are 8 bits\n\"OOMKilled\": false,\nexited with code abc", nil},
		{"kubectl describe", "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137", []string{"2 exit 137  oom=true"}},
		{"the kernel's killer", "app invoked oom-killer: gfp_mask=0x1\noom-kill:constraint=CONSTRAINT_MEMCG,task=app,pid=4711\nMemory cgroup out of memory: Killed process 4711 (app) total-vm:1kB", []string{"3 exit -1  oom=true"}},
		{"prose", "It is then OOM-killed (Exit Code: 137).", []string{"1 exit 137  oom=true"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, factLines(scanFacts(tt.in))); d != "" {
				t.Errorf("facts (-want +got):\n%s", d)
			}
		})
	}
}

func TestFactsOfFrames(t *testing.T) {
	std := func(function, file string) Frame {
		return Frame{Function: function, File: file, Std: true, SourceLine: 7}
	}
	tests := []struct {
		name  string
		frame Frame
		want  []string
	}{
		{"module", Frame{Function: "github.com/a/b.F", Module: "github.com/a/b", Version: "v1.0.1", SourceLine: 7}, []string{"7 github.com/a/b@v1.0.1"}},
		{"GOROOT", std("runtime.gopark", "/usr/local/go1.22.3/src/runtime/proc.go"), []string{"7 go1.22.3 (GOROOT path)"}},
		{"CI tool cache", std("runtime.gopark", "/opt/hostedtoolcache/go/1.22.3/x64/src/runtime/proc.go"), []string{"7 go1.22.3 (GOROOT path)"}},
		{"toolchain module", std("runtime.gopark", "/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.22.3.linux-amd64/src/runtime/proc.go"), []string{"7 go1.22.3 (toolchain module path)"}},
		{"release line only", std("runtime.gopark", "/usr/lib/go-1.22/src/runtime/proc.go"), []string{"7 go1.22 (GOROOT path, release line only)"}},
		{"nix", std("runtime.gopark", "/nix/store/abc123-go-1.22.3/share/go/src/runtime/proc.go"), []string{"7 go1.22.3 (GOROOT path)"}},
		{"asdf", std("runtime.gopark", "/home/u/.asdf/installs/golang/1.22.3/go/src/runtime/proc.go"), []string{"7 go1.22.3 (GOROOT path)"}},
		{"platform", std("runtime.rt_sigaction", "/usr/local/go/src/runtime/sys_linux_amd64.s"), []string{"7 linux (frame path)", "7 amd64 (frame path)"}},
		{"a guess", std("internal/runtime/maps.(*Iter).Next", "internal/runtime/maps/table.go"), []string{"7 go1.24 or newer (guess from frames of internal/runtime/maps)"}},
		{"nothing", std("runtime.gopark", "/usr/local/go/src/runtime/proc.go"), nil},
		{"own frame in a folder named so", Frame{Function: "main.main", File: "/home/go1.22.3/src/app/main.go"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newFactScanner("in")
			s.frame(&tt.frame)
			s.frame(&tt.frame)
			if d := cmp.Diff(tt.want, factLines(s.facts())); d != "" {
				t.Errorf("facts (-want +got):\n%s", d)
			}
		})
	}
}

func TestMergeFacts(t *testing.T) {
	a := scanFacts("Consul 1.20.0 had it.\nexit status 2\ngithub.com/a/b v1.0.0")
	b := newFactScanner("other")
	b.line([]byte("Consul v1.21.4"), 1)
	b.line([]byte("github.com/a/b v1.0.0"), 2)
	b.line([]byte("github.com/a/a v1.0.0"), 3)
	b.frame(&Frame{Function: "internal/sync.(*Mutex).Lock", File: "internal/sync/mutex.go", Std: true})
	b.line([]byte("go version go1.25.1 linux/amd64"), 4)
	want := []string{"1 consul 1.21.4 (consul version)", "4 go1.25.1 (go version output)", "4 linux (go version output)", "4 amd64 (go version output)",
		"3 github.com/a/a@v1.0.0", "3 github.com/a/b@v1.0.0", "2 exit 2  oom=false"}
	got := mergeFacts(a, b.facts())
	if d := cmp.Diff(want, factLines(got)); d != "" {
		t.Errorf("merged (-want +got):\n%s", d)
	}
	if p, ok := got.Product("consul"); !ok || p.Version != "1.21.4" || p.Source != "other" {
		t.Errorf("consul is %+v", p)
	}
	if _, ok := got.Product("vault"); ok {
		t.Error("a vault nobody spoke of")
	}
}

// Whatever a text repeats is bounded.
func TestFactsBounds(t *testing.T) {
	s := newFactScanner("in")
	for i := range 20_000 {
		for _, f := range []string{"Consul v1.2.%d", "exit status 2 in %d", "github.com/a/b v1.0.%d", "go version go1.22.%d linux/amd64", "agent:\nbuild:\n\tversion = 1.0.%d", "runtime:\n\tgoroutines = %d"} {
			for _, line := range strings.Split(fmt.Sprintf(f, i), "\n") {
				s.line([]byte(line), i)
			}
		}
	}
	s.finish()
	f := s.facts()
	if len(f.Products) > maxProducts || len(f.Exits) > maxExits || len(f.Modules) > maxModules || len(f.Go) > maxFacts || len(f.Goroutines) > maxFacts {
		t.Errorf("%d products, %d exits, %d modules, %d Go versions, %d counts", len(f.Products), len(f.Exits), len(f.Modules), len(f.Go), len(f.Goroutines))
	}
}
