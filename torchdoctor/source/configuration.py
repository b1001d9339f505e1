"""The settings of YAML, JSON and TOML files, as far as a number of workers can stand there."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.facts.source import ConfigFile, Setting, SourceFile
from torchdoctor.source.constants import Values, option_name, possible_values
from torchdoctor.source.lines import split_lines
from torchdoctor.source.view import View, is_text, keyword

_LINE = re.compile(r"""^(\s*(?:- )?)["']?([\w.\-/]+)["']?\s*[:=]\s*(.*?)\s*,?\s*$""")
_COMMENT = re.compile(r"\s+(?:#|//).*$")
# What opens, closes or sets something in a mapping on one line: `{num_workers: 8, sampler: {shuffle: true}}`.
_INLINE = re.compile(r"""([{}])|["']?([\w.\-/]+)["']?\s*[:=]\s*(\{|[\w.+\-]+(?=\s*[,}\]]|\s*$))?""")


def read_settings(path: str, raw: bytes) -> ConfigFile:
    """Read the `key: value` and `key = value` lines of a configuration file.

    No YAML parser is needed for numbers under a key, and none is installed with the doctor;
    values that span lines or are no plain number or word are left out.
    """
    text = raw.decode("utf-8-sig", "replace")
    return ConfigFile(path, tuple(_read(text)))


def _read(text: str) -> list[Setting]:
    settings: list[Setting] = []
    above: list[tuple[int, str]] = []
    for number, line in enumerate(split_lines(text), 1):
        match = _LINE.match(line)
        if line.lstrip().startswith(("#", "//")):
            continue
        if match is None:
            settings += _read_inline(line, number, 0, [key for _, key in above])
            continue
        indent, key, value = len(match[1]), match[2], _COMMENT.sub("", match[3]).rstrip(", ")
        while above and above[-1][0] >= indent:
            above.pop()
        if value in ("", "{"):
            above.append((indent, key))
        elif "{" in value:
            settings += _read_inline(line, number, match.start(3), [*(each for _, each in above), key])
        elif (plain := _plain(value.rstrip("} "))) is not None:
            dotted = ".".join([*(each for _, each in above), key])
            settings.append(Setting(dotted, plain, number, len(match[1]) + 1))
    return settings


def _read_inline(line: str, number: int, start: int, above: list[str]) -> list[Setting]:
    """Read the settings of mappings on one line, as YAML, TOML and minified JSON write them."""
    settings: list[Setting] = []
    inside = [""]
    for match in _INLINE.finditer(line, start) if "{" in line[start:] else ():
        brace, key, value = match.groups()
        if brace == "}" and len(inside) > 1:
            inside.pop()
        elif brace == "{" or value == "{":
            inside.append(key or "")
        elif key and value and (plain := _plain(value)) is not None:
            dotted = ".".join([*above, *(each for each in inside if each), key])
            settings.append(Setting(dotted, plain, number, match.start() + 1))
    return settings


def _plain(value: str) -> str | int | float | bool | None:
    if re.fullmatch(r"[+-]?\d{1,9}", value):
        return int(value)
    if re.fullmatch(r"[\w.\-]+", value):
        return value
    return None


def read_options(source: SourceFile) -> ConfigFile | None:
    """Read the numbers that a Python file sets as configuration: option defaults, and plain settings.

    An option that nothing reads, or that a Windows branch overrides, is left out; None when there is none.
    """
    settings = [*_read_option_defaults(source), *_read_assignments(source)]
    return ConfigFile(source.path, tuple(settings)) if settings and not source.is_notebook else None


def _read_option_defaults(source: SourceFile) -> Iterator[Setting]:
    view = source.view
    for call in view.calls:
        name, default = option_name(call), keyword(call, "default")
        if name is None or "workers" not in name or not isinstance(default, ast.expr):
            continue
        uses = [
            each
            for each in view.nodes.get(ast.Attribute, ())
            if isinstance(each, ast.Attribute) and each.attr == name
        ]
        read = [each for each in uses if isinstance(each.ctx, ast.Load)]
        value = plain_number(possible_values(view, default))
        if value is None or not (read or _hands_options_on(view)):
            continue
        if not read or any(value in possible_values(view, each) for each in read):
            yield Setting(f"--{name.replace('_', '-')}", value, default.lineno, default.col_offset + 1)


def _hands_options_on(view: View) -> bool:
    """Tell whether the parsed options leave the file as a whole: returned, passed on, or turned to a dict."""
    for call in view.calls:
        match call:
            case ast.Call(args=[ast.Name(id="args" | "opt" | "opts" | "cfg" | "config" | "hparams"), *_]):
                return True
            case ast.Call(func=ast.Attribute(attr="parse_args")) if isinstance(
                view.parents[call], ast.Return
            ):
                return True
    names = ("parser", "args", "opt", "opts")
    return any(isinstance(each.value, ast.Name) and each.value.id in names for each in _returns(view))


def _returns(view: View) -> list[ast.Return]:
    return [each for each in view.nodes.get(ast.Return, ()) if isinstance(each, ast.Return)]


def _read_assignments(source: SourceFile) -> Iterator[Setting]:
    """Read yacs (`_C.DATALOADER.NUM_WORKERS = 8`) and plain configuration modules.

    Those say `NUM_WORKERS = 8` or `data = dict(workers=8)`; a bare `workers = 8` is a server's.
    """
    body = source.tree.body
    is_plain = all(
        isinstance(each, (ast.Assign, ast.Import, ast.ImportFrom)) or is_text(each) for each in body
    )
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Constant(value=int() as value)):
                yield Setting(ast.unparse(target), value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as value)) if (
                is_plain
            ):
                if name != "workers":
                    yield Setting(name, value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_plain:
                yield from _read_calls(name, value)


def _read_calls(name: str, value: ast.expr) -> Iterator[Setting]:
    for node in ast.walk(value):
        match node:
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                for each in keywords:
                    if isinstance(each.value, ast.Constant) and type(each.value.value) is int:
                        yield Setting(
                            f"{name}.{each.arg}", each.value.value, each.lineno, each.col_offset + 1
                        )
            case ast.Dict(keys=keys, values=values):
                for pair in zip(keys, values, strict=True):
                    match pair:
                        case (
                            ast.Constant(value=str() as written) as key,
                            ast.Constant(value=int() as number),
                        ):
                            yield Setting(f"{name}.{written}", number, key.lineno, key.col_offset + 1)


def plain_number(values: Values) -> int | None:
    """Give the largest number among possible values."""
    return max(
        (each for each in values if isinstance(each, int) and not isinstance(each, bool)), default=None
    )
