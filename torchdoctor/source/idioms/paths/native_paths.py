"""Which expressions are paths whose last part stands behind a backslash on Windows."""

import ast
from collections.abc import Callable, Hashable, Iterable, Sequence

from torchdoctor.source.idioms.containers import find_added_values, find_held_values
from torchdoctor.source.idioms.passed_values import find_items_of_lambda, find_passed_to
from torchdoctor.source.idioms.paths.formatted_names import find_formatted_values
from torchdoctor.source.idioms.paths.path_forms import (
    ENTRY,
    NAME,
    NOTHING,
    OBJECT,
    OTHER,
    PATH,
    WHOLE,
    Shape,
    merge,
)
from torchdoctor.source.idioms.paths.path_sources import (
    CHOOSING,
    GLOBS,
    PASSING_LISTS,
    PATHLIB_LISTS,
    PATHLIB_METHODS,
    RESULTS,
    WALKED,
    describe_glob,
    find_place,
    read_annotation,
    read_declaration,
)
from torchdoctor.source.module.arguments import find_called_function
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_annotation, find_default
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.reaching import (
    find_lasting_assignments,
    find_reaching_assignments,
    find_reaching_bindings,
)

# Methods of a text that leave its separators.
_PASSING_METHODS = frozenset(
    {"strip", "rstrip", "lstrip", "lower", "upper", "zfill", "removesuffix", "removeprefix"}
)
_PLAIN_DECORATORS = frozenset(
    {
        "staticmethod",
        "classmethod",
        "property",
        "cached_property",
        "cache",
        "lru_cache",
        "no_grad",
        "abstractmethod",
    }
)
_PROPERTIES = frozenset({"property", "cached_property"})
_MAX_DEPTH = 40
_MOST_STEPS = 300
# A name that is bound more often is not followed.
_MOST_BINDINGS = 6


def is_native_path(module: ParsedModule, node: ast.expr) -> bool:
    """Return whether an expression is a text with a path that has the separators of the system.

    Everything that it may be bound to has to be one.
    """
    return module.ask_once(_describe, node).is_text


def is_wholly_native(module: ParsedModule, node: ast.expr) -> bool:
    """Return whether an expression is a path of the system that cannot have other separators as well."""
    return module.ask_once(_describe, node) == WHOLE


def _describe(module: ParsedModule, node: ast.expr) -> Shape:
    return _Search().describe(module, node)


class _Search:
    """A search for what one expression is, through names, attributes, parameters and returned values.

    `_open` has what led to the expression that is looked at: what is made of itself says nothing.
    """

    def __init__(self) -> None:
        self._open: set[Hashable] = set()
        self._left = _MOST_STEPS

    def describe(self, module: ParsedModule, node: ast.expr | None) -> Shape:
        """Return the shape of an expression; of None, that nothing is known."""
        if node is None:
            return OTHER
        if self._left <= 0 or len(self._open) > _MAX_DEPTH:
            return OTHER
        self._left -= 1
        return self._ask(node, lambda: self._describe(module, node))

    def _ask(self, question: Hashable, find: Callable[[], Shape]) -> Shape:
        if question in self._open:
            return NOTHING
        self._open.add(question)
        try:
            return find()
        finally:
            self._open.discard(question)

    def _describe(self, module: ParsedModule, node: ast.expr) -> Shape:
        if (values := find_formatted_values(node)) is not None:
            return NAME if all(self.describe(module, each) == NAME for each in values) else OTHER
        match node:
            case ast.Name():
                return self._describe_name(module, node)
            case ast.Attribute():
                return self._describe_attribute(module, node)
            case ast.Call():
                return self._describe_call(module, node)
            case ast.Subscript():
                return self._describe_subscript(module, node)
            case ast.Constant(value=None | ""):
                return NOTHING
            case ast.Constant(value=str() as text) if text and not {"/", "\\"} & set(text):
                return NAME
            # A number has no separator in its text either.
            case ast.Constant(value=int()):
                return NAME
            case ast.JoinedStr(values=values):
                return self._describe_text(module, values)
            case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.SetComp(elt=item):
                return self.describe(module, item).listed
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return self._describe_items(module, items)
            case ast.BinOp():
                return self._describe_operation(module, node)
            case ast.IfExp(body=first, orelse=second) | ast.BoolOp(op=ast.Or(), values=[first, second]):
                return self._merge(module, (first, second))
            case ast.NamedExpr(value=value) | ast.Await(value=value):
                return self.describe(module, value)
        return OTHER

    def _merge(self, module: ParsedModule, nodes: Iterable[ast.expr | None]) -> Shape:
        return merge(self.describe(module, each) for each in nodes)

    def _describe_items(self, module: ParsedModule, items: Sequence[ast.expr]) -> Shape:
        if len(items) > _MOST_BINDINGS:
            return OTHER
        return merge(
            self.describe(module, each.value)
            if isinstance(each, ast.Starred)
            else self.describe(module, each).listed
            for each in items
        )

    # Names and attributes

    def _describe_name(self, module: ParsedModule, name: ast.Name) -> Shape:
        bindings = find_reaching_bindings(module, name) or module.find_bindings(name)
        if len(bindings) > _MOST_BINDINGS:
            return OTHER
        shape = merge(self._describe_binding(module, each, name.id) for each in bindings)
        if shape == NOTHING and bindings:
            shape = self._describe_added(module, find_added_values(module, name))
        if shape == NOTHING and (items := find_items_of_lambda(module, name)) is not None:
            return self.describe(module, items).items
        if shape == NOTHING and (function := module.find_parameter(name)) is not None:
            return self._describe_parameter(module, function, name.id)
        if not bindings and name.id in module.aliases:
            found = module.find_imported_value(module.aliases[name.id])
            return self.describe(*found) if found is not None else OTHER
        return shape if bindings else OTHER

    def _describe_binding(self, module: ParsedModule, binding: Binding, name: str) -> Shape:
        match binding.statement:
            case (
                ast.For(target=target, iter=items)
                | ast.AsyncFor(target=target, iter=items)
                | ast.comprehension(target=target, iter=items)
            ):
                place = find_place(target, name)
                return self._describe_item(module, items, place) if place is not None else OTHER
            case ast.AugAssign(op=ast.Add(), value=value):
                added = self.describe(module, value)
                return added if added.lists else NOTHING if added == NAME else OTHER
        if binding.index is not None:
            return self._describe_part(module, binding.value, binding.index)
        return self._ask(binding, lambda: self.describe(module, binding.value))

    def _describe_item(self, module: ParsedModule, items: ast.expr, place: tuple[int, ...]) -> Shape:
        """Return the shape of an item of a list, or of what stands at a place in each item."""
        match items:
            case ast.Call(func=ast.Name(id="enumerate")) if place == (0,):
                return NAME
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]) if place[:1] == (1,):
                return self._describe_item(module, inner, place[1:])
            case ast.Call(func=ast.Name(id="zip"), args=lists) if place and place[0] < len(lists):
                return self._describe_item(module, lists[place[0]], place[1:])
            case ast.Call(func=func, args=[first, *_]):
                dotted = module.find_dotted_name(func)
                if dotted == "os.walk":
                    return WALKED.get(place, OTHER)
                if place and dotted in PASSING_LISTS:
                    return self._describe_item(module, first, place)
        return OTHER if place else self.describe(module, items).items

    def _describe_part(self, module: ParsedModule, value: ast.expr | None, index: int) -> Shape:
        """Return the shape of what stands at an index of an unpacked value."""
        match value:
            case ast.Call(func=ast.Name(id="next"), args=[items, *_]):
                return self._describe_item(module, items, (index,))
            case ast.Call(func=func, args=[path]) if module.find_dotted_name(func) == "os.path.splitext":
                return self.describe(module, path) if index == 0 else OTHER
            case ast.Call(func=func, args=[path]) if module.find_dotted_name(func) == "os.path.split":
                return NAME if index == 1 else _name_folder(self.describe(module, path))
            case ast.Call() as call:
                return self._describe_result(module, call, index)
        return OTHER

    def _describe_added(self, module: ParsedModule, values: Sequence[ast.expr]) -> Shape:
        """Return the shape of an empty list that values are added to, one by one or as lists."""
        if len(values) > _MOST_BINDINGS:
            return OTHER
        shapes = []
        for value in values:
            match module.parents.get(value):
                case ast.Call(func=ast.Attribute(attr="append" | "insert")):
                    shapes.append(self.describe(module, value).listed)
                case _:
                    shapes.append(self.describe(module, value))
        return merge(shapes)

    def _describe_parameter(self, module: ParsedModule, function: Function, name: str) -> Shape:
        return self._ask((function, name), lambda: self._find_parameter(module, function, name))

    def _find_parameter(self, module: ParsedModule, function: Function, name: str) -> Shape:
        if (annotated := read_annotation(module, find_annotation(function, name))) != OTHER:
            return annotated
        passed = find_passed_to(module, function, name)
        if not passed:
            return self.describe(module, find_default(function, name))
        shapes = ((self.describe(module, each.value), each.is_item) for each in passed)
        found = merge(shape.items if is_item else shape for shape, is_item in shapes)
        return OTHER if found == NOTHING else found

    def _describe_attribute(self, module: ParsedModule, node: ast.Attribute) -> Shape:
        match node:
            case ast.Attribute(value=ast.Name(id="self")):
                owner = module.find_class(node)
                return self._describe_member(module, node, owner) if owner is not None else OTHER
        value = self.describe(module, node.value)
        if value == OBJECT:
            kinds = {"parent": OBJECT, "parents": OBJECT.listed, "name": NAME, "stem": NAME}
            return kinds.get(node.attr, OTHER)
        if value == ENTRY:
            return {"path": PATH, "name": NAME}.get(node.attr, OTHER)
        return OTHER

    def _describe_member(self, module: ParsedModule, node: ast.Attribute, owner: ast.ClassDef) -> Shape:
        """Return the shape of an attribute of `self` by the assignments that reach it or end a method."""
        bindings = find_reaching_assignments(module, node) or module.ask_once(
            find_lasting_assignments, owner, node.attr
        )
        if len(bindings) > _MOST_BINDINGS:
            return OTHER
        # An empty list, and a text that is only named, say nothing of what is assigned elsewhere.
        shape = merge(self._describe_binding(module, each, node.attr) for each in bindings)
        if shape != NOTHING:
            return shape
        assigned = {each.value for each in bindings}
        added = [each for each in find_held_values(module, node) if each not in assigned]
        shape = self._describe_added(module, added) if bindings else NOTHING
        if shape != NOTHING:
            return shape
        for method in owner.body:
            if isinstance(method, FUNCTIONS) and method.name == node.attr:
                is_property = bool(_PROPERTIES & set(_name_decorators(method)))
                return self._describe_returned(module, method) if is_property else OTHER
        return module.ask_once(read_declaration, owner, node.attr)

    # Calls

    def _describe_call(self, module: ParsedModule, call: ast.Call) -> Shape:
        dotted = module.find_dotted_name(call.func)
        if dotted in RESULTS:
            return RESULTS[dotted]
        if dotted in GLOBS:
            return describe_glob(call)
        match dotted, call.args:
            case "os.path.join", [_, *_, last]:
                shape = self.describe(module, last)
                return PATH if shape.is_text or shape == NAME else OTHER
            case "os.path.expanduser", [ast.Constant(value="~")]:
                return WHOLE
            case (("str" | "os.fspath" | "os.path.expanduser"), [value]):
                shape = self.describe(module, value)
                return WHOLE if shape == OBJECT else shape if shape.is_text or shape == NAME else OTHER
            case "os.path.dirname", [value]:
                return _name_folder(self.describe(module, value))
            case (("list" | "tuple" | "set"), []):
                return NOTHING
            case (("map" | "filter"), [function, items]):
                return self._describe_mapped(module, dotted, function, items)
            case _, [first, *_] if dotted in PASSING_LISTS:
                shape = self.describe(module, first)
                return shape if shape.lists or shape == NOTHING else OTHER
            case _, [first] if dotted in CHOOSING:
                return self.describe(module, first).items
        if find_called_function(module, call) is not None:
            return self._describe_result(module, call, None)
        return self._describe_method(module, call) if isinstance(call.func, ast.Attribute) else OTHER

    def _describe_mapped(self, module: ParsedModule, name: str, function: ast.expr, items: ast.expr) -> Shape:
        if name == "filter":
            return self.describe(module, items)
        if isinstance(function, ast.Lambda):
            return self.describe(module, function.body).listed
        if isinstance(function, ast.Name) and function.id == "str":
            shape = self.describe(module, items)
            return WHOLE.listed if shape == OBJECT.listed else shape
        return OTHER

    def _describe_method(self, module: ParsedModule, call: ast.Call) -> Shape:
        """Return the shape of what a method of a text, a list or a path of pathlib returns."""
        assert isinstance(call.func, ast.Attribute)
        method = call.func.attr
        if method in _PASSING_METHODS or method == "replace":
            value = self.describe(module, call.func.value)
            if value == OBJECT:
                return OBJECT if method == "replace" else OTHER
            is_kept = all(map(_has_no_slash, call.args)) if method == "replace" else True
            return value if (value.is_text or value == NAME) and is_kept else OTHER
        if method in PATHLIB_METHODS | PATHLIB_LISTS:
            value = self.describe(module, call.func.value)
            if value != OBJECT:
                return OTHER
            return OBJECT.listed if method in PATHLIB_LISTS else OBJECT
        if method in ("pop", "copy"):
            value = self.describe(module, call.func.value)
            return value.items if method == "pop" else value
        return OTHER

    def _describe_result(self, module: ParsedModule, call: ast.Call, index: int | None) -> Shape:
        """Return the shape of what a function of the project returns, or of a part of it."""
        found = find_called_function(module, call)
        if found is None or found[1].name == "__init__":
            return OTHER
        return self._describe_returned(*found, index)

    def _describe_returned(self, module: ParsedModule, function: Function, index: int | None = None) -> Shape:
        return self._ask((function, index), lambda: self._find_returned(module, function, index))

    def _find_returned(self, module: ParsedModule, function: Function, index: int | None) -> Shape:
        is_plain = set(_name_decorators(function)) <= _PLAIN_DECORATORS
        yielded = module.yields.get(function, ())
        values = module.find_returned_values(function)
        if not is_plain or isinstance(function, ast.AsyncFunctionDef):
            return OTHER
        if len(yielded or values) > _MOST_BINDINGS:
            return OTHER
        if yielded:
            return self._find_yielded(module, yielded) if index is None else OTHER
        if index is None:
            return self._merge(module, values) if values else OTHER
        parts = [each.elts for each in values if isinstance(each, ast.Tuple) and index < len(each.elts)]
        return self._merge(module, (each[index] for each in parts)) if len(parts) == len(values) else OTHER

    def _find_yielded(self, module: ParsedModule, yields: Sequence[ast.Yield | ast.YieldFrom]) -> Shape:
        shapes = [(each, self.describe(module, each.value)) for each in yields]
        return merge(shape.listed if isinstance(each, ast.Yield) else shape for each, shape in shapes)

    # Parts and sums

    def _describe_subscript(self, module: ParsedModule, node: ast.Subscript) -> Shape:
        if isinstance(node.value, ast.Call) and node.value.args and not isinstance(node.slice, ast.Slice):
            return self._describe_piece(module, node.value, is_first=ast.unparse(node.slice) == "0")
        value = self.describe(module, node.value)
        if isinstance(node.slice, ast.Slice):
            is_start = node.slice.lower is None and node.slice.step is None
            is_kept = value.lists or value == NAME or (value.is_text and is_start)
            return value if is_kept else OTHER
        return value.items

    def _describe_piece(self, module: ParsedModule, call: ast.Call, is_first: bool) -> Shape:
        """Return the shape of a piece that a call splits off a text, or of an item of what it returns."""
        match call:
            case ast.Call(func=ast.Attribute(attr="split"), args=[ast.Constant(value="/")]):
                return NAME
            case ast.Call(
                func=ast.Attribute(value=text, attr="split" | "rsplit" | "partition" | "rpartition"),
                args=[separator, *_],
            ):
                # The part before a dot: `path.split(".")[0]`.
                value = self.describe(module, text) if is_first and _has_no_slash(separator) else OTHER
                return value if value.is_text or value == NAME else OTHER
        if module.find_dotted_name(call.func) == "os.path.splitext":
            return self.describe(module, call.args[0]) if is_first else OTHER
        return self.describe(module, call).items

    def _describe_operation(self, module: ParsedModule, node: ast.BinOp) -> Shape:
        left = self.describe(module, node.left)
        match node.op:
            case ast.Div():
                return OBJECT if OBJECT in (left, self.describe(module, node.right)) else OTHER
            case ast.Sub() | ast.Mult():
                return left if left.lists else OTHER
            case ast.Add() | ast.BitOr():
                right = self.describe(module, node.right)
                if left.is_text or left == NAME:
                    return left if right == NAME else OTHER
                return (
                    merge((left, right))
                    if left.lists or right.lists
                    else NOTHING
                    if left == right == NOTHING
                    else OTHER
                )
        return OTHER

    def _describe_text(self, module: ParsedModule, values: Sequence[ast.expr]) -> Shape:
        """Return the shape of an f-string: that of its parts up to one that may have a slash."""
        shapes = [
            (NAME if _is_number(each) else self.describe(module, each.value))
            if isinstance(each, ast.FormattedValue)
            else self.describe(module, each)
            for each in values
        ]
        shapes = [WHOLE if each == OBJECT else each for each in shapes]
        while len(shapes) > 1 and shapes[-1] == NAME:
            shapes.pop()
        if not shapes or shapes[-1] == NAME:
            return NAME if shapes else OTHER
        last = shapes[-1]
        return (last if len(shapes) == 1 else PATH) if last.is_text else OTHER


def _name_folder(shape: Shape) -> Shape:
    """Return the shape of the folder of a path; the separators before the last one are not always known."""
    return shape if shape == WHOLE else OTHER


def _is_number(node: ast.FormattedValue) -> bool:
    match node.format_spec:
        case ast.JoinedStr(values=[ast.Constant(value=str() as spec)]):
            return spec.endswith("d")
    return False


def _has_no_slash(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not {"/", "\\"} & set(str(node.value))


def _name_decorators(function: Function) -> list[str]:
    nodes = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return [ast.unparse(each).rpartition(".")[2] for each in nodes]
