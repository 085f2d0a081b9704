"""Waits for five seconds in several ways, and prints how many milliseconds each took by the program's clock."""

import asyncio
import signal
import socket
import subprocess
import threading
import time


def by_event():
    threading.Event().wait(5)


def by_threads():
    threads = [threading.Thread(target=time.sleep, args=(5,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def by_socket():
    here, _there = socket.socketpair()
    here.settimeout(5)
    try:
        here.recv(1)
    except TimeoutError:
        pass


def by_alarm():
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 5)
    signal.pause()


for wait in (
    lambda: time.sleep(5),
    by_event,
    by_threads,
    by_socket,
    by_alarm,
    lambda: subprocess.run(["sleep", "5"], check=True),
    lambda: asyncio.run(asyncio.sleep(5)),
):
    begin = time.monotonic()
    wait()
    print((time.monotonic() - begin) * 1000)
