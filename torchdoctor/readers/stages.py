"""Find where the last stage of a text begins: what stands before it is solved, or of another computer.

People tell how it went on: "Done, it works now. New error: ...". Who reads a thread has the last post.
"""

from collections.abc import Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_names import find_cards
from torchdoctor.readers.line_parts import blank_spans
from torchdoctor.readers.printed_errors import FAILURE

# A problem that follows another one.
_NEXT = (
    r"\bnew (?:error|problem|issue)\b(?! (?:report|template))"
    r"|\b(?:an?other|a (?:different|new)|the next) (?:error|problem|issue)\b"
    r"(?= (?:now|appear|occur|came|comes|is)|[:.,])"
    r"|\b(?:but |and )?now (?:i(?:['’]m| am)?|it|there|we|the (?:program|script|training)|instead) "
    r"(?:\w{1,12} ){0,3}?(?:get(?:ting)?|gives?|says?|fails?|crash(?:es)?|throws?|shows?|ends?|stops?"
    r"|prints?|hav(?:e|ing))\b"
    r"|\bafter (?:installing|reinstalling|updating|upgrading|switching|changing|fixing)\b[^.\n]{0,40}[ ,]"
    r"(?:i (?:now )?get|it (?:now )?(?:says|gives|fails|throws))\b"
    r"|\bneuer fehler\b|\bjetzt (?:kommt|bekomme ich)\b|\bnouvelle erreur\b|\bmaintenant j['’]ai\b"
    r"|\bnuevo error\b|\bahora (?:me )?(?:da|sale|tengo)\b|\bnovo erro\b|\bagora (?:dá|aparece)\b"
    r"|\bнов(?:ая|ую) ошибк|\bтеперь (?:выда|пиш|ошибк|появ)"
    r"|(?:现在|現在|之后|之後)(?:又|却|卻)?(?:报|報|出现|出現|提示)|新的?(?:错误|錯誤|报错|問題|问题)"
    r"|(?:今度は|新しいエラー)|새로운 ?(?:오류|에러)"
)
# A problem that is over.
_OVER = (
    r"(?-i:\bSOLVED\b)"
    r"|\b(?:that|this|it|problem|issue|error|first one)(?:['’]s| is| was| has been| got) (?:now )?"
    r"(?:solved|fixed|resolved|gone)\b"
    r"|^\W{0,4}(?:\w{1,20}: )?(?:solved|fixed|resolved|done)\b(?![\w /-]{0,20}\?)"
    r"|\b(?:i|we) (?:have )?(?:solved|fixed|resolved) (?:it|that|this)\b"
    r"|\b(?:solved|fixed|resolved) by (?:re|up|down|in|set|add|remov|mov|us|delet|chang)\w+"
    r"|\b(?:it |that |this |everything |all )works now\b|\bnow (?:it |that |this |everything )works\b"
    r"|\bworks again\b|\bis_available(?:\(\))? (?:is|returns|gives|prints|=+) ?True(?: now)?\b"
    r"|已解决|已解決|解决了(?!吗)|解決しました|решено\b|\bgelöst\b|\bbehoben\b|\brésolu\b|\bsolucionado\b"
    r"|\bresuelto\b|\bresolvido\b|\brisolto\b|해결(?:됐|했|되었)"
)
# What a program prints when it has started: what failed before did not keep it from that.
_STARTED = (
    r"^(?:\[[^\]\n]{1,40}\]|[\d:. -]{6,30}|INFO|[\W_]){0,4}"
    r"(?:Starting server$|To see the GUI go to: http|Running on (?:local|public) URL: "
    r"|Uvicorn running on http"
    r"|Startup time: \d|App started successful|Application startup complete|got prompt$|Model loaded in \d)"
)
_NOT_YET = (
    r"(?:\b(?:not|never|un|how|who|can|could|to|be|if|until|once|when|hope\w*|please|will|would|should"
    r"|has(?:n['’]t)?|anyone|someone|may|might|yet|nicht|pas|no|não|nao|non|не|没|沒)|n['’]t)\W{0,3}"
    r"(?:\w{1,10} ){0,2}$"
)
# From here on, it is another computer.
_MOVED = (
    r"\b(?:moved|switched|changed|went|migrated) (?:\w{1,10} )?to (?:an?|my|the|our)? ?"
    r"(?:(?:new|other|another|different) )?"
    r"(?:windows|linux|desktop|pc|computer|machine|laptop|workstation)\b"
)
# Who wrote a post, and in which year; the head of one in a tracker.
_POST = (
    r"\W{0,3}@?[\w.-]{2,30}(?: (?:wrote|commented|said))?,? ?[(\[]?(?:on |in )?"
    r"(?:[A-Z][a-z]{2,8}\.? (?:\d{1,2},? )?)?(?P<year>20[0-3]\d)(?:-\d\d(?:-\d\d)?)?[)\]]?\s?[:,]"
)
_LONGEST, _MOST_LINES = 600, 400
_DRIVER = r"(?<![\w.])[3-6]\d\d\.\d\d(?:\.\d\d)?(?![\w.]\w)"
_TORCH = (
    r"(?:\b(?:py)?torch(?:vision|audio)? ?={0,2} ?|(?<![\w.]))[012]\.\d{1,2}\.\d"
    r"(?:\+(?:cu\d{2,3}|cpu))?(?![\w.]\w)"
)
# Who tells that another driver is there now.
_UPDATED = (
    r"(?:\b(?:updated|upgraded|switched|moved)\b[^.\n]{0,40}\bto (?:the |driver |version |v|nvidia ){0,3}"
    r"|\b(?:driver|version|nvidia-smi|it)\b[^.\n]{0,20} (?:is|shows|says|prints) now (?:at |on )?"
    r"(?:driver |version )?"
    r"|\bnow (?:(?:i['’]m|i am|we are|it['’]?s|it is|on|at|have|has|with|driver|the|is|shows|version"
    r"|nvidia-smi) ){1,4}"
    r"|^\W{0,3}(?:[\w.-]{2,20}: )?done\W{1,3}(?:driver |version |now ){0,2}"
    r"|\bafter (?:the |an? |my )?(?:driver )?(?:update|upgrade|updating|upgrading|restart|reboot)\b"
    r"[^.\n]{0,40}? "
    r"|\b(?:i|we|have|['’]ve|then|just|now) installed "
    r"(?:the |driver |version |new |newest |latest |nvidia |v){0,4})"
    r"(?P<driver>[3-6]\d\d\.\d\d)(?![\w.]\w)"
)
_FOUND_DRIVER = r"\(found version \d{4,6}\)"


def find_last_stage(texts: Sequence[str]) -> tuple[int, int] | None:
    """Return the line and the column where the last stage of a text begins, None if it has only one.

    An error stands before that place and another one behind it, and none between what tells of the change.
    """
    if len(texts) > _MOST_LINES:
        return None
    errors = [
        (number, found.start())
        for number, text in enumerate(texts)
        for found in pattern(FAILURE).finditer(text)
    ]
    if len(errors) < 2:
        return None
    marks = [mark for mark in _find_marks(texts) if errors[0] < mark < errors[-1]]
    if not marks:
        return None
    before = max(error for error in errors if error < max(marks))
    return min(mark for mark in marks if mark > before)


def _find_marks(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    year = 0
    for number, text in enumerate(texts):
        if len(text) > _LONGEST:
            continue
        post = pattern(_POST).match(text)
        if post is not None:
            if 0 < year < int(post["year"]):
                yield number, 0
            year = int(post["year"])
        if pattern(_STARTED).match(text):
            yield number, 0
        for words in (_NEXT, _OVER, _MOVED):
            for match in pattern(words, True).finditer(text):
                if not pattern(_NOT_YET, True).search(text[max(0, match.start() - 40) : match.start()]):
                    yield number, match.start()


def clear_before(texts: Sequence[str], place: tuple[int, int]) -> list[str]:
    """Return lines without what stands before a place, which keep their number."""
    line, column = place
    return [
        "" if number < line else " " * column + text[column:] if number == line else text
        for number, text in enumerate(texts)
    ]


def clear_former_releases(texts: Sequence[str]) -> list[str]:
    """Return lines without the cards and releases of earlier stages, where the last one names others."""
    place = find_last_stage(texts)
    if place is None:
        return _clear_former_driver(texts)
    line, column = place
    last = [text for text in clear_before(texts, place) if len(text) <= _LONGEST]
    named = [find for find in (_find_cards, _find_torch, _find_driver) if any(map(find, last))]
    cleared = list(texts)
    for number, text in enumerate(texts[: line + 1]):
        if len(text) <= _LONGEST:
            spans = [span for find in named for span in find(text) if number < line or span[1] <= column]
            cleared[number] = blank_spans(text, spans)
    return _clear_former_driver(cleared)


def _clear_former_driver(texts: Sequence[str]) -> list[str]:
    """Return lines without the driver before an update of which a person tells; the new one is called so."""
    cleared = list(texts)
    for number, text in enumerate(texts):
        if len(text) > _LONGEST:
            continue
        for match in pattern(_UPDATED, True).finditer(text):
            start, end = match.span("driver")
            if pattern(_NOT_YET, True).search(text[max(0, match.start() - 40) : match.start()]):
                continue
            for before in range(number + 1):
                stop = len(cleared[before]) if before < number else start
                spans = [span for span in _find_of_driver(cleared[before]) if span[1] <= stop]
                cleared[before] = blank_spans(cleared[before], spans)
            # Written as other readers know it.
            if cleared[number][start:end] == text[start:end]:
                begin = cleared[number][: match.start()]
                cleared[number] = f"{begin} driver: {cleared[number][start:]}"
            break
    return cleared


def _find_of_driver(text: str) -> list[tuple[int, int]]:
    if len(text) > _LONGEST:
        return []
    return [*_find_driver(text), *(match.span() for match in pattern(_FOUND_DRIVER).finditer(text))]


def _find_cards(text: str) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in find_cards(text)]


def _find_torch(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern(_TORCH, True).finditer(text)]


def _find_driver(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern(_DRIVER).finditer(text)]
