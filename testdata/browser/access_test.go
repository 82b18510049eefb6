package browser

import (
	"strings"
	"testing"
)

// contrast lists visible texts whose contrast with what is behind them is below the 4.5 that WCAG 2
// asks for at level AA.
const contrast = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const rgba = colour => {
		canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255];
	};
	const over = (top, under) => top.slice(0, 3).map((c, i) => c * top[3] + under[i] * (1 - top[3])).concat(1);
	const behind = e => {
		const layers = [];
		for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] === 1) break; }
		return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
	};
	const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const bad = new Set();
	let seen = 0;
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.matches("script, style, title, option")) continue;
		seen++;
		const style = getComputedStyle(e), ground = behind(e);
		const ink = over(rgba(e.namespaceURI.endsWith("svg") ? style.fill : style.color), ground);
		const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) bad.add(ratio.toFixed(2) + " " + e.tagName + "." + e.getAttribute("class") + " " + walker.currentNode.data.trim().slice(0, 30));
	}
	return seen + " texts\n" + [...bad].join("\n");
})()`

func pages(t *testing.T) map[string]string {
	t.Helper()
	log := `{"@level":"error","@message":"RPC failed","@module":"agent","@timestamp":"2026-04-23T17:13:20.011Z"}
{"@level":"warn","@message":"slow","@module":"agent","@timestamp":"2026-04-23T17:13:21.011Z"}
{"@level":"info","@message":"fine","@module":"agent","@timestamp":"2026-04-23T17:13:22.011Z"}
`
	return map[string]string{
		"crash":   reportOn(t, log+dump(12)),
		"log":     reportOn(t, log),
		"nothing": reportOn(t, "just a line\n"),
		"hostile": hostilePage(t),
	}
}

func TestContrast(t *testing.T) {
	for name, path := range pages(t) {
		for _, scheme := range []string{"light", "dark"} {
			tb := open(t, path, theme(scheme))
			do(tb, `localStorage.clear(); delete document.documentElement.dataset.theme; document.querySelectorAll("details").forEach(e => { e.open = true; })`)
			found := eval[string](tb, contrast)
			seen, bad, _ := strings.Cut(found, "\n")
			if seen == "0 texts" {
				t.Errorf("%s, %s: no text was seen", name, scheme)
			}
			if bad != "" {
				t.Errorf("%s, %s: too little contrast:\n%s", name, scheme, bad)
			}
		}
	}
}

// Whatever can be used has a name, whatever can be reached shows it, and the page has its landmarks.
func TestNamesAndLandmarks(t *testing.T) {
	for name, path := range pages(t) {
		tb := open(t, path)
		want(tb, `[...document.querySelectorAll("input, select, button, summary, a[href], [tabindex], [role=region], svg[role=img]")].filter(e =>
			!(e.getAttribute("aria-label") || (e.labels && e.labels.length) || e.textContent.trim())).length`, 0)
		want(tb, `["header", "nav[aria-label]", "main", "footer", "h1"].filter(s => document.querySelectorAll(s).length !== 1).join()`, "")
		want(tb, `document.documentElement.lang`, "en")
		tb.keys("\t")
		if outline := eval[string](tb, `getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
			t.Errorf("%s: the focus can't be seen", name)
		}
	}
}
