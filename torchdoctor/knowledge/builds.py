"""Write commands that read the release and build of torch where a text does not name them."""

import re
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.domain.releases import is_rocm_build
from torchdoctor.knowledge.uv import list_packages

_CPU_INDEX = re.compile(r" --index-url https://download\.pytorch\.org/whl/cpu(?![\w/])")
# The fields that keep the build of torch in a command, and an example: {build_index|cu126}.
_FIELD = re.compile(r"\{(torch_release|build_index)\|([^{}\n]+)\}")

_ANY_FIELD = re.compile(r"\{(\w+)\|([^{}\n]*)\}")
# A command that such a field can be read for: all its other words are known.
_COMMAND = re.compile(r"^(?P<indent>[ ]*)python -m pip install (?P<words>[^\n]+)$", re.MULTILINE)
_REMOVAL = re.compile(
    r"-m pip uninstall -y torch(?![\w-])|Remove-Item [^\n]*torch_folder|[Dd]elete the folder `torch`"
)
# The torch that a command for another package names, so that it stays.
_KEPT = re.compile(r'"?torch==\{torch_release\|[^{}\n]+\}"?')
_UNKNOWN_WORD = re.compile(r"\b[A-Z]{4,}\b")
# Reads the files of torch without importing it, which may fail. conda's torch, and old ones, have no `+` in
# their version; their file names the CUDA.
_READER = (
    "import runpy, sys; from importlib.util import find_spec;"
    " t = runpy.run_path(find_spec('torch').submodule_search_locations[0] + '/version.py');"
    " v, _, b = t['__version__'].partition('+');"
    " b = b or ('cu' + t['cuda'].replace('.', '') if t['cuda'] else 'cpu');"
    # PyTorch's indexes have AMD's builds for Linux only.
    " b[:4] == 'rocm' and sys.exit('nothing is changed: AMD has its own index for ' + v);"
)
# The same for a command that only keeps the release: without a torch, pip is told of none.
_KEEPER = (
    "import runpy, sys; from importlib.util import find_spec; s = find_spec('torch');"
    " k = ['torch==' + runpy.run_path(s.submodule_search_locations[0] + '/version.py')"
    "['__version__'].partition('+')[0]] if s else [];"
)
# torchaudio has numbers of its own beside the first and the newest releases of torch (domain/companions.csv).
_AUDIO = (
    " a = {'2.0.0': '2.0.1', '2.0.1': '2.0.2'}.get(v, '0.' + v[2:] if v[0] == '1'"
    " else '2.11.0' if int(v.split('.')[1]) > 11 else v);"
)
# The companions that are there keep their numbers: beside `--no-deps`, pip would take the newest ones,
# whatever the torch.
_COMPANIONS = (
    " from importlib.metadata import distributions;"
    " d = {p.metadata['Name']: p.version.partition('+')[0] for p in distributions()};"
    " c = [k + '==' + d[k] for k in ('torchvision', 'torchaudio') if k in d];"
)
_LOOSE_COMPANIONS = re.compile(
    r"(?:'(?:torchvision|torchaudio|\{fitting_(?:torchvision|torchaudio)\|[a-z]{5,11}\})', ){1,2}"
)
_LOOSE_WORDS = re.compile(r"(?<=[ ])(torchvision|torchaudio)(?=[ ]|$)")
# An upgrade finds nothing newer on these indexes, which end at torch 2.5 and 2.6. Drivers for them run cu126.
_NEWEST_OF_CUDA_12 = " b = {'cu121': 'cu126', 'cu124': 'cu126'}.get(b, b);"
_UPGRADE = re.compile(r"--upgrade torch(?![\w=-])")
_CALL = "runpy.run_module('pip', run_name='__main__')"
_EXPRESSIONS = {"torch_release": "v", "build_index": "b"}
_WORDS = {"torch_release": "release", "build_index": "build"}


def name_default_index(step: str) -> str:
    """Return the Markdown of a step whose commands take a CPU build from the index that pip has by itself.

    That may be a mirror, and is where the build is from that is installed.
    """
    return _CPU_INDEX.sub("", step)


def name_own_command(version: str) -> str:
    """Return the Markdown of a step for a torch that is on none of PyTorch's indexes, "2.9.1+rocm7.2.0"."""
    is_known = is_rocm_build(version)
    source = "`torchdoctor explain no-nvidia-gpu` has AMD's" if is_known else "its own page has it"
    return (
        f"torch {version} is on none of PyTorch's indexes, and a command for one of them would put another"
        f" build in its place. Repeat the whole command by which it was installed ({source}), for torch,"
        " torchvision and torchaudio together, with `--force-reinstall --no-deps` behind `pip install`."
    )


def ask_for_build(
    step: str, values: Mapping[str, str], *, again: bool = False, is_removed: bool = False
) -> str:
    """Return the Markdown of a step, with a question in front if it needs a build that is not known.

    With the example in the command, pip would replace the build: a CPU build by a CUDA build, for instance.
    `again` is whether a step above has asked for it, `is_removed` whether one has removed torch. A command of
    pip that has nothing else to fill in reads the build itself.
    """
    if not is_removed and (filled := _read_in_command(step, values)) is not None:
        return filled
    step = _FIELD.sub(lambda field: _write_example(field, values), step)
    examples = {name: example for name, example in _FIELD.findall(step) if not values.get(name)}
    if not examples:
        return step
    replaced = " and ".join(f"`{example}`" for example in examples.values())
    if is_removed and not again:
        return (
            f"In the command below, put your own in place of {replaced}: pip printed the version of torch"
            f" when it uninstalled it.\n\n   {step}"
        )
    if again:
        return f"In the command below, put your own in place of {replaced}.\n\n   {step}"
    if "build_index" not in examples:
        return (
            "First see which torch you have:\n\n   ```powershell\n   python -m pip show torch\n   ```\n\n"
            f"   In the command below, put the number before its `+` in place of {replaced}: then pip keeps"
            f" this torch.\n\n   {step}"
        )
    version = f"{examples.get('torch_release', '2.4.0')}+{examples.get('build_index', 'cu121')}"
    return (
        "First see which torch you have:\n\n   ```powershell\n   python -m pip show torch\n   ```\n\n"
        f"   It prints its version, such as `{version}`{_name_traceback(values)}. What follows the `+` is the"
        " build. Without a `+`, torch from pip is `cpu`, and one before 2.0 from PyTorch's list is a CUDA"
        " build; `conda list torch` names conda's. In the command below, put your own in place of"
        f" {replaced}.\n\n   {step}"
    )


def _read_in_command(step: str, values: Mapping[str, str]) -> str | None:
    """Return a step whose commands read what is not known; None if one cannot, or all is known."""
    if values.get("installer") == "conda" or removes_torch(step):
        return None
    commands = [match for match in _COMMAND.finditer(step) if _find_unknown(match["words"], values)]
    others = _COMMAND.sub("", step)
    if not commands or _find_unknown(others, values):
        return None
    if not all(_is_complete(match["words"], values) for match in commands):
        return None
    is_upgrade = any(_UPGRADE.search(match["words"]) for match in commands)
    for match in commands:
        arguments = ", ".join(_quote(word, values) for word in match["words"].replace('"', "").split())
        reader = _READER
        packages, _, last = match["words"].rpartition(" ")
        if list_packages(packages.split()) and _KEPT.fullmatch(last) and not _FIELD.search(packages):
            reader, arguments = _KEEPER, arguments.replace("'torch==' + v", "*k")
        if "'torchaudio==' + v" in arguments:
            reader, arguments = reader + _AUDIO, arguments.replace("'torchaudio==' + v", "'torchaudio==' + a")
        if "'--no-deps'" in arguments and "'torch==' + v" in arguments and not values.get("torch_release"):
            arguments, count = _LOOSE_COMPANIONS.subn("*c, ", arguments, count=1)
            reader += _COMPANIONS if count else ""
        if is_upgrade:
            reader += _NEWEST_OF_CUDA_12
        call = f"sys.argv = ['pip', 'install', {arguments}]; {_CALL}"
        step = step.replace(match[0], f'{match["indent"]}python -c "{reader} {call}"', 1)
    unknown = {name for match in commands for name in _find_unknown(match["words"], values)}
    kept = " and ".join(word for name, word in _WORDS.items() if name in unknown)
    typed = _pin_companions(_FIELD.sub(lambda field: _write_example(field, values), commands[0]["words"]))
    replaced = (
        ", but takes `cu126` for `cu121` and `cu124`, which end at torch 2.5 and 2.6" if is_upgrade else ""
    )
    alone = "; without one, pip gets the package alone" if _KEEPER in step else ""
    return (
        f"{step.rstrip()}\n\n   The command reads which torch is there, so that pip keeps its"
        f" {kept}{alone}{replaced}."
        " If it ends with an error, those files are missing: then type"
        f" `python -m pip install {typed}` with the {kept} of your torch."
    )


def _pin_companions(words: str) -> str:
    """Return the arguments of pip with the numbers of companions that fit the torch beside `--no-deps`."""
    release = re.search(r"torch==(?:\{torch_release\|)?(\d[\d.]*)", words)
    if release is None or "--no-deps" not in words:
        return words

    def pin(name: re.Match[str]) -> str:
        # Imported here: few commands need it.
        from torchdoctor.domain.releases import find_companion

        number = find_companion(name[1], release[1])
        return f"{name[1]}=={number}" if number else name[1]

    loose = re.sub(r"\{fitting_(torchvision|torchaudio)\|\1\}", r"\1", words)
    return _LOOSE_WORDS.sub(pin, loose)


def _is_complete(words: str, values: Mapping[str, str]) -> bool:
    """Return whether the arguments of a command are single words that are known, but for torch's build."""
    others = [each for each in _ANY_FIELD.finditer(words) if not _FIELD.fullmatch(each[0])]
    contents = [values.get(each[1]) or each[2] for each in others]
    plain = _ANY_FIELD.sub("", words)
    return not _UNKNOWN_WORD.search(" ".join((plain, *contents))) and not any(
        " " in each for each in contents
    )


def removes_torch(step: str) -> bool:
    """Return whether a step uninstalls torch or deletes its files: then no command can read its build."""
    return _REMOVAL.search(step) is not None


def reads_build(step: str) -> bool:
    """Return whether a step has a command that reads the build of torch, because it is not known."""
    return _CALL in step


def _find_unknown(text: str, values: Mapping[str, str]) -> list[str]:
    return [name for name, _ in _FIELD.findall(text) if not values.get(name)]


def _quote(word: str, values: Mapping[str, str]) -> str:
    """Return a word of a command as an expression of Python, in which unknown fields are variables."""
    parts = []
    end = 0
    for field in _FIELD.finditer(word):
        if not values.get(field[1]):
            parts += [f"'{word[end : field.start()]}'", _EXPRESSIONS[field[1]]]
            end = field.end()
    parts.append(f"'{word[end:]}'")
    return " + ".join(part for part in parts if part != "''") or "''"


def _name_traceback(values: Mapping[str, str]) -> str:
    releases = values.get("traceback_torch")
    return f" (the lines of the traceback are those of {releases})" if releases else ""


def _write_example(field: re.Match[str], values: Mapping[str, str]) -> str:
    """Return a field with an example that the Python of a text can install, if one is known."""
    if field[1] == "torch_release":
        return f"{{torch_release|{values.get('example_release') or field[2]}}}"
    return f"{{build_index|{values.get('kept_index') or values.get('example_index') or field[2]}}}"


def ask_once(steps: Sequence[str], values: Mapping[str, str]) -> Iterator[str]:
    """Yield steps that are read in this order; the first that needs an unknown build says how to see it."""
    has_asked = is_removed = False
    for step in steps:
        asked = ask_for_build(step, values, again=has_asked, is_removed=is_removed)
        has_asked = has_asked or "pip show torch" in asked
        is_removed = is_removed or removes_torch(step)
        yield asked
