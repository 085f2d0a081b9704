// The address bar keeps what is looked at: #LOCK/SCENARIO&from=14.1&to=15.3&violation=2&event=881&find=busy, times in
// seconds. A link with it opens the same view.

let rememberTimer = 0, wanted = null;

function anchorOf(view) {
  return view.figure.closest("#finding") ? "finding" : view.cell;
}

function addressOf(view) {
  const parts = [`from=${(view.from / 1e6).toFixed(6)}`, `to=${(view.to / 1e6).toFixed(6)}`];
  if (view.violation >= 0) parts.push("violation=" + (view.violation + 1));
  if (view.selected && view.selected.row !== undefined) parts.push("event=" + view.trial.ops.index[view.selected.row]);
  if (view.query) parts.push("find=" + encodeURIComponent(view.query));
  if (view.onlyStruck) parts.push("lanes=violation");
  return "#" + anchorOf(view) + "&" + parts.join("&");
}

function setAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // A page in a sandbox may not change its address. Nothing else depends on it.
  }
}

// After a rest, since browsers limit how often.
function remember(view) {
  if (view.quiet) return;
  clearTimeout(rememberTimer);
  rememberTimer = setTimeout(() => setAddress(addressOf(view)), 200);
}

function addressParts() {
  const [anchor, ...rest] = location.hash.slice(1).split("&");
  return { anchor, values: new URLSearchParams(rest.join("&")) };
}

function seconds(values, name) {
  const number = Number(values.get(name));
  return values.get(name) && Number.isFinite(number) ? number * 1e6 : null;
}

function applyWanted(view) {
  if (!wanted || wanted.anchor !== anchorOf(view)) return;
  const { values } = wanted, from = seconds(values, "from"), to = seconds(values, "to");
  wanted = null;
  view.quiet = true;
  const violation = Number(values.get("violation"));
  if (violation >= 1 && violation <= view.trial.violations.length) goToViolation(view, violation - 1);
  view.onlyStruck = values.get("lanes") === "violation" && view.violation >= 0;
  chooseLanes(view);
  if (values.get("event")) selectEvent(view, Number(values.get("event")));
  if (values.get("find")) {
    view.find.value = values.get("find");
    search(view, values.get("find"));
  }
  if (from !== null && to !== null && to > from) showStretch(view, from, to);
  view.quiet = false;
}

// Opens and scrolls to what the address names, and keeps the rest for the view that is made there.
function followAddress() {
  const { anchor, values } = addressParts();
  if (!anchor) return;
  const place = document.getElementById(anchor);
  filterCells(values.get("cells") ?? undefined);
  if (!place || ![...values.keys()].length) return;
  wanted = { anchor, values };
  for (let folded = place.closest("details"); folded; folded = folded.parentElement.closest("details")) {
    folded.open = true;
  }
  place.scrollIntoView();
  const view = views.find((v) => anchorOf(v) === anchor);
  if (view) applyWanted(view);
}
