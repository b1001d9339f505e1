"""Find out what the card and the processor of a text's computer can run; of some, no CUDA build of torch."""

from collections.abc import Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.capabilities import parse_sm
from torchdoctor.explain.computer.several_cards import describe_several_cards, list_stated_cards, spell_card
from torchdoctor.readers.card_names import SERIES_OF_AMD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from torchdoctor.readers import Environment

# The value `maker` of a computer for which there is no CUDA build, whoever made its card.
UNUSABLE = "unusable"
# A processor that Windows runs on, and which is no x64 one.
_ARM = (
    r"\bsnapdragon(?:\(r\)|®)? (?:x\b|x[ -]?(?:elite|plus)|7c|8c|8cx|850|compute|laptop|pc\b)"
    r"|\bmicrosoft(?:\(r\)|®)? sq[123]\b|\bqualcomm\b[^\n]{0,40}\badreno\b|\badreno(?:\(tm\))? x1\b"
    r"|\bwindows (?:1[01] )?(?:(?:home|pro|on) ){0,2}arm(?:64)?\b"
    r"|\bwin(?:dows)?[ -]?1[01] ?[(,]? ?arm(?:64)?\b"
    r"|\b64 bit \(ARM64\)|\byou're on windows \(`win_arm64`\)"
)
# What such a computer is not that of the writer, or not the one with torch.
_NOT_OWN = r"\b(?:should i|buy|would|other|another|second|friend\w{0,2}|colleague\w{0,2}|wife\w{0,2})\b"
# VirtualBox and Parallels pass no card on; other programs do where they are told to.
_VIRTUAL = (
    r"\b(?:virtualbox|parallels|vmware(?: workstation| player| fusion)?|hyper-v)"
    r" (?:vm|guest|virtual machine)\b"
    r"|\b(?:in|inside|within) (?:an? |the |my )?(?:virtualbox|parallels|hyper-v|vmware)\b(?! host)"
    r"|\bmicrosoft hyper-v video\b|\bvirtualbox graphics adapter\b|\bvmware svga\b"
)
_PASSED_ON = r"\bwsl|pass(?:ed)?[- ]?through|gpu-?p\b|gpu-pv|\bdda\b|\bvgpu\b|nvidia-smi {1,3}\d"
_OTHER_MAKERS = {
    "amd": rf"{SERIES_OF_AMD}|\b(?:radeon )?rx ?[4-9]\d{{2,3}}\b|\bradeon (?:pro |vii|rx)",
    "intel": r"\barc(?:\(tm\))? ?(?:pro )?[ab]\d{2,3}",
}
# Graphics of a processor, and cards of AMD.
_OWN_OR_AMD = (
    r"(?<![A-Za-z])(?:Intel(?:\(R\))? (?:HD|UHD|Iris|graphics)|Iris (?:Xe|Plus)|UHD(?: graphics)? ?\d{3}"
    rf"|Radeon|RX ?[4-9]\d{{2,3}}|{SERIES_OF_AMD})(?![A-Za-z\d])"
)
_SENTENCE_END = (
    r"(?<=[.!?;])\s+|[。！？；]|\n|，(?=我|但|而)"
    r"|,\s+(?=(?:(?:but|while|whereas|and|aber|und|mais|et|pero|y|mas|e|ma|ale|a|но|а) )?"
    r"(?:i|mine|my|ich|meine?|je|moi|mon|ma|yo|mi|eu|meu|minha|io|mio"
    r"|mia|ja|mam|moja|я|у меня|мой|моя|ben)\b|j['’])"
)
# That all is well on a computer, or whose it is, in the languages of `elsewhere`.
_WORKS = (
    r"\b(?:works?|(?:no|kein|sin|sem|sans|nessun|bez|без) (?:problem|probl[eè]m)\w*"
    r"|runs (?:fine|well|it)|funciona|marche|läuft|работает|funziona|działa"
    r"|çalışıyor)\b"
    r"|可以运行|可以跑|能跑|能用|没问题|動きます|動作します|動く|잘 (?:됩니다|돼|되)|문제 ?없"
)
_OF_OTHERS = (
    r"\b(?:friend|colleague|amig[oa]|ami|collègue|freund|kolleg\w+|друг\w*|коллег\w+|amico|znajom\w+)\b"
    r"|朋友|同事|友人|同僚|친구|동료"
)
_OTHER_NAMES = rf"{SERIES_OF_AMD}|\bradeon\b|\bamd\b|\barc\b|\bintel\b|\brocm\b|zluda|directml"
_OTHER_CARD = r"\b(?:geforce|[rg]tx ?\d|quadro|radeon|jetson|tesla [a-z]\d|nvidia (?:rtx|gtx|[a-z]\d))"
_STATES_CAPABILITY = r"\bsm_\d\d|\bcapability\b"
_LONGEST_LINE = 2000


def describe_hardware(
    values: Mapping[str, str], text: str, environments: "Sequence[Environment]"
) -> Mapping[str, str]:
    """Return the values that the names of cards and processors in a text stand for.

    `sm` is the compute capability of the own cards, or of all that are named, where no message tells it.
    `no_build` is "card" where each card of NVIDIA that the text names is older than what any build has code
    for, "arm" where the processor is one for which there are CPU builds only, and "vm" where the program runs
    in a virtual machine without a card. `maker` is then "unusable".
    `keeps_cuda` is the CUDA build that is there all the same.
    """
    if _is_virtual(text):
        return {"maker": UNUSABLE, "no_build": "vm", **_name_kept_build(values)}
    other = _find_maker_of_failing_machine(text)
    if other is not None:
        return {"maker": other, **({"build_index": "cpu"} if other == "none" else {})}
    found: dict[str, str] = {}
    if "sm" in values or pattern(r"\d{3}|titan|\bk\d", True).search(text):
        found.update(_describe_card(values, text, environments))
    if "no_build" in found:
        return found
    found.update(describe_several_cards(values, text, environments))
    maker = _find_own_maker(text, environments) if values.get("maker") is None else None
    if maker is not None:
        return {**found, "maker": maker}
    # A CUDA build that somebody has installed is no sign of a card.
    if not pattern(_OTHER_CARD, True).search(text) and _is_arm(text, environments):
        return {"maker": UNUSABLE, "no_build": "arm", **_name_kept_build(values)}
    return found


def _is_virtual(text: str) -> bool:
    """Return whether a program runs in a virtual machine of a kind that passes no card on."""
    return any(
        pattern(_VIRTUAL, True).search(line) and not pattern(_PASSED_ON, True).search(text)
        for line in text.split("\n")
        if len(line) < _LONGEST_LINE
    )


def _find_maker_of_failing_machine(text: str) -> str | None:
    """Return the maker of the own computer's graphics where the cards of NVIDIA are those of another one.

    It is "none" for the graphics of a processor, and None where a card of NVIDIA may be in this computer.
    What tells is a sentence that says whose the card is, or that it works there.
    """
    if not pattern(_OWN_OR_AMD, True).search(text):
        return None
    # Imported here: few texts name such graphics.
    from torchdoctor.domain.gpu_names import list_named_capabilities
    from torchdoctor.readers.elsewhere import is_elsewhere

    sentences = [part for part in pattern(_SENTENCE_END).split(text) if part.strip()]
    with_card = [part for part in sentences if any(list_named_capabilities(part))]
    there = [
        part
        for part in with_card
        if not pattern(_OWN_OR_AMD, True).search(part)
        and (
            is_elsewhere(part) or pattern(_WORKS, True).search(part) or pattern(_OF_OTHERS, True).search(part)
        )
    ]
    if not there or len(there) < len(with_card):
        return None
    here = " ".join(part for part in sentences if part not in there)
    if not pattern(_OWN_OR_AMD, True).search(here):
        return None
    is_of_amd = pattern(rf"{SERIES_OF_AMD}|\b(?:radeon|amd radeon|rx ?\d{{3,4}})\b", True).search(here)
    return "amd" if is_of_amd else "none"


def _find_own_maker(text: str, environments: "Sequence[Environment]") -> str | None:
    """Return the maker of the only cards that a text calls its computer's own, or None.

    What else is named are cards that a program is made for, or a build of torch for those of another maker.
    """
    from torchdoctor.readers import Topic
    from torchdoctor.readers.values import is_nvidia

    names = [card.value for environment in environments for card in environment.find_all(Topic.GPU)]
    if names and all(map(is_nvidia, names)):
        return None if pattern(_OTHER_NAMES, True).search(text) else "nvidia"
    makers = {
        next((maker for maker, regex in _OTHER_MAKERS.items() if pattern(regex, True).search(name)), None)
        for name in names
    }
    return makers.pop() if len(makers) == 1 else None


def _name_kept_build(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the build for commands: a CUDA build that is there, which a CPU runs too, or the CPU build."""
    build = values.get("torch_version", "").partition("+")[2]
    return {"keeps_cuda": build, "build_index": build} if build.startswith("cu") else {"build_index": "cpu"}


def _describe_card(
    values: Mapping[str, str], text: str, environments: "Sequence[Environment]"
) -> Mapping[str, str]:
    # Imported here: the tables take long to import.
    from torchdoctor.domain.cuda_builds import OLDEST_CAPABILITY
    from torchdoctor.domain.gpu_names import list_named_capabilities

    stated = parse_sm(values.get("sm"))
    if stated is not None and stated >= OLDEST_CAPABILITY and pattern(_STATES_CAPABILITY, True).search(text):
        return {}
    own = list(list_stated_cards(environments))
    cards = own or list(list_named_capabilities(text))
    if not cards and stated is not None:
        cards = [("", stated)]
    capabilities = {capability for _, capability in cards}
    if not cards or any(each is None or each >= OLDEST_CAPABILITY for each in capabilities):
        is_own = cards == own and not pattern(_STATES_CAPABILITY, True).search(text)
        only = capabilities.pop() if len(capabilities) == 1 and (stated is None or is_own) else None
        return {"sm": f"sm_{only[0]}{only[1]}"} if only else {}
    name, capability = max(cards, key=lambda card: card[1] or (0, 0))
    major, minor = capability or (0, 0)
    return {
        "maker": UNUSABLE,
        "no_build": "card",
        **_name_kept_build(values),
        "sm": f"sm_{major}{minor}",
        "card_capability": f"{major}.{minor}",
        **({"old_card": spell_card(name)} if name else {}),
    }


def _is_arm(text: str, environments: "Sequence[Environment]") -> bool:
    from torchdoctor.readers import Topic

    for environment in environments:
        system = environment.find(Topic.SYSTEM)
        machines = (environment.find(topic) for topic in (Topic.MACHINE, Topic.PYTHON_MACHINE))
        is_windows = system is not None and system.value == "windows"
        if is_windows and any(each is not None and each.value == "arm64" for each in machines):
            return True
    return any(
        pattern(_ARM, True).search(line) and not pattern(_NOT_OWN, True).search(line)
        for line in text.split("\n")
        if len(line) < _LONGEST_LINE
    )
