"""Find lines of a text that show that torch works: training runs, pictures are made, results are saved."""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.clean import Line
from torchdoctor.knowledge import Entry
from torchdoctor.readers import Environment, Topic

# What programs print once torch has computed something to its end.
_DONE = "|".join(
    (
        r"100%\|[^\n]{0,200}\b\d{1,6}(?:\.\d{1,3})? ?(?:it/s|s/it)\b",
        r"\bepochs? completed in \d",
        r"\bResults saved to \S",
        r"\bPrompt executed in \d",
        r"`Trainer\.fit` stopped: `max_\w{5,6}=\d{1,7}` reached",
        r"'train_runtime': '?\d",
        r"\bSaving checkpoint at \d",
        r"\b[Mm]odel saved\b",
        r"\bSpeed: \d[\d.]{0,8}ms preprocess, \d[\d.]{0,8}ms inference",
        r"\bGenerating and saving time: \d",
        r"\bProcessed: images=\d",
        r"\b\w{0,12}loss\b[ :=]{0,24}[:=] {0,12}-?\d",
        r"^\W{0,3}Epoch\b\W{0,3}\d{1,6}\b[^\n]{0,120}\bloss\b[\w ]{0,12}[:=]? ?\d",
        r"\bEpoch\(val\) \[\d{1,5}\]\[\d{1,6}/\d{1,6}\]",
        # The table of fastai.
        r"^ {0,4}\d{1,4} {2,20}\d{1,4}\.\d{3,6} {1,20}\d{1,4}\.\d{3,6} [^\n]{0,80}\d\d:\d\d$",
        # Whisper, and a session of Python.
        r"^\[\d\d:\d\d\.\d{3} --> \d\d:\d\d\.\d{3}\]",
        r"^tensor\([^\n]{1,200}, device='cuda:\d'\)",
    )
)
# The card is in use, not only there.
_ON_CARD = "|".join(
    (
        r"\btorch[- ]\S{3,30} \(?CUDA:\d \(",
        r"\b[Dd]evice: cuda:\d",
        r"device='cuda:\d'",
        r"GPU available: True(?: \(cuda\))?, used: True",
        r"^\W{0,3}\d{1,6}/\d{1,6} {2,20}\d{1,3}(?:\.\d{1,3})?G ",
    )
)
# Words of somebody whose program computes, but not where or as fast as it should, or wrongly.
_COMPLAINS = (
    r"\?|\b(?:slow\w*|why|instead|nan|only (?:uses?|using|on)|black (?:images?|pictures?))\b"
    r"|\b(?:problem|issue|but)\b|not (?:be(?:ing)? )?us(?:e|ed|ing)\b|\bon (?:the |my )?cpu\b"
)
_COMPLAINS_ELSEWHERE = "？|慢|为什么|медлен|遅|느"
# The problems that nobody sees from a log of work: the card is not used, and the processor is.
_UNSEEN = ("cpu-only-build", "cuda-not-available")
# Where torch can use CUDA, there is none of these.
_OF_DRIVER = ("driver-too-old", "no-nvidia-driver")


class Works:
    """What a text without an error shows of torch at work."""

    def __init__(self, printed: Sequence[Line], environments: Sequence[Environment]) -> None:
        """Read it from the lines as programs printed them, and from what they say of the environments."""
        lines = [line.text for line in printed]
        self._is_done = any(pattern(_DONE).search(line) for line in lines)
        self._is_on_card = any(pattern(_ON_CARD).search(line) for line in lines)
        words = (pattern(_COMPLAINS, True), pattern(_COMPLAINS_ELSEWHERE, True))
        self._complains = any(each.search(line) for line in lines for each in words)
        self._has_imported = any(map(_says_available, environments))

    @property
    def runs_through(self) -> bool:
        """Whether the work came to its end, and nobody complains of it or asks about it."""
        return self._is_done and not self._complains

    def refutes(self, entry: Entry) -> bool:
        """Return whether torch works in spite of a problem that a check finds in the environment.

        A torch that a program has imported has its DLLs. What is said of the card is refuted where the card
        computes, or where the work comes without a complaint.
        """
        if self._has_imported and entry.name in _OF_DRIVER:
            return True
        if "gpu" in entry.decided_by or entry.family == "gpu" or entry.name in _UNSEEN:
            return self._is_done and (self._is_on_card or not self._complains)
        return self._is_done or (self._has_imported and entry.family == "dll")

    def refutes_dll_failure(self, entry: Entry) -> bool:
        """Return whether an entry is about DLLs that torch cannot load, of which a program has a notice."""
        return entry.family == "dll" and (self._is_done or self._has_imported)


def _says_available(environment: Environment) -> bool:
    """Return whether torch itself has printed that it can use CUDA."""
    said = environment.find(Topic.CUDA_AVAILABLE)
    return said is not None and said.is_printed and said.value == "yes"
