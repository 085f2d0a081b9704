"""One headless Chromium, driven over a pipe (its DevTools protocol), for tests that press keys and look.

    with Browser() as browser:
        browser.open("file:///tmp/report.html")
        browser.value("document.title")
        browser.press("n")
        browser.complaints     # what the console said, exceptions and refusals of the policy among it

What the page says on its console is kept in `complaints`. `value` runs as the debugger does, outside the page's policy.
"""
import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         "--hide-scrollbars", "--remote-debugging-pipe"]


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        def hand_over():  # the browser reads its third file and writes its fourth
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_browser, from_browser)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        command = [CHROMIUM, *FLAGS, f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=hand_over, pass_fds=(3, 4), stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.session, self.complaints, self.loaded = 0, b"", None, [], False
        page = [t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page"][0]["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.ask(part + ".enable")
        self.size(1280, 1000)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.ask("Browser.close")
        finally:
            os.close(self.out)
            os.close(self.into)
            self.process.wait(timeout=20)
            self.profile.cleanup()

    def _next(self):
        while b"\0" not in self.rest:
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise RuntimeError("the browser went away")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def _heard(self, message):
        name, what = message.get("method"), message.get("params", {})
        if name == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif name == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            text = " ".join(str(part.get("value", part.get("description"))) for part in what["args"])
            if "willReadFrequently" not in text:  # it is the tests that read canvases back
                self.complaints.append(text)
        elif name == "Log.entryAdded":
            if "willReadFrequently" not in what["entry"]["text"]:
                self.complaints.append(what["entry"]["text"])
        elif name == "Page.loadEventFired":
            self.loaded = True

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._heard(answer)

    def open(self, address):
        self.ask("Page.navigate", url="about:blank")
        self.loaded = False
        self.ask("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def value(self, expression):
        done = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"{expression}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def until(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(expression):
                return True
            time.sleep(0.02)
        raise RuntimeError(f"not within {seconds} s: {expression}")

    def size(self, width, height):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind="", scheme="light"):
        self.ask("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, allowed):
        self.ask("Emulation.setScriptExecutionDisabled", value=not allowed)

    def press(self, key, modifiers=0):
        text = key if len(key) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "",
                     modifiers=modifiers)

    def mouse(self, kind, x, y, **more):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x, y, to_x, to_y, modifiers=0):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, modifiers=modifiers)
        self.mouse("mouseMoved", (x + to_x) / 2, to_y, button="left", buttons=1, modifiers=modifiers)
        self.mouse("mouseMoved", to_x, to_y, button="left", buttons=1, modifiers=modifiers)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1, modifiers=modifiers)

    def screenshot(self, path, whole=False):
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print_to(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.printToPDF", preferCSSPageSize=True)["data"]))
