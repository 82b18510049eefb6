package main_test

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// action is what the test needs of action.yml.
type action struct {
	Runs struct {
		Steps []struct {
			ID    string
			Shell string
			Env   map[string]string
			Run   string
		}
	}
}

// The action's own scripts, run as a runner runs them, against a release that lies in a folder.
func TestAction(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("runs the scripts as on a Linux runner")
	}
	for _, tool := range []string{"bash", "curl", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s", tool)
		}
	}
	var a action
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Runs.Steps) != 2 || a.Runs.Steps[0].ID != "install" || a.Runs.Steps[1].ID != "check" {
		t.Fatalf("the steps are %+v", a.Runs.Steps)
	}
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %s puts an expression into its script, where it could be code", s.ID)
		}
	}
	temp := t.TempDir()
	releases := filepath.Join(temp, "releases")
	archive := release(t, filepath.Join(releases, "download", "v1.2.3"), "1.2.3")
	output := filepath.Join(temp, "output")
	run := func(step int, vars map[string]string) (string, int) {
		t.Helper()
		cmd := exec.Command("bash", "-c", a.Runs.Steps[step].Run)
		cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=true", "RUNNER_OS=Linux", "RUNNER_ARCH="+map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
			"RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"))
		for k, v := range vars {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	install := map[string]string{"VERSION": "1.2.3", "RELEASES": "file://" + releases}
	if out, status := run(0, install); status != 0 {
		t.Fatalf("install: status %d\n%s", status, out)
	}
	set, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	bin, ok := strings.CutPrefix(strings.TrimSpace(string(set)), "bin=")
	if !ok {
		t.Fatalf("install set %q", set)
	}

	check := func(more map[string]string) map[string]string {
		vars := map[string]string{"BIN": bin, "FAIL_ON": "crash", "KNOWN_OK": "", "BASELINE": "", "FORMAT": "", "OUTPUT": ""}
		for k, v := range more {
			vars[k] = v
		}
		return vars
	}
	for _, tc := range []struct {
		name   string
		vars   map[string]string
		status int
		want   []string
	}{
		{"a known crash", map[string]string{"INPUT_PATH": "testdata/dumps/watchset-many.txt"}, 1, []string{"status=1", "verdict=known", "failing=1", "consul-apigw-route-watchset-race"}},
		{"two paths", map[string]string{"INPUT_PATH": "testdata/dumps/index.txt\ntestdata/seeds/xds-snapshot-in-order.log\n", "FAIL_ON": "known"}, 0, []string{"status=0", "verdict=family"}},
		{"no crash", map[string]string{"INPUT_PATH": "testdata/seeds/xds-snapshot-in-order.log"}, 0, []string{"status=0", "verdict=none"}},
		{"a path that is no option and no script", map[string]string{"INPUT_PATH": "--fail-on=none; touch " + filepath.Join(temp, "owned")}, 2, []string{"status=2"}},
	} {
		if err := os.Remove(output); err != nil {
			t.Fatal(err)
		}
		out, status := run(1, check(tc.vars))
		set, _ := os.ReadFile(output)
		if status != tc.status {
			t.Errorf("%s: status %d, want %d\n%s", tc.name, status, tc.status, out)
		}
		for _, w := range tc.want {
			if !strings.Contains("\n"+string(set), "\n"+w+"\n") {
				t.Errorf("%s: no %s in the outputs:\n%s", tc.name, w, set)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(temp, "owned")); err == nil {
		t.Error("an input was run as a script")
	}

	if err := os.WriteFile(archive, []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, status := run(0, install); status != 2 || !strings.Contains(out, "::error::the checksum of") {
		t.Errorf("an archive with another checksum: status %d\n%s", status, out)
	}
	if out, status := run(0, map[string]string{"VERSION": "1/../..", "RELEASES": "file://" + releases}); status != 2 {
		t.Errorf("a version that is a path: status %d\n%s", status, out)
	}
}

// release writes a release of this program for this machine to dir, and returns its archive.
func release(t *testing.T, dir, version string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "crashtriage")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	data, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("crashtriage_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "crashtriage", Mode: 0o755, Size: int64(len(data))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	for _, c := range []interface{ Close() error }{w, z, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hash.Write(packed)
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), fmt.Appendf(nil, "%x  %s\n", hash.Sum(nil), name), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
