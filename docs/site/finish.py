"""What is done to the pages after MkDocs: a policy for each, and a look at all links."""

import base64
import hashlib
import posixpath
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_HEAD = re.compile(r"<head>", re.IGNORECASE)
# The theme gives the dialog of its search no name, which screen readers need.
_NAMELESS_DIALOG = (
    ' data-md-component="search" role="dialog"',
    ' data-md-component="search" role="dialog" aria-label="Search"',
)
# lunr, which searches, tells the nodes of its words apart by letters and numbers without a gap: the 1 and 23
# of one node are the 12 and 3 of another. Words with digits then get lost, and a query of a single digit ends
# with "Cannot read properties of undefined". With gaps the nodes differ.
_LUNR = ("e=e+s+o.id}return e}", 'e=e+s+" "+o.id+" "}return e}')
_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL | re.IGNORECASE)
# Only what comes from the site itself; Python in the browser is WebAssembly.
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{hashes}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'"
)


def finish_pages(folder: Path) -> None:
    """Write into each page which scripts may run: files of the site, and the page's own by their hashes."""
    for page in sorted(folder.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        hashes = "".join(f" '{_hash(code)}'" for code in _find_scripts(text))
        policy = _POLICY.format(hashes=hashes)
        tag = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
        tag += '<meta name="referrer" content="no-referrer">'
        text = text.replace(*_NAMELESS_DIALOG)
        page.write_text(_HEAD.sub(lambda _, tag=tag: tag, text, count=1), encoding="utf-8")


def mend_search(folder: Path) -> None:
    """Mend the search of the theme, which loses words with digits.

    Raises:
        ValueError: it is another release of the theme, with another text in this place.
    """
    scripts = list(folder.rglob("workers/search*.js"))
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        if text.count(_LUNR[0]) != 1:
            raise ValueError(f"{script.name} has no {_LUNR[0]!r}: look whether lunr still needs this")
        script.write_text(text.replace(*_LUNR), encoding="utf-8")
    if not scripts:
        raise ValueError("the theme has no script that searches")


def _find_scripts(text: str) -> list[str]:
    found = {
        match["code"]: None
        for match in _SCRIPT.finditer(text)
        if "src=" not in match["attributes"] and "json" not in match["attributes"]
    }
    return list(found)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


class _Links(HTMLParser):
    """The addresses and the names of places of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value and (key in ("href", "src")) and tag != "base":
                self.addresses.append(value)
            if value and (key == "id" or (key == "name" and tag == "a")):
                self.places.add(value)


def find_broken_links(folder: Path) -> list[str]:
    """Return each link to a file or a place of the site that is not there, and each file of another site."""
    pages = {page: _read_links(page) for page in sorted(folder.rglob("*.html"))}
    broken = []
    for page, links in pages.items():
        # The server sends this one for any address.
        if page.name == "404.html":
            continue
        for address in links.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = _locate(folder, page, unquote(parts.path))
            name = page.relative_to(folder).as_posix()
            if target is None or not target.is_file():
                broken.append(f"{name}: {address}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                broken.append(f"{name}: {address} (no such place)")
    return broken


def _read_links(page: Path) -> _Links:
    links = _Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


def _locate(folder: Path, page: Path, path: str) -> Path | None:
    if not path:
        return page
    if path.startswith("/"):
        return None
    here = page.parent.relative_to(folder).as_posix()
    target = folder / posixpath.normpath(posixpath.join(here, path))
    return target / "index.html" if path.endswith(("/", ".")) or target.is_dir() else target
