package main_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/internal/cli"
	"github.com/google/go-cmp/cmp"
)

// TestReadme runs every "$ crashtriage …" in the console blocks of README.md and docs: what is
// shown there is what the program prints. With -update it writes the blocks anew.
func TestReadme(t *testing.T) {
	for _, file := range []string{"README.md", "docs/ci.md"} {
		t.Run(file, func(t *testing.T) { runSessions(t, file) })
	}
}

func runSessions(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const open, shut, prompt = "```console\n", "```\n", "$ crashtriage "
	var now strings.Builder
	rest, ran := string(text), 0
	for {
		before, block, found := strings.Cut(rest, open)
		now.WriteString(before)
		if !found {
			break
		}
		block, rest, found = strings.Cut(block, shut)
		if !found {
			t.Fatal("a console block has no end")
		}
		now.WriteString(open)
		for line := range strings.Lines(block) {
			if command, ok := strings.CutPrefix(line, prompt); ok {
				var out bytes.Buffer
				cli.Run(strings.Fields(command), strings.NewReader(""), &out, &out, func(string) string { return "" })
				now.WriteString(line + out.String())
				ran++
			}
		}
		now.WriteString(shut)
	}
	if ran == 0 {
		t.Fatal("it shows no session")
	}
	if *update {
		if err := os.WriteFile(file, []byte(now.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), now.String()); diff != "" {
		t.Errorf("go test . -run TestReadme -update writes it anew; -file +now:\n%s", diff)
	}
}
