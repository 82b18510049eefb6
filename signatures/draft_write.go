package signatures

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// draftHead is what an author reads first.
const draftHead = `# A draft, made from one crash: it finds that crash, and says unknown where nobody told it more.
# Before it is kept: say cause, owner, issue and fix, each from a source. Ask of the conditions which other bug
# would fulfil them, and of the example whether every word of it may be shown.
`

// pack writes the draft as a pack.
func (d *draft) pack() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	b.WriteString(draftHead)
	guess := ""
	if d.guessed != "" {
		guess = "  # a guess, " + d.guessed
	}
	line("pack: %s", yamlText(d.project))
	line("as_of: %s", d.opts.AsOf)
	line("project: %s%s", yamlText(d.project), guess)
	if d.module != "" {
		line("module: %s%s", yamlText(d.module), guess)
	}
	if d.product != d.project {
		line("product: %s", yamlText(d.product))
	}
	line("signatures:\n\n- id: %s", d.id)
	line("  title: %s", yamlText(d.title))
	line("  kind: %s", d.kind)
	if len(d.supersedes) > 0 {
		line("  # These match the crash already. Is it another bug? If not, this entry is not needed.")
		line("  supersedes: [%s]", strings.Join(d.supersedes, ", "))
	}
	line("  match:")
	d.conditions(line)
	line("  root_cause: unknown")
	line("  # owner: the repository, file and function that have to change")
	line("  # issue: https://…")
	line("  fix:\n    state: unknown\n    release: unknown")
	if len(d.seen) > 0 {
		line("  affected:")
		line("    text: %s", yamlText("seen with "+strings.Join(d.seen, ", ")))
		if d.version != "" {
			line("    reported_on: [%s]", yamlText(d.version))
		}
	}
	line("  confidence: low")
	if d.kind == "oom" {
		line("  notes: The stack shows who asked last for memory, which need not be who holds it.")
	}
	line("  examples:")
	line("  - name: made from the crash\n    match: |\n%s", yamlBlock(d.opts.Clean(d.example(false))))
	line("  - name: the same message from another function\n    near_miss: |\n%s", yamlBlock(d.opts.Clean(d.example(true))))
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (d *draft) conditions(line func(string, ...any)) {
	if m := d.message; m != nil && m.Regexp != "" {
		line("    message: {regexp: %s}", yamlQuoted(m.Regexp))
	} else if m != nil {
		line("    message: %s", yamlText(m.Is))
	}
	list := func(indent string, names []string) {
		for _, f := range names {
			line("%s- %s", indent, yamlText(f))
		}
	}
	switch {
	case len(d.lists) > 1:
		line("    all:")
		for _, names := range d.lists {
			line("    - frames:")
			list("      ", names)
		}
	case d.kind == "race":
		line("    frames:")
		list("    ", d.lists[0])
	default:
		if d.top || len(d.lists[0]) == 1 {
			line("    top: %s", yamlText(d.blame))
		}
		if len(d.lists[0]) > 1 {
			line("    frames:")
			list("    ", d.lists[0])
		}
	}
	if d.creator != "" {
		line("    creator: %s", yamlText(d.creator))
	}
	if d.inMain {
		line("    product: %s", yamlText(d.product))
	}
}

var bareText = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_/.()*$-]*$`)

// yamlText writes a text bare where that is safe. Scalars of a pack stay text, whatever they look like.
func yamlText(s string) string {
	if bareText.MatchString(s) {
		return s
	}
	return yamlQuoted(s)
}

func yamlQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func yamlBlock(s string) string {
	var b strings.Builder
	for l := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		if l != "" {
			b.WriteString("      " + l)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Functions that no program has, for near misses.
const elsewhere = "example.com/elsewhere/other.(*Thing).Run"

// maxExampleFrames bounds an example; frames of the standard library go first.
const maxExampleFrames = 14

// example is the crash in small: its message with invented values, and the goroutine that decides, without
// arguments, and with paths that name no home directory. The near miss has other functions where
// the draft asks for these.
func (d *draft) example(miss bool) string {
	var b strings.Builder
	if len(d.inc.Races) > 0 {
		d.race(&b, miss)
		return b.String()
	}
	if d.inc.Kind == parse.KindSignal {
		b.WriteString(plain(d.inc.Headline) + "\nPC=0x46bd61 m=0 sigcode=0\n")
	} else {
		b.WriteString(plain(d.say.example()) + "\n")
	}
	if s := plain(d.inc.Signal); strings.HasPrefix(s, "[signal ") {
		b.WriteString(s + "\n")
	}
	if !d.say.loose && !d.say.foreign {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "goroutine 7 [%s]:\n", d.state())
	for _, f := range d.kept() {
		d.frame(&b, f, "", miss && packName(f.Function) == d.blame)
	}
	if f := d.inc.CreatedBy; f != nil && printable(f.Function) {
		fmt.Fprintf(&b, "created by %s in goroutine 1\n\t%s\n", f.Function, d.place(f))
	}
	return b.String()
}

func (d *draft) state() string {
	for _, b := range d.inc.Buckets {
		if len(b.Frames) > 0 && len(d.inc.Stack) > 0 && b.Frames[0].SourceLine == d.inc.Stack[0].SourceLine && printable(b.State) && b.State != "" {
			return b.State
		}
	}
	return "running"
}

// kept returns the frames that an example needs: from the last panic origin to the function that called
// the last one asked for.
func (d *draft) kept() []*parse.Frame {
	stack := d.inc.Stack
	from, to := 0, 0
	last := d.lists[0][len(d.lists[0])-1]
	for i := range stack {
		if stack[i].Function == "panic" || stack[i].Function == "runtime.gopanic" {
			if d.inc.Kind != parse.KindFatal && d.inc.Kind != parse.KindThrow {
				from = i
			}
		}
		if packName(stack[i].Function) == last && to == 0 {
			to = i + 2
		}
	}
	if from >= to {
		from = 0
	}
	if d.say.loose || d.say.foreign {
		from = 0 // the recover handler above it is how the report is told from a dump
	}
	var list []*parse.Frame
	for i := from; i < min(to, len(stack)); i++ {
		f := &stack[i]
		needed := !f.Std || i < from+4
		if printable(f.Function) && (needed || to-from <= maxExampleFrames) {
			list = append(list, f)
		}
	}
	return list
}

func (d *draft) frame(b *strings.Builder, f *parse.Frame, indent string, other bool) {
	if other {
		fmt.Fprintf(b, "%s%s(...)\n%s\t/src/other/other.go:12\n", indent, elsewhere, indent)
		return
	}
	fmt.Fprintf(b, "%s%s(...)\n%s\t%s\n", indent, f.Function, indent, d.place(f))
}

// place is a frame's file below a root that tells nothing of the machine it was built on.
func (d *draft) place(f *parse.Frame) string {
	file := strings.ReplaceAll(f.File, `\`, "/")
	i := strings.LastIndex(file, "/pkg/mod/")
	src := strings.LastIndex(file, "/src/")
	switch {
	case f.Std && src >= 0:
		file = "/usr/local/go" + file[src:]
	case f.Std && !strings.HasPrefix(file, "/"):
		file = "/usr/local/go/src/" + file
	case f.Std:
		file = "/usr/local/go/src/" + parse.PackagePath(f.Function) + "/" + path.Base(file)
	case i >= 0:
		file = "/go" + file[i:]
	case f.Module != "" && f.Version != "":
		// A cache in another place, or a build with -trimpath.
		if at := strings.Index(file, "@v"); at >= 0 {
			_, rest, _ := strings.Cut(file[at:], "/")
			file = "/go/pkg/mod/" + f.Module + "@" + f.Version + "/" + rest
		}
	default:
		pkg := parse.PackagePath(f.Function)
		if pkg == "main" {
			pkg = d.project
		}
		file = "/src/" + pkg + "/" + path.Base(file)
	}
	if file = plain(file); strings.ContainsAny(file, " :") || file == "" {
		file = "/src/unknown.go"
	}
	return fmt.Sprintf("%s:%d", file, max(f.Line, 1))
}

func (d *draft) race(b *strings.Builder, miss bool) {
	b.WriteString("==================\nWARNING: DATA RACE\n")
	n := 0
	for _, r := range d.inc.Races {
		if !accesses(r.Title) || n == 2 {
			continue
		}
		title := "Write at 0x00c000012345 by goroutine 8:"
		if strings.Contains(strings.ToLower(r.Title), "read") {
			title = "Read at 0x00c000012345 by goroutine 8:"
		}
		if n++; n == 2 {
			title = "Previous " + strings.ToLower(title[:1]) + strings.Replace(title[1:], "goroutine 8", "goroutine 9", 1)
			b.WriteByte('\n')
		}
		b.WriteString(title + "\n")
		for i := range r.Stack {
			f := &r.Stack[i]
			if i >= maxExampleFrames || !printable(f.Function) {
				break
			}
			if miss && !f.Std {
				fmt.Fprintf(b, "  %s()\n      /src/other/other.go:12 +0x28\n", elsewhere)
				continue
			}
			fmt.Fprintf(b, "  %s()\n      %s +0x28\n", f.Function, d.place(f))
		}
	}
	b.WriteString("==================\n")
}
