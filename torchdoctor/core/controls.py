"""What a screen does not show: the escape sequences of terminals, control and invisible characters."""

from torchdoctor.core.patterns import pattern

ESCAPE_SEQUENCES = (
    r"\x1b(?:\[[0-9;?<=>!]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)?|[ -/]{0,4}[0-~])?"
    r"|\x9b[0-9;?]{0,64}[@-~]"
)
# C0 and C1 controls, soft hyphens (web pages insert them into words), bidirectional controls, zero-width
# characters, tag characters and lone surrogates.
CONTROLS = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def remove_controls(text: str) -> str:
    """Return text without them; tabs and line breaks stay."""
    if text.isascii() and text.isprintable():
        return text
    return pattern(f"(?![\t\r\n])(?:{ESCAPE_SEQUENCES}|{CONTROLS})").sub("", text)


def strip_controls(text: str) -> str:
    """Return text without escape sequences, control characters and invisible characters.

    Tabs and newlines become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    text = pattern(ESCAPE_SEQUENCES).sub("", text).replace("\t", "    ").replace("\n", " ")
    return pattern(CONTROLS).sub("", text)


def escape_name(name: str) -> str:
    """Return the name of a file with escapes for line breaks, other controls, and bytes that are no text."""
    if name.isprintable():
        return name
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode().replace("\\udc", "\\x")
        for each in name
    )
