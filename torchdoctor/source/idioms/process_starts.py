"""What starts processes while a module is imported: the statements that a spawned child runs again."""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from torchdoctor.core.record import record
from torchdoctor.source.idioms.carriers import MAKES, WRAPPERS, Carrier, Holders
from torchdoctor.source.idioms.loaders import is_loader_name
from torchdoctor.source.module.conditions import leaves
from torchdoctor.source.module.constants import possible_values
from torchdoctor.source.module.main_tests import main_verdict
from torchdoctor.source.module.parsed import Function, ParsedModule, keyword
from torchdoctor.source.module.platforms import windows_verdict

_DEEPEST = 25

# Calls that start processes at once, or at the first use of what they return.
_STARTERS = frozenset(
    {
        "multiprocessing.Pool",
        "multiprocessing.Manager",
        "multiprocessing.spawn",
        "multiprocessing.start_processes",
        "concurrent.futures.ProcessPoolExecutor",
        "pathos.pools.ProcessPool",
        "dask.distributed.LocalCluster",
        "distributed.LocalCluster",
        "tqdm.contrib.concurrent.process_map",
    }
)
_CLUSTERS = frozenset({"dask.distributed.LocalCluster", "distributed.LocalCluster"})
# Without an address, a client makes a LocalCluster of its own.
_CLIENTS = frozenset({"dask.distributed.Client", "distributed.Client"})
_ADDRESSES = ("address", "scheduler_file")
# Calls that take a loader and leave it alone, or give back something that still is one.
_PASSIVE = frozenset(
    {
        "len",
        "print",
        "type",
        "isinstance",
        "id",
        "repr",
        "str",
        "hasattr",
        "getattr",
        "setattr",
        "callable",
        "append",
        "extend",
        "insert",
        "update",
        "setdefault",
        "add",
        "info",
        "debug",
        "warning",
        "error",
        "log",
        "deepcopy",
        "copy",
        "dict",
        "set",
        "vars",
        "format",
        "write",
    }
)
_ITERATING = frozenset(
    {"list", "tuple", "sorted", "sum", "max", "min", "any", "all", "map", "filter", "reduce"}
)
_RUNS = re.compile(
    r"^(fit|train|run|eval|test|valid|predict|learn|solve|main|launch|start|execute|optimi[sz]e|search|fine_?tune|infer|"
    r"extract|process|lr_find|tune|do_train|__call__)"
)
_TAKES_FUNCTION = frozenset(
    {
        "Fire",
        "run",
        "optimize",
        "agent",
        "fmin",
        "Thread",
        "Timer",
        "launch",
        "main",
        "tune",
        "timeit",
        "repeat",
    }
)


@record
class Start:
    """A place that starts processes at import; `statement` is the module's statement that leads there."""

    node: ast.AST
    statement: ast.stmt
    what: str


def find_starts(module: ParsedModule) -> Sequence[Start]:
    """Find what starts processes while the module is imported as the main script."""
    run = _Run(module, Holders(module))
    try:
        for statement in module.tree.body:
            run.statement = statement
            if run.block([statement]):
                break
    except RecursionError:
        # Functions that call each other through deep code; what was found until here stands.
        pass
    return run.starts


@dataclass
class _Run:
    """A walk over what an import executes, with the loaders and processes that its names hold."""

    module: ParsedModule
    holders: Holders
    starts: list[Start] = field(default_factory=list)
    statement: ast.stmt = field(default_factory=ast.Pass)
    depth: int = 0

    def block(self, statements: Iterable[ast.stmt]) -> bool:
        """Run statements in order; tell whether the rest is left to the main script alone."""
        return any(self._statement(statement) for statement in statements)

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.If():
                return self._if(node)
            case ast.For() | ast.AsyncFor():
                self._for(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for decorator in node.decorator_list:
                    self._expression(decorator)
            case ast.Assign(targets=targets, value=value):
                self._expression(value)
                for target in targets:
                    self._bind(target, self.holders.carried(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._expression(value)
                self._bind(target, self.holders.carried(value))
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._expression(item.context_expr)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, self.holders.carried(item.context_expr))
                return self.block(node.body)
            case _:
                return self._children(node)
        return False

    def _children(self, node: ast.stmt) -> bool:
        for name in node._fields:
            value = getattr(node, name)
            if isinstance(value, ast.expr):
                self._expression(value)
            for each in value if isinstance(value, list) else ():
                if isinstance(each, (ast.ExceptHandler, ast.match_case)):
                    self.block(each.body)
                elif isinstance(each, ast.expr):
                    self._expression(each)
                elif isinstance(each, ast.stmt) and self._statement(each):
                    return True
        return False

    def _if(self, node: ast.If) -> bool:
        verdict = main_verdict(self.module, node.test)
        if verdict is None:
            self._expression(node.test)
            verdict = windows_verdict(self.module, node.test)
        ended = verdict is not False and self.block(node.body)
        if verdict is True and leaves(node.body):
            return True
        if verdict is not True:
            ended = self.block(node.orelse) and (verdict is False or ended)
        return ended and verdict is not None

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._expression(node.iter)
        carrier = self._iterate(node.iter, node.iter)
        self._bind(node.target, carrier)
        self.block(node.body)
        self.block(node.orelse)

    def _iterate(self, iterable: ast.expr, place: ast.AST) -> Carrier | None:
        carrier = self.holders.carried(iterable)
        if carrier is None:
            return None
        if carrier.kind == "loader":
            self._start(place, f"{carrier.what} is iterated")
            return None
        return carrier.item() if carrier.kind == "holder" else carrier

    def _start(self, place: ast.AST, what: str) -> None:
        self.starts.append(Start(place, self.statement, what))

    def _bind(self, target: ast.expr, carrier: Carrier | None) -> None:
        match target:
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                parts = carrier.parts if carrier is not None else ()
                spread = carrier.item() if carrier is not None and not parts else None
                for index, each in enumerate(targets):
                    self._bind(each, parts[index] if index < len(parts) else spread)
            case ast.Name(id=name):
                key = (self.module.owner(target), name)
                if carrier is not None:
                    self.holders.names[key] = carrier
                else:
                    self.holders.names.pop(key, None)
            case ast.Attribute(attr=name) if carrier is not None:
                self.holders.attributes[name] = carrier
            case ast.Subscript(value=value) if carrier is not None:
                self._bind(value, carrier.held())
            case ast.Starred(value=value):
                self._bind(value, carrier)

    def _expression(self, node: ast.expr) -> None:
        """Run the calls and comprehensions of an expression, inner ones first."""
        match node:
            case ast.Lambda():
                return
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for generator in node.generators:
                    self._expression(generator.iter)
                    self._bind(generator.target, self._iterate(generator.iter, generator.iter))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.keyword):
                self._expression(child.value)
            elif isinstance(child, ast.expr):
                self._expression(child)
        if isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.YieldFrom):
            self._iterate(node.value, node)

    def _call(self, call: ast.Call) -> None:
        name = self.module.canonical(call.func)
        last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        if self._starts_at_once(call, name, last) or self._uses_receiver(call, last):
            return
        self._run_passed_functions(call, last)
        function = self.holders.find_function(call)
        carried = self.holders.carried_arguments(call)
        if function is not None:
            self._execute(function, self.holders.carried_parameters(call, function))
        elif carried:
            self._hand_over(call, name, last, carried[0])

    def _starts_at_once(self, call: ast.Call, name: str, last: str) -> bool:
        is_client = name in _CLIENTS and not call.args and not any(keyword(call, each) for each in _ADDRESSES)
        if name in _STARTERS or is_client:
            threads = keyword(call, "processes") if name in _CLUSTERS | _CLIENTS else None
            if isinstance(threads, ast.Constant) and threads.value is False:
                return True
            self._start(call, f"{last}() starts processes")
            return True
        processes = keyword(call, "num_proc")
        if last in ("map", "filter") and processes is not None and isinstance(call.func, ast.Attribute):
            most = max((v for v in possible_values(self.module, processes) if isinstance(v, int)), default=0)
            if most > 1 and any(each.startswith("datasets") for each in self.module.aliases.values()):
                self._start(call, f"{last}(num_proc={ast.unparse(processes)}) starts processes")
                return True
        return False

    def _uses_receiver(self, call: ast.Call, last: str) -> bool:
        if not isinstance(call.func, ast.Attribute):
            return False
        if last == "append" and isinstance(call.func.value, ast.Name) and call.args:
            carrier = self.holders.carried(call.args[0])
            if carrier is not None:
                self._bind(call.func.value, carrier.held() if carrier.kind == "loader" else carrier)
            return True
        receiver = self.holders.carried(call.func.value)
        if receiver is None or self.holders.find_function(call) is not None:
            return False
        if receiver.kind == "process" and last == "start":
            self._start(call, f"{receiver.what} is started")
        elif receiver.kind == "yolo" and last in ("train", "val", "tune"):
            self._start_yolo(call, last)
        elif receiver.kind == "holder" and _RUNS.match(last):
            self._start(call, f"{receiver.what} is used by {last}()")
        elif receiver.kind == "loader" and last == "__iter__":
            self._start(call, f"{receiver.what} is iterated")
        else:
            return False
        return True

    def _start_yolo(self, call: ast.Call, last: str) -> None:
        # Ultralytics trains with workers=8 unless told otherwise (cfg/default.yaml).
        workers = keyword(call, "workers")
        splatted = any(each.arg is None for each in call.keywords)
        most = max((v for v in possible_values(self.module, workers) if isinstance(v, int)), default=8)
        if most > 0 and not (splatted and workers is None):
            self._start(call, f"{last}() of an Ultralytics model starts {most} loader workers")

    def _run_passed_functions(self, call: ast.Call, last: str) -> None:
        if last not in _TAKES_FUNCTION:
            return
        for value in [*call.args, *(each.value for each in call.keywords)]:
            if isinstance(value, ast.Name) and (function := self.module.functions.get(value.id)) is not None:
                self._execute(function, {})

    def _hand_over(self, call: ast.Call, name: str, last: str, carrier: Carrier) -> None:
        if carrier.kind in ("process", "yolo") or last == "__init__" or is_loader_name(self.module, name):
            return
        if last in ("iter", "next") or last in _ITERATING:
            if carrier.kind == "loader":
                self._start(call, f"{carrier.what} is iterated")
        elif not (
            last in _PASSIVE or last in WRAPPERS or MAKES.match(last) or last[:1].isupper() or not last
        ):
            self._start(call, f"{carrier.what} is handed to {last}()")

    def _execute(self, function: Function, parameters: dict[str, Carrier]) -> None:
        key = (function, frozenset(parameters))
        if key in self.holders.results or self.depth > _DEEPEST:
            return
        self.holders.results[key] = None
        for name, carrier in parameters.items():
            self.holders.names[(function, name)] = carrier
        self.depth += 1
        self.block(function.body)
        self.depth -= 1
        self.holders.results[key] = self._result(function)

    def _result(self, function: Function) -> Carrier | None:
        for kind in (ast.Return, ast.Yield):
            for node in self.module.nodes.get(kind, ()):
                value = getattr(node, "value", None)
                if value is None or self.module.enclosing_function(node) is not function:
                    continue
                if (carrier := self.holders.carried(value)) is not None:
                    return carrier
        return None
