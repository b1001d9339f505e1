"""Find the installed package whose module or DLL failed."""

from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Unit

# The folder of a package, in the path of its DLL or of a frame.
_FOLDER = (
    r"[\\/](?:site|dist)-packages[\\/](?:[\w.+-]{1,80}\.egg[\\/])?(\w{1,60})(?:\.libs)?[\\/]([^\n\"']{0,200})"
)
# A path that begins with a package, as people shorten it: `File "nunchaku\models\flux.py"`.
_SHORT_PATH = r"([A-Za-z]\w{2,60})[\\/](?:\w{1,60}[\\/]){0,8}\w{1,60}\.py"
# Functions of torch that load the library of another package.
_LOADERS = ("_ops.py", "_classes.py")
# A module that is imported without its package; names with an underscore occur in many packages.
_MODULE = r"load failed while importing ([a-z]\w{1,60})"
# The line of code that imports a module from its package.
_IMPORTING = r"\s*(?:from|import) (?P<root>[A-Za-z]\w{1,40})(?:[.\w]{0,80})\b"
# Names of modules that are also those of packages which nobody means by them.
_GENERAL = frozenset({"lib", "utils", "ops", "core", "pyexpat", "common", "base", "data", "c"})
# A package whose name a text does not tell.
UNKNOWN = "?"
# A compiled part that an installed package lacks; its frames are of whoever imports it.
_MISSING_PART = (
    r"No module named ['\"]?(?!torch\.|torchvision\.|torchaudio\.)([a-z]\w{1,60})\.(?:\w{1,40}\.){0,4}"
    r"(?:_C(?:_\w{1,40})?|_ext|\w{0,40}_(?:cuda|cpu|ext|kernels?))\b"
)
# Modules that are not named like their distribution, of packages that are compiled.
_MODULES = {"opencv-python": "cv2", "pillow": "PIL", "scikit-image": "skimage", "scikit-learn": "sklearn"}
# A module of Cython, whose file has no path: `File "spacy\\strings.pyx", line 1, in init spacy.strings`.
_CYTHON = r"\.pyx\", line \d{1,6}, in (?:init )?([A-Za-z]\w{1,60})\.\w"
# Distributions that are not named like their folder or module.
_DISTRIBUTIONS = {
    "cv2": "opencv-python",
    "defs": "h5py",
    "etree": "lxml",
    "exllamav2_ext": "exllamav2",
    "exllama_ext": "exllama",
    "flash_attn_2_cuda": "flash-attn",
    "ft2font": "matplotlib",
    "libtriton": "triton",
    "onnx_cpp2py_export": "onnx",
    "onnxruntime_pybind11_state": "onnxruntime",
    "pil": "pillow",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "torch_directml_native": "torch-directml",
}


def find_package(units: Sequence[Unit], index: int) -> str | None:
    """Return the distribution whose module or DLL failed, by the error at an index and its traceback.

    The path in the message decides, or the package whose compiled part is missing, then the deepest frame in
    a package, then the line that imports the module, then its name. UNKNOWN is a package whose name none of
    them tells.
    """
    unit = units[index]
    in_message = pattern(_FOLDER, True).search(unit.text)
    if in_message:
        return name_distribution(in_message[1])
    if part := pattern(_MISSING_PART, True).search(unit.text):
        return name_distribution(part[1])
    if cython := _find_cython_package(units, index):
        return name_distribution(cython)
    module = pattern(_MODULE, True).search(unit.text)
    if module and module[1].lower() in _DISTRIBUTIONS:
        return name_distribution(module[1])
    if folder := next(_find_frame_folders(units, index), None):
        return name_distribution(folder)
    if module is None:
        return _find_short_path(units, index)
    name = _find_importing(units, index, module[1]) or _find_only_folder(units) or module[1]
    return name_distribution(name) if name != module[1] or _is_distribution(name) else UNKNOWN


def _find_importing(units: Sequence[Unit], index: int, module: str) -> str | None:
    """Return the package from which a line of the traceback imports a module, deepest first."""
    own = units[index]
    for unit in reversed(units[:index]):
        if unit.traceback != own.traceback:
            break
        for line in unit.lines:
            match = pattern(_IMPORTING).match(line.text)
            if match and module in line.text and match["root"].lower() != module.lower():
                return match["root"]
    return None


def _find_only_folder(units: Sequence[Unit]) -> str | None:
    """Return the only package that has frames, wherever they stand: people paste the error above them."""
    frames = (pattern(_FOLDER, True).search(unit.frame.path) for unit in units if unit.frame)
    folders = {found[1].lower() for found in frames if found}
    return folders.pop() if len(folders) == 1 else None


def _find_short_path(units: Sequence[Unit], index: int) -> str | None:
    """Return the package with which the path of the frame above an error begins, if it is a known one."""
    frames = (unit.frame for unit in reversed(units[:index]) if unit.frame)
    found = pattern(_SHORT_PATH).fullmatch(frame.path) if (frame := next(frames, None)) else None
    return name_distribution(found[1]) if found and _is_distribution(found[1]) else None


def _is_distribution(module: str) -> bool:
    """Return whether a package of the name of a module is known."""
    # Imported here: few texts are about another package.
    from torchdoctor.redaction.words.vocabulary import read_known_packages

    name = name_distribution(module)
    return name not in _GENERAL and name in read_known_packages()


def _find_cython_package(units: Sequence[Unit], index: int) -> str | None:
    """Return the package whose compiled module an error or a frame of its traceback names, if it is one."""
    own = units[index]
    near = (unit for unit in units if unit is own or (own.traceback and unit.traceback == own.traceback))
    found = (pattern(_CYTHON).search(unit.text) for unit in near)
    names = {match[1] for match in found if match}
    return names.pop() if len(names) == 1 else None


def _find_frame_folders(units: Sequence[Unit], index: int) -> Iterator[str]:
    """Yield the package folders of the frames above an error, deepest first, then those of its chain."""
    own = units[index]
    above: list[Unit] = []
    for unit in reversed(units[:index]):
        if unit.traceback != own.traceback or not (own.traceback or unit.frame):
            break
        above.append(unit)
    chained = [unit for unit in reversed(units) if own.chain and unit.chain == own.chain]
    for unit in (*above, *chained):
        found = pattern(_FOLDER, True).search(unit.frame.path) if unit.frame else None
        if found and not (found[1].lower() == "torch" and found[2].lower() in _LOADERS):
            yield found[1]


def find_built_module(values: Mapping[str, str]) -> str | None:
    """Return the module of the package that is built, where that can be told by its name, or None.

    What pip was asked to build may be a folder, an address or a list.
    """
    asked = values.get("wanted_package", "") if "build_arguments" in values else ""
    name = values.get("built_package") or asked
    if name.lower() in _MODULES:
        return _MODULES[name.lower()]
    if pattern(r"(?:torch|flash|diff|simple)-[a-z-]{2,40}").fullmatch(name):
        return name.replace("-", "_")
    return name.lower() if pattern(r"[A-Za-z]\w{1,60}").fullmatch(name) else None


def name_distribution(folder: str) -> str:
    """Return the name that pip knows a package by, of the name of its folder or module."""
    folder = folder.lower()
    return _DISTRIBUTIONS.get(folder, folder.replace("_", "-"))
