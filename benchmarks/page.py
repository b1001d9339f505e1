"""Measure the page that explains: the first visit, later ones, and one without a network.

python docs/site/build.py site ; python benchmarks/page.py site

It needs Playwright and Chromium (TORCHDOCTOR_CHROMIUM names it). The server on loopback compresses nothing.
"""

import os
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import Browser, BrowserContext, sync_playwright

BROWSER = os.environ.get("TORCHDOCTOR_CHROMIUM", "/usr/bin/chromium")
TEXT = "OSError: [WinError 1455] The paging file is too small for this operation to complete"
VISITS = 5


class Handler(SimpleHTTPRequestHandler):
    """Serves files, and counts what it sends."""

    extensions_map = {  # noqa: RUF012 (the server's own)
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }
    sent_bytes = 0

    def end_headers(self) -> None:
        """Allow the browser to keep the files, as a server of static pages does."""
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def copyfile(self, source, outputfile) -> None:  # type: ignore[no-untyped-def]
        """Send a file."""
        Handler.sent_bytes += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *_: object) -> None:
        """Be silent."""


def measure_visit(context: BrowserContext, address: str, *, waits: bool = False) -> float:
    """Return the seconds from the address to the answer."""
    page = context.new_page()
    started = time.perf_counter()
    page.goto(address)
    page.fill("#paste-text", TEXT)
    page.click("#paste .main")
    page.locator("html[data-answered]").wait_for(timeout=120_000)
    seconds = time.perf_counter() - started
    if waits:
        page.locator("html[data-offline]").wait_for(timeout=120_000)
        time.sleep(8)
    page.close()
    return seconds


def measure(browser: Browser, address: str) -> None:
    """Print what each visit took."""
    context = browser.new_context()
    first = measure_visit(context, address, waits=True)
    print(f"first visit: {first:.1f} s to the answer; {Handler.sent_bytes / 1e6:.1f} MB sent with all pages")
    later = sorted(measure_visit(context, address) for _ in range(VISITS))
    median = later[VISITS // 2]
    print(f"later visits: {median:.1f} s (median of {VISITS}), {median / first:.2f} of the first")
    context.set_offline(True)
    print(f"without a network: {measure_visit(context, address):.1f} s")
    context.close()


def main() -> None:
    """Serve the site of the command line, and visit it."""
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=sys.argv[1])) as server,
        sync_playwright() as running,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        arguments = ["--no-sandbox", "--disable-background-networking"]
        browser = running.chromium.launch(executable_path=BROWSER, args=arguments)
        measure(browser, f"http://127.0.0.1:{server.server_port}/")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
