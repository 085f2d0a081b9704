// Locks on Redis that make one mistake each; the twin does not make it. Needs no package: Redis is spoken to directly.
'use strict';
const net = require('net');
const readline = require('readline');

const DELETE_OWN =
  'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end';

// One command at a time on one connection, which is made again after it broke.
class Client {
  constructor({ host, port }) {
    this.place = { host, port };
    this.waiting = null;
  }
  connect() {
    const socket = net.connect(this.place);
    socket.setNoDelay(true);
    let heard = '';
    const fail = (error) => {
      if (this.socket === socket) this.socket = null;
      const { waiting } = this;
      this.waiting = null;
      if (waiting) waiting.reject(error);
    };
    socket.on('data', (bytes) => {
      heard += bytes;
      const answer = read(heard);
      if (!answer) return;
      heard = '';
      const { waiting } = this;
      this.waiting = null;
      if (waiting) answer.error ? waiting.reject(new Error(answer.error)) : waiting.resolve(answer.value);
    });
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection is closed')));
    this.socket = socket;
  }
  call(...words) {
    if (!this.socket) this.connect();
    const texts = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(`*${words.length}\r\n${texts.join('')}`);
    });
  }
}

// A reply that is one line or one text; undefined: not all of it is there.
function read(heard) {
  const end = heard.indexOf('\r\n');
  if (end < 0) return undefined;
  const line = heard.slice(1, end);
  if (heard[0] === '-') return { error: line };
  if (heard[0] === ':') return { value: Number(line) };
  if (heard[0] === '+') return { value: line };
  if (line === '-1') return { value: null };
  const text = heard.slice(end + 2);
  return text.length < Number(line) + 2 ? undefined : { value: text.slice(0, Number(line)) };
}

class Token {
  constructor(hello) {
    this.redis = new Client(hello.servers[0]);
    this.owner = hello.owner;
    this.twin = hello.options.twin;
    this.values = new Map();
  }
  own(ask) {
    this.values.set(ask.lock, `${this.owner}:${ask.n}`);
    return this.values.get(ask.lock);
  }
  async acquire(ask) {
    return (await this.redis.call('SET', ask.lock, this.own(ask), 'NX', 'PX', ask.lease_ms)) ? 'ok' : 'busy';
  }
  async release(ask) {
    const value = this.values.get(ask.lock) ?? '';
    return (await this.redis.call('EVAL', DELETE_OWN, 1, ask.lock, value)) ? 'ok' : 'not_held';
  }
}

const classes = {
  // The owner is compared by one request, and the key is deleted by the next.
  ReleaseInTwoSteps: class extends Token {
    async release(ask) {
      if (this.twin) return super.release(ask);
      if ((await this.redis.call('GET', ask.lock)) !== this.values.get(ask.lock)) return 'not_held';
      return (await this.redis.call('DEL', ask.lock)) ? 'ok' : 'not_held';
    }
  },
  // A free key is seen by one request and taken by the next, which no longer asks.
  LookThenSet: class extends Token {
    async acquire(ask) {
      if (this.twin) return super.acquire(ask);
      if (await this.redis.call('EXISTS', ask.lock)) return 'busy';
      await this.redis.call('SET', ask.lock, this.own(ask), 'PX', ask.lease_ms);
      return 'ok';
    }
  },
  // An error of the connection is taken for a grant.
  ErrorIsGrant: class extends Token {
    async acquire(ask) {
      try {
        return await super.acquire(ask);
      } catch (error) {
        if (this.twin) throw error;
        return 'ok';
      }
    }
  },
};

let lock;
async function answer(ask) {
  if (ask.do === 'hello') {
    lock = new classes[ask.options.class](ask);
    return { is: 'ready', v: 1, name: ask.name, version: '1', can: [] };
  }
  if (ask.do === 'pulse') return { is: 'ok', wall_ms: Date.now() };
  if (ask.do !== 'acquire' && ask.do !== 'release') return { is: 'fail', why: `cannot ${ask.do}` };
  try {
    return { is: await lock[ask.do](ask) };
  } catch (error) {
    return { is: 'info', why: error.message }; // sent or not, done or not: unknown
  }
}

const lines = readline.createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const ask = JSON.parse(line);
  if (ask.do === 'bye') process.exit(0);
  process.stdout.write(JSON.stringify({ n: ask.n, ...(await answer(ask)) }) + '\n');
});
lines.on('close', () => process.exit(0));
