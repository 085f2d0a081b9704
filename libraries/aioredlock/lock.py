#!/usr/bin/python3
"""aioredlock with one Redis, as its documentation shows it: with `lock_timeout`, and its own attempts and pauses. With
the option `auto`, as in lock_auto.json, without: then a task of the library prolongs the lock until it is unlocked."""

import asyncio
import importlib.metadata
import threading

import holdfast_adapter
from aioredlock import Aioredlock
from aioredlock.errors import LockAcquiringError


class AioredlockAdapter(holdfast_adapter.Adapter):
    NOT_HELD = (LockAcquiringError,)  # of an unlock or extension: another's id is there

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.auto = hello["options"].get("auto", False)
        self.CAN = ("block", "threads") + (("background",) if self.auto else ())
        if self.auto:
            self.renew = None  # the library does it
        self.manager = self.result(self.make(at, hello["lease_ms"] / 1000))

    async def make(self, at, lease_s):
        more = {"internal_lock_timeout": lease_s} if self.auto else {}
        return Aioredlock([(at["host"], at["port"])], **more)

    def result(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    def acquire(self, ask):
        how = {} if self.auto else {"lock_timeout": ask["lease_ms"] / 1000}
        try:
            lock = self.result(self.manager.lock(ask["lock"], **how))
        except LockAcquiringError:
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def renew(self, ask):
        self.result(self.manager.extend(self.held[self.key(ask)]))
        return "ok"

    def release(self, ask):
        self.result(self.manager.unlock(self.held[self.key(ask)]))
        return "ok"


holdfast_adapter.serve(AioredlockAdapter, importlib.metadata.version("aioredlock"))
