// redis-semaphore's Mutex, or its RedlockMutex (option `redlock`), with its refresh and `onLockLost`, as its README
// shows them, on clients of ioredis with default settings. With the option `bounded`, as in lock_bounded.json: no
// request is sent again, and none waits for longer than a second for its reply.
'use strict';
const { Mutex, RedlockMutex, TimeoutError } = require('redis-semaphore');
const { Adapter, serve } = require('./holdfast_adapter.js');
const { redisClients } = require('./redis_clients.js');

class Lock extends Adapter {
  constructor(hello, can) {
    super(hello, can);
    this.clients = redisClients(hello);
    this.waiting = new Map(); // by the number of an acquire: what cancels it
  }

  mutex(key, settings) {
    if (this.hello.options.redlock) return new RedlockMutex(this.clients, key, settings);
    return new Mutex(this.clients[0], key, settings);
  }

  async acquire(ask) {
    const { n, wait_ms } = ask;
    const mutex = this.mutex(ask.lock, {
      lockTimeout: ask.lease_ms,
      ...(wait_ms ? { acquireTimeout: wait_ms } : { acquireAttemptsLimit: 1 }),
      onLockLost: (error) => this.lost(ask, mutex, error),
    });
    const waiting = new AbortController();
    this.waiting.set(n, waiting);
    try {
      await mutex.acquire(waiting.signal);
    } finally {
      this.waiting.delete(n);
    }
    this.held.set(this.key(ask), mutex);
    return 'ok';
  }

  cancel({ of }) {
    this.waiting.get(of)?.abort();
    return 'ok';
  }

  owned(ask) {
    return this.held.get(this.key(ask)).isAcquired ? 'yes' : 'no';
  }

  // It returns nothing, whether it freed the lock or found another's.
  async release(ask) {
    await this.held.get(this.key(ask)).release();
    return { is: 'info', why: 'its release does not tell whether the lock was still ours' };
  }

  // Aborted between two attempts: by then the last one was refused.
  refused(error) {
    return error instanceof TimeoutError || error.name === 'AbortError' ? 'busy' : null;
  }
}

serve('redis-semaphore', (hello) => new Lock(hello, ['background', 'lost', 'wait']));
