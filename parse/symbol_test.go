package parse

import (
	"strings"
	"testing"
)

func TestSymbol(t *testing.T) {
	for _, tt := range []struct{ function, want string }{
		{"main.main", "main.main"},
		{"main.(*Cache).Get", "main.(*Cache).Get"},
		{"github.com/hashicorp/go-memdb.WatchSet.watchMany", "github.com/hashicorp/go-memdb.WatchSet.watchMany"},

		// closures, at every depth and in every spelling
		{"main.f.func1", "main.f"},
		{"main.f.func1.2", "main.f"},
		{"main.(*T).m.func2", "main.(*T).m"},
		{"main.init.0.func1", "main.init.0"},
		{"main.init.func1", "main.init"},
		{"main.glob..func1", "main.init"},
		{"example.com/a/b.glob..func12.1", "example.com/a/b.init"},
		{"main.main.OnceFunc.func4", "main.main.OnceFunc"},
		{"main.main.main.(*Tree[...]).All.func10.main-range3.func12", "main.main.main.(*Tree).All"},
		{"main.main-range2.func1", "main.main"},

		// functions that a user named like a closure
		{"main.func1", "main.func1"},
		{"main.func1.func2", "main.func1"},
		{"main.(*T).func1", "main.(*T).func1"},
		{"main.functional", "main.functional"},
		{"main.f.function", "main.f.function"},

		// range-over-func bodies and wrappers
		{"main.f-range1", "main.f"},
		{"main.f-range1-range2", "main.f"},
		{"main.(*T).m-range1", "main.(*T).m"},
		{"main.T.m-fm", "main.T.m"},
		{"main.main.gowrap1", "main.main"},
		{"main.(*T).End.deferwrap1", "main.(*T).End"},
		{"main.f·dwrap·3", "main.f"},
		{"runtime.asmcgocall.abi0", "runtime.asmcgocall"},

		// generics, short and with the full shape
		{"main.Map[...]", "main.Map"},
		{"main.(*Tree[...]).Walk", "main.(*Tree).Walk"},
		{"main.(*List[...]).Map[...]", "main.(*List).Map"},
		{"main.Plain.Each[...]", "main.Plain.Each"},
		{"main.Apply[go.shape.int,go.shape.string]", "main.Apply"},
		{"main.Apply[go.shape.struct { github.com/a/b/v2.X[int] }].func1", "main.Apply"},
		{"main.Torn[go.shape.in", "main.Torn"},

		// vendored copies
		{"k8s.io/kubernetes/vendor/k8s.io/client-go/rest.(*Request).Do", "k8s.io/client-go/rest.(*Request).Do"},
		{"vendor/golang.org/x/net/http/httpproxy.FromEnvironment", "golang.org/x/net/http/httpproxy.FromEnvironment"},
		{"github.com/tools/godep/Godeps/_workspace/src/github.com/kr/fs.Walk", "github.com/kr/fs.Walk"},
		{"github.com/acme/vendors.Load", "github.com/acme/vendors.Load"},

		// major versions are path elements of their own, from 2 on
		{"github.com/nats-io/nats-server/v2/server.(*client).readLoop", "github.com/nats-io/nats-server/server.(*client).readLoop"},
		{"github.com/dgraph-io/badger/v4.Open", "github.com/dgraph-io/badger.Open"},
		{"k8s.io/api/core/v1.(*Pod).Marshal", "k8s.io/api/core/v1.(*Pod).Marshal"},
		{"example.com/v2ray/core.Run", "example.com/v2ray/core.Run"},
		{"example.com/a/v2beta1.Run", "example.com/a/v2beta1.Run"},
		{"example.com/a/v2/v3/b.Run", "example.com/a/b.Run"},

		// escapes of the last path element
		{"gopkg.in/yaml%2ev3.Unmarshal", "gopkg.in/yaml.v3.Unmarshal"},
		{"gopkg.in/yaml.v3.Unmarshal", "gopkg.in/yaml.v3.Unmarshal"},
		{"gopkg.in/yaml%2ev3.(*parser).parse.func1", "gopkg.in/yaml.v3.(*parser).parse"},
		{"example.com/odd%zz.F", "example.com/odd%zz.F"},

		// no package, letters of any script, nothing at all
		{"panic", "panic"},
		{"aeshashbody", "aeshashbody"},
		{"tast.(*Wörter).Zähle", "tast.(*Wörter).Zähle"},
		{"main._Cfunc_boom", "main._Cfunc_boom"},
		{"", ""},
	} {
		if got := Symbol(tt.function); got != tt.want {
			t.Errorf("Symbol(%q) = %q, want %q", tt.function, got, tt.want)
		}
	}
}

func TestSymbolMatches(t *testing.T) {
	for _, tt := range []struct {
		function, want string
		match          bool
	}{
		{"github.com/hashicorp/go-memdb.WatchSet.WatchCtx", "github.com/hashicorp/go-memdb.WatchSet.WatchCtx", true},
		{"github.com/hashicorp/go-memdb.WatchSet.WatchCtxMany", "github.com/hashicorp/go-memdb.WatchSet.WatchCtx", false},
		{"x/github.com/hashicorp/go-memdb.WatchSet.WatchCtx", "github.com/hashicorp/go-memdb.WatchSet.WatchCtx", false},
		{"github.com/hashicorp/go-memdb.WatchSet.WatchCtx", "WatchSet.WatchCtx", false},
		{"github.com/a/b.(*T).M", "github.com/a/b.T.M", false},

		// closures of a named function are included …
		{"a/b.(*controller).AddTrigger.func1", "a/b.(*controller).AddTrigger", true},
		{"a/b.(*controller).AddTrigger.gowrap1", "a/b.(*controller).AddTrigger", true},
		// … and a closure that is asked for has to be one, whatever its number
		{"a/b.(*controller).AddTrigger.func2.1", "a/b.(*controller).AddTrigger.func1", true},
		{"a/b.(*controller).AddTrigger", "a/b.(*controller).AddTrigger.func1", false},
		{"a/b.(*controller).AddTrigger.gowrap1", "a/b.(*controller).AddTrigger.func1", false},
		{"a/b.compactBuckets[...].func1", "a/b.compactBuckets.func1", true},
		{"main.glob..func1", "main.init.func3", true},
		{"main.init.func3", "main.glob..func1", true},

		// a closure of an inlined function, as Go 1.26 and 1.27 spell it
		{"main.main.OnceFunc.func4", "sync.OnceFunc", true},
		{"sync.OnceFunc.func1", "sync.OnceFunc", true},
		{"main.main.OnceFunc.func4", "sync.OnceFunc.func1", true},
		{"main.main.main.(*Tree[...]).All.func10", "main.(*Tree).All", true},
		{"main.main.tree.(*Tree[...]).All.func10", "example.com/x/tree.(*Tree).All", true},
		{"main.main.OnceFunc", "sync.OnceFunc", false},
		{"main.OnceFunc.func4", "sync.OnceFunc", false},
		{"main.main.SyncOnceFunc.func4", "sync.OnceFunc", false},
		// a name that is not exported was inlined within its own package only
		{"main.main.run.func1", "example.com/x.run", false},
		{"example.com/x.Start.run.func1", "example.com/x.run", true},
	} {
		if got := SymbolMatches(tt.function, tt.want); got != tt.match {
			t.Errorf("SymbolMatches(%q, %q) = %v", tt.function, tt.want, got)
		}
	}
}

func TestSplitSymbol(t *testing.T) {
	for _, tt := range []struct{ symbol, pkg, name string }{
		{"a/b.(*T).M", "a/b", "(*T).M"},
		{"main.main", "main", "main"},
		{"panic", "", "panic"},
		{"a.b/c", "", "a.b/c"},
		{"a/b.Apply", "a/b", "Apply"},
	} {
		if pkg, name := SplitSymbol(tt.symbol); pkg != tt.pkg || name != tt.name {
			t.Errorf("SplitSymbol(%q) = %q, %q", tt.symbol, pkg, name)
		}
	}
}

// What most frames look like costs no allocation.
func TestSymbolAllocatesNothing(t *testing.T) {
	for _, f := range []string{
		"github.com/hashicorp/go-memdb.WatchSet.watchMany",
		"golang.org/x/sync/errgroup.(*Group).Go.func1",
		"main.main.gowrap1",
	} {
		if n := testing.AllocsPerRun(10, func() { Symbol(f) }); n != 0 {
			t.Errorf("Symbol(%q): %v allocations", f, n)
		}
	}
}

func FuzzSymbol(f *testing.F) {
	for _, s := range []string{"main.f.func1", "a/v2/v3.T[...].M-fm", "gopkg.in/yaml%2ev3.X", "main.glob..func1", "[", "]", "/vendor/", "%2", "a·dwrap·1", "(/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Symbol(s)
		if len(got) > len(s)+len("init") {
			t.Errorf("Symbol(%q) = %q is longer than its input", s, got)
		}
		if !strings.ContainsAny(s, "%[]") && got != "" && !SymbolMatches(s, s) {
			t.Errorf("%q does not match itself", s)
		}
	})
}
