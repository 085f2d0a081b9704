// Records what workers ask of a lock and what they are told, for `holdfast check`: docs/own_log.md.
'use strict';
const fs = require('fs');

// One of a program: a file of its own, PREFIX.PID-START.jsonl. Each task (and each worker thread) takes a worker of it.
class Recorder {
  constructor(prefix) {
    this.name = `${process.pid}-${process.hrtime.bigint()}`;
    this.file = fs.openSync(`${prefix}.${this.name}.jsonl`, 'a');
    this.count = 0;
  }
  worker() {
    return new Worker(this.file, `${this.name}.${this.count++}`);
  }
}

class Worker {
  constructor(file, name) {
    Object.assign(this, { file, name, life: 0, unsure: false });
  }
  // 'acquire', 'renew' or 'release', just before the call
  before(f, key, more = {}) {
    if (f === 'acquire' && this.unsure) this.life++; // after an unknown outcome the next calls are another process's
    this.unsure = this.unsure && f !== 'acquire';
    Object.assign(this, { f, key });
    this.line('invoke', more);
  }
  // 'ok'; 'fail', {reason: 'busy'} or 'not_held'; 'info' of an error: just after the call
  after(outcome, more = {}) {
    this.unsure = this.unsure || outcome === 'info';
    this.line(outcome, more);
  }
  line(type, more) {
    const event = { process: `${this.name}.${this.life}`, type, f: this.f, key: this.key, ...more };
    const line = `{"time":${process.hrtime.bigint()},${JSON.stringify(event).slice(1)}\n`;
    fs.writeSync(this.file, line); // one write a line: whole, or not there
  }
}

module.exports = { Recorder };
