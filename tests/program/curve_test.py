"""`holdfast curve` on real labs: where a flawed and a sound lock break, what is printed and written, and how an
interrupted curve is resumed."""

import json
import signal
import subprocess
import unittest

import jsonschema
from program import PROGRAM, SOURCE, ProgramTest, processes, wait_until

PLAIN, FENCED = "redis_token", "fenced_lease"


class CurveTest(ProgramTest):
    def curve(self, *arguments):
        return self.call(PROGRAM, "curve", *arguments, "--out", self.out, "-q")

    def result(self):
        found = json.loads((self.latest() / "curve.json").read_text())
        schema = json.loads((SOURCE / "docs/curve.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        jsonschema.Draft7Validator(schema).validate(found)
        return found, {point["scenario"]: point for point in found["points"]}


class Mistakes(CurveTest):
    def test_mistakes_are_named(self):
        """Nothing is started."""
        for arguments, text in (
            ([PLAIN, "--fault", "puase"], "did you mean 'pause'"),
            ([PLAIN, "--fault", "server_kill"], "cannot be aimed at a point of a client's work; remedy: one of "),
            ([PLAIN, "--fault", "client_skew"], "pause, "),
            (["redis_tokn"], "did you mean 'redis_token'"),
            ([PLAIN, "--property", "resorce"], "did you mean 'resource'"),
            ([PLAIN, "--plans", "0"], "--plans: must be a number from 1 to 10000"),
            ([PLAIN, "--for", "0"], "--for: must be a number"),
            ([PLAIN, "--lease", "1"], "--lease: must be a number"),
            ([PLAIN, "--resume", "runs"], "--resume: the seed is missing"),
            ([PLAIN, "--resume", self.folder, "--seed", "1"], "has no trials of a curve"),
            ([PLAIN, "--time", "skipped", "--target", "redis://localhost/0"], "--time skipped"),
        ):
            answer = self.curve(*arguments)
            self.assertEqual(answer.returncode, 2, self.shown)
            self.assertIn(text, answer.stderr)
            self.assertFalse(self.out.exists(), arguments)


class Curve(CurveTest):
    def test_lease_without_token_breaks_at_its_end(self):
        answer = self.curve(PLAIN, "--plans", "4", "--seed", "3")
        found, points = self.result()
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual((found["lease_ms"], found["for_ms"]), (2000, 400))
        for name in "hold_0", "hold_25", "hold_50", "hold_75", "no_fault_90", "acquire_after_acquire":
            self.assertEqual(points[name]["violated"], 0, (name, self.shown))
            self.assertEqual((points[name]["low"], points[name]["counted"] > 0), (0, True), self.shown)
        for name in "hold_90", "hold_105", "no_fault_105":
            self.assertEqual(points[name]["violated"], points[name]["counted"], (name, self.shown))
            self.assertIn("overrun", " ".join(points[name]["violations"]))
        self.assertEqual(points["hold_90"]["acted"], 4, self.shown)
        self.assertLess(max(len(line) for line in self.table(answer.stdout)), 81, self.shown)
        self.assertIn("redis_token broke at 2 of", answer.stdout)
        page = (self.latest() / "curve.html").read_text()
        self.assertIn('class="curve-broken"', page)
        self.assertIn('class="curve-holds"', page)
        self.replays(points["hold_90"])

    @staticmethod
    def table(text):
        lines = text.splitlines()
        head = next(i for i, line in enumerate(lines) if "moment" in line and "violated" in line)
        return lines[head : lines.index("", head)]

    def replays(self, point):
        """The named trial breaks again: its plan is the same, and it is decided by time alone."""
        words = point["replay"].split()
        self.assertEqual(words[1:2], ["replay"])
        again = self.call(PROGRAM, *words[1:], "--out", self.folder / "again", "-q")
        self.assertIn("reproduced 1 of 1", again.stdout, self.shown)

    def test_fenced_data_is_never_damaged(self):
        self.curve(FENCED, "--plans", "2", "--seed", "3", "--for", "3000")
        found, points = self.result()
        self.assertTrue(found["fenced"])
        self.assertEqual({point["violated"] for point in points.values()}, {0}, self.shown)
        self.assertGreater(points["hold_50"]["counted"], 0, self.shown)
        self.assertGreater(points["hold_50"]["lapsed"], 0, "stopped past its lease, it acts beside the next holder")
        self.assertEqual(points["no_fault_90"]["lapsed"], 0, self.shown)

    def test_interrupted_curve_is_resumed(self):
        command = [PROGRAM, "curve", PLAIN, "--plans", "3", "--seed", "5", "--jobs", "2", "--out", str(self.out)]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(run.kill)
        results = lambda: list((self.out / "latest/cells" / PLAIN).glob("hold_*/1/result.json"))
        self.assertTrue(wait_until(lambda: len(results()) > 1))
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, out + err)
        self.assertIn("INTERRUPTED", out)
        folder = self.latest()
        begun = {path: path.stat().st_mtime_ns for path in results()}
        found, points = self.result()
        self.assertTrue(found["interrupted"])
        self.assertLess(sum(point["trials"] for point in points.values()), 3 * len(points))
        self.assertIn(f"--seed 5 --resume runs/{folder.name}", err)
        self.assertTrue(wait_until(lambda: not processes(str(self.out))))
        other = self.call(*command[:-2], "--lease", "1500", "--resume", folder, "-q")
        self.assertEqual(other.returncode, 2, self.shown)
        self.assertIn("is not the plan that results from the scenario and the seed", other.stderr)
        answer = self.call(*command[:-2], "--resume", folder, "-q")
        self.assertEqual(answer.returncode, 0, self.shown)
        found, points = self.result()
        self.assertEqual({point["trials"] for point in points.values()}, {3}, self.shown)
        for path, time_ns in begun.items():
            self.assertEqual(path.stat().st_mtime_ns, time_ns, "a finished trial was repeated")


if __name__ == "__main__":
    unittest.main()
