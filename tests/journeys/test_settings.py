"""Journeys with settings of the machine and of the console that break torch."""

import shutil

import pytest

pytestmark = pytest.mark.windows

GRAPHICS = r"HKLM\SYSTEM\CurrentControlSet\Control\GraphicsDrivers"
FILES = r"HKLM\SYSTEM\CurrentControlSet\Control\FileSystem"


def test_number_of_threads(journey) -> None:
    """OMP_NUM_THREADS is not a number that OpenMP takes."""
    journey.variables["OMP_NUM_THREADS"] = "4096"
    journey.scan(first="hurtful-environment-variables")
    journey.do()
    journey.passes("hurtful-environment-variables")


def test_duplicate_openmp_allowed(journey) -> None:
    """KMP_DUPLICATE_LIB_OK is set, as many answers advise.

    https://github.com/lindsey98/Phishpedia/issues/4
    """
    journey.variables["KMP_DUPLICATE_LIB_OK"] = "TRUE"
    journey.scan(first="hurtful-environment-variables")
    journey.do()
    journey.passes("hurtful-environment-variables")


def test_three_variables(journey) -> None:
    """Three harmful variables are set."""
    journey.variables |= {
        "KMP_DUPLICATE_LIB_OK": "TRUE",
        "OMP_NUM_THREADS": "4096",
        "CUDA_LAUNCH_BLOCKING": "1",
    }
    journey.scan(first="hurtful-environment-variables")
    for step in range(1, len(journey.steps) + 1):
        journey.do(step)
    journey.passes("hurtful-environment-variables")


def test_two_openmp_runtimes(journey) -> None:
    """A package brings a second libiomp5md.dll.

    https://github.com/HiLab-git/MIDeepSeg/issues/4
    """
    package = journey.site / "fastmath"
    package.mkdir()
    shutil.copy(journey.site / "torch" / "lib" / "libiomp5md.dll", package)
    journey.write(
        package / "__init__.py",
        "import ctypes, os\nfolder = os.path.dirname(__file__)\nfile = os.path.join(folder, 'libiomp5md.dll')\n"
        "omp = ctypes.WinDLL(file if os.path.isfile(file) else 'libiomp5md.dll')\nomp.omp_get_max_threads()\n",
    )
    journey.fails('python -c "import torch, fastmath; torch.ones(99, 99) @ torch.ones(99, 99)"', saying="OMP")
    journey.explain(first="omp-duplicate-runtime")
    journey.do()
    journey.rename(package / "libiomp5md.dll", "libiomp5md.dll.bak")
    journey.works()


def test_watchdog_off(journey) -> None:
    """TdrLevel is 0, so a hung GPU freezes the computer."""
    assert journey.type([f'reg add "{GRAPHICS}" /v TdrLevel /t REG_DWORD /d 0 /f']).returncode == 0
    journey.undo.append(f'reg delete "{GRAPHICS}" /v TdrLevel /f')
    journey.scan(first="tdr-timeout")
    journey.do()
    journey.passes("tdr-timeout")


def test_wrong_python_home(journey) -> None:
    """PYTHONHOME names a folder without Python, and the person pastes the error."""
    journey.variables["PYTHONHOME"] = r"C:\no\such\folder"
    journey.fails(saying="encodings")
    del journey.variables["PYTHONHOME"]
    journey.explain(first="hurtful-environment-variables")
    journey.variables["PYTHONHOME"] = r"C:\no\such\folder"
    journey.do()
    journey.works()


def test_torch_in_another_python(journey) -> None:
    """A new virtual environment has no torch; the Python that it was made with has it."""
    python = r"v\Scripts\python.exe"
    journey.write(journey.project / "train.py", "import torch\nprint(torch.ones(1))\n")
    assert journey.type(["python -m venv --without-pip v"]).returncode == 0
    journey.fails(f"{python} train.py", saying="No module named 'torch'")
    journey.scan(first="torch-not-installed", python=python)
    journey.do()
    journey.command = journey.find_commands()
    journey.works()


def test_runtime_missing(journey) -> None:
    """msvcp140.dll is not on the machine."""
    system = journey.home.parents[1] / "windows" / "system32"
    hidden = [file.rename(f"{file}.hidden") for file in system.glob("msvcp140.dll")]
    journey.cleanup.append(lambda: [file.rename(str(file).removesuffix(".hidden")) for file in hidden])
    journey.scan(first="vc-redist-missing")
    journey.tells("vc_redist.x64.exe", "the installer needs Windows and elevation")


def test_memory_limit(journey) -> None:
    """A batch takes more memory than the machine gives, and the person pastes the error."""
    journey.write(
        journey.project / "train.py",
        "import torch\nprint(torch.ones(3000, 10**6, dtype=torch.uint8).shape)\n",
    )
    journey.memory_kib = 2_000_000
    journey.fails("python train.py", saying="not enough memory")
    journey.memory_kib = None
    journey.explain(first="cpu-out-of-memory")
    journey.edit("train.py", "3000", "30", "use a smaller batch")
    journey.memory_kib = 2_000_000
    journey.works()
