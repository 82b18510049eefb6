package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"
)

// The limits of GitHub code scanning, which are the narrowest of those who read SARIF:
// https://docs.github.com/en/code-security/reference/code-scanning/sarif-support-for-code-scanning
const (
	sarifResults = 5_000  // the strongest; GitHub drops the rest anyway
	sarifText    = 1_024  // of a rule's descriptions
	sarifMessage = 8_000  // of one result
	sarifFrames  = 100    // of one stack
	sarifBudget  = 50_000 // frames of a run: it must stay below 10 MB when compressed
	sarifNotes   = 200    // notifications about what could not be read
)

// SARIF writes one run of SARIF 2.1.0 with a result for each incident and finding, strongest first.
//
// A result points at the line of the log that was read, never at source code: the frames of a dump
// name files of the machine that built the program. They stand in stacks and in one code flow
// through the lines of the dump. What is accepted is a suppressed result.
func SARIF(w io.Writer, d *Document, o Options) error {
	b := &sarifBuilder{o: o, ruleList: []sarifRule{}, results: []sarifResult{}, rules: map[string]int{}, seen: map[string]int{}, frames: sarifBudget}
	for _, it := range ranked(d) {
		if it.quietDump() {
			continue
		}
		if len(b.results) == sarifResults {
			b.left++
			continue
		}
		b.result(it)
	}
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "crashtriage", Version: d.Tool.Version, InformationURI: "https://github.com/crashtriage/crashtriage", Rules: b.ruleList,
			Properties: map[string]any{"signatures": d.Tool.Signatures.Count, "signaturesVersion": d.Tool.Signatures.Version},
		}},
		AutomationDetails:  sarifID{ID: "crashtriage/"},
		OriginalURIBaseIDs: map[string]sarifBase{sarifRoot: {Description: sarifMessageOf("The folder that names of logs are relative to.")}},
		ColumnKind:         "utf16CodeUnits",
		Invocations:        []sarifInvocation{b.invocation(d)},
		Results:            b.results,
	}
	return writeJSON(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

type sarifBuilder struct {
	o        Options
	ruleList []sarifRule
	rules    map[string]int
	results  []sarifResult
	seen     map[string]int // results of one fingerprint in one source
	frames   int            // left of the budget
	left     int            // results that were too many
}

func (b *sarifBuilder) result(it item) {
	source, line := it.at()
	region := &sarifRegion{StartLine: max(line, 1), StartColumn: 1, EndLine: max(line, 1), EndColumn: max(len(utf16.Encode([]rune(it.headline()))), 1) + 1}
	place := sarifLocation{Physical: &sarifPhysical{Artifact: b.artifact(source), Region: region}}
	what := it.rule()
	r := sarifResult{
		RuleID: it.rule(), RuleIndex: b.rule(it), Level: it.level().sarif(),
		Message: sarifMessageOf(b.message(it)), Locations: []sarifLocation{place},
		Properties: map[string]any{"verdict": verdictWord(it)},
	}
	if i := it.inc; i != nil {
		what = firstOf(i.Fingerprint, what)
		if i.EndLine >= i.Line && i.Line > 0 {
			place.Physical.Context = &sarifRegion{StartLine: min(i.Line, region.StartLine), EndLine: max(i.EndLine, region.EndLine)}
		}
		r.OccurrenceCount = i.Count
		r.Properties["kind"], r.Properties["died"] = i.Kind, i.Died
		b.stack(&r, i)
	}
	if m := it.best(); m != nil {
		r.Properties["status"], r.Properties["confidence"] = m.Status, m.Confidence
		if m.RunningVersion != "" {
			r.Properties["runningVersion"] = Escape(m.RunningVersion)
		}
	}
	key := what + "\x00" + relative(source, b.o)
	b.seen[key]++
	r.PartialFingerprints = map[string]string{"primaryLocationLineHash": fmt.Sprintf("%s:%d", Escape(what), b.seen[key])}
	if a := it.accepted(); a != "" {
		r.Suppressions = []sarifSuppression{{Kind: "external", Status: "accepted", Justification: acceptedWords[a]}}
	}
	b.results = append(b.results, r)
}

// message is the story of the item, a line each. GitHub shows it as plain text.
func (b *sarifBuilder) message(it item) string {
	lines := []string{it.title()}
	for _, l := range it.story() {
		lines = append(lines, Cut(l, 1000))
	}
	return Cut(sarifLines(lines), sarifMessage)
}

// stack adds the goroutine that died, as far as the budget of the run reaches.
func (b *sarifBuilder) stack(r *sarifResult, i *Incident) {
	n := min(len(i.Stack), sarifFrames, b.frames)
	if n == 0 {
		return
	}
	b.frames -= n
	stack := sarifStack{Message: sarifMessageOf(Escape(goroutineTitle(i)))}
	var flow []sarifFlowLocation
	for k := range i.Stack[:n] {
		f := &i.Stack[k]
		name := Escape(f.Function)
		at := sarifLocation{Logical: []sarifLogical{{Name: Escape(shortFunction(f.Function)), FullName: name, Kind: "function"}}}
		if f.File != "" {
			at.Physical = &sarifPhysical{Artifact: &sarifArtifact{URI: fileURI(f.File)}}
			if f.Line > 0 {
				at.Physical.Region = &sarifRegion{StartLine: f.Line}
			}
		}
		stack.Frames = append(stack.Frames, sarifFrame{Location: at, Module: Escape(strings.Trim(f.Module+"@"+f.Version, "@"))})
		if f.SourceLine > 0 {
			text := sarifMessageOf(sarifLines([]string{strings.TrimSpace(shortFunction(f.Function) + "  " + fileLine(f))}))
			flow = append(flow, sarifFlowLocation{Location: sarifLocation{
				Physical: &sarifPhysical{Artifact: b.artifact(i.Source), Region: &sarifRegion{StartLine: f.SourceLine}}, Message: &text,
			}})
		}
	}
	r.Stacks = []sarifStack{stack}
	if len(flow) > 0 {
		r.CodeFlows = []sarifCodeFlow{{ThreadFlows: []sarifThreadFlow{{Locations: flow}}}}
	}
}

// artifact names a log below the root; an absolute name outside of it is a file URI.
func (b *sarifBuilder) artifact(source string) *sarifArtifact {
	name := firstOf(relative(source, b.o), "unknown")
	if absolute(name) {
		return &sarifArtifact{URI: fileURI(name)}
	}
	return &sarifArtifact{URI: fileURI(name), BaseID: sarifRoot}
}

// rule is the index of the item's rule in the driver.
func (b *sarifBuilder) rule(it item) int {
	id := it.rule()
	if n, ok := b.rules[id]; ok {
		return n
	}
	short, full, help := "A Go crash or panic that nothing documented explains.", "", ""
	rule := sarifRule{ID: id}
	tags := []string{"go", "crash"}
	switch m := it.best(); {
	case m != nil:
		short, full = m.Title, m.RootCause
		lines := []string{"fix: " + fixWords(m)}
		for _, s := range doNow(m) {
			lines = append(lines, "do now: "+s)
		}
		help = sarifLines(append(lines, "owner: "+firstOf(m.Owner, m.Project)))
		if url := firstOf(m.Issue, m.Fix.URL); strings.HasPrefix(url, "https://") && Escape(url) == url && !strings.ContainsAny(url, " <>\"") {
			rule.HelpURI = url
		}
		tags = append(tags, "known-bug", Escape(m.Project))
	case it.inc.Family != nil:
		short, full, help = it.inc.Family.Meaning, ownerSentence(it.inc.Family.Owner), it.inc.Family.NextStep
	default:
		help = "Read the blamed frame first: it is the first of the program's own below the last panic."
	}
	text := func(s string) sarifString { return sarifMessageOf(Cut(Escape(s), sarifText)) }
	rule.Short, rule.Full = text(firstOf(short, id)), text(firstOf(full, short, id))
	rule.Help = sarifMessageOf(Cut(firstOf(help, short, id), sarifMessage))
	rule.Config = sarifConfig{Level: it.ownLevel().sarif()}
	rule.Properties = map[string]any{"tags": nonEmpty(tags...)}
	b.rules[id] = len(b.ruleList)
	b.ruleList = append(b.ruleList, rule)
	return b.rules[id]
}

func ownerSentence(owner string) string {
	if words, ok := ownerWords[owner]; ok {
		return "Who usually has to act: " + words + "."
	}
	return ""
}

// invocation says what could not be read, and what was left out.
func (b *sarifBuilder) invocation(d *Document) sarifInvocation {
	inv := sarifInvocation{Successful: true, Notifications: []sarifNotification{}}
	note := func(level, source string, line int, text string) {
		if len(inv.Notifications) >= sarifNotes {
			return
		}
		n := sarifNotification{Level: level, Message: sarifMessageOf(Cut(Escape(text), 1000))}
		if source != "" {
			p := &sarifPhysical{Artifact: b.artifact(source)}
			if line > 0 {
				p.Region = &sarifRegion{StartLine: line}
			}
			n.Locations = []sarifLocation{{Physical: p}}
		}
		inv.Notifications = append(inv.Notifications, n)
	}
	if b.left > 0 {
		note("warning", "", 0, fmt.Sprintf("%s left out: a run has room for %s", count(b.left, "result was", "results were"), number(sarifResults)))
	}
	for _, s := range d.Sources {
		if s.Error != "" {
			inv.Successful = false
			note("error", s.Name, 0, "not read: "+s.Error)
		}
	}
	for _, s := range d.Sources {
		for _, p := range s.Problems {
			note("note", s.Name, p.Line, firstOf(p.Message, p.Code))
		}
	}
	return inv
}

func (l level) sarif() string {
	return [...]string{levelNote: "note", levelWarning: "warning", levelError: "error"}[l]
}

// sarifLines escapes lines and joins them.
func sarifLines(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = Escape(l)
	}
	return strings.Join(out, "\n")
}

var sarifPlaceholder = regexp.MustCompile(`\{(\d+)\}`)

// sarifMessageOf keeps a text from being read as more than text: "{0}" would be replaced, and
// "[text](target)" is a link.
func sarifMessageOf(text string) sarifString {
	text = strings.ReplaceAll(text, "](", "] (")
	return sarifString{Text: sarifPlaceholder.ReplaceAllString(text, "{{$1}}")}
}

// fileURI is a path as a URI reference: relative as it is, absolute with the scheme file. Every
// byte that is not plain in a path is percent-encoded, a colon too, since it could end a scheme.
func fileURI(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	var b strings.Builder
	if absolute(path) {
		b.WriteString("file:///")
		path = strings.TrimLeft(path, "/")
	}
	for i := range len(path) {
		c := path[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/@+,!", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() == 0 {
		return "unknown"
	}
	return b.String()
}
