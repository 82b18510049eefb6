package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crashtriage/crashtriage/signatures"
)

func TestPackFolders(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the paths of the table are those of Unix")
	}
	for _, tt := range []struct {
		goos, home, xdg string
		want            []string
	}{
		{"linux", "/home/jane", "", []string{"/home/jane/.config/crashtriage/signatures"}},
		{"linux", "/home/jane", "/etc/jane", []string{"/etc/jane/crashtriage/signatures"}},
		{"linux", "/home/jane", "relative", []string{"/home/jane/.config/crashtriage/signatures"}},
		{"linux", "", "", nil},
		{"darwin", "/Users/jane", "", []string{"/Users/jane/Library/Application Support/crashtriage/signatures", "/Users/jane/.config/crashtriage/signatures"}},
		{"darwin", "/Users/jane", "/x", []string{"/Users/jane/Library/Application Support/crashtriage/signatures", "/x/crashtriage/signatures"}},
		{"windows", "/home/jane", "", nil},
	} {
		s := &streams{env: func(name string) string { return map[string]string{"HOME": tt.home, "XDG_CONFIG_HOME": tt.xdg}[name] }}
		if got := s.packFolders(tt.goos); !slices.Equal(got, tt.want) {
			t.Errorf("%s, HOME=%q, XDG_CONFIG_HOME=%q: %q, want %q", tt.goos, tt.home, tt.xdg, got, tt.want)
		}
	}
}

// The list keeps to the width of a terminal, and every id can be copied from it whole.
func TestTable(t *testing.T) {
	db, err := signatures.Load()
	if err != nil {
		t.Fatal(err)
	}
	o := &listOptions{project: "consul", unfixedIn: "1.22.6"}
	rows, _ := o.rows(db)
	if len(rows) < 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, width := range []int{60, 80, 120, 200} {
		var b strings.Builder
		table(&b, rows, width)
		for l := range strings.SplitSeq(b.String(), "\n") {
			if n := len([]rune(l)); n > width {
				t.Errorf("%d columns at a width of %d: %s", n, width, l)
			}
		}
		for _, r := range rows {
			if len(r.sig.ID) < 60 && !strings.Contains(b.String(), "\n"+r.sig.ID) {
				t.Errorf("%s is not in the list at a width of %d", r.sig.ID, width)
			}
		}
		if n := strings.Count(b.String(), "beyond-evidence: "); n != 1 {
			t.Errorf("%d heads for what is beyond the evidence", n)
		}
	}
}
