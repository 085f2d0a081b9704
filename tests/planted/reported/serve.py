"""The adapter protocol of the locks in this folder: requests on standard input, answers on standard output."""

import collections
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor


class Answers:
    """Lines on standard output, each written as a whole; a library's prints go to standard error."""

    def __init__(self):
        self.out, sys.stdout = sys.stdout, sys.stderr
        self.writing = threading.Lock()

    def say(self, said):
        with self.writing:
            print(json.dumps(said), file=self.out, flush=True)


def attempt(lock, ask):
    try:
        said = getattr(lock, ask["do"])(ask)
    except Exception as error:  # sent or not, done or not: unknown
        said = {"is": "info", "why": f"{type(error).__name__}: {error}"[:300]}
    return {"n": ask.get("n"), **(said if isinstance(said, dict) else {"is": said})}


def serve(classes):
    answers, lock, workers = Answers(), None, collections.defaultdict(lambda: ThreadPoolExecutor(1))
    for line in sys.stdin:
        ask = json.loads(line)
        do = ask["do"]
        if do == "bye":
            break
        if do == "hello":
            lock = classes[ask["options"]["class"]](ask, ask["options"]["twin"])
            answers.say({"n": 0, "is": "ready", "v": 1, "name": ask["name"], "version": "1", "can": lock.CAN})
        elif do == "pulse":
            answers.say({"n": ask["n"], "is": "ok", "wall_ms": time.time_ns() // 1_000_000})
        elif do == "cancel":
            answers.say(attempt(lock, ask))
        elif do in ("acquire", "release") or do in lock.CAN:
            workers[ask.get("thread", 0)].submit(lambda ask=ask: answers.say(attempt(lock, ask)))
        else:
            answers.say({"n": ask.get("n"), "is": "fail", "why": f"cannot {do}"})
    os._exit(0)  # threads that still wait are not waited for
