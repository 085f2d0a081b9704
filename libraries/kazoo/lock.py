#!/usr/bin/python3
"""Kazoo's Lock, in a session of the lease's length, with a listener as its documentation recommends: at LOST whatever
was held is lost. With the option `suspended_is_lost`, as in lock_suspended.json, at SUSPENDED already. With the option
`election`, as in election.json, its Election: who is elected is called, and resigns by returning."""

import threading

import holdfast_adapter
import kazoo
from kazoo.client import KazooClient, KazooState
from kazoo.exceptions import CancelledError, LockTimeout


class Locking:
    """What one acquire asks of a Lock."""

    def __init__(self, client, path):
        self.recipe = client.Lock(path)
        self.lost = False

    def acquire(self, wait_ms):
        try:
            return self.recipe.acquire(blocking=wait_ms != 0, timeout=wait_ms / 1000 if wait_ms else None)
        except (LockTimeout, CancelledError):
            return False

    def release(self):
        self.recipe.release()


class Candidate:
    """What one campaign asks of an Election. Its `run` returns when it is over, however it ends."""

    def __init__(self, client, path):
        self.recipe = client.Election(path)
        self.lost = False
        self.known, self.resigned = threading.Event(), threading.Event()
        self.elected, self.error = False, None

    def run(self):
        try:
            self.recipe.run(self.lead)
        except Exception as error:
            self.error = error
        self.known.set()

    def lead(self):
        self.elected = True
        self.known.set()
        self.resigned.wait()

    def acquire(self, wait_ms):
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        if not self.known.wait(None if wait_ms is None else wait_ms / 1000):
            self.recipe.cancel()  # it has no time-out of its own
            self.known.wait()
        if self.error:
            raise self.error
        return self.elected

    def release(self):
        self.resigned.set()
        self.thread.join()
        if self.error:
            raise self.error


class Kazoo(holdfast_adapter.Adapter):
    def __init__(self, hello):
        super().__init__(hello)
        at, options = hello["servers"][0], hello["options"]
        self.make = Candidate if options.get("election") else Locking
        self.CAN = ("background", "lost", "wait") + (() if options.get("election") else ("block", "threads"))
        self.ending = (KazooState.LOST,)
        if options.get("suspended_is_lost"):
            self.ending += (KazooState.SUSPENDED,)
        self.asking = {}  # the number of an open acquire: what is asked
        self.client = KazooClient(f"{at['host']}:{at['port']}", timeout=hello["lease_ms"] / 1000)
        self.client.add_listener(self.hear)
        self.client.start()

    def hear(self, state):
        """Called by a thread of the library, which waits for it."""
        for key, one in [*self.held.items()]:
            if state in self.ending and not one.lost:
                one.lost = True
                self.say({"is": "lost", "lock": key[0], "thread": key[1], "why": state})
            elif state == KazooState.SUSPENDED and not one.lost:
                self.say({"is": "suspect", "lock": key[0], "thread": key[1], "why": state})

    def acquire(self, ask):
        one = self.make(self.client, "/" + ask["lock"])
        self.asking[ask["n"]] = one
        try:
            if not one.acquire(ask.get("wait_ms")):
                return "busy"
        finally:
            del self.asking[ask["n"]]
        self.held[self.key(ask)] = one
        return "ok"

    def release(self, ask):
        one = self.held[self.key(ask)]
        one.release()
        return "not_held" if one.lost else "ok"  # its own release does not tell a node that went with its session

    def cancel(self, ask):
        one = self.asking.get(ask["of"])
        if one:
            one.recipe.cancel()
        return "ok"


holdfast_adapter.serve(Kazoo, kazoo.__version__)
