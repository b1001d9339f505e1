"""Which images lock mutexes that an old msvcp140.dll does not know how to handle.

Since MSVC 14.40 std::mutex is constructed at compile time: such a binary locks a mutex that older
runtimes have never initialised, and they read through a null pointer. A binary that still calls the
old constructor imports it by name. https://github.com/microsoft/STL/issues/4730,
https://github.com/pytorch/pytorch/pull/196987. 14.36 and older crash; 14.39 was seen to work.
"""

from collections.abc import Iterable

from torchdoctor.facts import DllImage

CONSTRUCTOR = "_Mtx_init_in_situ"
LOCKS = frozenset({"_Mtx_lock", "_Mtx_trylock"})
FIRST_CONSTEXPR_LINKER = (14, 40)
SAFE_RUNTIME = (14, 40)
FIRST_TOLERANT_RUNTIME = (14, 38)


def find_affected(images: Iterable[DllImage]) -> tuple[DllImage, ...]:
    """Give the images that crash in an old runtime; the linker version alone would also blame safe ones."""
    return tuple(image for image in images if _locks_unconstructed(image))


def _locks_unconstructed(image: DllImage) -> bool:
    symbols = set(image.runtime_symbols)
    is_new = tuple(image.linker_version) >= FIRST_CONSTEXPR_LINKER
    return is_new and bool(symbols & LOCKS) and CONSTRUCTOR not in symbols
