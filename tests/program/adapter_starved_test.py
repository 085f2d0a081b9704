"""An adapter that waits for a processor, itself or in the programs that it starts: reported as evidence."""

import re
import unittest

from own_adapters import ANSWERS, AdapterTest

# The adapter of client 0 shares its processor with others, for a while.
STARVED = """
if hello["client"] == 0:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
            burn = "import time; end = time.monotonic() + 5\\nwhile time.monotonic() < end: pass"
            for _ in range(4):
                subprocess.Popen([sys.executable, "-c", burn, *sys.argv[1:]], stdin=subprocess.DEVNULL)
        """


class Starved(AdapterTest):
    def test_processor_wait_of_an_adapter_is_evidence(self):
        folder = self.made()
        text = (folder / "lock.py").read_text()
        begins = 'at = hello["servers"][0]'
        self.assertIn(begins, text)
        text = text.replace(begins, STARVED.lstrip() + begins)
        text = text.replace("import json\n", "import json\nimport os\nimport subprocess\n")
        (folder / "lock.py").write_text(text)
        self.assertIn(self.run_tiny(folder, "--time", "real", duration_ms=4000).returncode, (0, 3), self.shown)
        history = (self.latest() / "cells/my_lock/tiny/1/history.jsonl").read_text()
        told = re.findall(r"the adapter of client (\d) .*waited (?:at most )?\d+ ms of \d+ ms for a processor", history)
        self.assertIn("0", told, self.shown)
        self.nothing_left()

    def test_processor_wait_of_its_programs_is_evidence(self):
        folder = self.made()
        text = (folder / "lock.py").read_text()
        begins = 'at = hello["servers"][0]'
        text = text.replace(begins, STARVED.lstrip() + begins).replace("import json\n", "import json\nimport os\n")
        text = text.replace("import json\n", "import json\nimport subprocess\n")
        text = text.replace(ANSWERS, '        subprocess.run(["/bin/true"], stdin=subprocess.DEVNULL)\n' + ANSWERS)
        (folder / "lock.py").write_text(text)
        self.assertIn(self.run_tiny(folder, "--time", "real", duration_ms=4000).returncode, (0, 3), self.shown)
        history = (self.latest() / "cells/my_lock/tiny/1/history.jsonl").read_text()
        words = r"the adapter of client \d and programs that it started waited at most \d+ ms of"
        self.assertRegex(history, words, self.shown)
        self.nothing_left()


if __name__ == "__main__":
    unittest.main()
