"""The package for JUnit: built and installed into a repository of its own, and used by Maven for the sample's two
locks. Where root runs the test, the lab's user cannot read that repository."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import needs

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
COPIED = ("java", "libraries/languages/java", "samples/junit")


@needs.programs("openjdk-17-jdk-headless", "javac")
class JunitSample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        needs.registry("Maven")
        needs.lab()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-junit-"))
        cls.folder.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for part in COPIED:
            shutil.copytree(SOURCE / part, cls.folder / part, ignore=shutil.ignore_patterns("target", "runs"))
        (cls.folder / "repository").mkdir(mode=0o700)
        cls.maven("java", "install")

    @classmethod
    def maven(cls, part, goal, expected=0, **variables):
        command = ["mvn", "-B", "-ntp", f"-Dmaven.repo.local={cls.folder / 'repository'}", goal]
        options = {"cwd": cls.folder / part, "env": {**os.environ, **variables}, "timeout": 1500}
        done = subprocess.run(command, capture_output=True, text=True, **options)
        if done.returncode != expected:
            raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout[-8000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def test_samples_pass_and_fail_with_their_story(self):
        said = self.maven("samples/junit", "test", expected=1, HOLDFAST_FOR="120", HOLDFAST_SEED="5")
        (report,) = (self.folder / "samples/junit/target/surefire-reports").glob("TEST-*.xml")
        outcomes = {"passed": [], "failure": [], "error": [], "skipped": []}
        for case in ElementTree.parse(report).iter("testcase"):
            outcome = next((one.tag for one in case if one.tag in outcomes), "passed")
            outcomes[outcome].append(case.get("name"))
        self.assertEqual([*outcomes["error"], *outcomes["skipped"]], [], said)
        self.assertEqual(outcomes["failure"], ["getThenDelLock"], said)
        self.assertGreater(len(outcomes["passed"]), 1, said)  # the other lock: its cases, and its grade
        self.assertIn("get_then_del_lock: expected as_safe_as_a_lease, is broken", said)
        for word in ("GET orders", "DEL orders", "replay: holdfast replay", "report: runs/", "--seed 5"):
            self.assertIn(word, said)


if __name__ == "__main__":
    unittest.main()
