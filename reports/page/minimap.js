// The strip of the whole trial: where something happens, where it breaks, and which part is shown above it. Its ground
// does not change with the window, and is kept.

const MINIMAP_HIGH = 56;

function wholeFrame(view) {
  return { ...view, from: view.trial.begin, to: view.trial.end };
}

function drawMinimapGround(view) {
  const canvas = document.createElement("canvas");
  const brush = brushOf(canvas, view.width, MINIMAP_HIGH);
  const all = wholeFrame(view), lanes = view.trial.clients;
  const row = Math.min(8, (MINIMAP_HIGH - 22) / lanes.length), high = Math.max(row - 1, 0.6);
  brush.fillStyle = ink.panel;
  brush.fillRect(all.left, 4, all.right - all.left, MINIMAP_HIGH - 20);
  drawFaultBands(all, brush, 4, MINIMAP_HIGH - 16, false);
  const order = new Map(lanes.map((client, i) => [client, i]));
  brush.fillStyle = ink.bar;
  for (const span of view.trial.spans) {
    const x = clampX(all, xOf(all, span.from));
    const wide = Math.max(clampX(all, xOf(all, span.to)) - x, 0.8);
    brush.fillRect(x, 8 + order.get(span.client) * row, wide, high);
  }
  brush.fillStyle = ink.red;
  for (const v of view.trial.violations) {
    const x = clampX(all, xOf(all, v.from)), wide = Math.max(clampX(all, xOf(all, v.to)) - x, 2);
    brush.globalAlpha = 0.55;
    brush.fillRect(x, 4, wide, MINIMAP_HIGH - 20);
    brush.globalAlpha = 1;
    brush.fillRect(x, 0, wide, 4);
  }
  write(brush, "whole trial", all.left - 8, 24, { size: all.left > 70 ? 12 : 9, align: "right", bold: true });
  drawGrid(all, brush, MINIMAP_HIGH - 16, MINIMAP_HIGH - 13, false);
  write(brush, momentText(all.from), all.left, MINIMAP_HIGH - 2, { size: 10, colour: ink.quiet });
  write(brush, momentText(all.to), all.right, MINIMAP_HIGH - 2, { size: 10, colour: ink.quiet, align: "right" });
  view.minimapGround = canvas;
}

function drawMinimap(view) {
  if (!view.minimapGround) drawMinimapGround(view);
  const brush = brushOf(view.minimap, view.width, MINIMAP_HIGH);
  brush.drawImage(view.minimapGround, 0, 0, view.width, MINIMAP_HIGH);
  const all = wholeFrame(view);
  const from = clampX(all, xOf(all, view.from)), to = Math.max(clampX(all, xOf(all, view.to)), from + 3);
  brush.fillStyle = ink.paper;
  brush.globalAlpha = 0.6;
  brush.fillRect(all.left, 4, from - all.left, MINIMAP_HIGH - 20);
  brush.fillRect(to, 4, all.right - to, MINIMAP_HIGH - 20);
  brush.globalAlpha = 1;
  brush.strokeStyle = ink.link;
  brush.lineWidth = 2;
  brush.strokeRect(from, 3, to - from, MINIMAP_HIGH - 18);
}
