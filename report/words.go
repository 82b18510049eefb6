package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// number groups the digits: 41,802.
func number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// digits groups the digits of a printed number; any other text stays as it is.
func digits(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return number(n)
	}
	return s
}

// roughly is a number as people say it: exact below 100,000, else "4.1 M".
func roughly(n int64) string {
	switch {
	case n < 100_000:
		return number(n)
	case n < 1_000_000:
		return fmt.Sprintf("%d k", n/1000)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + " M"
}

// count is a number with its noun.
func count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// bytesOf is a size in powers of ten, as disks and downloads have it.
func bytesOf(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	v, i := float64(n), 0
	for v >= 999.5 && i < len(units)-1 {
		v, i = v/1000, i+1
	}
	if i == 0 || v >= 10 {
		return fmt.Sprintf("%.0f %s", v, units[i])
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + units[i]
}

// minutes is a wait as people say it: "37 min", "1 h 20 min", "3 d 4 h".
func minutes(n int) string {
	two := func(a int, ua string, b int, ub string) string {
		if b == 0 {
			return fmt.Sprintf("%d %s", a, ua)
		}
		return fmt.Sprintf("%d %s %d %s", a, ua, b, ub)
	}
	switch {
	case n < 60:
		return fmt.Sprintf("%d min", n)
	case n < 10*60:
		return two(n/60, "h", n%60, "min")
	case n < 48*60:
		return fmt.Sprintf("%d h", n/60)
	}
	if n >= 10*24*60 {
		return number(n/(24*60)) + " d"
	}
	return two(n/(24*60), "d", n/60%24, "h")
}

// waits is a range of waits. Goroutines that wait less than a minute print no wait.
func waits(w *Wait) string {
	switch {
	case w == nil || w.Max == 0:
		return ""
	case w.Min == w.Max:
		return minutes(w.Max)
	case w.Min == 0:
		return "up to " + minutes(w.Max)
	case w.Max < 60:
		return fmt.Sprintf("%d–%d min", w.Min, w.Max)
	}
	return minutes(w.Min) + "–" + minutes(w.Max)
}

// span is the time between two moments as people say it.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return minutes(int(d.Minutes()))
}

// between is a period in the zone of the input, its day said once.
func between(a, b *time.Time) string {
	const day, clock = "2006-01-02", "15:04:05"
	if a == nil {
		return ""
	}
	if b == nil || b.Equal(*a) {
		return a.Format(day + " " + clock)
	}
	to := b.Format(day + " " + clock)
	if b.Format(day) == a.Format(day) {
		to = b.Format(clock)
	}
	return fmt.Sprintf("%s to %s (%s)", a.Format(day+" "+clock), to, span(b.Sub(*a)))
}

// ownerWords say who usually has to act on a family.
var ownerWords = map[string]string{
	"your-code":          "the program's own code",
	"dependency":         "a library that the program uses",
	"resource-limit":     "a limit of memory, files or threads",
	"environment":        "the environment the program runs in",
	"go-runtime":         "the Go runtime",
	"kernel-or-hardware": "the kernel or the hardware",
	"unknown":            "not known",
}

// statusWords explain the statuses that must not be overlooked; %s is the running version.
var statusWords = map[string]string{
	"fixed-here":      "%s should have the fix: either the bug is back, or another version was running.",
	"beyond-evidence": "%s is newer than anything the evidence speaks about: the bug may be gone.",
}
