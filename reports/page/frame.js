// Positions of times and clients' lanes on a view's canvases, and the axis. Lengths are CSS pixels.

const EDGE = 12;

function xOf(view, time) {
  return view.left + (time - view.from) / (view.to - view.from) * (view.right - view.left);
}

function timeAt(view, x) {
  return view.from + (x - view.left) / (view.right - view.left) * (view.to - view.from);
}

function clampX(view, x) {
  return Math.min(Math.max(x, view.left), view.right);
}

// The canvas at its size in device pixels, cleared; its brush counts in CSS pixels. A size that is set again, though it
// is the same, makes the browser lay out the whole page again.
function brushOf(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.max(1, Math.round(width * ratio)), high = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  if (canvas.style.width !== width + "px") canvas.style.width = width + "px";
  if (canvas.style.height !== height + "px") canvas.style.height = height + "px";
  const brush = canvas.getContext("2d");
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush.fillStyle = ink.paper;
  brush.fillRect(0, 0, width, height);
  brush.textBaseline = "alphabetic";
  return brush;
}

function write(brush, text, x, y, { size = 11, colour = ink.ink, align = "left", bold = false } = {}) {
  brush.font = `${bold ? "600 " : ""}${size}px ${ink.font}`;
  brush.fillStyle = colour;
  brush.textAlign = align;
  brush.fillText(text, x, y);
}

// Multiples of 1, 2 or 5 times a power of ten, at most `most`.
function ticksOf(from, to, most) {
  let step = 1;
  for (let i = 0; (to - from) / step > most; ++i) step = i % 3 === 1 ? step / 2 * 5 : step * 2;
  const out = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) out.push(at);
  return { step, at: out };
}

function tickText(time, step) {
  let decimals = 0;
  for (let unit = 1e6; unit > step && decimals < 6; unit /= 10) ++decimals;
  return (time / 1e6).toFixed(decimals);
}

function drawGrid(view, brush, top, bottom, named) {
  const { step, at } = ticksOf(view.from, view.to, Math.max(3, (view.right - view.left) / 90));
  brush.strokeStyle = ink.rule;
  brush.lineWidth = 1;
  for (const time of at) {
    const x = Math.round(xOf(view, time)) + 0.5;
    brush.beginPath();
    brush.moveTo(x, top);
    brush.lineTo(x, bottom);
    brush.stroke();
    const align = x < view.left + 14 ? "left" : "center";  // clear of the word beside it
    if (named) write(brush, tickText(time, step), x, bottom + 13, { colour: ink.quiet, align });
  }
  if (named) write(brush, "seconds", view.left - 8, bottom + 13, { colour: ink.quiet, align: "right" });
}

// Nothing that is drawn within may reach into the names at the left.
function inside(view, brush, top, height, paint) {
  brush.save();
  brush.beginPath();
  brush.rect(view.left, top, view.right - view.left, height);
  brush.clip();
  paint();
  brush.restore();
}
