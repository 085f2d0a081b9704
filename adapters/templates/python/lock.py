#!/usr/bin/python3
"""@NAME@: a first adapter that works, a lock on Redis. Put your lock in the place of the class MyLock.

Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
`@PROGRAM@ adapter check @NAME@` says whether it speaks properly.
"""

import json
import sys
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

CONNECT_S = 2  # to connect; a reply is waited for, since a time-out would hide a grant that comes after its lease
CAN = []  # as in lock.json: what the lock can besides
DELETE = """
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  else
    return 0
  end
"""


class MyLock:
    """Replace this part. Each outcome is one word: see the methods. An error that is not documented as a refusal is
    info: perhaps it was done. Each further feature (renew, owned) is one more method, and a word in `CAN` and
    lock.json.
    """

    def __init__(self, hello):  # also there: client, seed, lease_ms, locks, options (of lock.json)
        at = hello["servers"][0]
        limits = {"socket_connect_timeout": CONNECT_S}
        # Never asked twice: a second SET NX would be refused because of the first one, whose reply was lost.
        self.redis = redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0), **limits)
        self.owner = hello["owner"]
        self.values = {}  # of locks that may be held

    def acquire(self, ask):  # ok; busy: another has it. wait_ms 0: try once
        name = ask["lock"]
        self.values[name] = f"{self.owner}:{ask['n']}"
        return "ok" if self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]) else "busy"

    def release(self, ask):  # ok; not_held: another has it, or it is free
        name = ask["lock"]
        return "ok" if self.redis.eval(DELETE, 1, name, self.values.get(name, "")) else "not_held"


def answer(lock, ask):
    try:
        return {"is": getattr(lock, ask["do"])(ask)}
    except redis.RedisError as error:  # replace: your library's exceptions. Sent or not, done or not: unknown
        return {"is": "info", "why": str(error)}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    lock = None
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            lock = MyLock(ask)
            said = {"is": "ready", "v": 1, "name": "@NAME@", "version": redis.__version__, "can": CAN}
        elif ask["do"] == "pulse":
            said = {"is": "ok", "wall_ms": time.time_ns() // 1_000_000}
        elif ask["do"] in ("acquire", "release", *CAN):
            said = answer(lock, ask)
        else:
            said = {"is": "fail", "why": f"cannot {ask['do']}"}
        print(json.dumps({"n": ask.get("n"), **said}), file=answers, flush=True)


if __name__ == "__main__":
    main()
