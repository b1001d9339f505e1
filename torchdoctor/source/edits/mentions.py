"""What a text of a project says about modules: those that it imports, names, or hands to another program."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from torchdoctor.core.record import record

_NAME = r"[^\W\d]\w*"
_DOTTED = rf"{_NAME}(?:\.{_NAME})*"
_SPACE = r"[ \t]+(?:\\\n[ \t]*)?"
_IMPORT = re.compile(
    rf"(?:\bfrom{_SPACE}(\.*(?:{_DOTTED})?){_SPACE})?\bimport\b(?:{_SPACE})?"
    rf"(\([^()]{{0,20000}}\)|\*|{_NAME}[^\n;#\"'()]*(?:\\\n[^\n;#\"'()]*)*)"
)
# Calls that import or run the file or module that an argument names; what precedes excludes definitions.
_CALL = re.compile(
    r"(?<!def )(?:\b|(?<=_))([iI]mport_?[mM]odule|PyImport_ImportModule|__import__|import_file|load_module"
    r"|imp\.load_source|[lL]azy_?[lL]oader|lazy_import|pyimport|run_path|run_module|execfile"
    r"|spec_from_file_location|SourceFileLoader|source_python|py_run_file|importorskip|resolve_name|find_spec|locate"
    r"|exec|import(?=\s*\(\s*[\"']))\s*\(\s*(?=([^\n]{0,1000}))"
)
_FILE_CALLS = frozenset(
    ("spec_from_file_location", "sourcefileloader", "imp.load_source", "run_path", "execfile", "import_file")
)
# With a variable as argument, the others are names of too much else.
_CALLS_OF_ANYTHING = frozenset(("import_module", "__import__", "load_module", "run_module")) | _FILE_CALLS
_READS = re.compile(r"\b(?:open|read|read_text|get_data|compile)\b")
_STRING = re.compile(r"([rbuf]{0,2})(\"\"\"|'''|\"|')((?:(?!\2)[^\\\n]|\\.)*)\2", re.IGNORECASE)
_VARIABLE_PART = re.compile(r"\{|%[sdr(]")
_QUOTED = re.compile(rf"[\"'`]({_DOTTED})(?:\.py)?(?::{_NAME})?[\"'`]")
# `train:app` and `train.py:Predictor`, as servers and entry points name what they import.
_ENTRY = re.compile(rf"(?<![\w/\\.-])((?:{_NAME}[./\\])*{_NAME}):{_NAME}(?![\w:/\\]|\s*[:=])")
_PLAIN = re.compile(rf"(?<![\w./\\$@-])({_NAME}(?:\.{_NAME})+)(?![\w/\\=(@-]|\.\w)")
_DOCUMENTED = re.compile(rf"(?:\bauto\w+::|:::)[ \t]+({_DOTTED})")
# Programs that import the files that they are given.
_IMPORTING_COMMAND = re.compile(
    r"(?:\b(?:pytest|py\.test|unittest|doctest|nosetests|nose2|flask|uvicorn|gunicorn|hypercorn|daphne|celery|locust"
    r"|gradio|chainlit|modal|bentoml|torch-model-archiver|kernprof\s+-m)\b|\bFLASK_APP\b)([^\n;|&]*)"
)
_PATH = re.compile(r"[\w./\\-]+")
_TEST_PATTERNS = re.compile(r"\bpython_files\b[\"']?\s*[=:]\s*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n]+)*)")
# A line that starts a program, and the files and modules that it names.
_START = re.compile(
    r"\b(?:python[\d.]*|pythonw?\.exe|py|torchrun|accelerate|deepspeed|horovodrun|mpirun|srun|sbatch|streamlit|launch"
    r"|run)\b([^\n]*)"
)
_STARTED = re.compile(rf"([\w-]+)\.py\b|(?<!\w)-m[ \t\"',]+(?:{_NAME}\.)*({_NAME})")
# Packages that import all of their files do so with one of these.
_LISTS_FILES = re.compile(r"\b(?:i?glob|listdir|scandir|iterdir|iter_modules|walk_packages|walk)\(")
_PACKAGE_FOLDER = re.compile(r"package[_-]dir\b[\"']?\s*[=:]\s*(\{[^}]*\}|[^\n]*(?:\n[ \t]+[^\n]+)*)")
_FOLDER_OF_PACKAGE = re.compile(rf"[\"']?{_NAME}[\"']?\s*[=:]")
# The endings of files that a configuration names; behind a module stands the name of something in it.
_FILE_ENDING = re.compile(
    r"\.(?:pyc?|txt|jsonl?|[ct]sv|np[yz]|pth?|pkl|pickle|bin|h5|hdf5|ya?ml|toml|cfg|ini|sh|bat|log|md|rst|zip|tar"
    r"|t?gz|tgz|bz2|xz|parquet|arrow|feather|tfrecords?|records?|lmdb|mdb|db|png|jpe?g|gif|bmp|webp|tiff?|mp[34]"
    r"|wav|flac|avi|html|xml|out|err|src|tgt|en|de|fr|zh|cs|ro|idx|index|li?st|data?|ckpt|onnx|safetensors|model"
    r"|vocab|bpe|spm|raw|tmp|bak|rec|mat|sav|sdf|smi|conf|config|lock)$",
    re.IGNORECASE,
)
_LONGEST_WORD = 1000
# Pictures and other data that a file has as text, which are far longer than any name.
_DATA = re.compile(rf"[A-Za-z0-9+/=_-]{{{_LONGEST_WORD},}}")
_CONFIGURATIONS = (".yaml", ".yml", ".toml", ".ini", ".cfg", ".json")
_CODE = (".py", ".pyw", ".pyi", ".pyx", ".ipy", ".ipynb")
_PACKAGING = ("pyproject.toml", "setup.py", "setup.cfg")
_TEST_SETTINGS = ("pyproject.toml", "setup.cfg", "pytest.ini", ".pytest.ini", "tox.ini")


@record
class Name:
    """A module as an import statement names it: how many folders up, then the parts of its name."""

    level: int
    parts: tuple[str, ...]


@record
class Mentions:
    """What a text says about modules.

    `names` are modules that it may import, each perhaps followed by a name in it; `names_or_files` are such
    where the last part can be the ending of a file as well. `stems` are files that it imports by their name,
    wherever they are, and `started` those that it starts. `prefixes` begin the names
    of modules that only a run shows.
    """

    names: frozenset[Name] = frozenset()
    names_or_files: frozenset[Name] = frozenset()
    stems: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    started: frozenset[str] = frozenset()
    test_patterns: tuple[str, ...] = ()
    changes_paths: bool = False
    renames_packages: bool = False


def find_mentions(file_name: str, text: str) -> Mentions:
    """Return what the text of a file says about modules."""
    name = file_name.casefold()
    # The lines of a notebook, and of code in strings, end with an escape.
    if len(text) > _LONGEST_WORD:
        text = _DATA.sub("", text)
    text = text.replace("\\r", "").replace("\\n", "\n").replace('\\"', '"').replace("\r", "\n")
    if not text.isascii():
        # As Python reads identifiers.
        text = unicodedata.normalize("NFKC", text)
    calls = list(_find_calls(text))
    named = list(_find_named(name, text))
    names = {*_find_imports(text), *(each for each, is_file in named if not is_file)}
    names.update(_make_name(each) for kind, each in calls if kind == "name")
    prefixes = {each for kind, each in calls if kind == "prefix"}
    if name == "__init__.py":
        # `from package import *` imports the modules that its __all__ lists.
        names.update(Name(1, (each[1].casefold(),)) for each in re.finditer(rf"[\"']({_NAME})[\"']", text))
        prefixes.update("." for _ in _LISTS_FILES.finditer(text))
    return Mentions(
        frozenset(names),
        frozenset(each for each, is_file in named if is_file),
        frozenset({each for kind, each in calls if kind == "stem"} | set(_find_commands(text))),
        frozenset(prefixes),
        frozenset(find_started(text)),
        tuple(_find_test_patterns(name, text)),
        "sys.path" in text or "PYTHONPATH" in text,
        name in _PACKAGING
        and any(_FOLDER_OF_PACKAGE.search(match[1]) for match in _PACKAGE_FOLDER.finditer(text)),
    )


def _make_name(dotted: str) -> Name:
    name = dotted.lstrip(".")
    return Name(len(dotted) - len(name), tuple(part for part in name.casefold().split(".") if part))


def _find_imports(text: str) -> Iterator[Name]:
    for match in _IMPORT.finditer(text):
        origin, imported = match[1], re.sub(r"#[^\n]*|\\\n", " ", match[2])
        if origin is None:
            for each in imported.split(","):
                if found := re.match(rf"\s*({_DOTTED})", each):
                    yield _make_name(found[1])
            continue
        yield _make_name(origin)
        start = origin if origin.endswith(".") else f"{origin}."
        for each in imported.strip("()").split(","):
            if found := re.match(rf"\s*({_NAME})", each):
                yield _make_name(start + found[1])


def _find_calls(text: str) -> Iterator[tuple[str, str]]:
    """Yield what calls import: "name" and a module, "stem" and a file, or "prefix" and how a name begins."""
    executed: list[str] = []
    for match in _CALL.finditer(text):
        callee, argument = match[1].casefold(), match[2]
        if argument.startswith(")"):
            continue
        first = _STRING.match(argument)
        if callee == "exec":
            if first is None:
                executed.append(argument)
        elif callee in _FILE_CALLS:
            paths = [each for each in _STRING.finditer(argument) if each[3].endswith(".py")]
            if not paths or any(_is_variable(each) for each in paths):
                yield "prefix", ""
            yield from (("stem", _find_stem(each[3])) for each in paths)
        elif first is None:
            if callee in _CALLS_OF_ANYTHING:
                yield "prefix", "." if re.match(r"__(?:name|package)__\b", argument) else ""
        else:
            behind = argument[first.end() :].lstrip()
            fixed = _VARIABLE_PART.split(first[3], maxsplit=1)[0]
            if fixed == first[3] and behind[:1] in ("", ",", ")"):
                yield "name", first[3].replace("/", ".").removesuffix(".py")
            elif callee in _CALLS_OF_ANYTHING:
                yield "prefix", fixed
    if executed:
        yield from _find_executed(executed, text)


def _find_executed(arguments: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield the files that calls of exec may run: those that the text names, if it names some."""
    paths = [each for each in _STRING.finditer(text) if each[3].endswith(".py")]
    yield from (("stem", _find_stem(each[3])) for each in paths)
    if any(_is_variable(each) for each in paths) or (not paths and any(map(_READS.search, arguments))):
        yield "prefix", ""


def _is_variable(string: re.Match[str]) -> bool:
    return "f" in string[1].casefold() and "{" in string[3]


def _find_stem(path: str) -> str:
    return re.split(r"[/\\]", path)[-1].removesuffix(".py").casefold()


def _find_named(file_name: str, text: str) -> Iterator[tuple[Name, bool]]:
    """Yield the modules that a text names for others to import, such as `train:main` and `train.Model`.

    Each comes with whether it may be a file as well: `train.model`.
    """
    is_packaging = file_name in _PACKAGING
    if file_name.endswith((*_CODE, *_CONFIGURATIONS)):
        for match in _QUOTED.finditer(text):
            is_module = is_packaging or ":" in match[0]
            if is_module or "." in match[1]:
                yield _make_name(match[1]), not is_module and _is_file(match[1])
    if not file_name.endswith(_CODE):
        for match in _ENTRY.finditer(text):
            yield _make_name(re.sub(r"[/\\]", ".", match[1]).removesuffix(".py")), False
    if file_name.endswith(_CONFIGURATIONS):
        yield from ((_make_name(each[1]), _is_file(each[1])) for each in _PLAIN.finditer(text))
    if file_name == "setup.cfg":
        modules = re.findall(rf"^[ \t]+({_DOTTED})[ \t]*$", text, re.MULTILINE)
        yield from ((_make_name(each), False) for each in modules)
    if "::" in text:
        yield from ((_make_name(each[1]), False) for each in _DOCUMENTED.finditer(text))


def _is_file(dotted: str) -> bool:
    return _FILE_ENDING.search(dotted) is not None


def _find_commands(text: str) -> Iterator[str]:
    """Yield the files that a text has a program import."""
    for match in _IMPORTING_COMMAND.finditer(text):
        for path in _PATH.findall(match[1]):
            yield _find_stem(path).rpartition(".")[2]


def find_started(text: str) -> Iterator[str]:
    """Yield the files and modules that lines of a text start as programs, without folders and endings."""
    for match in _START.finditer(text):
        for each in _STARTED.finditer(match[1]):
            yield (each[1] or each[2]).casefold()


def _find_test_patterns(file_name: str, text: str) -> Iterator[str]:
    """Yield the patterns of the files that pytest imports."""
    if file_name not in _TEST_SETTINGS:
        return
    if "--doctest-modules" in text:
        yield "*.py"
    for match in _TEST_PATTERNS.finditer(text):
        yield from re.findall(r"[\w*?.\[\]-]*\*?\.py\b|[\w?-]*\*[\w*?-]*", match[1])
