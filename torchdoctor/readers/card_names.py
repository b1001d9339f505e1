"""How people write the names of cards: in full, by the number and its letters, or by the number alone.

Whose card it is, and whether it is there, is asked elsewhere; see `voices` and `elsewhere`.
"""

from re import Match

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record

# All of it is ASCII, so that Chinese letters end a word.
_NUMBER = r"(?:9[5-8]0|10[5-8]0|16[356]0|20[5-8]0|30[5-9]0|40[5-9]0|50[5-9]0)"
_KIND = r"(?:[ -]?(?:ti ?super|ti|super|max-?q|ada(?: generation)?|d|m)\b)"
# A card that NVIDIA made as "Super"; behind the number of another one, "s" makes a plural.
_SUPER = r"(?<=(?:16[56]0|20[678]0|40[78]0))s\b"
_PLACE = r"(?:[ -]?(?:laptop(?: gpu)?|mobile|notebook)\b)"
_END = rf"{_KIND}{{0,2}}(?:{_SUPER})?{_PLACE}?"
_NVIDIA = (
    # "RTX 5000" is a card or a series.
    rf"(?:nvidia )?(?:geforce ?)?(?:rtx|gtx|(?:(?<=geforce )|(?<=geforce)"
    rf"|(?<=nvidia ))gt(?= ?\d)"
    # "GT" is ground truth as well.
    r"|gts?(?=[ -]?(?:10[13]0|[4-7][0-6][05])m?\b"
    r"(?! ?(?:bb?ox|label|mask|object|annot|image|instance|frame))))"
    rf"(?! ?[345]000\b(?! ada))(?:tm|\u2122)?[ -]{{0,2}}"
    rf"\d{{3,4}}(?!\d){_END}"
    # Who says that a card is one means no series.
    r"|(?:(?<=card is )|(?<=card: )|(?<=gpu is )|(?<=gpu: ))(?:nvidia )?rtx [345]000\b"
    rf"|(?:nvidia )?geforce [1-9]\d{{2,3}}(?!\d){_END}"
    rf"|(?:nvidia )?(?:quadro )?rtx pro \d{{4}}(?: blackwell)?{_PLACE}?"
    rf"|(?:nvidia )?rtx[ -]?a\d{{3,4}}\b{_PLACE}?"
    r"|(?:nvidia )?jetson (?:agx )?(?:orin|xavier|nano|tx[12]|thor)(?: (?:nano|nx|agx|super)\b){0,2}"
    r"|(?:nvidia )?(?:geforce )?mx ?[1-5]\d0\b|(?:nvidia )?nvs ?\d{3,4}m?\b"
    r"|(?:nvidia )?(?:quadro|tesla|titan) (?:rtx )?(?:[a-z]{0,2}\d{1,4}[a-z]?|rtx|v|xp|x)\b"
    r"(?: with max-q design)?"
    r"|nvidia (?:a10g?|a30|a40|a100|h100|h200|b200|l4|l40s?|t4|v100|p100)(?:-\d{1,2}[qcba])?\b"
    r"|(?:nvidia )?(?:p40|m40|k80)\b"
)
# Cards of AMD that people name without its name or that of the series; a processor has four digits.
SERIES_OF_AMD = (
    r"(?:\bvega ?(?:56|64|frontier(?: edition)?|nano)\b"
    r"|\br[579][ -]?(?:m?[23]\d{2}x?(?!\w)|fury(?: ?x)?\b|nano\b)"
    r"|\bfire ?pro (?:[dmsvw])?\d{4}\w{0,2}\b|\binstinct mi ?\d{2,3}\w?\b)"
)
_AMD = (
    r"(?:amd )?(?:radeon )?(?:pro )?rx[ -]?(?:[4-9]\d{2,3}(?: ?(?:xtx?\b|gre\b|m\b|s\b"
    r"|[\u0425\u0445][\u0422\u0442]))?|vega ?\d\d)"
    rf"|(?:amd )?(?:radeon )?{SERIES_OF_AMD}"
    r"|\b(?:amd )?radeon (?:pro |vega )?(?:\w{0,3}\d{2,4}\w{0,3}|vii)(?: ?(?:xtx?|gre)\b)?"
    r"|[\u0420\u0440]\u0430\u0434\u0435\u043e\u043d (?:rx )?(?P<cyrillic>\d{4}(?: ?(?:xtx?\b|gre\b"
    r"|[\u0425\u0445][\u0422\u0442]))?)"
)
_INTEL = (
    r"\bintel(?:\(r\))? (?:iris(?:\(r\))? xe|u?hd(?: graphics)? ?\d{3,4})\b"
    r"|\b(?:intel(?:\(r\))? )?arc(?:\(tm\))?[ -]?(?:pro )?[ab]\d{2,3}m?\b"
)
# Without a word for the maker.
_SHORT = (
    rf"(?P<turned>{_NUMBER}{_KIND}{{0,2}}) ?(?P<maker>rtx|gtx)(?! ?\d{{3}})"
    rf"|(?:laptop |notebook |mobile |nvidia )(?P<before>{_NUMBER})(?!\d){_END}"
    rf"|(?P<number>{_NUMBER})(?!\d)(?=s\b|[ -]?(?:ti|super|max-?q|laptop|mobile|notebook)|d\b)"
    rf"(?P<end>(?:{_SUPER})?{_KIND}{{0,2}}{_PLACE}?)(?![a-z])"
    r"|(?P<radeon>(?:5[567]|6[456789]|7[678]|79|90)[0567]0 ?(?:xtx?\b|gre\b|[\u0425\u0445][\u0422\u0442]))"
    r"|(?P<arc>(?:a(?:310|380|580|730m|750|770m?)|b(?:570|580)))\b"
    r"|(?P<data>a100|h100|h200|b200|v100|p100|gv100|l40s|a6000|a5500|a5000|a4500|a4000)\b(?: \d{2}gb\b)?"
)
_SURE = (
    rf"(?<![\w./\\#-])(?:(?P<full>{_NVIDIA})|(?P<amd>{_AMD})|(?P<intel>{_INTEL})|(?:{_SHORT}))"
    r"(?!\w)(?! ?(?:series\b|or (?:better|newer|higher|above|\d)))"
)
# A number alone is a card if nothing beside it is against it.
BARE_NUMBER = r"(?:10[5-8]0|16[56]0|20[678]0|30[5-9]0|40[5-9]0|50[5-9]0)"
_BARE = (
    rf"(?<![\w./\\#=*-])(?P<number>{BARE_NUMBER})s?"
    r"(?!\w|\.\d|[*=]|-(?!\d{1,2} ?gb?\b)|[,:]\d| ?(?:[x\u00d7*/%] ?\d|p\b|px|k\b|images?|pics|steps?"
    r"|samples?|epochs?|it/|iter|files"
    r"|lines|frames|tokens|words|rows|ms\b|sec|minutes|hours|mb\b|mib|pixels?|resolution|videos?|mhz"
    r"|rpm|usd|eur|dollars"
    r"|bytes|and up|series|or (?:better|newer|higher|above|\d)))"
)
_NO_CARD_BEFORE = (
    r"(?:\b(?:ports?|lines?|issues?|pr|steps?|epochs?|iter\w{0,8}|ids?|codes?|errors?|pids?|pages?|at|v"
    r"|version"
    r"|sizes?|of|all|only|about|around|over|under|to|from|than|rev|build|commit|year|in|by|part|x"
    r"|take[sn]?|after|chapter"
    r"|height|width|resolution|localhost)[ :=#]{1,2}|(?<!nvidia)(?<!gpu)(?<!card):|(?:^|[^\w.])\d{1,3},"
    r"|[=*\u00d7$€~] ?|#)$"
)
# What stands before and behind one.
_BARE_BEFORE = (
    r"(?:^\W{0,6}|[,;，；、(（+/&|] ?|\b(?:gpus?|(?:graphics? |video )?card|graphics|vga|nvidia"
    r"|env\w{0,9}|specs?|setup|system|machine|pc"
    r"|config\w{0,9}|hardware|rig|here|issue|problem|error|info|mine|gear|build) ?[:：] ?|[a-z:] [-–—] "
    r"|\b(?:an?|my|the|our|new|old|single|dedicated|discrete|two|dual|one|\d ?x|x\d|with|have|has|had"
    r"|got|get|using|use|own|on|and|is|are|it['’]?s|its|same|to an?|gpus?|cards?|nvidia|geforce|laptop"
    r"|desktop|running|run|bought|win ?1[01]"
    r"|windows ?1[01]|a[ns]? old|eine[rnm]?|meine[rnm]?|une|ma|una|mi|uma|minha|mia|mam|moja|kart\u0119"
    r"|kart\u0131m|ho|auf|sur|con|com) {1,2}"
    r"|\b(?:\u0432\u0438\u0434\u0435\u043e\u043a\u0430\u0440\u0442\u0430"
    r"|\u043a\u0430\u0440\u0442\u0430)[: -]{1,3}|[\u0430-\u044f] )$"
)
_BARE_BEHIND = (
    r"s?(?:-\d{1,2} ?gb?\b| {0,2}(?:$|[,;:!?)/+&|，；：。！？、（(]|\.(?:\s|$)|[.-]\s|['’]s?\b"
    r"|\d{1,2} ?(?:gb?|gigs?|vram)\b|\(|[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
    r"|(?:here|it|and|on|so|but|with|which|laptop|gpus?|cards?|is|are|was|isn|won|does|doesn|do|not|can"
    r"|cannot|could|now|in|for|under"
    r"|from|as|because|since|while|when|that|if|then|running|installed|recently|last|today|yesterday"
    r"|via|using|has|have|works?|working"
    r"|fails?|crash\w*|gets?|should|would|still|at|only|just|graphics|video|geht|funktioniert"
    r"|l\u00e4uft|unter|mit|und|\u00e7a|sous|et|avec|mais"
    r"|y|pero|no|e|mas|n\u00e3o|sotto|driver|drivers|dedicated|founders|fe|oc"
    r"|to (?:be|work|run|show|get))\b))"
)
# Two of them and resolutions of videos look the same.
_STRONG_BEFORE = (
    r"(?:\b(?:an?|my|our|old|new|nvidia|geforce|gtx|\d ?x|x\d|two|dual|gpus?|cards?|own|eine[rnm]?"
    r"|meine[rnm]?|une|ma|una|mi|uma|minha)"
    r" {1,2}|[\u5757\u5f20\u5361\u662f\u7528] ?(?:\u7684 ?)?)$"
)
_MINE = r"\b(?:my|our|meine[rnm]?|ma|mi|minha) {1,2}$"
_HINT = r"\d\d|titan|tesla|quadro|jetson|radeon|iris|vega|\b[tl]4\b"


@record
class Card:
    """A card that a text names, where, and whether no other thing is written so."""

    start: int
    end: int
    name: str
    is_sure: bool


def find_cards(text: str) -> list[Card]:
    """Return the cards that a text names, in its order: in full, by a number and letters, or by one alone."""
    if not pattern(_HINT, True).search(text):
        return []
    sure = [
        Card(match.start(), match.end(), _name(match), True) for match in pattern(_SURE, True).finditer(text)
    ]
    bare = [
        Card(match.start(), match.end(), complete(match["number"]), False)
        for match in pattern(_BARE, True).finditer(text)
        if _is_bare_card(match) and not any(each.start < match.end() <= each.end for each in sure)
    ]
    return sorted((*sure, *bare), key=lambda each: each.start)


def _is_bare_card(match: Match[str]) -> bool:
    """Return whether the words beside a number are those beside a card."""
    before = match.string[max(0, match.start() - 24) : match.start()]
    behind = match.string[match.end("number") :][:24]
    # The prompt of an environment with such a name.
    if pattern(r"\) ?(?:[a-z]:\\|ps |\$|[\w.-]{1,30}@)", True).match(behind):
        return False
    if pattern(_NO_CARD_BEFORE, True).search(before):
        return False
    if pattern(_MINE, True).search(before) and pattern(r" [a-z]", True).match(behind):
        return True
    if not pattern(_BARE_BEHIND, True).match(behind):
        return False
    if match["number"][:2] == "10" and not pattern(r"s? ?[(（]?\d{1,2} ?gb?\b", True).match(behind):
        return pattern(_STRONG_BEFORE, True).search(before) is not None
    is_after_cjk = "\u3040" <= before.rstrip()[-1:] < "\ufb00"
    return is_after_cjk or pattern(_BARE_BEFORE, True).search(before) is not None


def _name(match: Match[str]) -> str:
    """Return the name of a card, as written where it is complete."""
    if match["cyrillic"]:
        return f"Radeon RX {spell(match['cyrillic'])}"
    if match["full"] or match["amd"] or match["intel"]:
        name = spell(match[0])
        return pattern(r"geforce (?=[2-5]0)", True).sub("GeForce RTX ", name)
    if match["turned"]:
        return f"{match['maker']} {match['turned'].strip()}"
    if match["before"]:
        place = "" if match[0].lower().startswith("nvidia") else f" {match[0].split()[0]}"
        number = match[0][match.start("before") - match.start() :]
        return f"{complete(spell(number))}{place}"
    if match["number"]:
        end = match["end"]
        # "3090s"
        return complete(
            spell(f"{match['number']}{'' if end.lower() == 's' and not _is_super(match) else end}")
        )
    if match["radeon"]:
        return f"Radeon RX {spell(match['radeon'])}"
    if match["arc"]:
        return f"Intel Arc {match['arc']}"
    number = match["data"]
    return f"RTX {number}" if pattern(r"a\d{4}", True).fullmatch(number) else f"NVIDIA {number}"


def _is_super(match: Match[str]) -> bool:
    """Return whether the "s" behind a number is that of a card, and not that of a plural."""
    return match["number"][:2] in ("16", "20") or match["end"] == "S"


def spell(name: str) -> str:
    """Return the name of a card with the letters of NVIDIA and AMD for those that people write."""
    name = pattern(r"(?<=\d) ?[\u0425\u0445][\u0422\u0442]").sub(" XT", name.strip())
    name = pattern(r"(?<=[24]0[678]0)s\b|(?<=16[56]0)s\b", True).sub(" Super", name)
    name = pattern(r"\u2122|(?<=rtx)tm\b", True).sub("", name)
    name = pattern(r"(?<=\w)-?(?=(?:laptop|mobile|notebook)\b)", True).sub(" ", name)
    # "GeforceRTX3060", "gtx-1660"
    name = pattern(r"geforce ?(?=[rg]t)", True).sub("GeForce ", name)
    return pattern(r"(?<=\bgtx|\brtx)-(?=\d)|(?<=\brx)-(?=\d)", True).sub(" ", name)


def complete(name: str) -> str:
    """Return the name of a card of NVIDIA with its series, which people leave out: "RTX 4070" of "4070"."""
    return f"{'GTX' if name[0] in '19' else 'RTX'} {name}" if name[0].isdecimal() else name
