// etcd3's Lock: by its `do`, as its documentation shows it, or with the option `acquire` by its acquire and release; on
// a client of default settings. With the option `deadline_ms` each request has the deadline that the documentation of
// the client's `defaultCallOptions` shows, of that length.
'use strict';
const { Etcd3, EtcdLockFailedError } = require('etcd3');
const { Adapter, serve } = require('./holdfast_adapter.js');

class Lock extends Adapter {
  constructor(hello) {
    super(hello, ['background']);
    const { deadline_ms } = hello.options;
    const timed = ({ isStream }) => (isStream ? {} : { deadline: Date.now() + deadline_ms });
    const hosts = hello.servers.map(({ host, port }) => `${host}:${port}`);
    this.client = new Etcd3({ hosts, ...(deadline_ms ? { defaultCallOptions: timed } : {}) });
  }

  lock(ask) {
    return this.client.lock(ask.lock).ttl(ask.lease_ms / 1000);
  }

  acquire(ask) {
    return new Promise((granted, failed) => {
      const grant = {};
      grant.end = this.lock(ask).do(() => new Promise((done) => {
        grant.done = done;
        this.held.set(this.key(ask), grant);
        granted('ok');
      }));
      grant.end.catch(failed); // heard only while nothing was granted
    });
  }

  async free(ask) {
    const grant = this.held.get(this.key(ask));
    grant.done();
    await grant.end;
  }

  // The library revokes the lease, and hides the error that it was gone.
  async release(ask) {
    await this.free(ask);
    return { is: 'info', why: 'its release does not tell whether the lock was still ours' };
  }

  refused(error) {
    return error instanceof EtcdLockFailedError ? 'busy' : null;
  }
}

class Acquired extends Lock {
  async acquire(ask) {
    this.held.set(this.key(ask), await this.lock(ask).acquire());
    return 'ok';
  }

  free(ask) {
    return this.held.get(this.key(ask)).release();
  }
}

serve('etcd3', (hello) => (hello.options.acquire ? new Acquired(hello) : new Lock(hello)));
