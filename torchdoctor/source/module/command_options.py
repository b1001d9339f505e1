"""The options of a command line, as argparse, click and absl declare them, and their defaults."""

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence

from torchdoctor.source.module.nodes import Function, find_keyword
from torchdoctor.source.module.parsed import ParsedModule

_OPTION_METHODS = ("add_argument", "option", "add", "Option", "add_arg")
# The functions of absl that declare an option: its name, its default and its help.
_FLAG_FUNCTIONS = ("DEFINE_integer", "DEFINE_float", "DEFINE_string", "DEFINE_bool", "DEFINE_enum")


def find_option_defaults(module: ParsedModule, name: str) -> list[ast.expr]:
    """Return the defaults of the command-line options (argparse, click, absl) stored under a name."""
    return module.ask_once(_index_option_defaults).get(name, [])


def _index_option_defaults(module: ParsedModule) -> Mapping[str, list[ast.expr]]:
    defaults: dict[str, list[ast.expr]] = defaultdict(list)
    for call in module.calls:
        default = find_option_default(call)
        if default is not None and (name := find_option_name(call)) is not None:
            defaults[name].append(default)
    _apply_set_defaults(module, defaults)
    return defaults


def _apply_set_defaults(module: ParsedModule, defaults: dict[str, list[ast.expr]]) -> None:
    """Add the defaults of `parser.set_defaults(workers=4)`, which replace those of earlier options."""
    calls = module.calls_by_name.get("set_defaults", ())
    has_one_parser = len({ast.unparse(call.func) for call in calls}) == 1
    for call in calls:
        replaces = has_one_parser and not any(isinstance(each, ast.If) for each in module.ancestors(call))
        for each in call.keywords:
            known = defaults[each.arg or ""]
            # What add_argument() says later stands.
            if not known or known[-1].lineno < call.lineno:
                if replaces:
                    known.clear()
                known.append(each.value)


def find_decorated_default(function: Function, name: str) -> ast.expr | None:
    """Return the default of the option that a decorator (`@click.option(...)`) gives to a parameter."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and find_option_name(decorator) == name:
            return find_keyword(decorator, "default")
    return None


def find_option_default(call: ast.Call) -> ast.expr | None:
    """Return the default that a call gives to the option that it declares, or None."""
    default = find_keyword(call, "default")
    is_flag = default is None and len(call.args) > 1 and _declares_flag(call)
    return call.args[1] if is_flag else default


def _declares_flag(call: ast.Call) -> bool:
    """Return whether a call declares an option of absl."""
    return getattr(call.func, "attr", getattr(call.func, "id", None)) in _FLAG_FUNCTIONS


def find_option_flag(call: ast.Call) -> str | None:
    """Return how a user writes the option that a call declares: its first long flag, or else its first one.

    An argument without a flag is its name.
    """
    texts = _find_texts(call.args[:1] if _declares_flag(call) else call.args)
    if texts and _declares_flag(call):
        return f"--{texts[0]}"
    flags = sorted((each for each in texts if each.startswith("-")), key=lambda each: each[:2] != "--")
    return next(iter(flags or texts), None)


def _find_texts(nodes: Sequence[ast.expr]) -> list[str]:
    return [each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def find_option_name(call: ast.Call) -> str | None:
    """Return the attribute in which a call such as `add_argument("--batch-size")` stores a value, or None."""
    if _declares_flag(call):
        return next(iter(_find_texts(call.args[:1])), None)
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _OPTION_METHODS:
        return None
    destination = find_keyword(call, "dest")
    if isinstance(destination, ast.Constant):
        return str(destination.value)
    flags = _find_texts(call.args)
    # click names the parameter without dashes beside its flags.
    names = [flag for flag in flags if not flag.startswith("-")] or [
        flag for flag in flags if flag.startswith("--")
    ]
    names = names or flags
    return names[0].lstrip("-").replace("-", "_") if names else None
