"""Load the text readers of third parties; one that fails is reported, and the others read on."""

from collections.abc import Callable, Iterator

from torchdoctor.core.time_limit import TimeLimitExceeded, time_limit
from torchdoctor.engine.apart import call_apart
from torchdoctor.engine.plugins import Broken, Plugin, describe_exception, find_plugins
from torchdoctor.readers.statements import Lines, Statement, Topic

GROUP = "torchdoctor.readers"
_SECONDS = 5.0
# One that goes on after its time is left behind so much later.
_SECONDS_TO_STOP = 2.0
_MOST_STATEMENTS = 10_000

Read = Callable[[Lines], Iterator[Statement]]


class PluginFormat:
    """A format of a third party: `WORDS` and `read` of the module that an entry point names."""

    def __init__(self, name: str, words: tuple[str, ...], read: Read, broken: list[Broken]) -> None:
        self.words = words
        self._name, self._read, self._broken = name, read, broken

    def load(self) -> Read:
        """Return a function that reads lines, and adds what goes wrong to the list of broken plugins."""
        return self._read_safely

    def _read_safely(self, lines: Lines) -> Iterator[Statement]:
        answer = call_apart(lambda: self._read_all(lines), _SECONDS + _SECONDS_TO_STOP)
        if isinstance(answer, list):
            return iter(answer)
        if answer is None or isinstance(answer, TimeLimitExceeded):
            self._report(f"it did not end within {_SECONDS:.0f} s")
        else:
            self._report(describe_exception(answer))
        return iter(())

    def _read_all(self, lines: Lines) -> list[Statement]:
        """Return what the function of the plugin reads, in the time that it has."""
        statements: list[Statement] = []
        numbers = {number for number, _ in lines}
        with time_limit(_SECONDS):
            for statement in self._read(lines):
                statements.append(_verify(statement, numbers, self._name))
                if len(statements) > _MOST_STATEMENTS:
                    raise ValueError(f"it states more than {_MOST_STATEMENTS:,} things")
        return statements

    def _report(self, reason: str) -> None:
        broken = Broken(f"reader {self._name}", reason)
        if broken not in self._broken:
            self._broken.append(broken)


def load_formats() -> tuple[tuple[PluginFormat, ...], list[Broken]]:
    """Return the formats of third parties, and a list of what is broken, which grows as they read."""
    formats: list[PluginFormat] = []
    broken: list[Broken] = []
    for plugin in find_plugins(GROUP):
        try:
            formats.append(_load(plugin, broken))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            broken.append(Broken(f"reader {plugin.name}", f"{plugin.package}: {describe_exception(error)}"))
    return tuple(formats), broken


def _load(plugin: Plugin, broken: list[Broken]) -> PluginFormat:
    module = plugin.load()
    words = module.WORDS
    if isinstance(words, str) or not all(isinstance(word, str) and word for word in words):
        raise TypeError("WORDS is no tuple of words")
    if not callable(module.read):
        raise TypeError("read is no function")
    return PluginFormat(plugin.name, tuple(word.lower() for word in words), module.read, broken)


def _verify(statement: object, numbers: set[int], name: str) -> Statement:
    """Return a statement of exactly the declared types.

    Raises:
        TypeError: it is another thing.
    """
    if type(statement) is not Statement or type(statement.topic) is not Topic:
        raise TypeError(f"it yields a value of the type {type(statement).__name__}, not a Statement")
    if statement.line not in numbers or not isinstance(statement.value, str):
        raise TypeError("a statement has a line of the text and a value that is a text")
    return Statement(
        statement.topic,
        str(statement.value),
        int(statement.line),
        name,
        bool(statement.is_printed),
        str(statement.subject),
    )
