// Walks through a table or list of steps, one at a time: those after the current one are faint. Without scripts all
// steps are there. The numbers in the picture above a story are its steps, too.

function walkThrough(steps, place, marks) {
  if (steps.length < 2) return;
  let now = -1;  // -1: all are shown alike
  const where = tag("span", { class: "place", role: "status" });
  const go = (to) => {
    now = Math.max(-1, Math.min(to, steps.length - 1));
    steps.forEach((step, i) => {
      step.classList.toggle("now", i === now);
      step.classList.toggle("later", now >= 0 && i > now);
    });
    for (const mark of marks) {
      mark.classList.toggle("now", Number(mark.dataset.step) === now + 1);
      mark.classList.toggle("later", now >= 0 && Number(mark.dataset.step) > now + 1);
    }
    where.textContent = now < 0 ? `${steps.length} steps` : `step ${now + 1} of ${steps.length}`;
    if (now >= 0) steps[now].querySelector("button.event")?.dispatchEvent(new CustomEvent("step"));
    if (now >= 0) steps[now].scrollIntoView({ block: "nearest" });
  };
  place.before(tag("div", { class: "tools walk" },
    button("◂ previous step", "go back one step", () => go(now - 1)), where,
    button("next step ▸", "go on one step", () => go(now + 1)),
    button("all steps", "show all steps alike", () => go(-1))));
  for (const mark of marks) mark.addEventListener("click", () => go(Number(mark.dataset.step) - 1));
  go(-1);
}

function buildSteps(root) {
  for (const list of root.querySelectorAll("ol.facts")) {
    const picture = list.closest(".story").previousElementSibling;
    const marks = picture?.matches(".story-picture") ? [...picture.querySelectorAll(".step")] : [];
    walkThrough([...list.children], list, marks);
  }
  for (const table of root.querySelectorAll("table.steps")) {
    walkThrough([...table.tBodies[0].rows], table.parentElement, []);
  }
}
