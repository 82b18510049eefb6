package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// HTML writes the document as one page for a browser. The page holds everything that it needs and
// may load nothing: its Content-Security-Policy allows its own style and script by their hashes and
// nothing else. It can be read whole without the script, which adds search, filters, keys and the
// choice between dark and light.
//
// The strongest incident is told whole, the others folded below it, those with one fingerprint
// together. Where an input is so big that a browser would suffer, the page says what it leaves out;
// o.Verbose leaves out nothing, o.Quiet all but the verdicts.
func HTML(w io.Writer, d *Document, o Options) error {
	p := &htmlPage{d: d, verbose: o.Verbose, quiet: o.Quiet, shapesLeft: shapesOnPage, framesLeft: framesOnPage}
	if len(d.Sources) == 1 {
		p.single = d.Sources[0].Name
	}
	view, err := p.view()
	if err != nil {
		return fmt.Errorf("writing HTML: %w", err)
	}
	return templates().ExecuteTemplate(w, "page", view)
}

// What a page holds at most unless everything is wanted. A browser shows that much at once without
// making anybody wait.
const (
	shapesOnPage    = 3000
	framesOnPage    = 40_000
	incidentsOnPage = 500
	rowsShown       = 300 // of the tables of messages and sources
)

//go:embed html/*.html html/page.css html/page.js
var htmlFiles embed.FS

// templates are only parsed when a page is written.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"heading": htmlHeading}).ParseFS(htmlFiles, "html/*.html"))
})

var (
	htmlStyle  = htmlAsset("page.css")
	htmlScript = htmlAsset("page.js")
	// htmlPolicy lets the page use its own style and script, and an icon within itself.
	htmlPolicy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:; base-uri 'none'; form-action 'none'",
		hashOf(htmlStyle), hashOf(htmlScript))
)

func htmlAsset(name string) string {
	text, err := htmlFiles.ReadFile("html/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// hashOf is the source expression of a policy for the text of a style or script element.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// htmlView is one part of the page. Another way to look at an incident or at the whole input is one
// more entry in a list below, and a template "view-NAME" in report/html.
type htmlView struct {
	name string
	nav  string // what the navigation calls it
	make func(p *htmlPage, i *Incident) *htmlPart
}

// htmlPart is what a view shows; nil when it has nothing to show.
type htmlPart struct {
	Title, Remark string
	Data          any
}

// incidentViews stand below the verdict on an incident, in this order.
func incidentViews() []htmlView {
	return []htmlView{
		{"races", "Accesses", (*htmlPage).races},
		{"stack", "Stack", (*htmlPage).stack},
		{"goroutines", "Goroutines", (*htmlPage).goroutines},
		{"context", "Before", (*htmlPage).context},
	}
}

// documentViews stand below all incidents.
func documentViews() []htmlView {
	return []htmlView{
		{"logs", "Logs", (*htmlPage).logs},
		{"facts", "Facts", (*htmlPage).facts},
		{"sources", "Sources", (*htmlPage).sources},
	}
}

// htmlPage makes the parts of one page.
type htmlPage struct {
	d              *Document
	verbose, quiet bool
	single         string // the name of the only source
	shapesLeft     int
	framesLeft     int
	nav            []navLink
}

type navLink struct{ ID, Text string }

type pageView struct {
	Policy, Title, Class string
	Style, Script        template.HTML
	Read, Tool           string
	Nav                  []navLink
	Lead                 template.HTML
	LeadViews            []template.HTML
	OthersTitle          string
	Others               []otherView
	Unshown              string
	Views                []template.HTML
}

// otherView is an incident below the first, folded.
type otherView struct {
	ID, Class   string
	Pills       []string
	Text, Place string
	Times       string
	Body        template.HTML
}

func (p *htmlPage) view() (*pageView, error) {
	v := &pageView{
		Policy: htmlPolicy,
		Style:  template.HTML("<style>" + htmlStyle + "</style>"),
		Script: template.HTML("<script>" + htmlScript + "</script>"),
		Read:   sourceWords(p.d), Tool: toolWords(p.d.Tool),
	}
	groups := grouped(p.d)
	lead := p.nothing()
	if len(groups) > 0 {
		lead = p.verdict(groups[0], "i1", 1)
	}
	v.Class, v.Title = lead.Class, lead.Pills[0]+": "+lead.Text
	if len(groups) > 1 {
		lead.row("also here", lineView{Text: number(len(groups)-1) + " more", URL: "#more"}, lineView{Text: kindsOf(groups[1:]), Class: "faint"})
		lead.Rows[len(lead.Rows)-1].Inline = true
	}
	p.nav = append(p.nav, navLink{"i1", "Verdict"})
	var err error
	if v.Lead, err = p.render("verdict", lead); err != nil {
		return nil, err
	}
	if len(groups) > 0 && groups[0].it.inc != nil {
		if v.LeadViews, err = p.views(incidentViews(), groups[0].it.inc, "", 2); err != nil {
			return nil, err
		}
	}
	if len(groups) > 1 {
		v.OthersTitle = number(len(groups)-1) + " more"
		p.nav = append(p.nav, navLink{"more", v.OthersTitle})
		if v.Others, v.Unshown, err = p.others(groups[1:]); err != nil {
			return nil, err
		}
	}
	if v.Views, err = p.views(documentViews(), nil, "", 2); err != nil {
		return nil, err
	}
	v.Nav = p.nav
	escapeAll(reflect.ValueOf(v))
	return v, nil
}

// others are the items below the first, each with its views folded in.
func (p *htmlPage) others(groups []*group) (out []otherView, unshown string, err error) {
	for n, g := range groups {
		if n == incidentsOnPage && !p.verbose {
			return out, fmt.Sprintf("%s more are left out of this page; -v writes them all", number(len(groups)-n)), nil
		}
		id := fmt.Sprintf("i%d", n+2)
		verdict := p.verdict(g, id+"-verdict", 3)
		o := otherView{ID: id, Class: verdict.Class, Pills: verdict.Pills, Text: verdict.Text, Place: verdict.Place, Times: g.times()}
		body, err := p.render("verdict", verdict)
		if err != nil {
			return nil, "", err
		}
		o.Body = body
		if g.it.inc != nil {
			views, err := p.views(incidentViews(), g.it.inc, id+"-", 4)
			if err != nil {
				return nil, "", err
			}
			for _, view := range views {
				o.Body += view
			}
		}
		out = append(out, o)
	}
	return out, "", nil
}

// views renders those of a list that have something to show. Those of the first incident and of the
// document, which have no prefix before their ids, go into the navigation.
func (p *htmlPage) views(list []htmlView, i *Incident, prefix string, level int) ([]template.HTML, error) {
	var out []template.HTML
	for _, v := range list {
		if p.quiet {
			continue
		}
		shown := v.make(p, i)
		if shown == nil {
			continue
		}
		body, err := p.render("view-"+v.name, shown.Data)
		if err != nil {
			return nil, err
		}
		section, err := p.render("view", &struct {
			ID, Title, Remark string
			Level             int
			Body              template.HTML
		}{prefix + v.name, shown.Title, shown.Remark, level, body})
		if err != nil {
			return nil, err
		}
		out = append(out, section)
		if prefix == "" {
			p.nav = append(p.nav, navLink{v.name, v.nav})
		}
	}
	return out, nil
}

// render executes one template on data, a pointer, all of whose text it escapes first.
func (p *htmlPage) render(name string, data any) (template.HTML, error) {
	escapeAll(reflect.ValueOf(data))
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}

// escapeAll puts every string below v through Escape, so that what a browser would not show or
// would reorder is seen; html/template keeps it from being markup. HTML that was rendered already
// is left alone.
func escapeAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			escapeAll(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				escapeAll(f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			escapeAll(v.Index(i))
		}
	case reflect.String:
		if v.Type() != reflect.TypeFor[template.HTML]() {
			v.SetString(Escape(v.String()))
		}
	}
}

// htmlHeading is an element h1 to h6.
func htmlHeading(level int, id, text string) template.HTML {
	return template.HTML(fmt.Sprintf(`<h%d id="%s">%s</h%[1]d>`, level, template.HTMLEscapeString(id), template.HTMLEscapeString(text)))
}

// place names a line of a source in full, since a page has the room: "crash.log:110".
func (p *htmlPage) place(source string, line int) string {
	if source == "" {
		return ""
	}
	if source == p.single {
		source = source[strings.LastIndexAny(source, `/\`)+1:]
	}
	return grepPlace(source, line)
}

// safeURL is a link if it leads to a web page, else "".
func safeURL(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return link
}

func toolWords(t Tool) string {
	s := strings.TrimSpace(t.Name + " " + t.Version)
	if t.Signatures.Count > 0 {
		s += " · " + count(t.Signatures.Count, "signature", "signatures")
		if t.Signatures.Version != "" {
			s += ", " + t.Signatures.Version
		}
	}
	return s
}

// levelOrder has the levels of log records, worst first.
var levelOrder = []string{"panic", "fatal", "error", "warn", "info", "debug", "trace"}

// severity orders levels, worst first; one that nobody knows comes last.
func severity(level string) int {
	if n := slices.Index(levelOrder, level); n >= 0 {
		return n
	}
	return len(levelOrder)
}
