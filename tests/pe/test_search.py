"""The folders in which the Windows loader searches for a DLL, in their order."""

from collections.abc import Callable
from pathlib import Path

from torchdoctor.pe import flagged_search

Write = Callable[..., Path]


def test_finds_a_name_in_any_case(tmp_path: Path, write: Write) -> None:
    path = write("MSVCP140.dll")
    assert flagged_search(system=tmp_path).find("msvcp140.DLL") == path


def test_adds_the_extension_dll(tmp_path: Path, write: Write) -> None:
    path = write("kernel32.dll")
    assert flagged_search(system=tmp_path).find("KERNEL32") == path


def test_added_folder_precedes_system(tmp_path: Path, write: Write) -> None:
    write("system/a.dll")
    added = write("added/a.dll")
    assert flagged_search(added=[added.parent], system=tmp_path / "system").find("a.dll") == added


def test_own_folder_precedes_the_application(tmp_path: Path, write: Write) -> None:
    write("app/a.dll")
    own = write("lib/a.dll")
    search = flagged_search(application=tmp_path / "app").seen_from(own.parent)
    assert search.find("a.dll") == own


def test_folder_that_cannot_be_listed_has_no_dlls(tmp_path: Path) -> None:
    assert flagged_search(added=[tmp_path / "none"], system=tmp_path).find("a.dll") is None


def test_name_with_a_path_finds_nothing(tmp_path: Path, write: Write) -> None:
    write("a.dll")
    assert flagged_search(system=tmp_path / "lib").find("../a.dll") is None


def test_folder_named_like_a_dll_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "a.dll").mkdir()
    assert flagged_search(system=tmp_path).find("a.dll") is None
