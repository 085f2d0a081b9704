"""A read-write lock on Redis that renews itself (expected.json names the report)."""

import threading
import time

import redis
from redis_locks import EXTEND_OWN, connect


class ReaderRenewedByHalf:
    """A key for the writer, a set of the readers, and a key with an end for each reader: one whose key has ended is
    taken out of the set. The renewals of a reader prolong the set, and not its own key."""

    CAN = ["background", "shared"]
    ENTER = """
      local writer, readers, reader = KEYS[1] .. ":writer", KEYS[1] .. ":readers", KEYS[1] .. ":reader:"
      for _, member in ipairs(redis.call("smembers", readers)) do
        if redis.call("exists", reader .. member) == 0 then redis.call("srem", readers, member) end
      end
      if redis.call("exists", writer) == 1 then return 0 end
      if ARGV[3] == "shared" then
        redis.call("sadd", readers, ARGV[1])
        redis.call("set", reader .. ARGV[1], 1, "px", ARGV[2])
        if redis.call("pttl", readers) < tonumber(ARGV[2]) then redis.call("pexpire", readers, ARGV[2]) end
        return 1
      end
      if redis.call("scard", readers) > 0 then return 0 end
      redis.call("set", writer, ARGV[1], "px", ARGV[2])
      return 1"""
    RENEW = """
      local readers, reader = KEYS[1] .. ":readers", KEYS[1] .. ":reader:" .. ARGV[1]
      if redis.call("sismember", readers, ARGV[1]) == 0 then return 0 end
      if ARGV[3] == "1" then
        if redis.call("exists", reader) == 0 then return 0 end
        redis.call("pexpire", reader, ARGV[2])
      end
      if redis.call("pttl", readers) < tonumber(ARGV[2]) then redis.call("pexpire", readers, ARGV[2]) end
      return 1"""
    LEAVE = """
      local writer, readers = KEYS[1] .. ":writer", KEYS[1] .. ":readers"
      if redis.call("get", writer) == ARGV[1] then return redis.call("del", writer) end
      redis.call("del", KEYS[1] .. ":reader:" .. ARGV[1])
      return redis.call("srem", readers, ARGV[1])"""

    def __init__(self, hello, twin):
        self.redis, self.beat, self.whole = connect(hello), connect(hello, 0.5), "1" if twin else "0"
        self.owner, self.values, self.kept = hello["owner"], {}, set()

    def acquire(self, ask):
        key, value, lease_ms = ask["lock"], f"{self.owner}:{ask['n']}", ask["lease_ms"]
        mode = ask.get("mode") or "exclusive"
        if not self.redis.eval(self.ENTER, 1, key, value, lease_ms, mode):
            return "busy"
        self.values[key] = value
        self.kept.add(value)
        threading.Thread(target=self.renewals, args=(key, value, lease_ms, mode), daemon=True).start()
        return "ok"

    def renewals(self, key, value, lease_ms, mode):
        while True:
            time.sleep(lease_ms / 3000)
            if value not in self.kept:
                return
            try:
                if mode == "shared":
                    renewed = self.beat.eval(self.RENEW, 1, key, value, lease_ms, self.whole)
                else:
                    renewed = self.beat.eval(EXTEND_OWN, 1, key + ":writer", value, lease_ms)
                if not renewed:
                    self.kept.discard(value)
            except redis.RedisError:
                pass  # the next one may reach the server

    def release(self, ask):
        value = self.values.pop(ask["lock"], "")
        self.kept.discard(value)
        return "ok" if self.redis.eval(self.LEAVE, 1, ask["lock"], value) else "not_held"
