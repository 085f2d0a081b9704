"""A lock in another language that declares that it renews by itself gets scenarios for it, though its renewals are
unseen."""

import json
import unittest

from own_adapters import AdapterTest

CELLS = ("long_jobs", "long_job_cut")
# Makes the Python template renew from a thread of its own; it asks often, and does not wait long.
RENEWING = {
    "import json\n": "import json\nimport threading\n",
    "CAN = []": 'CAN = ["background"]',
    "        self.values = {}  # of locks that may be held\n": """        self.values = {}
        self.held = {}
        self.lease_ms = hello["lease_ms"]
        soon = {"socket_timeout": self.lease_ms / 12000, "socket_connect_timeout": self.lease_ms / 12000}
        self.other = redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0), **soon)
        threading.Thread(target=self.renews, daemon=True).start()

    def renews(self):
        again = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end'
        while True:
            time.sleep(self.lease_ms / 6000)
            for name, value in list(self.held.items()):
                try:
                    self.other.eval(again, 1, name, value, self.lease_ms)
                except redis.RedisError:
                    if GIVES_UP:
                        return
""",
    '        return "ok" if self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]) else "busy"\n': """
        if not self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]):
            return "busy"
        self.held[name] = self.values[name]
        return "ok"
""",
    "    def release(self, ask):  # ok; not_held: another has it, or it is free\n        name = ask[\"lock\"]\n": """
    def release(self, ask):
        name = ask["lock"]
        self.held.pop(name, None)
""",
}
NEVER = {"CAN = []": 'CAN = ["background"]'}


class Background(AdapterTest):
    def planted(self, name, changes, **words):
        folder = self.made(name, can=["background"])
        text = (folder / "lock.py").read_text()
        for old, new in changes.items():
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        for word, value in words.items():
            text = text.replace(word, value)
        (folder / "lock.py").write_text(text)
        return folder

    def test_self_renewing_adapter_gets_renewal_scenarios(self):
        folders = [
            self.planted("renews", RENEWING, GIVES_UP="False"),
            self.planted("gives_up", RENEWING, GIVES_UP="True"),
            self.planted("never_renews", NEVER),
        ]
        words = [word for one in folders for word in ("--adapter", one, "--lock", one.name)]
        only = [word for one in folders for cell in CELLS for word in ("--only", f"{one.name}/{cell}")]
        answer = self.run_suite("generated", *words, *only)
        self.assertEqual(answer.returncode, 1, self.shown)
        outcomes = self.outcomes()
        self.assertEqual({name: outcomes[f"renews/{name}"] for name in CELLS}, dict.fromkeys(CELLS, "as_expected"))
        self.assertEqual(outcomes["gives_up/long_jobs"], "as_expected", "as long as nothing goes wrong")
        self.assertEqual(outcomes["gives_up/long_job_cut"], "unexpected", "its job went on without a lease")
        self.assertEqual(outcomes["never_renews/long_jobs"], "unexpected")
        self.assertNotIn("does not renew", answer.stdout)
        self.is_told_what_is_known("never_renews/long_jobs")
        self.nothing_left()

    def is_told_what_is_known(self, cell):
        verdict = json.loads((self.latest() / f"cells/{cell}/1/verdict.json").read_text())
        found = {one["property"]: one for one in verdict["properties"]}
        exclusion = found["mutual_exclusion"]
        self.assertEqual(set(exclusion["kinds"]), {"overrun"}, "no more than that is known")
        text = exclusion["witnesses"][0]["text"]
        self.assertIn("the lock may have renewed it by itself, which holdfast cannot see", text)
        self.assertNotIn("lease ended", text)
        self.assertEqual(found["lease_exclusion"]["judgement"], "holds")


if __name__ == "__main__":
    unittest.main()
