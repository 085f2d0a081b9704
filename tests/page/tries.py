"""A reader's actions on a timeline, tried one by one: each `try_...` notes mistakes.

`Tried` holds the browser, with the page open and its first view in sight as views[0], and what was found wrong so far.
"""
import os

CTRL, SHIFT = 2, 8
BOX = "(() => { const b = views[0].main.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()"
RED = """(() => { const c = views[0].main, d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] > 150 && d[i + 1] < 70 && d[i + 2] < 90; return n; })()"""
PAINTED = "(draw(views[0]), [views[0].main, views[0].plots].map((c) => c.getContext('2d').getImageData(0, 0, 1, 1)), 1)"


class Tried:
    def __init__(self, browser, out):
        self.browser, self.out, self.wrong = browser, out, []

    def check(self, fine, what):
        if not fine:
            self.wrong.append(what)

    def window(self):
        self.browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.browser.value("[views[0].from, views[0].to]")

    def changes(self, what, act, fine):
        before = self.window()
        act()
        after = self.window()
        self.check(fine(before, after), f"{what}: {before} became {after}")

    def picture(self, name, whole=False):
        self.browser.screenshot(os.path.join(self.out, name + ".png"), whole)


def narrower(a, b):
    return b[1] - b[0] < a[1] - a[0]


def moved(a, b):
    return a != b and abs((b[1] - b[0]) - (a[1] - a[0])) < 2


def wake(browser):
    """Opens the first cell where nothing is shown yet; waits until the first view is there."""
    browser.value("(() => { const f = document.querySelector('figure[data-events]'), d = f && f.closest('details');"
                  " if (d) d.open = true; if (f) f.scrollIntoView(); })()")
    browser.until("views.length > 0 && views[0].frames > 0 && views[0].figure.dataset.readyMs")
    browser.value("views[0].stage.scrollIntoView({block: 'center'})")


def try_keys(tried, violation):
    browser = tried.browser
    tried.changes("w", lambda: browser.press("w"), narrower)
    tried.changes("s", lambda: browser.press("s"), lambda a, b: narrower(b, a))
    browser.press("w")
    browser.press("w")
    tried.changes("a", lambda: browser.press("a"), moved)
    tried.changes("d", lambda: browser.press("d"), moved)
    browser.press("0")
    everything = tried.window()
    tried.check(everything == browser.value("[views[0].trial.begin, views[0].trial.end]"), f"0 shows {everything} only")
    tried.check((browser.value(RED) > 20) == violation, f"red in the whole trial: {browser.value(RED)} pixels")
    before = browser.value("views[0].violation")
    browser.press("n")
    first = browser.value("views[0].trial.violations[0]")
    shown = tried.window()
    if violation:
        tried.check(narrower(everything, shown), f"n shows {shown}, which is everything")
        count, now = browser.value("[views[0].trial.violations.length, views[0].violation]")
        first = browser.value("views[0].trial.violations[views[0].violation]")
        tried.check(shown[0] <= first["from"] and shown[1] >= first["to"], f"n shows {shown}, the violation is {first}")
        tried.check(now == (before + 1) % count, f"n goes from {before} to {now} of {count}")
        browser.press("p")
        tried.check(browser.value("views[0].violation") == before, "p does not go back")
        tried.window()
        tried.check(browser.value(RED) > 1000, f"n shows {browser.value(RED)} red pixels")
    else:
        tried.check(first is None and shown == everything, f"n moved to {shown} where nothing is violated")


def try_pointer(tried):
    browser = tried.browser
    left, top, width, high = browser.value(BOX)
    middle = (left + width * 0.6, top + high * 0.7)
    tried.changes("a wheel that nobody asked for", lambda: browser.mouse("mouseWheel", *middle, deltaX=0, deltaY=-100),
                  lambda a, b: a == b)
    browser.value("views[0].stage.scrollIntoView({block: 'center'})")
    left, top, width, high = browser.value(BOX)
    middle = (left + width * 0.6, top + high * 0.7)
    ctrl = {"deltaX": 0, "deltaY": -100, "modifiers": CTRL}
    tried.changes("wheel with Ctrl", lambda: browser.mouse("mouseWheel", *middle, **ctrl), narrower)
    tried.changes("dragging", lambda: browser.drag(left + width * 0.4, middle[1], left + width * 0.7, middle[1]),
                  narrower)
    tried.changes("dragging with Shift",
                  lambda: browser.drag(middle[0], middle[1], middle[0] - 90, middle[1], SHIFT), moved)
    strip = browser.value("(() => { const b = views[0].minimap.getBoundingClientRect(); return [b.left, b.top]; })()")
    on_strip = (strip[0] + 200, strip[1] + 20, strip[0] + 400, strip[1] + 20)
    tried.changes("the minimap", lambda: browser.drag(*on_strip), moved)


def try_signs(tried, violation):
    """Exactly the drawn signs are explained beside it."""
    shown = tried.browser.value("[...views[0].figure.querySelectorAll('.live-signs')].map((l) => l.innerText)"
                                ".join(' ')")
    faults = tried.browser.value("views[0].trial.faults.length > 0")
    wanted = {"answered": True, "acts as holder": True, "lease ends": True, "write accepted": True,
              "violation": violation, "fault active": faults}
    for words, there in wanted.items():
        tried.check((words in shown) == there, f"the signs beside the timeline: {words!r} should be there: {there}")


def try_evidence(tried):
    """Every answered operation can be pointed at, and shows its statements."""
    browser = tried.browser
    row = browser.value("(() => { const o = views[0].trial.ops; for (let r = 0; r < o.count; ++r)"
                        " if (o.kind[r] === 0 && o.type[r] === 1 && o.client.indexOf(o.client[r], r + 1) > r)"
                        " return r; })()")
    browser.value(f"(() => {{ const o = views[0].trial.ops, r = {row};"
                  " showStretch(views[0], o.from[r] - 5000, o.to[r] + 5000); })()")
    tried.window()
    x, y = browser.value(f"(() => {{ const v = views[0], o = v.trial.ops, r = {row};"
                         " const b = v.main.getBoundingClientRect();"
                         " return [b.left + xOf(v, (o.from[r] + o.to[r]) / 2),"
                         " b.top + laneY(v, laneOf(v, o.client[r])) + v.size.ops[0] + 3]; })()")
    browser.mouse("mouseMoved", x, y)
    note = browser.value("views[0].note.hidden ? '' : views[0].note.textContent")
    tried.check("acquire" in note and "statement" in note and "#" in note, f"pointing at a grant says {note!r}")
    tried.picture("evidence")
    browser.value(f"selectRow(views[0], {row})")
    browser.value("views[0].main.focus()")
    browser.press("ArrowRight")
    tried.check(browser.value(f"views[0].selected.row !== {row}"), "the right arrow selects nothing else")


def try_search(tried):
    browser = tried.browser
    counts = {}
    for query in ("", "c1", "c1 acquire", "no such thing", "#2"):
        browser.value(f"(views[0].find.value = {query!r}, search(views[0], {query!r}))")
        counts[query] = browser.value("views[0].matches ? views[0].matchCount : -1")
    tried.check(counts[""] == -1 and counts["no such thing"] == 0, f"search: {counts}")
    tried.check(0 < counts["c1 acquire"] <= counts["c1"] and counts["#2"] == 1, f"search: {counts}")


def try_link(tried, address):
    """The address that a page shows opens the same view in another browser."""
    browser = tried.browser
    browser.value("(views[0].find.value = 'c1', search(views[0], 'c1'))")
    browser.value("showStretch(views[0], views[0].trial.begin + 100000, views[0].trial.begin + 900000)")
    before = tried.window()
    browser.until("location.hash.includes('find=c1') && location.hash.includes('to=' + (views[0].to / 1e6).toFixed(6))")
    link = browser.value("location.hash")
    browser.open(address + link)
    browser.until("views.length > 0 && views[0].frames > 0")
    after = tried.window()
    tried.check(before == after, f"{link} opens {after}, not {before}")
    tried.check(browser.value("views[0].query") == "c1", f"{link} forgets the search")
    browser.value("(views[0].find.value = '', search(views[0], ''))")


def try_tables(tried):
    browser = tried.browser
    browser.value("(views[0].tables.open = true, showStretch(views[0], views[0].trial.begin, views[0].trial.end))")
    browser.until("views[0].tables.querySelectorAll('tbody tr').length > 12")
    granted = browser.value("[...views[0].tables.querySelectorAll('table')[0].tBodies[0].rows]"
                            ".reduce((n, r) => n + Number(r.cells[6].textContent), 0)")
    known = browser.value("views[0].waits.filter((w) => w.at <= views[0].trial.end).length")
    tried.check(0 < granted == known, f"the table counts {granted} grants, there are {known}")
    browser.value("views[0].tables.open = false")


def measure(tried):
    """Prints how long drawing all operations takes, painted pixels included: bench/README.md has the figures."""
    browser = tried.browser
    browser.press("0")
    tried.window()
    timed = "(() => { const b = performance.now(); " + PAINTED + "; return performance.now() - b; })()"
    times = sorted(browser.value(timed) for _ in range(5))
    ops = browser.value("views[0].trial.ops.count")
    ready = browser.value("views[0].figure.dataset.readyMs")
    spread = f"{times[0]:.0f} to {times[4]:.0f}"
    print(f"{ops} operations drawn in {times[2]:.0f} ms (of five {spread}), ready after {ready} ms")


def try_paper(tried):
    """On paper the still picture stands, in light colours, whatever the screen is like."""
    browser = tried.browser
    browser.media(scheme="dark")
    tried.window()
    corner = "[...views[0].plots.getContext('2d').getImageData(2, 2, 1, 1).data]"
    tried.check(sum(browser.value(corner)[:3]) < 150, f"the plots are not dark: {browser.value(corner)}")
    tried.picture("dark_live")
    browser.print_to(os.path.join(tried.out, "printed_live.pdf"))
    browser.value("window.dispatchEvent(new Event('beforeprint'))")
    tried.check(sum(browser.value(corner)[:3]) > 600, f"plots on paper are {browser.value(corner)}")
    browser.media("print", "dark")
    tried.check(browser.value("document.querySelector('.still, .story-picture').checkVisibility()"
                              " && getComputedStyle(views[0].stage).display === 'none'"), "paper has no still picture")
    browser.media()
    browser.value("window.dispatchEvent(new Event('afterprint'))")
