"""Lines with a label and a value: the reports of collect_env, mmengine, transformers, ComfyUI and others.

The labels are those of many programs, and of the forms of issue trackers. A line counts as printed by a
program if lines near it are, or if nobody would write its value by hand.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.label_words import normalise
from torchdoctor.readers.labelled_values import read_package, read_truth
from torchdoctor.readers.labels import find_reader, guess_reader, names_version
from torchdoctor.readers.markdown_tables import read_tables
from torchdoctor.readers.statements import Lines, Statement, Topic
from torchdoctor.readers.values import Said
from torchdoctor.readers.wishes import find_wishes

# What only the report of a program has.
_SIGNS = (
    r"is debug build|to build pytorch|sys\.platform|\(gpu\?\)|\(accelerator\?\)|torch vram|^\*\* |torch env"
    r" info|torch_env_info|nvidia gpus"
    r"|python platform|pytorch debug build|monai version|collecting environment|total vram|embedded python"
    r"|launching web ui|`(?:transformers|accelerate|diffusers|peft)` version|=== software"
    r"|pytorch compiling details"
    r"|cuda_compiled_version|comfyui version:|prestartup times|(?<!/)cudnn version|^\s*\* cuda:"
    r"|^\s*(?:- )?\"?architecture\"?:\s*\[?|^\W*pytorch_debug\b"
)
# How many lines around such a line are part of the report.
_REPORT_LINES = 25
# Nobody writes these by hand.
_PRINTED_VALUE = (
    r"\+cu\d|\+cpu|\[MSC v|\(tags/|packaged by|-SP0|\(main, |\bMiB\b|WindowsPE|10\.0\.\d{5}|python\.exe"
)
_LABELLED = (
    r"\s*(?:[-*+•>#]{1,4}\s{1,3}|#(?=\w)|\[[ xX]\] |\* |[・●■◆○•] ?|\d[.)] "
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f? ?){0,3}"
    r"[*`\"'_{]{0,4}(?P<label>[^\W\d_](?:[\w ().?/&,`+-]|['’](?=s )){0,56}?)[*`\"'_]{0,4}"
    r"(?P<separator>\s{0,2}\.{3,40}\s{1,3}|\s{0,24}[:：=](?!=)[*`\"'_]{0,3}\s{0,60}"
    r"|\?\s{1,3}(?=(?i:yes|no|true|false)\b)|\s{1,3}[-–—]\s{1,3}(?=[\d'\"v])|\s{1,3}(?:->|=>|→|\|)\s{1,3}"
    r"|\s{2,40}(?=\S))"
    r"(?P<value>\S.{0,400})"
)
# In these parts of a report each label is a package.
_PACKAGE_SECTIONS = ("packages", "lightning")
_OPTIONAL = "optional dependencies"
# The head of a part, and what it lists without a label, in the layouts of Lightning: a list, tabs or JSON.
_SECTION = (
    r"\s{0,8}(?:[*-] |\")?(?P<name>cuda|packages|lightning|system)\"?:\s{0,2}\{?\s*$"
    r"|(?P<other>optional dependencies):\s*$"
)
_ENTRY = (
    r"\s{0,16}(?:- |\")?(?:(?P<bits>32|64)bit|(?P<gpu>(?:NVIDIA|GeForce|Quadro|Tesla"
    r"|TITAN)\b[\w .()-]{2,60}?))"
    r"\"?[\],]{0,2}\s*$"
)
# An answer that was put into the brackets of a form.
_BRACKETS = r"\[\s?(?P<inside>[^\[\]\n]{2,60}?)\s?\]$"
_CODE_LABEL = r"^(\s{0,8}[-*+] )`([\w.-]{2,40})` version"
_CARD_LABELS = ("device name", "compute capability", "multi processor count", "device count", "cuda device")
_NEAR_CARD = 4
_VERSION_WORD = (
    r"^(?:version|ver\.|versión|versione|versão|版本号?|バージョン|버전|версия)\s{0,3}[:：=]?\s{0,3}(?=v?\d)"
)
# torch.version.cuda is None; without torch, "N/A" stands there.
_NO_CUDA_BUILD = r"\s*CUDA used to build PyTorch: (?:None|Could not collect)\s*$"
_EARLY_TORCH = r"\s*PyTorch version: (?:0\.|1\.[0-7]\.)"
# A field of a form whose value is below it: a heading, a line in bold, a label or a question alone.
_FIELD = (
    r"\s{0,3}(?:#{1,6} \s{0,2}[*_]{0,2}(?P<heading>[^\n:：]{2,60}?)[*_]{0,2}\s{0,3}[:：?？]?[*_]{0,2}\s*$"
    r"|(?:[-*+] |\d{1,2}[.)] )?[*_]{2}(?P<bold>[^*\n:：?]{2,60})[:：?？]?[*_]{2}\s{0,2}[:：?]?\s*$"
    r"|(?:[-*+] |\d{1,2}[.)] |Q: ?)?(?P<alone>[^\W\d_][^\n:：?？*|]{1,43})[:：?？]\s*$)"
)
# What stands between a field and its value.
_NOTHING = r"\s*(?:```\w{0,12}|~~~|<details>|<summary>|-{3,}|<!--[^\n]*-->)?\s*$"
_ANSWER = r"^(?:A: ?|[-*+>] )"
_SEPARATOR = r"[\u00a0 ]{0,4}•[\u00a0 ]{0,4}"
# What joins the labels of a line with several values, and the values, in the order in which they are tried.
_LABEL_JOINT = r"\s{0,2}[/,&+]\s{0,2}|\s(?:and|und|et|y|и|with)\s"
_VALUE_JOINTS = (r"\s{0,2}[|;]\s{0,2}", r"\s?/\s?", r"\s{0,2}[,，、]\s?", r"\s[+&]\s|\sand\s|\swith\s")
# What introduces some of the output of nvidia-smi, and how far it goes.
_SMI_LEAD = (
    r"^[^\n]{0,60}\bnvidia-smi[`*)]{0,3}(?: (?:output|shows?|says|reports|prints|gives"
    r"|result))?[`*_ ]{0,4}[:：]?[*_ ]{0,3}$"
)
_NEAR_SMI = 6
# Beside what torch answers, the version of CUDA is that of torch.
_CUDA_ANSWER = (
    r"\W{0,6}(?:torch\W)?cuda(?:[ _.]is)?[ _]available(?:\(\))?\W{0,3}\s{0,12}[:=]\s{1,12}(?-i:True|False)\b"
)
_NEAR_ANSWER = 2
# Where the next label of a line begins: "OS: Windows 11, GPU: RTX 3060".
_NEXT_LABEL = (
    r"(?:(?<=\s)|(?<=[,，;；、|)）]))(?=(?:系统|操作系统|显卡|顯卡|内存|显存|驱动|处理器|CPU|GPU|OS|RAM"
    r"|VRAM|[Pp]ython"
    r"|(?:[Pp]y)?[Tt]orch|torchvision|torchaudio|CUDA|[Dd]river)(?: ?(?:[Vv]ersion|版本|型号))? ?[:：]\s?\S)"
)
_LONGEST_RUN = 300
# A value that says what is wanted or missing, and none of the machine.
_NO_VALUE = (
    r"(?:n/?a\b|none\b|could not collect|not (?:found|installed|available|applicable"
    r"|detected|sure|relevant)|unknown"
    r"|no cuda\b|\?|-+$|no response|_no response_|latest(?! (?:nvidia |driver )?\(?v?\d)|any\b|all\b|\[e\.?g"
    r"|e\.g\.|[<>=~^!])"
)


def _join_headings(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines, and for a field of a form with its value below, both as a label and its value.

    The value may be in a block of code.
    """
    filled = [(number, line.strip()) for number, line in lines if not pattern(_NOTHING).match(line)]
    below = {number: (later, value) for (number, _), (later, value) in pairwise(filled)}
    for number, line in lines:
        yield number, line
        field = pattern(_FIELD).match(line)
        if field is None or number not in below:
            continue
        label, (later, value) = field["heading"] or field["bold"] or field["alone"], below[number]
        value = pattern(_ANSWER).sub("", value, count=1)
        is_value = field["heading"] or (
            find_reader(normalise(label)) is not None and not pattern(_LABELLED).match(value)
        )
        if is_value and not value.startswith(("#", "**")) and not value.endswith((":", "：", "?")):
            yield later, f"{label}: {value}"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what labelled lines say."""
    lines = list(read_tables(list(_join_headings(lines))))
    in_report = _find_reports(lines)
    wished = set(find_wishes(lines))
    section = ""
    last_card, cards, last_smi = -9, 0, -9
    for index, (number, line) in enumerate(lines):
        if "nvidia-smi" in line and pattern(_SMI_LEAD, True).search(line):
            last_smi = index
        is_report = bool(in_report[index]) and number not in wished
        heading = pattern(_SECTION, True).match(line)
        # The list of MONAI has no indent; each line of it names a version.
        goes_on = " version:" in line if section == _OPTIONAL else line[:1] in " \t*-"
        # What a heading was joined with stands before it.
        goes_on = goes_on or (index + 1 < len(lines) and lines[index + 1][0] <= number)
        section = heading[0].strip(' *-":{').lower() if heading else section if goes_on else ""
        entry = pattern(_ENTRY).match(line) if is_report and section in ("cuda", "system") else None
        if heading:
            cards = 0
        if entry and entry["bits"]:
            yield Statement(Topic.PYTHON_BITS, entry["bits"], number, "labelled")
        elif entry:
            yield Statement(Topic.GPU, entry["gpu"], number, "labelled", subject=str(cards))
            cards += 1
        if pattern(_NO_CUDA_BUILD).match(line) and _is_for_cpu(lines[max(0, index - 3) : index + 2], lines):
            yield Statement(Topic.TORCH_CUDA, "none", number, "labelled")
        for part in pattern(_SEPARATOR).split(line) if "•" in line else _split_run(line):
            match = pattern(_LABELLED).match(_simplify_label(part))
            if match is None:
                continue
            if _is_setting(match["separator"], match["value"]) and names_version(match["label"]):
                continue
            value = _simplify_value(match["value"])
            has_sign = number not in wished and pattern(_PRINTED_VALUE).search(value) is not None
            is_printed = is_report or has_sign
            name = normalise(match["label"])
            last_card = index if name in _CARD_LABELS else last_card
            # A program that lists the properties of a card calls its memory so.
            is_of_card = name == "total memory" and index - last_card < _NEAR_CARD
            label = "gpu memory" if is_of_card else match["label"]
            if name == "nvidia-smi version":
                last_smi = index
            if name in ("cuda", "cuda version") and index - last_smi < _NEAR_SMI:
                label = "cuda version (nvidia-smi)"
            elif name == "cuda version" and _is_near_answer(lines, index):
                label = "cuda version (torch)"
            for topic, said, subject in _read_label(label, value, section if is_report else ""):
                yield Statement(topic, said, number, "labelled", is_printed, subject)


def _is_for_cpu(near: Lines, lines: Lines) -> bool:
    """Return whether a report whose torch has no CUDA says that it has no ROCm and no XPU either.

    Reports of the first releases do not ask for ROCm, of which there was no wheel. `near` are the lines
    around the one on CUDA.
    """
    asks_for_rocm = [line for _, line in near if "ROCM used" in line]
    is_early = not asks_for_rocm and any(pattern(_EARLY_TORCH).match(line) for _, line in near)
    has_no_rocm = any("ROCM used to build PyTorch: N/A" in line for line in asks_for_rocm)
    return (has_no_rocm or is_early) and not any(
        "+xpu" in line or "XPU available: True" in line for _, line in lines
    )


def _is_near_answer(lines: Lines, index: int) -> bool:
    """Return whether a line is beside one in which torch says whether it can use CUDA."""
    near = lines[max(0, index - _NEAR_ANSWER) : index + _NEAR_ANSWER + 1]
    return any("available" in line and pattern(_CUDA_ANSWER, True).match(line) for _, line in near)


def _split_parts(name: str, value: str) -> Iterator[tuple[str, str]]:
    """Yield the labels and values of a line with several ("GPU / driver: RTX 3060 / 551.23").

    Where the value is of one part, it is that of the first label, if that is no version.
    """
    names = [
        each.removesuffix(" versions").removesuffix(" version") for each in pattern(_LABEL_JOINT).split(name)
    ]
    is_version = any(names_version(each) for each in names)
    if not any(find_reader(each) for each in names):
        return
    if any(pattern(r"\d(?![- ]?bit)").search(each) for each in names):
        # "32GB RAM, driver: 572.83" has values before its label.
        return
    for joint in _VALUE_JOINTS:
        parts = pattern(joint).split(value)
        if len(names) == len(parts):
            for each, part in zip(names, parts, strict=True):
                yield _name_part(each, names), part.strip(" `*()")
            return
    if not pattern(r"[/,|;]").search(value) and not is_version and find_reader(names[0]):
        yield names[0], value


def _name_part(name: str, names: Sequence[str]) -> str:
    """Return the label of a part; the CUDA beside torch or a driver is that of it."""
    if name != "cuda":
        return name
    beside = [each for each in ("torch", "driver") if any(each in other for other in names)]
    return f"{beside[0]} cuda" if len(beside) == 1 and len(names) == 2 else name


def _simplify_label(line: str) -> str:
    """Return a line without the marks of code around its label."""
    return pattern(_CODE_LABEL).sub(r"\1\2 version", line, count=1) if "` version" in line else line


def _split_run(line: str) -> Sequence[str]:
    """Return the labels with their values of a line that has several, one behind the other."""
    if len(line) > _LONGEST_RUN or (line.count(":") + line.count("：")) < 2:
        return (line,)
    return pattern(_NEXT_LABEL).split(line)


def _simplify_value(value: str) -> str:
    """Return a value without the marks and the brackets around it."""
    value = value.strip().strip("`*\"',，;；、").strip()
    brackets = pattern(_BRACKETS).match(value)
    return brackets["inside"] if brackets else value


def _is_setting(separator: str, value: str) -> bool:
    """Return whether a line is one of a file that names what to install: `torch = "2.1"`, `- torch=2.1`."""
    return separator == "=" or ("=" in separator and (separator + value)[-1:] in "\"'")


def _find_reports(lines: Lines) -> bytearray:
    """Return for each line whether it is near one that only the report of a program has."""
    near = bytearray(len(lines))
    for index, (_, text) in enumerate(lines):
        if pattern(_SIGNS, True).search(text):
            start, end = max(0, index - _REPORT_LINES), min(len(lines), index + _REPORT_LINES + 1)
            near[start:end] = b"\1" * (end - start)
    return near


def _read_label(label: str, value: str, section: str) -> Iterator[Said]:
    """Yield what a label and a value say; `label` is as written."""
    name = normalise(label)
    if section == "cuda" and name in ("available", "version"):
        name = f"torch cuda {name}"
    read_value = find_reader(name)
    if read_value is None and pattern(_LABEL_JOINT).search(name):
        parts = list(_split_parts(name, value))
        for part, said in parts:
            yield from _read_label(part, said, section)
        if parts:
            return
    read_value = read_value or guess_reader(name)
    if read_value is None:
        is_package = section in _PACKAGE_SECTIONS or (section == _OPTIONAL and name.endswith(" version"))
        if not is_package:
            return
        read_value = read_package
    if name == "pytorch version" and value.lower() in ("n/a", "none"):
        yield Topic.TORCH, "missing", ""
    elif pattern(_NO_VALUE, True).match(value) is None or read_value is read_truth:
        yield from read_value(label.lower(), pattern(_VERSION_WORD, True).sub("", value, count=1))
