"""The places where a module starts processes during its import, which every spawned child repeats."""

import ast
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from torchdoctor.core.record import record
from torchdoctor.source.idioms.loading.loaders import is_loader_name
from torchdoctor.source.idioms.processes.calls import (
    FUNCTION_RUNNERS,
    ITERATING_CALLS,
    RUN_METHODS,
    SETTING_USERS,
    describe_started,
    describe_yolo_started,
    is_starting_call,
    keeps_argument,
)
from torchdoctor.source.idioms.processes.carriers import Carrier, CarrierTable
from torchdoctor.source.module.conditions import leaves_block
from torchdoctor.source.module.main_tests import main_verdict
from torchdoctor.source.module.nodes import Function
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import windows_verdict
from torchdoctor.source.module.project import Definition

_MAX_CALL_DEPTH = 25

# A package passes on what one of its modules has, seldom more often than that.
_MAX_IMPORTS = 2
# So many files are followed for a script; what is imported by more of them is not known.
_MOST_FILES = 40
# So many classes are derived from each other, each in a file of its own.
_MAX_BASES = 5


# What a file has in its text that starts processes, makes loaders or calls what does.
_STARTING = re.compile(rb"multiprocess|concurrent|oader|num_workers|rainer\b|LocalCluster|YOLO")


@record
class Start:
    """A node that starts processes at import, and the top-level statement that runs it."""

    node: ast.AST
    statement: ast.stmt
    description: str


def _may_start(module: ParsedModule) -> bool:
    """Return whether the file of a module has words of code that starts processes, by its text."""
    return module.place is None or module.place.has_text(_STARTING)


def find_starts(module: ParsedModule) -> Sequence[Start]:
    """Return the places that start processes while a spawned child imports the main script."""
    run = _ImportRun(module, CarrierTable(module))
    try:
        for statement in module.tree.body:
            run.statement = statement
            if run.run_block([statement]):
                break
    except RecursionError:
        # Deeply nested code: keep what was found so far.
        pass
    return run.starts


@dataclass
class _ImportRun:
    """A simulated import, which tracks the carriers that names, attributes and results hold."""

    module: ParsedModule
    carriers: CarrierTable
    starts: list[Start] = field(default_factory=list)
    statement: ast.stmt = field(default_factory=ast.Pass)
    depth: int = 0
    runs: dict[ParsedModule, "_ImportRun"] = field(default_factory=dict)
    active: set[ast.AST] = field(default_factory=set)
    has_assigned: bool = False

    def run_block(self, statements: Iterable[ast.stmt]) -> bool:
        """Run statements in order and return whether a spawned child leaves them early."""
        return any(self._run_statement(statement) for statement in statements)

    def _run_statement(self, node: ast.stmt) -> bool:
        """Run a statement and return whether a spawned child leaves the enclosing block in it."""
        match node:
            case ast.If():
                return self._run_if(node)
            case ast.For() | ast.AsyncFor():
                self._run_for(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for decorator in node.decorator_list:
                    self._run_expression(decorator)
            case ast.Assign(targets=targets, value=value):
                self._run_expression(value)
                for target in targets:
                    self._bind(target, self.carriers.find_carrier(value))
                    self._set(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._run_expression(value)
                self._bind(target, self.carriers.find_carrier(value))
            case ast.Import() | ast.ImportFrom():
                self._import_loaders(node)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._run_expression(item.context_expr)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, self.carriers.find_carrier(item.context_expr))
                return self.run_block(node.body)
            case _:
                return self._run_children(node)
        return False

    def _import_loaders(self, node: ast.Import | ast.ImportFrom, depth: int = 0) -> None:
        """Take over the loaders that other files of the project have at their top level."""
        if self.module.place is None or not self.module.place.has_loaders or depth > _MAX_IMPORTS:
            return
        if isinstance(node, ast.Import):
            for alias in node.names:
                for name, carrier in self._find_loaders(alias.name, frozenset(), depth).items():
                    self.carriers.attributes.setdefault(name, carrier)
            return
        scope = self.module.find_scope(node)
        wanted = frozenset(alias.name for alias in node.names) - {"*"}
        loaders = self._find_loaders("." * node.level + (node.module or ""), wanted, depth)
        for alias in node.names:
            names = loaders if alias.name == "*" else {alias.name} & loaders.keys()
            for name in names:
                self.carriers.names[(scope, alias.asname or name)] = loaders[name]

    def _find_loaders(self, dotted: str, wanted: frozenset[str], depth: int) -> Mapping[str, Carrier]:
        """Return the loaders, and what holds some, that a module of the project has as top-level names.

        Of the modules that it imports, those are followed that may have a wanted name.
        """
        if self.module.place is None or len(self.runs) > _MOST_FILES:
            return {}
        module = self.module.place.find_module(dotted, tuple(wanted) or ("Loader",))
        if module is None or module is self.module:
            return {}
        run = self._find_run(module)
        if not run.has_assigned:
            run.has_assigned = True
            for statement in module.tree.body:
                if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                    run._run_statement(statement)
        for statement in module.tree.body if wanted else ():
            if isinstance(statement, ast.ImportFrom) and any(
                alias.name == "*" or (alias.asname or alias.name) in wanted for alias in statement.names
            ):
                run._import_loaders(statement, depth + 1)
        return {
            name: carrier
            for (scope, name), carrier in run.carriers.names.items()
            if scope is module.tree and carrier.kind in ("loader", "holder")
        }

    def _run_children(self, node: ast.stmt) -> bool:
        for name in node._fields:
            value = getattr(node, name)
            if isinstance(value, ast.expr):
                self._run_expression(value)
            for each in value if isinstance(value, list) else ():
                if isinstance(each, (ast.ExceptHandler, ast.match_case)):
                    self.run_block(each.body)
                elif isinstance(each, ast.expr):
                    self._run_expression(each)
                elif isinstance(each, ast.stmt) and self._run_statement(each):
                    return True
        return False

    def _run_if(self, node: ast.If) -> bool:
        """Run an `if` with all of its `elif`s, which can be hundreds."""
        block: list[ast.stmt] = [node]
        runs_surely = True
        while len(block) == 1 and isinstance(branch := block[0], ast.If):
            verdict = main_verdict(self.module, branch.test)
            if verdict is None:
                self._run_expression(branch.test)
                verdict = windows_verdict(self.module, branch.test)
                if verdict is None:
                    verdict = self.carriers.given.find_verdict(branch.test)
            ended = verdict is not False and self.run_block(branch.body)
            if verdict is True:
                return runs_surely and (ended or leaves_block(branch.body))
            runs_surely = runs_surely and verdict is False
            block = branch.orelse
        return self.run_block(block) and runs_surely

    def _run_for(self, node: ast.For | ast.AsyncFor) -> None:
        self._run_expression(node.iter)
        carrier = self._iterate(node.iter, node.iter)
        self._bind(node.target, carrier)
        self.run_block(node.body)
        self.run_block(node.orelse)

    def _iterate(self, iterable: ast.expr, place: ast.AST) -> Carrier | None:
        """Iterate an expression, which starts a loader's workers, and return the carrier for its items."""
        carrier = self.carriers.find_carrier(iterable)
        if carrier is None:
            return None
        if carrier.kind == "loader":
            self._add_start(place, f"{carrier.description} is iterated")
            return None
        return carrier.to_item() if carrier.kind == "holder" else carrier

    def _add_start(self, place: ast.AST, what: str) -> None:
        self.starts.append(Start(place, self.statement, what))

    def _bind(self, target: ast.expr, carrier: Carrier | None) -> None:
        """Assign a carrier, or None for any other value, to a target."""
        match target:
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                parts = carrier.parts if carrier is not None else ()
                item = carrier.to_item() if carrier is not None and not parts else None
                for index, each in enumerate(targets):
                    self._bind(each, parts[index] if index < len(parts) else item)
            case ast.Name(id=name):
                key = (self.module.find_binding_scope(target), name)
                if carrier is not None:
                    self.carriers.names[key] = carrier
                else:
                    self.carriers.names.pop(key, None)
            case ast.Attribute(attr=name) if carrier is not None:
                self.carriers.attributes[name] = carrier
            case ast.Subscript(value=value) if carrier is not None:
                self._bind(value, carrier.to_holder())
            case ast.Starred(value=value):
                self._bind(value, carrier)

    def _set(self, target: ast.expr, value: ast.expr) -> None:
        """Store a setting for an object; one without workers removes the setting that the object had."""
        match target:
            case ast.Attribute(value=ast.Name(id=name) as owner, attr=setting) if name != "self":
                carrier = self.carriers.read_setting(setting, value)
                known = self.carriers.find_carrier(owner)
                if carrier is not None or (known is not None and known.description.startswith(f"{setting}=")):
                    self._bind(owner, carrier)

    def _run_expression(self, node: ast.expr) -> None:
        """Run the comprehensions and calls of an expression; arguments run before their call."""
        match node:
            case ast.Lambda():
                return
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for generator in node.generators:
                    self._run_expression(generator.iter)
                    self._bind(generator.target, self._iterate(generator.iter, generator.iter))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.keyword):
                self._run_expression(child.value)
            elif isinstance(child, ast.expr):
                self._run_expression(child)
        if isinstance(node, ast.Call):
            self._run_call(node)
        elif isinstance(node, ast.YieldFrom):
            self._iterate(node.value, node)

    def _run_call(self, call: ast.Call) -> None:
        name = self.module.find_dotted_name(call.func)
        last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        if is_starting_call(self.module, call, name):
            if (started := describe_started(self.module, call, name, last)) is not None:
                self._add_start(call, started)
            return
        if self._run_carrier_method(call, last):
            return
        self._run_passed_functions(call, last)
        function = self.carriers.find_function(call)
        arguments = self.carriers.find_argument_carriers(call)
        if isinstance(call.func, ast.Name):
            for command in self.module.ask_once(_index_commands).get(call.func.id, ()):
                self._run_function(command, {})
        if function is not None:
            self._run_function(function, self.carriers.find_parameter_carriers(call, function))
        elif arguments and arguments[0].kind != "settings":
            self._pass_carrier(call, name, last, arguments[0])
        elif not self._run_imported(call) and arguments and SETTING_USERS.match(last):
            self._add_start(call, f"a configuration with {arguments[0].description} is handed to {last}()")

    def _run_imported(self, call: ast.Call) -> bool:
        """Run a function, a constructor or a method of another file of the project, and keep its result.

        Return whether the call is one of those.
        """
        found = self._find_imported(call)
        if found is None:
            return False
        module, definition, is_method = found
        if not module.ask_once(_may_start):
            return isinstance(definition, ast.ClassDef)
        if not isinstance(definition, ast.ClassDef):
            self.carriers.call_results[call] = self._run_in(module, definition, call, is_method=is_method)
            made = self._find_run(module).carriers.find_returned_instance(definition)
            if made is not None:
                self.carriers.imported[call] = made
            return True
        self.carriers.imported[call] = (module, definition)
        if (constructor := self._find_method(module, definition, "__init__")) is not None:
            self._run_in(*constructor, call, is_method=True)
        self.carriers.call_results[call] = self._find_run(module).carriers.find_class_holder(definition)
        return True

    def _run_in(
        self, module: ParsedModule, function: Function, call: ast.Call, *, is_method: bool
    ) -> Carrier | None:
        """Run a function of another file with the arguments of a call in this one, and return its result."""
        run = self._find_run(module)
        is_new = run.carriers.given.take(function, call, self.carriers.given, is_method=is_method)
        name = os.path.basename(module.place.path) if module.place is not None else "another file"
        for start in run.run_given(function, is_new=is_new):
            is_named = start.description.endswith(".py")
            self._add_start(call, start.description if is_named else f"{start.description} in {name}")
        return run.carriers.results.get((function, frozenset()))

    def _find_run(self, module: ParsedModule) -> "_ImportRun":
        """Return the run of another file; it is as deep as this one."""
        if module not in self.runs:
            self.runs[module] = _ImportRun(module, CarrierTable(module), depth=self.depth, runs=self.runs)
        return self.runs[module]

    def run_given(self, function: Function, *, is_new: bool) -> Sequence[Start]:
        """Run a function that another file calls, again if its arguments are new; return what it starts."""
        if is_new:
            # What other functions returned can depend on the arguments.
            results = self.carriers.results
            self.carriers.results = {key: results[key] for key in results if key[0] in self.active}
        before = len(self.starts)
        self._run_function(function, {})
        return self.starts[before:]

    def _find_imported(self, call: ast.Call) -> tuple[ParsedModule, Definition, bool] | None:
        """Return the definition in another file that a call runs, and whether it is a method."""
        place = self.module.place
        is_deep = self.depth > _MAX_CALL_DEPTH or len(self.runs) > _MOST_FILES
        if place is None or not place.has_loaders or is_deep:
            return None
        name = self.module.find_dotted_name(call.func)
        if (found := self.module.find_imported(name)) is not None:
            return *found, False
        if name in self.module.classes:
            # A class of this file without a constructor.
            method = self._find_method(self.module, self.module.classes[name], "__init__")
        elif isinstance(call.func, ast.Attribute):
            method = self._find_inherited(call, call.func)
        else:
            return None
        return (*method, True) if method is not None else None

    def _find_inherited(
        self, call: ast.Call, function: ast.Attribute
    ) -> tuple[ParsedModule, Function] | None:
        """Return the method that a call of an object runs, if another file has it."""
        match function.value:
            case ast.Name(id="self"):
                instance = self.module.find_class(call)
            case ast.Call(func=ast.Name(id="super")):
                owner = self.module.find_class(call)
                bases = _find_imported_bases(self.module, owner) if owner is not None else ()
                methods = (self._find_method(*base, function.attr) for base in bases)
                return next((method for method in methods if method is not None), None)
            case _:
                imported = self.carriers.find_instance(function.value)
                if imported is not None:
                    return self._find_method(*imported, function.attr)
                instance = self.carriers.find_class_of(function.value)
        return self._find_method(self.module, instance, function.attr) if instance is not None else None

    def _find_method(
        self, module: ParsedModule, owner: ast.ClassDef, name: str, depth: int = 0
    ) -> tuple[ParsedModule, Function] | None:
        """Return a method of a class, or of its bases in any file of the project."""
        carriers = self.carriers if module is self.module else self._find_run(module).carriers
        if (method := carriers.find_method(owner, name)) is not None:
            return module, method
        if depth < _MAX_BASES:
            for base in _find_imported_bases(module, owner):
                if (found := self._find_method(*base, name, depth + 1)) is not None:
                    return found
        return None

    def _run_carrier_method(self, call: ast.Call, last: str) -> bool:
        """Run a method of a carrier, or `append()`; return False for other calls."""
        if not isinstance(call.func, ast.Attribute):
            return False
        if last == "append" and isinstance(call.func.value, ast.Name) and call.args:
            carrier = self.carriers.find_carrier(call.args[0])
            if carrier is not None:
                self._bind(call.func.value, carrier.to_holder() if carrier.kind == "loader" else carrier)
            return True
        receiver = self.carriers.find_carrier(call.func.value)
        if receiver is None or self.carriers.find_function(call) is not None:
            return False
        if receiver.kind == "process" and last == "start":
            self._add_start(call, f"{receiver.description} is started")
        elif receiver.kind == "yolo" and last in ("train", "val", "tune"):
            if (started := describe_yolo_started(self.module, call, last)) is not None:
                self._add_start(call, started)
        elif receiver.kind == "holder" and RUN_METHODS.match(last):
            self._add_start(call, f"{receiver.description} is used by {last}()")
        elif receiver.kind == "loader" and last == "__iter__":
            self._add_start(call, f"{receiver.description} is iterated")
        else:
            return False
        return True

    def _run_passed_functions(self, call: ast.Call, last: str) -> None:
        if last not in FUNCTION_RUNNERS:
            return
        for value in [*call.args, *(each.value for each in call.keywords)]:
            if isinstance(value, ast.Name) and (function := self.module.functions.get(value.id)) is not None:
                self._run_function(function, {})

    def _pass_carrier(self, call: ast.Call, name: str, last: str, carrier: Carrier) -> None:
        """Run a call that passes a carrier to a function of another module."""
        if carrier.kind in ("process", "yolo") or last == "__init__" or is_loader_name(self.module, name):
            return
        if last in ITERATING_CALLS:
            if carrier.kind == "loader":
                self._add_start(call, f"{carrier.description} is iterated")
        elif not keeps_argument(last):
            self._add_start(call, f"{carrier.description} is handed to {last}()")

    def _run_function(self, function: Function, parameters: dict[str, Carrier]) -> None:
        """Run a function of this module, once for each set of parameters that hold carriers."""
        key = (function, frozenset(parameters))
        if key in self.carriers.results or self.depth > _MAX_CALL_DEPTH:
            return
        self.carriers.results[key] = None
        for name, carrier in parameters.items():
            self.carriers.names[(function, name)] = carrier
        self.depth += 1
        self.active.add(function)
        self.run_block(function.body)
        self.active.discard(function)
        self.depth -= 1
        self.carriers.results[key] = self._find_result(function)

    def _find_result(self, function: Function) -> Carrier | None:
        """Return the first carrier that a function returns or yields."""
        yields = self.module.yields.get(function, ())
        yielded = [each.value for each in yields if isinstance(each, ast.Yield) and each.value is not None]
        values = (*self.module.find_returned_values(function), *yielded)
        return next((found for value in values if (found := self.carriers.find_carrier(value))), None)


def _index_commands(module: ParsedModule) -> Mapping[str, Sequence[Function]]:
    """Return the functions that `@app.command()` makes the commands of an application of click or typer."""
    found: dict[str, list[Function]] = defaultdict(list)
    for function in module.functions.values():
        for decorator in function.decorator_list:
            match decorator.func if isinstance(decorator, ast.Call) else decorator:
                case ast.Attribute(value=ast.Name(id=name), attr="command" | "callback" | "default"):
                    found[name].append(function)
    return found


def _find_imported_bases(
    module: ParsedModule, owner: ast.ClassDef
) -> Iterator[tuple[ParsedModule, ast.ClassDef]]:
    """Yield the classes of other files that a class, or a base of it in its own file, is derived from."""
    pending, seen = [owner], {owner}
    while pending:
        for base in pending.pop(0).bases:
            name = module.find_dotted_name(base)
            local = module.classes.get(name)
            if local is not None and local not in seen:
                seen.add(local)
                pending.append(local)
                continue
            found = module.find_imported(name) if local is None else None
            if found is not None and isinstance(found[1], ast.ClassDef):
                yield found[0], found[1]
