// etcd3's Election: campaigns as the documentation of the class shows them, on a client of default settings. One that
// has not been won in time stands on, and whoever asks again waits for it; with the option `resigns` it resigns, and
// whoever asks again begins another. With `observes` an observer tells who leads; with `noop` the client's handling of
// faults is off, in the way that the documentation of its options shows.
'use strict';
const { noop } = require('cockatiel');
const { Etcd3 } = require('etcd3');
const { Adapter, say, serve } = require('./holdfast_adapter.js');

const AGAIN_MS = 5000; // until a campaign or an observer that failed is made anew, as in the documentation
const ONCE_MS = 500; // for a campaign that may not wait: nothing tells that it has lost, only that it has won
const UNASKED_MS = 1000; // for how long it leads while nobody asks

class Leader extends Adapter {
  constructor(hello) {
    const { observes, noop: off } = hello.options;
    super(hello, ['background', 'lost', 'wait', ...(observes ? ['leader'] : [])]);
    this.settings = { hosts: hello.servers.map(({ host, port }) => `${host}:${port}`) };
    if (off) this.settings.faultHandling = { host: () => noop, global: noop };
    this.elections = new Map(); // by lock, each on a client of its own, as in a program that has one election
    this.standing = new Map(); // by `key`: who campaigns or leads
    if (observes) for (const lock of hello.locks) this.observe(lock);
  }

  election(lock) {
    const ttl = this.hello.lease_ms / 1000;
    if (!this.elections.has(lock)) this.elections.set(lock, new Etcd3(this.settings).election(lock, ttl));
    return this.elections.get(lock);
  }

  async observe(lock) {
    const again = () => setTimeout(() => this.observe(lock), AGAIN_MS);
    const tell = (holder) => say({ is: 'leader', lock, holder: holder ?? '' });
    try {
      const observer = await this.election(lock).observe();
      tell(observer.leader());
      observer.on('change', tell);
      observer.on('error', again);
    } catch {
      again();
    }
  }

  // A candidate of this program: campaigns until it is over, and again after a failure. `told` hears of a win.
  campaign(ask, stood = { told: () => {}, won: false, over: false }) {
    if (stood.over) return stood;
    this.standing.set(this.key(ask), stood);
    stood.campaign = this.election(ask.lock).campaign(this.hello.owner);
    stood.campaign.on('elected', () => {
      if (stood.over) return say({ is: 'log', text: 'told that it is elected, after it had resigned' });
      stood.won = true;
      stood.unasked = setTimeout(() => this.leave(ask, stood).catch(console.error), UNASKED_MS);
      stood.told();
    });
    stood.campaign.on('error', (error) => {
      this.lost(ask, stood, error);
      stood.won = false;
      clearTimeout(stood.unasked);
      setTimeout(() => this.campaign(ask, stood), AGAIN_MS);
    });
    return stood;
  }

  async leave(ask, stood) {
    stood.over = true;
    this.standing.delete(this.key(ask));
    await stood.campaign.resign();
  }

  acquire(ask) {
    const stood = this.standing.get(this.key(ask)) ?? this.campaign(ask);
    return new Promise((answer, failed) => {
      const timer = setTimeout(() => {
        stood.told = () => {};
        if (!this.hello.options.resigns) return answer('busy');
        this.leave(ask, stood).then(() => answer('busy'), failed);
      }, ask.wait_ms || ONCE_MS);
      stood.told = () => {
        clearTimeout(timer);
        clearTimeout(stood.unasked);
        stood.told = () => {};
        this.held.set(this.key(ask), stood);
        answer('ok');
      };
      if (stood.won) stood.told();
    });
  }

  // The library revokes the lease, and hides the error that it was gone.
  async release(ask) {
    await this.leave(ask, this.held.get(this.key(ask)));
    return { is: 'info', why: 'its resign does not tell whether it still led' };
  }
}

serve('etcd3', (hello) => new Leader(hello));
