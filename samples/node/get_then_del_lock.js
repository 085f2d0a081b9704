// A lock whose key may expire, and be another's, between GET and DEL.
'use strict';
const TokenLock = require('./token_lock.js');

module.exports = class GetThenDelLock extends TokenLock {
  async release(ask) {
    if ((await this.redis.get(ask.lock)) !== this.held.get(this.key(ask))) return 'not_held';
    await this.redis.del(ask.lock);
    return 'ok';
  }
};
