package report

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
)

// The secrets of these tests are made up: pieces of the alphabet in the form that each service uses.
const (
	lot24  = "aB3dE5gH7jK9mN1pQ3sT5vW7"
	lot36  = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
	uuidA  = "5f1c7a2e-90b4-4d3e-8a6f-0c1d2e3f4a5b"
	uuidB  = "e7d6c5b4-a392-4817-9605-f4e3d2c1b0a9"
	pemOf  = "MIIEpAIBAAKCAQEAq7Xk2bV9dHfT1sLw3uYc8zQn5mJr6eGh4pKx0oWv7tBa1iDf"
	pemKey = "-----BEGIN RSA PRIVATE KEY-----\n" + pemOf + "\n" + pemOf + "\nQ0aB==\n-----END RSA PRIVATE KEY-----"
)

var gossip32 = base64.StdEncoding.EncodeToString([]byte("0123456789abcdefghijklmnopqrstuv"))

// tokens are in the form of their services. They are joined here so that no scanner of this
// repository takes them for real.
var (
	tokenAWS    = "AKI" + "AQ7XK2BV9DHFT1SLW"
	tokenGitHub = "gh" + "p_" + lot36
	tokenSlack  = "xox" + "b-210987654321-" + lot24
	tokenStripe = "sk_" + "live_" + lot24
	tokenJWT    = "ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvcmRlcnMifQ." + lot24
	tokenVault  = "hv" + "s." + lot36
	tokenOld    = "s." + lot24
	tokenGCP    = "AI" + "za" + lot36[:35]
	tokenAzure  = "abc" + "8Q" + "~" + lot36[:31]
)

// planted are texts that hold a secret, the secret, and the kind that it should be counted as.
var planted = []struct{ text, secret, kind string }{
	{"GET /v1/kv/x X-Consul-Token: " + uuidA, uuidA, "consul-token"},
	{"CONSUL_HTTP_TOKEN=" + uuidA, uuidA, "consul-token"},
	{`headers="map[X-Consul-Token:[` + uuidA + `] Accept:[*/*]]"`, uuidA, "consul-token"},
	{"X-Nomad-Token=" + uuidA, uuidA, "nomad-token"},
	{"url=/v1/agent/self?token=" + uuidA + "&dc=dc1", uuidA, "acl-token"},
	{"ACL not found for token " + uuidA, uuidA, "acl-token"},
	{"SecretID:         " + uuidA, uuidA, "acl-token"},
	{`{"AccessorID":"` + uuidA + `"}`, uuidA, "accessor-id"},
	{"lookup of " + tokenVault + " failed", tokenVault, "vault-token"},
	{"client token " + tokenOld, tokenOld, "vault-token"},
	{`encrypt = "` + gossip32 + `"`, gossip32, "gossip-key"},
	{"consul agent -encrypt=" + gossip32 + " -server", gossip32, "gossip-key"},
	{"consul agent -encrypt " + gossip32, gossip32, "gossip-key"},
	{`serf/local.keyring: ["` + gossip32 + `"]`, gossip32, "gossip-key"},
	{"bad jwt " + tokenJWT, tokenJWT, "jwt"},
	{"key id " + tokenAWS + " is inactive", tokenAWS, "aws-key"},
	{"aws_secret_access_key = " + lot36 + "AbC4", lot36 + "AbC4", "aws-key"},
	{"maps?key=" + tokenGCP, tokenGCP, "gcp-key"},
	{"secret " + tokenAzure, tokenAzure, "azure-key"},
	{"DefaultEndpointsProtocol=https;AccountName=orders;AccountKey=" + gossip32 + ";EndpointSuffix=core.example", gossip32, "azure-key"},
	{"clone with " + tokenGitHub, tokenGitHub, "github-token"},
	{"slack " + tokenSlack, tokenSlack, "slack-token"},
	{"charge: " + tokenStripe, tokenStripe, "stripe-key"},
	{"dial postgres://orders:hunter2-Prod@db.example:5432/orders?sslmode=off", "hunter2-Prod", "password"},
	{"dial mysql orders:hunter2-Prod@tcp(db.example:3306)/orders", "hunter2-Prod", "password"},
	{"redis://:hunter2-Prod@cache.example:6379/0", "hunter2-Prod", "password"},
	{"amqp://orders:hunter2-Prod@mq.example/vhost", "hunter2-Prod", "password"},
	{"mongodb://orders:hunter2/Prod@m1.example,m2.example/db", "hunter2/Prod", "password"},
	{"host=db.example user=orders password=hunter2-Prod dbname=orders", "hunter2-Prod", "password"},
	{"Server=db;Uid=orders;Pwd=hunter2-Prod;Database=x", "hunter2-Prod", "password"},
	{`{"user":"orders","password":"hunter2 Prod","n":1}`, "hunter2 Prod", "password"},
	{`msg="{\"password\":\"hunter2\\\"Prod\",\"n\":1}"`, `hunter2\\\"Prod`, "password"},
	{"password: hunter2-Prod", "hunter2-Prod", "password"},
	{"{User:orders Password:hunter2-Prod Port:1}", "hunter2-Prod", "password"},
	{`login failed, db.password="hunter2-Prod"`, "hunter2-Prod", "password"},
	{"next=https%3A%2F%2Fx&api_key%3Dhunter2Prod", "hunter2Prod", "api-key"},
	{"q?a=1\\u0026client_secret=hunter2Prod\\u0026b=2", "hunter2Prod", "secret"},
	{"orders serve --api-key hunter2Prod --port 80", "hunter2Prod", "api-key"},
	{`args=["serve","--token","hunter2Prod","-v"]`, "hunter2Prod", "token"},
	{"Authorization: Bearer " + lot36, lot36, "authorization"},
	{"Proxy-Authorization: Basic b3JkZXJzOmh1bnRlcjI=", "b3JkZXJzOmh1bnRlcjI=", "authorization"},
	{`"Authorization":["Bearer ` + lot36 + `"]`, lot36, "authorization"},
	{"sent Bearer " + lot36 + " to it", lot36, "authorization"},
	{`-H "Cookie: sid=` + lot24 + `; theme=dark"`, lot24, "cookie"},
	{"Set-Cookie:[sid=" + lot24 + "; Path=/]", lot24, "cookie"},
	{pemKey, pemOf, "private-key"},
	{strings.ReplaceAll(pemKey, "\n", `\n`), pemOf, "private-key"},
	{"read -----BEGIN PRIVATE KEY-----\n" + pemOf, pemOf, "private-key"},
}

func redactText(level RedactLevel, s string) (string, []Redaction) {
	d := Build(nil, nil, exampleTool)
	out := Redact(d, level, &s)
	return s, out.Redactions
}

func TestSecretsAreFound(t *testing.T) {
	for _, p := range planted {
		got, counts := redactText(RedactSecrets, p.text)
		if strings.Contains(got, p.secret) || !strings.Contains(got, "redacted-"+p.kind+"-1") {
			t.Errorf("%q became %q, want a %s gone", p.text, got, p.kind)
		}
		if want := []Redaction{{Kind: p.kind, Count: 1}}; !reflect.DeepEqual(counts, want) {
			t.Errorf("%q: counted %v, want %v", p.text, counts, want)
		}
		if off, counts := redactText(RedactOff, p.text); off != p.text || len(counts) > 0 {
			t.Errorf("off: %q became %q, %v", p.text, off, counts)
		}
	}
}

// What surrounds a secret stays, since it is what the report is read for.
func TestOnlyTheSecretGoes(t *testing.T) {
	for _, c := range [][2]string{
		{"dial postgres://orders:hunter2@db.example:5432/orders", "dial postgres://orders:redacted-password-1@db.example:5432/orders"},
		{"GET /v1/kv/x?token=abcdef12&dc=dc1 403", "GET /v1/kv/x?token=redacted-token-1&dc=dc1 403"},
		{"Authorization: Bearer abcdefgh12 host=x", "Authorization: Bearer redacted-authorization-1 host=x"},
		{`{"password":"a,b","n":1}`, `{"password":"redacted-password-1","n":1}`},
		{"password=a,b, n=1", "password=redacted-password-1, n=1"},
		{"(password=hunter2)", "(password=redacted-password-1)"},
		{"password=hunter2;x=1", "password=redacted-password-1;x=1"},
		{"CONSUL_HTTP_TOKEN=abc123 consul info", "CONSUL_HTTP_TOKEN=redacted-consul-token-1 consul info"},
		{"a password=one1 password=two2 password=one1", "a password=redacted-password-1 password=redacted-password-2 password=redacted-password-1"},
	} {
		if got, _ := redactText(RedactSecrets, c[0]); got != c[1] {
			t.Errorf("%q\n became %q\n   want %q", c[0], got, c[1])
		}
	}
}

// harmlessTexts hold words that look like secrets to a careless eye.
var harmlessTexts = []string{
	"invalid token: unexpected end of input", "failed to parse token: illegal base64 data at input byte 4", "Token: expired",
	"unexpected token: }", "token.go:39", "rpc error: code = Unauthenticated desc = token: Jwt is expired", "token=<hidden>", "token=<*>", "password=***", "password=xxxxx",
	"PASSWORD=", "password: ", "X-Consul-Token: <nil>", "token=0xc000123400", "PWD=/srv/orders", "encrypt=true", "encrypt_verify_incoming = true",
	"0xc0008a4540, {0x5227088, 0xc0220ef450}", "panic: runtime error: index out of range [3] with length 3", "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6f2c1a]",
	"token with AccessorID '00000000-0000-0000-0000-000000000002' lacks permission 'key:write'", "allocation " + uuidA + " stopped",
	"github.com/acme/orders/store.(*Cache).Get", "see https://github.com/acme/orders/issues/7", "go-memdb@v1.3.4/watch.go:113", "errors.New is s.HandleVeryLongIndeed",
	"key=service/orders/config", "the key: value pairs", "basic authentication", "Bearer authentication required", "crypto/bcrypt: hashedPassword is not the hash of the given password",
	"-----BEGIN CERTIFICATE-----", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "set -token or CONSUL_HTTP_TOKEN", "-token is missing", "--- PASS: TestOpen (0.00s)", "PASS: all",
}

func TestHarmlessTextStays(t *testing.T) {
	for _, s := range harmlessTexts {
		if got, _ := redactText(RedactSecrets, s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	r := newRedactor(RedactSecrets)
	if n := testing.AllocsPerRun(50, func() {
		for _, s := range harmlessTexts {
			r.text(s)
		}
	}); n > 0 {
		t.Errorf("text without a secret costs %v allocations", n)
	}
}

// plantedDocument has text wherever a log can put text, and a frame that must stay.
func plantedDocument(text string) *Document {
	d := hostileWith(text).doc()
	inc := d.Incidents[0]
	f := Frame{Function: "example.com/shop/store.(*Cache).Len", File: "/srv/build/store/store.go", Line: 15, Args: "0x0, 0xc000123400"}
	inc.Stack, inc.Blame, inc.CreatedBy, inc.Races = []Frame{f}, &f, nil, []Race{}
	inc.Buckets = []*Bucket{{ID: "b1", Count: 2, State: text, Frames: []Frame{f}, GoroutineIDs: []int64{}, Labels: []string{text}}}
	d.Sources[0].Wrapper = "plain"
	m := inc.Matches[0]
	m.RunningVersion, m.Missing, m.Collect = "", []string{}, []string{}
	m.Evidence[0].Condition = "a message"
	d.Facts.Modules = []Module{}
	for i := range d.Facts.Products {
		d.Facts.Products[i].Name, d.Facts.Products[i].Version, d.Facts.Products[i].Edition = "shop", "1.0.0", ""
	}
	d.Facts.Product = &d.Facts.Products[0]
	return d
}

// A secret planted in every place is gone in every format that is meant to be published, and is
// still there without redaction.
func TestPlantedSecretsAreGone(t *testing.T) {
	for _, p := range planted {
		d := plantedDocument(p.text)
		secret := strings.Split(p.secret, `\`)[0]
		clean := Redact(d, RedactSecrets)
		for _, f := range append(Formats(), Format{Name: "text -v", Publish: true, Write: Text}) {
			for _, o := range []Options{{}, {Verbose: true, Width: 120}} {
				if out := string(rendered(t, f, clean, o)); strings.Contains(squeezed(out), squeezed(secret)) {
					t.Errorf("%s still has the %s of %q", f.Name, p.kind, p.text)
				}
			}
		}
		off := string(rendered(t, Format{Name: "json", Write: JSON}, Redact(d, RedactOff), Options{}))
		if !strings.Contains(squeezed(off), squeezed(secret)) {
			t.Errorf("off: %q is gone", p.text)
		}
	}
}

// squeezed leaves out what a format may put into a long word: blanks, line breaks, escapes.
func squeezed(s string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\\", "", "\u200b", "").Replace(s)
}

func TestEveryTextFieldIsClassified(t *testing.T) {
	seen := map[string]bool{}
	var walk func(typ reflect.Type)
	walk = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(typ.Elem())
		case reflect.Struct:
			if typ == timeType {
				return
			}
			for i := range typ.NumField() {
				f := typ.Field(i)
				leaf := f.Type
				for leaf.Kind() == reflect.Slice || leaf.Kind() == reflect.Pointer {
					leaf = leaf.Elem()
				}
				if leaf.Kind() == reflect.String || leaf.Kind() == reflect.Map {
					name := typ.Name() + "." + f.Name
					seen[name] = true
					if _, ok := fieldClasses[name]; !ok {
						t.Errorf("%s is not in fieldClasses: say whether its text comes from the input", name)
					}
					continue
				}
				if !seen[typ.Name()+"/"+f.Name] {
					seen[typ.Name()+"/"+f.Name] = true
					walk(f.Type)
				}
			}
		}
	}
	walk(reflect.TypeFor[Document]())
	for name := range fieldClasses {
		if !seen[name] {
			t.Errorf("fieldClasses has %s, and the document has not", name)
		}
	}
}

// Redacting leaves the given document alone, gives a valid one, and has nothing left to do.
func TestRedactTwiceIsOnce(t *testing.T) {
	schema := compileSchema(t)
	docs := []*Document{}
	for _, e := range examples() {
		docs = append(docs, e.doc())
	}
	for _, p := range planted {
		docs = append(docs, plantedDocument(p.text))
	}
	for _, s := range identityTexts {
		docs = append(docs, plantedDocument(s.in))
	}
	for _, s := range harmlessTexts {
		docs = append(docs, plantedDocument(s))
	}
	for n, d := range docs {
		before := deepCopy(reflect.ValueOf(d)).Interface().(*Document)
		for _, level := range RedactLevels() {
			once := Redact(d, RedactLevel(level))
			if diff := cmp.Diff(before, d); diff != "" {
				t.Fatalf("%d %s: the document itself was changed:\n%s", n, level, diff)
			}
			if diff := cmp.Diff(once, Redact(once, RedactLevel(level))); diff != "" {
				t.Errorf("%d %s: a second time changes more (-once +twice):\n%s", n, level, diff)
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(rendered(t, Format{Name: "json", Write: JSON}, once, Options{})))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%d %s: %v", n, level, err)
			}
		}
	}
}

// Equal values get one name in the whole document, also where nothing but the value itself tells,
// and different ones different names.
func TestEqualStaysEqual(t *testing.T) {
	c := &parse.Capture{Incidents: []*parse.Incident{{
		Kind: parse.KindPanic, Headline: "panic: bad answer for " + uuidB, Died: parse.Yes, Line: 1,
		Context: []parse.ContextLine{
			{Line: 1, Text: "X-Consul-Token: " + uuidA}, {Line: 2, Text: "CONSUL_HTTP_TOKEN=" + uuidB}, {Line: 3, Text: "again " + uuidA},
			{Line: 4, Text: "the log has redacted-consul-token-1 already"},
		},
	}}}
	d := Redact(Build(c, nil, exampleTool), RedactSecrets)
	inc := d.Incidents[0]
	a := strings.TrimPrefix(inc.Context[0].Text, "X-Consul-Token: ")
	b := strings.TrimPrefix(inc.Context[1].Text, "CONSUL_HTTP_TOKEN=")
	if a == b || a == "redacted-consul-token-1" || b == "redacted-consul-token-1" {
		t.Errorf("different tokens: %q and %q", a, b)
	}
	if inc.Context[2].Text != "again "+a || inc.Headline != "panic: bad answer for "+b {
		t.Errorf("equal tokens: %q, %q", inc.Context[2].Text, inc.Headline)
	}
	if want := []Redaction{{Kind: "consul-token", Count: 2}}; !reflect.DeepEqual(d.Redactions, want) {
		t.Errorf("counted %v, want %v", d.Redactions, want)
	}
}

// A key whose lines are log lines of their own is found by what is left of it.
func TestPrivateKeyOverSeveralLines(t *testing.T) {
	whole := strings.Split("starting\n"+pemKey+"\nready", "\n")
	for _, c := range []struct {
		name  string
		lines []string
		keep  int
	}{
		{"whole", whole, 2}, {"head only", whole[:4], 1}, {"end only", whole[2:], 1}, {"middle only", whole[2:4], 0},
		{"certificate", []string{"-----BEGIN CERTIFICATE-----", "Q0aBcd12", "-----END CERTIFICATE-----"}, 3},
		{"words", []string{"starting", "ready", "-----END OF LOG-----"}, 3},
	} {
		inc := &parse.Incident{Kind: parse.KindPanic, Headline: "panic: x"}
		for i, l := range c.lines {
			inc.Context = append(inc.Context, parse.ContextLine{Line: i + 1, Text: l})
		}
		d := Redact(Build(&parse.Capture{Incidents: []*parse.Incident{inc}}, nil, exampleTool), RedactSecrets)
		kept := 0
		for i, l := range d.Incidents[0].Context {
			if l.Text == c.lines[i] {
				kept++
			} else if l.Text != "redacted-private-key-1" {
				t.Errorf("%s: %q became %q", c.name, c.lines[i], l.Text)
			}
		}
		if kept != c.keep {
			t.Errorf("%s: %d lines stayed, want %d", c.name, kept, c.keep)
		}
	}
}

// identityTexts are what level "all" replaces besides.
var identityTexts = []struct{ in, want string }{
	{"http: panic serving 192.0.2.7:5123: boom", "http: panic serving ip-1:5123: boom"},
	{"dial tcp [2001:db8::17]:8300: refused", "dial tcp [ip-1]:8300: refused"},
	{"dial 127.0.0.1:80 and [::1]:80 and 0.0.0.0", "dial 127.0.0.1:80 and [::1]:80 and 0.0.0.0"},
	{"from 192.0.2.7 to 192.0.2.8 and 192.0.2.7", "from ip-1 to ip-2 and ip-1"},
	{"version 1.22.6.1, v10.2.3.4, app-1.2.3.4 and 1.2.3.4-rc1", "version 1.22.6.1, v10.2.3.4, app-1.2.3.4 and 1.2.3.4-rc1"},
	{"at 17:13:21.011 it was", "at 17:13:21.011 it was"},
	{"mail to ana.lee@shop.example failed", "mail to email-1 failed"},
	{"go-memdb@v1.3.4 and user@1000.service", "go-memdb@v1.3.4 and user@1000.service"},
	{"open /home/ana/orders.yaml: no such file", "open /home/user-1/orders.yaml: no such file"},
	{`open C:\Users\ana\orders.yaml`, `open C:\Users\user-1\orders.yaml`},
	{"lookup db-7.prod.shop.example: no such host", "lookup host-1: no such host"},
	{"GET https://vault.internal:8200/v1/sys/health", "GET https://host-1:8200/v1/sys/health"},
	{"dial postgres://ana@db-7.shop.example:5432/orders, db-7 is down", "dial postgres://user-1@host-1:5432/orders, host-2 is down"},
	{"web.service.consul:8300", "host-1:8300"},
	{"node ip-10-0-0-12 left", "node host-1 left"},
	{`node_name="worker-7" is gone, worker-7 left`, `node_name="node-1" is gone, node-1 left`},
	{"service_id=orders-web-1 failed", "service_id=service-1 failed"},
	{"Mar  3 10:11:12 web-7 orders[12]: started on web-7", "Mar  3 10:11:12 host-1 orders[12]: started on host-1"},
	{"example.com/shop/store.(*Cache).Len at store/store.go:15", "example.com/shop/store.(*Cache).Len at store/store.go:15"},
	{`stack: main.go:4\ngithub.com/acme/orders.Run`, `stack: main.go:4\ngithub.com/acme/orders.Run`},
	{"serf: EventMemberJoin: shop-web.dc1 192.0.2.9, and shop-web again", "serf: EventMemberJoin: host-1.dc1 ip-1, and host-1 again"},
	{"[WARN]  agent.server.serf.lan: serf: failed", "[WARN]  agent.server.serf.lan: serf: failed"},
	{"Dec 14 06:41:08 Exception in thread \"main\": x", "Dec 14 06:41:08 Exception in thread \"main\": x"},
	{"see https://github.com/acme/orders/issues/7", "see https://github.com/acme/orders/issues/7"},
	{"agent.server.raft: main.go crash.log runtime.gopark req.id", "agent.server.raft: main.go crash.log runtime.gopark req.id"},
}

func TestIdentities(t *testing.T) {
	for _, c := range identityTexts {
		d := plantedDocument("x")
		got := c.in
		out := Redact(d, RedactAll, &got)
		if got != c.want {
			t.Errorf("%q\n became %q\n   want %q", c.in, got, c.want)
		}
		if f := out.Incidents[0].Stack[0]; f != d.Incidents[0].Stack[0] {
			t.Errorf("the frame became %+v", f)
		}
		if got, _ := redactText(RedactSecrets, c.in); got != c.in {
			t.Errorf("secrets: %q became %q", c.in, got)
		}
	}
}

// What a reader needs to act stays at every level.
func TestWhatStays(t *testing.T) {
	for _, e := range examples() {
		if e.name == "hostile" {
			continue
		}
		d := e.doc()
		got := Redact(d, RedactAll)
		for i, inc := range got.Incidents {
			want := d.Incidents[i]
			if inc.Fingerprint != want.Fingerprint || !reflect.DeepEqual(inc.Goroutine, want.Goroutine) || !cmp.Equal(inc.Family, want.Family) {
				t.Errorf("%s: incident %d lost its identity", e.name, i)
			}
			for n, f := range inc.Stack {
				w := want.Stack[n]
				w.File = strings.Replace(w.File, "/home/ci/", "/home/user-1/", 1)
				if f != w {
					t.Errorf("%s: frame %+v became %+v", e.name, w, f)
				}
			}
			for n, m := range inc.Matches {
				if w := want.Matches[n]; !cmp.Equal(m.Fix, w.Fix) || m.Title != w.Title || m.ID != w.ID || !cmp.Equal(m.Evidence, w.Evidence) {
					t.Errorf("%s: match %s became %+v", e.name, w.ID, m)
				}
			}
		}
		if !cmp.Equal(got.Facts, d.Facts) {
			t.Errorf("%s: facts:\n%s", e.name, cmp.Diff(d.Facts, got.Facts))
		}
	}
}

func TestRedactionWords(t *testing.T) {
	d := Build(nil, nil, exampleTool)
	if got := RedactionWords(d); got != "" {
		t.Errorf("nothing replaced: %q", got)
	}
	d.Redactions = []Redaction{{"authorization", 2}, {"consul-token", 1}, {"password", 2}, {"ip", 3}, {"host", 1}}
	want := "5 secrets replaced (2 authorization headers, 1 consul token, 2 passwords), 4 names changed (3 IP addresses, 1 host); --redact off keeps them"
	if got := RedactionWords(d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzRedact(f *testing.F) {
	for _, p := range planted {
		f.Add(p.text)
	}
	for _, p := range identityTexts {
		f.Add(p.in)
	}
	for _, s := range harmlessTexts {
		f.Add(s)
	}
	f.Add(evilText)
	f.Fuzz(func(t *testing.T, text string) {
		for _, level := range []RedactLevel{RedactSecrets, RedactAll} {
			d := Build(&parse.Capture{Incidents: []*parse.Incident{{
				Kind: parse.KindPanic, Headline: text, Chain: []string{text, text}, Context: []parse.ContextLine{{Line: 1, Text: text}},
			}}, Sources: []*parse.Source{{Name: text, Err: errors.New(text)}}}, &signatures.Result{}, exampleTool)
			once := Redact(d, level)
			if diff := cmp.Diff(once, Redact(once, level)); diff != "" {
				t.Errorf("%s of %q: a second time changes more:\n%s", level, text, diff)
			}
		}
	})
}

// bigDocument is what a dump of 70,000 goroutines leaves: some hundred shapes.
func bigDocument() *Document {
	inc := quartzIncident()
	for i := range 300 {
		var frames []parse.Frame
		for n := range 30 {
			f := own(fmt.Sprintf("github.com/quartzdb/quartz/server.(*Server).worker%d_%d", i, n), "/src/quartz/server/worker.go", n, n)
			f.Args = "0xc0008a4540, {0x5227088, 0xc0220ef450}, 0x1, 0xffffffffffffffff?"
			frames = append(frames, f)
		}
		inc.Buckets = append(inc.Buckets, &parse.Bucket{ID: fmt.Sprint(i), Count: 200, State: "select", Frames: frames})
	}
	logs := parse.Logs{Records: 1, ByLevel: map[string]int{"info": 1}, First: time.Unix(0, 0)}
	for i := range 500 {
		logs.Buckets = append(logs.Buckets, parse.LogBucket{Level: "info", Module: "quartz.route", Message: "published <*> routes to <*>", Count: 9, Example: fmt.Sprintf("published %d routes to the gateway, took=12ms index=%d", i, i)})
	}
	return Build(&parse.Capture{Incidents: []*parse.Incident{inc}, Logs: logs}, nil, exampleTool)
}

func BenchmarkRedact(b *testing.B) {
	d := bigDocument()
	for _, level := range []RedactLevel{RedactSecrets, RedactAll} {
		b.Run(string(level), func(b *testing.B) {
			for b.Loop() {
				Redact(d, level)
			}
		})
	}
}
