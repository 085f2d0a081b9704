"""The Debian package: built, looked into, unpacked into an empty tree by dpkg, and run from there by a normal user."""

import json
import os
import pathlib
import re
import subprocess
import unittest

import needs
from program import SOURCE, ProgramTest, as_user, quick

BUILD = pathlib.Path(os.environ["HOLDFAST_BUILD"])


def words(text):
    """The names in a field of a package: "a (>= 1) | b, c" is {"a", "b", "c"}."""
    return {part.split()[0] for part in text.replace("|", ",").split(",") if part.strip()}


def sh(function):
    """The output of a function of setup/release.sh."""
    command = ["bash", "-c", f". setup/release.sh && {function}"]
    return subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=True).stdout.strip()


@needs.programs("dpkg-dev", "dpkg-shlibdeps")
class Debian(ProgramTest):
    def setUp(self):
        super().setUp()
        needs.lab()
        command = ["cpack", "-G", "DEB", "-B", self.folder / "made", "--config", BUILD / "CPackConfig.cmake"]
        answer = subprocess.run(command, capture_output=True, text=True, cwd=BUILD)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        self.package = next((self.folder / "made").glob("*.deb"))

    def field(self, name):
        return subprocess.run(
            ["dpkg-deb", "-f", self.package, name], capture_output=True, text=True, check=True
        ).stdout.strip()

    def test_control_file_has_all_fields(self):
        self.assertEqual(self.field("Package"), "holdfast")
        depends = words(self.field("Depends"))
        self.assertLessEqual({"libmariadb3", "libc6"}, depends)
        self.assertTrue({"libssl3", "libssl3t64"} & depends, depends)
        release = [sh("release_of"), sh("package_name")]
        self.assertRegex(self.field("Version"), rf"^\d+\.\d+\.\d+~{re.escape(release[0])}$")
        self.assertIn(f"_{release[0]}_", release[1])
        recommends = words(self.field("Recommends"))
        self.assertLessEqual({"mariadb-server", "redis-server", "nftables", "iproute2"}, recommends)
        built_with = (SOURCE / "setup/run_packages.txt").read_text().split()
        for server in ("mariadb-server-core", "mariadb-client-core", "redis-tools", "nftables", "iproute2"):
            self.assertIn(server, recommends)
            self.assertIn(server, built_with, "what ./run installs and what the package recommends are the same")
        self.assertIn("holdfast doctor", self.field("Description"))

    def test_unpacked_into_an_empty_tree(self):
        root = self.folder / "root"
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        for name in ("status", "available"):
            (root / "var/lib/dpkg" / name).write_text("")
        (root / "var/lib/dpkg/updates").mkdir()
        command = ["dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--install", self.package]
        self.assertEqual(self.call(*command).returncode, 0, self.shown)
        installed = {str(p.relative_to(root)) for p in (root / "usr").rglob("*") if p.is_file()}
        for path in ("bin/holdfast", "share/man/man1/holdfast.1.gz", "share/doc/holdfast/copyright"):
            self.assertIn(f"usr/{path}", installed)
        self.program, self.elsewhere = root / "usr/bin/holdfast", self.folder / "elsewhere"
        self.elsewhere.mkdir()
        self.elsewhere.chmod(0o777)
        self.runs()
        self.tries_a_file_of_statements()
        self.tries_an_adapter()

    def installed(self, *words):
        command = ["sh", "-c", 'cd "$0" && exec "$@"', self.elsewhere, self.program, *words]
        return self.call(*(as_user(list(map(str, command))) if os.geteuid() == 0 else command))

    def runs(self):
        answer = self.installed("run", self.scenario("none", quick()), "-q", "--out", self.elsewhere)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("PASS", answer.stdout)

    # Testing one's own lock needs no sources: runs the first one of docs/first_lock.md, whose release lacks the owner
    # check.
    def tries_a_file_of_statements(self):
        page = (SOURCE / "docs/first_lock.md").read_text()
        lock = re.search(r"^```sql\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1]
        (self.elsewhere / "my_lock.sql").write_text(lock)
        told = self.tried("my_lock.sql")
        self.assertIn("foreign_release", {one["kind"] for one in told["findings"]}, self.shown)
        self.assertTrue((self.elsewhere / told["page"]).is_file(), self.shown)

    def tries_an_adapter(self):
        self.assertEqual(self.installed("adapter", "new", "python", "my_adapter").returncode, 0, self.shown)
        self.assertEqual(self.installed("adapter", "check", "my_adapter").returncode, 0, self.shown)
        told = self.tried("./my_adapter")
        self.assertGreater(len(told["safe"]) + len(told["data_damaged"]), 0, self.shown)

    def tried(self, lock):
        answer = self.installed("try", lock, "--for", "45", "--seed", "1", "--json", "-q", "--out", "runs")
        self.assertIn(answer.returncode, (0, 1), self.shown)
        return json.loads(answer.stdout)

    @needs.programs("lintian", "lintian")
    def test_lintian_finds_no_error(self):
        answer = self.call("lintian", "--allow-root", "--fail-on", "error", self.package)
        self.assertEqual(answer.returncode, 0, self.shown)


if __name__ == "__main__":
    unittest.main()
