package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// readOptions are the flags of every command that reads input.
type readOptions struct {
	formats  []string
	json     bool
	packs    []string
	products map[string]string
	color    string
	width    int
	quiet    bool
	verbose  bool
	limits   limits
	redact   redaction
}

// register adds the flags of a command that reads and writes a document.
func (o *readOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	names := formatNames()
	f.StringArrayVarP(&o.formats, "format", "f", nil, "write `NAME[=PATH]`; may repeat: "+strings.Join(names, ", "))
	f.BoolVar(&o.json, "json", false, "the same as --format json")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "one line an incident")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	o.registerReading(cmd)
}

// registerReading adds the flags of every command that reads.
func (o *readOptions) registerReading(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.verbose, "verbose", "v", false, "everything, nothing capped")
	packFlag(cmd, o)
	f.StringToStringVar(&o.products, "product-version", nil, "say which version ran, `NAME=VERSION`, whatever the input says")
	f.Lookup("product-version").DefValue = ""
	f.StringVar(&o.color, "color", "auto", "use colour `WHEN`: auto, always or never")
	f.Lookup("color").DefValue = ""
	f.IntVar(&o.width, "width", 0, "fill `COLUMNS` (default the terminal's, or 80)")
	_ = cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	o.redact.register(cmd)
	o.limits.register(f)
}

// reading is what one command has read, and everything that went wrong on the way.
type reading struct {
	db      *signatures.DB
	match   signatures.MatchOptions
	capture *parse.Capture
	result  *signatures.Result
	doc     *report.Document
	broken  bool // an input or a pack could not be used
}

func (r *reading) failed() error {
	if r.broken {
		return errReported
	}
	return nil
}

// read reads what args name, or standard input, and asks the knowledge base about it. Inputs and
// packs that cannot be used are named on stderr; the rest is read all the same.
func (o *readOptions) read(cmd *cobra.Command, s *streams, args []string) (*reading, error) {
	switch o.color {
	case "":
		o.color = "auto"
	case "auto", "always", "never":
	default:
		return nil, usage(cmd, fmt.Errorf("--color %q: want auto, always or never", o.color))
	}
	if err := o.redact.valid(); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		args = []string{"-"}
	}
	r := &reading{match: signatures.MatchOptions{ProductVersions: o.productVersions()}}
	var ok bool
	if r.db, ok = o.load(s); !ok {
		r.broken = true
	}
	inputs, errs := parse.Inputs(args, s.in)
	for _, err := range errs {
		r.broken = true
		s.errorf("%v", err)
		s.help(cmd.Root(), err)
	}
	if len(inputs) == 0 && len(errs) > 0 {
		return nil, errReported
	}
	opt := o.limits.options()
	opt.KeepRecord = r.db.KeepRecord
	if isTerminal(s.err) && s.env("TERM") != "dumb" {
		p := startProgress(s.err, progressFrom, progressEvery)
		opt.Progress = &p.bytes
		r.capture = parse.Read(context.Background(), inputs, opt)
		p.end()
	} else {
		r.capture = parse.Read(context.Background(), inputs, opt)
	}
	for _, src := range r.capture.Sources {
		if src.Err != nil {
			r.broken = true
			s.errorf("%v", named(src))
		}
	}
	for _, err := range errs {
		r.capture.Sources = append(r.capture.Sources, unopened(err))
	}
	r.result = r.db.Match(r.capture, r.match)
	o.override(&r.capture.Facts)
	r.doc = report.Build(r.capture, r.result, tool(r.db))
	return r, nil
}

// named says which source an error belongs to, once.
func named(src *parse.Source) error {
	if strings.Contains(src.Err.Error(), src.Name) {
		return src.Err
	}
	return fmt.Errorf("%s: %w", src.Name, src.Err)
}

// unopened is the place in the document of a path that led nowhere.
func unopened(err error) *parse.Source {
	var ie *parse.InputError
	if errors.As(err, &ie) {
		return &parse.Source{Name: ie.Path, Err: errors.New(ie.Reason)}
	}
	return &parse.Source{Err: err}
}

// help prints what to do about an input that could not be used. A mistyped command looks like a
// file that does not exist.
func (s *streams) help(root *cobra.Command, err error) {
	var ie *parse.InputError
	if !errors.As(err, &ie) {
		return
	}
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(ie.Path, `./\`) {
		root.SuggestionsMinimumDistance = 2
		if names := root.SuggestionsFor(ie.Path); len(names) > 0 {
			s.hintf("did you mean the command %q?", "crashtriage "+names[0])
			return
		}
	}
	if ie.Hint != "" {
		s.hintf("%s", ie.Hint)
	}
}

func (o *readOptions) productVersions() map[string]string {
	out := map[string]string{}
	for name, v := range o.products {
		out[strings.ToLower(strings.TrimSpace(name))] = strings.TrimPrefix(strings.TrimSpace(v), "v")
	}
	return out
}

// override puts the versions that the user knows in front of those found in the input.
func (o *readOptions) override(f *parse.Facts) {
	var front []parse.Product
	for _, name := range sortedKeys(o.productVersions()) {
		version, meta, _ := strings.Cut(o.productVersions()[name], "+")
		p := parse.Product{Name: name, Version: version, Metadata: meta, How: "--product-version"}
		if meta == "ent" || strings.HasPrefix(meta, "ent.") {
			p.Edition = "ent"
		}
		front = append(front, p)
	}
	f.Products = append(front, f.Products...)
}
