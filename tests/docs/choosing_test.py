"""docs/choosing.md gives only measured figures: its table is a shorter form of that in docs/table.md, and its other
figures are in the pages that it names. `choosing_test.py --table` prints the tables."""

import os
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(os.environ.get("HOLDFAST_SOURCE", pathlib.Path(__file__).parents[2]))
LOCKS = ["fenced_lease", "insert_lease", "redis_token", "get_lock", "unique_row", "redis_setnx"]
# Events: the scenarios of docs/table.md that show each, the first that a lock has.
COLUMNS = {
    "holder dies": ["kill"],
    "holder stops longer than the lease": ["pause"],
    "holder is cut off": ["partition"],
    "replies are cut off": ["replies_cut"],
    "write arrives late": ["late_write"],
    "reply is lost": ["reply_lost"],
    "session ends": ["session_lost", "connection_kill"],
    "server restarts, keeps all": ["server_kill_aof", "server_kill"],
    "server forgets": ["server_kill_lost", "server_kill"],
    "failover": ["failover", "redis_failover"],
    "server's clock jumps": ["server_clock"],
}
# The same on optional servers.
MORE_LOCKS = ["postgres_fenced_lease", "postgres_advisory_lock", "etcd_lease_txn", "zookeeper_sequential"]
MORE_COLUMNS = {
    "holder dies": ["kill"],
    "holder stops longer than the lease": ["pause"],
    "holder is cut off": ["partition"],
    "reply is lost": ["reply_lost"],
    "session ends": ["session_ended"],
    "server restarts, keeps all": ["server_kill"],
    "server forgets": ["server_kill_lost"],
    "failover": ["failover"],
    "leader of three is killed": ["leader_killed"],
    "server's clock jumps": ["server_clock"],
}
# For a Redis without a log, `server_kill` is a restart that forgets; with a log it has another name.
ON_REDIS = {"server restarts, keeps all": ["server_kill_aof"], "server forgets": ["server_kill"]}
ON_MYSQL = {"server restarts, keeps all": ["server_kill"], "server forgets": ["server_kill_lost"]}


def cells_of(page):
    """A table's rows, as lists of cells."""
    for line in page.splitlines():
        if line.startswith("| ") and not line.startswith("| ---"):
            yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def count_of_one(count, scenarios):
    """Reads a row that sums several scenarios with equal trial counts: the count of one, if all had the same result."""
    expected, tried = map(int, count.split(" of "))
    if len(scenarios) == 1 or expected < tried or tried % len(scenarios):
        return count + (f", in {len(scenarios)} scenarios" if len(scenarios) > 1 else "")
    return f"{expected // len(scenarios)} of {tried // len(scenarios)}"


def measured():
    """(lock, scenario) -> (as expected, seen)"""
    out = {}
    page = (SOURCE / "docs/table.md").read_text()
    for row in cells_of(page.partition("\n## On MySQL itself\n")[0]):  # another server's trials
        if len(row) == 6 and re.fullmatch(r"\d+ of \d+", row[2]):
            scenarios = row[5].split(", ")
            for scenario in scenarios:
                out[row[0], scenario] = count_of_one(row[2], scenarios), row[4]
    return out


def told(count, seen):
    """In a word what was seen in all trials; the worst, where they differ."""
    violated = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"violated:[a-z_,]+ ([a-z_, ]+)", seen))))
    if "resource" in violated:
        word = "damaged"
    elif violated & {"mutual_exclusion", "lease_exclusion"}:
        word = "two believe"
    elif "progress" in violated:
        word = "stuck"
    else:
        word = "safe" if not violated else "other"
    return f"{word} {count.replace(' of ', '/')}"


def table(locks, columns):
    known = measured()
    lines = ["| | " + " | ".join(f"`{lock}`" for lock in locks) + " |", "|---" * (len(locks) + 1) + "|"]
    for what, scenarios in columns.items():
        row, used = [], []
        for lock in locks:
            mine = (ON_REDIS if lock.startswith("redis") else ON_MYSQL).get(what, scenarios)
            found = [name for name in mine if (lock, name) in known][:1]
            used += [name for name in found if name not in used]
            row.append(told(*known[lock, found[0]]) if found else "not tried")
        named = ", ".join(f"`{name}`" for name in used)
        lines.append(f"| {what} ({named}) | " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


class Choosing(unittest.TestCase):
    page = (SOURCE / "docs/choosing.md").read_text() if (SOURCE / "docs/choosing.md").exists() else ""

    def test_table_matches_the_measurements(self):
        for locks, columns, damaged in ((LOCKS, COLUMNS, 10), (MORE_LOCKS, MORE_COLUMNS, 3)):
            shown = table(locks, columns)
            self.assertIn(shown, self.page)
            self.assertGreater(shown.count("damaged"), damaged)
            self.assertEqual(shown.count("other"), 0, "a violation that the page has no word for")

    def test_quoted_figures_are_in_their_source_page(self):
        """Each line of the list of costs ends with its page, where its quoted figures must be."""
        quoted = re.findall(r"^- .*?\(\[[^\]]+\]\(([a-z_]+\.md)[^)]*\)\)$", self.page, re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(quoted), 3)
        for item in re.findall(r"^- (?:.|\n  )+", self.page, re.MULTILINE):
            source = re.search(r"\(\[[^\]]+\]\(([a-z_]+\.md)[^)]*\)\)\s*$", item)
            if not source:
                continue
            from_page = (SOURCE / "docs" / source[1]).read_text()
            figures = re.findall(r"`?\b(\d[\d,.]*(?: ms| %)?)", item[: source.start()])
            for figure in figures:
                self.assertIn(figure, from_page, item)

    def test_wrong_figure_is_found(self):
        self.assertNotEqual(told("10 of 10", "violated:stuck progress"), told("9 of 10", "violated:stuck progress"))
        self.assertEqual(count_of_one("9 of 9", ["a", "b", "c"]), "3 of 3", "nine trials are of three scenarios")
        self.assertEqual(count_of_one("8 of 9", ["a", "b", "c"]), "8 of 9, in 3 scenarios", "of which is not known")
        self.assertEqual(told("2 of 2", "holds; not_exercised ownership"), "safe 2/2")
        self.assertEqual(told("1 of 1", "violated:overrun mutual_exclusion, resource; not_exercised x"), "damaged 1/1")
        self.assertEqual(told("1 of 1", "violated:x lease_exclusion; violated:stuck progress"), "two believe 1/1")


if __name__ == "__main__":
    if "--table" in sys.argv:
        print(table(LOCKS, COLUMNS), table(MORE_LOCKS, MORE_COLUMNS), sep="\n")
    else:
        unittest.main()
