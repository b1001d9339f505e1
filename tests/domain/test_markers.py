"""Requirements that apply to an interpreter, by its environment markers."""

import pytest

from torchdoctor.domain.markers import MarkerError, evaluate_marker, find_applicable, name_variables
from torchdoctor.facts import Interpreter


def _python(tag: str = "win-amd64", version: str = "3.11.9") -> Interpreter:
    return Interpreter("python", version, "CPython", 64, "x64", tag, "C:\\P", "C:\\P", "C:\\P")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("filelock", ("filelock", "")),
        (" typing-extensions>=4.10.0", ("typing-extensions", ">=4.10.0")),
        ("mpmath<1.4,>=1.1.0", ("mpmath", "<1.4,>=1.1.0")),
        ("typing-extensions (>=4.8.0)", ("typing-extensions", ">=4.8.0")),
        ('sympy (==1.13.1) ; python_version >= "3.9"', ("sympy", "==1.13.1")),
        ('mkl<=2021.4.0,>=2021.1.1 ; platform_system == "Windows"', ("mkl", "<=2021.4.0,>=2021.1.1")),
        ("fsspec[http] >= 0.8.5", ("fsspec", ">=0.8.5")),
    ],
)
def test_line_that_applies(line: str, expected: tuple[str, str]) -> None:
    assert list(find_applicable([line], _python())) == [expected]


@pytest.mark.parametrize(
    "line",
    [
        'optree>=0.13.0; extra == "optree"',
        'triton==3.4.0; platform_system == "Linux" and platform_machine == "x86_64"',
        'sympy; python_version < "3.9"',
        "sympy @ https://example.org/sympy.whl",
        "sympy===1.13",
        'sympy; platform_release > "5"',
        "sympy; nonsense ~",
        "",
    ],
)
def test_line_that_does_not_apply_or_cannot_be_read(line: str) -> None:
    assert list(find_applicable([line], _python())) == []


@pytest.mark.parametrize(
    ("tag", "marker"),
    [
        ("win-amd64", 'os_name == "nt" and sys_platform == "win32" and platform_machine == "AMD64"'),
        ("win32", 'platform_system == "Windows" and platform_machine == "x86"'),
        ("win-arm64", 'platform_machine == "ARM64"'),
        ("linux-x86_64", 'platform_system == "Linux" and platform_machine in "x86_64 aarch64"'),
        ("macosx-11.0-arm64", '(sys_platform == "darwin") and platform_machine == "arm64"'),
        ("win-amd64", 'implementation_name != "pypy" or platform_python_implementation == "PyPy"'),
        ("win-amd64", 'python_full_version >= "3.11.4" and python_version not in "3.8 3.9"'),
        ("win-amd64", '"win" in sys_platform'),
    ],
)
def test_marker_holds(tag: str, marker: str) -> None:
    assert evaluate_marker(marker, name_variables(_python(tag)))


@pytest.mark.parametrize(
    "marker",
    ["os_name", "1 < 2 < 3", "os_name > 'a'", "unknown == 'a'", "f(1) == 'a'", "'a' == 1", "(" * 500, "\0"],
)
def test_other_text_is_no_marker(marker: str) -> None:
    with pytest.raises(MarkerError):
        evaluate_marker(marker, name_variables(_python()))


def test_python_3_10_is_later_than_3_9() -> None:
    assert evaluate_marker("python_version > '3.9'", name_variables(_python(version="3.10.0rc1")))
