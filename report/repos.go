package report

import (
	"regexp"
	"strings"
)

// vanity maps import paths that name no forge to the repositories whose trackers their projects use.
// Only what is certain is here; "*" stands for one path element, which the repository repeats.
var vanity = [][2]string{
	{"k8s.io/*", "github.com/kubernetes/*"},
	{"sigs.k8s.io/*", "github.com/kubernetes-sigs/*"},
	{"golang.org/x", "github.com/golang/go"},
	{"google.golang.org/grpc", "github.com/grpc/grpc-go"},
	{"google.golang.org/protobuf", "github.com/golang/protobuf"},
	{"google.golang.org/api", "github.com/googleapis/google-api-go-client"},
	{"cloud.google.com/go", "github.com/googleapis/google-cloud-go"},
	{"go.etcd.io/*", "github.com/etcd-io/*"},
	{"go.uber.org/*", "github.com/uber-go/*"},
	{"go.opentelemetry.io/otel", "github.com/open-telemetry/opentelemetry-go"},
	{"go.opentelemetry.io/contrib", "github.com/open-telemetry/opentelemetry-go-contrib"},
	{"go.opentelemetry.io/collector", "github.com/open-telemetry/opentelemetry-collector"},
	{"helm.sh/helm", "github.com/helm/helm"},
	{"istio.io/istio", "github.com/istio/istio"},
	{"knative.dev/*", "github.com/knative/*"},
	{"gorm.io/gorm", "github.com/go-gorm/gorm"},
}

// element is what a forge allows in the name of an owner or a repository.
var element = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`)

// tracker is the repository that a frame's code belongs to and the page that opens an issue there.
// Both are "" when the frame does not tell, the page alone when it is not certain.
func tracker(f *Frame) (repo, newIssue string) {
	if f == nil {
		return "", ""
	}
	pkg := packagePath(f.Function)
	if pkg == "main" && f.Module != "" {
		pkg = f.Module
	}
	if f.Std {
		return "github.com/golang/go", "https://github.com/golang/go/issues/new"
	}
	repo = home(pkg)
	if repo == "" {
		return "", ""
	}
	elems := strings.Split(repo, "/")
	for _, e := range elems {
		if !element.MatchString(e) {
			return "", ""
		}
	}
	if len(elems) != 3 {
		return repo, ""
	}
	switch elems[0] {
	case "github.com", "codeberg.org":
		newIssue = "https://" + repo + "/issues/new"
	case "gitlab.com":
		// A project may lie below groups: only the module's path tells where it ends.
		switch module := withoutMajor(f.Module); {
		case strings.HasPrefix(module, "gitlab.com/") && strings.Count(module, "/") >= 2 && plainPath(module):
			repo, newIssue = module, "https://"+module+"/-/issues/new"
		case pkg == repo:
			newIssue = "https://" + repo + "/-/issues/new"
		}
	}
	return repo, newIssue
}

// home is the repository of an import path, vanity paths resolved where that is certain.
func home(pkg string) string {
	for _, v := range vanity {
		from, to := v[0], v[1]
		prefix, star := strings.CutSuffix(from, "*")
		if !star {
			if pkg == from || strings.HasPrefix(pkg, from+"/") {
				return to
			}
			continue
		}
		if rest, ok := strings.CutPrefix(pkg, prefix); ok && rest != "" {
			name, _, _ := strings.Cut(rest, "/")
			return strings.TrimSuffix(to, "*") + name
		}
	}
	if rest, ok := strings.CutPrefix(pkg, "gopkg.in/"); ok {
		return gopkg(rest)
	}
	return repository(pkg)
}

// gopkg resolves gopkg.in, whose rule is public: "yaml.v3" is go-yaml/yaml, "owner/name.v1" is
// owner/name.
func gopkg(rest string) string {
	elems := strings.SplitN(rest, "/", 3)
	for n, e := range elems[:min(len(elems), 2)] {
		name, v, ok := strings.Cut(e, ".v")
		if !ok || strings.Trim(v, "0123456789") != "" {
			continue
		}
		if n == 0 {
			return "github.com/go-" + name + "/" + name
		}
		return "github.com/" + elems[0] + "/" + name
	}
	return ""
}

func withoutMajor(module string) string {
	if i := strings.LastIndexByte(module, '/'); i >= 0 && isMajor(module[i+1:]) {
		return module[:i]
	}
	return module
}

func plainPath(path string) bool {
	for _, e := range strings.Split(path, "/") {
		if !element.MatchString(e) {
			return false
		}
	}
	return true
}
