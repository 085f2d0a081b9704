// Search within a timeline. Words must all match: an operation's kind, answer, key or statement, or one of
//   #881   client:3 (or c3)   token:17   error:1213
// Other operations are dimmed; the count is shown, and Enter goes to the next.

function termOf(word) {
  const numbered = /^(#|client:|c|token:|error:)(\d+)$/.exec(word);
  if (!numbered) return { text: word };
  const number = Number(numbered[2]);
  const terms = { "#": { event: number }, "client:": { client: number }, c: { client: number },
    "token:": { token: numbered[2] }, "error:": { error: number } };
  return terms[numbered[1]];
}

function hasStatement(ops, row, fits) {
  const { statements } = ops;
  for (let i = statements.first[row]; i < statements.first[row + 1]; ++i) if (fits(statements, i)) return true;
  return false;
}

function textFits(trial, row, text, keyFits, nameFits) {
  const { ops } = trial;
  if (KINDS[ops.kind[row]].includes(text) || answerText(ops, row).includes(text) || keyFits[ops.key[row]]) return true;
  return hasStatement(ops, row, (s, i) => nameFits[s.name[i]]);
}

function testOf(trial, term) {
  const { ops } = trial;
  if (term.event !== undefined) return (row) => ops.index[row] === term.event || ops.answer[row] === term.event;
  if (term.client !== undefined) return (row) => ops.client[row] === term.client;
  if (term.token !== undefined) return (row) => ops.tokens[row] === term.token;
  if (term.error !== undefined) return (row) => hasStatement(ops, row, (s, i) => s.error[i] === term.error);
  const keyFits = trial.keys.map((key) => key.toLowerCase().includes(term.text));
  const nameFits = ops.names.map((name) => name.toLowerCase().includes(term.text));
  return (row) => textFits(trial, row, term.text, keyFits, nameFits);
}

function search(view, query) {
  const { trial } = view, words = query.toLowerCase().split(/\s+/).filter((word) => word);
  view.query = query;
  view.matches = null;
  view.matchCount = 0;
  if (words.length) {
    const tests = words.map((word) => testOf(trial, termOf(word)));
    view.matches = new Uint8Array(trial.ops.count);
    for (let row = 0; row < trial.ops.count; ++row) {
      if (tests.every((fits) => fits(row))) view.matches[row] = 1, ++view.matchCount;
    }
  }
  remember(view);
  redraw(view);
}

function nextMatch(view, by) {
  if (!view.matches || !view.matchCount) return;
  const { ops } = view.trial, now = view.selected && view.selected.row;
  let row = now === undefined || now === null ? (by > 0 ? -1 : ops.count) : now;
  for (let i = 0; i < ops.count; ++i) {
    row = (row + by + ops.count) % ops.count;
    if (view.matches[row]) break;
  }
  selectRow(view, row);
}
