"""Read a PE image: its machine, its imports and the memory that it needs."""

from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.pe.headers import Section, parse_headers, round_up_to_page
from torchdoctor.pe.imports import Import, parse_imports
from torchdoctor.pe.view import View, map_file


@record
class Image:
    """The headers and imports of a DLL, .pyd or .exe."""

    name: str
    machine: str
    linker_version: tuple[int, int]
    timestamp: int
    imports: tuple[Import, ...]
    sections: tuple[Section, ...]

    @property
    def writable_bytes(self) -> int:
        """The bytes that a process commits to map the image: private writable sections in whole pages."""
        return sum(
            round_up_to_page(section.virtual_size) for section in self.sections if section.is_private_writable
        )


def read_image(path: Path) -> Image:
    """Read an image.

    Raises:
        PeError: the file is not an image.
        OSError: the file cannot be opened.
    """
    with map_file(path) as view:
        return parse_image(view, path.name)


def parse_image(view: View, name: str) -> Image:
    """Read an image from its bytes."""
    headers = parse_headers(view)
    return Image(
        name=name,
        machine=headers.machine,
        linker_version=headers.linker_version,
        timestamp=headers.timestamp,
        imports=parse_imports(view, headers),
        sections=headers.sections,
    )
