"""Find out whether a person tells of a problem of torch in own words, and shows nothing that was printed."""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.errors import find_errors
from torchdoctor.explain.subject import find_subject
from torchdoctor.explain.text.split import Kind, Unit, join_units

# What programs print: a prompt, the lines of pip, a log, a warning.
_PRINTED = (
    r"(?m)^[ ]*(?:\(\S{1,60}\) )?(?:PS )?[A-Za-z]:\\[^>\n]{0,200}>|^[ ]*[$>] \w"
    r"|\b[A-Za-z]:\\[^>\n ]{0,200}>[ ]*$|\b[A-Za-z]:\\[^\n]{0,200}\.(?:dll|pyd|exe)\b"
    r"|^[ ]*(?:Collecting|Downloading|Looking in|Requirement already|Installing|Successfully)\b"
    r"|^[ ]*(?:INFO|DEBUG|WARNING|DEPRECATION)\b|\b\d\d:\d\d:\d\d\b|\b\w{1,40}Warning\b"
    r"|\b[A-Z]\w{1,40}(?:Error|Exception)\b|\bTriggered internally\b|\bcud\w[A-Z]\w{2,40}\(\)"
    r"|(?i:\bno module named\b|\[?WinError|\[Errno|could not fetch|\bCUDA SETUP\b|LoadLibrary"
    r"|this may lead to the DLL load failure)"
)
# Programs that use a graphics card without torch, and what else people do at a computer.
_OTHER_PROGRAM = (
    r"after ?effects|blender|capcut|\bboinc\b|cinema ?4d|davinci|\bexcel\b|folding@home"
    r"|handbrake|illustrator|lightroom|matlab"
    r"|\bminer\b|mining|netflix|nvenc|\bobs\b|ollama|\bopengl\b|outlook|photoshop|powerpoint|premiere|printer"
    r"|twitch|\bunity\b|unreal|\bvegas\b|\bvlc\b|youtube|\bgames?\b|gaming|genshin|minecraft|\bsteam\b"
    r"|\bcaffe\b|chainer|darknet|paddle|\btensorflow|\btf\b|\br ?studio\b|fastapi"
    r"|游戏|剪映|原神|打印机|блендер|\bигр[аеыу]|в играх|фотошоп|\bspiel\b|drucker|\bjuegos?\b|impresora"
    r"|\bjogos?\b|\bjeux?\b|ゲーム|게임|포토샵"
)
# Where games are what still works.
_GAME_ASIDE = (
    r"\bgames?(?: and \w{1,12})? (?:all |also |just |still )?(?:run|work|are)\b|\bgaming (?:is )?fine\b"
    r"|\b(?:in|with) games?,? (?:everything|all|it|never)\b|\bnever in games?\b"
    r"|打游戏(?:都|也)?(?:没事|正常|没问题)|в играх (?:всё|все) (?:стабильно|нормально|хорошо)"
    r"|in spielen (?:nie|nicht|alles)|en juegos nunca|em jogos nunca|ゲームでは問題"
    r"|게임(?:은|에서는) (?:문제|괜찮)"
)
# A person who has no problem, asks for a feature or for advice, or whose network does not learn.
_NO_COMPLAINT = (
    r"feature request|^\[feature\]|\brelease notes?\b|\bchangelog\b|\bproposal\b|\bnot urgent\b"
    r"|\bshould be (?:updated|added|supported)\b|(?:版本|更新后|已经?)解决了"
    r"|\bshould i buy\b|\b(?:is it|it's) worth\b|\bwould like (?:a|an|to see)\b|\broad ?map\b"
    r"|\bplease (?:add|make it|support)\b|希望(?:能|可以)?(?:加|增加|支持)|功能建议|добавьте"
    r"|\bit works (?:well|great|fine) with\b|\bworks great\b|\btorch(?: \d[\d.]{0,8})? (?:runs|works) fine\b"
    r"|\bis there (?:a|any) way to\b|\binstall with pip\b"
    r"|\b(?:i|we) (?:have|had)(?: not|n['’]t) (?:yet )?(?:tried|tested) (?:it|that)\b"
    r"|\ball (?:is|are) (?:well|fine|good)\b|, all fine\b|\bno longer (?:crash|fail|appear)"
    r"|\bhow (?:do|can|to|should) (?:i |we )?(?:install|train|downgrade|fine-?tune)\b"
    r"|\blearning rate\b|\baccuracy\b|\bloss (?:\w{1,12} ){0,3}(?:stuck|stays|at \d)|\bstuck at (?:a loss|\d)"
)
# A person who asks what is supported, and what says that something fails all the same.
_ASKS_SUPPORT = (
    r"\b(?:which|what) (?:\w{1,12} ){0,2}(?:of )?(?:py)?torch\b[^\n.!]{0,40}"
    r"\b(?:should|do (?:i|we)|must|can (?:i|we)|to (?:install|download|use|get|choose|take)|for)\b"
    r"|\b(?:does|do|will|would|can|could|is|are|did) (?:it|this|that|these|they|the \w{1,20}|\w{1,20})"
    r"\b[^\n.!?]{0,30}"
    r"\b(?:work(?:s|ing)?|run(?:s|ning)?|support(?:s|ed)?|compatible|ok(?:ay)?|usable)\b"
    r"|\bis (?:there|my|an?|the)\b[^\n.!?]{0,40}\b(?:support|supported|compatible|enough)\b"
    r"|\b(?:wonder\w{0,3}|wander\w{0,3}|curious|know|tell me|asking|question is)"
    r" (?:if|whether|is it|does it)\b"
    r"|\b(?:support|supports|compatible)\b[^\n.!]{0,40}\?"
    r"|\bcan (?:i|we|you|one) (?:also |still |already )?(?:use|run)\b[^\n.!]{0,60}\?"
    r"|(?:支持|支援|兼容|能用|可以用|能跑|可以跑|能运行|可以运行)[^\n。！]{0,16}(?:吗|嗎|么|？|\?)"
    r"|(?:是否|能不能|可不可以|支不支持)"
    r"|対応(?:して)?(?:います|してます|する|している)?か|動(?:きます|作します)か|使えますか"
    r"|(?:지원|호환|작동|사용)[^\n.]{0,12}(?:나요|까요|니까|한가요)"
    r"|(?:поддерж\w{1,8}|работает|совместим\w{0,3}|подойд[её]т|пойд[её]т)(?: ли\b|[^\n.!]{0,40}\?)"
    r"|\b(?:funktioniert|unterstützt|läuft|geht)\b[^\n.!]{0,60}\?"
    r"|\b(?:funciona|soporta|suporta|es compatible|é compatível|roda)\b[^\n.!]{0,60}\?"
    r"|\b(?:fonctionne|supporte|est compatible|marche|prend en charge)\b[^\n.!]{0,60}\?"
)
_FAILS = (
    r"\b(?:fail|crash|clos|freez|hang|stop|refus|reboot|restart|stuck|broke|idle|unused|wrong|slow)\w{0,5}\b"
    r"|\berrors?\b"
    r"|\bproblems?\b|\bissues?\b|\bwarn|\bonly\b[^\n.]{0,24}\bcpu\b|\bcpu\b[^\n.]{0,24}\bonly\b"
    r"|n['’]?t (?:\w{1,12} ){0,2}(?:work|start|run|use|support|find|detect|see|load|recogni)"
    r"|\bcannot\b|\bcan ?not\b|\bunable\b"
    r"|\b(?:not|no|never|nothing|none|without)\b|\bat 0 ?%|\b0 ?%"
    r"|(?<![支能可])不(?:支持|能|兼容|动|行|起作用|工作|了)|[无無没沒](?:法|有|反应|用)|报错|報錯|错误|錯誤|失败|失敗|崩|闪退|(?<!显)卡|冲突|慢"
    r"|ません|ない|エラー|落ち|失敗|않|안 |못|오류|에러|실패|\bне\b|\bнет\b|ошибк|вылет|пада|завис"
    r"|\bnicht\b|\bkein|fehler|absturz|stürz|\bno\b|\bnão\b|\bfalla|\berro\b|\bpas\b|\berreur|plante"
)


# What lists of versions have beside the names of packages; a complaint has more words than these.
_OF_INVENTORIES = frozenset((
    "and", "bit", "build", "card", "cpu", "cuda", "desktop", "driver", "for", "gpu", "laptop", "my", "numpy",
    "on", "pc", "pip", "python", "ram", "system", "torch", "torchaudio", "torchvision", "transformers",
    "version", "vram", "windows", "with", "xformers",
))  # fmt: skip
_FEWEST_WORDS = 2


def is_complaint(units: Sequence[Unit]) -> bool:
    """Return whether a person tells of a problem of torch in own words.

    An error would be what the text is about, whatever its words, and a program that was named.
    """
    if any(unit.kind is not Kind.LOOSE for unit in units) or find_errors(units):
        return False
    text = join_units(units)
    if _is_inventory(text):
        return False
    about = pattern(_GAME_ASIDE, True).sub(" ", text)
    if pattern(_PRINTED).search(text) or pattern(_NO_COMPLAINT, True).search(text):
        return False
    if pattern(_ASKS_SUPPORT, True).search(text) and not pattern(_FAILS, True).search(text):
        return False
    return not pattern(_OTHER_PROGRAM, True).search(about) and not _is_of_other_kind(units)


def _is_inventory(text: str) -> bool:
    """Return whether a text only lists what a computer has: who complains writes words as well."""
    if not text.isascii() or not pattern(r"\d\.\d").search(text):
        return False
    words = {match[0] for match in pattern(r"(?<![\w.+=-])[a-z]{2,20}(?![\w+=]|\.\w)").finditer(text)}
    return len(words - _OF_INVENTORIES) < _FEWEST_WORDS


def _is_of_other_kind(units: Sequence[Unit]) -> bool:
    """Return whether a text is from another system, or shows a program without torch."""
    subject = find_subject(units)
    return (
        subject.is_foreign
        or subject.is_game
        or subject.is_other_cuda_program
        or subject.is_other_executable
        or subject.is_torch_for_r
        or bool(subject.other_programs)
    )
