"""docs/recorders: in each language a real program, several workers of two processes, takes a real lock on Redis and
records its answers. `holdfast check` reports that it holds, and flags two broken twins: one that continues without the
lock, one that frees another client's lock.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE, ProgramTest

sys.path.insert(0, str(SOURCE / "tests" / "adapters"))
import servers  # noqa: E402
import speak  # noqa: E402

PROGRAMS = SOURCE / "tests/program/recorded"
RECORDERS = SOURCE / "docs/recorders"
JAVA = ["java", "-cp", "target/lock.jar"]
# language: (the recorder and where it goes, the program, files of the template that install its Redis client, command)
LANGUAGES = {
    "python": ("recorder.py", "recorder.py", "worker.py", [], [sys.executable, "-B", "worker.py"]),
    "node": ("recorder.js", "recorder.js", "worker.js", ["package.json", "package-lock.json"], ["node", "worker.js"]),
    "java": ("Recorder.java", "Recorder.java", "Worker.java", ["pom.xml"], [*JAVA, "Worker"]),
    "go": ("recorder.go", "recorder/recorder.go", "worker.go", ["go.mod", "go.sum"], ["./recorded"]),
}


def installed(language, build):
    """The program with its recorder, as a user would put them together; gives its folder."""
    recorder, place, program, files, _ = LANGUAGES[language]
    folder = build / "recorded"
    (folder / place).parent.mkdir(parents=True)
    shutil.copy(RECORDERS / recorder, folder / place)
    shutil.copy(PROGRAMS / program, folder)
    for name in files:
        text = (SOURCE / "adapters/templates" / language / name).read_text()
        (folder / name).write_text(text.replace("@NAME@", "recorded"))
    return speak.installed(folder, build / "there")


class RecorderTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.server = servers.Redis()
        self.addCleanup(self.server.remove)
        self.build = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-recorded-"))
        self.addCleanup(shutil.rmtree, self.build, ignore_errors=True)

    def history(self, language, folder, mode):
        """Two processes of it at once; their files, in the order of the times."""
        logs = self.folder / mode
        logs.mkdir()
        command = [*LANGUAGES[language][-1], str(logs / "log"), str(self.server.port), mode]
        both = [subprocess.Popen(command, cwd=folder) for _ in range(2)]
        for program in both:
            self.addCleanup(program.kill)
        self.assertEqual([program.wait(100) for program in both], [0, 0])
        files = sorted(logs.glob("log.*.jsonl"))
        self.assertEqual(len(files), 2)
        history = self.folder / f"{mode}.jsonl"
        history.write_text(self.call(PROGRAM, "check", *files, "--merge", "--export", "jsonl").stdout)
        self.logs = files
        self.assertEqual(len(history.read_text().splitlines()) % 2, 0)
        return history

    def processes(self, history):
        return len({json.loads(line)["process"] for line in history.read_text().splitlines()})

    def judged(self, history, code, *words):
        answer = self.call(PROGRAM, "check", *self.logs, "--merge")  # as docs/own_log.md has it
        self.assertEqual(answer.returncode, code, self.shown)
        self.assertEqual(self.call(PROGRAM, "check", history).returncode, code, self.shown)
        for word in words:
            self.assertIn(word, answer.stdout)

    def judged_but_for_progress(self, history):
        """So many unknown outcomes may leave open whether a refusal was right; nothing is violated."""
        properties = json.loads(self.call(PROGRAM, "check", history, "--json").stdout)["properties"]
        verdicts = {told["property"]: told["verdict"] for told in properties}
        self.assertEqual((verdicts["mutual_exclusion"], verdicts["ownership"]), ("holds", "holds"), self.shown)
        self.assertIn(verdicts["progress"], ("holds", "undecided"), self.shown)

    def in_language(self, language):
        folder = installed(language, self.build)
        sound = self.history(language, folder, "sound")
        self.judged(sound, 0)
        self.assertGreaterEqual(sound.read_text().count('"ok"'), 20)
        self.assertIn("busy", sound.read_text(), "nobody was ever refused: nothing was tried")
        self.assertEqual(self.processes(sound), 8, "a process is a worker")
        unsure = self.history(language, folder, "unsure")
        self.judged_but_for_progress(unsure)
        self.assertIn('"info"', unsure.read_text())
        self.assertGreater(self.processes(unsure), 8 * 5, "after an unknown outcome whoever goes on has a new name")
        self.judged(self.history(language, folder, "no_lock"), 1, "mutual_exclusion")
        self.judged(self.history(language, folder, "frees"), 1, "foreign_release")

    def test_python(self):
        self.in_language("python")

    def test_node(self):
        self.in_language("node")

    def test_java(self):
        self.in_language("java")

    def test_go(self):
        self.in_language("go")


if __name__ == "__main__":
    unittest.main()
