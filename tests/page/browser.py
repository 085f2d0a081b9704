#!/usr/bin/env python3
"""Looks at a report page in headless Chromium: light, dark, narrow, without its style sheet, and printed.

    browser.py report.html OUT_FOLDER --violation yes|no

Leaves the screenshots and the PDF in OUT_FOLDER for people to look at. Checks what a machine can: that the browser has
nothing to complain about, that dark is dark and light is light, that the red of a violation is on the first screen
exactly when there is one, that nothing is wider than a narrow screen, tables among it, that a link to a closed cell
opens it, and that paper holds what is folded on screen. Prints what is wrong; exit code 1 when anything is, 77 when
there is no Chromium.
"""
import argparse
import base64
import os
import re
import sys

from devtools import CHROMIUM, Browser

COUNT = """(async (text) => { const image = await createImageBitmap(await (await fetch(text)).blob());
  const brush = new OffscreenCanvas(image.width, image.height).getContext("2d");
  brush.drawImage(image, 0, 0);
  const d = brush.getImageData(0, 0, image.width, image.height).data;
  let light = 0, red = 0;
  for (let i = 0; i < d.length; i += 4) {
    light += d[i] + d[i + 1] + d[i + 2];
    red += d[i] > 150 && d[i + 1] < 40 && d[i + 2] < 60;
  }
  return [light / d.length * 4 / 3, red]; })"""


def look(browser, path):
    """The average brightness of a screenshot, 0 to 255, and its number of strongly red pixels."""
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    browser.open("about:blank")
    return browser.value(f"{COUNT}('data:image/png;base64,{data}')")


def seen(browser, address, out, name, size):
    """A screenshot once the page is at rest: everything in sight is drawn."""
    browser.size(*size)
    browser.open(address)
    browser.until("[...document.querySelectorAll('figure[data-events]')].every((f) => f.dataset.readyMs ||"
                  " f.dataset.still || !f.checkVisibility() ||"
                  " f.getBoundingClientRect().top > innerHeight + 200)")
    path = os.path.join(out, name + ".png")
    browser.screenshot(path)
    return path


def check_screens(browser, address, plain, out, violation, much_red):
    wrong = []
    brightness, red = look(browser, seen(browser, address, out, "light", (1280, 1000)))
    if brightness < 200:
        wrong.append(f"light: brightness {brightness:.0f} is that of a dark page")
    if violation != (red > much_red):
        wrong.append(f"light: {red} red pixels, with violation {violation}")
    seen(browser, address, out, "light", (1280, 1000))
    cut = browser.value("[...document.querySelectorAll('table.compared')].filter((t) => t.scrollWidth >"
                        " t.parentElement.clientWidth).length")
    if cut:
        wrong.append(f"light: {cut} tables of a comparison have columns beyond the edge")
    browser.media(scheme="dark")
    brightness, _ = look(browser, seen(browser, address, out, "dark", (1280, 1000)))
    if brightness > 80:
        wrong.append(f"dark: brightness {brightness:.0f} is that of a light page")
    browser.media()
    seen(browser, address, out, "narrow", (400, 1400))
    wide = browser.value("document.documentElement.scrollWidth")
    if wide > 400:
        wrong.append(f"narrow: the page is {wide} wide on a screen of 400")
    cut = browser.value("[...document.querySelectorAll('table.cards')].filter((t) => t.checkVisibility() &&"
                        " t.scrollWidth > innerWidth).map((t) => t.className)")
    if cut:
        wrong.append(f"narrow: tables that do not fit the screen: {cut}")
    seen(browser, plain, out, "unstyled", (1280, 1400))
    return wrong


# Labels of pictures in sight that are cut at an edge, or that lie on one another.
LABELS = """(() => { const out = [];
  for (const svg of document.querySelectorAll("svg.timeline, svg.trial-plots")) {
    if (!svg.checkVisibility()) continue;
    const s = svg.getBoundingClientRect();
    const all = [...svg.querySelectorAll("text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
    all.forEach(([text, b], i) => {
      if (b.left < s.left - 1 || b.right > s.right + 1 || b.top < s.top - 1 || b.bottom > s.bottom + 1) out.push(text);
      for (const [other, c] of all.slice(i + 1)) {
        const apart = b.left > c.right - 1 || c.left > b.right - 1 || b.top > c.bottom - 3 || c.top > b.bottom - 3;
        if (!apart) out.push(text + " on " + other);
      }
    });
  }
  return out; })()"""


def check_labels(browser, address, page):
    """The picture of a violation is whole at any width, with scripts and without, and so are its labels."""
    wrong, shapes = [], {}
    for width, scripts in ((1280, True), (1280, False), (375, True), (375, False)):
        browser.size(width, 1000)
        browser.scripts(scripts)
        browser.open(address)
        browser.value("document.querySelectorAll('details').forEach((d) => d.open = true)")
        where = f"at {width} px, scripts {scripts}"
        labels = browser.value(LABELS)
        if labels:
            wrong.append(f"{where}: labels cut or on one another: {labels[:5]}")
        wide = browser.value("[...document.querySelectorAll('.story-picture svg')].filter((s) =>"
                             " s.getBoundingClientRect().right > innerWidth + 1).length")
        if wide:
            wrong.append(f"{where}: {wide} pictures reach beyond the screen")
        shapes[width, scripts] = browser.value("[...document.querySelectorAll('.story-picture svg.timeline')].filter("
                                               "(s) => s.checkVisibility()).map((s) => s.querySelectorAll('*').length)")
        plots = browser.value("[...document.querySelectorAll('svg.plot')].filter((s) => s.checkVisibility()).map("
                              "(s) => s.getBoundingClientRect().width)")
        if not scripts and "data-events" in page and (not plots or min(plots) < 200 or max(plots) > width):
            wrong.append(f"{where}: the plots are {plots} wide")
    browser.scripts(True)
    for width in (1280, 375):
        if shapes[width, True] != shapes[width, False]:
            wrong.append(f"at {width} px scripts change the picture: {shapes}")
    return wrong


def check_links(browser, address, page):
    """A browser that is sent to a closed cell opens it."""
    closed = re.search(r'<details class="cell"><summary>.*?id="([^"]+)"', page)
    if not closed:
        return []
    browser.open("about:blank")
    browser.open(f"{address}#{closed.group(1)}")
    opened = browser.value(f"document.getElementById('{closed.group(1)}').closest('details').open")
    return [] if opened else [f"a link to {closed.group(1)} does not open its cell"]


def check_paper(browser, address, page, out):
    path = os.path.join(out, "printed.pdf")
    browser.open(address)
    browser.print_to(path)
    with open(path, "rb") as file:
        sheets = len(re.findall(rb"/Type\s*/Page\b", file.read()))
    # An unfolded cell is at least a third of a sheet.
    cells = page.count('<details class="cell" open')
    return [] if sheets >= max(1, cells // 3) else [f"printed: {sheets} sheets for {cells} unfolded cells"]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("page")
    options.add_argument("out")
    options.add_argument("--violation", choices=["yes", "no"], required=True)
    options.add_argument("--red", type=int, default=3000, help="a violation has more red pixels on the first screen")
    given = options.parse_args()
    if not CHROMIUM:
        print("no Chromium here")
        return 77
    os.makedirs(given.out, exist_ok=True)
    with open(given.page, encoding="utf-8") as file:
        page = file.read()
    plain = os.path.join(given.out, "unstyled.html")
    with open(plain, "w", encoding="utf-8") as file:
        file.write(re.sub(r"<style>.*?</style>", "", page, flags=re.S))
    address = "file://" + os.path.abspath(given.page)
    with Browser() as browser:
        plain = "file://" + os.path.abspath(plain)
        wrong = check_screens(browser, address, plain, given.out, given.violation == "yes", given.red)
        wrong += check_labels(browser, address, page)
        wrong += check_links(browser, address, page) + check_paper(browser, address, page, given.out)
        wrong += browser.complaints
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
