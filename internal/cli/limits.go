package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crashtriage/crashtriage/parse"
)

// limits are the guards against enormous input. Zero means the default of parse.Options.
type limits struct {
	line      size
	shapes    int
	incidents int
	records   int
	context   int
	unpacked  size
	members   int
	depth     int
	ratio     int
}

func (l *limits) register(f *pflag.FlagSet) {
	f.Var(&l.line, "limit-line", "longest line read whole, as `SIZE` (default 8MiB)")
	f.IntVar(&l.shapes, "limit-shapes", 0, "distinct stacks kept of one incident, `N` (default 20000)")
	f.IntVar(&l.incidents, "limit-incidents", 0, "incidents kept of one source, `N` (default 10000)")
	f.IntVar(&l.records, "limit-records", 0, "log records kept for the signatures, `N` (default 50000)")
	f.IntVar(&l.context, "limit-context", 0, "log lines kept before an incident, `N` (default 8)")
	f.Var(&l.unpacked, "limit-unpacked", "bytes unpacked of one archive, `SIZE` (default 4GiB)")
	f.IntVar(&l.members, "limit-members", 0, "members read of one archive, `N` (default 50000)")
	f.IntVar(&l.depth, "limit-depth", 0, "archives within archives, `N` (default 2)")
	f.IntVar(&l.ratio, "limit-ratio", 0, "times that content may be larger than its archive, `N` (default 400)")
}

func (l *limits) options() parse.Options {
	return parse.Options{
		MaxLine: int(min(l.line, 1<<31-1)), MaxShapes: l.shapes, MaxIncidents: l.incidents, MaxKept: l.records, ContextLines: l.context,
		Limits: parse.Limits{MaxBytes: int64(l.unpacked), MaxMembers: l.members, MaxDepth: l.depth, MaxRatio: l.ratio},
	}
}

// size is a number of bytes: "512", "64KiB", "8M".
type size int64

func (s *size) Type() string { return "SIZE" }

func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

func (s *size) Set(text string) error {
	digits := strings.TrimRight(text, "kKmMgGiIbB")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift, known := map[string]uint{"": 0, "b": 0, "k": 10, "kb": 10, "kib": 10, "m": 20, "mb": 20, "mib": 20, "g": 30, "gb": 30, "gib": 30}[strings.ToLower(text[len(digits):])]
	if err != nil || !known || n <= 0 || n > (1<<40)>>shift {
		return fmt.Errorf("want a size up to 1024GiB such as 512KiB or 8MiB")
	}
	*s = size(n << shift)
	return nil
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
