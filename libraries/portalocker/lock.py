#!/usr/bin/python3
"""portalocker's RedisLock: a subscription that lives as long as the lock, as its guide shows it, on connections that it
makes itself. With the option `fencing`, as in lock_fencing.json, each grant has a token; with `self_check`, as in
lock_self_check.json, the holder looks twice a second whether its subscription is alive."""

import holdfast_adapter
import portalocker

FOR_EVER_S = 86400


class Portalocker(holdfast_adapter.Adapter):
    CAN = ("background", "block", "lost", "threads", "wait")

    def __init__(self, hello):
        super().__init__(hello)
        at = hello["servers"][0]
        self.kwargs = {"redis_kwargs": {"host": at["host"], "port": at["port"]}, "interrupt_on_lost": False}
        if hello["options"].get("fencing"):
            self.kwargs["fencing"] = True
        if hello["options"].get("self_check"):
            self.kwargs["self_check_interval"] = 0.5

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")
        silent_s = ask["lease_ms"] / 1000  # a holder that does not answer for so long is replaced
        kwargs = {"on_lost": lambda lock: self.lose(ask, lock), "unavailable_timeout": silent_s, **self.kwargs}
        lock = portalocker.RedisLock(ask["lock"], **kwargs)
        try:
            lock.acquire(timeout=FOR_EVER_S if wait_ms is None else wait_ms / 1000, fail_when_locked=wait_ms == 0)
        except portalocker.AlreadyLocked:
            return "busy"
        self.held[self.key(ask)] = lock
        return {"is": "ok", **({"token": lock.fence_token} if lock.fencing else {})}

    def lose(self, ask, lock):
        if self.held.get(self.key(ask)) is not lock:
            return
        del self.held[self.key(ask)]
        self.say({"is": "lost", "lock": ask["lock"], **({"thread": ask["thread"]} if "thread" in ask else {})})

    def release(self, ask):
        lock = self.held.pop(self.key(ask))
        lost = lock.lost
        lock.release()
        return "not_held" if lost else {"is": "info", "why": "its release does not tell whether it was still ours"}

    def owned(self, ask):
        return "no" if self.held[self.key(ask)].lost else "yes"


holdfast_adapter.serve(Portalocker, portalocker.__version__)
