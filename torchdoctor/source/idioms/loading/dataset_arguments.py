"""What a program gives to its own datasets: the arguments of each call, by the attribute that keeps them."""

import ast
from collections.abc import Iterator

from torchdoctor.source.idioms.loading.datasets import find_methods, find_stored_values
from torchdoctor.source.module.nodes import find_argument, positional_names
from torchdoctor.source.module.parsed import ParsedModule


def find_given_values(module: ParsedModule, dataset: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attribute that keeps an argument, and the argument, for each call of a dataset's class.

    Only arguments that the constructor stores unchanged (`self.model = model`) are found.
    """
    constructor = find_methods(dataset).get("__init__")
    if constructor is None:
        return
    parameters = positional_names(constructor)[1:]
    keyword_only = [each.arg for each in constructor.args.kwonlyargs]
    keepers = {
        value.id: attribute
        for attribute, value in find_stored_values([constructor])
        if isinstance(value, ast.Name)
    }
    for call in module.find_calls_of_name(dataset.name):
        for position, name in enumerate((*parameters, *keyword_only)):
            argument = find_argument(call, name, position if name in parameters else len(call.args))
            if argument is not None and name in keepers:
                yield keepers[name], argument
