#!/usr/bin/env node
// The library redlock, with one Redis or several (its algorithm needs a majority of them).
//
// Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
'use strict';
const readline = require('readline');
const Redis = require('ioredis');
const Redlock = require('redlock');

const LIMITS = {
  connectTimeout: 2000,
  commandTimeout: 2000, // a server that is silent for longer leaves the outcome unknown
  // Never asked twice: a second unlock would be refused because of the first one, whose reply was lost.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => 100,
};
const locks = new Map(); // locks that may be held, with their leases
let redlock;
let errors = 0; // of servers; the library's refusal is the same LockError, whether they refused or could not be asked

// A lease of the library's is shorter than what the servers store, by its drift factor: that is what it promises.
const granted = (began, lock) => ({ is: 'ok', lease_ms: Math.max(1, lock.expiration - began) });

const doing = {
  hello(ask) {
    const places = ask.servers.filter(({ role }) => role === 'lock'); // replicas are no place for a lock
    const clients = places.map(({ host, port }) => new Redis({ host, port, ...LIMITS }));
    for (const client of clients) client.on('error', () => {}); // the commands say it themselves
    redlock = new Redlock(clients, { retryCount: 0 });
    redlock.on('clientError', () => errors++);
    const { version } = require('redlock/package.json');
    return { is: 'ready', v: 1, name: 'node_redlock', version, can: ['renew'] };
  },
  async acquire(ask) {
    const began = Date.now();
    const lock = await redlock.lock(ask.lock, ask.lease_ms);
    locks.set(ask.lock, { lock, lease_ms: ask.lease_ms });
    return granted(began, lock);
  },
  async renew(ask) {
    if (!locks.has(ask.lock)) return { is: 'not_held' };
    const { lock, lease_ms } = locks.get(ask.lock);
    const began = Date.now();
    return granted(began, await lock.extend(lease_ms));
  },
  async release(ask) {
    if (!locks.has(ask.lock)) return { is: 'not_held' };
    await locks.get(ask.lock).lock.unlock();
    return { is: 'ok' };
  },
  pulse: () => ({ is: 'ok', wall_ms: Date.now() }),
  bye: () => process.exit(0),
};

async function answer(ask) {
  if (!Object.hasOwn(doing, ask.do)) return { is: 'fail', why: `cannot ${ask.do}` };
  const before = errors;
  const began = Date.now();
  try {
    return await doing[ask.do](ask);
  } catch (error) {
    // Refused: a LockError, while every server answered. One that came too late to be of use is a LockError, too.
    const refused = error instanceof Redlock.LockError && errors === before;
    const late = ask.do === 'acquire' && Date.now() - began >= ask.lease_ms * 0.98 - 2;
    if (!refused || late) return { is: 'info', why: error.message };
    return { is: ask.do === 'acquire' ? 'busy' : 'not_held' };
  }
}

const lines = readline.createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const ask = JSON.parse(line);
  process.stdout.write(JSON.stringify({ n: ask.n, ...(await answer(ask)) }) + '\n');
});
lines.on('close', () => process.exit(0));
