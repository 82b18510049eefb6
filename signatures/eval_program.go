package signatures

import (
	"fmt"
	"strings"

	"github.com/crashtriage/crashtriage/parse"
)

// growth looks for a stack whose count grew between two captures of one process.
func (e *evaluation) growth(g *growth) outcome {
	if len(e.c.Growth) == 0 {
		return outcome{
			truth: CannotTell, why: "the input shows no growth",
			collect: []string{"two goroutine profiles of one process, minutes apart: curl …/debug/pprof/goroutine?debug=1; then crashtriage diff"},
		}
	}
	for i := range e.c.Growth {
		gr := &e.c.Growth[i]
		if gr.After-gr.Before < g.By || len(gr.Functions) == 0 {
			continue
		}
		n := 0
		for _, f := range gr.Functions {
			if j := strings.LastIndex(f, "+0x"); j > 0 {
				f = f[:j]
			}
			if n < len(g.symbols) && e.is(&parse.Frame{Function: f}, &g.symbols[n]) {
				n++
			}
		}
		if n == len(g.symbols) {
			return outcome{
				truth: Holds, strong: true, weight: 10 * n,
				evidence: []Evidence{{
					Source: gr.Source, Line: gr.Line,
					Text:      fmt.Sprintf("+%d (%d -> %d) %s", gr.After-gr.Before, gr.Before, gr.After, gr.Functions[0]),
					Condition: g.String(),
				}},
			}
		}
	}
	return outcome{why: fmt.Sprintf("no such stack grew by %d", g.By)}
}

// series looks for a metric that rose and stayed up.
func (e *evaluation) series(s *series) outcome {
	if len(e.c.Series) == 0 {
		return outcome{truth: CannotTell, why: "the input has no metric", collect: []string{"the metric " + s.Name + " over an hour"}}
	}
	for i := range e.c.Series {
		sr := &e.c.Series[i]
		if s.Name != "" && !strings.Contains(sr.Name, s.Name) || len(sr.Values) < 3 {
			continue
		}
		low, high := sr.Values[0], sr.Values[0]
		for _, v := range sr.Values {
			low, high = min(low, v), max(high, v)
		}
		end := sr.Values[len(sr.Values)-1]
		first := sr.Values[0]
		if rise := high - first; rise >= s.RisesBy && rise > 0 && end-first >= s.Keeps*rise {
			return outcome{
				truth: Holds, weight: 3,
				evidence: []Evidence{{
					Source: sr.Source, Line: sr.Line,
					Text:      fmt.Sprintf("%s: %g, at most %g, at the end %g", sr.Name, first, high, end),
					Condition: s.String(),
				}},
			}
		}
	}
	return outcome{why: fmt.Sprintf("%s does not rise by %g and stay up", s.Name, s.RisesBy)}
}

// product asks which program it was, and for its version.
func (e *evaluation) product(v *versionOf) outcome {
	run, named := e.running(v.Name)
	if run == nil {
		switch {
		case named:
			return outcome{why: "the input names another program"}
		case e.hasModule() && v.Versions == "":
			return outcome{truth: Holds, weight: 1} // its own frames name it, without a version
		}
		return unknownProgram(v.Name)
	}
	return inVersions(run, v)
}

// hasModule says whether a frame of the incident belongs to the signature's module.
func (e *evaluation) hasModule() bool {
	if e.inc == nil {
		return false
	}
	module := canonicalModule(e.sig.Module)
	for _, b := range e.inc.Buckets {
		for i := range b.Frames {
			if within(e.name(&b.Frames[i]).pkg, module) {
				return true
			}
		}
	}
	for i := range e.inc.Stack {
		if within(e.name(&e.inc.Stack[i]).pkg, module) {
			return true
		}
	}
	return false
}

func (e *evaluation) module(v *versionOf) outcome {
	run := e.runningModule(v.Name)
	if run == nil {
		return unknownProgram(v.Name)
	}
	return inVersions(run, v)
}

func (e *evaluation) goVersion(v *versionOf) outcome {
	run := e.runningGo()
	if run == nil {
		return unknownProgram("Go")
	}
	return inVersions(run, v)
}

func inVersions(run *running, v *versionOf) outcome {
	if run.v == nil {
		return unknownProgram(v.Name)
	}
	if !inRanges(v.ranges, run.v) {
		return outcome{why: fmt.Sprintf("%s is not %s", run, v.Versions)}
	}
	o := outcome{truth: Holds, weight: 1}
	if v.Versions != "" {
		o.weight = 3
		o.evidence = []Evidence{{Source: run.source, Line: run.line, Text: run.String(), Condition: v.Name + " " + v.Versions}}
	}
	return o
}

func unknownProgram(name string) outcome {
	return outcome{
		truth: CannotTell, soft: true, why: "the version of " + name + " is unknown",
		collect: []string{"the version: " + name + " version, or --product-version " + name + "=VERSION"},
	}
}

func (e *evaluation) exit(x *exit) outcome {
	for i := range e.c.Facts.Exits {
		f := &e.c.Facts.Exits[i]
		if x.OOMKilled && f.OOMKilled || x.Code != nil && *x.Code == f.Code {
			return outcome{
				truth: Holds, weight: 2,
				evidence: []Evidence{{Source: f.Source, Line: f.Line, Text: f.Text, Condition: x.String()}},
			}
		}
	}
	return outcome{why: "no such exit: " + x.String()}
}
