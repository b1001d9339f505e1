"""Values that start processes when they are used, and the names that hold them."""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from torchdoctor.core.record import record
from torchdoctor.source.idioms.loaders import read_loader
from torchdoctor.source.module.constants import possible_values
from torchdoctor.source.module.parsed import FUNCTIONS, Function, ParsedModule, keyword

_LOADER_METHODS = ("train_dataloader", "val_dataloader", "test_dataloader", "predict_dataloader")
# Calls that give back something that is, or holds, the loader that they take.
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
MAKES = re.compile(
    r"^_?(prepare|setup|wrap|get|make|build|create|load|init|to|move|distribute|initialize|register|set)(_|$)"
)


@record
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


@dataclass
class Holders:
    """The loaders and processes that names, attributes and functions of a module hold at a moment."""

    module: ParsedModule
    names: dict[tuple[ast.AST, str], Carrier] = field(default_factory=dict)
    attributes: dict[str, Carrier] = field(default_factory=dict)
    results: dict[tuple[ast.AST, frozenset[str]], Carrier | None] = field(default_factory=dict)

    def carried(self, node: ast.expr) -> Carrier | None:
        """Tell which loader or process a value is, or holds."""
        match node:
            case ast.Name():
                return self._named(node)
            case ast.Attribute(value=value, attr=name):
                return (
                    self.attributes.get(name)
                    if not self.module.canonical(value).startswith("torch")
                    else None
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

    def carried_arguments(self, call: ast.Call) -> list[Carrier]:
        """Give what the arguments of a call carry."""
        values = [*call.args, *(each.value for each in call.keywords)]
        return [carrier for each in values if (carrier := self.carried(each)) is not None]

    def carried_parameters(self, call: ast.Call, function: Function) -> dict[str, Carrier]:
        """Give what a call hands to the parameters of a function, by name."""
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        if isinstance(self.module.scope(function), ast.ClassDef):
            names = names[1:]
        pairs = [
            *zip(names, call.args, strict=False),
            *((each.arg, each.value) for each in call.keywords if each.arg),
        ]
        return {name: carrier for name, value in pairs if (carrier := self.carried(value)) is not None}

    def find_function(self, call: ast.Call) -> Function | None:
        """Find the function or method of this module that a call runs."""
        match call.func:
            case ast.Name(id=name):
                if name in self.module.classes:
                    return self.find_method(self.module.classes[name], "__init__")
                found = self.module.functions.get(name)
                return found if found is not None else self._nested(call, name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                owner = self.module.enclosing_class(call)
                return self.find_method(owner, name) if owner is not None else None
            case ast.Attribute(value=value, attr=name):
                owner = self._instance(value)
                return self.find_method(owner, name) if owner is not None else None
        return None

    def _nested(self, call: ast.Call, name: str) -> Function | None:
        scope = self.module.scope(call)
        for node in ast.iter_child_nodes(scope):
            if isinstance(node, FUNCTIONS) and node.name == name:
                return node
        return None

    def _instance(self, value: ast.expr) -> ast.ClassDef | None:
        if isinstance(value, ast.Name):
            for binding in self.module.find_bindings(value):
                if isinstance(binding.value, ast.Call) and binding.index is None:
                    value = binding.value
                    break
        if isinstance(value, ast.Call):
            return self.module.classes.get(self.module.canonical(value.func))
        return self.module.classes.get(value.id) if isinstance(value, ast.Name) else None

    def find_method(self, owner: ast.ClassDef, name: str) -> Function | None:
        """Find a method of a class, or of its bases in this module."""
        own = [each for each in self.module.methods.get(name, ()) if self.module.parents[each] is owner]
        if own:
            return own[0]
        for base in owner.bases:
            parent = self.module.classes.get(self.module.canonical(base))
            if parent is not None and parent is not owner:
                return self.find_method(parent, name)
        return None

    def _held(self, items: Iterable[ast.expr]) -> Carrier | None:
        found = next((each for item in items if (each := self.carried(item)) is not None), None)
        return found.held() if found is not None and found.kind == "loader" else found

    def _named(self, name: ast.Name) -> Carrier | None:
        scope: ast.AST = self.module.scope(name)
        while True:
            if (found := self.names.get((scope, name.id))) is not None:
                return found
            if scope is self.module.tree:
                return None
            scope = self.module.scope(scope)

    def _carried_call(self, call: ast.Call) -> Carrier | None:
        loader = read_loader(self.module, call)
        if loader is not None:
            if loader.has_workers and loader.workers is not None:
                return Carrier("loader", f"a {loader.name.rpartition('.')[2]} with {loader.workers.shown}")
            return None
        name = self.module.canonical(call.func)
        last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        if name == "multiprocessing.Process" or self._derives_from_process(name):
            return Carrier("process", f"{last}()")
        if name.startswith("ultralytics.") and last in ("YOLO", "RTDETR", "YOLOWorld", "FastSAM", "YOLOE"):
            return Carrier("yolo", last)
        if (special := self._carried_settings(call, name, last)) is not None:
            return special
        function = self.find_function(call)
        if function is not None and function.name != "__init__":
            return self.results.get((function, frozenset(self.carried_parameters(call, function))))
        return self._wrapped(call, last)

    def _derives_from_process(self, name: str) -> bool:
        local = self.module.classes.get(name)
        return local is not None and "multiprocessing.Process" in self.module.bases(local)

    def _carried_settings(self, call: ast.Call, name: str, last: str) -> Carrier | None:
        if last.endswith("TrainingArguments") and keyword(call, "dataloader_num_workers") is not None:
            written = keyword(call, "dataloader_num_workers")
            most = max((v for v in possible_values(self.module, written) if isinstance(v, int)), default=0)
            return Carrier("holder", f"a Trainer with dataloader_num_workers={most}") if most > 0 else None
        local = self.module.classes.get(name)
        for method in _LOADER_METHODS if local is not None else ():
            function = self.find_method(local, method) if local is not None else None
            for each in ast.walk(function) if function is not None else ():
                found = read_loader(self.module, each) if isinstance(each, ast.Call) else None
                if found is not None and found.workers is not None and found.has_workers:
                    return Carrier("holder", f"a DataLoader with {found.workers.shown}")
        return None

    def _wrapped(self, call: ast.Call, last: str) -> Carrier | None:
        carried = self.carried_arguments(call)
        if not carried:
            receiver = self.carried(call.func.value) if isinstance(call.func, ast.Attribute) else None
            return receiver if last in ("items", "values", "get", "copy", "pop") else None
        if last in WRAPPERS or last in ("reversed", "list", "dict", "tuple"):
            return carried[0]
        if last in ("prepare", "setup_dataloaders", "setup", "prepare_data_loader"):
            parts = tuple(self.carried(each) for each in call.args)
            return parts[0] if len(parts) == 1 else Carrier("holder", carried[0].what, parts)
        if last[:1].isupper() or MAKES.match(last):
            return carried[0].held() if carried[0].kind != "process" else None
        return None
