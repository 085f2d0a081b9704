"""Document 004: locks that take no row lock, on any MySQL; for claims.py."""

import json

import claims_waits as waits

LOCKS = ["ip_lease", "upsert_lease"]
CROWD = 10
FEW = 20  # fewer statements are not reported
TRIED = {"locks": ["upsert_lease"], "clients": 5, "lease_ms": 2000, "hold_ms": [20, 50], "duration_ms": 4000}


def waited(trials, options):
    """{lock: [{statement: counts} of each trial]}"""
    # ip_lease writes once a lease, so it needs longer.
    longer = {"per_lock": {"ip_lease": {"duration_ms": options.long_ms}}}
    load = {"locks": LOCKS, "lease_ms": 1000, "duration_ms": options.trial_ms, **longer}
    seen = trials.run({f"c{n}": {**load, "clients": n} for n in (1, CROWD)}, (options.repeat + 1) // 2)
    return {lock: [waits.counts(h, waits.usual(seen["c1"][lock])) for h in seen[f"c{CROWD}"][lock]] for lock in LOCKS}


def servers(trials, options):
    """[(server, what became of upsert_lease on it)]"""
    return [tried(trials), *([tried(trials, options.mysqld)] if options.mysqld else [])]


def tried(trials, program=None):
    """(which server it was, what became of upsert_lease on it)"""
    trials.seed += 1
    more = ["--server", f"mysqld={program}"] if program else []
    run = trials.once({"server": TRIED}, 1, more)
    verdict = json.loads((run / "verdict.json").read_text())
    seen = [p for c in verdict["cells"] for t in c["trials"] for p in t["verdict"]["properties"]]
    if not seen:
        return verdict["server"] or program, "not tested: it did not run"
    bad = [p["property"] for p in seen if p["judgement"] == "violated"]
    held = [p["property"] for p in seen if p["judgement"] == "holds"]
    return verdict["server"], "violated: " + ", ".join(bad) if bad else "held: " + ", ".join(held)


def lock_free_part(counted):
    control = waits.total(counted["ip_lease"], ["select"])
    says = [
        words(lock, waits.total(trials), control, waits.total(trials, ["insert", "update", "acquire", "release"]))
        for lock, trials in counted.items()
    ]
    return (
        "## Document 004: lock-free, no row lock is taken\n\n"
        f"{CROWD} clients with one key and a lease of 1 s. They release and ask again at once, or 5 ms after a "
        "refusal. `ip_lease`'s SELECT locks nothing.\n\n"
        + "\n".join(says)
        + "\nIn InnoDB, each INSERT, UPDATE and DELETE locks its rows until the commit.\n\n"
    )


def words(lock, everything, control, writes):
    errors = everything["deadlocks"] + everything["time_outs"]
    blocked = waits.blocked(writes, control)
    free = {"true here": "not true here", "not seen here": "true here"}.get(blocked, blocked)
    if writes["sent"] < FEW:
        free = "too few to conclude"
    if errors:
        free = "not true here"
    return (
        f"`{lock}`: no statement waits for a row: {free} ({waits.percent(waits.share(writes))} of {writes['sent']} "
        f"writes and {waits.percent(waits.share(control))} of the SELECTs waited; {errors} deadlocks and timeouts)."
    )


def servers_part(rows):
    names = " ".join(name.lower() for name, _ in rows)
    rows = rows + [(name, "not tested") for name in ("MySQL 5.0", "MySQL 8.0") if name.lower() not in names]
    return (
        "## Document 004: compatible with MySQL 5.0 and 8.0\n\n"
        f"`upsert_lease` with {TRIED['clients']} clients and no fault, on the available servers (`--mysqld PATH` adds "
        f"another): {'; '.join(f'{name} {result}' for name, result in rows)}.{verdict_words(rows)}\n\n"
    )


def verdict_words(rows):
    asked = [result for name, result in rows if name.startswith(("MySQL 5.0", "MySQL 8.0"))]
    if any(result.startswith("violated") for result in asked):
        return " Not true here."
    return " True here." if all(result.startswith("held") for result in asked) else ""
