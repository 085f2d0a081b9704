#!/usr/bin/python3
"""`etcdctl lock`: etcd's own Mutex, a process for each grant, which keeps its lease alive until it is told to end.

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

END_S = 2  # a process that takes longer to give up or to release leaves the outcome unknown


PDEATHSIG = 1  # of prctl: else the lock of an adapter that is dead would be kept alive
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
        wait_s = None if "wait_ms" not in ask else max(ask["wait_ms"] / 1000, 0.3)  # it cannot try without waiting
        if not select.select([process.stdout], [], [], wait_s)[0]:
            return {"is": "busy" if self.end(process) is not None and self.answers() else "info"}
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

    def answers(self):  # else nobody was asked: etcdctl waits for a server as long as for a lock
        return self.etcdctl(f"--command-timeout={END_S}s", "get", "/").wait() == 0

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
    answers, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    talking = threading.Lock()
    adapter = None

    def say(message):
        with talking:
            print(json.dumps(message), file=answers, flush=True)

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
        elif ask["do"] in ("acquire", "release"):
            said = getattr(adapter, ask["do"])(ask)
        else:
            said = {"is": "fail", "why": f"cannot {ask['do']}"}
        say({"n": ask.get("n"), **said})
    for process in list(adapter.held.values()) if adapter else []:
        process.kill()


if __name__ == "__main__":
    main()
