package parse

import "time"

// clockTime reads the timestamp that a wrapper put in front of a line: see timestamp; and journald's
// microseconds since 1970. It is zero for what has no year (syslog's "Nov  3 04:10:12") or is none.
func clockTime(b []byte) time.Time {
	if len(b) == 16 && isDigits(b) {
		if us, ok := atoi64(b); ok {
			return time.UnixMicro(us).UTC()
		}
	}
	t, _, _ := timestamp(b)
	return t
}

// timestamp reads the date and time that b begins with, and how long it is:
//
//	2006-01-02T15:04:05[.fraction][Z|±hh:mm|±hhmm]   also with a blank for T, "," for ".", and " +0000", " UTC" behind
//	2006/01/02 15:04:05[.fraction]
//
// A time without a zone is taken as UTC. Dates that don't exist are no times.
func timestamp(b []byte) (t time.Time, n int, ok bool) {
	if len(b) < 19 || b[13] != ':' || b[16] != ':' || b[4] != b[7] {
		return t, 0, false
	}
	sep := b[10]
	switch b[4] {
	case '-':
		if sep != 'T' && sep != ' ' && sep != '_' {
			return t, 0, false
		}
	case '/':
		if sep != ' ' {
			return t, 0, false
		}
	default:
		return t, 0, false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	hour, ok4 := digits(b[11:13])
	minute, ok5 := digits(b[14:16])
	sec, ok6 := digits(b[17:19])
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || sec > 60 {
		return t, 0, false
	}
	n = 19
	nsec := 0
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',') && isDigit(b[n+1]) {
		n++
		scale := 100_000_000
		for n < len(b) && isDigit(b[n]) {
			nsec += int(b[n]-'0') * scale
			scale /= 10
			n++
		}
	}
	loc := time.UTC
	if b[4] == '-' {
		offset, m := zone(b[n:])
		if m == 0 && sep == ' ' && n+1 < len(b) && b[n] == ' ' { // "… +0000", "… UTC"
			if offset, m = zone(b[n+1:]); m > 0 {
				m++
			}
		}
		if offset != 0 {
			loc = fixedZone(offset)
		}
		n += m
	}
	return time.Date(year, time.Month(month), day, hour, minute, sec, nsec, loc), n, true
}

// zone reads Z, UTC, ±hh, ±hhmm or ±hh:mm, in seconds east of UTC.
func zone(b []byte) (offset, n int) {
	switch {
	case len(b) == 0:
		return 0, 0
	case b[0] == 'Z':
		return 0, 1
	case len(b) >= 3 && string(b[:3]) == "UTC":
		return 0, 3
	case b[0] != '+' && b[0] != '-' || len(b) < 5:
		return 0, 0
	}
	h, ok := digits(b[1:3])
	rest, n := b[3:], 5
	if rest[0] == ':' {
		rest, n = rest[1:], 6
	}
	if !ok || h > 14 || len(rest) < 2 {
		return 0, 0
	}
	m, ok := digits(rest[:2])
	if !ok || m > 59 {
		return 0, 0
	}
	offset = h*3600 + m*60
	if b[0] == '-' {
		offset = -offset
	}
	return offset, n
}

// fixedZone holds the zones of a log: one or two, so making them anew for every record would be waste.
// It is a table, not a cache: it does not grow and needs no lock.
func fixedZone(offset int) *time.Location {
	if i := offset/900 + 56; offset%900 == 0 && i >= 0 && i < len(zones) {
		return zones[i]
	}
	return time.FixedZone("", offset)
}

var zones = func() (z [113]*time.Location) { // −14 h to +14 h by quarters of an hour
	for i := range z {
		z[i] = time.FixedZone("", (i-56)*900)
	}
	return z
}()

func digits(b []byte) (int, bool) {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
