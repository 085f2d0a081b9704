// Below the lanes, on the same axis: how long operations took and waits for a grant lasted (latency), how many were
// answered and how (availability), and how many act as holder at once. Fault bands go through all three.

const LATENCY = { top: 18, high: 110 }, ANSWERED = { top: 152, high: 84 }, HOLDERS = { top: 260, high: 34 };
const PLOTS_HIGH = 314;

function plotTitle(view, brush, area, text) {
  write(brush, text, view.left, area.top - 5, { colour: ink.quiet });
  brush.fillStyle = ink.panel;
  brush.fillRect(view.left, area.top, view.right - view.left, area.high);
  drawFaultBands(view, brush, area.top, area.top + area.high, false);
}

// Decades from a tenth of a millisecond to what occurred.
function latencyScale(view) {
  const { ops } = view.trial;
  let most = 1e4;
  for (let row = 0; row < ops.count; ++row) most = Math.max(most, ops.took[row]);
  for (const wait of view.waits) most = Math.max(most, wait.length);
  const low = 2, high = Math.ceil(Math.log10(most));
  return (length) => {
    const part = (Math.log10(Math.max(length, 100)) - low) / (high - low);
    return LATENCY.top + LATENCY.high * (1 - Math.min(Math.max(part, 0), 1));
  };
}

function drawLatencyGrid(view, brush, y) {
  for (let length = 100; length <= 1e9; length *= 10) {
    const at = y(length);
    if (length > 100 && at <= LATENCY.top && y(length / 10) <= LATENCY.top) break;
    brush.fillStyle = ink.rule;
    brush.fillRect(view.left, Math.round(at), view.right - view.left, 1);
    const name = length < 1000 ? "0.1 ms" : length < 1e6 ? length / 1e3 + " ms" : length / 1e6 + " s";
    write(brush, name, view.left - 8, at + 4, { size: 10, colour: ink.quiet, align: "right" });
  }
}

// A dot an operation; one pixel is painted once, however many fall on it.
function drawLatency(view, brush) {
  plotTitle(view, brush, LATENCY, `latency: ▪ each operation${view.matches ? " found" : ""}, ` +
    "by its answer   △ wait from first attempt to grant");
  const y = view.latency, { ops } = view.trial;
  drawLatencyGrid(view, brush, y);
  const wide = Math.ceil(view.right) + 2, painted = new Uint8Array(wide * (LATENCY.high + 4));
  for (let row = 0; row < ops.count; ++row) {
    if (ops.took[row] < 0 || ops.kind[row] === 3 || ops.to[row] < view.from || ops.from[row] > view.to) continue;
    if (view.matches && !view.matches[row]) continue;
    const x = Math.round(xOf(view, Math.min(ops.to[row], view.to))), at = Math.round(y(ops.took[row]));
    const cell = (at - LATENCY.top) * wide + x, kind = answerKind(ops, row) + 1;
    if (painted[cell] >= kind) continue;
    painted[cell] = kind;
    brush.fillStyle = answerColour(ops.type[row], ops.reason[row]);
    brush.fillRect(x - 1, at - 1, 3, 3);
  }
  brush.strokeStyle = ink.link;
  brush.lineWidth = 1.2;
  brush.beginPath();
  let last = -9;
  for (const wait of view.waits) {
    const x = xOf(view, wait.at), at = y(wait.length);
    if (x < view.left || x > view.right || x - last < 1) continue;
    last = x;
    brush.moveTo(x - 3.5, at + 3);
    brush.lineTo(x, at - 3.5);
    brush.lineTo(x + 3.5, at + 3);
    brush.closePath();
  }
  brush.stroke();
}

function drawAnswered(view, brush) {
  plotTitle(view, brush, ANSWERED, "availability: answers per time slice");
  const wide = view.right - view.left, count = Math.max(8, Math.floor(wide / 16));
  const bins = answersBetween(view.trial, view.from, view.to, count);
  const most = Math.max(1, ...bins.map((b) => b[0] + b[1] + b[2] + b[3]));
  const colours = [ink.opOk, ink.opBusy, ink.opFail, ink.opInfo];
  bins.forEach((bin, i) => {
    let y = ANSWERED.top + ANSWERED.high;
    bin.forEach((n, kind) => {
      const high = n === 0 ? 0 : Math.max(1, n / most * (ANSWERED.high - 4));
      brush.fillStyle = colours[kind];
      brush.fillRect(view.left + i * wide / count, y - high, wide / count - 1, high);
      y -= high;
    });
  });
  const length = (view.to - view.from) / count;
  write(brush, countText(most), view.left - 8, ANSWERED.top + 10, { size: 10, colour: ink.quiet, align: "right" });
  write(brush, "per " + lengthText(length), view.left - 8, ANSWERED.top + 24,
    { size: 10, colour: ink.quiet, align: "right" });
}

function drawOwners(view, brush) {
  plotTitle(view, brush, HOLDERS, "holders at once, for the key with the most: 2 or more is a violation");
  const steps = view.holders, bottom = HOLDERS.top + HOLDERS.high, unit = (HOLDERS.high - 4) / 2;
  for (const value of [0, 1, 2]) {
    write(brush, value === 2 ? "2+" : String(value), view.left - 8, bottom - value * unit + 3,
      { size: 10, colour: ink.quiet, align: "right" });
  }
  for (let i = 0; i < steps.length; ++i) {
    const { at, value } = steps[i], until = i + 1 < steps.length ? steps[i + 1].at : at;
    if (value === 0 || until < view.from || at > view.to) continue;
    const x = clampX(view, xOf(view, at));
    const least = value === 2 ? 1.5 : 0.3;
    brush.fillStyle = value === 2 ? ink.red : ink.bar;
    brush.fillRect(x, bottom - value * unit, Math.max(clampX(view, xOf(view, until)) - x, least), value * unit);
  }
}

function drawPlots(view) {
  const brush = brushOf(view.plots, view.width, PLOTS_HIGH);
  inside({ left: 0, right: view.width }, brush, 0, PLOTS_HIGH, () => {
    drawLatency(view, brush);
    drawAnswered(view, brush);
    drawOwners(view, brush);
  });
  drawGrid(view, brush, HOLDERS.top + HOLDERS.high, HOLDERS.top + HOLDERS.high + 4, true);
}
