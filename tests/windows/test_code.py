"""Training code is examined on Windows in several processes, and answered from a cache."""

import json
import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows
SAMPLES = Path(__file__).parents[1] / "samples"
EXAMINE_IN_ANOTHER_PROCESS = """
import sys, tempfile
from pathlib import Path
from torchdoctor.engine.code.examination import reads_code
from torchdoctor.engine.code.file_examiner import FileExaminer
from torchdoctor.engine.code.workers import Worker
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts
registry = load_registry()
checks = [check for check in registry.checks if reads_code(check)]
folder = Path(sys.argv[1])
files = sorted(folder.rglob("*.py"))
examiner = FileExaminer(checks, Facts(), registry.knowledge, [folder])
with tempfile.TemporaryDirectory() as scratch:
    answers = Worker([str(file) for file in files], examiner, scratch, 1).wait().answers
expected = {str(file): examiner.examine(file) for file in files}
print(len(files), dict(answers) == expected, sum(bool(each.outcomes) for each in expected.values()))
"""


def test_other_process_examines_its_files(
    windows_python: str, doctor_folder: Path, windows_path, tmp_path: Path
) -> None:
    result = subprocess.run(
        [windows_python, "-c", EXAMINE_IN_ANOTHER_PROCESS, windows_path(SAMPLES / "unpicklable_dataset")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
        env={**os.environ, "PYTHONPATH": windows_path(doctor_folder)},
    )
    files, is_equal, found = result.stdout.split()
    assert (int(files) > 5, is_equal, int(found) > 2) == (True, "True", True), result.stderr


def test_second_scan_is_answered_from_the_cache(run_doctor, windows_path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "train.py").write_text("import os\nos.fork()\n", encoding="utf-8")
    env = {"TORCHDOCTOR_CACHE_DIR": windows_path(tmp_path / "kept")}
    arguments = ("scan", windows_path(code), "--no-trials", "--select", "source", "--format", "json")
    first, second = (json.loads(run_doctor(*arguments, env=env).stdout)["outcomes"] for _ in range(2))
    assert first == second and sum(len(each["findings"]) for each in first) == 1
    (kept,) = (tmp_path / "kept" / "code").iterdir()
    kept.write_bytes(kept.read_bytes().replace(b"os.fork", b"os.work"))
    changed = json.loads(run_doctor(*arguments, env=env).stdout)["outcomes"]
    assert changed == first
