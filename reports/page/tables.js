// The same as the pictures, as tables: the figures of the plots, and every operation in sight. They are made only while
// they are open.

const SLICES = 12, MOST_ROWS = 200;

function tableOf(caption, heads, rows) {
  const head = tag("tr", {}, ...heads.map((name) => tag("th", { scope: "col" }, name)));
  const body = rows.map((cells) => tag("tr", {}, ...cells.map((text) => tag("td", {}, String(text)))));
  return tag("table", { class: "numbers" }, tag("caption", {}, caption), tag("thead", {}, head),
    tag("tbody", {}, ...body));
}

function figuresTable(view) {
  const { from, to } = view, slices = answersBetween(view.trial, from, to, SLICES);
  const rows = slices.map((answers, i) => {
    const begin = from + (to - from) * i / SLICES, end = from + (to - from) * (i + 1) / SLICES;
    const waits = view.waits.filter((w) => w.at >= begin && w.at < end).map((w) => w.length).sort((a, b) => a - b);
    const text = (length) => (length === null ? "–" : lengthText(length));
    const until = (n) => (n + 1 < view.holders.length ? view.holders[n + 1].at : end);
    const steps = view.holders.filter((s, n) => s.at < end && until(n) > begin);
    const most = Math.max(0, ...steps.map((s) => s.value));
    const faults = view.trial.faults.filter((f) => f.from < end && f.to > begin).map((f) => shortText(f.fault, 40));
    return [momentText(begin), momentText(end), ...answers, waits.length, text(quantile(waits, 0.5)),
      text(quantile(waits, 0.99)), most === 2 ? "2 or more" : most, [...new Set(faults)].join(", ")];
  });
  return tableOf("Latency and availability of the part that is shown", ["from", "to", ...ANSWERS, "grants", "wait p50",
    "wait p99", "holders at once", "faults"], rows);
}

function operationsTable(view) {
  const { trial } = view, { ops } = trial, rows = [];
  let found = 0;
  for (let row = 0; row < ops.count; ++row) {
    if (ops.to[row] < view.from || ops.from[row] > view.to || (view.matches && !view.matches[row])) continue;
    if (++found > MOST_ROWS) continue;
    rows.push([ops.client[row], KINDS[ops.kind[row]], shortText(trial.keys[ops.key[row]] ?? "", 80),
      "#" + ops.index[row], momentText(ops.from[row]), ops.took[row] < 0 ? "–" : lengthText(ops.took[row]),
      answerText(ops, row), ops.tokens[row] ?? "", statementTexts(trial, row).join("; ")]);
  }
  const part = found > MOST_ROWS ? ` (the first ${MOST_ROWS} of ${countText(found)}: zoom in, or search)` : "";
  const heads = ["client", "operation", "key", "event", "asked", "took", "answer", "token", "statements"];
  return tableOf("Operations shown" + part, heads, rows);
}

function fillTables(view) {
  if (!view.tables.open) return;
  const now = [view.from, view.to, view.query].join();
  if (view.tablesShow === now) return;
  view.tablesShow = now;
  const scroll = tag("div", { class: "scroll" }, figuresTable(view), operationsTable(view));
  view.tables.replaceChildren(view.tables.firstElementChild, scroll);
}
