"""Tests speak.py: it accepts a sound adapter, and each break below, a change of a few words in
adapters/redis_py, is found by the named check, and reported in those words.
"""

import pathlib
import shutil
import tempfile
import unittest

import speak
import speaker

SOUND = pathlib.Path(__file__).resolve().parents[2] / "adapters" / "redis_py"
DO_CHECK = '    if do != "acquire" and'
FLUSHED = "file=answers, flush=True)"
TWICE = f"""{FLUSHED}
        if ask["do"] == "%s":
            print(json.dumps({{"n": 0, **said}}), {FLUSHED}"""
NOT_OURS = 'return {"is": "no" if do == "owned" else "not_held"}'
FREES_IT = 'return {"is": "ok" if do == "release" and adapter.redis.delete(name) else "not_held"}'
UNKNOWN = '{"is": "info", "why"'
GUESSED = '{"is": "busy" if do == "acquire" else "not_held", "why"'
LEASE = 'timeout=ask["lease_ms"] / 1000'
BYE = '"bye":\n            break'
CALLED = 'return {"is": getattr(adapter, do)(ask)}'
WAITED_FOR = """import threading
        said = []
        asks = threading.Thread(target=lambda: said.append({"is": getattr(adapter, do)(ask)}), daemon=True)
        asks.start()
        asks.join(3)
        """
CALLED_FOR_3_S = WAITED_FOR + 'return said[0] if said else {"is": "busy" if do == "acquire" else "not_held"}'
CALLED_IN_VAIN = WAITED_FOR + "return said[0] if said else time.sleep(3600)"
LAST = "\n\nif __name__"
# name: (what stands there, what takes its place, the check that finds it, words of the mistake)
BREAKS = {
    "prints": (DO_CHECK, f"    sys.__stdout__.write('hello\\n')\n{DO_CHECK}", speak.turns, "not a message: hello"),
    "other_number": ('ask.get("n"), **said', 'ask.get("n") + 1, **said', speak.hello, "expected n 1"),
    "unknown_field": ('"wall_ms": time', '"time_ms": time', speak.hello, "'time_ms' is unknown"),
    "wrong_clock": ("// 1_000_000", "// 1_000", speak.hello, "wall_ms is not the present"),
    "other_can": ('["renew", "owned"]', '["renew"]', speak.hello, "can, which is lock.json's"),
    "other_name": ('"name": "redis_py"', '"name": "redis"', speak.hello, "name, which is lock.json's"),
    "says_twice": (FLUSHED, TWICE % "release", speak.turns, "expected n"),
    "says_more": (FLUSHED, TWICE % "pulse", speak.silence, "not asked"),
    "lets_in": ('self.forget(ask, "busy")', '"ok"', speak.turns, "acquire of another's lock: expected busy, found ok"),
    "keeps": ("[0].release()", "[0].owned()", speak.turns, "acquire after the release: expected ok, found busy"),
    "frees": (NOT_OURS, FREES_IT, speak.anothers, "release of another's lock: expected not_held, found ok"),
    "no_lease": (LEASE, "timeout=1000", speak.expiry, "a lock after its lease"),
    "renews_nothing": ("lock.extend(lease_ms / 1000, replace_ttl=True)", "lock.owned()", speak.renew, "a renewed lock"),
    "owns_nothing": ("[0].owned() else", "[0].locked() is None else", speak.owned, "owned by the holder"),
    "lasts": (LEASE, "timeout=1000", speak.dead, "a dead holder's lock"),
    "guesses": (UNKNOWN, GUESSED, speak.server_killed, "without a server: expected info"),
    "guesses_in_silence": (CALLED, CALLED_FOR_3_S, speak.server_silent, "silent server: expected info, found busy"),
    "waits_for_ever": (CALLED, CALLED_IN_VAIN, speak.server_silent, "no answer although the server goes on"),
    "stays": (LAST, f"\n    time.sleep(60)\n{LAST}", speak.ends, "bye: it does not end"),
    "ends_badly": (BYE, BYE.replace("break", "sys.exit(3)"), speak.ends, "bye: exit code: expected 0"),
    "last_words": (LAST, f"\n    print('{{}}', file=answers)\n{LAST}", speak.ends, "what was not asked"),
}
# Features that redis_py lacks, claimed by the program and by its manifest: (the word, the check, words of the mistake)
LIES = [
    ("reenter", speak.reenter, "acquire by the holder: expected ok, found busy"),
    ("background", speak.background, "acquire of what renews by itself: expected busy, found ok"),
]


class SpeakTest(unittest.TestCase):
    def broken(self, old, new, manifest_too=False):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-broken-"))
        self.addCleanup(shutil.rmtree, folder)
        for name in ("lock.py", "lock.json"):
            text = (SOUND / name).read_text()
            if name == "lock.py" or manifest_too:
                self.assertEqual(text.count(old), 1, old)
                text = text.replace(old, new)
            (folder / name).write_text(text)
        return folder

    def finds(self, folder, check, words):
        found = speak.first_mistake(folder, [speak.hello, check], told=lambda text: None)
        self.assertIsNotNone(found, "not found")
        self.assertEqual(found[0], check.__name__, found)
        self.assertIn(words, found[1])

    def test_each_break_is_found(self):
        self.addCleanup(setattr, speaker, "END_S", speaker.END_S)
        speaker.END_S = 3
        for name, (old, new, check, words) in BREAKS.items():
            with self.subTest(name):
                self.finds(self.broken(old, new), check, words)

    def test_each_false_feature_is_found(self):
        for word, check, words in LIES:
            with self.subTest(word):
                self.finds(self.broken('["renew", "owned"]', f'["renew", "owned", "{word}"]', True), check, words)

    def test_every_check_is_shown_to_fire(self):
        fired = {check for *_, check, _ in [*BREAKS.values(), *LIES]}
        self.assertEqual(set(speak.CHECKS), fired)

    def test_sound_adapter_passes(self):
        self.assertIsNone(speak.first_mistake(SOUND, told=lambda text: None))


if __name__ == "__main__":
    unittest.main()
