package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
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

func (w *issueDoc) versions(d *Document, it item) {
	w.head("Versions")
	w.table("what", "version", "from")
	f := &d.Facts
	from := func(how, source string, line int) string {
		return strings.Join(nonEmpty(issueCode(how), issueCode(grepPlace(source, line))), " ")
	}
	if f.Product != nil && f.Product.Version != "" {
		v := strings.Join(nonEmpty(f.Product.Version, f.Product.Edition, f.Product.Metadata), " ")
		w.cells(issueCode(strings.TrimSpace(f.Product.Name+" "+f.Product.Role)), issueCode(v), from(f.Product.How, f.Product.Source, f.Product.Line))
		if f.Product.Revision != "" {
			w.cells("revision", issueCode(f.Product.Revision), "")
		}
	} else {
		w.cells("program", "not in the input", "")
	}
	if f.GoVersion != nil {
		w.cells("Go", issueCode(f.GoVersion.Value), from(f.GoVersion.How, f.GoVersion.Source, f.GoVersion.Line))
	} else {
		w.cells("Go", "not in the input", "")
	}
	if f.OS != "" || f.Arch != "" {
		w.cells("platform", issueCode(strings.Trim(f.OS+"/"+f.Arch, "/")), "")
	} else {
		w.cells("platform", "not in the input", "")
	}
	for n, m := range stackModules(it.inc) {
		if n == issueRows {
			w.cells("…", "", "")
			break
		}
		w.cells(issueCode(m.Module), issueCode(m.Version), "a frame's path")
	}
}

// stackModules are the modules of the crashing stack with their versions, in its order.
func stackModules(i *Incident) []Frame {
	if i == nil {
		return nil
	}
	var out []Frame
	stack := i.Stack
	for _, r := range i.Races {
		stack = append(stack[:len(stack):len(stack)], r.Stack...)
	}
	for _, f := range stack {
		if f.Module != "" && f.Version != "" && !slices.ContainsFunc(out, func(o Frame) bool { return o.Module == f.Module && o.Version == f.Version }) {
			out = append(out, f)
		}
	}
	return out
}

// stacks writes the crashing goroutine, or the accesses of a race, as Go prints them.
func (w *issueDoc) stacks(i *Incident) {
	var lines []string
	switch {
	case len(i.Races) > 0:
		for _, r := range i.Races {
			lines = append(lines, r.Title)
			lines = append(append(lines, goFrames(r.Stack)...), "")
		}
		lines = lines[:len(lines)-1]
	case len(i.Stack) > 0:
		head := "goroutine"
		if i.Goroutine != nil {
			head = fmt.Sprintf("goroutine %d", *i.Goroutine)
		}
		for _, b := range i.Buckets {
			if b.Crashed && b.State != "" {
				head += " [" + b.State + "]"
				break
			}
		}
		lines = append([]string{head + ":"}, goFrames(i.Stack)...)
		if c := i.CreatedBy; c != nil {
			by := "created by " + c.Function
			if c.Goroutine > 0 {
				by += fmt.Sprintf(" in goroutine %d", c.Goroutine)
			}
			lines = append(lines, by)
			if c.File != "" {
				lines = append(lines, fmt.Sprintf("    %s:%d", c.File, c.Line))
			}
		}
	default:
		return
	}
	w.head("Stack")
	w.fence(lines, issueStackRoom)
}

func goFrames(stack []Frame) []string {
	var lines []string
	for n := range stack {
		if n == issueFrames {
			return append(lines, "… "+count(len(stack)-n, "more frame", "more frames"))
		}
		f := &stack[n]
		lines = append(lines, f.Function+"("+f.Args+")")
		if f.File != "" {
			lines = append(lines, fmt.Sprintf("    %s:%d", f.File, f.Line))
		}
	}
	return lines
}

func (w *issueDoc) buckets(i *Incident) {
	if len(i.Buckets) == 0 || len(i.Buckets) == 1 && i.Buckets[0].Crashed && i.Buckets[0].Count == 1 {
		return
	}
	w.head("Goroutines")
	w.paragraph(fmt.Sprintf("%s in %s.", count(i.Goroutines, "goroutine", "goroutines"), count(len(i.Buckets), "shape", "shapes")))
	w.table("count", "state", "waiting", "where")
	rest := 0
	for n, b := range i.Buckets {
		if n >= issueBuckets {
			rest += b.Count
			continue
		}
		name := issueCode(shapeName(b))
		if b.Crashed {
			name += " (the crash)"
		}
		w.cells(number(b.Count), issueCode(b.State), waits(b.WaitMinutes), name)
	}
	if more := len(i.Buckets) - issueBuckets; more > 0 {
		w.cells(number(rest), fmt.Sprintf("%s more", count(more, "shape", "shapes")), "", "")
	}
}

// before writes the log lines that led to the crash.
func (w *issueDoc) before(i *Incident) {
	lines := unfenced(i.Context)
	if len(lines) == 0 {
		return
	}
	texts := make([]string, len(lines))
	for n, c := range lines {
		texts[n] = c.Text
	}
	w.head("Log before it")
	w.fence(texts, issueLogRoom)
}

func (w *issueDoc) means(i *Incident) {
	if i.Family == nil || i.Family.Meaning == "" {
		return
	}
	w.head("What the message means")
	w.line(issueText(i.Family.Meaning))
	if owner := ownerWords[i.Family.Owner]; owner != "" {
		w.line("Who usually has to act: " + owner + ".")
	}
	if i.Family.NextStep != "" {
		w.line("")
		w.line("Next step: " + issueText(i.Family.NextStep))
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

// missing is what whoever takes the issue will ask for.
func (w *issueDoc) missing(d *Document, it item) {
	asks := issueAsks(d, it)
	w.head("Still to be added")
	for n, a := range asks {
		if n == issueRows {
			break
		}
		w.todo(a)
	}
}

// issueAsks lists what the input lacks, most useful first.
func issueAsks(d *Document, it item) []string {
	var asks []string
	add := func(text string) {
		if text != "" && !slices.Contains(asks, text) {
			asks = append(asks, text)
		}
	}
	matches := []*Match{it.finding}
	if it.inc != nil {
		matches = it.inc.Matches
	}
	for _, m := range matches[:min(len(matches), issueOthers)] {
		for _, c := range m.Collect[:min(len(m.Collect), issueOthers)] {
			add(issueText(c))
		}
	}
	if i := it.inc; i != nil {
		if len(i.Stack) == 0 && len(i.Races) == 0 && crashKind(i) {
			add("the whole stderr of the process that died (its journal, `kubectl logs -p`): no stack is in this input")
		} else if i.Truncated != "" {
			add("the rest of the dump: it is not whole")
		}
	}
	said := func(how string) bool {
		return slices.ContainsFunc(d.Facts.Products, func(p Product) bool { return p.How == how })
	}
	name := issueProduct(d, it)
	switch {
	case name == "consul":
		if !said("consul version") {
			add("the output of `consul version`")
		}
		if !said("consul info") {
			add("the output of `consul info`, of the client and of the server")
		}
	case name == "nomad" || name == "vault":
		if d.Facts.Product == nil || d.Facts.Product.Version == "" {
			add("the output of `" + name + " version`")
		}
	case d.Facts.Product == nil || d.Facts.Product.Version == "":
		add("the version of the program")
	}
	if d.Facts.GoVersion == nil {
		add("the Go version and the modules of the binary: `go version -m BINARY`")
	}
	if d.Facts.OS == "" {
		add("the operating system and architecture")
	}
	if it.inc == nil || it.inc.Kind != string(parse.KindGoroutineProfile) {
		add("the steps that lead to it, if they are known")
	}
	return asks
}

// issueProduct is the program that ran, by what the input says of it or by whose code died.
func issueProduct(d *Document, it item) string {
	if p := d.Facts.Product; p != nil {
		return p.Name
	}
	if it.inc != nil && it.inc.Blame != nil {
		if owner, ok := strings.CutPrefix(repository(packagePath(it.inc.Blame.Function)), "github.com/hashicorp/"); ok {
			return owner
		}
	}
	return ""
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
