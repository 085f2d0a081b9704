"""The Debian package: built, looked into, unpacked into an empty tree by dpkg, and run from there by a normal user."""

import os
import pathlib
import shutil
import subprocess
import unittest

from program import SOURCE, ProgramTest, as_user, quick

BUILD = pathlib.Path(os.environ["HOLDFAST_BUILD"])


def words(text):
    """The names in a field of a package: "a (>= 1) | b, c" is {"a", "b", "c"}."""
    return {part.split()[0] for part in text.replace("|", ",").split(",") if part.strip()}


@unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "dpkg-dev is not installed")
class Debian(ProgramTest):
    def setUp(self):
        super().setUp()
        command = ["cpack", "-G", "DEB", "-B", self.folder / "made", "--config", BUILD / "CPackConfig.cmake"]
        answer = subprocess.run(command, capture_output=True, text=True, cwd=BUILD)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        self.package = next((self.folder / "made").glob("*.deb"))

    def field(self, name):
        return subprocess.run(
            ["dpkg-deb", "-f", self.package, name], capture_output=True, text=True, check=True
        ).stdout.strip()

    def test_fields(self):
        self.assertEqual(self.field("Package"), "holdfast")
        depends = words(self.field("Depends"))
        self.assertLessEqual({"libmariadb3", "libssl3", "libc6"}, depends)
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
        self.runs(root / "usr/bin/holdfast")

    def runs(self, program):
        scenario = self.scenario("none", quick())
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        elsewhere.chmod(0o777)
        command = [program, "run", scenario, "-q", "--out", elsewhere]
        answer = self.call(*(as_user(list(map(str, command))) if os.geteuid() == 0 else command))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("PASS", answer.stdout)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_no_error(self):
        answer = self.call("lintian", "--allow-root", "--fail-on", "error", self.package)
        self.assertEqual(answer.returncode, 0, self.shown)


if __name__ == "__main__":
    unittest.main()
