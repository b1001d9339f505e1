"""Images are collected from folders, wheels and single files."""

from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from torchdoctor.pe import WheelError, collect_images


def make_wheel(path: Path, *names: str, compression: int = 0) -> Path:
    with ZipFile(path, "w", compression) as archive:
        for name in names:
            archive.writestr(name, b"MZ" * 50)
    return path


def test_collects_the_images_of_a_wheel(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path / "x.whl", "torch/lib/c10.dll", "torch/_C.pyd", "torch/__init__.py")
    with collect_images(wheel) as found:
        assert {path.relative_to(found.root).as_posix() for path in found.images} == {
            "torch/lib/c10.dll",
            "torch/_C.pyd",
        }


def test_unpacked_files_are_removed(tmp_path: Path) -> None:
    with collect_images(make_wheel(tmp_path / "x.whl", "a.dll")) as found:
        pass
    assert not found.root.exists()


def test_images_in_a_folder_are_read_in_place(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "A.DLL").write_bytes(b"MZ")
    with collect_images(tmp_path) as found:
        assert found.folders == (tmp_path / "lib",)


def test_single_image_is_collected_alone(tmp_path: Path) -> None:
    (tmp_path / "a.dll").write_bytes(b"MZ")
    (tmp_path / "b.dll").write_bytes(b"MZ")
    with collect_images(tmp_path / "a.dll") as found:
        assert found.images == (tmp_path / "a.dll",)


@pytest.mark.parametrize(
    "name", ["../a.dll", "/a.dll", "C:/a.dll", "a//b.dll", "x/../../a.dll", "a\x1b.dll", "./a.dll"]
)
def test_refuses_unsafe_names(tmp_path: Path, name: str) -> None:
    wheel = make_wheel(tmp_path / "x.whl", name)
    with pytest.raises(WheelError, match="unsafe member name"), collect_images(wheel):
        pass


def test_refuses_too_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchdoctor.pe.wheel._TOTAL_LIMIT_BYTES", 99)
    wheel = make_wheel(tmp_path / "x.whl", "a.dll")
    with pytest.raises(WheelError, match="refused wheel: 1 images of 100 bytes"), collect_images(wheel):
        pass


def test_refuses_other_compression(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path / "x.whl", "a.dll", compression=ZIP_LZMA)
    with pytest.raises(WheelError, match="compression type 14"), collect_images(wheel):
        pass


def test_missing_path_is_a_wheel_error(tmp_path: Path) -> None:
    with pytest.raises(WheelError, match="no such file or folder"), collect_images(tmp_path / "none.whl"):
        pass


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=5),
    cut=st.integers(0, 99),
)
def test_damaged_wheel_raises_only_wheel_error(
    tmp_path: Path, changes: list[tuple[int, int]], cut: int
) -> None:
    wheel = make_wheel(tmp_path / "x.whl", "a.dll", "b/c.pyd", compression=8)
    data = bytearray(wheel.read_bytes())
    for offset, value in changes:
        data[offset % len(data)] = value
    wheel.write_bytes(data[: len(data) - cut // 10])
    with suppress(WheelError), collect_images(wheel) as found:
        assert len(found.images) <= 2


def test_bomb_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.whl"
    with ZipFile(bomb, "w", ZIP_DEFLATED) as archive:
        archive.writestr("a.dll", bytes(100 << 20))
    with pytest.raises(WheelError, match="would unpack to 104857600"), collect_images(bomb):
        pass


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(("names", "flags"), [(("x/a.dll", "x/a.dll"), 0), (("x/a.dll",), 1)])
def test_error_names_the_member_alone(
    torchdoctor, tmp_path: Path, names: tuple[str, ...], flags: int
) -> None:
    wheel = make_wheel(tmp_path / "x.whl", *names)
    data = bytearray(wheel.read_bytes())
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(signature) + offset] |= flags
    wheel.write_bytes(data)
    said = torchdoctor("dlls", str(wheel)).stderr
    assert said.startswith(f"torchdoctor: {wheel}: not a readable wheel: ") and len(said.splitlines()) == 1
    assert "x/a.dll" in said and "torchdoctor-" not in said and "ZipInfo" not in said


def test_unreadable_image_is_named_as_the_wheel_does(torchdoctor, tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path / "x.whl", "x/a.dll")
    said = torchdoctor("dlls", str(wheel)).stdout
    assert "\nx/a.dll could not be read: " in said and "dll-wrong-architecture: x/a.dll " in said
    assert "torchdoctor-" not in said and "missing" not in said
    assert "torchdoctor-" not in torchdoctor("dlls", str(wheel), "--format", "json").stdout
