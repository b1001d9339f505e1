"""Checks of the environment on a real Windows, with faults in files, variables and the registry."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows


@pytest.fixture
def findings(find_findings) -> Callable[..., list[tuple[str, str]]]:
    """Return a function that runs one check and returns severity and message of each finding."""

    def run_check(*arguments: str, **options: object) -> list[tuple[str, str]]:
        return [(item["severity"], item["message"]) for item in find_findings(*arguments, **options)]

    return run_check


def test_finds_a_torch_for_another_python(findings, site: Path) -> None:
    extension = site / "torch" / "_C.cp311-win_amd64.pyd"
    extension.rename(extension.with_name("_C.cp39-win_amd64.pyd"))
    assert [severity for severity, _ in findings("unsupported-python-version", site=site)] == ["error"]


def test_finds_an_old_requirement_of_torch_on_pythonpath(findings, tmp_path: Path) -> None:
    (tmp_path / "typing_extensions.py").touch()
    (tmp_path / "typing_extensions-4.0.0.dist-info").mkdir()
    assert [severity for severity, _ in findings("torch-requirement-unmet", site=tmp_path)] == ["error"]


def test_finds_a_missing_dll_by_the_record(findings, site: Path) -> None:
    (site / "torch" / "lib" / "c10.dll").unlink()
    found = findings("broken-torch-install", site=site)
    assert found == [("error", "1 file of torch 2.8.0 is missing: torch/lib/c10.dll")]


def test_truncated_dll_is_an_error_and_a_replaced_one_a_warning(findings, site: Path) -> None:
    library = site / "torch" / "lib"
    (library / "shm.dll").write_bytes((library / "c10.dll").read_bytes())
    (library / "c10.dll").write_bytes((library / "c10.dll").read_bytes()[:100_000])
    assert sorted(severity for severity, _ in findings("broken-torch-install", site=site)) == [
        "error",
        "warning",
    ]


def test_leftover_of_pip_is_a_note(findings, site: Path) -> None:
    (site / "~orch").mkdir()
    assert [severity for severity, _ in findings("broken-torch-install", site=site)] == ["note"]


def test_torch_folder_without_code_is_an_error(findings, windows_python, tmp_path, windows_path) -> None:
    subprocess.run(
        [windows_python, "-m", "venv", "--without-pip", windows_path(tmp_path / "v")], check=True, timeout=120
    )
    (tmp_path / "v" / "Lib" / "site-packages" / "torch" / "lib").mkdir(parents=True)
    python = windows_path(tmp_path / "v" / "Scripts" / "python.exe")
    ((severity, message),) = findings("broken-torch-install", "--python", python)
    assert severity == "error"
    assert "has no __init__.py" in message


def test_complete_torch_is_not_broken(findings, site: Path) -> None:
    assert findings("broken-torch-install", site=site) == []


def test_dll_of_another_version_lacks_functions(findings, site: Path, torch_lib: Path) -> None:
    shutil.copy(torch_lib / "libiompstubs5md.dll", site / "torch" / "lib" / "c10.dll")
    ((severity, message),) = findings("dll-procedure-not-found", site=site)
    assert severity == "error"
    assert "c10.dll lacks" in message and "shm.dll imports" in message


def test_torch_folder_on_pythonpath_hides_the_installed_one(findings, site: Path) -> None:
    shutil.rmtree(site / "torch-2.8.0.dist-info")
    ((severity, message),) = findings("shadowed-or-partial-torch", site=site)
    assert severity == "warning"
    assert message.startswith("torch is imported from") and "is installed in" in message


def test_torch_py_on_pythonpath_is_an_error(findings, torch_lib: Path, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise SystemExit('imported')\n")
    severities = [severity for severity, _ in findings("shadowed-or-partial-torch", site=tmp_path)]
    assert "error" in severities


def test_torch_py_on_pythonpath_is_not_a_broken_installation(
    findings, torch_lib: Path, tmp_path: Path
) -> None:
    (tmp_path / "torch.py").write_text("raise SystemExit('imported')\n")
    assert findings("broken-torch-install", site=tmp_path) == []


@pytest.mark.parametrize("name", ["random", "json", "platform"])
def test_finds_a_file_that_hides_the_standard_library(findings, tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')\n")
    ((severity, message),) = findings("shadowed-or-partial-torch", site=tmp_path)
    assert severity == "error"
    assert f"the standard library's {name}" in message


def test_torch_py_in_the_current_folder_is_found_and_not_run(
    run_doctor, windows_python, doctor_folder, tmp_path, windows_path
):
    (tmp_path / "torch.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "random.py").write_text("raise SystemExit('imported')\n")
    command = ["scan", "--no-trials", "--select", "shadowed-or-partial-torch", "--format", "json"]
    result = subprocess.run(
        [windows_python, "-m", "torchdoctor", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": windows_path(doctor_folder)},
    )
    ((outcome,),) = [json.loads(result.stdout)["outcomes"]]
    found = [
        (item["severity"], Path(item["evidence"]["path"].replace("\\", "/")).name)
        for item in outcome["findings"]
    ]
    assert found == [("error", "torch.py"), ("warning", "random.py")]


def test_finds_an_old_torchvision(findings, site: Path) -> None:
    (site / "torchvision-0.18.1.dist-info").mkdir()
    ((severity, message),) = findings("torchvision-mismatch", site=site)
    assert severity == "error"
    assert "goes with torchvision 0.23.0" in message


def test_finds_a_new_numpy_with_an_old_torch(findings, site: Path) -> None:
    (site / "torch" / "version.py").write_text("__version__ = '2.4.0+cpu'\ncuda = None\n")
    (site / "numpy-2.1.0.dist-info").mkdir()
    assert [severity for severity, _ in findings("numpy-abi-mismatch", site=site)] == ["error"]


def test_finds_a_second_openmp_runtime_and_its_package(findings, site: Path, torch_lib: Path) -> None:
    for owner, folder in (("torch-2.8.0", "torch/lib"), ("ctranslate2-4.5.0", "ctranslate2")):
        (site / folder).mkdir(exist_ok=True)
        shutil.copy(torch_lib / "libiomp5md.dll", site / folder)
        (site / f"{owner}.dist-info").mkdir(exist_ok=True)
        (site / f"{owner}.dist-info" / "RECORD").write_text(f"{folder}/libiomp5md.dll,sha256=x,1\n")
    ((severity, message),) = findings("omp-duplicate-runtime", site=site)
    assert severity == "warning"
    assert message.startswith("ctranslate2 4.5.0 brings libiomp5md.dll 5.0.")


def test_missing_torch_names_the_python_that_has_it(
    findings, windows_python, torch_lib, tmp_path, windows_path
) -> None:
    environment = tmp_path / "v"
    subprocess.run(
        [windows_python, "-m", "venv", "--without-pip", windows_path(environment)], check=True, timeout=120
    )
    python = windows_path(environment / "Scripts" / "python.exe")
    ((_, message),) = findings("torch-not-installed", "--python", python)
    assert python in message
    assert "is in C:\\Python311\\python.exe" in message or os.name == "nt"


def test_finds_a_user_site_before_the_installed_torch(
    findings, site: Path, tmp_path: Path, windows_path
) -> None:
    base = tmp_path / "base"
    site.rename(base.parent / "packages")
    target = base / "Python311" / "site-packages"
    target.parent.mkdir(parents=True)
    (base.parent / "packages").rename(target)
    ((severity, message),) = findings("user-site-install", env={"PYTHONUSERBASE": windows_path(base)})
    assert severity == "warning"
    assert "in place of torch" in message


def test_finds_hurtful_variables(findings) -> None:
    found = findings(
        "hurtful-environment-variables", env={"KMP_DUPLICATE_LIB_OK": "TRUE", "OMP_NUM_THREADS": "999"}
    )
    assert [severity for severity, _ in found] == ["warning", "warning"]


@pytest.mark.skipif(os.name == "nt", reason="writes to the machine's registry")
def test_reads_that_long_paths_are_enabled(run_doctor, windows_python: str) -> None:
    place = r"winreg.HKEY_LOCAL_MACHINE, r'SYSTEM\CurrentControlSet\Control\FileSystem', 0"
    key = f"winreg.CreateKeyEx({place}, winreg.KEY_ALL_ACCESS)"
    write = f"import winreg; winreg.SetValueEx({key}, 'LongPathsEnabled', 0, 4, 1)"
    remove = f"import winreg; winreg.DeleteValue({key}, 'LongPathsEnabled')"
    subprocess.run([windows_python, "-c", write], check=True, timeout=60)
    try:
        report = json.loads(
            run_doctor("scan", "--no-trials", "--select", "long-path", "--format", "json").stdout
        )
    finally:
        subprocess.run([windows_python, "-c", remove], check=True, timeout=60)
    assert report["facts"]["path_settings"]["long_paths_enabled"] is True


def test_finds_the_store_alias_that_is_first_on_path(findings, tmp_path: Path, windows_path) -> None:
    folder = tmp_path / "WindowsApps"
    folder.mkdir()
    (folder / "python.exe").write_bytes(b"")
    variable = "PATH" if os.name == "nt" else "WINEPATH"
    path = windows_path(folder) + (";" + os.environ["PATH"] if os.name == "nt" else "")
    ((severity, message),) = findings("python-not-found-store-alias", env={variable: path})
    assert severity == "warning"
    assert "opens the Microsoft Store" in message


def test_virtual_environment_runs_the_program_of_its_base(
    run_doctor, windows_python, tmp_path, windows_path
) -> None:
    folder = windows_path(tmp_path / "v")
    subprocess.run([windows_python, "-m", "venv", "--without-pip", folder], check=True, timeout=120)
    result = run_doctor("facts", "--no-trials", "--no-redact", "--python", rf"{folder}\Scripts\python.exe")
    interpreter = json.loads(result.stdout)["facts"]["interpreter"]
    assert interpreter["prefix"] == folder
    assert interpreter["application_folder"].lower() == interpreter["base_prefix"].lower()
