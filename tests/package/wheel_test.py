"""The wheel: made, installed by pip into an environment of its own, and used by pytest for the sample's two locks."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import needs

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        needs.registry("PyPI")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-wheel-"))
        cls.folder.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        made = cls.call(SOURCE / "setup/wheel.sh", cls.folder)
        wheel = made.stdout.split()[-1]
        cls.call(sys.executable, "-m", "venv", cls.folder / "env")
        cls.call(cls.folder / "env/bin/pip", "install", "-q", wheel, "pytest", "redis")

    @classmethod
    def call(cls, *command, expected=0, **options):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=1500, **options)
        if done.returncode != expected:
            raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-4000:]}")
        return done

    def test_program_needs_nothing_but_the_c_library(self):
        (program,) = self.folder.glob("env/lib/*/site-packages/holdfast/program/bin/holdfast")
        linked = self.call("readelf", "-d", program).stdout
        needed = {line.split("[")[1].split(".so")[0] for line in linked.splitlines() if "NEEDED" in line}
        self.assertLessEqual(needed, {"libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64"})
        self.call(self.folder / "env/bin/holdfast", "doctor", cwd=self.folder)

    def test_notices_of_linked_libraries_are_inside(self):
        notices = {path.name for path in self.folder.glob("env/lib/*/site-packages/holdfast-*/licenses/licenses/*")}
        self.assertLessEqual({"holdfast", "libmariadb-dev", "libssl-dev", "zlib1g-dev", "libfmt-dev"}, notices)

    def test_samples_pass_and_fail_with_their_story(self):
        shutil.copytree(SOURCE / "samples/pytest", self.folder / "tests")
        done = self.call(
            self.folder / "env/bin/pytest", "--holdfast-seed", "5", "--holdfast-for", "120", "-p", "no:cacheprovider",
            expected=1, cwd=self.folder / "tests",
        )  # fmt: skip
        self.assertIn("1 passed", done.stdout, done.stdout)
        self.assertIn("get_then_del_lock: expected as_safe_as_a_lease, is broken", done.stdout)
        for word in ("GET orders", "DEL orders", "replay: holdfast replay", "report: runs/", "--seed 5"):
            self.assertIn(word, done.stdout)


if __name__ == "__main__":
    unittest.main()
