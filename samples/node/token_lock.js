// A sound lock on Redis: SET NX PX with a token, and a release that compares the token on the server.
'use strict';
const { Adapter } = require('holdfast');
const Redis = require('ioredis');

const DELETE_OWN =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
// ioredis repeats a request whose reply was lost: the second release would find nothing, and answer "not held".
const NO_RETRIES = { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false, retryStrategy: () => 100 };

module.exports = class TokenLock extends Adapter {
  constructor(hello) {
    super(hello);
    const [{ host, port }] = hello.servers;
    this.redis = new Redis({ host, port, ...NO_RETRIES });
    this.redis.on('error', () => {}); // the requests fail, too
  }

  async acquire(ask) {
    const token = `${this.hello.owner}:${ask.n}`;
    if (!(await this.redis.set(ask.lock, token, 'PX', ask.lease_ms, 'NX'))) return 'busy';
    this.held.set(this.key(ask), token);
    return 'ok';
  }

  async release(ask) {
    const deleted = await this.redis.eval(DELETE_OWN, 1, ask.lock, this.held.get(this.key(ask)));
    return deleted ? 'ok' : 'not_held';
  }
};
