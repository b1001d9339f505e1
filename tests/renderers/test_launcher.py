"""The launcher sets safe variables, each with a comment, and passes every argument on unchanged."""

import pytest

from torchdoctor.renderers.launcher import Launch, quote, render_launcher


def _render(**changes: object) -> str:
    launch = {
        "doctor": r"C:\Python\python.exe",
        "arguments": ("--safe-loader", "train.py"),
        "folder": r"C:\my project",
        "environment": {},
        "version": "1.0",
    }
    return render_launcher(Launch(**{**launch, **changes}))


def test_runs_the_program_in_its_folder_and_returns_its_exit_code() -> None:
    text = _render()
    assert 'cd /d "C:\\my project"\r\n' in text
    assert r"C:\Python\python.exe -m torchdoctor run --safe-loader train.py" in text
    assert text.endswith("exit /b %code%\r\n")


def test_every_variable_has_a_comment() -> None:
    lines = _render(
        environment={"CUDA_VISIBLE_DEVICES": "1", "HF_HOME": r"D:\hf"}, conda_prefix=r"C:\c"
    ).split("\r\n")
    variables = [
        number for number, line in enumerate(lines) if line.startswith('set "') and "code=" not in line
    ]
    assert all(lines[number - 1].startswith("rem ") for number in variables)


def test_duplicate_openmp_is_never_allowed() -> None:
    text = _render(environment={"KMP_DUPLICATE_LIB_OK": "TRUE"})
    assert 'set "KMP_DUPLICATE_LIB_OK="' in text and "TRUE" not in text


def test_percent_signs_are_escaped() -> None:
    assert 'set "HF_HOME=D:\\100%%"' in _render(environment={"HF_HOME": "D:\\100%"})


@pytest.mark.parametrize(
    ("argument", "written"),
    [
        ("a b", '"a b"'),
        ("a&b", '"a&b"'),
        ("50%", "50%%"),
        ('say "x"', '^"say \\^"x\\^"^"'),
        ("plain", "plain"),
    ],
    ids=["space", "ampersand", "percent", "quotes", "plain"],
)
def test_arguments_are_quoted_for_cmd(argument: str, written: str) -> None:
    assert quote(argument) == written


def test_overwrites_no_file_but_a_launcher(torchdoctor, tmp_path) -> None:
    assert torchdoctor("run", "--safe-loader", "--write-launcher", "go.bat", "train.py").returncode == 0
    assert torchdoctor("run", "--write-launcher", "go.bat", "train.py").returncode == 0
    (tmp_path / "mine.bat").write_text("echo mine")
    assert torchdoctor("run", "--write-launcher", "mine.bat", "train.py").returncode == 2
    assert torchdoctor("run", "--write-launcher", "go.sh", "train.py").returncode == 2
