"""The words of docs/claims.md, from what claims.py has measured. What is said of a claim follows from the figures."""

import claims_waits as waits
from claims_figures import median, spread, steady, table, verdict

LOCKING = ("unique_row", "unique_row_in_transaction")  # document 002's, by a locking read

HEAD = """# What the documents claim, and what is so here

`python3 bench/claims.py build/release/holdfast` measures this page anew. Machine:
{machine}; {day}; load {load[0]} before and {load[1]} at the end, the measurement's own included.
{repeat} repetitions ({fewer} of what takes long), in which what is compared takes turns; a ratio is the median of the
repetitions' ratios, with the smallest and the largest. Clients, server and all share the
machine, so where many clients work, they take processor time from the server. Nothing here is asserted by a test.

"""


def partitions_part(ratios):
    rows = [
        (c, k, spread(values), spread(again), verdict(values, 3) if steady(again) else "the machine was too unsteady")
        for (c, k), (values, again) in ratios.items()
    ]
    return (
        "## Document 000: partitions by the key give over three times the queries a second\n\n"
        "`insert_lease_partitioned` (8 partitions) against `insert_lease`, rounds of acquire and release "
        "without a pause;\n"
        "grants a second of the one for each of the other; and of the other for each of itself in a second "
        "trial, which shows\n"
        "how steady the machine was.\n\n"
        + table(["clients", "keys", "partitioned", "itself once more", "over three times?"], rows)
        + "The document measured OceanBase, where a partition can live on another machine; of that nothing can "
        "be told\n"
        "here. On one MariaDB all partitions share one log, and the keys of a lock table are rows that hardly "
        "ever meet on\n"
        "a page's latch. With one key only one partition is ever used.\n\n"
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
        "The median time of a renewal that changes its row, for each of an upsert's "
        "(`insert_lease_upsert_renew`); the\n"
        "last line adds the medians of two statements:\n\n"
        + table(["renewal", "times an upsert's"], rows)
        + f"That a renewal in two statements takes at least a tenth longer than the upsert: "
        f"{verdict(two, 1.1)}. That a guarded\n"
        f"UPDATE does: {verdict(update, 1.1)}. What the upsert costs is not time: it asks for no owner, and so "
        f"revives a row\n"
        "that was freed, or prolongs another's (docs/locks.md).\n\n"
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
        "All clients want one key, hold it for no time, and ask again 5 ms after a refusal. Each round also "
        "reads and writes\n"
        "the protected resource, on MariaDB for all of them, which makes the ratios smaller than those of the "
        "locks alone.\n"
        "Grants a second, for each of `redis_setnx`:\n\n" + table(head, rates) + "Statements sent for each "
        "grant, those of "
        "refused attempts and of the release among them:\n\n" + table(head, work) + "The time that one attempt "
        "in a hundred "
        "takes longer than:\n\n" + table(head, slow) + "Statements that ended in a deadlock (1213) / "
        "in a lock "
        "wait's time-out (1205), for each attempt; stuck: trials in\nwhose last third nobody was granted anything:\n\n"
        + table(head, failed)
        + database_words(trials, numbers)
    )


def database_waits(trials, numbers):
    """A table of the statements that waited, of those that look at a row; the last line's look at none."""
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
        f"Blocking. {waits.DEFINITION}:\nthe last line takes no lock and can wait for nothing else.\n\n"
        + database_waits(trials, numbers)
        + "That it blocks: "
        + " ".join(blocking)
        + "\nThat it deadlocks: "
        + " ".join(deadlocks)
        + "\n\nA release that is the deadlock's victim leaves the row for ever, for it has no expiry:\n"
        "that costs more than any slowness. The unlock of both is ours (the document prints none): it deletes by the row's\n"
        "id and meets the two indexes in the other order than the lock does, and so has a part in these deadlocks.\n"
        "Locks that need no locking read (`insert_lease`) are in the tables for\n"
        "comparison. Whether a database is *too* slow depends on what the lock protects, and cannot be told here.\n\n"
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
        "`ip_lease` as cron uses it: all instances look at the same tick, and the lease has run out. Ticks at "
        "which more\n"
        "than one was let in, by the number of instances that look:\n\n"
        + table(["instances that look", "two or more let in"], cron)
        + "The same without a common tick, each instance asking every 100 ms at a moment of its own:\n\n"
        + table(["instances that look", "two or more let in"], loose)
        + f"That it happens more often with more instances is {'true' if more else 'not seen'} here. With two, "
        + (
            'it does not "probably work" where both look at the same tick: '
            if two[0] * 5 > two[1]
            else "it mostly works: "
        )
        + f"{percent((2, True))}.\nAll instances share one machine's clock here, which puts them closer "
        f"together than clocks "
        "kept by NTP would; so the first\ntable is a worst case, and the second, where only chance brings two "
        "together, a "
        "mild one.\n\n"
    )
