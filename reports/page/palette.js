// Colours and hatches for canvases: those of the style sheet, so that each is named once and dark mode is one place.

let ink = {};
const COLOURS = ["ink", "quiet", "paper", "panel", "rule", "link", "bar", "bar-other", "lapsed-paper", "lease", "fault",
  "fault-ink", "fault-paper", "fault-dot", "red", "write", "write-edge", "op-ok", "op-busy", "op-fail", "op-info"];

function hatch(size, paint) {
  const piece = document.createElement("canvas");
  piece.width = piece.height = size;
  paint(piece.getContext("2d"), size);
  return piece.getContext("2d").createPattern(piece, "repeat");
}

// Diagonal lines that meet at the edges of the piece.
function diagonal(back, front, width, rising) {
  return (brush, size) => {
    if (back) brush.fillStyle = back, brush.fillRect(0, 0, size, size);
    brush.strokeStyle = front;
    brush.lineWidth = width;
    for (const shift of [-size, 0, size]) {
      brush.beginPath();
      brush.moveTo(shift, rising ? size : 0);
      brush.lineTo(shift + size, rising ? 0 : size);
      brush.stroke();
    }
  };
}

function dots(back, front) {
  return (brush, size) => {
    brush.globalAlpha = 0.7;
    brush.fillStyle = back;
    brush.fillRect(0, 0, size, size);
    brush.globalAlpha = 1;
    brush.fillStyle = front;
    brush.fillRect(1, 1, 1.5, 1.5);
  };
}

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  ink = { font: getComputedStyle(document.body).fontFamily };
  for (const name of COLOURS) {
    ink[name.replace(/-(.)/g, (_, c) => c.toUpperCase())] = style.getPropertyValue("--" + name).trim();
  }
  ink.lapsed = hatch(8, diagonal(ink.lapsedPaper, ink.bar, 2.5, true));
  ink.band = hatch(5, dots(ink.faultPaper, ink.faultDot));
  ink.violation = hatch(10, diagonal("", ink.red, 2.4, false));
}

function answerColour(type, reason) {
  if (type === OK) return ink.opOk;
  if (type === FAIL) return reason === BUSY ? ink.opBusy : ink.opFail;
  return ink.opInfo;
}
