// @sesamecare-oss/redlock's acquire, extend and release, or its `using`, which extends by itself: as its README shows
// them, on clients of ioredis with default settings.
'use strict';
const { Redlock, ResourceLockedError } = require('@sesamecare-oss/redlock');
const { serveRedlock } = require('./redlock_adapter.js');

serveRedlock('@sesamecare-oss/redlock', { Redlock, ResourceLockedError });
