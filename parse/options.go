package parse

import "sync/atomic"

// Options are the guards and wishes of a reader. The zero value is usable:
// zero limits mean the defaults.
type Options struct {
	// MaxLine is the longest line that is read whole; what lies beyond is skipped with a problem. Default 8 MiB.
	MaxLine int
	// MaxShapes is the number of distinct stacks kept for one incident; more are counted in one
	// bucket without frames, with a problem. Default 20,000.
	MaxShapes int
	// MaxIncidents bounds the incidents kept of one source. Default 10,000.
	MaxIncidents int
	// ContextLines is how many log lines before an incident are kept. Default 8.
	ContextLines int
	// KeepRecord is asked for every structured record; those it accepts stand in Logs.Kept. It must
	// be safe for concurrent use. Nil keeps none. It sees the record's head: Fields and Raw
	// are filled in only for what it accepts.
	KeepRecord func(*Record) bool
	// MaxKept bounds Logs.Kept. Default 50,000.
	MaxKept int
	// Progress, if not nil, is added to as bytes of text are read, unpacked ones of an archive.
	Progress *atomic.Int64
	// Limits bound what one archive may cost; see there for the defaults.
	Limits Limits
}

func (o Options) withDefaults() Options {
	def := func(p *int, v int) {
		if *p <= 0 {
			*p = v
		}
	}
	def(&o.MaxLine, 8<<20)
	def(&o.MaxShapes, 20_000)
	def(&o.MaxIncidents, 10_000)
	def(&o.ContextLines, 8)
	def(&o.MaxKept, 50_000)
	o.Limits = o.Limits.withDefaults()
	return o
}
