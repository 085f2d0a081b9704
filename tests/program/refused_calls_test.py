"""System calls that a kernel, a container or a limit refuses, really refused (refuse_calls.py, limits of a user
namespace of the test's own, a cgroup): doctor and run end with one message that names the step and a remedy, and leave
nothing.
"""

import json
import os
import pathlib
import sys
import unittest

from program import PROGRAM, ProgramTest, processes, quick, unshare, wait_until

LAUNCHER = pathlib.Path(__file__).with_name("refuse_calls.py")
# Flags of unshare's first argument.
NEW = {"mnt": 0x00020000, "ipc": 0x08000000, "user": 0x10000000, "pid": 0x20000000, "net": 0x40000000, "time": 0x80}
SECCOMP = "seccomp"  # a word of each remedy against a filter: in a container its flag


class Refused(ProgramTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o777)
        self.path = self.scenario("none", quick())

    def both(self, prefix, code, *words, run_code=None):
        """doctor, then run: each ends with the code, and says all words, the remedy in the same line or the next."""
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        doctor = self.call(PROGRAM, "doctor", self.path, "--needed", prefix=prefix, env=environment)
        self.assert_said(doctor, code, words)
        run = self.call(*self.run_command(self.path, "--quiet"), prefix=prefix, env=environment)
        self.assert_said(run, code if run_code is None else run_code, words)
        self.assertEqual(list(self.folder.glob("holdfast-doctor-*")), [], "the doctor's folder is left")
        self.assertTrue(wait_until(lambda: not processes(str(self.folder)), 20), processes(str(self.folder)))
        return doctor.stdout, run.stdout

    def assert_said(self, answer, code, words):
        said = answer.stdout + answer.stderr
        self.assertEqual(answer.returncode, code, self.shown)
        for word in words:
            self.assertIn(word, said, self.shown)
        for word in ("terminate called", "without output", "this machine is busy", "Traceback"):
            self.assertNotIn(word, said, self.shown)
        if code in (4, 5) and words:
            reasons = {line.split(words[0])[1] for line in said.splitlines() if words[0] in line}
            self.assertEqual(len(reasons), 1, f"one message, not several: {reasons}")
            self.assertRegex(said, r"remedy: \S", self.shown)

    def refused(self, *rules):
        return [sys.executable, "-B", str(LAUNCHER), *rules, "--"]


class Few(Refused):
    def test_refused_user_namespace_has_a_remedy(self):
        self.both(self.refused(f"unshare:{NEW['user']}=EPERM"), 4, "unshare (user namespace): Operation not", SECCOMP)

    def test_exhausted_net_namespaces_have_a_remedy(self):
        self.both(self.refused(f"unshare:{NEW['net']}=ENOSPC"), 4, "unshare (net namespace): No space left",
                  "sysctl -w user.max_net_namespaces=10000")

    def test_refused_pidfd_has_a_remedy(self):
        self.both(self.refused("pidfd_open=ENOSYS"), 4, "pidfd_open (handle of a process): Function not", "Linux 5.3")

    def test_refused_setns_has_a_remedy(self):
        self.both(self.refused("setns=EPERM"), 4, "setns (out of a node's network): Operation not permitted", SECCOMP)

    def test_refused_shared_memory_has_a_remedy(self):
        self.both(self.refused("memfd_create=EPERM"), 4, "memfd_create (shared memory)", SECCOMP)

    def test_refused_mount_has_a_remedy(self):
        self.both(self.refused("mount=EACCES"), 4, "mount / private: Permission denied", SECCOMP)

    def test_refused_thread_has_a_remedy(self):
        self.both(self.refused("clone3=EPERM"), 4, "clone3 (a thread): Operation not permitted", SECCOMP)


class Many(Refused):
    def test_each_refused_namespace_has_a_remedy(self):
        for kind in ("user", "mnt", "pid", "ipc", "net"):
            for error, words in {
                "EPERM": ("Operation not permitted", SECCOMP),
                "ENOSPC": ("No space left on device", f"sysctl -w user.max_{kind}_namespaces=10000"),
                "ENOSYS": ("Function not implemented", SECCOMP),
                "EINVAL": ("Invalid argument", "use a kernel built with CONFIG_"),
            }.items():
                with self.subTest(kind=kind, error=error):
                    step = f"unshare ({kind} namespace): {words[0]}"
                    self.both(self.refused(f"unshare:{NEW[kind]}={error}"), 4, step, words[1])

    def test_each_refused_call_has_a_remedy(self):
        for rule, words in {
            "pidfd_open=EPERM": ("pidfd_open (handle of a process): Operation not permitted", SECCOMP),
            "pidfd_open=EACCES": ("pidfd_open (handle of a process): Permission denied", SECCOMP),
            "setns=ENOSYS": ("setns (out of a node's network): Function not implemented", SECCOMP),
            "memfd_create=ENOSYS": ("memfd_create (shared memory): Function not", "Linux 3.17"),
            "mount=EPERM": ("mount / private: Operation not permitted", SECCOMP),
            "mount=ENOSYS": ("mount / private: Function not implemented", SECCOMP),
            "mount_setattr=EPERM": ("mount / read-only: Operation not permitted", SECCOMP),
            "pidfd_send_signal=EPERM": ("pidfd_send_signal (signal to a process): Operation not", SECCOMP),
            "pidfd_send_signal=ENOSYS": ("pidfd_send_signal (signal to a process): Function not", "Linux 5.3"),
            "clone=EPERM": ("fork (a process): Operation not permitted", SECCOMP),
        }.items():
            with self.subTest(rule=rule):
                self.both(self.refused(rule), 4, *words)

    def test_older_kernel_calls_are_replaced(self):
        """An older kernel's way, where there is one: all is well, and proved."""
        for rule in ("clone3=ENOSYS", "open_tree=ENOSYS", "move_mount=ENOSYS", "openat2=ENOSYS", "close_range=ENOSYS",
                     "close_range=EPERM", f"unshare:{NEW['time']}=EPERM"):
            with self.subTest(rule=rule):
                self.both(self.refused(rule), 0)

    def test_refused_wait_for_a_process_ends(self):
        """The kernel hides the exit status: that is not a success."""
        doctor = self.call(PROGRAM, "doctor", self.path, "--needed", prefix=self.refused("waitid=EPERM"))
        self.assertEqual(doctor.returncode, 4, self.shown)
        run = self.run_suite(self.path, "--quiet", prefix=self.refused("waitid=EPERM"))
        self.assertEqual(run.returncode, 5, self.shown)

    def test_writable_lab_files_are_reported(self):
        doctor, _ = self.both(self.refused("mount_setattr=ENOSYS"), 0)
        self.assertIn("the lab's files are not read-only: this kernel has no mount_setattr", doctor)


class Limits(Refused):
    """Limits that are of a user namespace: one of the test's own has them."""

    def limited(self, kind, most):
        script = f'echo {most} > /proc/sys/user/max_{kind}_namespaces && exec "$@"'
        return ["unshare", "-Ur", "sh", "-c", script, "sh"]

    def test_exhausted_namespace_limit_is_named(self):
        for kind in ("user", "net", "pid", "mnt", "ipc"):
            with self.subTest(kind=kind):
                self.both(self.limited(kind, 0), 4, f"unshare ({kind} namespace): No space left on device",
                          f"sysctl -w user.max_{kind}_namespaces=10000")

    def test_net_namespace_limit_during_setup_is_named(self):
        self.both(self.limited("net", 2), 4, "unshare (net namespace): No space left on device",
                  "sysctl -w user.max_net_namespaces=10000")


PIDS = pathlib.Path("/sys/fs/cgroup/pids")  # cgroup version 1
if not PIDS.is_dir():
    PIDS = pathlib.Path("/sys/fs/cgroup")


class Cgroup(Refused):
    def grouped(self, most):
        """A prefix: in a group of the test's own that may have so many processes and threads."""
        group = PIDS / f"holdfast-test-{os.getpid()}-{most}"
        try:
            group.mkdir()
            self.addCleanup(lambda: self.assertTrue(wait_until(lambda: self.removed(group), 20), "the group is in use"))
            (group / "pids.max").write_text(str(most))
        except OSError as why:
            self.skipTest(f"no group of processes can be made here: {why}")
        return ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"]

    @staticmethod
    def removed(group):
        try:
            group.rmdir()
        except OSError:
            return False
        return True

    def test_process_limit_is_named(self):
        for most in (1, 3, 8, 20):
            with self.subTest(most=most):
                prefix = self.grouped(most)
                environment = {**os.environ, "TMPDIR": str(self.folder)}
                for command in ([PROGRAM, "doctor", self.path, "--needed"], self.run_command(self.path, "--quiet")):
                    answer = self.call(*command, prefix=prefix, env=environment)
                    said = answer.stdout + answer.stderr
                    self.assertIn(answer.returncode, (4, 5), self.shown)
                    self.assertNotIn("terminate called", said)
                    words = ("the limit of the container", "errno: 11", "Resource temporarily unavailable", "pids.max")
                    self.assertTrue(any(word in said for word in words), self.shown)
                self.assertEqual(list(self.folder.glob("holdfast-doctor-*")), [], "the doctor's folder is left")
                self.assertTrue(wait_until(lambda: not processes(str(self.folder)), 20))


class Starvation(Refused):
    """A kernel that does not count how long processes wait for a processor: all goes on, and it is said."""

    WORDS = "this kernel does not measure how long a process waits for a processor"

    def test_missing_schedstat_is_reported(self):
        doctor, _ = self.both(self.refused("openat@schedstat=ENOENT"), 0, self.WORDS, "CONFIG_SCHEDSTATS")
        self.assertRegex(doctor, "unavailable +machine starvation")
        history = (self.latest() / "cells/insert_lease/none/1/history.jsonl").read_text()
        self.assertNotIn("stall_bound_ns", history.splitlines()[0])

    def test_available_schedstat_is_not_reported(self):
        doctor, run = self.both([], 0)
        self.assertRegex(doctor, "ok +machine starvation")
        self.assertNotIn(self.WORDS, doctor + run)


class Kept(Refused):
    def test_unsynced_result_is_discarded(self):
        answer = self.run_suite(self.path, "--quiet", prefix=self.refused("fsync@result.json=EIO"))
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertEqual(self.outcomes(), {"insert_lease/none": "harness_error"})
        self.assertIn("its result cannot be stored", answer.stdout)
        self.assertIn("Input/output error", answer.stdout)
        self.assertFalse((self.latest() / "cells/insert_lease/none/1/result.json").exists())
        again = self.call(PROGRAM, "run", "--resume", self.latest(), "--again")
        self.assertEqual(again.returncode, 0, self.shown)

    def test_result_with_unsynced_history_is_discarded(self):
        answer = self.run_suite(self.path, "--quiet", prefix=self.refused("fsync@history.jsonl=EIO"))
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertEqual(json.loads((self.latest() / "verdict.json").read_text())["exit_code"], 5)


if __name__ == "__main__":
    unittest.main()
