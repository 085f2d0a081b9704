"""Document 002: what a watchdog costs; for claims.py."""

from claims_figures import spread, table, verdict

PLAIN, THIRD, REDISSON = "redis_set_ttl", "redis_watchdog", "redis_redisson_watchdog"
LOCKS = [PLAIN, THIRD, REDISSON]
CLIENTS = 30


def measure(trials, options):
    """{(hold, lease) in ms: {lock: [figures of each trial]}}: each client has a key of its own; none is refused."""
    pairs = [(3000, lease) for lease in options.leases_ms] + ([(12_000, 30_000)] if options.long_hold else [])
    keys = [f"job{i}" for i in range(CLIENTS)]
    load = {"locks": LOCKS, "clients": CLIENTS, "keys": keys, "keys_of": [[key] for key in keys]}
    scenarios = {
        f"h{hold}l{lease}": {
            **load,
            "hold_ms": hold,
            "lease_ms": lease,
            "duration_ms": max(options.holds * hold, 14_000 if hold > 3000 else 0) + 500,
        }
        for hold, lease in pairs
    }
    seen = trials.run(scenarios, options.watchdog_repeat, jobs=2)
    return {(h, le): {lock: [*map(figures, seen[f"h{h}l{le}"][lock])] for lock in LOCKS} for h, le in pairs}


def figures(history):
    released = {}
    for e in history.events:
        if e["type"] == "invoke" and e["f"] == "release":
            released.setdefault(e["process"], []).append(e["time"] / 1e9)
    held = 0.0
    for e in history.completed("acquire", "ok"):
        until = (t for t in released.get(e["process"], []) if t > e["time"] / 1e9)
        held += min(next(until, history.load_end), history.load_end) - e["time"] / 1e9
    renewed = [e for e in history.done if e.get("background")]
    return {
        "commands": len(history.statements()) / held,
        "renewals": len(renewed) / held,
        "grants": history.grants_per_second(),
    }


def part(measured):
    def ratios(pair, lock, what):
        return [a[what] / b[what] for a, b in zip(measured[pair][lock], measured[pair][PLAIN])]

    rows = []
    for hold, lease in measured:
        trials = measured[hold, lease][THIRD]
        rows.append(
            (
                f"{hold / 1000:g} s",
                f"{lease / 1000:g} s",
                *(spread([t[what] for t in trials]) for what in ("commands", "renewals")),
                spread(ratios((hold, lease), THIRD, "commands")),
            )
        )
    head = ["held for", "lease", "commands", "renewals", "commands, ratio"]
    return (
        "## Document 002: a watchdog costs resources\n\n"
        f"{CLIENTS} clients, each with its own key. Commands of `{THIRD}` per second of holding, the renewals among "
        f"them, and the commands relative to `{PLAIN}`, which has no watchdog:\n\n"
        + table(head, rows)
        + words(measured, ratios)
    )


def words(measured, ratios):
    lines = []
    for lock in (THIRD, REDISSON):
        commands = [r for pair in measured for r in ratios(pair, lock, "commands")]
        grants = [r for pair in measured for r in ratios(pair, lock, "grants")]
        fewer = verdict([1 / r for r in grants], 1.05)
        lines.append(
            f"`{lock}` sends at least a tenth more: {verdict(commands, 1.1)}; it loses a twentieth of the grants: "
            f"{fewer}."
        )
    idle = [pair for pair in measured if not any(t["renewals"] for t in measured[pair][REDISSON])]
    short = ", ".join(f"{le / 1000:g} s" for h, le in idle if le <= h)
    if short:
        lines.append(f"`{REDISSON}` never renewed leases of {short} and let them expire.")
    each = [t["renewals"] * lease / 1000 for (_, lease), locks in measured.items() for t in locks[THIRD]]
    lines.append(f"`{THIRD}` renews {spread(each)} times per lease length held.")
    return "\n".join(lines) + "\n\n"
