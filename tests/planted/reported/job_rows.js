// A lock on PostgreSQL: the row of a job, locked for as long as a worker is at it (expected.json names the report).
'use strict';
const { Client } = require('pg');

const SETUP = `
  BEGIN;
  SELECT pg_advisory_xact_lock(6060);
  CREATE TABLE IF NOT EXISTS job_row (job text PRIMARY KEY, done bigint NOT NULL DEFAULT 0);
  COMMIT`;
const ROW = 'INSERT INTO job_row (job) VALUES ($1) ON CONFLICT DO NOTHING';
const CLAIM = 'SELECT job FROM job_row WHERE job = $1 FOR UPDATE SKIP LOCKED';
const COUNT = 'UPDATE job_row SET done = done + 1 WHERE job = $1';

// A worker has the job whose row it finds unlocked. The row is locked by a SELECT outside a transaction, and so no
// longer than that statement lasts. The twin's transaction lasts from the claim until the work is done.
class SkipLockedAlone {
  static can = [];
  constructor(hello) {
    this.hello = hello;
    this.twin = hello.options.twin;
    this.sessions = new Map(); // by job, of the twin; one for all otherwise
    this.held = new Set();
    this.made = false; // the table and its rows
  }
  async connected() {
    const { host, port, user, database } = this.hello.servers[0];
    const made = new Client({ host, port, user, database, connectionTimeoutMillis: 2000 });
    made.on('error', () => {}); // the requests say it themselves
    await made.connect();
    return made;
  }
  async setUp(session) {
    if (this.made) return;
    await session.query(SETUP);
    for (const job of this.hello.locks) await session.query(ROW, [job]);
    this.made = true;
  }
  // Does the work on the job's session; a session that fails is closed, and what it locks is free.
  async on(job, work) {
    const name = this.twin ? job : '';
    let session = this.sessions.get(name);
    try {
      if (!session) {
        session = await this.connected();
        this.sessions.set(name, session);
      }
      await this.setUp(session);
      return await work(session);
    } catch (error) {
      this.sessions.delete(name);
      this.held.delete(job);
      if (session) session.connection.stream.destroy();
      throw error;
    }
  }
  async acquire(ask) {
    if (this.held.has(ask.lock)) return 'busy'; // a session's own row lock does not keep it out
    return this.on(ask.lock, async (session) => {
      if (this.twin) await session.query('BEGIN');
      const { rows } = await session.query(CLAIM, [ask.lock]);
      if (rows.length) this.held.add(ask.lock);
      else if (this.twin) await session.query('ROLLBACK');
      return rows.length ? 'ok' : 'busy';
    });
  }
  async release(ask) {
    if (!this.held.has(ask.lock)) return 'not_held';
    return this.on(ask.lock, async (session) => {
      await session.query(COUNT, [ask.lock]);
      if (this.twin) await session.query('COMMIT');
      this.held.delete(ask.lock);
      return 'ok';
    });
  }
}

module.exports = { SkipLockedAlone };
