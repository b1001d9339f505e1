"""Read from a text whose card the computer has."""

from collections.abc import Mapping

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_names import BARE_NUMBER, SERIES_OF_AMD, complete
from torchdoctor.readers.cards_elsewhere import find_denials
from torchdoctor.readers.line_parts import blank_spans

# A card of NVIDIA by its number alone: "2070super", "my 3090".
_BARE = (
    rf"(?<![\w.-]){BARE_NUMBER} ?(?:ti(?: ?super)?|super)(?![a-z0-9])"
    rf"|(?:an?|my|with|on|using|have|got|laptop) (?!10|16){BARE_NUMBER}"
    r"(?= ?(?:[ds]\b|laptop\b|mobile\b|max-?q\b|\d{1,2} ?gb?\b|gpu\b|card\b|here\b|[,.;!?)]|\n|$))"
    r"|(?:显卡|顯卡|видеокарта|\bgpu|graphics card|video card)\W{0,3}(?:是|为|is )?"
    rf"{BARE_NUMBER}(?![\d.x])"
)
# Cards, and builds of torch that only people with such a card choose.
_MAKERS = (
    r"\b(?:(?P<nvidia>(?<!portable )nvidia(?! (?:portable|version|edition|build|package|installer)\b)"
    r"|geforce|rtx|gtx|quadro|tesla)"
    r"|(?P<intel>Intel(?:\(R\))? Arc|\bArc A\d{3}|\bIntel [AB]\d{3}\b|\b[AB]\d{3} ?\(intel\)"
    r"|XPU backend|\d\+xpu)"
    r"|(?P<amd>(?<!integrated )radeon(?!(?: ?\(TM\))?,? (?:graphics|vega|\d{3}m)\b)"
    r"|\bFirePro\b|\b(?:Steam Deck|ROG Ally|Legion Go)\b"
    rf"|{SERIES_OF_AMD}"
    r"|RX ?[5-9]\d{3}|RX ?[4-7][5-9]0\b|\b(?:5[5-7]00|6[4-9]\d0|7[6-9]00|90[67]0) ?(?:xtx?|gre)\b"
    r"|\b(?:gpu|graphics card|video card)\b ?[:=]? ?AMD(?! ?(?:ryzen|cpu|processor|epyc|threadripper|fx))\b"
    r"|\b(?:gpu|(?:graphics? |video )card) (?:is|comes) (?:from )?(?:an? )?AMD(?:'?s)?\b"
    r"(?! ?(?:ryzen|cpu|processor|epyc|threadripper|fx))"
    r"|\b(?:an?|my|the|this|with) AMD (?:gpu|card|graphics card|video card)\b"
    r"|(?:have|got|using) an? AMD(?! ?(?:ryzen|cpu|processor|epyc|threadripper|fx))\b"
    r"|\d\+rocm|comfyui-rocm|rocm[-_]sdk|gfx\d{3,4}\b|zluda|AMD GPU|c10_hip|hsaco))"
)
# The graphics of a processor of AMD, where nothing else is named.
_INTEGRATED_AMD = (
    r"\bHSA_OVERRIDE_GFX_VERSION\b|\b(?:radeon )?vega ?(?:3|6|7|8|9|10|11)\b|\bAMD (?:i-?GPU|APU)\b"
    r"|\b(?:AMD|Radeon)(?: ?\(TM\))?(?: Radeon)?(?: Graphics)?,? (?:[67][4689]0M|8[0-9]{2}[MS])\b"
)
# The number of a GeForce, whatever stands around it: "a dedicated 4070".
_NUMBER_OF_NVIDIA = r"(?<![\d.,])(?:10[5-8]0|16[356]0|[2-5]0[5-9]0)(?!\d|\.\d)"
# CUDA builds are installed on computers with any card.
_CUDA_BUILD = r"\d\+cu\d{2,3}"
# What a person writes; that a program finds none is no sign that there is none.
_WITHOUT_GPU = (
    # A package that was made without support for a GPU says nothing of the cards.
    r"\b(?:(?<!compiled )(?<!built )without (?:an? )?(?:nvidia |dedicated |any )?"
    r"(?:gpu\b(?! support)|graphics card)"
    r"|(?:don'?t|do not|doesn'?t) have (?:an? |any )?(?:nvidia|gpu\b|graphics card)"
    r"|no dedicated (?:gpu|graphics\b)"
    r"|(?:laptop|notebook|computer|pc|machine),? (?:has )?no (?:nvidia )?gpu\b"
    r"(?! (?:found|detected|available))"
    r"|no (?:nvidia )?(?:gpu|graphics card) (?:in|on) (?:this|my|the) (?:laptop|notebook|computer|pc)\b"
    r"|(?:pc|computer|laptop|notebook|machine|system) without (?:an? |any )?nvidia\b"
    r"(?! (?:driver|support|software))"
    r"|(?:has |with |(?<=\())no (?:nvidia )?(?:gpu|graphics card)\b(?! (?:found|detected|available))"
    # The processor is all there is.
    r"|\b(?:(?:computer|pc|laptop|notebook|machine|workstation|device|I|we)s? (?:has|have|is|with|got)"
    r" (?:only|just)|(?:only|just) (?:has|have|having)) (?:an? |the )?cpus?\b"
    # Another word behind it makes it a CPU build, or the load of one.
    r"(?! (?!(?:and|but|so|on|in|no|to|how|with|here|for|which|can|is|now|at)\b)\w)"
    r"|\bcpu[- ]only (?:computer|pc|laptop|notebook|machine|workstation|system|device|server)\b)"
)
# The graphics of a processor, which no build of torch for cards is made for.
_OWN_GRAPHICS = (
    # Typed from the screen, with a small L: "lris R Xe".
    r"\b(?:Intel(?:\(R\)| R)? (?:HD|UHD|[Il]ris(?:\(R\)| R)?(?: R?\s?Xe| Plus| Pro)?)"
    r"(?: Graphics)?(?: \d{3,4})?"
    r"|Intel(?:\(R\)| R)? (?:integrated )?(?:GPU|graphics)\b(?! card)"
    r"|Iris(?:\(R\))? (?:Xe|Plus)(?: Graphics)?|(?<![A-Za-z])U?HD Graphics \d{3,4}\b"
    # Makers for whose cards neither CUDA nor a build of torch for Windows exists.
    r"|(?:Moore Threads )?\bMTT S\d{2,4}\b|\bAscend \d{3}[A-Z]?\b)"
)
# The same in other languages; apart, because ASCII expressions read words otherwise.
_WITHOUT_GPU_ELSEWHERE = (
    r"(?:GPU|그래픽 ?카드)[가이]? ?(?:없는|없이|없어서|없습니다(?!만))"
    # What a program says that it finds none of may be there.
    r"|(?<!检测)(?<!提示)(?<!显示)(?<!说)(?<!报)(?:没有|没|无|沒有|無)"
    r"(?:独立|獨立|独|N卡|NVIDIA ?|英伟达)?(?:显卡|顯卡|GPU)"
    r"(?!驱动|驅動|加速|占用|使用|利用|显示)"
    r"|(?:电脑|電腦|机器|機器|笔记本|筆電|主机|设备|我)[^\n，。,]{0,4}(?:只有|仅有|僅有) ?"
    r"(?:一个 ?)?(?:cpu|处理器)(?!(?:版|占用|使用率|利用))"
    r"|(?:パソコン|PC|ノート|マシン)(?:に)?は? ?CPU(?:しか|だけ)"
    r"|(?:только|лишь) (?:процессор|cpu)\b(?=[^\n]{0,20}(?:компьютер|ноутбук|машин))"
    r"|GPU(?:が|は)?(?:搭載されて(?:い)?ない|ない(?:PC|パソコン|ノート)|なし(?:の|で))"
    r"|\b(?:ohne|sans|sin|sem|senza|bez|без) (?:eine |dedizierte |une |una |uma )?"
    r"(?:GPU|Grafikkarte|carte graphique|tarjeta gr[aá]fica|placa de v[ií]deo|scheda video|видеокарты)\b"
)
# A message that is about one card, with its name.
_ABOUT_ONE_CARD = (
    r"(?:Found GPU\d{1,2} )?(?P<warned>(?:NVIDIA |GeForce )[^\n:]{2,60}?)"
    r" (?:with CUDA capability sm_|which is of (?:cuda )?capability )(?P<major>\d{1,2}?)\.?(?P<minor>\d)\b"
    r"|\bDevice ?: ?cuda:\d{1,2} (?P<used>(?:NVIDIA |GeForce )[^\n:]{2,60}?) ?(?::|$)"
)
_CARD = (
    r"(?<![\w.-])(?:(?:RTX|GTX|GT) ?)?(?:\d{3}|(?:10[1-8]|16[0-9]|20[5-8]|30[5-9]|40[5-9]|50[5-9])0)"
    r"(?: ?(?:ti(?: ?super)?|super))?(?![\w.])"
)
# A card that is elsewhere, or not there yet.
_NOT_HERE = (
    r"\b(?:friend|colleague|buy|bought it|will get|upgrade to|plan(?:ning)? to|if i had|should i|would an?"
    r"|(?:an)?other (?:pc|computer|machine|laptop)|second (?:pc|computer|machine)|at work)\b"
)
# The least that a torch of today has code for in all its builds.
_KNOWN_TO_ALL_BUILDS = (7, 5)
# What an error says of NVIDIA names no card.
_OF_ERRORS = (
    r"found no nvidia driver|that you have an nvidia gpu|https?://www\.nvidia\.com"
    r"|\b(?:just|only) (?:for|on|with) nvidia\b|\bneeds? (?:an? )?nvidia\b|\bnvidia[- ]only\b"
    r"|\bnot (?:an? )?nvidia\b|\bno (?:supported |compatible )?nvidia (?:driver|gpu|card|graphics)"
    r"|\bno nvidia\b"
)

# The numbers of NVIDIA's drivers have three digits and two: those of Intel are 31.0.101.4502.
_NUMBER_OF_NVIDIA_DRIVER = r"\b(?:driver|nvidia-smi)s?(?: version)?[ :=]{1,3}v?[2-9]\d\d\.\d\d(?!\d|\.\d)"
# A model of NVIDIA's that people write without the series.
_MODEL_ALONE = (
    r"(?<![\w.-])(?:[AKMPT](?:[1-6][0-9]?00|[1-6]?[0-9]00)M?|MX ?\d{3}|G[TR]X? ?\d{3,4}"
    r"|Titan(?: (?:X[Pp]?|V|RTX|Black|Z))?)"
    r"(?![\w.-])(?! ?(?:lines|images|steps))"
)

# The driver that an error asks for, and not one with its version.
_DRIVER = r"\bnvidia (?:gpu |graphics )?drivers?\b(?! ?(?:version|v?\d|[:=]))"


def read_card(text: str) -> Mapping[str, str]:
    """Return the maker of the card that a text names, "none" where its writer has none from NVIDIA.

    Then the CPU build of torch is installed, or wanted. "I have no NVIDIA card" names no card.
    """
    said, denied = _clear_denials(text)
    named, count = pattern(_WITHOUT_GPU, True).subn(" ", pattern(_OF_ERRORS, True).sub(" ", said))
    named, elsewhere = pattern(_WITHOUT_GPU_ELSEWHERE, True).subn(" ", named)
    count += elsewhere + denied
    if not count and _shows_nvidia(named):
        # The graphics of the processor are beside it.
        return {"maker": "nvidia"}
    named, of_processor = pattern(_OWN_GRAPHICS, True).subn(" ", named)
    count += of_processor
    if count:
        # Who says that there is none has installed a CUDA build all the same.
        named = pattern(_CUDA_BUILD, True).sub(" ", pattern(_DRIVER, True).sub(" ", named))
    maker = read_maker(named)
    if maker is not None:
        return {"maker": maker}
    return {"maker": "none", "build_index": "cpu"} if count else {}


def _shows_nvidia(text: str) -> bool:
    """Return whether a text with the graphics of a processor also names a card of NVIDIA, or a driver."""
    if not pattern(_OWN_GRAPHICS, True).search(text) or read_maker(text) is not None:
        return False
    if pattern(_NUMBER_OF_NVIDIA_DRIVER, True).search(text) or pattern(_MODEL_ALONE).search(text):
        return True
    # Imported here: few texts name such graphics, and the table is a file.
    from torchdoctor.domain.gpu_names import list_named_capabilities
    from torchdoctor.readers.card_names import find_cards
    from torchdoctor.readers.values import is_nvidia

    named = (card.name for line in text.split("\n") for card in find_cards(line) if card.is_sure)
    return any(list_named_capabilities(text)) or any(map(is_nvidia, named))


def _clear_denials(text: str) -> tuple[str, int]:
    """Return a text without the words that its computer has no card of NVIDIA, and how often it says so."""
    lines, count = [], 0
    for line in text.split("\n"):
        # What it has instead stays to be read.
        spans = [(start, end) for start, end in find_denials(line) if not _names_arc(line[end:])]
        lines.append(blank_spans(line, spans))
        count += len(spans)
    return "\n".join(lines), count


def _names_arc(behind: str) -> bool:
    return pattern(r"\W{0,4}(?:r\W{1,3})?arc\b", True).match(behind) is not None


def read_maker(text: str) -> str | None:
    """Return "nvidia", "intel" or "amd" if a text names a card or a build for cards of one of them only."""
    makers = {match.lastgroup for match in pattern(_MAKERS, True).finditer(text)}
    if not makers and (pattern(_CUDA_BUILD, True).search(text) or pattern(_BARE, True).search(text)):
        return "nvidia"
    if not makers and pattern(_INTEGRATED_AMD, True).search(text):
        return None if pattern(_NUMBER_OF_NVIDIA).search(text) else "amd"
    return makers.pop() if len(makers) == 1 else None


def read_better_card(text: str) -> str | None:
    """Return the newer NVIDIA card that a text names beside the one that a message is about, or None."""
    # Imported here: few texts have such a message, and the table is a file.
    from torchdoctor.domain.gpu_names import find_capability

    about = pattern(_ABOUT_ONE_CARD, True).search(text)
    if about is None or pattern(_NOT_HERE, True).search(text):
        return None
    in_message = (int(about["major"]), int(about["minor"])) if about["major"] else None
    old = in_message or find_capability(about["used"])
    if old is None or old >= _KNOWN_TO_ALL_BUILDS:
        return None
    others = pattern(_ABOUT_ONE_CARD, True).sub(" ", text)
    names = (match[0] for match in pattern(_CARD, True).finditer(others))
    found = [(find_capability(complete(name)), name) for name in names]
    better = [(capability, name) for capability, name in found if capability is not None and capability > old]
    if not better or max(better)[0] < _KNOWN_TO_ALL_BUILDS:
        return None
    return complete(max(better)[1])
