"""The numbers that a Python file sets as configuration: defaults of options, and settings."""

import ast
from collections.abc import Iterator, Sequence
from itertools import chain

from torchdoctor.source.idioms.loaders import PROCESSORS
from torchdoctor.source.module.command_options import find_option_name
from torchdoctor.source.module.constants import Values, find_possible_values
from torchdoctor.source.module.nodes import find_keyword, is_constant_statement
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import ConfigFile, ConfigSetting, SourceFile

# A number is seldom passed on through so many functions.
_MAX_PASSED = 3
# Calls with a number of processes or threads, and those that only show it.
_COUNTING_CALLS = frozenset(
    {"Pool", "ThreadPool", "ProcessPoolExecutor", "ThreadPoolExecutor", "range", "print", "format", "info"}
)


def read_options(source: SourceFile) -> ConfigFile | None:
    """Return the numbers that a Python file sets as configuration, or None if there are none.

    An option is left out if nothing reads it, or if a Windows branch overrides it.
    """
    settings = [*_read_option_defaults(source), *_read_assignments(source)]
    return ConfigFile(source.path, tuple(settings)) if settings and not source.is_notebook else None


def _read_option_defaults(source: SourceFile) -> Iterator[ConfigSetting]:
    """Yield the defaults of the command-line options whose name contains "workers"."""
    module = source.module
    for call in module.calls:
        name, default = find_option_name(call), find_keyword(call, "default")
        if name is None or "workers" not in name or not isinstance(default, ast.expr):
            continue
        value = _find_largest(find_possible_values(module, default))
        if value is None:
            continue
        if name in module.attribute_reads:
            is_used = value in module.ask_once(_find_read_values, name)
        else:
            is_used = module.ask_once(_passes_options_on)
        if is_used and not module.ask_once(_counts_processes, name):
            option, text = f"--{name.replace('_', '-')}", ast.unparse(default)
            written = text if PROCESSORS.search(text) else None
            yield ConfigSetting(option, value, default.lineno, default.col_offset + 1, written)


def _counts_processes(module: ParsedModule, name: str) -> bool:
    """Return whether an option is read, and only for processes that the program starts itself."""
    reads = module.attribute_reads.get(name, ())
    return bool(reads) and all(_is_count_of_processes(module, read) for read in reads)


def _is_count_of_processes(module: ParsedModule, read: ast.expr, depth: int = 0) -> bool:
    """Return whether a number is only that of processes or threads, also where functions are given it."""
    parent = module.parents[read]
    if depth < _MAX_PASSED and (found := _find_uses_as_parameter(module, read)) is not None:
        return bool(found) and all(_is_count_of_processes(module, use, depth + 1) for use in found)
    if isinstance(parent, ast.keyword):
        if parent.arg in ("processes", "max_workers", "nprocs", "n_jobs"):
            return True
        parent = module.parents[parent]
    return isinstance(parent, ast.Call) and ast.unparse(parent.func).rpartition(".")[2] in _COUNTING_CALLS


def _find_uses_as_parameter(module: ParsedModule, read: ast.expr) -> Sequence[ast.Name] | None:
    """Return the uses of the parameter that a function of this file has for an argument, else None."""
    parent = module.parents[read]
    call = module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)) or read is call.func:
        return None
    function = module.functions.get(call.func.id)
    if function is None:
        return None
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(parent, ast.keyword):
        name = parent.arg
    else:
        position = next((index for index, value in enumerate(call.args) if value is read), len(names))
        name = names[position] if position < len(names) else None
    uses = module.uses.get(name, ()) if name is not None else ()
    return [use for use in uses if isinstance(use, ast.Name) and module.find_function(use) is function]


def _find_read_values(module: ParsedModule, name: str) -> Values:
    """Return what the attributes of a name can have where they are read."""
    # Reads that look the same have the same values, so they are told apart before they are joined.
    return frozenset(
        chain.from_iterable({find_possible_values(module, read) for read in module.attribute_reads[name]})
    )


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


def _read_assignments(source: SourceFile) -> Iterator[ConfigSetting]:
    """Yield the settings of yacs files (`_C.DATALOADER.NUM_WORKERS = 8`) and of configuration modules.

    A configuration module holds only assignments: `NUM_WORKERS = 8` or `data = dict(workers=8)`. A plain
    `workers = 8` is left out, because it configures a server.
    """
    body = source.tree.body
    is_configuration = all(
        isinstance(each, (ast.Assign, ast.Import, ast.ImportFrom)) or is_constant_statement(each)
        for each in body
    )
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Constant(value=int() as value)):
                yield ConfigSetting(ast.unparse(target), value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as value)) if (
                is_configuration
            ):
                if name != "workers":
                    yield ConfigSetting(name, value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_configuration:
                yield from _read_dictionaries(name, value)


def _read_dictionaries(name: str, value: ast.expr) -> Iterator[ConfigSetting]:
    """Yield the numbers in the dictionaries of a value; `name` is the first part of their keys."""
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
                            ast.Constant(value=str() as text) as key,
                            ast.Constant(value=int() as number),
                        ):
                            yield ConfigSetting(f"{name}.{text}", number, key.lineno, key.col_offset + 1)


def _find_largest(values: Values) -> int | None:
    """Return the largest integer among possible values, or None if there is none."""
    return max(
        (each for each in values if isinstance(each, int) and not isinstance(each, bool)), default=None
    )
