package main_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var record = flag.Bool("record", false, "write what the crashers print to testdata/dumps")

// A crasher is one way to die, and the dump in testdata/dumps that it printed once.
type crasher struct {
	dump    string // testdata/dumps/<dump>.txt
	program string // crashers, race, test (a test binary) or watchset
	args    string
	env     string         // NAME=VALUE, separated by blanks
	signal  syscall.Signal // sent from outside as soon as the program says that it is ready
	exit    int            // status; 0 stands for 2, with which the runtime ends a process; -1: killed by a signal
	lives   bool           // it goes on after what it printed, and ends with status 0
	// loose: other goroutines of the dump are wherever they happened to be, only the crashing one is compared.
	loose bool
	// go127: Go 1.27 prints another text, which has a dump of its own.
	go127 bool
}

// simple are the modes of testdata/crashers that need nothing else: each printed the dump of its name.
const simple = `nil-receiver nil-func index nil-map custom-error wrapped-error struct-value multiline repanic
	repanic-same nested-defer closed-send close-twice type-assertion goroutine-panic closure generic method-value
	deferred-cleanup goexit-main map-writes map-read-write map-iteration map-clone deadlock-chan deadlock-mutex
	deadlock-group unlock runlock unlock-in-panic stack-overflow nil-go log-panic out-of-memory fault-address`

func crashers() []crasher {
	list := []crasher{
		{dump: "nil-panic", args: "nil-panic", go127: true},
		{dump: "once", args: "once", go127: true},
		{dump: "http-recovered", args: "http-recovered", lives: true},
		{dump: "recovered-printed", args: "recovered-printed", lives: true},
		{dump: "print-stack", args: "print-stack", lives: true},
		{dump: "dump-all", args: "dump-all", lives: true},
		{dump: "profile-debug-1", args: "profile-debug-1", lives: true},
		{dump: "profile-debug-2", args: "profile-debug-2", lives: true},

		{dump: "goroutine-panic-all", args: "goroutine-panic", env: "GOTRACEBACK=all"},
		{dump: "goroutine-panic-system", args: "goroutine-panic", env: "GOTRACEBACK=system"},
		{dump: "goroutine-panic-crash", args: "goroutine-panic", env: "GOTRACEBACK=crash", exit: -1, loose: true},
		{dump: "goroutine-panic-none", args: "goroutine-panic", env: "GOTRACEBACK=none"},
		{dump: "map-writes-all", args: "map-writes", env: "GOTRACEBACK=all", loose: true},
		{dump: "map-writes-none", args: "map-writes", env: "GOTRACEBACK=none"},
		{dump: "deadlock-chan-none", args: "deadlock-chan", env: "GOTRACEBACK=none"},
		{dump: "labels", args: "labels", env: "GOTRACEBACK=all GODEBUG=tracebacklabels=1", go127: true},
		{dump: "locked", args: "locked", env: "GOTRACEBACK=all"},

		{dump: "sigquit", args: "wait-many", signal: syscall.SIGQUIT, go127: true},
		{dump: "sigabrt", args: "wait-two", signal: syscall.SIGABRT},
		{dump: "sigsegv", args: "wait-two", signal: syscall.SIGSEGV},

		{dump: "test-panic", program: "test", args: "-test.run=TestPanics"},
		{dump: "test-timeout", program: "test", args: "-test.run=TestHangs -test.timeout=1s"},
		{dump: "test-late-panic", program: "test", args: "-test.run=TestLate"},
		{dump: "race", program: "race", args: "race", exit: 66},

		{dump: "watchset-many", program: "watchset", args: "many", go127: true},
		{dump: "watchset-many-all", program: "watchset", args: "many", env: "GOTRACEBACK=all", loose: true},
		{dump: "watchset-quiet", program: "watchset", args: "quiet"},
		{dump: "watchset-few", program: "watchset", args: "few"},
	}
	for _, mode := range strings.Fields(simple) {
		list = append(list, crasher{dump: mode, args: mode})
	}
	for i := range list {
		c := &list[i]
		if c.program == "" {
			c.program = "crashers"
		}
		if c.exit == 0 && !c.lives {
			c.exit = 2
		}
	}
	return list
}

// TestCrashers builds the crashers with the Go at hand, lets each die, and holds what is parsed
// from its output against what is parsed from the committed dump: a Go release that changes the
// format is noticed here. With -record the output becomes the committed dump.
func TestCrashers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the crashers: not with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the crashers die of Unix signals and limits")
	}
	g := newGo(t)
	for _, c := range crashers() {
		t.Run(c.dump, func(t *testing.T) {
			t.Parallel()
			binary := g.program(t, c.program)
			out := c.run(t, binary)
			name := dumpFor(c.dump, g.version)
			if *record {
				if g.version != "go1.26" {
					if !c.go127 {
						return
					}
					name = filepath.Join("testdata", "dumps", c.dump+"."+g.version+".txt")
				}
				if err := os.WriteFile(name, g.anonymous(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			committed, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, want := portable(out, c.loose), portable(committed, c.loose)
			// Where goroutines are at one moment, and which of two that run into each other notices, is up
			// to the scheduler. A changed format is changed in every run.
			for tries := 0; got != want && tries < 8; tries++ {
				out = c.run(t, binary)
				got = portable(out, c.loose)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s prints something else than %s (-committed +now):\n%s\noutput:\n%s", g.version, name, diff, out)
			}
		})
	}
}

// run lets the crasher die and returns what it printed on both streams.
func (c crasher) run(t *testing.T, binary string) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, strings.Fields(c.args)...)
	cmd.Dir = t.TempDir() // a core file, if this machine writes any, goes with it
	cmd.Env = append([]string{"HOME=" + cmd.Dir, "PATH=" + os.Getenv("PATH")}, strings.Fields(c.env)...)
	out := &output{ready: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if c.signal != 0 {
		select {
		case <-out.ready:
		case <-ctx.Done():
		}
		time.Sleep(50 * time.Millisecond) // the program goes to sleep after its last word
		cmd.Process.Signal(c.signal)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != c.exit {
		t.Fatalf("%s %s: %v, want exit status %d\n%s", filepath.Base(binary), c.args, cmd.ProcessState, c.exit, out.buf.Bytes())
	}
	return out.buf.Bytes()
}

// output collects what a program prints and notices its first words.
type output struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	ready chan struct{}
	once  sync.Once
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.buf.Write(p)
	o.once.Do(func() { close(o.ready) })
	return n, err
}

// goAtHand builds each program once, and knows which paths of this machine a dump may carry.
type goAtHand struct {
	version  string // "go1.26"
	root     string
	modules  string
	dir      string
	programs map[string]*built
}

type built struct {
	once sync.Once
	path string
	err  error
	skip string
}

func newGo(t *testing.T) *goAtHand {
	g := &goAtHand{dir: t.TempDir(), programs: map[string]*built{"crashers": {}, "race": {}, "test": {}, "watchset": {}}}
	out, err := goCommand("testdata/crashers", "1", "env", "GOVERSION", "GOROOT", "GOMODCACHE")
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	env := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(env) != 3 {
		t.Fatalf("go env: %q", out)
	}
	g.version = regexp.MustCompile(`^go\d+\.\d+`).FindString(env[0])
	g.root, g.modules = env[1], env[2]
	return g
}

// program builds a program, once, and returns its path. It skips the test if something that the
// build needs is not to be had here: the network, or a C compiler for the race detector.
func (g *goAtHand) program(t *testing.T, name string) string {
	b := g.programs[name]
	b.once.Do(func() {
		b.path = filepath.Join(g.dir, name)
		dir, cgo := "testdata/crashers", "0" // with cgo linked in, the runtime finds no deadlocks
		args := []string{"build", "-trimpath", "-o", b.path, "."}
		switch name {
		case "race":
			cgo, args = "1", []string{"build", "-race", "-trimpath", "-o", b.path, "."}
		case "test":
			args = []string{"test", "-c", "-trimpath", "-o", b.path, "."}
		case "watchset": // with whole paths, as most programs are built
			dir, args = "testdata/crashers/watchset", []string{"build", "-o", b.path, "."}
			if out, err := goCommand(dir, cgo, "mod", "download"); err != nil {
				b.skip = fmt.Sprintf("its modules are not to be had here: %v\n%s", err, out)
				return
			}
		}
		out, err := goCommand(dir, cgo, args...)
		if err != nil && name == "race" {
			b.skip = fmt.Sprintf("no race detector here: %s", out)
		} else if err != nil {
			b.err = fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	})
	if b.skip != "" {
		t.Skip(b.skip)
	}
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path
}

func goCommand(dir, cgo string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED="+cgo, "GOWORK=off", "GOFLAGS=-buildvcs=false", "GOTRACEBACK=", "GODEBUG=")
	return cmd.CombinedOutput()
}

// anonymous takes the paths of this machine out of a dump.
func (g *goAtHand) anonymous(out []byte) []byte {
	here, err := filepath.Abs("testdata/crashers/watchset")
	if err != nil {
		panic(err)
	}
	for _, r := range [][2]string{{g.root, "/usr/local/go"}, {g.modules, "/home/dev/go/pkg/mod"}, {here, "/home/dev/consul"}} {
		out = bytes.ReplaceAll(out, []byte(r[0]+"/"), []byte(r[1]+"/"))
	}
	return out
}

// dumpFor is the newest dump that a Go release up to version printed: NAME.go1.27.txt, else NAME.txt.
func dumpFor(name, version string) string {
	base := filepath.Join("testdata", "dumps", name)
	best, minor := base+".txt", 0
	have := 1 << 20 // a Go under development is newer than all
	fmt.Sscanf(version, "go1.%d", &have)
	found, _ := filepath.Glob(base + ".go1.*.txt")
	for _, f := range found {
		var v int
		fmt.Sscanf(strings.TrimPrefix(f, base), ".go1.%d.txt", &v)
		if v <= have && v > minor {
			best, minor = f, v
		}
	}
	return best
}
