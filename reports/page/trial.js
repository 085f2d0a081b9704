// A trial's packed events (reports/packed_trial.cpp) unpacked into columns that can be drawn and searched.
// Times are microseconds of the trial; rows of `ops` are in the order in which they were asked for.

const KINDS = ["acquire", "renew", "release", "leave", "write"];
const TYPES = ["", "ok", "fail", "info"];
// As histories and the search have them.
const REASONS = ["", "busy", "not_held", "conflict", "timeout", "unavailable", "killed", "deadline", "other"];
const OK = 1, FAIL = 2, INFO = 3, WRITE = 4, ACQUIRE = 0, BUSY = 1;

async function unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// Differences to the row before become sums.
function summed(differences) {
  const out = new Float64Array(differences.length);
  let sum = 0;
  for (let i = 0; i < out.length; ++i) out[i] = sum += differences[i];
  return out;
}

function statementRows(raw, count) {
  const op = summed(raw.op);
  const first = new Int32Array(count + 1);
  for (const row of op) first[row + 1]++;
  for (let i = 0; i < count; ++i) first[i + 1] += first[i];
  const { name, call, took, rows, error, values } = raw;
  return { first, name, call, took, rows, error, values };
}

function opColumns(raw, end) {
  const count = raw.from.length;
  const from = summed(raw.from), to = new Float64Array(count), index = summed(raw.index);
  const answer = new Float64Array(count);
  for (let i = 0; i < count; ++i) {
    to[i] = raw.took[i] < 0 ? end : from[i] + raw.took[i];
    answer[i] = index[i] + raw.answer_after[i];
  }
  return {
    count, from, to, index, answer, took: raw.took, client: raw.client, kind: raw.kind, type: raw.type,
    reason: raw.reason, key: raw.key, tokens: raw.tokens, names: raw.names, texts: raw.texts, parameter: raw.parameter,
    leftOut: raw.left_out,
    background: new Set(raw.background), statements: statementRows(raw.statements, count),
  };
}

// One entry for what several properties call a violation at the same time by the same clients.
function mergedViolations(list) {
  const seen = new Map();
  for (const v of list) {
    const name = [v.from, v.to, v.key, v.clients].join("|");
    if (seen.has(name)) {
      const other = seen.get(name);
      if (!other.properties.includes(v.property)) other.properties.push(v.property);
    } else {
      seen.set(name, { ...v, properties: [v.property] });
    }
  }
  return [...seen.values()].sort((a, b) => a.from - b.from || a.to - b.to);
}

function rowsByClient(ops) {
  const out = new Map();
  for (let i = 0; i < ops.count; ++i) {
    if (!out.has(ops.client[i])) out.set(ops.client[i], []);
    out.get(ops.client[i]).push(i);
  }
  return out;
}

// An unanswered operation lasts until the client's next operation, or to the end if there is none.
function endUnanswered(ops, rowsOf) {
  for (const rows of rowsOf.values()) {
    for (let i = 0; i + 1 < rows.length; ++i) {
      if (ops.took[rows[i]] < 0) ops.to[rows[i]] = ops.from[rows[i + 1]];
    }
  }
}

function spanOf([client, key, from, to, lease, grant, end, doubt]) {
  return { client, key, from, to, lease, grant, end, doubt };
}

function trialOf(raw) {
  const ops = opColumns(raw.ops, raw.end);
  const spans = raw.spans.map(spanOf);
  const rows = rowsByClient(ops);
  endUnanswered(ops, rows);
  const clients = new Set([...rows.keys(), ...spans.map((s) => s.client), ...raw.faults.flatMap((f) => f.clients)]);
  return {
    begin: raw.begin, end: Math.max(raw.end, raw.begin + 1), cut: raw.cut, keys: raw.keys, ops, spans, rows,
    faults: raw.faults, violations: mergedViolations(raw.violations), unmarked: raw.unmarked || [],
    clients: [...clients].sort((a, b) => a - b),
  };
}

async function readTrial(id) {
  const block = id ? document.getElementById(id) : null;
  if (!block) throw new Error("this trial's events are not in the page");
  if (block.dataset.why) throw new Error("the events of this trial are not in the page: " + block.dataset.why);
  if (!("DecompressionStream" in window)) throw new Error("this browser is too old to unpack the events");
  return trialOf(await unpacked(block.textContent));
}
