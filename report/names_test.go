package report

import (
	"testing"
	"time"
)

func TestShortFunction(t *testing.T) {
	tests := []struct{ in, want string }{
		{"main.main", "main.main"},
		{"github.com/hashicorp/go-memdb.WatchSet.watchMany", "go-memdb.WatchSet.watchMany"},
		{"github.com/acme/orders/store.(*Cache).Get.func1", "store.(*Cache).Get.func1"},
		{"github.com/acme/orders/v2.Run", "orders/v2.Run"},
		{"github.com/acme/orders/v2/api.Run", "api.Run"},
		{"gopkg.in/yaml%2ev3.(*parser).parse", "yaml.v3.(*parser).parse"},
		{"github.com/acme/list.Map[go.shape.int,github.com/acme/x.T]", "list.Map[go.shape.int,github.com/acme/x.T]"},
		{"github.com/acme/list.(*L[github.com/acme/x.T]).Add", "list.(*L[github.com/acme/x.T]).Add"},
		{"", ""},
		{"/", ""},
	}
	for _, tt := range tests {
		if got := shortFunction(tt.in); got != tt.want {
			t.Errorf("shortFunction(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestShortFile(t *testing.T) {
	tests := []struct{ function, file, want string }{
		{"runtime.gopanic", "/usr/local/go/src/runtime/panic.go", "runtime/panic.go"},
		{"github.com/acme/ring.Set.Each", "/root/go/pkg/mod/github.com/acme/ring@v1.2.0/set.go", "ring@v1.2.0/set.go"},
		{"github.com/acme/ring/v2.F", "/root/go/pkg/mod/github.com/acme/ring/v2@v2.0.1/in/set.go", "ring/v2@v2.0.1/in/set.go"},
		{"github.com/acme/orders/store.Get", "/home/ci/src/orders/store/cache.go", "store/cache.go"},
		{"github.com/acme/orders.Get", "/home/ci/src/orders/cache.go", "cache.go"},
		{"main.main", "/home/ci/src/orders/cmd/server/main.go", "cmd/server/main.go"},
		{"main.main", `C:\src\orders\cmd\main.go`, "orders/cmd/main.go"},
		{"main.main", "main.go", "main.go"},
		{"main.main", "", ""},
	}
	for _, tt := range tests {
		f := &Frame{Function: tt.function, File: tt.file, Std: tt.function == "runtime.gopanic"}
		if got := shortFile(f); got != tt.want {
			t.Errorf("shortFile(%q in %s) = %q, want %q", tt.file, tt.function, got, tt.want)
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ got, want string }{
		{number(41802), "41,802"}, {number(-1234567), "-1,234,567"}, {number(999), "999"}, {number(0), "0"},
		{roughly(99_999), "99,999"}, {roughly(240_113), "240 k"}, {roughly(4_100_000), "4.1 M"}, {roughly(4_000_000), "4 M"},
		{bytesOf(0), "0 B"}, {bytesOf(999), "999 B"}, {bytesOf(1890), "1.9 kB"}, {bytesOf(812_000_000), "812 MB"}, {bytesOf(999_700), "1 MB"},
		{minutes(37), "37 min"}, {minutes(60), "1 h"}, {minutes(80), "1 h 20 min"}, {minutes(700), "11 h"}, {minutes(4200), "2 d 22 h"},
		{waits(nil), ""}, {waits(&Wait{}), ""}, {waits(&Wait{41, 41}), "41 min"}, {waits(&Wait{0, 184}), "up to 3 h 4 min"},
		{waits(&Wait{2, 37}), "2–37 min"}, {waits(&Wait{59, 61}), "59 min–1 h 1 min"},
		{span(51 * time.Millisecond), "51 ms"}, {span(90 * time.Second), "90 s"}, {span(time.Hour), "1 h"},
		{shortURL("https://github.com/a/b/pull/12"), "a/b#12"}, {shortURL("https://github.com/a/b/issues/12/"), "a/b#12"},
		{shortURL("https://github.com/a/b/commit/0123456789abcdef"), "a/b@0123456789ab"}, {shortURL("https://example.com/x"), "https://example.com/x"},
		{advice("none published; inferred from the cause: pin it."), "pin it (inferred from the cause, not published)"},
		{advice("none known"), ""}, {advice("set limit=1"), "set limit=1"}, {advice(""), ""},
		{timeOfDay("2026-04-23T17:13:21.011917Z"), "17:13:21.011"}, {timeOfDay("17:13:21"), "17:13:21"}, {timeOfDay("Apr 23"), "Apr 23"},
		{repository("github.com/acme/orders/store"), "github.com/acme/orders"}, {repository("main"), ""}, {repository("net/http"), ""},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
