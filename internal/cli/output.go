package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/crashtriage/crashtriage/report"
)

// output is one format and where it goes; an empty path is stdout.
type output struct {
	format report.Format
	path   string
}

// outputs reads the -f flags: NAME for stdout, NAME=PATH for a file. Without any it is text.
func (o *readOptions) outputs(s *streams) ([]output, error) {
	specs := o.formats
	if o.json {
		specs = append(specs[:len(specs):len(specs)], "json")
	}
	if len(specs) == 0 {
		specs = []string{report.Formats()[0].Name}
	}
	var out []output
	seen := map[string]string{}
	for _, spec := range specs {
		name, path, hasPath := strings.Cut(spec, "=")
		f, ok := formatNamed(name)
		if !ok {
			return nil, withHint(fmt.Errorf("no format is called %q", name), "the formats are %s", strings.Join(formatNames(), ", "))
		}
		if hasPath && path == "" {
			return nil, fmt.Errorf("--format %s: no path after the =", spec)
		}
		if path == "-" {
			path = ""
		}
		if first, taken := seen[path]; taken {
			if first == name && path == "" {
				continue // --json -f json
			}
			where := path
			if where == "" {
				where = "stdout"
			}
			return nil, withHint(fmt.Errorf("%s and %s would both be written to %s", first, name, where), "give one of them a file: --format %s=PATH", name)
		}
		seen[path] = name
		out = append(out, output{f, path})
	}
	return out, nil
}

func formatNamed(name string) (report.Format, bool) {
	for _, f := range report.Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return report.Format{}, false
}

func formatNames() (names []string) {
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// write writes the document in every format. One that fails does not keep the others from being written.
func (o *readOptions) write(s *streams, outs []output, r *reading) error {
	var failed error
	for _, out := range outs {
		if err := o.writeOne(s, out, r); err != nil {
			s.errorf("%v", err)
			failed = errReported
		}
	}
	return failed
}

func (o *readOptions) writeOne(s *streams, out output, r *reading) (err error) {
	w := s.out
	if out.path != "" {
		if err := notAnInput(out.path, r); err != nil {
			return err
		}
		f, err := os.Create(out.path)
		if err != nil {
			return fmt.Errorf("writing %s: %w", out.format.Name, err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	opt := report.Options{Width: o.columns(s, w), Color: s.colored(o.color, w), Verbose: o.verbose, Quiet: o.quiet}
	if out.path != "" && o.color != "always" {
		opt.Color = false
	}
	b := bufio.NewWriterSize(w, 1<<16)
	doc := o.redact.document(r.doc, o.redact.levelFor(out.format))
	if err := out.format.Write(b, doc, opt); err != nil {
		return fmt.Errorf("writing %s: %w", out.format.Name, err)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", out.format.Name, err)
	}
	if !o.quiet {
		o.redact.tell(s.err, doc)
	}
	return nil
}

func (o *readOptions) columns(s *streams, w io.Writer) int { return s.columns(o.width, w) }

// notAnInput keeps a slip such as "-f json=crash.log crash.log" from destroying the log.
func notAnInput(path string, r *reading) error {
	to, err := os.Stat(path)
	if err != nil || !to.Mode().IsRegular() {
		return nil
	}
	for _, src := range r.capture.Sources {
		name, _, _ := strings.Cut(src.Name, "!/")
		if from, err := os.Stat(name); err == nil && os.SameFile(from, to) {
			return fmt.Errorf("%s has just been read as input and is not overwritten", path)
		}
	}
	return nil
}
