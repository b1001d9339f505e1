"""The words of labels: the normal form of a label, and what it names without the words around it."""

from torchdoctor.core.patterns import pattern

# Words of labels that say that something is there, before or after its name.
_LABEL_WORDS = frozenset((
    "version", "versions", "ver", "installed", "current", "currently", "used", "using", "detected",
    "installation", "present", "host", "local", "active", "existing", "actual", "main", "primary", "discrete",
    "dedicated", "build", "release", "stack", "runtime", "library", "env", "environment", "edition",
    "number", "details", "spec", "specs", "type", "model", "name", "package", "info", "my", "our", "the",
    "your", "user", "system", "cuda-enabled", "verified", "de", "del", "di", "do", "da", "du", "des",
    "la", "le", "el", "il", "der", "die", "das", "von", "of", "versión", "versione", "versão", "versie",
    "wersja", "sürümü", "verze", "verzió", "versi", "phiên", "bản", "версия", "текущая", "установленная",
    "installierte", "installé", "installée", "instalado", "instalada", "actuelle", "attuale", "aktuelle",
))  # fmt: skip
# Words of a field that asks, besides what it asks for.
_QUESTION_WORDS = frozenset((
    "what", "what's", "which", "how", "much", "many", "is", "are", "do", "does", "did", "you", "your",
    "we", "i", "my", "the", "this", "that", "it", "on", "in", "with", "of", "for", "to", "use", "using",
    "used", "run", "running", "have", "has", "problem", "issue", "bug", "seeing", "see", "experience",
    "experiencing", "occur", "occurs", "happen", "happening", "encounter", "encountered", "when", "where",
    "access", "ui", "program", "app", "application", "platforms", "welche", "welches", "welchen", "haben",
    "sie", "du", "quelle", "quel", "avez", "vous", "qué", "cuál", "es", "tu", "su", "tiene", "какая",
    "какой", "у", "вас",
))  # fmt: skip
_ASKING = frozenset((
    "what", "what's", "which", "how", "are", "do", "your", "my", "our", "welche", "welches", "welchen",
    "quel", "quelle", "qué", "cuál", "какая", "какой",
))  # fmt: skip
_ATTACHED_WORDS = (
    r"版本号?|バージョン|버전|型号|型號|型番|大小|容量|当前|目前|本机|本機|我的|使用的?|已?安装的?|名称|信息"
    r"|现在|現在の?|的|は|您|你|是?什么|哪个|お使いの|ご使用の|사용하는|사용 ?중인"
    r"|גרסת|נוכחי|версия|текущ[а-я]{2,3}|установленн[а-я]{2,3}"
)
_REMARK = r"\s{0,2}\((?!.{0,20}\b(?:min|req|rec|old|opt))[^()]{0,40}\)$"
_PHRASE = (
    r"(?<=\w) (?:in|at|on|bei|im|auf|dans|sur|within|inside|during|after) "
    r"(?!.*\b(?:base|global|other|required|old)\b).{1,40}$"
)


def normalise(label: str) -> str:
    """Return a label in lower case, without the numbers of GPUs."""
    words = (
        label.lower()
        .replace("_", " ")
        .replace("-version", " version")
        .strip(" -*`\"'.?")
        .replace("`", "")
        .replace("’s ", " ")
        .replace("'s ", " ")
        .replace("(gpu?)", "")
        .replace("(accelerator?)", "")
        .replace("(cpu?/gpu?/tpu?)", "")
        .strip()
    )
    return " ".join(pattern(r"\bgpu ?\(?(?:index )?\d{1,2}(?:,\d{1,2}){0,15}\)?").sub("gpu", words).split())


def strip_question(name: str) -> str:
    """Return a normalised label without the words of a question ("what gpu are you running this on")."""
    words = name.split()
    if words[:1] and words[0] in _ASKING:
        return " ".join(word for word in words if word not in _QUESTION_WORDS)
    return name


def strip_label(name: str) -> str:
    """Return a normalised label without the words that say that what it names is there."""
    if not name.isascii():
        name = pattern(_ATTACHED_WORDS).sub(" ", name)
    name = pattern(_REMARK).sub("", pattern(_PHRASE).sub("", name, count=1), count=1)
    words = name.split()
    while words and words[-1] in _LABEL_WORDS:
        words.pop()
    while words and words[0] in _LABEL_WORDS:
        words.pop(0)
    return " ".join(words)
