"""Adapters of a test's own, made of the template in Python, and what must not be left of them."""

import json
import uuid

from program import PROGRAM, ProgramTest, processes, quick, wait_until

SHORT = {"duration_ms": 1500, "poll_ms": 20}
# The answer of the Python template: a replacement is another answer, or none.
ANSWERS = '        print(json.dumps({"n": ask.get("n"), **said}), file=answers, flush=True)\n'


class AdapterTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.word = "word" + uuid.uuid4().hex  # in the command line of each adapter, so that what is left is seen

    def made(self, name="my_lock", language="python", **facts):
        """A new adapter; `facts` are written into its lock.json."""
        answer = self.call(PROGRAM, "adapter", "new", language, name)
        self.assertEqual(answer.returncode, 0, self.shown)
        folder = self.folder / name
        command = json.loads((folder / "lock.json").read_text())["command"]
        return self.changed(folder, **{"command": [*command, self.word], **facts})

    def changed(self, folder, **facts):
        """Sets these facts in its manifest, and removes those that are None."""
        manifest = {**json.loads((folder / "lock.json").read_text()), **facts}
        kept = {key: fact for key, fact in manifest.items() if fact is not None}
        (folder / "lock.json").write_text(json.dumps(kept, indent=1))
        return folder

    def tiny(self, name="tiny", lock="my_lock", **changes):
        return self.scenario(name, quick(locks=[lock], **{**SHORT, **changes}))

    def run_tiny(self, folder, *more, **changes):
        return self.run_suite(self.tiny(lock=folder.name, **changes), "--adapter", folder, *more)

    def nothing_left(self):
        left = wait_until(lambda: not processes(self.word), 10)
        self.assertTrue(left, processes(self.word))
