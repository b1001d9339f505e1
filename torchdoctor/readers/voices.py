"""Whose machine a clause is about, and at which time: the writer's now, or a wish, a past or another's.

The nearest clause decides. One without a word for it, as the next part of a list, goes on as the clause
before it.
"""

import enum
from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record


class Voice(enum.Enum):
    """What a clause is."""

    OWN = "of the machine of the writer, now"
    OTHER = "a wish, a condition, a former state or another machine"
    OPEN = "not said"


@record
class Clause:
    """A part of a sentence, where it begins in it, and whose machine it is about."""

    start: int
    text: str
    voice: Voice
    is_failure: bool


# Where a clause begins; the word that joins it belongs to it.
_BREAK = (
    r"(?:(?<=[,;:])\s|(?<=,)(?=[^\W\d_])|(?<=[，；：、])|\s(?=(?:but|because|so|which|while|whereas|where"
    r"|then|although|though|since|however"
    r"|after|before|when|whenever|if|unless|until|without|instead|rather|than|despite|even though|as (?:it|i)"
    r"|and (?:i|i['’]m|it|the|then|my|he|she|they|we|now|when|if|tried|would|should|not)|or)\b)"
    r"|(?<!\bif)(?<!\bwhen)(?<!\bonce)(?<!\bcan)(?<!could)(?<!should)(?<!would)(?<!\bdo)(?<!\bdid)(?<!\bthat)"
    r"(?<!before)(?<!after)(?<!unless)(?<!until)(?<!\bas)\s(?=(?:i['’]?m|i (?:am|have|use|run|own|got)"
    r"|i['’]?ve"
    r"|we (?:have|use|are))\b)"
    r"|\s?[—–]\s?|\s-\s)"
)
# What is needed, wanted, advised or compared.
_WISH = (
    r"(?:\bnot|n['’]t) find (?:an? |any |the )?(?:version|release|build|wheel)s? (?:of|for)\b|"
    r"\b(?:requir(?!ements(?:\.| 安))\w*|need(?:s|ed|ing)?|must|should|would|could|shall|wants?|wanted"
    r"|wish\w*|hope|recommend\w*"
    r"|suggest\w*|advise\w*|propos\w*|support(?:s|ed|ing)?|compatib\w+|minimum|at least|upgrad(?:e|ing)"
    r"|downgrad(?:e|ing)|updat(?:e|ing) (?:to|torch|pytorch|numpy|python|the)|switch(?:ing)? to"
    r"|install(?!ed|ing|ation|er)"
    r"|please|instead|rather|than|until|unless|if|or (?:newer|later|higher|above|better)|newer"
    r"|latest (?:version|release|stable|nightly|py|torch|cuda|xf|num)\w*"
    r"|stable release|released?\b|available for|for (?:cuda|torch|pytorch|python|windows|linux) ?\d?"
    r"|built (?:for|with|against)|compiled (?:for|with|using)|docs?|documentation|readme|tutorial|example"
    r"|can (?:you|we|someone|anyone)|does (?:it|this|anyone)|is (?:it|there)|are there|how (?:to|do|can)"
    r"|works? (?:with|on|under|for|fine|great|well)|working (?:with|on)|worked (?:with|on)|fixed|solved"
    r"|expect\w*|wheels?|prebuilt|plan\w*|considering|thinking|only (?:for|on)|drop(?:s|ped)? support"
    r"|since (?=v?\d|version|torch|pytorch|python|cuda|numpy)|add(?:ing)? support|from (?:v?\d|version"
    r"|torch|pytorch"
    r"|python|cuda) ?\d?|up to|to v?\d|todo|roadmap|alternative\w*|best|choose|tested (?:with|on|against))\b"
    r"|\b(?:il faut|faut-il|besoin|hace falta|necesit\w+|brauch\w+|benötig\w+|preciso|potrzeb\w+)\b"
    r"|如果|需要|推荐|建议|应该|必须|支持|请|要求|推奨|必要|нуж(?:ен|н)|треб|рекоменд"
)
_PAST = (
    r"\b(?:before|previous(?:ly)?|earlier|formerly|originally|initially|used to|old(?: one)?|was (?:using|on"
    r"|running)|were (?:using|on|running)|had (?:been|a|an|the|installed|torch|pytorch|python|cuda)|tried"
    r"|trying"
    r"|try|attempted|used every|last (?:week|month|year)|at first|first i|back then|uninstalled|removed|once"
    r"|past|(?:this|that|it|which|everything|all) was (?:with|on|using|under|fine|ok|working)|no longer"
    r"|sold|replaced|former|(?:replac|swap|sell)\w* (?:my|the|an?))\b|之前|以前|原来|试过|раньше"
)
_OTHERS = (
    r"\b(?:friends?|colleague\w*|coworkers?|brother|someone|somebody|anyone|anybody|everyone|people|users?"
    r"|others?|another|other|he|she|they|his|her|their|your|you|you['’]re|author\w*|maintainers?"
    r"|(?<!windows )(?<!win )server|colab"
    r"|kaggle|docker|container|cluster|cloud|runpod|vast\.ai|paper|second (?:pc|machine|computer)|both"
    r"|different"
    r"|(?:was|were|is|been) trained (?:on|with)|various|several|any|all versions|global(?:ly)?"
    r"|system(?:-wide| python))\b|服务器|云端|云上|租的|别人"
)
# A sentence that begins so tells how it was.
_WAS = (
    r"\W{0,4}(?:(?:but|and) )?(?:(?:this|that|it|which|everything|all) was (?:all )?(?:with|on|using|under)"
    r"|(?:previously|formerly|before that|earlier|back then|originally|initially|at first),? (?:i|we"
    r"|it) (?:was|were|had|used))\b"
)
# The writer's own machine. "Already had" is no past.
_OWN = (
    r"\b(?!i(?:['’]?ve| have) (?:to|heard|read|seen|noticed|been|not|no|never|tried|some|an? (?:question"
    r"|problem|issue))\b)(?:i(?:['’]?m| am)? (?:currently |now |also |still |only |just |both )?(?:on"
    r"|using|running(?: on)?|use|run|have"
    r"|own|got|installed|get|see|getting|facing|experiencing|having|in)|i(?:['’]?ve| have) (?:got"
    r"|installed|also)"
    r"|i(?:['’]?ve| have)? (?:already )?(?:had|have|got) |i already (?:had|have|use)|we (?:use|have|run"
    r"|are (?:on|using))"
    r"|same (?:here|issue|problem|error|thing)|me too"
    r"|my (?!friend|colleague|server|old|previous|other|brother)|mine|our (?:machine|setup|env)"
    r"|on this (?:machine|pc|computer|system)"
    r"|(?:^|now |currently |right now )(?:on|using|running(?: on)?|with|have|got)|right now|currently"
    r"|already had"
    r"|i used(?! to)|i(?:['’]?ve| have)? (?:just |recently |only |already )?(?:updated|reinstalled|bought"
    r"|purchased|built|upgraded to|switched to)"
    r"|(?:gave|gives|got|leaves|left) me(?: with)?|ended up with|now have|by purchasing"
    r"|pip installed|the new|installed (?:is|version)|detected|there is|there's)\b"
    r"|(?<!works )(?<!working )\bfrom an? (?:windows|linux|mac\w*) (?:1[01] )?(?:machine"
    r"|pc|box|laptop|computer|desktop|host)\b"
    r"|我的|我用|我使用|我是|我在|我有|本人|用的是|系统是|系统为|显卡是|装的是|gpu ?是|目前|当前|本机"
    r"|у меня|мо(?:я|й|ей|ём|ем) (?!друг)|использую|стоит |ich (?:habe|nutze|verwende|benutze)"
    r"|\bmein(?:e|er|em|en)? (?!freund|kolleg)"
    r"|j['’]ai|j['’]utilise|\b(?:ma|mon|mi) (?=(?:carte|config\w*|machine|gpu|pc|ordi|rtx|gtx|nvidia"
    r"|tarjeta|gr\u00e1fica|placa|equipo|port[a\u00e1]til|sistema|ordenador|computador\w*|laptop"
    r"|m\u00e1quina|\d))|tengo |\buso |\bho (?:un|una) |\b(?:la mia|il mio) "
    r"|\btenho |\b(?:minha|meu) (?!amig|irm)|\bmam (?!koleg)|\bmoj[aą] |kartım|\bbende |使って|使用して"
    r"|사용 ?중|사용하고|(?<![가-힣])[내제] "
)
# A thing of age that is there.
OF_AGE = (
    r"(?:(?<=\bi have )|(?<=\band ))(?:an?|one) (?:rather |very |quite |pretty )?old(?:er)? "
    r"(?=(?:nvidia|geforce|gtx?|rtx|quadro|tesla|titan|laptop|pc)\b)"
)
_ALREADY = r"\b(?:already|still) had\b|\bhad already\b|\bi had (?=(?:this|the same|a similar))"
# What goes wrong happens on the writer's machine.
_FAILURE = (
    r"\b(?:\w{0,30}errors?|issues?|problems?|bugs?|crash\w*|fail\w*|broken|breaks?|hangs?|freez\w*|stuck"
    r"|not working"
    r"|doesn['’]?t work|does not work|won['’]?t (?:work|run|start|load)|cannot|can['’]?t|could ?(?:n['’]?t"
    r"|not)|unable"
    r"|not (?:detected|found|recogni[sz]ed|available|using)|exception|segfault|traceback|slow|oom"
    r"|out of memory"
    r"|warning|incompatib\w*|mismatch\w*|causes?|missing|help)\b"
    r"|报错|错误|失败|无法|エラー|ошибк|fehler|erreur"
)
# What of a failure looks like a wish.
_NO_WISH = (
    r"\b(?:compatibility|dependency|version|support) (?:issue|error|problem|warning|conflict)s?\b"
    r"|\b(?:incompatib\w+|not compatible)\b|\b(?:need|please|any)(?:s|ed)? (?:some )?(?:help|advice"
    r"|assistance)\b"
    r"|\bcould ?(?:n['’]?t|not)\b|\binstall(?:ing|ation|ed)?\b(?= (?:fails?|error|failed))|\bhelp me\b"
)
# Who tries to do something does it on the own machine.
_TRYING = (
    r"\b(?:trying|attempting|tried|attempted|want|need|wanted|going) to"
    r"(?! use (?:the )?(?:py)?(?:torch|python|cuda|numpy)\b) (?:run|use|build|train|import"
    r"|start|launch|execute"
    r"|load|get|generate|make|fine-?tune|compile|convert|set ?up|install (?!torch|pytorch|python|cuda"
    r"|numpy|v?\d))"
)
# With what it goes away, it is not.
_MENDED = (
    r"\W{0,6}(?:(?:but|and|however|also|then|so)\W{1,6}){0,2}(?:when|if|once|after|with|using|on|under"
    r"|in)\b[^.!?]{3,80}?"
    r"\b(?:disappear\w*|vanish\w*|go(?:es)? away|went away|is gone|are gone|(?:it|everything"
    r"|all) works?(?! (?:only|on the cpu))"
    r"|works? (?:fine|well|great|perfectly|flawlessly|without)|no (?:more )?(?:error|problem|issue"
    r"|crash)\w*)\b"
)
# What stands in brackets, and names no version.
_ASIDE = r"\([^()\d]{4,80}\)"
# What asks for something is no statement.
_ASKS = (
    r"\W{0,4}(?:has|have (?:you|this|they)|is|are|does|do|did|can|could|will|would|should|which|what|how"
    r"|why|where"
    r"|who|any)\b"
)
# Whose a thing is, right before its name.
_POSSESSED = (
    r"\b(?:my|our)(?: (?:own|new|current|local|nvidia|geforce|single|only|gpu|card|graphics card|system"
    r"|laptop|pc|env"
    r"|venv|conda|is|has|with|an?)){0,3} ?[`*'\"(]{0,2}$"
)
_GIVEN_UP = r"\b(?:replac\w*|sell\w*|sold|swap\w*|upgrad\w*|exchang\w*|buy\w*)\b"
_REQUEST = (
    r"^\W{0,6}(?:\[?(?:feature|feat|request|enhancement|proposal|question|docs?|rfc|suggestion|wish|how"
    r"|what|which"
    r"|does|is|are|can|will|support|add|update|bump|upgrade|allow|enable)\b)"
)


def list_clauses(sentence: str) -> Iterator[Clause]:
    """Yield the clauses of a sentence."""
    place, voice = 0, Voice.OPEN
    is_mended = pattern(_MENDED, True).match(sentence) is not None
    is_question = "?" in sentence or "？" in sentence
    has_failed = pattern(_FAILURE, True).search(sentence) is not None
    for part in _split(sentence):
        start = sentence.find(part, place)
        place = start + len(part)
        said = _find_voice(part)
        if said is Voice.OPEN:
            # A clause that says nothing of it goes on as the one before it.
            said = voice
        if is_mended or (is_question and pattern(_ASKS, True).match(part)):
            said = Voice.OTHER
        voice = said
        yield Clause(start, part, said, has_failed and not is_question)


def is_possessed(before: str, clause: str) -> bool:
    """Return whether the words before a name say that it is the writer's, and the clause that it still is."""
    is_former = pattern(_PAST, True).search(clause) or pattern(_GIVEN_UP, True).search(clause)
    return pattern(_POSSESSED, True).search(before) is not None and not is_former


def is_former(sentence: str) -> bool:
    """Return whether all of a sentence tells how it was."""
    return pattern(_WAS, True).match(sentence) is not None


def is_request(title: str) -> bool:
    """Return whether the title of a post asks for something, rather than to tell what fails."""
    return pattern(_REQUEST, True).match(title) is not None or title.rstrip().endswith(("?", "？"))


def _split(sentence: str) -> list[str]:
    return [part for part in pattern(_BREAK, True).split(sentence) if part and part.strip()]


def _find_voice(clause: str) -> Voice:
    plain = pattern(_ASIDE).sub(" ", clause)
    plain = pattern(OF_AGE, True).sub("an ", plain)
    plain = pattern(_TRYING, True).sub(" i use ", pattern(_ALREADY, True).sub(" i have ", plain))
    plain = pattern(_NO_WISH, True).sub(" ", plain)
    if any(pattern(words, True).search(plain) for words in (_WISH, _PAST, _OTHERS)):
        return Voice.OTHER
    return Voice.OWN if pattern(_OWN, True).search(plain) else Voice.OPEN
