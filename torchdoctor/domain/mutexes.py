"""Find images that lock mutexes which an old msvcp140.dll cannot handle.

Since MSVC 14.40, std::mutex is constructed at compile time. An image built with it locks mutexes that an
older runtime has not initialised, and that runtime reads through a null pointer. An image that still calls
the old constructor imports it by name. https://github.com/microsoft/STL/issues/4730,
https://github.com/pytorch/pytorch/pull/196987. Runtimes up to 14.36 crash; 14.39 was seen to work.
"""

from collections.abc import Iterable

from torchdoctor.facts import DllImage

CONSTRUCTOR = "_Mtx_init_in_situ"
LOCKS = frozenset({"_Mtx_lock", "_Mtx_trylock"})
FIRST_CONSTEXPR_LINKER = (14, 40)
SAFE_RUNTIME = (14, 40)
FIRST_TOLERANT_RUNTIME = (14, 38)


def find_affected(images: Iterable[DllImage]) -> tuple[DllImage, ...]:
    """Return the images that crash with an old runtime; by linker version alone, safe ones would match."""
    return tuple(image for image in images if _locks_unconstructed_mutex(image))


def _locks_unconstructed_mutex(image: DllImage) -> bool:
    symbols = set(image.runtime_symbols)
    is_new = tuple(image.linker_version) >= FIRST_CONSTEXPR_LINKER
    return is_new and bool(symbols & LOCKS) and CONSTRUCTOR not in symbols
