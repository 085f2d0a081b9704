// The parts of a view in the page: buttons, search, canvases, a description in words, tables. A still
// picture before it stays for paper.

const HELP = [["w / s", "zoom in, out"], ["a / d", "move left, right"], ["n / p", "next, previous violation"],
  ["0", "the whole trial"], ["← / →", "previous, next operation of the client (on the timeline)"],
  ["/", "search"], ["?", "this list"], ["drag", "zoom to a stretch; with Shift: move"],
  ["wheel", "zoom, after a click or with Ctrl"]];

function button(text, title, act) {
  const out = tag("button", { type: "button", title }, text);
  out.addEventListener("click", act);
  return out;
}

function violationButtons(view) {
  const count = view.trial.violations.length;
  view.place = tag("span", { class: "place" });
  if (!count) return [view.place];
  const only = tag("input", { type: "checkbox" });
  only.checked = view.onlyStruck;
  only.addEventListener("change", () => {
    view.onlyStruck = only.checked;
    chooseLanes(view);
    remember(view);
    redraw(view);
  });
  return [button("◂ previous (p)", "previous violation", () => goToViolation(view, view.violation - 1)), view.place,
    button("next (n) ▸", "next violation", () => goToViolation(view, view.violation + 1)),
    tag("label", { class: "only" }, only, " only the clients of the violation")];
}

function findField(view) {
  view.find = tag("input", { type: "search", placeholder: "find: acquire busy c3 #881 error:1213",
    "aria-label": "find operations in this timeline", spellcheck: "false" });
  view.find.addEventListener("input", () => search(view, view.find.value));
  view.find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") nextMatch(view, event.shiftKey ? -1 : 1);
    if (event.key === "Escape") view.main.focus();
  });
  view.found = tag("span", { class: "place", role: "status" });
  return [view.find, view.found];
}

function toolbar(view) {
  const link = button("copy link", "a link to this view", () => {
    setAddress(addressOf(view));
    copyText(location.href, (done) => say(view, done ? "Copied the link to this view." :
      "The link to this view is in the address bar."));
  });
  const group = { class: "tools", role: "group", "aria-label": "timeline" };
  return tag("div", group, ...violationButtons(view),
    button("−", "zoom out (s)", () => zoom(view, 1 / 0.6)), button("+", "zoom in (w)", () => zoom(view, 0.6)),
    button("whole trial", "show everything (0)", () => showStretch(view, view.trial.begin, view.trial.end)),
    ...findField(view), link);
}

// The signs of the page's list that this picture contains.
function drawnSigns({ trial, writes }) {
  const { spans, ops } = trial, wrote = (what) => writes.some((row) => what(ops.type[row]));
  return { hold: spans.length > 0, lapsed: spans.some((s) => s.lease && s.lease < s.to),
    lease: spans.some((s) => s.lease), fault: trial.faults.length > 0, violation: trial.violations.length > 0,
    accepted: wrote((type) => type === OK), refused: wrote((type) => type === FAIL),
    unanswered: wrote((type) => type !== OK && type !== FAIL) };
}

// Copies of the still picture's signs: the same shapes, and the same colours in the dark.
function lowerSigns(view) {
  const drawn = drawnSigns(view), still = document.querySelector("ul.signs:not(.live-signs)");
  const list = still ? still.querySelectorAll("[data-sign]") : [];
  return [...list].filter((sign) => drawn[sign.dataset.sign]).map((sign) => sign.cloneNode(true));
}

function liveSigns(view) {
  const sign = (kind, text) => tag("li", {}, tag("span", { class: "swatch " + kind }), " " + text);
  const upper = tag("ul", { class: "signs live-signs" }, tag("li", {}, "Upper boxes are operations:"),
    sign("op-ok", "answered"), sign("op-busy", "refused, busy"),
    sign("op-fail", "failed"), sign("op-info", "unknown or never answered"));
  const lower = tag("ul", { class: "signs live-signs" }, tag("li", {}, "Below them:"), ...lowerSigns(view));
  if (view.violation >= 0 && view.trial.keys.length > 1) lower.append(sign("bar-other", "holds another key"));
  return [upper, lower];
}

function helpList(view) {
  const rows = HELP.map(([key, text]) => tag("tr", {}, tag("th", { scope: "row" }, key), tag("td", {}, text)));
  view.help = tag("details", { class: "help" }, tag("summary", {}, "Keys"),
    tag("table", { class: "numbers" }, ...rows));
  return view.help;
}

function say(view, ...texts) {
  if (view.said === texts.join("\n")) return;
  view.said = texts.join("\n");
  view.told.replaceChildren(...texts.map((text) => tag("div", {}, text)));
}

// A text that did not change is left alone, or the page would be laid out again with each frame.
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Describes the visible and the selected part in words, for screen readers and for sighted readers.
function tellState(view) {
  const { trial } = view, shown = `${momentText(view.from)} to ${momentText(view.to)}`;
  const count = trial.violations.length;
  setText(view.place, count ? `violation ${view.violation + 1} of ${count}` : "no violation");
  setText(view.found, view.matches ? countText(view.matchCount) + " found" : "");
  setText(view.shown, `Shown: ${shown}, since the start of the trial, on one clock.`);
  const texts = textsOf(view, view.selected);
  if (texts.length || !view.selected) say(view, ...texts);
  const what = count ? pluralText(count, "violation") + "; " : "";
  view.main.setAttribute("aria-label", `Timeline of ${pluralText(trial.clients.length, "client")}, ${what}${shown}. ` +
    texts.join(". "));
  clearTimeout(view.tableTimer);
  view.tableTimer = setTimeout(() => fillTables(view), 150);
}

function leftOutText({ trial }) {
  const out = [];
  const leftOut = trial.ops.leftOut;
  if (leftOut) out.push(`Not on the page: ${pluralText(leftOut, "operation")} far from violations.`);
  for (const { property, count, kept } of trial.unmarked) {
    out.push(`${countText(kept)} of ${countText(count)} violations of ${property.replaceAll("_", " ")} are marked: ` +
      "the first ones, and the first of each kind.");
  }
  if (trial.cut) out.push("The history is too long to keep in full, so holders are known only for part of it.");
  return out.join(" ");
}

function canvases(view) {
  view.main = tag("canvas", { class: "main", tabindex: "0", role: "application" });
  view.minimap = tag("canvas", { class: "minimap", role: "img", "aria-label": "the whole trial; drag to move" });
  view.plots = tag("canvas", { class: "plots", role: "img",
    "aria-label": "latency, availability and holders; as tables below" });
  view.note = tag("div", { class: "note" });
  view.note.hidden = true;
  view.stage = tag("div", { class: "stage" }, view.main, view.note);
  return [view.stage, view.minimap, view.plots];
}

function buildStage(view) {
  const [stage, minimap, plots] = canvases(view);
  view.shown = tag("span", { class: "place" });
  view.told = tag("div", { class: "told", role: "status" });
  view.tables = tag("details", { class: "as-table" }, tag("summary", {}, "The view as tables"));
  view.tables.addEventListener("toggle", () => fillTables(view));
  const live = tag("div", { class: "live" }, toolbar(view), stage, minimap, tag("p", { class: "shown" }, view.shown,
    " " + leftOutText(view)), ...liveSigns(view), view.told, plots, view.tables, helpList(view));
  view.figure.append(live);
  view.figure.classList.add("moving");
  wheelOn(view, view.main);
  dragOn(view, view.main);
  dragOn(view, view.plots);
  wheelOn(view, view.plots);
  minimapOn(view);
  new ResizeObserver(() => view.stage.clientWidth !== view.width && redraw(view)).observe(view.stage);
}
