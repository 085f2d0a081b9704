"""docs/adapters.md, its tables and its schemas are what the program says and does."""

import json
import re
import shlex
import unittest

import jsonschema

from own_adapters import ANSWERS, AdapterTest
from program import PROGRAM, SOURCE

SCENARIO = {
    "locks": ["my_lock"],
    "clients": 3,
    "lease_ms": 2000,
    "hold_ms": [50, 150],
    "duration_ms": 7500,
    "faults": [{"fault": "pause", "target": "holder", "at": {"phase": "critical_section"}, "for_ms": 4800}],
    "expect": {"*": {"mutual_exclusion": "violated:overrun", "resource": "violated:overrun"}},
    "why": {"*": "no lease survives a stop that is longer than itself"},
}

# The Python template's main(), with one thread for each thread of the client, so that a wait delays no pulse.
WAITING_MAIN = '''
def main():
    answers, sys.stdout = sys.stdout, sys.stderr
    writing, lock = threading.Lock(), None
    workers = collections.defaultdict(lambda: ThreadPoolExecutor(1))  # by the thread that asks

    def say(ask, said):
        with writing:  # a line is written as a whole
            print(json.dumps({"n": ask.get("n"), **said}), file=answers, flush=True)

    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            lock = MyLock(ask)
            say(ask, {"is": "ready", "v": 1, "name": "my_lock", "version": redis.__version__, "can": CAN})
        elif ask["do"] == "pulse":  # at once, whatever waits
            say(ask, {"is": "ok", "wall_ms": time.time_ns() // 1_000_000})
        elif ask["do"] in ("acquire", "release", *CAN):
            workers[ask.get("thread", 0)].submit(lambda ask=ask: say(ask, answer(lock, ask)))
        else:
            say(ask, {"is": "fail", "why": f"cannot {ask['do']}"})
    os._exit(0)  # does not wait for open requests
'''


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
        (self.folder / "my_scenario.json").write_text(json.dumps(SCENARIO))
        shown = re.findall(r"^    holdfast (.*?)(?: +#.*)?$", self.PAGE, re.M)
        skipped = [line for line in shown if "generated" in line or "--resume" in line or "adapters/scenarios" in line]
        self.assertEqual((len(shown), len(skipped)), (8, 3), shown)
        shown.sort(key=lambda line: "--adapter-command" in line)  # the last run is what `replay` looks at
        for line in shown:
            if line in skipped:
                continue
            answer = self.call(PROGRAM, *shlex.split(line))
            self.assertEqual(answer.returncode, 0, f"{line}: {self.shown}")

    def test_waiting_adapter_passes_the_check(self):
        folder = self.made(can=["wait"], waits_ms=700)
        text = (folder / "lock.py").read_text()
        begin, end = text.index("def main():"), text.index('if __name__ == "__main__":')
        text = text[:begin] + WAITING_MAIN.lstrip() + "\n\n" + text[end:]
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
