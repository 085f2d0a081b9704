#!/usr/bin/python3
"""Tooz's get_lock, as its documentation shows it, with its driver for the lab's server. With the option `heart`, as in
lock_heart.json, the coordinator's own thread prolongs locks on Redis (start_heart)."""

import importlib.metadata

import holdfast_adapter
import tenacity
from tooz import coordination


def address(at, lease_ms):
    if at["kind"] == "redis":
        return f"redis://{at['host']}:{at['port']}?lock_timeout={lease_ms // 1000}"
    kind = "postgresql" if at["kind"] == "postgres" else "mysql"
    return f"{kind}://{at['user']}@{at['host']}:{at['port']}/{at['database']}"


class Tooz(holdfast_adapter.Adapter):
    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        heart = hello["options"].get("heart", False)
        self.CAN = ("background", "block", "threads", "wait") if heart else ("block", "threads", "wait")
        if heart:
            self.renew = None  # the library does it
        if at["kind"] != "redis":
            self.renew = self.owned = None
        url = address(at, hello["lease_ms"])
        self.coordinator = coordination.get_coordinator(url, hello["owner"].encode())
        self.coordinator.start(start_heart=heart)

    def acquire(self, ask):
        lock = self.coordinator.get_lock(ask["lock"].encode())
        if not self.taken(lock, ask.get("wait_ms")):
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def taken(self, lock, wait_ms):
        if not wait_ms:
            return lock.acquire(blocking=wait_ms is None)
        try:
            return lock.acquire(blocking=wait_ms / 1000)
        except tenacity.RetryError:  # the drivers for databases raise it after the time, instead of returning False
            return False

    def renew(self, ask):
        return "ok" if self.held[self.key(ask)].heartbeat() else "not_held"

    def release(self, ask):
        return "ok" if self.held[self.key(ask)].release() else "not_held"

    def owned(self, ask):
        return "yes" if self.held[self.key(ask)].is_still_owner() else "no"


holdfast_adapter.serve(Tooz, importlib.metadata.version("tooz"))
