"""torchcodec finds no FFmpeg whose DLLs are all there."""

import re
from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.domain.torchcodec import looks_beside_ffmpeg
from torchdoctor.facts import CompanionDlls, DllClosure, MissingDll
from torchdoctor.pe import find_supplier

# libtorchcodec_core7.dll is for FFmpeg 7.
_OF_FFMPEG = re.compile(r"libtorchcodec_\w+?(?P<release>\d{1,2})\.(?:dll|pyd)", re.IGNORECASE)


@check
def torchcodec_ffmpeg_missing(companions: CompanionDlls) -> Iterator[Finding | Passed]:
    """Report it if each of the sets of DLLs that torchcodec has lacks DLLs of its FFmpeg."""
    package = next((each for each in companions.packages if each.package == "torchcodec"), None)
    if package is None:
        raise Skip("torchcodec is not installed, or has no DLLs")
    label = f"torchcodec {package.version}"
    missing = [dll for dll in package.closure.missing if _is_of_ffmpeg(dll) and not dll.delayed]
    lacking = {_find_release(dll.chain[0]) for dll in missing}
    whole = sorted(_list_releases(package.closure) - lacking)
    if whole:
        yield Passed(f"{label} finds the DLLs of FFmpeg {whole[-1]}")
    elif missing:
        yield Finding(
            f"{label} does not find the DLLs of any FFmpeg that it knows: {_describe(missing)}",
            evidence={"missing": [dll.name for dll in missing]},
            # torch itself works, and so does torchcodec for images.
            severity=Severity.WARNING,
            step="ffmpeg" if looks_beside_ffmpeg(package.version) else "ffmpeg-beside",
        )


def _is_of_ffmpeg(dll: MissingDll) -> bool:
    supplier = find_supplier(dll.name)
    return supplier is not None and supplier.key == "ffmpeg"


def _list_releases(closure: DllClosure) -> set[int]:
    return {_find_release(image.name) for image in closure.images} - {0}


def _find_release(name: str) -> int:
    found = _OF_FFMPEG.fullmatch(name)
    return int(found["release"]) if found else 0


def _describe(missing: list[MissingDll]) -> str:
    codecs = [dll for dll in missing if dll.name.startswith("avcodec-")]
    absent = {_find_release(dll.chain[0]) for dll in codecs}
    # Of an FFmpeg that is there in part, what lacks says more.
    in_part = [dll for dll in missing if _find_release(dll.chain[0]) not in absent]
    names = [dll.name for dll in in_part or codecs]
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} missing"
