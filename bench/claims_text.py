"""The words of docs/claims.md, from what claims.py has measured; each statement follows from the figures."""

import claims_waits as waits
from claims_figures import median, spread, steady, table, verdict

LOCKING = ("unique_row", "unique_row_in_transaction")  # document 002's, by a locking read

HEAD = """# What the documents claim, and what was measured

`python3 bench/claims.py build/release/holdfast` measures this page again. Machine:
{machine}; {day}; load {load[0]} before and {load[1]} at the end, including the measurement's own.
There were {repeat} repetitions ({fewer} for long measurements), in which the compared trials take turns. A ratio is
the median of the repetitions' ratios, with the smallest and the largest. Clients and server share the machine, so
many clients take processor time from the server. No test asserts anything on this page.

"""


def partitions_part(ratios):
    rows = [
        (c, k, spread(values), spread(again), verdict(values, 3) if steady(again) else "the machine was too unsteady")
        for (c, k), (values, again) in ratios.items()
    ]
    return (
        "## Document 000: partitions by the key give over three times the queries a second\n\n"
        "`insert_lease_partitioned` (8 partitions) compared with `insert_lease`, in rounds of acquire and release "
        "without a pause.\n"
        "The ratio of their grants per second; and the ratio of `insert_lease` to itself in a second trial, which "
        "shows\n"
        "how steady the machine was.\n\n"
        + table(["clients", "keys", "partitioned", "itself again", "over three times?"], rows)
        + "The document measured OceanBase, where a partition can be on another machine; this page cannot test "
        "that.\n"
        "On one MariaDB all partitions share one log, and the rows of a lock table hardly ever contend for a page "
        "latch.\n"
        "With one key only one partition is ever used.\n\n"
    )


def renewals_part(medians):
    update = [a / b for a, b in zip(medians["update"], medians["upsert"])]
    two = [(a + s) / b for a, s, b in zip(medians["update"], medians["select"], medians["upsert"])]
    rows = [
        ("guarded UPDATE (`fenced_lease`)", spread(update)),
        ("SELECT (`leader_version_cas_unique_owner`), then that UPDATE", spread(two)),
    ]
    return (
        "## Document 000: INSERT ... ON DUPLICATE KEY UPDATE is fast, so renew with it\n\n"
        "The median time of a renewal that changes its row, relative to an upsert "
        "(`insert_lease_upsert_renew`). The\n"
        "last row adds the medians of two statements:\n\n"
        + table(["renewal", "time relative to an upsert"], rows)
        + f"A renewal in two statements takes at least a tenth longer than the upsert: "
        f"{verdict(two, 1.1)}. A guarded\n"
        f"UPDATE does: {verdict(update, 1.1)}. The cost of the upsert is not time: it does not check the owner, "
        f"and so revives\n"
        "a row that was released, or extends another client's row (docs/locks.md).\n\n"
    )


def database_part(trials):
    locks = list(dict.fromkeys(lock for lock, _ in trials))
    numbers = sorted({n for _, n in trials})

    def each(lock, n, what):
        return [figures[what] for figures in trials[lock, n]]

    def against_redis(lock, n):
        return [a / b for a, b in zip(each(lock, n, "grants"), each("redis_setnx", n, "grants"))]

    rates = [[lock, *(spread(against_redis(lock, n)) for n in numbers)] for lock in locks if lock != "redis_setnx"]
    work = [[lock, *(f"{median(each(lock, n, 'statements')):.1f}" for n in numbers)] for lock in locks]
    slow = [[lock, *(f"{median(each(lock, n, 'slowest')) * 1000:.0f} ms" for n in numbers)] for lock in locks]

    def errors(lock, n):
        attempts = max(1, sum(each(lock, n, "attempts")))
        percent = [f"{100 * sum(each(lock, n, what)) / attempts:.2f} %" for what in ("deadlocks", "time_outs")]
        stuck = sum(each(lock, n, "stuck"))
        return " / ".join(percent) + (f", stuck {stuck}/{len(trials[lock, n])}" if stuck else "")

    failed = [[lock, *(errors(lock, n) for n in numbers)] for lock in locks if not lock.startswith("redis")]
    head = ["lock", *(f"{n} client{'s' if n > 1 else ''}" for n in numbers)]
    return (
        "## Document 002: a lock in a database is slow, blocks, and can deadlock\n\n"
        "All clients want one key, release it at once, and ask again 5 ms after a refusal. Each round also "
        "reads and writes\n"
        "the protected resource, which is on MariaDB for all locks, so the ratios are smaller than those of the "
        "locks alone.\n"
        "Grants per second, relative to `redis_setnx`:\n\n" + table(head, rates) + "Statements sent per "
        "grant, including those "
        "of refused attempts and of the release:\n\n" + table(head, work) + "The 99th percentile of the time "
        "of an attempt:\n\n" + table(head, slow) + "Statements that ended in a deadlock (1213) / "
        "in a lock "
        "wait timeout (1205), per attempt; stuck: trials in\nwhose last third nobody was granted anything:\n\n"
        + table(head, failed)
        + database_words(trials, numbers)
    )


def database_waits(trials, numbers):
    """A table of the statements that waited, of those that touch a row; those in the last line touch none."""
    several = [n for n in numbers if n > 1]

    def percent(lock, n, names=None):
        return waits.percent(waits.share(counted(trials[lock, n], names)))

    rows = [[lock, *(percent(lock, n) for n in several)] for lock in dict.fromkeys(lock for lock, _ in trials)]
    rows.append([f"START TRANSACTION of {LOCKING[1]}", *(percent(LOCKING[1], n, ["begin"]) for n in several)])
    return table(["statements that waited", *(f"{n} clients" for n in several)], rows)


def counted(trials, names=None):
    return waits.total([t["counts"] for t in trials], names)


def blocking_words(trials, numbers, lock):
    """Judged with each number of clients by itself, since waits for a processor depend on it."""
    several = [n for n in numbers if n > 1]
    each = {n: waits.blocked(counted(trials[lock, n]), counted(trials[LOCKING[1], n], ["begin"])) for n in several}
    so = [str(n) for n in several if each[n] == "true here"]
    says = f"true here with {', '.join(so)} clients" if so else max(each.values(), key=len)
    sent = counted([t for n in several for t in trials[lock, n]])
    return (
        f"`{lock}`: {says}; of {sent['sent']} statements {waits.percent(waits.share(sent))} waited and "
        f"{sent['time_outs']} timed out (1205)."
    )


def database_words(trials, numbers):
    def total(lock, what, wanted):
        return sum(figures[what] for n in numbers if wanted(n) for figures in trials[lock, n])

    deadlocks = []
    for lock in LOCKING:
        few = total(lock, "deadlocks", lambda n: n == 1)
        many, stuck = (total(lock, what, lambda n: n > 1) for what in ("deadlocks", "stuck"))
        so = "true here" if many else "not seen here"
        deadlocks.append(
            f"`{lock}`: {so}, {few} deadlocks with one client, {many} with several, and {stuck} trials "
            "came to a standstill."
        )
    blocking = [blocking_words(trials, numbers, lock) for lock in LOCKING]
    return (
        f"Blocking. {waits.DEFINITION}:\nthe statements in the last row take no lock and can wait for nothing else.\n\n"
        + database_waits(trials, numbers)
        + "It blocks: "
        + " ".join(blocking)
        + "\nIt deadlocks: "
        + " ".join(deadlocks)
        + "\n\nIf a release is the deadlock victim, its row stays for ever, since it has no expiry:\n"
        "that costs more than any slowness. The release of both locks is ours (the document prints none). It deletes\n"
        "by the row's id and so locks the two indexes in the opposite order to the acquire, which contributes to\n"
        "these deadlocks. Locks without a locking read (`insert_lease`) are in the tables for\n"
        "comparison. Whether a database is *too* slow depends on what the lock protects; this page cannot say.\n\n"
    )


def overlaps_part(rates):
    def percent(key):
        several, ticks = rates[key]
        return f"{100 * several / max(1, ticks):.0f} % ({several} of {ticks})"

    cron = [(k, percent((k, aligned))) for k, aligned in sorted(rates) if aligned]
    loose = [(k, percent((k, aligned))) for k, aligned in sorted(rates) if not aligned]
    two = rates[2, True]
    ten = rates[10, True]
    more = ten[0] * two[1] > two[0] * ten[1]
    return (
        "## Document 004: wrong, but with two instances it probably works\n\n"
        "`ip_lease` as cron uses it: all instances ask at the same tick, and the lease has ended. Ticks at "
        "which more\n"
        "than one was granted the lock, by the number of instances that ask:\n\n"
        + table(["instances that ask", "two or more granted"], cron)
        + "The same without a common tick, where each instance asks every 100 ms at times of its own:\n\n"
        + table(["instances that ask", "two or more granted"], loose)
        + f"It happens more often with more instances: {'true' if more else 'not seen'} here. With two, "
        + (
            'it does not "probably work" if both ask at the same tick: '
            if two[0] * 5 > two[1]
            else "it mostly works: "
        )
        + f"{percent((2, True))}.\nAll instances share one machine's clock here, so they are closer "
        f"together than with clocks "
        "kept by NTP. The first\ntable is therefore a worst case; the second, where only chance brings two "
        "together, is a "
        "mild one.\n\n"
    )
