#!/usr/bin/python3
"""redis-py's Lock: as its documentation shows it, with a timeout and a client of default settings. With the option
`bounded`, as in lock_bounded.json: no request is sent again, and none waits for longer than a second for its reply."""

import holdfast_adapter
import redis
from redis.backoff import NoBackoff
from redis.exceptions import LockNotOwnedError
from redis.retry import Retry

BOUNDED = {"socket_timeout": 1, "socket_connect_timeout": 1, "retry": Retry(NoBackoff(), 0)}


class RedisPy(holdfast_adapter.Adapter):
    CAN = ("block", "threads", "wait")
    NOT_HELD = (LockNotOwnedError,)

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.redis = redis.Redis(at["host"], at["port"], **(BOUNDED if hello["options"].get("bounded") else {}))

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        lock = self.redis.lock(ask["lock"], timeout=ask["lease_ms"] / 1000)
        wait_s = None if wait_ms is None else wait_ms / 1000
        if not lock.acquire(blocking=wait_ms != 0, blocking_timeout=wait_s or None):
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def renew(self, ask):
        self.held[self.key(ask)].reacquire()
        return "ok"

    def release(self, ask):
        self.held[self.key(ask)].release()
        return "ok"

    def owned(self, ask):
        return "yes" if self.held[self.key(ask)].owned() else "no"


holdfast_adapter.serve(RedisPy, redis.__version__)
