package signatures

import (
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// renamed lists modules that moved, the old path first. One bug shows itself under each
// path, depending on when the crashed program was built; packs may use any of them.
var renamed = [][2]string{
	{"github.com/Shopify/sarama", "github.com/IBM/sarama"},
	{"github.com/VictoriaMetrics/VictoriaMetrics", "github.com/valyala/VictoriaMetrics"},
	{"github.com/Sirupsen/logrus", "github.com/sirupsen/logrus"},
	{"github.com/Unknwon/goconfig", "github.com/unknwon/goconfig"},
	{"github.com/armon/go-metrics", "github.com/hashicorp/go-metrics"},
	{"github.com/boltdb/bolt", "go.etcd.io/bbolt"},
	{"github.com/containers/libpod", "github.com/containers/podman"},
	{"github.com/containous/traefik", "github.com/traefik/traefik"},
	{"github.com/coreos/bbolt", "go.etcd.io/bbolt"},
	{"github.com/coreos/etcd", "go.etcd.io/etcd"},
	{"github.com/docker/docker", "github.com/moby/moby"},
	{"github.com/docker/libnetwork", "github.com/moby/moby/daemon/libnetwork"},
	{"github.com/etcd-io/bbolt", "go.etcd.io/bbolt"},
	{"github.com/etcd-io/etcd", "go.etcd.io/etcd"},
	{"github.com/improbable-eng/thanos", "github.com/thanos-io/thanos"},
	{"github.com/jetstack/cert-manager", "github.com/cert-manager/cert-manager"},
	{"github.com/kubernetes-incubator/cri-o", "github.com/cri-o/cri-o"},
	{"github.com/kubernetes-sigs/cri-o", "github.com/cri-o/cri-o"},
	{"github.com/ledgerwatch/erigon", "github.com/erigontech/erigon"},
	{"github.com/lucas-clemente/quic-go", "github.com/quic-go/quic-go"},
	{"github.com/mitchellh/packer", "github.com/hashicorp/packer"},
	{"github.com/moby/moby/libnetwork", "github.com/moby/moby/daemon/libnetwork"},
	{"github.com/ncw/rclone", "github.com/rclone/rclone"},
	{"github.com/projectatomic/libpod", "github.com/containers/podman"},
	{"github.com/projectcalico/felix", "github.com/projectcalico/calico/felix"},
	{"github.com/terraform-providers/terraform-provider-aws", "github.com/hashicorp/terraform-provider-aws"},
	{"k8s.io/helm", "helm.sh/helm"},
}

// canonical maps a symbol or an import path onto the path that its module has today.
func canonical(symbol string) string {
	for range 3 { // docker/docker/libnetwork → moby/moby/libnetwork → moby/moby/daemon/libnetwork
		to, ok := canonicalOnce(symbol)
		if !ok {
			return symbol
		}
		symbol = to
	}
	return symbol
}

func canonicalOnce(symbol string) (string, bool) {
	for _, r := range renamed {
		rest, ok := strings.CutPrefix(symbol, r[0])
		if ok && (rest == "" || rest[0] == '/' || rest[0] == '.') {
			return r[1] + rest, true
		}
	}
	return symbol, false
}

// canonicalModule is canonical for a module path: without its major version.
func canonicalModule(path string) string {
	if i := strings.LastIndex(path, "/v"); i >= 0 && isMajor(path[i+2:]) {
		path = path[:i]
	}
	return canonical(path)
}

func isMajor(digits string) bool {
	if digits == "" || digits == "0" || digits == "1" {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

// symbol is a function that a condition names, ready to compare.
type symbol struct {
	text    string // as the pack writes it
	pattern parse.SymbolPattern
}

func newSymbol(text string) symbol {
	return symbol{text: text, pattern: parse.CompileSymbol(canonicalBeforeSuffix(text))}
}

// canonicalBeforeSuffix renames the module of a name that may be vendored or carry a
// major version: both have to go first, so that the path is the one in the table.
func canonicalBeforeSuffix(text string) string {
	s := parse.Symbol(text)
	c := canonical(s)
	if c == s {
		return text
	}
	if parse.IsClosure(text) {
		return c + ".func1"
	}
	return c
}

// generic says whether a frame of the package proves nothing by itself: it is below or
// above the code of every program.
func generic(pkg string) bool {
	switch pkg {
	case "", "runtime", "sync", "reflect", "time", "context", "net/http", "golang.org/x/sync/errgroup", "golang.org/x/net/http2":
		return true
	}
	for _, prefix := range []string{"runtime/", "internal/", "sync/", "testing", "golang.org/x/net/internal/"} {
		if strings.HasPrefix(pkg, prefix) {
			return true
		}
	}
	return false
}

// provesNothing is generic, except that a module's own bugs are proven by its own functions,
// even where every program stands on the module: golang.org/x/net/http2. Of the standard library
// and the runtime nothing is excepted.
func provesNothing(pkg, module string) bool {
	return generic(pkg) && !(strings.Contains(module, ".") && within(pkg, canonicalModule(module)))
}

// within says whether the package belongs to the module.
func within(pkg, module string) bool {
	rest, ok := strings.CutPrefix(pkg, module)
	return ok && module != "" && (rest == "" || rest[0] == '/' || rest[0] == '.')
}
