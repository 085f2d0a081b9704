// Workers that share a lock on Redis, with the recorder: worker.js PREFIX PORT sound|unsure|no_lock|frees.
'use strict';
const Redis = require('ioredis');
const { Recorder } = require('./recorder.js');

const DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
const [, , prefix, port, mode] = process.argv;
const sleep = () => new Promise((done) => setTimeout(done, 1 + 4 * Math.random()));

async function work(log, server) {
  for (let turn = 0; turn < 40; turn++) {
    const mine = `${log.name}.${turn}`;
    log.before('acquire', 'orders');
    const granted = (await server.set('orders', mine, 'PX', 30000, 'NX')) || mode === 'no_lock';
    const unsure = mode === 'unsure' && turn % 7 === 0; // as if the reply had been lost
    if (unsure) log.after('info');
    else granted ? log.after('ok') : log.after('fail', { reason: 'busy' });
    if (granted || unsure || (mode === 'frees' && turn % 5 === 0)) {
      await sleep();
      log.before('release', 'orders');
      const freed = mode === 'frees' ? await server.del('orders') : await server.eval(DELETE, 1, 'orders', mine);
      freed || mode === 'no_lock' ? log.after('ok') : log.after('fail', { reason: 'not_held' });
    }
    await sleep();
  }
}

const recorder = new Recorder(prefix);
const server = new Redis({ host: '127.0.0.1', port: Number(port) });
Promise.all([1, 2, 3, 4].map(() => work(recorder.worker(), server))).then(() => server.disconnect());
