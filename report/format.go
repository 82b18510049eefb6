package report

import "io"

// Options are the wishes of whoever reads the output. They never change what is said, only how
// much of it and how it looks.
type Options struct {
	Width   int  // columns; 0 means 80
	Color   bool // the formats for machines never colour
	Links   bool // threads are hyperlinks: for terminals that know them
	Verbose bool // everything, nothing capped
	Quiet   bool // one line an incident
	// Root is the folder that a CI server takes paths to be relative to, and Dir the one that
	// relative names of sources start from. Both are absolute; "" leaves names as they are.
	Root, Dir string
	// FailOn is the threshold of check, for formats that tell failures from other cases: one of
	// FailOn's list, "" for "crash".
	FailOn string
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
		{"ndjson", "an incident or finding a line, for scripts", ".ndjson", false, NDJSON},
		{"slack", "one message to paste into a chat", ".txt", true, Slack},
		{"slack-json", "the same as the payload of a Slack webhook", ".json", true, SlackJSON},
		{"markdown", "a comment for an issue or a pull request", ".md", true, Markdown},
		{"issue", "the text of an issue, GitHub Markdown, secrets out", ".md", true, Issue},
		{"html", "one page for a browser, nothing to load", ".html", true, HTML},
		{"sarif", "SARIF 2.1.0, for code scanning", ".sarif", true, SARIF},
		{"junit", "JUnit XML, for test reports", ".xml", true, JUnit},
		{"github", "GitHub workflow commands: annotations", ".txt", true, GitHub},
		{"gitlab", "GitLab code quality", ".json", true, GitLab},
	}
}
