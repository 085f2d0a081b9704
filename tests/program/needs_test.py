"""Tests that lack what they need (needs.py) are skipped, with the reason, and the others run. Tests that root also runs
as a normal user (tests/as_user.sh) run as one."""

import functools
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

import needs
from program import SOURCE, as_user, unshare

HERE = pathlib.Path(__file__).parent
SKIPS = re.compile(r"\bneeds\.[a-z]|unittest\.[sS]kip|\.skipTest\(")
BUILD = os.environ["HOLDFAST_BUILD"]
REFUSED = [sys.executable, "-B", str(HERE / "refuse_calls.py"), "unshare=EPERM", "--"]
ALL_OF_THEM = "import json, needs; print(json.dumps({name: needs.unreachable(name) for name in needs.REGISTRIES}))"
WHEEL = {
    "METADATA": "Metadata-Version: 2.1\nName: redis\nVersion: 1.0\n",
    "WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "RECORD": "",
}


def unseen(tests):
    """The names of ctest's tests that may be skipped without ctest's knowing."""
    for test in tests:
        known = {one["name"] for one in test["properties"]}
        folder = next((one["value"] for one in test["properties"] if one["name"] == "WORKING_DIRECTORY"), "")
        files = [pathlib.Path(folder, word) for word in test.get("command", []) if word.endswith("_test.py")]
        if any(SKIPS.search(file.read_text()) for file in files) and "SKIP_REGULAR_EXPRESSION" not in known:
            yield test["name"]


class Needs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="holdfast-needs-")))
        self.folder.chmod(0o755)

    def ran(self, *command, **environment):
        answer = subprocess.run(
            [*map(str, command)], env={**os.environ, **environment}, cwd=HERE, capture_output=True, text=True
        )
        self.shown = f"exit {answer.returncode}\n{answer.stdout}\n{answer.stderr}"
        return answer

    def assert_skipped(self, reason, *command):
        answer = self.ran(*command, HOLDFAST_LAB="1")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertRegex(answer.stderr, rf"\.\.\. skipped [\"']{reason}")
        self.assertIn("OK (skipped=1)", answer.stderr)


class Registries(Needs):
    def test_registry_is_unreachable_without_a_network(self):
        needs.lab()
        answer = self.ran(*unshare("-n"), sys.executable, "-B", "-c", ALL_OF_THEM)
        self.assertEqual(answer.returncode, 0, self.shown)
        for name, why in json.loads(answer.stdout).items():
            self.assertRegex(why, rf"^needs {name}(, which cannot be reached: .|: needs .*, not installed; remedy: .)")

    def test_answering_registry_is_reached(self):
        with zipfile.ZipFile(self.folder / "redis-1.0-py3-none-any.whl", "w") as wheel:
            for name, text in WHEEL.items():
                wheel.writestr(f"redis-1.0.dist-info/{name}", text)
        (self.folder / "redis").mkdir()
        (self.folder / "redis/index.html").write_text('<a href="../redis-1.0-py3-none-any.whl">redis</a>')
        handler = functools.partial(Quiet, directory=str(self.folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        mirror = {"PIP_INDEX_URL": f"http://127.0.0.1:{server.server_port}", "PIP_CONFIG_FILE": "/dev/null",
                  "PIP_FIND_LINKS": "", "no_proxy": "127.0.0.1"}  # fmt: skip
        download = needs.REGISTRIES["PyPI"][2].split()
        self.assertEqual(needs.complaint(download, self.folder, **mirror), "")
        (self.folder / "redis-1.0-py3-none-any.whl").unlink()
        self.assertIn("404", needs.complaint(download, self.folder, **mirror))

    def test_library_of_an_unreachable_registry_is_skipped(self):
        needs.lab()
        name = "Libraries.test_python_library_is_installed_and_run"
        test = [sys.executable, "-B", HERE / "libraries_test.py", "-v", name]
        self.assert_skipped("needs PyPI, which cannot be reached: .", *unshare("-n"), *test)

    def test_adapter_of_an_unreachable_registry_is_skipped(self):
        needs.lab()
        speak = [sys.executable, "-B", SOURCE / "tests/adapters/speak.py", SOURCE / "adapters/node_redlock"]
        answer = self.ran(*unshare("-n"), *speak, "--build", self.folder)
        self.assertEqual(answer.returncode, needs.SKIPPED, self.shown)
        self.assertRegex(answer.stdout, "(?m)^SKIP: needs npm[,:] .")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Machines(Needs):
    def test_lab_tests_are_skipped_without_a_lab(self):
        name = "Machine.test_missing_server_has_a_remedy"
        test = [sys.executable, "-B", HERE / "unsuitable_machine_test.py", "-v", name]
        self.assert_skipped("needs what a lab is made of, .*: Operation not permitted", *REFUSED, *test)
        needs.lab()
        hide = 'mount --bind /dev/null "$(command -v nft)" && exec "$@"'
        self.assert_skipped("needs what a lab is made of, .*nft: Permission denied",
                            *unshare("-m"), "sh", "-c", hide, "sh", *test)

    def test_missing_program_is_skipped(self):
        self.assertEqual(needs.absent("coreutils", "ls", "true"), "")
        self.assertEqual(needs.absent("nowhere", "ls", "no_such_program"),
                         "needs no_such_program, not installed; remedy: apt-get install nowhere")

    def test_ctest_reports_skips(self):
        # From a folder of its own: a second ctest in the build's would empty the log of the one that runs this test.
        (self.folder / "CTestTestfile.cmake").write_text(f'subdirs("{BUILD}")\n')
        told = self.ran("ctest", "--test-dir", self.folder, "--show-only=json-v1")
        tests = json.loads(told.stdout)["tests"]
        self.assertGreater(len(tests), 1000)
        self.assertEqual(list(unseen(tests)), [])
        planted = {"name": "planted", "command": ["python3", __file__], "properties": []}
        self.assertEqual(list(unseen([planted])), ["planted"])


class AsUser(Needs):
    """Below a folder that is closed to others, as root's home is."""

    def setUp(self):
        super().setUp()
        self.tree = self.folder / "closed/a tree"
        self.tree.mkdir(parents=True)
        (self.tree / "CMakeLists.txt").write_text("as it is\n")

    def said(self, script):
        return self.ran("bash", SOURCE / "tests/as_user.sh", self.tree, "sh", "-c", script)

    @needs.root("only root can become another user")
    def test_as_user_drops_root(self):
        who = "id -u; id -g; grep CapEff /proc/self/status; cat CMakeLists.txt"
        self.assertEqual(self.said(f"cd '{self.tree}' && {{ {who}; }}").stdout,
                         "1000\n1000\nCapEff:\t0000000000000000\nas it is\n", self.shown)  # fmt: skip

    @needs.root("only root can become another user")
    def test_a_closed_folder_stays_closed_outside(self):
        needs.lab()
        self.tree.parent.chmod(0o700)
        (self.tree.parent / "secret").write_text("")
        self.assertEqual(self.said(f"cat '{self.tree}/CMakeLists.txt'; ls '{self.tree.parent}'").stdout,
                         "as it is\na tree\n", self.shown)  # fmt: skip
        self.assertEqual(sorted(path.name for path in self.tree.parent.iterdir()), ["a tree", "secret"])
        self.assertNotEqual(self.ran(*as_user(["ls", str(self.tree.parent)])).returncode, 0)

    @needs.root("only root can close a folder to itself as a user")
    def test_a_closed_tree_is_skipped(self):
        self.tree.chmod(0o700)
        self.assertEqual(self.said("true").returncode, needs.SKIPPED, self.shown)
        self.assertIn(f"SKIP: needs a tree that other users may read: {self.tree} is closed", self.shown)

    def test_as_user_is_skipped_for_a_user(self):
        text = (SOURCE / "tests/as_user.sh").read_text()  # another user may not be able to open it
        command = ["bash", "-c", text, "as_user.sh", str(self.tree), "true"]
        answer = self.ran(*(as_user(command) if os.geteuid() == 0 else command))
        self.assertEqual(answer.returncode, needs.SKIPPED, self.shown)
        self.assertIn("SKIP: needs root", answer.stdout)


if __name__ == "__main__":
    unittest.main()
