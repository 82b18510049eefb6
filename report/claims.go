package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// What the document says, in the words that every format for people uses. Nothing here is escaped:
// that belongs to the place where the words go.

// placeFunc names a line of a source as the format at hand does.
type placeFunc func(source string, line int) string

// incidentTitle names an incident in a few words: the verdict, or what kind of thing it is.
func incidentTitle(i *Incident, m *Match) string {
	if m != nil {
		return "KNOWN BUG · " + m.Status
	}
	family := ""
	if i.Family != nil {
		family = " · " + strings.ReplaceAll(i.Family.ID, "-", " ")
	}
	switch parse.Kind(i.Kind) {
	case parse.KindRace:
		return "DATA RACE"
	case parse.KindTestTimeout:
		return "TEST TIMEOUT"
	case parse.KindRecoveredPanic:
		return "RECOVERED PANIC" + family
	case parse.KindGoroutineDump:
		return "GOROUTINE DUMP · no crash"
	case parse.KindGoroutineProfile:
		return "GOROUTINE PROFILE · no crash"
	case parse.KindLogFatal:
		return "FATAL LOG LINE" + family
	case parse.KindSignal:
		if strings.HasPrefix(i.Headline, "SIGQUIT") {
			return "SIGQUIT DUMP"
		}
	}
	return "UNKNOWN CRASH" + family
}

func findingTitle(m *Match) string {
	if !m.proven() {
		return "CANDIDATE IN THE LOGS"
	}
	return "KNOWN BUG IN THE LOGS · " + m.Status
}

// title names an item.
func (it item) title() string {
	if it.inc != nil {
		return incidentTitle(it.inc, it.best())
	}
	return findingTitle(it.finding)
}

// noCrash says that nothing was found, and in how much.
func noCrash(d *Document) string { return "no Go crash in " + readWords(d, " read") }

// warning is what must not be overlooked about a match's status; "" for most.
func warning(m *Match) string {
	words, ok := statusWords[m.Status]
	if !ok {
		return ""
	}
	return fmt.Sprintf(words, firstOf(m.RunningVersion, "This version"))
}

// headlineWords is what was printed, and the label that fits it.
func headlineWords(i *Incident) (label, text string) {
	label = "died"
	switch {
	case i.Kind == string(parse.KindRecoveredPanic) && !i.MayHaveDied():
		label = "recovered"
	case !i.MayHaveDied():
		label = "printed"
	}
	switch {
	case i.Headline != "":
		return label, i.Headline
	case i.Died != nil && *i.Died:
		return label, "a " + strings.ReplaceAll(i.Kind, "-", " ") + " whose headline is not in this input"
	case i.Goroutines > 0:
		return "printed", "goroutines without a reason: somebody asked for them, or the headline is not in this input"
	}
	return "printed", strings.ReplaceAll(i.Kind, "-", " ")
}

// wentOn says that a process is known to have survived a panic; "" otherwise.
func wentOn(i *Incident) string {
	if i.Kind == string(parse.KindRecoveredPanic) && i.Died != nil && !*i.Died {
		return "the process went on"
	}
	return ""
}

// seenWords says how often and when, of what was seen more than once.
func seenWords(i *Incident) string {
	if i.Count <= 1 {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintf("%s times, %s", number(i.Count), between(i.FirstTime, i.LastTime)), ", ")
}

// runningWords says what ran, and how that is known.
func runningWords(d *Document, m *Match, blame *Frame, place placeFunc) []string {
	var parts []string
	f := d.Facts
	if len(d.Sources) > 1 && (f.Product == nil || m == nil || !strings.HasPrefix(m.RunningVersion, f.Product.Name+" ")) {
		// What another file says may be of another machine.
		f.Product, f.GoVersion, f.OS, f.Arch = nil, nil, "", ""
	}
	if f.Product != nil && f.Product.Version != "" {
		v := f.Product.Name + " " + f.Product.Version
		if f.Product.Edition != "" && !strings.Contains(v, "+") {
			v += "+" + f.Product.Edition
		}
		from := place(f.Product.Source, f.Product.Line)
		if from == "" {
			from = f.Product.How
		}
		parts = append(parts, v+" ("+from+")")
	} else if m != nil && m.RunningVersion != "" {
		parts = append(parts, m.RunningVersion+" ("+firstOf(m.How, "from the input")+")")
	} else if m != nil {
		parts = append(parts, fmt.Sprintf("no version in this input; --product-version %s=VERSION decides", firstOf(m.Product, m.Project)))
	}
	if f.GoVersion != nil {
		parts = append(parts, f.GoVersion.Value)
	}
	if f.OS != "" || f.Arch != "" {
		parts = append(parts, strings.Trim(f.OS+"/"+f.Arch, "/"))
	}
	if m != nil && f.Product != nil && m.RunningVersion != "" && !strings.HasPrefix(m.RunningVersion, f.Product.Name+" ") {
		name, v, _ := strings.Cut(m.RunningVersion, " ")
		parts = append(parts, lastElement(name)+" "+v)
	}
	if module := moduleWords(blame); module != "" && !slices.Contains(parts, module) {
		parts = append(parts, module)
	}
	return parts
}

// blamedOwner says who owns the blamed code of a crash that no signature explains.
func blamedOwner(i *Incident) string {
	if i.Blame == nil {
		return ""
	}
	if repo := repository(packagePath(i.Blame.Function)); repo != "" {
		return repo + " (from the blamed frame's import path)"
	}
	if i.Family != nil {
		return ownerWords[i.Family.Owner]
	}
	return ""
}

// fileWords is the source as an argument of a command.
func fileWords(i *Incident) string {
	if i.Source == "" || i.Source == "-" || strings.ContainsAny(i.Source, " !") {
		return "FILE"
	}
	return i.Source
}

// reportWords is how an issue about an unknown crash is written; "" for what is none.
func reportWords(i *Incident) string {
	if i.Verdict() == VerdictNone || !crashKind(i) && i.Kind != string(parse.KindRecoveredPanic) || len(i.Stack) == 0 {
		return ""
	}
	return "crashtriage -f issue " + fileWords(i) + " writes it up, secrets out"
}

// nearestWords says how far the search for a documented bug went.
func nearestWords(d *Document, i *Incident) string {
	if i.Verdict() == VerdictNone || len(i.Matches) > 0 {
		return ""
	}
	file := fileWords(i)
	switch {
	case i.Considered > 0:
		return fmt.Sprintf("%s looked at, none fits: crashtriage explain %s", count(i.Considered, "signature", "signatures"), file)
	case len(i.Stack) > 0 && d.Tool.Signatures.Count > 0:
		return fmt.Sprintf("none of %s speaks about these frames", count(d.Tool.Signatures.Count, "signature", "signatures"))
	}
	return ""
}

// candidatesTitle stands above documented bugs that print the same message, and says that it
// proves nothing.
func candidatesTitle(i *Incident) string {
	return count(len(i.Matches), "candidate", "candidates") + ": the message fits, the frames can't be checked"
}

// candidateSteps is what to do about a bug that the logs only hint at.
func candidateSteps(m *Match) []string {
	var steps []string
	for _, c := range m.Collect {
		steps = append(steps, "to decide, collect "+c)
	}
	return steps
}

func missingWords(condition string) string { return "not seen: " + shortNames(condition) }

// fitsWords names a weaker match beside the one that decided.
func fitsWords(m *Match) string { return fmt.Sprintf("%s (%s): %s", m.ID, m.Status, m.Title) }

// droppedWords says how many lines of others stood between the frames; "" for none.
func droppedWords(i *Incident) string {
	if i.Dropped <= 0 {
		return ""
	}
	return count(i.Dropped, "foreign line was", "foreign lines were") + " left out of the stacks"
}

// goroutineTitle names the goroutine that crashed: "goroutine 7 [running]".
func goroutineTitle(i *Incident) string {
	title := "stack"
	if i.Goroutine != nil {
		title = fmt.Sprintf("goroutine %d", *i.Goroutine)
	}
	for _, b := range i.Buckets {
		if b.Crashed && b.State != "" {
			return title + " [" + b.State + "]"
		}
	}
	return title
}

// stackTitle stands above the crashing goroutine, creator beside it.
func stackTitle(i *Incident) (title, creator string) {
	title = goroutineTitle(i)
	if i.CreatedBy != nil {
		creator = "created by " + shortFunction(i.CreatedBy.Function)
	}
	return title, creator
}

func shapesTitle(i *Incident) string {
	return fmt.Sprintf("%s in %s", count(i.Goroutines, "goroutine", "goroutines"), count(len(i.Buckets), "shape", "shapes"))
}

// worthShapes says whether the goroutines tell more than the crashing stack does.
func worthShapes(i *Incident) bool {
	return len(i.Buckets) > 1 || len(i.Buckets) == 1 && !(i.Buckets[0].Crashed && i.Buckets[0].Count == 1)
}

// counted is what the program itself said of the number of its goroutines, where that differs from
// the dump; "" otherwise.
func counted(d *Document, i *Incident, place placeFunc) string {
	for _, f := range d.Facts.Goroutines {
		if f.Value != fmt.Sprint(i.Goroutines) {
			return fmt.Sprintf("%s counted %s (%s)", f.How, digits(f.Value), place(f.Source, f.Line))
		}
	}
	return ""
}

// stateWords is the state of a bucket's goroutines.
func stateWords(b *Bucket) string {
	if b.Locked > 0 && b.Locked == b.Count {
		return b.State + ", locked"
	}
	return b.State
}

func contextTitle(i *Incident) string {
	if !i.MayHaveDied() {
		return "just before"
	}
	return "before the crash"
}

// contextWords is a log line near an incident, and whether it tells of a failure.
func contextWords(c Context) (text string, failure bool) {
	if c.Message == "" && c.Level == "" {
		return c.Text, false
	}
	text = strings.Join(nonEmpty(timeOfDay(c.Clock), strings.ToUpper(c.Level), c.Module), " ")
	text = strings.Join(nonEmpty(text, c.Message), "  ")
	if c.Error != "" {
		text += fmt.Sprintf("  error=%q", c.Error)
	}
	l := strings.ToLower(c.Level)
	return text, l == "error" || l == "fatal" || l == "panic"
}

// exitWords says how a process ended.
func exitWords(e Exit) string {
	var parts []string
	if e.OOMKilled {
		parts = append(parts, "killed by the kernel for memory")
	}
	if e.Code != nil {
		parts = append(parts, fmt.Sprintf("exit status %d", *e.Code))
	}
	if e.Signal != "" {
		parts = append(parts, "signal "+strings.TrimPrefix(e.Signal, "signal "))
	}
	if len(parts) == 0 {
		parts = append(parts, e.Text)
	}
	return strings.Join(parts, ", ")
}

// exitFold is how processes ended, told once however often it was said.
type exitFold struct {
	Exit  // where it was said first
	words string
	times int
}

// text is the words and, if more than one, how often they were said.
func (e exitFold) text() string {
	words := Cut(e.words, 200)
	if e.times > 1 {
		words += fmt.Sprintf(" (%s times)", number(e.times))
	}
	return words
}

// foldExits takes equal words together, in the order in which they were said first: a supervisor
// that starts a program again a hundred times says a hundred times how it ended.
func foldExits(exits []Exit) []exitFold {
	var out []exitFold
	at := map[string]int{}
	for _, e := range exits {
		words := exitWords(e)
		if n, ok := at[words]; ok {
			out[n].times++
			continue
		}
		at[words] = len(out)
		out = append(out, exitFold{Exit: e, words: words, times: 1})
	}
	return out
}

// errorWords says why a source could not be read.
func errorWords(s *Source) string {
	if strings.Contains(s.Error, s.Name) {
		return s.Error
	}
	return s.Name + ": " + s.Error
}

// logsWords sums up the records.
func logsWords(l *Logs) []string {
	parts := []string{roughly(int64(l.Records)) + " records"}
	if l.Records == 1 {
		parts[0] = "1 record"
	}
	for _, level := range [][3]string{{"panic", "panic", "panics"}, {"fatal", "fatal", "fatal"}, {"error", "error", "errors"}, {"warn", "warning", "warnings"}} {
		switch n := l.ByLevel[level[0]]; {
		case n == 1:
			parts = append(parts, "1 "+level[1])
		case n > 1:
			parts = append(parts, roughly(int64(n))+" "+level[2])
		}
	}
	if t := between(l.FirstTime, l.LastTime); t != "" {
		parts = append(parts, t)
	}
	if n := len(l.Restarts); n > 0 {
		parts = append(parts, count(n, "restart", "restarts"))
	}
	return parts
}

const restartWords = "the process started again, and no dump is in this input: Go prints a crash to stderr, so look there (journal, kubectl logs -p)"
