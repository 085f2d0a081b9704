// advisory-lock's tryLock and the unlock that it returns, as its README shows them.
'use strict';
const { default: advisoryLock } = require('advisory-lock');
const { Adapter, say, serve } = require('./holdfast_adapter.js');

// The library listens to no error of its sessions and hands none of them out: one that breaks while nothing is asked of
// it ends the program. It is kept alive here, as by an application that does the same, so that its holds can be judged.
process.on('uncaughtException', (error) => {
  console.error(error);
  say({ is: 'log', text: `uncaught, it would end the program: ${error}`.slice(0, 500) });
});

class Lock extends Adapter {
  constructor(hello) {
    super(hello);
    const { host, port, user, database } = hello.servers[0];
    this.mutex = advisoryLock(`postgres://${user}@${host}:${port}/${database}`);
  }

  async acquire(ask) {
    const unlock = await this.mutex(ask.lock).tryLock();
    if (!unlock) return 'busy';
    this.held.set(this.key(ask), unlock);
    return 'ok';
  }

  // It asks the session that took the lock, which cannot have lost it while it lives.
  async release(ask) {
    await this.held.get(this.key(ask))();
    return 'ok';
  }
}

serve('advisory-lock', (hello) => new Lock(hello));
