"""What the probes read from the files of installed packages."""

from pathlib import Path

import pytest

from torchdoctor.facts import Absent, Distribution, Distributions, Interpreter
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.packages import (
    observe_companions,
    observe_conda_environment,
    observe_numpy_build,
    observe_torch_record,
)

# numpy/__config__.py of the Windows wheels of these versions, shortened.
CONFIGS = {
    "1.21": (
        "blas_mkl_info={}\nopenblas_info={'library_dirs': ['D:\\\\a'], 'libraries': ['x']}\n",
        "openblas",
    ),
    "1.21-mkl": ("blas_mkl_info={'libraries': ['mkl_rt']}\nblas_opt_info={'a': 1}\n", "mkl"),
    "1.26": ('CONFIG = _cleanup({"Build Dependencies": {"blas": {"name": "openblas64"}}})\n', "openblas64"),
    "2.4": ('CONFIG = f({"Build Dependencies": {"blas": {"name": "scipy-openblas"}}})\n', "scipy-openblas"),
}


def _make_examined(prefix: Path, *distributions: Distribution, torch: Path | None = None) -> Examined:
    text = str(prefix)
    python = Interpreter(text, "3.12.4", "CPython", 64, "x64", "win-amd64", text, text, text)
    origin = None if torch is None else str(torch / "__init__.py")
    folder = None if torch is None else str(torch)
    return Examined(text, Description(python, Distributions(distributions), folder, origin))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "torch" / "include").mkdir(parents=True)
    (tmp_path / "torch-2.8.0+cpu.dist-info").mkdir()
    (tmp_path / "torch" / "__init__.py").write_bytes(b"12345")
    (tmp_path / "torch-2.8.0+cpu.dist-info" / "RECORD").write_text(
        "torch/__init__.py,sha256=x,5\ntorch/gone.py,sha256=x,7\ntorch/include/a.h,sha256=x,9\n"
        '"torch/with,comma.py",sha256=x,1\n../../Scripts/torchrun.exe,sha256=x,1\n'
        "torch/__pycache__/__init__.cpython-312.pyc,,\ntorch-2.8.0+cpu.dist-info/RECORD,,\n"
    )
    return tmp_path


def _observe_record(site: Path):
    torch = Distribution("torch", "2.8.0+cpu", str(site))
    return observe_torch_record(_make_examined(site, torch, torch=site / "torch"))


def test_record_lists_missing_files_except_headers(site: Path) -> None:
    assert _observe_record(site).missing == ("torch/gone.py", "torch/with,comma.py")


def test_record_counts_only_files_of_site_packages(site: Path) -> None:
    assert _observe_record(site).files == 5


def test_record_lists_files_of_another_size(site: Path) -> None:
    (site / "torch" / "__init__.py").write_bytes(b"1234567")
    assert [(file.path, file.actual_bytes) for file in _observe_record(site).altered] == [
        ("torch/__init__.py", 7)
    ]


def test_name_in_a_record_that_is_no_path_spoils_only_itself(site: Path) -> None:
    record = site / "torch-2.8.0+cpu.dist-info" / "RECORD"
    record.write_bytes(b"to\0rch/x.py,sha256=x,1\n" + record.read_bytes())
    assert "torch/gone.py" in _observe_record(site).missing


def test_files_of_two_installations_are_not_compared(site: Path) -> None:
    (site / "torch-2.3.1.dist-info").mkdir()
    record = _observe_record(site)
    assert (record.versions, record.missing) == (("2.3.1", "2.8.0+cpu"), ())


@pytest.mark.parametrize("name", ["~orch", "~orch-2.3.1.dist-info", "-orch", "~rch"])
def test_finds_a_leftover_of_pip(site: Path, name: str) -> None:
    (site / name).mkdir()
    assert _observe_record(site).leftovers == (name,)


@pytest.mark.parametrize("name", ["~umpy", "torchvision", "~orchvision", "orchard"])
def test_other_folder_is_not_a_leftover_of_torch(site: Path, name: str) -> None:
    (site / name).mkdir()
    assert _observe_record(site).leftovers == ()


def test_torch_without_dist_info_has_no_record(tmp_path: Path) -> None:
    assert isinstance(_observe_record(tmp_path), Absent)


@pytest.mark.parametrize(("text", "blas"), CONFIGS.values(), ids=CONFIGS)
def test_reads_the_blas_of_numpy_without_running_the_file(tmp_path: Path, text: str, blas: str) -> None:
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__config__.py").write_text(f"raise SystemExit('run')\n{text}")
    build = observe_numpy_build(_make_examined(tmp_path, Distribution("numpy", "1.0", str(tmp_path))))
    assert build.blas == blas


def test_reads_conda_packages_from_the_names_of_their_records(tmp_path: Path) -> None:
    (tmp_path / "conda-meta").mkdir()
    (tmp_path / "conda-meta" / "intel-openmp-2023.1.0-h59b6b97_46320.json").write_text("{")
    (tmp_path / "conda-meta" / "history").write_text("")
    (package,) = observe_conda_environment(_make_examined(tmp_path)).packages
    assert (package.name, package.version, package.build) == ("intel-openmp", "2023.1.0", "h59b6b97_46320")


def test_prefix_without_conda_is_not_a_conda_environment(tmp_path: Path) -> None:
    assert isinstance(observe_conda_environment(_make_examined(tmp_path)), Absent)


def test_reads_the_full_version_of_a_companion(tmp_path: Path) -> None:
    (tmp_path / "torchvision").mkdir()
    (tmp_path / "torchvision" / "version.py").write_text("__version__ = '0.23.0+cu128'\ncuda = '12.8'\n")
    torchvision = Distribution("torchvision", "0.23.0", str(tmp_path))
    (companion,) = observe_companions(_make_examined(tmp_path, torchvision)).installed
    assert (companion.version, companion.cuda) == ("0.23.0+cu128", "12.8")


def test_any_package_with_a_range_of_torch_is_a_companion(tmp_path: Path) -> None:
    for name, required, is_pure in (
        ("torch_directml", "torch==2.4.1", "false"),
        ("fastai", "torch<2.0", "true"),
    ):
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {name}\nRequires-Dist: {required}\n")
        (info / "WHEEL").write_text(f"Root-Is-Purelib: {is_pure}\n")
    names = ("torch", "torch_directml", "fastai", "numpy")
    examined = _make_examined(tmp_path, *(Distribution(name, "1.0", str(tmp_path)) for name in names))
    found = [
        (each.name, each.required_torch, each.is_compiled) for each in observe_companions(examined).installed
    ]
    assert found == [("torch-directml", "==2.4.1", True), ("fastai", "<2.0", False)]
