// Package report turns what was read and what is known about it into one Document, and the
// Document into bytes.
//
// Build makes the Document; it is the JSON document that scripts rely on, and the only thing
// that a format ever sees. Formats lists the formats: one table, one file each. They add no
// judgement of their own: what a format prints stands in the Document.
//
// The Document holds the input's text as it was, since a reader of JSON wants the bytes. Every
// format escapes it for the place where it goes; see Escape for the terminal.
package report
