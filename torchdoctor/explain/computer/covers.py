"""Compare the build of torch that a text names with its card, and with what a message says of it."""

from collections.abc import Mapping

from torchdoctor.domain.capabilities import parse_sm


def read_cover(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the value `torch_covers` where the build of torch has code for the card, else nothing."""
    capability = parse_sm(values.get("sm"))
    variant, release = values.get("build_index", ""), values.get("torch_release", "")
    if capability is None or not variant.startswith("cu") or not release:
        return {}
    # Imported here: few texts name all three, and the table is a file.
    from torchdoctor.domain.cuda_variants import find_variants_for_card

    return {"torch_covers": "yes"} if variant in find_variants_for_card(release, capability) else {}


def read_other_build(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the value `other_build` where a message is about another build of torch than the text names."""
    variant, compiled = values.get("build_index", ""), values.get("compiled_cuda", "")
    if not compiled or not variant.startswith("cu") or variant == f"cu{compiled.replace('.', '')}":
        return {}
    return {"other_build": variant}
