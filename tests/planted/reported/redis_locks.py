"""Locks on Redis, rebuilt from public reports (expected.json names each); `twin` is the lock without the mistake."""

import queue
import threading
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

DELETE_OWN = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end'
EXTEND_OWN = """
  if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end"""


def connect(hello, timeout=None):
    at = hello["servers"][0]
    limits = {"socket_timeout": timeout, "socket_connect_timeout": 2}
    return redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0), **limits)


class Token:
    """A value of each grant's own, compared before the key is deleted. The locks below change one thing of it."""

    CAN: list = []

    def __init__(self, hello, twin):
        self.redis, self.hello, self.twin = connect(hello), hello, twin
        self.owner, self.lease, self.values = hello["owner"], hello["lease_ms"], {}

    def value(self, ask):
        return f"{self.owner}:{ask['n']}"

    def slot(self, ask):
        return ask["lock"], ask.get("thread", 0)

    def acquire(self, ask):
        value = self.values[self.slot(ask)] = self.value(ask)
        return "ok" if self.redis.set(ask["lock"], value, nx=True, px=ask["lease_ms"]) else "busy"

    def release(self, ask):
        value = self.values.pop(self.slot(ask), "")
        return "ok" if self.redis.eval(DELETE_OWN, 1, ask["lock"], value) else "not_held"


def until(ask):
    """When a waiting acquire is to answer."""
    wait_ms = ask.get("wait_ms")
    return time.monotonic() + (1e6 if wait_ms is None else wait_ms / 1000)


class WalrusWait(Token):
    """Refused, it waits for the event of a release for as long as the key lives: in milliseconds, taken for seconds."""

    CAN = ["wait"]
    FREE = """if redis.call("get", KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call("del", KEYS[1], KEYS[2])
      redis.call("rpush", KEYS[2], 1)
      redis.call("pexpire", KEYS[2], 5000)
      return 1"""

    def acquire(self, ask):
        end, key = until(ask), ask["lock"]
        while Token.acquire(self, ask) == "busy":
            if ask.get("wait_ms") == 0:
                return "busy"
            left = max(self.redis.pttl(key), 1)
            if self.twin:
                left = min(left / 1000, end - time.monotonic())
            if self.twin and left <= 0:
                return "busy"
            self.redis.blpop(key + ":event", timeout=max(left, 0.01))
            if time.monotonic() > end:
                return "busy"
        return "ok"

    def release(self, ask):
        value = self.values.pop(self.slot(ask), "")
        return "ok" if self.redis.eval(self.FREE, 2, ask["lock"], ask["lock"] + ":event", value) else "not_held"


class BlueleRestart(Token):
    """A list has one element, which is popped and pushed back. While it is popped there is no list, so that a program
    that starts meanwhile makes it once more."""

    def __init__(self, hello, twin):
        super().__init__(hello, twin)
        for key in hello["locks"]:
            if not self.redis.exists(key):
                self.redis.rpush(key, 1)

    def acquire(self, ask):
        return "ok" if self.redis.lpop(ask["lock"]) else "busy"

    def release(self, ask):
        self.redis.rpush(ask["lock"], 1)
        return "ok"


class Kept(Token):
    """Renews what it holds, a thread for each grant."""

    CAN = ["background"]

    def __init__(self, hello, twin):
        super().__init__(hello, twin)
        self.beat, self.kept = connect(hello, 0.5), set()

    def keep(self, key, value):
        self.kept.add((key, value))
        threading.Thread(target=self.renewals, args=(key, value), daemon=True).start()

    def renewals(self, key, value):
        while True:
            time.sleep(self.lease / 3000)
            if (key, value) not in self.kept:
                return
            try:
                self.beat.eval(EXTEND_OWN, 1, key, value, self.lease)
            except redis.RedisError:
                pass  # the next beat may reach the server

    def release(self, ask):
        value = self.values.pop(self.slot(ask), "")
        self.kept.discard((ask["lock"], value))
        return "ok" if self.redis.eval(DELETE_OWN, 1, ask["lock"], value) else "not_held"


class RedissonArmed(Kept):
    """A cancelled acquire frees the key and stops its renewals at once; the request that was on its way then takes the
    key, and its callback arms the renewals."""

    CAN = ["wait", "cancel", "background"]

    def __init__(self, hello, twin):
        super().__init__(hello, twin)
        self.cleaner, self.open = connect(hello), {}

    def acquire(self, ask):
        cancelled, key, value, end = threading.Event(), ask["lock"], self.value(ask), until(ask)
        self.open[ask["n"]] = cancelled
        self.values[self.slot(ask)] = value
        while not cancelled.is_set():
            answer = queue.Queue()
            threading.Thread(target=self.take, args=(key, value, answer, cancelled), daemon=True).start()
            while True:
                try:
                    taken = answer.get(timeout=0.001)
                    break
                except queue.Empty:
                    if cancelled.is_set() and not self.twin:
                        self.clean(key, value)
                        return "busy"
            if isinstance(taken, Exception):
                raise taken
            if taken:
                if self.twin and cancelled.is_set():
                    self.clean(key, value)
                    return "busy"
                return "ok"
            if time.monotonic() > end:
                break
            time.sleep(0.002)
        self.clean(key, value)
        return "busy"

    def take(self, key, value, answer, cancelled):
        try:
            taken = self.redis.set(key, value, nx=True, px=self.lease)
        except redis.RedisError as error:
            answer.put(error)
            return
        if taken and not (self.twin and cancelled.is_set()):
            self.keep(key, value)
        answer.put(taken)

    def clean(self, key, value):
        self.kept.discard((key, value))
        self.cleaner.eval(DELETE_OWN, 1, key, value)

    def cancel(self, ask):
        if ask["of"] in self.open:
            self.open[ask["of"]].set()
        return "ok"


class SidekiqReaper(Token):
    """Held locks are noted as running, by their name and a suffix. Every program has a reaper, which looks for the name
    without the suffix, and deletes what it does not find."""

    TAKE = """if not redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then return 0 end
      redis.call("set", KEYS[1] .. ":RUN", ARGV[1], "px", ARGV[2]) return 1"""
    FREE = """if redis.call("get", KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call("del", KEYS[1] .. ":RUN") return redis.call("del", KEYS[1])"""
    REAP = """if redis.call("exists", KEYS[1]) == 1 and redis.call("exists", KEYS[1] .. ARGV[1]) == 0 then
      return redis.call("del", KEYS[1]) end return 0"""

    def __init__(self, hello, twin):
        super().__init__(hello, twin)
        self.reaper = connect(hello, 1)
        threading.Thread(target=self.reap, daemon=True).start()

    def reap(self):
        while True:
            time.sleep(0.4)
            for key in self.hello["locks"]:
                try:
                    self.reaper.eval(self.REAP, 1, key, ":RUN" if self.twin else "")
                    if not self.twin:
                        self.reaper.eval(self.REAP, 1, key, ":WORK")
                except redis.RedisError:
                    pass

    def acquire(self, ask):
        value = self.values[self.slot(ask)] = self.value(ask)
        return "ok" if self.redis.eval(self.TAKE, 1, ask["lock"], value, ask["lease_ms"]) else "busy"

    def release(self, ask):
        value = self.values.pop(self.slot(ask), "")
        return "ok" if self.redis.eval(self.FREE, 1, ask["lock"], value) else "not_held"


class RedissonRenewalEnds(Kept):
    """The renewals of a key end with the first error; the note that they run stays, and later grants have none."""

    def __init__(self, hello, twin):
        super().__init__(hello, twin)
        self.running = set()

    def acquire(self, ask):
        said = Token.acquire(self, ask)
        if said == "ok" and self.twin:
            self.keep(ask["lock"], self.values[self.slot(ask)])
        elif said == "ok" and ask["lock"] not in self.running:
            self.running.add(ask["lock"])
            threading.Thread(target=self.renew_key, args=(ask["lock"],), daemon=True).start()
        return said

    def renew_key(self, key):
        while key in self.running:
            time.sleep(self.lease / 3000)
            try:
                for (held, _), value in list(self.values.items()):
                    if held == key:
                        self.beat.eval(EXTEND_OWN, 1, key, value, self.lease)
            except redis.RedisError:
                return

    def release(self, ask):
        if self.twin:
            return Kept.release(self, ask)
        return Token.release(self, ask)


class RedissonThreadId(Token):
    """A hash of owner and count. The owner is the configured client's id, which programs share, and a thread's
    number."""

    CAN = ["threads", "reenter"]
    TAKE = """if redis.call("exists", KEYS[1]) == 0 or redis.call("hexists", KEYS[1], ARGV[1]) == 1 then
      redis.call("hincrby", KEYS[1], ARGV[1], 1) redis.call("pexpire", KEYS[1], ARGV[2]) return 1 end return 0"""
    FREE = """if redis.call("hexists", KEYS[1], ARGV[1]) == 0 then return 0 end
      if redis.call("hincrby", KEYS[1], ARGV[1], -1) <= 0 then redis.call("del", KEYS[1]) end return 1"""

    def me(self, ask):
        return f"{self.owner if self.twin else 'redisson'}:{ask.get('thread', 0)}"

    def acquire(self, ask):
        return "ok" if self.redis.eval(self.TAKE, 1, ask["lock"], self.me(ask), ask["lease_ms"]) else "busy"

    def release(self, ask):
        return "ok" if self.redis.eval(self.FREE, 1, ask["lock"], self.me(ask)) else "not_held"


class MlanettPid(Token):
    """The owner is the host and the process: a second thread finds the key its own, and frees it when it is done."""

    CAN = ["threads"]

    def value(self, ask):
        return Token.value(self, ask) + f":{ask.get('thread', 0)}" if self.twin else f"host:{self.owner}"

    def acquire(self, ask):
        said = Token.acquire(self, ask)
        if said == "ok" or self.twin:
            return said
        own = self.redis.eval(EXTEND_OWN, 1, ask["lock"], self.value(ask), ask["lease_ms"])
        return "ok" if own else "busy"
