// node-redis-warlock's lock or optimistic, unlock and touch, as its README shows them, on a client of node-redis 3 with
// default settings.
'use strict';
const { promisify } = require('util');
const redis = require('redis');
const Warlock = require('node-redis-warlock');
const { Adapter, serve } = require('./holdfast_adapter.js');

const EVERY_MS = 100; // between two attempts of one that may wait

class Lock extends Adapter {
  constructor(hello) {
    super(hello, ['wait']);
    const { host, port } = hello.servers[0];
    const client = redis.createClient({ host, port });
    client.on('error', () => {}); // the commands say it themselves
    this.warlock = Warlock(client);
  }

  async acquire(ask) {
    const { lock, lease_ms, wait_ms } = ask;
    const unlock = wait_ms === 0 ? await promisify(this.warlock.lock)(lock, lease_ms)
                                 : await this.optimistic(lock, lease_ms, wait_ms);
    if (!unlock) return 'busy';
    this.held.set(this.key(ask), promisify(unlock));
    return 'ok';
  }

  optimistic(lock, lease_ms, wait_ms) {
    const attempts = wait_ms === undefined ? 1e9 : Math.ceil(wait_ms / EVERY_MS);
    return promisify(this.warlock.optimistic)(lock, lease_ms, attempts, EVERY_MS);
  }

  async release(ask) {
    const deleted = await this.held.get(this.key(ask))();
    if (deleted === undefined) return { is: 'info', why: 'unlock gave neither a result nor an error' };
    return deleted === 1 ? 'ok' : 'not_held';
  }

  refused(error) {
    return error.message === 'unable to obtain lock' ? 'busy' : null;
  }
}

serve('node-redis-warlock', (hello) => new Lock(hello));
