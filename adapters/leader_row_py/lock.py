#!/usr/bin/python3
"""Leader election on a row of MySQL or MariaDB, with callbacks: an elected leader is called, and called again to
stop.

Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
"""

import json
import queue
import sys
import threading
import time

import pymysql

BEAT_S = 0.1  # between two looks at the row
TIMEOUT_S = 0.5  # a server that is silent for longer leaves the outcome unknown
TABLE = """CREATE TABLE IF NOT EXISTS leader_row (
  lock_key VARCHAR(64) PRIMARY KEY, leader VARCHAR(64) NOT NULL, until DATETIME(6) NOT NULL)"""
# Takes a row that is free or over, and makes one's own last; in one statement. `until` is assigned after `leader`.
STAND = """INSERT INTO leader_row VALUES (%(key)s, %(me)s, UTC_TIMESTAMP(6) + INTERVAL %(lease_us)s MICROSECOND)
  ON DUPLICATE KEY UPDATE leader = IF(until < UTC_TIMESTAMP(6), VALUES(leader), leader),
  until = IF(leader = VALUES(leader), VALUES(until), until)"""
LOOK = "SELECT leader FROM leader_row WHERE lock_key = %(key)s AND until >= UTC_TIMESTAMP(6)"
RESIGN = "DELETE FROM leader_row WHERE lock_key = %(key)s AND leader = %(me)s"


class Election(threading.Thread):
    """One candidate: all that it does with the row is done by one thread, beat after beat."""

    def __init__(self, hello, key, say):
        super().__init__(daemon=True)
        at = hello["servers"][0]
        limits = {name: TIMEOUT_S for name in ("connect_timeout", "read_timeout", "write_timeout")}
        self.address = {**{key: at[key] for key in ("host", "port", "user", "database")}, **limits}
        self.lease_s = hello["lease_ms"] / 1000
        self.row = {"key": key, "me": hello["owner"], "lease_us": hello["lease_ms"] * 1000}
        self.say, self.asked = say, queue.Queue()
        self.session = None
        self.campaign = None  # the request, and until when it waits
        self.sure_s = None  # of a leader: until when no other can lead
        self.seen = None  # the leader at the last look

    def ask(self, sql):
        if not self.session or not self.session.open:
            self.session = pymysql.connect(autocommit=True, **self.address)
        with self.session.cursor() as cursor:
            count = cursor.execute(sql, self.row)
            return cursor.fetchone() if cursor.description else count

    def run(self):
        while True:
            try:
                self.hear(self.asked.get(timeout=BEAT_S))
            except queue.Empty:
                self.beat()

    def hear(self, ask):
        if ask["do"] == "acquire":
            self.campaign = (ask["n"], time.monotonic() + ask["wait_ms"] / 1000)
            self.beat()
        elif ask["do"] == "release":
            self.sure_s = None
            self.answer(ask["n"], lambda: "ok" if self.ask(RESIGN) else "not_held")

    def answer(self, n, work):
        try:
            self.say(n=n, **{"is": work()})
        except pymysql.Error as error:  # sent or not, done or not: unknown
            self.failed()
            self.say(n=n, why=str(error), **{"is": "info"})

    def failed(self):  # the reply may still come; it would answer the next question
        if self.session and self.session.open:
            self.session.close()

    def beat(self):
        sent_s = time.monotonic()
        known = True
        try:
            if self.campaign or self.sure_s:
                self.ask(STAND)
            found = self.ask(LOOK)
            self.note(found[0] if found else "", sent_s)
        except pymysql.Error:
            self.failed()
            known = False
        if self.sure_s and time.monotonic() > self.sure_s - TIMEOUT_S:
            self.stopped()
        if self.campaign and time.monotonic() >= self.campaign[1]:
            self.say(n=self.campaign[0], **{"is": "busy" if known else "info"})
            self.campaign = None

    def note(self, leader, sent_s):
        if leader != self.seen:
            self.seen = leader
            self.say(lock=self.row["key"], holder=leader, **{"is": "leader"})
        if leader == self.row["me"] and (self.campaign or self.sure_s):
            self.sure_s = sent_s + self.lease_s
            if self.campaign:
                self.started()
        elif self.sure_s:
            self.stopped()

    def started(self):
        self.say(n=self.campaign[0], **{"is": "ok"})
        self.campaign = None

    def stopped(self):
        self.sure_s = None
        self.say(lock=self.row["key"], **{"is": "lost"})


def begin(hello, say):
    elections = {key: Election(hello, key, say) for key in hello["locks"]}
    first = next(iter(elections.values()))
    first.ask(TABLE)
    for election in elections.values():
        election.start()
    return elections


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    writing = threading.Lock()
    elections = {}

    def say(**message):
        with writing:
            print(json.dumps(message), file=answers, flush=True)

    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            elections = begin(ask, say)
            can = ["wait", "lost", "leader", "background"]
            say(n=0, v=1, name="leader_row_py", version=pymysql.__version__, can=can, **{"is": "ready"})
        elif ask["do"] == "pulse":
            say(n=ask["n"], wall_ms=time.time_ns() // 1_000_000, **{"is": "ok"})
        else:
            elections[ask["lock"]].asked.put(ask)


if __name__ == "__main__":
    main()
