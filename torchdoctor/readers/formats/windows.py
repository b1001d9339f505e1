"""What Windows prints of itself: `ver`, systeminfo and dxdiag."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "windows"
# The prompt and `ver`; the word for version is localised.
_VER = r"Microsoft Windows \[[^\]\d]{0,20}(?:10\.0|6\.[1-3])\.(?P<build>\d{4,5})(?:\.\d{1,6})?\]"
# systeminfo and msinfo32; the words before and after are localised.
_SYSTEMINFO = r"\b10\.0\.(?P<build>\d{5}) [^\n]{1,40} (?P=build)\s*$"
# The page "About" of the settings.
_ABOUT = (
    r"\s*(?:OS build|操作系统(?:内部)?版本|操作系統組建|Betriebssystembuild"
    r"|Build du système d[’']exploitation"
    r"|Versión del SO|Compilación del SO|Build do SO|Сборка ОС|OS ビルド"
    r"|OS 빌드|Compilação do SO|Build sistema operativo|Kompilacja systemu operacyjnego"
    r"|İşletim sistemi derlemesi)"
    r"[\s:]{1,20}(?P<build>\d{5})(?:\.\d{1,6})?\s*$"
)
_PLATFORM = r"\bWindows-1[01]-10\.0\.(?P<build>\d{5})"
_DXDIAG = r"\s*Operating System: Windows [^\n]{2,60}\(10\.0, Build (?P<build>\d{5})\)"
_CARD = r"\s*Card name: (?P<name>[^\n]{3,80})"
_DRIVER = (
    r"\s*(?:Driver Version|Version|Treiberversion|版本|驱动程序版本|バージョン|Версия)[:：] ?"
    r"(?P<version>\d{2}\.\d{1,2}\.\d{2,5}\.\d{1,5})"
)
# The files of NVIDIA's driver, as dxdiag lists them.
_DRIVER_FILE = r"[^\n]{0,60}\bnvldumdx?\.dll\b"
# A row of Win32_VideoController.
_CONTROLLER = (
    r"\s*(?P<name>(?:NVIDIA|Intel|AMD|Radeon)\S{0,6}(?: (?!\d{8})[\w().-]{1,20}){1,8})\s{1,20}"
    # The memory and the date of the driver may stand between.
    r"(?:\d{8,14}\S{0,20}\s{1,20}){0,3}"
    r"(?P<version>\d{2}\.\d{1,2}\.\d{2,5}\.\d{1,5})\b"
)
# The same with the columns in the order of the alphabet, as wmic prints them.
_REVERSED = (
    r"\s*(?P<version>\d{2}\.\d{1,2}\.\d{2,5}\.\d{1,5})\s{1,20}"
    r"(?P<name>(?:NVIDIA|Intel|AMD|Radeon)\S{0,6}(?: [\w().-]{1,20}){1,8})\s*$"
)
_DEDICATED = r"\s*Dedicated Memory: (?P<mib>\d{3,6}) MB"
# What somebody asks PowerShell or wmic, and the answers below.
_QUERY = (
    r"^\W{0,3}(?:[^\n]{0,120}>\s?)?\W{0,2}(?:(?:Get-(?:WmiObject|CimInstance)|gwmi|gcim)\s[^\n]{0,30}?"
    r"|wmic path )"
    r"(?P<object>Win32_(?:OperatingSystem|VideoController|Processor))\b[^\n]{0,80}$"
)
_VERSION = r"\s{0,4}(?:10\.0|6\.[1-3])\.(?P<build>\d{4,5})(?:\.\d{1,6})?\s*$"
_WINVER = (
    r"\bWindows 1[01][^\n]{0,40}?\((?:OS )?(?:build|Build"
    r"|Version)[^\n)]{0,20}?(?P<build>\d{5})(?:\.\d{1,6})?\)"
)
_MEMORY = (
    r"\s*(?:Total Physical Memory|Gesamter physischer Speicher|Mémoire physique totale"
    r"|Cantidad total de memoria física|"
    r"Всего физической памяти|物理内存总量|Installed Physical Memory \(RAM\)|Memory"
    r"|Installed RAM|机带 RAM|Installierter RAM|Mémoire RAM installée|RAM instalada"
    r"|Оперативная память|実装 RAM|Speicher)(?::|\s{2})\s{1,20}(?P<size>\S.{2,20})"
)


# The processor, by the words of systeminfo, dxdiag and torch's report.
_ARM = r"\bARM64-based PC\b|\bSnapdragon\b|\bARM \(?64|\bQualcomm Oryon\b|\bMicrosoft SQ\d\b"
_X64 = r"\bx64-based PC\b|\barch=AMD64\b"


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the build of Windows, the processor, the memory and the cards."""
    yield from _read_machine(lines)
    yield from _read_dxdiag(lines)
    yield from _read_answers(lines)


def _read_machine(lines: Lines) -> Iterator[Statement]:
    """Yield the build of Windows, the processor and the memory."""
    for number, line in lines:
        for regex in (_VER, _ABOUT, _SYSTEMINFO, _DXDIAG, _WINVER, _PLATFORM):
            build = pattern(regex).search(line)
            if build:
                yield Statement(Topic.SYSTEM, "windows", number, _NAME)
                yield Statement(Topic.WINDOWS_BUILD, build["build"], number, _NAME)
                break
        if pattern(_ARM).search(line):
            yield Statement(Topic.MACHINE, "arm64", number, _NAME)
        elif pattern(_X64).search(line):
            yield Statement(Topic.MACHINE, "x64", number, _NAME)
        memory = pattern(_MEMORY).match(line)
        size = values.read_bytes(memory["size"]) if memory else None
        if size is not None and size >= 1 << 30:
            yield Statement(Topic.MEMORY, str(size), number, _NAME)


def _read_dxdiag(lines: Lines) -> Iterator[Statement]:
    """Yield the card of dxdiag, its memory and its driver."""
    last_card = ""
    for number, line in lines:
        card = pattern(_CARD).match(line)
        if card:
            last_card = card["name"]
            if values.is_gpu(last_card):
                yield Statement(Topic.GPU, last_card.strip(), number, _NAME, subject="0")
        elif pattern(_DRIVER_FILE, True).match(line):
            last_card = "NVIDIA"
        driver = pattern(_DRIVER).match(line)
        if driver and values.is_nvidia(last_card):
            yield from _read_driver(driver["version"], number)
        dedicated = pattern(_DEDICATED).match(line)
        if dedicated and values.is_nvidia(last_card):
            yield Statement(Topic.GPU_MEMORY, str(int(dedicated["mib"]) << 20), number, _NAME, subject="0")


def _read_answers(lines: Lines) -> Iterator[Statement]:
    """Yield what PowerShell or wmic answers: the build of Windows, and the cards with their drivers.

    The rows of a table with drivers are known without the question.
    """
    asked, cards = "", 0
    has_drivers = any("driverversion" in line.lower() for _, line in lines)
    for number, line in lines:
        query = pattern(_QUERY, True).match(line) if "in32_" in line else None
        if query:
            asked = query["object"].lower()
            yield Statement(Topic.SYSTEM, "windows", number, _NAME)
            continue
        version = pattern(_VERSION).match(line) if asked == "win32_operatingsystem" else None
        if version:
            yield Statement(Topic.WINDOWS_BUILD, version["build"], number, _NAME)
        row = pattern(_CONTROLLER).match(line) or pattern(_REVERSED).match(line) if has_drivers else None
        is_name = asked == "win32_videocontroller" and len(line) < 60
        name = row["name"] if row else line.strip() if is_name else ""
        if values.is_gpu(name):
            yield Statement(Topic.GPU, name, number, _NAME, subject=str(cards))
            cards += 1
            if row and values.is_nvidia(name):
                yield from _read_driver(row["version"], number)
        asked = asked if line.strip() else ""


def _read_driver(text: str, number: int) -> Iterator[Statement]:
    version = values.read_windows_driver(text)
    if version:
        yield Statement(Topic.DRIVER, version, number, _NAME)
