"""Programs that use torch: how a text shows which one is meant, and how its user changes its settings."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from torchdoctor.core.record import record
from torchdoctor.knowledge.bodies import EntryError
from torchdoctor.knowledge.heads import HeadError, read_head

# What can be known of a program. A value is Markdown that completes a sentence of a step: "add `--lowvram` at
# the end of the line in `run_nvidia_gpu.bat`". `{place}` in it stands for the value `place`.
SETTINGS = frozenset(
    {
        "program",  # its name, as people write it
        "launcher",  # "yes" where it starts other programs, in folders of its own
        "application",  # "yes" where its user does not write the code: no advice to change a line of Python
        "finished",  # "yes" where it is an .exe that has its packages in it, and no pip reaches them
        "python_path",  # the Python that it runs in, from a folder that the user knows
        "folder",  # that folder, if it is not the program's own
        "likely_python",  # the Python of its usual installation, where it has several kinds
        "likely_folder",  # the folder from which that path begins
        "other_pythons",  # what to type in its other kinds, as a sentence
        "maker",  # whose cards it is made for
        "place",  # where options of the command line are written
        "torch_again",  # how it installs its torch again
        "newest_torch",  # how it gets a torch for the newest cards
        "keeps_torch",  # how it is updated without another torch
        "rebuild",  # how its environment is made again, with models and settings kept
        "python_wanted",  # the version of Python that it needs
        "webui_python",  # the one that the start file of a web UI looks for
        "webui_python_folder",  # the folder that the installer of that Python makes
        "without_workers",  # "yes" where it starts no worker processes
        # What to do so that it ...
        "saving",  # takes less of the card's memory
        "batch",  # takes a smaller batch
        "size",  # works on smaller images, or fewer frames or tokens
        "cpu",  # runs on the CPU
        "amd",  # uses a Radeon
        "intel",  # uses an Arc
        "full_precision",  # computes with 32 bits
        "vae_precision",  # decodes its pictures alone with 32 bits
        "no_workers",  # starts no worker processes
        "no_compile",  # does not compile the model
        "no_xformers",  # does without xFormers
        "no_sage",  # does without SageAttention
        "no_cuda_malloc",  # does not use the allocator cudaMallocAsync
        "no_map",  # reads files of weights without mapping them
        "plain_optimizer",  # does without bitsandbytes
        "one_process",  # does not start processes for several cards
    }
)
# They hold where the program has the Python that it usually has.
_OF_AN_INSTALLATION = frozenset(
    {"python_path", "folder", "likely_python", "other_pythons", "torch_again", "newest_torch", "rebuild"}
)
# A Python that the program or its user makes beside the sources; others come with a package of the program.
_MADE_BY_ITSELF = re.compile(r"env\\")
_CUDA_SET = "torch torchvision torchaudio --index-url https://download.pytorch.org/whl/cu126"
# What a launcher says of the programs that it starts: it reads none of their start files.
_OF_A_LAUNCHER = _OF_AN_INSTALLATION | {"place"}
# What a program that is only named is not known to have.
_OF_ITS_PYTHON = frozenset({"python_path", "folder"})
# What a text can contradict: cases ask for it among its values.
_ONLY_OF_VALUES = frozenset({"finished"})
# Its usual Python, unless the text tells another one.
_OF_A_KIND = ("likely_python", "other_pythons")
_TELL_THE_PYTHON = frozenset(
    {
        "python",
        "environment",
        "installer",
        "conda_environment",
        "kernel",
        "likely_python",
        "pip_arguments",
        "script",
    }
)
# What shows that the text is about a Python of the person's, from which such a program can be run as well.
REACHED = frozenset({"python", "environment", "packages_in", "conda_environment", "kernel", "pip_arguments"})
# Code, or a traceback: what is named beside it may be another program.
_CODE = ('file "', "import torch", ".py:", "from_pretrained(")
# What stands in front of a name that is only compared with.
_COMPARED = re.compile(
    r"\b(?:as (?:in|with)|(?:un)?like(?: in)?|than(?: in| with)?|works? (?:fine |well )?(?:in|with|on)"
    r"|(?:as|like) (?:we|you|i|one) (?:can |could |do )?(?:do |use |have |it )?(?:in|with|on)) $"
)
# "ComfyUI and others work fine": it is another program that fails.
_WORKS = re.compile(r"[^.\n]{0,50}\bwork(?:s|ed|ing)?\s(?:fine|well|great|perfectly|ok(?:ay)?|as expected)\b")
# What stands in front of a program that the text is not about, as a whole sentence or its end.
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|without|nor|unlike|instead of|rather than|other than)"
    r"|\b(?:guide|tutorial|instruction)s(?: are)?(?: only)? for|n't)"
    r"(?: (?:an?|any|the|my|of|in|on|with|from|for|using|used?|have)){0,4} [\"'`(]?$"
)
_LONGEST_NEGATION = 60
# The folder in a prompt, which has no separator at its end: the sign "\kohya_ss\" is to be found in it.
_PROMPT = re.compile(r"(?<![\w\\:])([a-z]:\\[^<>\"|?*\n]{0,200}[^<>\"|?*\n\\])>")
_LISTS = ("signs", "unless", "references", "names")
_KEYS = SETTINGS.union(_LISTS, ["like"])


@record
class Program:
    """A program: the signs of it in a text, and its settings by the names in SETTINGS.

    A sign is a text in lower case with `\\` between folders; one of them shows the program, unless one of
    `unless` is there. `names` are those that people write in a text without any sign. `like` is the program
    whose settings it has where its own file has none; `ancestors` is the number of programs that it has
    settings of. `usual_python` is its Python, where a text names another.
    """

    name: str
    signs: tuple[str, ...]
    unless: tuple[str, ...]
    settings: Mapping[str, str]
    references: tuple[str, ...]
    like: str = ""
    ancestors: int = 0
    usual_python: str = ""
    names: tuple[str, ...] = ()

    @property
    def is_application(self) -> bool:
        """Whether its user does not write code for it."""
        return self.settings.get("application") == "yes"

    @property
    def is_finished(self) -> bool:
        """Whether it has its packages in it, and no pip reaches them."""
        return self.settings.get("finished") == "yes"

    @property
    def is_launcher(self) -> bool:
        """Whether it starts other programs, which a text then is about as well."""
        return self.settings.get("launcher") == "yes"

    def fit_to(self, values: Mapping[str, str]) -> "Program":
        """Return the program for the values of a text, which may name another Python than it usually has.

        An installation by other means has none of its files for starting and updating.
        """
        usual = self.settings.get("python_path", "")
        python, tail = values.get("python", "").lower(), usual.removeprefix(".").lower()
        home = values.get("environment") or values.get("packages_in", "")
        is_usual = (not home or f"\\{home}\\".lower() in tail) and (not python or python.endswith(tail))
        is_packed = "\\" in tail and _MADE_BY_ITSELF.search(tail) is None
        is_usual = (is_usual or not usual) and "pinokio" not in values
        is_usual = is_usual and not (is_packed and "source_folder" in values)
        is_usual = is_usual and not (self.is_finished and values.keys() & REACHED)
        place = self.settings.get("place", "")
        settings = {
            key: value.replace("{place}", place)
            for key, value in self.settings.items()
            if is_usual or key not in _OF_AN_INSTALLATION
        }
        return replace(self, settings=settings, usual_python="" if is_usual else usual)

    def list_values(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return what a text with these values shows besides them: the program's name, and its Python."""
        names = {"program": "program", "python": "python_path", "maker": "maker"}
        found = {name: self.settings[key] for name, key in names.items() if key in self.settings}
        if not values.keys() & _TELL_THE_PYTHON:
            found.update((key, self.settings[key]) for key in _OF_A_KIND if key in self.settings)
        if self.is_finished and not values.keys() & REACHED:
            found.update(finished="yes", sealed="program")
        # An embedded Python belongs to a package that is complete; an extension can have a Python of its own.
        is_own = re.search(
            r"\\(?:python_embed\w*|(?:custom_nodes|extensions)\\.+)\\python\.exe$",
            values.get("python", ""),
            re.IGNORECASE,
        )
        if self.usual_python and "python" in values and not is_own:
            found["usual_python"] = self.usual_python
        return found

    def write_settings(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return the settings, with the packages of the CUDA build that fits a text."""
        packages = values.get("cuda_set", _CUDA_SET)
        settings = ((key, value) for key, value in self.settings.items() if key not in _ONLY_OF_VALUES)
        return {key: value.replace("{cuda_set}", packages) for key, value in settings}

    def is_named(self, text: str) -> bool:
        """Return whether a folded text has one of its names, not only to compare another program with it."""
        return any(
            not _COMPARED.search(text, max(0, found.start() - 30), found.start())
            and not _WORKS.match(text, found.end())
            and not _is_negated(text, found.start())
            for name in self.names
            for found in re.finditer(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text)
        )

    def find_sign(self, text: str) -> str:
        """Return its longest sign in a folded text, or ""."""
        if any(sign in text for sign in self.unless):
            return ""
        return max((sign for sign in self.signs if _is_affirmed(text, sign)), key=len, default="")


def _is_affirmed(text: str, sign: str) -> bool:
    """Return whether a sign is in a folded text, not only where the text denies it."""
    start = text.find(sign)
    while start >= 0 and _is_negated(text, start):
        start = text.find(sign, start + 1)
    return start >= 0


def _is_negated(text: str, start: int) -> bool:
    return _NEGATED.search(text, max(0, start - _LONGEST_NEGATION), start) is not None


@functools.cache
def parse_program(name: str, text: str) -> Program:
    """Parse the file of a program, once a process.

    Raises:
        EntryError: a key is missing, unknown or of the wrong type.
    """
    try:
        data = read_head(text.replace("\r\n", "\n"))
    except HeadError as error:
        raise EntryError(f"{name}: {error}") from error
    if not data.keys() <= _KEYS:
        raise EntryError(f"{name}: unknown key {sorted(data.keys() - _KEYS)[0]!r}")
    settings = {key: _read_text(name, key, data[key]) for key in sorted(SETTINGS & data.keys())}
    signs, unless, references, names = (_read_texts(name, key, data.get(key, [])) for key in _LISTS)
    like = _read_text(name, "like", data["like"]) if "like" in data else ""
    if not (signs and references and ("program" in settings or like)):
        raise EntryError(f"{name}: a program has a name, signs and references")
    return Program(
        name,
        tuple(map(fold_signs, signs)),
        tuple(map(fold_signs, unless)),
        settings,
        references,
        like,
        names=tuple(map(fold_signs, names)),
    )


def _read_text(name: str, key: str, value: object) -> str:
    if not (isinstance(value, str) and value.strip()):
        raise EntryError(f"{name}: {key} is a text")
    return value


def _read_texts(name: str, key: str, value: object) -> tuple[str, ...]:
    if not (isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value)):
        raise EntryError(f"{name}: {key} is a list of texts")
    return tuple(value)


def index_programs(programs: Iterable[Program]) -> tuple[Program, ...]:
    """Return the programs, each with the settings of those that it is like, and with values filled in."""
    by_name = {program.name: program for program in programs}
    return tuple(_complete(program, by_name) for program in by_name.values())


def _complete(program: Program, by_name: Mapping[str, Program]) -> Program:
    line = [program]
    while (base := by_name.get(line[-1].like)) is not None and base not in line:
        line.append(base)
    settings: dict[str, str] = {}
    for each in reversed(line):
        settings.update(each.settings)
    # The program that it is like may be missing, and with it the name.
    settings.setdefault("program", program.name)
    if "python_path" in settings:
        settings.setdefault("folder", f"the folder of {settings['program']}")
    unless = tuple(sign for each in line for sign in each.unless if sign not in program.signs)
    return replace(program, unless=unless, settings=settings, ancestors=len(line) - 1)


def find_program(programs: Sequence[Program], text: str) -> Program | None:
    """Return the program that a text is about, or None.

    A program that is used without writing code comes before a library that it is made with, and one that is
    like another before that one; then the longest sign decides. One in the folder of a launcher is installed
    and started in the launcher's way.
    """
    folded = fold_signs(text)
    folded = "\n".join((folded, *(f"{folder}\\" for folder in _PROMPT.findall(folded))))
    found = [(program, sign) for program in programs if (sign := program.find_sign(folded))]
    best = max(found, key=lambda each: _rank(*each), default=None)
    if best is None:
        return _find_named_program(programs, folded)
    launcher = next((program for program, _ in found if program.is_launcher), None)
    if launcher is None or launcher is best[0] or not best[0].is_application:
        return best[0]
    own = {key: value for key, value in launcher.settings.items() if key in _OF_A_LAUNCHER}
    return replace(best[0], settings={**best[0].settings, **own})


def _rank(program: Program, sign: str) -> tuple[bool, bool, int, int]:
    return program.is_application, not program.is_launcher, program.ancestors, len(sign)


def _find_named_program(programs: Iterable[Program], folded: str) -> Program | None:
    """Return the only program that a text names, if the text has neither a sign nor code, or None.

    Which Python it has is then not known.
    """
    if any(sign in folded for sign in _CODE):
        return None
    named = [program for program in programs if program.is_application and program.is_named(folded)]
    bases = {program.like for program in named}
    own = [program for program in named if program.name not in bases]
    if len(own) != 1:
        return None
    settings = {key: value for key, value in own[0].settings.items() if key not in _OF_ITS_PYTHON}
    return replace(own[0], settings=settings)


def fold_signs(text: str) -> str:
    """Return a text in the form in which signs are compared."""
    return text.lower().replace("\\\\", "\\").replace("/", "\\")
