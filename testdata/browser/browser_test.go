// Package browser opens the HTML report in a real Chromium. It is a module of its own, so that
// whoever uses crashtriage needs no browser driver. Run it with
//
//	cd testdata/browser && go test .
//
// The browser is $CHROME, else the first of chromium, chromium-browser and google-chrome on the path.
package browser

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/crashtriage/crashtriage/internal/cli"
)

var browser context.Context

func TestMain(m *testing.M) {
	path := chrome()
	if path == "" {
		fmt.Fprintln(os.Stderr, "no browser: set CHROME, or install chromium")
		os.Exit(1)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(1280, 900))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses root otherwise
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	var quit context.CancelFunc
	browser, quit = chromedp.NewContext(allocator)
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "the browser does not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	quit()
	stop()
	os.Exit(code)
}

func chrome() string {
	if path := os.Getenv("CHROME"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// reportOn runs the program on an input and returns the path of the page that it writes.
func reportOn(t *testing.T, input string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "crash.log"), filepath.Join(dir, "report.html")
	if err := os.WriteFile(in, []byte(input), 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if status := cli.Run([]string{"-f", "html=" + out, in}, strings.NewReader(""), &stderr, &stderr, func(string) string { return "" }); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr.String())
	}
	return out
}

// tab is one page in the browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	asked   []string // every URL that was requested
	trouble []string // exceptions, errors on the console, violations of the policy, dialogs
}

// open shows a page and fails the test if anything goes wrong in it until the test ends: an
// exception, an error on the console, a violation of the policy, a dialog, a request for anything
// but the page itself.
func open(t *testing.T, address string, before ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	if !strings.Contains(address, "://") {
		address = (&url.URL{Scheme: "file", Path: address}).String()
	}
	ctx, closeTab := chromedp.NewContext(browser)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	tb := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		tb.mu.Lock()
		for _, what := range tb.trouble {
			t.Error(what)
		}
		for _, asked := range tb.asked {
			if asked != address && !strings.HasPrefix(asked, "data:") {
				t.Errorf("the page asked for %s", asked)
			}
		}
		if len(tb.asked) == 0 {
			t.Error("no request was seen, not even for the page: the test is blind")
		}
		tb.mu.Unlock()
		cancel()
		closeTab()
	})
	const watch = `window.violations = []; document.addEventListener("securitypolicyviolation", e => window.violations.push(e.violatedDirective + " " + e.blockedURI));`
	tb.run(
		call(network.Enable, network.EnableParams{}),
		call(log.Enable, cdp.Empty{}),
		call(runtime.Enable, cdp.Empty{}),
		call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}),
	)
	if err := chromedp.Listen(ctx, tb.event); err != nil {
		t.Fatal(err)
	}
	tb.run(before...)
	tb.run(chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS("footer")))
	return tb
}

// call sends one command of the protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}

func (tb *tab) event(e any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	bad := func(format string, args ...any) { tb.trouble = append(tb.trouble, fmt.Sprintf(format, args...)) }
	switch e := e.(type) {
	case *network.EventRequestWillBeSent:
		tb.asked = append(tb.asked, e.Request.URL)
	case *runtime.EventExceptionThrown:
		bad("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		bad("console.%s was called", e.Type)
	case *log.EventEntryAdded:
		bad("the browser says: %s: %s", e.Entry.Level, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		bad("a dialog opened: %s", e.Message)
		go chromedp.Do(tb.ctx, call(page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}))
	}
}

func (tb *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	if err := chromedp.Do(tb.ctx, actions...); err != nil {
		tb.t.Fatal(err)
	}
}

// eval is the value of a script's expression; a promise is waited for.
func eval[T any](tb *tab, script string) T {
	tb.t.Helper()
	value, err := chromedp.Run(tb.ctx, chromedp.Evaluate[T](script, awaited))
	if err != nil {
		tb.t.Fatalf("%s: %v", script, err)
	}
	return value
}

func awaited(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }

// do runs a script for what it does.
func do(tb *tab, script string) { tb.t.Helper(); eval[bool](tb, "{"+script+"}; true") }

// want compares the value of an expression.
func want[T comparable](tb *tab, script string, wanted T) {
	tb.t.Helper()
	if got := eval[T](tb, script); got != wanted {
		tb.t.Errorf("%s is %v, want %v", script, got, wanted)
	}
}

// keys presses the keys of text one after the other. A letter is sent as a keyboard does, so that a page
// which takes it for itself keeps it out of a field.
func (tb *tab) keys(text string) {
	tb.t.Helper()
	for _, r := range text {
		if r < ' ' || r > '~' {
			tb.run(chromedp.KeyEvent(string(r)))
			continue
		}
		tb.run(
			call(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: string(r), Text: string(r)}),
			call(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: string(r)}),
		)
	}
}

// noScript keeps the page from running any.
func noScript() chromedp.Action[chromedp.Void] {
	return call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

func phone() chromedp.Action[chromedp.Void] { return chromedp.EmulateViewport(390, 844) }

func theme(name string) chromedp.Action[chromedp.Void] {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

func onPaper() chromedp.Action[chromedp.Void] {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
}
