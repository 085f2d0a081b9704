// The bodies of a large run's cells, which are unpacked when a cell is opened.

const bodyBlocks = new Map();  // by id of the block

function bodiesOf(id) {
  if (!bodyBlocks.has(id)) {
    bodyBlocks.set(id, unpacked(document.getElementById(id).textContent).then((bodies) => new Map(bodies)));
  }
  return bodyBlocks.get(id);
}

async function fillCell(cell) {
  const body = cell.querySelector(".cell-body[data-body]");
  if (!body) return;
  const block = body.dataset.body;
  delete body.dataset.body;
  const html = (await bodiesOf(block)).get(body.id);
  body.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  addCopyButtons(body);
  buildSteps(body);
}

function fillOpenedCells() {
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches("details.cell")) fillCell(event.target);
  }, true);
}
