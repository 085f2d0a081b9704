#!/usr/bin/python3
"""A sound lock that waits: a thread asks Redis, and acquire gives up when the wait is over, whatever the thread did.

A thread that gets no processor answers after the end of the wait. The lock is then refused although its key was free,
and what the thread still gets is given back at once.
"""

import pathlib
import sys
import threading
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "libraries/languages/python"))
import holdfast_adapter  # noqa: E402

PAUSE_S = 0.02
DELETE = """
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  else
    return 0
  end
"""


class Campaign:
    """One wait for the lock, in a thread of its own."""

    def __init__(self, server, name, value, lease_ms, wait_s):
        self.server, self.name, self.value, self.lease_ms = server, name, value, lease_ms
        self.until = time.monotonic() + wait_s
        self.lock, self.given_up, self.error = threading.Lock(), False, None
        self.over = threading.Event()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            while not self.given_up:
                if self.server.set(self.name, self.value, nx=True, px=self.lease_ms):
                    with self.lock:
                        if not self.given_up:
                            return self.over.set()
                    self.server.eval(DELETE, 1, self.name, self.value)
                time.sleep(PAUSE_S)
        except redis.RedisError as error:
            self.error = error
            self.over.set()

    def outcome(self):
        self.over.wait(max(0, self.until - time.monotonic()))
        with self.lock:
            self.given_up = not self.over.is_set()
        if self.error:
            raise self.error
        return "busy" if self.given_up else "ok"


class Lock(holdfast_adapter.Adapter):
    CAN = ("wait",)

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.server = redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0), socket_connect_timeout=2)
        self.owner = hello["owner"]

    def acquire(self, ask):
        value = f"{self.owner}:{ask['n']}"
        wait_s = ask.get("wait_ms", 1000) / 1000
        if wait_s == 0:
            said = "ok" if self.server.set(ask["lock"], value, nx=True, px=ask["lease_ms"]) else "busy"
        else:
            said = Campaign(self.server, ask["lock"], value, ask["lease_ms"], wait_s).outcome()
        if said == "ok":
            self.held[self.key(ask)] = value
        return said

    def release(self, ask):
        return "ok" if self.server.eval(DELETE, 1, ask["lock"], self.held[self.key(ask)]) else "not_held"


if __name__ == "__main__":
    holdfast_adapter.serve(Lock, "1")
