"""Build the site: python docs/site/build.py FOLDER

It needs the extra `site` of this project, and npm for Python in the browser. The same sources give the same
files.
"""

import argparse
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]

from content import make_index, make_pages  # noqa: E402 - beside this file
from finish import find_broken_links, finish_pages, mend_search  # noqa: E402

from torchdoctor.engine.registry import load_registry  # noqa: E402

# What the browser needs of Pyodide; the rest is for Node.js and for consoles.
_PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_PYTHON, _ASSETS, _WHEEL = "python", "assets", "torchdoctor.whl"
# What a first visit to the page that answers transfers, compressed, and what one other page does.
MOST_BYTES_OF_FIRST_VISIT = 9_000_000
MOST_BYTES_OF_A_PAGE = 60_000
# These change with each build or are not needed without a network.
_NOT_KEPT_OFFLINE = ("sitemap.xml", "sitemap.xml.gz", "404.html", "service_worker.js")


class SiteError(Exception):
    """The site cannot be built, or is not as it has to be; the message says why."""


def build_site(
    target: Path, *, address: str = "", pyodide: Path | None = None, wheel: Path | None = None
) -> None:
    """Build the site into a folder, which is replaced.

    `address` is where it will be served, `pyodide` a folder with the files of that npm package, and `wheel`
    that of torchdoctor; by default they are fetched and built.

    Raises:
        SiteError: a part cannot be made, a link is broken, or a page is too large.
    """
    os.environ.setdefault("SOURCE_DATE_EPOCH", _find_date())
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        pages = work / "pages"
        _write_sources(pages)
        _run_mkdocs(pages, target, address)
        _copy_python(target / _PYTHON, pyodide or _fetch_pyodide(work), wheel or _build_wheel(work))
    finish_pages(target)
    try:
        mend_search(target)
    except ValueError as error:
        raise SiteError(str(error)) from None
    _write_service_worker(target)
    if broken := find_broken_links(target):
        raise SiteError("broken links:\n" + "\n".join(broken))
    _verify_sizes(target)


def _find_date() -> str:
    """Return the time of the last commit: what is written into archives and the map of the site."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        return (
            subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() or "1577836800"
        )
    except (OSError, subprocess.CalledProcessError):
        return "1577836800"


def _write_sources(folder: Path) -> None:
    shutil.copytree(HERE / "guides", folder / "guides")
    for name in ("index.md", "about.md"):
        shutil.copy(HERE / name, folder)
    shutil.copytree(HERE / "browser", folder / _ASSETS)
    (folder / "contributing").mkdir()
    for name in ("language.md", "growth.md"):
        shutil.copy(HERE / name, folder / "contributing")
    registry = load_registry()
    for name, text in make_pages(registry).items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    index = make_index(registry.knowledge.entries.values())
    (folder / _ASSETS / "entries.json").write_text(index, encoding="utf-8")


def _run_mkdocs(pages: Path, target: Path, address: str) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, MkDocsException

    settings = {
        "docs_dir": str(pages),
        "site_dir": str(target.resolve()),
        **({"site_url": address} if address else {}),
    }
    try:
        build(load_config(str(HERE / "mkdocs.yml"), **settings))
    except (Abort, MkDocsException) as error:
        raise SiteError(f"MkDocs: {error}") from error
    for file in target.rglob("*.map"):
        file.unlink()


def _fetch_pyodide(work: Path) -> Path:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, work)
    npm = shutil.which("npm")
    if npm is None:
        raise SiteError("npm is needed, or --pyodide FOLDER with the files of its package pyodide")
    ended = subprocess.run(
        [npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit"], cwd=work, capture_output=True, text=True
    )
    if ended.returncode != 0:
        raise SiteError(f"npm: {ended.stderr.strip()}")
    return work / "node_modules" / "pyodide"


def _build_wheel(work: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--wheel-dir",
        str(work / "dist"),
        str(ROOT),
    ]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode != 0:
        raise SiteError(f"the wheel cannot be built: {ended.stderr.strip()}")
    (wheel,) = (work / "dist").glob("*.whl")
    return wheel


def _copy_python(target: Path, pyodide: Path, wheel: Path) -> None:
    target.mkdir()
    try:
        for name in _PYODIDE_FILES:
            shutil.copyfile(pyodide / name, target / name)
        lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SiteError(f"{pyodide} has no usable Pyodide: {error}") from error
    # No other package is loaded.
    (target / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")
    shutil.copyfile(wheel, target / _WHEEL)
    digest = hashlib.sha256()
    for file in sorted(target.iterdir()):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    (target / "version.txt").write_text(f"{digest.hexdigest()[:16]}\n", encoding="utf-8")


def _write_service_worker(target: Path) -> None:
    """Write the service worker, with the files that are kept for use without a network and their version."""
    files = sorted(file for file in target.rglob("*") if file.is_file())
    kept = [file for file in files if file.name not in _NOT_KEPT_OFFLINE]
    digest = hashlib.sha256()
    for file in kept:
        digest.update(f"{file.relative_to(target).as_posix()}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    addresses = [_name_address(file, target) for file in kept]
    first = list(_list_first(target))
    text = (HERE / "service_worker.js").read_text(encoding="utf-8")
    for mark, value in (
        ("VERSION", digest.hexdigest()[:16]),
        ("FIRST", first),
        ("REST", [each for each in addresses if each not in first]),
    ):
        text = text.replace(f'"{mark}"', json.dumps(value), 1)
    (target / "service_worker.js").write_text(text, encoding="utf-8")


def _name_address(file: Path, target: Path) -> str:
    return file.relative_to(target).as_posix().removesuffix("index.html") or "./"


def _list_first(target: Path) -> Iterator[str]:
    """Yield the addresses that the page which answers needs."""
    page = (target / "index.html").read_text(encoding="utf-8")
    yield "./"
    for file in sorted(target.rglob("*")):
        address = file.relative_to(target).as_posix()
        if file.is_file() and (address.startswith(f"{_PYTHON}/") or f'"{address}"' in page):
            yield address
    for name in ("copying.mjs", "doctor.mjs", "entries.json"):
        yield f"{_ASSETS}/{name}"


def _verify_sizes(target: Path) -> None:
    first = sum(_measure(target / (name if name != "./" else "index.html")) for name in _list_first(target))
    if first > MOST_BYTES_OF_FIRST_VISIT:
        raise SiteError(f"a first visit transfers {first:,} bytes, more than {MOST_BYTES_OF_FIRST_VISIT:,}")
    for page in target.rglob("*.html"):
        if (size := _measure(page)) > MOST_BYTES_OF_A_PAGE:
            raise SiteError(f"{page}: {size:,} bytes, more than {MOST_BYTES_OF_A_PAGE:,}")
    print(f"{target}: a first visit to the page that answers transfers {first / 1e6:.1f} MB")


def _measure(file: Path) -> int:
    """Return how many bytes of a file are transferred by a server that compresses."""
    return len(gzip.compress(file.read_bytes(), 9, mtime=0))


def main() -> None:
    """Build the site as the command line says."""
    parser = argparse.ArgumentParser(description="Build the site of torchdoctor.")
    parser.add_argument("folder", type=Path, help="where it is written; what is there is replaced")
    parser.add_argument("--address", default="", help="where it will be served, for the map of the site")
    parser.add_argument("--pyodide", type=Path, help="a folder with the npm package pyodide")
    parser.add_argument("--wheel", type=Path, help="the wheel of torchdoctor")
    given = parser.parse_args()
    try:
        build_site(given.folder, address=given.address, pyodide=given.pyodide, wheel=given.wheel)
    except SiteError as error:
        raise SystemExit(f"{parser.prog}: {error}") from error


if __name__ == "__main__":
    main()
