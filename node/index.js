// holdfast from Node: tests whether a distributed lock is safe.
//
//     await tryLock('my_lock.sql').expect('as_safe_as_a_lease'); // or an adapter's folder, or a built-in lock's name
//
// A lock of a library is a module that exports a class. Its methods are called in programs of their own:
//
//     module.exports = class MyLock extends Adapter {
//       constructor(hello) {...}   // connects, to hello.servers
//       async acquire(ask) {...}   // 'ok' or 'busy'
//       async release(ask) {...}   // 'ok' or 'not_held'
//     };
//
//     await tryLock({ module: './my_lock.js', servers: ['redis'] }).expect('as_safe_as_a_lease');
'use strict';
const { Adapter, always, reached, sometimes } = require('./holdfast_adapter.js');
const { tryLock } = require('./try_lock.js');
const { GRADES, NothingRan, Verdict } = require('./verdict.js');

module.exports = { Adapter, GRADES, NothingRan, Verdict, always, reached, sometimes, tryLock };
