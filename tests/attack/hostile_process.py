"""Behaviours of an adapter that misbehaves as a process: how it ends, what it starts, and what it does to the folders
that it may write (its lab's memory, and the trial's folder with the run's own files).

See hostile_conversation.py. Each may harm only the trial of its own cell: other cells keep their results, nothing is
left, and no file that the adapter may not read or write is read or written on its behalf.
"""

import contextlib
import os
import random
import signal
import socket
import sys
import time

from hostile_conversation import ANY, EITHER, ERROR, JUDGED, MARK, Behaviour, at

BEHAVIOURS = {}
FILES = ["lab.log", "adapter-0.log", "client-0.journal", "client-0.log", "history.jsonl", "result.json", "verdict.json",
         "facts.json", "plan.json", "scenario.json", "server.log", "trace.json", "relay.log"]  # fmt: skip
MEMORY = 700 << 20
CHILDREN = 300
ATTACKED = (0, 1, 3, 5)


def behaviour(may_be=ERROR, check=(0, 1, 3), **facts):
    def take(act):
        BEHAVIOURS[act.__name__] = Behaviour(act, may_be, facts, check)
        return act

    return take


def ends(name, end, word, may_be=ERROR, check=(0, 1, 3)):
    def act(ask, talk):
        if not at(ask, talk, word, 0 if word in ("hello", "bye") else 8):
            return False
        end()
        return True

    BEHAVIOURS[name] = Behaviour(act, may_be, check=check)


for word in ("hello", "acquire", "release", "pulse"):
    ends(f"exits_at_{word}", lambda: os._exit(0), word)
    ends(f"is_killed_at_{word}", lambda: os.kill(os.getpid(), signal.SIGKILL), word)
ends("crashes", lambda: os.kill(os.getpid(), signal.SIGSEGV), "acquire")
ends("exits_with_3_at_the_end", lambda: os._exit(3), "bye", EITHER)
ends("stays_at_the_end", lambda: time.sleep(3600), "bye", EITHER)
ends("stops_itself", lambda: os.kill(os.getpid(), signal.SIGSTOP), "acquire", JUDGED + ("undecided",))
ends("stops_its_client", lambda: os.kill(os.getppid(), signal.SIGSTOP), "acquire", ANY, ATTACKED)
ends("kills_its_client", lambda: os.kill(os.getppid(), signal.SIGKILL), "acquire", ANY, ATTACKED)
ends("kills_all", lambda: os.kill(-1, signal.SIGKILL), "acquire", ANY, ATTACKED)
ends("stops_all", lambda: os.kill(-1, signal.SIGSTOP), "acquire", ANY, ATTACKED)
ends("terminates_all", lambda: os.kill(-1, signal.SIGTERM), "acquire", ANY, ATTACKED)
ends("closes_its_input", lambda: (os.close(0), time.sleep(3600)), "acquire", ANY)
ends("closes_its_output", lambda: (os.close(1), time.sleep(3600)), "acquire")
ends("closes_everything", lambda: (os.closerange(0, 3), time.sleep(3600)), "acquire")


def child(stay, own_session=True):
    """Forks; the child leaves the process group, and holds what it was given."""
    if os.fork() == 0:
        if own_session:
            os.setsid()
        stay()
        os._exit(0)


def deaf():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(3600)


@behaviour(may_be=EITHER)
def leaves_a_child(ask, talk):
    if ask["do"] == "hello":
        child(deaf)
    return False


@behaviour(may_be=EITHER)
def leaves_a_grandchild_at_the_end(ask, talk):
    if ask["do"] == "bye":
        child(lambda: child(deaf))
    return False


@behaviour(may_be=ERROR)
def leaves_a_child_and_dies(ask, talk):
    if at(ask, talk):
        child(deaf)
        os._exit(0)
    return False


@behaviour(may_be=ANY)
def leaves_children_that_leave_children(ask, talk):
    if ask["do"] == "hello":
        for _ in range(CHILDREN):
            with contextlib.suppress(OSError):
                child(deaf)
    return False


@behaviour(may_be=ANY)
def takes_all_processors(ask, talk):
    if ask["do"] == "hello":
        for _ in range(16):
            child(lambda: [None for _ in iter(int, 1)], own_session=False)
    return False


@behaviour(may_be=ANY)
def takes_memory(ask, talk):
    if ask["do"] == "hello" and ask["client"] == 0:
        talk.taken = bytearray(MEMORY)
        for i in range(0, MEMORY, 4096):
            talk.taken[i] = 1
    return False


@behaviour(may_be=ANY)
def takes_descriptors(ask, talk):
    if ask["do"] == "hello":
        talk.taken = []
        with contextlib.suppress(OSError):
            while len(talk.taken) < 100_000:
                talk.taken.append(os.dup(0))
        for fd in talk.taken[-10:]:
            os.close(fd)
    return False


@behaviour(may_be=ANY)
def fills_the_labs_memory(ask, talk):
    if ask["do"] == "hello":
        for name in ("HOME", "TMPDIR"):
            with contextlib.suppress(OSError), open(os.environ[name] + "/full", "wb") as file:
                for _ in range(200):
                    file.write(bytes(1 << 20))
    return False


def names_of_all_kinds(place):
    """Names that are no text, many of them, a tree that is deep, and folders that are closed."""
    for name in (b"\xff\xfe", b"a\nb", b"\x1b[2J", b"\xe2\x80\xae.txt", b"x" * 255, b"-rf", b" ", b"*"):
        with contextlib.suppress(OSError):
            os.mkdir(os.fsencode(place) + b"/" + name)
    for number in range(2000):
        with contextlib.suppress(OSError), open(f"{place}/many-{number}", "w") as file:
            file.write(MARK)
    here = os.getcwd()
    with contextlib.suppress(OSError):
        os.mkdir(place + "/deep")
        os.chdir(place + "/deep")
        for _ in range(1500):
            os.mkdir("d" * 40)
            os.chdir("d" * 40)
    os.chdir(here)
    with contextlib.suppress(OSError):
        os.mkdir(place + "/closed")
        os.mkdir(place + "/closed/in")
        os.chmod(place + "/closed", 0)
    for name, target in (("link", "/"), ("loop", "loop"), ("zeros", "/dev/zero")):
        with contextlib.suppress(OSError):
            os.symlink(target, f"{place}/{name}")
    with contextlib.suppress(OSError):
        os.mkfifo(place + "/fifo")


@behaviour(may_be=ANY)
def fills_its_folders_with_names(ask, talk):
    if ask["do"] == "hello" and ask["client"] == 0:
        for place in (os.environ["HOME"], os.environ["TMPDIR"], talk.trial):
            names_of_all_kinds(place)
    return False


def replace(path, way, secret):
    """Puts something else in a file's place."""
    with contextlib.suppress(OSError):
        os.unlink(path)
    with contextlib.suppress(OSError):
        if way == "fifo":
            os.mkfifo(path)
        elif way == "folder":
            os.mkdir(path)
        elif way == "socket":
            socket.socket(socket.AF_UNIX).bind(path[-100:])
        elif way == "large":
            os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644), 1 << 40)
        else:
            os.symlink({"secret": secret, "zeros": "/dev/zero", "itself": os.path.basename(path)}[way], path)


def replaces(name, way, dies):
    def act(ask, talk):
        if ask["client"] if ask["do"] == "hello" else talk.hello["client"]:
            return False
        if ask["do"] == "hello" or (dies and talk.asked == 12):
            os.chdir(talk.trial)
            replace(os.path.join(talk.trial, name), way, talk.secret)
        if dies and talk.asked > 12:
            print("the last words", file=sys.stderr, flush=True)
            os._exit(7)
        return False

    said = name.replace(".", "_").replace("-", "_")
    BEHAVIOURS[f"replaces_{said}_by_{way}{'_and_dies' if dies else ''}"] = Behaviour(act, ANY, check=ATTACKED)


for file in FILES:
    for way in ("secret", "fifo"):
        replaces(file, way, dies=True)
for file in ("lab.log", "adapter-0.log", "history.jsonl", "result.json", "verdict.json", "client-0.journal"):
    for way in ("zeros", "folder", "itself", "large", "socket"):
        replaces(file, way, dies=True)
for file in ("history.jsonl", "verdict.json", "result.json", "facts.json", "client-0.journal"):
    for way in ("secret", "fifo", "folder"):
        replaces(file, way, dies=False)


def scribbles(name, change):
    def act(ask, talk):
        if at(ask, talk):
            with contextlib.suppress(OSError), open(
                f"{talk.trial}/client-{talk.hello['client']}.journal", "r+b"
            ) as file:
                change(file)
        return False

    BEHAVIOURS[name] = Behaviour(act, ANY)


def noise(file):
    size = file.seek(0, 2)
    for _ in range(50):
        file.seek(random.randrange(max(1, size)))
        file.write(random.randbytes(16))


scribbles("writes_noise_into_the_journal", noise)
scribbles("makes_the_journal_empty", lambda file: file.truncate(0))  # its client has it mapped
scribbles("makes_the_journal_endless", lambda file: file.truncate(1 << 40))
scribbles("writes_ones_into_the_journal", lambda file: file.write(b"\xff" * 4096))


@behaviour(may_be=ANY)
def writes_into_what_its_client_has_open(ask, talk):
    """As far as the kernel lets it: the page that clients and runner share."""
    if at(ask, talk):
        folder = f"/proc/{os.getppid()}/fd"
        with contextlib.suppress(OSError):
            for name in os.listdir(folder):
                with contextlib.suppress(OSError):
                    if "memfd" in os.readlink(f"{folder}/{name}") or "holdfast" in os.readlink(f"{folder}/{name}"):
                        with open(f"{folder}/{name}", "r+b") as file:
                            file.write(random.randbytes(4096))
    return False


@behaviour(may_be=ANY)
def moves_the_trials_folder_away(ask, talk):
    if at(ask, talk):
        for name in os.listdir(talk.trial):
            with contextlib.suppress(OSError):
                os.rename(f"{talk.trial}/{name}", f"{talk.trial}/moved-{name}")
    return False


@behaviour(may_be=ANY)
def forges_its_result(ask, talk):
    if at(ask, talk):
        for name in ("result.json", "verdict.json", "facts.json", "history.jsonl"):
            with contextlib.suppress(OSError), open(f"{talk.trial}/{name}", "w") as file:
                file.write('{"judgement": "holds", "result": {"outcome": "as_expected"}, "x": "' + MARK + '"}\n')
    return False


def to_the_server(name, *words):
    def act(ask, talk):
        if at(ask, talk):
            server = talk.hello["servers"][0]
            with contextlib.suppress(OSError):
                with socket.create_connection((server["host"], server["port"]), 2) as connection:
                    connection.sendall(" ".join(words).encode() + b"\r\n")
                    connection.recv(100)
        return False

    BEHAVIOURS[name] = Behaviour(act, ANY)


to_the_server("shuts_the_server_down", "SHUTDOWN", "NOSAVE")
to_the_server("makes_the_server_crash", "DEBUG", "SEGFAULT")
to_the_server("makes_the_server_sleep", "DEBUG", "SLEEP", "8")
to_the_server("empties_the_server", "FLUSHALL")
to_the_server("closes_the_server", "CONFIG", "SET", "requirepass", "x")
