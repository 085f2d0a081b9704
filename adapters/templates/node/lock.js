#!/usr/bin/env node
// @NAME@: a first adapter that works, a lock on Redis. Put your lock in the place of hello, acquire and release.
//
// Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
// `@PROGRAM@ adapter check @NAME@` says whether it speaks properly.
'use strict';
const readline = require('readline');
const Redis = require('ioredis');

const DELETE = `
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  else
    return 0
  end
`;
const LIMITS = {
  // No commandTimeout: its timer would end an acquire whose grant comes after its lease, and hide that.
  connectTimeout: 2000,
  // Never asked twice: a second SET NX would be refused because of the first one, whose reply was lost.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => 100,
};
const values = new Map(); // of locks that may be held
let redis, owner;

// Replace this part. Each outcome is one word. An error that is not documented as a refusal is info: perhaps it was
// done. Each further feature (renew, owned) is one more function, and a word in `can` and in lock.json.
const doing = {
  hello(ask) { // also there: client, seed, lease_ms, locks, options (of lock.json)
    const { host, port } = ask.servers[0];
    redis = new Redis({ host, port, ...LIMITS });
    redis.on('error', () => {}); // the commands say it themselves
    owner = ask.owner;
    const { version } = require('ioredis/package.json');
    return { is: 'ready', v: 1, name: '@NAME@', version, can: [] };
  },
  // ok; busy: another has it. wait_ms 0: try once
  async acquire(ask) {
    const value = `${owner}:${ask.n}`;
    values.set(ask.lock, value);
    return { is: (await redis.set(ask.lock, value, 'PX', ask.lease_ms, 'NX')) ? 'ok' : 'busy' };
  },
  // ok; not_held: another has it, or it is free
  async release(ask) {
    return { is: (await redis.eval(DELETE, 1, ask.lock, values.get(ask.lock) ?? '')) ? 'ok' : 'not_held' };
  },
  pulse: () => ({ is: 'ok', wall_ms: Date.now() }),
  bye: () => process.exit(0),
};

async function answer(ask) {
  if (!Object.hasOwn(doing, ask.do)) return { is: 'fail', why: `cannot ${ask.do}` };
  try {
    return await doing[ask.do](ask);
  } catch (error) {
    return { is: 'info', why: error.message }; // sent or not, done or not: unknown
  }
}

const lines = readline.createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const ask = JSON.parse(line);
  process.stdout.write(JSON.stringify({ n: ask.n, ...(await answer(ask)) }) + '\n');
});
lines.on('close', () => process.exit(0));
