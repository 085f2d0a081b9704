"""What histories of the suite of all libraries say of a lock, beside what was broken: for libraries_table.py."""

import collections
import json

ASKED_AFTER_A_LOSS = ["pause", "partition", "pause_release", "partition_release", "renewal_held"]


def events_of(folder):
    with open(folder / "history.jsonl") as lines:
        return [json.loads(line) for line in lines][1:]


def token(measured, lock):
    """Whether its grants carry one."""
    for folder in measured.folders(lock, "none"):
        grants = [one for one in events_of(folder) if one.get("f") == "acquire" and one["type"] == "ok"]
        if grants:
            return "yes" if any("token" in one for one in grants) else "no"
    return "?"


def told(cells, judged):
    """How many of those that were holders past their lease were told, and when at the latest."""
    never = all_of = latest = 0
    for cell in cells.values():
        for trial in judged(cell):
            measures = trial["verdict"]["measures"]
            never, all_of = never + measures["never_told"], all_of + measures["former_holders"]
            latest = max(latest, measures["loss_notice_max_ns"])
    if not all_of:
        return "-"
    return f"{all_of - never} of {all_of}" + (f", {latest / 1e9:.1f} s later at most" if latest else "")


def late_releases(events):
    """How releases ended that were called when somebody else had been granted the lock since."""
    out = collections.Counter()
    overtaken = {}  # of a key: {who holds it: whether another was granted it since}
    asking = {}
    for one in events:
        who, key = one.get("process"), one.get("key")
        if one.get("f") == "acquire" and one["type"] == "ok":
            holders = overtaken.setdefault(key, {})
            for other in holders:
                holders[other] = True
            holders[who] = False
        elif one.get("f") == "release" and one["type"] == "invoke":
            asking[who] = overtaken.get(key, {}).pop(who, False)
        elif one.get("f") == "release" and asking.pop(who, False):
            out[{"ok": "success", "info": "unknown"}.get(one["type"], one.get("reason", "other"))] += 1
    return out


def late_release(measured, lock):
    found = collections.Counter()
    for scenario in ASKED_AFTER_A_LOSS:
        for folder in measured.folders(lock, scenario):
            found += late_releases(events_of(folder))
    return ", ".join(f"{word} {count}" for word, count in found.most_common()) or "-"


def recoveries(events):
    """Seconds from the kill of a client that held a key to the next grant of it."""
    out, holder, dead = [], {}, {}
    for one in events:
        who, key = one.get("client"), one.get("key")
        if one.get("f") == "kill" and one.get("step") == "begin":
            dead.update({key: one["time"] for key, held in holder.items() if held in one["clients"]})
        elif one.get("f") == "acquire" and one["type"] == "ok":
            if key in dead:
                out.append((one["time"] - dead.pop(key)) / 1e9)
            holder[key] = who
        elif one.get("f") == "release" and one["type"] == "ok" and holder.get(key) == who:
            del holder[key]
    return out


def recovery(measured, lock):
    times = [time for folder in measured.folders(lock, "kill") for time in recoveries(events_of(folder))]
    if not times:
        return "-"
    least, most = min(times), max(times)
    return f"{least:.1f} s" if f"{least:.1f}" == f"{most:.1f}" else f"{least:.1f} to {most:.1f} s"
