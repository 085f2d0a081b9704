"""docs/adapters.md, its tables and its schemas are what the program says and does."""

import json
import re
import shlex
import unittest

import jsonschema

from own_adapters import ANSWERS, AdapterTest
from program import PROGRAM, SOURCE


class Page(AdapterTest):
    PAGE = (SOURCE / "docs" / "adapters.md").read_text()

    def test_schemas_match_the_program(self):
        for name in ("adapter", "manifest"):
            schema = json.loads(self.call(PROGRAM, "schema", name).stdout)
            self.assertEqual(json.loads((SOURCE / f"docs/{name}.schema.json").read_text()), schema, name)
            jsonschema.Draft7Validator.check_schema(schema)

    def test_tables_match_the_program(self):
        tables = "".join(self.call(PROGRAM, "schema", name, "--keys").stdout for name in ("manifest", "adapter"))
        self.assertIn("| `command` |", tables)
        self.assertIn("| `acquire` |", tables)
        self.assertTrue(
            self.PAGE.endswith("\n" + tables),
            "its end is: holdfast schema manifest --keys; holdfast schema adapter --keys",
        )

    def test_schema_and_program_accept_the_same_manifests(self):
        validator = jsonschema.Draft7Validator(json.loads((SOURCE / "docs/manifest.schema.json").read_text()))
        files = [*SOURCE.glob("adapters/*/lock.json")]
        self.assertGreater(len(files), 5)
        for file in files:
            validator.validate(json.loads(file.read_text()))
        good = json.loads((SOURCE / "adapters/redis_token_py/lock.json").read_text())
        (self.folder / "other").mkdir()
        for key, value in (
            ("name", "No Name"), ("name", None), ("command", []), ("command", None), ("can", ["fly"]), ("lease", 1),
            ("start_ms", 0), ("guard_ms", -1), ("library", {"version": "1"}), ("promises", {"x": "y"}), ("more", 1),
            ("options", []), ("servers", None),
        ):  # fmt: skip
            wrong = {**good, "name": "other_lock", key: value}
            if value is None:
                del wrong[key]
            (self.folder / "other" / "lock.json").write_text(json.dumps(wrong))
            answer = self.run_suite(self.tiny(), "--adapter", self.folder / "other")
            self.assertEqual(answer.returncode, 2, f"{key}: {value}\n{self.shown}")
            self.assertFalse(validator.is_valid(wrong), f"{key}: {value}")

    def test_shown_commands_work(self):
        """Runs its commands in their order, except the suite of many trials (generated_suite_test.py)."""
        (self.folder / "my_scenario.json").write_text(re.search(r"^```json\n(.*?)^```$", self.PAGE, re.S | re.M)[1])
        shown = re.findall(r"^    holdfast (.*?)(?: +#.*)?$", self.PAGE, re.M)
        skipped = [line for line in shown if "generated" in line or "--resume" in line or "adapters/scenarios" in line]
        self.assertEqual((len(shown), len(skipped)), (10, 4), shown)
        shown.sort(key=lambda line: "--adapter-command" in line)  # the last run is what `replay` looks at
        for line in shown:
            if line in skipped:
                continue
            answer = self.call(PROGRAM, *shlex.split(line))
            self.assertEqual(answer.returncode, 1 if line.startswith("check ") else 0, f"{line}: {self.shown}")

    def test_waiting_adapter_passes_the_check(self):
        folder = self.made(can=["wait"], waits_ms=700)
        text = (folder / "lock.py").read_text()
        main = re.search(r"^```python\n(.*?)^```$", self.PAGE, re.S | re.M)[1]
        begin, end = text.index("def main():"), text.index('if __name__ == "__main__":')
        text = text[:begin] + main + "\n\n" + text[end:]
        imports = "import collections\nimport json\nimport os\nimport threading\n"
        text = text.replace("import json\n", imports + "from concurrent.futures import ThreadPoolExecutor\n")
        text = text.replace("CAN = []", 'CAN = ["wait"]')
        asks = '        return "ok" if self.redis.set('
        waits = (
            '        until = time.monotonic() + ask["wait_ms"] / 1000\n'
            '        while time.monotonic() < until and self.redis.exists(name):\n            time.sleep(0.01)\n'
        )
        self.assertEqual(text.count(asks), 1)
        (folder / "lock.py").write_text(text.replace(asks, waits + asks))
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("OK wait_busy", answer.stdout)

    def test_adapter_table_matches_the_manifests(self):
        rows = re.findall(r"^\| \[`(\w+)`\]\(\.\./adapters/(\w+)\) \| (.*?) \| (.*?) \| (.*?) \|$", self.PAGE, re.M)
        said = {row[0]: (row[2], row[3], row[4].replace("`", "")) for row in rows}
        true = {}
        for file in SOURCE.glob("adapters/*/lock.json"):
            of = json.loads(file.read_text())
            library = f"{of['library']['name']} {of['library']['version']}"
            true[of["name"]] = (of["language"], library, of["install"])
        self.assertEqual(said, true)

    def test_every_line_of_a_conversation_follows_the_schema(self):
        folder = self.made()
        text = (folder / "lock.py").read_text()
        read = "    for line in sys.stdin:\n"
        self.assertIn(read, text)
        text = text.replace(read, read + "        sys.stderr.write(line)\n")
        text = text.replace(ANSWERS, ANSWERS + ANSWERS.replace("file=answers", "file=sys.stderr"))
        (folder / "lock.py").write_text(text)
        self.assertEqual(self.run_tiny(folder).returncode, 0, self.shown)
        validator = jsonschema.Draft7Validator(json.loads((SOURCE / "docs/adapter.schema.json").read_text()))
        lines = []
        for log in (self.latest() / "cells/my_lock/tiny/1").glob("adapter-*.log"):
            lines += [json.loads(line) for line in log.read_text().splitlines()]
        self.assertLess({"hello", "acquire", "release", "pulse", "bye"}, {line.get("do") for line in lines})
        self.assertLess({"ready", "ok"}, {line.get("is") for line in lines})
        for line in lines:
            self.assertEqual([wrong.message for wrong in validator.iter_errors(line)], [], line)
            key = "do" if "do" in line else "is"
            for wrong in ({**line, key: "nothing"}, {**line, "more": 1}):
                self.assertFalse(validator.is_valid(wrong), wrong)


if __name__ == "__main__":
    unittest.main()
