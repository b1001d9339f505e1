"""Leave out of the keys of settings the parts that people name: hosts and users of a configuration."""

import re

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.words.shared_names import is_folder_of_programs, is_name_of_code

# As a check writes it: hosts.gpu.num_workers is 8, and the key alone.
_KEY = re.compile(
    r"(?<![\w./\\@-])(?P<sections>(?:[\w@+-]{1,64}[./]){1,12})(?P<name>\w{0,40}[wW]orkers?\w{0,40})"
    r"(?= is \d|$)",
    re.MULTILINE,
)
_SECTION = re.compile(r"[\w@+-]+")
_FEW_DIGITS = 3


def leave_out_named_sections(text: str) -> str:
    """Return a text in which three dots stand for each section of a key that no program has."""
    if "orker" not in text:
        return text
    return _KEY.sub(lambda key: f"{_SECTION.sub(_show, key['sections'])}{key['name']}", text)


def _show(section: re.Match[str]) -> str:
    name = section[0]
    is_index = name.isdecimal() and len(name) < _FEW_DIGITS
    is_public = is_name_of_code(name) or is_folder_of_programs(name) or name.lower() in read_own_words()
    return name if is_index or is_public else LEFT_OUT
