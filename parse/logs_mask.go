package parse

import "bytes"

// maxMasked bounds the masked message, which is a bucket's key.
const maxMasked = 400

// appendMasked appends msg with its variable parts replaced, so that records of
// one log statement fall into one bucket:
//
//	<n>     a number, also within a word: "node-<n>"; with its unit where one follows
//	<hex>   0x…, or eight and more hex digits with a decimal one among them
//	<uuid>  8-4-4-4-12
//	<ip>    an IPv4 or IPv6 address
//	<dur>   a duration as Go prints it: 1.5s, 2h3m0s
//	<time>  a date with a time
//	<id>    sixteen and more letters and digits, well mixed
//	"…"     a quoted string
//
// Names with a digit in them stay: "http2", "x509", "dc1". The result depends on
// nothing but msg.
func appendMasked(dst, msg []byte) []byte {
	start := len(dst)
	for i := 0; i < len(msg); {
		if len(dst)-start > maxMasked {
			return append(dst, "…"...)
		}
		c := msg[i]
		switch {
		case c == '\n' || c == '\r' || c == '\t':
			dst = append(dst, ' ')
			i++
		case c == '"' || c == '\'' || c == '`':
			if end := quoteEnd(msg, i); end > 0 {
				dst = append(dst, c)
				dst = append(dst, "…"...)
				dst = append(dst, c)
				i = end + 1
				continue
			}
			dst = append(dst, c)
			i++
		case isWordByte(c):
			end := i + 1
			for end < len(msg) && isWordByte(msg[end]) {
				end++
			}
			word := msg[i:end]
			// A date and its time are two words where a blank or "T" joins them.
			if len(word) >= 10 && isDigit(word[0]) {
				if _, n, ok := timestamp(msg[i:]); ok {
					dst = append(dst, "<time>"...)
					i += n
					continue
				}
			}
			dst = maskWord(dst, word)
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// isWordByte tells what a word is made of: addresses, ids, paths' elements, versions.
func isWordByte(c byte) bool {
	return isDigit(c) || isLetter(c) || c == '.' || c == ':' || c == '-' || c == '_' || c >= 0x80
}

// quoteEnd finds the quote that closes msg[i]. An apostrophe is no quote: quotes
// stand at a word's begin and end.
func quoteEnd(msg []byte, i int) int {
	q := msg[i]
	if q == '\'' && i > 0 && (isLetter(msg[i-1]) || isDigit(msg[i-1])) {
		return 0
	}
	limit := min(len(msg), i+1024)
	for j := i + 1; j < limit; j++ {
		if msg[j] == '\\' && q == '"' {
			j++
			continue
		}
		if msg[j] == q && (q != '\'' || j+1 == len(msg) || !isLetter(msg[j+1])) {
			return j
		}
	}
	return 0
}

func maskWord(dst, w []byte) []byte {
	digits := 0
	for _, c := range w {
		if isDigit(c) {
			digits++
		}
	}
	if digits == 0 && bytes.IndexByte(w, ':') < 0 {
		return append(dst, w...)
	}
	// Punctuation at the end belongs to the sentence.
	end := len(w)
	for end > 0 && (w[end-1] == '.' || w[end-1] == ':' || w[end-1] == '-') {
		end--
	}
	tail := w[end:]
	w = w[:end]
	switch {
	case isUUID(w):
		dst = append(dst, "<uuid>"...)
	case isHexWord(w):
		dst = append(dst, "<hex>"...)
	case digits > 0 && isDuration(w):
		dst = append(dst, "<dur>"...)
	default:
		if n := ipLen(w); n > 0 {
			dst = append(dst, "<ip>"...)
			return append(maskDigits(dst, w[n:]), tail...)
		}
		if isOpaque(w) {
			dst = append(dst, "<id>"...)
			break
		}
		dst = maskDigits(dst, w)
	}
	return append(dst, tail...)
}

// maskDigits replaces runs of digits, except where they are part of a name: behind a
// letter, and short or well known.
func maskDigits(dst, w []byte) []byte {
	for i := 0; i < len(w); {
		if !isDigit(w[i]) {
			dst = append(dst, w[i])
			i++
			continue
		}
		end := i + 1
		for end < len(w) && isDigit(w[end]) {
			end++
		}
		if i > 0 && isLetter(w[i-1]) && (end-i == 1 || isNamed(w, i, end)) {
			dst = append(dst, w[i:end]...)
			i = end
			continue
		}
		// 1.25 is one number; 1.25.8 is a version, and one variable part as well.
		for end+1 < len(w) && w[end] == '.' && isDigit(w[end+1]) {
			for end++; end < len(w) && isDigit(w[end]); end++ {
			}
		}
		dst = append(dst, "<n>"...)
		i = end
	}
	return dst
}

// isNamed knows names that end in several digits.
func isNamed(w []byte, i, end int) bool {
	start := i
	for start > 0 && isLetter(w[start-1]) {
		start--
	}
	switch string(w[start:end]) {
	case "x509", "sha256", "sha384", "sha512", "ed25519", "int32", "int64", "uint32", "uint64", "float64", "amd64", "arm64", "base64", "utf16", "EC256", "P256":
		return true
	}
	return false
}

func isUUID(w []byte) bool {
	if len(w) != 36 {
		return false
	}
	for i, c := range w {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHexDigit(c) {
			return false
		}
	}
	return true
}

func isHexDigit(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isHexWord(w []byte) bool {
	if len(w) > 2 && w[0] == '0' && (w[1] == 'x' || w[1] == 'X') {
		return isHex(w[2:])
	}
	if len(w) < 8 || !isHex(w) {
		return false
	}
	num, let := false, false
	for _, c := range w {
		num = num || isDigit(c)
		let = let || isLetter(c)
	}
	return num && let
}

// isDuration accepts what time.Duration prints, without its sign.
func isDuration(w []byte) bool {
	i := 0
	for i < len(w) {
		start := i
		for i < len(w) && (isDigit(w[i]) || w[i] == '.') {
			i++
		}
		if i == start || w[start] == '.' {
			return false
		}
		rest := w[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("ms")), bytes.HasPrefix(rest, []byte("ns")), bytes.HasPrefix(rest, []byte("us")):
			i += 2
		case bytes.HasPrefix(rest, []byte("µs")):
			i += len("µs")
		case len(rest) > 0 && (rest[0] == 'h' || rest[0] == 'm' || rest[0] == 's'):
			i++
		default:
			return false
		}
	}
	return len(w) > 0
}

// ipLen returns the length of the address that w begins with, 0 if none.
func ipLen(w []byte) int {
	dots, run, i := 0, 0, 0
	for ; i < len(w); i++ {
		c := w[i]
		if isDigit(c) {
			if run++; run > 3 {
				break
			}
			continue
		}
		if c == '.' && run > 0 && dots < 3 {
			dots++
			run = 0
			continue
		}
		break
	}
	if dots == 3 && run > 0 && run <= 3 && (i == len(w) || w[i] == ':') {
		return i
	}
	// IPv6: two colons at least, hex groups only.
	colons, hex := 0, 0
	for _, c := range w {
		switch {
		case c == ':':
			colons++
		case isHexDigit(c):
			hex++
		default:
			return 0
		}
	}
	if colons >= 2 && hex > 0 && (colons >= 4 || bytes.Contains(w, []byte("::"))) {
		return len(w)
	}
	return 0
}

// isOpaque accepts random ids: long, letters and digits mixed, no separator.
func isOpaque(w []byte) bool {
	if len(w) < 16 {
		return false
	}
	digits, changes := 0, 0
	for i, c := range w {
		if !isDigit(c) && !isLetter(c) {
			return false
		}
		if isDigit(c) {
			digits++
		}
		if i > 0 && isDigit(c) != isDigit(w[i-1]) {
			changes++
		}
	}
	return digits >= 3 && changes >= 4
}
