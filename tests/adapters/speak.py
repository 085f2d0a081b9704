"""Drives one adapter over its pipes against a real server: `speak.py ADAPTER_FOLDER [--build FOLDER] [--only CHECK]`.

With --build the adapter is copied into that folder and what its ecosystem needs is installed there, by the ordinary
client: npm, go or mvn; so is an adapter beside it whose program it is. Where its registry or its server cannot be had,
the adapter is skipped (exit code 77). A template gets its name by --name, in the place of @NAME@.
self_test.py shows each check to fire and to stay silent.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).parents[1] / "program"))
import needs  # noqa: E402
import servers  # noqa: E402
from speaker import Mistake, Speaker  # noqa: E402

LEASE_MS = 1500
UNKNOWN_S = 8  # two time-outs of about 2 s, one after the other, and a full machine
NOT_ASKED = "does not apply"
AFTER_LEASE_S = LEASE_MS / 1000 + 15  # a lease that ends late is not a mistake here: etcd on a full machine
SILENT_S = 5  # longer than leases and usual time-outs
BACK_S = 40  # until a library has found its server again
INSTALL_S = 600
INSTALLERS = {
    "package.json": ("npm", ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]),
    "go.mod": ("Go", ["go", "build"]),
    "pom.xml": ("Maven", ["mvn", "-q", "-B", "package"]),
}


class World:
    """The server, and two adapters that stand for two clients; each check takes locks with names of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.manifest = json.loads((folder / "lock.json").read_text())
        self.can = set(self.manifest.get("can", []))
        self.lease = self.manifest.get("lease", True)
        self.server = servers.KINDS[self.manifest["servers"][0]]()
        self.speakers = []
        self._pair = None

    def started(self):
        speaker = Speaker.__new__(Speaker)
        self.speakers.append(speaker)
        speaker.__init__(self.folder, self.manifest, self.server, LEASE_MS)
        return speaker

    def pair(self):
        if not self._pair:
            self._pair = self.started(), self.started()
        return self._pair

    def remove(self):
        for speaker in self.speakers:
            if hasattr(speaker, "process"):
                speaker.kill()
        self.server.remove()


def expect(what, found, *expected):
    if found not in expected:
        raise Mistake(f"{what}: expected {' or '.join(map(str, expected))}, found {found}")


def got_within(what, seconds, attempt, *outcomes):
    """Asks again until one of the outcomes is there."""
    limit = time.monotonic() + seconds
    while (found := attempt()) not in outcomes:
        if time.monotonic() > limit:
            raise Mistake(f"{what}: not {' or '.join(outcomes)} within {seconds} s, but {found}")
        time.sleep(0.05)
    return found


def fresh_hold(what, holder, other, name):
    """The holder gets a lock, and the other is refused inside its lease. On a full machine that may take several."""
    for attempt in range(10):
        lock, began = f"{name}_{attempt}", time.monotonic()
        expect(f"{what}: acquire of a free lock", holder.acquire(lock), "ok")
        refused = other.acquire(lock)
        if refused == "busy" or time.monotonic() - began < LEASE_MS / 1000 * 0.9:
            expect(f"{what}: acquire of another's lock", refused, "busy")
            return lock, began
    raise Mistake(f"{what}: this machine is too slow for leases of {LEASE_MS} ms")


def hello(world):
    a, _ = world.pair()
    expect("ready: v", a.ready["v"], 1)
    expect("ready: name, which is lock.json's", a.ready["name"], world.manifest["name"])
    expect("ready: can, which is lock.json's", sorted(a.ready["can"]), sorted(world.can))
    pulse = a.ask("pulse", limit_s=2)
    if "wall_ms" not in pulse or abs(pulse["wall_ms"] - time.time() * 1000) > 2000:
        raise Mistake(f"pulse: wall_ms is not the present: {pulse}")


def turns(world):
    a, b = world.pair()
    lock, _ = fresh_hold("turns", a, b, "turns")
    expect("release", a.about("release", lock), "ok")
    expect("acquire after the release", b.acquire(lock), "ok")
    expect("release of a second holder", b.about("release", lock), "ok")
    expect("release of what is free", a.about("release", lock), "not_held")
    expect("acquire of one lock", a.acquire("turns_left"), "ok")
    expect("acquire of another lock beside it", a.acquire("turns_right"), "ok")
    expect("release of the first of two", a.about("release", "turns_left"), "ok")
    expect("release of the second of two", a.about("release", "turns_right"), "ok")


def anothers(world):
    """Another client's lock is neither freed nor renewed, and the library names its owner."""
    a, b = world.pair()
    c = world.started()
    lock, began = fresh_hold("another's", a, b, "anothers")
    expect("release of another's lock", b.about("release", lock), "not_held")
    if "renew" in world.can:
        expect("renew of another's lock", b.about("renew", lock), "not_held")
    if "owned" in world.can:
        expect("owned of another's lock", b.about("owned", lock), "no")
    still = c.acquire(lock)
    if time.monotonic() - began < LEASE_MS / 1000 * 0.9:
        expect("acquire after a foreign release", still, "busy")
    a.about("release", lock)
    c.kill()


def expiry(world):
    if not world.lease or "background" in world.can:
        return NOT_ASKED
    a, b = world.pair()
    lock, _ = fresh_hold("expiry", a, b, "expiry")
    got_within("a lock after its lease", AFTER_LEASE_S, lambda: b.acquire(lock), "ok")
    if "owned" in world.can:
        expect("owned after the lease", a.about("owned", lock), "no")
    if "renew" in world.can:
        expect("renew after the lease", a.about("renew", lock), "not_held")
    expect("release after the lease", a.about("release", lock), "not_held")
    expect("release of the successor", b.about("release", lock), "ok", "not_held")


def renew(world):
    a, b = world.pair()
    if "renew" not in world.can:
        return NOT_ASKED
    for attempt in range(5):
        lock, began = fresh_hold("renew", a, b, f"renew_{attempt}")
        time.sleep(LEASE_MS / 1000 * 0.6)
        outcome, renewed = a.about("renew", lock), time.monotonic()
        if renewed - began > LEASE_MS / 1000 * 0.9:
            continue
        expect("renew", outcome, "ok")
        time.sleep(max(0, began + LEASE_MS / 1000 * 1.2 - time.monotonic()))
        refused = b.acquire(lock)
        if time.monotonic() - renewed < LEASE_MS / 1000 * 0.9:
            expect("acquire of a renewed lock", refused, "busy")
            got_within("a lock after its renewed lease", AFTER_LEASE_S, lambda: b.acquire(lock), "ok")
            return
    raise Mistake(f"renew: this machine is too slow for leases of {LEASE_MS} ms")


def owned(world):
    a, b = world.pair()
    if "owned" not in world.can:
        return NOT_ASKED
    lock, began = fresh_hold("owned", a, b, "owned")
    says = a.about("owned", lock)
    if time.monotonic() - began < LEASE_MS / 1000 * 0.9:
        expect("owned by the holder", says, "yes")
    a.about("release", lock)
    expect("owned after the release", a.about("owned", lock), "no")


def background(world):
    a, b = world.pair()
    if "background" not in world.can:
        return NOT_ASKED
    lock, _ = fresh_hold("background", a, b, "background")
    time.sleep(2.5 * LEASE_MS / 1000)
    expect("acquire of what renews by itself", b.acquire(lock), "busy")
    expect("release of what renews by itself", a.about("release", lock), "ok")


def reenter(world):
    a, b = world.pair()
    if "reenter" not in world.can:
        return NOT_ASKED
    lock, began = fresh_hold("reenter", a, b, "reenter")
    expect("acquire by the holder", a.acquire(lock), "ok")
    expect("the inner release", a.about("release", lock), "ok")
    refused = b.acquire(lock)
    if time.monotonic() - began < LEASE_MS / 1000 * 0.9:
        expect("acquire after the inner release", refused, "busy")
        expect("the outer release", a.about("release", lock), "ok")
        expect("acquire after the outer release", b.acquire(lock), "ok")


def dead(world):
    """A holder that dies leaves the lock for no longer than its lease."""
    _, b = world.pair()
    a = world.started()
    lock, _ = fresh_hold("dead", a, b, "dead")
    a.kill()
    got_within("a dead holder's lock", AFTER_LEASE_S, lambda: b.acquire(lock), "ok")
    b.about("release", lock)


def server_killed(world):
    a, b = world.pair()
    expect("acquire", a.acquire("killed"), "ok")
    world.server.kill()
    for do in ("renew", "release") if "renew" in world.can else ("release",):
        expect(f"{do} without a server", a.ask(do, UNKNOWN_S, lock="killed")["is"], "info")
    expect("acquire without a server", b.ask("acquire", UNKNOWN_S, lock="k", wait_ms=0, lease_ms=9)["is"], "info")
    expect("pulse without a server", b.ask("pulse", limit_s=2)["is"], "ok")
    world.server.start()
    for speaker, lock in ((a, "back_a"), (b, "back_b")):
        got_within("acquire when the server is back", BACK_S, lambda s=speaker, k=lock: s.acquire(k), "ok")
        expect("release when the server is back", speaker.about("release", lock), "ok", "not_held")


def server_silent(world):
    """A client that gives up reports an unknown outcome; one that waits reports the reply when it arrives. Late
    replies answer no later request."""
    a, b = world.pair()
    expect("acquire", b.acquire("silent"), "ok")
    world.server.stop()
    try:
        a.begin("acquire", lock="never", wait_ms=0, lease_ms=LEASE_MS)
        b.begin("release", lock="silent")
        said, released = a.answer(SILENT_S), b.answer(SILENT_S)
        if said:
            expect("acquire of a silent server", said["is"], "info")
            expect("pulse beside a silent server", a.ask("pulse", limit_s=2)["is"], "ok")
        if released:
            expect("release of a silent server", released["is"], "not_held" if "silent" in b.lost else "info")
    finally:
        world.server.go_on()
    for speaker, answered, known in ((a, said, ("ok", "busy")), (b, released, ("ok", "not_held"))):
        late = answered or speaker.answer(BACK_S)
        if not late:
            raise speaker.wrong(f"{speaker.open}: no answer although the server goes on")
        expect(f"{speaker.open} of a server that was silent", late["is"], "info", *known)
    time.sleep(0.3)
    for speaker, lock in ((a, "after_a"), (b, "after_b")):
        got_within("acquire of a server that goes on", BACK_S, lambda s=speaker, k=lock: s.acquire(k), "ok")
    for holder, other in ((b, a), (a, b)):
        lock, _ = fresh_hold("after a silence", holder, other, "of_a" if holder is a else "of_b")
        expect("release after a silence", holder.about("release", lock), "ok")


def ends(world):
    a, b, c = world.started(), world.started(), world.started()
    expect("acquire", c.acquire("ends"), "ok")
    a.process.stdin.write(b'{"do":"bye"}\n')
    a.process.stdin.flush()
    expect("bye: exit code", a.ended("bye"), 0)
    b.process.stdin.close()
    expect("end of file: exit code", b.ended("end of file"), 0)
    c.process.stdin.close()
    expect("end of file of a holder: exit code", c.ended("end of file of a holder"), 0)


def silence(world):
    """After all that was asked nothing more may have been said."""
    for speaker in world.pair():
        line = speaker.said(0.3)
        if line is not None:
            raise speaker.wrong("said what was not asked, or ended", line)


CHECKS = [hello, turns, anothers, expiry, renew, owned, background, reenter, dead, server_killed, server_silent, ends]
CHECKS.append(silence)


def first_mistake(folder, checks=CHECKS, told=print):
    """None, or the check that found a mistake, and the mistake."""
    world = World(pathlib.Path(folder))
    try:
        for check in checks:
            began = time.monotonic()
            try:
                outcome = check(world) or f"as expected, {time.monotonic() - began:.1f} s"
            except Mistake as mistake:
                return check.__name__, str(mistake)
            told(f"{check.__name__}: {outcome}")
    finally:
        world.remove()
    return None


def installed(folder, build, name=None):
    """A copy of the adapter with all that it needs."""
    there = pathlib.Path(build) / (name or folder.name)
    shutil.rmtree(there, ignore_errors=True)
    shutil.copytree(folder, there, ignore=shutil.ignore_patterns("node_modules", "target", folder.name))
    for file in there.iterdir() if name else ():
        file.write_text(file.read_text().replace("@NAME@", name))
    for name, (registry, command) in INSTALLERS.items():
        if (there / name).exists():
            needs.registry(registry)
            how = {"cwd": there, "env": {**os.environ, "GOFLAGS": "-buildvcs=false"}, "timeout": INSTALL_S}
            made = subprocess.run(command, capture_output=True, text=True, **how)
            if made.returncode != 0:
                sys.exit(f"{' '.join(command)}: exit {made.returncode}\n{made.stdout[-2000:]}{made.stderr[-2000:]}")
    for beside in {pathlib.Path(path).parts[1] for path in paths_of(there) if path.startswith("../")}:
        installed(folder.parent / beside, build)
    return there


def paths_of(folder):
    if not (folder / "lock.json").exists():  # a program without a manifest
        return []
    return json.loads((folder / "lock.json").read_text()).get("paths", [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build")
    parser.add_argument("--name")
    parser.add_argument("--only", choices=[check.__name__ for check in CHECKS], action="append")
    given = parser.parse_args()
    folder = installed(given.folder.resolve(), given.build, given.name) if given.build else given.folder.resolve()
    checks = [check for check in CHECKS if not given.only or check.__name__ in given.only]
    if found := first_mistake(folder, checks):
        sys.exit(f"{folder.name}: {found[0]}: {found[1]}")
    print(f"{folder.name}: {len(checks)} checks, no mistake")


if __name__ == "__main__":
    try:
        main()
    except unittest.SkipTest as why:
        print(f"SKIP: {why}")
        sys.exit(needs.SKIPPED)
