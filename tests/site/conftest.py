"""The built site, and a browser that visits it from loopback."""

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "docs" / "site"
BROWSER = os.environ.get("TORCHDOCTOR_CHROMIUM", "/usr/bin/chromium")
PYTHON_SECONDS = 120_000


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of npm's packages that the site and its tests need."""
    npm = shutil.which("npm")
    if npm is None or importlib.util.find_spec("material") is None:
        pytest.skip("needs npm and the extra site")
    folder = tmp_path_factory.mktemp("npm")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SOURCES / name, folder)
    ended = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--no-audit"], cwd=folder, capture_output=True, text=True
    )
    if ended.returncode != 0:
        pytest.skip(f"npm cannot install the packages: {ended.stderr.strip()[-200:]}")
    return folder / "node_modules"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site-wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def build(packages: Path, wheel: Path) -> Callable[[Path], None]:
    """A function that builds the site into a folder by its own command."""

    def run(folder: Path) -> None:
        command = [sys.executable, str(SOURCES / "build.py"), str(folder)]
        command += ["--pyodide", str(packages / "pyodide"), "--wheel", str(wheel)]
        ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
        assert ended.returncode == 0, ended.stderr[-2000:]

    return run


@pytest.fixture(scope="session")
def site(build: Callable[[Path], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, below a folder, as a server of pages of projects has it."""
    folder = tmp_path_factory.mktemp("served") / "torchdoctor"
    build(folder)
    return folder


class Handler(SimpleHTTPRequestHandler):
    """Serves files as a server of static pages does."""

    extensions_map = {  # noqa: RUF012 (the server's own)
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Visit:
    """A browser with an empty profile, and what its pages asked for and said."""

    def __init__(self, browser: object, address: str, **options: object) -> None:
        self.context = browser.new_context(**options)  # type: ignore[attr-defined]
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.address = address
        self.requests: list[str] = []
        self.said: list[str] = []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.context.on("console", lambda message: self.said.append(message.text))
        self.context.on("weberror", lambda error: self.said.append(str(error.error)))

    def open(self, path: str = ""):
        page = self.context.new_page()
        page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        page.goto(self.address + path)
        return page

    def ask(self, page, text: str) -> list[str]:
        """Send a text to the page as a file, wait for the answer, and return the names of its entries."""
        before = page.evaluate("document.documentElement.dataset.answered ?? ''")
        page.set_input_files(
            "#paste-file", {"name": "error.txt", "mimeType": "text/plain", "buffer": text.encode()}
        )
        page.locator(f"html[data-answered]:not([data-answered='{before}'])").wait_for(timeout=PYTHON_SECONDS)
        return page.evaluate("JSON.parse(document.getElementById('paste-answer').dataset.names ?? '[]')")


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/torchdoctor/"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        arguments = ["--no-sandbox", "--disable-background-networking"]
        browser = running.chromium.launch(executable_path=BROWSER, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: object, served: str) -> Iterator[Visit]:
    made = Visit(chromium, served, viewport={"width": 1280, "height": 900})
    yield made
    made.context.close()
