package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// timeline draws log messages over time. Of each message the document knows the first and the last
// record and how many there are: the picture shows two points and the span between them, and no
// more. Restarts have a line, not a time; one is drawn only where its line is the first record of a
// message, so that its time is known.
type timeline struct {
	Width, Height int // in units of the picture
	Top, Axis     int // of the plot
	Left, Right   int // of the plot
	Rows          []timelineRow
	Marks         []timelineMark
	Ticks         []timelineTick
	Words         string // the picture for who can't see it
	Unshown       string
	Unplaced      string
}

type timelineRow struct {
	Y, TextY int
	X1, X2   int
	Width    int // of the line, by the count
	Class    string
	Label    string
	Count    string
	Two      bool // first and last differ
	Tip      string
}

type timelineMark struct {
	X, TextX, TextY int
	End             bool // the text ends at TextX
	Class           string
	Text            string
}

type timelineTick struct {
	X    int
	Text string
	End  string // text-anchor
}

const (
	timelineRows  = 18
	timelineMarks = 12
	timelineWidth = 1080
	timelineLeft  = 400
	timelineRight = 1060
	timelineRowH  = 22
)

// newTimeline is nil when no message has a time.
func newTimeline(d *Document) *timeline {
	var timed []LogBucket
	for _, b := range d.Logs.Buckets {
		if b.First != nil {
			timed = append(timed, b)
		}
	}
	if len(timed) == 0 {
		return nil
	}
	slices.SortStableFunc(timed, func(a, b LogBucket) int {
		return cmp.Or(cmp.Compare(severity(a.Level), severity(b.Level)), cmp.Compare(b.Count, a.Count))
	})
	t := &timeline{Width: timelineWidth, Top: 8, Left: timelineLeft, Right: timelineRight}
	marks, unplaced := moments(d)
	if len(marks) > timelineMarks {
		unplaced += len(marks) - timelineMarks
		marks = marks[:timelineMarks]
	}
	t.Top += 16 * min(len(marks), 3)
	if unplaced > 0 {
		t.Unplaced = count(unplaced, "crash or restart is", "crashes or restarts are") + " not drawn: no time is known, or there are too many"
	}
	total := len(timed)
	if total > timelineRows {
		timed = timed[:timelineRows]
		t.Unshown = fmt.Sprintf("%d of %s messages, the gravest and most frequent", timelineRows, number(total))
	}
	from, to := *timed[0].First, *timed[0].First
	stretch := func(at *time.Time) {
		if at != nil && at.Before(from) {
			from = *at
		}
		if at != nil && at.After(to) {
			to = *at
		}
	}
	stretch(d.Logs.FirstTime)
	stretch(d.Logs.LastTime)
	for n := range timed {
		stretch(timed[n].First)
		stretch(timed[n].Last)
	}
	for n := range marks {
		stretch(&marks[n].at)
	}
	x := func(at time.Time) int {
		if !to.After(from) {
			return (timelineLeft + timelineRight) / 2
		}
		share := float64(at.Sub(from)) / float64(to.Sub(from))
		return timelineLeft + int(share*(timelineRight-timelineLeft))
	}
	for n, b := range timed {
		t.Rows = append(t.Rows, timelineRowOf(b, t.Top+n*timelineRowH+timelineRowH/2, x))
	}
	t.Axis = t.Top + len(timed)*timelineRowH + 6
	t.Height = t.Axis + 28
	lane := 0
	for _, m := range marks {
		at := x(m.at)
		mark := timelineMark{X: at, TextX: at + 6, TextY: 14 + 15*(lane%3), Class: m.class, Text: m.text}
		if at > (timelineLeft+timelineRight)/2 {
			mark.TextX, mark.End = at-6, true
		}
		lane++
		t.Marks = append(t.Marks, mark)
	}
	t.Ticks = ticks(from, to, x)
	t.Words = fmt.Sprintf("%s over time, %s. The table below has the same as text.",
		count(total, "log message", "log messages"), between(&from, &to))
	return t
}

func timelineRowOf(b LogBucket, y int, x func(time.Time) int) timelineRow {
	row := timelineRow{
		Y: y, TextY: y + 4, X1: x(*b.First), X2: x(*b.First), Width: 2, Class: levelClass(b.Level),
		Label: Cut(Escape(strings.Join(nonEmpty(b.Module, b.Message), "  ")), 43), Count: roughly(int64(b.Count)),
		Tip: count(b.Count, "record", "records") + ", " + between(b.First, b.Last),
	}
	if b.Last != nil && b.Last.After(*b.First) {
		row.X2, row.Two = x(*b.Last), true
	}
	for c := b.Count; c >= 10 && row.Width < 8; c /= 10 {
		row.Width++
	}
	return row
}

// happening is something that happened once.
type happening struct {
	at          time.Time
	class, text string
}

// moments are the crashes and restarts whose time is known, and how many have none.
func moments(d *Document) (marks []happening, unplaced int) {
	for _, it := range ranked(d) {
		i := it.inc
		if i == nil || i.Verdict() == VerdictNone {
			continue
		}
		word := "recovered"
		if i.MayHaveDied() {
			word = "died"
		} else if len(i.Races) > 0 {
			word = "race"
		}
		switch {
		case i.FirstTime != nil:
			marks = append(marks, happening{*i.FirstTime, "crash", word + " " + i.FirstTime.Format("15:04:05")})
			if i.LastTime != nil && i.LastTime.After(*i.FirstTime) {
				marks = append(marks, happening{*i.LastTime, "crash", "last of " + number(i.Count) + " times " + i.LastTime.Format("15:04:05")})
			}
		default:
			if at, ok := lastClock(i.Context); ok {
				marks = append(marks, happening{at, "crash after", word + " after " + at.Format("15:04:05")})
			} else {
				unplaced++
			}
		}
	}
	for _, r := range d.Logs.Restarts {
		n := slices.IndexFunc(d.Logs.Buckets, func(b LogBucket) bool {
			return b.First != nil && b.Source == r.Source && b.Line == r.Line
		})
		if n < 0 {
			unplaced++
			continue
		}
		at := *d.Logs.Buckets[n].First
		marks = append(marks, happening{at, "restart", "restart " + at.Format("15:04:05")})
	}
	return marks, unplaced
}

// lastClock is the time of the last record before an incident, if it names its zone.
func lastClock(lines []Context) (time.Time, bool) {
	for n := len(lines) - 1; n >= 0; n-- {
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700"} {
			if t, err := time.Parse(layout, lines[n].Clock); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// ticks are times along the axis, in the zone of the first record.
func ticks(from, to time.Time, x func(time.Time) int) []timelineTick {
	layout := "15:04:05"
	switch d := to.Sub(from); {
	case d <= 0:
		return []timelineTick{{x(from), from.Format("2006-01-02 15:04:05"), "middle"}}
	case d < 10*time.Second:
		layout = "15:04:05.000"
	case d >= 20*time.Hour:
		layout = "01-02 15:04"
	}
	const parts = 4
	var out []timelineTick
	for n := range parts + 1 {
		at := from.Add(to.Sub(from) / parts * time.Duration(n))
		tick := timelineTick{x(at), at.In(from.Location()).Format(layout), "middle"}
		switch n {
		case 0:
			tick.End = "start"
			tick.Text = from.Format("2006-01-02 ") + strings.TrimPrefix(tick.Text, from.Format("01-02 "))
		case parts:
			tick.End = "end"
		}
		out = append(out, tick)
	}
	return out
}
