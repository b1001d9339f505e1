"""The parts of a text that describe no machine: what a program needs, and what it should print."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.statements import Lines

# Words of a label or a heading that make what follows a wish.
WISH = (
    r"\brequirements?\b(?![\w-]*\.)|\brequires\b|\brequired (?!info|field|detail|log|section|output)\w"
    r"|prerequisite|\bminim|\brecommend|\bsupported\b|\bcompatib|\bneeded\b|\bvoraussetz|anforderung"
    r"|\brequisit|\bprérequis|\bconfiguration requise|\bsuggest|\bproposed\b|需求|要求|推荐|推薦|建议|最低"
    r"|前提|必要"
    r"|動作環境|推奨|требован|минимальн|рекоменд|요구 ?사항|권장"
)
# What is not so is a complaint.
_DENIED = (
    r"\b(?:not|no|no longer|isn['’]t|aren['’]t|without|non)[ -](?:yet |being |be )?"
    r"(?:supported|compatible|required)\b|\bcompatibility (?:warning|error|issue|problem)s?\b"
)
# What a post that reports or asks something has in its title.
_OF_A_POST = (
    r"\?|\b(?:not|no longer|cannot|unable|incompatible|unsupported|fail\w{0,4}|errors?|crash\w{0,3}|bugs?"
    r"|issues?|problems?|broken|wrong|mismatch\w{0,3}|missing|help)\b|n['’]t\b|报错|错误|失败|无法|エラー|ошибк"
)
# Words of a short heading for what was there before.
_BEFORE = (
    r"\bbefore\b(?! (?:you|submit|filing|posting|opening|creating))|\bpreviously\b|\bprevious (?:env|setup"
    r"|version|state)"
    r"|\bold (?:env|setup|version)|\bused to\b|当时|之前|以前|原来|升级前|更新前|旧环境|раньше|\bvorher\b"
    r"|\bavant\b"
    r"|\bantes\b|変更前"
)
_NEEDED_COLUMN = (
    r"\b(?:required?|requirement|needed|needs|minimum|min|recommended|expected|target|wanted|supported"
    r"|before|old|previous"
    r"|latest|pinned|pin)\b|需要|要求|推荐|最低|之前|更新前|升级前|\bvorher\b|\bavant\b|\bantes\b"
)
# A heading of Markdown, a line in bold or between rules, or one that ends with a colon.
_MARKDOWN = r"\s{0,3}(?:#{1,6} (?=\S)|\*\*(?=[^*\n]{2,80}\*\*:?\s*$))(?P<heading>(?!https?:).{1,120})$"
_RULED = r"[#\s]{0,3}[-=]{3,40} ?(?P<heading>[^\W\d_][^\n]{1,80}?) ?[-=]{3,40}\s*$"
_LEAD = r"\s{0,3}(?P<heading>[^\n|]{2,100}?)[*_]{0,2}[:：][*_]{0,2}\s*$"
# What a form gives as an example of an answer.
_EXAMPLE = (
    r"\s{0,2}(?:\[(?:e\.g\.?|eg\.|ex[.:]|z\. ?B\.|p\. ?ej\.|例如|例)[,:]?[^\]\n]{0,80}\]"
    r"|\((?:e\.g\.?|eg\.|ex[.:]|z\. ?B\.|p\. ?ej\.|例如|例)[,:]?[^)\n]{0,80}\))"
)
# What comes before the output that somebody should get.
_EXPECTED = (
    r"\b(?:should|must) (?:print|output|return|show|display|see|look like|give)\b"
    r"|\bexpected (?:output|result|print)"
    r"|\b(?:example|sample) (?:output|result)|\boutput (?:should|example)|应(?:该|当)?(?:输出|看到|显示|打印"
    r"|返回)|预期(?:输出|结果)"
    r"|期望(?:输出|结果)|输出示例|должн\w{1,3} (?:вывести|быть|показать|появиться)|ожидаемый|deber[ií]as?"
    r" (?:ver|mostrar|imprimir)"
    r"|salida esperada|devrait (?:afficher|retourner)|sortie attendue|sollte (?:ausgeben|anzeigen"
    r"|erscheinen)"
    r"|erwartete ausgabe|אמור להדפיס|出力例|期待される|saída esperada|deve (?:mostrar|imprimir|exibir)"
    r"|dovrebbe stampare"
)
# What was expected is not what follows.
_BUT = r"\bbut\b|\binstead\b|\baber\b|\bpero\b|\bmais\b|但|но\b|でも"
_FENCE = r"\s{0,8}(?:```|~~~)"
# The heading of a form for what should happen.
_DESIRED = (
    r"\b(?:expected|desired|intended) (?:behaviou?rs?|results?|outputs?|outcomes?)\b"
    r"|期望(?:的)?(?:行为|结果|表现|效果)|预期(?:的)?(?:行为|结果|表现|效果)|期待される(?:動作|結果)"
    r"|ожидаем\w{2,3} (?:поведение|результат)"
)
_SEEN = r"\b(?:actual|current|observed|real)\b|\bvs\b|实际|当前|実際"
# Who says within what is needed that it is there.
_HAS = r"\bI (?:have|use|own|am (?:on|using)|['’]m (?:on|using))\b(?! (?:to|not|no)\b)"


def clear_example(line: str) -> str:
    """Return a line without the example that a form gives ("OS (e.g., Linux): ", "GPU: [e.g. RTX 3090]")."""
    return pattern(_EXAMPLE, True).sub("", line) if "(" in line or "[" in line else line


def find_wishes(lines: Lines) -> Iterator[int]:
    """Yield the numbers of the lines below a heading that is about what is needed.

    A heading of Markdown counts until the next one, another one until a blank line after what it introduces.
    """
    by_heading = by_lead = has_items = is_inside = False
    title = next((number for number, line in lines if line.strip()), 0)
    for number, line in lines:
        if pattern(_FENCE).match(line):
            is_inside = not is_inside
        # In a block of code, "# " begins a comment.
        heading = pattern(_RULED).match(line) or (None if is_inside else pattern(_MARKDOWN).match(line))
        lead = None if heading else pattern(_LEAD).match(line)
        if heading:
            # The title of a post says what it is about, and not what its parts are.
            is_title = number == title and pattern(_OF_A_POST, True).search(heading["heading"]) is not None
            by_heading, by_lead = not is_title and _is_wish(heading["heading"]), False
        elif lead:
            by_lead, has_items = _is_wish(lead["heading"]), False
        elif not line.strip():
            by_lead = by_lead and not has_items
        else:
            has_items = True
            if (by_heading or by_lead) and not pattern(_HAS).search(line):
                yield number


def find_desired(lines: Lines) -> Iterator[int]:
    """Yield the numbers of the lines below a heading for what should happen, until the next heading."""
    is_desired = is_inside = False
    for number, line in lines:
        if pattern(_FENCE).match(line):
            is_inside = not is_inside
        found = None if is_inside else (pattern(_MARKDOWN).match(line) or pattern(_RULED).match(line))
        if found:
            heading = found["heading"]
            is_desired = pattern(_DESIRED, True).search(heading) is not None
            is_desired = is_desired and pattern(_SEEN, True).search(heading) is None
        elif is_desired:
            yield number


def _is_wish(heading: str) -> bool:
    is_before = len(heading) < 60 and pattern(_BEFORE, True).search(heading) is not None
    return is_before or pattern(WISH, True).search(pattern(_DENIED, True).sub("", heading)) is not None


def is_needed(column: str) -> bool:
    """Return whether the column of a table has what is needed, or what was there before."""
    return pattern(_NEEDED_COLUMN, True).search(column) is not None


def clear_expected(lines: Lines) -> Lines:
    """Return the lines with the blocks of code that show what one should see made empty."""
    if not any(_is_expected(line) for _, line in lines):
        return lines
    cleared: list[tuple[int, str]] = []
    is_expected = is_inside = is_cleared = False
    for number, line in lines:
        if pattern(_FENCE).match(line):
            is_inside = not is_inside
            is_cleared = is_inside and is_expected
            is_expected = False
        elif not is_inside and line.strip():
            is_expected = _is_expected(line)
        cleared.append((number, "" if is_inside and is_cleared else line))
    return cleared


def _is_expected(line: str) -> bool:
    found = pattern(_EXPECTED, True).search(line)
    return found is not None and pattern(_BUT, True).search(line) is None
