// What all adapters in Node have in common: holdfast's adapter protocol (docs/adapters.md).
//
//     class Lock extends Adapter {
//       constructor(hello) {...}              // connects, to hello.servers
//       async acquire(ask) {...}              // 'ok', 'busy', or an object such as {is: 'ok', token: 7}
//       async release(ask) {...}              // 'ok', 'not_held' or 'info'
//       refused(error, ask) {...}             // 'busy' or 'not_held' if the library documents the error as that
//     }
//     serve('redlock', (hello) => new Lock(hello, ['wait'])); // the library's package, whose version is told
//
// What else the lock can is a method more (renew, owned, cancel), or a word of the constructor's second argument
// (background, wait, reenter, lost, leader). A key that is not held here is answered by the adapter; every error that
// is not `refused` is `info`: perhaps it was done. Each thread of the load has a queue of its own here: its requests
// follow each other.
//
// Assertions may be made anywhere and at any time:
//
//     always(!this.renewing, 'no renewal after release');     // false: the lock is broken
//     sometimes(attempts > 1, 'a request was retried');       // must be true at least once in the run
//     reached('the fallback server is used');                 // must come at least once in the run
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const HOLDING = ['renew', 'release', 'owned'];
const DO = ['acquire', 'block', ...HOLDING];

const say = (said) => process.stdout.write(JSON.stringify(said) + '\n');

// Evaluations by kind, name and result. A line tells the first one, and then each time that they have doubled.
const evaluations = new Map();
let served = false; // elsewhere, as in a test of the module, nothing is written

function tell(one, why) {
  const { kind, name, holds } = one;
  const said = { is: kind, name, count: one.all - one.told };
  if (kind !== 'reached') said.holds = holds;
  if (why) said.why = String(why).slice(0, 500);
  one.told = one.all;
  say(said);
}

function evaluated(kind, name, holds, why) {
  const key = `${kind} ${holds} ${name}`;
  if (!evaluations.has(key)) evaluations.set(key, { kind, name, holds, all: 0, told: 0 });
  const one = evaluations.get(key);
  one.all += 1;
  if (served && one.all >= 2 * one.told) tell(one, why);
}

// Must be true whenever it is evaluated; `why` tells more about a false one. Returns `holds`.
function always(holds, name, why = '') {
  evaluated('always', name, Boolean(holds), why);
  return holds;
}

// Must be true at least once in a run. Returns `holds`.
function sometimes(holds, name, why = '') {
  evaluated('sometimes', name, Boolean(holds), why);
  return holds;
}

// A place that a run must reach at least once.
function reached(name, why = '') {
  evaluated('reached', name, true, why);
}

function tellAll() {
  for (const one of evaluations.values()) {
    if (one.all > one.told) tell(one);
  }
}

function end() {
  tellAll();
  process.exit(0); // who still waits is not waited for
}

class Adapter {
  constructor(hello, can = []) {
    this.hello = hello;
    this.can = can;
    this.held = new Map(); // by `key`: what the library gave for it
  }

  key({ lock, thread = 0 }) {
    return `${thread} ${lock}`;
  }

  ready() {} // may be a promise: waited for before `ready` is said

  refused() {
    return null;
  }

  block({ ms }) {
    return new Promise((done) => setTimeout(() => done('ok'), ms));
  }

  // To be called when the library tells that a grant is gone; nothing if it was given back before that.
  lost(ask, grant, why) {
    if (this.held.get(this.key(ask)) !== grant) return;
    this.held.delete(this.key(ask));
    say({ is: 'lost', lock: ask.lock, thread: ask.thread, why: String(why).slice(0, 500) });
  }

  words() {
    const given = ['renew', 'owned', 'cancel'].filter((word) => typeof this[word] === 'function');
    return [...new Set(['block', 'threads', ...given, ...this.can])].sort();
  }
}

async function answered(adapter, ask) {
  const key = adapter.key(ask);
  const no = ask.do === 'owned' ? 'no' : 'not_held';
  if (HOLDING.includes(ask.do) && !adapter.held.has(key)) return { is: no };
  let said;
  try {
    said = await adapter[ask.do](ask);
  } catch (error) {
    said = await adapter.refused(error, ask); // else sent or not, done or not: nobody knows
    if (!said) return { is: 'info', why: String(error).slice(0, 500) };
    if (said === 'not_held') adapter.held.delete(key);
    if (said === 'not_held' && ask.do === 'owned') said = 'no';
  }
  if (ask.do === 'release') adapter.held.delete(key);
  return typeof said === 'string' ? { is: said } : said;
}

function versionOf(name) {
  const file = path.join(__dirname, 'node_modules', name, 'package.json'); // require is refused it by some packages
  return JSON.parse(fs.readFileSync(file, 'utf8')).version.replace(/^v/, '');
}

function serve(name, make) {
  let adapter;
  served = true;
  tellAll();
  const queues = new Map(); // by the thread that asks: the end of its last request
  const hello = async (ask) => {
    ask.servers = ask.servers.filter(({ role }) => role === 'lock'); // replicas are no place for a lock
    adapter = make(ask);
    await adapter.ready();
    say({ n: ask.n, is: 'ready', v: 1, name: ask.name, version: versionOf(name), can: adapter.words() });
  };
  // What a library prints is no answer, and what it throws in a timer of its own would end the program: it is logged.
  console.log = console.info = console.debug = console.error;
  process.on('unhandledRejection', (error) => {
    console.error(error);
    say({ is: 'log', text: `unhandled rejection: ${error}`.slice(0, 500) });
  });
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const ask = JSON.parse(line);
    const { n, thread = 0 } = ask;
    if (ask.do === 'bye') return end();
    if (ask.do === 'hello') return hello(ask);
    if (ask.do === 'pulse') return say({ n, is: 'ok', wall_ms: Date.now() }); // at once, whoever waits
    if (ask.do === 'cancel' && adapter.cancel) return say({ n, ...(await answered(adapter, ask)) });
    if (!DO.includes(ask.do) || !adapter[ask.do]) return say({ n, is: 'fail', why: `cannot ${ask.do}` });
    const before = queues.get(thread);
    queues.set(thread, (async () => {
      await before;
      say({ n, ...(await answered(adapter, ask)) });
    })());
  });
  lines.on('close', end);
}

module.exports = { Adapter, always, reached, say, serve, sometimes };
