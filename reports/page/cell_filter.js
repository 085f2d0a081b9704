// A field above the cells that leaves those whose name and outcome have all its words; matrix and list follow it.

let filterField = null, filterCount = null;

function cellTexts() {
  const links = new Map();
  for (const link of document.querySelectorAll("#matrix a")) {
    const to = link.getAttribute("href");
    links.has(to) ? links.get(to).push(link) : links.set(to, [link]);
  }
  return [...document.querySelectorAll("details.cell")].map((cell) => {
    const body = cell.querySelector(".cell-body");
    const own = links.get("#" + body.id) ?? [];
    const lock = cell.closest("details.lock"), text = cell.querySelector("summary").textContent.toLowerCase();
    return { cell, links: own, lock, text };
  });
}

let filterable = null;

// Locks without a cell that fits are hidden, and the first few others are unfolded: all would be slow to lay out.
const MOST_UNFOLDED = 3;
const openAtFirst = new Map();

function showLocks(fitting, filtered) {
  let unfolded = 0;
  for (const lock of document.querySelectorAll("details.lock")) {
    if (!openAtFirst.has(lock)) openAtFirst.set(lock, lock.open);
    const fits = fitting.has(lock), open = filtered ? fits && unfolded++ < MOST_UNFOLDED : openAtFirst.get(lock);
    if (lock.hidden === fits) lock.hidden = !fits;
    if (lock.open !== open) lock.open = open;
  }
}

function filterCells(text) {
  if (!filterField || (text === undefined && !filterField.value)) return;
  if (text !== undefined) filterField.value = text;
  filterable ??= cellTexts();
  const words = filterField.value.toLowerCase().split(/\s+/).filter((word) => word);
  let shown = 0;
  const fitting = new Set();  // locks
  for (const { cell, links, lock, text: found } of filterable) {
    const fits = words.every((word) => found.includes(word));
    if (cell.hidden === fits) cell.hidden = !fits;
    shown += fits;
    if (fits) fitting.add(lock);
    for (const link of links) link.classList.toggle("dimmed", !fits);
  }
  showLocks(fitting, words.length > 0);
  filterCount.textContent = words.length ? `${shown} of ${filterable.length} cells` : "";
}

function buildCellFilter() {
  const place = document.querySelector("#cells > h2");
  if (!place || document.querySelectorAll("details.cell").length < 4) return;
  filterField = tag("input", { type: "search", placeholder: "filter: pause, ip_lease, caught, missed …",
    "aria-label": "filter the cells", spellcheck: "false" });
  filterCount = tag("span", { class: "place", role: "status" });
  filterField.addEventListener("input", () => {
    filterCells(filterField.value);
    const value = encodeURIComponent(filterField.value);
    setAddress(value ? "#cells&cells=" + value : "#cells");
  });
  place.after(tag("div", { class: "tools" }, filterField, filterCount));
}
