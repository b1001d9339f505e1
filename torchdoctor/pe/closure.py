"""Find the DLLs that the Windows loader loads along with given DLLs, and those that are missing."""

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.pe.image import Image, read_image
from torchdoctor.pe.search import Role, SearchPath
from torchdoctor.pe.suppliers import Supplier, find_supplier
from torchdoctor.pe.system import is_api_set, is_vc_runtime, normalise_dll_name
from torchdoctor.pe.view import PeError


@record
class ImageNode:
    """An image that would be loaded, and where it was found."""

    path: Path
    image: Image


@record
class Missing:
    """A DLL that is in no folder of the search path; `chain` is the shortest way to it from a root.

    `delayed` means that every way to it has a delay-load import, so it fails at first use, not at load time.
    """

    name: str
    chain: tuple[str, ...]
    delayed: bool
    supplier: Supplier | None


@record
class Unreadable:
    """A file that would be loaded but that is not a readable image."""

    path: Path
    reason: str


@record
class WrongMachine:
    """An image that would be loaded but that was built for another processor."""

    path: Path
    machine: str
    expected: str
    chain: tuple[str, ...]


@record
class Closure:
    """All that is loaded with the roots; `edges` counts the imports of the images in the roots' folders."""

    images: tuple[ImageNode, ...]
    edges: int
    delayed_edges: int
    missing: tuple[Missing, ...]
    unreadable: tuple[Unreadable, ...]
    wrong_machine: tuple[WrongMachine, ...]


@record
class _Request:
    """An import to resolve; its name is the last one of the chain."""

    chain: tuple[str, ...]
    delayed: bool
    search: SearchPath


def find_closure(
    roots: Iterable[Path],
    search: SearchPath,
    *,
    assumed: Callable[[str], bool],
    expected_machine: str | None = "x64",
) -> Closure:
    """Follow the imports of the roots breadth first.

    A name resolves to a loaded DLL with that base name (all roots count as loaded from the start), else to a
    file on the search path; else it is missing, unless `assumed` returns True. The imports of Windows' own
    DLLs are not followed.
    """
    walk = _Walk(assumed, expected_machine)
    walk.load_roots(tuple(roots), search)
    walk.resolve_imports()
    return walk.result()


class _Walk:
    """The state of one walk: what is loaded, and what has to be resolved."""

    def __init__(self, is_assumed: Callable[[str], bool], expected_machine: str | None) -> None:
        self._is_assumed = is_assumed
        self._expected_machine = expected_machine
        self._root_folders: set[Path] = set()
        self._loaded: set[str] = set()
        self._requests: list[tuple[bool, int, int, _Request]] = []
        self._request_count = 0
        self._images: list[ImageNode] = []
        self._missing: dict[str, _Request] = {}
        self._unreadable: list[Unreadable] = []
        self._wrong_machine: list[WrongMachine] = []

    def load_roots(self, roots: tuple[Path, ...], search: SearchPath) -> None:
        """Read all roots before any of their imports."""
        for root in roots:
            self._root_folders.add(root.parent)
            self._loaded.add(root.name.lower())
        searches = {folder: search.seen_from(folder) for folder in self._root_folders}
        for root in roots:
            self._load(root, (root.name,), delayed=False, search=searches[root.parent])

    def resolve_imports(self) -> None:
        """Resolve the requests: first those that loading needs, then the delayed ones; short chains first."""
        while self._requests:
            request = heappop(self._requests)[-1]
            key = normalise_dll_name(request.chain[-1])
            if key not in self._loaded and key not in self._missing:
                self._resolve(key, request)

    def result(self) -> Closure:
        """Return what was found, in an order that does not depend on the walk."""
        root_images = [node.image for node in self._images if node.path.parent in self._root_folders]
        imports = [dll for image in root_images for dll in image.imports]
        return Closure(
            images=tuple(sorted(self._images, key=lambda node: (node.path.name.lower(), node.path))),
            edges=len(imports),
            delayed_edges=sum(dll.delayed for dll in imports),
            # A name may be missing for one root, and then be found in the folder of another.
            missing=tuple(
                _make_missing(self._missing[key]) for key in sorted(self._missing.keys() - self._loaded)
            ),
            unreadable=tuple(sorted(self._unreadable, key=lambda file: file.path)),
            wrong_machine=tuple(sorted(self._wrong_machine, key=lambda file: file.path)),
        )

    def _resolve(self, key: str, request: _Request) -> None:
        if is_api_set(key):
            return
        found = request.search.locate(key)
        if found is None:
            if not self._is_assumed(key):
                self._missing[key] = request
            return
        self._loaded.add(key)
        # Do not follow Windows' own DLLs; the VC runtime may be in System32, but is not one of them.
        if found.role is not Role.SYSTEM or is_vc_runtime(key):
            self._load(found.path, request.chain, delayed=request.delayed, search=request.search)

    def _load(self, path: Path, chain: tuple[str, ...], *, delayed: bool, search: SearchPath) -> None:
        try:
            image = read_image(path)
        except PeError as error:
            self._unreadable.append(Unreadable(path, str(error)))
            return
        except OSError as error:
            self._unreadable.append(Unreadable(path, error.strerror or type(error).__name__))
            return
        if self._expected_machine not in (None, image.machine):
            self._wrong_machine.append(WrongMachine(path, image.machine, str(self._expected_machine), chain))
            return
        self._images.append(ImageNode(path, image))
        for dll in image.imports:
            self._add_request(_Request((*chain, dll.dll), delayed or dll.delayed, search))

    def _add_request(self, request: _Request) -> None:
        self._request_count += 1
        heappush(self._requests, (request.delayed, len(request.chain), self._request_count, request))


def _make_missing(request: _Request) -> Missing:
    name = request.chain[-1]
    return Missing(name, request.chain, request.delayed, find_supplier(name))
