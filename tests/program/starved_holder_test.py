"""A holder that the machine starves: its overrun is undecided, its wait the evidence; one that holds on is judged."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from program import ProgramTest, kill, processes, quick

BUSY = 24  # processes that compute beside the starved one, each in a session of its own
STARVED_S = 4
FED_S = 2.2


def measured():
    return pathlib.Path("/proc/self/schedstat").exists()


def clients_of(folder, number):
    """The client processes of that number that belong to runs below the folder."""
    words = (f" client --folder {folder}", f" --client {number} ")
    return [pid for pid, line in processes(str(folder)).items() if all(word in line for word in words)]


def treat(pid, processors, policy, niceness):
    """The processors and the queue position of a process, however the kernel groups it."""
    try:
        os.sched_setaffinity(pid, processors)
        os.sched_setscheduler(pid, policy, os.sched_param(0))
        group = pathlib.Path(f"/proc/{pid}/autogroup")
        if group.exists():
            group.write_text(str(niceness))
    except (ProcessLookupError, FileNotFoundError):
        pass  # it has ended


def burn(processor):
    command = [sys.executable, "-c", "while True: pass"]
    process = subprocess.Popen(command, start_new_session=True)
    os.sched_setaffinity(process.pid, {processor})
    return process


class Stall(ProgramTest):
    def belief(self):
        cell = self.verdict()["cells"][0]
        trial = cell["trials"][0]
        return next(p for p in trial["verdict"]["properties"] if p["property"] == "mutual_exclusion")

    def stalls(self):
        """The stall events of the latest run's only trial."""
        history = next(self.latest().glob("cells/*/*/1/history.jsonl"))
        lines = [json.loads(line) for line in history.read_text().splitlines()]
        return [line for line in lines if line.get("step") == "stall"]

    def test_overrun_without_starvation_is_violated(self):
        """Nothing starved it: it overran its lease by its own doing, and the verdict says so."""
        if not measured():
            self.skipTest("this kernel has no schedstat")
        expect = {"*": {"mutual_exclusion": "violated:overrun", "resource": "violated:overrun"}}
        slow = quick(hold_ms=[4500, 4600], duration_ms=7000, expect=expect, why={"*": "the job outlasts the lease"})
        answer = self.run_suite(self.scenario("holds_on", slow), "--quiet")
        self.assertEqual(answer.returncode, 0, self.shown)

    def test_planned_pause_is_not_a_stall(self):
        if not measured():
            self.skipTest("this kernel has no schedstat")
        pause = {"fault": "pause", "target": "holder", "at": {"phase": "granted"}, "for_ms": 1500}
        self.run_suite(self.scenario("paused", quick(faults=[pause], duration_ms=3000)), "--quiet")
        # A busy machine may make clients wait, but no wait is as long as what a stopped one spends.
        for event in self.stalls():
            self.assertLess(event["waited"], 1_500_000_000, event)

    def test_starved_holder_is_undecided(self):
        if not measured():
            self.skipTest("this kernel has no schedstat")
        scenario = self.scenario("starved", quick(clients=2, hold_ms=[600, 800], duration_ms=16_000))
        for attempt in range(10):
            code = self.run_starved(scenario)
            if code == 3:
                break
        self.assertEqual(code, 3, f"no holder was starved in {attempt + 1} runs")
        belief = self.belief()
        self.assertEqual(belief["judgement"], "undecided", belief)
        self.assertRegex(belief["reason"], r"^machine stalled .*client 0 waited \d+ ms of \d+ ms for a processor\)")
        environment = json.loads((self.latest() / "environment.json").read_text())
        self.assertGreater(environment["stalls"]["all"], 0)
        self.assertEqual(len(environment["stalls"]["by_trial"]), 1)
        self.assertTrue(any(event["clients"] == [0] for event in self.stalls() if "clients" in event))

    def run_starved(self, scenario):
        """Client 0 gets no processor for seconds, again and again, in the run and in its repetition."""
        every = os.sched_getaffinity(0)
        processor = min(every)
        burners = [burn(processor) for _ in range(BUSY)]
        run = subprocess.Popen(
            self.run_command(scenario, "--quiet"), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            hungry = False
            while run.poll() is None:
                for burner in burners:
                    os.kill(burner.pid, signal.SIGCONT if hungry else signal.SIGSTOP)
                until = time.monotonic() + (STARVED_S if hungry else FED_S)
                while run.poll() is None and time.monotonic() < until:
                    for pid in clients_of(self.out, 0):
                        if hungry:
                            treat(pid, {processor}, os.SCHED_IDLE, 19)
                        else:
                            treat(pid, every, os.SCHED_OTHER, 0)
                    time.sleep(0.1)
                hungry = not hungry
        finally:
            for burner in burners:
                kill(burner.pid)
                burner.wait()
            run.kill()
            run.wait()
        return run.returncode


if __name__ == "__main__":
    unittest.main()
