"""Limits of a user, a container or a shell: a run ends with a message that names the limit, and leaves nothing."""

import os
import unittest

from program import PROGRAM, ProgramTest, processes, program_for_all, quick, wait_until

SOMEBODY = 4242  # a user without other processes: a process limit counts all processes of a user


class Limits(ProgramTest):
    def limited(self, *limits, user=False, suite=None, **changes):
        """Runs a short cell, or a suite, under limits of prlimit(1); {exit code, what was said}."""
        self.folder.chmod(0o777)
        path = suite or self.scenario("none", quick(**changes))
        jobs = "12" if suite else "3"
        prefix = ["prlimit", *limits, "--"]
        program = PROGRAM
        if user and os.geteuid() == 0:
            prefix = ["setpriv", "--reuid", str(SOMEBODY), "--regid", str(SOMEBODY), "--clear-groups", *prefix]
            program = program_for_all(self.folder)
        self.out = self.folder / f"runs-{len(list(self.folder.iterdir()))}"
        answer = self.call(program, "run", path, "--out", self.out, "--seed", "1", "--jobs", jobs, prefix=prefix)
        said = answer.stdout + answer.stderr
        self.assertNotIn("terminate called", said, self.shown)
        self.assertNotIn("without output", said, self.shown)
        self.assertIn(answer.returncode, (0, 4, 5), self.shown)
        self.assertTrue(wait_until(lambda: not processes(str(self.out)), 20), "nothing may be left")
        return answer.returncode, said

    def assert_named(self, answer, *words):
        """The limit, or what a server or the loader of programs says when it meets it."""
        code, said = answer
        self.assertTrue(code == 0 or any(word in said for word in words), self.shown)
        return code

    def test_open_files_limit_is_named(self):
        self.assertEqual(self.limited("--nofile=64:4096")[0], 0, self.shown)
        words = ("ulimit -n", "ulimit -Hn", "Too many open", "loading shared")
        codes = [self.assert_named(self.limited(f"--nofile={most}:{most}"), *words) for most in (12, 24, 64)]
        self.assertNotIn(0, codes)

    def test_process_limit_is_named(self):
        words = ("ulimit -u", "errno: 11", "Resource temporarily unavailable")
        codes = [self.assert_named(self.limited(f"--nproc={most}", user=True), *words) for most in (2, 6, 12)]
        self.assertNotEqual(codes[0], 0)

    def test_memory_limit_is_named(self):
        # Some versions of MariaDB crash (codes 134 and 139) where memory ends, others miss a storage engine.
        words = ("ulimit -v", "loading shared", "annot allocate", "got signal", "the server ended with code 134",
                 "the server ended with code 139", "the server exited immediately")  # fmt: skip
        codes = [self.assert_named(self.limited(f"--as={most}"), *words) for most in (60_000_000, 200_000_000)]
        self.assertNotEqual(codes[0], 0)

    def test_memory_limit_in_the_middle_of_a_suite(self):
        """Many trials side by side: what there is of memory ends anywhere, also where an exception is thrown."""
        words = ("ulimit -v", "loading shared", "the server exited immediately")
        for most in (90_000_000, 112_000_000, 119_000_000, 126_000_000):
            self.assert_named(self.limited(f"--as={most}", suite="quick"), *words)

    def test_stack_limit_is_named(self):
        for most in (32, 64, 128, 512):
            for command in (["list"], ["run", "quick"], ["check", "none.jsonl"], ["--version"]):
                answer = self.call(PROGRAM, *command, prefix=["prlimit", f"--stack={most << 10}:{most << 10}", "--"])
                self.assertEqual((answer.returncode, answer.stdout), (4, ""), self.shown)
                said = f"holdfast: the stack limit is {most} KiB, and this program needs 1024 KiB; remedy: "
                self.assertIn(said + "ulimit -s", answer.stderr)
        # Enough, and a limit that may be raised.
        for limits in (f"--stack={1 << 20}:{1 << 20}", f"--stack={64 << 10}:{8 << 20}"):
            self.assertEqual(self.limited(limits)[0], 0, self.shown)

    def test_file_size_limit_is_named(self):
        codes = [self.assert_named(self.limited(f"--fsize={most}"), "ulimit -f") for most in (10_000, 200_000)]
        self.assertNotIn(0, codes)


if __name__ == "__main__":
    unittest.main()
