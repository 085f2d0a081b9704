"""A run's folder that somebody else made, or changed: opening it starts no program, connects nowhere, and writes and
removes nothing outside."""

import json
import os
import socket
import unittest

from program import PROGRAM, ProgramTest, quick

CELL = "insert_lease/none"


class Foreign(ProgramTest):
    def a_run(self, stopped=False):
        """A run of one cell; `stopped`: one that `--resume` would go on with."""
        self.run_suite(self.scenario("none", quick(duration_ms=300)), "--quiet")
        folder = self.latest()
        if stopped:
            (folder / "verdict.json").unlink()
            (folder / "cells" / CELL / "1/result.json").unlink()
        return folder

    def change(self, file, **values):
        stored = json.loads(file.read_text())
        stored.update(values)
        file.write_text(json.dumps(stored))

    def commands(self, folder):
        """What runs again what lies in a folder."""
        replay = [PROGRAM, "replay", folder, CELL, "--out", self.folder / "again"]
        return [PROGRAM, "run", "--resume", folder], replay

    def refused_here(self, words, *command, **options):
        answer = self.call(*command, **options)
        self.assertEqual(answer.returncode, 2, self.shown)
        for word in words:
            self.assertIn(word, answer.stderr)
        self.assertFalse((self.folder / "again").exists(), "nothing may have been started")


class WhatItNames(Foreign):
    def program(self, name):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\necho started >> {self.folder}/started\nexit 1\n")
        path.chmod(0o755)
        return path

    def test_a_stored_program_is_not_started(self):
        folder = self.a_run(stopped=True)
        evil = self.program("evil.sh")
        self.change(folder / "run.json", servers=[f"mysqld={evil}"])
        other = self.program("other.sh")
        for command in self.commands(folder):
            self.refused_here(["run.json", f"if you trust it, repeat it: --server mysqld={evil}"], *command)
            self.refused_here([f"repeat it: --server mysqld={evil}"], *command, "--server", f"mysqld={other}")
            self.refused_here([f"--server mysqld={other}", "begun without it"],
                              *command, "--server", f"mysqld={evil}", "--server", f"mysqld={other}")  # fmt: skip
        self.assertFalse((self.folder / "started").exists())
        for command in reversed(self.commands(folder)):  # who repeats it means it
            self.call(*command, "--server", f"mysqld={evil}")
            self.assertTrue((self.folder / "started").exists(), self.shown)
            (self.folder / "started").unlink()

    def test_a_program_that_it_was_not_begun_with_is_refused(self):
        folder = self.a_run(stopped=True)
        for command in self.commands(folder):
            self.refused_here(["begun without it"], *command, "--server", f"mysqld={self.program('other.sh')}")

    def test_a_stored_target_is_not_connected_to(self):
        folder = self.a_run(stopped=True)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(0)
            url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
            self.change(folder / "run.json", target=url)
            secret = {**os.environ, "HOLDFAST_TARGET_PASSWORD": "secret"}
            for command in self.commands(folder):
                self.refused_here(["run.json", f"if you trust it, repeat it: --target {url}"], *command, env=secret)
                self.refused_here([f"repeat it: --target {url}"],
                                  *command, "--target", url.replace("/0", "/1"), env=secret)  # fmt: skip
                with self.assertRaises(BlockingIOError):
                    listener.accept()

    def test_what_it_names_is_shown_as_one_word(self):
        folder = self.a_run(stopped=True)
        self.change(folder / "run.json", servers=["mysqld=/x;\x1b[2Jreboot"])
        for command in self.commands(folder):
            self.refused_here(["--server 'mysqld=/x;\\x1B[2Jreboot'"], *command)

    def test_a_relative_path_is_the_same_from_elsewhere(self):
        self.program("mysqld.sh")
        self.run_suite(self.scenario("none", quick(duration_ms=300)), "--quiet", "--server", "mysqld=mysqld.sh")
        folder = self.latest()
        self.assertEqual(json.loads((folder / "run.json").read_text())["servers"], [f"mysqld={self.folder}/mysqld.sh"])
        (folder / "verdict.json").unlink()
        (folder / "cells" / CELL / "1/result.json").unlink()
        (self.folder / "started").unlink()
        self.call(PROGRAM, "run", "--resume", folder, "--server", "mysqld=./mysqld.sh")
        self.assertTrue((self.folder / "started").exists(), self.shown)


if __name__ == "__main__":
    unittest.main()
