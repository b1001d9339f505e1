"""Find in a text that its computer has no card of NVIDIA, and the cards of other computers that it names.

The words are those of the languages that `elsewhere` knows.
"""

from collections.abc import Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_names import SERIES_OF_AMD, find_cards
from torchdoctor.readers.elsewhere import is_elsewhere
from torchdoctor.readers.line_parts import blank_spans, find_stated, split_line

# What a program or a tool shows is no word of the writer: a card that is not found may be there.
_SHOWN = (
    r"\b(?:error|warning|exception|assert\w*|info|found|finds?|shows?|showing|sees?|lists?|detect\w*|says?"
    r"|reports?|thinks|uses?|using|displays?|recogni[sz]e[sd]?|prints?|tells?|claims?|if|zeigt|erkennt"
    r"|findet|affiche|détecte|trouve|muestra|detecta|encuentra|mostra|rileva|trova|pokazuje|wykrywa"
    r"|показывает|видит|находит|пишет|gösteriyor)\b[^.!?。]{0,40}$|\w(?:Error|Warning|Exception)\b"
    r"|(?:检测|檢測|提示|显示|顯示|说|报|识别|找)[^。，,]{0,8}$"
)
_SHOWN_BEHIND = (
    r"^[^.!?,;。，]{0,16}\b(?:found|detect\w*|available|shown|used|listed|visible|recogni[sz]ed|supported"
    r"|drivers?|treiber|pilote|controlador|driver\w*|gefunden|erkannt|angezeigt|trouvée?|détectée?"
    r"|encontrad[ao]|detectad[ao]|trovata|rilevata|драйвер\w*|wykryt\w+|algılan\w+)\b"
    r"|^[^。，,]{0,6}(?:驱动|驅動|ドライバ|드라이버|検出|認識|인식|감지)"
)
# "no nvidia" alone, and not "no nvidia account".
_END_OF_NAME = (
    r"(?: (?:gpus?|(?:graphics |video )?cards?|graphics|hardware|chip)\b"
    r"|(?=\s*(?:$|[.,;:!?)。，]|(?:here|in|on|at|and|but|so|or|inside|only|just)\b)))"
)
_ENGLISH = (
    r"\b(?:no|without|not|(?:do|does)(?:n['’]?t| not) have)(?: any| an?)?(?: dedicated| discrete)? "
    rf"nvidia{_END_OF_NAME}"
    r"|\b(?:no|without(?: an?)?|not have an?|n['’]t have an?) (?:graphics |video )?(?:card|gpu|graphics)"
    r" (?:from|by|of) nvidia\b"
    r"|\b(?:card|gpu) (?:is not|isn['’]t) (?:from|by|of|an?) nvidia\b"
    r"|\b(?:only|just)(?: has| have| got)?(?: an?| the)? (?:integrated |onboard )?(?:intel|iris|uhd)\b"
)
_OTHERS = (
    # German, French
    r"\bkeine?n? (?:eigene |dedizierte )?nvidia(?:[- ]?(?:grafik)?karte| gpu)?\b"
    r"|\b(?:keine?n?|ohne)(?: eine)? (?:grafikkarte|karte|gpu|grafik) (?:von|der firma) nvidia\b"
    r"|\b(?:pas de|sans|aucune?) (?:carte|gpu|puce)(?: graphique)? (?:de (?:chez )?|d['’])?nvidia\b"
    r"|\b(?:no (?:tengo|tiene|hay)|sin)(?: una?| ninguna)? (?:tarjeta|gpu)(?: gr[aá]fica)? (?:de )?nvidia\b"
    r"|\b(?:n[ãa]o (?:tenho|tem)|sem)(?: uma?| nenhuma)? (?:placa|gpu)(?: de v[íi]deo)? (?:da )?nvidia\b"
    r"|\b(?:non (?:ho|ha)|senza)(?: una?)? (?:scheda|gpu)(?: video| grafica)? (?:di |della )?nvidia\b"
    r"|\bohne (?:eine )?nvidia(?:[- ]?(?:grafik)?karte)?\b|\bnur (?:ein(?:e|en)? |die )?(?:intel|iris|uhd)\b"
    r"|\b(?:pas de|sans|aucune?) (?:carte |gpu |puce )?(?:graphique )?nvidia\b"
    r"|\b(?:seulement|uniquement|juste) (?:une? |l['’])?(?:intel|iris|uhd)\b"
    # Spanish, Portuguese, Italian
    r"|\b(?:no (?:tengo|tiene|hay)|sin|ningun[ao]?) (?:una? |ninguna )?(?:tarjeta |gpu )?(?:gr[aá]fica )?"
    r"nvidia\b"
    r"|\b(?:n[ãa]o (?:tenho|tem|h[áa])|sem) (?:uma? |nenhuma )?(?:placa |gpu )?(?:de v[íi]deo )?"
    r"nvidia\b"
    r"|\b(?:non (?:ho|ha|c['’]è)|senza|nessuna) (?:una? |nessuna )?(?:scheda |gpu )?(?:video )?nvidia\b"
    r"|\b(?:s[oó]lo|solamente|só|apenas|somente|soltanto)(?: tiene| tengo| tem| tenho| ha| ho)?(?: una?| uma?"
    r"| la)? (?:intel|iris|uhd)\b"
    # Polish, Turkish, Russian
    r"|\b(?:nie ma(?:m)?|bez|brak) (?:karty |gpu )?(?:graficznej )?nvidi\w*|\btylko (?:intel|iris|uhd)\b"
    r"|\bnvidia (?:ekran kartı\w*|kartı?\w*|gpu )? ?yok\b|\b(?:sadece|yalnızca) (?:intel|iris|uhd)\b"
    r"|\b(?:нет|нету|без) (?:дискретной )?(?:видеокарты |карты )?nvidia\b|\bnvidia (?:тут |здесь )?нет\b"
    r"|\bтолько (?:встроенн\w+ )?(?:видеокарта )?(?:intel|iris|uhd)\b"
    # Chinese, Japanese, Korean
    r"|(?:没有|没|无|沒有|無) ?(?:独立|獨立)?(?:nvidia|英伟达|n卡)(?: ?(?:显卡|顯卡|gpu))?"
    r"|(?:只有|仅有|僅有) ?(?:一?[块张个])?(?:intel|英特尔|核显|集显|内显)"
    r"|nvidia ?(?:の)?(?:gpu|グラボ|カード)?(?:は|が|も)?(?:な[いくし]|ありません|搭載されて(?:い)?な)"
    r"|intel[^。、.\n]{0,20}(?:のみ|だけ|しか)"
    r"|nvidia ?(?:그래픽 ?카드|gpu)?(?:가|이|는)? ?없|intel[^.,\n]{0,20}(?:만 |밖에)"
)
# Other things of Intel than graphics.
_NO_GRAPHICS = (
    r"^\W{0,4}(?:cpu|core|mkl|openmp|xeon|proc|pro[cz]es|проц|处理器|處理器|プロセッサ|프로세서|ipex|xpu|extension"
    r"|runtime|oneapi|i[3579]\b|is\b|has\b|mac)"
)
# A place or a computer that is another one than that of the denial; which word is for which computer.
_PLACES = (
    r"\bat (?:home|work|school|uni)\b|\b(?:an?)?other (?:pc|computer|machine|laptop|desktop|box)\b"
    r"|\bsecond (?:pc|computer|machine|laptop)\b|\b(?:home|gaming|main|big) (?:pc|computer|machine|rig)\b"
    r"|\bzu ?hause\b|\bdaheim\b|\banderen? (?:pc|rechner|computer|laptop)\b|\bà la maison\b|\bchez moi\b"
    r"|\bautre (?:pc|ordinateur|machine)\b|\ben casa\b|\botr[ao] (?:pc|ordenador|computador\w*|máquina)\b"
    r"|\bem casa\b|\boutr[ao] (?:pc|computador|máquina|notebook)\b|\ba casa\b|\baltro (?:pc|computer)\b"
    r"|\bw domu\b|\binn(?:y|ym|ego) (?:komputer|pc|laptop)\w*|\bevde\w*"
    r"|\b(?:diğer|başka) (?:bilgisayar|pc)\w*"
    r"|\bдома\b|\bна друг(?:ом|ой)\b|家里|家裡|另一台|另外一台|别的电脑|其[他它]电脑"
    r"|家の|自宅|別の ?(?:pc|パソコン)"
    r"|집에|집 ?(?:pc|컴퓨터)|다른 ?(?:pc|컴퓨터|노트북)"
)
_COMPUTERS = (
    r"\b(?:laptop|notebook|ноутбук\w*|portátil|portatile|ordinateur portable)\b|笔记本|筆電|ノート|노트북",
    r"\b(?:desktop|tower|workstation|standrechner|компьютер\w*|пк)\b|台式|デスクトップ|데스크톱",
)
# A computer on which what fails fails.
_FAILS = (
    r"\b(?:i get|i got|i see|error|errors|fails?|failed|crash\w*|problem|issue|fehler|erreur|error|erro"
    r"|errore|błąd|hata|ошибка)\b|报错|错误|エラー|오류"
)
_NO_FAILURE = (
    r"\b(?:no|without|any|ohne|keine?|sans|sin|sem|senza|bez|без) (?:\w+ )?(?:error|problem|issue)s?\b"
)
# The writer's own card, which is there now.
_HERE = r"\b(?:now|currently) (?:i )?(?:have|has|got|use)\b|\begpu\b|\b(?:in|on) (?:this|the same)\b"
_FORMER = r"\b(?:old|previous|former|had|was)\b"
_SENTENCE_END = (
    r"(?<=[.!?;])\s+|[。！？；]|,?\s+(?=(?:but|while|whereas|aber)\s)"
    r"|,\s+(?=(?:mais|pero|mas|ma|ale|ama|но)\s)|，但|(?<=다\.)"
)
# A card that is not bought yet, or not there yet.
_PLANNED = (
    r"\b(?:will|i['’]ll|going to|gonna|want to|wants to|plan(?:ning)? to|about to|hope to"
    r"|thinking (?:of|about)|consider(?:ing)?|planning on)(?: soon)?"
    r" (?:buy(?:ing)?|order(?:ing)?|purchas(?:e|ing)|get(?:ting)?)\b"
    r"|\b(?:have|['’]ve) ordered\b|\b(?:is|are) on (?:its|the|their) way\b|\b(?:arrives?|will arrive|comes) "
    r"(?:next|in|on|tomorrow|soon)\b"
    # German, French, Spanish, Portuguese, Italian
    r"|\b(?:will|möchte|werde|plane)\b[^.!?]{0,40}\bkaufen\b"
    r"|\b(?:vais|veux|voudrais|compte) (?:m['’])?acheter\b"
    r"|\b(?:quiero|voy a|pienso) comprar(?:me)?\b|\b(?:quero|vou|pretendo) comprar\b"
    r"|\b(?:voglio|vorrei|sto per) comprare\b"
    # Russian, Chinese, Japanese, Korean
    r"|\b(?:хочу|собираюсь|планирую) купить\b|\bкуплю\b|(?:打算|准备|准備|想|计划|計劃)(?:买|買|换|換)"
    r"|(?:買う|購入)(?:予定|つもり|を検討)|살 예정"
)
# What stands right before and behind a card that was there once.
_GIVEN_AWAY = (
    r"\b(?:sold|returned|gave away|got rid of|replaced|swapped(?: out)?|removed|took out|pulled out?"
    r"|exchanged|traded(?: in)?|(?:upgraded|switched|changed|moved|went) from"
    r"|vendí|vendi|ho venduto|j['’]ai vendu|продала?|заменила?)"
    r" (?:(?:my|the|our|an?|old|former|mi|mon|ma|minha|meu|la mia|свою|nvidia|geforce|gpu|card) ?){0,4}$"
    r"|(?:卖了|賣了|卖掉|賣掉|换掉|換掉)(?:我的?|旧的?|那[张块張塊])?\s?$"
)
_GIVEN_AWAY_BEHIND = (
    r"^[ ,]{0,2}(?:(?:is|was|has been|got|gpu|card|habe ich|hab ich|ist) ){0,3}"
    r"(?:sold|gone|dead|broken and out|verkauft|vendue?|vendida|venduta|продана)\b"
    r"|^\s?(?:卖了|賣了|卖掉|賣掉|已卖|を売|は売)"
)
# A card that a computer had before the one that is there.
_BEFORE = (
    r"\b(?:used to (?:have|run|own|use)|previously|formerly|before (?:that|this|it),? i (?:had|used)"
    r"|i had (?=an? )|went back|sent back|gave back|(?:my|the) (?:old|former|previous) (?:gpu|card) was"
    r"|vorher|früher|zuvor|auparavant|avant,? j['’]avais|j['’]avais|antes|anteriormente|ten[ií]a antes"
    r"|prima avevo|avevo|in precedenza|wcześniej|poprzednio|önceden|eskiden)\b"
    r"|\b(?:раньше|до этого|прежде)\b|以前|之前(?:用|是|的)|原来(?:用|是)|前は|예전|이전에|전에는"
)
_NOW = (
    r"\b(?:now|today|currently|these days|again|back on|jetzt|heute|nun|aktuell|maintenant|désormais"
    r"|ahora|hoy|agora|hoje|adesso|ora|teraz|obecnie|şimdi)\b|\b(?:сейчас|теперь)\b|现在|現在|如今|今は|지금|이제"
)
_PART_END = rf"[.;!?。；，、]\s*|,\s+|\s+(?=(?:and|but|und|et|y|e|и)\s+(?:{_NOW}))|(?<=다\.)"
_OF_AMD = rf"{SERIES_OF_AMD}|\b(?:radeon|rx ?\d{{3,4}})\b"
# Whose card is named there: that of who made it.
_SOURCES = (
    r"\b(?:tutorials?|videos?|youtube|guide|course|book|blog|readme|docs?|documentation|example|tutoriel|vidéo"
    r"|livre|cours|anleitung|kurs|buch|guía|curso|libro|guia|corso|урок\w*|видео|гайд\w*|курс\w*)\b"
    r"|教程|视频|影片|教學|動画|チュートリアル|강좌|영상"
)
_LONGEST = 2000


def find_denials(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a line says that the computer of its writer has no card of NVIDIA, or only Intel's."""
    if len(text) > _LONGEST or not pattern(r"nvidia|nvidi|intel|iris|uhd|n卡|英|核显|集显|内显", True).search(
        text
    ):
        return
    for words in (_ENGLISH, _OTHERS):
        for match in pattern(words, True).finditer(text):
            before, behind = text[: match.start()], text[match.end() :]
            sentence = pattern(r"[.!?。！？](?:\s|$)").split(before)[-1]
            if pattern(_SHOWN, True).search(sentence) or pattern(_SHOWN_BEHIND, True).search(behind[:60]):
                continue
            if match[0].lower().endswith("intel") and pattern(_NO_GRAPHICS, True).match(behind):
                continue
            if pattern(_FORMER, True).search(sentence) or is_elsewhere(sentence):
                continue
            yield match.start(), match.end()


def clear_cards_elsewhere(texts: Sequence[str]) -> list[str]:
    """Return lines without the cards of other computers, where they say that this one has none of NVIDIA.

    A card that somebody will buy counts where no other one is named.
    """
    texts = _clear_planned(texts)
    denials = [list(find_denials(text)) for text in texts]
    if not any(denials):
        return list(texts)
    here = _find_denying(texts, denials)
    failing = _find_failing(texts)
    if failing and here and not failing & here:
        # It fails on the computer that has a card.
        return list(texts)
    return [_clear(text, found, here) for text, found in zip(texts, denials, strict=True)]


def _find_denying(texts: Sequence[str], denials: Sequence[Sequence[tuple[int, int]]]) -> set[int]:
    """Return the computers that are named in the sentences which say that there is no card."""
    sentences = (
        text[start:end]
        for text, found in zip(texts, denials, strict=True)
        if found
        for start, end in split_line(text, _SENTENCE_END)
        if any(start <= place < end for place, _ in found)
    )
    return _find_computers(" ".join(sentences))


def _find_failing(texts: Sequence[str]) -> set[int]:
    """Return the computers that are named in the sentences which tell that something fails."""
    short = (text for text in texts if len(text) <= _LONGEST)
    sentences = (text[start:end] for text in short for start, end in split_line(text, _SENTENCE_END))
    return set[int]().union(*(_find_computers(each) for each in sentences if _tells_failure(each)))


def _clear_planned(texts: Sequence[str]) -> Sequence[str]:
    """Return lines without the cards that somebody will buy or has given away, if they name another one."""
    cleared = [
        _blank_former(_blank_given_away(_blank_planned(text))) if len(text) <= _LONGEST else text
        for text in texts
    ]
    has_other = cleared != list(texts) and any(map(_names_card, cleared))
    return cleared if has_other else texts


def _names_card(text: str) -> bool:
    return len(text) <= _LONGEST and (
        bool(find_cards(text)) or pattern(_OF_AMD, True).search(text) is not None
    )


def _blank_planned(text: str) -> str:
    if not pattern(_PLANNED, True).search(text):
        return text
    parts = (text[start:end] for start, end in split_line(text, _SENTENCE_END))
    return "".join(
        blank_spans(part, find_stated(part)) if pattern(_PLANNED, True).search(part) else part
        for part in parts
    )


def _blank_given_away(text: str) -> str:
    spans = [
        (each.start, each.end)
        for each in find_cards(text)
        if pattern(_GIVEN_AWAY, True).search(text[max(0, each.start - 60) : each.start])
        or pattern(_GIVEN_AWAY_BEHIND, True).search(text[each.end : each.end + 40])
    ]
    return blank_spans(text, spans)


def _blank_former(text: str) -> str:
    """Return a line without the cards that were there before, where it names the one that is there now."""
    if not (pattern(_BEFORE, True).search(text) and pattern(_NOW, True).search(text)):
        return text
    parts = [text[start:end] for start, end in split_line(text, _PART_END)]
    is_former = [
        pattern(_BEFORE, True).search(part) is not None and not pattern(_NOW, True).search(part)
        for part in parts
    ]
    return "".join(
        blank_spans(part, [(each.start, each.end) for each in find_cards(part)]) if former else part
        for part, former in zip(parts, is_former, strict=True)
    )


def _tells_failure(text: str) -> bool:
    return pattern(_FAILS, True).search(pattern(_NO_FAILURE, True).sub(" ", text)) is not None


def _find_computers(text: str) -> set[int]:
    return {index for index, words in enumerate(_COMPUTERS) if pattern(words, True).search(text)}


def _clear(text: str, denials: Sequence[tuple[int, int]], here: set[int]) -> str:
    if len(text) > _LONGEST:
        return text
    cleared = text
    for start, end in split_line(text, _SENTENCE_END):
        bounds = [start, *(place for span in denials if start <= span[0] < end for place in span), end]
        for first, last in zip(bounds[::2], bounds[1::2], strict=True):
            if _is_of_others(text[first:last], here):
                part = cleared[first:last]
                cleared = cleared[:first] + blank_spans(part, find_stated(part)) + cleared[last:]
    return cleared


def _is_of_others(part: str, here: set[int]) -> bool:
    if not find_stated(part):
        return False
    if pattern(_HERE, True).search(part):
        return False
    if is_elsewhere(part) or pattern(_SOURCES, True).search(part):
        return True
    there = _find_computers(part)
    is_other_computer = bool(there and here and not there & here)
    is_there = is_other_computer or pattern(_PLACES, True).search(part) is not None
    return is_there and not _tells_failure(part)
