// redlock's acquire, extend and release, or its `using`, which extends by itself: as its README shows them, on clients
// of ioredis with default settings. With the option `bounded`, as in lock_bounded.json: one attempt at each operation,
// no request is sent again, and none waits for longer than a second for its reply.
'use strict';
const { default: Redlock, ResourceLockedError } = require('redlock');
const { serveRedlock } = require('./redlock_adapter.js');

serveRedlock('redlock', { Redlock, ResourceLockedError });
