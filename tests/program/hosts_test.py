"""Clients whose lock runs on other hosts (--hosts): real shells through a pipe, on this host and in namespaces of their
own, where processes have other numbers; and a real Redis of the user's own.
"""

import json
import os
import pathlib
import subprocess
import unittest

import needs
from on_target import OnTarget
from own_servers import PASSWORD, OwnRedis
from program import PROGRAM, SOURCE, kill, processes, quick, wait_until

WORK = pathlib.Path(SOURCE) / "adapters" / "redis_py"
MARK = "lock.py"


class OtherHost:
    """Processes in a namespace of their own, in which they have numbers of their own."""

    def __init__(self):
        own = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]
        self.keeper = subprocess.Popen(["unshare", *own, "sleep", "600"], start_new_session=True)
        self.inside = 0
        if not wait_until(self.found, 20):
            raise AssertionError("no namespace was made")

    def found(self):
        """The first process inside, by its number out here, once its /proc is its own."""
        children = pathlib.Path(f"/proc/{self.keeper.pid}/task/{self.keeper.pid}/children").read_text().split()
        if not children or "sleep" not in pathlib.Path(f"/proc/{children[0]}/comm").read_text():
            return False
        self.inside = int(children[0])
        return True

    def run(self):
        return f"nsenter --target {self.inside} --user --preserve-credentials --pid --mount"

    def programs(self):
        """The number of the lock's programs."""
        listed = subprocess.run(
            [*self.run().split(), "sh", "-c", "cat /proc/[0-9]*/cmdline"], capture_output=True, text=True, check=False
        )
        return listed.stdout.count(MARK)

    def stop(self):
        kill(self.keeper.pid)
        self.keeper.wait()


class Hosts(OnTarget):
    kind = OwnRedis
    lock = "redis_py"

    @classmethod
    def setUpClass(cls):
        needs.lab()
        super().setUpClass()
        cls.other = OtherHost()
        cls.addClassCleanup(cls.other.stop)
        os.environ["REDIS_PASSWORD"] = PASSWORD

    def hosts(self, *nodes):
        path = self.folder / "hosts.json"
        path.write_text(json.dumps({"nodes": nodes}))
        return path

    def both(self):
        there = {"name": "there", "run": self.other.run(), "folder": str(WORK)}
        return self.hosts({"name": "here", "run": "env"}, there)

    def trial(self, name, hosts, *arguments, **changes):
        path = self.scenario(name, quick(locks=[self.lock], **changes))
        return self.run_on(self.own.url(), path, "--hosts", hosts, *arguments)

    def cell(self):
        return self.verdict()["cells"][0]

    def nothing_left(self):
        self.assertTrue(wait_until(lambda: self.other.programs() == 0, 20))
        self.assertFalse(processes(str(self.folder)))

    def test_pause_stops_the_program_on_its_host(self):
        """Strikes the holder: clients on both hosts, in turn."""
        faults = [
            {"fault": "pause", "target": f"client:{client}", "at": {"time_ms": 300}, "for_ms": 700} for client in (0, 1)
        ]
        names = ("mutual_exclusion", "resource", "ownership", "lease_exclusion")
        allowed = {"*": {name: "not_judged" for name in names}}
        answer = self.trial("pause", self.both(), faults=faults, expect=allowed, why={"*": "a pause is to be seen"})
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("stopped for", json.dumps(self.verdict()["faults"]), self.shown)
        self.nothing_left()
        for key in self.own.ask("KEYS", "holdfast_*").split():
            self.assertIn("0123abcd", key, "its leases ended, and with them its keys")

    def test_kill_and_replacement_on_a_host(self):
        faults = [{"fault": "kill", "target": "client:1", "at": {"time_ms": 400}, "for_ms": 500}]
        answer = self.trial("kill", self.both(), faults=faults, duration_ms=3000)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("killed, gone", json.dumps(self.verdict()["faults"]), self.shown)
        self.nothing_left()

    def test_inactive_pause_is_an_error(self):
        faults = [{"fault": "pause", "target": "client:1", "at": {"time_ms": 300}, "for_ms": 500}]
        answer = self.trial("pause", self.both(), "--sabotage", "act", faults=faults)
        self.assertEqual(answer.returncode, 5, self.shown)

    def test_impossible_fault_on_a_host_is_unavailable(self):
        skew = {"fault": "client_skew", "target": "client:1", "step_ms": 5000}
        faults = [{**skew, "at": {"time_ms": 300}, "for_ms": 500}]
        answer = self.trial("skew", self.both(), faults=faults)
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertIn("runs on another host", str(self.cell()), self.shown)

    def test_lock_without_a_program_is_refused(self):
        path = self.scenario("none", quick(locks=["redis_token"]))
        answer = self.run_on(self.own.url(), path, "--hosts", self.both())
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertIn("run the lock's own program", str(self.cell()), self.shown)

    def test_unreachable_hosts_are_reported(self):
        for run, words in (("false", "host far: its command ended"), ("no_such_command", "No such file")):
            answer = self.trial("none", self.hosts({"name": "far", "run": run}))
            self.assertEqual(answer.returncode, 5, self.shown)
            self.assertIn(words, answer.stderr, self.shown)
            self.assertEqual(len(answer.stderr.splitlines()), 1, self.shown)

    def test_missing_program_on_a_host_is_reported(self):
        answer = self.trial("none", self.hosts({"name": "far", "run": "env", "folder": "/nowhere"}))
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("/nowhere", str(self.cell()), self.shown)

    def test_invalid_host_options_are_refused(self):
        path = self.scenario("none", quick(locks=[self.lock]))
        run = self.run_command(path, "--quiet")
        self.refused("--target", *run, "--hosts", self.both())
        no_server = [{"run": "env", "server": "x"}]
        for nodes, words in (([], "at least one host"), ([{"run": ""}], "run"), (no_server, "10.0.0.5")):
            self.refused([str(self.folder), words], *run, "--target", self.own.url(), "--hosts", self.hosts(*nodes))

    def test_replay_needs_the_same_hosts(self):
        answer = self.trial("none", self.both())
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(list(self.latest().rglob("*.socket")), [], "merge would refuse it")
        replay = [PROGRAM, "replay", self.latest(), f"{self.lock}/none", "--target", self.own.url()]
        answer = self.call(*replay)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("add --hosts", answer.stderr)
        answer = self.call(*replay, "--hosts", self.both(), "--out", self.folder / "again")
        self.assertEqual(answer.returncode, 0, self.shown)

    def test_killed_run_leaves_nothing_on_hosts(self):
        """Nothing of it is left on a host."""
        path = self.scenario("long", quick(locks=[self.lock], duration_ms=60000))
        command = [*self.run_command(path, "--quiet"), "--target", self.own.url(), "--hosts", self.both()]
        with (self.folder / "log").open("w") as log:
            run = subprocess.Popen([*map(str, command)], stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(run.wait)
        self.addCleanup(kill, run.pid)
        self.assertTrue(wait_until(lambda: self.other.programs() > 0, 60), (self.folder / "log").read_text())
        kill(run.pid)
        run.wait()
        self.nothing_left()


if __name__ == "__main__":
    unittest.main()
