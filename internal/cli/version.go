package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// Version is stamped by release builds: -ldflags "-X github.com/crashtriage/crashtriage/internal/cli.Version=1.2.3".
var Version string

// buildVersion is the stamped version, else the module's, else the commit's.
func buildVersion() string {
	if Version != "" {
		return strings.TrimPrefix(Version, "v")
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

func versionLine() string { return "crashtriage " + buildVersion() }

// tool identifies this program and the knowledge it used in a document.
func tool(db *signatures.DB) report.Tool {
	return report.Tool{
		Name: "crashtriage", Version: buildVersion(),
		Signatures: report.SignaturesRef{Count: db.Len(), Version: db.Version()},
	}
}

func newVersion(s *streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of its signatures",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := signatures.Load()
			if err != nil {
				s.errorf("built-in signatures: %v", err)
			}
			t := tool(db)
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				return enc.Encode(struct {
					report.Tool
					Go       string `json:"go"`
					Platform string `json:"platform"`
				}{t, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
			}
			_, err = fmt.Fprintf(s.out, "%s\nsignatures %s (%d entries, %d families)\n%s %s/%s\n", versionLine(),
				t.Signatures.Version, t.Signatures.Count, len(db.Families()), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}
