#!/usr/bin/env node
// Locks on Redis and MariaDB in Node, rebuilt from public reports (expected.json names each). `class` of the options
// says which, `twin` whether it is the lock without the mistake.
'use strict';

const DELETE_OWN = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end';
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function connect(hello) {
  const Redis = require('ioredis');
  const { host, port } = hello.servers[0];
  const made = new Redis({
    host, port, connectTimeout: 2000, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false,
    retryStrategy: () => 100,
  });
  made.on('error', () => {}); // the requests say it themselves
  return made;
}

// When a waiting acquire is to answer.
const until = (ask) => Date.now() + (ask.wait_ms ?? 1e9);

// A value of each grant's own, compared before the key is deleted. The locks below change one thing of it.
class Token {
  static can = [];
  constructor(hello) {
    this.redis = connect(hello);
    this.hello = hello;
    this.twin = hello.options.twin;
    this.values = new Map();
  }
  async acquire(ask) {
    const value = `${this.hello.owner}:${ask.n}`;
    this.values.set(ask.lock, value);
    return (await this.redis.set(ask.lock, value, 'PX', ask.lease_ms, 'NX')) ? 'ok' : 'busy';
  }
  async release(ask) {
    return (await this.redis.eval(DELETE_OWN, 1, ask.lock, this.values.get(ask.lock) ?? '')) ? 'ok' : 'not_held';
  }
}

// The release deletes by key as long as the lease lasts, and counts its milliseconds as seconds.
class ObjectsWindow extends Token {
  async acquire(ask) {
    const said = await super.acquire(ask);
    if (said === 'ok') this.end = performance.now() + ask.lease_ms * 1000;
    return said;
  }
  async release(ask) {
    if (this.twin) return super.release(ask);
    if (performance.now() > this.end) return 'not_held';
    return (await this.redis.del(ask.lock)) ? 'ok' : 'not_held';
  }
}

// A queue of tickets: the first one takes the key. The ticket of a program that died stays where it is.
class StarbyteQueue extends Token {
  static can = ['wait'];
  static first = `
    local head = redis.call("lindex", KEYS[1], 0)
    while ARGV[1] == "1" and head and redis.call("exists", KEYS[1] .. ":" .. head) == 0 do
      redis.call("lpop", KEYS[1])
      head = redis.call("lindex", KEYS[1], 0)
    end
    return head`;
  async acquire(ask) {
    const end = until(ask), line = `${ask.lock}:wait`, ticket = `${this.hello.owner}:${ask.n}`;
    if (this.twin) await this.redis.set(`${line}:${ticket}`, 1, 'PX', 1000);
    await this.redis.rpush(line, ticket);
    do {
      if (this.twin) await this.redis.set(`${line}:${ticket}`, 1, 'PX', 1000);
      const head = await this.redis.eval(StarbyteQueue.first, 1, line, this.twin ? '1' : '0');
      if (head === ticket && (await super.acquire(ask)) === 'ok') {
        await this.redis.lrem(line, 1, ticket);
        return 'ok';
      }
      await sleep(40);
    } while (Date.now() < end);
    await this.redis.lrem(line, 1, ticket);
    return 'busy';
  }
}

// Readers are counted, a writer needs a count of 0. A reader that died is counted for ever.
class RedlockReaders extends Token {
  static can = ['shared'];
  static take = `
    local now = redis.call("time")
    now = now[1] * 1000 + math.floor(now[2] / 1000)
    if ARGV[4] == "1" then redis.call("zremrangebyscore", KEYS[1] .. ":readers", "-inf", now) end
    if redis.call("exists", KEYS[1] .. ":writer") == 1 then return 0 end
    if ARGV[3] == "shared" then
      redis.call("zadd", KEYS[1] .. ":readers", now + ARGV[2], ARGV[1])
      return 1
    end
    if redis.call("zcard", KEYS[1] .. ":readers") > 0 then return 0 end
    redis.call("set", KEYS[1] .. ":writer", ARGV[1], "px", ARGV[2])
    return 1`;
  static free = `
    if redis.call("get", KEYS[1] .. ":writer") == ARGV[1] then return redis.call("del", KEYS[1] .. ":writer") end
    return redis.call("zrem", KEYS[1] .. ":readers", ARGV[1])`;
  async acquire(ask) {
    const value = `${this.hello.owner}:${ask.n}`;
    const mode = ask.mode ?? 'exclusive';
    const drops = this.twin ? '1' : '0';
    const taken = await this.redis.eval(RedlockReaders.take, 1, ask.lock, value, ask.lease_ms, mode, drops);
    if (taken) this.values.set(ask.lock, value);
    return taken ? 'ok' : 'busy';
  }
  async release(ask) {
    const value = this.values.get(ask.lock) ?? '';
    return (await this.redis.eval(RedlockReaders.free, 1, ask.lock, value)) ? 'ok' : 'not_held';
  }
}

// The release pushes a signal for one waiter, and deletes it in a second request: a waiter that asks for it later
// sleeps on.
class IonelmcSignal extends Token {
  static can = ['wait'];
  static unlock = `
    if redis.call("get", KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call("del", KEYS[2])
    redis.call("lpush", KEYS[2], 1)
    redis.call("pexpire", KEYS[2], 5000)
    return redis.call("del", KEYS[1])`;
  constructor(hello) {
    super(hello);
    this.sleeper = connect(hello); // a blocked connection answers nothing else
  }
  async acquire(ask) {
    const end = until(ask);
    while ((await super.acquire(ask)) === 'busy') {
      const left = Math.min(end - Date.now(), ask.lease_ms);
      if (left <= 0) return 'busy';
      await this.sleeper.blpop(`${ask.lock}:signal`, left / 1000);
    }
    return 'ok';
  }
  async release(ask) {
    const signal = `${ask.lock}:signal`;
    const freed = await this.redis.eval(IonelmcSignal.unlock, 2, ask.lock, signal, this.values.get(ask.lock) ?? '');
    if (freed && !this.twin) await this.redis.del(signal);
    return freed ? 'ok' : 'not_held';
  }
}

async function mysql(hello) {
  const { host, port, user, database } = hello.servers[0];
  return require('mysql2/promise').createConnection({ host, port, user, database, connectTimeout: 2000 });
}

// Threads share one connection. GET_LOCK grants a session its own lock again, whichever thread asks.
class MysqljsShared {
  static can = ['threads'];
  constructor(hello) {
    this.hello = hello;
    this.twin = hello.options.twin;
    this.made = new Map();
  }
  async ask(ask, sql) {
    const thread = this.twin ? ask.thread ?? 0 : 0;
    if (!this.made.has(thread)) this.made.set(thread, mysql(this.hello));
    try {
      const [[row]] = await (await this.made.get(thread)).query(sql, [ask.lock]);
      return row.said;
    } catch (error) {
      const broken = this.made.get(thread);
      this.made.delete(thread);
      broken.then((one) => one.destroy(), () => {});
      throw error;
    }
  }
  async acquire(ask) {
    return (await this.ask(ask, 'SELECT GET_LOCK(?, 0) AS said')) === 1 ? 'ok' : 'busy';
  }
  async release(ask) {
    return (await this.ask(ask, 'SELECT RELEASE_LOCK(?) AS said')) === 1 ? 'ok' : 'not_held';
  }
}

// Rows are written on one connection and read on another, whose transaction is ended only where the key was free: once
// it has read a holder it reads the same row for ever.
class StaleSnapshot {
  static can = [];
  constructor(hello) {
    this.hello = hello;
    this.twin = hello.options.twin;
    this.owners = new Map();
  }
  async pool() {
    if (this.writer) return;
    this.writer = await mysql(this.hello);
    this.reader = await mysql(this.hello);
    await this.writer.query(`CREATE TABLE IF NOT EXISTS pooled_row (name VARBINARY(255) PRIMARY KEY,
      owner VARBINARY(255) NOT NULL, ends DATETIME(6) NOT NULL) ENGINE = InnoDB`);
    await this.reader.query('SET autocommit = 0');
  }
  async work(what) {
    try {
      await this.pool();
      return await what();
    } catch (error) {
      for (const one of [this.writer, this.reader]) if (one) one.destroy();
      this.writer = this.reader = undefined;
      throw error;
    }
  }
  acquire(ask) {
    const owner = `${this.hello.owner}:${ask.n}`;
    return this.work(async () => {
      await this.writer.query('DELETE FROM pooled_row WHERE name = ? AND ends <= UTC_TIMESTAMP(6)', [ask.lock]);
      const [rows] = await this.reader.query('SELECT owner FROM pooled_row WHERE name = ?', [ask.lock]);
      if (!rows.length || this.twin) await this.reader.commit();
      if (rows.length) return 'busy';
      const [done] = await this.writer.query(
        'INSERT IGNORE INTO pooled_row VALUES (?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)',
        [ask.lock, owner, ask.lease_ms * 1000]);
      if (done.affectedRows === 1) this.owners.set(ask.lock, owner);
      return done.affectedRows === 1 ? 'ok' : 'busy';
    });
  }
  release(ask) {
    return this.work(async () => {
      const owner = this.owners.get(ask.lock) ?? '';
      const [done] = await this.writer.query('DELETE FROM pooled_row WHERE name = ? AND owner = ?', [ask.lock, owner]);
      return done.affectedRows === 1 ? 'ok' : 'not_held';
    });
  }
}

require('./serve')({
  objects_window: ObjectsWindow, starbyte_queue: StarbyteQueue, redlock_readers: RedlockReaders,
  ionelmc_signal: IonelmcSignal, mysqljs_shared: MysqljsShared, stale_snapshot: StaleSnapshot,
  loopover_boot_flush: require('./boot_flush').BootFlush, skip_locked_alone: require('./job_rows').SkipLockedAlone,
});
