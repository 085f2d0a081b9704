"""What was broken in a cell, in a sentence: for record.py and table.py."""

import collections

# What is seen of each property that was violated; of some kinds it is something else. LONGEST: how long at most.
SEEN = {
    "fencing": "a token was smaller than one before it",
    "leader_view": "an observer learned of a leader that had not led",
    "lease_exclusion": "another client was granted the lock inside a lease",
    "loss_notice": "a former holder learned of the loss LONGEST after the next grant",
    "mutual_exclusion": "two clients acted as holder for LONGEST",
    "ownership": "within its lease, a holder was answered that it holds nothing",
    "progress": "no client could acquire the free lock for LONGEST",
    "resource": "a write of a former holder was accepted",
}
SEEN_OF_KIND = {
    "foreign_release": "a release freed another client's lock",
    "foreign_renew": "a renewal extended another client's lease",
    "no_notice": "a former holder did not learn of the loss in LONGEST",
    "no_return": "a call had not returned after LONGEST",
    "refused_free": "an acquire was refused although no client held or requested the lock",
    "wrong_answer": "a release took effect but was answered as a loss",
    "went_back": "an observer learned of a leader that another had already followed",
}  # fmt: skip
WHY = {
    "algorithm": "no fault that struck them explains it",
    "client_skew": "after a client's clock was set",
    "late_grant": "the grant came after the end of its lease",
    "late_request": "after a request arrived late",
    "loss_unnoticed": "one of them past its lease, and notified late or never though it ran",
    "overrun": "one of them past its lease",
    "partition": "after a cut",
    "reply_lost": "after a reply was lost",
    "request_twice": "after a request arrived twice",
    "server_clock": "after the server's clock was set",
    "server_lost_state": "after the server had lost acknowledged data",
    "session_lost": "after its session was lost",
}


def longest(property_verdict, kind):
    """Seconds, of the witnesses of that kind."""
    spans = [one["to_ns"] - one["from_ns"] for one in property_verdict["witnesses"] if one["kind"] == kind]
    return max(spans, default=0) / 1e9


def seen_in(trials):
    """{kind: {property: how long at most, in seconds}}, of trials in which something was broken."""
    out = collections.defaultdict(dict)
    for trial in trials:
        for one in trial["verdict"]["properties"]:
            if one["judgement"] == "violated":
                for kind in one["kinds"] or [one["kind"]]:
                    of_kind = out[kind]
                    of_kind[one["property"]] = round(max(of_kind.get(one["property"], 0.0), longest(one, kind)), 3)
    return dict(out)


def lasting(seconds):
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms"


def clause(kind, seen):
    """Of one kind; `seen`: {property: seconds}."""
    texts = [SEEN_OF_KIND.get(kind, SEEN.get(name, name)).replace("LONGEST", lasting(seconds))
             for name, seconds in sorted(seen.items())]  # fmt: skip
    why = WHY.get(kind, "")
    word = kind or ", ".join(sorted(seen))
    return f"{', '.join(dict.fromkeys(texts))} (`{word}`{': ' * bool(why)}{why})"


def sentence(seen):
    """The worst of each kind."""
    text = "; ".join(clause(kind, of_kind) for kind, of_kind in sorted(seen.items()))
    return text[:1].upper() + text[1:]
