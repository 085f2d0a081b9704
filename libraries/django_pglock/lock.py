#!/usr/bin/python3
"""django-pglock's advisory lock by its acquire and release, as its guide shows them, on Django's connection of the
thread. As in a request of Django's, a connection that is known to be broken is closed before the next acquire."""

import importlib.metadata

import holdfast_adapter  # puts the installed packages into the path
from django import setup
from django.conf import settings
from django.db import close_old_connections


def database(at):
    parts = {"NAME": at["database"], "USER": at["user"], "HOST": at["host"], "PORT": at["port"]}
    return {"ENGINE": "django.db.backends.postgresql", **parts}


class DjangoPglock(holdfast_adapter.Adapter):
    CAN = ("block", "threads", "wait")

    def __init__(self, hello):
        super().__init__(hello)
        databases = {"default": database(hello["servers"][0])}
        settings.configure(DATABASES=databases, INSTALLED_APPS=["pgactivity", "pglock"])
        setup()
        import pglock  # only once Django is set up

        self.advisory = pglock.advisory

    def acquire(self, ask):
        close_old_connections()
        wait_ms = ask.get("wait_ms")
        lock = self.advisory(ask["lock"], timeout=None if wait_ms is None else wait_ms / 1000)
        if not lock.acquire():
            return "busy"
        self.held[self.key(ask)] = lock
        return "ok"

    def release(self, ask):
        self.held[self.key(ask)].release()
        return {"is": "info", "why": "its release does not tell whether the lock was still ours"}


holdfast_adapter.serve(DjangoPglock, importlib.metadata.version("django-pglock"))
