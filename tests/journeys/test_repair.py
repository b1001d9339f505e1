"""Journeys with `repair --yes` alone, and `--undo`, which brings the fault back byte for byte."""

import hashlib
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows


def make_digest(journey) -> dict[str, str]:
    """Return a digest of each file of the Python and of the project, besides bytecode, which Python writes."""
    folders = (journey.home / "Python311", journey.project)
    files = [file for folder in folders for file in folder.rglob("*") if "__pycache__" not in file.parts]
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()}


@pytest.fixture
def mended(journey):
    """Return a function that repairs what was planted, tries it, and takes it back."""

    def repair(
        *options: str, command: str = 'python -c "import torch; torch.ones(1)"', fails: bool = True
    ) -> str:
        journey.variables.setdefault("TORCHDOCTOR_STATE_DIR", rf"{journey.windows_folder}\kept")
        # To compile the modules of torch takes most of the time of its installation.
        journey.variables.setdefault("PIP_NO_COMPILE", "1")
        if fails:
            journey.fails(command)
        planted = make_digest(journey)
        journey.row.asked = "repair --yes"
        line = " ".join([journey.python, "-m torchdoctor repair --yes", *options])
        result = journey.type([line], minutes=20)
        commands = [line[5:] for line in result.stdout.splitlines() if line.startswith("   > ")]
        python = {journey.python: "python", journey.windows_folder: "C:"}
        for command in dict.fromkeys(commands):
            for path, shown in python.items():
                command = command.replace(path, shown)
            journey.row.done.append(command)
        assert "Mended: it is not found any more" in result.stdout, result.stdout
        if fails:
            journey.works()
        assert make_digest(journey) != planted or not fails
        undone = journey.type([f"{journey.python} -m torchdoctor repair --undo"])
        assert undone.returncode == 0, undone.stdout
        assert make_digest(journey) == planted
        journey.row.outcome = "mended"
        return result.stdout

    return repair


def copy_torch(journey, target: Path) -> None:
    """Copy torch and its metadata to another folder of packages."""
    for folder in (journey.site / "torch", *journey.site.glob("torch-*.dist-info")):
        shutil.copytree(folder, target / folder.name)


def replace_torch(journey, wheel: str) -> None:
    """Unpack another release over the removed torch, as pip would."""
    shutil.rmtree(journey.site / "torch")
    for folder in journey.site.glob("torch-*.dist-info"):
        shutil.rmtree(folder)
    journey.install(wheel)


@pytest.mark.parametrize(
    "name", ["libiomp5md.dll", "c10.dll", "torch_cpu.dll", "torch_python.dll", "shm.dll"]
)
def test_deleted_dll(journey, mended, name: str) -> None:
    """A DLL of torch is deleted."""
    journey.row.fault = f"torch/lib/{name} is deleted"
    (journey.site / "torch" / "lib" / name).unlink()
    mended()


def test_zeroed_dll(journey, mended) -> None:
    """torch/lib/c10.dll has its size, and only zeros, as after a power failure."""
    dll = journey.site / "torch" / "lib" / "c10.dll"
    journey.write(dll, bytes(dll.stat().st_size))
    mended()


def test_truncated_dll(journey, mended) -> None:
    """torch/lib/c10.dll is cut off."""
    dll = journey.site / "torch" / "lib" / "c10.dll"
    journey.write(dll, dll.read_bytes()[:300])
    mended()


def test_web_page_as_dll(journey, mended) -> None:
    """torch/lib/torch_python.dll is a web page of a proxy."""
    journey.write(journey.site / "torch" / "lib" / "torch_python.dll", b"<!DOCTYPE html><html></html>")
    mended()


def test_foreign_dll(journey, mended) -> None:
    """torch/lib/c10.dll is a DLL of another program."""
    other = next((journey.site / "numpy.libs").glob("*.dll")).read_bytes()
    journey.write(journey.site / "torch" / "lib" / "c10.dll", other)
    mended()


def test_dll_of_32_bits(journey, mended) -> None:
    """torch/lib/c10.dll is a 32-bit DLL."""
    dll = journey.site / "torch" / "lib" / "c10.dll"
    data = bytearray(dll.read_bytes())
    header = int.from_bytes(data[0x3C:0x40], "little")
    data[header + 4 : header + 6] = (0x014C).to_bytes(2, "little")
    journey.write(dll, bytes(data))
    mended()


def test_deleted_module(journey, mended) -> None:
    """torch/functional.py is deleted."""
    (journey.site / "torch" / "functional.py").unlink()
    mended()


def test_empty_module_file(journey, mended) -> None:
    """torch/_tensor.py is empty."""
    journey.write(journey.site / "torch" / "_tensor.py")
    mended()


def test_extension_of_other_python(journey, mended) -> None:
    """torch's extension module is the one for Python 3.10."""
    extension = journey.site / "torch" / "_C.cp311-win_amd64.pyd"
    extension.rename(extension.with_name("_C.cp310-win_amd64.pyd"))
    mended()


def test_half_an_uninstall(journey, mended) -> None:
    """An uninstall of torch was ended: its DLLs are left, its modules are gone."""
    for file in (journey.site / "torch").rglob("*.py"):
        file.unlink()
    mended()


def test_leftover_of_an_update(journey, mended) -> None:
    """An update of torch was ended: pip's folder ~orch is left, torch is gone."""
    (journey.site / "torch").rename(journey.site / "~orch")
    for folder in journey.site.glob("torch-*.dist-info"):
        folder.rename(journey.site / f"~{folder.name[1:]}")
    mended()


def test_leftover_beside_torch(journey, mended) -> None:
    """pip left a folder ~orch beside a good torch."""
    journey.write(journey.site / "~orch" / "lib" / "c10.dll", b"locked once")
    journey.write(journey.site / "~orch-2.9.0.dist-info" / "METADATA", b"Name: torch")
    mended(fails=False)


def test_two_records(journey, mended) -> None:
    """Two releases of torch are recorded, and a module is gone."""
    other = journey.site / "torch-2.9.0.dist-info"
    journey.write(other / "METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 2.9.0\n")
    names = ["torch/__init__.py", *(f"{other.name}/{name}" for name in ("METADATA", "RECORD"))]
    journey.write(other / "RECORD", "".join(f"{name},,\n" for name in names))
    (journey.site / "torch" / "functional.py").unlink()
    mended()


def test_torch_py_among_the_packages(journey, mended) -> None:
    """A file torch.py lies in the folder of the program."""
    journey.write(journey.project / "torch.py", "print('my first script')\n")
    journey.write(journey.project / "train.py", "import torch\nprint(torch.ones(1))\n")
    mended(command="python train.py")


def test_module_in_the_way(journey, mended) -> None:
    """A file typing_extensions.py lies in the folder of the program."""
    journey.write(journey.project / "typing_extensions.py", "raise SystemExit('mine')\n")
    journey.write(journey.project / "train.py", "import torch\nprint(torch.ones(1))\n")
    mended(command="python train.py")


def test_torch_in_the_user_site(journey, mended) -> None:
    """A damaged torch in the user's packages hides the good one."""
    journey.variables["PYTHONUSERBASE"] = rf"{journey.windows_folder}\Python311\user"
    user_site = journey.home / "Python311" / "user" / "Python311" / "site-packages"
    copy_torch(journey, user_site)
    (user_site / "torch" / "functional.py").unlink()
    mended()


def test_typing_extensions_of_the_user(journey, mended) -> None:
    """typing_extensions 4.0 in the user's packages hides the current one."""
    journey.variables["PYTHONUSERBASE"] = rf"{journey.windows_folder}\Python311\user"
    journey.install("--user", "--force-reinstall", "typing_extensions==4.0.0")
    mended()


@pytest.mark.parametrize(
    "package", ["filelock", "networkx", "sympy", "typing_extensions", "jinja2", "fsspec"]
)
def test_missing_requirement(journey, mended, package: str) -> None:
    """A package that torch needs is not installed."""
    journey.row.fault = f"{package}, which torch needs, is not installed"
    assert journey.type([f"python -m pip uninstall -q -y {package}"]).returncode == 0
    mended(command=f'python -c "import torch, torch._dynamo, torch._inductor.kernel.mm, {package}"')


@pytest.mark.parametrize(("package", "version"), [("typing_extensions", "4.0.0"), ("sympy", "1.5.1")])
def test_outdated_requirement(journey, mended, package: str, version: str) -> None:
    """A package that torch needs is too old."""
    journey.row.fault = f"{package} {version} is installed; torch needs a later one"
    journey.install(f"{package}=={version}")
    mended(command='python -c "import torch, torch._dynamo"')


def test_damaged_numpy(journey, mended) -> None:
    """NumPy's extension module is zeros."""
    [extension] = journey.site.glob("numpy/*core/_multiarray_umath*.pyd")
    journey.write(extension, bytes(extension.stat().st_size))
    mended(command='python -W error -c "import torch; torch.ones(1).numpy()"')


def test_broken_release(journey, mended) -> None:
    """torch 2.4.0 is installed, whose wheel lacks a DLL."""
    replace_torch(journey, "torch==2.4.0")
    mended()


def test_wrong_torchvision(journey, mended) -> None:
    """torchvision 0.19 is installed beside torch 2.15."""
    journey.install("torchvision==0.19.1", "pillow")
    mended(command='python -c "import torchvision"')


@pytest.mark.parametrize(
    ("name", "value"),
    [("KMP_DUPLICATE_LIB_OK", "TRUE"), ("OMP_NUM_THREADS", "4096"), ("CUDA_LAUNCH_BLOCKING", "1")],
)
def test_variable_of_the_account(journey, mended, name: str, value: str) -> None:
    """A harmful variable is set for the account."""
    journey.row.fault = f"{name}={value} is set for the account"
    assert journey.type([f"reg add HKCU\\Environment /v {name} /d {value} /f"]).returncode == 0
    journey.undo.append(f"reg delete HKCU\\Environment /v {name} /f")
    journey.variables[name] = value
    mended(fails=False)
    assert value in journey.type([f"reg query HKCU\\Environment /v {name}"]).stdout


def test_healthy_environment_is_left_alone(journey) -> None:
    """Nothing is wrong."""
    journey.variables["TORCHDOCTOR_STATE_DIR"] = rf"{journey.windows_folder}\kept"
    before = make_digest(journey)
    result = journey.type([f"{journey.python} -m torchdoctor repair --yes"])
    assert result.returncode == 0 and make_digest(journey) == before, result.stdout
    journey.row.outcome = "left as it is"
