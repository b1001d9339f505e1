"""What a clause names: programs with their versions, cards, systems and sizes, in one grammar.

A name, words and signs that join it with a version, and the version: "torch 2.1", "Torch (v. 2.1.0)",
"python3.10.6", "driver version is `537.13`", "the 12.8 CUDA toolkit". Whose machine it is, and when, is asked
elsewhere; see `voices`.
"""

from collections.abc import Iterator
from re import Match

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.readers import values
from torchdoctor.readers.card_names import find_cards
from torchdoctor.readers.statements import Topic

# What joins a name and its version.
_SIGNS = r"[ :：=(（\[`'\"*_~-]{0,4}"
_JOINT = (
    rf"{_SIGNS}(?:(?:versions?|release|build|ver|rev|is|at|currently|installed|now|in use|set to|=>|->|→"
    rf"|64[ -]?bits?|x64"
    rf"|(?:gpu|cuda) ?版本?的?|版本号?的?|バージョン|버전|версия|versión|versione|versão|est|ist|es|是"
    rf"|为|は){_SIGNS}){{0,3}}"
    r"(?:v\.? ?)?"
)
_BEFORE = r"(?<![\w./\\@-])"
# "torch 2.1 to 2.3" names two, and "numpy 2.x" none.
_AFTER = rf"{values.NO_MORE}(?! ?(?:to|or|and|/|-|–) ?v?\d\.\d)"
_PYTHON = (
    rf"{_BEFORE}(?:c?python3?|py(?= ?3\.)"
    rf"|\u043f\u0438\u0442\u043e\u043d){_JOINT}(?P<python>(?:3\.\d{{1,2}}|2\.7)(?:\.\d{{1,2}})?){_AFTER}"
    r"|(?<![\w./\\@_-])py(?:thon)?3(?P<minor>[6-9]|1\d)\b(?![\w./\\-]*[\\/]|[-_])"
)
_TORCH = (
    rf"{_BEFORE}(?:(?:py)?torch(?:[ -](?:gpu|cuda|stable|nightly))?|pt(?= ?[12]\.\d{{1,2}}\.\d)){_JOINT}"
    rf"(?P<torch>[12]\.\d{{1,2}}(?:\.\d{{1,2}})?(?:\.?dev\d{{8}})?(?:\+?(?:cu\d{{2,3}}|cpu))?){_AFTER}"
)
_PACKAGE = (
    rf"{_BEFORE}(?P<name>torch[ -]?vision|torch[ -]?audio|tv(?= ?0\.)|numpy|xformers|triton(?:-windows)?"
    rf"|transformers|bitsandbytes|diffusers|flash[ -]attn|onnxruntime(?:-gpu)?|ultralytics|tensorflow"
    rf"|opencv-python|accelerate|scipy|pip){_JOINT}"
    rf"(?P<version>\d{{1,2}}\.\d{{1,3}}(?:\.\d{{1,3}}){{0,2}}(?:\.post\d)?(?:\+\w{{1,12}})?){_AFTER}"
)
_DRIVER = (
    rf"(?:\b(?:nvidia|geforce|gpu|graphics?|video|game[ -]ready|studio|the|new|latest|current|my"
    rf"|driver)[ -]){{0,4}}(?:driver|drvr?|treiber|pilote|controlador|драйвер)s?\.?(?: to)?(?: the)?{_JOINT}"
    rf"(?P<driver>[3-6]\d\d\.\d{{2,3}}(?:\.\d\d)?)(?![\w.]\w)"
    rf"|\bdriver(?:s| version)?{_JOINT}(?P<windows>\d\d\.\d{{1,2}}\.1\d\.\d{{4}})(?!\.?\w)"
    rf"|\b(?:nvidia|geforce|game[ -]ready|grd|studio|whql){_JOINT}(?P<named>[3-6]\d\d\.\d\d)(?![\w.]\w)"
    r"|(?<![\w.])(?P<before>[3-6]\d\d\.\d\d)(?:\.\d\d)? (?:nvidia |geforce |game[ -]ready "
    r"|studio |whql ){0,2}(?:driver|drv)s?\b"
)
# conda's cudatoolkit is none: torch brings it.
_TOOLKIT = (
    rf"{_BEFORE}(?:(?!(?-i:cudatoolkit))cuda[ -]?(?:toolkit|sdk)"
    rf"|nvcc){_JOINT}(?P<toolkit>\d{{1,2}}\.\d)(?:\.\d{{1,3}})?{_AFTER}"
    rf"|{_BEFORE}cuda (?P<inside>\d{{1,2}}\.\d)(?:\.\d{{1,3}})? (?:toolkit|sdk)\b"
    rf"|(?<![\w.])(?P<first>\d{{1,2}}\.\d)(?:\.\d{{1,3}})? (?:of the )?cuda (?:toolkit|sdk)\b"
)
_DRIVER_CUDA = (
    rf"{_BEFORE}(?:cuda[ -]?driver|driver[ -]?cuda|nvidia-smi[^.;,\n]{{0,30}}?\bcuda){_JOINT}"
    rf"(?P<cuda>\d{{1,2}}\.\d)(?:\.\d{{1,3}})?{_AFTER}"
    # In brackets behind the driver.
    r"|\bdriver(?: version)?[ :=]{1,3}v?[3-6]\d\d\.\d{2,3}(?:\.\d\d)? ?\(cuda(?: version)?[ :]{0,2}"
    r"(?P<beside>\d{1,2}\.\d)\)"
)
# The tag of a build alone: "PyTorch 2.9.1 and cu130".
_TAG = r"(?<![\w./\\+-])\+?cu(?P<tag>1[0-3]\d|9\d)\b(?!\.\w|[\\/-])"
# A CUDA that somebody has put there is the toolkit; the one that is only named may be another's.
_CUDA_THERE = (
    rf"{_BEFORE}cuda(?: toolkit)?{_JOINT}(?P<there>(?:[89]|1[0-3])\.\d)(?:\.\d{{1,3}})? (?:is "
    rf"|was )?(?:already |also )?installed\b"
    rf"|\binstalled (?:the )?(?:nvidia )?cuda{_JOINT}(?P<put>\d{{1,2}}\.\d)(?:\.\d{{1,3}})?{_AFTER}"
    rf"|(?:安装|装)了? ?(?:的 ?)?cuda ?(?:toolkit ?)?(?:的?版本)? ?[是为:：]? ?v?"
    rf"(?P<chinese>\d{{1,2}}\.\d)(?:\.\d{{1,3}})?{_AFTER}"
)
# "CPU version of torch", "torch cpu is installed", "torch compiled without CUDA".
_BUILD = (
    r"\bcpu(?:[ -]only)? (?:version|build|variant|wheel)s? (?:of )?(?:the )?(?:py)?torch\b"
    rf"|{_BEFORE}(?:py)?torch[ -](?:(?:is|was)? ?(?:the |a )?cpu(?:[ -]only)?"
    r"(?: (?:version|build))?(?: (?:is|was|got|gets) installed|(?= ?(?:$|[.,;:)])))"
    r"|(?:is |was )?(?:compiled|built|installed) (?:without|w/o) (?:cuda|gpu support)\b)"
    r"|torch ?(?:装的|安装的|版本)?(?:是|为) ?cpu ?(?:版|版本)"
    r"|\bcpu[ -]only (?:py)?torch\b(?= (?:is|was|got) installed|$)"
)
# Numbers and letters that are a card only beside a word for one.
_CARD_LETTERS = (
    r"(?:\b(?:gpu|nvidia|tesla|card)|显卡|顯卡)(?: ?(?:is|was|[:：=]|是|为) ?| )(?:an? )?(?:nvidia )?"
    r"(?P<letters>(?:a10g?|a30|a40|l40|l4|t4|p40|m40|k80|t[4-9]00|t1000)(?! \d)(?: laptop gpu)?)(?![\w-])"
)
_SYSTEM = (
    r"(?<![\w./\\-])(?:(?:microsoft )?win(?:dows)? ?(?:server(?: 20\d\d)?|ltsb|ltsc|1[5-9]0[379]|1909"
    r"|2004|2[0-5]h[12]|7|8(?:\.1)?|10|11)\b|windows\b(?![\\/-]|\.\w)|w1[01]\b"
    r"|wsl ?2?\b|ubuntu ?(?:\d\d(?:\.\d\d)?)?\b|macos\b|mac os\b|os ?x\b|(?:arch )?linux\b)"
    r"(?! (?:ui|gui|update|defender|store|terminal|explorer|wheel|binar|build tool|user|support))"
)
_RAM = (
    r"(?<![\d.])(?:(?P<count>[1248]) ?[x×*] ?)?(?P<ram>\d{1,3}) ?(?:gb|gib|go|gigs?|g)?(?: of)?"
    r"(?:(?: (?:system|host|l?p?ddr\d\w?)(?: \d{4} ?(?:mhz|mt/s)?)?){0,2} ?(?:ram"
    r"|memory)\b(?<!\d ram)(?<!\d memory)"
    r"|(?<=[gbos]) l?p?ddr\d|(?<=of) l?p?ddr\d)"
    r"|\bram ?[ :：=]{1,3}(?P<size>\d{1,3}) ?(?:gb|gib|go|gigs?|g)\b"
    # In a list of what a machine has.
    r"|(?:^|[,+&/(:-] ?|\b(?:and|with|have|has|are|on|running|using) )(?P<gigs>16|24|32|48|64|96|128"
    r"|192|256) ?gigs?\b"
    r"(?=\s{0,2}(?:$|[,.;)/+&]|and\b|with\b))"
)
_ORIGIN = (
    r"(?<![\w./\\-])(?:(?P<conda>(?:(?:ana|mini)conda3?|conda(?= env| virtual| ?的? ?环境|[,.)]|$)"
    r"|mini(?:forge|mamba))"
    r"(?: (?:virtual )?env(?:ironment)?)?)"
    r"|(?P<venv>\.?venv|virtual ?env(?:ironment)?))\b(?![\\/-])"
)
_WORDS = (
    r"显卡|顯卡|gigs|drv|grd|ready|питон|radeon|rx ?[4-9]|\d\d0|[ahvb]\d00|arc\b|intel|gpu|nvidia|card"
    r"|cu1|cu9|py ?3|python|torch|numpy|former|triton|driver"
    r"|treiber|pilote|cuda|nvcc|rtx|gtx|quadro|tesla|laptop"
    r"|mobile|win|ubuntu|mac|os ?x|linux|wsl|ram|memory|conda|venv|virtual|tv ?0\.|драйвер|controlador"
)


@record
class Mention:
    """What a text names from one place of it to another."""

    start: int
    end: int
    topic: Topic
    value: str
    subject: str = ""


def find_mentions(text: str) -> list[Mention]:
    """Return what a text names, in its order."""
    if not pattern(_WORDS, True).search(text):
        return []
    found: list[Mention] = []
    for regex, read_match in _GRAMMAR:
        for match in pattern(regex, True).finditer(text):
            found += (
                Mention(match.start(), match.end(), topic, value, subject)
                for topic, value, subject in read_match(match)
            )
    found += _list_cards(text)
    return sorted(found, key=lambda each: (each.start, each.end))


def _read_python(match: Match[str]) -> Iterator[values.Said]:
    if not values.is_limit(match.string[match.end() :][:40]):
        yield Topic.PYTHON, match["python"] or f"3.{match['minor']}", ""


def _read_torch(match: Match[str]) -> Iterator[values.Said]:
    behind = match.string[match.end() :][:60]
    if values.is_limit(behind):
        return
    version = match["torch"] if "+" in match["torch"] else pattern(r"(?=cu\d|cpu)").sub("+", match["torch"])
    yield from values.read_torch(version)
    if "+" not in version:
        yield from values.read_build_words(behind)


def _read_package(match: Match[str]) -> Iterator[values.Said]:
    name = match["name"].lower().replace(" ", "-")
    if name == "tv" and "torch" not in match.string.lower():
        return
    if values.is_limit(match.string[match.end() :][:40]):
        return
    name = {"tv": "torchvision", "torch-vision": "torchvision", "torch-audio": "torchaudio"}.get(name, name)
    yield Topic.PACKAGE, match["version"], name


def _read_driver(match: Match[str]) -> Iterator[values.Said]:
    windows = match["windows"] and values.read_windows_driver(match["windows"])
    if match["windows"] is None:
        yield Topic.DRIVER, match["driver"] or match["named"] or match["before"], ""
    elif windows and values.is_nvidia(match.string):
        yield Topic.DRIVER, windows, ""


def _read_driver_cuda(match: Match[str]) -> Iterator[values.Said]:
    yield Topic.DRIVER_CUDA, match[match.lastgroup or 0], ""


def _read_tag(match: Match[str]) -> Iterator[values.Said]:
    yield Topic.TORCH_CUDA, f"{match['tag'][:-1]}.{match['tag'][-1]}", ""


def _read_toolkit(match: Match[str]) -> Iterator[values.Said]:
    yield Topic.TOOLKIT, match[match.lastgroup or 0], ""


def _read_build(match: Match[str]) -> Iterator[values.Said]:
    yield Topic.TORCH_CUDA, "none", ""


def _list_cards(text: str) -> Iterator[Mention]:
    """Yield the cards that a text names, each with its memory."""
    named = [(each.start, each.end, each.name) for each in find_cards(text)]
    named += [
        (match.start(), match.end(), f"NVIDIA {match['letters']}")
        for match in pattern(_CARD_LETTERS, True).finditer(text)
    ]
    for start, end, name in named:
        yield Mention(start, end, Topic.GPU, name, "0")
        size = values.read_card_memory(text[end:][:30].partition(";")[0])
        if size is not None:
            yield Mention(start, end, Topic.GPU_MEMORY, str(size), "0")


def _read_system(match: Match[str]) -> Iterator[values.Said]:
    yield from values.read_system(match[0])


def _read_memory(match: Match[str]) -> Iterator[values.Said]:
    size = int(match["ram"] or match["size"] or match["gigs"]) * int(match["count"] or 1)
    yield Topic.MEMORY, str(size << 30), ""


def _read_origin(match: Match[str]) -> Iterator[values.Said]:
    yield Topic.PYTHON_ORIGIN, "conda" if match["conda"] else "venv", ""


_GRAMMAR = (
    (_PYTHON, _read_python),
    (_TORCH, _read_torch),
    (_PACKAGE, _read_package),
    (_DRIVER, _read_driver),
    (_DRIVER_CUDA, _read_driver_cuda),
    (_TAG, _read_tag),
    (_TOOLKIT, _read_toolkit),
    (_CUDA_THERE, _read_toolkit),
    (_BUILD, _read_build),
    (_SYSTEM, _read_system),
    (_RAM, _read_memory),
    (_ORIGIN, _read_origin),
)
