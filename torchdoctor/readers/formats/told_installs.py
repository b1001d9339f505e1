"""What people say that they installed, with the command: "I installed it with `pip install torch==2.1.0`".

The last one that names torch counts, and only where nothing else says which torch it is.
"""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.core.prompts import PROMPT
from torchdoctor.readers import values
from torchdoctor.readers.sentences import Sentence, list_sentences
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "told-installs"
_LONGEST = 700
_COMMAND = (
    r"[`\"'“]{0,3}(?:python[\d.]{0,5} -m |py -m |!|uv )?(?:pip3?|conda|mamba|uv) (?:install|add)"
    r" (?P<arguments>[^`\"'”\n，。]{4,260})"
)
_DONE_BEFORE = (
    r"(?:\b(?:(?:re-?)?installed|(?:up|down)graded|i(?:'ve| have)? (?:ran|run|used|did)|we (?:ran|used)"
    r"|(?:fixed|solved|resolved) (?:it |this |that )?(?:by|with|via|using)|after running|works?"
    r" (?:with|after))\b"
    r"|\b(?:py)?torch (?:version|command|build|installation) (?:is|was)"
    r"|安装了|已安装|已经安装|重装了|装了|执行了|运行了|用以下命令安装|\b(?:instalé|instalei"
    r"|installé|установил[аи]?|поставил[аи]?)\b"
    r"|설치했)(?:(?! is | are | was )[^`\"\n;.]){0,60}$"
)
# The end of a line that introduces a command.
_LEADS = (
    r"(?:[:：]|\b(?:by|with|using|via|command|this|commands|installed|follow\w{0,3}"
    r"|running))[*_\s]{0,4}[:：]?[*_\s]{0,4}$"
)
_DONE_AFTER = (
    r"^[`\"'”]{0,3}\s?(?:でインストール|を実行し|を入れ|と入力し|安装(?:的|了|完成)|装(?:的|了)|로"
    r" 설치했|를 설치했|(?:\w{1,12} ){0,2}installiert\b)"
)
# A command that was not carried out, or did not end well.
_NOT_DONE = (
    r"\b(?:docker\w*|colab|kaggle|server|he|she|they|author\w*|maintainer\w*|readme|friend|workflow"
    r"|if|should|could|would|can|must|have to|need|want|try(?:ing)?|tried|instead of|before"
    r"|previously|not|please"
    r"|recommend\w{0,3}|suggest\w{0,3})\b|n't\b|如果|应该|建议|请|需要|之前|试|してみ|推奨|попроб|нужно|должн"
)
_FAILED = (
    r"\b(?:would|could|should|errors?|fail\w{0,3}|got|but it|no matching|doesn't|didn't|couldn't"
    r"|cannot|can't)\b|报错|失败|出错|エラー|失敗"
    r"|ошибк|오류|fehler|erreur"
)
_PIN = r"(?:^|\s)(?P<name>[A-Za-z][\w.-]{1,40})(?:\[[\w,]{1,30}\])?={1,2}(?P<version>\d[\w.+]{0,30})(?=\s|$)"
# pip takes the newest torch of all indexes, so that a further one says nothing.
_INDEX = r"(?:(?<!extra)-index-url|(?<=\s)-i)[ =]\S{3,80}/whl/(?:nightly/)?(?P<tag>cu\d{2,3}|cpu)\b"
_TORCH = r"(?:^|\s)(?:torch|pytorch)(?=[=\s]|$)"
_CREATED = (
    r"\b(?:created?|made|set ?up|installed|new|fresh)\b[^.\n]{0,60}\b(?:env\w{0,12}|venv|conda"
    r"|anaconda|container)\b"
    r"[^.\n]{0,40}\bpython ?={1,2} ?(?P<python>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w*]|\.\d)"
)

# A command at a prompt, which somebody has entered.
_ENTERED = (
    rf"^\s{{0,4}}{PROMPT} ?"
    r"(?:py -(?P<launched>3\.\d{1,2})(?:-64)? -m venv |(?:conda"
    r"|mamba) create [^\n]{1,80}?\bpython=(?P<conda>3\.\d{1,2}(?:\.\d{1,2})?)(?!\*|\.?[\w*])"
    r"|uv venv [^\n]{0,60}?(?:--python|-p)[ =](?P<uv>3\.\d{1,2}(?:\.\d{1,2})?)(?!\*|\.?[\w*]))"
)


# The heading of what somebody did, and an environment that is made below it.
_OWN_STEPS = (
    r"\s{0,3}(?:#{1,6} |\*\*)?[*_]{0,2}(?:(?:steps|how) to reproduce|to reproduce|reproduction(?: steps)?"
    r"|(?:what i (?:did|tried)|my steps|steps i (?:took|did))|复现(?:步骤|方法)?|重现步骤|再現手順)\b.{0,40}$"
)
_HEADING = r"\s{0,3}(?:#{1,6} \S|\*\*[^*\n]{2,80}\*\*:?\s*$)"
_MADE = (
    r"\s{0,8}(?:[-*$>%!] |\d{1,2}[.)] )?[`]?(?:yes \| ?)?(?:conda|mamba|micromamba) create [^\n#]{1,80}?"
    r"\bpython ?={1,2} ?(?P<python>3\.\d{1,2}(?:\.\d{1,2})?)(?!\*|\.?[\w*])"
)
# Who ran or tried conda has it.
_RAN_CONDA = (
    r"\b(?:i|we)(?:['’]ve| have| also| just| already){0,3} (?:tried|ran|run|used|did)\b"
    r"(?:[^.;\n]|\.(?=\d)){0,60}?"
    r"[ `\"'(:]{1,3}conda install -?\w|^\W{0,4}tried\b[^;\n]{0,60}?[ `\"'(:]{1,3}conda install -?\w"
)
_NOT_RUN = (
    r"\b(?:pip3? install|if|should|could|you|docker\w*|colab|server|friend|not|cannot|instead)\b"
    r"|n['’]t\b|\?"
)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the Python of an environment that was made, and what the last installation of torch put there."""
    yield from _read_prompts(lines)
    yield from _read_steps(lines)
    yield from _read_tried(lines)
    last: list[Statement] = []
    for sentence in list_sentences(list(_join_commands(lines)), are_whole=True):
        if len(sentence.text) <= _LONGEST:
            yield from _read_created(sentence)
            for installed in _read_installations(sentence):
                last = installed
    yield from last


def _read_prompts(lines: Lines) -> Iterator[Statement]:
    """Yield the only Python of which a command at a prompt makes an environment."""
    entered = [
        (number, match[match.lastgroup or 0])
        for number, line in lines
        if (match := pattern(_ENTERED).match(line))
    ]
    if len({version for _, version in entered}) == 1:
        yield Statement(Topic.PYTHON, entered[0][1], entered[0][0], _NAME, is_printed=False)


def _read_steps(lines: Lines) -> Iterator[Statement]:
    """Yield the only Python of which somebody makes an environment of conda in the steps that were done."""
    made: list[tuple[int, str]] = []
    is_own = False
    for number, line in lines:
        if pattern(_OWN_STEPS, True).match(line):
            is_own = True
        elif pattern(_HEADING).match(line):
            is_own = False
        match = pattern(_MADE).match(line) if is_own else None
        if match:
            made.append((number, match["python"]))
    if len({version for _, version in made}) == 1:
        number, version = made[0]
        yield Statement(Topic.PYTHON, version, number, _NAME, is_printed=False)
        yield Statement(Topic.PYTHON_ORIGIN, "conda", number, _NAME, is_printed=False)


def _read_tried(lines: Lines) -> Iterator[Statement]:
    """Yield that the Python is conda's where somebody installs with conda, and not with pip."""
    for number, line in lines:
        is_short = "conda install" in line and len(line) <= _LONGEST
        match = pattern(_RAN_CONDA, True).search(line) if is_short else None
        if match and not pattern(_NOT_RUN, True).search(line[max(0, match.start() - 40) : match.end()]):
            yield Statement(Topic.PYTHON_ORIGIN, "conda", number, _NAME, is_printed=False)
            return


def _read_created(sentence: Sentence) -> Iterator[Statement]:
    """Yield the Python of an environment that a sentence says was made."""
    created = pattern(_CREATED, True).search(sentence.text)
    if created and not pattern(_NOT_DONE, True).search(sentence.text[: created.end()]):
        number = sentence.find_line(created.start("python"))
        yield Statement(Topic.PYTHON, created["python"], number, _NAME, is_printed=False)


def _read_installations(sentence: Sentence) -> Iterator[list[Statement]]:
    """Yield what each command of a sentence has installed that names torch and was carried out."""
    text = sentence.text
    for command in pattern(_COMMAND).finditer(text):
        arguments, before, after = command["arguments"], text[: command.start()], text[command.end() :]
        if not pattern(_TORCH).search(arguments):
            continue
        is_done = pattern(_DONE_BEFORE, True).search(before) or pattern(_DONE_AFTER, True).match(after)
        is_open = pattern(_NOT_DONE, True).search(before[-40:]) or pattern(_FAILED, True).search(
            f"{arguments} {after[:80]}"
        )
        if is_done and not is_open:
            number = sentence.find_line(command.start())
            said = list(_read_arguments(arguments, number))
            if pattern(r"\b(?:conda|mamba) install\b").search(command[0][:40]):
                said.append(Statement(Topic.PYTHON_ORIGIN, "conda", number, _NAME, is_printed=False))
            yield said


def _join_commands(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines, and a command below the words that introduce it as one line with them."""
    lead = ""
    for number, line in lines:
        stripped = line.strip(" `$>%!")
        if lead and pattern(_COMMAND).match(stripped):
            yield number, f"{lead} {stripped}"
            lead = ""
            continue
        yield number, line
        if stripped and not line.lstrip().startswith("```"):
            lead = line.rstrip() if len(line) < 200 and pattern(_LEADS, True).search(line) else ""


def _read_arguments(arguments: str, number: int) -> Iterator[Statement]:
    """Yield the torch, the CUDA of its build and the packages that the arguments of a command pin."""
    pins = {match["name"].lower(): match["version"] for match in pattern(_PIN).finditer(arguments)}
    version = pins.pop("torch", None) or pins.pop("pytorch", None) or ""
    said = list(values.read_torch(version))
    index = pattern(_INDEX).search(arguments)
    cuda = pins.pop("pytorch-cuda", None) or pins.pop("cudatoolkit", None)
    if len(said) < 2 and (cuda or index):
        tag = f"+{index['tag']}" if index else ""
        said += [(Topic.TORCH_CUDA, cuda, "")] if cuda else values.read_build_tag(tag)
    for topic, value, _ in said:
        yield Statement(topic, value, number, _NAME, is_printed=False)
    for name, pinned in pins.items():
        if name != "python":
            yield Statement(Topic.PACKAGE, pinned, number, _NAME, is_printed=False, subject=name)
