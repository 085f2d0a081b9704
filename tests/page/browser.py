#!/usr/bin/env python3
"""Looks at a report page in headless Chromium: light, dark, narrow, without its style sheet, and printed.

    browser.py report.html OUT_FOLDER --violation yes|no

Leaves the screenshots and the PDF in OUT_FOLDER for people to look at. Checks what a machine can: that the browser has
nothing to complain about, that dark is dark and light is light, that the red of a violation is on the first screen
exactly when there is one, that a link to a closed cell opens it, and that paper holds what is folded on screen. Prints
what is wrong; exit code 1 when anything is, 77 when there is no Chromium.
"""
import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         "--hide-scrollbars", "--force-device-scale-factor=1", "--enable-logging=stderr", "--v=0"]
DARK = "--blink-settings=preferredColorScheme=0"


def chromium(address, *flags):
    """Runs it on one page; returns its standard output and the console messages of the page."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run([CHROMIUM, *FLAGS, f"--user-data-dir={profile}", *flags, address], capture_output=True,
                              timeout=120, check=True)
    console = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    return done.stdout.decode(errors="replace"), console


def unfiltered(kind, row, before, size):
    """One line of a PNG, its filter undone."""
    for x in range(len(row)):
        left = row[x - size] if x >= size else 0
        corner = before[x - size] if x >= size else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = before[x]
        elif kind == 3:
            add = (left + before[x]) // 2
        elif kind == 4:
            guess = left + before[x] - corner
            near = (left, before[x], corner)  # the first of the nearest
            add = min(near, key=lambda value: abs(guess - value))
        else:
            add = 0
        row[x] = (row[x] + add) & 255
    return row


def pixels(path):
    """Every pixel of a screenshot as (red, green, blue), line by line."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed, width, size = 8, b"", 0, 3
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, size = struct.unpack(">I", body[:4])[0], {2: 3, 6: 4}[body[9]]
        if name == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    before, line = bytearray(width * size), width * size + 1
    for start in range(0, len(raw), line):
        before = unfiltered(raw[start], bytearray(raw[start + 1:start + line]), before, size)
        for x in range(0, width * size, size):
            yield before[x], before[x + 1], before[x + 2]


def look(path):
    """How bright a screenshot is on the whole, 0 to 255, and how many pixels are strongly red."""
    light = red = count = 0
    for r, g, b in pixels(path):
        light += r + g + b
        red += r > 150 and g < 40 and b < 60
        count += 1
    return light / (3 * count), red


def screenshot(page, out, name, size, *flags):
    path = os.path.join(out, name + ".png")
    _, console = chromium(page, f"--window-size={size}", f"--screenshot={path}", *flags)
    return path, [f"{name}: {line}" for line in console]


def check_screens(address, plain, out, violation):
    wrong = []
    light, console = screenshot(address, out, "light", "1280,1000")
    wrong += console
    brightness, red = look(light)
    if brightness < 200:
        wrong.append(f"light: brightness {brightness:.0f} is that of a dark page")
    if violation != (red > 3000):
        wrong.append(f"light: {red} red pixels, with violation {violation}")
    dark, console = screenshot(address, out, "dark", "1280,1000", DARK)
    wrong += console
    brightness, _ = look(dark)
    if brightness > 80:
        wrong.append(f"dark: brightness {brightness:.0f} is that of a light page")
    for name, page, size in (("narrow", address, "500,1400"), ("unstyled", plain, "1280,1400")):
        _, console = screenshot(page, out, name, size)
        wrong += console
    return wrong


def check_links(address, page):
    """A browser that is sent to a closed cell opens it."""
    closed = re.search(r'<details class="cell"><summary>.*?id="([^"]+)"', page)
    if not closed:
        return []
    dom, _ = chromium(f"{address}#{closed.group(1)}", "--dump-dom")
    start = dom.find(f'id="{closed.group(1)}"')
    tag = dom[dom.rfind("<details", 0, start):start]
    opened = tag.startswith('<details class="cell" open')
    return [] if opened else [f"a link to {closed.group(1)} does not open its cell"]


def check_paper(address, page, out):
    path = os.path.join(out, "printed.pdf")
    chromium(address, "--no-pdf-header-footer", f"--print-to-pdf={path}")
    with open(path, "rb") as file:
        sheets = len(re.findall(rb"/Type\s*/Page\b", file.read()))
    # A folded cell is a line, an unfolded one at least a third of a sheet.
    cells = page.count('<details class="cell"')
    return [] if sheets >= max(1, cells // 3) else [f"printed: {sheets} sheets for {cells} cells, so they stay folded"]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("page")
    options.add_argument("out")
    options.add_argument("--violation", choices=["yes", "no"], required=True)
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
    wrong = check_screens(address, "file://" + os.path.abspath(plain), given.out, given.violation == "yes")
    wrong += check_links(address, page) + check_paper(address, page, given.out)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
