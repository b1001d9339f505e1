"""Which numbers are the number of processors, which is that of the machine that runs the program."""

import ast
import re
from collections.abc import Iterator
from itertools import islice

from torchdoctor.source.module.arguments import find_calls_of, find_passed_argument
from torchdoctor.source.module.command_options import find_option_defaults
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import find_default
from torchdoctor.source.module.objects import find_members
from torchdoctor.source.module.parsed import ParsedModule

PROCESSORS = re.compile(r"cpu_count|sched_getaffinity")
# A number is seldom passed on through so many names, and is seldom one of so many.
_MOST_STEPS = 4
_MOST_VALUES = 20
_Value = tuple[ParsedModule, ast.expr]


def find_processors(module: ParsedModule, node: ast.expr, number: int) -> str | None:
    """Return the expression with the number of processors that a value stands for, as it is written.

    It is followed through names, parameters, attributes and options; `number` is the largest value, and what
    cannot have it is left out. None if the value is written out, or another one is the largest.
    """
    values: list[_Value] = [(module, node)]
    for _ in range(_MOST_STEPS):
        found = islice((each for value in values for each in _find_values(*value)), _MOST_VALUES)
        values = [each for each in found if number in find_possible_values(*each)]
        for _, value in values:
            if PROCESSORS.search(written := ast.unparse(value)):
                return written
    return None


def _find_values(module: ParsedModule, node: ast.expr) -> Iterator[_Value]:
    """Yield the values of a name or attribute, each with its module."""
    match node:
        case ast.Name():
            yield from ((module, each) for each in _find_values_of_name(module, node))
        case ast.Attribute(value=owner, attr=name):
            assigned = (binding.value for _, binding in module.attributes.get(name, ()))
            yield from ((module, each) for each in assigned if each is not None)
            yield from ((module, each) for each in find_option_defaults(module, name))
            yield from find_members(module, owner, name)
        case _:
            return
    if module.place is not None and (found := module.find_imported_value(module.find_dotted_name(node))):
        yield found


def _find_values_of_name(module: ParsedModule, name: ast.Name) -> Iterator[ast.expr]:
    function = module.find_parameter(name)
    if function is None:
        yield from (each.value for each in module.find_bindings(name) if each.value is not None)
        return
    for call in find_calls_of(module, function)[:_MOST_VALUES]:
        if (passed := find_passed_argument(module, call, function, name.id)) is not None:
            yield passed
    if (default := find_default(function, name.id)) is not None:
        yield default
