#!/usr/bin/python3
"""A sound lock that waits: a thread asks Redis, and acquire gives up when the wait is over, whatever the thread did.

A thread that gets no processor answers after the end of the wait. The lock is then refused although its key was free,
and what the thread still gets is given back at once.
"""

import json
import sys
import threading
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

PAUSE_S = 0.02
DELETE = """
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  else
    return 0
  end
"""


class Campaign:
    """One wait for the lock, in a thread of its own."""

    def __init__(self, server, name, value, lease_ms, wait_s):
        self.server, self.name, self.value, self.lease_ms = server, name, value, lease_ms
        self.until = time.monotonic() + wait_s
        self.lock, self.given_up, self.error = threading.Lock(), False, None
        self.granted = threading.Event()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            while not self.given_up:
                if self.server.set(self.name, self.value, nx=True, px=self.lease_ms):
                    with self.lock:
                        if not self.given_up:
                            return self.granted.set()
                    self.server.eval(DELETE, 1, self.name, self.value)
                time.sleep(PAUSE_S)
        except redis.RedisError as error:
            self.error = error
            self.granted.set()

    def outcome(self):
        self.granted.wait(max(0, self.until - time.monotonic()))
        with self.lock:
            self.given_up = not self.granted.is_set()
        if self.error:
            return {"is": "info", "why": str(self.error)}
        return {"is": "busy" if self.given_up else "ok"}


class Lock:
    def __init__(self, hello):
        at = hello["servers"][0]
        self.server = redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0), socket_connect_timeout=2)
        self.owner, self.values = hello["owner"], {}

    def acquire(self, ask):
        name = ask["lock"]
        self.values[name] = f"{self.owner}:{ask['n']}"
        wait_s = ask.get("wait_ms", 1000) / 1000
        return Campaign(self.server, name, self.values[name], ask["lease_ms"], wait_s).outcome()

    def release(self, ask):
        name = ask["lock"]
        freed = self.server.eval(DELETE, 1, name, self.values.get(name, ""))
        return {"is": "ok" if freed else "not_held"}


def answer(lock, ask):
    try:
        return getattr(lock, ask["do"])(ask)
    except redis.RedisError as error:  # sent or not, done or not: unknown
        return {"is": "info", "why": str(error)}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    lock = None
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            lock = Lock(ask)
            said = {"is": "ready", "v": 1, "name": "starved_wait", "version": "1", "can": ["wait"]}
        elif ask["do"] == "pulse":
            said = {"is": "ok", "wall_ms": time.time_ns() // 1_000_000}
        elif ask["do"] in ("acquire", "release"):
            said = answer(lock, ask)
        else:
            said = {"is": "fail", "why": f"cannot {ask['do']}"}
        print(json.dumps({"n": ask.get("n"), **said}), file=answers, flush=True)


if __name__ == "__main__":
    main()
