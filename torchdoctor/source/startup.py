"""What starts processes while a module is imported: the statements that a spawned child runs again."""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from torchdoctor.source.constants import possible_values
from torchdoctor.source.loaders import is_loader_name, read_loader
from torchdoctor.source.platforms import leaves, main_verdict, windows_verdict
from torchdoctor.source.view import Function, View, keyword

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
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
_LOADER_METHODS = ("train_dataloader", "val_dataloader", "test_dataloader", "predict_dataloader")
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
_WRAPPERS = frozenset(
    {
        "enumerate",
        "zip",
        "tqdm",
        "trange",
        "cycle",
        "chain",
        "islice",
        "track",
        "progress",
        "prefetcher",
        "partial",
    }
)
_ITERATING = frozenset(
    {"list", "tuple", "sorted", "sum", "max", "min", "any", "all", "map", "filter", "reduce"}
)
_MAKES = re.compile(
    r"^_?(prepare|setup|wrap|get|make|build|create|load|init|to|move|distribute|initialize|register|set)(_|$)"
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


@dataclass(frozen=True, slots=True)
class Start:
    """A place that starts processes at import; `statement` is the module's statement that leads there."""

    node: ast.AST
    statement: ast.stmt
    what: str


@dataclass(frozen=True, slots=True)
class Carrier:
    """A value that starts processes when it is used: a loader, a process, or what holds such things."""

    kind: str
    what: str
    parts: tuple["Carrier | None", ...] = ()

    def held(self) -> "Carrier":
        """Give the carrier for a container or object that holds this value."""
        return Carrier("holder", self.what)

    def item(self) -> "Carrier":
        """Give the carrier for what comes out of a container."""
        return Carrier("loader", self.what) if self.kind == "holder" else self


def find_starts(view: View) -> Sequence[Start]:
    """Find what starts processes while the module is imported as the main script."""
    run = _Run(view)
    try:
        for statement in view.tree.body:
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

    view: View
    starts: list[Start] = field(default_factory=list)
    statement: ast.stmt = field(default_factory=ast.Pass)
    carriers: dict[tuple[ast.AST, str], Carrier] = field(default_factory=dict)
    attributes: dict[str, Carrier] = field(default_factory=dict)
    results: dict[tuple[ast.AST, frozenset[str]], Carrier | None] = field(default_factory=dict)
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
                    self._bind(target, self.carried(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._expression(value)
                self._bind(target, self.carried(value))
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._expression(item.context_expr)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, self.carried(item.context_expr))
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
        verdict = main_verdict(self.view, node.test)
        if verdict is None:
            self._expression(node.test)
            verdict = windows_verdict(self.view, node.test)
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
        carrier = self.carried(iterable)
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
                key = (self.view.owner(target), name)
                if carrier is not None:
                    self.carriers[key] = carrier
                else:
                    self.carriers.pop(key, None)
            case ast.Attribute(attr=name) if carrier is not None:
                self.attributes[name] = carrier
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
        name = self.view.canonical(call.func)
        last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        if self._starts_at_once(call, name, last) or self._uses_receiver(call, last):
            return
        self._run_passed_functions(call, last)
        function = self._local(call)
        carried = self._carried_arguments(call)
        if function is not None:
            self._execute(function, self._carried_parameters(call, function))
        elif carried:
            self._hand_over(call, name, last, carried[0])

    def _starts_at_once(self, call: ast.Call, name: str, last: str) -> bool:
        if name in _STARTERS:
            threads = keyword(call, "processes") if name in _CLUSTERS else None
            if isinstance(threads, ast.Constant) and threads.value is False:
                return True
            self._start(call, f"{last}() starts processes")
            return True
        processes = keyword(call, "num_proc")
        if last in ("map", "filter") and processes is not None and isinstance(call.func, ast.Attribute):
            most = max((v for v in possible_values(self.view, processes) if isinstance(v, int)), default=0)
            if most > 1 and any(each.startswith("datasets") for each in self.view.aliases.values()):
                self._start(call, f"{last}(num_proc={ast.unparse(processes)}) starts processes")
                return True
        return False

    def _uses_receiver(self, call: ast.Call, last: str) -> bool:
        if not isinstance(call.func, ast.Attribute):
            return False
        if last == "append" and isinstance(call.func.value, ast.Name) and call.args:
            carrier = self.carried(call.args[0])
            if carrier is not None:
                self._bind(call.func.value, carrier.held() if carrier.kind == "loader" else carrier)
            return True
        receiver = self.carried(call.func.value)
        if receiver is None or self._local(call) is not None:
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
        most = max((v for v in possible_values(self.view, workers) if isinstance(v, int)), default=8)
        if most > 0 and not (splatted and workers is None):
            self._start(call, f"{last}() of an Ultralytics model starts {most} loader workers")

    def _run_passed_functions(self, call: ast.Call, last: str) -> None:
        if last not in _TAKES_FUNCTION:
            return
        for value in [*call.args, *(each.value for each in call.keywords)]:
            if isinstance(value, ast.Name) and (function := self.view.functions.get(value.id)) is not None:
                self._execute(function, {})

    def _carried_arguments(self, call: ast.Call) -> list[Carrier]:
        values = [*call.args, *(each.value for each in call.keywords)]
        return [carrier for each in values if (carrier := self.carried(each)) is not None]

    def _hand_over(self, call: ast.Call, name: str, last: str, carrier: Carrier) -> None:
        if carrier.kind == "process" or carrier.kind == "yolo" or is_loader_name(self.view, name):
            return
        if last in ("iter", "next") or last in _ITERATING:
            if carrier.kind == "loader":
                self._start(call, f"{carrier.what} is iterated")
        elif not (
            last in _PASSIVE or last in _WRAPPERS or _MAKES.match(last) or last[:1].isupper() or not last
        ):
            self._start(call, f"{carrier.what} is handed to {last}()")

    def _local(self, call: ast.Call) -> Function | None:
        """Find the function or method of this module that a call runs."""
        match call.func:
            case ast.Name(id=name):
                if name in self.view.classes:
                    return self._method(self.view.classes[name], "__init__")
                found = self.view.functions.get(name)
                return found if found is not None else self._nested(call, name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                owner = self.view.enclosing_class(call)
                return self._method(owner, name) if owner is not None else None
            case ast.Attribute(value=value, attr=name):
                owner = self._instance(value)
                return self._method(owner, name) if owner is not None else None
        return None

    def _nested(self, call: ast.Call, name: str) -> Function | None:
        scope = self.view.scope(call)
        for node in ast.iter_child_nodes(scope):
            if isinstance(node, _FUNCTIONS) and node.name == name:
                return node
        return None

    def _instance(self, value: ast.expr) -> ast.ClassDef | None:
        if isinstance(value, ast.Name):
            for binding in self.view.find_bindings(value):
                if isinstance(binding.value, ast.Call) and binding.index is None:
                    value = binding.value
                    break
        if isinstance(value, ast.Call):
            return self.view.classes.get(self.view.canonical(value.func))
        return self.view.classes.get(value.id) if isinstance(value, ast.Name) else None

    def _method(self, owner: ast.ClassDef, name: str) -> Function | None:
        own = [each for each in self.view.methods.get(name, ()) if self.view.parents[each] is owner]
        if own:
            return own[0]
        for base in owner.bases:
            parent = self.view.classes.get(self.view.canonical(base))
            if parent is not None and parent is not owner:
                return self._method(parent, name)
        return None

    def _carried_parameters(self, call: ast.Call, function: Function) -> dict[str, Carrier]:
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        if isinstance(self.view.scope(function), ast.ClassDef):
            names = names[1:]
        pairs = [
            *zip(names, call.args, strict=False),
            *((each.arg, each.value) for each in call.keywords if each.arg),
        ]
        return {name: carrier for name, value in pairs if (carrier := self.carried(value)) is not None}

    def _execute(self, function: Function, parameters: dict[str, Carrier]) -> None:
        key = (function, frozenset(parameters))
        if key in self.results or self.depth > _DEEPEST:
            return
        self.results[key] = None
        for name, carrier in parameters.items():
            self.carriers[(function, name)] = carrier
        self.depth += 1
        self.block(function.body)
        self.depth -= 1
        self.results[key] = self._result(function)

    def _result(self, function: Function) -> Carrier | None:
        for kind in (ast.Return, ast.Yield):
            for node in self.view.nodes.get(kind, ()):
                value = getattr(node, "value", None)
                if value is None or self.view.enclosing_function(node) is not function:
                    continue
                if (carrier := self.carried(value)) is not None:
                    return carrier
        return None

    def carried(self, node: ast.expr) -> Carrier | None:
        """Tell which loader or process a value is, or holds."""
        match node:
            case ast.Name():
                return self._named(node)
            case ast.Attribute(value=value, attr=name):
                return (
                    self.attributes.get(name) if not self.view.canonical(value).startswith("torch") else None
                )
            case ast.Call():
                return self._carried_call(node)
            case ast.Tuple(elts=items):
                parts = tuple(self.carried(each) for each in items)
                found = next((each for each in parts if each is not None), None)
                return Carrier("holder", found.what, parts) if found is not None else None
            case ast.List(elts=items) | ast.Set(elts=items):
                return self._held(items)
            case ast.Dict(values=items):
                return self._held(items)
            case ast.DictComp(value=value) | ast.ListComp(elt=value) | ast.SetComp(elt=value):
                return self._held([value])
            case ast.Subscript(value=value):
                found = self.carried(value)
                return found.item() if found is not None else None
            case ast.IfExp(body=first, orelse=second):
                return self.carried(first) or self.carried(second)
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                return self.carried(value)
        return None

    def _held(self, items: Iterable[ast.expr]) -> Carrier | None:
        found = next((each for item in items if (each := self.carried(item)) is not None), None)
        return found.held() if found is not None and found.kind == "loader" else found

    def _named(self, name: ast.Name) -> Carrier | None:
        scope: ast.AST = self.view.scope(name)
        while True:
            if (found := self.carriers.get((scope, name.id))) is not None:
                return found
            if scope is self.view.tree:
                return None
            scope = self.view.scope(scope)

    def _carried_call(self, call: ast.Call) -> Carrier | None:
        loader = read_loader(self.view, call)
        if loader is not None:
            if loader.has_workers and loader.workers is not None:
                return Carrier("loader", f"a {loader.name.rpartition('.')[2]} with {loader.workers.shown}")
            return None
        name = self.view.canonical(call.func)
        last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        if name == "multiprocessing.Process" or self._derives_from_process(name):
            return Carrier("process", f"{last}()")
        if name.startswith("ultralytics.") and last in ("YOLO", "RTDETR", "YOLOWorld", "FastSAM", "YOLOE"):
            return Carrier("yolo", last)
        if (special := self._carried_settings(call, name, last)) is not None:
            return special
        function = self._local(call)
        if function is not None and function.name != "__init__":
            return self.results.get((function, frozenset(self._carried_parameters(call, function))))
        return self._wrapped(call, last)

    def _derives_from_process(self, name: str) -> bool:
        local = self.view.classes.get(name)
        return local is not None and "multiprocessing.Process" in self.view.bases(local)

    def _carried_settings(self, call: ast.Call, name: str, last: str) -> Carrier | None:
        if last.endswith("TrainingArguments") and keyword(call, "dataloader_num_workers") is not None:
            written = keyword(call, "dataloader_num_workers")
            most = max((v for v in possible_values(self.view, written) if isinstance(v, int)), default=0)
            return Carrier("holder", f"a Trainer with dataloader_num_workers={most}") if most > 0 else None
        local = self.view.classes.get(name)
        for method in _LOADER_METHODS if local is not None else ():
            function = self._method(local, method) if local is not None else None
            for each in ast.walk(function) if function is not None else ():
                found = read_loader(self.view, each) if isinstance(each, ast.Call) else None
                if found is not None and found.workers is not None and found.has_workers:
                    return Carrier("holder", f"a DataLoader with {found.workers.shown}")
        return None

    def _wrapped(self, call: ast.Call, last: str) -> Carrier | None:
        carried = self._carried_arguments(call)
        if not carried:
            receiver = self.carried(call.func.value) if isinstance(call.func, ast.Attribute) else None
            return receiver if last in ("items", "values", "get", "copy", "pop") else None
        if last in _WRAPPERS or last in ("reversed", "list", "dict", "tuple"):
            return carried[0]
        if last in ("prepare", "setup_dataloaders", "setup", "prepare_data_loader"):
            parts = tuple(self.carried(each) for each in call.args)
            return parts[0] if len(parts) == 1 else Carrier("holder", carried[0].what, parts)
        if last[:1].isupper() or _MAKES.match(last):
            return carried[0].held() if carried[0].kind != "process" else None
        return None
