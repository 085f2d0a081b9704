"""One adapter program and its pipes. Every line that it writes is checked strictly: a line that is not a message,
answers no request, has unknown fields or comes after the end is a Mistake. Unasked messages are one, too: none of the
adapters that come with holdfast sends any.
"""

import json
import pathlib
import queue
import subprocess
import threading
import time

LONGEST = 64 << 10
ANSWERS = {
    "hello": {"ready"},
    "acquire": {"ok", "busy", "info", "fail"},
    "renew": {"ok", "not_held", "info", "fail"},
    "release": {"ok", "not_held", "info", "fail"},
    "pulse": {"ok"},
    "owned": {"yes", "no", "info"},
}
FIELDS = {
    "ready": {"v": int, "name": str, "version": str, "can": list},
    "ok": {"token": (int, str), "lease_ms": int, "wall_ms": int},
    **{outcome: {"why": str, "wall_ms": int} for outcome in ("busy", "info", "fail", "not_held")},
    **{outcome: {"wall_ms": int} for outcome in ("yes", "no")},
}
END_S = 10  # for a program to end, on a full machine


class Mistake(Exception):
    pass


def command_of(folder, manifest):
    folder = pathlib.Path(folder).resolve()
    return [str(folder / word) if word.startswith("./") else word for word in manifest["command"]]


class Speaker:
    """`ask` sends a request and gives the answer's fields; `seconds` is how long the last one took. `lost`: the locks
    that it said to have lost, unasked, while an answer was waited for."""

    count = 0

    def __init__(self, folder, manifest, server, lease_ms):
        Speaker.count += 1
        self.lease_ms, self.n = lease_ms, 0
        self.lost, self.tells = set(), "lost" in manifest.get("can", [])
        self.errors = pathlib.Path(server.folder) / f"adapter_{Speaker.count}.log"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                command_of(folder, manifest), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=server.folder, start_new_session=True,
            )  # fmt: skip
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        client = Speaker.count
        self.ready = self.ask(
            "hello", v=1, name=manifest["name"], client=client, owner=f"client_{client}", servers=[server.at()],
            locks=["a", "b"], lease_ms=lease_ms, seed=42, options=manifest.get("options", {}),
            limit_s=manifest["start_ms"] / 1000,
        )  # fmt: skip

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def said(self, limit_s):
        """The next line, b"" at the end; None: nothing came."""
        try:
            return self.lines.get(timeout=limit_s)
        except queue.Empty:
            return None

    def wrong(self, text, line=b""):
        errors = self.errors.read_text(errors="replace")[-600:].strip()
        shown = f": {line[:200].decode(errors='backslashreplace').rstrip()}" if line else ""
        return Mistake(f"{text}{shown}" + (f"; its stderr ends with: {errors}" if errors else ""))

    def ask(self, do, limit_s=10, **fields):
        self.begin(do, **fields)
        said = self.answer(limit_s)
        if said is None:
            raise self.wrong(f"{do}: no answer within {limit_s} s")
        return said

    def begin(self, do, **fields):
        self.n += 1
        self.open, self.began = do, time.monotonic()
        request = {"do": do, "n": self.n, **fields}
        try:
            self.process.stdin.write(json.dumps(request, sort_keys=True, separators=(",", ":")).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self.wrong(f"{do}: it has ended") from None

    def answer(self, limit_s):
        """To what was begun; None: it is still open."""
        until = time.monotonic() + limit_s
        line = self.said(limit_s)
        while line and self.is_loss(line):
            line = self.said(max(0, until - time.monotonic()))
        self.seconds = time.monotonic() - self.began
        return None if line is None else self.looked_at(self.open, line)

    def is_loss(self, line):
        try:
            said = json.loads(line)
        except ValueError:
            return False
        if not self.tells or not isinstance(said, dict) or said.get("is") != "lost":
            return False
        self.lost.add(said.get("lock"))
        return True

    def looked_at(self, do, line):
        if not line:
            raise self.wrong(f"{do}: it ended without an answer")
        try:
            said = json.loads(line)
        except ValueError:
            raise self.wrong(f"{do}: not a message", line) from None
        if not isinstance(said, dict) or said.get("is") not in ANSWERS[do] or not line.endswith(b"\n"):
            raise self.wrong(f"{do}: not an answer to it, which are {sorted(ANSWERS[do])}", line)
        if said.get("n") != self.n:
            raise self.wrong(f"{do}: expected n {self.n}", line)
        known = FIELDS[said["is"]]
        for name, value in said.items():
            if name not in ("is", "n") and (name not in known or not isinstance(value, known[name])):
                raise self.wrong(f"{do}: '{name}' is unknown, or of the wrong type", line)
        if len(line) > LONGEST:
            raise self.wrong(f"{do}: longer than {LONGEST} bytes", line)
        return said

    def acquire(self, lock, lease_ms=None):
        return self.ask("acquire", lock=lock, wait_ms=0, lease_ms=lease_ms or self.lease_ms)["is"]

    def about(self, do, lock):
        return self.ask(do, lock=lock)["is"]

    def ended(self, how):
        """Its exit code; nothing more may be said."""
        line = self.said(END_S)
        if line is None:
            raise self.wrong(f"{how}: it does not end within {END_S} s")
        if line:
            raise self.wrong(f"{how}: said what was not asked", line)
        return self.process.wait(END_S)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.reader.join(END_S)
        self.process.stdout.close()
