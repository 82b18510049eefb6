package signatures

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/crashtriage/crashtriage/parse"
)

// matches says whether a record is one that the selector means.
//
// People shorten what they paste: "..." as a value, or in place of the rest of a record. What was
// left out is taken as fitting, as long as the message is there.
func (r *record) matches(rec *parse.Record) bool {
	if r.Level != "" && rec.Level != "" && rec.Level != r.Level {
		return false
	}
	if r.Message != nil && !r.Message.match(rec.Message) {
		return false
	}
	cut := r.Message != nil && shortened(rec)
	fits := func(t *text, value string, present bool) bool {
		return t == nil || t.match(value) || cut && (!present || elided(value))
	}
	if !fits(r.Module, rec.Module, rec.Module != "") || !fits(r.Error, rec.Error, rec.Error != "") {
		return false
	}
	for key, t := range r.Fields {
		value, present := field(rec, key)
		if !fits(t, value, present) {
			return false
		}
	}
	return true
}

// field returns a field by its key; the parts of a record that have a place of their own
// can be named too.
func field(rec *parse.Record, key string) (string, bool) {
	switch key {
	case "module":
		return rec.Module, rec.Module != ""
	case "message":
		return rec.Message, rec.Message != ""
	case "error":
		return rec.Error, rec.Error != ""
	}
	v, ok := rec.Fields[key]
	return v, ok
}

func elided(s string) bool { return s == "..." || s == "…" }

func shortened(rec *parse.Record) bool {
	return strings.Contains(rec.Raw, "...") || strings.Contains(rec.Raw, "…")
}

// find returns the positions of the records that one of the selectors means, in input order.
func (in *input) find(selectors ...*record) []int {
	in.load()
	if len(selectors) == 1 {
		return in.findOne(selectors[0])
	}
	var list []int
	for _, r := range selectors {
		list = append(list, in.findOne(r)...)
	}
	sort.Ints(list)
	return list
}

func (in *input) findOne(r *record) []int {
	list, ok := in.found[r]
	if ok {
		return list
	}
	if r.Message != nil && r.Message.Is != "" {
		for _, i := range in.byText[r.Message.Is] {
			if r.matches(in.records[i]) {
				list = append(list, i)
			}
		}
	} else {
		for i, rec := range in.records {
			if r.matches(rec) {
				list = append(list, i)
			}
		}
	}
	in.found[r] = list
	return list
}

// group is a run of records that are alike in some fields.
type group struct {
	key     []string // "" where no record of the group showed the field
	records []int
}

// logs counts records, in groups of equal fields, within a window.
func (e *evaluation) logs(l *logs) outcome {
	found := e.find(&l.Record)
	if len(found) == 0 {
		return outcome{why: "no record " + l.Record.String()}
	}
	groups := e.groups(found, l.Same)
	breaks := e.breaks(l.Without)
	best, cut := window{}, false
	for _, g := range groups {
		w := e.densest(g.records, l, breaks)
		if w.count > best.count || w.count == best.count && w.told && !best.told {
			best = w
		}
		cut = cut || !w.told
	}
	if best.count < l.AtLeast {
		if !best.told && len(found) >= l.AtLeast {
			return outcome{truth: CannotTell, why: "the records have no time: " + l.String(), collect: []string{"the log with its time stamps"}}
		}
		why := fmt.Sprintf("only %d: %s", best.count, l.String())
		if need := l.window(); need >= time.Minute && len(breaks) == 0 && e.excerpt(len(found), need) {
			o := e.recordEvidence(l, window{count: 1, records: found[:1]})
			return outcome{
				truth: CannotTell, excerpt: true, evidence: o.evidence, why: why + ", in a log too short to tell",
				collect: []string{"the log of " + need.String() + " around these records"},
			}
		}
		return outcome{why: why}
	}
	return e.recordEvidence(l, best)
}

// window is the time that a log has to cover before the number of records in it says anything.
func (l *logs) window() time.Duration {
	return max(l.Within, l.Spans)
}

// excerpt says whether the input is a few lines that somebody picked, a quarter of them these: they
// cover less time than it takes to see how often such lines come. A log of seconds that holds one of
// them among others is no excerpt, but a healthy start.
func (in *input) excerpt(found int, need time.Duration) bool {
	return found*4 >= in.c.Logs.Records && in.c.Logs.Last.Sub(in.c.Logs.First) < need
}

// recordEvidence cites the first record, and the last when there are several.
func (e *evaluation) recordEvidence(l *logs, w window) outcome {
	o := outcome{truth: Holds, strong: true, weight: 10}
	cite := func(i int, condition string) {
		rec := e.records[i]
		o.evidence = append(o.evidence, Evidence{Source: rec.Source, Line: rec.Line, Text: recordText(rec), Condition: condition})
	}
	n := len(w.records)
	if n == 1 {
		cite(w.records[0], "log: "+l.Record.String())
		return o
	}
	c := fmt.Sprintf("log: %d × %s", n, l.Record.String())
	if len(l.Same) > 0 {
		c += ", same " + strings.Join(l.Same, " and ")
	}
	switch {
	case w.cutClock:
		c += "; their times are cut, in one second as far as they show"
	case w.span > 0:
		c += ", in " + span(w.span)
	}
	cite(w.records[0], c)
	cite(w.records[n-1], fmt.Sprintf("log: the last of these %d", n))
	return o
}

func recordText(rec *parse.Record) string {
	if rec.Raw != "" {
		return oneLine(rec.Raw)
	}
	return rec.Message
}

// groups splits records by the values of fields. A record in which a field was left out joins
// the last group that it does not contradict.
func (e *evaluation) groups(list []int, keys []string) []*group {
	if len(keys) == 0 {
		return []*group{{records: list}}
	}
	var groups []*group
	index := map[string]*group{}
	for _, i := range list {
		rec := e.records[i]
		key := make([]string, len(keys))
		whole := true
		for k, name := range keys {
			v, ok := field(rec, name)
			if !ok || elided(v) {
				whole = false
				continue
			}
			key[k] = v
		}
		id := strings.Join(key, "\x00")
		g := index[id]
		if g == nil && !whole {
			if !shortened(rec) {
				continue // the field is not there at all: nothing to compare
			}
			for n := len(groups) - 1; n >= 0 && n >= len(groups)-64; n-- {
				if compatible(groups[n].key, key) {
					g = groups[n]
					break
				}
			}
		}
		if g == nil {
			g = &group{key: key}
			groups = append(groups, g)
			index[id] = g
		}
		g.records = append(g.records, i)
	}
	return groups
}

func compatible(group, key []string) bool {
	for i := range key {
		if key[i] != "" && group[i] != "" && key[i] != group[i] {
			return false
		}
	}
	return true
}

// window is the part of a group that holds most records within the time allowed.
type window struct {
	count    int
	records  []int
	span     time.Duration
	told     bool // the times allow an answer
	cutClock bool // the times are cut, and only their ends were compared
}

// breaks returns the positions of records that end a run.
func (e *evaluation) breaks(without []record) []int {
	if len(without) == 0 {
		return nil
	}
	selectors := make([]*record, len(without))
	for i := range without {
		selectors[i] = &without[i]
	}
	return e.find(selectors...)
}

func broken(breaks []int, from, to int) bool {
	i := sort.SearchInts(breaks, from)
	return i < len(breaks) && breaks[i] < to
}

// densest returns the best window of a group, in one pass.
func (e *evaluation) densest(list []int, l *logs, breaks []int) window {
	best := window{told: true}
	tally := newTally(l.Distinct)
	from := 0
	reset := func(to int) {
		from = to
		tally = newTally(l.Distinct)
	}
	cutClock := false
	for to := range list {
		if to > 0 && (broken(breaks, list[to-1], list[to]) || e.restarted(list[to-1], list[to])) {
			reset(to)
		}
		for l.Within > 0 && from < to {
			d, ok, cut := e.apart(list[from], list[to])
			if !ok {
				best.told = false
				reset(to)
				break
			}
			cutClock = cut
			if d <= l.Within {
				break
			}
			tally.remove(e.records[list[from]])
			from++
		}
		tally.add(e.records[list[to]])
		w := window{count: tally.count(), told: true, cutClock: cutClock, records: list[from : to+1]}
		if first, last := e.records[list[from]].Time, e.records[list[to]].Time; !first.IsZero() && !last.IsZero() {
			w.span = last.Sub(first).Abs()
		}
		if w.span >= l.Spans && w.count > best.count {
			best = w
		}
	}
	return best
}

// tally counts records, or the distinct values of one of their fields.
type tally struct {
	field  string
	n      int
	values map[string]int
}

func newTally(field string) *tally { return &tally{field: field, values: map[string]int{}} }

func (t *tally) add(r *parse.Record) {
	t.n++
	if t.field != "" {
		if v, ok := field(r, t.field); ok {
			t.values[v]++
		}
	}
}

func (t *tally) remove(r *parse.Record) {
	t.n--
	if t.field == "" {
		return
	}
	if v, ok := field(r, t.field); ok {
		if t.values[v]--; t.values[v] == 0 {
			delete(t.values, v)
		}
	}
}

func (t *tally) count() int {
	if t.field != "" {
		return len(t.values)
	}
	return t.n
}

// apart returns the time between two records. Where somebody cut the front of the clock off
// ("...342943Z") it compares what is left: fractions of a second that do not fall, in records that
// follow one another, are taken for one second; cut says so.
func (e *evaluation) apart(a, b int) (d time.Duration, ok, cut bool) {
	ra, rb := e.records[a], e.records[b]
	if !ra.Time.IsZero() && !rb.Time.IsZero() {
		return rb.Time.Sub(ra.Time).Abs(), true, false
	}
	fa, oka := fraction(ra.Clock)
	fb, okb := fraction(rb.Clock)
	if oka && okb && ra.Source == rb.Source && fb >= fa {
		return fb - fa, true, true
	}
	return 0, false, false
}

// fraction reads the end of a clock whose front was cut off.
func fraction(clock string) (time.Duration, bool) {
	rest, ok := strings.CutPrefix(clock, "...")
	if !ok {
		rest, ok = strings.CutPrefix(clock, "…")
	}
	if !ok {
		return 0, false
	}
	rest = strings.TrimPrefix(strings.TrimSuffix(rest, "Z"), ".")
	if len(rest) < 3 || len(rest) > 9 || strings.Trim(rest, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(rest + strings.Repeat("0", 9-len(rest)))
	return time.Duration(n), err == nil
}

// restarted says whether the process started anew between two records: numbers that count up
// from the start of a process do not compare over that.
func (e *evaluation) restarted(a, b int) bool {
	ra, rb := e.records[a], e.records[b]
	if ra.Source != rb.Source {
		return false
	}
	for _, r := range e.c.Logs.Restarts {
		if r.Source == ra.Source && ra.Line < r.Line && r.Line <= rb.Line {
			return true
		}
	}
	return false
}
