// Times, counts and operations in words, the same as in the rest of the page (reports/durations.cpp).

function momentText(time) {
  return (time / 1e6).toFixed(3) + " s";
}

function countText(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function pluralText(count, one) {
  return countText(count) + " " + one + (count === 1 ? "" : "s");
}

function lengthText(length) {
  const ms = length / 1e3;
  if (ms >= 1e4) return (ms / 1e3).toFixed(1) + " s";
  return ms >= 9.995 ? countText(Math.round(ms)) + " ms" : ms.toFixed(2) + " ms";
}

// Names from outside may be as long as they like; a label may not.
function shortText(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

function answerText(ops, row) {
  if (ops.took[row] < 0) return "never answered";
  const reason = REASONS[ops.reason[row]];
  if (ops.type[row] === OK) return ops.kind[row] === WRITE ? "accepted" : "ok";
  if (ops.type[row] === FAIL) return reason || "refused";
  return "unknown" + (reason ? " (" + reason + ")" : "");
}

function opTitle(trial, row) {
  const ops = trial.ops;
  const key = trial.keys[ops.key[row]];
  const token = ops.tokens[row] !== undefined ? ", token " + ops.tokens[row] : "";
  const watchdog = ops.background.has(row) ? " (watchdog)" : "";
  return `client ${ops.client[row]} · ${KINDS[ops.kind[row]]}${watchdog} "${shortText(key ?? "", 60)}" → ` +
    answerText(ops, row) + token;
}

function opTimes(trial, row) {
  const ops = trial.ops;
  const asked = `asked ${momentText(ops.from[row])} (#${ops.index[row]})`;
  if (ops.took[row] < 0) return asked + ", no answer seen";
  if (ops.answer[row] === ops.index[row]) return "at " + momentText(ops.from[row]) + ` (#${ops.index[row]})`;
  return `${asked}, answered ${momentText(ops.to[row])} (#${ops.answer[row]}), took ${lengthText(ops.took[row])}`;
}

// A parameter's value as the language of the statement has it.
function literalText(value, parameter) {
  if (parameter !== "@") return String(value ?? "").replace(/["$`\\]/g, "\\$&");
  return typeof value === "string" ? `'${value.replace(/\\/g, "\\\\").replace(/'/g, "''")}'` : String(value ?? "NULL");
}

// Values of an operation in the history, by the names of parameters. A grant's token is part of its answer, and was not
// sent.
function valuesOf(trial, row) {
  const { ops } = trial, out = new Map([["key", trial.keys[ops.key[row]]]]);
  if (ops.tokens[row] !== undefined && ops.kind[row] !== ACQUIRE) out.set("token", BigInt(ops.tokens[row]));
  return out;
}

// The statement with the values of its operation (reports/sent_statements.cpp); nothing where its text is not known.
// Quoted pieces hold no parameters.
function sentText(ops, statement, known) {
  const text = ops.texts[ops.statements.name[statement]];
  if (!text) return "";
  const piece = ops.parameter === "@" ? /'[^']*'|"[^"]*"|`[^`]*`|@(\w+)/g : /'[^']*'|\$(\w+)/g;
  const sent = text.replace(piece, (whole, name) =>
    name && known.has(name) ? literalText(known.get(name), ops.parameter) : whole);
  return shortText(sent, 600);
}

// The evidence: what was sent to the server for an operation, and what came of it.
function statementTexts(trial, row) {
  const { statements, names, from } = trial.ops, known = valuesOf(trial, row);
  const out = [];
  for (let i = statements.first[row]; i < statements.first[row + 1]; ++i) {
    const sent = momentText(from[row] + statements.call[i]);
    const count = statements.rows[i];
    const rows = count < 0 ? "no answer" : count === 1 ? "1 row" : count + " rows";
    const error = statements.error[i] ? `, error ${statements.error[i]}` : "";
    const name = shortText(names[statements.name[i]], 60);
    out.push(`statement ${name}: sent ${sent}, ${rows}${error}, ${lengthText(statements.took[i])}`);
    const own = statements.values[i];
    const text = sentText(trial.ops, i, own ? new Map(Object.entries(own)) : known);
    if (text) out.push(text);
  }
  return out;
}

function spanTexts(trial, span) {
  const until = span.doubt ? "it was promised until " : "its lease ended at ";
  const lease = span.lease ? until + momentText(span.lease) : "no lease";
  const lapsed = span.lease && span.to > span.lease;
  const late = lapsed ? `, ${lengthText(span.to - span.lease)} before it stopped acting` : "";
  return [`client ${span.client} acted as holder of "${shortText(span.key, 60)}"`,
    `from ${momentText(span.from)} (#${span.grant}) to ${momentText(span.to)} (#${span.end}), ` +
      lengthText(span.to - span.from), lease + late, ...(span.doubt ? [span.doubt] : [])];
}

function clientsText(clients) {
  if (clients.length === 0) return "no client in particular";
  const last = clients[clients.length - 1];
  return clients.length === 1 ? "client " + last : `clients ${clients.slice(0, -1).join(", ")} and ${last}`;
}

function faultTexts(fault) {
  return [`fault ${shortText(fault.fault, 60)} struck ${clientsText(fault.clients)}`,
    `in force ${momentText(fault.from)} to ${momentText(fault.to)}, ${lengthText(fault.to - fault.from)}`,
    shortText(fault.detail, 300)].filter((text) => text);
}

function violationTexts(v) {
  const when = v.to > v.from ? `${momentText(v.from)} to ${momentText(v.to)}, ${lengthText(v.to - v.from)}` :
    momentText(v.from);
  const what = shortText(v.properties.join(", ").replaceAll("_", " "), 120);
  return [`${what} violated` + (v.kind ? `, ${shortText(v.kind, 60)}` : ""), when, shortText(v.text, 400)];
}
