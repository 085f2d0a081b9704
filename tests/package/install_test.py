"""`cmake --install` into a folder of its own, which is then moved: the program runs a cell as a normal user, from a
folder that has nothing to do with it, with suites that it finds by its own place."""

import gzip
import os
import pathlib
import shutil
import subprocess
import unittest

import needs
from program import SOURCE, ProgramTest, as_user, quick

BUILD = pathlib.Path(os.environ["HOLDFAST_BUILD"])


class Install(ProgramTest):
    def setUp(self):
        super().setUp()
        needs.lab()
        first, self.prefix = self.folder / "first", self.folder / "moved to"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", first], check=True, capture_output=True)
        first.rename(self.prefix)
        self.program = self.prefix / "bin/holdfast"
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()
        self.elsewhere.chmod(0o777)

    def run_there(self, *arguments):
        command = [str(self.program), *map(str, arguments)]
        command = as_user(command) if os.geteuid() == 0 else command
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
        answer = subprocess.run(
            command, cwd=self.elsewhere, env=environment, capture_output=True, text=True, timeout=100
        )
        self.shown = f"exit {answer.returncode}\n{answer.stdout}\n{answer.stderr}"
        return answer

    def test_install_puts_all_files_in_place(self):
        for path in ("scenarios/quick/none.json", "sql/insert_lease.sql", "redis/redis_token.redis"):
            self.assertTrue((self.prefix / "share/holdfast" / path).is_file(), path)
        for path in ("README.md", "ci.md", "scenario.schema.json", "copyright"):
            self.assertTrue((self.prefix / "share/doc/holdfast" / path).is_file(), path)
        page = gzip.decompress((self.prefix / "share/man/man1/holdfast.1.gz").read_bytes()).decode()
        self.assertTrue(page.startswith(".TH HOLDFAST 1"))
        self.assertEqual(sorted(p.name for p in self.prefix.iterdir()), ["bin", "share"])

    def test_installed_program_runs_as_a_user_from_elsewhere(self):
        short = self.prefix / "share/holdfast/scenarios/short"
        short.mkdir()
        (short / "none.json").write_text(str(quick()).replace("'", '"'))
        answer = self.run_there("run", "short", "--only", "insert_lease/none", "-q", "--seed", "1")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertTrue((self.elsewhere / "runs/latest/report.html").is_file())

    def test_local_suites_precede_installed_ones(self):
        cells = {"quick": "insert_lease/pause", "scenarios/quick": "insert_lease/pause", "redis": "redis_token/pause"}
        for name, cell in cells.items():  # "redis" is also the name of a folder beside that of the scenarios
            answer = self.run_there("plan", name)
            self.assertEqual(answer.returncode, 0, self.shown)
            self.assertIn(cell, answer.stdout)
        shutil.copytree(SOURCE / "scenarios/replica", self.elsewhere / "quick")
        self.assertNotIn("insert_lease/pause", self.run_there("plan", "quick").stdout)
        answer = self.run_there("plan", "quik")
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("quik: no such folder or scenario", answer.stderr)


if __name__ == "__main__":
    unittest.main()
