"""A target's password is seen nowhere: in no command line of any process, while building and while running, and in
nothing that is printed or written, whatever was mistyped.
"""

import os
import pathlib
import shutil
import subprocess
import threading
import unittest

from on_target import OnTarget
from own_servers import OwnMariaDb
from program import PROGRAM, SOURCE, ProgramTest, quick

# No other test, beside this one, has it in a command line.
PASSWORD = f"qUite@{os.getpid()}seCret7"
IN_URL = PASSWORD.replace("@", "%40")
SECRETS = (PASSWORD, IN_URL)
URL = f"mysql://app:{IN_URL}@127.0.0.1:1/app"
# In place of CMake: takes its time, and makes a program that says what it was given.
BUILDER = """#!/bin/bash
case $1 in --build) sleep 1; mkdir -p "$2"
  printf '#!/bin/bash\\necho "given: $*, in the environment: $HOLDFAST_TARGET_PASSWORD"\\n' > "$2/holdfast"
  chmod +x "$2/holdfast";;
esac
"""


class Watch:
    """Looks at every process's command line, all the time."""

    def __enter__(self):
        self.seen, self.looks, self.over = [], 0, False
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def look(self):
        while not self.over:
            for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    line = entry.read_bytes().decode(errors="replace")
                except OSError:
                    continue  # it has ended
                if any(secret in line for secret in SECRETS):
                    self.seen.append(line)
            self.looks += 1

    def __exit__(self, *_):
        self.over = True
        self.thread.join()


class Password(ProgramTest):
    def script(self, *arguments, **environment):
        """./run in a tree of its own, which builds with the builder above."""
        tree = self.folder / "tree"
        if not tree.exists():
            (tree / "bin").mkdir(parents=True)
            shutil.copy(SOURCE / "run", tree)
            shutil.copytree(SOURCE / "setup", tree / "setup")
            (tree / "bin/cmake").write_text(BUILDER)
            (tree / "bin/cmake").chmod(0o755)
        path = f"{tree}/bin:{os.environ['PATH']}"
        known = {**os.environ, "PATH": path, "HOLDFAST_NO_INSTALL": "1", **environment}
        known.pop("CI", None)
        return self.call(tree / "run", *arguments, env=known)

    def test_run_script_refuses_passwords_in_arguments(self):
        for arguments in (
            ("run", "--target", URL),
            ("run", f"--target={URL}"),
            ("run", URL),
            ("clean", "--target", f"redis://:{IN_URL}@h"),
            ("clean", "--target", f"rediss://:{IN_URL}@[::1]:1"),
            ("clean", "--target", f"mysql://app:{PASSWORD}@h/app"),
            ("clean", "--target", f"mysql://app:{IN_URL}"),
        ):
            with self.subTest(arguments=arguments):
                answer = self.script(*arguments)
                self.assertEqual(answer.returncode, 2, self.shown)
                self.assertIn("HOLDFAST_TARGET_PASSWORD", answer.stderr)
                self.assertNotIn("seCret7", self.shown)
                self.assertFalse((self.folder / "tree/build").exists(), "nothing was built")

    def test_run_script_takes_the_password_from_the_environment(self):
        for url in ("mysql://app@h:3306/app", "mysql://app:***@h/app", "mysql://app@[::1]:1/app", "redis://h:6379/2"):
            with Watch() as watch:
                answer = self.script("run", "--target", url, HOLDFAST_TARGET_PASSWORD=PASSWORD)
            self.assertIn(f"given: run --target {url}, in the environment: {PASSWORD}", answer.stdout, self.shown)
            self.assertEqual(watch.seen, [])
            self.assertGreater(watch.looks, 2)

    def test_mistyped_commands_hide_the_password(self):
        (self.folder / "x.json").write_text("{}")
        for arguments in (
            ("run", URL),
            ("run", f"--targt={URL}"),
            ("run", "--targt", URL),
            ("run", "scenarios", URL, "x"),
            ("run", f"--only={URL}"),
            ("run", "--only", URL, "x.json"),
            ("run", "--lock", URL),
            ("run", "--resume", URL),
            ("run", "--out", URL, "x.json"),
            ("run", "--server", URL, "x.json"),
            ("run", "x.json", "--seed", URL),
            (URL,),
            ("--target", URL),
            (f"--target={URL}",),
            ("list", URL),
            ("plan", URL),
            ("check", URL),
            ("report", URL),
            ("replay", URL, "a/b"),
            ("table", URL),
            ("explore", URL),
            ("compare", URL),
            ("help", URL),
            ("completion", URL),
            ("clean", "--target", URL, URL),
            ("clean", "--target", URL, "--target", URL),
            ("clean", "--target", f"mysql://app:{IN_URL}"),
            ("clean", "--target", f"mysql://app:{IN_URL}/app"),
            ("clean", "--target", f"mysql:/app:{IN_URL}@h/app"),
            ("clean", "--target", f"mysql:app:{IN_URL}@h/app"),
            ("clean", "--target", f"mysql://app:seCret7/x@h/app"),
            ("clean", "--target", f"mysql://app:seCret7#x@h/app"),
            ("clean", "--target", f"mysql://app:seCret7?x@h/app"),
            ("clean", "--target", f"postgres://app:{IN_URL}@h/app"),
            ("clean", "--target", f"redis://:{IN_URL}@h/x"),
            ("clean", "--target", f"redis://h/1/{IN_URL}@h"),
            ("clean", "--target", f"mysql://app:{IN_URL}@h:x/app"),
            ("clean", "--target", f"mysql://app:{IN_URL}@h/app?tls=x"),
            ("clean", "--target", f"mysql://app:{IN_URL}@h/app#x"),
        ):
            with self.subTest(arguments=arguments):
                answer = self.call(PROGRAM, *arguments)
                self.assertNotEqual(answer.returncode, 0, self.shown)
                self.assertNotIn("seCret7", self.shown)
                self.assertNotIn("seCret7", "".join(map(str, self.folder.rglob("*"))))


class PasswordOfARun(OnTarget):
    kind = OwnMariaDb
    lock = "insert_lease"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.own.sql(f"ALTER USER app@'%' IDENTIFIED BY '{PASSWORD}'")

    def test_run_hides_the_password(self):
        environment = {**os.environ, "HOLDFAST_TARGET_PASSWORD": PASSWORD}
        url = f"mysql://app@127.0.0.1:{self.own.port}/app"
        with Watch() as watch:
            answer = self.run_on(url, self.scenario("none", quick()), env=environment)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(watch.seen, [])
        self.assertGreater(watch.looks, 5)
        self.assertNotIn("seCret7", self.shown)
        for path in self.latest().rglob("*"):
            if path.is_file():
                self.assertFalse([secret for secret in SECRETS if secret.encode() in path.read_bytes()], path)

    def test_watch_detects_a_password(self):
        with Watch() as watch:
            subprocess.run(["bash", "-c", "sleep 0.5; true", PASSWORD], check=True)
        self.assertNotEqual(watch.seen, [])


if __name__ == "__main__":
    unittest.main()
