"""From the name of a DLL: whether Windows has it, and which supplier brings it."""

import pytest

from torchdoctor.pe import find_supplier, is_api_set, is_assumed, is_system_dll
from torchdoctor.pe.suppliers import _read_patterns
from torchdoctor.pe.system import system_dll_names


@pytest.mark.parametrize("name", ["KERNEL32.dll", "kernel32", "WS2_32.dll", "WINSPOOL.DRV", "ucrtbase.dll"])
def test_windows_has_the_dll(name: str) -> None:
    assert is_system_dll(name)


@pytest.mark.parametrize(
    "name",
    [
        "vcruntime140.dll",
        "msvcp140.dll",
        "msvcp120.dll",
        "msvcr100.dll",
        "concrt140.dll",
        "vcomp140.dll",
        "libomp140.x86_64.dll",
        "libiomp5md.dll",
        "mkl_core.2.dll",
        "uv.dll",
        "zlibwapi.dll",
        "nvToolsExt64_1.dll",
        "nvcuda.dll",
        "d3dx9_43.dll",
        "xinput1_3.dll",
        "mfplat.dll",
    ],
)
def test_windows_lacks_the_dll(name: str) -> None:
    assert not is_system_dll(name)


def test_recognises_an_api_set() -> None:
    assert is_api_set("api-ms-win-crt-runtime-l1-1-0.dll")


@pytest.mark.parametrize("name", ["python311.dll", "python3.dll", "python313t.dll", "ntdll.dll"])
def test_dll_is_assumed(name: str) -> None:
    assert is_assumed(name)


def test_driver_dll_is_not_assumed() -> None:
    assert not is_assumed("nvcuda.dll")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("VCRUNTIME140_THREADS.dll", "vc-redist"),
        ("MSVCP140_ATOMIC_WAIT.dll", "vc-redist"),
        ("msvcp140_codecvt_ids.dll", "vc-redist"),
        ("MSVCP140D.dll", "vc-debug-runtime"),
        ("VCRUNTIME140_1D.dll", "vc-debug-runtime"),
        ("libomp140.x86_64.dll", "vs-openmp"),
        ("c10_cuda.dll", "torch"),
        ("uv.dll", "torch"),
        ("mkl_intel_thread.1.dll", "mkl"),
        ("nvcuda.dll", "nvidia-driver"),
        ("cudart64_12.dll", "cuda"),
        ("cublasLt64_13.dll", "cuda"),
        ("nvrtc-builtins64_128.dll", "cuda"),
        ("nvJitLink_130_0.dll", "cuda"),
        ("nvToolsExt64_1.dll", "nvtoolsext"),
        ("zlibwapi.dll", "zlibwapi"),
        ("python311.dll", "python"),
        ("avcodec-61.dll", "ffmpeg"),
        ("MFPlat.DLL", "media-feature-pack"),
    ],
)
def test_finds_the_supplier(name: str, key: str) -> None:
    assert getattr(find_supplier(name), "key", None) == key


@pytest.mark.parametrize("name", ["mystery.dll", "msvcp140-0123456789abcdef0123456789abcdef.dll"])
def test_unknown_dll_has_no_supplier(name: str) -> None:
    assert find_supplier(name) is None


def test_no_system_dll_has_another_supplier() -> None:
    assert {name for name in system_dll_names() if find_supplier(name)} == set()


def test_patterns_are_lower_case() -> None:
    assert all(pattern == pattern.lower() for pattern, _ in _read_patterns())
