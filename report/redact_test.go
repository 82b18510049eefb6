package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Every string of the document says by its tag whether the input can have written it.
func TestDocumentSaysWhatToRedact(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(typ reflect.Type)
	walk = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(typ.Elem())
		case reflect.Struct:
			if seen[typ] || typ.PkgPath() == "time" {
				return
			}
			seen[typ] = true
			for i := range typ.NumField() {
				f := typ.Field(i)
				of := f.Type
				if of.Kind() == reflect.Slice {
					of = of.Elem()
				}
				if of.Kind() == reflect.String {
					switch class := f.Tag.Get("redact"); class {
					case "keep", "text", "path":
					default:
						t.Errorf("%s.%s has the tag redact:%q, want keep, text or path", typ.Name(), f.Name, class)
					}
				}
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[Document]())
	if len(seen) < 15 {
		t.Errorf("only %d types were seen", len(seen))
	}
}

// planted are secrets as they stand in logs; hide is what must be gone.
var planted = []struct{ name, text, hide, kind string }{
	{"Consul header", `X-Consul-Token: 4f9f43a5-6b4f-4e5e-9d0c-6f1f0b2f9a11`, "4f9f43a5-6b4f-4e5e-9d0c-6f1f0b2f9a11", "ACL token"},
	{"Consul variable", `CONSUL_HTTP_TOKEN=4f9f43a5-6b4f-4e5e-9d0c-6f1f0b2f9a12`, "4f9f43a5-6b4f-4e5e-9d0c-6f1f0b2f9a12", "ACL token"},
	{"Nomad secret", `{"SecretID":"4f9f43a5-6b4f-4e5e-9d0c-6f1f0b2f9a13"}`, "4f9f43a5-6b4f-4e5e-9d0c-6f1f0b2f9a13", "ACL token"},
	{"Vault service token", `vault login hvs.CAESIJ9c1GQm0mU2q3rT4yU5i6O7p8A9`, "hvs.CAESIJ9c1GQm0mU2q3rT4yU5i6O7p8A9", "Vault token"},
	{"Vault old token", `lookup s.Zk3v9QmT7pLw2RxY8sNb4HcD failed`, "s.Zk3v9QmT7pLw2RxY8sNb4HcD", "Vault token"},
	{"gossip key", `-encrypt "pUqJrVyVRj5jsiYEkM/tFQYfWyJIv4s3XkvDwy7Cu5s="`, "pUqJrVyVRj5jsiYEkM/tFQYfWyJIv4s3XkvDwy7Cu5s=", "gossip key"},
	{"old gossip key", `encrypt = "JY34uTPZyfUE+6tinM6GoA=="`, "JY34uTPZyfUE+6tinM6GoA==", "gossip key"},
	{"JWT", `id_token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk`, "eyJzdWIiOiIxMjM0In0", "JWT"},
	{"AWS key", `key AKIAQ3EGRMT7UXAMPLEX used`, "AKIAQ3EGRMT7UXAMPLEX", "cloud key"},
	{"AWS secret", `aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYzX1mPlEkEy12`, "wJalrXUtnFEMIK7MDENGbPxRfiCYzX1mPlEkEy12", "secret"},
	{"Google key", `https://maps.example/api?key=AIzaSyA1234567890abcdefghijklmnopqrstuv`, "AIzaSyA1234567890abcdefghijklmnopqrstuv", "cloud key"},
	{"Azure account", `DefaultEndpointsProtocol=https;AccountKey=Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5;`, "Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5", "cloud key"},
	{"GitHub token", `remote: ghp_0123456789abcdefABCDEF0123456789abcd`, "ghp_0123456789abcdefABCDEF0123456789abcd", "API token"},
	{"Slack token", `xoxb-123456789012-abcdefGHIJKL`, "xoxb-123456789012-abcdefGHIJKL", "API token"},
	{"Slack webhook", `POST https://hooks.slack.com/services/T000/B000/XXXXabcd1234`, "T000/B000/XXXXabcd1234", "API token"},
	{"password in a URL", `dial postgres://shop:hunter2@db.example:5432/shop failed`, "hunter2", "password"},
	{"password in a DSN", `shop:hunter2@tcp(db.example:3306)/shop`, "hunter2", "password"},
	{"password in key=value", `host=db user=shop password=hunter2 sslmode=disable`, "hunter2", "password"},
	{"password in JSON", `{"user":"shop","password":"hunter2 with blanks"}`, "hunter2 with blanks", "password"},
	{"password in quoted JSON", `msg="{\"password\":\"hunter2\"}"`, "hunter2", "password"},
	{"token in a query", `GET /v1/kv/a?token=abc123def456&dc=dc1`, "abc123def456", "secret"},
	{"API key in a field", `api_key: "k3y-0f-l1f3"`, "k3y-0f-l1f3", "secret"},
	{"authorization", `Authorization: Bearer abcdef0123456789`, "abcdef0123456789", "authorization header"},
	{"basic authorization", `"Authorization":["Basic c2hvcDpodW50ZXIy"]`, "c2hvcDpodW50ZXIy", "authorization header"},
	{"cookie", `Cookie: sid=31d4d96e407aad42; theme=dark`, "31d4d96e407aad42", "cookie"},
	{"private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn", "private key"},
	{"private key in one line", `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n`, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "private key"},
}

// logDoc has a text wherever a log can put text, but for what identifies a crash: functions and
// files stay, and what the program or a pack says is none of the log's.
func logDoc(text string) *Document {
	d := hostileWith(text).doc()
	frames := func(list []Frame) {
		for i := range list {
			list[i].Function, list[i].File, list[i].Args = "shop/cart.(*Basket).At", "/src/shop/cart.go", "0x1"
		}
	}
	for _, i := range d.Incidents {
		frames(i.Stack)
		for _, f := range []*Frame{i.Blame, i.CreatedBy} {
			*f = Frame{Function: "shop/cart.(*Basket).At", File: "/src/shop/cart.go"}
		}
		for _, b := range i.Buckets {
			frames(b.Frames)
			*b.CreatedBy = *i.CreatedBy
		}
		for k := range i.Races {
			frames(i.Races[k].Stack)
		}
		for _, m := range i.Matches {
			m.How, m.Missing, m.Collect = "banner", []string{}, []string{}
			for k := range m.Evidence {
				m.Evidence[k].Condition = "message"
			}
		}
	}
	for i := range d.Facts.Products {
		d.Facts.Products[i].How = "banner"
	}
	d.Facts.Product.How = "banner"
	for _, list := range [][]Fact{d.Facts.Goroutines, d.Logs.Restarts, {}} {
		for i := range list {
			list[i].How = "banner"
		}
	}
	d.Facts.GoVersion.How = "banner"
	d.Facts.Modules = []Module{}
	for _, s := range d.Sources {
		s.Wrapper = "plain"
	}
	d.Logs.ByLevel = map[string]int{"error": 1}
	return d
}

// innocent must stay as they are, at the level of secrets.
var innocent = []string{
	"panic: runtime error: invalid memory address or nil pointer dereference",
	"invalid token: expected }, found EOF", "unexpected token: eof", "secret not found", "token expired",
	"github.com/hashicorp/consul/agent/token.(*Store).Load(0xc000123456, {0x1, 0x2})",
	"goroutine 4242 [select, 12 minutes]:", "ct1:3fa9c1d2", "https://github.com/hashicorp/consul/pull/23857",
	"2026-03-01T10:11:12.123Z", "s.Close failed", "session closed", "encrypt: enabled", "id 4f9f43a5-6b4f-4e5e-9d0c-6f1f0b2f9a99",
}

func TestRedactSecrets(t *testing.T) {
	for _, p := range planted {
		d := logDoc("before " + p.text + " after")
		got := Redact(d, RedactSecrets)
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(p.hide)) {
			t.Errorf("%s: %q is still there", p.name, p.hide)
		}
		kinds := map[string]int{}
		for _, r := range got.Redactions {
			kinds[r.Kind] = r.Count
		}
		if kinds[p.kind] == 0 {
			t.Errorf("%s: redactions are %v, want some of kind %q", p.name, got.Redactions, p.kind)
		}
		if !strings.Contains(got.Incidents[0].Headline, "before ") {
			t.Errorf("%s: what stands before it is gone: %q", p.name, got.Incidents[0].Headline)
		}
		if again := Redact(got, RedactSecrets); !reflect.DeepEqual(got, again) {
			t.Errorf("%s: redacting twice changes it again:\n%s", p.name, cmp.Diff(got, again))
		}
		if diff := cmp.Diff(logDoc("before "+p.text+" after"), d); diff != "" {
			t.Errorf("%s: the document itself changed:\n%s", p.name, diff)
		}
	}
	for _, text := range innocent {
		d := logDoc(text)
		if got := Redact(d, RedactSecrets); len(got.Redactions) > 0 || got.Incidents[0].Headline != d.Incidents[0].Headline {
			t.Errorf("%q became %q", text, got.Incidents[0].Headline)
		}
	}
}

// No format that is published shows a secret, wherever it stood.
func TestPublishedFormatsKeepSecrets(t *testing.T) {
	for _, p := range planted {
		d := logDoc(p.text)
		for _, f := range Formats() {
			if !f.Publish {
				continue
			}
			out := rendered(t, f, Redact(d, RedactSecrets), Options{Verbose: true})
			if bytes.Contains(out, []byte(p.hide)) {
				t.Errorf("%s shows the %s", f.Name, p.name)
			}
		}
		if !bytes.Contains(rendered(t, Formats()[0], Redact(d, RedactOff), Options{Verbose: true, Width: 120}), []byte(p.hide[:6])) {
			t.Errorf("%s: it is gone although nothing should be", p.name)
		}
	}
}

func TestRedactKeepsEqualEqual(t *testing.T) {
	d := logDoc("password=hunter2 then password=hunter3 then password=hunter2")
	want := "panic: password=[redacted password 1] then password=[redacted password 2] then password=[redacted password 1]"
	if got := Redact(d, RedactSecrets).Incidents[0].Headline; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRedactAll(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"dial tcp 10.1.2.3:8300: refused by 10.1.2.4, not by 10.1.2.3", "dial tcp ip-1:8300: refused by ip-2, not by ip-1"},
		{"listening on 127.0.0.1:8500, 0.0.0.0 and [::1]:80", "listening on 127.0.0.1:8500, 0.0.0.0 and [::1]:80"},
		{"peer [2001:db8::7]:8301 at 10:11:12", "peer [ip-1]:8301 at 10:11:12"},
		{"mail to jane.doe@shop.example", "mail to mail-1"},
		{"db-1.prod.internal and github.com/hashicorp/consul", "host-1 and github.com/hashicorp/consul"},
		{"open /home/jane/shop/x.go and /Users/jane/y", "open /home/user-1/shop/x.go and /Users/user-1/y"},
		{"node=web-17 joined; web-17 is alive, web-170 is not", "node=host-1 joined; host-1 is alive, web-170 is not"},
		{"service_id=orders-7f3 failed", "service_id=id-1 failed"},
		{"consul v1.22.6.1 agent.server.raft: main.go:12", "consul v1.22.6.1 agent.server.raft: main.go:12"},
	} {
		d := logDoc(tc.text)
		got := Redact(d, RedactAll)
		if got.Incidents[0].Headline != "panic: "+tc.want {
			t.Errorf("%q\n got %q\nwant %q", tc.text, got.Incidents[0].Headline, "panic: "+tc.want)
		}
		if again := Redact(got, RedactAll); !reflect.DeepEqual(got, again) {
			t.Errorf("%q: redacting twice changes it again:\n%s", tc.text, cmp.Diff(got, again))
		}
	}
}

// What identifies a crash stays at every level.
func TestRedactLeavesTheCrash(t *testing.T) {
	for _, e := range examples() {
		d := e.doc()
		got := Redact(d, RedactAll)
		for i := range d.Incidents {
			a, b := d.Incidents[i], got.Incidents[i]
			for k := range a.Stack {
				if a.Stack[k].Function != b.Stack[k].Function || a.Stack[k].Args != b.Stack[k].Args || a.Stack[k].Line != b.Stack[k].Line {
					t.Errorf("%s: frame %v became %v", e.name, a.Stack[k], b.Stack[k])
				}
			}
			if a.Fingerprint != b.Fingerprint || len(a.Matches) != len(b.Matches) {
				t.Errorf("%s: incident %d is another one", e.name, i)
			}
			for k := range a.Matches {
				if diff := cmp.Diff(a.Matches[k].Fix, b.Matches[k].Fix); diff != "" || a.Matches[k].Issue != b.Matches[k].Issue {
					t.Errorf("%s: the fix changed:\n%s", e.name, diff)
				}
			}
		}
	}
}

func TestRedactedDocumentFollowsSchema(t *testing.T) {
	schema := compileSchema(t)
	for _, level := range RedactLevels() {
		var b bytes.Buffer
		if err := JSON(&b, Redact(logDoc("password=hunter2 node=web-17 10.1.2.3"), level), Options{}); err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", level, err)
		}
	}
}

// A private key that a log breaks into lines is replaced line by line.
func TestRedactKeyOverLines(t *testing.T) {
	d := knownExample().doc()
	d.Incidents[0].Context = []Context{
		{Text: "loading -----BEGIN EC PRIVATE KEY-----"}, {Text: "MHcCAQEEIIGcSv8Y1hCq3x0G"}, {Text: "AwEHoUQDQgAE7r=="}, {Text: "-----END EC PRIVATE KEY-----"}, {Text: "done loading the key"},
	}
	got := Redact(d, RedactSecrets).Incidents[0].Context
	for i, hide := range []string{"BEGIN EC", "MHcC", "AwEH", "END EC"} {
		if strings.Contains(got[i].Text, hide) {
			t.Errorf("line %d is still %q", i, got[i].Text)
		}
	}
	if got[4].Text != "done loading the key" {
		t.Errorf("the line behind it became %q", got[4].Text)
	}
}

func FuzzRedact(f *testing.F) {
	for _, p := range planted {
		f.Add(p.text)
	}
	for _, s := range innocent {
		f.Add(s)
	}
	empty := noneExample().doc()
	f.Fuzz(func(t *testing.T, text string) {
		for _, level := range []RedactLevel{RedactSecrets, RedactAll} {
			once := RedactText(empty, level)(text)
			if twice := RedactText(empty, level)(once); twice != once {
				t.Errorf("%s: %q became %q, then %q", level, text, once, twice)
			}
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	d := manyExample(500).doc()
	for b.Loop() {
		Redact(d, RedactSecrets)
	}
}
