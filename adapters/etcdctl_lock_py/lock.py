#!/usr/bin/python3
"""`etcdctl lock`: etcd's own Mutex, a process for each grant, which keeps its lease alive until it gets SIGTERM.

Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
"""

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

END_S = 2  # a process that takes longer to give up or to release leaves the outcome unknown
LOOK_S = 0.3  # poll interval for other waiters, while a grant has not come


PDEATHSIG = 1  # of prctl: otherwise the lock of a dead adapter would be kept alive
LIBC = ctypes.CDLL(None)


def die_with_parent():
    LIBC.prctl(PDEATHSIG, signal.SIGKILL)


class EtcdctlLock:
    def __init__(self, hello, say):
        self.endpoint = "http://{host}:{port}".format(**hello["servers"][0])
        self.say = say
        self.held = {}  # the process of each lock that is held

    def etcdctl(self, *words):
        environment = {**os.environ, "ETCDCTL_API": "3"}
        command = ["etcdctl", "--endpoints", self.endpoint, "-w", "json", *words]
        pipes = {"stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return subprocess.Popen(command, env=environment, preexec_fn=die_with_parent, **pipes)

    def acquire(self, ask):
        process = self.etcdctl("lock", ask["lock"], f"--ttl={ask['lease_ms'] // 1000}")
        begun = time.monotonic()
        gives_up = begun + ask["wait_ms"] / 1000 if "wait_ms" in ask else None
        while not select.select([process.stdout], [], [], LOOK_S)[0]:
            candidates = self.candidates(ask["lock"])
            if candidates is None:  # no server answers, so that it could not even give up
                process.kill()
                process.wait()
                return {"is": "info", "why": "no answer from etcd"}
            now = time.monotonic()
            if gives_up is None or now < gives_up:
                continue
            if candidates < 2 and now < max(gives_up, begun + END_S):
                continue  # itself at most: a full machine is slow to start a program, and it cannot try without waiting
            ended = self.end(process)
            return {"is": "busy" if ended is not None and candidates > 1 else "info"}
        line = process.stdout.readline()
        if not line:  # it ended: perhaps its key is there until its lease ends
            return {"is": "info", "why": f"etcdctl ended with {process.wait()}"}
        self.held[ask["lock"]] = process
        threading.Thread(target=self.watch, args=(ask["lock"], process), daemon=True).start()
        return {"is": "ok", "token": json.loads(line)["kvs"][0]["create_revision"]}

    def release(self, ask):
        process = self.held.pop(ask["lock"], None)
        if process is None:
            return {"is": "not_held"}
        code = self.end(process)
        return {"is": {0: "ok", None: "info"}.get(code, "not_held")}

    def candidates(self, lock):
        """The number of holders and waiters, including this one; None: no answer."""
        asked = self.etcdctl(f"--command-timeout={END_S}s", "get", "--prefix", "--keys-only", f"{lock}/")
        found, _ = asked.communicate()
        return json.loads(found).get("count", 0) if asked.returncode == 0 else None

    def end(self, process):  # its code; None: it did not end by itself
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None

    def watch(self, lock, process):  # it ends by itself when its session is over
        process.wait()
        if self.held.get(lock) is process:
            del self.held[lock]
            self.say({"is": "lost", "lock": lock, "why": f"etcdctl ended with {process.returncode}"})


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    talking = threading.Lock()
    adapter = None
    # One thread that stays: what a thread has started is killed when the thread ends (PDEATHSIG).
    worker = ThreadPoolExecutor(1)

    def say(message):
        with talking:
            print(json.dumps(message), file=answers, flush=True)

    def work(ask):
        try:
            said = getattr(adapter, ask["do"])(ask)
        except BaseException:  # otherwise the error would be lost
            traceback.print_exc()
            os._exit(1)
        say({"n": ask["n"], **said})

    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            adapter, can = EtcdctlLock(ask, say), ["wait", "lost", "background"]
            version = subprocess.check_output(["etcdctl", "version"], text=True).split()[2]
            said = {"is": "ready", "v": 1, "name": "etcdctl_lock_py", "version": version, "can": can}
        elif ask["do"] == "pulse":
            said = {"is": "ok", "wall_ms": time.time_ns() // 1_000_000}
        elif ask["do"] in ("acquire", "release"):  # each takes its time, and a pulse is answered meanwhile
            worker.submit(work, ask)
            continue
        else:
            said = {"is": "fail", "why": f"cannot {ask['do']}"}
        say({"n": ask.get("n"), **said})
    for process in list(adapter.held.values()) if adapter else []:
        process.kill()


if __name__ == "__main__":
    main()
