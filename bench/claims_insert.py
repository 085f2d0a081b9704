"""Document 000's attempt: the transaction around it, and the index that it needs; for claims.py."""

import claims_waits as waits
from claims_figures import median, spread, table

PLAIN, AUTOCOMMIT, NO_INDEX = "insert_lease", "insert_lease_autocommit", "insert_lease_no_index"
FORMS = {PLAIN: "transaction", AUTOCOMMIT: "autocommit"}


def transaction(trials, options):
    """{(clients, keys): {lock: [a few figures of each trial]}}"""
    pairs = [*((n, 1) for n in options.numbers), (16, 64)]
    load = {"locks": [PLAIN, AUTOCOMMIT], "lease_ms": 20_000, "duration_ms": options.trial_ms}
    seen = trials.run({f"c{c}k{k}": {**load, "clients": c, "keys": k} for c, k in pairs}, options.repeat)
    return {(c, k): {lock: [*map(attempts, seen[f"c{c}k{k}"][lock])] for lock in load["locks"]} for c, k in pairs}


def attempts(history):
    took = sorted(history.took("acquire")) or [0]
    counted = waits.total([waits.counts(history, {})])
    return {
        "attempts": len(took),
        "deadlocks": counted["deadlocks"],
        "median": median(took),
        "grants": history.grants_per_second(),
    }


def transaction_part(measured):
    rows = [
        (
            *pair,
            *(rate(locks[lock], "deadlocks") for lock in FORMS),
            *(spread(ratios(locks, what)) for what in ("median", "grants")),
        )
        for pair, locks in measured.items()
    ]
    head = ["clients", "keys", *(f"{form}: deadlocks, %" for form in FORMS.values()), "time, ratio", "grants, ratio"]
    return (
        "## Document 000: tryLock in a transaction of its own, at READ COMMITTED\n\n"
        f"`{PLAIN}` (the document's form: DELETE of the expired row and INSERT in one transaction) against "
        f"`{AUTOCOMMIT}` (ours: both autocommitted, at the default REPEATABLE READ). Clients release at once and ask "
        "again 5 ms after a refusal. Deadlocks (1213) per attempt; median time of an attempt and grants per second of "
        "the transaction, relative to autocommit:\n\n" + table(head, rows) + transaction_words(measured)
    )


def ratios(locks, what):
    return [a[what] / max(b[what], 1e-9) for a, b in zip(locks[PLAIN], locks[AUTOCOMMIT])]


def rate(trials, what):
    return waits.bare(sum(t[what] for t in trials) / max(1, sum(t["attempts"] for t in trials)))


def transaction_words(measured):
    def deadlocks(lock):
        return sum(t["deadlocks"] / max(1, t["attempts"]) for pair in measured for t in measured[pair][lock])

    plain, other = deadlocks(PLAIN), deadlocks(AUTOCOMMIT)
    often = "as often as" if plain == other else "less often than" if plain < other else "more often than"
    hot = max(p for p in measured if p[1] == 1)
    return (
        f"An attempt in the transaction ends in a deadlock {often} one without it. A single client needs "
        f"{extra(ratios(measured[1, 1], 'median'))} for it; with {hot[0]} clients on one key it gets "
        f"{more(ratios(measured[hot], 'grants'))}. Both forms commit the row before the work begins, the document's "
        "purpose.\n\n"
    )


def extra(ratios):
    """The extra cost of an attempt, in words, from the ratios of the two times."""
    if min(ratios) > 1:
        return f"{100 * (median(ratios) - 1):.0f} % more time"
    return "no more time" if max(ratios) <= 1 else "no measurable extra time"


def more(ratios):
    if min(ratios) > 1.1:
        return f"{median(ratios):.2f} times the grants"
    return (
        f"only {median(ratios):.2f} times the grants"
        if max(ratios) < 0.9
        else "about as many grants, by these figures"
    )


def index(trials, options):
    """{clients: {lock: ({statement: counts} of each trial, ...)}}, and how many were granted and refused."""
    numbers = [1, 5, 50]
    load = {"locks": [PLAIN, NO_INDEX], "keys": 64, "lease_ms": 20_000, "duration_ms": 2 * options.trial_ms}
    seen = trials.run({f"c{n}": {**load, "clients": n} for n in numbers}, (options.repeat + 1) // 2)
    usual = {lock: waits.usual(seen["c1"][lock]) for lock in load["locks"]}
    return {
        n: {lock: [indexed(h, usual[lock]) for h in seen[f"c{n}"][lock]] for lock in load["locks"]} for n in numbers[1:]
    }


def indexed(history, usual):
    took = {}
    for s in history.begun():
        took.setdefault(s["name"], []).append(waits.took(s))
    return {
        "counts": waits.counts(history, usual),
        "slowest": {name: sorted(times)[len(times) * 99 // 100] for name, times in took.items()},
        "grants": len(history.grants()),
        "refused": sum(e.get("reason") == "busy" for e in history.completed("acquire", "fail")),
    }


STATEMENTS = {"acquire": "INSERT", "delete_expired": "DELETE of expired rows", "release": "DELETE by the release"}


def index_part(measured):
    most = max(measured)
    rows = [index_row(measured[most], name) for name in STATEMENTS]
    head = ["statement", *(f"{lock}: waited, %" for lock in (NO_INDEX, PLAIN)), "99 % time, ratio"]
    return (
        "## Document 000: without the index on the key, inserts often time out\n\n"
        f"`{NO_INDEX}` against `{PLAIN}`, {most} clients, 64 keys: the share of statements that waited, and the ratio "
        f"of the 99th percentiles of their times. `START TRANSACTION` locks nothing; of it, {begins(measured)} "
        "waited.\n\n" + table(head, rows) + index_words(measured)
    )


def counted(trials, *names):
    return waits.total([t["counts"] for t in trials], names)


def index_row(locks, name):
    shares = [waits.bare(waits.share(counted(locks[lock], name))) for lock in (NO_INDEX, PLAIN)]
    both = zip(locks[NO_INDEX], locks[PLAIN])
    ratios = [a["slowest"][name] / b["slowest"][name] for a, b in both if name in a["slowest"] and name in b["slowest"]]
    return (STATEMENTS[name], *shares, spread(ratios) if ratios else "none sent")


def begins(measured):
    most = max(measured)
    each = [waits.percent(waits.share(counted(measured[most][lock], "begin"))) for lock in (NO_INDEX, PLAIN)]
    return f"{each[0]} and {each[1]}"


def index_words(measured):
    most = max(measured)
    bare = measured[most][NO_INDEX]
    control = counted(bare, "begin")
    insert, delete = counted(bare, "acquire"), counted(bare, "delete_expired", "release")
    refused = sum(t["refused"] for locks in measured.values() for t in locks[NO_INDEX])
    granted = sum(t["grants"] for locks in measured.values() for t in locks[NO_INDEX])
    with_index = sum(t["refused"] for locks in measured.values() for t in locks[PLAIN])
    numbers = f"{granted} grants and {refused} refusals (with the index: {with_index} refusals)"
    if granted and not refused:
        excludes = f"But every client gets in: {numbers}. The primary key is the lock, not only a fast path."
    else:
        excludes = f"It did refuse clients: {numbers}."
    return (
        f"Inserts time out (here after 1 s): {seen(insert['time_outs'])}; they wait: {waits.blocked(insert, control)}. "
        f"Deletions, which scan the table without an index, time out: {seen(delete['time_outs'])}; they wait: "
        f"{waits.blocked(delete, control)}. {excludes}\n\n"
    )


def seen(number):
    return f"true here ({number})" if number else "not seen here"
