package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the console blocks of docs/signatures.md anew")

// What docs/signatures.md shows of a terminal is what the program prints, on the crash.log in
// front of it.
func TestDocsSession(t *testing.T) {
	doc, err := filepath.Abs("../../docs/signatures.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	_, log, found := strings.Cut(string(data), "```log\n")
	log, _, closed := strings.Cut(log, "```\n")
	before, session, ok := strings.Cut(string(data), "```console\n")
	session, after, end := strings.Cut(session, "```\n")
	if !found || !closed || !ok || !end {
		t.Fatal("docs/signatures.md has no log block, or no console block")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("crash.log", []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"SOURCE_DATE_EPOCH": "1785800000"}[name] }
	var now strings.Builder
	for line := range strings.Lines(session) {
		if command, ok := strings.CutPrefix(line, "$ crashtriage "); ok {
			var out bytes.Buffer
			Run(strings.Fields(command), strings.NewReader(""), &out, &out, env)
			now.WriteString(line + strings.TrimRight(out.String(), "\n"))
			if out.Len() > 0 {
				now.WriteByte('\n')
			}
		}
	}
	if *update {
		if err := os.WriteFile(doc, []byte(before+"```console\n"+now.String()+"```\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(session, now.String()); diff != "" || !strings.Contains(session, "0 failed") {
		t.Errorf("-docs +now (go test ./internal/cli -run TestDocsSession -update):\n%s", diff)
	}
}
