"""The part of a text that tells of a machine before it was repaired: what is said there is no longer so."""

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.statements import Lines, Topic

# What a repair of torch changes.
CHANGED = frozenset(
    {Topic.TORCH, Topic.TORCH_CUDA, Topic.CUDA_AVAILABLE, Topic.ARCHITECTURES, Topic.TORCH_WARNING}
)
_MARK = (
    r"\s{0,6}(?:[-*+>•] |\d{1,2}[.)] |#{1,6} (?:\d{1,2}(?:\.\d{1,2}){0,2}\.? )?|\|\s?){0,2}[*_✅🔧]{0,3}\s?"
)
_SOLUTION = (
    rf"{_MARK}(?:resolution|fixed|solved|how (?:i|we) (?:fixed|solved)|what (?:fixed|solved|worked)"
    rf"|解法|解决过程|已解决"
    r"|修复过程|対処した|решено|gelöst|résolu|resuelto|resolvido|해결했)"
    r"[^\n:：]{0,30}(?:[:：*_—–-]|$)"
)
_OFFERED = r"\b(?:possible|proposed|suggest|potential|option|request|wanted|should|could|might|needed|\?)"
_RESULT = (
    rf"{_MARK}(?:result|outcome|结果|結果|ergebnis|результат|resultado)[*_ ]{{0,3}}[:：][*_"
    rf" ]{{0,3}}(?P<result>\S[^\n]{{0,60}})"
)
_SUCCESS = r"\b(?:pass(?:ed)?|ok|success\w{0,4}|works?(?! only)|working)\b|成功|正常|通过"
_INSTALL = (
    r"\b(?:pip3?|conda|uv|mamba) (?:install|add)\b[^\n]{0,200}(?:\btorch\b|pytorch|/whl/|cu1[0-3]\d|==\d)"
)
_LINES_OF_A_SOLUTION = 12


def find_repair(lines: Lines) -> int:
    """Return the number of the first line that tells how torch was replaced; 0 if none does."""
    solution = lines_left = 0
    heading = last_command = attempt = successful_attempt = 0
    for number, line in lines:
        if len(line) > 1000:
            continue
        head = pattern(_SOLUTION, True).match(line)
        if head and not pattern(_OFFERED, True).search(line[:80]):
            solution, lines_left = number, _LINES_OF_A_SOLUTION
        if line.lstrip().startswith("#"):
            heading = number
        if pattern(_INSTALL).search(line):
            if lines_left > 0:
                return solution
            # What is said between a heading and the command is of the attempt, too.
            attempt = heading if heading > last_command else number
            last_command = number
        result = pattern(_RESULT, True).match(line)
        if result and attempt and pattern(_SUCCESS, True).search(result["result"]):
            successful_attempt = attempt
        lines_left -= 1
    return successful_attempt
