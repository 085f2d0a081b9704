// Makes the page move: each picture becomes a view when it comes into sight, commands get a button to copy them, and
// event numbers in a story lead to the timeline.

function copyText(text, then) {
  if (!navigator.clipboard) return then(false);
  navigator.clipboard.writeText(text).then(() => then(true), () => then(false));
}

function addCopyButtons(root) {
  for (const command of root.querySelectorAll("pre.command")) {
    const text = command.textContent;
    const copy = button("copy", "copy this command", () => copyText(text, (done) => {
      copy.textContent = done ? "copied" : "select it to copy (no clipboard)";
    }));
    copy.classList.add("copy");
    command.after(copy);
  }
}

// "#881" in a story becomes a button that shows the event on the timeline of the same section.
function linkEvents(view) {
  const section = view.figure.closest(".finding, .cell-body");
  for (const fact of section ? section.querySelectorAll(".facts .fact") : []) {
    const parts = fact.textContent.split(/(#\d+)/);
    if (parts.length < 2) continue;
    fact.replaceChildren(...parts.map((part) => {
      if (!/^#\d+$/.test(part)) return part;
      const link = button(part, "show event " + part, () => {
        selectEvent(view, Number(part.slice(1)));
        view.stage.scrollIntoView({ block: "nearest" });
      });
      link.addEventListener("step", () => selectEvent(view, Number(part.slice(1))));
      link.classList.add("event");
      return link;
    }));
  }
}

async function bringToLife(figure) {
  const begin = performance.now();
  try {
    const view = newView(figure, await readTrial(figure.dataset.events));
    buildStage(view);
    views.push(view);
    applyWanted(view);
    draw(view);
    linkEvents(view);
    figure.dataset.readyMs = (performance.now() - begin).toFixed(1);
  } catch (error) {
    figure.dataset.still = error.message;
    figure.append(tag("p", { class: "quiet" }, "Static picture only: " + error.message + "."));
  }
}

function redrawAll() {
  readPalette();
  for (const view of views) {
    view.minimapGround = null;
    draw(view);
  }
}

function start() {
  readPalette();
  addCopyButtons(document);
  fillOpenedCells();
  buildCellFilter();
  buildSteps(document);
  followAddress();
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      bringToLife(target);
    }
  }, { rootMargin: "300px" });
  for (const figure of document.querySelectorAll("figure[data-events]")) watch.observe(figure);
  window.addEventListener("hashchange", followAddress);
  document.addEventListener("keydown", pressed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  window.addEventListener("beforeprint", () => (document.documentElement.classList.add("paper"), redrawAll()));
  window.addEventListener("afterprint", () => (document.documentElement.classList.remove("paper"), redrawAll()));
}

document.addEventListener("DOMContentLoaded", start);
