"""The table that Omniverse programs such as Isaac Sim log when they start: cards, system and memory."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "omniverse"
_CARD = (
    r"\| (?P<number>\d{1,2})\s{1,4}\| (?P<name>[A-Z][^|\n]{3,60}?)(?:\.\.)?\s{0,40}\|[^|\n]{0,12}"
    r"\|[^|\n]{0,8}\| (?P<mib>\d{3,6})\s{1,6}MB \| [0-9a-f]{4}\s"
)
_DRIVER = r"\| Driver Version: (?P<version>\d{3}\.\d{2,3}(?:\.\d\d)?)\s{1,20}\| Graphics API: "
_SYSTEM = r"\| OS: (?P<system>[^\n]{3,80}?), Version: [^\n]{3,60}?, Build: (?P<build>\d{5}),"
_MEMORY = r"\| Total Memory \(MB\): (?P<mib>\d{4,8}) \|"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the driver, the cards with their memory, the build of Windows and the memory of the machine."""
    for number, line in lines:
        if not line.startswith("| "):
            continue
        driver = pattern(_DRIVER).match(line)
        if driver:
            yield Statement(Topic.DRIVER, driver["version"], number, _NAME)
        card = pattern(_CARD).match(line)
        # Beside a card of NVIDIA, Direct3D shows it once more.
        if card and values.is_gpu(card["name"]) and "Direct3D" not in card["name"]:
            yield Statement(Topic.GPU, card["name"], number, _NAME, subject=card["number"])
            # What the others show is shared with the processor.
            if values.is_nvidia(card["name"]):
                size = str(int(card["mib"]) << 20)
                yield Statement(Topic.GPU_MEMORY, size, number, _NAME, subject=card["number"])
        system = pattern(_SYSTEM).match(line)
        if system:
            yield Statement(Topic.WINDOWS_BUILD, system["build"], number, _NAME)
            for topic, value, subject in values.read_system(system["system"]):
                yield Statement(topic, value, number, _NAME, subject=subject)
        memory = pattern(_MEMORY).match(line)
        if memory:
            yield Statement(Topic.MEMORY, str(int(memory["mib"]) << 20), number, _NAME)
