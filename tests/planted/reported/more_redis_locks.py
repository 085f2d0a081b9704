"""More locks on Redis, rebuilt from public reports (expected.json names each); `twin` is the lock without the mistake.

Each remembers a value when it is granted, so that a release after an acquire without an answer frees nothing."""

import hashlib
import threading
import time

import redis
from redis_locks import DELETE_OWN, EXTEND_OWN, connect

NOW = """
  local t = redis.call("time")
  local now = t[1] * 1000 + math.floor(t[2] / 1000)"""


class ReaderClearsAll:
    """A key for the writer, and an entry with an end for each reader. A reader that leaves finds its entry and removes
    the whole key."""

    CAN = ["shared"]
    ENTER = f"""{NOW}
      local writer, readers = KEYS[1] .. ":writer", KEYS[1] .. ":readers"
      redis.call("zremrangebyscore", readers, "-inf", now)
      if redis.call("exists", writer) == 1 then return 0 end
      if ARGV[3] == "shared" then
        redis.call("zadd", readers, now + ARGV[2], ARGV[1])
        return 1
      end
      if redis.call("zcard", readers) > 0 then return 0 end
      redis.call("set", writer, ARGV[1], "px", ARGV[2])
      return 1"""
    LEAVE = """
      local writer, readers = KEYS[1] .. ":writer", KEYS[1] .. ":readers"
      if redis.call("get", writer) == ARGV[1] then return redis.call("del", writer) end
      if not redis.call("zscore", readers, ARGV[1]) then return 0 end
      redis.call(%s)
      return 1"""

    def __init__(self, hello, twin):
        self.redis, self.owner, self.values = connect(hello), hello["owner"], {}
        self.leave = self.LEAVE % ('"zrem", readers, ARGV[1]' if twin else '"del", readers')

    def acquire(self, ask):
        key, value = ask["lock"], f"{self.owner}:{ask['n']}"
        if not self.redis.eval(self.ENTER, 1, key, value, ask["lease_ms"], ask.get("mode") or "exclusive"):
            return "busy"
        self.values[key] = value
        return "ok"

    def release(self, ask):
        value = self.values.pop(ask["lock"], "")
        return "ok" if self.redis.eval(self.leave, 1, ask["lock"], value) else "not_held"


class UnlockErrorRenews:
    """Renews what it holds at a third of the lease, a thread for each grant. An unlock that fails leaves the renewals
    running, because only its answer stops them."""

    CAN = ["background"]
    LIMIT_S = 1  # of releases and renewals; an acquire waits for its answer

    def __init__(self, hello, twin):
        self.redis, self.quick, self.twin = connect(hello), connect(hello, self.LIMIT_S), twin
        self.owner, self.values, self.kept = hello["owner"], {}, set()

    def acquire(self, ask):
        key, value, lease_ms = ask["lock"], f"{self.owner}:{ask['n']}", ask["lease_ms"]
        if not self.redis.set(key, value, nx=True, px=lease_ms):
            return "busy"
        self.values[key] = value
        self.kept.add((key, value))
        threading.Thread(target=self.renewals, args=(key, value, lease_ms), daemon=True).start()
        return "ok"

    def renewals(self, key, value, lease_ms):
        while True:
            time.sleep(lease_ms / 3000)
            if (key, value) not in self.kept:
                return
            try:
                if not self.quick.eval(EXTEND_OWN, 1, key, value, lease_ms):
                    self.kept.discard((key, value))
            except redis.RedisError:
                pass  # the next one may reach the server

    def release(self, ask):
        key = ask["lock"]
        value = self.values.pop(key, "")
        if self.twin:
            self.kept.discard((key, value))
        freed = self.quick.eval(DELETE_OWN, 1, key, value)
        self.kept.discard((key, value))
        return "ok" if freed else "not_held"


class RankOfClaims:
    """Each claim adds itself to a sorted set under the server's time, and is admitted if it is the first. Of two claims
    in one millisecond, the member's text decides which is the first."""

    CAN: list = []
    EXPIRE = f"""{NOW}
      local claims, ends = KEYS[1] .. ":claims", KEYS[1] .. ":ends"
      for _, old in ipairs(redis.call("zrangebyscore", ends, "-inf", now)) do
        redis.call("zrem", claims, old)
        redis.call("zrem", ends, old)
      end"""
    ADD = """
      redis.call("zadd", claims, now, ARGV[1])
      redis.call("zadd", ends, now + ARGV[2], ARGV[1])"""
    RANKED = f"""{EXPIRE}{ADD}
      if redis.call("zrank", claims, ARGV[1]) == 0 then return 1 end
      redis.call("zrem", claims, ARGV[1])
      redis.call("zrem", ends, ARGV[1])
      return 0"""
    COUNTED = f"""{EXPIRE}
      if redis.call("zcard", claims) > 0 then return 0 end{ADD}
      return 1"""
    LEAVE = """
      redis.call("zrem", KEYS[1] .. ":ends", ARGV[1])
      return redis.call("zrem", KEYS[1] .. ":claims", ARGV[1])"""

    def __init__(self, hello, twin):
        self.redis, self.owner, self.values = connect(hello), hello["owner"], {}
        self.claim = self.COUNTED if twin else self.RANKED

    def acquire(self, ask):
        key = ask["lock"]
        value = hashlib.sha256(f"{self.owner}:{key}:{ask['n']}".encode()).hexdigest()[:32]  # as good as random
        if not self.redis.eval(self.claim, 1, key, value, ask["lease_ms"]):
            return "busy"
        self.values[key] = value
        return "ok"

    def release(self, ask):
        value = self.values.pop(ask["lock"], "")
        return "ok" if self.redis.eval(self.LEAVE, 1, ask["lock"], value) else "not_held"
