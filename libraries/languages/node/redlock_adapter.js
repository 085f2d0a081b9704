// The adapter of redlock, and of libraries that are derived from it and have the same interface: acquire, extend and
// release, or `using`, which extends by itself. With the option `bounded` there is one attempt at each operation.
//
//     serveRedlock('redlock', { Redlock, ResourceLockedError });
'use strict';
const { Adapter, serve } = require('./holdfast_adapter.js');
const { redisClients } = require('./redis_clients.js');

const RETRY_MS = 200; // the library's default, ten times; so that who may wait waits for two seconds

class Base extends Adapter {
  constructor(library, hello, can) {
    super(hello, can);
    this.ResourceLockedError = library.ResourceLockedError;
    this.redlock = new library.Redlock(redisClients(hello), hello.options.bounded ? { retryCount: 0 } : {});
  }

  // As often as fits into the time that it may wait, without jitter, so that it lasts so long; -1: for ever.
  tries({ wait_ms }) {
    return { retryCount: wait_ms === undefined ? -1 : Math.ceil(wait_ms / RETRY_MS), retryJitter: 0 };
  }

  // One error says that a majority refused and that none was reached; the attempts, kept in it, tell them apart.
  async refused(error, ask) {
    const refusal = ask.do === 'acquire' ? 'busy' : 'not_held';
    if (!Array.isArray(error.attempts)) return null;
    const attempts = await Promise.all(error.attempts); // none: by the program's own clock the lock is over
    const votes = attempts.flatMap(({ votesAgainst }) => [...votesAgainst.values()]);
    return votes.every((vote) => vote instanceof this.ResourceLockedError) ? refusal : null;
  }
}

class Lock extends Base {
  // Returns the library's own length of a lock: less than what the servers store, and from before its first attempt.
  granted(ask, began, lock, lease_ms) {
    this.held.set(this.key(ask), { lock, lease_ms });
    return { is: 'ok', lease_ms: Math.max(1, lock.expiration - began) };
  }

  async acquire(ask) {
    const began = Date.now();
    const lock = await this.redlock.acquire([ask.lock], ask.lease_ms, this.tries(ask));
    return this.granted(ask, began, lock, ask.lease_ms);
  }

  async renew(ask) {
    const { lock, lease_ms } = this.held.get(this.key(ask));
    const began = Date.now();
    return this.granted(ask, began, await lock.extend(lease_ms), lease_ms);
  }

  async release(ask) {
    await this.held.get(this.key(ask)).lock.release();
    return 'ok';
  }
}

class Using extends Base {
  acquire(ask) {
    return new Promise((granted, failed) => {
      const work = (signal) => new Promise((done, broken) => {
        const grant = { done, end: over };
        this.held.set(this.key(ask), grant);
        signal.addEventListener('abort', () => {
          this.lost(ask, grant, signal.error);
          broken(signal.error);
        });
        granted('ok');
      });
      const over = this.redlock.using([ask.lock], ask.lease_ms, this.tries(ask), work);
      over.catch(failed); // heard only while nothing was granted
    });
  }

  async release(ask) {
    const grant = this.held.get(this.key(ask));
    grant.done();
    await grant.end;
    return 'ok';
  }
}

function serveRedlock(name, library) {
  serve(name, (hello) => {
    if (hello.options.using) return new Using(library, hello, ['background', 'lost', 'wait']);
    return new Lock(library, hello, hello.options.bounded ? [] : ['wait']);
  });
}

module.exports = { serveRedlock };
