#!/usr/bin/python3
"""A job scheduler whose jobs run on one server at a time: the instance that takes the row of MySQL or MariaDB runs
the job.

Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
"""

import json
import queue
import sys
import threading
import time

import pymysql

CONNECT_S = 2  # to connect; a reply is waited for, since a time-out would hide a job that begins after its lease
TABLE = """CREATE TABLE IF NOT EXISTS job_row (
  name VARCHAR(64) PRIMARY KEY, taken_by VARCHAR(64) NOT NULL, until DATETIME(6) NOT NULL)"""
NEW = "INSERT IGNORE INTO job_row VALUES (%(name)s, '', '2000-01-01')"
# Taken for as long as the job lasts at most.
TAKE = """UPDATE job_row SET taken_by = %(run)s, until = UTC_TIMESTAMP(6) + INTERVAL %(lease_us)s MICROSECOND
  WHERE name = %(name)s AND until < UTC_TIMESTAMP(6)"""
FREE = "UPDATE job_row SET until = '2000-01-01' WHERE name = %(name)s AND taken_by = %(run)s"


class Job(threading.Thread):
    """Wakes up every `every_s`; if the row can be taken its body begins, and waits until it is asked to end."""

    def __init__(self, hello, name, say):
        super().__init__(daemon=True)
        at = hello["servers"][0]
        place = {key: at[key] for key in ("host", "port", "user", "database")}
        self.address = {**place, "connect_timeout": CONNECT_S}
        self.every_s = hello["options"].get("every_ms", 100) / 1000
        self.owner, self.runs = hello["owner"], 0
        self.row = {"name": name, "lease_us": hello["lease_ms"] * 1000}
        self.say, self.asked = say, queue.Queue()
        self.session = None

    def ask(self, sql):
        if not self.session or not self.session.open:
            self.session = pymysql.connect(autocommit=True, **self.address)
        with self.session.cursor() as cursor:
            return cursor.execute(sql, self.row)

    def failed(self):  # the reply may still come; it would answer the next question
        if self.session and self.session.open:
            self.session.close()

    def run(self):
        while True:
            time.sleep(self.every_s)
            self.runs += 1
            self.row["run"] = f"{self.owner}:{self.runs}"
            try:
                taken = self.ask(TAKE)
            except pymysql.Error:  # taken or not: the job does not run
                self.failed()
                continue
            if taken:
                self.body()

    def body(self):
        self.say(lock=self.row["name"], **{"is": "granted"})
        ask = self.asked.get()
        try:
            self.say(n=ask["n"], **{"is": "ok" if self.ask(FREE) else "not_held"})
        except pymysql.Error as error:  # sent or not, done or not: unknown
            self.failed()
            self.say(n=ask["n"], why=str(error), **{"is": "info"})


def begin(hello, say):
    jobs = {name: Job(hello, name, say) for name in hello["locks"]}
    next(iter(jobs.values())).ask(TABLE)
    for job in jobs.values():
        job.ask(NEW)
        job.start()
    return jobs


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    writing = threading.Lock()
    jobs = {}

    def say(**message):
        with writing:
            print(json.dumps(message), file=answers, flush=True)

    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            jobs = begin(ask, say)
            say(n=0, v=1, name="job_row_py", version=pymysql.__version__, can=[], **{"is": "ready"})
        elif ask["do"] == "pulse":
            say(n=ask["n"], wall_ms=time.time_ns() // 1_000_000, **{"is": "ok"})
        elif ask["do"] == "release":
            jobs[ask["lock"]].asked.put(ask)
        else:
            say(n=ask["n"], why="nobody asks: jobs begin by themselves", **{"is": "fail"})


if __name__ == "__main__":
    main()
