"""Shells really complete: bash itself is asked; zsh and fish are, where they are installed, and read the script at
least. All options that the help names are offered."""

import os
import re
import unittest

import needs
from program import PROGRAM, ProgramTest

ASK = """source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast
printf '%s\\n' "${COMPREPLY[@]}" """


class Completion(ProgramTest):
    def offered(self, *words):
        return self.call("bash", "-c", ASK, PROGRAM, "holdfast", *words).stdout.split()

    def test_bash_offers_commands_options_and_values(self):
        self.assertEqual(self.offered("sch"), ["schema"])
        self.assertLessEqual({"run", "check", "report", "completion"}, set(self.offered("")))
        self.assertNotIn("trial", self.offered(""), "a command that is not for people")
        self.assertEqual(self.offered("run", "--time-"), ["--time-budget"])
        self.assertEqual(self.offered("run", "--color", "a"), ["auto", "always"])
        self.assertIn("junit", self.offered("report", "--format", ""))
        self.assertEqual(self.offered("completion", "b"), ["bash"])
        self.assertEqual(self.offered("run", "--out", ""), [], "bash offers files then")
        self.assertEqual(self.offered("run", "--sabo"), [], "a flag that is not for people")

    def test_bash_offers_known_names(self):
        self.assertEqual(self.offered("run", "--lock", "redis_tok"), sorted(self.offered("explore", "redis_tok")))
        self.assertIn("redis_token", self.offered("run", "--lock", "redis_tok"))
        self.assertEqual(self.offered("run", "--only", "ip_lease/no"), ["ip_lease/none"])
        self.assertIn("quick/kill", self.offered("run", "quick/"))
        self.assertEqual(self.offered("compare", "--envelope", "paus"), ["pause"])
        self.assertEqual(self.offered("curve", "--fault", "paus"), ["pause"])
        self.assertIn("redis_token", self.offered("curve", "redis_tok"))
        self.assertEqual(self.offered("run", "nothing_begins_like_this"), [])

    def test_bash_offers_runs_of_the_current_folder(self):
        (self.folder / "runs" / "20260101T000000Z-abcdef").mkdir(parents=True)
        (self.folder / "runs" / "20260101T000000Z-abcdef" / "run.json").write_text("{}")
        (self.folder / "runs" / "other").mkdir()
        answer = self.call("bash", "-c", ASK, PROGRAM, "holdfast", "replay", "ru")
        self.assertEqual(answer.stdout.split(), ["runs/20260101T000000Z-abcdef"])
        listed = self.call(PROGRAM, "list", "runs").stdout
        self.assertRegex(listed, "abcdef +incomplete")

    def test_all_shells_offer_every_option(self):
        scripts = {shell: self.call(PROGRAM, "completion", shell).stdout for shell in ("bash", "zsh", "fish")}
        for command in self.offered("")[:-2]:
            told = self.call(PROGRAM, command, "--help").stdout.split("Options:")[1]
            for name in re.findall(r"^  (?:-\w,)?--([a-z][a-z-]+)", told, re.MULTILINE):
                self.assertIn(f"--{name}", scripts["bash"])
                self.assertIn(f"--{name}", scripts["zsh"])
                self.assertRegex(scripts["fish"], f" -l {name}\\b")

    def test_shells_accept_the_scripts(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell):
                needs.skip_if(needs.absent(shell, shell))
                script = self.folder / shell
                script.write_text(self.call(PROGRAM, "completion", shell).stdout)
                answer = self.call(shell, "-n", script)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_program_is_completed_by_its_typed_path(self):
        for typed, last in (("./run", "holdfast ./run"), ("holdfast", "holdfast")):
            script = self.call(PROGRAM, "completion", "bash", env={**os.environ, "HOLDFAST_COMMAND": typed}).stdout
            self.assertTrue(script.endswith(f"complete -o default -F _holdfast {last}\n"), script[-80:])

    def test_unknown_shell_is_refused(self):
        self.assertEqual(self.call(PROGRAM, "completion", "tcsh").returncode, 2)


if __name__ == "__main__":
    unittest.main()
