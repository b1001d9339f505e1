"""What calls in other files pass to the functions of a module, followed through the names of the module."""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from torchdoctor.source.idioms.containers import find_added_values
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.nodes import Function, find_argument, positional_names
from torchdoctor.source.module.parsed import ParsedModule

# How far an argument is followed from one call to the next.
_MAX_PASSES = 6
# With how many different arguments a function of another file is run.
_MAX_SIGNATURES = 4

# Functions that return their first argument unless it is None.
_DEFAULT_GIVERS = frozenset(("ifnone", "if_none", "default"))
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}

# An expression, and the module in which it stands.
Given = tuple[ParsedModule, ast.expr]


@dataclass
class GivenArguments:
    """What calls in other files pass for the parameters of a module; a later call replaces an earlier one."""

    module: ParsedModule
    values: dict[tuple[ast.AST, str], Given] = field(default_factory=dict)
    _signatures: dict[ast.AST, set[tuple[tuple[str, str], ...]]] = field(default_factory=dict)

    def find(self, node: ast.expr, depth: int = 0) -> Given | None:
        """Return the module and the expression that another file gives for a parameter or a part of it."""
        if depth > _MAX_PASSES:
            return None
        match node:
            case ast.Name(id=name):
                return self._find_in_calls(node, name, depth) or self._find_for_variable(node, depth)
            case ast.Call(func=ast.Name(id="int"), args=[value]):
                return self.find(value, depth + 1)
            case ast.Subscript(value=value, slice=ast.Constant(value=int() as index)):
                return self._find_item(value, index, depth + 1)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                owner = self.module.find_class(node)
                targets = self.module.attributes.get(name, ())
                values = [
                    binding.value for target, binding in targets if self.module.find_class(target) is owner
                ]
                plain = (_find_without_default(value) for value in values)
                found = (
                    self.find(value, depth + 1)
                    for value in plain
                    if isinstance(value, (ast.Name, ast.Attribute))
                )
                return next((each for each in found if each is not None), None) if len(values) == 1 else None
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                outer = self.find(value, depth + 1)
                if outer is None:
                    return None
                part: ast.expr
                if isinstance(node, ast.Attribute):
                    part = ast.Attribute(outer[1], node.attr, ast.Load())
                else:
                    part = ast.Subscript(outer[1], node.slice, ast.Load())
                return outer[0], part
        return None

    def find_verdict(self, test: ast.expr, depth: int = 0) -> bool | None:
        """Return the value of a condition on numbers that another file gives; None if that is not known."""
        if depth > _MAX_PASSES:
            return None
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.find_verdict(operand, depth + 1)
                return None if inner is None else not inner
            case ast.BoolOp(op=joint, values=values):
                deciding = isinstance(joint, ast.Or)
                verdicts = [self.find_verdict(value, depth + 1) for value in values]
                return deciding if deciding in verdicts else None if None in verdicts else not deciding
            case ast.Compare(left=left, ops=[sign], comparators=[ast.Constant(value=int() as limit)]):
                compare = _COMPARISONS.get(type(sign))
                match self.find(left):
                    case (_, ast.Constant(value=int() as number)) if compare is not None:
                        return compare(number, limit)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                owner = self.module.find_class(test)
                values = [
                    binding.value
                    for target, binding in self.module.attributes.get(name, ())
                    if self.module.find_class(target) is owner and binding.value is not None
                ]
                return self.find_verdict(values[0], depth + 1) if len(values) == 1 else None
        return None

    def _find_in_calls(self, node: ast.Name, name: str, depth: int) -> Given | None:
        function = self.module.find_parameter(node)
        if function is None or (function, name) in self.values:
            return self.values.get((function, name)) if function is not None else None
        names = positional_names(function)
        for call in self.module.calls_by_name.get(function.name, ()):
            value = find_argument(call, name, names.index(name) if name in names else len(call.args))
            if value is not None and (outer := self.find(value, depth + 1)) is not None:
                return outer
        return None

    def _find_for_variable(self, name: ast.Name, depth: int) -> Given | None:
        """Return what another file gives for a variable: a part of a parameter, or an item of one."""
        bindings = self.module.find_bindings(name)
        if len(bindings) != 1 or bindings[0].index is not None or self.module.find_function(name) is None:
            return None
        match bindings[0]:
            case Binding(value=ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() as value):
                return self.find(value, depth + 1)
            case Binding(statement=ast.For(iter=iterable)):
                return self._find_item(iterable, 0, depth + 1)
        return None

    def _find_item(self, container: ast.expr, index: int, depth: int) -> Given | None:
        """Return what another file gives for the item of a list at a position."""
        added = find_added_values(self.module, container) if isinstance(container, ast.Name) else ()
        found = (self.find(each, depth + 1) for each in added)
        if (first := next((each for each in found if each is not None), None)) is not None:
            return first
        outer = self.find(container, depth)
        if outer is None:
            return None
        module, value = outer
        value = (module.find_only_value(value) or value) if isinstance(value, ast.Name) else value
        match value:
            case ast.ListComp(elt=item):
                return module, item
            case ast.List(elts=items) | ast.Tuple(elts=items) if index < len(items):
                before = items[: index + 1]
                return (
                    None if any(isinstance(each, ast.Starred) for each in before) else (module, items[index])
                )
        return None

    def resolve(self, value: ast.expr) -> Given:
        """Return the module and the expression that a value in this module stands for."""
        return self.find(value) or (self.module, value)

    def find_forwarded(self, call: ast.Call) -> Mapping[str, Given]:
        """Return the arguments that a function was given and passes on with `**kwargs`."""
        unpacked = [
            each.value.id for each in call.keywords if not each.arg and isinstance(each.value, ast.Name)
        ]
        function = self.module.find_function(call)
        rest = function.args.kwarg if function is not None else None
        if function is None or rest is None or rest.arg not in unpacked:
            return {}
        owner = self.module.find_class(function) if function.name == "__init__" else None
        calls = self.module.calls_by_name.get(function.name if owner is None else owner.name, ())
        keywords = [each for outer in calls for each in outer.keywords]
        local: dict[str, Given] = {each.arg: self.resolve(each.value) for each in keywords if each.arg}
        return local | {name: value for (given, name), value in self.values.items() if given is function}

    def take(self, function: Function, call: ast.Call, caller: "GivenArguments", *, is_method: bool) -> bool:
        """Take the arguments of a call in another module for the parameters of a function of this one.

        Return whether they differ from those of earlier calls.
        """
        names = positional_names(function)[is_method:]
        given = dict(caller.find_forwarded(call))
        if function.args.kwarg is not None:
            # The function may pass on what it has no parameter for.
            given |= {each.arg: caller.resolve(each.value) for each in call.keywords if each.arg}
        for position, name in enumerate((*names, *(each.arg for each in function.args.kwonlyargs))):
            value = find_argument(call, name, position if name in names else len(call.args))
            if value is not None:
                given[name] = caller.resolve(value)
        known = self._signatures.setdefault(function, set())
        signature = tuple((name, ast.dump(value)) for name, (_, value) in given.items())
        if signature in known or len(known) >= _MAX_SIGNATURES:
            return False
        known.add(signature)
        self.values = {key: value for key, value in self.values.items() if key[0] is not function}
        self.values |= {(function, name): value for name, value in given.items()}
        return True


def _find_without_default(value: ast.expr | None) -> ast.expr | None:
    """Return what a value is where it is given: `x` of `x or y` and of `y if x is None else x`."""
    match value:
        case ast.BoolOp(op=ast.Or(), values=[given, _]):
            return given
        case ast.IfExp(test=ast.Compare(left=given, ops=[ast.Is()], comparators=[ast.Constant(value=None)])):
            return given if ast.dump(given) == ast.dump(value.orelse) else None
        case ast.IfExp(
            test=ast.Compare(left=given, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)])
        ):
            return given if ast.dump(given) == ast.dump(value.body) else None
        case ast.Call(func=ast.Name(id=name), args=[given, _]) if name in _DEFAULT_GIVERS:
            return given
    return value
