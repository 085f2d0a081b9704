// The bodies of a large run's cells, which are unpacked when a cell is opened. Their markup is the page's own (see
// reports/html.cpp): only its elements are made, and a text becomes nothing but text.

const SVG = "http://www.w3.org/2000/svg";
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"' };
const ELEMENTS = new Set(("a br caption circle code dd details div dl dt figcaption figure g h3 li line ol p " +
  "path polygon pre rect small span strong summary svg table tbody td text th thead title tr ul").split(" "));

function plainText(text) {
  return text.replace(/&(#?\w+);/g, (all, name) =>
    name[0] === "#" ? String.fromCodePoint(Number(name.slice(1))) : ENTITIES[name] ?? all);
}

function elementOf(name, attributes, inside) {
  if (!ELEMENTS.has(name)) throw new Error(`a cell has an element ${name}`);
  const drawn = name === "svg" || inside.namespaceURI === SVG;
  const out = drawn ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [, key, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (key === "xmlns") continue;
    if (/^on|^style$/i.test(key)) throw new Error(`a cell has an attribute ${key}`);
    out.setAttribute(key, plainText(value));
  }
  return out;
}

function fillWith(root, markup) {
  const open = [root];
  for (const [, end, name, attributes, single, text] of
    markup.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g)) {
    const inside = open[open.length - 1];
    if (text !== undefined) {
      inside.append(plainText(text));
    } else if (end) {
      open.pop();
    } else {
      const made = elementOf(name, attributes, inside);
      inside.append(made);
      if (!single) open.push(made);
    }
  }
}

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
  const markup = (await bodiesOf(block)).get(body.id);
  body.replaceChildren();
  fillWith(body, markup);
  addCopyButtons(body);
  buildSteps(body);
}

function fillOpenedCells() {
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches("details.cell")) fillCell(event.target);
  }, true);
  // The browser itself opens the cell of a link, before this.
  for (const cell of document.querySelectorAll("details.cell[open]")) fillCell(cell);
}
