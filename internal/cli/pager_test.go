package cli

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPagerCommand(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		want []string
	}{
		{nil, []string{"less", "-FIRX"}},
		{map[string]string{"PAGER": "more"}, []string{"more"}},
		{map[string]string{"PAGER": "more", "CRASHTRIAGE_PAGER": "less -R"}, []string{"less", "-R"}},
		{map[string]string{"PAGER": "  "}, []string{"less", "-FIRX"}},
	} {
		if diff := cmp.Diff(tc.want, pagerCommand(func(k string) string { return tc.env[k] })); diff != "" {
			t.Errorf("%v: -want +got:\n%s", tc.env, diff)
		}
	}
}

func TestThroughPager(t *testing.T) {
	if _, err := exec.LookPath("head"); err != nil {
		t.Skip("needs head")
	}
	report := func(w io.Writer) error {
		for i := range 100_000 {
			if _, err := fmt.Fprintln(w, "line", i); err != nil {
				return err
			}
		}
		return nil
	}
	var out, errs bytes.Buffer
	if err := throughPager(&out, &errs, []string{"head", "-n", "2"}, report); err != nil || out.String() != "line 0\nline 1\n" {
		t.Errorf("a pager that is left early: %q, error %v", out.String(), err)
	}
	if err := throughPager(&out, &errs, []string{"no-such-pager"}, report); err == nil {
		t.Error("a pager that does not exist is no error")
	}
}
