"""Numbers that a Python file sets as configuration: option defaults and plain settings."""

import ast
from collections.abc import Iterator

from torchdoctor.source.module.constants import Values, option_name, possible_values
from torchdoctor.source.module.parsed import ParsedModule, is_text, keyword
from torchdoctor.source.source_file import ConfigFile, ConfigSetting, SourceFile


def read_options(source: SourceFile) -> ConfigFile | None:
    """Read the numbers that a Python file sets as configuration: option defaults, and plain settings.

    An option that nothing reads, or that a Windows branch overrides, is left out; None when there is none.
    """
    settings = [*_read_option_defaults(source), *_read_assignments(source)]
    return ConfigFile(source.path, tuple(settings)) if settings and not source.is_notebook else None


def _read_option_defaults(source: SourceFile) -> Iterator[ConfigSetting]:
    module = source.module
    for call in module.calls:
        name, default = option_name(call), keyword(call, "default")
        if name is None or "workers" not in name or not isinstance(default, ast.expr):
            continue
        uses = [
            each
            for each in module.nodes.get(ast.Attribute, ())
            if isinstance(each, ast.Attribute) and each.attr == name
        ]
        read = [each for each in uses if isinstance(each.ctx, ast.Load)]
        value = _find_largest(possible_values(module, default))
        if value is None or not (read or _hands_options_on(module)):
            continue
        if not read or any(value in possible_values(module, each) for each in read):
            yield ConfigSetting(f"--{name.replace('_', '-')}", value, default.lineno, default.col_offset + 1)


def _hands_options_on(module: ParsedModule) -> bool:
    """Tell whether the parsed options leave the file as a whole: returned, passed on, or turned to a dict."""
    for call in module.calls:
        match call:
            case ast.Call(args=[ast.Name(id="args" | "opt" | "opts" | "cfg" | "config" | "hparams"), *_]):
                return True
            case ast.Call(func=ast.Attribute(attr="parse_args")) if isinstance(
                module.parents[call], ast.Return
            ):
                return True
    names = ("parser", "args", "opt", "opts")
    return any(isinstance(each.value, ast.Name) and each.value.id in names for each in _returns(module))


def _returns(module: ParsedModule) -> list[ast.Return]:
    return [each for each in module.nodes.get(ast.Return, ()) if isinstance(each, ast.Return)]


def _read_assignments(source: SourceFile) -> Iterator[ConfigSetting]:
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
                yield ConfigSetting(ast.unparse(target), value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as value)) if (
                is_plain
            ):
                if name != "workers":
                    yield ConfigSetting(name, value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_plain:
                yield from _read_calls(name, value)


def _read_calls(name: str, value: ast.expr) -> Iterator[ConfigSetting]:
    for node in ast.walk(value):
        match node:
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                for each in keywords:
                    if isinstance(each.value, ast.Constant) and type(each.value.value) is int:
                        yield ConfigSetting(
                            f"{name}.{each.arg}", each.value.value, each.lineno, each.col_offset + 1
                        )
            case ast.Dict(keys=keys, values=values):
                for pair in zip(keys, values, strict=True):
                    match pair:
                        case (
                            ast.Constant(value=str() as written) as key,
                            ast.Constant(value=int() as number),
                        ):
                            yield ConfigSetting(f"{name}.{written}", number, key.lineno, key.col_offset + 1)


def _find_largest(values: Values) -> int | None:
    """Return the largest number among possible values."""
    return max(
        (each for each in values if isinstance(each, int) and not isinstance(each, bool)), default=None
    )
