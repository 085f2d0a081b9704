// One interactive timeline: its state, what it is made of, and when it is drawn.
//
// A view has the part of the trial that is shown (`from`, `to`), the violation that is looked at, what is selected or
// pointed at, and what is searched for. Everything that changes one of these calls `redraw`; drawing happens once a
// frame.

const views = [];

function tag(name, attributes = {}, ...inner) {
  const out = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, value);
  out.append(...inner);  // strings become text, never markup
  return out;
}

function newView(figure, trial) {
  const view = {
    figure, trial, cell: figure.dataset.cell, violation: openingViolation(figure, trial), selected: null,
    pointed: null, query: "", matches: null, onlyStruck: false, drag: null, dirty: false, frames: 0,
    waits: waitsOf(trial), holders: holdersOf(trial), writes: [],
  };
  for (let row = 0; row < trial.ops.count; ++row) if (trial.ops.kind[row] === WRITE) view.writes.push(row);
  view.latency = latencyScale(view);
  if (view.violation >= 0) view.selected = { violation: trial.violations[view.violation] };
  chooseLanes(view);
  [view.from, view.to] = openingStretch(view);
  keepInside(view);
  return view;
}

// Within the trial, and never narrower than some microseconds.
function keepInside(view) {
  const { begin, end } = view.trial, least = Math.min(20, end - begin);
  const length = Math.min(Math.max(view.to - view.from, least), end - begin);
  const middle = (view.from + view.to) / 2;
  view.from = Math.min(Math.max(view.to - view.from > length ? begin : middle - length / 2, begin), end - length);
  view.to = view.from + length;
}

function showStretch(view, from, to) {
  view.note.hidden = true;
  view.from = from;
  view.to = to;
  keepInside(view);
  remember(view);
  redraw(view);
}

function zoom(view, factor, around) {
  const at = around ?? (view.from + view.to) / 2;
  showStretch(view, at - (at - view.from) * factor, at + (view.to - at) * factor);
}

function pan(view, part) {
  const by = (view.to - view.from) * part, { begin, end } = view.trial;
  const shift = Math.min(Math.max(by, begin - view.from), end - view.to);
  showStretch(view, view.from + shift, view.to + shift);
}

function redraw(view) {
  if (view.dirty) return;
  view.dirty = true;
  requestAnimationFrame(() => {
    view.dirty = false;
    draw(view);
  });
}

function measure(view) {
  const width = Math.max(320, view.stage.clientWidth);
  if (width !== view.width) view.minimapGround = null;
  view.width = width;
  view.left = width > 640 ? 84 : 62;
  view.right = width - EDGE;
}

function drawTimeline(view) {
  const scratch = view.main.getContext("2d");
  const rows = faultRows(view, scratch);
  view.lanesTop = rows.length * FAULT_ROW + (view.violation >= 0 ? 26 : 8);
  view.lanesBottom = laneY(view, view.lanes.length);
  view.high = view.lanesBottom + 20;
  const brush = brushOf(view.main, view.width, view.high);
  drawLaneGround(view, brush);
  drawGrid(view, brush, view.lanesTop, view.lanesBottom, true);
  drawFaultRows(view, brush, rows);
  view.faultRows = rows;
  inside(view, brush, view.lanesTop - 26, view.high, () => {
    drawFaultBands(view, brush, view.lanesTop, view.lanesBottom, true);
    drawLanes(view, brush);
    drawViolations(view, brush);
    drawLeaseEnds(view, brush);
    drawWrites(view, brush);
    if (view.violation >= 0) nameViolation(view, brush, view.trial.violations[view.violation]);
    drawSelection(view, brush);
  });
}

// `data-draw-ms` is how long the last drawing took, `data-ready-ms` the way from the packed text to the first.
function draw(view) {
  const begin = performance.now();
  measure(view);
  drawTimeline(view);
  drawMinimap(view);
  drawPlots(view);
  view.figure.dataset.drawMs = (performance.now() - begin).toFixed(1);
  ++view.frames;
  tellState(view);
}
