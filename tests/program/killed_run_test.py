"""kill -9 of any part of a run at any moment: afterwards no process, no namespace, no mount and no file is left, and
the run's folder is whole or lacks verdict.json.

The test looks from a pid namespace and a /tmp and /dev/shm of its own, so that whatever is there is the run's.
Every part is killed as this user and, where this one is root, as a normal one.
HOLDFAST_KILLS: how many (default 12). HOLDFAST_SEED: of the moments. HOLDFAST_KILL_ADAPTER: clients have a lock that is
a program of its own, and that is killed, too. HOLDFAST_KILL_DISK: the server's data is on a disk that loses power,
whose process is killed, too.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

import needs
from program import PROGRAM, SOURCE, ProgramTest, as_user, kill, processes, program_for_all, quick, unshare, wait_until

KILLS = int(os.environ.get("HOLDFAST_KILLS", "12"))
SEED = int(os.environ.get("HOLDFAST_SEED", time.time_ns() % 100_000))
VICTIMS = {  # the start of its command line, and its index among such processes, in order of birth
    "runner": ("holdfast run", 0),
    "lab": ("holdfast lab", 0),
    "first process of the lab": ("holdfast lab", 1),
    "trial": ("holdfast trial", 0),
    "server": ("mariadbd --no-defaults", 0),
    "client": ("holdfast client", 1),
}
ADAPTER = SOURCE / "adapters" / "redis_token_py"
if "HOLDFAST_KILL_ADAPTER" in os.environ:
    VICTIMS["adapter"] = (f"{ADAPTER}/lock.py", 1)
if "HOLDFAST_KILL_DISK" in os.environ:
    VICTIMS["disk"] = ("holdfast disk", 0)
LOSS = {"fault": "power_loss", "at": {"phase": "granted", "nth": 2}, "for_ms": 200}
LONGEST_S = {"real": 2.5, "skipped": 0.5}  # about as long as the trial, in each kind of time, except its last steps


def find(victim):
    word, number = VICTIMS[victim]
    name = pathlib.Path(PROGRAM).name
    pids = sorted(processes(word.replace("holdfast ", f"{name} ")))
    return pids[number] if len(pids) > number else None


def is_of_empty_lab(pid):
    """Root's run first tries an empty lab, and again when that one fails (src/lab/launch_lab.cpp)."""
    try:
        return b"\0--part\0nothing" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def namespaces():
    answer = subprocess.run(["lsns", "-n", "-o", "NS,TYPE"], capture_output=True, text=True, check=True).stdout
    return sorted(answer.splitlines())


def others():
    """All processes but this one, which is process 1 here and takes note of the ends of orphans."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    pids = [int(entry.name) for entry in pathlib.Path("/proc").glob("[0-9]*") if int(entry.name) != os.getpid()]
    return {pid: shown(pid) for pid in pids}


def shown(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text()[:60]
    except OSError:
        return "gone meanwhile"


class Kills(ProgramTest):
    def traces(self):
        files = [str(path) for place in own_places() for path in pathlib.Path(place).rglob("*")]
        files = [path for path in files if not path.startswith(str(self.folder))]
        links = sorted(os.listdir("/sys/class/net"))
        mounts = pathlib.Path("/proc/self/mounts").read_text()
        return {"mounts": mounts, "files": files, "namespaces": namespaces(), "links": links}

    def test_kill_leaves_nothing_behind(self):
        choose = random.Random(SEED)
        with_adapter = "adapter" in VICTIMS
        changes = {"locks": [ADAPTER.name]} if with_adapter else {"faults": [LOSS]} if "disk" in VICTIMS else {}
        scenario = self.scenario("none", quick(**changes))
        self.flags = ["--quiet", "--adapter", ADAPTER] if with_adapter else ["--quiet"]
        self.for_all = program_for_all(self.folder)
        before = self.traces()
        self.hits = 0
        for number in range(KILLS):
            victim = list(VICTIMS)[number % len(VICTIMS)]
            other = number // len(VICTIMS) % 2 == 1
            user = os.environ["HOLDFAST_OWN_WORLD"] == "0" and other  # only root can be another
            lived = "skipped" if number % 3 == 0 else "real"
            moment = choose.uniform(0, LONGEST_S[lived])
            said = f"HOLDFAST_SEED={SEED}, kill {number}: {victim} at {moment:.2f} s, {'user' if user else 'as is'}"
            with self.subTest(f"{said}, {lived} time"):
                self.killed_run(scenario, victim, moment, user, "--time", lived)
                self.assertEqual(wait_until(lambda: not others(), 5), True, others())
                self.assertEqual(self.traces(), before)
        self.assertGreaterEqual(self.hits, KILLS // 3, "most moments lie within the trial")

    def killed_run(self, scenario, victim, moment, user, *more):
        self.out = self.folder / f"runs-{time.monotonic_ns()}"
        self.out.mkdir()
        self.out.chmod(0o777)
        command = self.run_command(scenario, *self.flags, *more)
        log = (self.folder / "log").open("w")
        if user:
            command = as_user([self.for_all, *command[1:]])
        run = subprocess.Popen(command, stdout=log, stderr=log)
        time.sleep(moment)
        pid = wait_until(lambda: find(victim) or run.poll() is not None)
        tried_again = False
        if run.poll() is None and pid is not True:
            tried_again = is_of_empty_lab(pid)
            kill(pid)
            self.hits += 1
        done = list(self.out.glob("latest/cells/*/*/*/facts.json"))
        code = run.wait(timeout=100)
        log.close()
        self.judge(victim, code, bool(done) or tried_again)

    def judge(self, victim, code, done):
        said = (self.folder / "log").read_text()
        verdicts = [json.loads(path.read_text()) for path in self.out.glob("2*/verdict.json")]
        if victim == "runner" and not done:
            self.assertIn(code, (-9, 0), said)
        if code == -9:
            return  # verdict.json is missing, or whole: it was read above
        self.assertEqual(len(verdicts), 1, said)
        self.assertEqual(verdicts[0]["exit_code"], code)
        self.assertIn(code, (0, 5), said)
        if code == 0:
            self.assertTrue(done, "a run that lost a part before its end cannot pass")


def own_places():
    """Folders that can be this test's alone: not /tmp where the program itself lies in it."""
    inside = any(str(path).startswith("/tmp/") for path in (PROGRAM, SOURCE))
    return ["/dev/shm"] if inside else ["/dev/shm", "/tmp"]


def in_own_world():
    """Runs this file again where it is process 1 and those folders are empty."""
    mounts = " && ".join(f"mount -t tmpfs none {place}" for place in own_places())
    command = [*unshare("-mpf", "--mount-proc", "--kill-child"), "sh", "-c", mounts + ' && exec "$@"', "sh"]
    environment = {**os.environ, "HOLDFAST_OWN_WORLD": str(os.geteuid())}  # the user outside
    own = [sys.executable, "-B", *sys.argv]
    return subprocess.run([*command, *own], env=environment, check=False).returncode


if __name__ == "__main__":
    if "HOLDFAST_OWN_WORLD" not in os.environ and not needs.refused_lab():
        sys.exit(in_own_world())
    unittest.main()
