"""The numbers that a Python file sets as configuration: defaults of options, and settings."""

import ast
from collections.abc import Iterator, Sequence
from itertools import chain

from torchdoctor.core.record import record
from torchdoctor.source.idioms.worker_numbers.processor_counts import PROCESSORS
from torchdoctor.source.idioms.worker_numbers.settings import read_assignments, read_fields
from torchdoctor.source.idioms.worker_numbers.worker_counts import find_parameter_reads, find_use
from torchdoctor.source.module.command_options import (
    find_option_default,
    find_option_flag,
    find_option_name,
)
from torchdoctor.source.module.constants import Values, find_possible_values
from torchdoctor.source.module.nodes import (
    FUNCTIONS,
    Function,
    find_annotation,
    find_argument,
    find_default,
    find_keyword,
    parameter_names,
)
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import ConfigFile, ConfigSetting, SourceFile


@record
class _Option:
    """An option with a number of workers: its name and flag, its default and its help.

    `function` is the function that has it as a parameter; None if it is read as an attribute.
    """

    name: str
    flag: str
    default: ast.expr
    remark: str
    function: Function | None


def read_options(source: SourceFile) -> ConfigFile | None:
    """Return the numbers that a Python file sets as configuration, or None if there are none.

    An option is left out if nothing reads it, or if a Windows branch overrides it.
    """
    if source.is_notebook:
        return None
    settings = [*_read_option_defaults(source.module), *read_assignments(source), *read_fields(source)]
    return ConfigFile(source.path, tuple(settings)) if settings else None


def _read_option_defaults(module: ParsedModule) -> Iterator[ConfigSetting]:
    """Yield the defaults of the command-line options whose name contains "worker"."""
    for option in chain(_find_declared_options(module), _find_parameter_options(module)):
        value = _find_largest(find_possible_values(module, option.default))
        if value is not None and _is_used(module, option, value):
            text = ast.unparse(option.default)
            written = text if PROCESSORS.search(text) else None
            place = option.default.lineno, option.default.col_offset + 1
            yield ConfigSetting(option.name, value, *place, written, option.flag, option.remark)


def _is_used(module: ParsedModule, option: _Option, value: int) -> bool:
    """Return whether an option is read with the value of its default, and not only to start processes."""
    use = module.ask_once(_find_option_use, option.name, option.function)
    if use is None:
        # A function reads its parameters itself; all options of a parser may be read elsewhere.
        return option.function is None and module.ask_once(_passes_options_on)
    return use and value in module.ask_once(_find_read_values, option.name, option.function)


def _find_reads(module: ParsedModule, name: str, function: Function | None) -> Sequence[ast.expr]:
    if function is not None:
        return find_parameter_reads(module, function, name)
    return module.attribute_reads.get(name, ())


def _find_option_use(module: ParsedModule, name: str, function: Function | None) -> bool | None:
    return find_use(module, _find_reads(module, name, function))


def _find_declared_options(module: ParsedModule) -> Iterator[_Option]:
    """Yield the options that calls of argparse, click and absl declare."""
    for call in module.calls:
        name, default = find_option_name(call), find_option_default(call)
        if name is None or "worker" not in name.lower() or default is None:
            continue
        parent = module.parents[call]
        function = parent if isinstance(parent, FUNCTIONS) and call in parent.decorator_list else None
        yield _Option(name, find_option_flag(call) or name, default, _find_help(call), function)


def _find_parameter_options(module: ParsedModule) -> Iterator[_Option]:
    """Yield the parameters that typer and fire make options of."""
    started = module.ask_once(_find_fire_functions)
    for function in chain.from_iterable(module.nodes.get(kind, ()) for kind in FUNCTIONS):
        if not isinstance(function, FUNCTIONS):
            continue
        for name in sorted(each for each in parameter_names(function) if "worker" in each.lower()):
            default = find_default(function, name)
            declared = _find_typer_call(function, name, default)
            if default is None or (declared is None and function not in started):
                continue
            dashed = name if declared is None else name.replace("_", "-")
            flag = (declared and find_option_flag(declared)) or f"--{dashed}"
            remark = _find_help(declared) if declared is not None else ""
            yield _Option(name, flag, default, remark, function)


def _find_typer_call(function: Function, name: str, default: ast.expr | None) -> ast.Call | None:
    """Return the `typer.Option(...)` in the default or the annotation of a parameter, or None."""
    for root in (default, find_annotation(function, name)):
        for node in ast.walk(root) if root is not None else ():
            match node:
                case ast.Call(func=ast.Name(id="Option") | ast.Attribute(attr="Option")) as call:
                    return call
    return None


def _find_fire_functions(module: ParsedModule) -> frozenset[Function]:
    """Return the functions of the module that `fire.Fire()` is given."""
    given = (find_argument(call, "component", 0) for call in module.calls_by_name.get("Fire", ()))
    names = {each.id for each in given if isinstance(each, ast.Name)}
    return frozenset(module.functions[name] for name in names if name in module.functions)


def _find_help(call: ast.Call) -> str:
    """Return the help of an option, "" if it has none that is a plain text."""
    text = find_keyword(call, "help") or (call.args[2] if len(call.args) > 2 else None)
    return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else ""


def _find_read_values(module: ParsedModule, name: str, function: Function | None) -> Values:
    """Return what an option can be where it is read."""
    # Reads that look the same have the same values, so they are told apart before they are joined.
    reads = _find_reads(module, name, function)
    return frozenset(chain.from_iterable({find_possible_values(module, read) for read in reads}))


def _passes_options_on(module: ParsedModule) -> bool:
    """Return whether all parsed options together are returned or passed to a call, such as `vars(args)`."""
    for call in module.calls:
        match call:
            case ast.Call(args=[ast.Name(id="args" | "opt" | "opts" | "cfg" | "config" | "hparams"), *_]):
                return True
            case ast.Call(func=ast.Attribute(attr="parse_args")) if isinstance(
                module.parents[call], ast.Return
            ):
                return True
    names = ("parser", "args", "opt", "opts", "options")
    values = [node.value for node in _find_returns(module)]
    return any(
        getattr(value, "id", getattr(value, "attr", None)) in names
        for value in values
        if isinstance(value, (ast.Name, ast.Attribute))
    )


def _find_returns(module: ParsedModule) -> list[ast.Return]:
    return [node for node in module.nodes.get(ast.Return, ()) if isinstance(node, ast.Return)]


def _find_largest(values: Values) -> int | None:
    """Return the largest integer among possible values, or None if there is none."""
    return max(
        (each for each in values if isinstance(each, int) and not isinstance(each, bool)), default=None
    )
