"""Leave out, in a line that is shown, each word that nobody needs to know: names are no words of messages."""

import re

from torchdoctor.domain.odd_words import LEFT_OUT, is_name_of_the_linker
from torchdoctor.domain.private_hosts import leave_out_private_hosts
from torchdoctor.domain.vocabulary import is_written

# What a message names in the words of a program: No module named 'x', has no attribute 'x'.
_NAMED = (
    r"(?:module(?: named)?|attribute|(?:cannot import|local variable|local) name|import(?:ing)?|name|object"
    r"|argument|symbol|key|operator|class|function|package|extension|method|type|requirement|library)"
    r" [\"'`](?:<[a-z]+ )?[\w.:<>@-]{1,120}[\"'`>]|(?:module named|importing) [\w.]{1,120}"
    r"|[A-Za-z][\w.-]{1,60}(?:==|>=|<=)(?=\d)"
)
# Files of programs, whose names say what failed, and what C++, CUDA and Python write in messages.
_OF_A_PROGRAM = re.compile(
    r"[\w.+-]{1,120}\.(?:dll|pyd|so(?:\.\d+)*|lib|obj|whl|cpp|cuh?|h|hpp|exe|bat|cmd|ps1|safetensors|ckpt|pth?|onnx|gguf)"
    r"|[\w.]*(?:Error|Exception|Warning)|[\w:<>]*::[\w:<>~]*|[A-Za-z]\d{1,4}[A-Za-z]{0,3}|(?:C|CMP|CS|CVT|D|LNK|MSB|NU|RC|U)\d{4,5}|\w+\.\w+\(\w*\)?"
    r"|__\w+__|(?:cublas|cudnn|cuda|cufft|cusolver|cusparse|cu|hip|nccl|nvml|nvrtc)[A-Z]\w*"
)
_PATH = re.compile(r"[\\/]|^[A-Za-z]:$|^~")
_WORD = re.compile(rf"{_NAMED}|[^\s\"'`“”‘’,;:=()\[\]{{}}<>|，。；：、（）「」【】]{{2,400}}")
_LEFT_OUT_ALL = re.compile(r"\.{3}(?:[\s\"'`,;:=|()\[\]{}]{1,4}\.{3}(?![\w.]))+")


def leave_out_unknown_words(text: str) -> str:
    """Replace each word that is no word of messages by three dots; paths stay, which other rules judge."""
    if not text.strip():
        return text
    shown = _WORD.sub(lambda match: _show(match[0]), leave_out_private_hosts(text))
    return text if shown == text else _LEFT_OUT_ALL.sub(LEFT_OUT, shown)


def _show(word: str) -> str:
    # What a message names has a blank, or the sign of a requirement; so has no other word.
    return word if " " in word or word.endswith("=") or is_known(word) else LEFT_OUT


def is_known(word: str) -> bool:
    """Return whether a word has words of messages alone, or is a path, or a name that programs write."""
    # What has separators before it alone is the name of a computer.
    is_path = _PATH.search(word.lstrip("\\/")) is not None
    bare = word.strip(".!?*-")
    return is_path or is_written_by_programs(bare) or is_name_of_the_linker(bare) or is_written(word)


def is_written_by_programs(word: str) -> bool:
    """Return whether a word is the name of a program, of its files, or of what its code has."""
    return _OF_A_PROGRAM.fullmatch(word) is not None
