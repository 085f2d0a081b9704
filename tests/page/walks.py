#!/usr/bin/env python3
"""Walks through the steps of a schedule or a story, opens packed cells of a large run, or scrolls through a wide
matrix, in headless Chromium.

    walks.py steps|story|large|wide report.html OUT_FOLDER

Prints what is wrong; exit code 1 when anything is, 77 when there is no Chromium.
"""
import os
import sys

from devtools import CHROMIUM, Browser

NODES = """(() => { const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL); let n = 0;
  while (walk.nextNode()) ++n; return n; })()"""
# From the key to the layout that follows it.
FILTER = """((text) => { const b = performance.now(); filterField.value = text;
  filterField.dispatchEvent(new Event("input")); document.documentElement.getBoundingClientRect();
  document.querySelector("#environment").getBoundingClientRect(); return performance.now() - b; })"""


def button(name):
    return f"[...document.querySelectorAll('.walk button')].find((b) => b.textContent.includes({name!r})).click()"


def try_steps(browser, address, out):
    wrong = []
    browser.size(1280, 1000)
    browser.open(address)
    shown = "[...document.querySelectorAll('table.steps')[0].tBodies[0].rows].map((r) => r.className)"
    if browser.value(shown) != ["", "", ""]:
        wrong.append(f"before the walk: {browser.value(shown)}")
    browser.value(button("next step"))
    browser.value(button("next step"))
    if browser.value(shown) != ["", "now", "later"]:
        wrong.append(f"at the second step: {browser.value(shown)}")
    browser.screenshot(os.path.join(out, "second_step.png"))
    browser.value(button("previous step"))
    if browser.value(shown) != ["now", "later", "later"]:
        wrong.append(f"back at the first step: {browser.value(shown)}")
    browser.value(button("all steps"))
    if browser.value(shown) != ["", "", ""]:
        wrong.append(f"with all steps: {browser.value(shown)}")
    browser.size(375, 1000)
    browser.open(address)
    if browser.value("document.documentElement.scrollWidth") > 375:
        wrong.append("the page is wider than a phone")
    cut = browser.value("[...document.querySelectorAll('table.steps')].some((t) => t.scrollWidth > innerWidth)")
    if cut:
        wrong.append("the steps are wider than a phone")
    browser.screenshot(os.path.join(out, "phone.png"))
    return wrong


def try_story(browser, address, out):
    """The numbers in a violation's picture are the steps below it: each leads to the other."""
    wrong = []
    browser.open(address)
    steps = browser.value("document.querySelectorAll('#finding .facts > li').length")
    marks = "[...[...document.querySelectorAll('#finding .story-picture svg')].find((s) => s.checkVisibility())" \
            ".querySelectorAll('.step')]"
    numbers = browser.value(marks + ".map((m) => Number(m.dataset.step)).sort((a, b) => a - b)")
    if steps < 4 or numbers != list(range(1, steps + 1)):
        wrong.append(f"{steps} steps, and in the picture {numbers}")
    for _ in range(2):
        browser.value(button("next step"))
    state = marks + ".map((m) => [m.dataset.step, m.getAttribute('class')])"
    shown = dict(browser.value(state))
    if shown["1"] != "step" or shown["2"] != "step now" or shown["3"] != "step later":
        wrong.append(f"at the second step the picture has {shown}")
    browser.screenshot(os.path.join(out, "story_step.png"))
    browser.value(marks + ".find((m) => m.dataset.step === '4').dispatchEvent(new MouseEvent('click'))")
    now = browser.value("[...document.querySelectorAll('#finding .facts > li')].map((s) => s.className)")
    if now[3] != "now" or now[2] != "":
        wrong.append(f"a click at the fourth number leads to {now}")
    return wrong


def try_phone(browser, address, out):
    """Closed cells take little room on a phone, too."""
    browser.size(375, 800)
    browser.open(address)
    high = browser.value("document.documentElement.scrollHeight")
    browser.screenshot(os.path.join(out, "large_phone.png"))
    browser.size(1280, 1000)
    browser.open(address)
    print(f"{high} px on a phone")
    return [f"{high} px high on a phone"] if high > 13_000 else []


# The matrix after it was scrolled by so much: its scrolling part, and its first column, which lies on top.
MATRIX = """((by) => { const table = document.querySelector("table.matrix"), part = table.parentElement;
  part.scrollIntoView(); part.scrollLeft = by;
  const name = table.tBodies[0].rows[2].cells[0], box = name.getBoundingClientRect();
  const shown = part.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + 8, box.top + box.height / 2);
  const heads = [...table.tHead.rows[0].cells].slice(1).map((c) => c.getBoundingClientRect());
  const glyph = table.querySelector("td .glyph"), page = document.documentElement.scrollWidth;
  return { room: part.clientWidth, all: part.scrollWidth, left: box.left - shown.left, name: box.width,
    on_top: name.contains(at), high: table.getBoundingClientRect().height, page,
    letters: parseFloat(getComputedStyle(glyph).fontSize), columns: heads.length,
    apart: heads.every((b, i) => i === 0 || b.left >= heads[i - 1].right - 1),
    shadow: getComputedStyle(part).backgroundImage.split("linear-gradient").length - 1 }; })"""


def try_wide(browser, address, out):
    """Forty columns: the names of the rows stay in sight, and the rest scrolls, which can be seen."""
    wrong = []
    for width, scheme in ((1280, "light"), (375, "light"), (375, "dark")):
        browser.size(width, 800)
        browser.media(scheme=scheme)
        browser.open(address)
        browser.value(MATRIX + "(0)")
        browser.screenshot(os.path.join(out, f"wide_{width}_{scheme}.png"))
        seen = browser.value(MATRIX + "(10_000)")
        browser.screenshot(os.path.join(out, f"wide_{width}_{scheme}_scrolled.png"))
        where = f"at {width} px: {seen}"
        if seen["columns"] != 40 or not seen["apart"] or seen["letters"] < 12 or seen["high"] > 1500:
            wrong.append(f"the matrix cannot be read {where}")
        if seen["page"] > width or seen["all"] <= seen["room"] or seen["shadow"] != 4:
            wrong.append(f"the matrix does not scroll, or not visibly, {where}")
        if abs(seen["left"]) > 1 or not seen["on_top"] or seen["name"] > 0.45 * seen["room"]:
            wrong.append(f"the names of the rows are not beside their cells {where}")
    browser.media()
    return wrong


def try_large(browser, address, out):
    wrong = []
    browser.size(1280, 1000)
    browser.open(address)
    nodes = browser.value(NODES)
    if nodes > 30_000:
        wrong.append(f"{nodes} nodes before a cell is opened")
    high = browser.value("document.documentElement.scrollHeight")
    browser.value("document.querySelectorAll('details.lock').forEach((d) => d.open = true)")
    unfolded = browser.value("document.documentElement.scrollHeight")
    if high > 10_000 or unfolded > 20_000:
        wrong.append(f"{high} px high, and {unfolded} px with the lists of all locks")
    browser.open(address)
    browser.screenshot(os.path.join(out, "large.png"))
    browser.value("document.querySelector('#cells').scrollIntoView()")
    browser.screenshot(os.path.join(out, "large_cells.png"))
    wrong += try_phone(browser, address, out)
    texts = ("lock_1", "caught", "lock_12 scenario_8") * 3
    took = min(browser.value(f"{FILTER}({text!r})") for text in texts)
    left = browser.value("[...document.querySelectorAll('details.cell')].filter((c) => !c.hidden &&"
                         " c.checkVisibility()).length")
    if left != 1 or took > 100:
        wrong.append(f"the filter leaves {left} cells, in {took:.0f} ms")
    print(f"{high} px, {unfolded} px unfolded; {nodes} nodes, filtered in {took:.0f} ms")
    browser.value(f"{FILTER}('')")
    after = browser.value("[...document.querySelectorAll('details.lock')].map((d) => [d.hidden, d.open])")
    if any(hidden for hidden, _ in after) or sum(is_open for _, is_open in after) != 1:
        wrong.append(f"without a filter the lists are {after}")
    browser.open(address + "#lock_12/scenario_8")
    browser.until("!!document.getElementById('lock_12/scenario_8').querySelector('table.properties')")
    browser.until("!!document.getElementById('lock_12/scenario_8').querySelector('svg.timeline')")
    browser.screenshot(os.path.join(out, "opened.png"))
    browser.scripts(False)
    browser.open(address)
    browser.value("document.getElementById('lock_12/scenario_8').closest('details').open = true")
    browser.value("document.querySelectorAll('details.lock').forEach((d) => d.open = true)")
    text = browser.value("document.getElementById('lock_12/scenario_8').innerText")
    if "violated" not in text or "--only lock_12/scenario_8" not in text:
        wrong.append(f"without scripts a cell says {text!r}")
    return wrong


def main():
    kind, page, out = sys.argv[1:]
    if not CHROMIUM:
        print("no Chromium here")
        return 77
    os.makedirs(out, exist_ok=True)
    with Browser() as browser:
        tried = {"steps": try_steps, "story": try_story, "large": try_large, "wide": try_wide}[kind]
        wrong = tried(browser, "file://" + os.path.abspath(page), out) + browser.complaints
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
