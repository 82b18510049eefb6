package parse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"
	"testing"
)

// smallDump is what every wrapper is put around in these tests.
const smallDump = `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x4a12f0]

goroutine 41 [running]:
example.org/shop/cart.(*Basket).Total(0x0, {0xc000012345, 0x3})
	/src/shop/cart/basket.go:88 +0x1d
main.main()
	/src/shop/main.go:21 +0x85

goroutine 7 [select, 12 minutes]:
example.org/shop/feed.(*Loop[...]).run(0xc0000b2000)
	/src/shop/feed/loop.go:140 +0x2a
created by example.org/shop/feed.Start in goroutine 1
	/src/shop/feed/loop.go:61 +0x9c
exit status 2`

// unwrapAll runs text through an unwrapper as the reader does.
func unwrapAll(text string) ([]wrapped, string) {
	u := newUnwrapper()
	var all []wrapped
	rest := []byte(text)
	for len(rest) > 0 {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		u.ahead = rest
		for _, w := range u.line(trimCR(line), nil) {
			w.body = bytes.Clone(w.body)
			all = append(all, w)
		}
	}
	return all, u.name()
}

// joinPartial puts records together again that go on, stream by stream, and leaves scaffolding out.
func joinPartial(ws []wrapped) []string {
	pending := make(map[string]string)
	var lines []string
	for _, w := range ws {
		if w.stream == noiseStream {
			continue
		}
		s := pending[w.stream] + string(w.body)
		if w.partial {
			pending[w.stream] = s
			continue
		}
		delete(pending, w.stream)
		lines = append(lines, s)
	}
	return lines
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// perLine builds a wrapper that formats every line; {N} counts, {T} is the line.
func perLine(f func(i int, s string) string) func([]string) []string {
	return func(in []string) []string {
		out := make([]string, len(in))
		for i, s := range in {
			out[i] = f(i, s)
		}
		return out
	}
}

// trimmed is perLine where an empty line loses the last blanks of the prefix.
func trimmed(f func(i int, s string) string) func([]string) []string {
	return perLine(func(i int, s string) string { return strings.TrimRight(f(i, s), " ") })
}

func prefixed(format string) func([]string) []string {
	return perLine(func(_ int, s string) string { return format + s })
}

var wrapperCases = []struct {
	name string
	want string // a name in unwrapper.name; "" when none is given
	wrap func([]string) []string
}{
	// System loggers.
	{"journald short", "journald", perLine(func(i int, s string) string {
		return fmt.Sprintf("Feb 03 04:05:%02d db-7 shopd[4711]: %s", i%60, s)
	})},
	{"journald without host", "journald", perLine(func(i int, s string) string {
		return fmt.Sprintf("Feb 03 04:05:%02d shopd[4711]: %s", i%60, s)
	})},
	{"journald localised", "journald", prefixed("févr. 03 04:05:06 db-7 shopd[4711]: ")},
	{"journald lower case month", "journald", prefixed("mar 19 04:05:06 db-7 shopd[4711]: ")},
	{"journald Japanese month", "journald", prefixed("3月 19 04:05:06 db-7 shopd[4711]: ")},
	{"journald short-iso", "journald", prefixed("2026-02-03T04:05:06+0100 db-7 shopd[4711]: ")},
	{"journald short-iso with colon", "journald", prefixed("2026-02-03T04:05:06+01:00 db-7 shopd[4711]: ")},
	{"journald short-precise", "journald", perLine(func(i int, s string) string {
		return fmt.Sprintf("Feb 03 04:05:06.%06d db-7 shopd[4711]: %s", i*7919, s)
	})},
	{"journald short-full", "journald", prefixed("Tue 2026-02-03 04:05:06 CET db-7 shopd[4711]: ")},
	{"journald short-monotonic", "journald", perLine(func(i int, s string) string {
		return fmt.Sprintf("[ 1234.%06d] db-7 shopd[4711]: %s", i*7919, s)
	})},
	{"journald short-unix", "journald", prefixed("1770091506.123456 db-7 shopd[4711]: ")},
	{"journald json", "journald-json", perLine(func(i int, s string) string {
		return `{"__REALTIME_TIMESTAMP":"1770091506123456","_PID":"4711","SYSLOG_IDENTIFIER":"shopd","MESSAGE":` + quoteJSON(s) + `}`
	})},
	{"journald json with bytes", "journald-json", perLine(func(i int, s string) string {
		var n []string
		for _, c := range []byte("\x1b[31m" + s + "\x1b[0m") {
			n = append(n, strconv.Itoa(int(c)))
		}
		return `{"MESSAGE":[` + strings.Join(n, ",") + `],"_PID":"4711"}`
	})},
	{"journal verbose", "journald-export", func(in []string) (out []string) {
		for _, s := range in {
			out = append(out, "Tue 2026-02-03 04:05:06.123456 CET [s=0a1b;i=2f;b=3c;m=4d;t=5e;x=6f]", "    PRIORITY=6", "    MESSAGE="+s, "    _PID=4711")
		}
		return out
	}},
	{"lines of a page", "html", perLine(func(_ int, s string) string {
		return strings.NewReplacer("\t", "&nbsp;&nbsp;&nbsp;&nbsp;", "<", "&lt;", ">", "&gt;").Replace(s) + "<br>"
	})},
	{"journald export", "journald-export", func(in []string) (out []string) {
		for _, s := range in {
			out = append(out, "__CURSOR=s=1;i=2", "__REALTIME_TIMESTAMP=1770091506123456", "PRIORITY=6", "MESSAGE="+s, "_PID=4711", "")
		}
		return out
	}},
	{"RFC 3164 with padded day", "syslog", prefixed("Feb  3 04:05:06 db-7 shopd[4711]: ")},
	{"RFC 3164 without pid", "syslog", prefixed("Feb  3 04:05:06 db-7 shopd: ")},
	{"rsyslog octal tab", "syslog", perLine(func(_ int, s string) string {
		return "Feb  3 04:05:06 db-7 shopd: " + strings.ReplaceAll(s, "\t", "#011")
	})},
	{"rsyslog RFC 3339", "syslog", perLine(func(i int, s string) string {
		return fmt.Sprintf("2026-02-03T04:05:06.%06d+00:00 db-7 shopd[4711]: %s", i, s)
	})},
	{"RFC 5424", "syslog", perLine(func(i int, s string) string {
		return fmt.Sprintf("<14>1 2026-02-03T04:05:06.%03dZ db-7 shopd 4711 - - %s", i, s)
	})},
	{"RFC 5424 with data and count", "syslog", perLine(func(i int, s string) string {
		return `123 <14>1 2026-02-03T04:05:06.789Z db-7 shopd 4711 ID47 [a@1 k="v\]w"][b x="1"] ` + s
	})},
	{"time only", "syslog-time", prefixed("Feb  3 04:05:06 ")},
	{"tag only", "tag", prefixed("shopd[4711]: ")},
	{"kernel ring", "kernel", perLine(func(i int, s string) string { return fmt.Sprintf("[ %4d.%06d] %s", i, i*31, s) })},
	{"fuchsia console", "fuchsia", perLine(func(i int, s string) string { return fmt.Sprintf("[00121.%03d] 05209.05460> %s", i, s) })},
	{"runit", "runit", prefixed("2026-02-03_04:05:06.12345 ")},
	{"tai64n", "runit", prefixed("@4000000065b8c1e81d2f3a4c ")},

	// Containers and orchestrators.
	{"docker json-file", "docker-json", perLine(func(i int, s string) string {
		return `{"log":` + quoteJSON(s+"\n") + `,"stream":"stderr","time":"` + strings.TrimRight(fmt.Sprintf("2026-02-03T04:05:06.%09d", 123456780+i), "0") + `Z"}`
	})},
	{"docker json-file with attributes", "docker-json", perLine(func(i int, s string) string {
		return `{"log":` + strings.ReplaceAll(quoteJSON(s+"\n"), `\t`, `\u0009`) + `,"stream":"stderr","attrs":{"tag":"x"},"time":"2026-02-03T04:05:06.1Z"}`
	})},
	{"docker json-file split", "docker-json", func(in []string) (out []string) {
		for _, s := range in {
			h := len(s) / 2
			out = append(out, `{"log":`+quoteJSON(s[:h])+`,"stream":"stderr","time":"2026-02-03T04:05:06.1Z"}`, `{"log":`+quoteJSON(s[h:]+"\n")+`,"stream":"stderr","time":"2026-02-03T04:05:06.2Z"}`)
		}
		return out
	}},
	{"CRI", "cri", perLine(func(i int, s string) string {
		return strings.TrimRight(fmt.Sprintf("2026-02-03T04:05:06.%09d", 123456780+i), "0") + "Z stderr F " + s
	})},
	{"CRI with offset and tags", "cri", prefixed("2026-02-03T04:05:06.123456789+02:00 stderr F:x ")},
	{"CRI split", "cri", func(in []string) (out []string) {
		for _, s := range in {
			h := len(s) / 2
			out = append(out, "2026-02-03T04:05:06.123456789Z stderr P "+s[:h], "2026-02-03T04:05:06.123456789Z stderr F "+s[h:])
		}
		return out
	}},
	{"compose v1", "compose", prefixed("cart_1         | ")},
	{"compose v1 coloured", "compose", prefixed("\x1b[36mcart_1    |\x1b[0m ")},
	{"compose v2", "compose", trimmed(func(_ int, s string) string { return "shop-cart-1  | " + s })},
	{"compose v2 with times", "compose", prefixed("shop-cart-1  | 2026-02-03T04:05:06.123456789Z ")},
	{"compose, name without number", "compose", trimmed(func(_ int, s string) string { return "cart  | " + s })},
	{"docker service logs", "docker-service", prefixed("shop_cart.1.k2j3h4g5f6@node-a    | ")},
	{"docker logs -t", "kubectl-timestamps", perLine(func(i int, s string) string {
		return fmt.Sprintf("2026-02-03T04:05:06.%09dZ %s", 123456789+i, s)
	})},
	{"kubectl timestamps with offset", "kubectl-timestamps", trimmed(func(i int, s string) string {
		return fmt.Sprintf("2026-02-03T04:05:06.%09d+02:00 %s", 123456789+i, s)
	})},
	{"kubectl prefix", "kubectl-prefix", prefixed("[pod/cart-6d5f-x2x/cart] ")},
	{"kubectl prefix and timestamps", "kubectl-prefix", prefixed("[pod/cart-6d5f-x2x/cart] 2026-02-03T04:05:06.123456789Z ")},
	{"stern", "stern", prefixed("cart-6d5f-x2x cart ")},
	{"stern with times", "stern", prefixed("cart-6d5f-x2x cart 2026-02-03T04:05:06.123456789Z ")},
	{"stern json", "stern", perLine(func(_ int, s string) string {
		return `{"message":` + quoteJSON(s+"\n") + `,"nodeName":"n","namespace":"d","podName":"cart-1","containerName":"cart"}`
	})},
	{"kubetail", "kubetail", prefixed("[cart-6d5f-x2x] ")},
	{"kubetail with container", "kubetail", prefixed("[cart-6d5f-x2x cart] ")},
	{"foreman", "foreman", prefixed("04:05:06 web.1  | ")},
	{"overmind", "compose", prefixed("web    | ")},
	{"Heroku", "heroku", prefixed("2026-02-03T04:05:06.123456+00:00 app[web.1]: ")},
	{"fly.io", "fly", prefixed("2026-02-03T04:05:06.123 app[3d8d9c1] fra [info] ")},
	{"fly.io, Z", "fly", prefixed("2026-02-03T04:05:06Z app[3d8d9c1] fra [info]")},
	{"Cloud Foundry", "cloud-foundry", prefixed("   2026-02-03T04:05:06.12+0000 [APP/PROC/WEB/0] ERR ")},
	{"Cloud Foundry, old", "cloud-foundry", prefixed("2026-02-03T04:05:06.12+0000 [APP/0]      OUT ")},
	{"aws logs tail", "cloudwatch", prefixed("2026-02-03T04:05:06.123000+00:00 ecs/cart/0a1b2c ")},
	{"get-log-events", "cloudwatch", perLine(func(_ int, s string) string {
		return `{"timestamp":1770091506123,"message":` + quoteJSON(s) + `,"ingestionTime":1770091506999}`
	})},
	{"get-log-events, pretty", "json", func(in []string) []string {
		out := []string{"{", `    "events": [`}
		for _, s := range in {
			out = append(out, "        {", `            "timestamp": 1770091506123,`, `            "message": `+quoteJSON(s)+",", `            "ingestionTime": 1770091506999`, "        },")
		}
		return out
	}},
	{"CloudWatch CSV", "csv", perLine(func(_ int, s string) string {
		return `1770091506123,"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	})},
	{"GCP json", "gcp", perLine(func(_ int, s string) string {
		return `{"insertId":"x1","textPayload":` + quoteJSON(s+"\n") + `,"timestamp":"2026-02-03T04:05:06Z","severity":"ERROR"}`
	})},
	{"GCP jsonPayload", "gcp", perLine(func(_ int, s string) string {
		return `{"insertId":"x1","jsonPayload":{"message":` + quoteJSON(s) + `},"timestamp":"2026-02-03T04:05:06Z"}`
	})},
	{"GCP yaml", "gcp", func(in []string) (out []string) {
		for _, s := range in {
			out = append(out, "---", "insertId: x1", "logName: projects/p/logs/stderr", "textPayload: "+quoteJSON(s), "timestamp: '2026-02-03T04:05:06Z'")
		}
		return out
	}},
	{"Fluentd file", "fluent", perLine(func(_ int, s string) string {
		return "2026-02-03T04:05:06+00:00\tkube.cart\t" + `{"log":` + quoteJSON(s+"\n") + `}`
	})},
	{"Fluentd stdout", "fluent", perLine(func(_ int, s string) string {
		return "2026-02-03 04:05:06.123456789 +0000 kube.cart: " + `{"log":` + quoteJSON(s+"\n") + `,"x":1}`
	})},
	{"Fluent Bit", "fluent", perLine(func(i int, s string) string {
		return fmt.Sprintf(`[%d] kube.cart: [1770091506.123456789, {"log"=>%s}]`, i, quoteJSON(s))
	})},
	{"Fluent Bit, newer", "fluent", perLine(func(i int, s string) string {
		return fmt.Sprintf(`[%d] kube.cart: [[1770091506.123456789, {}], {"log"=>%s}]`, i, quoteJSON(s))
	})},
	{"logcli", "loki", prefixed(`2026-02-03T04:05:06Z {app="cart", pod="cart-1"} `)},
	{"logcli json", "loki", perLine(func(_ int, s string) string {
		return `{"labels":{"app":"cart"},"line":` + quoteJSON(s) + `,"timestamp":"2026-02-03T04:05:06Z"}`
	})},
	{"Insights CSV", "csv", perLine(func(_ int, s string) string {
		return `2026-02-03 04:05:06.123,"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	})},
	{"Kibana CSV", "csv", perLine(func(_ int, s string) string {
		return `"Feb 3, 2026 @ 04:05:06.789","` + strings.ReplaceAll(s, `"`, `""`) + `"`
	})},
	{"Splunk json", "json", perLine(func(_ int, s string) string { return `{"preview":false,"result":{},"_raw":` + quoteJSON(s) + `}` })},
	{"Splunk json, nested", "json", perLine(func(_ int, s string) string {
		return `{"preview":false,"result":{"_raw":` + quoteJSON(s) + `,"_time":"2026-02-03T04:05:06.000+00:00"}}`
	})},
	{"Elasticsearch hit", "json", perLine(func(_ int, s string) string {
		return `{"_index":"logs","_id":"a1","_source":{"@timestamp":"2026-02-03T04:05:06Z","message":` + quoteJSON(s) + `,"host":{"name":"a"}}}`
	})},
	{"Datadog json", "json", perLine(func(_ int, s string) string {
		return `{"id":"AQ","content":{"timestamp":"2026-02-03T04:05:06Z","host":"a","message":` + quoteJSON(s) + `}}`
	})},
	{"OTLP json", "json", perLine(func(_ int, s string) string {
		return `{"resourceLogs":[{"resource":{},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1770091506123000000","body":{"stringValue":` + quoteJSON(s) + `}}]}]}]}`
	})},
	{"OTLP json, many records", "json", func(in []string) []string {
		var b strings.Builder
		for i, s := range in {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`{"timeUnixNano":"1770091506123000000","body":{"stringValue":` + quoteJSON(s) + `},"severityText":"ERROR"}`)
		}
		return []string{`{"resourceLogs":[{"scopeLogs":[{"logRecords":[` + b.String() + `]}]}]}`}
	}},
	{"Loki answer", "json", func(in []string) []string {
		var b strings.Builder
		for i, s := range in {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `["%d",%s]`, 1770091506123000000+i, quoteJSON(s))
		}
		return []string{`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"app":"cart"},"values":[` + b.String() + `]}]}}`}
	}},
	{"Elasticsearch answer", "json", func(in []string) []string {
		var b strings.Builder
		for i, s := range in {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`{"_index":"logs","_source":{"message":` + quoteJSON(s) + `}}`)
		}
		return []string{`{"took":3,"hits":{"total":{"value":9},"hits":[` + b.String() + `]}}`}
	}},
	{"shipper json", "json", perLine(func(_ int, s string) string {
		return `{"@timestamp":"2026-02-03T04:05:06Z","host":"a","message":` + quoteJSON(s) + `}`
	})},

	// CI.
	{"GitHub Actions", "github-actions", perLine(func(i int, s string) string {
		bom := ""
		if i == 0 {
			bom = "\xef\xbb\xbf"
		}
		return bom + fmt.Sprintf("2026-02-03T04:05:06.%07dZ %s", 1234567+i, s)
	})},
	{"gh run view", "github-actions", prefixed("build\tRun tests\t2026-02-03T04:05:06.1234567Z ")},
	{"GitHub Actions, numbered", "github-actions", perLine(func(i int, s string) string {
		return fmt.Sprintf(" %d 2026-02-03T04:05:06.1234567Z %s", 9990+i, s)
	})},
	{"GitLab", "gitlab", prefixed("2026-02-03T04:05:06.123456Z 01E ")},
	{"Jenkins", "jenkins", prefixed("[2026-02-03T04:05:06.123Z] ")},
	{"Jenkins, short", "clock", prefixed("04:05:06  ")},
	{"Jenkins branch", "kubetail", prefixed("[unit-tests] ")},
	{"Drone", "kubetail", perLine(func(i int, s string) string { return fmt.Sprintf("[unit-tests:%d] %s", 98+i, s) })},
	{"Buildkite", "", prefixed("\x1b_bk;t=1770091506123\x07")},
	{"TeamCity", "teamcity", prefixed("[04:05:06]W: ")},
	{"TeamCity with step", "clock", prefixed("[04:05:06]  [Step 1/2] ")},
	{"TeamCity message", "teamcity", func(in []string) []string {
		r := strings.NewReplacer("|", "||", "\n", "|n", "[", "|[", "]", "|]", "'", "|'")
		return []string{"##teamcity[testFailed name='TestTotal' message='Failed' details='" + r.Replace(strings.Join(in, "\n")) + "']"}
	}},
	{"go test -json", "go-test-json", perLine(func(i int, s string) string {
		return `{"Time":"2026-02-03T04:05:06.123Z","Action":"output","Package":"example.org/shop","Test":"TestTotal","Output":` + quoteJSON(s+"\n") + `}`
	})},
	{"test2json marker", "test2json", perLine(func(_ int, s string) string { return "\x16" + s })},
	{"JUnit escaped", "junit", func(in []string) []string {
		r := strings.NewReplacer("\n", "&#xA;", "\t", "&#x9;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")
		return []string{"\t\t\t" + `<failure message="Failed" type="">` + r.Replace(strings.Join(in, "\n")) + "</failure>"}
	}},
	{"line numbers of grep", "line-numbers", perLine(func(i int, s string) string { return fmt.Sprintf("%d:%s", 98+i, s) })},
	{"line numbers of cat", "line-numbers", perLine(func(i int, s string) string { return fmt.Sprintf("%6d\t%s", 98+i, s) })},
	{"grep over files", "line-numbers", perLine(func(i int, s string) string { return fmt.Sprintf("logs/cart.log:%d:%s", 98+i, s) })},
	{"no-break blanks", "", perLine(func(_ int, s string) string {
		return strings.NewReplacer("\t", "\u00a0\u00a0\u00a0\u00a0", " ", "\u00a0").Replace(s)
	})},
	{"testscript", "indent", prefixed("            ")},

	// Relays.
	{"go-plugin, old", "go-plugin", prefixed("2026/02/03 04:05:06 [DEBUG] plugin: shopd: ")},
	{"packer", "go-plugin", prefixed("2026/02/03 04:05:06 packer-builder-x: ")},
	{"hclog relay", "hclog-relay", perLine(func(i int, s string) string {
		return fmt.Sprintf("2026-02-03T04:05:06.%03d+0100 [DEBUG] plugin.shopd_v1.2.3_x5: %s", i, s)
	})},
	{"hclog relay with Z", "hclog-relay", trimmed(func(i int, s string) string {
		return fmt.Sprintf("2026-02-03T04:05:06.%03dZ [ERROR] provider.shopd_v1.2.3: %s", i, s)
	})},
	{"hclog relay with pairs", "hclog-relay", perLine(func(i int, s string) string {
		return fmt.Sprintf(`2026-02-03T04:05:06.%03dZ [DEBUG] client.driver_mgr.shop: %s: alloc_id=59c1 driver=shop task_name="cart web"`, i, s)
	})},
	{"hclog json relay", "json", perLine(func(_ int, s string) string {
		return `{"@level":"debug","@message":` + quoteJSON(s) + `,"@module":"plugin.shopd","@timestamp":"2026-02-03T04:05:06.123456Z"}`
	})},
	{"capnslog", "capnslog", prefixed("2026-02-03 04:05:06.123456 E | shopd: ")},
	{"pm2", "pm2", prefixed("3|shopd  | ")},
	{"pm2 with time", "pm2", prefixed("3|shopd  | 2026-02-03T04:05:06: ")},
	{"logcat brief", "logcat", prefixed("E/Go      ( 4711): ")},
	{"logcat tag", "logcat", prefixed("E/Go: ")},
	{"logcat threadtime", "logcat", prefixed("02-03 04:05:06.789  4711  4712 E Go      : ")},
	{"logcat time", "logcat", prefixed("02-03 04:05:06.789 E/Go      ( 4711): ")},
	{"unified log", "apple-log", prefixed("2026-02-03 04:05:06.123456+0100 0x1a2b     Default     0x0                  4711   0    shopd: (libgo) ")},
	{"Kodi, old", "kodi", prefixed("04:05:06 1234.567890 T:140123   ERROR: [plugin.video.shop] ")},
	{"Kodi", "kodi", prefixed("2026-02-03 04:05:06.789 T:140123   ERROR <general>: ")},
	{"Chrome console", "browser-console", prefixed("04:05:06.789 wasm_exec.js:22 ")},
	{"Chrome console without time", "browser-console", prefixed("wasm_exec.js:22 ")},
	{"Firefox console", "browser-console", perLine(func(_ int, s string) string { return s + " wasm_exec.js:41:14" })},
	{"UI clock", "clock", prefixed("[04:05:06] ")},
	{"UI date", "clock", prefixed("[2/3/2026 4:05:06 AM] ")},
	{"bare clock", "clock", prefixed("2026-02-03 04:05:06,789 ")},
	{"strace", "strace", func(in []string) (out []string) {
		for _, s := range in {
			for _, piece := range strings.SplitAfter(s+"\n", " ") {
				out = append(out, fmt.Sprintf("4711  write(2, %s, %d) = %d", strconv.Quote(piece), len(piece), len(piece)))
			}
		}
		return out
	}},

	// Prose.
	{"quote", "markdown-quote", trimmed(func(_ int, s string) string { return "> " + s })},
	{"nested quote", "markdown-quote", prefixed("> > ")},
	{"indented code", "indent", trimmed(func(_ int, s string) string { return "    " + s })},
	{"one blank", "indent", prefixed(" ")},
	{"HTML", "html", func(in []string) []string { return []string{html.EscapeString(strings.Join(in, "\x00"))} }},
	{"comma", "suffix", perLine(func(_ int, s string) string { return s + "," })},
	{"diff", "diff", prefixed("+")},
	{"CSV cell", "csv", func(in []string) []string {
		var out []string
		for _, s := range in {
			out = append(out, strings.ReplaceAll(s, `"`, `""`))
		}
		out[0] = `"2026-02-03","cart","` + out[0]
		out[len(out)-1] += `"`
		return out
	}},

	// Nests.
	{"journald, compose", "journald", prefixed("Feb 03 04:05:06 db-7 docker-compose[99]: cart_1  | ")},
	{"journald, hclog relay", "journald", prefixed("Feb 03 04:05:06 db-7 nomad[99]: 2026-02-03T04:05:06.789Z [DEBUG] plugin.shop: ")},
	{"Actions, compose", "github-actions", prefixed("2026-02-03T04:05:06.1234567Z cart-1  | ")},
	{"quote, journald", "markdown-quote", prefixed("> Feb 03 04:05:06 db-7 shopd[4711]: ")},
	{"CRI, docker logs -t", "cri", prefixed("2026-02-03T04:05:06.123456789Z stderr F 2026-02-03T04:05:06.123456780Z ")},

	// Unlisted.
	{"unlisted", "prefix", perLine(func(i int, s string) string { return fmt.Sprintf("<<shop>> #%d ~ %s", i, s) })},
}

func TestWrappers(t *testing.T) {
	for _, tt := range wrapperCases {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.Split(smallDump, "\n")
			text := strings.Join(tt.wrap(in), "\n")
			if tt.name == "HTML" {
				text = strings.ReplaceAll(strings.ReplaceAll(text, "\x00", "<br>"), "\t", "&nbsp;&nbsp;&nbsp;&nbsp;")
			}
			ws, name := unwrapAll(text)
			got := joinPartial(ws)
			if tt.want != "" && !strings.Contains(name, tt.want) || tt.want == "" && name != "plain" {
				t.Errorf("name is %q, want %q", name, tt.want)
			}
			compareDump(t, got, in)
		})
	}
}

// compareDump compares lines, but neither blank lines nor the kind of indentation.
func compareDump(t *testing.T, got, want []string) {
	t.Helper()
	clean := func(in []string) (out []string) {
		for _, s := range in {
			if strings.TrimSpace(s) == "" {
				continue
			}
			if c := strings.TrimLeft(s, " \t"); strings.HasPrefix(c, "/") {
				s = "\t" + c
			}
			out = append(out, s)
		}
		return out
	}
	g, w := clean(got), clean(want)
	for len(g) > 0 && g[0] != w[0] && len(g) > len(w) {
		g = g[1:] // scaffolding before the first line
	}
	for i := 0; i < len(w); i++ {
		if i >= len(g) || g[i] != w[i] {
			have := "nothing"
			if i < len(g) {
				have = strconv.Quote(g[i])
			}
			t.Errorf("line %d is %s, want %q", i, have, w[i])
			if i > 2 {
				return
			}
		}
	}
}
