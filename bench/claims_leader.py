"""Document 001: what its ticks cost, and how long a takeover takes; for claims.py."""

from claims_figures import median, spread, table

LOCK = "leader_version_cas_unique_owner"  # the fixed one: in the document's own, processes of one host are one leader
SETTLED_S = 2.0  # a leader is elected by then


def ticks(trials, options):
    """{processes: [(statements a second, [time of each tick])]}, of trials in which nothing happens."""
    load = {"locks": [LOCK], "lease_ms": 3000, "poll_ms": 1000, "duration_ms": int(1000 * SETTLED_S) + options.tick_ms}
    numbers = [2, 10, 50]
    seen = trials.run({f"c{n}": {**load, "clients": n} for n in numbers}, (options.repeat + 1) // 2)
    return {n: [quiet(h) for h in seen[f"c{n}"][LOCK]] for n in numbers}


def quiet(history):
    times = []
    for e in history.done:
        if e.get("statements") and e["statements"][0]["call"] / 1e9 >= SETTLED_S:
            times.append((e["time"] / 1e9 - history.sent[e["process"], e["op"]], len(e["statements"])))
    length = history.load_end - SETTLED_S
    return sum(n for _, n in times) / length, [t for t, _ in times]


def takeovers(trials, options):
    """Seconds from the leader's death to the next grant; None if there was none."""
    kill = {"fault": "kill", "target": "holder", "at": {"phase": "critical_section", "nth": 2}}
    load = {"locks": [LOCK], "clients": 3, "lease_ms": 3000, "hold_ms": [50, 150], "poll_ms": 1000, "duration_ms": 9000}
    names = [f"kill{i}" for i in range(options.takeovers)]
    seen = trials.run({name: {**load, "faults": [kill]} for name in names}, 1, jobs=5)
    return [takeover(seen[name][LOCK][0]) for name in names]


def takeover(history):
    """(since the kill, since the last statement of the dead one that kept its row alive was answered)"""
    kill = next(e for e in history.events if e.get("f") == "kill" and e.get("step") == "begin")
    dead = kill["clients"][0]
    at = kill["time"] / 1e9
    kept = [
        s["return"] / 1e9
        for e in history.ended
        if e.get("client") == dead and e["type"] == "ok" and e["time"] / 1e9 <= at
        for s in e.get("statements", [])
        if s["name"] in ("promote", "keep_alive")
    ]
    others = (e for e in history.ended if e["f"] == "acquire" and e["type"] == "ok" and e.get("client") != dead)
    granted = next((e["time"] / 1e9 for e in others if e["time"] / 1e9 > at), None)
    return None if granted is None or not kept else (granted - at, granted - max(kept))


def ticks_part(measured):
    rows = []
    for n, trials in measured.items():
        rates = [rate for rate, _ in trials]
        tick = median([t for _, times in trials for t in times])
        rows.append((n, spread(rates), f"{1000 * tick:.1f} ms"))
    first, last = (list(measured)[i] for i in (0, -1))
    growth = median([r for r, _ in measured[last]]) / median([r for r, _ in measured[first]])
    cheap = max(median([t for _, times in trials for t in times]) for trials in measured.values()) < 0.01
    grows = "with the number of processes" if growth > last / first / 2 else "more slowly than the number of processes"
    return (
        "## Document 001: an efficient lock\n\n"
        f"Statements of `{LOCK}` without a change of leader. Each process ticks once a second with a SELECT, the "
        "leader also with an UPDATE; its work is not counted.\n\n"
        + table(["processes", "statements per second", "median time of a tick"], rows)
        + f"A tick takes less than a hundredth of its second: {so(cheap)}. The load grows {grows}.\n\n"
    )


def takeovers_part(measured):
    seen = [t for t in measured if t]
    head = (
        "## Document 001: after 3 s without an update another process takes over\n\n"
        f"`{LOCK}`, three processes; the leader is killed during its work. In {len(seen)} of {len(measured)} trials "
        "another process led before the end"
    )
    if not seen:
        return head + ", so the time is not known.\n\n"
    since_kill, since_update = ([t[i] for t in seen] for i in (0, 1))
    return (
        head
        + f", {spread(since_kill, ' s')} after the kill and {spread(since_update, ' s')} after the answer to the last "
        f"update.\n\nNo process takes the row for 3 s: {so(min(since_update) >= 3)}. 3 s are enough: "
        f"{so(max(since_update) <= 3.05)}. The age counts whole seconds and must exceed 3; then the next tick must "
        "come. So there is no leader for 3 to 5 s after the last update: "
        f"{so(min(since_update) >= 3 and max(since_update) <= 5.05)}.\n\n"
    )


def so(true):
    return "true here" if true else "not true here"
