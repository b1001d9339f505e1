"""What a failed step did to files is taken back, or named, also what pip itself never does."""

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.repair.conftest import Environment, make_wheel

PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
METADATA = "Metadata-Version: 2.1\nName: tinydep\nVersion: 2.0\n"


def offer_source(environment: Environment, code: str) -> None:
    """Offer tinydep 2.0 only as source, whose build runs code in the packages of the environment."""
    (environment.wheels / "tinydep-2.0-py3-none-any.whl").unlink()
    backend = f"import os\nos.chdir({str(environment.site)!r})\n{code}\n"
    members = {"pyproject.toml": PROJECT, "backend.py": backend, "PKG-INFO": METADATA}
    with tarfile.open(environment.wheels / "tinydep-2.0.tar.gz", "w:gz") as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(f"tinydep-2.0/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))


def read_modes(site: Path) -> dict[str, int]:
    return {
        str(path): path.lstat().st_mode for path in [site, *site.rglob("*")] if path.name != "__pycache__"
    }


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("ending", ["raise SystemExit(1)", "os.kill(os.getpid(), 9)"])
def test_modes_come_back_after_a_failed_step(outdated: Environment, ending: str) -> None:
    changes = "os.chmod('torch/__init__.py', 0); os.chmod('tinydep/more.py', 0o777); os.chmod('tinydep', 0)"
    offer_source(outdated, f"{changes}\n{ending}")
    before = read_modes(outdated.site)
    result = outdated.repair("--yes")
    assert "everything is as it was" in " ".join(result.stdout.split()), result.stdout
    assert read_modes(outdated.site) == before
    assert "not everything" not in result.stdout and result.returncode == 1


IN_PLACE = """
for name in ("torch/__init__.py", "tinydep/more.py"):
    with open(name, "a") as file: file.write("# changed\\n")
os.remove("tinydep/__init__.py"); open("new.py", "w").close()
raise SystemExit(1)
"""


def test_files_that_were_changed_in_place_are_named_and_all_others_come_back(outdated: Environment) -> None:
    offer_source(outdated, IN_PLACE)
    before = outdated.digest()
    result = outdated.repair("--yes")
    said = " ".join(result.stdout.split())
    now = outdated.digest()
    changed = {Path(name).name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
    assert changed == {"__init__.py", "more.py"} and result.returncode == 1
    assert "not everything is as it was" in said and "brings everything back" not in said
    for name in ("torch/__init__.py", "tinydep/more.py"):
        assert str(outdated.site / name) in said
    assert "were changed in place, and their old content is not kept" in said
    assert "Nothing was changed" not in said
    # It is over: nothing was cut off, and there is nothing to try again.
    assert "cut off" not in outdated.repair("--dry-run").stderr
    assert "undone" in outdated.repair("--list").stdout
    assert outdated.repair("--undo").returncode == 2


OWN_FILES = ("notes.txt", "mine/a.txt", "src/deep/b.txt", "share/c.txt")


@pytest.mark.parametrize("fails", [False, True])
def test_files_of_the_user_beside_the_packages_come_back(outdated: Environment, fails: bool) -> None:
    data = {f"tinydep-2.0.data/data/{name}": "theirs" for name in OWN_FILES}
    make_wheel(outdated.wheels, "tinydep", "2.0", {"tinydep/__init__.py": "VERSION = 2\n", **data})
    for name in OWN_FILES:
        file = outdated.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("mine", encoding="utf-8")
    before = outdated.digest()
    if fails:
        # pip puts scripts and data there at the end.
        make_wheel(outdated.wheels, "tinydep", "2.0", {
            "tinydep/__init__.py": "VERSION = 2\n", **data, "tinydep-2.0.data/scripts/blocked": "x",
        })  # fmt: skip
        (Path(outdated.python).parent / "blocked").mkdir()
        before = outdated.digest()
    result = outdated.repair("--yes")
    assert result.returncode == (1 if fails else 0), result.stdout
    if not fails:
        assert (outdated.folder / "mine/a.txt").read_text(encoding="utf-8") == "theirs"
        assert outdated.repair("--undo").returncode == 0
    assert outdated.digest() == before


BUILDS = """
import zipfile
with open("torch/__init__.py", "a") as file: file.write("# changed\\n")
def build_wheel(folder, *_):
    info = "tinydep-2.0.dist-info"
    members = {
        "tinydep/__init__.py": "VERSION = 2\\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\\nName: tinydep\\nVersion: 2.0\\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        f"{info}/RECORD": "",
    }
    with zipfile.ZipFile(os.path.join(folder, "tinydep-2.0-py3-none-any.whl"), "w") as archive:
        for name, text in members.items(): archive.writestr(name, text)
    return "tinydep-2.0-py3-none-any.whl"
"""


def test_step_that_helped_promises_no_more_than_undo_does(outdated: Environment) -> None:
    before = outdated.digest()
    offer_source(outdated, BUILDS)
    result = outdated.repair("--yes")
    said = " ".join(result.stdout.split())
    assert result.returncode == 0 and outdated.works(), said
    assert "brings everything else back" in said and "was changed in place, and its old content" in said
    undone = outdated.repair("--undo")
    assert undone.returncode == 1 and "Undone" in undone.stdout
    assert "torch/__init__.py was changed in place" in " ".join(undone.stdout.split())
    now = outdated.digest()
    [left] = [name for name in before.keys() | now.keys() if before.get(name) != now.get(name)]
    assert left.endswith(os.path.join("torch", "__init__.py"))


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no Ctrl-C to one process")
def test_interrupt_names_what_does_not_come_back(outdated: Environment) -> None:
    interrupt = IN_PLACE.replace(
        "raise SystemExit(1)", "import signal, time; os.kill(int(os.environ['DOCTOR']), 2); time.sleep(60)"
    )
    offer_source(outdated, interrupt)
    code = (
        "import os, sys; os.environ['DOCTOR'] = str(os.getpid())\n"
        "from torchdoctor.__main__ import main\n"
        f"sys.argv = ['torchdoctor', *{outdated.make_command('--yes')!r}]; main()"
    )
    env = {**os.environ, **outdated.variables}
    ended = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 130
    assert "everything is as it was, but" in ended.stderr and "torch/__init__.py" in ended.stderr
