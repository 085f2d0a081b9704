"""Behaviours of an adapter that speaks wrongly: false answers, too many, malformed bytes, silence.

Each is a function of a request and of the adapter's means (hostile_adapter.py, Talk). It returns true if the request
gets no other answer. Beside it are the outcomes that its cell may have: a mistake of the adapter is a harness error,
never a pass and never a violation. Only a call that does not return is judged.
"""

import dataclasses
import itertools
import json
import os
import time
import typing

from mutations import MARK

ERROR = ("harness_error",)
PASS = ("as_expected",)
JUDGED = ("unexpected", "harness_error")  # a call that does not come back: progress, no_return
EITHER = ("as_expected", "harness_error")
ANY = ("as_expected", "harness_error", "unexpected", "undecided", "nothing_judged", "allowed", "not_seen", "caught")
MOST_BYTES = 400 << 20  # limit of a flood, to spare the machine


@dataclasses.dataclass
class Behaviour:
    act: typing.Callable
    may_be: tuple = ERROR
    facts: dict = dataclasses.field(default_factory=dict)  # facts of its lock.json
    check: tuple = (0, 1, 3)  # codes of `adapter check`, which is judged, too: 5 where its own lab is attacked


BEHAVIOURS = {}


def behaviour(may_be=ERROR, **facts):
    def take(act):
        BEHAVIOURS[act.__name__] = Behaviour(act, may_be, facts)
        return act

    return take


def at(ask, talk, word="acquire", after=8):
    """The request of this kind at which a behaviour begins: the first after so many of any kind."""
    return ask["do"] == word and talk.asked > after


def on_answer(name, data, may_be=ERROR):
    """A behaviour that answers one acquire in the middle with these bytes, in which N is the number that was asked."""

    def act(ask, talk):
        if talk.done or not at(ask, talk):
            return False
        talk.done = True
        talk.raw(data.replace(b"N", str(ask["n"]).encode()))
        return True

    BEHAVIOURS[name] = Behaviour(act, may_be)


def on_ready(name, data, may_be=ERROR):
    def act(ask, talk):
        if ask["do"] != "hello":
            return False
        talk.raw(data.replace(b"NAME", ask["name"].encode()))
        return True

    BEHAVIOURS[name] = Behaviour(act, may_be, {"start_ms": 3000})


def asleep(word):
    def act(ask, talk):
        if not at(ask, talk, word, 0 if word == "hello" else 8):
            return False
        time.sleep(3600)
        return True

    return act


BEHAVIOURS["never_answers_hello"] = Behaviour(asleep("hello"), ERROR, {"start_ms": 3000})
BEHAVIOURS["never_answers_acquire"] = Behaviour(asleep("acquire"), JUDGED)
BEHAVIOURS["never_answers_release"] = Behaviour(asleep("release"), JUDGED)
BEHAVIOURS["never_answers_pulse"] = Behaviour(asleep("pulse"), JUDGED)

for name, data in {
    "answers_with_another_number": b'{"is":"busy","n":99999}\n',
    "answers_with_no_number": b'{"is":"busy"}\n',
    "answers_with_a_text_for_a_number": b'{"is":"busy","n":"N"}\n',
    "answers_with_a_huge_number": b'{"is":"busy","n":1e400}\n',
    "answers_with_a_negative_number": b'{"is":"busy","n":-1}\n',
    "answers_with_a_broken_number": b'{"is":"busy","n":N.5}\n',
    "answers_twice": b'{"is":"busy","n":N}\n{"is":"busy","n":N}\n',
    "answers_two_ways": b'{"is":"busy","is":"ok","n":N}\n',
    "answers_an_unknown_word": b'{"is":"granted_perhaps","n":N}\n',
    "answers_what_another_request_has": b'{"is":"yes","n":N}\n',
    "answers_with_an_array": b"[1,2]\n",
    "answers_with_null": b"null\n",
    "answers_with_no_json": b"connected\n",
    "answers_with_nothing": b"\n\n\n",
    "answers_with_zeros": b"\0\0\0\n",
    "answers_with_invalid_utf8": b'{"is":"busy","n":N,"why":"\xff\xfe\xc3("}\n',
    "answers_with_half_a_surrogate": b'{"is":"fail","n":N,"why":"\\ud800"}\n',
    "answers_deeply": b'{"is":"busy","n":N,"why":' + b"[" * 30_000 + b"]" * 30_000 + b"}\n",
    "answers_with_a_long_line": b'{"is":"busy","n":N,"why":"' + b"x" * 10_000_000 + b'"}\n',
    "answers_with_a_negative_lease": b'{"is":"ok","n":N,"lease_ms":-5}\n',
    "answers_with_a_huge_lease": b'{"is":"ok","n":N,"lease_ms":9223372036854775807}\n',
    "answers_with_a_lease_that_is_none": b'{"is":"ok","n":N,"lease_ms":"long"}\n',
    "answers_with_a_token": b'{"is":"ok","n":N,"token":-1}\n',
    "answers_with_a_huge_token": b'{"is":"ok","n":N,"token":"99999999999999999999999999"}\n',
    "answers_with_a_wall_clock_that_is_none": b'{"is":"busy","n":N,"wall_ms":-9223372036854775808}\n',
    "says_lost_without_a_lock": b'{"is":"lost"}\n{"is":"busy","n":N}\n',
    "says_leader": b'{"is":"leader","lock":"k0","holder":"me"}\n{"is":"busy","n":N}\n',
    "says_granted": b'{"is":"granted","lock":"k0"}\n{"is":"busy","n":N}\n',
    "says_ready_again": b'{"is":"ready","n":0,"v":1,"name":"x","version":"1","can":[]}\n',
    "answers_before_it_is_asked": b'{"is":"busy","n":N}\n' + b'{"is":"ok","n":100000}\n' * 1000,
}.items():  # fmt: skip
    on_answer(name, data)
on_answer("answers_with_a_line_of_64_kib", b'{"is":"busy","n":N,"why":"' + b"x" * (65_536 - 40) + b'"}\n', EITHER)
on_answer("says_lost_of_another_lock", b'{"is":"lost","lock":"no such lock"}\n{"is":"busy","n":N}\n', EITHER)
on_answer("answers_in_crlf", b'{"is":"busy","n":N}\r\n', EITHER)
on_answer("answers_after_a_byte_order_mark", b'\xef\xbb\xbf{"is":"busy","n":N}\n', EITHER)
on_answer("answers_with_unknown_fields", b'{"is":"busy","n":N,"extra":{"a":[1]}}\n', EITHER)
on_answer(
    "says_wrong_because_of_marks", b'{"is":"fail","n":N,"why":"\\u001b[2J\\u202e' + MARK.encode() + b'"}\n', EITHER
)
on_answer("dies_with_marks", b"\x1b[2J\xe2\x80\xae" + MARK.encode() + b"]]>::error::x\n")
on_answer("answers_in_pieces", b'{"is":"bu', JUDGED)

for name, data in {
    "is_ready_for_another_version": b'{"is":"ready","n":0,"v":2,"name":"NAME","version":"1","can":[]}\n',
    "is_ready_for_what_is_unknown": b'{"is":"ready","n":0,"v":1,"name":"NAME","version":"1","can":["fly"]}\n',
    "is_ready_twice": b'{"is":"ready","n":0,"v":1,"name":"NAME","version":"1","can":[]}\n' * 2,
    "is_ready_without_a_version": b'{"is":"ready","n":0,"v":1,"name":"NAME","can":[]}\n',
    "is_not_ready": b'{"is":"fail","n":0,"why":"\\u001b]0;x\\u0007 no licence"}\n',
}.items():
    on_ready(name, data)
on_ready("is_ready_as_another", b'{"is":"ready","n":0,"v":1,"name":"another","version":"1","can":[]}\n', EITHER)
on_ready("is_ready_for_more", b'{"is":"ready","n":0,"v":1,"name":"NAME","version":"1","can":["renew"]}\n', EITHER)
long = b"v" * 60_000
on_ready(
    "is_ready_in_a_long_version", b'{"is":"ready","n":0,"v":1,"name":"NAME","version":"' + long + b'","can":[]}\n', ANY
)
marks = b"\\u001b[2J\\u202e" + MARK.encode()
on_ready("is_ready_in_a_version_with_marks",
         b'{"is":"ready","n":0,"v":1,"name":"NAME","version":"' + marks + b'","can":[]}\n', ANY)  # fmt: skip


def flood(write, data):
    """Writes the same data again and again, or what the function `data` makes."""
    left = MOST_BYTES
    while left > 0:
        some = data() if callable(data) else data
        write(some)
        left -= len(some)


@behaviour(may_be=JUDGED)
def floods_stdout(ask, talk):  # lines that it may write, but never an answer
    return at(ask, talk) and (flood(talk.raw, b'{"is":"log","text":"x"}\n' * 1000) or True)


def said_without_end(locks, **said):
    """Lines of these locks in turn, each of another thread; without end."""
    for number in itertools.count():
        lock = locks[number % len(locks)]
        yield json.dumps({"lock": lock, **said, "thread": number}).encode() + b"\n"


def flood_of(talk, lines, lines_at_once=1000):
    flood(talk.raw, lambda: b"".join(itertools.islice(lines, lines_at_once)))


@behaviour(may_be=JUDGED)
def floods_losses(ask, talk):  # losses of real locks, and of ever more others
    if not at(ask, talk):
        return False
    known = said_without_end(talk.hello["locks"], **{"is": "lost"})
    others = (b'{"is":"lost","lock":"other_%d"}\n' % number for number in itertools.count())
    flood_of(talk, (line for pair in zip(known, others) for line in pair))
    return True


@behaviour(kind="election", can=["leader"], tick_ms=200)
def floods_leaders(ask, talk):
    if ask["do"] == "hello":
        talk.say(ask, **{"is": "ready", "v": 1, "name": ask["name"], "version": "1", "can": ["leader"]})
        return True
    if not at(ask, talk):
        return False
    line = json.dumps({"is": "leader", "lock": talk.hello["locks"][0], "holder": ""}).encode() + b"\n"
    flood_of(talk, itertools.repeat(line))
    return True


@behaviour(kind="scheduler")
def floods_jobs(ask, talk):
    if ask["do"] != "hello":
        return False
    talk.say(ask, **{"is": "ready", "v": 1, "name": ask["name"], "version": "1", "can": []})
    flood_of(talk, said_without_end(ask["locks"], **{"is": "granted"}))
    return True


@behaviour()
def floods_stdout_without_a_line(ask, talk):
    return at(ask, talk) and (flood(talk.raw, b"x" * 65_536) or True)


@behaviour(may_be=EITHER)
def floods_stderr(ask, talk):
    if at(ask, talk):
        flood(lambda data: os.write(2, data), b"a library complains\n" * 3000)
    return False


@behaviour(may_be=PASS)
def says_much_for_people(ask, talk):
    if ask["do"] == "acquire":
        talk.raw(b'{"is":"log","text":"\\u001b[2J\\u202e' + MARK.encode() + b'"}\n')
        os.write(2, b"\x1b[2J\xe2\x80\xae\xff\0" + MARK.encode() + b"\n")
    return False


@behaviour(may_be=EITHER)
def answers_a_byte_at_a_time(ask, talk):
    if ask["do"] != "pulse":
        return False
    for byte in b'{"is":"ok","n":%d}\n' % ask["n"]:
        talk.raw(bytes([byte]))
        time.sleep(0.001)
    return True


@behaviour()
def reads_no_more(ask, talk):
    """It answers what it was not asked, and leaves its input alone."""
    if not at(ask, talk):
        return False
    for _ in range(50):
        talk.say(ask, **{"is": "busy"})
        time.sleep(0.01)
    time.sleep(3600)
    return True
