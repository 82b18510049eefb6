package parse

import "testing"

func TestModuleOf(t *testing.T) {
	tests := []struct{ name, function, file, module, version string }{
		{"module cache", "github.com/hashicorp/go-memdb.WatchSet.watchMany", "/root/go/pkg/mod/github.com/hashicorp/go-memdb@v1.3.4/watch.go", "github.com/hashicorp/go-memdb", "v1.3.4"},
		{"package below the root", "golang.org/x/sync/errgroup.(*Group).Go.func1", "/go/pkg/mod/golang.org/x/sync@v0.19.0/errgroup/errgroup.go", "golang.org/x/sync", "v0.19.0"},
		{"capitals are escaped", "github.com/BurntSushi/toml.Decode", "/go/pkg/mod/github.com/!burnt!sushi/toml@v1.2.0/decode.go", "github.com/BurntSushi/toml", "v1.2.0"},
		{"mirror in place of the host", "github.com/acme/tree.(*Txn).Commit", "/go/pkg/mod/mirror.example.net/acme/tree@v0.4.1/txn.go", "github.com/acme/tree", "v0.4.1"},
		{"mirror in front of the host", "github.com/acme/tree.(*Txn).Commit", "/go/pkg/mod/mirror.example.net/github.com/acme/tree@v0.4.1/txn.go", "github.com/acme/tree", "v0.4.1"},
		{"mirror with a folder", "github.com/acme/tree.(*Txn).Commit", "/go/pkg/mod/mirror.example.net/go/github.com/acme/tree@v0.4.1/txn.go", "github.com/acme/tree", "v0.4.1"},
		{"fork by replace keeps its path", "github.com/acme/tree.New", "/go/pkg/mod/github.com/other/tree@v0.5.0/tree.go", "github.com/other/tree", "v0.5.0"},
		{"trimpath", "github.com/acme/tree/v2.New", "github.com/acme/tree/v2@v2.0.1/tree.go", "github.com/acme/tree/v2", "v2.0.1"},
		{"trimpath, main module", "github.com/acme/app/store.Open", "github.com/acme/app/store/open.go", "github.com/acme/app", ""},
		{"pseudo-version", "github.com/acme/tree.New", "/go/pkg/mod/github.com/acme/tree@v0.0.0-20240102030405-abcdef012345/tree.go", "github.com/acme/tree", "v0.0.0-20240102030405-abcdef012345"},
		{"incompatible", "github.com/acme/tree.New", "/go/pkg/mod/github.com/acme/tree@v3.1.0+incompatible/tree.go", "github.com/acme/tree", "v3.1.0+incompatible"},
		{"gopkg.in", "gopkg.in/yaml%2ev3.(*parser).parse", "/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/decode.go", "gopkg.in/yaml.v3", "v3.0.1"},
		{"Windows", "github.com/acme/tree.New", `C:\Users\ci\go\pkg\mod\github.com\acme\tree@v1.0.0\tree.go`, "github.com/acme/tree", "v1.0.0"},
		{"another cache folder", "github.com/acme/tree.New", "/cache/mods/github.com/acme/tree@v1.0.0/tree.go", "github.com/acme/tree", "v1.0.0"},
		{"vendored", "github.com/acme/app/vendor/github.com/hashicorp/raft.(*Raft).run", "/go/src/github.com/acme/app/vendor/github.com/hashicorp/raft/raft.go", "github.com/hashicorp/raft", ""},
		{"vendored, k8s.io", "k8s.io/client-go/tools/cache.(*Reflector).Run", "/src/app/vendor/k8s.io/client-go/tools/cache/reflector.go", "k8s.io/client-go", ""},
		{"vendored, unknown host", "git.example.org/x/y.F", "/src/app/vendor/git.example.org/x/y/f.go", "", ""},
		{"checkout", "github.com/acme/app/store.Open", "/source/app/store/open.go", "", ""},
		{"GOROOT", "runtime.gopark", "/usr/local/go/src/runtime/proc.go", "", ""},
		{"toolchain module", "runtime.gopark", "/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.22.3.linux-amd64/src/runtime/proc.go", "", ""},
		{"main package", "main.main", "/go/pkg/mod/github.com/acme/tool@v1.4.0/main.go", "github.com/acme/tool", "v1.4.0"},
		{"no function", "", "/go/pkg/mod/github.com/acme/tool@v1.4.0/main.go", "github.com/acme/tool", "v1.4.0"},
		{"no file", "github.com/acme/tree.New", "", "", ""},
		{"version cut off", "github.com/acme/tree.New", "/go/pkg/mod/github.com/acme/tree@v1.0", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, v := moduleOf(tt.function, tt.file)
			if m != tt.module || v != tt.version {
				t.Errorf("moduleOf(%q, %q) = %q, %q; want %q, %q", tt.function, tt.file, m, v, tt.module, tt.version)
			}
		})
	}
}
