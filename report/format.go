package report

import "io"

// Options are the wishes of whoever reads the output. They never change what is said, only how
// much of it and how it looks.
type Options struct {
	Width   int  // columns; 0 means 80
	Color   bool // the formats for machines never colour
	Verbose bool // everything, nothing capped
	Quiet   bool // one line an incident
}

// Format is one way to write a document. Each has a file of its own.
type Format struct {
	Name  string
	About string // for the help
	Ext   string // the usual extension of its files, with the dot
	// Publish says that the output is meant to be pasted or published, so that secrets are taken out
	// of it unless the user wants them in.
	Publish bool
	Write   func(w io.Writer, d *Document, o Options) error
}

// Formats returns all formats; the first is the default.
func Formats() []Format {
	return []Format{
		{"text", "for people at a terminal", ".txt", false, Text},
		{"json", "the whole document, schema 1", ".json", false, JSON},
		{"issue", "the text of an issue, GitHub Markdown, secrets out", ".md", true, Issue},
	}
}
