#!/usr/bin/env python3
"""A target that answers wrongly: a relay before a real server changes the server's answers.

    tests/attack/false_answers.py --program build/release/holdfast --count 3000 --seed 4
    tests/attack/false_answers.py --program build/asan/holdfast --for 600 --kind mysql

It calls `clean --target` again and again, on MariaDB, Redis and, if it is installed, PostgreSQL. In each case one
chunk of the answers is changed, cut, repeated, endless, or never arrives. A find is what no command may do
(watched_command.py), exit code 5, an error without the server's address, or a password in clear text.
tests/program/false_server_test.py has servers with one lie each. Exits with 1 if it finds anything. attack_test.py
shows that it does.
"""

import argparse
import os
import pathlib
import random
import shutil
import socket
import sys
import tempfile
import threading
import time

from mutations import changed_bytes
from watched_command import Watcher, failings

HERE = pathlib.Path(__file__).resolve().parent
LEAST_S, MOST_MB = 90, 400  # an answer has 60 s, and 64 MiB
ENDLESS = 100 << 20


class Relay:
    """Passes the bytes of each connection on; one chunk of the answers is changed."""

    def __init__(self, port, choose):
        self.port, self.choose = port, choose
        self.at = choose.choice([0, 0, 1, 1, 2, 3, 4, 6, 9])  # number of the chunk
        self.way = choose.choice(["bytes"] * 30 + ["endless", "cut", "cut", "silent", "again", "again"])
        self.asked = b""
        self.door = socket.create_server(("127.0.0.1", 0))
        self.own_port = self.door.getsockname()[1]
        self.chunks, self.done = 0, "nothing"
        self.over = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.over.is_set():
            try:
                connection, _ = self.door.accept()
                server = socket.create_connection(("127.0.0.1", self.port), 5)
            except OSError:
                return
            for source, target, change in ((connection, server, False), (server, connection, True)):
                threading.Thread(target=self.pump, args=(source, target, change), daemon=True).start()

    def pump(self, source, target, change):
        with source, target:
            source.settimeout(60)
            try:
                while data := source.recv(65_536):
                    if change:
                        self.answer(target, data)
                    else:
                        self.asked += data
                        target.sendall(data)
            except OSError:
                pass  # one of them has had enough

    def answer(self, target, data):
        self.chunks += 1
        if self.chunks != self.at + 1:
            target.sendall(data)
        elif self.way == "bytes":
            data, said = changed_bytes(self.choose, data)
            self.done = f"chunk {self.at}: {said}"
            target.sendall(data)
        elif self.way == "cut":
            self.done = f"cut off in chunk {self.at}"
            target.sendall(data[: len(data) // 2])
            target.shutdown(socket.SHUT_RDWR)
        elif self.way == "silent":
            self.done = f"silent in chunk {self.at}"
        else:
            self.done = f"chunk {self.at}: {self.way}"
            left = ENDLESS if self.way == "endless" else 20 * len(data)
            while left > 0 and not self.over.is_set():
                target.sendall(data)
                left -= len(data)

    def stop(self):
        self.over.set()
        self.door.close()


def case(options, watcher, server, kind, number):
    """One command; the finds, and lines that show them."""
    relay = Relay(server.port, random.Random(f"{options.seed}:{number}"))
    url = server.url().replace(f":{server.port}", f":{relay.own_port}")
    try:
        seen = watcher.run(["clean", "--target", url], watcher.folder, seconds=LEAST_S)
    finally:
        relay.stop()
    finds = list(failings(seen))
    if not seen.hung and seen.code == 5:
        finds.append("exit code 5")
    if not seen.hung and seen.code in (2, 4) and f"127.0.0.1:{relay.own_port}".encode() not in seen.err:
        finds.append("the error does not name the server")
    if kind != "redis" and own_servers.PASSWORD.encode() in relay.asked:  # the URL redis:// implies it
        finds.append("the password was sent in clear text")
    shown = [f"  case {number} ({kind}): {relay.done}; exit {seen.code}, {seen.seconds:.1f} s"]
    shown += [
        "  | " + line[:300] for line in (seen.err + seen.reports).decode(errors="backslashreplace").splitlines()[:30]
    ]
    return finds, shown, seen.code


def campaign(options, folder):
    watcher = Watcher(options.program, folder, LEAST_S, MOST_MB)
    kinds = {"mysql": own_servers.OwnMariaDb, "redis": own_servers.OwnRedis}
    if own_servers.postgres_folder():
        kinds["postgres"] = own_servers.OwnPostgres
    kinds = {kind: make for kind, make in kinds.items() if options.kind in ("", kind)}
    servers, codes, found, number = {}, {}, 0, options.number or 0
    begun = time.monotonic()
    try:
        for kind, make in kinds.items():
            servers[kind] = make()
        own = {server.server.pid for server in servers.values()}
        watcher.not_left(own)
        while number < options.count and not (
            options.seconds_in_all and time.monotonic() - begun > options.seconds_in_all
        ):
            kind = list(servers)[number % len(servers)]
            finds, shown, code = case(options, watcher, servers[kind], kind, number)
            codes[code] = codes.get(code, 0) + 1
            found += bool(finds)
            for find in finds:
                print(f"FIND {find}")
            if finds:
                print("\n".join(shown), flush=True)
            if options.number is not None:
                print("\n".join(shown))
                break
            number += 1
    finally:
        for server in servers.values():
            server.stop()
    line = " ".join(f"{code}: {n}" for code, n in sorted(codes.items()))
    print(f"{sum(codes.values())} cases of seed {options.seed} in {time.monotonic() - begun:.0f} s; exit codes {line}")
    print(f"FAIL  {found} finds" if found else "PASS  no find", flush=True)
    return 1 if found or not codes else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--number", type=int, help="only this case")
    parser.add_argument(
        "--for", type=float, default=0, dest="seconds_in_all", metavar="SECONDS", help="begin none later"
    )
    parser.add_argument("--seed", type=int, default=time.time_ns() % 100_000, help="printed at the end")
    parser.add_argument("--kind", default="", choices=["", "mysql", "redis", "postgres"])
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    return options


def main():
    global own_servers  # pylint: disable=global-statement
    options = arguments()
    os.environ["HOLDFAST_PROGRAM"] = options.program
    os.environ.setdefault("HOLDFAST_SOURCE", str(HERE.parent.parent))
    sys.path.insert(0, str(HERE.parent / "program"))
    import own_servers  # pylint: disable=import-outside-toplevel

    folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-answers-"))
    try:
        return campaign(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
