#!/usr/bin/env python3
"""Ends commands and parts of them at random moments, then examines what is left.

    tests/attack/kills.py --program build/release/holdfast --count 100 --seed 3
    tests/attack/kills.py --program build/release/holdfast --count 10 --only explore

A command (run, try, explore, soak, compare) or a part of it (its lab, the lab's first process, the trial, a server, a
client) gets SIGKILL, SIGINT or SIGTERM. A find is a process, namespace, mount, network device or file that is left; a
command that ends with a wrong code, or late; a result that is no whole JSON, or has another code; an incomplete run
that `report` accepts; a run that `run --resume` cannot finish. The tool works in a pid namespace with a /tmp of its
own, as tests/program/killed_run_test.py does, which kills more parts of one run. Exits with 1 if there is a find.
attack_test.py shows that it finds each of these.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM]
SOON_S = 15  # until a command ends that was interrupted
GONE_S = 10
LONG_S = 120
# The start of a command line, and the index among its processes, in the order of their birth.
PARTS = {
    "lab": ("{program} lab", 0), "first process of the lab": ("{program} lab", 1), "trial": ("{program} trial", 0),
    "client": ("{program} client", 1), "explorer": ("{program} explorer", 0), "server": ("mariadbd --no-defaults", 0),
    "Redis": ("redis-server ", 0),
}  # fmt: skip
LOCKS = ["ip_lease", "insert_lease"]
LAB = ["lab", "first process of the lab"]
COMMANDS = {  # words, seconds within which the signal comes, parts that it has, how often it is chosen
    "run": (["run", "short.json", "--repeat", "2", "--jobs", "2"], 3, [*LAB, "trial", "client", "server"], 5),
    "try": (["try", "redis_token", "--for", "20"], 12, [*LAB, "trial", "client", "Redis"], 2),
    "explore": (["explore", "ip_lease", "--budget", "3s"], 5, [*LAB, "explorer", "server"], 3),
    "soak": (["soak", "short.json", "--for", "4s"], 6, ["lab", "trial", "client", "server"], 2),
    "compare": (["compare", *LOCKS, "--scenario", "short.json"], 4, ["lab", "trial", "server"], 1),
}
ALLOWED = (0, 1, 3, 5)  # exit codes of a command that has lost a part


class Kill:
    """One command, one signal, and the finds."""

    def __init__(self, options, folder, number, before):
        self.options, self.before, self.finds = options, before, []
        choose = random.Random(f"{options.seed}:{number}")
        names = options.only or list(COMMANDS)
        self.name = choose.choices(names, [COMMANDS[name][3] for name in names])[0]
        self.words, longest, parts, _ = COMMANDS[self.name]
        self.part = options.part or choose.choice(["itself", "itself", *parts])
        self.signal = choose.choice([signal.Signals[options.signal]] if options.signal else SIGNALS)
        self.moment = options.soonest + choose.uniform(0, longest)
        self.place = folder / f"kill{number}"
        self.out = self.place / "runs"  # `list runs` looks there
        self.log = folder / "log"

    def __str__(self):
        return f"{self.name}: {self.signal.name} of {self.part} at {self.moment:.2f} s"

    def find(self, words):
        self.finds.append(words)

    def run(self):
        self.place.mkdir()
        self.place.chmod(0o777)
        shutil.copy(HERE / "short.json", self.place)
        command = [self.options.program, *self.words, "--out", str(self.out), "--quiet"]
        with self.log.open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.place)
        hit = self.strike(process)
        code = self.ended(process, hit)
        if code is not None and hit:
            self.look_at_code(code, hit)
        self.look_for_traces()
        self.look_at_results(code)
        shutil.rmtree(self.place, ignore_errors=True)
        return bool(hit)

    def strike(self, process):
        """The victim: "itself" or a part; None: it had ended before."""
        time.sleep(self.moment)
        if self.part != "itself":
            pid = killed_run_test.wait_until(lambda: process.poll() is not None or self.pid_of_part(), 10)
            if process.poll() is None and isinstance(pid, int) and pid is not True:
                with_signal(pid, self.signal)
                time.sleep(2 if self.name in ("try", "soak") else 0)
                if self.name in ("try", "soak"):  # these two run for long
                    with_signal(process.pid, signal.SIGTERM)
                return self.part
        if process.poll() is not None:
            return None
        with_signal(process.pid, self.signal)
        return "itself"

    def pid_of_part(self):
        word, number = PARTS[self.part]
        pids = sorted(killed_run_test.processes(word.format(program=pathlib.Path(self.options.program).name)))
        return pids[number] if len(pids) > number else None

    def ended(self, process, hit):
        try:
            return process.wait(SOON_S if hit == "itself" else LONG_S)
        except subprocess.TimeoutExpired:
            self.find(f"has not ended {SOON_S if hit == 'itself' else LONG_S} s later")
            process.kill()
            process.wait()
            return None

    def look_at_code(self, code, hit):
        interrupted = hit == "itself" or self.name in ("try", "soak")
        if hit == "itself" and self.signal == signal.SIGKILL:
            allowed = (-signal.SIGKILL,)
        else:
            allowed = (*((130,) if interrupted else ()), *ALLOWED)
        early = self.moment < 0.3 and code == -self.signal  # before it listens
        if code not in allowed and not early:
            self.find(f"exit code {code}: {self.log.read_text(errors='replace')[-300:]}")

    def look_for_traces(self):
        if not killed_run_test.wait_until(lambda: not killed_run_test.others(), GONE_S):
            left = killed_run_test.others()
            self.find(f"processes are left: {left}")
            for pid in left:
                killed_run_test.kill(pid)
            killed_run_test.wait_until(lambda: not killed_run_test.others(), GONE_S)
        after = traces(self.place.parent)
        for what, before in self.before.items():
            if after[what] != before:
                self.find(f"{what} are left: {difference(before, after[what])}")

    def look_at_results(self, code):
        runs = sorted(path for path in self.out.glob("2*") if path.is_dir()) if self.out.exists() else []
        for run in runs:
            self.look_at_files(run)
            whole = (run / "verdict.json").exists() or (run / "soak.json").exists() or (run / "compare.json").exists()
            self.look_at_reports(run, code, whole)
            if self.name in ("run", "try") and (run / "run.json").exists():
                self.resume(run)

    def look_at_files(self, run):
        for path in run.rglob("*.json"):
            try:
                if "cells" not in path.parts or path.name == "result.json":  # those are written as a whole
                    json.loads(path.read_text())
            except ValueError as error:
                self.find(f"{path.relative_to(run)} is no whole JSON: {error}")
        left = [path.name for path in run.rglob("*.part")]
        if left and self.signal != signal.SIGKILL:
            self.find(f"unfinished files are left: {left}")

    def look_at_reports(self, run, code, whole):
        answer = self.call("report", run)
        allowed = (0, 1, 3, 5, 130, 2) if whole else (2,)
        if answer.returncode not in allowed:
            self.find(
                f"report of {'a' if whole else 'half a'} {self.name}: exit {answer.returncode}: {answer.stderr[-300:]}"
            )
        answer = self.call("list", "runs")
        if answer.returncode != 0:
            self.find(f"list runs ends with {answer.returncode}: {answer.stderr[-300:]}")
        if self.name == "run" and code is not None and code >= 0:
            with contextlib.suppress(OSError, ValueError):  # reported as a find of its own
                said = json.loads((run / "verdict.json").read_text())["exit_code"]
                if said != code:
                    self.find(f"ended with {code}, and verdict.json says {said}")

    def resume(self, run):
        """Interrupted parts are finished; complete ones are not started again."""
        before = (run / "verdict.json").read_text() if (run / "verdict.json").exists() else ""
        budget = ["--time-budget", "5s"] if self.name == "try" else []
        answer = self.call("run", "--resume", run, "--quiet", *budget)
        if answer.returncode == 2 and before and "remedy" not in answer.stderr and "complete" not in answer.stderr:
            self.find(f"run --resume refuses without a remedy: {answer.stderr[-300:]}")
        elif answer.returncode == 2 and not before:
            self.find(f"run --resume refuses what was cut off: {answer.stderr[-300:]}")
        elif answer.returncode not in (0, 1, 2, 3, 5):
            self.find(f"run --resume ends with {answer.returncode}: {answer.stderr[-300:]}")
        elif answer.returncode != 2 and not (run / "verdict.json").exists():
            self.find("run --resume leaves no verdict.json")

    def call(self, *words):
        command = [self.options.program, *map(str, words)]
        return subprocess.run(command, cwd=self.place, capture_output=True, text=True, timeout=LONG_S, check=False)


def with_signal(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def traces(own):
    """Possible leftovers of a command outside of its folder: searched as in killed_run_test.py."""
    files = [str(path) for place in killed_run_test.own_places() for path in pathlib.Path(place).rglob("*")]
    return {
        "files": sorted(path for path in files if not path.startswith(str(own))),
        "mounts": pathlib.Path("/proc/self/mounts").read_text().splitlines(),
        "namespaces": killed_run_test.namespaces(),
        "network devices": sorted(os.listdir("/sys/class/net")),
    }


def difference(before, after):
    return [one for one in after if one not in before] or "others than before"


def campaign(options, folder):
    before, begun, hits, found, number = traces(folder), time.monotonic(), 0, 0, 0
    while number < options.count and not (options.seconds_in_all and time.monotonic() - begun > options.seconds_in_all):
        kill = Kill(options, folder, number, before)
        hits += kill.run()
        found += bool(kill.finds)
        for words in kill.finds:
            print(f"FIND kill {number} of seed {options.seed}, {kill}: {words}", flush=True)
        number += 1
    seconds = time.monotonic() - begun
    print(f"{number} kills of seed {options.seed}, {hits} of them before the command had ended, {seconds:.0f} s")
    print(f"FAIL  finds of {found}" if found else "PASS  nothing is left", flush=True)
    return 1 if found or not hits else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument(
        "--for", type=float, default=0, dest="seconds_in_all", metavar="SECONDS", help="begin none later"
    )
    parser.add_argument("--seed", type=int, default=time.time_ns() % 100_000, help="of commands, signals and moments")
    parser.add_argument("--soonest", type=float, default=0, help="no signal comes before so many seconds")
    parser.add_argument("--only", action="append", choices=list(COMMANDS), help="this command; may be repeated")
    parser.add_argument("--part", choices=["itself", *PARTS], help="always this part")
    parser.add_argument("--signal", choices=[one.name for one in set(SIGNALS)], help="always this signal")
    options = parser.parse_args()
    options.seed = int(os.environ.setdefault("HOLDFAST_ATTACK_SEED", str(options.seed)))
    options.program = str(pathlib.Path(options.program).resolve())
    return options


def main():
    global killed_run_test  # pylint: disable=global-statement
    options = arguments()
    os.environ["HOLDFAST_PROGRAM"] = options.program
    os.environ.setdefault("HOLDFAST_SOURCE", str(HERE.parent.parent))
    sys.path.insert(0, str(HERE.parent / "program"))
    import killed_run_test  # pylint: disable=import-outside-toplevel

    if "HOLDFAST_OWN_WORLD" not in os.environ:
        return killed_run_test.in_own_world()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-kills-"))
    folder.chmod(0o755)
    try:
        return campaign(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
