#!/usr/bin/python3
"""redlock-py's lock and unlock, as its README shows them, on the clients that it makes itself, of default settings."""

import importlib.metadata
import time

import holdfast_adapter
from redlock import Redlock


class RedlockPy(holdfast_adapter.Adapter):
    CAN = ("block", "threads", "wait")

    def __init__(self, hello):
        super().__init__(hello)
        servers = [{"host": at["host"], "port": at["port"]} for at in hello["servers"] if at["role"] == "lock"]
        self.once = Redlock(servers, retry_count=1)
        self.default = Redlock(servers)  # three attempts, 0.2 s apart

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        began = time.monotonic()
        manager = self.once if wait_ms == 0 else self.default
        while True:
            lock = manager.lock(ask["lock"], ask["lease_ms"])
            if lock:
                self.held[self.key(ask)] = lock
                # counted from the request; the library counts from its return
                lease_ms = int((time.monotonic() - began) * 1000) + lock.validity
                return {"is": "ok", "lease_ms": lease_ms}
            if wait_ms is not None and time.monotonic() >= began + wait_ms / 1000:
                return "busy"

    def release(self, ask):
        self.once.unlock(self.held[self.key(ask)])
        return {"is": "info", "why": "its unlock returns nothing, and hides errors"}


holdfast_adapter.serve(RedlockPy, importlib.metadata.version("redlock-py"))
