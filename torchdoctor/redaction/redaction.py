"""Remove user names, host names, home folders and secrets from values that are made to be shared.

Numbers stay, and so does text that is the same on every machine. The names of this machine are
replaced only where they can mean nothing else: that of the user as a part of a path, and a host that is named
like a word of this program only where a host stands.
"""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import PurePath, PureWindowsPath
from typing import TypeGuard, TypeVar, cast

from torchdoctor.core.controls import remove_controls
from torchdoctor.core.record import record
from torchdoctor.domain.gpu_names import show_card
from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.facts.partial import list_values, replace_values
from torchdoctor.redaction.paths.given_files import RedactText, is_below, share_given
from torchdoctor.redaction.paths.homes import hide_home_names
from torchdoctor.redaction.paths.machine_paths import leave_out_named_parts
from torchdoctor.redaction.paths.separators import SEPARATOR
from torchdoctor.redaction.paths.unusual_paths import hide_unknown_folders, hide_unknown_parts
from torchdoctor.redaction.people.addresses import hide_addresses
from torchdoctor.redaction.people.carried_names import Carried, learn
from torchdoctor.redaction.people.hosts import compile_host, hide_hosts, read_own_words
from torchdoctor.redaction.people.named_users import hide_named_users
from torchdoctor.redaction.people.private_hosts import leave_out_named_hosts
from torchdoctor.redaction.people.prompts import leave_out_named_prompts
from torchdoctor.redaction.people.setting_keys import leave_out_named_sections
from torchdoctor.redaction.people.users import hide_user_names
from torchdoctor.redaction.printed_texts import find_printed, make_sharing
from torchdoctor.redaction.secrets.dressed_lines import hide_in_dressed_lines
from torchdoctor.redaction.secrets.hide import hide_secrets, names_a_secret
from torchdoctor.redaction.secrets.unnamed_secrets import hide_private_keys
from torchdoctor.redaction.secrets.written_escapes import hide_behind_escapes
from torchdoctor.redaction.words.joined_masks import leave_out_joined
from torchdoctor.redaction.words.odd_words import is_file_name
from torchdoctor.redaction.words.placed_words import leave_out_by_place
from torchdoctor.redaction.words.shared_names import is_public_word
from torchdoctor.redaction.words.shared_values import show_value
from torchdoctor.redaction.words.variable_values import leave_out_cards, show_variable

T = TypeVar("T")

# A user can be called like a folder of an installation; then only the home folder is replaced.
_FOLDERS = frozenset((
    "anaconda", "anaconda3", "app", "appdata", "apps", "backup", "bin", "build", "c10", "cache", "code",
    "common", "conda", "core", "cuda", "data", "dataset", "datasets", "default", "dev", "dist", "dll",
    "dlls", "doc", "docs", "download", "downloads", "driver", "driver-model", "drivers", "env", "envs",
    "etc", "git", "github", "home", "include", "installer", "lib", "lib64", "libs", "library", "local",
    "main", "miniconda", "miniconda3", "miniforge3", "model", "models", "modules", "nvidia", "opt",
    "package", "packages", "pip", "pkgs", "program", "project", "projects", "public", "python",
    "python3", "pytorch", "repo", "root", "run", "scripts", "share", "shared", "site-packages",
    "source", "src", "system", "system32", "temp", "test", "tests", "tmp", "tool", "tools", "torch",
    "torchaudio", "torchdoctor", "torchvision", "train", "user", "users", "usr", "utils", "var", "venv",
    "wheel", "wheels", "whl", "windows", "work", "workspace",
))  # fmt: skip
# Below this folder stand the packages, whose names a user can have.
_PACKAGES = "site-packages"
# Where another absolute path begins in a line.
_PATH_START = re.compile(r"(?:(?<=[\s\"'(,=])|^)(?:[A-Za-z]:[\\/]|[\\/~])")

# What is read from a text as the name of a file or a folder, also where it does not look like one.
_PATHS_IN_A_TEXT = frozenset((
    "conda_environment", "conda_name", "custom_node", "cut", "environment", "frozen_script", "looked_for",
    "node", "path",
))  # fmt: skip
_WHOLE_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|\\\\|~[\\/]|/(?=[\w.]))[^\n]{1,400}")
_OF_A_STATEMENT = frozenset(("topic", "subject", "value", "line"))
# What readers write of these is a number, or yes and no, whatever the text has.
_OF_NUMBERS = frozenset(("WINDOWS_BUILD", "MEMORY", "GPU_MEMORY"))
_YES_OR_NO = frozenset(("CUDA_AVAILABLE", "COMPLETE_LIST"))
# Files and folders that the user has named to the doctor.
_GIVEN = frozenset(("facts_file", "config_file", "location"))
# The sentences of a diagnosis: what they have of a text has been judged before it was filled in.
_OF_A_DIAGNOSIS = frozenset(("title", "lead", "fix", "verify"))
_HAS_DIAGNOSES = "diagnoses"
# What has more words is a sentence.
_LONGEST_VALUE = 6
# The number of a card has fewer digits.
_LONG_NUMBER = 3
# A release, and the part of a version that each builder chooses, unless it says nothing.
_LOCAL_PART = re.compile(r"(?<![\w.])\d[\w.]{0,30}\+(?P<local>(?!\d{1,2}(?![\w.-]))[^\W_][\w.-]{0,60}[^\W_])")
# Longer texts are not remembered for the next report.
_MOST_REMEMBERED = 1000


@record
class Identity:
    """The user of this machine: home, names of user, host and domain, current folder; empty if unknown.

    `is_in_repository` is whether the current folder is in a repository of Git, whose files are named there.
    """

    home: str = ""
    user: str = ""
    host: str = ""
    domain: str = ""
    folder: str = ""
    is_in_repository: bool = False

    def redact(self, text: str) -> str:
        """Remove this identity, the names in every home folder, and secrets from a text."""
        shown = self.redact_places(text)
        return shown if shown == text else learn([(text, shown)]).hide(shown)

    def redact_places(self, text: str) -> str:
        """Remove what its own place in a text gives away."""
        if text.isdecimal() or len(text) < 3:
            return text
        # Colours stand within words, and outputs that leave them out would show the word.
        return hide_in_dressed_lines(hide_private_keys(remove_controls(text)), self._hide_in_plain)

    def _hide_in_plain(self, text: str) -> str:
        return hide_behind_escapes(text, self._hide)

    def _hide(self, text: str) -> str:
        text = hide_named_users(hide_secrets(text))
        names = _find_names(self)
        if (home := _compile_home(self.home)) is not None:
            text = home.sub("~", text)
        text = hide_user_names(hide_home_names(text, names))
        for name in names:
            text = _hide_name(text, name, self.domain)
        text = hide_addresses(hide_hosts(text))
        host = compile_host(self.host) if self.host else None
        return text if host is None else host.sub("<host>", text)


@cache
def _find_names(identity: Identity) -> tuple[str, ...]:
    """Return the names of the user in lower case, the longest first."""
    folder = re.split(r"[\\/]", identity.home)[-1]
    names = {name.lower() for name in (identity.user, folder) if len(name) > 2}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


@cache
def _compile_home(home: str) -> re.Pattern[str] | None:
    """Return a pattern of a home folder in each spelling; None where `hide_home_names` finds it by itself."""
    parts = [part for part in re.split(r"[\\/]+", home) if part]
    if len(home) <= 3 or home == "/root" or hide_home_names(f"{home}/").endswith("<user>/"):
        return None
    drive = re.fullmatch(r"([A-Za-z]):", parts[0])
    start = SEPARATOR if home[0] in "\\/" else ""
    if drive:
        parts[0] = rf"(?:{drive[1]}(?::|%3a)|(?:/mnt|/cygdrive)?/{drive[1]})"
    first, *others = [parts[0] if drive else _escape(parts[0]), *map(_escape, parts[1:])]
    middle = "".join(rf"{SEPARATOR}{{1,4}}{part}" for part in others)
    return re.compile(rf"(?i)(?<![\w.~-]){start}{first}{middle}(?![\w-]|\.\w)")


def _escape(part: str) -> str:
    return re.escape(part).replace(r"\ ", r"(?:\\?[ ]|%20)")


def _hide_name(text: str, name: str, domain: str) -> str:
    """Replace a name of the user where it is a part of a path, DOMAIN\\name or ~name."""
    if name not in text.lower():
        return text
    if name not in _FOLDERS:
        text = _compile_name(name).sub(_hide_part, text)
    if domain:
        text = _compile_account(name, domain).sub("<domain>\\\\<user>", text)
    return text


@cache
def _compile_name(name: str) -> re.Pattern[str]:
    part = _escape(name)
    return re.compile(
        # An account of a domain, in capitals as Windows writes them, stands alone; a path has more parts.
        rf"(?P<account>(?<![\w\\/:.-])(?-i:[A-Z][A-Z0-9-]{{1,14}})\\{{1,2}}){part}(?![\w\\-]|\.\w)"
        rf"|(?:(?<=[\\/~])|(?<=%5c)|(?<=%2f)|(?<=user=)|(?<=username=)|(?<=user:[ ])|(?<=username:[ ])){part}"
        rf"(?![\w-]|\.\w)|(?<![\w.-]){part}(?=@[^\d\s])",
        re.IGNORECASE,
    )


@cache
def _compile_account(name: str, domain: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![\w-]){re.escape(domain)}\\{{1,2}}(?:{_escape(name)}|<user>)(?![\w-]|\.\w)")


def _hide_part(match: re.Match[str]) -> str:
    if match["account"]:
        return "<domain>\\<user>"
    before = match.string[max(0, match.start() - 200) : match.start()]
    line = before.rpartition("\n")[2].rpartition(";")[2]
    *_, path = _PATH_START.split(line)
    is_package = _PACKAGES in path
    return match[0] if is_package else "<user>"


def redact(
    value: T,
    identity: Identity,
    kept: tuple[type, ...] = (),
    *,
    is_pasted: bool = False,
    keeps_paths: bool = False,
) -> T:
    """Remove an identity and secrets from every text in a value, also inside records, tuples and mappings.

    Of paths, each part that people name is left out as well, unless `keeps_paths` is given, and except of
    files that the user has named and that are in no folder of people: those of facts, and those in which a
    finding stands. Of what was read from a text that somebody pasted, so are other names, hosts and files.

    Values of the types in `kept` stay as they are, and so do facts that occur many times: no output shows the
    training code that they hold.
    """
    changed: set[tuple[str, str]] = set()
    leaves_out = not keeps_paths and not is_pasted

    # Many fields have the same text.
    @cache
    def redact_places(text: str) -> str:
        redact = _redact_short if len(text) <= _MOST_REMEMBERED else Identity.redact_places
        shown = redact(identity, text)
        if shown != text:
            changed.add((text, shown))
        return shown

    @cache
    def redact_text(text: str) -> str:
        shown = marked = redact_places(text)
        if leaves_out:
            shown = leave_out_named_prompts(leave_out_named_sections(marked))
            shown = leave_out_cards(leave_out_named_hosts(leave_out_named_parts(shown)))
        if shown != marked:
            changed.add((marked, shown))
        return hide_unknown_folders(shown) if is_pasted else shown

    def redact_given(path: str) -> str:
        if identity.is_in_repository and is_below(path) and hide_secrets(path) == path:
            return path
        return share_given(path, identity.folder, redact_places, redact_text)

    redacted = _redact_value(value, _Ways(redact_text, redact_text if is_pasted else redact_given), kept)
    carried = learn(changed)
    if carried != Carried():
        redacted = _redact_all(redacted, carried.hide, kept)
    if leaves_out and (printed := tuple(find_printed(redacted, kept))):
        redacted = _redact_all(redacted, make_sharing(printed), kept)
    if is_pasted:
        redacted = _redact_all(redacted, leave_out_joined, kept)
        redacted = _hide_stated(_hide_names_of_files(redacted, kept), kept)
    return cast("T", redacted)


def _hide_stated(value: object, kept: tuple[type, ...]) -> object:
    """Remove what only its owner may see of the statements of a text, wherever facts and findings repeat it.

    A package can be named after its owner, and a version has a part that each builder chooses.
    """
    shown = {text: shown for text, shown in _find_stated(value, kept) if shown != text}
    local = {part for text in shown for part in _list_private_parts(text)}
    sentences = {text: shown[text] for text in shown if text in local or text.lower() not in read_own_words()}
    pattern = re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(sentences, key=len, reverse=True)))})(?![\w-])"
    )

    def hide(text: str) -> str:
        if text in shown:
            return shown[text]
        return pattern.sub(lambda match: sentences[match[0]], text) if sentences else text

    return _put_sentences_back(value, _redact_all(value, hide, kept)) if shown else value


def _put_sentences_back(before: object, after: object) -> object:
    """Return a value with the sentences of its diagnoses as they were: a statement can be a word of them."""
    if isinstance(before, (tuple, list)) and isinstance(after, (tuple, list)):
        return type(after)(_put_sentences_back(*pair) for pair in zip(before, after, strict=True))
    if not dataclasses.is_dataclass(before) or isinstance(before, type):
        return after
    fields, changed = dict(list_values(before)), dict(list_values(after))
    if fields.keys() >= _OF_A_DIAGNOSIS:
        return replace_values(after, {**changed, **{name: fields[name] for name in _OF_A_DIAGNOSIS}})
    if _HAS_DIAGNOSES in fields:
        diagnoses = _put_sentences_back(fields[_HAS_DIAGNOSES], changed[_HAS_DIAGNOSES])
        return replace_values(after, {**changed, _HAS_DIAGNOSES: diagnoses})
    return after


def _find_stated(value: object, kept: tuple[type, ...]) -> Iterator[tuple[str, str]]:
    """Yield the subject and the value of each statement, and how they are shared."""
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _find_stated(item, kept)
    elif dataclasses.is_dataclass(value) and not isinstance(value, (type, *kept)):
        fields = dict(list_values(value))
        if fields.keys() >= _OF_A_STATEMENT:
            subject, stated = str(fields["subject"]), str(fields["value"])
            is_shown = len(subject) < _LONG_NUMBER or (not subject.isdecimal() and is_public_word(subject))
            yield subject, subject if is_shown else LEFT_OUT
            yield stated, _share_stated(stated, getattr(fields["topic"], "name", ""))
            # Outcomes name what a release is built for alone.
            yield from ((part, LEFT_OUT) for part in _list_private_parts(stated))
        else:
            for item in fields.values():
                yield from _find_stated(item, kept)


def _list_private_parts(stated: str) -> Iterator[str]:
    """Yield the parts of versions that a builder has chosen, and that are not public."""
    for version in _LOCAL_PART.finditer(stated):
        if show_value(version[0]) != version[0]:
            yield version["local"]


def _share_stated(stated: str, topic: str) -> str:
    """Return what a statement says as it is shared: a sentence has words where messages have them."""
    if (topic in _OF_NUMBERS and stated.isdecimal()) or (topic in _YES_OR_NO and stated in ("yes", "no")):
        return stated
    if topic == "GPU":
        return show_card(stated)
    return leave_out_by_place(stated) if len(stated.split()) > _LONGEST_VALUE else show_value(stated)


def _hide_names_of_files(value: object, kept: tuple[type, ...]) -> object:
    """Remove the unusual parts of the paths that were read from a text, wherever sentences repeat them."""
    shown = {path: hide_unknown_parts(path) for path in _find_paths(value, kept)}
    changed = sorted((path for path in shown if shown[path] != path), key=len, reverse=True)
    patterns = [(re.compile(rf"(?<!\w){re.escape(path)}(?!\w)"), shown[path]) for path in changed]

    def hide(text: str) -> str:
        for pattern, hidden in patterns:
            text = pattern.sub(hidden.replace("\\", r"\\"), text)
        return text

    return _redact_all(value, hide, kept) if changed else value


def _find_paths(value: object, kept: tuple[type, ...]) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            if isinstance(item, str) and item and (name in _PATHS_IN_A_TEXT or _is_path(item)):
                yield item
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _find_paths(item, kept)
    elif dataclasses.is_dataclass(value) and not isinstance(value, (type, *kept)):
        for name, item in list_values(value):
            if name == "value" and isinstance(item, str) and _WHOLE_PATH.fullmatch(item):
                yield item
            yield from _find_paths(item, kept)


def _is_path(value: str) -> bool:
    return is_file_name(value) or (("\\" in value or "/" in value) and "://" not in value)


# Many machines of a fleet have the same texts.
@lru_cache(maxsize=2048)
def _redact_short(identity: Identity, text: str) -> str:
    return identity.redact_places(text)


@record
class _Ways:
    """The two ways to redact a text: any text, and one that the user has given, whose paths stay whole."""

    text: RedactText
    given: RedactText

    def keep_folder_of(self, path: object) -> "_Ways":
        """Return ways by which any text keeps the folder of an absolute path that the user has given.

        Of a file in a folder of people, any text shows what its own place shows.
        """
        if not isinstance(path, str) or not path:
            return self
        shown = self.given(path)
        if shown != path:
            return _Ways(lambda text: shown.join(map(self.text, text.split(path))), self.given)
        folder = path[: max(map(path.rfind, "\\/")) + 1]
        if not PureWindowsPath(folder).root or PureWindowsPath(folder).parent == PureWindowsPath(folder):
            return self
        return _Ways(lambda text: folder.join(map(self.text, text.split(folder))), self.given)


def _redact_all(value: object, redact_text: RedactText, kept: tuple[type, ...]) -> object:
    """Redact every text in a value in one way."""
    return _redact_value(value, _Ways(redact_text, redact_text), kept)


def _redact_value(value: object, ways: _Ways, kept: tuple[type, ...]) -> object:
    if isinstance(value, str):
        return ways.text(value)
    if isinstance(value, kept):
        return value
    if isinstance(value, PurePath):
        return type(value)(ways.text(str(value)))
    if isinstance(value, (tuple, list, set, frozenset)):
        if _is_secret_variable(value):
            return (value[0], "<secret>")
        if _is_variable(value):
            return (ways.text(value[0]), _redact_variable(value[0], value[1], ways.text))
        return type(value)(_redact_value(item, ways, kept) for item in value)
    if isinstance(value, Mapping):
        return _redact_mapping(value, ways, kept)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return replace_values(value, _redact_fields(dict(list_values(value)), ways, kept))
    return value


def _redact_fields(values: Mapping[str, object], ways: _Ways, kept: tuple[type, ...]) -> dict[str, object]:
    """Redact the values of a record's fields; some are files that the user has named, or name such a file."""
    of_given = _Ways(ways.given, ways.given)
    # What stands at a place in code can name the file in which it stands, and others of the project.
    of_others = ways.keep_folder_of(getattr(values.get("location"), "path", ""))
    return {
        name: _redact_value(item, of_given if name in _GIVEN else of_others, kept)
        for name, item in values.items()
    }


def _redact_mapping(
    value: Mapping[object, object], ways: _Ways, kept: tuple[type, ...]
) -> dict[object, object]:
    """Redact the keys that are texts as well: a plugin can have any text there."""
    redacted: dict[object, object] = {}
    for key, item in value.items():
        shown = ways.text(key) if isinstance(key, str) else key
        if shown != key and (shown in redacted or shown in value):
            shown = f"{shown} ({len(redacted) + 1})"
        if getattr(key, "many", False):
            redacted[shown] = item
        else:
            is_secret = _is_secret_variable((key, item))
            redacted[shown] = "<secret>" if is_secret else _redact_value(item, ways, kept)
    return redacted


def _redact_variable(name: str, value: str, redact_text: RedactText) -> str:
    """Redact the value of an environment variable, whose name can say that it is a host or a user."""
    shown = redact_text(f"{name}={redact_text(value)}")
    shown = shown.removeprefix(f"{name}=") if shown.startswith(f"{name}=") else redact_text(value)
    return show_variable(shown)


def _is_secret_variable(value: object) -> TypeGuard[tuple[str, str]]:
    """Return whether a value is an environment variable whose name tells of a secret."""
    return _is_variable(value) and names_a_secret(value[0])


def _is_variable(value: object) -> TypeGuard[tuple[str, str]]:
    """Return whether a value is an environment variable, as facts hold it."""
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(isinstance(item, str) for item in value)
        and re.fullmatch("[A-Z][A-Z0-9]*_[A-Z0-9_]+|PATH", value[0]) is not None
    )
