"""Shared code of the --target tests: a run on a user's own server, and the state that must be the same afterwards."""

import subprocess

from own_servers import IN_URL, PASSWORD
from program import PROGRAM, ProgramTest, kill, processes, quick, wait_until


def fault(name, **more):
    """Strikes a holder just before it writes."""
    at = {"phase": "critical_section"}
    return [{"fault": name, "target": "holder", "at": at, "for_ms": 300, **more}]


class OnTarget(ProgramTest):
    """Base class for one kind of server; not a test by itself."""

    kind = None

    @classmethod
    def setUpClass(cls):
        cls.own = cls.kind()
        cls.addClassCleanup(cls.own.stop)

    def setUp(self):
        super().setUp()
        self.before = self.own.dump()

    def run_on(self, url, *arguments, **options):
        return self.call(*self.run_command(*arguments, "--quiet", "--target", url), **options)

    def clean(self):
        return self.call(PROGRAM, "clean", "--target", self.own.url())

    def assert_untouched(self):
        self.assertEqual(self.own.dump(), self.before, self.shown)

    def assert_no_password(self):
        """In any file of the run, or in what was printed."""
        for path in self.latest().rglob("*"):
            if path.is_file():
                for secret in (PASSWORD, IN_URL):
                    self.assertNotIn(secret.encode(), path.read_bytes(), path)
        self.assertNotIn("seCret7", self.shown)

    def ours(self):
        return processes(str(self.folder))

    def start_long(self, lock):
        """A run that goes on for long, whose clients are at work."""
        path = self.scenario("long", quick(locks=[lock], duration_ms=60000))
        log = (self.folder / "log").open("w")
        self.addCleanup(log.close)
        command = [*self.run_command(path, "--quiet"), "--target", self.own.url()]
        run = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(run.wait)
        self.addCleanup(kill, run.pid)
        client = lambda: any(" client " in line for line in self.ours().values())
        self.assertTrue(wait_until(lambda: client() and self.own.dump() != self.before, 60))
        return run

    def assert_refused(self, url, code, *words, **options):
        answer = self.run_on(url, self.scenario("none", quick(locks=[self.lock])), **options)
        self.assertEqual(answer.returncode, code, self.shown)
        said = answer.stderr.splitlines()
        self.assertEqual(len(said), 1, self.shown)
        for word in words:
            self.assertIn(word, said[0])
        self.assertNotIn("seCret7", self.shown)
        self.assertFalse(self.out.exists(), "no run's folder where nothing ran")
        self.assert_untouched()

    def interrupted_and_killed(self, word):
        run = self.start_long(self.lock)
        for line in self.ours().values():
            self.assertNotIn("seCret7", line)
            self.assertNotIn(IN_URL, line)
        run.terminate()
        self.assertEqual(run.wait(60), 130)
        self.assertEqual(self.own.dump(), self.before)
        run = self.start_long(self.lock)
        kill(run.pid)
        run.wait()
        self.assertTrue(wait_until(lambda: not self.ours(), 30), self.ours())
        self.assertNotEqual(self.own.dump(), self.before, "what is left is what the next call is to remove")
        self.assertIn(word, self.own_left())

    def own_left(self):
        return str([line for line in self.own.dump() if line not in self.before])
