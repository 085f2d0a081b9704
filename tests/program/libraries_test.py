"""Lock libraries: listed, installed from their registry, run with the suite of all libraries, compared by version."""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import needs
from program import PROGRAM, SOURCE, ProgramTest

# One of each language, with the registry that it is installed from.
ONE_EACH = {
    "java": ("redisson", "Maven"),
    "go": ("go_redsync", "Go"),
    "node": ("redlock", "npm"),
    "rust": ("rslock", "crates.io"),
}
ZOOKEEPER = pathlib.Path("/usr/share/java/zookeeper.jar")


class LibraryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.root = self.folder / "libraries"
        self.environment = {"HOLDFAST_LIBRARIES": str(self.root)}
        os.environ.update(self.environment)
        self.addCleanup(os.environ.pop, "HOLDFAST_LIBRARIES")

    def libraries(self, *words, code=0):
        answer = self.call(PROGRAM, "libraries", *words)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        return answer

    def known(self):
        return {one["name"]: one for one in json.loads(self.libraries("list", "--json").stdout)["libraries"]}


class Libraries(LibraryTest):
    def test_each_library_is_listed_and_complete(self):
        known = self.known()
        folders = {path.parent.name for path in (SOURCE / "libraries").glob("*/library.json")}
        self.assertEqual(set(known), folders)
        for name, one in known.items():
            self.assertEqual(one["installed"], [])
            self.assertTrue((SOURCE / "libraries/languages" / one["language"] / "install.sh").exists(), name)
            manifests = list((SOURCE / "libraries" / name).glob("lock*.json"))
            self.assertTrue(manifests, name)
            for path in manifests:
                manifest = json.loads(path.read_text())
                self.assertTrue(manifest["name"].startswith(name), path)
                self.assertEqual(manifest["library"]["version"], one["version"], path)
                self.assertEqual(manifest["install"], f"holdfast libraries install {name}", path)

    def test_uninstalled_library_is_not_a_pass(self):
        answer = self.libraries("run", "redis_py", code=4)
        self.assertIn("is not installed; remedy: holdfast libraries install redis_py", answer.stderr)
        self.assertIn("no library is installed", self.libraries("run", code=4).stderr)
        self.assertIn("unknown library 'redis_pi'", self.libraries("install", "redis_pi", code=2).stderr)
        self.assertIn("the version after '@' is missing", self.libraries("install", "redis_py@--x", code=2).stderr)

    def test_python_library_is_installed_and_run(self):
        needs.registry("PyPI")
        self.libraries("install", "redis_py")
        self.assertEqual(self.known()["redis_py"]["installed"], [self.known()["redis_py"]["version"]])
        manifest = next(self.root.glob("redis_py@*")) / "lock.json"
        checked = self.call(PROGRAM, "adapter", "check", manifest)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        others = len(self.known()) - 1
        answer = self.call(PROGRAM, "libraries", "run", "--only", "redis_py_lock/none", "--only", "redis_py_lock/pause",
                           "--out", self.out, "--quiet")  # fmt: skip
        shown = answer.stdout + answer.stderr
        self.assertEqual(set(self.outcomes()), {"redis_py_lock/none", "redis_py_lock/pause"}, shown)
        self.assertEqual(self.outcomes()["redis_py_lock/none"], "as_expected", shown)
        overrun = [cell for cell in self.verdict()["cells"] if cell["scenario"] == "pause"][0]["trials"][0]["verdict"]
        judged = {one["property"]: one["judgement"] for one in overrun["properties"]}
        self.assertEqual(judged["mutual_exclusion"], "violated", shown)
        begin = "not tried because not installed: "
        named = [line for line in answer.stdout.splitlines() if line.startswith(begin)]
        self.assertEqual([len(line[len(begin) :].split(", ")) for line in named], [others], shown)
        self.assertNotIn("redis_py_lock_bounded", shown, "nobody asked for its other lock")
        self.is_run_again_by("libraries run --only redis_py_lock/none --only redis_py_lock/pause --seed ")
        self.is_recorded()
        self.the_rest_of_a_run()
        self.libraries("remove", "redis_py")
        self.assertEqual(self.known()["redis_py"]["installed"], [])

    def is_run_again_by(self, words):
        command = self.verdict()["command"]
        self.assertIn(words, command)
        self.assertNotIn("--adapter", command, "the library brings it")

    def is_recorded(self):
        """The input of docs/libraries_table.md, from this run."""
        tools, kept = SOURCE / "libraries/measure", self.out / "kept"
        for _ in range(2):  # the second time nothing changes
            made = [sys.executable, "-B", tools / "record.py", self.out / "latest", "--to", kept]
            subprocess.run(made, check=True)
            record = json.loads((kept / "redis_py.json").read_text())
            none, pause = (record["cells"][f"redis_py_lock/{name}"] for name in ("none", "pause"))
            self.assertEqual((none["trials"], none["held"], none["token"]), (1, 1, False))
            self.assertNotIn("broken", none)
            self.assertEqual((pause["broken"]["trials"], pause["broken"]["promised"]), (1, 0))
            self.assertIn("mutual_exclusion", pause["broken"]["seen"]["overrun"])
            self.assertEqual(set(record["runs"]), {pause["run"]})
        made = [sys.executable, "-B", tools / "table.py", kept]
        shown = subprocess.run(made, check=True, capture_output=True, text=True).stdout
        rows = [line for line in shown.splitlines() if line.startswith("| `redis_py_lock` | ")]
        self.assertEqual(rows[0], "| `redis_py_lock` | 1 | 1 | 0 | 0 | - |")
        self.assertEqual(len(rows), 7, "the summary, what it does, and five tables of marks")
        self.assertRegex(rows[2], r"^\| `redis_py_lock` \| ok \| not yet \| - ")
        self.assertRegex(rows[3], r"^\| `redis_py_lock` \| \(x\) \| not yet ")
        self.assertIn("| pause | Two clients acted as holder for ", shown)

    def the_rest_of_a_run(self):
        """As if it had been cut off before its second cell ended."""
        run = (self.out / "latest").resolve()
        (run / "verdict.json").unlink()
        told = self.call(PROGRAM, "report", run).stderr
        self.assertIn(f"remedy: holdfast libraries run --resume {run}", told)
        shutil.rmtree(run / "cells/redis_py_lock/pause/1")
        before = (run / "cells/redis_py_lock/none/1/result.json").read_bytes()
        self.libraries("run", "--resume", str(run), "--quiet")
        self.is_run_again_by("libraries run --only redis_py_lock/none --only redis_py_lock/pause --seed ")
        self.assertEqual(set(self.outcomes()), {"redis_py_lock/none", "redis_py_lock/pause"}, self.shown)
        self.assertEqual((run / "cells/redis_py_lock/none/1/result.json").read_bytes(), before)
        self.assertIn("is already complete", self.libraries("run", "--resume", str(run), code=2).stderr)
        self.assertIn("is already complete", self.libraries("run", "--resume", str(run), "--again", code=2).stderr)


class Installed(LibraryTest):
    """Libraries in the other languages, too; each takes minutes."""

    def test_one_library_per_language_is_installed_and_run(self):
        known = self.known()
        for language, (name, registry) in ONE_EACH.items():
            with self.subTest(language=language):
                needs.registry(registry)
                self.libraries("install", name)
                manifest = self.root / f"{name}@{known[name]['version']}" / "lock.json"
                checked = self.call(PROGRAM, "adapter", "check", manifest)
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
                if language == "java":
                    self.shares_its_classes(manifest.parent)

    def test_requests_to_etcd_and_zookeeper_are_struck(self):
        """Calls that go on side by side, and those of a session that pings."""
        cells = ["go_etcd_lock/reply_lost_acquire_1", "go_etcd_lock/renewal_held",
                 "kazoo_lock/reply_lost_acquire_1", "kazoo_lock/renewal_duplicated"]  # fmt: skip
        needs.skip_if(needs.absent("etcd-server", "etcd"))
        needs.skip_if("" if ZOOKEEPER.exists() else "needs ZooKeeper, not installed; remedy: ./run setup zookeeper")
        needs.registry("Go")
        needs.registry("PyPI")
        self.libraries("install", "go_etcd", "kazoo")
        only = [word for cell in cells for word in ("--only", cell)]
        self.libraries("run", "go_etcd", "kazoo", *only, "--out", self.out, "--quiet")
        self.assertEqual(self.outcomes(), dict.fromkeys(cells, "as_expected"), self.shown)
        proofs = {fault["fault"]: (fault["acted"], fault["planned"]) for fault in self.verdict()["faults"]}
        files = [SOURCE / "libraries/scenarios" / f"{cell.split('/')[1]}.json" for cell in cells]
        faults = [fault["fault"] for file in files for fault in json.loads(file.read_text())["faults"]]
        asked = collections.Counter(faults)
        self.assertEqual(proofs, {fault: (times, times) for fault, times in asked.items()}, self.shown)

    def shares_its_classes(self, folder):
        """With -Xshare:on a JVM that cannot use the archive ends."""
        command = ["java", "-Xshare:on", "-XX:SharedArchiveFile=./target/lock.jsa", "-jar", "./target/lock.jar"]
        started = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(started.returncode, 0, started.stderr)

    def test_two_versions_are_compared(self):
        needs.registry("PyPI")
        self.libraries("install", "redis_py", "redis_py@5.0.8")
        answer = self.call(PROGRAM, "compare", "redis_py@5.0.8", "redis_py@" + self.known()["redis_py"]["version"],
                           "--scenario", "libraries/scenarios/none.json", "--out", self.out, "--quiet")  # fmt: skip
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        self.assertIn("redis_py_lock_v5_0_8", answer.stdout)


if __name__ == "__main__":
    unittest.main()
