"""A command keeps the build of torch that a text has, or asks for it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.knowledge.diagnosed import HEAD, KNOWLEDGE, LOADING, diagnose
from torchdoctor.domain.releases import find_required_torch
from torchdoctor.explain import explain
from torchdoctor.knowledge import parse_entry
from torchdoctor.knowledge.builds import ask_for_build, ask_once
from torchdoctor.knowledge.harmless import keep_harmless


@pytest.mark.parametrize("version", ["2.6.0+cu124", "2.6.0+cpu", "2.5.1+xpu"])
def test_command_keeps_the_build_of_the_text(version: str) -> None:
    release, _, build = version.partition("+")
    step = diagnose(LOADING.format(193, r"torch\lib\shm.dll") + f"\nPyTorch version: {version}").fix[0]
    assert f"torch=={release} --index-url https://download.pytorch.org/whl/{build}\n" in step


@pytest.mark.parametrize(
    "versions",
    ["", "torch 2.6.0", "PyTorch 2.6.0+cu124\nanother 2.7.0+cpu\n", "pip install torch==2.6.0+cu124"],
)
def test_command_reads_a_build_that_is_not_known(versions: str) -> None:
    step = diagnose(LOADING.format(193, r"torch\lib\shm.dll") + f"\n{versions}").fix[0]
    assert "'https://download.pytorch.org/whl/' + b]" in step


@pytest.mark.parametrize(
    ("version", "cuda", "build"),
    [
        ("2.6.0+cpu", None, "cpu"),
        ("2.5.1", "12.1", "cu121"),
        ("2.0.1", None, "cpu"),
        ("2.9.0+xpu", None, "xpu"),
    ],
)
def test_build_is_that_of_the_files_of_torch(
    version: str, cuda: str | None, build: str, tmp_path: Path
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("1/0")
    (tmp_path / "torch" / "version.py").write_text(f"__version__ = {version!r}\ncuda = {cuda!r}\n")
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__main__.py").write_text("import sys\nprint(*sys.argv[1:])")
    (tmp_path / "pip" / "__init__.py").write_text("")
    (command,) = re.findall(
        r"python.exe -c \"(.+)\"\n", diagnose(LOADING.format(193, r"torch\lib\shm.dll")).fix[0]
    )
    run = subprocess.run(
        [sys.executable, "-c", command],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    release = version.partition("+")[0]
    assert run.stdout.endswith(f"torch=={release} --index-url https://download.pytorch.org/whl/{build}\n"), (
        run.stderr
    )


@pytest.mark.parametrize(
    ("torch", "torchaudio"),
    [("1.13.1", "0.13.1"), ("2.0.0", "2.0.1"), ("2.0.1", "2.0.2"), ("2.6.0", "2.6.0"), ("2.13.0", "2.11.0")],
)
def test_torchaudio_is_the_one_for_the_torch(torch: str, torchaudio: str) -> None:
    step = (
        "Take it.\n\n   ```powershell\n   python -m pip install torchaudio=={torch_release|2.6.0}"
        " --index-url https://download.pytorch.org/whl/{build_index|cu126}\n   ```"
    )
    (expression,) = re.findall(r" a = (.+?);", ask_for_build(step, {}))
    assert eval(expression, {"v": torch}) == torchaudio
    # The table has the first and the last torchaudio of a torch.
    assert find_required_torch("torchaudio", torchaudio) in (f"=={torch}", "")


def test_removed_torch_is_not_read() -> None:
    remove = "Remove it.\n\n   ```powershell\n   python -m pip uninstall -y torch\n   ```"
    again = (
        "Install it.\n\n   ```powershell\n   python -m pip install torch=={torch_release|2.6.0}"
        " --index-url https://download.pytorch.org/whl/{build_index|cu126}\n   ```"
    )
    first, second = ask_once([remove, again], {})
    assert first == remove
    assert second.startswith(
        "In the command below, put your own in place of `2.6.0` and `cu126`: pip printed"
    )
    reading = ask_for_build(again, {})
    assert "version.py" in reading
    assert "pip keeps its release and build." in reading
    assert "pip keeps its build." in ask_for_build(again.replace("{torch_release|2.6.0}", "2.4.1"), {})
    assert "pip show torch" in ask_for_build(again, {"installer": "conda"})
    assert "pip show torch" in ask_for_build(again.replace("torch==", "PACKAGE torch=="), {})


def test_step_without_a_build_asks_nothing() -> None:
    assert ask_for_build("Install NumPy again.", {}) == "Install NumPy again."


# Commands that name a build on purpose: they install it where there is none, or replace the build itself; or that
# name the installed release beside another package, so that pip leaves it as it is.
ON_PURPOSE = (
    "whl/xpu", "whl/cpu", "{card_set|", "conda activate", "-m venv", "Activate.ps1", "{fitting|",
    "only-if-needed", "{machine_set|", "CUDA build", "CPU build", "rocm.nightlies", "CUDA number", "index of your own", "index of that",
    "pytorch-extension.intel.com", "{licensed_build|", "{lost_build|", "{nightly_index|", "{nightly_build|",
)  # fmt: skip


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_step_keeps_the_build_or_says_which_one_it_installs(name: str) -> None:
    for step in KNOWLEDGE.entries[name].body.steps:
        commands = re.findall(
            r"(?m)^ *(?:\S*python\S* -m )?pip install .*\btorch(?:[=<>].*|\s.*|\")?$", step.text
        )
        kept = [line for line in commands if "{build_index|" in line]
        assert kept == commands or any(sign in step.text for sign in ON_PURPOSE), commands


def test_build_of_a_companion_is_not_that_of_torch() -> None:
    values = explain(
        "PyTorch version: 2.2.0+cu121\n[pip3] torchvision==0.17.0+cu121\nError: x", KNOWLEDGE
    ).values
    assert (values["torch_release"], values["build_index"]) == ("2.2.0", "cu121")


@pytest.mark.parametrize(
    ("card", "capability"),
    [
        ("GeForce RTX 5090", "sm_120"),
        ("GTX 1080 Ti", "sm_61"),
        ("Quadro RTX 5000", "sm_75"),
        ("RTX 6000", None),
    ],
)
def test_card_gives_its_compute_capability(card: str, capability: str | None) -> None:
    assert explain(f"torch on {card}\nError: x", KNOWLEDGE).values.get("sm") == capability


TORCH_COMMAND = (
    r"(?m)^ *(?:\S*python\S* -m )?pip install (?![^\n]*(?:index-url|==))[^\n]*\btorch(?:vision|audio)?\b"
)


@pytest.mark.parametrize("package", ["torch", "torchvision", "torchaudio"])
@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_package_that_is_torch_is_not_installed_without_its_build(name: str, package: str) -> None:
    entry = KNOWLEDGE.entries[name]
    values = {"package": package}
    _, steps = entry.choose_fix(values)
    commands = [
        line.group()
        for step in steps
        if "{package|" in step
        for line in re.finditer(TORCH_COMMAND, entry.fill(step, values, keep_harmless(values)))
    ]
    assert commands == []


def test_build_is_asked_for_once_in_a_list_of_steps() -> None:
    step = (
        "Take it.\n\n   ```text\n   pip install NAME torch=={torch_release|2.6.0} {build_index|cu126}\n   ```"
    )
    fix = tuple(ask_once([step, step], {}))
    assert [("pip show torch" in each, "put your own in place of" in each) for each in fix] == [
        (True, True),
        (False, True),
    ]


def test_last_case_may_be_for_all_others() -> None:
    text = HEAD.replace("\n]\n", '\n  { steps = "late", says = "Else." },\n]\n', 1)
    assert parse_entry("some-entry", text).choose_fix({})[0] == "Else."


WANTED = (
    "ERROR: Could not find a version that satisfies the requirement torch=={} (from versions: 2.9.0, 2.9.1)"
)


@pytest.mark.parametrize(
    ("torch", "python", "said", "command"),
    [
        ("2.3.1", "3.14.0", "3.8 to 3.12, and yours is 3.14.0", "py -3.11 -m venv"),
        ("1.12.1+cu113", "3.11.4", "3.7 to 3.10, and yours is 3.11.4", "torch==1.12.1 --index-url {}/cu113"),
        ("2.8.0+cu128", "3.12.1", "yours is one of them", "torchaudio==2.8.0 --index-url {}/cu128"),
        ("2.3.1", None, "is that for Python 3.14", "py -3.11 -m venv"),
        ("9.9.9", "3.12.1", "pip lists other versions", ""),
    ],
    ids=["newer-python", "build", "python-fits", "python-unknown", "release-unknown"],
)
def test_python_for_the_wanted_torch_is_named(
    torch: str, python: str | None, said: str, command: str
) -> None:
    text = WANTED.format(torch) + (f"\nPython {python} (main) [MSC v.1934 64 bit (AMD64)]" if python else "")
    answer = diagnose(text)
    assert said in answer.lead
    assert command.format("https://download.pytorch.org/whl") in "\n".join(answer.fix)


def test_example_of_a_release_is_one_that_the_python_can_install() -> None:
    text = LOADING.format(193, r"torch\lib\shm.dll") + "\nPython 3.6.5"
    step = diagnose(text).fix[0]
    assert "torch==1.10.2 --index-url https://download.pytorch.org/whl/cu113" in step


# Steps that install torch where there is none, into a new environment, or of whatever release there is.
INSTALL_ANEW = {
    ("blender", "torch-not-installed"), ("again", "install-download-interrupted"), ("torch", "python-32bit"),
    ("newer", "torch-compile-windows"), ("install", "torch-not-installed"), ("pip", "wrong-package-name"),
    ("install", "torch-version-unavailable"), ("install", "unsupported-python-version"),
    ("nightly", "unsupported-python-version"), ("uv-pip", "install-file-locked"), ("uv-pip", "cpu-only-build"),
    ("newer-index", "torch-version-unavailable"), ("newer-index", "unsupported-python-version"),
    ("line", "wheel-tag-mismatch"), ("index", "windows-arm64"), ("choose", "wrong-wheel-index"),
    ("torch", "linux-only-package"), ("", "source-build-components"),
    ("qgis", "torch-not-installed"), ("houdini", "torch-not-installed"),
    ("pip-in-conda", "torch-version-unavailable"), ("pip-in-conda", "unsupported-python-version"),
    ("other-now", "torch-not-installed"), ("cpu-now", "torch-not-installed"),
    ("into-this", "torch-not-installed"), ("poetry-pip", "torch-not-installed"),
    ("own-index", "unsupported-python-version"), ("fits", "torch-not-installed"),
    ("other-makers", "torch-not-installed"), ("uv-torch-first", "torch-version-unavailable"),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_step_for_an_installed_torch_makes_pip_replace_it(name: str) -> None:
    """Without a number or an option, pip says that the requirement is satisfied and does nothing."""
    without = r"pip install (?!.*--(?:upgrade|force))(?:--\S+ )*(?:\{\w+_set\|)?torch(?=[\s}]|$)"
    for step in KNOWLEDGE.entries[name].body.steps:
        for block in re.findall(r"```\w+\n(.*?)```", step.text, re.DOTALL):
            replaces = re.search(
                r"--force-reinstall|--upgrade|-m venv|uv venv|(?:conda|mamba) create|uninstall|envs\\", block
            )
            if re.search(without, block) and not replaces:
                assert (step.tag, name) in INSTALL_ANEW
