"""Journeys with an installation of torch that is damaged, incomplete or hidden."""

import os
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows

WEB_PAGE = b"<!DOCTYPE html><html><body>Blocked by the proxy</body></html>"


def copy_torch(journey, target: Path) -> None:
    """Copy torch and its metadata to another folder of packages."""
    for folder in (journey.site / "torch", *journey.site.glob("torch-*.dist-info")):
        shutil.copytree(folder, target / folder.name, copy_function=os.link)


def test_deleted_module(journey) -> None:
    """torch/functional.py is deleted."""
    (journey.site / "torch" / "functional.py").unlink()
    journey.fails()
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_deleted_openmp(journey) -> None:
    """torch/lib/libiomp5md.dll is deleted, as some guides against OMP Error 15 advise.

    https://github.com/alievk/avatarify-python/issues/452
    """
    (journey.site / "torch" / "lib" / "libiomp5md.dll").unlink()
    journey.fails(saying="WinError 126")
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_deleted_dll_pasted(journey) -> None:
    """torch/lib/c10.dll is deleted, and the person pastes the error."""
    (journey.site / "torch" / "lib" / "c10.dll").unlink()
    journey.fails(saying="WinError 126")
    journey.explain(first="dll-missing-dependency")
    journey.do(own={"2.6.0": "2.15.0", "cu126": "cpu"})
    journey.works()


def test_truncated_dll(journey) -> None:
    """torch/lib/c10.dll is cut off after 300 bytes, as by a full disk."""
    dll = journey.site / "torch" / "lib" / "c10.dll"
    journey.write(dll, dll.read_bytes()[:300])
    journey.fails(saying="WinError 193")
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_web_page_as_dll(journey) -> None:
    """torch/lib/torch_python.dll is a web page of a proxy."""
    journey.write(journey.site / "torch" / "lib" / "torch_python.dll", WEB_PAGE)
    journey.fails()
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_empty_module_file(journey) -> None:
    """torch/_tensor.py is empty, as after a power failure."""
    journey.write(journey.site / "torch" / "_tensor.py")
    journey.fails()
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_extension_of_other_python(journey) -> None:
    """torch's extension module is the one for Python 3.10."""
    extension = journey.site / "torch" / "_C.cp311-win_amd64.pyd"
    extension.rename(extension.with_name("_C.cp310-win_amd64.pyd"))
    journey.fails()
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_half_an_uninstall(journey) -> None:
    """An uninstall of torch was ended: its DLLs are left, its modules are gone."""
    for file in (journey.site / "torch").rglob("*.py"):
        file.unlink()
    journey.fails('python -c "import torch; torch.ones(1)"')
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_leftover_of_an_update(journey) -> None:
    """An update of torch was ended: pip's folder ~orch is left, torch is gone."""
    (journey.site / "torch").rename(journey.site / "~orch")
    for folder in journey.site.glob("torch-*.dist-info"):
        folder.rename(journey.site / f"~{folder.name[1:]}")
    journey.fails(saying="No module named 'torch'")
    journey.scan(first="torch-not-installed")
    journey.do()
    journey.works()


def test_torch_in_the_user_site(journey) -> None:
    """A damaged torch in the user's packages hides the good one."""
    journey.variables["PYTHONUSERBASE"] = rf"{journey.windows_folder}\user"
    user_site = journey.home / "user" / "Python311" / "site-packages"
    copy_torch(journey, user_site)
    (user_site / "torch" / "functional.py").unlink()
    journey.fails()
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_torch_on_pythonpath(journey) -> None:
    """PYTHONPATH names the packages of another program, whose torch is damaged."""
    other = journey.home / "other"
    copy_torch(journey, other)
    (other / "torch" / "functional.py").unlink()
    journey.variables["PYTHONPATH"] = rf"{journey.windows_folder}\other"
    journey.fails()
    journey.scan(first="broken-torch-install")
    journey.do()
    journey.works()


def test_torch_py_among_the_packages(journey) -> None:
    """A file torch.py lies among the packages, and torch is in another Python."""
    shutil.rmtree(journey.site / "torch")
    for folder in journey.site.glob("torch-*.dist-info"):
        shutil.rmtree(folder)
    journey.write(journey.site / "torch.py", "print('my first script')\n")
    journey.write(journey.project / "train.py", "import torch\nprint(torch.ones(1))\n")
    journey.fails("python train.py")
    journey.scan(first="shadowed-or-partial-torch")
    journey.do()
    journey.scan(first="torch-not-installed")
    journey.do()
    journey.command = journey.find_commands()
    journey.works()


def test_wrong_torchvision(journey) -> None:
    """torchvision 0.19 is installed beside torch 2.15.

    https://github.com/huggingface/diffusers/issues/12559
    """
    journey.install("torchvision==0.19.1")
    journey.fails('python -c "import torchvision"')
    journey.scan(first="torchvision-mismatch")
    journey.do()
    journey.works()
