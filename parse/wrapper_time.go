package parse

// Timestamps as loggers and log stores print them. Every scanner looks at the
// beginning of b and returns how many bytes it takes; 0 when there is none.

// digitsAt reports whether b has n digits at i.
func digitsAt(b []byte, i, n int) bool {
	if len(b) < i+n {
		return false
	}
	for _, c := range b[i : i+n] {
		if !digit(c) {
			return false
		}
	}
	return true
}

// countDigits returns how many digits stand at i, at most limit.
func countDigits(b []byte, i, limit int) int {
	n := 0
	for i+n < len(b) && n < limit && digit(b[i+n]) {
		n++
	}
	return n
}

// stamp is what scanISO found.
type stamp struct {
	n    int  // bytes
	frac int  // fraction digits
	zone byte // 'Z', '+', '-' or 0
	sep  byte // between date and time
}

// scanISO reads YYYY-MM-DD(T|␣|_)HH:MM:SS[(.|,)FRACTION][Z|±HH[[:]MM]].
func scanISO(b []byte) (s stamp) {
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || !digitsAt(b, 0, 4) || !digitsAt(b, 5, 2) || !digitsAt(b, 8, 2) {
		return s
	}
	s.sep = b[10]
	if s.sep != 'T' && s.sep != ' ' && s.sep != '_' {
		return s
	}
	n := scanClock(b[11:])
	if n == 0 {
		return s
	}
	i := 11 + n
	if i < len(b) && (b[i] == '.' || b[i] == ',') {
		if f := countDigits(b, i+1, 10); f > 0 {
			s.frac = f
			i += 1 + f
		}
	}
	s.zone, n = scanZone(b[i:])
	s.n = i + n
	return s
}

// scanZone reads Z, ±HH, ±HHMM or ±HH:MM.
func scanZone(b []byte) (zone byte, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	switch b[0] {
	case 'Z':
		return 'Z', 1
	case '+', '-':
		switch {
		case digitsAt(b, 1, 4):
			return b[0], 5
		case digitsAt(b, 1, 2) && len(b) > 5 && b[3] == ':' && digitsAt(b, 4, 2):
			return b[0], 6
		case digitsAt(b, 1, 2):
			return b[0], 3
		}
	}
	return 0, 0
}

// scanClock reads HH:MM:SS.
func scanClock(b []byte) int {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' || !digitsAt(b, 0, 2) || !digitsAt(b, 3, 2) || !digitsAt(b, 6, 2) {
		return 0
	}
	return 8
}

// scanFraction reads .FRACTION or ,FRACTION.
func scanFraction(b []byte) int {
	if len(b) < 2 || b[0] != '.' && b[0] != ',' {
		return 0
	}
	if n := countDigits(b, 1, 10); n > 0 {
		return 1 + n
	}
	return 0
}

// scanSlashed reads the date and time of package log: YYYY/MM/DD␣HH:MM:SS[.FRACTION].
func scanSlashed(b []byte) int {
	if len(b) < 19 || b[4] != '/' || b[7] != '/' || b[10] != ' ' || !digitsAt(b, 0, 4) || !digitsAt(b, 5, 2) || !digitsAt(b, 8, 2) || scanClock(b[11:]) == 0 {
		return 0
	}
	return 19 + scanFraction(b[19:])
}

// scanMonth reads the time of BSD syslog: a month's word, the day, the time. The
// word is any word, since journald prints it in the user's language: "mar",
// "août", "févr.", "3月".
func scanMonth(b []byte) int {
	i := 0
	for i < len(b) && i < 12 && (isLetter(b[i]) || b[i] >= 0x80) {
		i++
	}
	if i < 2 || i > 10 {
		if i != 0 || len(b) < 6 { // "3月": digits and one word of three bytes
			return 0
		}
		i = countDigits(b, 0, 2)
		j := i
		for j < len(b) && j < i+4 && b[j] >= 0x80 {
			j++
		}
		if i == 0 || j != i+3 {
			return 0
		}
		i = j
	}
	if i < len(b) && b[i] == '.' {
		i++
	}
	if i >= len(b) || b[i] != ' ' {
		return 0
	}
	i++
	if i < len(b) && b[i] == ' ' {
		i++
	}
	d := countDigits(b, i, 2)
	i += d
	if d == 0 || i >= len(b) || b[i] != ' ' {
		return 0
	}
	i++
	c := scanClock(b[i:])
	if c == 0 {
		return 0
	}
	i += c
	return i + scanFraction(b[i:])
}

// scanUS reads M/D/YYYY[,]␣h:mm:ss[␣AM|PM] as user interfaces print it.
func scanUS(b []byte) int {
	i := countDigits(b, 0, 2)
	if i == 0 || i >= len(b) || b[i] != '/' {
		return 0
	}
	i++
	d := countDigits(b, i, 2)
	i += d
	if d == 0 || i >= len(b) || b[i] != '/' {
		return 0
	}
	i++
	y := countDigits(b, i, 4)
	i += y
	if y < 2 {
		return 0
	}
	if i < len(b) && b[i] == ',' {
		i++
	}
	if i >= len(b) || b[i] != ' ' {
		return 0
	}
	n := scanShortClock(b[i+1:])
	if n == 0 {
		return 0
	}
	return i + 1 + n
}

// scanShortClock reads h:mm[:ss][.FRACTION][␣AM|PM].
func scanShortClock(b []byte) int {
	i := countDigits(b, 0, 2)
	if i == 0 || i >= len(b) || b[i] != ':' || !digitsAt(b, i+1, 2) {
		return 0
	}
	i += 3
	if i < len(b) && b[i] == ':' && digitsAt(b, i+1, 2) {
		i += 3
		i += scanFraction(b[i:])
	}
	if i+3 <= len(b) && b[i] == ' ' && (b[i+1]|0x20 == 'a' || b[i+1]|0x20 == 'p') && b[i+2]|0x20 == 'm' {
		i += 3
	}
	return i
}
