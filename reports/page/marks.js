// Signs upon and above the lanes: ends of leases, writes with their tokens, faults, violations.

const FAULT_ROW = 20, MOST_FAULT_ROWS = 4;

function drawLeaseEnds(view, brush) {
  let last = new Map();
  for (const span of view.trial.spans) {
    const lane = laneOf(view, span.client);
    if (lane < 0 || !span.lease || span.lease < view.from || span.lease > view.to || span.from > view.to) continue;
    const x = xOf(view, span.lease);
    if (Math.abs(x - (last.get(lane) ?? -9)) < 2) continue;
    last.set(lane, x);
    if (span.lease >= span.to && x - xOf(view, span.from) < 40) continue;  // it outlived its span, and would hide it
    const lapsed = span.lease < span.to, y = laneY(view, lane) + view.size.bar[0];
    brush.globalAlpha = lapsed ? 1 : 0.45;  // one that outlived its span says little
    brush.fillStyle = ink.lease;
    brush.fillRect(x - 0.75, y - 4, 1.5, view.size.bar[1] + 7);
    brush.beginPath();
    brush.moveTo(x - 4, y - 8);
    brush.lineTo(x + 4, y - 8);
    brush.lineTo(x, y - 2);
    brush.fill();
    brush.globalAlpha = 1;
    const room = (view.right - view.left) / (view.to - view.from) * 1e5 > 12;  // a tenth of a second is some pixels
    if (lapsed && room && view.size.high > 40) labelLease(view, brush, span, x, y - 2);
  }
}

function labelLease(view, brush, span, x, y) {
  const text = (span.doubt ? "promised until " : "lease ended ") + momentText(span.lease);
  const align = x > view.right - 130 ? "right" : "left";
  brush.font = `10px ${ink.font}`;
  const wide = brush.measureText(text).width, left = align === "left" ? x + 6 : x - 6 - wide;
  brush.fillStyle = ink.paper;
  brush.globalAlpha = 0.85;
  brush.fillRect(left - 1, y - 9, wide + 2, 11);
  brush.globalAlpha = 1;
  write(brush, text, left, y, { size: 10, colour: ink.lease });
}

// A full circle was accepted, a crossed one refused, one with a question mark never answered.
function drawWrite(brush, type, x, y, radius) {
  const ok = type === OK;
  brush.beginPath();
  brush.arc(x, y, radius, 0, 7);
  brush.fillStyle = ok ? ink.write : ink.writeEdge;
  brush.strokeStyle = ok ? ink.writeEdge : ink.write;
  brush.lineWidth = 1.5;
  brush.fill();
  brush.stroke();
  if (type === FAIL) {
    brush.beginPath();
    brush.moveTo(x - radius * 0.7, y + radius * 0.7);
    brush.lineTo(x + radius * 0.7, y - radius * 0.7);
    brush.stroke();
  } else if (!ok) {
    write(brush, "?", x, y + radius * 0.7, { size: radius * 2, colour: ink.write, align: "center", bold: true });
  }
}

function drawWrites(view, brush) {
  const { ops } = view.trial, last = new Map();
  const many = view.writes.filter((row) => ops.to[row] >= view.from && ops.from[row] <= view.to).length > 60;
  const radius = view.size.high > 20 && !many ? 4.5 : 2.5;
  for (const row of view.writes) {
    const lane = laneOf(view, ops.client[row]);
    if (lane < 0 || ops.to[row] < view.from || ops.from[row] > view.to) continue;
    const x = xOf(view, Math.min(ops.to[row], view.to));
    const before = last.get(lane);
    if (before && x - before.x < 3 && before.type === ops.type[row]) continue;
    last.set(lane, { x, type: ops.type[row] });
    const y = laneY(view, lane) + view.size.bar[0] + view.size.bar[1] / 2;
    brush.globalAlpha = view.matches && !view.matches[row] ? 0.15 : 1;
    drawWrite(brush, ops.type[row], x, y, radius);
    brush.globalAlpha = 1;
    const token = ops.tokens[row];
    if (token === undefined || view.size.high < 40 || (before && x - before.x < 40)) continue;
    write(brush, "token " + shortText(token, 9), x, laneY(view, lane) + view.size.high - 2,
      { size: 9, colour: ink.quiet, align: "center" });
  }
}

// As much of a text as has room.
function fitting(brush, text, room) {
  let most = text.length;
  while (most > 3 && brush.measureText(shortText(text, most)).width > room) most -= 2;
  return shortText(text, most);
}

// Faults that touch the window, stacked so that their names do not touch.
function faultRows(view, brush) {
  const rows = [];
  brush.font = `11px ${ink.font}`;
  for (const fault of view.trial.faults) {
    if (fault.to < view.from || fault.from > view.to) continue;
    const x = clampX(view, xOf(view, fault.from)), to = Math.max(clampX(view, xOf(view, fault.to)), x + 3);
    const whom = fault.clients.length ? " · " + clientsText(fault.clients) : "";
    const space = Math.max(to - x, view.right - to, x - view.left) - 10;
    const text = fitting(brush, shortText(fault.fault + whom + (fault.detail ? " · " + fault.detail : ""), 90), space);
    const room = brush.measureText(text).width + 10;
    const after = to + room <= view.right, within = to - x >= room;
    const label = { fault, x, to, text, within, before: !within && !after, left: x, right: to };
    if (!within && after) label.right += room;
    if (label.before) label.left -= room;
    const row = rows.find((r) => r.every((o) => o.right + 6 < label.left || label.right + 6 < o.left));
    if (row) row.push(label);
    else if (rows.length < MOST_FAULT_ROWS) rows.push([label]);
  }
  return rows;
}

function drawFaultRows(view, brush, rows) {
  if (rows.length) write(brush, "faults", view.left - 8, 15, { size: 12, align: "right", bold: true });
  inside(view, brush, 0, rows.length * FAULT_ROW + 4, () => rows.forEach((row, i) => row.forEach((label) => {
    const y = i * FAULT_ROW + 2;
    brush.fillStyle = ink.fault;
    brush.fillRect(label.x, y, label.to - label.x, FAULT_ROW - 4);
    const x = label.within ? label.x + 5 : label.before ? label.x - 4 : label.to + 4;
    write(brush, label.text, x, y + 12, { colour: label.within ? ink.faultInk : ink.ink,
      align: label.before ? "right" : "left" });
  })));
}

// Bands in the lanes that were struck; across all lanes if no particular client was.
function drawFaultBands(view, brush, top, bottom, perLane) {
  brush.fillStyle = ink.band;
  for (const fault of view.trial.faults) {
    if (fault.to < view.from || fault.from > view.to) continue;
    const x = clampX(view, xOf(view, fault.from));
    const wide = Math.max(clampX(view, xOf(view, fault.to)) - x, 2);
    if (!perLane || fault.clients.length === 0) {
      brush.fillRect(x, top, wide, bottom - top);
      continue;
    }
    for (const client of fault.clients) {
      const lane = laneOf(view, client);
      if (lane >= 0) brush.fillRect(x, laneY(view, lane) + 1, wide, view.size.high - 2);
    }
  }
}
