"""Show of an environment variable what programs read from it: numbers, paths, and its words."""

import re

from torchdoctor.domain.masks import LEFT_OUT, MASKED
from torchdoctor.redaction.words.shared_names import (
    is_address_of_a_machine,
    is_address_of_all,
    is_name_of_code,
    is_number,
)
from torchdoctor.redaction.words.shared_values import show_value

# What the variables of CUDA, NCCL, OpenMP, MKL, Python, PyTorch and Triton can have, by their documentation:
# environment variables in the CUDA programming guide, the NCCL user guide, Intel's OpenMP runtime and oneMKL,
# "Command line and environment" of Python, the memory management of torch.cuda, and torch._logging.
_WORDS = frozenset((
    "0x0", "1x1", "active", "ada", "all", "always", "ampere", "aot", "aot_graphs", "auto",
    "backend", "backslashreplace", "balanced", "blackwell", "bytecode", "close", "coll",
    "collective", "common", "compact", "compat32", "compute", "core", "cores", "cudamallocasync",
    "cutedsl", "debug", "default", "detail", "disabled", "display", "distributed", "dynamic",
    "dynamo", "eager", "env", "error", "expandable_segments", "explicit", "false", "fastest_first",
    "fine", "garbage_collection_threshold", "gnu", "granularity", "graph", "graph_breaks",
    "graphics", "guards", "guided", "hopper", "ib", "ignore", "importtime", "inductor", "infinite",
    "info", "init", "intel", "kepler", "lazy", "malloc", "malloc_debug", "master",
    "max_split_size_mb", "maxwell", "module", "mtia", "namereplace", "native", "net", "ngx", "no",
    "none", "norespect", "noverbose", "off", "on", "once", "output_code", "p2p", "pascal",
    "passive", "pci_bus_id", "pinned_num_register_threads", "pinned_reserve_segment_size_mb",
    "pinned_use_background_threads", "pinned_use_cuda_host_register", "per_process_memory_fraction",
    "primary", "ptx", "pymalloc", "pymalloc_debug", "random", "recompiles",
    "release_lock_on_cudamalloc", "replace", "respect", "roundup_power2_divisions", "scatter",
    "sequential", "shm", "socket", "sockets", "spread", "static", "strict", "surrogateescape",
    "tbb", "thread", "threads", "throughput", "tile", "trace", "true", "tuning", "turing",
    "turnaround", "utf-8", "utf8", "utility", "verbose", "version", "video", "void", "volta",
    "warn", "warnings", "xmlcharrefreplace", "yes",
))  # fmt: skip
# A card by its number of identification, of which it is the only one.
_CARD = re.compile(
    r"(?<![\w-])(?P<start>GPU-|MIG-(?:GPU-)?)[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){0,3}(?:-[0-9a-fA-F]{12})?(?![\w-])"
)
_ADDRESS = re.compile(r"((?:\w{2,20}\+)?\w{2,20}://[^\s;\"']+)")
_MASK = re.compile(rf"<(?:{MASKED})>")
_WORD = re.compile(r"[^\s,;:=+()\[\]{}\"'|]+")
# What separates several values; a path has none of them.
_ELEMENT = re.compile(r"[^;\n]+")
_PATH = re.compile(r"\"?(?:[A-Za-z]:[\\/]|\\\\|/|[~.]{1,2}[\\/]|%\w+%|\$\w)[^\s\"'<>|?*][^\"'<>|?*]*\"?")
_LONGEST_NUMBER = 6


def leave_out_cards(text: str) -> str:
    """Leave out the identification of a card, of which it is the only one: `GPU-...`."""
    return _CARD.sub(rf"\g<start>{LEFT_OUT}", text) if "GPU-" in text or "MIG-" in text else text


def show_variable(value: str) -> str:
    """Leave out the words of a value that are of one person; paths stay as they are."""
    return _ELEMENT.sub(_show_element, value)


def _show_element(match: re.Match[str]) -> str:
    element = match[0]
    if _PATH.fullmatch(element.strip()):
        return element
    shown = _ADDRESS.sub(_show_address, element)
    return "".join(
        part if index % 2 else _WORD.sub(_show_word, part) for index, part in enumerate(_ADDRESS.split(shown))
    )


def _show_address(match: re.Match[str]) -> str:
    return match[0] if is_address_of_all(match[0]) else f"{match[0].partition('://')[0]}://{LEFT_OUT}"


def _show_word(match: re.Match[str]) -> str:
    word = match[0]
    is_path = "/" in word or "\\" in word
    if is_path and _MASK.match(word) is None:
        return LEFT_OUT
    if is_address_of_a_machine(word) or re.search(rf"\d{{{_LONGEST_NUMBER + 1}}}", word):
        return LEFT_OUT
    is_shown = word.lower().lstrip("-") in _WORDS or is_number(word)
    is_shown = is_shown or word.endswith(LEFT_OUT) or _MASK.match(word) is not None
    is_shown = is_shown or is_name_of_code(word) or show_value(word) == word
    return word if is_shown else LEFT_OUT
