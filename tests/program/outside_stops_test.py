"""Something outside stops processes of a trial: what that explains is undecided and says so, the rest stays."""

import contextlib
import json
import os
import signal
import subprocess
import time
import unittest

from program import ProgramTest, processes, quick, wait_until

STOP_S = 3

# Holders with long work: one that is stopped within it goes on after its lease.
BUSY = {
    "clients": 5,
    "lease_ms": 1500,
    "hold_ms": [1100, 1300],
    "duration_ms": 6000,
    "expect": {"*": {"ownership": "not_exercised", "resource": "not_exercised"}},
}


class Outside(ProgramTest):
    def run_while(self, stop, lock="insert_lease", **changes):
        """Runs a cell whose processes are stopped for a while, in each of its trials."""
        path = self.scenario("calm", quick(locks=[lock], **{**BUSY, **changes}))
        log = open(self.folder / "log", "w+")
        self.addCleanup(log.close)
        run = subprocess.Popen(self.run_command(path), stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        met = set()
        while run.poll() is None:
            clients = {pid: line for pid, line in self.own().items() if " client " in line}
            if len(clients) == BUSY["clients"] and not met & set(clients):
                met |= set(clients)
                for pids in stop(sorted(clients)):
                    time.sleep(2)
                    self.stop_for_a_while(pids)
            time.sleep(0.05)
        log.seek(0)
        self.shown = f"exit {run.returncode}\n{log.read()}"
        self.assertTrue(met, self.shown)
        return run.returncode

    def own(self):
        return processes(str(self.out))

    def test_client_stopped_forever_from_outside(self):
        """It is an error, and what is known until then is judged all the same."""

        def for_ever(clients):
            os.kill(clients[0], signal.SIGSTOP)
            return []

        code = self.run_while(for_ever)
        self.assertEqual(code, 5, self.shown)
        self.assertIn("does not end", self.shown)
        self.assertIn("mutual_exclusion", self.judged())

    def stop_for_a_while(self, pids):
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            if number == signal.SIGSTOP:
                time.sleep(STOP_S)

    def judged(self):
        files = sorted(self.latest().glob("cells/*/*/*/verdict.json"))
        self.assertTrue(files, self.shown)
        return {one["property"]: one for one in json.loads(files[-1].read_text())["properties"]}

    def test_clients_stopped_from_outside_are_undecided(self):
        """Four of five, three times: the holder is among them, and another one can take what has lapsed."""
        code = self.run_while(lambda clients: (clients[:4], clients[1:], clients[:3] + clients[4:]), duration_ms=17000)
        judged = self.judged()
        self.assertEqual((code, judged["mutual_exclusion"]["judgement"]), (3, "undecided"), self.shown)
        self.assertIn("though no fault had stopped it", str(judged["mutual_exclusion"]))

    def test_server_stopped_from_outside_is_undecided(self):
        def server(_):
            return [[pid for pid, line in self.own().items() if "mariadbd" in line.split(" ")[0]]]

        code = self.run_while(server)
        self.assertNotIn("violated", {one["judgement"] for one in self.judged().values()}, self.shown)
        self.assertGreater(self.longest_stop_ms("server"), 1000 * STOP_S - 500)
        self.assertIn(code, (0, 3), self.shown)

    def longest_stop_ms(self, who):
        """Outside stops of a client, or of the server, in the history; in parts of a second or so."""
        told = [json.loads(line) for file in self.latest().glob("cells/*/*/*/history.jsonl") for line in open(file)]
        stops = [event["waited"] for event in told[1:] if event.get("f") == "outside" and who in event["detail"]]
        return sum(ns for ns in stops if ns > 5e8) / 1e6

    def test_planned_pause_is_not_an_outside_stop(self):
        pause = {"fault": "pause", "target": "holder", "at": {"time_ms": 1500}, "for_ms": 3000}
        expect = {"*": {name: "violated" for name in ("mutual_exclusion", "lease_exclusion")}}
        why = {"*": "it goes on after its lease"}
        code = self.run_while(lambda clients: [], faults=[pause], expect=expect, why=why)
        self.assertIn(code, (0, 1), self.shown)
        self.assertLess(self.longest_stop_ms("client"), 1000 * STOP_S - 500)
        self.assertTrue(wait_until(lambda: not self.own(), 10))


if __name__ == "__main__":
    unittest.main()
