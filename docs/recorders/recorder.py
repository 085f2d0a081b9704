"""Records what workers ask of a lock and what they are told, for `holdfast check`: docs/own_log.md."""

import itertools
import json
import os
import time


class Recorder:
    """One of a program: a file of its own, PREFIX.PID-START.jsonl. Each thread or task takes a worker of it."""

    def __init__(self, prefix):
        self.name, self.count = f"{os.getpid()}-{time.monotonic_ns()}", itertools.count()
        self.file = open(f"{prefix}.{self.name}.jsonl", "ab", buffering=0)  # a line is one write: whole, or not there

    def worker(self):
        return Worker(self.file, f"{self.name}.{next(self.count)}")


class Worker:
    def __init__(self, file, name):
        self.file, self.name, self.life, self.unsure = file, name, 0, False

    def before(self, f, key, **more):  # "acquire", "renew" or "release", just before the call
        self.life += f == "acquire" and self.unsure  # after an unknown outcome whoever goes on is somebody else
        self.unsure = self.unsure and f != "acquire"
        self.f, self.key = f, key
        self.line("invoke", more)

    def after(self, outcome, **more):  # "ok"; "fail", reason="busy" or "not_held"; "info" of an error: just after it
        self.unsure = self.unsure or outcome == "info"
        self.line(outcome, more)

    def line(self, kind, more):
        event = {"time": time.monotonic_ns(), "process": f"{self.name}.{self.life}", "type": kind, "f": self.f}
        self.file.write(json.dumps({**event, "key": self.key, **more}).encode() + b"\n")
