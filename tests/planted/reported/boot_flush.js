// A lock on Redis whose programs tidy up when they start (expected.json names the report).
'use strict';
const Redis = require('ioredis');

const DELETE_OWN = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end';

// A key with an end, and a value of each grant's own. A program that starts takes every key that is there for one that
// the program before it has left, and deletes it, also where another program holds it.
class BootFlush {
  static can = [];
  constructor(hello) {
    const { host, port } = hello.servers[0];
    this.hello = hello;
    this.values = new Map();
    this.redis = new Redis({
      host, port, connectTimeout: 2000, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false,
      retryStrategy: () => 100,
    });
    this.redis.on('error', () => {}); // the requests say it themselves
  }
  async start() {
    if (this.hello.options.twin) return; // what a dead program has left ends by itself
    try {
      let cursor = '0';
      do {
        const [next, keys] = await this.redis.scan(cursor, 'MATCH', 'run-lock:*', 'COUNT', 100);
        if (keys.length) await this.redis.del(...keys);
        cursor = next;
      } while (cursor !== '0');
    } catch (error) {
      console.error(`boot flush: ${error.message}`); // best effort
    }
  }
  async acquire(ask) {
    const value = `${this.hello.owner}:${ask.n}`;
    if (!(await this.redis.set(`run-lock:${ask.lock}`, value, 'PX', ask.lease_ms, 'NX'))) return 'busy';
    this.values.set(ask.lock, value);
    return 'ok';
  }
  async release(ask) {
    const value = this.values.get(ask.lock) ?? '';
    this.values.delete(ask.lock);
    return (await this.redis.eval(DELETE_OWN, 1, `run-lock:${ask.lock}`, value)) ? 'ok' : 'not_held';
  }
}

module.exports = { BootFlush };
