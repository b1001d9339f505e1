"""Files that other programs import, by their names and their text."""

import ast
import fnmatch
import os

from torchdoctor.source.source_file import SourceFile

_ROLES = {
    "__init__.py": "Python imports it with its package and never starts it",
    "__main__.py": "workers do not import it",
    "conftest.py": "pytest imports it",
    "test_*.py": "pytest imports files of this name",
    "*_test.py": "pytest imports files of this name",
    "sitecustomize.py": "Python imports it at its start",
    "usercustomize.py": "Python imports it at its start",
    "setup.py": "installers run it",
    "hubconf.py": "torch.hub imports it",
    "conf.py": "Sphinx runs a file of this name as its configuration",
    "wsgi.py": "a web server imports it",
    "asgi.py": "a web server imports it",
    "manage.py": "Django's tools import it",
    "locustfile.py": "Locust imports it",
    "noxfile.py": "Nox imports it",
    "fabfile.py": "Fabric imports it",
    "dodo.py": "doit imports it",
}
# What a server asks a module for.
_SERVED = frozenset((
    "Flask", "FastAPI", "Starlette", "Quart", "Sanic", "Litestar", "Bottle", "Dash", "Celery", "Application",
    "get_wsgi_application", "get_asgi_application",
))  # fmt: skip


def find_role(source: SourceFile) -> str | None:
    """Return why a file is no program, in words that follow "because"; None if it may be one."""
    name = os.path.basename(source.path).casefold()
    for pattern, role in _ROLES.items():
        if fnmatch.fnmatchcase(name, pattern):
            return role
    for statement in source.tree.body:
        match statement:
            case ast.ImportFrom(level=level) if level:
                return (
                    f"line {statement.lineno} imports from its package, as only a file that is imported can"
                )
            case ast.Assign(value=ast.Call(func=function)):
                served = source.module.find_dotted_name(function).rpartition(".")[2]
                if served in _SERVED:
                    return f"line {statement.lineno} makes what a server imports it for"
    if "__all__" in source.module.bound_names:
        return "it has __all__, which lists the names that others import"
    return None
