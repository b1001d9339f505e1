"""The options of a command line, as argparse and click declare them, and their defaults."""

import ast
from collections import defaultdict
from collections.abc import Mapping

from torchdoctor.source.module.parsed import ParsedModule, find_keyword

_OPTION_METHODS = ("add_argument", "option", "add", "Option", "add_arg")


def find_option_defaults(module: ParsedModule, name: str) -> list[ast.expr]:
    """Return the defaults of the command-line options (argparse, click) stored under a name."""
    return module.ask_once(_index_option_defaults).get(name, [])


def _index_option_defaults(module: ParsedModule) -> Mapping[str, list[ast.expr]]:
    defaults: dict[str, list[ast.expr]] = defaultdict(list)
    for call in module.calls:
        default = find_keyword(call, "default")
        if default is not None and (name := find_option_name(call)) is not None:
            defaults[name].append(default)
    return defaults


def find_option_name(call: ast.Call) -> str | None:
    """Return the attribute in which a call such as `add_argument("--batch-size")` stores a value, or None."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _OPTION_METHODS:
        return None
    destination = find_keyword(call, "dest")
    if isinstance(destination, ast.Constant):
        return str(destination.value)
    flags = [
        each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    names = [flag for flag in flags if flag.startswith("--")] or flags
    return names[0].lstrip("-").replace("-", "_") if names else None
