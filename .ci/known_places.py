"""Write redaction/words/known_places.bin: in which places words, names, folders and files are public.

    python .ci/known_places.py

The places are those in the code of the entries and the documentation, in the standard library, in torch
(.ci/names_of_torch.txt, which `python .ci/known_places.py SITE_PACKAGES` writes), those that at least two
samples have, and the libraries of wheels for Windows (.ci/names_of_libraries.txt).

    python -m pip download --no-deps --only-binary :all: --platform win_amd64 --python-version 3.12 \\
        --dest FOLDER PACKAGE ...
    python .ci/known_places.py --wheels FOLDER

adds the libraries of packages to that file, and keeps those of older releases. They are of torch,
torchvision, torchaudio, torchcodec, torch-directml and triton-windows, and of what is imported beside torch:
auto-gptq, av, bitsandbytes, ctranslate2, cupy, decord, deepspeed, h5py, hf-xet, matplotlib, numba, numpy,
onnxruntime-gpu, opencv-python, openvino, panda3d, pandas, pillow, psutil, pywin32, safetensors, scikit-learn,
scipy, spacy, tokenizers, ujson and others.

Words of .ci/private_words.txt, which are names of people, passwords and names of projects as well, are known
only where they follow other words. The file is a list of hashes: see redaction/words/known_places.py.
"""

import ast
import builtins
import importlib
import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / ".ci"))
sys.path.insert(0, str(ROOT))

from known_words import OWN_TEXTS, list_samples  # noqa: E402

from torchdoctor.redaction.paths.unusual_paths import list_parts  # noqa: E402
from torchdoctor.redaction.people.owners import find_owner  # noqa: E402
from torchdoctor.redaction.printed_texts import PRINTED  # noqa: E402
from torchdoctor.redaction.words.known_places import (  # noqa: E402
    FILE,
    FOLDER,
    FOLLOWS,
    IMPORTED,
    MEMBER,
    NAME,
    OWNER,
    PACKAGE,
    PART,
    VALUE,
    hash_place,
    write_table,
)
from torchdoctor.redaction.words.placed_words import list_places, list_quoted, read_tokens  # noqa: E402
from torchdoctor.redaction.words.shared_values import NUMBER, OWN, READ  # noqa: E402

DOMAIN = ROOT / "torchdoctor" / "domain"
WORDS = ROOT / "torchdoctor" / "redaction" / "words"
TABLE = WORDS / "known_places.bin"
NAMES_OF_TORCH = ROOT / ".ci" / "names_of_torch.txt"
NAMES_OF_LIBRARIES = ROOT / ".ci" / "names_of_libraries.txt"
MESSAGES_OF_IMPORTS = ROOT / ".ci" / "messages_of_imports.txt"
DIFFERS = "…"
# Names of people and projects and passwords; and packages that are words of English, except those of entries.
PRIVATE_WORDS = ROOT / ".ci" / "private_words.txt"
PLAIN_PACKAGES = ROOT / ".ci" / "plain_packages.txt"
MIN_TEXTS = 2
LONGEST = 60
# Modules of Python whose parts errors name.
MODULES = (
    "asyncio", "collections", "contextlib", "ctypes", "errno", "functools", "importlib",
    "importlib.metadata", "importlib.util", "inspect", "io", "json", "logging", "multiprocessing",
    "multiprocessing.connection", "multiprocessing.context", "multiprocessing.queues",
    "multiprocessing.reduction", "multiprocessing.shared_memory", "multiprocessing.spawn", "os", "os.path",
    "pathlib", "pickle", "platform", "queue", "random", "re", "shutil", "signal", "socket", "ssl",
    "subprocess", "sys", "tempfile", "threading", "time", "traceback", "types", "typing", "urllib.error",
    "urllib.request", "warnings", "weakref", "zipfile",
)  # fmt: skip
# Folders that many people make, and that say nothing of them.
COMMON_FOLDERS = (
    "app", "apps", "code", "data", "desktop", "documents", "downloads", "errors", "logs", "models", "output",
    "outputs", "projects", "runs", "src", "temp", "texts", "tmp", "work",
)  # fmt: skip
# Folders with numbers that installers make: of distributions of Python, systems and Visual Studio.
NUMBERED_FOLDERS = (
    "amd64", "anaconda2", "anaconda3", "arm64", "bin32", "bin64", "bf16", "fp16", "fp32", "fp8", "i686",
    "int8", "lib32", "lib64", "mambaforge3", "miniconda2", "miniconda3", "miniforge3", "msys64", "win32",
    "win64", "x64", "x86", "x86_64", "syswow64", "system32",
    "vs2015", "vs2017", "vs2019", "vs2022", "2015", "2017", "2019", "2022", "2026",
)  # fmt: skip
# Names that Python gives to what has none.
GIVEN = ("dictcomp", "genexpr", "lambda", "listcomp", "locals", "module", "setcomp", "stdin", "string")
# Models that many people have downloaded.
COMMON_FILES = (
    "flux1-dev.safetensors", "sd_xl_base_1.0.safetensors", "sd_xl_refiner_1.0.safetensors",
    "resnet18.pth", "resnet50.pth", "v1-5-pruned-emaonly.ckpt", "v1-5-pruned-emaonly.safetensors",
    "yolov8n.pt",
)  # fmt: skip
# Headers that a build does not find: of the C library and the compiler (the include folder of MSVC, and ucrt
# in the Windows SDK), of Windows (um in the SDK), of Unix, of CUDA's toolkit and of Python.
HEADERS = (
    "assert.h", "corecrt.h", "crtdbg.h", "crtdefs.h", "ctype.h", "cublas_v2.h", "cuda.h",
    "cuda_fp16.h", "cuda_runtime.h", "cuda_runtime_api.h", "cudnn.h", "cusolverdn.h", "cusparse.h", "errno.h",
    "excpt.h", "float.h", "inttypes.h", "io.h", "limits.h", "malloc.h", "math.h", "nvtoolsext.h", "omp.h",
    "patchlevel.h", "pyconfig.h", "python.h", "sal.h", "stdarg.h", "stddef.h", "stdint.h", "stdio.h",
    "stdlib.h", "string.h", "types.h", "time.h", "unistd.h", "vcruntime.h", "wchar.h",
    "windows.h", "winsock2.h",
)  # fmt: skip
Place = tuple[str, ...]
_FUNCTION = re.compile(r"^ *def (\w+)", re.MULTILINE)
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_ESCAPE = re.compile(r"\\[A-Zabdfnrstwx]")
# What is no word in a regular expression.
_META = re.compile(
    r"\(\?P?[<=!:][\w=!]*>?|\[(?:\\.|[^\]\\])*\]|\\[dwsbBDWSnt]|\\(?=[.\-()\[\]])|[(){}|?*+^$]|\d,\d+"
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|-)\w+)*")
# Where a text has names of code that can be plain words.
_NAMED = re.compile(
    r"(?:\bimport|\bfrom|\bin|named|attribute|importing|function|class|object|module|name)"
    r" ['\"]?([A-Za-z_][\w.]*)"
    r"|\bpip3? install ([\w.-]+)|(--?[a-z][\w-]+)"
)
_IMPORTED = re.compile(
    r"(?:\bimport|\bfrom|No module named|\bimporting) ['\"]?([A-Za-z_][\w.]*)"
    r"|\bpip3? install ([A-Za-z][\w.-]*)"
)
# Values in the heads of entries: those that are numbers, those that are words, and what stands for one.
_GROUP = re.compile(r"\(\?P<(\w+)>((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\)){1,300})\)")
_DEFAULT = re.compile(r"\{(\w+)\|([^{}|\n]{1,80})\}")
_PROGRAM = re.compile(r'^(program) = "([^"]+)"', re.MULTILINE)
_OF_NUMBERS = re.compile(r"-?(?:\\d|\[[\d,.-]+\]|\d|[-+?*{},.|]|\\\.)+")
_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|[\w.~-]*[\\/])[^\s\"'<>|*?:]+")
_PATH_WITH_BLANKS = re.compile(r"(?<=[\"'])[A-Za-z]:[\\/][^\"'<>|*?:\n]+(?=[\"'])")
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]`]+")
_NO_NAME = re.compile(r"(?=.*\d)h?[0-9a-f]{6,}|(?:[a-z]+\d+){3,}[a-z]*|.*\d{5,}.*|tmp\w{8}")
# A library in a wheel, without the Python that it is for; and one whose name has a hash.
_LIBRARY = re.compile(r"(?:^|/)(?P<stem>[\w.+-]{2,60}?)(?:\.cp\d{2,3}-win_amd64)?\.(?P<ending>dll|pyd)$")
_HASHED = re.compile(r"[-_](?=[a-f]*\d)[0-9a-f]{8,}")


def read_list(path: Path) -> frozenset[str]:
    """Return the words in a file."""
    return frozenset(path.read_text(encoding="utf-8").split())


def list_names(code: str) -> Iterator[Place]:
    """Yield the names of code in a text: the first part of each, and each part below another one."""
    for name in map(str.lower, _IDENTIFIER.findall(code)):
        yield (NAME, name)
        for joint in ("::", "."):
            yield from ((NAME, part) for part in name.split(joint) if "_" in part)
            first, *others = name.split(joint)
            yield (NAME, first)
            yield from ((MEMBER, *pair) for pair in zip([first, *others], others, strict=False))


def list_paths(text: str) -> Iterator[Place]:
    """Yield the folders, the files and the parts of addresses in a text."""
    for address in _ADDRESS.findall(text):
        _, host, *parts = re.split(r"[/?#&=@]+", address.lower().rstrip(".,;:"))
        yield from ((PART, part) for part in parts)
        if owner := find_owner(host, parts):
            yield (OWNER, owner)
    for path in (*_PATH.findall(_ADDRESS.sub(" ", text)), *_PATH_WITH_BLANKS.findall(text)):
        *folders, file = re.split(r"[\\/]+", path.lower())
        yield from ((FOLDER, folder) for folder in folders)
        yield (FILE, file.strip(".,;")) if "." in file.strip(".,;") else (FOLDER, file)
    yield from ((FILE, name.lower()) for name in re.findall(r"(?<![\w\\/.])[\w-]+\.[a-z]\w{0,10}\b", text))


def list_words(text: str) -> Iterator[Place]:
    """Yield which word follows which in the lines of a text."""
    for line in text.splitlines():
        line = line[:2000]
        for before, word in (*list_places(list(read_tokens(line))), *list_quoted(line)):
            yield (FOLLOWS, before, word)


def list_own() -> Iterator[Place]:
    """Yield the places that are known without the samples."""
    yield from _list_own_texts()
    for folder in ("domain", "explain", "knowledge", "readers", "redaction"):
        for path in sorted((ROOT / "torchdoctor" / folder).rglob("*.py")):
            yield from list_constants(path)
    for path in (ROOT / "torchdoctor" / "inside").rglob("*.py"):
        # Tracebacks of the doctor's own children have these.
        yield from ((FILE, path.name), (NAME, path.stem))
        yield from ((NAME, name) for name in _FUNCTION.findall(path.read_text(encoding="utf-8")))
    yield from ((FOLDER, name) for name in (*COMMON_FOLDERS, *NUMBERED_FOLDERS))
    yield from ((FILE, name) for name in (*COMMON_FILES, *HEADERS, *read_list(NAMES_OF_LIBRARIES)))
    yield from _list_of_python()
    yield from _list_of_tables()
    yield from _list_messages()
    yield from _list_names_of_torch()


def _list_own_texts() -> Iterator[Place]:
    """Yield what entries, programs and documents have."""
    # Values that the doctor writes itself, and no pattern reads.
    written, read = {"newest_reason", "set_reason"}, set[str]()
    for glob in OWN_TEXTS:
        for path in ROOT.glob(glob):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".toml":
                yield from ((VALUE, *pair) for pair in _PROGRAM.findall(text.lower()))
                written.update(re.findall(r"^(\w+) = ", text, re.MULTILINE))
            read |= {name for name, _ in _GROUP.findall(text)}
            yield from _list_own_text(
                text, text if path.suffix == ".toml" else "\n".join(_CODE.findall(text))
            )
    yield from ((VALUE, name, "base") for name in ("conda_environment", "conda_name", "environment"))
    yield from ((VALUE, OWN, name) for name in written - read)


def _list_own_text(text: str, code: str) -> Iterator[Place]:
    """Yield what a text of the doctor has, and the code in it."""
    yield from ((VALUE, "*", name.lower()) for name in re.findall(r"\b[A-Z]{8,}\b", code))
    yield from list_paths(_ESCAPE.sub(" ", code.replace("\\\\", "\\")))
    yield from list_paths(" ".join(_ADDRESS.findall(text)))
    for line in text.splitlines():
        for part in map(str.lower, list_parts(_ADDRESS.sub(" ", line))):
            yield from ((FOLDER, part), (FILE, part))
    yield from list_names(_ESCAPE.sub(" ", code))
    yield from list_imported(code)
    yield from list_values(text)
    for line in code.splitlines():
        literal = _META.sub(" \x00 ", line) if "pattern" in line else line.replace("`", "")
        for part in literal.split("\x00"):
            yield from list_words_inside(part)


def _list_of_python() -> Iterator[Place]:
    """Yield the modules of Python, and the names in those that errors name."""
    for name in sys.stdlib_module_names:
        yield (IMPORTED, name.lower())
    for name in (*sys.stdlib_module_names, *dir(builtins), *GIVEN):
        yield (NAME, name.lower())
    for module in MODULES:
        for name in dir(importlib.import_module(module)):
            yield from list_names(f"{module}.{name}")
            if not name.islower():
                yield (NAME, name.lower())


def _list_of_tables() -> Iterator[Place]:
    """Yield what the doctor's tables of frames, cards and DLLs have."""
    for line in (DOMAIN / "frame_lines.csv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            file, function, _ = line.split(",", 2)
            yield from list_paths(file)
            yield (NAME, function.lower())
    for table in (DOMAIN / "gpu_capabilities.csv", *sorted((ROOT / "torchdoctor" / "pe").glob("*.t*"))):
        text = table.read_text(encoding="utf-8")
        yield from list_paths(text)
        yield from ((NAME, name.lower()) for name in _IDENTIFIER.findall(text))


def _list_messages() -> Iterator[Place]:
    """Yield which word follows which in the messages of imports."""
    for line in MESSAGES_OF_IMPORTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if DIFFERS not in line:
            yield from list_words(line)
        for part in line.split(DIFFERS):
            yield from list_words_inside(part)


def _list_names_of_torch() -> Iterator[Place]:
    """Yield the modules of torch, what they export, and its folders and files."""
    for line in NAMES_OF_TORCH.read_text(encoding="utf-8").split():
        if "/" in line:
            yield from list_paths(line)
        else:
            yield from list_names(line)
            last = line.rpartition(".")[2]
            if re.search(r"[a-z][A-Z]|_", last):
                yield (NAME, last.lower())


def list_printed() -> Iterator[str]:
    """Yield what programs printed on the machines of the samples."""
    for path in sorted((ROOT / "tests" / "samples").rglob("*.json")):
        yield from _find_printed(json.loads(path.read_text(encoding="utf-8")))


def _find_printed(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        texts = (text for name, text in value.items() if name in PRINTED and isinstance(text, str))
        yield from texts
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _find_printed(item)


def list_imported(text: str) -> Iterator[Place]:
    """Yield the modules that a text imports, and the packages that it installs."""
    for match in _IMPORTED.finditer(text):
        name = next(filter(None, match.groups())).lower()
        yield from ((IMPORTED, each) for each in (name, name.partition(".")[0]))


def list_values(text: str) -> Iterator[Place]:
    """Yield which values are numbers and which are words, by the patterns and the texts of an entry."""
    for name, group in _GROUP.findall(text):
        if _OF_NUMBERS.fullmatch(group):
            yield (VALUE, name, NUMBER)
            continue
        if re.search(r"\\[wSWD]|\[\^|\.[*+{]", group):
            yield (VALUE, READ, name)
        for word in re.findall(r"[^\W\d_]+", _META.sub(" ", group)):
            yield (VALUE, name, word.lower())
    for name, default in _DEFAULT.findall(text):
        yield (VALUE, name, default.lower())


def list_constants(path: Path) -> Iterator[Place]:
    """Yield the words that the doctor gives to values, and which of those that it reads are numbers."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"[a-z][a-z_]{1,24}", node.value):
                yield (VALUE, "*", node.value)
            yield from list_values(node.value)


def list_words_inside(text: str) -> Iterator[Place]:
    """Yield which word follows which, but not what stands first or last: it is cut from a message."""
    for line in text.splitlines():
        places = list_places(list(read_tokens(line)))[1:-1]
        yield from ((FOLLOWS, *pair) for pair in places)


def list_packages() -> Iterator[Place]:
    """Yield the packages that are no words, and those that the entries name."""
    plain = read_list(PLAIN_PACKAGES)
    for name in (WORDS / "known_packages.txt").read_text(encoding="utf-8").split():
        if name not in plain:
            yield (PACKAGE, name)


def list_of_sample(text: str) -> set[Place]:
    """Return the places of a sample."""
    places = {*list_words(text), *list_paths(text), *list_imported(text)}
    for name in _IDENTIFIER.findall(text):
        if re.search(r"[_.\d-]|::|[a-z][A-Z]", name):
            places.update(list_names(name))
    for match in _NAMED.finditer(text):
        places.update(list_names(next(filter(None, match.groups()))))
    return places


def is_kept(place: Place, private: frozenset[str]) -> bool:
    """Return whether a place has no word that is a name of a person as well, and no key."""
    kind, *words = place
    if not all(words) or any(len(word) > LONGEST for word in words):
        return False
    if kind in (FOLLOWS, MEMBER) or (kind == VALUE and words[0] != "*"):
        return True
    if kind == VALUE:
        words = words[1:]
    stem = words[0].partition(".")[0] if kind == FILE else words[0]
    return stem.strip("_-") not in private and not _NO_NAME.fullmatch(stem)


def write_names_of_torch(site_packages: Path) -> None:
    """Write the modules of torch, what they export, and its folders and files."""
    names: set[str] = set()
    for line in next(site_packages.glob("torch-*.dist-info/RECORD")).read_text(encoding="utf-8").splitlines():
        path = line.partition(",")[0]
        if re.match(r"torch/include/(?:ATen/[^/]+|c10/.*)\.h,", line):
            names.add(f"torch/include/{path.rpartition('/')[2]}")
        if path.startswith("torch") and not re.search(r"/include/|\.pyc$|\.h$|dist-info|/test", path):
            names.add(path)
        if path.startswith("torch/") and path.endswith(".py") and "test" not in path:
            module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            names.update(f"{module}.{name}" for name in _list_exported(site_packages / path))
    NAMES_OF_TORCH.write_text("\n".join(sorted(names)) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(names)} names of torch")


def _list_exported(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets):
            values = getattr(node.value, "elts", []) if isinstance(node, ast.Assign) else []
            yield from (each.value for each in values if isinstance(each, ast.Constant))


def write_names_of_libraries(wheels: Path) -> None:
    """Add the libraries and the compiled modules in the wheels of a folder to those that are known."""
    names = set(read_list(NAMES_OF_LIBRARIES))
    for wheel in wheels.glob("*win_amd64.whl"):
        with zipfile.ZipFile(wheel) as file:
            found = (_LIBRARY.search(path.lower()) for path in file.namelist())
            names.update(f"{each['stem']}.{each['ending']}" for each in found if each is not None)
    names = {name for name in names if not _HASHED.search(name)}
    NAMES_OF_LIBRARIES.write_text("\n".join(sorted(names)) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(names)} libraries")


def find_places(samples: Iterable[str], own: set[Place], private: frozenset[str]) -> set[Place]:
    """Return the places that are public."""
    counts = Counter(place for text in samples for place in list_of_sample(text))
    found = own | {place for place, count in counts.items() if count >= MIN_TEXTS} | set(list_packages())
    return {place for place in found if is_kept(place, private)}


def write_places() -> None:
    """Find the places, and write their hashes."""
    private = read_list(PRIVATE_WORDS)
    own = set(list_own())
    places = find_places([*list_samples(), *list_printed()], own, private)
    numbers = {hash_place(*place) for place in places}
    TABLE.write_bytes(write_table(numbers))
    print(f"{len(numbers)} places: {sorted(Counter(place[0] for place in places).items())}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--wheels"]:
        write_names_of_libraries(Path(sys.argv[2]))
    elif len(sys.argv) > 1:
        write_names_of_torch(Path(sys.argv[1]))
    write_places()
