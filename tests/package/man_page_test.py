"""The manual page against --help: every command and flag that people are shown is in it, and nothing that is hidden."""

import re
import subprocess
import unittest

import needs
from program import PROGRAM


def text_of(*command, **options):
    return subprocess.run([*command], capture_output=True, text=True, check=True, timeout=60, **options).stdout


def words_of_help(text):
    """The commands of a help's list, and all its long flags."""
    listed = text.split("Subcommands:")[1] if "Subcommands:" in text else ""
    return re.findall(r"^  ([a-z][a-z-]+)  ", listed, re.M), set(re.findall(r"--[a-z][a-z-]+", text))


class ManPage(unittest.TestCase):
    def setUp(self):
        self.page = text_of(PROGRAM, "man-page")
        self.plain = re.sub(r"\\f[BIR]|\\&", "", self.page).replace("\\-", "-")
        self.commands, _ = words_of_help(text_of(PROGRAM, "--help"))

    def section(self, command):
        found = re.search(rf"^\.SS holdfast {command}\n(.*?)(?=^\.S[SH] )", self.plain, re.M | re.S)
        self.assertIsNotNone(found, f"{command} is not in the page")
        return found.group(1)

    def test_man_page_has_every_command_and_flag(self):
        self.assertGreater(len(self.commands), 8, self.commands)
        for command in self.commands:
            _, flags = words_of_help(text_of(PROGRAM, command, "--help"))
            section = self.section(command)
            self.assertIn("--help", flags)
            for flag in flags:
                self.assertRegex(section, rf"{flag}(?![a-z-])", f"{command} {flag}")

    def test_man_page_omits_hidden_options(self):
        sections = re.findall(r"^\.SS holdfast (.*)$", self.plain, re.M)
        self.assertEqual(sections, self.commands)
        self.assertNotIn("sabotage", self.plain)

    def test_exit_codes_match_help(self):
        codes = re.findall(r"(\d+) [a-z]", text_of(PROGRAM, "--help").split("Exit codes:")[1])
        self.assertEqual(re.findall(r"^\.B (\d+)$", self.page, re.M), codes)

    @needs.programs("groff", "groff")
    def test_groff_accepts_the_man_page(self):
        command = ["groff", "-man", "-Tutf8", "-ww", "-z"]
        answer = subprocess.run(command, input=self.page, capture_output=True, text=True)
        self.assertEqual(answer.stderr, "")


if __name__ == "__main__":
    unittest.main()
