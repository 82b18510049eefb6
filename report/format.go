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

// Format is one way to write a document.
type Format struct {
	Name  string
	About string // for the help
	Write func(w io.Writer, d *Document, o Options) error
}

// Formats returns all formats; the first is the default.
func Formats() []Format {
	return []Format{
		{"text", "for people at a terminal", Text},
		{"json", "the whole document, schema 1", func(w io.Writer, d *Document, _ Options) error { return JSON(w, d) }},
	}
}
