"""The page where less is allowed: without scripts, behind a server that forbids scripts and styles, and with names that
try to become part of it.
"""
import http.server
import re
import threading

# The policy that a well-known CI server sends with every archived file, unless its administrator changes it.
JENKINS = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"


class Strict(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # the name is the library's
        with open(self.server.page, "rb") as file:
            body = file.read()
        self.send_response(200)
        for name, value in (("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", JENKINS),
                            ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def reads_still(tried, where):
    """All is said in words and one picture, and nothing pretends to work."""
    shown = tried.browser.value("""(() => { const s = document.querySelector('figure svg.timeline');
      for (const d of document.querySelectorAll('details.cell')) d.open = true;
      return [!!s && s.getBoundingClientRect().height > 50, document.querySelectorAll('canvas').length,
        document.querySelectorAll('button').length, document.body.innerText]; })()""")
    tried.check(shown[0] and shown[1] == 0 and shown[2] == 0, f"{where}: picture, canvases, buttons: {shown[:3]}")
    tried.check(not re.search(r"[A-Za-z0-9+/]{300}", shown[3]), f"{where}: packed data can be read")
    tried.check("Rerun this cell" in shown[3] and "expected" in shown[3], f"{where}: {shown[3][:300]!r}")


def try_without_scripts(tried, address):
    tried.browser.scripts(False)
    tried.browser.open(address)
    reads_still(tried, "without scripts")
    tried.browser.value("scrollTo(0, 0)")
    tried.picture("no_scripts")
    tried.browser.scripts(True)


def try_strict_server(tried, page):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Strict)
    server.page = page
    threading.Thread(target=server.serve_forever, daemon=True).start()
    before = len(tried.browser.complaints)
    try:
        tried.browser.open(f"http://127.0.0.1:{server.server_port}/report.html")
        reads_still(tried, "behind a strict server")
        tried.browser.value("scrollTo(0, 0)")
        tried.picture("strict_server")
    finally:
        server.shutdown()
        server.server_close()
    refused = tried.browser.complaints[before:]
    tried.check(any("script" in line for line in refused), f"the strict server forbade nothing: {refused}")
    del tried.browser.complaints[before:]  # it complains of what the server forbids, as it should


def try_names(tried):
    """However the page was used, no name has become an element."""
    strange = tried.browser.value("document.querySelectorAll('img, iframe, object, embed, link, form, base').length")
    tried.check(strange == 0, f"{strange} elements that the page does not write")
    tried.check(tried.browser.value("window.attacked === undefined"), "a name was run")
