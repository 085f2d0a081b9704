"""holdfast doctor: silent where all is well, and the right reason and remedy where something is really forbidden.

Tests of class Whole try every server and fault (half a minute); the others only what a small scenario needs.
"""

import json
import os
import shutil
import subprocess
import unittest

import needs
from lock_texts import OWN_TOKEN
from program import PROGRAM, SOURCE, ProgramTest, as_user, kill, processes, program_for_all, quick, unshare, wait_until

NO_NAMESPACES = ["unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', "sh"]
REDIS = ("redis-server", "redis-check-rdb", "valkey-server", "valkey-check-rdb")  # each can be the server
CUT = {"faults": [{"fault": "partition", "at": {"phase": "granted"}, "for_ms": 300}]}


def without(*programs):
    """A prefix: programs are hidden from the command that follows, in a mount namespace of its own."""
    found = [shutil.which(name, path="/usr/local/sbin:/usr/sbin:/usr/bin:/bin") for name in programs]
    hide = "; ".join(f"mount --bind /dev/null {path}" for path in found if path)
    return [*unshare("-m"), "sh", "-c", f'{hide}; exec "$@"', "sh"]


class DoctorTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        self.scratch.chmod(0o777)

    def doctor(self, *arguments, prefix=(), program=PROGRAM):
        environment = {**os.environ, "TMPDIR": str(self.scratch)}
        return self.call(program, "doctor", *arguments, prefix=prefix, env=environment)

    def found(self, exit_code, *arguments, **options):
        """{name: examination} of a diagnosis as JSON; its folder must be gone."""
        answer = self.doctor(*arguments, "--json", **options)
        self.assertEqual(answer.returncode, exit_code, self.shown)
        self.assertEqual(list(self.scratch.iterdir()), [], "its folder is left")
        self.diagnosis = json.loads(answer.stdout)
        self.assertEqual(self.diagnosis["can_run"], exit_code == 0)
        return {one["name"]: one for one in self.diagnosis["examinations"]}

    def assert_failed(self, one, says, remedy):
        self.assertEqual(one["health"], "failed", self.shown)
        self.assertIn(says, one["says"])
        self.assertIn(remedy, one["remedy"])
        self.assertNotIn("\n", one["says"] + one["remedy"])


class Doctor(DoctorTest):
    def test_suitable_machine_passes(self):
        found = self.found(0, self.scenario("cut", quick(**CUT)), "--needed")
        machine = ["namespaces", "network", "packet filter", "skipped time", "disk", "memory", "starvation"]
        self.assertEqual(list(found), [*machine, "MariaDB", "partition"])
        self.assertEqual({one["health"] for one in found.values()}, {"ok"}, self.shown)
        self.assertRegex(found["MariaDB"]["says"], r"^MariaDB \d+\.\d+")
        self.assertRegex(found["partition"]["says"], r"cut .* packets dropped")
        self.assertEqual(self.diagnosis["faults_available"], ["partition"])

    def test_needs_of_an_own_lock(self):
        lock = self.folder / "own_token.redis"
        lock.write_text(OWN_TOKEN)
        suite = self.scenario("cut", quick(locks=["own_token"], **CUT))
        self.refused(["own_token", "unknown lock", "--lock-file FILE"], PROGRAM, "doctor", suite, "--needed")
        for words in ([suite, "--lock-file", lock], ["generated", "--lock-file", lock], [lock]):
            with self.subTest(words):
                found = self.found(0, *words, "--needed")
                self.assertEqual(found["Redis"]["health"], "ok", self.shown)
                self.assertIn("MariaDB", found, "it keeps the protected data")

    def test_no_user_namespaces(self):
        answer = self.doctor(prefix=NO_NAMESPACES)
        self.assertEqual(answer.returncode, 4, self.shown)
        lines = answer.stdout.splitlines()
        self.assertRegex(lines[0], r"^FAIL +machine +namespaces .*unshare \(user namespace\): No space left on device$")
        self.assertRegex(lines[1], "^ +remedy: sysctl -w user.max_user_namespaces=10000")
        self.assertIn("FAIL  this machine cannot run quick", answer.stdout)
        self.assertTrue(lines[-1].startswith("faults available here: none; not: "), lines[-1])
        found = self.found(4, prefix=NO_NAMESPACES)
        self.assertEqual(found["MariaDB"]["health"], "not tried", "nothing that was not tried is well")
        self.assertEqual(found["pause"]["health"], "not tried")

    def test_apparmor_forbids_user_namespaces(self):
        """As on Ubuntu from 23.10 on: a /proc/sys with its setting, and a kernel that refuses the namespace."""
        setting = "kernel.apparmor_restrict_unprivileged_userns"
        file = f"/proc/sys/{setting.replace('.', '/')}"
        for value, named in ((1, True), (0, False)):
            fake = f'mount -t tmpfs none /proc/sys/kernel && echo {value} >{file} && exec "$@"'
            filtered = ["python3", SOURCE / "tests/program/refuse_calls.py", "unshare:0x10000000=EPERM", "--"]
            prefix = [*unshare("-m"), "sh", "-c", fake, "sh", *map(str, filtered)]
            found = self.found(4, self.scenario("none", quick()), "--needed", prefix=prefix)
            self.assert_failed(found["namespaces"], "Operation not permitted", "")
            self.assertEqual(f"sysctl -w {setting}=0" in found["namespaces"]["remedy"], named, self.shown)

    def test_no_packet_filter(self):
        found = self.found(4, self.scenario("cut", quick(**CUT)), "--needed", prefix=without("nft"))
        self.assert_failed(found["packet filter"], "nft is not installed", "apt-get install nftables")
        self.assert_failed(found["partition"], "nft is not installed", "apt-get install nftables")
        self.assertEqual(found["MariaDB"]["health"], "ok")

    def test_no_server(self):
        found = self.found(4, self.scenario("none", quick()), "--needed", prefix=without("mariadbd"))
        self.assert_failed(found["MariaDB"], "mariadbd is not installed", "apt-get install mariadb-server-core")
        self.assertEqual(found["network"]["health"], "ok")

    def test_a_fault_that_does_not_act(self):
        scenario = self.scenario("cut", quick(**CUT))
        found = self.found(4, scenario, "--needed", "--sabotage", "act")
        self.assert_failed(found["partition"], "no evidence that it took effect", "--out FOLDER keeps the logs")
        self.assertEqual(found["MariaDB"]["health"], "ok")

    def test_no_ip(self):
        found = self.found(4, self.scenario("none", quick()), "--needed", prefix=without("ip"))
        self.assert_failed(found["network"], "ip is not installed", "apt-get install iproute2")
        self.assertEqual(found["MariaDB"]["health"], "not tried")

    def test_a_full_disk(self):
        small = self.folder / "small"
        small.mkdir()
        disk = f'mount -t tmpfs -o size=8m none {small} && cd {small} && exec "$@"'
        prefix = [*unshare("-m"), "sh", "-c", disk, "sh"]
        found = self.found(4, self.scenario("none", quick()), "--needed", prefix=prefix)
        self.assert_failed(found["disk"], "8 MiB free in runs, ", "--out FOLDER")

    def test_usage_errors(self):
        for words, arguments in [("nowhere", ["nowhere"]), ("--jsn", ["--jsn"]), ("--jobs", ["--jobs", "0"])]:
            answer = self.doctor(*arguments)
            self.assertEqual(answer.returncode, 2, self.shown)
            self.assertIn(words, answer.stderr)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_remover_removes_only_its_folder(self):
        answer = self.call(PROGRAM, "remove-when-over", "--folder", self.scratch, stdin=subprocess.DEVNULL)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertTrue(self.scratch.exists())

    def test_killed_doctor_leaves_nothing(self):
        environment = {**os.environ, "TMPDIR": str(self.scratch)}
        for begun in ("cells", "cells/*/*/1/server.log"):
            doctor = subprocess.Popen([PROGRAM, "doctor", "-q"], env=environment, cwd=self.folder)
            self.assertTrue(wait_until(lambda begun=begun: list(self.scratch.glob(f"*/{begun}"))))
            kill(doctor.pid)
            doctor.wait()
            self.assertTrue(wait_until(lambda: not list(self.scratch.iterdir()), 15), "its folder is left")
            self.assertTrue(wait_until(lambda: not processes(str(self.scratch)), 15), "a process is left")


class Whole(DoctorTest):
    def catalogue(self):
        return {fault["name"] for fault in json.loads(self.call(PROGRAM, "list", "--json").stdout)["faults"]}

    def examined(self, found):
        """Each fault is available or says why not: netem, which many kernels lack, and clocks in the vDSO, which have
        no speed of their own."""
        self.assertLessEqual(self.catalogue(), set(found))
        for name, one in found.items():
            if one["health"] == "unavailable":
                drifts = name.startswith("server_drift on ") and "in the vDSO" in one["says"]
                lacks_netem = name == "delay" and "netem" in one["says"] and one["remedy"]
                self.assertTrue(drifts or lacks_netem, self.shown)
            else:
                self.assertEqual(one["health"], "ok", self.shown)
            self.assertTrue(one["says"], name)
        faults = {one["name"] for one in found.values() if one["part"] == "fault"}
        tried = self.diagnosis["faults_available"] + self.diagnosis["faults_unavailable"]
        self.assertEqual(sorted(tried), sorted(faults))

    def test_all_checks_pass(self):
        self.examined(self.found(0))

    @needs.root("only root can become another user")
    def test_all_checks_pass_as_a_user(self):
        shutil.copytree(SOURCE / "scenarios", self.folder / "scenarios")
        self.folder.chmod(0o777)
        program = program_for_all(self.folder)
        self.examined(self.found(0, "scenarios/quick", prefix=as_user([]), program=program))

    def test_missing_unneeded_server_is_not_an_error(self):
        found = self.found(0, prefix=without(*REDIS))
        self.assertEqual(found["Redis"]["health"], "unavailable", self.shown)
        self.assertIn("apt-get install", found["Redis"]["remedy"])
        self.assertEqual(found["pause"]["health"], "ok")

    def test_the_logs_can_be_kept(self):
        answer = self.doctor("--out", self.folder / "kept")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertTrue(answer.stdout.splitlines()[-1].startswith("faults available here: address_reuse, "), self.shown)
        self.assertTrue((self.folder / "kept/cells/insert_lease/pause/1/history.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
