#!/usr/bin/env python3
"""Runs a command in which system calls are refused, by a filter of the kernel's (seccomp), as a container's would.

    refuse_calls.py setns=EPERM unshare:0x40000000=ENOSPC -- holdfast doctor
    refuse_calls.py openat@schedstat=ENOENT fsync@result.json=EIO -- holdfast run quick

NAME=ERROR refuses each such call; NAME:BITS=ERROR only those whose first argument has all of the bits; openat@WORD and
fsync@WORD those whose path, or whose file's, has the word in its last part. The first two are the filter's work, and
nobody can take it off; for the last this process is asked (seccomp_unotify(2), Linux 5.5).
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import select
import signal
import socket
import struct
import sys

NUMBERS = {
    "x86_64": {
        "clone": 56, "fsync": 74, "setresuid": 117, "prctl": 157, "mount": 165, "waitid": 247, "openat": 257,
        "unshare": 272, "setns": 308, "seccomp": 317, "memfd_create": 319, "pidfd_send_signal": 424, "open_tree": 428,
        "move_mount": 429, "pidfd_open": 434, "clone3": 435, "close_range": 436, "openat2": 437, "mount_setattr": 442,
    },
    "aarch64": {
        "mount": 40, "openat": 56, "fsync": 82, "waitid": 95, "unshare": 97, "setresuid": 147, "prctl": 167,
        "clone": 220, "setns": 268, "seccomp": 277, "memfd_create": 279, "pidfd_send_signal": 424, "open_tree": 428,
        "move_mount": 429, "pidfd_open": 434, "clone3": 435, "close_range": 436, "openat2": 437, "mount_setattr": 442,
    },
}[os.uname().machine]  # fmt: skip

# Constants of classic BPF, and of a filter's answers (linux/filter.h, linux/seccomp.h).
LOAD, JUMP_EQUAL, AND, RETURN = 0x20, 0x15, 0x54, 0x06
ALLOW, ERRNO, ASK = 0x7FFF0000, 0x00050000, 0x7FC00000
NUMBER_AT, FIRST_ARGUMENT_AT = 0, 16
PR_SET_NO_NEW_PRIVS, SET_FILTER, NEW_LISTENER, GO_ON = 38, 1, 8, 1
RECEIVE, ANSWER = 0xC0502100, 0xC0182101  # ioctls of the listener
QUESTION = struct.Struct("QIIiIQ6Q")  # id, process, flags; number, architecture, instruction, arguments


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


def part_of(rule):
    """The instructions of one rule; what does not fit it goes on after them."""
    call, _, error = rule.partition("=")
    name, _, bits = call.partition("@")[0].partition(":")
    refused = instruction(RETURN, ASK if "@" in call else ERRNO | getattr(errno, error))
    load = instruction(LOAD, NUMBER_AT)
    if not bits:
        return load + instruction(JUMP_EQUAL, NUMBERS[name], 0, 1) + refused
    wanted = int(bits, 0)
    argument = instruction(LOAD, FIRST_ARGUMENT_AT) + instruction(AND, wanted) + instruction(JUMP_EQUAL, wanted, 0, 1)
    return load + instruction(JUMP_EQUAL, NUMBERS[name], 0, 4) + argument + refused


def called(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    answer = libc.syscall(*(ctypes.c_ulong(word) for word in (number, *arguments)))
    if answer < 0:
        sys.exit(f"refuse_calls: {os.strerror(ctypes.get_errno())}")
    return answer


def install(rules):
    """The listener's descriptor, or 0."""
    code = b"".join(map(part_of, rules)) + instruction(RETURN, ALLOW)
    kept = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(kept)))
    asked = NEW_LISTENER if any("@" in rule for rule in rules) else 0
    called(NUMBERS["prctl"], PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return called(NUMBERS["seccomp"], SET_FILTER, asked, ctypes.addressof(program))


def path_of(process, name, arguments):
    """The object of the call; empty if the process is gone."""
    with contextlib.suppress(OSError, ValueError):
        if name == "fsync":
            return os.readlink(f"/proc/{process}/fd/{arguments[0]}")
        with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
            memory.seek(arguments[1])
            return memory.read(4096).split(b"\0")[0].decode(errors="replace")
    return ""


def answer(listener, rules):
    question = bytearray(QUESTION.size)
    fcntl.ioctl(listener, RECEIVE, question)
    number, process, _, call, _, _, *arguments = QUESTION.unpack(question)
    error = 0
    for rule in rules:
        name, _, word = rule.partition("=")[0].partition("@")
        if word and NUMBERS[name] == call and word in path_of(process, name, arguments).rpartition("/")[2]:
            error = -getattr(errno, rule.partition("=")[2])
    fcntl.ioctl(listener, ANSWER, struct.pack("QqiI", number, 0, error, 0 if error else GO_ON))


def run_asked(command, rules):
    """Runs until no process with the filter is left."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        socket.send_fds(theirs, [b"."], [install(rules)])
        os.execvp(command[0], command)
    _, (listener,), _, _ = socket.recv_fds(ours, 1, 1)
    door = select.poll()
    door.register(listener, select.POLLIN)
    while not (events := door.poll()) or not events[0][1] & select.POLLHUP:
        with contextlib.suppress(OSError):  # the asking process may be gone
            if events:
                answer(listener, rules)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def main():
    at = sys.argv.index("--")
    rules, command = sys.argv[1:at], sys.argv[at + 1 :]
    if any("@" in rule for rule in rules):
        run_asked(command, rules)
    install(rules)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
