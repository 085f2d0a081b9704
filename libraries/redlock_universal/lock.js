// redlock-universal's createLock, by acquire, extend and release, or by `using`, which extends by itself: as its README
// shows them, on a client of ioredis with default settings.
'use strict';
const { createLock, IoredisAdapter, LockAcquisitionError } = require('redlock-universal');
const { Adapter, serve } = require('./holdfast_adapter.js');
const { redisClients } = require('./redis_clients.js');

const RETRY_MS = 100; // the library's default, three times

class Lock extends Adapter {
  constructor(hello, can) {
    super(hello, can);
    this.redis = new IoredisAdapter(redisClients(hello)[0]);
  }

  // As often as fits into the time that it may wait.
  lock({ lock, lease_ms, wait_ms }) {
    const retryAttempts = wait_ms === undefined ? 1e6 : Math.ceil(wait_ms / RETRY_MS);
    return createLock({ adapter: this.redis, key: lock, ttl: lease_ms, retryAttempts, retryDelay: RETRY_MS });
  }

  async acquire(ask) {
    const lock = this.lock(ask);
    this.held.set(this.key(ask), { lock, handle: await lock.acquire(), lease_ms: ask.lease_ms });
    return 'ok';
  }

  async renew(ask) {
    const { lock, handle, lease_ms } = this.held.get(this.key(ask));
    return (await lock.extend(handle, lease_ms)) ? 'ok' : 'not_held';
  }

  async release(ask) {
    const { lock, handle } = this.held.get(this.key(ask));
    return (await lock.release(handle)) ? 'ok' : 'not_held';
  }

  // One class for a refusal and for a failure: its cause tells them apart.
  refused(error) {
    const held = /is already held/.test(error.cause?.message);
    return error instanceof LockAcquisitionError && held ? 'busy' : null;
  }
}

class Using extends Lock {
  acquire(ask) {
    return new Promise((granted, failed) => {
      const grant = {};
      grant.end = this.lock(ask).using((signal) => new Promise((done) => {
        grant.done = done;
        this.held.set(this.key(ask), grant);
        signal.addEventListener('abort', () => {
          this.lost(ask, grant, signal.error);
          done();
        });
        granted('ok');
      }));
      grant.end.catch(failed); // heard only while nothing was granted
    });
  }

  async release(ask) {
    const grant = this.held.get(this.key(ask));
    grant.done();
    await grant.end;
    return { is: 'info', why: 'the end of `using` does not tell whether the lock was still ours' };
  }
}
Using.prototype.renew = undefined; // the library does it

serve('redlock-universal', (hello) => {
  if (hello.options.using) return new Using(hello, ['background', 'lost', 'wait']);
  return new Lock(hello, ['wait']);
});
