package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

const rootLong = `crashtriage reads a Go crash log and says what died, whether it is a known bug,
whether your version has the fix, and what to do now.

It reads files, folders, archives, globs and standard input: a crash as the runtime
prints it, alone or in the midst of other logs, wrapped by whatever carried it.`

const rootExample = `  crashtriage crash.log                       what happened, and what to do
  kubectl logs -p pod | crashtriage           the log of the container that died
  crashtriage --json debug.tar.gz             the whole document, for scripts
  crashtriage --product-version consul=1.22.6 crash.log`

func newRoot(s *streams) *cobra.Command {
	o := &readOptions{}
	cmd := &cobra.Command{
		Use:           "crashtriage [FILE|DIR|ARCHIVE|GLOB|-]...",
		Short:         "Read a Go crash log: what died, is it known, what to do",
		Long:          rootLong,
		Example:       rootExample,
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       versionLine(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && s.interactive() {
				return shortHelp(s, cmd)
			}
			return triage(cmd, s, o, args)
		},
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.SetFlagErrorFunc(usage)
	cmd.CompletionOptions.DisableDescriptions = false
	o.register(cmd)
	cmd.AddCommand(newCheck(s), newExplain(s), newSignatures(s), newVersion(s), newMan(s))
	return cmd
}

// triage is the command without a subcommand: read everything, write every format asked for.
func triage(cmd *cobra.Command, s *streams, o *readOptions, args []string) error {
	outs, err := o.outputs(s)
	if err != nil {
		return usage(cmd, err)
	}
	r, err := o.read(cmd, s, args)
	if err != nil {
		return err
	}
	return errors.Join(o.write(s, outs, r), r.failed())
}

// shortHelp answers a bare command at a terminal, where waiting for input would look like a hang.
func shortHelp(s *streams, cmd *cobra.Command) error {
	out := s.err
	put := func(text string) { _, _ = out.Write([]byte(text)) }
	put("crashtriage reads Go crash logs: what died, is it known, what to do now.\n\nusage:\n")
	put("  " + cmd.UseLine() + "\n\nexamples:\n" + cmd.Example + "\n\n")
	put("crashtriage --help lists commands and flags.\n")
	return errReported
}
