// simple-redis-mutex's tryLock, or lock for a caller that may wait, with its fencing token, as its README shows them,
// on a client of node-redis 5 with default settings. With the option `tries`, as in lock_try.json, always tryLock.
'use strict';
const { createClient } = require('redis');
const { lock, tryLock } = require('simple-redis-mutex');
const { Adapter, serve } = require('./holdfast_adapter.js');

const EVERY_MS = 200; // instead of 10 s, since leases are of 2 s here

class Lock extends Adapter {
  constructor(hello) {
    super(hello, hello.options.tries ? [] : ['wait']);
    const { host, port } = hello.servers[0];
    this.client = createClient({ socket: { host, port } });
    this.client.on('error', () => {}); // the commands say it themselves
  }

  async ready() {
    await this.client.connect();
  }

  async acquire(ask) {
    const release = await this.taken(ask);
    if (!release) return 'busy';
    this.held.set(this.key(ask), release);
    return { is: 'ok', token: release.fencingToken };
  }

  async taken({ lock: name, lease_ms: timeout, wait_ms }) {
    if (wait_ms !== 0 && !this.hello.options.tries) {
      return lock(this.client, name, { timeout, pollingInterval: EVERY_MS, failAfter: wait_ms });
    }
    const [hasLock, release] = await tryLock(this.client, name, { timeout });
    return hasLock ? release : null;
  }

  // It returns nothing, whether the lock was still its own or not.
  async renew(ask) {
    await this.held.get(this.key(ask)).refreshTimeout();
    return { is: 'info', why: 'refreshTimeout does not tell whether it prolonged the lock' };
  }

  async release(ask) {
    await this.held.get(this.key(ask))();
    return { is: 'info', why: 'its release does not tell whether the lock was still ours' };
  }

  refused(error) {
    return /could not be acquired after/.test(error.message) ? 'busy' : null;
  }
}

serve('simple-redis-mutex', (hello) => new Lock(hello));
