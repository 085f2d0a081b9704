#!/usr/bin/env python3
"""Looks at printed pages in headless Chromium, on a sheet of A4 or Letter, in a browser that is light or dark.

    paper.py PAGE...

Nothing may reach beyond the sheet or be cut by a box that would scroll, and dark blocks, controls and canvases have no
place on paper. A cell is printed as it is on the screen, folded or not.
Prints what is wrong; exit code 1 when anything is, 77 when there is no Chromium.
"""
import os
import sys

from devtools import CHROMIUM, Browser

# Pixels between the margins of 14 mm.
SHEETS = {"A4": 688, "Letter": 710}
BEYOND = """[...document.querySelectorAll("main *")].filter((e) => e.checkVisibility() &&
  !e.closest(".definitions") && (!e.ownerSVGElement || e.tagName === "text") &&
  (e.getBoundingClientRect().right > innerWidth + 1 ||
    (!e.ownerSVGElement && e.clientWidth > 0 && e.getBoundingClientRect().left + e.scrollWidth > innerWidth + 1)))"""
CUT = """[...document.querySelectorAll("main *")].filter((e) => e.checkVisibility() && !e.ownerSVGElement &&
  getComputedStyle(e).overflowX !== "visible" && getComputedStyle(e).display !== "inline" &&
  (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1))"""
DARK = """[document.body, ...document.querySelectorAll("main *")].filter((e) => {
  const box = e.getBoundingClientRect(), ground = getComputedStyle(e).backgroundColor.match(/[\\d.]+/g).map(Number);
  return e.checkVisibility() && box.width * box.height > 4000 && (ground.length < 4 || ground[3] > 0.5) &&
    ground[0] + ground[1] + ground[2] < 200; })"""
FOLDED = """[...document.querySelectorAll("details.cell:not([open]) .cell-body")].filter((e) =>
  e.checkVisibility())"""
UNFOLDED = """[...document.querySelectorAll("details.cell[open] .cell-body")].filter((e) => !e.checkVisibility())"""
SCREEN_ONLY = "[...document.querySelectorAll('button:not(.event), input, canvas')].filter((e) => e.checkVisibility())"
NAMES = ".slice(0, 4).map((e) => e.tagName + '.' + (e.getAttribute('class') || '') + ' ' + e.textContent.slice(0, 60))"


def mistakes(browser, address):
    wrong = []
    for sheet, width in SHEETS.items():
        for scheme in ("light", "dark"):
            browser.size(width, 1000)
            browser.media("print", scheme)
            browser.open(address)
            browser.value("window.dispatchEvent(new Event('beforeprint'))")
            where = f"{os.path.basename(address)} on {sheet}, {scheme}"
            for what, expression in (("beyond the sheet", BEYOND), ("cut", CUT), ("dark", DARK),
                                     ("only for a screen", SCREEN_ONLY), ("folded, but printed", FOLDED),
                                     ("unfolded, but not printed", UNFOLDED)):
                found = browser.value(expression + NAMES)
                if found:
                    wrong.append(f"{where}: {what}: {found}")
    browser.media()
    return wrong


def main():
    if not CHROMIUM:
        print("no Chromium here")
        return 77
    with Browser() as browser:
        wrong = [one for page in sys.argv[1:] for one in mistakes(browser, "file://" + os.path.abspath(page))]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
