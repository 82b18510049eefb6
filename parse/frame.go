package parse

import "strings"

// PackagePath returns the import path in a function's name as Go prints it:
// everything before the first dot behind the last slash. Dots of the last path
// element are printed as %2e, so they don't mislead it.
func PackagePath(function string) string {
	// A receiver or type argument may hold slashes: they stand behind a parenthesis or bracket.
	end := len(function)
	if k := strings.IndexAny(function, "(["); k >= 0 {
		end = k
	}
	slash := strings.LastIndexByte(function[:end], '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	return function[:slash+1+dot]
}

// stdRoots are the first path elements of the standard library.
var stdRoots = set("archive bufio bytes cmp compress container context crypto database debug embed encoding errors " +
	"expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp " +
	"runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak")

// stdPackages are the packages below them with more than one element ("go list
// std", Go 1.26, without internal ones). An import path without a domain is no
// proof: programs are named "app/store" too.
var stdPackages = set("archive/tar archive/zip compress/bzip2 compress/flate compress/gzip compress/lzw compress/zlib " +
	"container/heap container/list container/ring crypto/aes crypto/cipher crypto/des crypto/dsa crypto/ecdh crypto/ecdsa " +
	"crypto/ed25519 crypto/elliptic crypto/fips140 crypto/hkdf crypto/hmac crypto/hpke crypto/md5 crypto/mlkem " +
	"crypto/mlkem/mlkemtest crypto/pbkdf2 crypto/rand crypto/rc4 crypto/rsa crypto/sha1 crypto/sha256 crypto/sha3 crypto/sha512 " +
	"crypto/subtle crypto/tls crypto/x509 crypto/x509/pkix database/sql database/sql/driver debug/buildinfo debug/dwarf " +
	"debug/elf debug/gosym debug/macho debug/pe debug/plan9obj encoding/ascii85 encoding/asn1 encoding/base32 encoding/base64 " +
	"encoding/binary encoding/csv encoding/gob encoding/hex encoding/json encoding/json/v2 encoding/json/jsontext encoding/pem " +
	"encoding/xml go/ast go/build go/build/constraint go/constant go/doc go/doc/comment go/format go/importer go/parser " +
	"go/printer go/scanner go/token go/types go/version hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash html/template " +
	"image/color image/color/palette image/draw image/gif image/jpeg image/png index/suffixarray io/fs io/ioutil log/slog " +
	"log/syslog math/big math/bits math/cmplx math/rand math/rand/v2 mime/multipart mime/quotedprintable net/http net/http/cgi " +
	"net/http/cookiejar net/http/fcgi net/http/httptest net/http/httptrace net/http/httputil net/http/pprof net/mail net/netip " +
	"net/rpc net/rpc/jsonrpc net/smtp net/textproto net/url os/exec os/signal os/user path/filepath regexp/syntax runtime/cgo " +
	"runtime/coverage runtime/debug runtime/metrics runtime/pprof runtime/race runtime/trace sync/atomic syscall/js testing/cryptotest " +
	"testing/fstest testing/iotest testing/quick testing/slogtest testing/synctest text/scanner text/tabwriter text/template " +
	"text/template/parse time/tzdata unicode/utf16 unicode/utf8 sync/errgroup")

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// IsStd tells whether a function as Go prints it belongs to the standard library
// or the runtime. Names without a package ("panic", C functions) count as such.
func IsStd(function string) bool {
	pkg := PackagePath(function)
	if pkg == "" {
		return true
	}
	root, rest, deep := strings.Cut(pkg, "/")
	if !stdRoots[root] {
		return false
	}
	if root == "vendor" { // the standard library's own; programs vendor other paths
		return strings.HasPrefix(rest, "golang.org/x/")
	}
	return !deep || root == "internal" || stdPackages[pkg] ||
		rest == "internal" || strings.HasPrefix(rest, "internal/") || strings.Contains(rest, "/internal/") || strings.HasSuffix(rest, "/internal")
}

// annotate fills what a frame's function and path tell.
func annotate(f *Frame) {
	f.Std = IsStd(f.Function)
	if !f.Std {
		f.Module, f.Version = moduleOf(f.Function, f.File)
	}
}

// isPanicOrigin tells whether a frame is where a panic began: everything above
// it is deferred calls, that is recovery machinery. "panic" stands for
// runtime.gopanic since Go 1.7.
func isPanicOrigin(function string) bool {
	switch function {
	case "panic", "runtime.gopanic", "runtime.sigpanic", "runtime.panic", "runtime.panicmem":
		return true
	}
	return false
}

// isRecoveryHelper names what recovers and reports panics, outside the standard library.
func isRecoveryHelper(function string) bool {
	pkg := PackagePath(function)
	switch {
	case strings.HasSuffix(pkg, "k8s.io/apimachinery/pkg/util/runtime"), strings.HasSuffix(pkg, "k8s.io/klog"), strings.HasSuffix(pkg, "k8s.io/klog/v2"), strings.HasSuffix(pkg, "github.com/golang/glog"):
		return true
	}
	for _, word := range []string{".PanicHandler", ".generateBacktrace", ".handlePanics", ".handlePanic", ".HandleCrash", ".logPanic", ".LogPanics", ".recoverPanic", ".RecoverPanic", ".defaultRecoverGoroutine"} {
		if strings.HasSuffix(function, word) || strings.Contains(function, word+".func") {
			return true
		}
	}
	return false
}

// blame returns the index of the first frame of a crashing goroutine that is
// neither runtime, standard library nor recovery machinery; -1 if there is none.
//
// Of a panic it is counted from the last panic origin downwards. A fatal error
// or throw begins at the top of the stack: a panic further down is only what was
// going on.
func blame(stack []Frame, fatal bool) int {
	from := 0
	for i := range stack {
		if !fatal && isPanicOrigin(stack[i].Function) {
			from = i + 1
		}
	}
	for i := from; i < len(stack); i++ {
		if !stack[i].Std && !(from == 0 && isRecoveryHelper(stack[i].Function)) {
			return i
		}
	}
	return -1
}
