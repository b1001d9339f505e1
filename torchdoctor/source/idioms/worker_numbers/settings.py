"""The numbers that a Python file sets as configuration in assignments and in classes of settings."""

import ast
from collections.abc import Iterator

from torchdoctor.source.idioms.worker_numbers.worker_counts import find_use_of_attribute
from torchdoctor.source.module.conditions import is_conditional
from torchdoctor.source.module.nodes import find_keyword, is_constant_statement
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import windows_verdict
from torchdoctor.source.source_file import ConfigSetting, SourceFile

# Decorators and bases of classes whose fields are settings, by the last part of their names.
_FIELD_DECORATORS = frozenset({"dataclass", "define", "frozen", "attrs"})
_FIELD_BASES = frozenset({"BaseModel", "BaseSettings", "PrefixProto"})
_SETTINGS_CLASS = ("config", "cfg", "arg", "option", "opts", "param", "setting")
# Parsers that make an option of the name of each field.
_ARGUMENT_PARSERS = ("HfArgumentParser", "H4ArgumentParser", "TrlParser")


def read_assignments(source: SourceFile) -> Iterator[ConfigSetting]:
    """Yield the settings of yacs files (`_C.DATALOADER.NUM_WORKERS = 8`) and of configuration modules.

    A configuration module holds only assignments: `NUM_WORKERS = 8` or `data = dict(workers=8)`. A plain
    `workers = 8` is left out, because it configures a server.
    """
    body = source.tree.body
    is_configuration = all(
        isinstance(each, (ast.Assign, ast.Import, ast.ImportFrom)) or is_constant_statement(each)
        for each in body
    )
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Constant(value=int() as value)):
                yield ConfigSetting(ast.unparse(target), value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as value)) if (
                is_configuration
            ):
                if name != "workers":
                    yield ConfigSetting(name, value, statement.lineno, statement.col_offset + 1)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_configuration:
                yield from _read_dictionaries(name, value)


def _read_dictionaries(name: str, value: ast.expr) -> Iterator[ConfigSetting]:
    """Yield the numbers in the dictionaries of a value; `name` is the first part of their keys."""
    for node in ast.walk(value):
        match node:
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                for each in keywords:
                    if isinstance(each.value, ast.Constant) and type(each.value.value) is int:
                        yield ConfigSetting(
                            f"{name}.{each.arg}", each.value.value, each.lineno, each.col_offset + 1
                        )
            case ast.Dict(keys=keys, values=values):
                for pair in zip(keys, values, strict=True):
                    match pair:
                        case (
                            ast.Constant(value=str() as text) as key,
                            ast.Constant(value=int() as number),
                        ):
                            yield ConfigSetting(f"{name}.{text}", number, key.lineno, key.col_offset + 1)


def read_fields(source: SourceFile) -> Iterator[ConfigSetting]:
    """Yield the numbers of workers that the fields of a class of settings have as their defaults.

    A field is left out if this file neither reads it nor makes an option of it.
    """
    module = source.module
    for owner in module.classes.values():
        if not any(word in owner.name.lower() for word in _SETTINGS_CLASS):
            continue
        fields = [each for each in owner.body if isinstance(each, ast.AnnAssign)]
        for field in fields if _has_fields(module, owner) else ():
            match field:
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as default) if (
                    "worker" in name.lower() and not module.ask_once(_is_set_for_windows, name)
                ):
                    value = _find_default_value(default)
                    shown = f"--{name}" if module.ask_once(_is_parsed, owner.name) else None
                    use = module.ask_once(find_use_of_attribute, name)
                    if value is not None and (use or (use is None and shown)):
                        place = default.lineno, default.col_offset + 1
                        remark = _find_help(default)
                        yield ConfigSetting(f"{owner.name}.{name}", value, *place, None, shown, remark)


def _has_fields(module: ParsedModule, owner: ast.ClassDef) -> bool:
    decorators = [each.func if isinstance(each, ast.Call) else each for each in owner.decorator_list]
    names = {module.find_dotted_name(each).rpartition(".")[2] for each in decorators}
    bases = {each.rpartition(".")[2] for each in module.find_base_names(owner)}
    return bool(names & _FIELD_DECORATORS or bases & _FIELD_BASES)


def _find_default_value(default: ast.expr) -> int | None:
    """Return the number that a field has by itself, also in `field(default=8)`."""
    if isinstance(default, ast.Call):
        given = find_keyword(default, "default") or next(iter(default.args), None)
        return _find_default_value(given) if given is not None else None
    value = default.value if isinstance(default, ast.Constant) else None
    return value if type(value) is int else None


def _find_help(default: ast.expr) -> str:
    """Return the help that the metadata of a field has for its option, or "" for none."""
    texts = (each for each in ast.walk(default) if isinstance(default, ast.Call))
    return " ".join(
        each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )


def _is_set_for_windows(module: ParsedModule, name: str) -> bool:
    """Return whether an attribute of that name gets a value where a platform check decides."""
    places = (binding.statement for _, binding in module.attributes.get(name, ()))
    return any(is_conditional(module, place, _asks_for_platform) for place in places)


def _asks_for_platform(module: ParsedModule, condition: ast.expr) -> bool:
    return windows_verdict(module, condition) is not None


def _is_parsed(module: ParsedModule, name: str) -> bool:
    """Return whether a parser that makes options of fields is given a class."""
    calls = (call for parser in _ARGUMENT_PARSERS for call in module.calls_by_name.get(parser, ()))
    names = (each for call in calls for each in ast.walk(call))
    return any(isinstance(each, ast.Name) and each.id == name for each in names)
