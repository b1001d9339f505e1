"""pip changes the Python that is repaired, whatever variables and settings say."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.repair.conftest import Environment, make_wheel


@pytest.mark.parametrize("name", ["TARGET", "PREFIX", "DRY_RUN"])
def test_variables_of_pip_do_not_misplace_packages(
    outdated: Environment, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setenv(f"PIP_{name}", str(elsewhere) if name != "DRY_RUN" else "1")
    result = outdated.repair("--yes")
    assert result.returncode == 0 and outdated.works(), result.stdout + result.stderr
    assert not elsewhere.exists()


def test_another_python_of_pip_is_left_alone(
    outdated: Environment, template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Environment(template)
    before = other.digest()
    monkeypatch.setenv("PIP_PYTHON", other.python)
    assert outdated.repair("--yes").returncode == 0 and outdated.works()
    assert other.digest() == before


@pytest.mark.parametrize(
    ("key", "section", "place"), [("target", "global", "variable"), ("prefix", "install", "environment")]
)
def test_settings_that_misplace_packages_are_named(
    outdated: Environment, key: str, section: str, place: str, tmp_path: Path, monkeypatch
) -> None:
    # The index is not used: pip is asked for its settings first.
    settings = tmp_path / "settings.ini" if place == "variable" else outdated.folder / "pip.conf"
    settings.write_text(f"[{section}]\n{key} = {tmp_path / 'elsewhere'}\n")
    if place == "variable":
        monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    before = outdated.digest()
    command = [each for each in outdated.make_command("--yes") if each not in ("--no-index", "--find-links")]
    command.remove(str(outdated.wheels))
    assert outdated._run is not None
    result = outdated._run(*command, env=outdated.variables)
    assert result.returncode == 1 and outdated.digest() == before, result.stdout
    [line] = result.stderr.splitlines()
    assert f"{section}.{key}" in line and "pip config list" in line
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("source", ["variable", "settings"])
def test_packages_of_a_folder_come_only_from_there(
    outdated: Environment, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, form: str, *values: object) -> None:
            asked.append(self.path)

    make_wheel(tmp_path / "served", "tinydep", "9.0", {"tinydep/__init__.py": "VERSION = 9\n"})
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Handler, directory=str(tmp_path / "served"))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        if source == "variable":
            monkeypatch.setenv("PIP_FIND_LINKS", address)
        else:
            (outdated.folder / "pip.conf").write_text(f"[global]\nfind-links = {address}\n")
        assert outdated.repair("--yes").returncode == 0 and outdated.works()
        server.shutdown()
    assert asked == []
