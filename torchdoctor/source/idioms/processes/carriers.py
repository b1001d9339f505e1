"""The values that start processes when they are used, and the names that hold them."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from torchdoctor.core.record import record
from torchdoctor.source.idioms.containers import find_held_values
from torchdoctor.source.idioms.loading.loaders import (
    Loader,
    Workers,
    evaluate_workers,
    find_setting,
    read_loader,
    read_workers,
)
from torchdoctor.source.idioms.processes.given_arguments import GivenArguments
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_keyword, positional_names
from torchdoctor.source.module.parsed import ParsedModule

_LOADER_METHODS = ("train_dataloader", "val_dataloader", "test_dataloader", "predict_dataloader")
# Lightning's classes that start processes, and the strategies that do so by spawn, by their beginning
# (`lightning/pytorch/strategies/ddp.py`); before 1.5, `accelerator` was the parameter.
_TRAINERS = frozenset({"lightning.Trainer", "lightning.Fabric"})
_STRATEGY_PARAMETERS = ("strategy", "accelerator")
_SPAWNING_STRATEGIES = ("ddp_spawn", "ddp_sharded_spawn")
# The settings that a configuration has for the loaders of its trainer: those of Hugging Face, of coqui's
# `trainer`, and others of the same form.
_LOADER_SETTINGS = (
    "dataloader_num_workers",
    "num_loader_workers",
    "num_eval_loader_workers",
    "data_loader_num_workers",
    "num_dataloader_workers",
    "dataloader_workers",
)
# An object is followed through so many functions that return it.
_MAX_PASSES = 6
# Calls that return their loader argument, or an object that holds it.
WRAPPERS = frozenset(
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
# Functions whose result has the settings of their argument.
_COPIES = frozenset({"copy", "deepcopy", "replace", "list", "tuple"})
# Names of functions whose result holds their loader argument.
MAKER_NAMES = re.compile(
    r"^_?(prepare|setup|wrap|get|make|build|create|load|init|to|move|distribute|initialize|register|set)(_|$)"
)


@record
class Carrier:
    """A value that starts processes when it is used.

    `kind` is "loader", "process", "yolo" (an Ultralytics model), "holder" (an object or container that
    holds a carrier) or "settings" (a configuration with a number of workers, which starts some only once a
    trainer has it); `description` describes the value in a finding; `parts` are the items of a tuple.
    """

    kind: str
    description: str
    parts: tuple["Carrier | None", ...] = ()

    def to_holder(self) -> "Carrier":
        """Return the carrier for a container or object that holds this value."""
        return Carrier("holder", self.description)

    def to_item(self) -> "Carrier":
        """Return the carrier for an item of this value; anything but a holder is its own item."""
        return Carrier("loader", self.description) if self.kind == "holder" else self


@dataclass
class CarrierTable:
    """The carriers that names, attributes and function results of a module hold during a simulated import."""

    module: ParsedModule
    names: dict[tuple[ast.AST, str], Carrier] = field(default_factory=dict)
    attributes: dict[str, Carrier] = field(default_factory=dict)
    results: dict[tuple[ast.AST, frozenset[str]], Carrier | None] = field(default_factory=dict)
    # What functions of other files returned, and the classes of other files that calls build.
    call_results: dict[ast.Call, Carrier | None] = field(default_factory=dict)
    imported: dict[ast.Call, tuple[ParsedModule, ast.ClassDef]] = field(default_factory=dict)
    _nested_functions: dict[ast.AST, dict[str, Function]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # What calls in other files pass for the parameters of this one.
        self.given = GivenArguments(self.module)

    def find_carrier(self, node: ast.expr) -> Carrier | None:
        """Return the carrier that an expression evaluates to, or None for any other value."""
        match node:
            case ast.Name():
                return self._find_for_name(node)
            case ast.Attribute(value=value, attr=name):
                is_torch = self.module.find_dotted_name(value).startswith("torch")
                return None if is_torch else self.attributes.get(name)
            case ast.Call():
                return self._find_for_call(node)
            case ast.Tuple(elts=items):
                parts = tuple(self.find_carrier(item) for item in items)
                first = _choose(part for part in parts if part is not None)
                kind = "settings" if first is not None and first.kind == "settings" else "holder"
                return Carrier(kind, first.description, parts) if first is not None else None
            case ast.List(elts=items) | ast.Set(elts=items):
                return self._find_for_container(items)
            case ast.Dict(values=items):
                return self._find_for_container(items)
            case ast.DictComp(value=value) | ast.ListComp(elt=value) | ast.SetComp(elt=value):
                return self._find_for_container([value])
            case ast.Subscript(value=value):
                carrier = self.find_carrier(value)
                return carrier.to_item() if carrier is not None else None
            case ast.IfExp(body=body, orelse=orelse):
                return self.find_carrier(body) or self.find_carrier(orelse)
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                return self.find_carrier(value)
        return None

    def find_argument_carriers(self, call: ast.Call) -> list[Carrier]:
        """Return the carriers among the arguments of a call; settings are the last of them."""
        values = [*call.args, *(each.value for each in call.keywords)]
        found = [carrier for value in values if (carrier := self.find_carrier(value)) is not None]
        return sorted(found, key=_is_settings)

    def find_parameter_carriers(self, call: ast.Call, function: Function) -> dict[str, Carrier]:
        """Return the carriers that a call passes to a function, by parameter name."""
        names = positional_names(function)
        if isinstance(self.module.find_scope(function), ast.ClassDef):
            names = names[1:]
        arguments = [
            *zip(names, call.args, strict=False),
            *((each.arg, each.value) for each in call.keywords if each.arg),
        ]
        return {
            name: carrier for name, value in arguments if (carrier := self.find_carrier(value)) is not None
        }

    def find_function(self, call: ast.Call) -> Function | None:
        """Return the function or method of this module that a call runs."""
        match call.func:
            case ast.Name(id=name):
                if name in self.module.classes:
                    return self.find_method(self.module.classes[name], "__init__")
                function = self.module.functions.get(name)
                return function if function is not None else self._find_nested_function(call, name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                owner = self.module.find_class(call)
                return self.find_method(owner, name) if owner is not None else None
            case ast.Attribute(value=value, attr=name):
                owner = self.find_class_of(value)
                return self.find_method(owner, name) if owner is not None else None
            case ast.Subscript(value=ast.Name()) as item:
                return self._find_chosen_function(item)
        return None

    def _find_chosen_function(self, item: ast.Subscript) -> Function | None:
        """Return the first function of a table of functions of this module."""
        names = (value.id for value in find_held_values(self.module, item) if isinstance(value, ast.Name))
        return next((self.module.functions[each] for each in names if each in self.module.functions), None)

    def _find_nested_function(self, call: ast.Call, name: str) -> Function | None:
        scope = self.module.find_scope(call)
        if scope not in self._nested_functions:
            functions = [node for node in ast.iter_child_nodes(scope) if isinstance(node, FUNCTIONS)]
            self._nested_functions[scope] = {node.name: node for node in reversed(functions)}
        return self._nested_functions[scope].get(name)

    def find_class_of(self, value: ast.expr) -> ast.ClassDef | None:
        """Return the class of this module that a value is an instance of, or that it names."""
        if isinstance(value, ast.Name):
            for binding in self.module.find_bindings(value):
                if isinstance(binding.value, ast.Call) and binding.index is None:
                    value = binding.value
                    break
        if isinstance(value, ast.Call):
            return self.module.classes.get(self.module.find_dotted_name(value.func))
        return self.module.classes.get(value.id) if isinstance(value, ast.Name) else None

    def find_method(self, owner: ast.ClassDef, name: str) -> Function | None:
        """Return a method of a class, or of its bases in this module."""
        classes, seen = self.module.classes, set[ast.ClassDef]()
        current: ast.ClassDef | None = owner
        while current is not None and current not in seen:
            seen.add(current)
            method = self.module.ask_once(_list_methods, current).get(name)
            if method is not None:
                return method
            parents = (classes.get(self.module.find_dotted_name(base)) for base in current.bases)
            current = next((each for each in parents if each not in (None, current)), None)
        return None

    def _find_for_container(self, items: Iterable[ast.expr]) -> Carrier | None:
        """Return the carrier for a list, set or dictionary with these items."""
        carrier = _choose(found for item in items if (found := self.find_carrier(item)) is not None)
        return carrier.to_holder() if carrier is not None and carrier.kind == "loader" else carrier

    def _find_for_name(self, name: ast.Name) -> Carrier | None:
        scope: ast.AST = self.module.find_scope(name)
        while True:
            if (carrier := self.names.get((scope, name.id))) is not None:
                return carrier
            if scope is self.module.tree:
                return None
            scope = self.module.find_scope(scope)

    def _find_for_call(self, call: ast.Call) -> Carrier | None:
        if self.call_results.get(call) is not None:
            return self.call_results[call]
        loader = read_loader(self.module, call)
        if loader is not None:
            workers = self._find_workers(loader)
            if workers is None:
                return None
            return Carrier("loader", f"a {loader.name.rpartition('.')[2]} with {workers.description}")
        name = self.module.find_dotted_name(call.func)
        last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        if name == "multiprocessing.Process" or self._derives_from_process(name):
            return Carrier("process", f"{last}()")
        if name.startswith("ultralytics.") and last in ("YOLO", "RTDETR", "YOLOWorld", "FastSAM", "YOLOE"):
            return Carrier("yolo", last)
        if (holder := self._find_loader_holder(call, name, last)) is not None:
            return holder
        function = self.find_function(call)
        if function is not None and function.name != "__init__":
            return self.results.get((function, frozenset(self.find_parameter_carriers(call, function))))
        return self._find_for_wrapper(call, last)

    def _derives_from_process(self, name: str) -> bool:
        local = self.module.classes.get(name)
        return local is not None and "multiprocessing.Process" in self.module.find_base_names(local)

    def _find_loader_holder(self, call: ast.Call, name: str, last: str) -> Carrier | None:
        """Return the carrier for settings of loaders, or an object whose methods build some."""
        if (settings := self._find_settings(call, name, last)) is not None:
            return settings
        if name in _TRAINERS and (spawning := self._find_spawning_strategy(call)) is not None:
            return Carrier("holder", f"a {last} with {spawning}")
        local = self.module.classes.get(name)
        if local is not None:
            return self.find_class_holder(local)
        if not last.endswith("DataModule") or call in self.imported:
            return None
        workers = read_workers(self.module, call)
        has_workers = workers is not None and (workers.most or 0) > 0
        return Carrier("holder", f"a {last} with {workers.description}") if workers and has_workers else None

    def _find_settings(self, call: ast.Call, name: str, last: str) -> Carrier | None:
        """Return the carrier for a configuration that has workers for the loaders of a trainer."""
        if not last[:1].isupper():
            return None
        owner = self.module.classes.get(name)
        for setting in _LOADER_SETTINGS:
            value = find_setting(self.module, call, setting)
            if value is None and owner is not None:
                bindings = self.module.bindings.get((owner, setting), ())
                value = bindings[-1].value if bindings else None
            if value is not None and (found := self.read_setting(setting, value)) is not None:
                return found
        return None

    def read_setting(self, name: str, value: ast.expr) -> Carrier | None:
        """Return the carrier for an object with a setting of this value, None without workers."""
        if name not in _LOADER_SETTINGS:
            return None
        values = find_possible_values(self.module, value)
        most = max((each for each in values if isinstance(each, int)), default=0)
        return Carrier("settings", f"{name}={most}") if most > 0 else None

    def _find_spawning_strategy(self, call: ast.Call) -> str | None:
        """Return the argument of a Trainer that lets it start its processes by spawn, or None.

        With "ddp", Lightning starts the whole script again in its processes, which needs no guard.
        """
        for name in _STRATEGY_PARAMETERS:
            values = find_possible_values(self.module, find_keyword(call, name))
            for value in sorted(str(each) for each in values):
                if value.startswith(_SPAWNING_STRATEGIES):
                    return f'{name}="{value}"'
        return None

    def find_class_holder(self, owner: ast.ClassDef) -> Carrier | None:
        """Return the carrier for an instance of a class whose methods build loaders with workers."""
        for method_name in _LOADER_METHODS:
            method = self.find_method(owner, method_name)
            for node in ast.walk(method) if method is not None else ():
                loader = read_loader(self.module, node) if isinstance(node, ast.Call) else None
                if loader is not None and (workers := self._find_workers(loader)) is not None:
                    return Carrier("holder", f"a DataLoader with {workers.description}")
        return None

    def _find_workers(self, loader: Loader) -> Workers | None:
        """Return the workers of a loader that has some; what another file passes replaces defaults."""
        workers = loader.workers
        if workers is None:
            forwarded = self.given.find_forwarded(loader.call).get("num_workers")
            workers = evaluate_workers(*forwarded) if forwarded is not None else None
            return workers if workers is not None and (workers.most or 0) > 0 else None
        outer = self.given.find(workers.node)
        if outer is None:
            return workers if loader.has_workers else None
        values = find_possible_values(*outer)
        most = max((int(each) for each in values if isinstance(each, (int, float))), default=0)
        return replace(workers, most=most) if most > 0 else None

    def find_instance(self, node: ast.expr, depth: int = 0) -> tuple[ParsedModule, ast.ClassDef] | None:
        """Return the class in another file of which a name or call is an instance."""
        if isinstance(node, ast.Name):
            values = [each.value for each in self.module.find_bindings(node) if each.index is None]
        else:
            values = [node]
        # Of several branches, the last one counts.
        for value in reversed(values):
            if not isinstance(value, ast.Call):
                continue
            if value in self.imported:
                return self.imported[value]
            function = self.find_function(value) if depth < _MAX_PASSES else None
            if function is not None and (found := self.find_returned_instance(function, depth + 1)):
                return found
        return None

    def find_returned_instance(
        self, function: Function, depth: int = 0
    ) -> tuple[ParsedModule, ast.ClassDef] | None:
        """Return the class of the object that a function of this module makes and returns."""
        for value in self.module.find_returned_values(function):
            if (found := self.find_instance(value, depth)) is not None:
                return found
            if (owner := self.find_class_of(value)) is not None:
                return self.module, owner
        return None

    def _find_for_wrapper(self, call: ast.Call, last: str) -> Carrier | None:
        """Return the carrier for a call that wraps or holds its arguments, or reads from a container."""
        arguments = self.find_argument_carriers(call)
        if not arguments:
            receiver = self.find_carrier(call.func.value) if isinstance(call.func, ast.Attribute) else None
            return receiver if last in ("items", "values", "get", "copy", "pop") else None
        if arguments[0].kind == "settings":
            return self._find_for_configured(call, last, arguments[0])
        if last in WRAPPERS or last in ("reversed", "list", "dict", "tuple"):
            return arguments[0]
        if last in ("prepare", "setup_dataloaders", "setup", "prepare_data_loader"):
            parts = tuple(self.find_carrier(value) for value in call.args)
            return parts[0] if len(parts) == 1 else Carrier("holder", arguments[0].description, parts)
        if last[:1].isupper() or MAKER_NAMES.match(last):
            return arguments[0].to_holder() if arguments[0].kind != "process" else None
        return None

    def _find_for_configured(self, call: ast.Call, last: str, settings: Carrier) -> Carrier | None:
        """Return the carrier for what a call makes of settings: a trainer with them, or settings again."""
        if last.lower().endswith("trainer") and self._is_foreign(call):
            return Carrier("holder", f"a {last} with {settings.description}")
        return settings if last in WRAPPERS or last in _COPIES or MAKER_NAMES.match(last) else None

    def _is_foreign(self, call: ast.Call) -> bool:
        """Return whether what a call makes is, or is derived from, a class of another project."""
        owner = self.module.classes.get(self.module.find_dotted_name(call.func))
        if owner is None:
            return call not in self.imported
        names = self.module.find_base_names(owner) - self.module.classes.keys()
        return any(each.endswith("Trainer") and self.module.find_imported(each) is None for each in names)


def _is_settings(carrier: Carrier) -> bool:
    return carrier.kind == "settings"


def _choose(carriers: Iterable[Carrier]) -> Carrier | None:
    """Return the first carrier; settings count only if there is nothing else."""
    return min(carriers, key=_is_settings, default=None)


def _list_methods(module: ParsedModule, owner: ast.ClassDef) -> Mapping[str, Function]:
    """Return the methods that a class defines itself; of several of a name, the first one."""
    return {each.name: each for each in reversed(owner.body) if isinstance(each, FUNCTIONS)}
