"""Find the DLLs and extension modules of a wheel or a folder, or take a single one."""

import os
import shutil
import struct
import tempfile
import textwrap
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from torchdoctor.core.record import record
from torchdoctor.pe.view import PeError

IMAGE_SUFFIXES = (".dll", ".pyd")
_MEMBER_LIMIT = 10_000
_TOTAL_LIMIT_BYTES = 16 << 30  # the largest CUDA wheels unpack to less than 5 GiB
# Images of real wheels unpack to less than ten times their size.
_MOST_GROWTH = 50
_SMALL_BYTES = 64 << 20
_MOST_CHARACTERS = 200
_ENCRYPTED = 0x1
# What zipfile raises for broken, encrypted and unknown members.
_ZIP_ERRORS = (BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError, OSError)


class WheelError(PeError):
    """A file cannot be read as a wheel; the message is one line that says why."""


@record
class ImageFiles:
    """The image files found below one folder; `is_unpacked` is whether it is there only for a wheel."""

    root: Path
    images: tuple[Path, ...]
    is_unpacked: bool = False

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that hold images."""
        return tuple(sorted({image.parent for image in self.images}))


@contextmanager
def collect_images(path: Path) -> Iterator[ImageFiles]:
    """Yield the *.dll and *.pyd of a folder, of a wheel (unpacked while the context is open), or one image.

    Raises:
        WheelError: there is no such file, or the wheel is broken or unsafe to unpack.
    """
    if os.path.isdir(path):
        yield ImageFiles(path, _find_images(path))
    elif path.suffix.lower() in IMAGE_SUFFIXES:
        yield ImageFiles(path.parent, (path,))
    elif not os.path.isfile(path):
        raise WheelError("no such file or folder")
    else:
        with tempfile.TemporaryDirectory(prefix="torchdoctor-", ignore_cleanup_errors=True) as folder:
            _unpack(path, Path(folder))
            yield ImageFiles(Path(folder), _find_images(Path(folder)), is_unpacked=True)


def _find_images(folder: Path) -> tuple[Path, ...]:
    return tuple(
        sorted(
            Path(parent, name)
            for parent, _, names in os.walk(folder)
            for name in names
            if name.lower().endswith(IMAGE_SUFFIXES)
        )
    )


def _unpack(wheel: Path, folder: Path) -> None:
    try:
        with ZipFile(wheel) as archive:
            members = _find_image_members(archive)
            _check_size(members, folder.parent)
            for member in members:
                _unpack_member(archive, member, folder)
    except WheelError:
        raise
    except _ZIP_ERRORS as error:
        raise WheelError(f"not a readable wheel: {_describe_error(error)}") from error


def _find_image_members(archive: ZipFile) -> list[ZipInfo]:
    members = [member for member in archive.infolist() if member.filename.lower().endswith(IMAGE_SUFFIXES)]
    for member in members:
        _check_name(member.filename)
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise WheelError(f"not a readable wheel: compression type {member.compress_type}")
        if member.flag_bits & _ENCRYPTED:
            raise WheelError(f"not a readable wheel: {_shorten(member.filename)} is encrypted")
    return members


def _check_name(name: str) -> None:
    # On Windows, ":" marks a drive or a stream; a wheel needs none of these names.
    parts = name.split("/")
    if "\\" in name or ":" in name or not name.isprintable() or not all(part.strip(". ") for part in parts):
        raise WheelError(f"refused wheel: unsafe member name {name[:_MOST_CHARACTERS]!r}")


def _check_size(members: list[ZipInfo], folder: Path) -> None:
    declared = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if declared > _MOST_GROWTH * packed + _SMALL_BYTES:
        raise WheelError(f"refused wheel: {packed} bytes would unpack to {declared}")
    if len(members) > _MEMBER_LIMIT or declared > _TOTAL_LIMIT_BYTES:
        raise WheelError(f"refused wheel: {len(members)} images of {declared} bytes")
    free = shutil.disk_usage(folder).free
    if declared > free:
        raise WheelError(f"cannot unpack: {declared} bytes wanted, {free} free in {folder}")


def _unpack_member(archive: ZipFile, member: ZipInfo, folder: Path) -> None:
    target = folder.joinpath(*member.filename.split("/"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # ZipExtFile stops at the declared size, so no more is written than was checked.
        with archive.open(member) as source, open(target, "xb") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
    except FileExistsError:
        raise WheelError(
            f"not a readable wheel: the name {_shorten(member.filename)} is taken twice"
        ) from None
    except OSError as error:
        # The error names the folder that is there only now.
        reason = error.strerror or type(error).__name__
        raise WheelError(f"cannot unpack {_shorten(member.filename)}: {reason}") from error


def _describe_error(error: BaseException) -> str:
    # zipfile quotes the names of members, which can be long.
    return _shorten(str(error)) or type(error).__name__


def _shorten(text: str) -> str:
    return textwrap.shorten(text, _MOST_CHARACTERS)
