"""The modules that the files of a project import from each other."""

import ast
import os
import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torchdoctor.core.files import read_bytes
from torchdoctor.source.module.nodes import Function
from torchdoctor.source.module.parsed import ParsedModule

# Scripts import what is beside them, and what is beside their packages: so many folders above are looked at.
_MOST_FOLDERS = 4
_MOST_MODULES = 100
_LARGEST_FILE = 1_000_000
_LARGEST_DIGESTED = 50_000_000
# Modules can pass on what they import themselves.
_MAX_DEPTH = 4
# Imports near the top of a file, and names behind `from`, as far as they fit on a line or into parentheses.
_IMPORT = re.compile(
    rb"\n[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([\w., \t]+))"
)
_HEAD_BYTES = 8_000

Definition = Function | ast.ClassDef
# The file of a module and the parts of the name that follow it; None for modules of other projects.
FoundModule = tuple[str, tuple[str, ...]] | None


class Project:
    """The files of a project by their place on disk; each is read and parsed when it is first asked for.

    `asked` has the names that each file imports and that were looked for, with what was found. `digests` has
    those of the files whose bytes were read. What is found in a file depends on nothing else.
    """

    def __init__(self) -> None:
        self.asked: dict[str, dict[str, FoundModule]] = {}
        self.digests: dict[str, str | None] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._found: dict[tuple[str, str], FoundModule] = {}
        self._raw: dict[str, bytes] = {}
        self._answers: dict[tuple[Callable[[bytes], bool], str], bool] = {}
        self._imports: dict[str, Sequence[str]] = {}
        self._imported_names: dict[str, Sequence[tuple[str, str]]] = {}
        self._modules: OrderedDict[str, ParsedModule | None] = OrderedDict()

    def find_file(self, importer: str, dotted: str) -> FoundModule:
        """Return the file of the module that a dotted name begins with, and the parts that follow.

        The name is as in an import statement of the file `importer`; None for modules of other projects.
        """
        importer = os.path.abspath(importer)
        folder = os.path.dirname(importer)
        if (folder, dotted) not in self._found:
            self._found[(folder, dotted)] = self._find_from(folder, dotted)
        found = self._found[(folder, dotted)]
        self.asked.setdefault(importer, {})[dotted] = found
        return found

    def _find_from(self, folder: str, dotted: str) -> FoundModule:
        name = dotted.lstrip(".")
        parts = tuple(filter(None, name.split(".")))
        if level := len(dotted) - len(name):
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._find_below(folder, parts)
        for _ in range(_MOST_FOLDERS):
            if (found := self._find_below(folder, parts)) is not None:
                return found
            if ".git" in self._list(folder) or os.path.dirname(folder) == folder:
                return None
            folder = os.path.dirname(folder)
        return None

    def _find_below(self, folder: str, parts: tuple[str, ...]) -> FoundModule:
        """Return the file of the longest module or package, and the parts of the name that follow it."""
        found = None
        if not parts and "__init__.py" in self._list(folder):
            return os.path.join(folder, "__init__.py"), ()
        for index, part in enumerate(parts, 1):
            names = self._list(folder)
            if f"{part}.py" in names:
                return os.path.join(folder, f"{part}.py"), parts[index:]
            folder = os.path.join(folder, part)
            if part not in names:
                break
            if "__init__.py" in self._list(folder):
                found = os.path.join(folder, "__init__.py"), parts[index:]
        return found

    def _list(self, folder: str) -> frozenset[str]:
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]

    def add_answers(
        self, asked: Mapping[str, Mapping[str, FoundModule]], digests: Mapping[str, str | None]
    ) -> None:
        """Add what another process asked of the same project."""
        for importer, names in asked.items():
            self.asked.setdefault(importer, {}).update(names)
        for path, digest in digests.items():
            self.digests.setdefault(path, digest)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; b"" if it is large or cannot be read."""
        if path not in self._raw:
            try:
                is_read = os.path.isfile(path) and os.path.getsize(path) <= _LARGEST_FILE
                self._raw[path] = read_bytes(path) if is_read else b""
            except (OSError, ValueError):
                self._raw[path] = b""
            if self._raw[path]:
                self.digests.setdefault(path, make_digest(self._raw[path]))
            else:
                self.find_digest(path)
        return self._raw[path]

    def ask_once(self, function: Callable[[bytes], bool], path: str) -> bool:
        """Return `function(bytes)` for the bytes of a file. It is called only once for each file."""
        question = (function, path)
        if question not in self._answers:
            self._answers[question] = function(self.read(path))
        return self._answers[question]

    def find_digest(self, path: str) -> str | None:
        """Return the digest of a file's bytes when it was first read; None if it is too large to be read."""
        if path not in self.digests:
            try:
                is_read = os.path.isfile(path) and os.path.getsize(path) <= _LARGEST_DIGESTED
                self.digests[path] = make_digest(read_bytes(path)) if is_read else None
            except (OSError, ValueError):
                self.digests[path] = None
        return self.digests[path]

    def find_imports(self, path: str) -> Sequence[str]:
        """Return the files of the project that a file imports near its top."""
        if path not in self._imports:
            self._imports[path] = tuple(dict.fromkeys(self.find_imported(path, self.read(path))))
        return self._imports[path]

    def find_imported(self, importer: str, raw: bytes, wanted: str = "") -> Iterator[str]:
        """Yield the files of the project that a file imports near its top.

        With `wanted`, only the one that this name comes from. A name that a package only passes on comes from
        the file that the package imports it from.
        """
        for dotted, bound in self._list_imported_names(importer, raw):
            is_star = dotted.endswith("*")
            if wanted and not is_star and dotted.rpartition(".")[2] != wanted:
                continue
            found = self.find_file(importer, dotted)
            if found is None:
                continue
            path, rest = found
            if is_star and wanted.encode() not in self.read(path):
                continue
            yield path
            if is_star:
                continue
            if not wanted and os.path.basename(path) == "__init__.py":
                # A module of the package itself, which names it in most lines, is no script.
                is_inside = os.path.abspath(importer).startswith(path.removesuffix("__init__.py"))
                for name in rest[:1] or (() if is_inside else _list_members(raw, bound)):
                    yield from self.find_imported(path, self.read(path), name)

    def _list_imported_names(self, importer: str, raw: bytes) -> Sequence[tuple[str, str]]:
        """Return the dotted names that a file imports near its top, each with the name that it binds.

        A package is asked for each of its members, and read once.
        """
        if importer not in self._imported_names:
            matches = _IMPORT.finditer(b"\n" + raw[:_HEAD_BYTES])
            self._imported_names[importer] = [name for match in matches for name in _read_names(match)]
        return self._imported_names[importer]

    def parse(self, path: str) -> ParsedModule | None:
        """Return the parsed module in a file, None if it cannot be parsed."""
        if path not in self._modules:
            if len(self._modules) >= _MOST_MODULES:
                self._modules.popitem(last=False)
            self._modules[path] = self._parse(path)
        return self._modules[path]

    def _parse(self, path: str) -> ParsedModule | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ParsedModule(ast.parse(self.read(path)), FilePlace(path, self))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def make_digest(raw: bytes) -> str:
    """Return a digest that no other bytes have."""
    # Imported here: it loads OpenSSL, which a scan without a cache seldom needs.
    import hashlib

    return hashlib.blake2b(raw, digest_size=16).hexdigest()


def _read_names(match: re.Match[bytes]) -> Iterator[tuple[str, str]]:
    """Yield the dotted names of an import statement, each with the name that it binds.

    They are of modules, or of the names that it imports from one. "*" is a name that a module never has.
    """
    origin, names, modules = match.groups()
    if modules is not None:
        parts = [each.split() for each in modules.split(b",") if each.split()]
        yield from ((each[0].decode(), each[-1].decode()) for each in parts)
        return
    module = origin.decode("ascii", "replace")
    for each in re.findall(rb"(?<!as )\b[A-Za-z_]\w*|\*", names.replace(b"\n", b" ")):
        name = each.decode()
        yield (f"{module}{name}" if module.endswith(".") else f"{module}.{name}"), name


def _list_members(raw: bytes, name: str) -> list[str]:
    """Return what a text uses of a package of this name, as in `name.member`."""
    # A pattern that begins with plain text is found faster.
    written = re.escape(name.encode())
    found = re.findall(rb"%s\.(?<![\w.]%s\.)([A-Za-z_]\w*)" % (written, written), raw)
    return [each.decode() for each in dict.fromkeys(found)]


@dataclass(frozen=True)
class FilePlace:
    """Where the file of a module is in its project; `has_loaders` is whether others start workers for it."""

    path: str
    project: Project
    has_loaders: bool = True

    def has_text(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether the text of the file has what a pattern looks for."""
        return pattern.search(self.project.read(self.path)) is not None

    def find_module(self, dotted: str, words: Sequence[str]) -> ParsedModule | None:
        """Return the module of that name, if it is another file of the project and mentions a loader.

        One of the words has to be in its text as well.
        """
        found = self.project.find_file(self.path, dotted)
        if found is None or found[1] or os.path.abspath(self.path) == found[0]:
            return None
        raw = self.project.read(found[0])
        if b"oader" not in raw or not any(word.encode() in raw for word in words):
            return None
        return self.project.parse(found[0])

    def find_definition(self, dotted: str) -> tuple[ParsedModule, Definition] | None:
        """Return the function or class that the name is bound to, through the files that pass it on."""
        found = self.find_name(dotted)
        if found is None or found[2]:
            return None
        module, name, _ = found
        definition = module.functions.get(name) or module.classes.get(name)
        return (module, definition) if definition is not None else module.find_imported(name)

    def find_value(self, dotted: str) -> tuple[ParsedModule, ast.expr] | None:
        """Return the only value of the name, or of the attribute of a class or its instance."""
        found = self.find_name(dotted)
        if found is None or len(found[2]) > 1:
            return None
        module, name, rest = found
        scope: ast.AST | None = module.tree
        if rest:
            made = [binding.value for binding in module.bindings.get((module.tree, name), ())]
            makers = [module.find_dotted_name(each.func) for each in made if isinstance(each, ast.Call)]
            scope = module.classes.get(makers[0] if makers else name)
            name = rest[0]
        bindings = module.bindings.get((scope, name), ()) if scope is not None else ()
        value = bindings[0].value if len(bindings) == 1 and bindings[0].index is None else None
        return (module, value) if value is not None else None

    def find_name(self, dotted: str, depth: int = 0) -> tuple[ParsedModule, str, Sequence[str]] | None:
        """Return the module that a dotted name leads to, and the parts that follow, at least one."""
        found = self.project.find_file(self.path, dotted) if "." in dotted else None
        if found is None or not found[1] or depth > _MAX_DEPTH or os.path.abspath(self.path) == found[0]:
            return None
        path, (name, *rest) = found
        module = self.project.parse(path)
        if module is None:
            return None
        is_defined = name in module.functions or name in module.classes
        if not is_defined and name in module.aliases:
            return FilePlace(path, self.project).find_name(".".join((module.aliases[name], *rest)), depth + 1)
        return module, name, rest
