(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  root.classList.add("js");

  // Dark and light: what the system wants, until somebody chooses.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => { try { return localStorage.getItem("crashtriage-theme"); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem("crashtriage-theme", theme); } catch { /* a page without storage */ } };
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  const toggleTheme = () => {
    root.dataset.theme = dark() ? "light" : "dark";
    remember(root.dataset.theme);
  };
  document.getElementById("theme").addEventListener("click", toggleTheme);

  const help = document.getElementById("help");
  document.getElementById("keys").addEventListener("click", () => help.showModal());

  // A list of entries with a form above it that narrows it.
  const narrow = (form, list, words) => {
    const entries = all(":scope > details", list).map((e) => ({
      e, n: Number(e.dataset.n || 1), state: e.dataset.s || "", wait: Number(e.dataset.w || 0), std: e.classList.contains("std"), text: null, own: null,
    }));
    const total = entries.reduce((sum, x) => sum + x.n, 0);
    const field = (name) => form.querySelector(`[data-filter="${name}"]`);
    const value = (name) => (field(name) ? field(name).value.trim() : "");
    const output = form.querySelector("output");
    const none = list.parentElement.querySelector(":scope > .nothing");
    // What is searched is read once, when it is first needed.
    const texts = (x) => {
      if (x.text === null) {
        const join = (selector) => all(selector, x.e).map((c) => c.textContent).join("\n").toLowerCase();
        x.text = x.e.classList.contains("other") ? x.e.textContent.toLowerCase() : join("summary .fn, code, .notes");
        x.own = join("summary .fn, .fr li:not(.s) code, .by code, .notes");
      }
    };
    const apply = () => {
      const terms = value("text").toLowerCase().split(/\s+/).filter(Boolean);
      const state = value("state");
      const wait = Number(value("wait")) || 0;
      const own = Boolean(field("own") && field("own").checked);
      let shown = 0;
      let goroutines = 0;
      for (const x of entries) {
        if (terms.length) texts(x);
        const text = own ? x.own : x.text;
        const fits = (!state || x.state === state) && x.wait >= wait && !(own && x.std) && terms.every((t) => text.includes(t));
        x.e.hidden = !fits;
        if (fits) { shown++; goroutines += x.n; }
      }
      list.classList.toggle("only-own", own);
      output.value = words(shown, entries.length, goroutines, total);
      if (none) none.hidden = shown > 0;
      label();
    };
    const clear = () => { form.reset(); apply(); };
    const button = form.querySelector('[data-act="all"]');
    const visible = () => entries.filter((x) => !x.e.hidden).map((x) => x.e);
    const label = () => { if (button) button.textContent = visible().some((e) => !e.open) ? "Open all" : "Fold all"; };
    const toggleAll = () => {
      const open = visible().some((e) => !e.open);
      visible().forEach((e) => { e.open = open; });
      label();
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    if (button) button.addEventListener("click", toggleAll);
    if (none) none.querySelector("button").addEventListener("click", () => { clear(); field("text").focus(); });
    form.clear = clear;
    form.toggleAll = toggleAll;
    apply();
  };
  for (const form of all("form.filter")) {
    if (form.dataset.for) {
      narrow(form, document.getElementById(form.dataset.for), (shown, of) => `${grouped(shown)} of ${grouped(of)}`);
    } else {
      narrow(form, form.parentElement.querySelector(".shapes"),
        (shown, of, n, total) => `${grouped(shown)} of ${grouped(of)} shapes, ${grouped(n)} of ${grouped(total)} goroutines`);
    }
  }

  // A link into something folded opens it.
  const reveal = () => {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    if (!target) return;
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // Paper can't be unfolded: lists that are short enough are printed open.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = all(".few > details:not([open]), .also:not([open])");
    unfolded.forEach((e) => { e.open = true; });
  });
  addEventListener("afterprint", () => { unfolded.forEach((e) => { e.open = false; }); unfolded = []; });

  // Keys.
  const shown = (e) => e.getClientRects().length > 0;
  const entries = () => all(".shapes > details > summary, .others > details > summary").filter(shown);
  const step = (by) => {
    const list = entries();
    const at = list.indexOf(document.activeElement);
    let next = at < 0 ? (by > 0 ? list.find((e) => e.getBoundingClientRect().top > 60) || list[0] : list[0]) : list[at + by];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  };
  const nearestForm = () => {
    const inside = document.activeElement && document.activeElement.closest(".view");
    return (inside && inside.querySelector("form.filter")) || all("form.filter").find(shown);
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const typing = event.target.closest && event.target.closest("input, select, textarea");
    if (event.key === "Escape" && typing) {
      const form = typing.closest("form.filter");
      if (form) form.clear();
      typing.blur();
      return;
    }
    if (typing && typing.type !== "checkbox") return;
    const form = nearestForm();
    switch (event.key) {
      case "/": if (form) { form.querySelector('[data-filter="text"]').focus(); } break;
      case "j": step(1); break;
      case "k": step(-1); break;
      case "o": {
        const entry = document.activeElement && document.activeElement.closest("summary");
        if (entry) entry.parentElement.open = !entry.parentElement.open;
        break;
      }
      case "e": if (form) form.toggleAll(); break;
      case "t": toggleTheme(); break;
      case "?": help.showModal(); break;
      default: return;
    }
    event.preventDefault();
  });
})();
