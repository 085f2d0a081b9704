"""Privileges of servers and clients in a lab, as they report them: only those that a trial needs."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

import needs
from own_servers import program
from program import SOURCE, ProgramTest, as_user, processes, program_for_all, quick, wait_until

# Says what it may, and tries what it should not, before it becomes the installed server.
SPY = """#!/bin/sh
try() { if "$@" 2>/dev/null; then echo "did: $*"; else echo "refused: $*"; fi; }
{
  grep -E "^(Cap|NoNewPrivs)" /proc/self/status
  read inside outside length < /proc/self/uid_map; echo "outside: $outside"
  ls /proc/self/fd | sed 's/^/descriptor: /'
  env | sed 's/^/environment: /'
  try touch /etc/holdfast-was-here
  try touch SOURCE/holdfast-was-here
  try touch OUT/holdfast-was-here
  try mount -o remount,rw /
  try sh -c 'cat /proc/sys/kernel/printk_delay > /proc/sys/kernel/printk_delay'
  try touch "$HOME/own" "$TMPDIR/own"
} >&2
exec REAL "$@"
"""
HARMLESS = {"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LANG", "PWD", "OLDPWD", "SHLVL", "_"}


class SafeLab(ProgramTest):
    def spied(self, closed=False, prefix=(), command=None):
        """A server's report about itself in a trial, as a list of lines."""
        if closed:  # below a folder that only root may enter
            self.out = self.folder / "closed/runs"
            self.out.parent.mkdir(mode=0o700)
        else:
            self.out.mkdir()
            self.out.chmod(0o777)
        spy = self.folder / "spy"
        words = {"SOURCE": str(SOURCE), "OUT": str(self.out), "REAL": program("mariadbd")}
        spy.write_text(re.sub("SOURCE|OUT|REAL", lambda word: words[word[0]], SPY))
        spy.chmod(0o755)
        arguments = self.run_command(self.scenario("none", quick()), "--quiet", "--server", f"mysqld={spy}")
        for place in ("/etc", SOURCE, self.out):
            self.addCleanup((pathlib.Path(place) / "holdfast-was-here").unlink, missing_ok=True)
        # Variables and descriptors that a user's shell may have left open.
        strange = {"MYSQL_TCP_PORT": "1", "MYSQL_UNIX_PORT": "/nowhere", "MYSQL_HOME": "/nowhere", "SECRET": "told"}
        kept = os.open("/dev/null", os.O_WRONLY)
        self.addCleanup(os.close, kept)
        answer = self.call(
            *(command or [arguments[0]]), *arguments[1:], prefix=prefix, env={**os.environ, **strange}, pass_fds=[kept]
        )
        self.assertEqual(answer.returncode, 0, self.shown)
        return (self.latest() / "cells/insert_lease/none/1/server.log").read_text().splitlines()

    def assert_powerless(self, lines):
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            self.assertIn(f"{name}:\t0000000000000000", lines)
        self.assertIn("NoNewPrivs:\t1", lines)
        own = {line.split(": ")[1] for line in lines if line.startswith("descriptor: ")}
        self.assertLessEqual(own, {"0", "1", "2", "3"}, "3 is the folder that is listed")
        named = {line.split(": ")[1].split("=")[0] for line in lines if line.startswith("environment: ")}
        self.assertLessEqual(named, HARMLESS)
        did = [line for line in lines if line.startswith("did: ")]
        self.assertEqual([re.sub(r"\S+/lab/", "", line) for line in did], ["did: touch home/own tmp/own"])
        self.assertEqual(len([line for line in lines if line.startswith("refused: ")]), 5, lines)

    def test_server_has_no_privileges(self):
        lines = self.spied()
        self.assert_powerless(lines)
        if os.geteuid() == 0:
            self.assertIn("outside: 65534", lines)
        left = [file for file in self.latest().rglob("*") if file.stat().st_uid != os.geteuid()]
        self.assertEqual(left, [], "what is left belongs to who started the run")

    def test_server_has_no_privileges_without_close_range(self):
        launcher = pathlib.Path(__file__).with_name("refuse_calls.py")
        self.assert_powerless(self.spied(prefix=[sys.executable, "-B", launcher, "close_range=ENOSYS", "--"]))

    @needs.root("only root runs where others may not go")
    def test_server_below_a_closed_folder_has_no_privileges(self):
        lines = self.spied(closed=True)
        self.assert_powerless(lines)
        self.assertIn("outside: 65534", lines)

    @needs.root("only root can become another user")
    def test_server_of_a_normal_user_has_no_privileges(self):
        lines = self.spied(prefix=as_user([]), command=[program_for_all(self.folder)])
        self.assert_powerless(lines)

    def test_clients_have_no_privileges(self):
        command = self.run_command(self.scenario("none", quick(duration_ms=60000)), "--quiet")
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        self.addCleanup(run.wait)
        self.addCleanup(run.send_signal, signal.SIGKILL)
        clients = wait_until(lambda: len(found := self.clients()) == 3 and found)
        self.assertEqual(len(clients), 3)
        for pid in clients:
            with open(f"/proc/{pid}/status") as status:
                told = dict(line.rstrip("\n").split(":\t", 1) for line in status if ":\t" in line)
            self.assertEqual((told["CapPrm"], told["CapBnd"], told["NoNewPrivs"]), ("0" * 16, "0" * 16, "1"))
            self.assertEqual(told["Uid"].split()[0], "65534" if os.geteuid() == 0 else str(os.geteuid()))
            kept_out = wait_until(lambda pid=pid: not self.open_at_exec(pid, "holdfast-control"), 20)
            self.assertTrue(kept_out, "what a client starts could write the page of all")

    @staticmethod
    def open_at_exec(pid, word):
        """The descriptors of what is called so that a program which this process becomes would have."""
        found = []
        for file in os.listdir(f"/proc/{pid}/fd"):
            try:
                info = pathlib.Path(f"/proc/{pid}/fdinfo/{file}").read_text()
                target = os.readlink(f"/proc/{pid}/fd/{file}")
            except FileNotFoundError:
                continue  # closed since the list was made
            flags = int(re.search(r"flags:\s*(\d+)", info)[1], 8)
            if word in target and not flags & os.O_CLOEXEC:
                found.append(file)
        return found

    def clients(self):
        return [pid for pid, line in processes(str(self.out)).items() if " client " in line]


if __name__ == "__main__":
    unittest.main()
