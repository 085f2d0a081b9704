// The npm package redis-lock, as its README shows it, on a client of node-redis 4 with default settings. Its lock waits
// without end. A caller that may not wait so long stops waiting, and gives the lock back if it is granted later.
'use strict';
const { createClient } = require('redis');
const redisLock = require('redis-lock');
const { Adapter, serve } = require('./holdfast_adapter.js');

const ONCE_MS = 200; // for a caller that may not wait

class Lock extends Adapter {
  constructor(hello) {
    super(hello, ['wait']);
    const { host, port } = hello.servers[0];
    this.client = createClient({ socket: { host, port } });
    this.client.on('error', () => {}); // the library repeats what failed
    this.take = redisLock(this.client);
  }

  async ready() {
    await this.client.connect();
  }

  acquire(ask) {
    return new Promise((answer) => {
      let waiting = true;
      const stop = () => {
        waiting = false;
        answer('busy');
      };
      const timer = ask.wait_ms === undefined ? null : setTimeout(stop, ask.wait_ms || ONCE_MS);
      this.take(ask.lock, ask.lease_ms).then((done) => {
        clearTimeout(timer);
        if (!waiting) return done();
        this.held.set(this.key(ask), done);
        return answer('ok');
      });
    });
  }

  // It returns how many keys it deleted, of any holder, or nothing if its own clock says that the time is over.
  async release(ask) {
    const deleted = await this.held.get(this.key(ask))();
    if (deleted === undefined) return 'not_held';
    return { is: 'info', why: `deleted ${deleted} keys, without a look at whose they were` };
  }
}

serve('redis-lock', (hello) => new Lock(hello));
