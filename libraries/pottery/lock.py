#!/usr/bin/python3
"""Pottery's Redlock with one Redis, as its documentation shows it. With the option `raising`, as in lock_raising.json,
it raises an error where Redis did not answer, in the place of saying that the lock was not acquired or not held."""

import importlib.metadata

import holdfast_adapter
import pottery
import redis


class PotteryRedlock(holdfast_adapter.Adapter):
    CAN = ("block", "threads", "wait")

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.masters = {redis.Redis(at["host"], at["port"])}
        self.more = {"raise_on_redis_errors": True} if hello["options"].get("raising") else {}

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        lease_s = ask["lease_ms"] / 1000
        lock = pottery.Redlock(key=ask["lock"], masters=self.masters, auto_release_time=lease_s, **self.more)
        how = {"blocking": False} if wait_ms == 0 else {"timeout": wait_ms / 1000 if wait_ms else -1}
        if not lock.acquire(**how):
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def renew(self, ask):
        try:
            self.held[self.key(ask)].extend()
        except pottery.TooManyExtensions as error:  # said before anything is sent
            return {"is": "fail", "why": repr(error)[:500]}
        except pottery.ExtendUnlockedLock as error:
            return refused(error)
        return "ok"

    def release(self, ask):
        try:
            self.held[self.key(ask)].release()
        except pottery.ReleaseUnlockedLock as error:
            return refused(error)
        return "ok"

    def owned(self, ask):
        return "yes" if self.held[self.key(ask)].locked() else "no"


def refused(error):
    """The same exception says that the lock is not held, and that Redis gave no answer."""
    if error.redis_errors:
        return {"is": "info", "why": repr(list(error.redis_errors))[:500]}
    return "not_held"


holdfast_adapter.serve(PotteryRedlock, importlib.metadata.version("pottery"))
