"""What loading some DLLs brings in, and what it lacks, as the Windows loader would find it."""

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
    """An image that gets loaded, and where it was found."""

    path: Path
    image: Image


@record
class Missing:
    """A DLL that no folder of the search path has, with the shortest way from a root to its name.

    `delayed`: every way to it passes a delay-load import, so it fails on first use and not while loading.
    """

    name: str
    chain: tuple[str, ...]
    delayed: bool
    supplier: Supplier | None


@record
class Unreadable:
    """A file on the load path that is no readable image."""

    path: Path
    reason: str


@record
class WrongMachine:
    """An image on the load path that was built for another processor."""

    path: Path
    machine: str
    expected: str
    chain: tuple[str, ...]


@record
class Closure:
    """All that loading the roots brings in; `edges` counts what the images in the roots' folders import."""

    images: tuple[ImageNode, ...]
    edges: int
    delayed_edges: int
    missing: tuple[Missing, ...]
    unreadable: tuple[Unreadable, ...]
    wrong_machine: tuple[WrongMachine, ...]


@record
class _Request:
    """A name that some image asks for; chain ends with it."""

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

    A name is satisfied by a loaded DLL of that base name (all roots count as loaded, in whatever order they
    stand), else by the search path, else where `assumed` says so. Windows' own DLLs are not followed.
    """
    walk = _Walk(assumed, expected_machine)
    walk.load_roots(tuple(roots), search)
    walk.follow()
    return walk.result()


class _Walk:
    """The state of one walk: what is loaded, what is still asked for."""

    def __init__(self, assumed: Callable[[str], bool], expected_machine: str | None) -> None:
        self._assumed = assumed
        self._expected_machine = expected_machine
        self._root_folders: set[Path] = set()
        self._loaded: set[str] = set()
        self._waiting: list[tuple[bool, int, int, _Request]] = []
        self._asked = 0
        self._images: list[ImageNode] = []
        self._missing: dict[str, _Request] = {}
        self._unreadable: list[Unreadable] = []
        self._wrong_machine: list[WrongMachine] = []

    def load_roots(self, roots: tuple[Path, ...], search: SearchPath) -> None:
        """Read the roots, all of them before any of their imports."""
        for root in roots:
            self._root_folders.add(root.parent)
            self._loaded.add(root.name.lower())
        searches = {folder: search.seen_from(folder) for folder in self._root_folders}
        for root in roots:
            self._load(root, (root.name,), delayed=False, search=searches[root.parent])

    def follow(self) -> None:
        """Satisfy the requests: those that loading needs, then the delayed ones, short chains first."""
        while self._waiting:
            request = heappop(self._waiting)[-1]
            key = normalise_dll_name(request.chain[-1])
            if key not in self._loaded and key not in self._missing:
                self._satisfy(key, request)

    def result(self) -> Closure:
        """Give what was found, in an order that does not depend on the walk."""
        inside = [node.image for node in self._images if node.path.parent in self._root_folders]
        imports = [dll for image in inside for dll in image.imports]
        return Closure(
            images=tuple(sorted(self._images, key=lambda node: (node.path.name.lower(), node.path))),
            edges=len(imports),
            delayed_edges=sum(dll.delayed for dll in imports),
            # What another root's folder satisfied later is loaded all the same.
            missing=tuple(
                _missing(self._missing[key]) for key in sorted(self._missing.keys() - self._loaded)
            ),
            unreadable=tuple(sorted(self._unreadable, key=lambda file: file.path)),
            wrong_machine=tuple(sorted(self._wrong_machine, key=lambda file: file.path)),
        )

    def _satisfy(self, key: str, request: _Request) -> None:
        if is_api_set(key):
            return
        found = request.search.locate(key)
        if found is None:
            if not self._assumed(key):
                self._missing[key] = request
            return
        self._loaded.add(key)
        # Following Windows into itself is noise; the VC runtime only happens to lie there.
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
            self._ask(_Request((*chain, dll.dll), delayed or dll.delayed, search))

    def _ask(self, request: _Request) -> None:
        self._asked += 1
        heappush(self._waiting, (request.delayed, len(request.chain), self._asked, request))


def _missing(request: _Request) -> Missing:
    name = request.chain[-1]
    return Missing(name, request.chain, request.delayed, find_supplier(name))
