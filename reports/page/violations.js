// Violations on the timeline: a red frame over the lanes that take part, hatched where they hold, and going from one
// to the next.

function violationLabel(v) {
  const exclusion = v.clients.length > 1 && v.properties.some((p) => p.endsWith("_exclusion"));
  const one = v.clients.every((client) => client === v.clients[0]);
  const holders = one ? "acts as holder twice" : v.clients.length === 2 ? "both act as holder" : "all act as holder";
  const what = exclusion ? holders : v.properties[0].replaceAll("_", " ") + " violated";
  return "✗ " + what + (v.to > v.from ? ", " + lengthText(v.to - v.from) : "");
}

function drawViolation(view, brush, v, current) {
  if (v.to < view.from || v.from > view.to) return;
  const x = clampX(view, xOf(view, v.from)), wide = Math.max(clampX(view, xOf(view, v.to)) - x, 2);
  const lanes = v.clients.map((c) => laneOf(view, c)).filter((lane) => lane >= 0);
  for (const lane of lanes.length ? lanes : [0]) {
    const y = laneY(view, lane);
    brush.globalAlpha = current ? 0.9 : 0.45;
    brush.fillStyle = ink.violation;
    brush.fillRect(x, y + view.size.bar[0], wide, view.size.bar[1]);
    brush.globalAlpha = 1;
    if (!current) continue;  // many that overlap would hide each other
    brush.globalAlpha = 0.13;
    brush.fillStyle = ink.red;
    brush.fillRect(x, y, wide, view.size.high);
    brush.globalAlpha = 1;
    brush.strokeStyle = ink.red;
    brush.lineWidth = 1.5;
    brush.strokeRect(x, y + 0.5, wide, view.size.high - 1);
  }
}

function nameViolation(view, brush, v) {
  if (v.to < view.from || v.from > view.to) return;
  const x = clampX(view, xOf(view, v.from)), to = Math.max(clampX(view, xOf(view, v.to)), x + 2);
  const y = view.lanesTop;
  brush.strokeStyle = ink.red;
  brush.lineWidth = 2;
  brush.beginPath();
  brush.moveTo(x, y);
  brush.lineTo(x, y - 5);
  brush.lineTo(to, y - 5);
  brush.lineTo(to, y);
  brush.stroke();
  const text = violationLabel(v);
  brush.font = `600 12px ${ink.font}`;
  const half = brush.measureText(text).width / 2;
  const middle = Math.min(Math.max((x + to) / 2, view.left + half), view.right - half);
  write(brush, text, middle, y - 9, { size: 12, colour: ink.red, align: "center", bold: true });
}

function drawViolations(view, brush) {
  const list = view.trial.violations;
  list.forEach((v, i) => i !== view.violation && drawViolation(view, brush, v, false));
  if (view.violation >= 0) drawViolation(view, brush, list[view.violation], true);
}

// The holds that take part, with a margin; but the violation itself is never lost in them.
function stretchAround(trial, v) {
  const length = Math.max(v.to - v.from, 1000);
  let from = v.from, to = v.to;
  for (const span of trial.spans) {
    if (span.key !== v.key || !v.clients.includes(span.client) || span.from > v.to || span.to < v.from) continue;
    from = Math.min(from, span.from);
    to = Math.max(to, span.to, Math.min(span.lease, v.to + length));
  }
  if (v.to > v.from) {
    from = Math.max(from, v.from - length * 6);
    to = Math.min(to, v.to + length * 6);
  }
  const margin = Math.max((to - from) / 12, 1000);
  return [from - margin, to + margin];
}

function goToViolation(view, number) {
  const list = view.trial.violations;
  if (!list.length) return;
  view.violation = (number + list.length) % list.length;
  view.selected = { violation: list[view.violation] };
  chooseLanes(view);
  showStretch(view, ...stretchAround(view.trial, list[view.violation]));
}

// The violation described beside the picture, else the first; -1 if there is none.
function openingViolation(figure, { violations }) {
  const from = Number(figure.dataset.from), property = figure.dataset.property;
  const told = violations.findIndex((v) => v.from === from && v.properties.includes(property));
  return told >= 0 ? told : violations.length ? 0 : -1;
}

// The initial stretch: that violation, else the first fault, else everything.
function openingStretch(view) {
  const { violations, faults, begin, end } = view.trial;
  if (view.violation >= 0) return stretchAround(view.trial, violations[view.violation]);
  if (!faults.length) return [begin, end];
  const first = faults.reduce((a, b) => (b.from < a.from ? b : a));
  const margin = Math.max(1e6, (first.to - first.from) / 4);
  return [first.from - margin, first.to + margin];
}
