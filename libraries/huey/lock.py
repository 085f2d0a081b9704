#!/usr/bin/python3
"""Huey's lock_task as a context manager, as its guide shows it, on RedisHuey. With the option `ttl`, as in
lock_ttl.json, on RedisExpireHuey with a time after which the lock expires, which its reference describes."""

import holdfast_adapter
import huey
from huey.exceptions import TaskLockedException


class Huey(holdfast_adapter.Adapter):
    CAN = ("block", "threads")

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.ttl = hello["options"].get("ttl", False)
        kind = huey.RedisExpireHuey if self.ttl else huey.RedisHuey
        self.queue = kind("holdfast", host=at["host"], port=at["port"])

    def acquire(self, ask):
        lock = self.queue.lock_task(ask["lock"], ttl=ask["lease_ms"] // 1000 if self.ttl else None)
        try:
            lock.__enter__()
        except TaskLockedException:
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def release(self, ask):
        self.held[self.key(ask)].__exit__(None, None, None)
        return {"is": "info", "why": "the end of its context does not tell whether the lock was still ours"}


holdfast_adapter.serve(Huey, huey.__version__)
