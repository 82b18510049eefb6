package signatures

import "strings"

// signatureKinds are how a bug can show itself.
var signatureKinds = []string{"panic", "fatal", "throw", "signal", "race", "recovered", "deadlock", "leak", "oom", "log"}

// fixStates are what can be known about a fix.
var fixStates = []string{string(FixOpen), string(FixMerged), string(FixClosed), string(FixNoneKnown), "unknown"}

// signature reads one entry and checks it.
func (d *decoder) signature(n *node, p *pack) *entry {
	e := &entry{}
	s := &e.Signature
	s.Project, s.Module, s.Product = p.project, p.module, p.product
	s.Line = n.line
	confidence := ""
	ok := d.mapping(n, "a signature", keys{
		"id": d.id(&s.ID, "id"), "aliases": d.ids(&s.Aliases, "aliases"), "title": d.into(&s.Title, "title"),
		"project": d.into(&s.Project, "project"), "module": d.into(&s.Module, "module"), "product": d.into(&s.Product, "product"),
		"kind":  d.word(&s.Kind, "kind", signatureKinds...),
		"match": func(n *node) { e.Match = d.condition(n) },
		"optional": func(n *node) {
			e.Optional = d.conditions(n, "optional")
		},
		"supersedes": d.ids(&s.Supersedes, "supersedes"),
		"root_cause": d.into(&s.RootCause, "root_cause"), "owner": d.into(&s.Owner, "owner"), "issue": d.into(&s.Issue, "issue"),
		"fix":        func(n *node) { d.fix(n, s, p) },
		"affected":   func(n *node) { d.affected(n, s) },
		"workaround": d.into(&s.Workaround, "workaround"), "confidence": d.word(&confidence, "confidence", "high", "medium", "low"),
		"sources": d.listInto(&s.Sources, "sources"), "notes": d.into(&s.Notes, "notes"),
		"knowledge": d.boolean(&s.Knowledge, "knowledge"),
		"examples":  func(n *node) { s.Examples = d.examples(n) },
	})
	if !ok {
		return nil
	}
	s.Confidence = Confidence(confidence)
	if s.Product == "" {
		s.Product = s.Project
	}
	d.checkSignature(n, e)
	return e
}

func (d *decoder) id(dst *string, what string) func(*node) {
	return func(n *node) {
		s := d.scalar(n, what)
		if s != "" && !ValidID(s) {
			d.add(n.line, n.column, "%s has to consist of letters, digits and -", what)
			return
		}
		*dst = s
	}
}

// ValidID says whether a signature may be called so.
func ValidID(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") == "" && len(s) <= 100
}

func (d *decoder) ids(dst *[]string, what string) func(*node) {
	return func(n *node) {
		for _, item := range append([]*node{n}, n.items...) {
			if item == n && n.kind == sequenceNode {
				continue
			}
			var s string
			if d.id(&s, what)(item); s != "" {
				*dst = append(*dst, s)
			}
		}
	}
}

// fix reads what is known about the fix. Exactly one of fixed_in and release is given: a list of
// versions, or why there is none.
func (d *decoder) fix(n *node, s *Signature, p *pack) {
	x := &s.Fix
	state := ""
	x.AsOf = p.asOf
	ok := d.mapping(n, "fix", keys{
		"url": d.into(&x.URL, "url"), "state": d.word(&state, "state", fixStates...),
		"fixed_in": func(n *node) {
			if n.kind != sequenceNode {
				d.wrongKind(n, "fixed_in", "a list of {module, line, version}")
				return
			}
			for _, item := range n.items {
				x.FixedIn = append(x.FixedIn, d.fixedIn(item, "fixed_in"))
			}
		},
		"not_fixed": func(n *node) {
			x.NotFixed = d.list(n, "not_fixed")
			for _, line := range x.NotFixed {
				if _, err := parseLine(line); err != nil {
					d.add(n.line, n.column, "%s", err)
				}
			}
		},
		"release": d.word(&x.Release, "release", "none", "unreleased", "unknown"),
		"as_of":   d.month(&x.AsOf, "as_of"), "note": d.into(&x.Note, "note"),
	})
	if !ok {
		return
	}
	x.State = FixState(state)
	switch {
	case !n.has("state"):
		d.add(n.line, n.column, "fix needs a state")
	case len(x.FixedIn) > 0 && x.Release != "":
		d.add(n.line, n.column, "fix has both fixed_in and release: release says why there is no version")
	case len(x.FixedIn) == 0 && x.Release == "" && !n.has("fixed_in"):
		d.add(n.line, n.column, "fix needs fixed_in, or release: none, unreleased or unknown")
	case x.Release == "none" && x.State == FixMerged:
		d.add(n.line, n.column, "a merged fix is not none: say release: unreleased or unknown")
	case x.AsOf == "":
		d.add(n.line, n.column, "fix needs as_of, or the pack does: knowledge ages")
	}
}

func (d *decoder) fixedIn(n *node, what string) FixedIn {
	var f FixedIn
	ok := d.mapping(n, what, keys{
		"module": d.into(&f.Module, "module"),
		"line": func(n *node) {
			s := d.scalar(n, "line")
			if _, err := parseLine(s); err != nil {
				d.add(n.line, n.column, "%s", err)
				return
			}
			f.Line = s
		},
		"version": func(n *node) { f.Version = d.version(n, "version") },
	})
	if !ok {
		return f
	}
	if !n.has("version") {
		d.add(n.line, n.column, "%s needs a version", what)
	}
	if f.Line != "" && f.Version != "" && !(numericVersion(f.Version) && strings.HasPrefix(f.Version, f.Line+".")) {
		line, _ := parseLine(f.Line)
		if v, err := parseVersion(f.Version); err == nil && !onLine(v, line) {
			d.add(n.line, n.column, "%s is not on the line %s", f.Version, f.Line)
		}
	}
	return f
}

func (d *decoder) affected(n *node, s *Signature) {
	a := &s.Affected
	if n.kind == scalarNode {
		a.Text = d.scalar(n, "affected")
		return
	}
	d.mapping(n, "affected", keys{
		"text": d.into(&a.Text, "text"), "reported_on": d.versionList(&a.ReportedOn, "reported_on"),
		"evidence_until": func(n *node) { a.EvidenceUntil = d.version(n, "evidence_until") },
		"introduced_in": func(n *node) {
			if n.kind != sequenceNode {
				d.wrongKind(n, "introduced_in", "a list of {module, line, version}")
			}
			for _, item := range n.items {
				if item.kind == scalarNode {
					a.IntroducedIn = append(a.IntroducedIn, FixedIn{Version: d.version(item, "introduced_in")})
					continue
				}
				a.IntroducedIn = append(a.IntroducedIn, d.fixedIn(item, "introduced_in"))
			}
		},
	})
}

func (d *decoder) examples(n *node) []Example {
	if n.kind != sequenceNode {
		d.wrongKind(n, "examples", "a list")
		return nil
	}
	var list []Example
	for _, item := range n.items {
		x := Example{Line: item.line}
		status := ""
		ok := d.mapping(item, "an example", keys{
			"name":   d.into(&x.Name, "name"),
			"status": d.word(&status, "status", string(Affected), string(FixedHere), string(BeyondEvidence), string(VersionUnknown), string(Candidate)),
			"match": func(n *node) {
				x.Match = true
				x.Text = d.raw(n, "match")
			},
			"near_miss": func(n *node) { x.Text = d.raw(n, "near_miss") },
		})
		if ok && item.has("match") == item.has("near_miss") {
			d.add(item.line, item.column, "an example is either a match or a near_miss")
		}
		x.Status = Status(status)
		list = append(list, x)
	}
	return list
}

// raw reads a text as it stands, with its blanks.
func (d *decoder) raw(n *node, what string) string {
	if d.scalar(n, what) == "" {
		return ""
	}
	return n.text
}
