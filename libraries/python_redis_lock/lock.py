#!/usr/bin/python3
"""python-redis-lock's Lock, as its documentation shows it: with `expire`, and a client of default settings. With the
option `auto_renewal`, as in lock_auto.json, a thread of the library prolongs it for as long as it is held."""

import time

import holdfast_adapter
import redis
import redis_lock


class PythonRedisLock(holdfast_adapter.Adapter):
    NOT_HELD = (redis_lock.NotAcquired,)

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.redis = redis.Redis(at["host"], at["port"])
        self.auto_renewal = hello["options"].get("auto_renewal", False)
        self.CAN = ("background", "block", "threads", "wait") if self.auto_renewal else ("block", "threads", "wait")
        if self.auto_renewal:
            self.renew = None  # the library does it

    def acquire(self, ask):
        expire_s = ask["lease_ms"] // 1000  # whole seconds, as the manifest says
        lock = redis_lock.Lock(self.redis, ask["lock"], expire=expire_s, auto_renewal=self.auto_renewal)
        if not self.taken(lock, ask.get("wait_ms"), expire_s):
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def taken(self, lock, wait_ms, expire_s):
        if wait_ms is None or wait_ms == 0:
            return lock.acquire(blocking=wait_ms is None)
        until = time.monotonic() + wait_ms / 1000
        at_once_s = min(max(1, wait_ms // 1000), expire_s)  # whole seconds, and no more than expire
        while not lock.acquire(timeout=at_once_s):
            if time.monotonic() >= until:
                return False
        return True

    def renew(self, ask):
        self.held[self.key(ask)].extend()
        return "ok"

    def release(self, ask):
        self.held[self.key(ask)].release()
        return "ok"

    def owned(self, ask):
        lock = self.held[self.key(ask)]
        return "yes" if lock.get_owner_id() == lock.id else "no"


holdfast_adapter.serve(PythonRedisLock, redis_lock.__version__)
