"""What Python prints: its banner, and the answers of an interactive session."""

from collections.abc import Iterable, Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "python-session"
_BANNER = (
    r"(?:^|[\s>*:'\"-])(?:Python )?(?P<version>[23]\.\d{1,2}\.\d{1,2}(?:(?:a|b|rc)\d)?\+?)"
    r"(?P<rest> \((?:tags|main|default|heads|v\d|bpo)[^\n]{0,160}| \|[^\n]{0,160}\[(?:MSC"
    r"|GCC|Clang)[^\n]{0,60})"
)
_ON = r"\] (?:64[- ]bit )?on (?P<platform>win32|linux|darwin)\b"
_TAIL = r":: Anaconda|\[(?P<compiler>MSC v\.[^\]]{4,40})\]"
# The values that people print, and the topics of the answers.
_QUESTIONS = (
    (r"torch\.__version__|torch\.version\.__version__", Topic.TORCH),
    (r"torch\.version\.cuda", Topic.TORCH_CUDA),
    (r"torch\.cuda\.is_available\(\)", Topic.CUDA_AVAILABLE),
    (r"torch\.cuda\.get_device_name\([^)]{0,20}\)", Topic.GPU),
    (r"torch\.cuda\.get_device_capability\([^)]{0,20}\)", Topic.GPU_CAPABILITY),
    (r"torch\.cuda\.get_arch_list\(\)", Topic.ARCHITECTURES),
    (r"sys\.version(?!_)", Topic.PYTHON),
    (r"sys\.executable", Topic.PYTHON_EXECUTABLE),
    (
        r"\b(?:torchvision|torchaudio|np|numpy|triton|xformers|transformers|diffusers|bitsandbytes"
        r"|onnxruntime"
        r"|flash_attn|cv2)\.__version__",
        Topic.PACKAGE,
    ),
)
# What people call a module, and its distribution.
_DISTRIBUTIONS = {"np": "numpy", "cv2": "opencv-python", "flash_attn": "flash-attn"}
# What introduces an answer.
_LEAD = (
    r"\W{0,4}(?:(?:and|it|this|which|i|we|the|that|here) ){0,2}(?:returns?|returned|outputs?|prints?"
    r"|printed|results?"
    r"|gives?|gave|got|get|shows?|showed|says?|said|answers?)(?: (?:me|is|was|in))?\W{0,3}$"
)
# An answer in the words of a person: "it returns False and an error".
_TOLD = (
    r"\W{0,4}(?:(?:and|but|it|this|which|that|i|we|always|still) ){0,3}"
    r"(?:returns?|returned|outputs?|prints?|printed|gives?|gave|get|got|shows?|showed|says?)"
    r"(?: (?:me|back|as))? "
    r"[`*'\"]{0,3}(?P<value>True|False|None|[\d.]{3,12}(?:\+(?:cu\d{2,3}|cpu))?)[`*'\"]{0,3}(?=[\s.,;!]|$)"
)
_FENCE = r"\s{0,8}(?:```|~~~)"
# Another value that a program prints.
_PRINTED = r"\s{0,12}print ?\(.{1,200}\)\s*$"
_CODE = (
    r"\s{0,12}(?:import|from) \w[\w., ]{0,80}$|\s{0,12}[A-Za-z_]\w{0,40} ?= ?[A-Za-z_\[(\"'{][^\n]{0,160}$"
)
_PROMPT = r"\s*(?:>>>|In ?\[\d{1,4}\]:|\(Pdb\))\s?(?P<source>.{1,200})"
_COMMAND = (
    r"(?:^|[>$#]\s?|\s|[\\/])(?:python[\w.]{0,8}[\"']?|py(?: -3[\d.]{0,3})?)\s(?:-\w\s)?-c"
    r" ['\"](?P<source>.{5,300})['\"]\s*$"
)
# A line of a program, as it is pasted without the prompt.
_SCRIPT = (
    r"\W{0,3}(?:print ?\()?(?P<source>torch\.(?:__version__|version\.cuda|cuda\.is_available\(\)"
    r"|cuda\.get_device_name\([^)]{0,9}\)))[\s)`]{0,4}(?:#(?P<remark>.{0,80}))?$"
)
_ANSWER = (
    r"\s*(?:Out ?\[\d{1,4}\]: ?|(?P<remark># ?(?:[Oo]utput|[Pp]rints|[Rr]esult)[:=]"
    r" ?))?(?P<value>\S.{0,200})"
)
# An answer behind warnings, or in the next comment of a thread, and how many lines later it may stand.
_LATE_ANSWER = r"\s*[`*'\"]{0,3}(?P<value>True|False)[`*'\"]{0,3}[.!]?\s*$"
_LATE = 24
_CAPABILITY = r"\((\d{1,2}), (\d)\)"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what banners and answers say."""
    pending: list[tuple[Topic | None, str]] = []
    is_script = False
    asked_at, is_typed = -_LATE, False
    for number, line in lines:
        banner = pattern(_BANNER).search(line)
        if banner:
            yield from _read_banner(line, banner["version"], banner["rest"], number)
        typed = pattern(_PROMPT).match(line) or pattern(_COMMAND).search(line)
        question = typed or pattern(_SCRIPT).match(line)
        if question:
            asked: list[tuple[Topic | None, str]] = list(_find_questions(question["source"]))
            told = None if typed else question["remark"]
            if told and "True" not in told:
                # Of what should be, one writes so as well: "True".
                yield from _weaken(_read_answers(asked, told.strip(), number))
            # The answers to a program follow all of its lines.
            pending = [*pending, *asked] if is_script and typed is None else asked
            is_script = typed is None
            if any(topic is Topic.CUDA_AVAILABLE for topic, _ in asked):
                asked_at, is_typed = number, line.lstrip().startswith(">>>")
            continue
        if is_script and pending and pattern(_PRINTED).match(line):
            pending.append((None, ""))
            continue
        if pattern(_FENCE).match(line) or (is_script and pending and pattern(_CODE).match(line)):
            continue
        told_answer = pattern(_TOLD, True).match(line) if pending else None
        if told_answer:
            yield from _weaken(_read_answers(pending[:1], told_answer["value"], number))
            pending, asked_at = [], -_LATE
            continue
        late = pattern(_LATE_ANSWER).match(line) if not pending and number - asked_at < _LATE else None
        if late:
            said = list(_read_answer(Topic.CUDA_AVAILABLE, "", late["value"], number))
            yield from said if is_typed else _weaken(said)
            asked_at = -_LATE
            continue
        answer = None if pattern(_LEAD, True).match(line) else pattern(_ANSWER).match(line)
        if pending and answer:
            said = list(_read_answers(pending, answer["value"], number))
            if any(each.topic is Topic.CUDA_AVAILABLE for each in said):
                asked_at = -_LATE
            yield from said if answer["remark"] is None else _weaken(said)
            if pending[0][0] is None:
                pending = pending[1:]
                continue
            # Prose between a program and what it printed is no answer.
            pending = [] if is_script and not said else pending[max(1, len(answer["value"].split())) :]


def _weaken(said: Iterable[Statement]) -> Iterator[Statement]:
    """Yield what somebody wrote as a comment below a command."""
    for each in said:
        yield Statement(
            each.topic, each.value, each.line, each.reader, is_printed=False, subject=each.subject
        )


def _read_answers(asked: Sequence[tuple[Topic | None, str]], line: str, number: int) -> Iterator[Statement]:
    """Yield the answer to the first question, or to all of them if they stand on one line."""
    parts = line.split() if len(asked) > 1 else [line]
    if len(parts) != len(asked):
        parts = [line]
    for (topic, subject), value in zip(asked, parts, strict=False):
        if topic is not None:
            yield from _read_answer(topic, subject, value, number)


def _read_banner(line: str, version: str, rest: str, number: int) -> Iterator[Statement]:
    yield Statement(Topic.PYTHON, version.rstrip("+"), number, _NAME)
    for topic, value, subject in values.read_compiler(f"{rest} {line}"):
        yield Statement(topic, value, number, _NAME, subject=subject)
    system = pattern(_ON).search(line)
    if system:
        name = {"win32": "windows"}.get(system["platform"], system["platform"])
        yield Statement(Topic.SYSTEM, name, number, _NAME)


def _find_questions(source: str) -> Iterator[tuple[Topic, str]]:
    """Yield the topics that a line of Python prints, in order."""
    if "=" in source.partition("(")[0] and "==" not in source:
        return
    found = [
        (
            match.start(),
            topic,
            _DISTRIBUTIONS.get(name := match[0].partition(".")[0], name)
            if topic is Topic.PACKAGE
            else "0"
            if topic in (Topic.GPU, Topic.GPU_CAPABILITY)
            else "",
        )
        for regex, topic in _QUESTIONS
        for match in pattern(regex).finditer(source)
    ]
    for _, topic, subject in sorted(found, key=lambda item: item[0]):
        yield topic, subject if topic in (Topic.PACKAGE, Topic.GPU, Topic.GPU_CAPABILITY) else ""


def _read_answer(topic: Topic, subject: str, value: str, number: int) -> Iterator[Statement]:
    text = value.strip().strip("'\"")
    said: list[values.Said] = []
    if topic is Topic.TORCH:
        said = list(values.read_torch(text))
    elif topic is Topic.TORCH_CUDA:
        plain = pattern(r"\d{1,2}\.\d(?:\.\d{1,3})?").fullmatch(text)
        if plain or text == "None":
            said = [(topic, ".".join(text.split(".")[:2]) if plain else "none", "")]
    elif topic is Topic.CUDA_AVAILABLE:
        truth = values.read_truth(text)
        said = [(topic, truth, "")] if truth else []
    elif topic is Topic.GPU:
        text = pattern(r" \d{1,3}\.\d{1,12}$").sub("", text)
        said = [(topic, text, subject)] if values.is_nvidia(text) and len(text) < 70 else []
    elif topic is Topic.GPU_CAPABILITY:
        pair = pattern(_CAPABILITY).match(text)
        said = [(topic, f"{pair[1]}.{pair[2]}", subject)] if pair else []
    elif topic is Topic.ARCHITECTURES:
        listed = pattern(r"(?:sm|compute)_\d{2,3}a?").findall(text)
        said = [(topic, " ".join(listed), "")] if listed else []
    elif topic is Topic.PYTHON:
        said = list(values.read_python(text))
    elif topic is Topic.PYTHON_EXECUTABLE:
        said = [(topic, text.replace("\\\\", "\\"), "")] if pattern(r"[A-Za-z]:[\\/]|/").match(text) else []
    elif topic is Topic.PACKAGE and pattern(values.VERSION).fullmatch(text):
        said = [(topic, text, subject)]
    for found_topic, found, found_subject in said:
        yield Statement(found_topic, found, number, _NAME, subject=found_subject)
