"""The adapter protocol of the locks in this folder: one request on standard input, one answer on standard output."""

import json
import sys
import time


def attempt(lock, ask):
    try:
        return getattr(lock, ask["do"])(ask)
    except Exception as error:  # sent or not, done or not: unknown
        return {"is": "info", "why": f"{type(error).__name__}: {error}"[:300]}


def serve(classes):
    answers, sys.stdout = sys.stdout, sys.stderr
    lock = None
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            options = ask["options"]
            lock = classes[options["class"]](ask, options["twin"])
            said = {"is": "ready", "v": 1, "name": ask["name"], "version": "1", "can": lock.CAN}
        elif ask["do"] == "pulse":
            said = {"is": "ok", "wall_ms": time.time_ns() // 1_000_000}
        elif ask["do"] in ("acquire", "release", *lock.CAN):
            said = attempt(lock, ask)
        else:
            said = {"is": "fail", "why": f"cannot {ask['do']}"}
        said = said if isinstance(said, dict) else {"is": said}
        print(json.dumps({"n": ask.get("n"), **said}), file=answers, flush=True)
