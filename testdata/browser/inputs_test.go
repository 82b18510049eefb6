package browser

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// dump is a crash with n shapes besides the goroutine that died. Shape k has k%3+1 goroutines in
// one of three states, waits k minutes, and every tenth has no function outside of the standard library.
func dump(n int) string {
	var b strings.Builder
	b.WriteString("panic: boom\n\ngoroutine 1 [running]:\nmain.fail(0x1)\n\t/src/shop/main.go:7 +0x1d\nmain.main()\n\t/src/shop/main.go:12 +0x2a\n")
	id := 10
	for k := range n {
		for range k%3 + 1 {
			wait := ""
			if k > 0 {
				wait = fmt.Sprintf(", %d minutes", k)
			}
			fmt.Fprintf(&b, "\ngoroutine %d [%s%s]:\n", id, []string{"select", "IO wait", "chan receive"}[k%3], wait)
			fmt.Fprintf(&b, "internal/poll.runtime_pollWait(0x7f, 0x72)\n\t/usr/local/go/src/runtime/netpoll.go:351 +0x85\n")
			if k%10 == 9 {
				fmt.Fprintf(&b, "net/http.(*conn).serve(0xc%d)\n\t/usr/local/go/src/net/http/server.go:%d +0x85\n", id, 1000+k)
			} else {
				fmt.Fprintf(&b, "example.com/shop/part%d.(*Worker).loop(0xc%d)\n\t/src/shop/part%d/worker.go:%d +0x85\n", k, id, k, k+1)
			}
			fmt.Fprintf(&b, "created by example.com/shop.start%d in goroutine 1\n\t/src/shop/start.go:%d +0x85\n", k, k+1)
			id++
		}
	}
	return b.String()
}

// evil is what each place of a page would obey, if it were markup, script, style or a link there.
const evil = `<img src=x onerror="window.pwned=1;alert(1)"></script></style></title></textarea><script>window.pwned=1</script><svg onload=window.pwned=1>` +
	`" onmouseover="window.pwned=1" x="' autofocus onfocus='window.pwned=1 javascript:window.pwned=1 {{.}} ${window.pwned=1} <!-- ]]> &lt;b&gt; &#60;i&#62;` +
	"\x1b[31m \u202egnp.exe\u2066 a\u200bb \x00 \xff <style>*{background:url(https://evil.example/x)}</style><base href=https://evil.example/><meta http-equiv=refresh content=0;url=https://evil.example/>"

// fill puts evil into every string below v, and one or two elements into every list.
func fill(v reflect.Value, depth int) {
	if depth > 8 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(evil)
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String && v.Type().Elem().Kind() == reflect.Int {
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(reflect.ValueOf(evil).Convert(v.Type().Key()), reflect.ValueOf(3).Convert(v.Type().Elem()))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 4, 23, 17, 13, 21, 0, time.UTC)))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), depth+1)
			}
		}
	}
}
