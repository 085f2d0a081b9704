#!/usr/bin/env python3
"""Uses a report page in headless Chromium as a reader does: keys, wheel, dragging, search, links, tables, paper.

    moves.py report.html OUT_FOLDER --violation yes|no [--measure]

The first timeline is brought into sight and tried. Screenshots are left in OUT_FOLDER for people to look at. Prints
what is wrong, and with --measure how long drawing all operations takes; exit code 1 when anything is wrong, 77 when
there is no Chromium.
"""
import argparse
import os
import sys

import blocked
import tries
from devtools import CHROMIUM, Browser


def main():
    options = argparse.ArgumentParser()
    options.add_argument("page")
    options.add_argument("out")
    options.add_argument("--violation", choices=["yes", "no"], required=True)
    options.add_argument("--measure", action="store_true")
    given = options.parse_args()
    if not CHROMIUM:
        print("no Chromium here")
        return 77
    os.makedirs(given.out, exist_ok=True)
    address = "file://" + os.path.abspath(given.page)
    with Browser() as browser:
        tried = tries.Tried(browser, given.out)
        browser.open(address)
        tries.wake(browser)
        tried.picture("light_live")
        if given.measure:
            tries.measure(tried)
        tries.try_keys(tried, given.violation == "yes")
        tries.try_pointer(tried)
        tries.try_signs(tried, given.violation == "yes")
        tries.try_evidence(tried)
        tries.try_search(tried)
        tries.try_tables(tried)
        tries.try_paper(tried)
        tries.try_link(tried, address)
        blocked.try_names(tried)
        browser.size(420, 900)
        tried.window()
        tried.picture("narrow_live")
        browser.size(1280, 1000)
        blocked.try_without_scripts(tried, address)
        blocked.try_strict_server(tried, given.page)
        tried.wrong += browser.complaints
    print("\n".join(tried.wrong), end="\n" if tried.wrong else "")
    return 1 if tried.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
