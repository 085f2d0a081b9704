#!/usr/bin/env python3
"""Runs axe-core (from npm), which finds barriers for readers with disabilities, on pages in headless Chromium.

    axe.py PAGE...

Each page is tried light and dark, on a screen and on a phone, as it opens and with its first parts unfolded; one with
very many cells as it opens, light on a screen and dark on a phone. Prints each finding with its first elements; exit
code 1 when there is any, 77 without Chromium or npm.
"""
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "program"))

import needs  # noqa: E402
from devtools import CHROMIUM, Browser  # noqa: E402

VERSION = "4.14.1"
KEPT = SOURCE / "build" / "page_tools" / f"axe-core-{VERSION}.js"
FINDINGS = """axe.run(document, {resultTypes: ["violations"]}).then((all) => all.violations.map((v) => v.id + ": " +
  v.help + ", " + v.nodes.length + " times: " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " +
  [...n.any, ...n.all].map((c) => c.message).join("; ").slice(0, 200)).join(" | ")))"""
# Timelines draw themselves when they are in sight.
UNFOLD = """(async () => {
  for (const d of [...document.querySelectorAll("details")].slice(0, 40)) d.open = true;
  for (const f of document.querySelectorAll("figure[data-events]")) {
    f.scrollIntoView(); await new Promise((done) => setTimeout(done, 60)); }
  scrollTo(0, 0); })()"""
MOST_UNFOLDED = 120  # lists that can be folded


def axe():
    """The text of axe-core, kept in build/."""
    if not KEPT.exists():
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
            subprocess.run([*needs.NPM.split(), "pack", "--silent", f"axe-core@{VERSION}"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            with tarfile.open(next(pathlib.Path(folder).glob("*.tgz"))) as packed:
                text = packed.extractfile("package/axe.min.js").read()
            whole = pathlib.Path(folder) / "axe.js"
            whole.write_bytes(text)
            whole.rename(KEPT)
    return KEPT.read_text(encoding="utf-8")


def findings(browser, address, program):
    found = []
    for width, scheme in ((1280, "light"), (1280, "dark"), (375, "light"), (375, "dark")):
        browser.size(width, 1000)
        browser.media(scheme=scheme)
        browser.open(address)
        browser.value(program + "; 0")
        many = browser.value("document.querySelectorAll('details').length") >= MOST_UNFOLDED
        if many and (width == 1280) != (scheme == "light"):
            continue
        wrong = browser.value(FINDINGS) if many or (width == 1280 and scheme == "light") else []
        if not many:
            browser.value(UNFOLD)
            wrong += [f"unfolded: {one}" for one in browser.value(FINDINGS) if one not in wrong]
        found += [f"{os.path.basename(address)}, {scheme}, {width} px: {one}" for one in wrong]
    return found


def main():
    why = "" if CHROMIUM else "no Chromium here"
    if not why and not KEPT.exists():
        why = needs.unreachable("npm")
    if why:
        print(why)
        return 77
    program = axe()
    with Browser() as browser:
        found = [one for page in sys.argv[1:] for one in findings(browser, "file://" + os.path.abspath(page), program)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
