#!/usr/bin/python3
"""Sherlock's RedisLock, with `expire` in whole seconds. Two options take its documentation at its word: `float`, as in
lock_float.json, gives `expire` as a float; `endless`, as in lock_endless.json, gives None, so that it never expires."""

import importlib.metadata

import holdfast_adapter
import redis
import sherlock


class SherlockRedis(holdfast_adapter.Adapter):
    CAN = ("block", "threads", "wait")
    NOT_HELD = (sherlock.LockException,)

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.options = hello["options"]
        self.redis = redis.StrictRedis(host=at["host"], port=at["port"])

    def expire(self, lease_ms):
        if self.options.get("endless"):
            return None
        return lease_ms / 1000 if self.options.get("float") else lease_ms // 1000

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        more = {"timeout": wait_ms / 1000} if wait_ms else {}
        lock = sherlock.RedisLock(ask["lock"], client=self.redis, expire=self.expire(ask["lease_ms"]), **more)
        try:
            taken = lock.acquire(wait_ms != 0)
        except sherlock.LockTimeoutException:
            taken = False
        if not taken:
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def renew(self, ask):
        return "ok" if self.held[self.key(ask)].renew() else "not_held"

    def release(self, ask):
        self.held[self.key(ask)].release()
        return "ok"


holdfast_adapter.serve(SherlockRedis, importlib.metadata.version("sherlock"))
