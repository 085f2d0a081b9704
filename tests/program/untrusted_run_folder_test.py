"""A run folder that another user made or changed: opening it starts no program, connects nowhere, and writes and
removes nothing outside."""

import json
import os
import shutil
import socket
import unittest

from program import PROGRAM, ProgramTest, quick

CELL = "insert_lease/none"


class Foreign(ProgramTest):
    def a_run(self, stopped=False):
        """A run of one cell; `stopped`: one that `--resume` would go on with."""
        answer = self.run_suite(self.scenario("none", quick(duration_ms=300)), "--quiet")
        self.assertIn(answer.returncode, (0, 3), self.shown)
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
        """The commands that run a folder's contents again."""
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
        path.write_text("#!/bin/sh\necho foreign program >&2\nexit 1\n")  # a lab allows writing only here
        path.chmod(0o755)
        return path

    def started(self):
        """True if a trial's log has the words of such a program."""
        logs = [log.read_text(errors="replace") for log in self.folder.rglob("*.log")]
        return any("foreign program" in text for text in logs)

    def test_stored_server_program_is_not_started(self):
        folder = self.a_run(stopped=True)
        evil = self.program("evil.sh")
        self.change(folder / "run.json", servers=[f"mysqld={evil}"])
        other = self.program("other.sh")
        for command in self.commands(folder):
            self.refused_here(["run.json", f"if you trust it, add --server mysqld={evil}"], *command)
            self.refused_here([f"add --server mysqld={evil}"], *command, "--server", f"mysqld={other}")
            self.refused_here([f"--server mysqld={other}", "started without it"],
                              *command, "--server", f"mysqld={evil}", "--server", f"mysqld={other}")  # fmt: skip
        self.assertFalse(self.started())
        for command in reversed(self.commands(folder)):  # repeating it by option is allowed
            self.call(*command, "--server", f"mysqld={evil}")
            self.assertTrue(self.started(), self.shown)
            shutil.rmtree(self.folder / "again", ignore_errors=True)

    def test_different_server_program_is_refused(self):
        folder = self.a_run(stopped=True)
        for command in self.commands(folder):
            self.refused_here(["started without it"], *command, "--server", f"mysqld={self.program('other.sh')}")

    def test_stored_target_is_not_connected_to(self):
        folder = self.a_run(stopped=True)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(0)
            url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
            self.change(folder / "run.json", target=url)
            secret = {**os.environ, "HOLDFAST_TARGET_PASSWORD": "secret"}
            for command in self.commands(folder):
                self.refused_here(["run.json", f"if you trust it, add --target {url}"], *command, env=secret)
                self.refused_here([f"add --target {url}"],
                                  *command, "--target", url.replace("/0", "/1"), env=secret)  # fmt: skip
                with self.assertRaises(BlockingIOError):
                    listener.accept()

    def test_stored_command_can_only_call_holdfast(self):
        folder = self.a_run()
        for stored, shown in (
            ("holdfast run quick; rm -rf ~ #", "holdfast run 'quick;' rm -rf '~' '#'"),
            ("./run run 'a b' --seed 1\n$(reboot)", "holdfast run 'a b' --seed '1\\n$(reboot)'"),
            ("holdfast run 'it'\\''s' --seed 1", "holdfast run 'it'\\''s' --seed 1"),
            ("evil.sh run quick \x1b[2J", "holdfast run quick '\\x1B[2J'"), ("rm -rf /", ""),
        ):  # fmt: skip
            self.change(folder / "verdict.json", command=stored)
            answer = self.call(PROGRAM, "report", folder)
            self.assertIn(answer.returncode, (0, 3), self.shown)
            self.assertEqual(answer.stdout.rpartition(" rerun: ")[2].rstrip("\n"), shown, self.shown)
            self.assertNotIn("rm -rf /", (folder / "report.html").read_text())

    def test_missing_working_directory(self):
        script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
        for command in ["run", "quick"], ["compare", "get_lock"], ["explore", "get_lock"], ["report"]:
            answer = self.call("sh", "-c", script, "sh", PROGRAM, *command)
            self.assertEqual(answer.returncode, 2, self.shown)
            self.assertIn("the working directory was removed; remedy: cd to an existing folder", answer.stderr)

    def test_stored_words_are_quoted(self):
        folder = self.a_run(stopped=True)
        self.change(folder / "run.json", servers=["mysqld=/x;\x1b[2Jreboot"])
        for command in self.commands(folder):
            self.refused_here(["--server 'mysqld=/x;\\x1B[2Jreboot'"], *command)

    def test_relative_paths_resolve_from_the_run(self):
        self.program("mysqld.sh")
        self.run_suite(self.scenario("none", quick(duration_ms=300)), "--quiet", "--server", "mysqld=mysqld.sh")
        folder = self.latest()
        self.assertEqual(json.loads((folder / "run.json").read_text())["servers"], [f"mysqld={self.folder}/mysqld.sh"])
        (folder / "verdict.json").unlink()
        (folder / "cells" / CELL / "1/result.json").unlink()
        shutil.rmtree(folder / "cells")
        self.call(PROGRAM, "run", "--resume", folder, "--server", "mysqld=./mysqld.sh")
        self.assertTrue(self.started(), self.shown)


class WhatLiesInIt(Foreign):
    def outside(self):
        """A folder that no run may touch, and what is in it."""
        place = self.folder / "outside"
        (place / "none/1").mkdir(parents=True)
        (place / "1").mkdir()
        for name in "none/1/mine", "1/mine", "mine":
            (place / name).write_text("mine")
        return place

    def untouched(self, place):
        files = {str(path.relative_to(place)): path.read_text() for path in place.rglob("*") if path.is_file()}
        self.assertEqual(files, {"none/1/mine": "mine", "1/mine": "mine", "mine": "mine"}, self.shown)

    def reports(self, folder):
        report = [PROGRAM, "report", folder]
        return [report, [*report, "--format", "junit"], [PROGRAM, "table", folder]]

    def test_link_in_place_of_a_folder_is_refused(self):
        place = self.outside()
        for link, to in (("cells", place), ("cells/insert_lease", place), ("cells/insert_lease/none", place / "none"),
                         ("cells/insert_lease/none/1", place / "1")):  # fmt: skip
            folder = self.a_run(stopped=True)
            (folder / link).rename(self.folder / "kept")
            (folder / link).symlink_to(to)
            resume, replay = self.commands(folder)
            if link != CELL + "/1":  # a link itself is replaced, not what it names
                self.refused_here([f"{folder}/{link}: is a link"], *resume)
            else:
                self.assertEqual(self.call(*resume).returncode, 2)
            self.refused_here(["is a link"], *replay)
            self.untouched(place)
            (self.folder / "kept").rename(self.folder / f"kept-{link.count('/')}")

    def test_links_in_place_of_files_are_not_followed(self):
        place = self.outside()
        folder = self.a_run()
        (folder / "summary.md.part").symlink_to(place / "mine")
        (folder / ".summary.md").symlink_to(place / "mine")
        self.assertEqual(self.call(PROGRAM, "report", folder).returncode, 0, self.shown)
        self.untouched(place)
        for name in "report.html", "summary.md":
            (folder / name).unlink()
            (folder / name).symlink_to(place / "mine")
            self.refused_here([f"{name}: is a link"], PROGRAM, "report", folder)
            self.untouched(place)
            (folder / name).unlink()
        for name in "verdict.json", f"{CELL}/1/verdict.json", f"{CELL}/1/history.jsonl":
            file = folder / (name if name == "verdict.json" else "cells/" + name)
            file.rename(self.folder / "kept")
            file.symlink_to(self.folder / "kept")
            self.refused_here(["is a link"], PROGRAM, "report", folder)
            file.unlink()
            (self.folder / "kept").rename(file)

    def test_stored_trial_folder_outside_the_run_is_refused(self):
        place = self.outside()
        folder = self.a_run()
        run = json.loads((folder / "verdict.json").read_text())
        trial = run["cells"][0]["trials"][0]
        trial["verdict"]["judgement"] = "violated"
        for named in "../../outside", str(place), f"cells/{CELL}/../../../../../outside", "":
            trial["folder"] = named
            (folder / "verdict.json").write_text(json.dumps(run))
            for command in self.reports(folder):
                told = [f"verdict.json: names the folder '{named}'", f"only cells/{CELL}/1 can be"]
                self.refused_here(told, *command)
        trial["folder"] = "\x1b]0;title\x07\nPASS" + "x" * 100_000
        (folder / "verdict.json").write_text(json.dumps(run))
        for command in self.reports(folder):
            self.refused_here(["names the folder '\\x1B]0;title", "only cells/"], *command)
            self.assertLess(len(self.shown), 1000, "what a file says is not echoed whole")
        self.untouched(place)
        (folder / "verdict.json").unlink()
        file = folder / "cells" / CELL / "1/result.json"
        stored = json.loads(file.read_text())
        stored["result"]["folder"] = "../../outside"
        file.write_text(json.dumps(stored))
        self.refused_here([f"{file}: belongs to another folder"], PROGRAM, "run", "--resume", folder)
        self.untouched(place)

    def test_cell_path_outside_the_run_is_refused(self):
        self.a_run()
        other = self.latest()
        folder = self.a_run()
        elsewhere = f"insert_lease/../../../{other.name}/cells/{CELL}"
        for cell in elsewhere, "insert_lease/..", "../none", f"{CELL}/1", "./none":
            self.refused_here(["holdfast: "], PROGRAM, "replay", folder, cell, "--out", self.folder / "again")

    def test_plain_file_named_latest_is_kept(self):
        self.out.mkdir()
        (self.out / "latest").write_text("mine")
        answer = self.run_suite(self.scenario("none", quick(duration_ms=300)), "--quiet")
        self.assertIn("latest: not a link, so not replaced; this run: ", answer.stderr)
        self.assertEqual((self.out / "latest").read_text(), "mine")

    def test_doctor_refuses_a_non_empty_folder(self):
        place = self.outside()
        self.refused_here(["is not empty"], PROGRAM, "doctor", "--out", place)
        self.untouched(place)

    def test_scenario_named_dot_or_dots_is_refused(self):
        for name in "..", ".":
            self.scenario(name, quick())
            path = f"scenarios/{name}.json"
            told = [f"{path}:1: '{name}' cannot be a scenario's name"]
            self.refused_here(told, PROGRAM, "run", path, "--out", self.out)
            self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
