"""In an environment that uv made, steps change what uv installs again."""

from torchdoctor.knowledge.uv import write_for_project, write_for_uv

PYTHON = r"C:\my project\.venv\Scripts\python.exe"
INDEX = "https://download.pytorch.org/whl/cu128"
STEP = (
    "Install it:\n\n"
    "   ```powershell\n"
    f"   python -m pip install --force-reinstall --no-deps torch==2.9.1 --index-url {INDEX}\n"
    f"   python -m pip install torch==2.9.1 --index-url {INDEX}\n"
    "   ```\n\n"
    "   `python -m pip uninstall -y torch` undoes it."
)


def test_pip_of_uv_installs_into_the_examined_python() -> None:
    written = write_for_uv(STEP, PYTHON, is_locked=False)
    assert f'uv pip install --python "{PYTHON}" torch==2.9.1 --index-url {INDEX}\n' in written


def test_option_that_uv_lacks_is_left_out() -> None:
    assert f'`uv pip uninstall --python "{PYTHON}" torch`' in write_for_uv(STEP, PYTHON, is_locked=False)


def test_lock_that_may_be_there_is_told() -> None:
    assert "has a `uv.lock`" in write_for_uv(STEP, PYTHON, is_locked=None)


def test_project_gets_the_index_and_the_packages() -> None:
    assert f"   uv add --frozen --index pytorch-cu128={INDEX} torch==2.9.1\n" in write_for_project(
        STEP, PYTHON
    )


def test_project_is_installed_at_once() -> None:
    assert "torch==2.9.1\n   uv sync\n   ```" in write_for_project(STEP, PYTHON)


def test_package_of_the_usual_index_is_added() -> None:
    step = 'Do it:\n\n```powershell\npython -m pip install --upgrade --only-binary numpy "numpy<2"\n```'
    assert '```powershell\nuv add "numpy<2"\n```' in write_for_project(step, PYTHON)


def test_same_files_are_put_back_in_the_environment() -> None:
    step = STEP.replace("--no-deps", "--no-deps --no-cache-dir")
    assert "uv pip install" in write_for_project(step, PYTHON)


def test_new_environment_keeps_its_pip() -> None:
    step = "```powershell\npython -m venv new\npython -m pip install torch\n```"
    assert (write_for_project(step, PYTHON), write_for_uv(step, PYTHON, is_locked=None)) == (step, step)


def test_step_without_commands_stays() -> None:
    assert write_for_uv("Restart.", PYTHON, is_locked=None) == "Restart."
