"""Where facts are found, and how their machines are named."""

import json
from pathlib import Path

import pytest

from tests.fleet.conftest import make_facts
from torchdoctor.fleet.sources import find_sources


def _names(*paths: Path) -> list[str]:
    return [source.name for source in find_sources(paths)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.json", "a.json", "lab/c.json", "notes.txt", ".hidden.json"):
        file = tmp_path / "room" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(make_facts()), encoding="utf-8")
    return tmp_path / "room"


def test_folder_is_read_in_order_with_its_folders(folder: Path) -> None:
    assert _names(folder) == ["a", "b", "lab/c"]


def test_files_are_named_by_their_stems(folder: Path) -> None:
    assert _names(folder / "b.json", folder / "lab" / "c.json") == ["b", "c"]


def test_files_of_the_same_name_are_told_apart(folder: Path) -> None:
    other = folder / "lab" / "a.json"
    other.write_text("{}", encoding="utf-8")
    assert _names(folder / "a.json", other) == [
        (folder / "a").as_posix(), (folder / "lab" / "a").as_posix()
    ]  # fmt: skip


def test_several_folders_are_told_apart(folder: Path) -> None:
    assert _names(folder, folder / "lab") == ["room/a", "room/b", "room/lab/c", "lab/c"]


def test_pattern_stands_for_files(folder: Path) -> None:
    assert _names(folder / "*.json") == ["a", "b"]
    assert _names(folder / "*.none") == ["*"]


def test_lines_are_named_by_their_keys_or_their_place(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    lines = [{"host": "pc-1", **make_facts()}, make_facts(), {"name": "pc-3", **make_facts()}]
    file.write_text("\n\n".join(map(json.dumps, lines)) + "\n{", encoding="utf-8")
    assert _names(file) == ["pc-1", f"{file}:3", "pc-3", f"{file}:6"]


def test_list_of_reports_has_a_machine_for_each(tmp_path: Path) -> None:
    file = tmp_path / "reports.json"
    reports = [{**make_facts(), "facts_file": r"C:\share\pc-7.json"}, make_facts()]
    file.write_text(json.dumps(reports), encoding="utf-16")
    assert _names(file) == ["reports"]
    file.write_text(json.dumps(reports), encoding="utf-8-sig")
    assert _names(file) == ["pc-7", "reports:2"]


def test_empty_folder_is_a_problem(tmp_path: Path) -> None:
    [source] = find_sources([tmp_path])
    assert source.problem is not None and "no facts" in source.problem
