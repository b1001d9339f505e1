"""The parts of a sentence that say what the own machine has, among wishes, advice and others' machines."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern

# Words that make a version a wish, a limit, a step that was tried, or another person's.
OTHER = (
    r"^\s*(?:(?:FROM|RUN|ENV|ARG) (?=\S)|(?:Collecting|Downloading|Using cached|Found existing|Attempting"
    r"|Uninstalling)\b)"
    r"|install|upgrad|updat|downgrad|requir|need|recommend|support|compatib|should|would|could|must|want"
    r"|\btry|tried|\bfor (?:cuda|torch|python|rtx)|instead|until|\bsince|minimum|at least|prior to|before"
    r"|or (?:newer|later|higher|above)|https?:|\bwith (?:newer|older)|\bnot\b|n't\b|\bno\b|\bother|another"
    r"|\bfriend|colleague|different|\bboth\b|\bswitch|chang|\bto\b|\bif\b|\bwhen\b|built (?:for|with)"
    r"|\bold(?:er)?\b"
    r"|\bglobal (?:env|torch|python|pip)|\bbase (?:env|conda)|\bsystem(?:'s| wide|-wide)? python"
    r"|\bwithout (?:py)?torch|\bdrop|\bfixed in\b|\bintroduced|versions?"
    r" that\b"
    r"|\bpaper\b|\btrained (?:on \d|with)|model card|^\W{0,6}(?:\d{1,2}[.)]\s)?\W{0,3}(?:use|clone"
    r"|download)\b"
    r"|\bprevious|(?<!\bi )(?<!\bwe )\btested (?:with|on|against)|compiled|\bwork(?:s|ing|ed)?\b|please"
    r"|\breleased\b|available"
    r"|latest|newest|nightly|\bdocs?\b|tutorial|changelog"
    r"|example|colab|kaggle|docker|container|(?<!windows )(?<!win )\bserver\b|cluster|\(you have"
    r"|deprecat|reached|\beol\b|default"
    r"|\bfrom (?:version |v|python |(?:py)?torch )?\d|\?|[<>=]=|>|<|\bpip\b(?! \d)|\bconda\b"
    r"|\bprov(?:ato|ando)\b|\bprob[eéó]|\bessay|\btentei\b|\bversuch|\bzu (?:neu|alt)\b|пробова|поставить"
    r"|нужен|нужн[аоы]\b|необходим|требу|рекоменд"
    r"|试|之前|以前|原来|旧|装|升级|降级|换|还原|推奨|推荐|需要|支持|更新|如果|请|不|建议"
)
TOO_LONG_WRAPPED = 240
# What a writer says of the own machine, in a sentence about something else.
_OWN = (
    r"\b(?:i(?:['’]m| am) (?:on|using|running(?: (?:this|it|everything|that))?(?: locally|"
    r" natively)?(?: on)?)|(?:i|i also|and|also|already|currently) (?:have|use|run|own)"
    r"|i(?:['’]ve| have) got|we (?:use|have|run|are on)|my"
    r"|(?:the|this) (?:machine|pc|computer|laptop|workstation) has"
    r"|running(?: on)?) (?=(?P<rest>[^;!?()\n]{3,120}))"
)
_NOT_OWN = (
    r"\b(?:assum\w{1,3}|thinks?|believes?|claims?|says|replac\w{0,3}|instead of|than|from|sold"
    r"|unlike|like|besides|should|could|can|would|do|did"
    r"|must|if|when"
    r"|may|might|will)\s{1,2}$"
)
_OWN_PARTS = r",\s{1,3}|\s(?:and|with|on|plus|using|running|under|-|\+)\s"
_OWN_PYTHON = (
    r"\b(?:my )?(?:conda|venv|virtualenv)(?:'s)? (?=python\b)|(?:(?<=gpu is )|(?<=card is ))(?:an? )?old "
)
_OWN_ITEM = r"\b(?:python|(?:py)?torch|numpy|rtx|gtx|xformers|torchvision|driver)\b|\d\.\d"
# A part of a list of what a machine has.
_LISTED = (
    r"\W{0,4}(?:and |with |plus |on |using |running |i(?:['’]m| am) (?:on|using|running) "
    r"|my (?:setup|specs?|system|environment|env|config|pc|machine|computer|laptop)"
    r"(?: is| are|:| has)? ){0,2}"
    r"(?:an? |nvidia |geforce |latest |local ){0,2}"
    r"(?:windows|win ?1[01]|w1[01]|macos|ubuntu|linux|wsl|python|(?:py)?torch|numpy|torchvision"
    r"|torchaudio|xformers"
    r"|transformers|rtx|gtx|quadro|tesla|driver|cuda|gpu|cpu|ram|ryzen|intel|amd|i[3579]|\d{1,3} ?gb)"
    r"(?![a-z]).{0,40}$"
)
# What begins so lists the own machine, whatever is told behind the list.
INTRODUCED = (
    r"\W{0,4}(?:and |so |but )?my (?:local |current |own )?"
    r"(?:setup|specs?|system|environment|env|config|pc|machine|computer|laptop)(?: is\b| are\b|:| has\b)"
)
# Words that only make a wish of the part of a sentence that they are in.
_WEAK = (
    r"\bwork(?:s|ing|ed)?\b|\bconda\b|\bpip\b|\bnot\b|n't\b|\bno\b|\bto\b|\bwhen\b|please|available"
    r"|latest|newest|\?|\b(?:clean |fresh |re-?)?install(?:s|er|ation|ations|ing)?\b|\btry(?:ing)?\b|tried"
    r"|\bdocs?\b|\bupdates?\b|reached"
)
_SYSTEM_FIRST = r"(?:an? )?(?:(?:64|32)[- ]bit )?(?:windows|linux|ubuntu|mac)\b"
_OWN_STOP = r"\s(?:but|because|so|which|where|when|that|while|or|not|installed|here|as|for|from|in)\b"
_OWN_THING = (
    r"(?:(?:environment|env|setup|system|pc|computer|machine|laptop|config\w{0,9}|rig|hardware)(?:"
    r" is| has| uses| runs|:) )?"
    r"(?:an? |the |my |only |nvidia |geforce |(?:64|32)[- ]bit ){0,3}[`*]{0,3}(?:windows|win ?1"
    r"|w1[01]|linux|ubuntu|macos|python|(?:py)?torch|rtx|gtx"
    r"|[1-5]0[5-9]0|(?:intel )?arc|(?:amd )?(?:radeon|rx)|intel|amd|numpy"
    r"|xformers|driver|\d{1,3} ?gb?\b|(?:gpu|card|graphics card|video card) (?:is|has)\b)"
)
# Who tries something on a system names its own.
_TRIED_ON = (
    r"\b(?:i(?:['’]m| am| was| tried| try|['’]ve| have)|we(?:['’]re| are)|trying to|attempting to|tried to"
    r"|installing|running"
    r"|when i|failed to|fails|cannot|unable to)\b[^.!?;\n]{0,90}?\b(?:on|in|under) (?:(?:an?|my|fresh|clean"
    r"|new) ){0,3}"
    r"(?P<rest>(?:windows|win ?1[01]|w1[01])\b[^!?;\n]{0,100})"
)
_ASKS = r"\?\s*$|\b(?:you|your|anyone|support(?:s|ed)?|recommend\w{0,3}|should|would|could|friend|others?)\b"
_PLACE_PARTS = r",\s{1,3}|\s?[()]\s?|\s(?:and|with|plus|using|running|under|\+)\s"
# A part that says something else of the same machine.
_OWN_DETAIL = (
    r"(?:the )?(?:cuda|cudnn|cpu|ram|vram|ide|compiler|visual studio|processor|motherboard"
    r"|psu)\b[\w .:-]{0,40}$"
)


def _find_own(text: str) -> Iterator[tuple[int, str]]:
    """Yield what a sentence says of the own machine among other things ("I have Python 3.10, but")."""
    for match in pattern(_OWN, True).finditer(text):
        if pattern(_NOT_OWN, True).search(text[: match.start()][-20:]):
            continue
        start = match.start("rest")
        for part in pattern(_OWN_PARTS).split(match["rest"]):
            stop = pattern(_OWN_STOP, True).search(part)
            part = part[: stop.start()] if stop else part
            is_other = pattern(OTHER, True).search(part) is not None
            if not is_other and not stop and pattern(_OWN_DETAIL, True).match(part):
                continue
            if is_other or not pattern(_OWN_THING, True).match(part):
                break
            # "I am on Windows"
            yield start, f"my {part}" if pattern(_SYSTEM_FIRST, True).match(part) else part
            if stop:
                break


def _find_place(text: str) -> Iterator[tuple[int, str]]:
    """Yield what a sentence says of the system on which its writer tries something."""
    match = pattern(_TRIED_ON, True).search(text) if len(text) < TOO_LONG_WRAPPED else None
    if match is None or pattern(_ASKS, True).search(text):
        return
    for part in pattern(_PLACE_PARTS).split(match["rest"]):
        stop = pattern(_OWN_STOP, True).search(part)
        part = part[: stop.start()] if stop else part
        if pattern(OTHER, True).search(part) or not pattern(_OWN_THING, True).match(part):
            break
        yield match.start("rest"), f"my {part}" if pattern(_SYSTEM_FIRST, True).match(part) else part
        if stop:
            break


def _find_listed(text: str) -> Iterator[tuple[int, str]]:
    """Yield a list of what a machine has in a sentence that goes on about something else.

    What is said behind the list does not make it a wish, as long as it is not about such a thing itself.
    """
    start, run = 0, list[str]()
    place = 0
    is_introduced = pattern(INTRODUCED, True).match(text) is not None
    for clause in [*text.split(", "), ""]:
        plain = pattern(_OWN_PYTHON, True).sub("", clause)
        if is_introduced and len(run) > 1 and not pattern(_LISTED, True).match(plain):
            yield start, ", ".join(run)
            return
        is_wish = pattern(OTHER, True).search(plain) is not None
        if is_wish and pattern(OTHER, True).search(pattern(_WEAK, True).sub("", plain)):
            return
        if is_wish and pattern(_OWN_ITEM, True).search(plain):
            return
        if not is_wish and pattern(_LISTED, True).match(plain):
            start = start if run else place
            run.append(plain)
        elif len(run) > 1:
            break
        else:
            run = []
        place += len(clause) + 2
    else:
        return
    # A wish behind the list would have returned.
    for clause in text[place:].split(", "):
        plain = pattern(_WEAK, True).sub("", clause)
        if pattern(OTHER, True).search(plain):
            return
    yield start, ", ".join(run)


def find_own_clauses(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a sentence that are about the machine of its writer, each with its place in it."""
    yield from _find_own(text)
    yield from _find_place(text)
    yield from _find_listed(text)
