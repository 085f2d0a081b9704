// The object under the pointer, or the selected one, and its description.

function opAt(view, client, time) {
  const { ops } = view.trial, rows = view.trial.rows.get(client) || [];
  const slack = (view.to - view.from) / (view.right - view.left) * 3;
  let best = -1, distance = slack;
  for (let i = firstRow(ops, rows, time - slack); i < rows.length && ops.from[rows[i]] <= time + slack; ++i) {
    const row = rows[i], away = Math.max(ops.from[row] - time, time - ops.to[row], 0);
    const better = away < distance || (away === distance && weightOf(ops, row) > (best < 0 ? 0 : weightOf(ops, best)));
    if (better && (!view.matches || view.matches[row])) best = row, distance = away;
  }
  return best;
}

function writeAt(view, client, x) {
  const { ops } = view.trial;
  return view.writes.find((row) => ops.client[row] === client && Math.abs(xOf(view, ops.to[row]) - x) < 6);
}

function spanAt(view, client, time) {
  const slack = (view.to - view.from) / (view.right - view.left) * 2;
  return view.trial.spans.find((s) => s.client === client && s.from - slack <= time && time <= s.to + slack);
}

function thingAt(view, x, y) {
  if (x < view.left || x > view.right) return null;
  const fault = view.faultRows.flatMap((row, i) => row.map((label) => ({ label, y: i * FAULT_ROW })))
    .find(({ label, y: top }) => y >= top && y < top + FAULT_ROW && x >= label.left && x <= label.right);
  if (fault) return { fault: fault.label.fault };
  if (y >= view.lanesTop - 24 && y < view.lanesTop && view.violation >= 0) {
    return { violation: view.trial.violations[view.violation] };
  }
  const lane = Math.floor((y - view.lanesTop) / view.size.high);
  if (lane < 0 || lane >= view.lanes.length) return null;
  const client = view.lanes[lane], time = timeAt(view, x), within = y - laneY(view, lane);
  if (within >= view.size.bar[0] - 2) {
    const write = writeAt(view, client, x);
    if (write !== undefined) return { row: write };
    const span = spanAt(view, client, time);
    if (span) return { span };
  }
  const row = opAt(view, client, time);
  return row >= 0 ? { row } : null;
}

function textsOf(view, thing) {
  if (!thing) return [];
  if (thing.row !== undefined) {
    return [opTitle(view.trial, thing.row), opTimes(view.trial, thing.row), ...statementTexts(view.trial, thing.row)];
  }
  if (thing.span) return spanTexts(view.trial, thing.span);
  return thing.fault ? faultTexts(thing.fault) : violationTexts(thing.violation);
}

function sameThing(a, b) {
  return (a && a.row) === (b && b.row) && (a && a.span) === (b && b.span) && (a && a.fault) === (b && b.fault) &&
    (a && a.violation) === (b && b.violation);
}

function drawSelection(view, brush) {
  if (view.drag && view.drag.kind === "stretch") {
    const [a, b] = [view.drag.x, view.drag.now].sort((p, q) => p - q);
    brush.fillStyle = ink.link;
    brush.globalAlpha = 0.18;
    brush.fillRect(a, view.lanesTop, b - a, view.lanesBottom - view.lanesTop);
    brush.globalAlpha = 1;
  }
  const thing = view.selected;
  if (!thing || (thing.row === undefined && !thing.span)) return;
  const { ops } = view.trial;
  const client = thing.span ? thing.span.client : ops.client[thing.row], lane = laneOf(view, client);
  const [from, to] = thing.span ? [thing.span.from, thing.span.to] : [ops.from[thing.row], ops.to[thing.row]];
  if (lane < 0 || to < view.from || from > view.to) return;
  const x = clampX(view, xOf(view, from)), wide = Math.max(clampX(view, xOf(view, to)) - x, 4);
  brush.strokeStyle = ink.link;
  brush.lineWidth = 2;
  const [top, high] = thing.span ? view.size.bar : view.size.ops;
  brush.strokeRect(x - 2, laneY(view, lane) + top - 2, wide + 4, high + 4);
}

// Beside the pointer, within the window.
function showNote(view, thing, x, y) {
  const note = view.note, lines = textsOf(view, thing);
  note.hidden = lines.length === 0;
  note.replaceChildren(...lines.map((line) => tag("div", {}, line)));
  if (note.hidden) return;
  const left = x + 16 + note.offsetWidth > view.width ? Math.max(0, x - 12 - note.offsetWidth) : x + 16;
  note.style.left = left + "px";
  note.style.top = y + 18 + "px";
}

// Selects an operation by the number of one of its events, and shows its neighbourhood if it is out of sight.
function selectEvent(view, number) {
  const { ops } = view.trial;
  for (let row = 0; row < ops.count; ++row) {
    if (ops.index[row] === number || ops.answer[row] === number) return selectRow(view, row);
  }
  return false;
}

function selectRow(view, row) {
  const { ops } = view.trial, length = view.to - view.from;
  view.selected = { row };
  if (ops.to[row] < view.from || ops.from[row] > view.to) {
    showStretch(view, ops.from[row] - length / 2, ops.from[row] + length / 2);
  }
  remember(view);
  redraw(view);
  return true;
}

// The next operation of the same client, or the first in sight; only what is searched for, when anything is.
function stepSelection(view, by) {
  const { ops } = view.trial, now = view.selected && view.selected.row;
  if (now === undefined || now === null) {
    for (let row = 0; row < ops.count; ++row) {
      const inSight = ops.to[row] >= view.from && ops.from[row] <= view.to && laneOf(view, ops.client[row]) >= 0;
      if (inSight && (!view.matches || view.matches[row])) return selectRow(view, row);
    }
    return false;
  }
  const rows = view.trial.rows.get(ops.client[now]);
  for (let i = rows.indexOf(now) + by; i >= 0 && i < rows.length; i += by) {
    if (!view.matches || view.matches[rows[i]]) return selectRow(view, rows[i]);
  }
  return false;
}
