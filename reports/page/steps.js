// Walks through a table or list of steps, one at a time: those after the current one are faint. Without scripts all
// steps are there.

function walkThrough(steps, place) {
  if (steps.length < 2) return;
  let now = -1;  // -1: all are shown alike
  const where = tag("span", { class: "place", role: "status" });
  const go = (to) => {
    now = Math.max(-1, Math.min(to, steps.length - 1));
    steps.forEach((step, i) => {
      step.classList.toggle("now", i === now);
      step.classList.toggle("later", now >= 0 && i > now);
    });
    where.textContent = now < 0 ? `${steps.length} steps` : `step ${now + 1} of ${steps.length}`;
    if (now >= 0) steps[now].querySelector("button.event")?.click();
    if (now >= 0) steps[now].scrollIntoView({ block: "nearest" });
  };
  place.before(tag("div", { class: "tools walk" },
    button("◂ previous step", "go back one step", () => go(now - 1)), where,
    button("next step ▸", "go on one step", () => go(now + 1)),
    button("all steps", "show all steps alike", () => go(-1))));
  go(-1);
}

function buildSteps(root) {
  for (const list of root.querySelectorAll("ol.facts")) walkThrough([...list.children], list);
  for (const table of root.querySelectorAll("table.steps")) {
    walkThrough([...table.tBodies[0].rows], table.parentElement);
  }
}
