#!/usr/bin/python3
"""Kazoo's Election, in a session of the lease's length: who is elected is called, and resigns by returning. Who leads
is told by a listener that its session is lost, as the documentation of the Lock beneath it recommends."""

import threading

import holdfast_adapter
import kazoo
from kazoo.client import KazooClient, KazooState

AT_ONCE_S = 1  # its run cannot be asked without waiting: for so long it may find out that nobody else leads


class Campaign:
    """One `run` of the recipe, in a thread of its own: it returns when all is over."""

    def __init__(self, client, path):
        self.recipe = client.Election(path)
        self.known, self.resigned = threading.Event(), threading.Event()
        self.elected, self.error = False, None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

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

    def wait(self, seconds):
        if not self.known.wait(seconds):
            self.recipe.cancel()  # it has no time-out of its own
            self.known.wait()
        return self.ended(self.elected)

    def resign(self):
        self.resigned.set()
        self.thread.join()
        return self.ended(True)

    def ended(self, result):
        if self.error:
            raise self.error
        return result


class Election(holdfast_adapter.Adapter):
    CAN = ("background", "lost", "wait")

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.asking = {}  # the number of an open acquire: its campaign
        self.client = KazooClient(f"{at['host']}:{at['port']}", timeout=hello["lease_ms"] / 1000)
        self.client.add_listener(self.hear)
        self.client.start()

    def hear(self, state):
        """Called by a thread of the library, which waits for it."""
        for key in [*self.held]:
            if state == KazooState.LOST:
                campaign = self.held.pop(key, None)
                self.say({"is": "lost", "lock": key[0], "why": state})
                if campaign:
                    campaign.resigned.set()
            elif state == KazooState.SUSPENDED:
                self.say({"is": "suspect", "lock": key[0], "why": state})

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        campaign = self.asking[ask["n"]] = Campaign(self.client, "/" + ask["lock"])
        try:
            if not campaign.wait(None if wait_ms is None else max(wait_ms / 1000, AT_ONCE_S)):
                return "busy"
        finally:
            del self.asking[ask["n"]]
        self.held[self.key(ask)] = campaign
        return "ok"

    def release(self, ask):
        self.held[self.key(ask)].resign()
        return "ok" if self.key(ask) in self.held else "not_held"

    def cancel(self, ask):
        campaign = self.asking.get(ask["of"])
        if campaign:
            campaign.recipe.cancel()
        return "ok"


holdfast_adapter.serve(Election, kazoo.__version__)
