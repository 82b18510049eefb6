package report

import (
	"fmt"
	"io"
	"strings"
)

// annotationsShown is how many annotations are written: GitHub shows ten a step and drops the
// rest in silence, so the tenth says how many more there are.
const annotationsShown = 9

// GitHub writes the workflow commands that GitHub Actions turns into annotations: one a crash or
// finding, strongest first, at the line of the log that was read. The job summary is GitHubSummary.
//
// Grammar and escapes: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
func GitHub(w io.Writer, d *Document, o Options) error {
	var all []string
	groups := findingsOf(d)
	for _, g := range groups {
		all = append(all, g.annotation(o))
	}
	for _, s := range d.Sources {
		if s.Error != "" {
			all = append(all, command("warning", relative(s.Name, o), 0, "not read", s.Error))
		}
	}
	if len(groups) == 0 {
		all = append(all, command("notice", "", 0, "crashtriage", "no Go crash in "+readWords(d, " read")))
	}
	if n := len(all); n > annotationsShown+1 {
		all = append(all[:annotationsShown:annotationsShown],
			command("notice", "", 0, "crashtriage", number(n-annotationsShown)+" more are in the log and in the job summary"))
	}
	_, err := io.WriteString(w, strings.Join(all, "\n")+"\n")
	return err
}

// findingsOf are the groups without the dumps that somebody asked for.
func findingsOf(d *Document) []*group {
	var out []*group
	for _, g := range grouped(d) {
		if !g.it.quietDump() {
			out = append(out, g)
		}
	}
	return out
}

func (g *group) annotation(o Options) string {
	source, line := g.it.at()
	lines := g.it.story()
	if len(g.places) > 1 {
		lines = append(lines, "also at: "+alsoIn(g.places[1:], o.Verbose))
	}
	if g.it.inc != nil && g.it.inc.Fingerprint != "" {
		lines = append(lines, "fingerprint: "+g.it.inc.Fingerprint)
	}
	name := [...]string{levelNote: "notice", levelWarning: "warning", levelError: "error"}[g.it.level()]
	file := relative(source, o)
	if source == "-" {
		file = "" // standard input is no file to point at
	}
	return command(name, file, line, g.it.title(), lines...)
}

// command is one workflow command on one line.
func command(name, file string, line int, title string, message ...string) string {
	var props []string
	add := func(key, value string) { props = append(props, key+"="+commandProperty(value)) }
	if file != "" {
		add("file", file)
	}
	if file != "" && line > 0 {
		add("line", fmt.Sprint(line))
	}
	add("title", Cut(Escape(title), 200))
	for i, m := range message {
		message[i] = commandData(Cut(Escape(m), 1000))
	}
	return "::" + name + " " + strings.Join(props, ",") + "::" + strings.Join(message, "%0A")
}

// commandData escapes what the runner decodes in a message.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(Escape(s))
}

// commandProperty escapes what the runner decodes in a property.
func commandProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(s))
}
