#!/usr/bin/python3
"""A lock on Redis that misbehaves in one way, named by its argument: `hostile_adapter.py floods_stdout SECRET`.

It speaks holdfast's adapter protocol. Its lock is sound (SET NX PX, deleted only by its owner), so only the behaviour
is wrong. hostile_conversation.py and hostile_process.py hold the behaviours. SECRET is a file that only the user who
started the run may read; some behaviours point links at it.
"""

import json
import os
import socket
import sys
import time

import hostile_conversation
import hostile_process

DELETE = 'if redis.call("get",KEYS[1])==ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end'


class Redis:
    """Just enough of the protocol."""

    def __init__(self, at):
        self.connection = socket.create_connection((at["host"], at["port"]), 2)
        self.replies = self.connection.makefile("rb")

    def call(self, *words):
        parts = [str(word).encode() for word in words]
        lines = b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
        self.connection.sendall(b"*%d\r\n" % len(parts) + lines)
        reply = self.replies.readline().strip()
        if not reply:
            raise OSError("the server has closed the connection")
        return reply


class Talk:
    """State of a behaviour: the answers, the last hello, the folder of the trial, and another user's file."""

    def __init__(self, secret):
        self.secret = secret
        self.hello, self.asked, self.done = {}, 0, False
        self.trial = os.path.dirname(os.readlink("/proc/self/fd/2"))  # its standard error is kept there

    def raw(self, data):
        while data:
            data = data[os.write(1, data) :]

    def say(self, ask, **said):
        self.raw(json.dumps({"n": ask.get("n"), **said}).encode() + b"\n")


def answer(redis, ask, owner):
    """The outcome of a request that is answered well."""
    name = ask["lock"]
    try:
        if ask["do"] == "acquire":
            reply = redis.call("SET", name, owner, "NX", "PX", ask["lease_ms"])
            return "ok" if reply == b"+OK" else "busy"
        return "ok" if redis.call("EVAL", DELETE, 1, name, owner) == b":1" else "not_held"
    except OSError:
        return "info"


def well(redis, ask, talk):
    """Answers as an adapter should."""
    if ask["do"] == "hello":
        talk.say(ask, **{"is": "ready", "v": 1, "name": ask["name"], "version": "1", "can": []})
    elif ask["do"] == "pulse":
        talk.say(ask, **{"is": "ok", "wall_ms": time.time_ns() // 1_000_000})
    elif ask["do"] in ("acquire", "release"):
        talk.say(ask, **{"is": answer(redis, ask, talk.hello["owner"])})
    else:
        talk.say(ask, **{"is": "fail", "why": f"cannot {ask['do']}"})


BEHAVIOURS = {**hostile_conversation.BEHAVIOURS, **hostile_process.BEHAVIOURS}


def main():
    behaviour, secret = sys.argv[1:3]
    misbehave = BEHAVIOURS[behaviour].act if behaviour != "good" else lambda ask, talk: False
    talk, redis = Talk(secret), None
    for line in sys.stdin.buffer:
        ask = json.loads(line)
        if ask["do"] == "hello":
            talk.hello, redis = ask, Redis(ask["servers"][0])
        talk.asked += 1
        if misbehave(ask, talk):  # it has answered, or will not
            continue
        if ask["do"] == "bye":
            break
        well(redis, ask, talk)


if __name__ == "__main__":
    main()
