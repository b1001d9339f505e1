"""What people write of their own machine in a sentence or a form; weaker than what a program prints.

A sentence that wants, advises or compares something states nothing of the machine. So only short sentences
are read, and none with a word for a wish.
"""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "prose"
# Words that make a version a wish, a limit, a step that was tried, or another person's.
_OTHER = (
    r"^\s*(?:FROM|RUN|ENV|ARG|Collecting|Downloading|Using cached|Found existing|Attempting|Uninstalling)\b"
    r"|install|upgrad|updat|downgrad|requir|need|recommend|support|compatib|should|would|could|must|want"
    r"|\btry|tried|\bfor (?:cuda|torch|python|rtx)|instead|until|\bsince|minimum|at least|prior to|before"
    r"|or (?:newer|later|higher|above)|https?:|\bwith (?:newer|older)|\bnot\b|n't\b|\bno\b|\bother|another"
    r"|\bfriend|colleague|different|\bboth\b|\bswitch|chang|\bto\b|\bif\b|\bwhen\b|built (?:for|with)"
    r"|compiled|\bwork(?:s|ing|ed)?\b|please|\breleased\b|available|latest|newest|nightly|\bdocs?\b|tutorial|changelog"
    r"|example|colab|kaggle|docker|container|\bserver\b|cluster|\(you have|deprecat|reached|\beol\b|default"
    r"|\bfrom (?:version |v|python |(?:py)?torch )?\d|\?|[<>=]=|>|<|\bpip\b(?! \d)|\bconda\b"
    r"|\bprov(?:ato|ando)\b|\bprob[eéó]|\bessay|\btentei\b|\bversuch|\bzu (?:neu|alt)\b|пробова|поставить"
    r"|试|之前|以前|原来|装|升级|降级|换|还原|推奨|推荐|需要|支持|更新|如果|请|不|建议"
)
# What a list of versions is introduced with if none of them need be installed.
_WISHED_LIST = r"requir|minimum|\bpins?\b|must|install|recommend|support|\bneed|upgrad|bump"
# Words that make a card another one than that of the machine.
_OTHER_CARD = (
    r"requir|recommend|support|compatib|should|would|could|\bwant|minimum|at least|\bother|another|friend"
    r"|or (?:newer|later|higher|above)|colleague|\binstead|\bif\b|\bthan\b|\bvs\b|\bseries\b|\bupgrad"
    r"|\bbuy|\bbought|\breplac|\bprevious|\bold\b|\bused to\b|\bunlike\b|\bbesides\b"
    r"|\bworks?\b|\bserver\b|colab|kaggle|docker|cluster|\bsold\b|\blike (?:an? )?rtx|\bsm_|\?\s*$"
    r"|之前|换|支持|推荐"
)
_SYSTEM = (
    r"\bwin(?:dows)? ?(?:7|8|10|11)\b|\bW1[01]\b|윈도우|\bmacbook\b|\bubuntu \d\d|\blinux ?mint\b|\bmacos\b"
    r"|\barch linux\b"
)
# The end of a sentence, or of a part of one.
_END = r"(?<=[.!?)])\s+(?=[^\W\d_]|[¿¡])|(?<=[。！？，])|; "
_NO_PROSE = (
    r"^\s*(?:File |at |[A-Za-z]:\\|/|[\w.]{1,60}(?:Error|Warning|Exception)\b)"
    r"|site-packages|\bTraceback|[{}=|]{2}"
)
_TOO_LONG = 160
_NO_MORE = r"(?![A-Za-z0-9_*+]|\.[\dx*])"
_PYTHON = (
    r"(?<![\w./\\-])(?:python|파이썬[은이는]?)[ -]?(?:version)?(?: is)?(?:[ :-]{0,3}| = )"
    rf"(?P<version>3\.\d{{1,2}}(?:\.\d{{1,2}})?){_NO_MORE}"
)
_TORCH = (
    r"(?<![\w./\\-])(?:py)?torch(?: version)?(?:[ :]{0,3}| = )v?"
    r"(?P<version>[12]\.\d{1,2}(?:\.\d{1,2})?(?:\.?dev\d{1,8})?(?:\+?cu\d{2,3}|\+cpu)?)"
    rf"{_NO_MORE}"
)
_CUDA_TAG = r"(?<![\w./\\+])\+?cu(?P<number>1[0-3]\d|9\d|\d0)\b"
_GPU = (
    r"(?<![\w-])(?P<name>(?:nvidia )?(?:geforce )?(?:rtx|gtx) ?-?\d{3,4}(?!\d)(?: ?(?:ti|super|max-q)\b){0,2}"
    r"(?: laptop(?: gpu)?)?|(?:nvidia )?(?:quadro|tesla|titan) (?:rtx )?[a-z]{0,2}\d{0,4}\b)(?! ?series)"
)
# A number of a card in a list of such things: "win11, 3060, cu121".
_BARE_GPU = (
    r"(?:^|, ?|\b(?:with|have|got|using|on|my|has)(?: a| an| my| the)? )"
    r"((?:10[5-8]0(?= ?ti)|20[678]0|30[5-9]0|40[5-9]0|50[5-9]0)(?: ?ti\b| ?super\b)?)"
    r"(?= ?(?:,|$|\d{1,2} ?gb|here\b|and\b|on\b|laptop|gpu|card))"
)
_DRIVER = r"\b(?:driver|драйвер|treiber|pilote)(?: version)?s?[ :=]{1,3}v?(?P<version>[3-9]\d\d\.\d{2,3})\b"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what short lines of a person say."""
    is_listed_wish = False
    for number, line in lines:
        is_item = pattern(r"\s*[-*+•] ").match(line) is not None
        if line.strip() and not is_item:
            is_listed_wish = pattern(_WISHED_LIST, True).search(line) is not None
        if is_item and is_listed_wish:
            continue
        for sentence in pattern(_END).split(line) if len(line) < 1000 else ():
            if len(sentence) <= _TOO_LONG and not pattern(_NO_PROSE).search(sentence):
                yield from _read_sentence(sentence, number)


def _read_sentence(sentence: str, number: int) -> Iterator[Statement]:
    said: list[values.Said] = []
    lowered = sentence.lower()
    is_of_machine = not pattern(_OTHER, True).search(sentence)
    if ("python" in lowered or "파이썬" in lowered) and is_of_machine:
        python = _find_only(_PYTHON, sentence)
        said += [(Topic.PYTHON, python, "")] if python else []
    if "torch" in lowered and is_of_machine:
        torch = _find_only(_TORCH, sentence)
        if torch is not None:
            said += values.read_torch(torch if "+" in torch else torch.replace("cu", "+cu"))
    tags = set(pattern(_CUDA_TAG, True).findall(sentence))
    if len(tags) == 1 and is_of_machine:
        tag = tags.pop()
        said.append((Topic.TORCH_CUDA, f"{tag[:-1]}.{tag[-1]}", ""))
    cards = [match["name"].strip() for match in pattern(_GPU, True).finditer(sentence)]
    if len({card.lower() for card in cards}) == 1 and not pattern(_OTHER_CARD, True).search(sentence):
        said.append((Topic.GPU, cards[0], "0"))
    elif (
        not cards
        and not pattern(_OTHER_CARD, True).search(sentence)
        and len(bare := pattern(_BARE_GPU, True).findall(sentence)) == 1
    ):
        said.append((Topic.GPU, f"RTX {bare[0]}", "0"))
    is_named = pattern(_SYSTEM, True).search(sentence) is not None
    driver = pattern(_DRIVER, True).search(sentence)
    if driver and is_of_machine and ("nvidia" in lowered or cards or "gpu" in lowered or is_named):
        said.append((Topic.DRIVER, driver["version"], ""))
    if is_named or (said and pattern(r"\bwindows\b", True).search(sentence)):
        said += values.read_system(sentence)
    for topic, value, subject in said:
        yield Statement(topic, value, number, _NAME, is_printed=False, subject=subject)


def _find_only(regex: str, sentence: str) -> str | None:
    """Return the version that a sentence names, None if it names several or only a limit."""
    found = list(pattern(regex, True).finditer(sentence))
    if len({match["version"] for match in found}) != 1 or values.is_limit(sentence[found[0].end() :]):
        return None
    return found[0]["version"]
