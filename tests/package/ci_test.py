"""What docs/ci.md, the action and the compose file say, held against the program: the flags that they name are those
that the program names, every command line in them is one that the program takes."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import PROGRAM

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
FLAGS = "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"


def text_of(name):
    return (SOURCE / name).read_text()


def steps_of_action():
    """The shell text of each step, in order."""
    action, steps = text_of("action.yml"), []
    for line, block in re.findall(r"^      run: (?:'(.*)'|\|\n((?:        .*\n)+))", action, re.M):
        steps.append(line or re.sub(r"^        ", "", block, flags=re.M))
    return steps


class Ci(unittest.TestCase):
    def test_all_name_the_same_flags(self):
        for name in ("src/lab/confinement.hpp", "docs/ci.md", "docker/Dockerfile"):
            self.assertIn(FLAGS, text_of(name), name)

    def test_flags_of_holdfast_are_its_own(self):
        for name in ("docs/ci.md", "action.yml", "docker/Dockerfile", "docker/compose.yaml"):
            for command, rest in re.findall(r"\bholdfast (run|doctor)\b([^\n&|']*)", text_of(name)):
                help_text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True).stdout
                for flag in re.findall(r"--[a-z][a-z-]*", rest):
                    self.assertIn(flag, help_text, f"{name}: holdfast {command}{rest}")

    def test_steps_of_the_action(self):
        """As GitHub starts them, with a stand-in for ./run that notes how it was called."""
        with tempfile.TemporaryDirectory() as folder:
            notes = pathlib.Path(folder) / "notes"
            stand_in = pathlib.Path(folder) / "run"
            stand_in.write_text(f"""#!/bin/bash\necho "$@" >>{notes}\n""")
            stand_in.chmod(0o755)
            given = {"SUITE": "a suite", "ARGUMENTS": "--seed 42  --repeat 3", "OUT": "runs"}
            for step in steps_of_action():
                self.assertNotIn("${{", step, "what a user gives comes by the environment, never as shell text")
                command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step]
                environment = {**os.environ, **given, "GITHUB_ACTION_PATH": folder}
                answer = subprocess.run(command, capture_output=True, text=True, env=environment)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""), step)
            called = notes.read_text().splitlines()
        run = "run a suite --seed 42 --repeat 3 --out runs"
        self.assertEqual(called, ["list", "doctor a suite --needed", run])

    def test_what_was_not_tried_says_so(self):
        for name in ("docs/ci.md", "docker/compose.yaml"):
            text = text_of(name)
            self.assertRegex(text, r"(?i)oceanbase[^\n]*(\n[^\n]*)?not\W{0,3}tried|never tried", name)

    @unittest.skipUnless(shutil.which("docker-compose"), "docker-compose is not installed")
    def test_compose_reads_its_file(self):
        profiles = ["mysql", "mariadb", "redis", "oceanbase"]
        chosen = [word for profile in profiles for word in ("--profile", profile)]
        command = ["docker-compose", "-f", SOURCE / "docker/compose.yaml", *chosen, "config", "--services"]
        answer = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(sorted(answer.stdout.split()), ["mariadb", "mysql", "oceanbase_not_tried", "redis"])


if __name__ == "__main__":
    unittest.main()
