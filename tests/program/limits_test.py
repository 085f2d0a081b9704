"""What a user, a container or a shell limits: a run ends with a message that names the limit, and leaves nothing."""

import os
import unittest

from program import PROGRAM, ProgramTest, processes, program_for_all, quick, wait_until

SOMEBODY = 4242  # who has no other process: a limit of processes is one of all that a user has


class Limits(ProgramTest):
    def limited(self, *limits, user=False, **changes):
        """Runs a short cell under limits of prlimit(1); {exit code, what was said}."""
        self.folder.chmod(0o777)
        path = self.scenario("none", quick(**changes))
        prefix = ["prlimit", *limits, "--"]
        program = PROGRAM
        if user and os.geteuid() == 0:
            prefix = ["setpriv", "--reuid", str(SOMEBODY), "--regid", str(SOMEBODY), "--clear-groups", *prefix]
            program = program_for_all(self.folder)
        self.out = self.folder / f"runs-{len(list(self.folder.iterdir()))}"
        answer = self.call(program, "run", path, "--out", self.out, "--seed", "1", "--jobs", "3", prefix=prefix)
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

    def test_open_files(self):
        self.assertEqual(self.limited("--nofile=64:4096")[0], 0, self.shown)
        words = ("ulimit -n", "ulimit -Hn", "Too many open", "loading shared")
        codes = [self.assert_named(self.limited(f"--nofile={most}:{most}"), *words) for most in (12, 24, 64)]
        self.assertNotIn(0, codes)

    def test_processes(self):
        words = ("ulimit -u", "errno: 11", "Resource temporarily unavailable")
        codes = [self.assert_named(self.limited(f"--nproc={most}", user=True), *words) for most in (2, 6, 12)]
        self.assertNotEqual(codes[0], 0)

    def test_memory(self):
        words = ("ulimit -v", "loading shared", "Cannot allocate", "got signal")
        codes = [self.assert_named(self.limited(f"--as={most}"), *words) for most in (60_000_000, 200_000_000)]
        self.assertNotEqual(codes[0], 0)

    def test_the_size_of_a_file(self):
        codes = [self.assert_named(self.limited(f"--fsize={most}"), "ulimit -f") for most in (10_000, 200_000)]
        self.assertNotIn(0, codes)


if __name__ == "__main__":
    unittest.main()
