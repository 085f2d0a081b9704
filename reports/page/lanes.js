// The lanes of the timeline: for each client the boxes of its operations, above, and its spans of belief, below.

const LANE_SIZES = [{ high: 50, ops: [4, 9], bar: [22, 17] }, { high: 30, ops: [2, 7], bar: [13, 13] },
  { high: 17, ops: [1, 4], bar: [7, 8] }];

function laneSize(count) {
  return LANE_SIZES[count <= 12 ? 0 : count <= 30 ? 1 : 2];
}

function laneY(view, lane) {
  return view.lanesTop + lane * view.size.high;
}

function laneOf(view, client) {
  return view.laneOf.has(client) ? view.laneOf.get(client) : -1;
}

// Those of the violation that is looked at first, since they are compared; then all others by number.
function chooseLanes(view) {
  const first = view.violation >= 0 ? view.trial.violations[view.violation].clients : [];
  const all = view.trial.clients;
  view.lanes = [...first.filter((c) => all.includes(c)), ...all.filter((c) => !first.includes(c))];
  if (view.onlyStruck && first.length) view.lanes = view.lanes.slice(0, first.length);
  view.laneOf = new Map(view.lanes.map((client, lane) => [client, lane]));
  view.size = laneSize(view.lanes.length);
}

function drawLaneGround(view, brush) {
  view.lanes.forEach((client, lane) => {
    const y = laneY(view, lane);
    brush.fillStyle = lane % 2 ? ink.paper : ink.panel;
    brush.fillRect(view.left, y, view.right - view.left, view.size.high);
    const name = view.left > 70 ? "client " + client : "c" + client;
    const size = view.size.high > 20 ? 12 : 10;
    write(brush, name, view.left - 8, y + view.size.high / 2 + 4, { size, align: "right", bold: true });
  });
}

// The first row of a lane that may still reach into the window. Rows rise by `from`, and one client's operations follow
// each other except a watchdog's, so that looking back a few is enough.
function firstRow(ops, rows, from) {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ops.from[rows[middle]] < from) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 8);
}

// The significance of an operation: the most significant one is drawn when many share a column of one pixel.
function weightOf(ops, row) {
  if (ops.type[row] === INFO) return 4;
  if (ops.type[row] === FAIL) return ops.reason[row] === BUSY ? 1 : 3;
  return 2;
}

function opBox(view, brush, row, y, x, wide) {
  const ops = view.trial.ops;
  const [top, high] = view.size.ops;
  brush.globalAlpha = view.matches && !view.matches[row] ? 0.12 : 1;
  brush.fillStyle = answerColour(ops.type[row], ops.reason[row]);
  brush.fillRect(x, y + top, wide, high);
  if (ops.type[row] === INFO) {
    brush.strokeStyle = ink.ink;
    brush.setLineDash([2, 2]);
    brush.strokeRect(x + 0.5, y + top + 0.5, Math.max(wide - 1, 1), high - 1);
    brush.setLineDash([]);
  }
  if (wide > 46 && high > 8) {
    const name = KINDS[ops.kind[row]] + (wide > 110 ? " " + answerText(ops, row) : "");
    write(brush, name, x + 3, y + top + high + 8, { size: 9, colour: ink.quiet });
  }
  if (wide > 46) drawStatements(view, brush, row, y + top);
  brush.globalAlpha = 1;
}

// Draws an operation's statements if there is room: a line each from sent to answered.
function drawStatements(view, brush, row, y) {
  const ops = view.trial.ops, { first, call, took } = ops.statements;
  brush.fillStyle = ink.paper;
  for (let i = first[row]; i < first[row + 1]; ++i) {
    const from = xOf(view, ops.from[row] + call[i]);
    const to = xOf(view, ops.from[row] + call[i] + took[i]);
    brush.fillRect(from + 1, y + 3.5, Math.max(to - from - 2, 1), 2);
  }
}

function drawLaneOps(view, brush, client, lane) {
  const ops = view.trial.ops, rows = view.trial.rows.get(client) || [];
  const y = laneY(view, lane), [top, high] = view.size.ops;
  const left = Math.floor(view.left), columns = new Uint8Array(Math.ceil(view.right - view.left) + 1);
  const shade = new Int32Array(columns.length);
  for (let i = firstRow(ops, rows, view.from); i < rows.length; ++i) {
    const row = rows[i];
    if (ops.from[row] > view.to) break;
    if (ops.to[row] < view.from) continue;
    const x = clampX(view, xOf(view, ops.from[row])), wide = clampX(view, xOf(view, ops.to[row])) - x;
    if (wide >= 2.5) {
      opBox(view, brush, row, y, x, wide);
      continue;
    }
    const at = Math.round(x) - left;
    const weight = weightOf(ops, row) + (!view.matches || view.matches[row] ? 8 : 0);
    if (weight > columns[at]) columns[at] = weight, shade[at] = row;
  }
  for (let at = 0; at < columns.length; ++at) {
    if (!columns[at]) continue;
    brush.globalAlpha = columns[at] < 8 ? 0.12 : 1;
    brush.fillStyle = answerColour(ops.type[shade[at]], ops.reason[shade[at]]);
    brush.fillRect(left + at, y + top, 1.5, high);
  }
  brush.globalAlpha = 1;
}

function drawSpan(view, brush, span, key) {
  const y = laneY(view, laneOf(view, span.client)) + view.size.bar[0], high = view.size.bar[1];
  const x = clampX(view, xOf(view, span.from));
  const wide = Math.max(clampX(view, xOf(view, span.to)) - x, 1.5);
  brush.fillStyle = key !== null && span.key !== key ? ink.barOther : ink.bar;
  brush.fillRect(x, y, wide, high);
  if (!span.lease || span.lease >= span.to) return;
  const since = Math.min(Math.max(xOf(view, span.lease), x), x + wide);
  brush.fillStyle = ink.lapsed;
  brush.fillRect(since, y, x + wide - since, high);
}

function drawLanes(view, brush) {
  const key = view.violation >= 0 ? view.trial.violations[view.violation].key : null;
  view.lanes.forEach((client, lane) => drawLaneOps(view, brush, client, lane));
  const ends = new Float64Array(view.lanes.length).fill(-1);
  for (const span of view.trial.spans) {
    const lane = laneOf(view, span.client);
    if (lane < 0 || span.to < view.from || span.from > view.to) continue;
    const end = xOf(view, span.to);
    if (end < ends[lane] + 0.5) continue;  // not a pixel more than what is drawn there
    ends[lane] = end;
    drawSpan(view, brush, span, key);
  }
}
