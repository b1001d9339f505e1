"""Journeys with packages that torch needs, and that are old, missing or damaged."""

import pytest

pytestmark = pytest.mark.windows


def test_outdated_typing_extensions(journey) -> None:
    """typing_extensions 4.0 is installed; torch needs a later one."""
    journey.install("typing_extensions==4.0.0")
    journey.fails()
    journey.scan(first="torch-requirement-unmet")
    journey.do()
    journey.works()


def test_outdated_typing_extensions_pasted(journey) -> None:
    """typing_extensions 4.0 is installed, and the person pastes the error."""
    journey.install("typing_extensions==4.0.0")
    journey.fails()
    journey.explain(first="torch-requirement-unmet")
    journey.do()
    journey.works()


def test_outdated_typing_extensions_of_the_user(journey) -> None:
    """typing_extensions 4.0 in the user's packages hides the current one."""
    journey.variables["PYTHONUSERBASE"] = rf"{journey.windows_folder}\user"
    journey.install("--user", "--force-reinstall", "typing_extensions==4.0.0")
    journey.fails()
    journey.scan(first="torch-requirement-unmet")
    journey.do()
    journey.works()


@pytest.mark.parametrize("package", ["filelock", "networkx", "sympy", "typing_extensions"])
def test_missing_requirement(journey, package: str) -> None:
    """A package that torch needs is not installed."""
    journey.row.fault = f"{package}, which torch needs, is not installed"
    assert journey.type([f"python -m pip uninstall -q -y {package}"]).returncode == 0
    journey.fails('python -c "import torch, torch._dynamo, torch._inductor.kernel.mm"')
    journey.scan(first="torch-requirement-unmet")
    journey.do()
    journey.works()


def test_outdated_sympy(journey) -> None:
    """sympy 1.5 is installed; torch needs a later one."""
    journey.install("sympy==1.5.1")
    journey.fails('python -c "import torch, torch._dynamo"')
    journey.scan(first="torch-requirement-unmet")
    journey.do()
    journey.works()


def test_damaged_numpy(journey) -> None:
    """NumPy's extension module is zeros, as after a power failure."""
    [extension] = journey.site.glob("numpy/_core/_multiarray_umath*.pyd")
    journey.write(extension, bytes(extension.stat().st_size))
    journey.fails('python -W error -c "import torch; torch.ones(1).numpy()"')
    journey.scan(first="numpy-broken-install")
    journey.do()
    journey.works()


def test_damaged_numpy_pasted(journey) -> None:
    """A module of NumPy is missing, and the person pastes the error."""
    (journey.site / "numpy" / "_core" / "multiarray.py").unlink()
    journey.fails('python -c "import numpy"')
    journey.explain(first="numpy-broken-install")
    journey.do()
    journey.works()


def test_package_of_the_old_numpy(journey) -> None:
    """pandas 2.0, compiled for NumPy 1, is installed beside NumPy 2."""
    journey.install("pandas==2.0.3")
    journey.fails('python -c "import torch, pandas"', saying="numpy.dtype size changed")
    journey.explain(first="numpy-abi-mismatch")
    journey.do()
    journey.works()


def test_no_numpy(journey) -> None:
    """NumPy is not installed, and the person pastes the error."""
    assert journey.type(["python -m pip uninstall -q -y numpy"]).returncode == 0
    journey.fails('python -c "import torch; torch.ones(1).numpy()"', saying="Numpy is not available")
    journey.explain(first="numpy-abi-mismatch")
    journey.do()
    journey.works()
