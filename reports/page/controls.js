// Pointer and wheel. Dragging marks a stretch and zooms to it, with Shift it moves; the minimap is dragged to move. The
// wheel zooms after a click on the timeline, or with Ctrl: otherwise it would capture the scrolling of the page.

let current = null;  // the view that keys act on

function placeIn(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function wheelOn(view, canvas) {
  canvas.addEventListener("wheel", (event) => {
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      pan(view, event.deltaX / view.width);
      return;
    }
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== view.main) {
      say(view, "Click the timeline, or hold Ctrl, to zoom with the wheel.");
      return;
    }
    event.preventDefault();
    zoom(view, Math.exp(Math.sign(event.deltaY) * 0.25), timeAt(view, clampX(view, placeIn(canvas, event).x)));
  }, { passive: false });
}

function endDrag(view, x) {
  const { drag } = view;
  view.drag = null;
  if (drag.kind === "stretch" && Math.abs(x - drag.x) > 4) {
    const [a, b] = [drag.x, x].map((at) => timeAt(view, clampX(view, at))).sort((p, q) => p - q);
    return showStretch(view, a, b);
  }
  if (drag.kind === "stretch") view.selected = thingAt(view, x, drag.y);
  remember(view);
  redraw(view);
}

function movePointer(view, event) {
  const { x, y } = placeIn(event.currentTarget, event), { drag } = view;
  if (!drag) {
    if (event.currentTarget !== view.main || view.high === undefined) return;
    const thing = thingAt(view, x, y);
    showNote(view, thing, x, y);
    view.main.style.cursor = thing ? "pointer" : "crosshair";
    return;
  }
  view.note.hidden = true;
  if (drag.kind === "move") {
    const by = (drag.now - x) / (view.right - view.left);
    drag.now = x;
    pan(view, by);
  } else {
    drag.now = clampX(view, x);
    redraw(view);
  }
}

function dragOn(view, canvas) {
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    current = view;
    const { x, y } = placeIn(canvas, event);
    view.drag = { kind: event.shiftKey ? "move" : "stretch", x: clampX(view, x), now: clampX(view, x), y };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => movePointer(view, event));
  canvas.addEventListener("pointerup", (event) => view.drag && endDrag(view, placeIn(canvas, event).x));
  canvas.addEventListener("pointercancel", () => {
    view.drag = null;
    redraw(view);
  });
  canvas.addEventListener("pointerleave", () => (view.note.hidden = true));
  canvas.addEventListener("dblclick", () => showStretch(view, view.trial.begin, view.trial.end));
}

function minimapOn(view) {
  const move = (event) => {
    const at = timeAt(wholeFrame(view), placeIn(view.minimap, event).x), half = (view.to - view.from) / 2;
    pan(view, (at - half - view.from) / (2 * half));
  };
  view.minimap.addEventListener("pointerdown", (event) => {
    current = view;
    view.minimap.setPointerCapture(event.pointerId);
    move(event);
  });
  view.minimap.addEventListener("pointermove", (event) => event.buttons & 1 && move(event));
}

const KEYS = {
  w: (view) => zoom(view, 0.6), s: (view) => zoom(view, 1 / 0.6), a: (view) => pan(view, -0.25),
  d: (view) => pan(view, 0.25), n: (view) => goToViolation(view, view.violation + 1),
  p: (view) => goToViolation(view, view.violation - 1),
  0: (view) => showStretch(view, view.trial.begin, view.trial.end),
  "/": (view) => view.find.focus(), "?": (view) => (view.help.open = !view.help.open),
};
const ARROWS = {
  ArrowLeft: (view) => stepSelection(view, -1), ArrowRight: (view) => stepSelection(view, 1),
  Escape: (view) => (view.selected = null, redraw(view)),
};

function inSight(view) {
  const box = view.stage.getBoundingClientRect();
  return box.height > 0 && box.bottom > 0 && box.top < window.innerHeight;
}

// The letters work everywhere but in a field; arrows only on the timeline itself, since elsewhere they scroll.
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const used = current && inSight(current) ? current : views.find(inSight);
  const view = views.find((v) => v.main === event.target) ?? used;
  const onTimeline = view && event.target === view.main;
  const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : ""] ?? (onTimeline ? ARROWS[event.key] : null);
  if (!view || !action) return;
  event.preventDefault();
  current = view;
  action(view);
}
