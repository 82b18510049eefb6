package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// recipe is a fenced block of docs/recipes.md.
type recipe struct {
	heading string
	prints  string // what a comment above the block promises
	lang    string
	text    string
}

func recipes(t *testing.T) []recipe {
	t.Helper()
	data, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []recipe
	var r recipe
	inside := false
	for line := range strings.Lines(string(data)) {
		l := strings.TrimRight(line, "\n")
		switch {
		case inside && l == "```":
			list = append(list, r)
			r = recipe{heading: r.heading}
			inside = false
		case inside:
			r.text += line
		case strings.HasPrefix(l, "```"):
			inside, r.lang = true, l[3:]
		case strings.HasPrefix(l, "#"):
			r.heading = strings.TrimLeft(l, "# ")
		case strings.HasPrefix(l, "<!-- prints: "):
			r.prints = strings.TrimSuffix(strings.TrimPrefix(l, "<!-- prints: "), " -->")
		}
	}
	return list
}

var (
	jenkinsShell  = regexp.MustCompile(`(?m)^\s*sh '([^']*)'`)
	systemdStarts = regexp.MustCompile(`(?m)^ExecStart=(.*)$`)
)

// commands are what a recipe has executed, by whatever reads its language.
func (r recipe) commands(t *testing.T) []string {
	t.Helper()
	switch r.lang {
	case "sh":
		return []string{r.text}
	case "groovy":
		var list []string
		for _, m := range jenkinsShell.FindAllStringSubmatch(r.text, -1) {
			list = append(list, m[1])
		}
		return list
	case "ini":
		var list []string
		for _, m := range systemdStarts.FindAllStringSubmatch(r.text, -1) {
			list = append(list, strings.ReplaceAll(m[1], "%i", "consul"))
		}
		return list
	case "yaml":
		var jobs map[string]struct {
			Script []string
		}
		if err := yaml.Unmarshal([]byte(r.text), &jobs); err != nil {
			return nil // a workflow of GitHub: see TestRecipesUseTheAction
		}
		var list []string
		for _, j := range jobs {
			list = append(list, j.Script...)
		}
		return list
	}
	return nil
}

// Every recipe's command does what is said of it. The programs that it takes the log from are
// stand-ins that print a crash, and only if they are called as the recipe calls them.
func TestRecipes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the recipes are for a POSIX shell")
	}
	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "crashtriage"), ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	copyFile := func(from, to string) {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, to := range []string{"crash.log", "logs/consul/crash.log"} {
		copyFile("testdata/dumps/watchset-many.txt", to)
	}
	copyFile("testdata/dumps/nil-receiver.txt", "unknown.log")
	if out, err := exec.Command("tar", "-C", dir, "-czf", filepath.Join(dir, "support-bundle.tar.gz"), "crash.log").CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	for tool, body := range map[string]string{
		"kubectl":    `case "$*" in "logs -p "*--prefix*) sed 's,^,[pod/consul-server-0/consul] ,' crash.log ;; "logs -p "*) cat crash.log ;; *) exit 64 ;; esac`,
		"journalctl": `case "$*" in "-u consul "*--no-pager) sed 's,^,Nov 30 22:33:04 node-1 consul[812]: ,' crash.log ;; *) exit 64 ;; esac`,
		"docker":     `case "$*" in "logs consul") cat crash.log >&2 ;; *) exit 64 ;; esac`,
		"nomad":      `case "$*" in "alloc logs -stderr "*) cat crash.log ;; *) exit 64 ;; esac`,
		"curl":       `grep -q '"blocks"' - && echo ok`,
	} {
		if err := os.WriteFile(filepath.Join(bin, tool), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, r := range recipes(t) {
		for _, command := range r.commands(t) {
			ran++
			t.Run(r.heading, func(t *testing.T) {
				if r.prints == "" {
					t.Fatal("the recipe does not say what it prints")
				}
				cmd := exec.Command("sh", "-c", command)
				cmd.Dir = dir
				cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir, "STATE_DIRECTORY=" + dir, "SLACK_WEBHOOK_URL=https://hooks.example/T0/B0"}
				var out, errs bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errs
				_ = cmd.Run()
				// check fails on purpose, for there is a crash; what could not be done is status 2.
				if s := cmd.ProcessState.ExitCode(); s > 1 || s == 1 && !strings.Contains(command, "check") {
					t.Errorf("exit status %d", s)
				}
				if !strings.Contains(out.String(), r.prints) {
					t.Errorf("does not print %q", r.prints)
				}
				if t.Failed() {
					t.Logf("%s\nstdout:\n%s\nstderr:\n%s", command, out.String(), errs.String())
				}
			})
		}
	}
	if ran < 12 {
		t.Errorf("only %d commands were found in docs/recipes.md", ran)
	}
}

// The workflow in the recipes gives the action inputs that it has.
func TestRecipesUseTheAction(t *testing.T) {
	var a struct{ Inputs map[string]any }
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	used := 0
	for _, r := range recipes(t) {
		var w struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string
					With map[string]any
				}
			}
		}
		if r.lang != "yaml" || yaml.Unmarshal([]byte(r.text), &w) != nil {
			continue
		}
		for _, j := range w.Jobs {
			for _, s := range j.Steps {
				if !strings.HasPrefix(s.Uses, "crashtriage/") {
					continue
				}
				used++
				for in := range s.With {
					if _, ok := a.Inputs[in]; !ok {
						t.Errorf("%s: the action has no input %q", r.heading, in)
					}
				}
			}
		}
	}
	if used == 0 {
		t.Error("no recipe uses the action")
	}
}
