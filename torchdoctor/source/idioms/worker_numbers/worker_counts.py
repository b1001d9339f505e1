"""Whether a number of workers counts processes and threads that a program starts itself, and no loader."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from torchdoctor.source.module.arguments import find_definition, find_passed_argument
from torchdoctor.source.module.nodes import Function, find_keyword, parameter_names
from torchdoctor.source.module.parsed import ParsedModule

# A number is seldom passed on through so many functions and names.
_MAX_PASSED = 4
# Calls with a number of processes or threads.
_COUNTING_CALLS = frozenset(
    {
        "Pool",
        "ThreadPool",
        "ProcessPoolExecutor",
        "ThreadPoolExecutor",
        "Parallel",
        "Semaphore",
        "BoundedSemaphore",
        "array_split",
        "range",
    }
)
_COUNTING_KEYWORDS = frozenset({"processes", "max_workers", "nprocs", "n_jobs", "num_proc", "tasks"})
# Calls that only show a number, and those whose result is about the same number.
_SHOWING_CALLS = frozenset({"print", "format", "info", "debug", "warning", "warn", "error", "append"})
_PASSING_CALLS = frozenset({"int", "min", "max", "abs", "ceil", "floor", "round"})
# The number `workers` of such a call is one of processes; what has a number of tasks as well is a cluster's.
_EXECUTORS = ("Executor", "Pool", "Cluster", "Server", "uvicorn.run")


def find_use(module: ParsedModule, reads: Sequence[ast.expr]) -> bool | None:
    """Return whether a number is used for anything else than processes that the program starts itself.

    None if it is not used, or only shown and compared.
    """
    return _join(module, reads, 0)


def _join(module: ParsedModule, reads: Iterable[ast.expr], depth: int) -> bool | None:
    uses = {_find_use(module, read, depth) for read in reads}
    return next((each for each in (True, False) if each in uses), None)


def _find_use(module: ParsedModule, read: ast.expr, depth: int) -> bool | None:
    return module.ask_once(_find_use_once, read, depth) if depth <= _MAX_PASSED else True


def _find_use_once(module: ParsedModule, read: ast.expr, depth: int) -> bool | None:
    """Return what `find_use` does for one read, through the names and parameters that get the number."""
    parent = module.parents[read]
    match parent:
        case ast.Expr() | ast.Compare() | ast.FormattedValue() | ast.Slice() | ast.If() | ast.Assert():
            return None
        case ast.IfExp(test=test) if read is test:
            return None
        case ast.BinOp() | ast.BoolOp() | ast.UnaryOp() | ast.IfExp() | ast.Starred():
            return _find_use(module, parent, depth)
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
            return _find_use_of_target(module, target, depth + 1)
        case ast.Dict(keys=keys, values=values) if read in values:
            names = {each.value for each in keys if isinstance(each, ast.Constant)}
            return not names & _COUNTING_KEYWORDS
        case ast.keyword():
            call = module.parents[parent]
            return _find_use_in_call(module, call, read, depth) if isinstance(call, ast.Call) else True
        case ast.Call():
            return _find_use_in_call(module, parent, read, depth)
    return True


def _find_use_of_target(module: ParsedModule, target: ast.expr, depth: int) -> bool | None:
    """Return what `find_use` does for a number that is assigned to a name or an attribute."""
    match target:
        case ast.Name(id=name):
            return module.ask_once(_find_use_of_name, module.find_binding_scope(target), name, depth)
        case ast.Attribute(attr=name):
            return module.ask_once(find_use_of_attribute, name, depth)
    return True


def _find_use_of_name(module: ParsedModule, scope: ast.AST, name: str, depth: int) -> bool | None:
    bindings = module.bindings.get((scope, name), ())
    return _join(module, module.ask_once(_index_bound_reads, name).get(id(bindings), ()), depth)


def _index_bound_reads(module: ParsedModule, name: str) -> Mapping[int, Sequence[ast.Name]]:
    """Return the reads of a name by the identity of the assignments that they may read."""
    found: dict[int, list[ast.Name]] = defaultdict(list)
    for use in module.uses.get(name, ()):
        if isinstance(use.ctx, ast.Load):
            found[id(module.find_bindings(use))].append(use)
    return found


def find_use_of_attribute(module: ParsedModule, name: str, depth: int = 0) -> bool | None:
    """Return what `find_use` does for the attributes of a name, of whatever object."""
    return _join(module, module.attribute_reads.get(name, ()), depth)


def _find_use_in_call(module: ParsedModule, call: ast.Call, argument: ast.expr, depth: int) -> bool | None:
    callee = ast.unparse(call.func)
    last = callee.rpartition(".")[2]
    keyword = next((each.arg for each in call.keywords if each.value is argument), None)
    if last in _SHOWING_CALLS:
        return None
    if last in _PASSING_CALLS:
        return _find_use(module, call, depth)
    if last in _COUNTING_CALLS or keyword in _COUNTING_KEYWORDS:
        return False
    if keyword is not None and (callee.endswith(_EXECUTORS) or find_keyword(call, "tasks") is not None):
        return False
    found = _find_called_function(module, call)
    if found is None:
        return True
    owner, function = found
    names = sorted(parameter_names(function))
    name = next((each for each in names if find_passed_argument(owner, call, function, each) is argument), "")
    return owner.ask_once(_find_use_of_parameter, function, name, depth + 1) if name else True


def _find_use_of_parameter(module: ParsedModule, function: Function, name: str, depth: int) -> bool | None:
    return _join(module, find_parameter_reads(module, function, name), depth)


def find_parameter_reads(module: ParsedModule, function: Function, name: str) -> Sequence[ast.Name]:
    """Return where a function, or one inside it, reads one of its parameters."""
    return module.ask_once(_index_reads, name).get(function, ())


def _index_reads(module: ParsedModule, name: str) -> Mapping[Function | None, Sequence[ast.Name]]:
    """Return the reads of a name by the function that has it as a parameter."""
    found: dict[Function | None, list[ast.Name]] = defaultdict(list)
    for use in module.uses.get(name, ()):
        if isinstance(use.ctx, ast.Load):
            found[module.find_parameter(use)].append(use)
    return found


def _find_called_function(module: ParsedModule, call: ast.Call) -> tuple[ParsedModule, Function] | None:
    """Return the function of the project that a call runs, or the constructor of its class."""
    owner, found = find_definition(module, module.find_dotted_name(call.func)) or (module, None)
    if isinstance(found, ast.ClassDef):
        made = (each for each in owner.methods.get("__init__", ()) if owner.find_class(each) is found)
        constructor = next(made, None)
        return (owner, constructor) if constructor is not None else None
    return (owner, found) if found is not None else None
