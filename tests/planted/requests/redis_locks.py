"""Locks on Redis that make one mistake each; the twin does not make it."""

import threading
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

DELETE_OWN = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end'
EXTEND_OWN = """
  if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end"""


class Token:
    """A value of each grant's own, compared before the key is deleted. The locks below change one thing of it."""

    CAN: list = []

    def __init__(self, hello, twin):
        at = hello["servers"][0]
        self.redis = redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0), socket_connect_timeout=2)
        self.owner, self.lease_ms, self.twin, self.values = hello["owner"], hello["lease_ms"], twin, {}

    def set(self, ask, **how):
        value = self.values[ask["lock"]] = f"{self.owner}:{ask['n']}"
        return self.redis.set(ask["lock"], value, **how)

    def acquire(self, ask):
        return "ok" if self.set(ask, nx=True, px=ask["lease_ms"]) else "busy"

    def release(self, ask):
        done = self.redis.eval(DELETE_OWN, 1, ask["lock"], self.values.get(ask["lock"], ""))
        return "ok" if done else "not_held"


class ReleaseInTwoSteps(Token):
    """The owner is compared by one request, and the key is deleted by the next."""

    def release(self, ask):
        if self.twin:
            return super().release(ask)
        if self.redis.get(ask["lock"]) != self.values.get(ask["lock"], "").encode():
            return "not_held"
        return "ok" if self.redis.delete(ask["lock"]) else "not_held"


class ReleaseUnchecked(Token):
    """The key is deleted whoever owns it."""

    def release(self, ask):
        if self.twin:
            return super().release(ask)
        return "ok" if self.redis.delete(ask["lock"]) else "not_held"


class ExpireLater(Token):
    """The key gets its lease by a second request: a client that dies in between leaves it for ever."""

    def acquire(self, ask):
        if self.twin:
            return super().acquire(ask)
        if not self.set(ask, nx=True):
            return "busy"
        self.redis.pexpire(ask["lock"], ask["lease_ms"])
        return "ok"


class ErrorIsGrant(Token):
    """An error of the connection is taken for a grant."""

    def acquire(self, ask):
        try:
            return super().acquire(ask)
        except redis.RedisError:
            if self.twin:
                raise
            return "ok"


class LookThenSet(Token):
    """A free key is seen by one request and taken by the next, which no longer asks."""

    def acquire(self, ask):
        if self.twin:
            return super().acquire(ask)
        if self.redis.get(ask["lock"]):
            return "busy"
        self.set(ask, px=ask["lease_ms"])
        return "ok"


class SecondsForMilliseconds(Token):
    """The lease is passed in seconds where the server takes milliseconds."""

    def acquire(self, ask):
        length = ask["lease_ms"] if self.twin else ask["lease_ms"] // 1000
        return "ok" if self.set(ask, nx=True, px=length) else "busy"


class RenewUnchecked(Token):
    """A renewal prolongs the key of any owner and calls it its own."""

    CAN = ["renew"]

    def renew(self, ask):
        if self.twin:
            own = self.redis.eval(EXTEND_OWN, 1, ask["lock"], self.values.get(ask["lock"], ""), self.lease_ms)
        else:
            own = self.redis.pexpire(ask["lock"], self.lease_ms)
        return "ok" if own else "not_held"


class RenewBySet(RenewUnchecked):
    """A renewal writes its own value over that of any owner."""

    def renew(self, ask):
        if self.twin:
            return super().renew(ask)
        own = self.redis.set(ask["lock"], self.values.get(ask["lock"], ""), xx=True, px=self.lease_ms)
        return "ok" if own else "not_held"


class RefusedDeletes(Token):
    """A refused attempt cleans up what it did not make."""

    def acquire(self, ask):
        said = super().acquire(ask)
        if said == "busy" and not self.twin:
            self.redis.delete(ask["lock"])
        return said


class CleanupDeletes(Token):
    """Each program looks through all keys from time to time, and deletes those that it holds itself."""

    EVERY_S = 0.7
    CLEAN = """
      local owner = redis.call("get", KEYS[1])
      if not owner or string.find(owner, ARGV[1], 1, true) ~= 1 then return 0 end
      return redis.call("del", KEYS[1])"""

    def __init__(self, hello, twin):
        super().__init__(hello, twin)
        self.locks = hello["locks"]
        threading.Thread(target=self.clean_up, daemon=True).start()

    def clean_up(self):
        # The twin looks for what no program writes.
        owner = "nobody" if self.twin else self.owner
        while True:
            time.sleep(self.EVERY_S)
            for key in self.locks:
                self.redis.eval(self.CLEAN, 1, key, owner)
