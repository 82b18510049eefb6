package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// frameView is one call. What stands before Name is its import path's front, which matters less.
type frameView struct {
	Path, Name, Args, File string
	Std, Blame             bool
	At                     int // line of the input
	Module, ModuleURL      string
}

func frameOf(f *Frame) frameView {
	cut := shortAt(f.Function)
	return frameView{
		Path: unescapePath(f.Function[:cut]), Name: unescapePath(f.Function[cut:]), File: fileLine(f), Std: f.Std,
	}
}

// fullFrame is a frame with all that is known of it.
func fullFrame(f *Frame) frameView {
	v := frameOf(f)
	v.Args, v.At, v.Module, v.ModuleURL = f.Args, f.SourceLine, moduleWords(f), moduleURL(f.Module, f.Version)
	return v
}

var (
	modulePath    = regexp.MustCompile(`^[a-z0-9.-]+\.[a-z]{2,}(/[A-Za-z0-9._~-]+)+$`)
	moduleVersion = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+incompatible)?$`)
)

// moduleURL is the page of a module's version, for paths and versions that are whole; "" for others.
func moduleURL(path, version string) string {
	if !modulePath.MatchString(path) || !moduleVersion.MatchString(version) || strings.HasSuffix(version, "…") {
		return ""
	}
	return "https://pkg.go.dev/" + path + "@" + version
}

type stackView struct {
	Frames  []frameView
	Numbers bool // frames know their lines
	Unshown string
}

// frames are the frames of one stack, the first that is blame marked.
func (p *htmlPage) frames(stack []Frame, blame *Frame) stackView {
	const limit = 400 // a stack that overflowed repeats itself
	v := stackView{}
	marked := false
	for n := range stack {
		if n == limit && !p.verbose {
			v.Unshown = "… " + count(len(stack)-n, "frame", "frames") + " more; -v writes them all"
			break
		}
		f := fullFrame(&stack[n])
		if blame != nil && !marked && stack[n] == *blame {
			f.Blame, marked = true, true
		}
		v.Numbers = v.Numbers || f.At > 0
		v.Frames = append(v.Frames, f)
	}
	return v
}

func (p *htmlPage) stack(i *Incident) *htmlPart {
	if len(i.Stack) == 0 || len(i.Races) > 0 {
		return nil // a race has told its stacks
	}
	title, creator := stackTitle(i)
	v := p.frames(i.Stack, i.Blame)
	return &htmlPart{title, creator, &v}
}

type raceView struct {
	Title, Place string
	Stack        stackView
}

func (p *htmlPage) races(i *Incident) *htmlPart {
	if len(i.Races) == 0 {
		return nil
	}
	data := &struct{ Races []raceView }{}
	for _, r := range i.Races {
		data.Races = append(data.Races, raceView{strings.TrimSuffix(r.Title, ":"), p.place(i.Source, r.Line), p.frames(r.Stack, nil)})
	}
	return &htmlPart{"accesses", "", data}
}

// goroutinesView are the goroutines of an incident by shape.
type goroutinesView struct {
	Note    string
	Filter  bool // there are enough shapes to look for one
	Few     bool // few enough to be printed unfolded
	States  []string
	Total   int
	Shapes  []shapeView
	Unshown string
}

type shapeView struct {
	Count       int
	CountText   string
	Bar         int // of 100
	State, Raw  string
	Wait        string
	WaitMax     int
	Path, Name  string
	Std         bool // no frame of the program's own
	Crashed     bool
	Notes       []string
	Frames      []frameView
	CreatedBy   *frameView
	FramesShort string // says that frames are left out of the page
}

func (p *htmlPage) goroutines(i *Incident) *htmlPart {
	if !worthShapes(i) {
		return nil
	}
	v := &goroutinesView{Note: counted(p.d, i, p.place), Filter: len(i.Buckets) >= 8, Few: len(i.Buckets) <= 40}
	most := 1
	for _, b := range i.Buckets {
		most = max(most, b.Count)
		if b.State != "" && !slices.Contains(v.States, b.State) {
			v.States = append(v.States, b.State)
		}
	}
	slices.Sort(v.States)
	for n, b := range i.Buckets {
		if p.shapesLeft <= 0 && !p.verbose {
			left := 0
			for _, b := range i.Buckets[n:] {
				left += b.Count
			}
			v.Unshown = fmt.Sprintf("%s with %s more are left out of this page; -v writes them all",
				count(len(i.Buckets)-n, "shape", "shapes"), count(left, "goroutine", "goroutines"))
			break
		}
		p.shapesLeft--
		v.Total += b.Count
		v.Shapes = append(v.Shapes, p.shape(i, b, most))
	}
	return &htmlPart{shapesTitle(i), "", v}
}

func (p *htmlPage) shape(i *Incident, b *Bucket, most int) shapeView {
	v := shapeView{
		Count: b.Count, CountText: number(b.Count), Bar: barOf(b.Count, most), State: stateWords(b), Raw: b.State,
		Wait: waits(b.WaitMinutes), Name: shapeName(b), Crashed: b.Crashed,
		Std: !slices.ContainsFunc(b.Frames, func(f Frame) bool { return !f.Std }),
	}
	if b.WaitMinutes != nil {
		v.WaitMax = b.WaitMinutes.Max
	}
	for n := range b.Frames {
		if !b.Frames[n].Std {
			f := frameOf(&b.Frames[n])
			v.Path, v.Name = f.Path, f.Name
			break
		}
	}
	v.Notes = p.shapeNotes(i, b)
	if b.CreatedBy != nil {
		by := frameOf(b.CreatedBy)
		v.CreatedBy = &by
	}
	shown := b.Frames
	if p.framesLeft < len(shown) && !p.verbose {
		shown = shown[:max(p.framesLeft, 0)]
		v.FramesShort = "… " + count(len(b.Frames)-len(shown), "frame", "frames") + " more; -v writes them all"
	}
	p.framesLeft -= len(shown)
	for n := range shown {
		v.Frames = append(v.Frames, frameOf(&shown[n]))
	}
	return v
}

// shapeNotes is what is known about the goroutines of a bucket beside their stack.
func (p *htmlPage) shapeNotes(i *Incident, b *Bucket) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if b.Line > 0 {
		add("first at %s", p.place(i.Source, b.Line))
	}
	if len(b.GoroutineIDs) > 0 {
		ids := make([]string, 0, len(b.GoroutineIDs))
		for _, id := range b.GoroutineIDs {
			ids = append(ids, fmt.Sprint(id))
		}
		text := "goroutine " + strings.Join(ids, ", ")
		if left := b.Count - len(ids); left > 0 {
			text += " and " + number(left) + " more"
		}
		notes = append(notes, text)
	}
	for _, n := range []struct {
		n    int
		what string
	}{{b.Locked, "locked to a thread"}, {b.Leaked, "leaked"}, {b.Durable, "durably blocked"}} {
		switch {
		case n.n == b.Count && n.n == 1:
			notes = append(notes, n.what)
		case n.n == b.Count && n.n > 0:
			add("all %s", n.what)
		case n.n > 0:
			add("%s %s", number(n.n), n.what)
		}
	}
	if b.Elided > 0 {
		add("%s left out of the middle by the runtime", count(b.Elided, "frame", "frames"))
	}
	if len(b.Labels) > 0 {
		notes = append(notes, "labels "+strings.Join(b.Labels, ", "))
	}
	return notes
}

type contextView struct {
	Lines []contextLineView
}

type contextLineView struct {
	At      int
	Text    string
	Failure bool
}

func (p *htmlPage) context(i *Incident) *htmlPart {
	lines := unfenced(i.Context)
	if len(lines) == 0 {
		return nil
	}
	v := &contextView{}
	for _, c := range lines {
		text, failure := contextWords(c)
		if !p.verbose {
			text = Cut(Escape(text), 2000)
		}
		v.Lines = append(v.Lines, contextLineView{c.Line, text, failure})
	}
	return &htmlPart{contextTitle(i), p.place(i.Source, lines[0].Line), v}
}

// barOf is the length of a bar for n of at most most, in percent; whatever is there can be seen.
func barOf(n, most int) int {
	return min(max(int(100*float64(n)/float64(most)), 1), 100)
}
