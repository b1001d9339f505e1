"""What a text says of its computer, as the premises of an answer ask for it: versions, and what was done."""

from collections.abc import Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.explain.text.clean import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from torchdoctor.readers import Environment

_LONGEST = 400
# What no person says: frames, commands, what pip prints, code.
_NO_PROSE = (
    r"^\s*(?:File \"|[\w.]{1,60}(?:Error|Warning|Exception)\b|(?:Collecting|Downloading|Using cached"
    r"|Uninstalling|Successfully|Attempting|Found existing|ERROR|import|from)\b|\[|\||[-*]? ?(?:pip3?"
    r"|conda|uv|python[\d.]*) (?:-|install))|site-packages|from versions:|https?://"
)
# A version, and what does not stand behind it: words of a requirement or of another time.
_VERSION = (
    r"(?P<version>\d{1,4}(?:\.\d{1,4}){0,3}(?:\.?(?:post|dev|rc|a|b)\d{1,8})?(?:\+\w{1,12})?)(?![\w.+-]*\w)"
    r"(?!\s?(?:\+|or (?:newer|later|higher|above)|and (?:newer|later|above)|works?\b|worked\b|(?:is|was) "
    r"(?:required|needed|fine)|requires|needs|has|to\b))"
)
# What was changed after the message: the version that had it is the one before, or none of the two is known.
_CHANGED_LATER = (
    r"\b(?:errors?|message|problem|issue)\b[^.]{0,40}\b(?:and|so|then) (?:I )?(?:down|up)graded?\b"
)
# A clause about what is not, or not yet, or is asked for.
_OPEN = (
    r"\b(?:not|never|no|without|nor|should|could|would|can|cannot|how|must|needs?|if|unless|when|where|please"
    r"|to (?:re-?)?(?:install|update|restart|reboot|set|increase)|have to|want|going to|plan\w*|will"
    r"|friends?|colleague\w*|colab|other|another|before|previously|once|instead|nicht|kein\w*|pas|nao|não"
    r"|не)\b|n['’]t\b|[?？]|没|未|不|吗|嗎"
)
# A list below which pins are those that are wanted.
_REQUIREMENTS = r"\brequirements[\w-]{0,20}\.(?:txt|in)\b|^\W{0,4}requirements\W{0,4}$|\bpyproject\.toml\b"


@record
class Said:
    """The lines in which a person and programs speak of the computer, and the environments read in them."""

    lines: Sequence[Line]
    environments: "tuple[Environment, ...]"

    def find_version(self, package: str) -> str | None:
        """Return the only version of a package that is stated, None if there is none or several."""
        if len(self.environments) > 1:
            return None
        found = set(self._list_stated(package)) or set(self._list_told(package))
        return found.pop() if len(found) == 1 else None

    def find_done(self, words: str, regex: str) -> bool:
        """Return whether a clause says that something was done or is so; it has one of `words` ("a|b")."""
        return any(
            pattern(regex, True).search(clause)
            for clause in self._list_clauses(words)
            if not pattern(_OPEN, True).search(clause)
        )

    def _list_stated(self, package: str) -> Iterator[str]:
        # Imported here: few texts describe an environment.
        from torchdoctor.readers.statements import Topic

        for environment in self.environments:
            for statement in environment.statements:
                is_package = statement.topic in (Topic.PACKAGE, Topic.CONDA_PACKAGE)
                subject = "torch" if statement.topic is Topic.TORCH else statement.subject * is_package
                if _normalise(subject) == package and statement.value[:1].isdecimal():
                    yield statement.value

    def _list_told(self, package: str) -> Iterator[str]:
        # Imported here: few answers have such a premise.
        from torchdoctor.readers.voices import Voice, list_clauses

        name = package.replace("-", "[-_.]")
        pinned = "" if any(pattern(_REQUIREMENTS, True).search(line.text) for line in self.lines) else "==|"
        between = rf"(?:['’]s)?(?: (?:version|release|is|at|in version))?(?:{pinned} ?[:=] ?| v?)"
        regex = rf"(?<![\w./\\-]){name}{between}{_VERSION}"
        for sentence in self._list_sentences(package):
            if pattern(_CHANGED_LATER, True).search(sentence):
                continue
            for clause in list_clauses(sentence):
                end = clause.start + len(clause.text)
                for match in pattern(regex, True).finditer(sentence, clause.start):
                    if clause.voice is not Voice.OTHER and match.start() < end:
                        yield match["version"]

    def _list_clauses(self, words: str) -> Iterator[str]:
        for sentence in self._list_sentences(words):
            yield from pattern(r"(?:[,;](?=\s)|\s-\s|\b(?:but|and then|so)\b)").split(sentence)

    def _list_sentences(self, words: str) -> Iterator[str]:
        """Yield the sentences with one of the words in them, which are lines of prose."""
        quick = words.replace("-", "[-_. ]?")
        for line in self.lines:
            if not pattern(quick, True).search(line.text) or pattern(_NO_PROSE).search(line.text):
                continue
            for sentence in pattern(r"(?<=[.!?])\s+|(?<=[。！？])").split(line.text):
                if len(sentence) <= _LONGEST:
                    yield sentence


def _normalise(name: str) -> str:
    return pattern(r"[-_.]+").sub("-", name).lower()
