"""What people say of a version in fixed phrases: that they changed to it, or that a program shows it.

So is a line with nothing but a system or a version of torch.
"""

import re
from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.core.prompts import PROMPT
from torchdoctor.readers import values
from torchdoctor.readers.card_claims import NO_CHANGE, cut_before, read_card_claims
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "prose"

# What somebody says to have changed to.
_CHANGED = (
    r"\b(?:now(?: (?:i|we))?(?:['’]m| am| have| use| using| running| it['’]s| it is| with)?|upgraded"
    r"|downgraded|updated|reinstalled|rolled back|went back|moved|switched|reverted|now on"
    r"|installed|instal[eé]|installé|installiert)"
    r"(?: it)?(?: to| back to)? (?:[a-z-]{2,12} [\d.]{1,8},? (?:and )?){0,2}[`*]{0,2}(?:py)?torch(?:"
    r" version)?(?:==|[ :=`*]{1,4})v?"
    r"(?P<version>[12]\.\d{1,2}\.\d{1,2}(?:\.?dev\d{1,8})?(?:\+(?:cu\d{2,3}|cpu))?)(?![\w*+]|\.\d)"
)
# The same with the name in front: "I upgraded pytorch from 0.3.1 to 0.4.0".
_CHANGED_FROM = (
    r"\b(?:i|we)(?:['’]ve| have)?(?: just| then| now)? (?:upgraded|downgraded|updated|changed|switched|moved)"
    r" (?:my |the |our )?(?:py)?torch (?:from [\w.+]{3,20} )?to (?:version )?v?"
    r"(?P<changed>(?:[12]\.\d{1,2}|0\.[34])\.\d{1,2}(?:\.?dev\d{1,8})?(?:\+(?:cu\d{2,3}|cpu))?)"
    r"(?![\w*+]|\.\d)"
)
# What a package that was installed has put there instead.
_CHANGED_BY_ITSELF = (
    r"\b(?:my|the|our) (?:py)?torch(?:['’]s)?(?: version)? (?:is |was |has been |has |got |gets |had )?"
    r"(?:automatically |then |now )?"
    r"(?:change[sd]?|switche[sd]|downgraded|reverted|replaced|turned|becomes?|became)"
    r"(?: back)? ?(?:to|into|by|with)?(?: the)?[ `*'\"“]{1,3}v?(?:(?:py)?torch[ =]{1,2})?"
    r"(?P<itself>[12]\.\d{1,2}\.\d{1,2}\+(?:cu\d{2,3}|cpu))(?![\w*+]|\.\d)"
)
_CHANGED_PYTHON = (
    r"\b(?:upgraded|downgraded|reinstalled|rolled back|went back|moved|switched|reverted|now on"
    r"|(?:i|we|and|ve) installed)"
    r"(?: it)?(?: to| back to)? python(?: version)?["
    r" :]{1,2}v?(?P<version>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w*+]|\.\d)"
)
# Beside what torch prints of a card that it has no code for, who names the release that lacks it names
# the one that is there.
_HAS_NO_CODE = ("is not compatible with the current pytorch", "no kernel image is available")
_RELEASE = r"[12]\.\d{1,2}\.\d{1,2}(?:\+cu\d{2,3})?"
_OF_CARDS = (
    r"(?:sm_?\d|\brtx\b|\bgtx\b|\b(?:gpu|card|capabilit|architect|blackwell|pascal)|\d0[5-9]0\b"
    r"|显卡|架构)"
)
_LACKING_RELEASE = (
    rf"\b(?:py)?torch[ `*:]{{1,3}}(?P<subject>{_RELEASE})(?!\.?\w)[^.!?;\n]{{0,24}}?"
    rf"(?:\b(?:does not|doesn['’]t|cannot|can['’]t|only|has no) (?:yet )?(?:supports?|run|code|kernels?)\b"
    rf"|[不只仅]支持)[^.!?;\n]{{0,50}}?{_OF_CARDS}"
    rf"|{_OF_CARDS}[^.!?;\n]{{0,60}}?\bnot (?:yet )?supported[*_]{{0,2}} by (?:the )?(?:installed |current )?"
    rf"(?:py)?torch[ `*:]{{1,3}}(?P<object>{_RELEASE})(?!\.?\w)"
)
_IS_ADVICE = r"\b(?:if|would|should|until|unless|before|instead|anyone|others?)\b|如果|应该"
# What people say of an environment of conda that is theirs, and the prompt that it has.
_IN_CONDA = (
    r"\b(?:in|using|use|with|created?|made|inside|activated?|from|have|running|my|own) (?:(?:an?|my|the|own"
    r"|new|fresh|clean"
    r"|separate|dedicated|isolated) ){0,3}(?:ana|mini)?conda3? (?:(?:virtual )?env\w{0,12}|python|prompt"
    r"|terminal|shell)\b"
    r"|(?:^|\W)(?:conda|anaconda)(?:の|的)? ?(?:环境|環境|虚拟环境|仮想環境)"
)
_CONDA_PROMPT = (
    rf"^\s{{0,4}}(?:\(base\) |(?:{PROMPT}|(?:\([\w.-]{{1,40}}\) ?)?[\w.-]{{1,30}}@[^$#\n]{{1,80}}[$#])"
    r" ?(?:conda|mamba|micromamba) (?:activate|create|install|env|list)\b)"
)
_IN_VENV = (
    r"\b(?:in|using|use|with|created?|made|inside|activated?|from|have|running|my|own) (?:(?:an?|my|the|own"
    r"|new|fresh|clean"
    r"|separate|dedicated|isolated|python) ){0,3}[`*]{0,2}(?:\.?venv|virtual ?env(?:ironment)?)\b(?![\\/])"
)
_VENV_PROMPT = (
    rf"^\s{{0,4}}(?:\(base\) ?)?\(\.?venv\) ?(?:\(base\) ?)?(?:{PROMPT}"
    r"|[\w.-]{1,30}@[^$#\n]{1,80}[$#]|[$%#] )"
)
# A command that somebody gave to use an environment.
_ACTIVATED = (
    r"^\s{0,8}(?:[\w.-]{0,30}[$>] ?)?(?:(?:conda|mamba|micromamba) activate (?P<conda>[\w.-]{2,40})"
    r"|(?:source |call |& ?)?[\"']?[\w.:~\\/-]{0,100}?\.?venv[\\/](?:scripts"
    r"|bin)[\\/]activate(?:\.\w{2,4})?[\"']?)\s*$"
)
_NO_OWN_CONDA = (
    r"\b(?:if|should|could|would|can|please|recommend\w{0,3}|suggest\w{0,3}|instead|without|not|need|or"
    r"|maybe|try|you"
    r"|tried|also works|works with)\b|n['’]t\b|\?|如果|建议|请|推荐"
)
# Who installed a toolkit by its name, or CUDA with cuDNN, has it.
_TOOLKIT = (
    r"\b(?:i|we|i['’]ve|we['’]ve)(?: have| had| just| also| already| then){0,2} installed\b"
    r"[^.!?;\n]{0,60}?\b(?:cuda toolkit (?:v(?:ersion)? ?)?(?P<behind>\d{1,2}\.\d)"
    r"|(?P<before>\d{1,2}\.\d)(?:\.\d{1,3})? cuda toolkit\b"
    r"|cuda (?:version )?(?P<beside>\d{1,2}\.\d)(?:\.\d{1,3})?,? (?:and |with |\+ )?cudnn\b)"
    r"|\bcuda (?:toolkit (?:v(?:ersion)? ?)?(?P<there>\d{1,2}\.\d)(?:\.\d{1,3})?"
    r"|(?P<named>\d{1,2}\.\d)(?:\.\d{1,3})? toolkit)"
    r" (?:is |was )?(?:already |also )?installed\b"
    r"|\bcuda (?:version )?v?(?P<here>\d{1,2}\.\d)(?:\.\d{1,3})? (?:is |was )?(?:already "
    r"|also )?installed on (?:the|my|this|our)"
    r" (?:computer|pc|system|machine|laptop|host)\b"
    r"|\bwith cuda ?(?:toolkit ?)?v?(?P<beside_it>\d{1,2}\.\d)(?:\.\d{1,3})? (?:already )?installed\b"
    r"|\b(?:i|we)(?:['’]ve)? (?:have|got)\b(?:(?!torch)[^.!?;\n]){0,40}\bcuda v?(?P<own>\d{1,2}\.\d)(?:\."
    r"\d{1,3})? installed\b"
)
# The machine that a Python is for, behind its version.
_PYTHON_MACHINE = (
    r"\bpython(?: version)?[ :]{1,2}3\.\d{1,2}(?:\.\d{1,2})?,? ?[(（\[](?:windows |win )?"
    r"(?P<machine>arm64|amd64|x64|x86[_-]64|x86|64[ -]?bit|32[ -]?bit)\b"
    r"|\[MSC [^\]\n]{4,40}\((?P<compiler>AMD64|Intel)\)"
)
# The version of a nightly build without its name, and lines in which it is of another package or wanted.
_NIGHTLY = r"(?<![\w.+=-])([12]\.\d{1,2}\.\d{1,2}\.dev20\d{6}\+cu\d{2,3})\b"
_NOT_NIGHTLY = (
    r"vision|audio|install|requir|need|should|try|tried|whl|[<>=]=|\bif\b|\?|works? (?:with|on|fine)"
    r"|not (?:found|available)"
)
_BARE_TORCH = r"\W{0,6}([12]\.\d{1,2}\.\d{1,2}(?:\.?dev\d{1,8})?\+(?:cu\d{2,3}|cpu))\W{0,3}$"
# A box that is not ticked says nothing.
_BARE_SYSTEM = (
    r"\s{0,4}(?:[-*+•>] ?|\d[.)] |A: ?){0,2}(?:\[[xX]\] ?)?[*_`]{0,2}"
    r"(?:natively on |on |using |running (?:on )?|i(?:'m| am) (?:on|using) ){0,2}"
    r"(?P<name>(?:microsoft )?windows(?: (?:7|8(?:\.1)?|10|11|server \d{4}))?|win ?1[01]"
    r"|(?:gnu/)?linux|ubuntu|debian|fedora|arch linux|linux mint|macos|mac os|mac"
    r"|(?:centos|rocky|alma)(?: ?linux)?(?: release)?)"
    r"(?: (?:home|pro|professional|enterprise|education|ltsc|ltsb|x64|64|32|bits?|lts|only|native(?:ly)?"
    r"|\d{1,2}[Hh]\d|[\d.]{1,10}|\(?64[- ]bit\)?)){0,4}[*_`]{0,2}\s{0,2}[.!]?\s*$"
)
_FACING = (
    r"\bi(?:['’]m| am)? (?:also |now |still )?(?:facing|seeing|getting|having|hitting|experiencing"
    r"|encounter(?:ed|ing)|face|see|get"
    r"|have|had|got|hit) (?:this|the same|the|a similar|similar|an?) (?:[\w-]{2,20} ){0,2}(?:issue"
    r"|problem|error|bug|crash|trouble)"
    r" (?:on|in|under|with) (?:my )?(?P<name>windows|linux|ubuntu|macos|mac os)\b(?! (?:and|or|too"
    r"|but not)\b|/|, (?:linux|mac))"
    r"|(?:^\W{0,4}(?:using|running)|\b(?:i|we)(?: installed|(?:['’](?:m|ve|re)| am| are| have| was)"
    r" (?:running|using|installed|trying to (?:run|use|install))))\b"
    r"(?:(?!\b(?:not|instead|if|wsl2?|linux|server)\b)[^.;\n?!]){0,60}?"
    r" (?:on|in|under) (?:an? |my )?(?P<put>windows)\b(?! (?:and|or|too|instead|but not|sub)\b|/"
    r"|[^.\n]{0,60}\?)"
    r"|\bhow (?:to|do i|can i|should i)\b[^.?!\n]{3,90} (?:on|in|under) (?P<asked>windows)(?: 1[01])?"
    r"\s{0,2}\?"
    r"|\b(?:unfortunately,? )?on (?P<place>windows|linux|ubuntu|macos),? (?:i|we) (?:still|also|always|now"
    r"|just)? ?"
    r"(?:have|get|see|am (?:getting|seeing|having)|got|had|run into|face)\b"
)
# What people say that an expression is.
_IS = (
    r"[)`'\"*]{0,4} {0,3}(?:=|:|->|→|=>|is|prints|returns|returned|gives|shows|says|outputs|devuelve|ist"
    r"|ergibt|возвращает|返回|为|是|输出|得到|显示|结果是)"
    r" {0,3}[`'\"*]{0,3}"
)
_EXPRESSION = (
    rf"\btorch\.__version__{_IS}(?P<version>[12]\.\d{{1,2}}\.\d{{1,2}}(?:\.?dev\d{{1,8}})?(?:\+\w{{1,12}})?)"
    rf"(?![\w*.]\w)"
    rf"|\btorch\.version\.cuda{_IS}(?P<cuda>\d{{1,2}}\.\d|None)\b"
    rf"|\bget_device_name\(\d?\){_IS}(?P<card>(?:NVIDIA |GeForce |Quadro |Tesla )[\w -]{{3,40}})"
    rf"|\bget_device_capability\(\d?\){_IS}\((?P<major>\d{{1,2}}), (?P<minor>\d)\)"
)
# The file of a wheel alone on a line, below or behind a word that it was installed.
_WHEEL = (
    r"\W{0,6}(?P<told>(?:i |we )?(?:have "
    r"|just )?installed:? )?[`*]{0,2}(?:torch-(?P<torch>[12]\.\d{1,2}\.\d(?:\+(?:cu\d{2,3}|cpu))?)"
    r"|[a-z][\w.]{1,40}-[\w.+]{1,40})-cp3(?P<python>\d{1,2})-[\w-]{2,12}-win_amd64(?:\.whl)?[`*]{0,2}\W{0,3}$"
)
# In front of what is not so.
_CONTRAST = r"\b(?:instead of|rather than|not|and not|expected)[\s:`*'\"]{1,4}$"
_EXPECTS = r"\b(?:should|must|expect|assert|if|until|would)\b|==|!=|[<>]=|应|必须|如果"
# What somebody says that a version is, or that a program shows: "pip shows torch 2.1".
_SHOWS = (
    r"(?:(?:shows?|showed|returns?|returned|outputs?|gives?|gave|says|said|reports|reported|prints"
    r"|printed|lists|listed)(?: as| up as| me|"
    r" that| i have)?"
    r"|i see|i get|i (?:currently )?have)"
)
_REPORTED = (
    r"(?:\b(?:the|my|our) (?:installed |current |used )?NAME version(?: (?:that )?i(?:['’]m| am)"
    r" using| i use| i have"
    r"| installed)?(?: is|:)|\bSHOWS (?:that )?(?:the )?NAME)[ :]{1,2}[`*'\"]{0,3}(?:NAME ?={1,2}"
    r" ?)?(?:version:? )?v?"
)
_REPORTED_TORCH = (
    _REPORTED.replace("NAME", "(?:py)?torch")
    .replace("SHOWS", _SHOWS)
    .replace(r")[ :]{1,2}", r")(?:[ :]{1,2}|==?)")
    + r"(?P<version>[12]\.\d{1,2}(?:\.\d{1,2})?(?:\+(?:cu\d{2,3}|cpu))?)"
    + values.NO_MORE
    + r"|\b(?:pip3? (?:show|list)|conda list)[`'\"]?(?: (?:py)?torch[`'\"]?)?,?(?: (?:it|i|and|which|says?"
    r"|shows?|gives?|gave|get"
    r"|me|the|that|version|torch|is|have|reports?|got)){1,7}[ :=`]{1,3}v?"
    r"(?P<shown>[12]\.\d{1,2}\.\d{1,2} ?(?:\+ ?(?:cu\d{2,3}|cpu))?)" + values.NO_MORE
)
_REPORTED_PYTHON = (
    _REPORTED.replace("NAME", "python").replace("SHOWS", _SHOWS)
    + r"(?P<version>3\.\d{1,2}(?:\.\d{1,2})?)"
    + values.NO_MORE
)
# A sentence that goes on so is about the version, and not about the machine.
_ABOUT_IT = (
    r"[`*'\")]{0,3}\s{0,2}(?:(?:is|was|are) (?:required|needed|recommended|not|too|supported"
    r"|incompatible)|or |and (?:above|newer|up)"
    r"|does|doesn|can|isn|has no|supports?\b|required|needed|, (?:which|it) (?:is|was) (?:required|needed))"
)
_NOT_SHOWN = r"\b(?:should|would|must|expect\w{0,3}|before|previously|used to|colab|docker|server|friend)\b"
_NOT_REPORTED = (
    r"\b(?:requir|recommend|support|minimum|need|should|must|want|if|latest|newest|stable|old"
    r"|previous|before|other"
    r"|base|global|system|readme|docs?|tutorial|default|expect|when|whether|colab|docker|server"
    r"|would|used to|try|tried)"
)


def read_claims(lines: Lines) -> Iterator[Statement]:
    """Yield what such phrases say."""
    yield from read_card_claims(lines)
    yield from _read_changes(lines)
    yield from _read_expressions(lines)
    yield from _read_bare(lines)
    yield from _read_bare_system(lines)
    yield from _read_reported(lines)
    yield from _read_lacking_release(lines)
    yield from _read_toolkit(lines)
    yield from _read_conda(lines)
    yield from _read_arm64(lines)
    yield from _read_wheel(lines)


def _read_wheel(lines: Lines) -> Iterator[Statement]:
    """Yield the torch, and the Python, of the only wheel of torch that somebody says to have installed."""
    found = []
    is_told = False
    for number, line in lines:
        wheel = pattern(_WHEEL, True).match(line) if len(line) < 200 else None
        if wheel is None:
            is_told = is_told and not line.strip()
            continue
        is_told = is_told or bool(wheel["told"])
        if is_told and wheel["torch"]:
            found.append((number, wheel))
    if len({wheel["torch"] for _, wheel in found}) == 1:
        number, wheel = found[0]
        said = [*values.read_torch(wheel["torch"]), (Topic.PYTHON, f"3.{wheel['python']}", "")]
        for topic, value, _ in said:
            yield Statement(topic, value, number, _NAME, is_printed=False)


def _read_arm64(lines: Lines) -> Iterator[Statement]:
    """Yield that Python is built for ARM64, if each line that names the machine of one says so."""
    found = [
        (number, (match["machine"] or match["compiler"]).lower())
        for number, line in lines
        if len(line) < 600 and ("ython" in line or "[MSC" in line)
        for match in pattern(_PYTHON_MACHINE, True).finditer(line)
    ]
    if found and {machine for _, machine in found} == {"arm64"}:
        for topic, value, _ in values.ARM64_PYTHON:
            yield Statement(topic, value, found[0][0], _NAME, is_printed=False)


def _read_conda(lines: Lines) -> Iterator[Statement]:
    """Yield that the Python is conda's or that of a venv, where somebody says so or the prompt shows it."""
    for number, line in lines:
        if len(line) > 600 or not pattern(r"conda|mamba|\(base\)|v(?:irtual)? ?env", True).search(line):
            continue
        origin = _find_origin(line)
        if origin:
            yield Statement(Topic.PYTHON_ORIGIN, origin, number, _NAME, is_printed=False)
            return


def _find_origin(line: str) -> str | None:
    """Return "conda" or "venv" if a line says or shows that the Python is that of one."""
    activated = pattern(_ACTIVATED, True).match(line)
    if activated:
        return "conda" if activated["conda"] else "venv"
    told = pattern(_IN_CONDA, True).search(line)
    venv = None if told else pattern(_IN_VENV, True).search(line)
    if pattern(_VENV_PROMPT).match(line) or (venv and not _is_doubtful(line, venv)):
        return "venv"
    if pattern(_CONDA_PROMPT).match(line) or (told and not _is_doubtful(line, told)):
        return "conda"
    return None


def _is_doubtful(line: str, match: re.Match[str]) -> bool:
    near = line[max(0, match.start() - 60) : match.end() + 40]
    return pattern(_NO_OWN_CONDA, True).search(near) is not None


def _read_lacking_release(lines: Lines) -> Iterator[Statement]:
    """Yield the only release of torch that is said to have no code for the card."""
    if not any(words in line.lower() for _, line in lines for words in _HAS_NO_CODE):
        return
    found = [
        (number, match["subject"] or match["object"])
        for number, line in lines
        if len(line) < 600 and "torch" in line.lower() and not pattern(_IS_ADVICE, True).search(line)
        for match in pattern(_LACKING_RELEASE, True).finditer(line)
    ]
    if len({version for _, version in found}) == 1:
        number, version = found[0]
        for topic, value, _ in values.read_torch(version):
            yield Statement(topic, value, number, _NAME, is_printed=False)


def _read_toolkit(lines: Lines) -> Iterator[Statement]:
    """Yield the only CUDA toolkit that somebody says to have installed."""
    found = [
        (number, match[match.lastgroup or 0])
        for number, line in lines
        if len(line) < 600 and "cuda" in line.lower()
        for match in pattern(_TOOLKIT, True).finditer(line)
        if not pattern(NO_CHANGE, True).search(cut_before(match, 24))
    ]
    if len({version for _, version in found}) == 1:
        yield Statement(Topic.TOOLKIT, found[0][1], found[0][0], _NAME, is_printed=False)


def _read_changes(lines: Lines) -> Iterator[Statement]:
    """Yield the last Python and the last torch that somebody says to have changed to."""
    for word, regex, read_value in (
        ("python", _CHANGED_PYTHON, values.read_python),
        ("torch", f"{_CHANGED}|{_CHANGED_FROM}|{_CHANGED_BY_ITSELF}", values.read_torch),
    ):
        changes = [
            (number, match[match.lastgroup or 0])
            for number, line in lines
            if word in line.lower()
            for match in pattern(regex, True).finditer(line)
            if not pattern(NO_CHANGE, True).search(cut_before(match, 24))
        ]
        for number, version in changes[-1:]:
            for topic, value, _ in read_value(version):
                yield Statement(topic, value, number, _NAME, is_printed=False)


def _read_expressions(lines: Lines) -> Iterator[Statement]:
    """Yield what lines say that an expression of torch is ("`torch.__version__` is `2.1.0`")."""
    for number, line in lines:
        if len(line) > 400 or "torch." not in line or pattern(_EXPECTS, True).search(line):
            continue
        for match in pattern(_EXPRESSION, True).finditer(line):
            if pattern(_CONTRAST, True).search(cut_before(match, 24)):
                continue
            said: list[values.Said] = []
            if match["version"]:
                said = list(values.read_torch(match["version"]))
            elif match["cuda"]:
                said = [(Topic.TORCH_CUDA, "none" if match["cuda"] == "None" else match["cuda"], "")]
            elif match["card"]:
                said = [(Topic.GPU, match["card"].strip(), "0")]
            elif match["major"]:
                said = [(Topic.GPU_CAPABILITY, f"{match['major']}.{match['minor']}", "0")]
            for topic, value, subject in said:
                yield Statement(topic, value, number, _NAME, is_printed=False, subject=subject)


def _read_reported(lines: Lines) -> Iterator[Statement]:
    """Yield the only version of torch and of Python that sentences say to be there, among other things."""
    for topic, regex, read_value in (
        (Topic.TORCH, _REPORTED_TORCH, values.read_torch),
        (Topic.PYTHON, _REPORTED_PYTHON, values.read_python),
    ):
        found = [
            (number, match[match.lastgroup or 0].replace(" ", ""))
            for number, line in lines
            if len(line) < 600 and (topic is not Topic.TORCH or "torch" in line.lower())
            for match in pattern(regex, True).finditer(line)
            if not pattern(_NOT_SHOWN if match.lastgroup == "shown" else _NOT_REPORTED, True).search(
                cut_before(match, 60, match.lastgroup or 0)
            )
            and not pattern(_ABOUT_IT, True).match(line[match.end() :])
        ]
        if len({version for _, version in found}) == 1:
            number, version = found[0]
            for said, value, _ in read_value(version):
                if said in (topic, Topic.TORCH_CUDA):
                    yield Statement(said, value, number, _NAME, is_printed=False)


def _read_bare(lines: Lines) -> Iterator[Statement]:
    """Yield the version of torch that is all of a line, or the nightly one with its tag, if there is one."""
    found = [(number, match[1]) for number, line in lines if (match := pattern(_BARE_TORCH).match(line))]
    if not found and any("torch" in line.lower() for _, line in lines):
        found = [
            (number, match[1])
            for number, line in lines
            if "dev20" in line and len(line) < 400 and not pattern(_NOT_NIGHTLY, True).search(line)
            for match in pattern(_NIGHTLY).finditer(line)
        ]
    if len({version for _, version in found}) == 1:
        number, version = found[0]
        for topic, value, _ in values.read_torch(version):
            yield Statement(topic, value, number, _NAME, is_printed=False)


def _read_bare_system(lines: Lines) -> Iterator[Statement]:
    """Yield the system that is all of a line, as in a form, if there is one."""
    found: list[tuple[int, list[values.Said]]] = []
    for number, line in lines:
        match = pattern(_BARE_SYSTEM, True).match(line) if len(line) < 60 else None
        match = match or (pattern(_FACING, True).search(line) if len(line) < 600 else None)
        if match:
            found.append((number, list(values.read_system(match[match.lastgroup or 0]))))
    if len({said[0][1] for _, said in found if said}) != 1:
        return
    for number, said in found:
        for topic, value, subject in said:
            yield Statement(topic, value, number, _NAME, is_printed=False, subject=subject)
