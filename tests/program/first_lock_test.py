"""docs/first_lock.md, from its first command to its last: each does what the page says beside it."""

import re
import shlex
import unittest

from program import PROGRAM, SOURCE, ProgramTest

PAGE = (SOURCE / "docs" / "first_lock.md").read_text()
STEPS = re.findall(r"^```sql\n(.*?)^```$|^    holdfast ([^\n]*)$", PAGE, re.DOTALL | re.MULTILINE)
EXIT_CODES = {"broken": 1, "": 0}


class FirstLock(ProgramTest):
    def write(self, statements):
        """The file, or what stands in place of the last statement of it."""
        file = self.folder / "my_lock.sql"
        if statements.startswith("-- name: release"):
            text = file.read_text()
            self.assertNotIn(statements, text)
            statements = text[: text.index("-- name: release")] + statements
        file.write_text(statements)

    def check_finding(self, said, shown):
        grade, kind = re.fullmatch(r"(.*) \((\w+)\)", said).groups()
        self.assertRegex(shown, rf"(?m)^my_(python_)?lock: {grade}")
        first = re.search(r"^1\. (.*)$", shown, re.MULTILINE)[1]
        self.assertRegex(first, rf"\({kind}\)$")
        if kind != "foreign_release":
            self.assertNotIn("foreign_release", shown)

    def run_step(self, line):
        command, _, said = (part.strip() for part in line.partition("#"))
        answer = self.call(PROGRAM, *shlex.split(command))
        expected = next(code for begin, code in EXIT_CODES.items() if said.startswith(begin))
        self.assertEqual(answer.returncode, expected, self.shown)
        if said.endswith(")"):
            self.check_finding(said, answer.stdout)
        if said == "safe":
            self.assertIn("fenced_lease: safe  ", answer.stdout)
        if said.startswith("OK"):
            self.assertRegex(answer.stdout, "(?m)^OK  0 of ")

    def run_steps(self, steps):
        for statements, line in steps:
            self.write(statements) if statements else self.run_step(line)

    def test_sql_file_steps_work(self):
        steps = STEPS[: next(i for i, step in enumerate(STEPS) if step[1].startswith("adapter"))]
        self.assertEqual(len(steps), 5, steps)
        self.run_steps(steps)

    def test_adapter_steps_work(self):
        steps = STEPS[next(i for i, step in enumerate(STEPS) if step[1].startswith("adapter")) :]
        self.assertEqual(len(steps), 3, steps)
        self.run_steps(steps)


if __name__ == "__main__":
    unittest.main()
