// Figures of a stretch of time: waits for a grant, answers by kind, and how many act as holder at once.

// A wait begins with a client's first attempt at a key and ends with its grant, however often it was refused.
function waitsOf(trial) {
  const { ops } = trial, out = [];
  for (const rows of trial.rows.values()) {
    const since = new Map();
    for (const row of rows) {
      const key = ops.key[row];
      if (ops.kind[row] !== ACQUIRE) continue;
      if (!since.has(key)) since.set(key, ops.from[row]);
      if (ops.type[row] !== OK) continue;
      out.push({ at: ops.to[row], length: ops.to[row] - since.get(key), row });
      since.delete(key);
    }
  }
  return out.sort((a, b) => a.at - b.at);
}

// Steps of the number of holders of the key that has most: 0, 1, or 2 for more than one, which is the bug.
function holdersOf(trial) {
  const events = [];
  for (const span of trial.spans) {
    events.push({ at: span.from, key: span.key, by: 1 }, { at: span.to, key: span.key, by: -1 });
  }
  events.sort((a, b) => a.at - b.at || a.by - b.by);  // equal times are concurrent, hence no overlap
  const holders = new Map(), steps = [];
  let held = 0, shared = 0;
  for (const { at, key, by } of events) {
    const before = holders.get(key) || 0, now = before + by;
    holders.set(key, now);
    held += (now > 0) - (before > 0);
    shared += (now > 1) - (before > 1);
    const value = shared > 0 ? 2 : held > 0 ? 1 : 0;
    if (steps.length && steps[steps.length - 1].at === at) steps[steps.length - 1].value = value;
    else steps.push({ at, value });
  }
  return steps;
}

const ANSWERS = ["granted or done", "refused: busy", "failed", "unknown or never answered"];

function answerKind(ops, row) {
  if (ops.took[row] < 0 || ops.type[row] === INFO) return 3;
  if (ops.type[row] === OK) return 0;
  return ops.reason[row] === BUSY ? 1 : 2;
}

// Counts the operations of each kind of answer that ended in each of `count` equal parts of the stretch.
function answersBetween(trial, from, to, count) {
  const { ops } = trial, out = Array.from({ length: count }, () => [0, 0, 0, 0]);
  for (let row = 0; row < ops.count; ++row) {
    const at = ops.to[row];
    if (at < from || at > to) continue;
    out[Math.min(count - 1, Math.floor((at - from) / (to - from) * count))][answerKind(ops, row)]++;
  }
  return out;
}

// By nearest rank, as the verdict's own numbers.
function quantile(sorted, part) {
  return sorted.length ? sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] : null;
}

// The longest time in a stretch that passed without a grant, its ends included.
function longestWithoutGrant(waits, from, to) {
  let last = from, longest = 0;
  for (const wait of waits) {
    if (wait.at < from) continue;
    if (wait.at > to) break;
    longest = Math.max(longest, wait.at - last);
    last = wait.at;
  }
  return Math.max(longest, to - last);
}
