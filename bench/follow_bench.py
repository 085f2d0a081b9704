#!/usr/bin/env python3
"""`holdfast check --follow` beside ten programs that write logs: how long after a violation was written it is reported,
how much processor time and memory the judge takes, and how long a judge that was killed takes to catch up.

    bench/follow_bench.py build/release/holdfast [EVENTS [RATE]]       # 10000000 events, as many a second as it can

One process writes all logs, in small pieces, with the times at which it writes. Workers acquire and release a hundred
locks correctly until the end, when a second worker is granted a held lock and nothing is released.

    steady      one judge from the first event to the violation
    killed      kill -9 halfway, and a new judge at once, while the logs grow
    restarted   kill -9 after the last event; a new judge reads all from the beginning
"""

import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LOGS = 10
WORKERS = 20  # per log
KEYS = 100
TOGETHER = 8  # operations that overlap
PIECE = 20_000  # events between two writes of all logs
DELAY_S = 2


class Logs:
    """The logs, and a correct lock's answers."""

    def __init__(self, folder):
        self.files = [(folder / f"program-{n}.jsonl").open("w") for n in range(LOGS)]
        self.lines = [[] for _ in range(LOGS)]
        self.draw = random.Random(1)
        self.owner = {}  # by key
        self.holds = {}  # by worker
        self.workers = [(n, f"program-{n}-{w}") for n in range(LOGS) for w in range(WORKERS)]
        self.written = 0

    def line(self, log, worker, kind, call, key, more=""):
        what = f'"process":"{worker}","type":"{kind}","f":"{call}","key":"lock-{key}"'
        self.lines[log].append(f'{{{what},"time":{time.monotonic_ns()}{more}}}\n')
        self.written += 1

    def some(self):
        """Operations that overlap, of different workers."""
        asked = []
        for log, worker in self.draw.sample(self.workers, TOGETHER):
            key = self.holds.get(worker)
            call = "acquire" if key is None else "release"
            key = self.draw.randrange(KEYS) if key is None else key
            self.line(log, worker, "invoke", call, key)
            asked.append((log, worker, call, key))
        for log, worker, call, key in asked:
            if call == "release":
                del self.owner[key], self.holds[worker]
                self.line(log, worker, "ok", call, key)
            elif key in self.owner:
                self.line(log, worker, "fail", call, key, ',"reason":"busy"')
            else:
                self.owner[key] = worker
                self.holds[worker] = key
                self.line(log, worker, "ok", call, key)

    def flush(self):
        for file, lines in zip(self.files, self.lines):
            file.write("".join(lines))
            file.flush()
            lines.clear()

    def write(self, events, rate=0):
        """Until so many have been written in all."""
        begin, first = time.monotonic(), self.written
        while self.written < events:
            target = min(events, self.written + PIECE)
            while self.written < target:
                self.some()
            self.flush()
            if rate:
                time.sleep(max(0, begin + (self.written - first) / rate - time.monotonic()))
        return time.monotonic() - begin

    def violate(self):
        """A second worker is granted a held lock. Returns the time."""
        key, first = next(iter(self.owner.items()))
        log, second = next(w for w in self.workers if w[1] not in self.holds and w[1] != first)
        self.line(log, second, "invoke", "acquire", key)
        self.line(log, second, "ok", "acquire", key)
        self.flush()
        return time.monotonic()


class Judge:
    """A `holdfast check --follow`, and what it has used."""

    def __init__(self, program, folder):
        command = [program, "check", "--follow", folder, "--delay", f"{DELAY_S}s", "--json"]
        self.begin = time.monotonic()
        self.output = tempfile.TemporaryFile("w+")  # a pipe may be full
        self.process = subprocess.Popen([*map(str, command)], stdout=self.output, stderr=subprocess.DEVNULL)
        self.memory_kib = 0
        self.processor_s = 0.0

    def look(self):
        """Whether it still runs."""
        try:
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
            times = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return False
        if "VmHWM" not in status:
            return False
        self.memory_kib = int(status.split("VmHWM:")[1].split()[0])
        self.processor_s = (int(times[11]) + int(times[12])) / 100
        return True

    def kill(self):
        self.look()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def report(self):
        """The time of its report."""
        while self.look():
            time.sleep(0.005)
        at = time.monotonic()
        code = self.process.wait()
        self.output.seek(0)
        verdict = json.loads(self.output.read() or "{}")
        assert code == 1, (code, verdict)
        kinds = {p["property"]: p["judgement"] for p in verdict["properties"]}
        assert kinds["mutual_exclusion"] == "violated", kinds
        return at


def row(name, *values):
    print("| " + " | ".join([name, *map(str, values)]) + " |", flush=True)


def run(program, folder, events, rate, kind):
    logs = Logs(folder)
    judge = Judge(program, folder)
    used_s = 0.0
    if kind == "killed":
        writing_s = logs.write(events // 2, rate)
        judge.kill()
        used_s = judge.processor_s
        judge = Judge(program, folder)
        writing_s += logs.write(events, rate)
    else:
        writing_s = logs.write(events, rate)
    if kind == "restarted":
        judge.kill()
        used_s = judge.processor_s
        judge = Judge(program, folder)
    written = logs.violate()
    reported = judge.report()
    size_mb = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    row(kind, f"{events:.0e}".replace("e+0", "e"), f"{size_mb:.0f}", f"{events / writing_s:,.0f}".replace(",", " "),
        f"{reported - written:.2f} s", f"{used_s:.1f} s" if used_s else "", f"{judge.processor_s:.1f} s",
        f"{judge.memory_kib / 1024:.0f}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    rate = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    row("run", "events", "MB", "written a second", "reported after", "processor, killed", "processor", "memory, MiB")
    row(*["---"] * 8)
    for kind in ("steady", "killed", "restarted"):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-follow-"))
        try:
            run(program, folder, events, rate, kind)
        finally:
            shutil.rmtree(folder)


main()
