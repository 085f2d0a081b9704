"""Words for figures: medians, spreads, tables, and support for a claim; for claims.py."""

import textwrap


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else float("nan")


def spread(values, unit=""):
    """Returns the median and, unless they are equal, the smallest and the largest value."""
    least, most = f"{min(values):.2f}", f"{max(values):.2f}"
    return f"{median(values):.2f}{unit}" + (f" ({least}-{most})" if least != most else "")


def steady(again):
    """True if two measurements of the same thing agree within a half."""
    return min(again) > 2 / 3 and max(again) < 3 / 2


def verdict(values, claimed):
    if min(values) >= claimed:
        return "true here"
    return "not true here" if max(values) < claimed else "not concluded"


def table(head, rows):
    lines = ["| " + " | ".join(str(cell) for cell in line) + " |\n" for line in (head, *rows)]
    return "".join([lines[0], "|---" * len(head) + "|\n", *lines[1:]]) + "\n"


def wrapped(page):
    """The page with its paragraphs in lines of even length; headings and tables stay as they are."""
    paragraphs = page.strip().split("\n\n")
    lines = [
        p if p.startswith(("#", "|")) else textwrap.fill(p, 118, break_long_words=False, break_on_hyphens=False)
        for p in paragraphs
    ]
    return "\n\n".join(lines) + "\n"
