#!/usr/bin/python3
"""Kazoo's Lock, in a session of the lease's length, with a listener as its documentation recommends: at LOST whatever
was held is lost. With the option `suspended_is_lost`, as in lock_suspended.json, at SUSPENDED already."""

import threading
import time

import holdfast_adapter
import kazoo
from kazoo.client import KazooClient, KazooState
from kazoo.exceptions import CancelledError, KazooException, LockTimeout


class Kazoo(holdfast_adapter.Adapter):
    CAN = ("background", "block", "lost", "threads", "wait")

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        early = hello["options"].get("suspended_is_lost", False)
        self.ending = (KazooState.LOST, KazooState.SUSPENDED) if early else (KazooState.LOST,)
        self.asking = {}  # the number of an open acquire: its lock
        self.client = KazooClient(f"{at['host']}:{at['port']}", timeout=hello["lease_ms"] / 1000)
        self.client.add_listener(self.hear)
        self.client.start()

    def hear(self, state):
        """Called by a thread of the library, which waits for it."""
        for key in [*self.held]:
            about = {"lock": key[0], "thread": key[1], "why": state}
            if state in self.ending:
                lock = self.held.pop(key, None)
                self.say({"is": "lost", **about})
                threading.Thread(target=self.leave, args=(lock,), daemon=True).start()
            elif state == KazooState.SUSPENDED:
                self.say({"is": "suspect", **about})

    def leave(self, lock):
        """Who stops working at a loss leaves its lock, too: its session may still live."""
        while lock and lock.is_acquired:
            try:
                lock.release()
            except KazooException:
                time.sleep(0.1)

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        lock = self.asking[ask["n"]] = self.client.Lock("/" + ask["lock"])
        try:
            if not lock.acquire(blocking=wait_ms != 0, timeout=wait_ms / 1000 if wait_ms else None):
                return "busy"
        except (LockTimeout, CancelledError):
            return "busy"
        finally:
            del self.asking[ask["n"]]
        self.held[self.key(ask)] = lock
        return "ok"

    def release(self, ask):
        self.held[self.key(ask)].release()
        # Its release does not tell a node that had gone with its session: the listener has told that meanwhile.
        return "ok" if self.key(ask) in self.held else "not_held"

    def cancel(self, ask):
        lock = self.asking.get(ask["of"])
        if lock:
            lock.cancel()
        return "ok"


holdfast_adapter.serve(Kazoo, kazoo.__version__)
