package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/crashtriage/crashtriage/signatures"
)

// Room for the parts of an issue, in runes. Together they stay below 60,000, as GitHub takes 65,536.
const (
	issueStackRoom = 20_000
	issueLogRoom   = 8_000
	issueValueRoom = 3_000
	issueFrames    = 60
	issueBuckets   = 10
	issueRows      = 15
	issueOthers    = 5
)

// Issue writes the text of an issue about the strongest incident in GitHub's Markdown, its title in
// the first line. A bug that is documented says so first, so that nobody opens a duplicate.
func Issue(w io.Writer, d *Document, _ Options) error {
	var doc issueDoc
	if items := ranked(d); len(items) == 0 {
		doc.line("# No Go crash found")
		doc.line("")
		doc.line("Nothing to report: no Go crash in " + issueCode(readWords(d, " read")) + ".")
	} else {
		doc.item(d, items[0])
		doc.others(items[1:])
	}
	doc.footer(d)
	_, err := io.WriteString(w, doc.b.String())
	return err
}

func (w *issueDoc) item(d *Document, it item) {
	w.line("# " + issueTitle(it))
	if m := it.best(); m != nil {
		w.known(m)
	}
	w.happened(it)
	w.owner(it)
	w.versions(d, it)
	if it.inc != nil {
		w.stacks(it.inc)
		w.buckets(it.inc)
		w.before(it.inc)
		w.means(it.inc)
	}
	w.candidates(it)
	w.missing(d, it)
}

// issueTitle is what died, and where.
func issueTitle(it item) string {
	if it.inc == nil {
		return issueText(it.finding.Title)
	}
	i := it.inc
	title := issueCodeCut(i.Headline, 160)
	if title == "" {
		title = strings.ReplaceAll(i.Kind, "-", " ")
		title = strings.ToUpper(title[:min(1, len(title))]) + title[min(1, len(title)):]
	}
	if i.Blame != nil {
		title += " in " + issueCodeCut(shortFunction(i.Blame.Function), 100)
	}
	return title
}

// known says that the bug is documented, and where it is dealt with.
func (w *issueDoc) known(m *Match) {
	link := firstOf(m.Fix.URL, m.Issue)
	if m.Status == string(signatures.FixedHere) {
		link = firstOf(m.Issue, m.Fix.URL)
	}
	there := ""
	if link != "" {
		there = ": see " + issueLink(link)
	}
	w.line("")
	switch m.Status {
	case string(signatures.FixedHere), string(signatures.BeyondEvidence):
		w.line("> **This bug is known" + there + ".** Write there instead of opening another issue.")
		w.line("> " + strings.Replace(statusWords[m.Status], "%s", issueVersion(m), 1))
	default:
		w.line("> **This bug is known" + there + ".** Another issue would be a duplicate; what is new here belongs there.")
	}
	w.line(">")
	w.line("> " + issueCode(m.ID) + ": " + issueText(m.Title) + ". Status " + m.Status + ", " + m.Confidence + " confidence.")
	w.line("> Fix: " + issueText(strings.TrimPrefix(fixWords(m), shortURL(m.Fix.URL)+", ")) + ".")
	if m.Issue != "" && m.Issue != link {
		w.line("> Issue: " + issueLink(m.Issue))
	}
	for n, s := range doNow(m) {
		if n == issueOthers {
			break
		}
		w.line(">")
		w.line("> To do: " + issueText(s))
	}
}

func issueVersion(m *Match) string {
	if v := issueCode(m.RunningVersion); v != "" {
		return v
	}
	return "This version"
}

func (w *issueDoc) happened(it item) {
	w.head("What happened")
	if it.inc == nil {
		w.paragraph("The logs show it; no process is known to have died of it.")
		w.evidence(it.finding)
		return
	}
	i := it.inc
	switch {
	case i.Died != nil && *i.Died:
		w.bullet("The process died.")
	case i.Died != nil:
		w.bullet("The process went on.")
	default:
		w.bullet("Whether the process died is not in the input.")
	}
	if i.Headline != "" {
		w.bullet("It printed " + issueCode(i.Headline) + ".")
	}
	if i.Signal != "" {
		w.bullet("Signal: " + issueCode(i.Signal))
	}
	if likely := likely(i); likely != "" {
		w.bullet("Likely " + issueCode(likely) + ".")
	}
	switch t := between(i.FirstTime, i.LastTime); {
	case t != "":
		w.bullet("When: " + issueCode(t) + ".")
	case lastClock(i) != "":
		w.bullet("When: after the log line of " + issueCode(lastClock(i)) + ".")
	default:
		w.bullet("When: the input does not tell.")
	}
	times := "once"
	if i.Count > 1 {
		times = number(i.Count) + " times"
	}
	w.bullet("How often: " + times + " in this input.")
	if len(i.RunningTests) > 0 {
		w.bullet("Running tests: " + issueCode(strings.Join(i.RunningTests, ", ")))
	}
	if i.Truncated != "" {
		w.bullet("The dump is not whole: " + issueCode(i.Truncated))
	}
	lines := strings.Split(i.Value, "\n")
	if i.Value == "" {
		lines = nil
	}
	if len(i.Chain) > 1 {
		lines = append(lines, i.Chain...)
	}
	if len(lines) > 0 {
		w.line("")
		w.fence(lines, issueValueRoom)
	}
	if m := it.best(); m != nil {
		w.line("")
		w.evidence(m)
	}
}

// lastClock is the printed time of the last log line before the incident.
func lastClock(i *Incident) string {
	for n := len(i.Context) - 1; n >= 0; n-- {
		if i.Context[n].Clock != "" {
			return i.Context[n].Clock
		}
	}
	return ""
}

// evidence lists what makes the known bug known.
func (w *issueDoc) evidence(m *Match) {
	if len(m.Evidence) == 0 {
		return
	}
	w.line("What shows it:")
	w.line("")
	for n, e := range m.Evidence {
		if n == issueRows {
			w.bullet(count(len(m.Evidence)-n, "more condition", "more conditions"))
			break
		}
		w.bullet(issueCode(shortNames(e.Condition)) + " at " + issueCode(grepPlace(e.Source, e.Line)))
	}
}

// owner says whose code it is and where an issue is opened.
func (w *issueDoc) owner(it item) {
	if it.inc == nil {
		if it.finding.Owner != "" {
			w.head("Owner")
			w.line(issueText(it.finding.Owner))
		}
		return
	}
	m := it.best()
	repo, url := tracker(it.inc.Blame)
	if m == nil && repo == "" {
		return
	}
	w.head("Owner")
	switch {
	case m != nil:
		w.line(issueText(firstOf(m.Owner, m.Project)))
	case url != "":
		w.line(issueCode(repo) + " by the blamed frame's import path; a new issue: <" + url + ">")
	default:
		w.line(issueCode(repo) + " by the blamed frame's import path")
	}
}

// candidates names documented bugs that print the same message.
func (w *issueDoc) candidates(it item) {
	if it.inc == nil || it.best() != nil || len(it.inc.Matches) == 0 {
		return
	}
	w.head("Perhaps known")
	w.paragraph("The message of these bugs is the same; the input does not tell whether it is one of them.")
	for n, m := range it.inc.Matches {
		if n == issueOthers {
			w.bullet(count(len(it.inc.Matches)-n, "more", "more"))
			break
		}
		text := issueCode(m.ID) + ": " + issueText(m.Title)
		if link := firstOf(m.Issue, m.Fix.URL); link != "" {
			text += " (" + issueLink(link) + ")"
		}
		w.bullet(text)
	}
}

// others names what else the input has, which is worth an issue of its own.
func (w *issueDoc) others(items []item) {
	if len(items) == 0 {
		return
	}
	w.head("In the same input")
	for n, it := range items {
		if n == issueOthers {
			w.bullet(count(len(items)-n, "more incident", "more incidents"))
			return
		}
		if it.inc == nil {
			w.bullet(issueCode(it.finding.ID) + ": " + issueText(it.finding.Title))
			continue
		}
		w.bullet(strings.Join(nonEmpty(issueCode(it.inc.Fingerprint), issueCode(firstOf(it.inc.Headline, it.inc.Kind))), " "))
	}
}

func (w *issueDoc) footer(d *Document) {
	w.line("")
	w.line("---")
	w.line("")
	var parts []string
	if items := ranked(d); len(items) > 0 && items[0].inc != nil && items[0].inc.Fingerprint != "" {
		parts = append(parts, "Fingerprint "+issueCode(items[0].inc.Fingerprint))
	}
	parts = append(parts, fmt.Sprintf("written by %s %s with %s (%s)", issueText(d.Tool.Name), issueCode(d.Tool.Version),
		count(d.Tool.Signatures.Count, "signature", "signatures"), issueCode(d.Tool.Signatures.Version)))
	if words := RedactionWords(d); words != "" {
		parts = append(parts, strings.TrimSuffix(words, "; --redact off keeps them"))
	}
	w.line(strings.Join(parts, " · "))
}
