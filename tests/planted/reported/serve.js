// The adapter protocol: requests on standard input, answers on standard output. `class` of the options says which of
// the classes answers, `twin` whether it is the lock without the mistake.
'use strict';
const readline = require('readline');

module.exports = function serve(classes) {
  let lock;
  async function answer(ask) {
    if (ask.do === 'pulse') return { is: 'ok', wall_ms: Date.now() };
    if (ask.do === 'hello') {
      const Made = classes[ask.options.class];
      lock = new Made(ask);
      if (lock.start) await lock.start();
      return { is: 'ready', v: 1, name: ask.name, version: '1', can: Made.can };
    }
    if (ask.do !== 'acquire' && ask.do !== 'release') return { is: 'fail', why: `cannot ${ask.do}` };
    try {
      return { is: await lock[ask.do](ask) };
    } catch (error) {
      return { is: 'info', why: String(error.message) }; // sent or not, done or not: unknown
    }
  }

  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const ask = JSON.parse(line);
    if (ask.do === 'bye') process.exit(0);
    process.stdout.write(JSON.stringify({ n: ask.n, ...(await answer(ask)) }) + '\n');
  });
  lines.on('close', () => process.exit(0));
};
