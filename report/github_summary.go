package report

import (
	"fmt"
	"io"
	"strings"
)

// summaryLimit keeps below the 1 MiB of a step's summary: GitHub drops a longer one whole.
const summaryLimit = 900 << 10

const (
	summaryRows   = 100 // rows of the table of crashes
	summaryFrames = 40  // frames of one stack
)

// GitHubSummary writes the job summary of GitHub Actions, in GitHub's Markdown: the verdict, a
// table of the crashes by fingerprint, and each with its fix, what to do and its stack to unfold.
// It stays within 900 KiB, the strongest first.
func GitHubSummary(w io.Writer, d *Document, o Options) error {
	groups := findingsOf(d)
	var b strings.Builder
	b.WriteString("### " + mdText(summaryTitle(d, groups)) + "\n\n")
	if len(groups) > 0 {
		summaryTable(&b, groups, o)
	}
	for _, s := range d.Sources {
		if s.Error != "" && b.Len() < summaryLimit/2 {
			b.WriteString("- not read: " + mdCode(s.Name) + " " + mdText(Cut(s.Error, 300)) + "\n")
		}
	}
	foot := "\n<sub>" + mdText(fmt.Sprintf("crashtriage %s, %s %s; read %s", d.Tool.Version, count(d.Tool.Signatures.Count, "signature", "signatures"), d.Tool.Signatures.Version, readWords(d, ""))) + "</sub>\n"
	b.WriteString("\n")
	for n, g := range groups {
		one := g.details(o)
		if b.Len()+len(one)+len(foot)+200 > summaryLimit {
			b.WriteString("\n" + mdText(count(len(groups)-n, "more crash does", "more crashes do")+" not fit in here.") + "\n")
			break
		}
		b.WriteString(one)
	}
	b.WriteString(foot)
	_, err := io.WriteString(w, b.String())
	return err
}

func summaryTitle(d *Document, groups []*group) string {
	if len(groups) == 0 {
		return "no Go crash in " + readWords(d, " read")
	}
	title := groups[0].it.title()
	if m := groups[0].it.best(); m != nil {
		title += " · " + m.ID
	}
	if n := len(groups) - 1; n > 0 {
		title += fmt.Sprintf(" · and %s more", number(n))
	}
	return title
}

// summaryTable has one row a fingerprint.
func summaryTable(b *strings.Builder, groups []*group, o Options) {
	b.WriteString("| | what | known | fix | where | times |\n|---|---|---|---|---|--:|\n")
	for n, g := range groups {
		if n == summaryRows || b.Len() > summaryLimit/3 {
			fmt.Fprintf(b, "\n%s not in this table.\n", count(len(groups)-n, "crash is", "crashes are"))
			break
		}
		known, fix := "no", ""
		if m := g.it.best(); m != nil {
			known, fix = mdLink(m.ID, m.Issue)+" "+mdText(m.Status), mdLink(fixWords(m), m.Fix.URL)
		} else if f := g.it.inc.Family; f != nil {
			known = mdText("family " + f.ID)
		}
		source, line := g.it.at()
		where := mdCode(Cut(grepPlace(relative(source, o), line), 160))
		if len(g.places) > 1 {
			where += mdText(fmt.Sprintf(" and %s more", number(len(g.places)-1)))
		}
		what := mdCode(Cut(g.it.headline(), 120))
		if g.it.best() == nil && g.it.inc.Blame != nil {
			what += "<br>blame " + mdCode(Cut(shortFunction(g.it.inc.Blame.Function), 120))
		}
		state := firstOf(acceptedWords[g.it.accepted()], verdictWord(g.it))
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", mdText(state), what, known, fix, where, number(g.count))
	}
	b.WriteString("\n")
}

// details is one group to unfold.
func (g *group) details(o Options) string {
	var b strings.Builder
	title := g.it.title()
	if i := g.it.inc; i != nil && i.Fingerprint != "" {
		title += " · " + i.Fingerprint
	}
	b.WriteString("<details><summary>" + mdText(title) + " " + mdCode(Cut(g.it.headline(), 160)) + "</summary>\n\n")
	for _, l := range g.it.story() {
		if l == g.it.headline() {
			continue // it stands above
		}
		b.WriteString("- " + mdText(Cut(l, 1000)) + "\n")
	}
	if m := g.it.best(); m != nil {
		for _, url := range nonEmpty(m.Fix.URL, m.Issue) {
			if link := mdLink(shortURL(url), url); link != mdText(shortURL(url)) {
				b.WriteString("- " + link + "\n")
			}
		}
	}
	for n, p := range g.places {
		if n == 20 {
			b.WriteString("- " + mdText(count(len(g.places)-n, "more place", "more places")) + "\n")
			break
		}
		b.WriteString("- " + mdCode(Cut(relative(p, o), 300)) + "\n")
	}
	if stack := g.it.stackLines(summaryFrames); len(stack) > 0 {
		b.WriteString("\n<pre>" + mdEscape(goroutineTitle(g.it.inc)) + "\n")
		for _, l := range stack {
			b.WriteString(mdEscape(Cut(l, 300)) + "\n")
		}
		b.WriteString("</pre>\n")
	}
	b.WriteString("\n</details>\n\n")
	return b.String()
}

// mdText is text that Markdown and HTML take literally, on one line.
func mdText(s string) string { return mdEscape(s) }

// mdCode is text in a code span that nothing in it can close.
func mdCode(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + mdEscape(s) + "</code>"
}

// mdLink is a link where url is one of the web, else the text alone.
func mdLink(text, url string) string {
	if !strings.HasPrefix(url, "https://") || strings.ContainsAny(url, " \t\r\n<>\"'()[]\\`|") || Escape(url) != url {
		return mdText(text)
	}
	return "[" + mdText(text) + "](" + url + ")"
}

// mdEscape writes everything that GitHub's Markdown gives a meaning as a character reference:
// markup, tables, mentions, and what would become a link by itself.
func mdEscape(s string) string { return mdReferences.Replace(Escape(s)) }

var mdReferences = func() *strings.Replacer {
	var pairs []string
	for _, r := range "&<>\"'`*_~[]|\\@#$!:" {
		pairs = append(pairs, string(r), fmt.Sprintf("&#%d;", r))
	}
	return strings.NewReplacer(append(pairs, "www.", "www&#46;")...)
}()
