// Copies texts, opens what a link leads to, and sorts and filters the list of failures. The page works without it.
(() => {
  // For pages that may not use the clipboard directly.
  const by_selection = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return by_selection(text);
    }
  };
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.textContent = (await copy(button.previousElementSibling.textContent)) ? "copied" : "failed";
      setTimeout(() => (button.textContent = "copy"), 1500);
    });
  }
})();
(() => {
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    target.hidden = false;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  // A second click on the same link does not change the hash.
  document.addEventListener("click", (e) => {
    const link = e.target.closest?.('a[href^="#"]');
    if (link && link.hash === location.hash) reveal();
  });
  reveal();
})();
(() => {
  const list = document.getElementById("list");
  const form = document.getElementById("filter");
  if (!list || !form) return;
  const cell = (row, n) => row.firstElementChild.children[n].textContent;
  const rows = [...list.children].map((row) => ({
    row,
    i: +row.dataset.i,
    t: +row.dataset.t,
    k: cell(row, 1),
    s: cell(row, 2),
    o: cell(row, 3),
    n: cell(row, 4),
    text: row.firstElementChild.textContent.toLowerCase(),
  }));
  const filter = () => {
    const words = form.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const r of rows) {
      const d = r.row.dataset;
      const fits =
        (!form.solver.value || d.s === form.solver.value) &&
        (!form.verdict.value || d.v === form.verdict.value) &&
        (!form.flaky.checked || "f" in d) &&
        words.every((w) => r.text.includes(w));
      r.row.hidden = !fits;
      shown += fits;
    }
    form.shown.value = shown === rows.length ? `${shown} shown` : `${shown} of ${rows.length} shown`;
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0);
  let last = "i";
  let down = 1;
  for (const button of document.querySelectorAll("button[data-sort]")) {
    button.addEventListener("click", () => {
      const key = button.dataset.sort;
      down = key === last ? -down : key === "t" ? -1 : 1;
      last = key;
      for (const b of document.querySelectorAll("button[data-sort]")) b.removeAttribute("aria-pressed");
      button.setAttribute("aria-pressed", "true");
      button.dataset.down = down;
      rows.sort((a, b) => down * compare(a[key], b[key]) || a.i - b.i);
      list.append(...rows.map((r) => r.row));
    });
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (e) => e.preventDefault());
  form.hidden = false;
  filter();
})();
