"""Machines that cannot run a lab: exit 4 and a remedy. Full disks: exit 5, and nothing half-written taken for whole."""

import json
import os
import shutil
import unittest

from program import PROGRAM, ProgramTest, quick, unshare


def shell(script, *flags):
    """A prefix: the script, then the command that follows, in namespaces of its own."""
    return [*unshare(*flags), "sh", "-c", script + '\nexec "$@"', "sh"]


class Machine(ProgramTest):
    def unavailable(self, prefix, *words):
        answer = self.run_suite(self.scenario("none", quick()), "--quiet", prefix=prefix)
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertEqual(self.outcomes(), {"insert_lease/none": "unavailable"})
        for word in words:
            self.assertIn(word, answer.stdout + answer.stderr)

    def test_missing_server_has_a_remedy(self):
        server = shutil.which("mariadbd", path="/usr/local/sbin:/usr/sbin:/usr/bin:/bin")
        hidden = shell(f"mount --bind /dev/null {server}", "-m")
        self.unavailable(hidden, "mariadbd is not installed", "apt-get install mariadb-server-core")

    def red_hat(self, script):
        """A prefix: this Debian calls itself one of Red Hat's systems."""
        release = self.folder / "os-release"
        release.write_text('NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\n')
        return shell(f"mount --bind {release} /etc/os-release\n{script}", "-m")

    def test_missing_server_remedy_on_red_hat(self):
        server = shutil.which("mariadbd", path="/usr/local/sbin:/usr/sbin:/usr/bin:/bin")
        self.unavailable(self.red_hat(f"mount --bind /dev/null {server}"), "dnf install mariadb-server")
        self.assertNotIn("apt-get", self.shown)

    @unittest.skipUnless(os.path.isdir("/usr/libexec"), "needs /usr/libexec, in which Red Hat has its server")
    def test_server_in_libexec_is_found(self):
        server = shutil.which("mariadbd", path="/usr/local/sbin:/usr/sbin:/usr/bin:/bin")
        there = "/usr/libexec"
        moved = f"mount -t tmpfs none {there} && cp {server} {there}/mariadbd && mount --bind /dev/null {server}"
        answer = self.run_suite(self.scenario("none", quick()), "--quiet", prefix=self.red_hat(moved))
        self.assertEqual(answer.returncode, 0, self.shown)

    def test_missing_user_namespaces_have_a_remedy(self):
        forbidden = ["unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', "sh"]
        self.unavailable(forbidden, "No space left on device", "sysctl -w user.max_user_namespaces")


class FullDisk(ProgramTest):
    def run_on_disk(self, size):
        """A run on a file system of so many KiB; its folder is copied to `kept` before the file system goes."""
        kept = self.folder / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        self.out.mkdir(exist_ok=True)
        script = f"""mount -t tmpfs -o size={size}k,nr_inodes=200 none {self.out}
"$@"; code=$?
cp -r {self.out} {kept}
exit $code"""
        command = self.run_command(self.scenario("none", quick()), "--quiet")
        return self.call(*command, prefix=[*unshare("-m"), "sh", "-c", script, "sh"]), kept

    def test_enough_disk_space_passes(self):
        answer, kept = self.run_on_disk(20_000)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(len(list(kept.glob("2*/verdict.json"))), 1)

    def test_full_disk_is_an_error(self):
        for size in (8, 64, 150):
            with self.subTest(size=size):
                self.assertEqual(self.filled(size), 5, self.shown)

    def test_nearly_full_disk_is_an_error(self):
        """The disk fills up at different places: in the journals, the history, the verdict, the page."""
        for size in (190, 205, 220, 235):
            with self.subTest(size=size):
                self.assertIn(self.filled(size), (0, 5), self.shown)

    def test_run_resumes_after_disk_space_is_freed(self):
        """A large file on the full disk is deleted: a user may neither enlarge nor remount what is mounted."""
        disk = self.folder / "disk"
        disk.mkdir()
        self.out = disk / "runs"
        script = f"""mount -t tmpfs -o size=20000k,nr_inodes=2000 none {disk} || exit 98
head -c {20_000 - 120}K /dev/zero > {disk}/large
"$@"; test $? -eq 5 || exit 99
rm {disk}/large
"{PROGRAM}" run --resume {self.out}/latest --again"""
        command = self.run_command(self.scenario("none", quick()), "--quiet", "--repeat", "2")
        answer = self.call(*command, prefix=[*unshare("-m"), "sh", "-c", script, "sh"])
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("PASS", answer.stdout)

    def filled(self, size):
        answer, kept = self.run_on_disk(size)
        if answer.returncode != 0:
            self.assertIn("No space left on device", answer.stdout + answer.stderr, self.shown)
            self.assertTrue(all(line.startswith("holdfast: ") for line in answer.stderr.splitlines()), self.shown)
            self.assertLessEqual(len(answer.stderr.splitlines()), 1, self.shown)
        self.nothing_half_written(kept)
        return answer.returncode

    def nothing_half_written(self, kept):
        self.assertEqual(list(kept.rglob("*.part")), [])
        for path in [*kept.rglob("verdict.json"), *kept.rglob("plan.json")]:
            json.loads(path.read_text())
        for page in kept.rglob("report.html"):
            self.assertTrue(page.read_text().rstrip().endswith("</html>"))


if __name__ == "__main__":
    unittest.main()
