"""Measures the documents' claims and writes docs/claims.md.

    python3 bench/claims.py build/release/holdfast            # about 25 minutes; let nothing else run
    python3 bench/claims.py build/release/holdfast --quick    # one short repetition, to see that it works; prints only

Thirteen claims. Document 000: partitions make a lock table three times as fast; the upsert renews fast; an attempt
belongs in a transaction of its own; inserts time out without the index; a clustered key is faster. Document 001: the
lock is efficient; after 3 s another process takes over. Document 002: a lock in a database is slow, blocks and
deadlocks; its queries get slower as the table grows; a watchdog costs resources. Document 004: an unguarded lease
mostly works with two instances; no row lock is taken; it runs on MySQL 5.0 and 8.0.

All figures come from one run on one machine, and are given as ratios of trials that took turns: an absolute figure
says more about the machine than about the lock. No test asserts any of them.
"""

import argparse
import datetime
import pathlib
import platform

import claims_insert
import claims_leader
import claims_lock_free
import claims_tables
import claims_text as text
import claims_waits as waits
import claims_watchdog
from claims_figures import median, wrapped
from claims_trials import Trials

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "claims.md"


def partitions(trials, options):
    """Grants a second for each of insert_lease: {(clients, keys): ([ratio of the partitioned], [of itself again])}."""
    pairs = [(4, 64), (16, 64), (48, 64), (16, 1)]
    plain, split = "insert_lease", "insert_lease_partitioned"
    keys = {}
    for c, k in pairs:
        load = {"clients": c, "keys": k, "lease_ms": 20_000, "duration_ms": options.trial_ms}
        keys |= {f"c{c}k{k}": {"locks": [plain, split], **load}, f"c{c}k{k}again": {"locks": [plain], **load}}
    seen = trials.run(keys, options.repeat)

    def ratios(c, k, other):
        below = (h.grants_per_second() for h in seen[f"c{c}k{k}"][plain])
        return [h.grants_per_second() / b for h, b in zip(other, below)]

    return {
        (c, k): (ratios(c, k, seen[f"c{c}k{k}"][split]), ratios(c, k, seen[f"c{c}k{k}again"][plain])) for c, k in pairs
    }


def renewals(trials, options):
    """Times of statements: {statement: [median of a trial]}. Most clients hold a key of their own and renew it every
    1.1 s, so that a column of whole seconds changes each time: an update that changes nothing writes nothing."""
    locks = ["insert_lease_upsert_renew", "fenced_lease", "leader_version_cas_unique_owner"]
    hold = {"lease_ms": 3300, "hold_ms": options.long_ms, "duration_ms": options.long_ms // 2}
    seen = trials.run({"renew": {"locks": locks, "clients": 16, "keys": 64, **hold}}, options.repeat)["renew"]

    def medians(lock, statement):
        return [median(h.statement_times(statement)) for h in seen[lock]]

    return {
        "upsert": medians(locks[0], "renew"),
        "update": medians(locks[1], "renew"),
        "select": medians(locks[2], "select"),
    }


def database(trials, options):
    """By lock and number of clients on one key: a few figures of each trial."""
    locks = ["unique_row", "unique_row_in_transaction", "insert_lease", "redis_setnx", "redis_token"]
    numbers = [1, 2, 5, 10, 50]
    load = {"locks": locks, "lease_ms": 20_000, "duration_ms": options.trial_ms}
    keys = {f"c{n}": {**load, "clients": n} for n in numbers}
    seen = trials.run(keys, (options.repeat + 1) // 2)
    usual = {lock: waits.usual(seen["c1"][lock]) for lock in locks}
    return {(lock, n): [figures(h, usual[lock]) for h in seen[f"c{n}"][lock]] for lock in locks for n in numbers}


def figures(history, usual):
    statements = history.statements()
    grants = history.grants()
    return {
        "grants": len(grants) / history.load_end,
        "deadlocks": sum(s["error"] == 1213 for s in statements),
        "counts": waits.counts(history, usual),
        "stuck": bool(grants) and history.load_end - grants[-1][1] > history.load_end / 3,
    }


def overlaps(trials, options):
    """At a tick at which a lease has run out: {(instances that look, aligned): (ticks with two let in, ticks)}."""
    base = {"locks": ["ip_lease"], "lease_ms": 1000, "hold_ms": 100, "duration_ms": options.long_ms}
    # A granted client sleeps over the next tick, so that n - 1 of n instances look.
    cron = {"poll_ms": 2000, "poll_aligned": True, "silence_ms": 2300}
    loose = {"poll_ms": 100, "poll_aligned": False, "silence_ms": 2300}
    keys = {f"cron{k}": {**base, **cron, "clients": k + 1} for k in (2, 3, 4, 5, 6, 8, 10)}
    keys |= {f"loose{k}": {**base, **loose, "clients": k + 1} for k in (2, 10)}
    seen = trials.run(keys, options.long_repeat, jobs=5)
    out = {}
    for name in keys:
        counts = [let_in(h) for h in seen[name]["ip_lease"]]
        several = sum(n > 1 for trial in counts for n in trial)
        out[int(name.lstrip("cronlse")), name.startswith("cron")] = (several, sum(map(len, counts)))
    return out


def let_in(history):
    """Counts the clients granted each time, except the first time, when there is no row yet."""
    groups, last = [], -1e9
    for _, answered in history.grants():
        if answered - last > 1.0:
            groups.append(0)
        groups[-1] += 1
        last = answered
    return groups[1:]


def machine():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    processors = sum(line.startswith("processor") for line in open("/proc/cpuinfo"))
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    return f"{processors} processors ({cpu}), Linux {platform.release().split('-')[0]}", load


# In the order of the page: the measurement, and its text.
PARTS = [
    (partitions, text.partitions_part),
    (renewals, text.renewals_part),
    (claims_insert.transaction, claims_insert.transaction_part),
    (claims_insert.index, claims_insert.index_part),
    (claims_tables.clustered, claims_tables.clustered_part),
    (claims_leader.ticks, claims_leader.ticks_part),
    (claims_leader.takeovers, claims_leader.takeovers_part),
    (database, text.database_part),
    (claims_tables.grown, claims_tables.grown_part),
    (claims_watchdog.measure, claims_watchdog.part),
    (overlaps, text.overlaps_part),
    (claims_lock_free.waited, claims_lock_free.lock_free_part),
    (claims_lock_free.servers, claims_lock_free.servers_part),
]


def settings():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true", help="one short repetition; prints, writes nothing")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--mysqld", help="a MySQL server's program, to try document 004's lock on too")
    parser.add_argument("--only", help="measure only parts whose name has this in it; prints, writes nothing")
    options = parser.parse_args()
    long = {"trial_ms": 2000, "long_ms": 20_000, "long_repeat": 4, "tick_ms": 5000, "takeovers": 20}
    long |= {"numbers": [1, 2, 5, 10, 50], "leases_ms": [1000, 2000, 3000], "holds": 3, "watchdog_repeat": 2}
    long |= {"long_hold": True, "table_rows": [1000, 100_000, 1_000_000], "lookups": 20_000}
    quick = {"trial_ms": 1000, "long_ms": 7000, "long_repeat": 1, "tick_ms": 2000, "takeovers": 5, "repeat": 1}
    quick |= {"numbers": [1, 5, 50], "leases_ms": [1000, 3000], "holds": 1, "watchdog_repeat": 1}
    quick |= {"long_hold": False, "table_rows": [1000, 100_000], "lookups": 3000}
    for name, value in (long | quick if options.quick else long).items():
        setattr(options, name, value)
    return options


def main():
    options = settings()
    name, before = machine()
    with Trials(options.program, 1) as trials:
        parts = [(m, words) for m, words in PARTS if (options.only or "") in f"{m.__module__}.{m.__name__}"]
        told = [words(measure(trials, options)) for measure, words in parts]
        server = sorted(trials.server)
    where = {
        "machine": f"{name}, {', '.join(server)}",
        "day": datetime.date.today().isoformat(),
        "load": (before, machine()[1]),
        "repeat": options.repeat,
        "fewer": (options.repeat + 1) // 2,
    }
    page = wrapped(text.HEAD.format(**where) + "".join(told))
    print(page)
    if not options.quick and not options.only:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
