#!/usr/bin/env python3
"""Takes pictures of pages for docs/pages.md: `pictures.py OUT KIND...`, each of KIND.html in the working folder.

Writes OUT/page_KIND.webp, the first screen of the page in Chromium, and fails if one is larger than 150 kB.
"""

import base64
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "page"))

from devtools import Browser  # noqa: E402

SCREEN = (1280, 1000)
MOST_BYTES = 150_000


def picture(browser, page):
    browser.size(*SCREEN)
    browser.open(page.resolve().as_uri())
    asked = {"format": "webp", "quality": 70}
    return base64.b64decode(browser.ask("Page.captureScreenshot", **asked)["data"])


def main():
    out, kinds = pathlib.Path(sys.argv[1]), sys.argv[2:]
    with Browser() as browser:
        for kind in kinds:
            data = picture(browser, pathlib.Path(f"{kind}.html"))
            if len(data) > MOST_BYTES:
                sys.exit(f"pictures.py: the picture of {kind}.html has {len(data)} bytes, at most {MOST_BYTES}")
            (out / f"page_{kind}.webp").write_bytes(data)


if __name__ == "__main__":
    main()
