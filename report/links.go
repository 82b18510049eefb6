package report

import (
	"slices"
	"strings"
)

// linked makes the threads that matches name clickable in text for a terminal (OSC 8). Only
// addresses of packs become links, never a text of the log; the text stays what it was.
func linked(text string, d *Document) string {
	var pairs []string
	seen := map[string]bool{}
	add := func(url string) {
		if !linkable(url) || seen[url] {
			return
		}
		seen[url] = true
		pairs = append(pairs, url)
	}
	for _, it := range ranked(d) {
		list := []*Match{it.finding}
		if it.inc != nil {
			list = it.inc.Matches
		}
		for _, m := range list {
			add(m.Fix.URL)
			add(m.Issue)
		}
	}
	// The longest first: one thread's number may begin another's.
	slices.SortFunc(pairs, func(a, b string) int { return len(b) - len(a) })
	var replace []string
	for _, url := range pairs {
		for _, shown := range []string{url, shortURL(url)} {
			replace = append(replace, shown, "\x1b]8;;"+url+"\x1b\\"+shown+"\x1b]8;;\x1b\\")
		}
	}
	return strings.NewReplacer(replace...).Replace(text)
}

// linkable says whether a terminal may be given an address: plain printable ASCII, and the web.
func linkable(url string) bool {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return false
	}
	return plain(url) && !strings.Contains(url, " ")
}
